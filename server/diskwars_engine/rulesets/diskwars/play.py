"""How does a decision unfold? `Play` holds the board so far, the facts so far, the dice, and the work still to do.

It only records; what follows from what stands in the modules above. Must not know any rule.
"""

from diskwars_engine.ruleset import Dice
from diskwars_protocol.fairness import Draw
from diskwars_protocol.match import Seat, SeatNonceOpened, StepBegan
from diskwars_protocol.rulesets.diskwars.actions import BoardQuestion
from diskwars_protocol.rulesets.diskwars.board import Board, fold
from diskwars_protocol.rulesets.diskwars.events import BoardEvent, CursorSet, Task
from diskwars_protocol.rulesets.diskwars.stats import Amount


class Play:
    """One decision under way. `events` are its facts in order, `work` what is to be done next, first first.

    `asked` is who has to decide before the work can go on; `settled` the last board on which no wound was due.
    """

    def __init__(self, board: Board, dice: Dice) -> None:
        self.board = board
        self.dice = dice
        self.events: list[BoardEvent | SeatNonceOpened | StepBegan] = []
        self.tasks: list[Task] = list(board.cursor)
        self.questions: tuple[tuple[Seat, BoardQuestion], ...] = ()
        self.settled_board: Board | None = None

    def emit(self, event: BoardEvent) -> None:
        """A fact of the board: it is true from here on."""
        self.events.append(event)
        self.board = fold(self.board, event)

    def emit_shared(self, event: SeatNonceOpened | StepBegan) -> None:
        """A fact of the match that changes no board."""
        self.events.append(event)

    def push(self, *tasks: Task) -> None:
        """To be done before all other work, in this order."""
        self.tasks[:0] = tasks

    def roll_amount(self, amount: Amount, tag: str) -> tuple[int, Draw | None]:
        """An amount as it comes out, with the dice that the server has rolled for it (R19.1). Never below 0."""
        if not amount.d6:
            return max(0, amount.flat), None
        draw = self.dice.roll("d6", 6, amount.d6, tag)
        return max(0, amount.flat + sum(draw.faces)), draw

    def finish(self) -> list[BoardEvent | SeatNonceOpened | StepBegan]:
        """Writes down the work that is left, if it is other than before, and gives all events."""
        left = tuple(self.tasks)
        if left != self.board.cursor:
            self.emit(CursorSet(left))
        return self.events
