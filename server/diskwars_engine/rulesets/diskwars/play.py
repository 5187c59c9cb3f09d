"""`Play`: one decision on its way, with the board so far, the events so far, the dice and the tasks still to do."""

from collections.abc import Sequence

from msgspec.structs import replace

from diskwars_engine.ruleset import Dice, Outcome
from diskwars_engine.rulesets.diskwars.cursor import encode_cursor
from diskwars_engine.rulesets.diskwars.tasks import Task
from diskwars_protocol.fairness import Draw
from diskwars_protocol.match import Seat, SeatNonceOpened, StepBegan
from diskwars_protocol.rulesets.diskwars.actions import BoardQuestion
from diskwars_protocol.rulesets.diskwars.board import Board, fold
from diskwars_protocol.rulesets.diskwars.events import BoardEvent
from diskwars_protocol.rulesets.diskwars.stats import Amount


class Play:
    """One decision under way. `events` are its facts and `tasks` the steps still to do, both in order.

    `questions` are the open ones; `settled_board` is the last board on which no wound was due.
    """

    def __init__(self, board: Board, dice: Dice, tasks: Sequence[Task] = ()) -> None:
        """Begin on a board whose cursor holds `tasks`."""
        self.board = board
        self.dice = dice
        self.events: list[BoardEvent | SeatNonceOpened | StepBegan] = []
        self.tasks: list[Task] = list(tasks)
        self.questions: tuple[tuple[Seat, BoardQuestion], ...] = ()
        self.settled_board: Board | None = None

    def emit(self, event: BoardEvent) -> None:
        """Record an event of the board; it is in force from here on."""
        self.events.append(event)
        self.board = fold(self.board, event)

    def emit_shared(self, event: SeatNonceOpened | StepBegan) -> None:
        """Record an event of the match, which changes no board."""
        self.events.append(event)

    def push(self, *tasks: Task) -> None:
        """Put tasks before all others, in this order."""
        self.tasks[:0] = tasks

    def push_above(self, depth: int, task: Task) -> None:
        """Put a task above the last `depth` tasks, below everything that was pushed since there were only those.

        What follows from an action comes before the rest of what the action belongs to.
        """
        self.tasks.insert(len(self.tasks) - depth, task)

    def roll_amount(self, amount: Amount, tag: str) -> tuple[int, Draw | None]:
        """Return an amount, never below 0, with the dice that the server has rolled for it (R19.1)."""
        if not amount.d6:
            return max(0, amount.flat), None
        draw = self.dice.roll("d6", 6, amount.d6, tag)
        return max(0, amount.flat + sum(draw.faces)), draw

    def finish(self) -> Outcome[Board, BoardQuestion]:
        """Return what has happened, and as cursor the tasks that are left, if they have changed."""
        cursor = encode_cursor(self.tasks)
        if cursor == self.board.cursor:
            return Outcome(self.events, self.board, self.questions)
        self.board = replace(self.board, cursor=cursor)
        return Outcome(self.events, self.board, self.questions, cursor)
