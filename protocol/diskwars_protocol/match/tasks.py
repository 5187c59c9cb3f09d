"""Tasks and ground of scenarios: what decides a match beside the fight, in the games on cells and on open tables."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.match.ids import EndReason
from diskwars_protocol.schema_types import AtLeastZero, WholeNumber

TaskKind: TypeAlias = Literal["break_through", "hold", "last_stand", "rescue"]
PieceCount: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": 100})]

TASK_END_REASONS: tuple[EndReason, ...] = ("task_done", "task_failed")
"""A side has done its task, or the other side has kept it from that."""


class ScenarioArea(Struct, frozen=True, gc=False):
    """A rectangle of cells or points, with its first and last column and row."""

    x0: WholeNumber
    y0: WholeNumber
    x1: WholeNumber
    y1: WholeNumber

    def contains(self, x: int, y: int) -> bool:
        return self.x0 <= x <= self.x1 and self.y0 <= y <= self.y1

    def distance(self, x: int, y: int) -> tuple[int, int]:
        """Return how far a cell or a point is from the nearest of the zone, by columns and by rows."""
        return max(self.x0 - x, x - self.x1, 0), max(self.y0 - y, y - self.y1, 0)


class BattleTask(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a scenario asks of a side.

    - to break through: `count` pieces of `side` get into the `zone` before the last round is over
    - a rescue: the piece number `piece` of `side`, counted from 0 among its own, gets there; it is lost if that falls
    - a last stand: `side` has `count` pieces left when the last round is over
    - to hold: at the end of the last round the side with more pieces in the `zone` wins; `side` means nothing

    A piece is a fighter, a unit or a model.
    """

    kind: TaskKind
    side: AtLeastZero = 0
    zone: ScenarioArea | None = None
    count: PieceCount = 1
    piece: AtLeastZero | None = None

    @property
    def opponent(self) -> int:
        return 1 - self.side


class Standing(Struct, frozen=True, gc=False):
    """How a side stands to a task: its pieces left, those in the zone that count there, and the piece of a rescue."""

    pieces: int
    in_zone: int
    is_piece_left: bool = True
    is_piece_in_zone: bool = False


def task_winner(task: BattleTask, standings: tuple[Standing, Standing], is_over: bool) -> int | None:
    """Return the side that has won by a task; None while that is open, or if the task does not decide.

    `is_over` says that the last round is over.
    """
    own = standings[task.side]
    match task.kind:
        case "break_through":
            return task.side if own.in_zone >= task.count else _if(is_over, task.opponent)
        case "rescue":
            if not own.is_piece_left:
                return task.opponent
            return task.side if own.is_piece_in_zone else _if(is_over, task.opponent)
        case "last_stand":
            return task.opponent if own.pieces < task.count else _if(is_over, task.side)
        case "hold":
            first, second = (standing.in_zone for standing in standings)
            return None if not is_over or first == second else int(second > first)


def _if(is_over: bool, side: int) -> int | None:
    return side if is_over else None


def end_reason(task: BattleTask, winner: int) -> EndReason:
    return "task_done" if task.kind == "hold" or winner == task.side else "task_failed"
