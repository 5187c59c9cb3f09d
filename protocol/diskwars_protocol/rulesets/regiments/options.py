"""Options of regiments: where a unit may march, and what it may not do."""

from typing import TypeAlias

from msgspec import Struct

from diskwars_protocol.match import Options, ParametricOption, Unavailable
from diskwars_protocol.rulesets.regiments.actions import (
    Action,
    Column,
    FileCount,
    MarchStep,
    OrderKind,
    Row,
    UnitId,
)
from diskwars_protocol.rulesets.regiments.events import Facing
from diskwars_protocol.schema_types import AtLeastZero


class MarchEnd(Struct, frozen=True, gc=False):
    """Where a march can end, and a shortest path that leads there. Other paths may end there too."""

    x: Column
    y: Row
    facing: Facing
    path: tuple[MarchStep, ...]


class MarchLimits(ParametricOption[Action], frozen=True, gc=False):
    """Where a unit may march: at most `points` steps, to one of `ends`."""

    unit: UnitId
    points: AtLeastZero
    ends: tuple[MarchEnd, ...]


class RegimentsUnavailable(Unavailable, frozen=True, gc=False, omit_defaults=True):
    """Why the unit cannot be given an order; a charge at `target`, or to reform to `files`."""

    order: OrderKind
    target: UnitId | None = None
    files: FileCount | None = None


RegimentsOptions: TypeAlias = Options[Action, MarchLimits, RegimentsUnavailable]
