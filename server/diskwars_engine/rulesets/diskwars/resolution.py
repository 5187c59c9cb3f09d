"""The state of one decision while it is carried out: board, events, dice and the tasks still to do."""

from collections.abc import Sequence

from msgspec.structs import replace

from diskwars_engine.ruleset import Dice, Outcome
from diskwars_engine.rulesets.diskwars.cursor import encode_cursor
from diskwars_engine.rulesets.diskwars.tasks import CausedTask, Task
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol.match.events import SeatNonceOpened, StepBegan
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.fairness import Draw
from diskwars_protocol.rulesets.diskwars.actions import BoardQuestion, DiskId
from diskwars_protocol.rulesets.diskwars.board import Board, fold
from diskwars_protocol.rulesets.diskwars.events import BoardEvent, Cause, CauseKind, is_caused
from diskwars_protocol.rulesets.diskwars.stats import Amount


class Resolution:
    """One decision under way. `events` are those recorded so far, `tasks` the steps still to do, both in order.

    `questions` are the open ones at the end; `settled_board` is the last board on which no wound was due. `cause` is
    given to the events that are recorded, and the tasks that are pushed, now.
    """

    def __init__(self, board: Board, dice: Dice, tasks: Sequence[Task] = (), first_event: int = 0) -> None:
        """Begin on a board whose cursor holds `tasks`; `first_event` is the number of the first event in its record."""
        self.board = board
        self.dice = dice
        self.work = WorkBudget()
        self.events: list[BoardEvent | SeatNonceOpened | StepBegan] = []
        self.tasks: list[Task] = list(tasks)
        self.questions: tuple[tuple[Seat, BoardQuestion], ...] = ()
        self.settled_board: Board | None = None
        self.cause: Cause | None = None
        self._first_event = first_event

    def emit(self, event: BoardEvent) -> None:
        """Record an event of the board, with the current cause if it has none, and fold it."""
        self.work.spend()
        if self.cause is not None and is_caused(event) and event.cause is None:
            event = replace(event, cause=self.cause)
        self.events.append(event)
        self.board = fold(self.board, event)

    def emit_shared(self, event: SeatNonceOpened | StepBegan) -> None:
        """Record an event of the match around the board, which does not change the board."""
        self.events.append(event)

    def last_event_as_cause(self, kind: CauseKind, disk: DiskId | None = None) -> Cause:
        """Return the event just recorded as a cause of what follows."""
        return Cause(kind, disk, self._first_event + len(self.events) - 1)

    def emit_cause(self, event: BoardEvent, kind: CauseKind, disk: DiskId | None = None) -> None:
        """Record an event that is the cause of all that follows in this task."""
        self.emit(event)
        self.cause = self.last_event_as_cause(kind, disk)

    def caused_by(self, cause: Cause | None) -> "_CauseScope":
        """Return a context in which what is recorded and pushed names this cause."""
        return _CauseScope(self, cause)

    def begin_task(self, task: Task) -> None:
        """Let what is recorded from here on name the cause of a task."""
        self.cause = task.cause if isinstance(task, CausedTask) else None

    def push(self, *tasks: Task) -> None:
        """Insert tasks at the head of the list, in this order."""
        self.tasks[:0] = [self.with_cause(task) for task in tasks]

    def with_cause(self, task: Task) -> Task:
        """Return a task with the current cause, if it has none yet."""
        if self.cause is not None and isinstance(task, CausedTask) and task.cause is None:
            return replace(task, cause=self.cause)
        return task

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
        draw = self.dice.roll("number_dice", 6, amount.d6, tag)
        return max(0, amount.flat + sum(draw.results)), draw

    def finish(self) -> Outcome[Board, BoardQuestion]:
        """Return the outcome of the decision, with the remaining tasks as cursor if they have changed."""
        cursor = encode_cursor([self._for_next_record(task) for task in self.tasks])
        if cursor == self.board.cursor:
            return Outcome(self.events, self.board, self.questions)
        self.board = replace(self.board, cursor=cursor)
        return Outcome(self.events, self.board, self.questions, cursor)

    def _for_next_record(self, task: Task) -> Task:
        """Return the task with the record of its cause: from the next record on, its event is an earlier one."""
        if not isinstance(task, CausedTask) or task.cause is None or task.cause.record is not None:
            return task
        return task if task.cause.event is None else replace(task, cause=replace(task.cause, record=self.dice.record))


class _CauseScope:
    """A context in which records name a cause. A generator as context manager takes several times as long."""

    __slots__ = ("_before", "_cause", "_resolution")

    def __init__(self, resolution: Resolution, cause: Cause | None) -> None:
        self._resolution, self._cause, self._before = resolution, cause, resolution.cause

    def __enter__(self) -> None:
        self._resolution.cause = self._cause

    def __exit__(self, *_: object) -> None:
        self._resolution.cause = self._before
