"""`Play`: the state of one decision while it is carried out: board, events, dice and the tasks still to do."""

from msgspec.structs import replace

from diskwars_engine.ruleset import Dice, Outcome
from diskwars_protocol.fairness import Draw
from diskwars_protocol.match import Seat, SeatNonceOpened, StepBegan
from diskwars_protocol.rulesets.diskwars.actions import BoardQuestion
from diskwars_protocol.rulesets.diskwars.board import Board, fold
from diskwars_protocol.rulesets.diskwars.events import BoardEvent, Task
from diskwars_protocol.rulesets.diskwars.stats import Amount
from diskwars_protocol.rulesets.diskwars.vocabulary import cursor_of


class Play:
    """One decision under way. `events` are those recorded so far, `tasks` the steps still to do, both in order.

    `questions` are the open ones at the end; `settled_board` is the last board on which no wound was due.
    """

    def __init__(self, board: Board, dice: Dice) -> None:
        self.board = board
        self.dice = dice
        self.events: list[BoardEvent | SeatNonceOpened | StepBegan] = []
        self.tasks: list[Task] = list(board.cursor)
        self.questions: tuple[tuple[Seat, BoardQuestion], ...] = ()
        self.settled_board: Board | None = None

    def emit(self, event: BoardEvent) -> None:
        """Record an event of the board and fold it, so that later steps see its effect."""
        self.events.append(event)
        self.board = fold(self.board, event)

    def emit_shared(self, event: SeatNonceOpened | StepBegan) -> None:
        """Record an event of the match around the board, which does not change the board."""
        self.events.append(event)

    def push(self, *tasks: Task) -> None:
        """Insert tasks at the head of the list, in this order."""
        self.tasks[:0] = tasks

    def push_above(self, depth: int, task: Task) -> None:
        """Insert a task above the last `depth` tasks and below everything pushed since the list had that length.

        With it, the consequences of an action are resolved before the rest of the activation or card that it is
        part of.
        """
        self.tasks.insert(len(self.tasks) - depth, task)

    def roll_amount(self, amount: Amount, tag: str) -> tuple[int, Draw | None]:
        """Roll an amount and return it, at least 0, with its dice; the draw is None for a fixed amount (R19.1)."""
        if not amount.d6:
            return max(0, amount.flat), None
        draw = self.dice.roll("d6", 6, amount.d6, tag)
        return max(0, amount.flat + sum(draw.faces)), draw

    def finish(self) -> Outcome[Board, BoardQuestion]:
        """Return the outcome of the decision, with the remaining tasks as cursor if they have changed."""
        left = tuple(self.tasks)
        if left == self.board.cursor:
            return Outcome(self.events, self.board, self.questions)
        self.board = replace(self.board, cursor=left)
        return Outcome(self.events, self.board, self.questions, cursor_of(left))
