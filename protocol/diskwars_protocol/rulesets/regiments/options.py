"""Options of regiments: the orders that a unit may be given, where it may march, and what it may not do."""

from typing import TypeAlias

from msgspec import Struct

from diskwars_protocol.match.decisions import Options, ParametricOption, Unavailable
from diskwars_protocol.rulesets.regiments.actions import (
    Action,
    Column,
    FileCount,
    MarchStep,
    OrderAction,
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


class OrderLimits(ParametricOption[Action], frozen=True, gc=False, omit_defaults=True):
    """Which orders a unit may be given: to march at most `points` steps, to one of `ends`, or one of `orders`.

    `orders` are listed where the orders of all units are locked together; `example` then holds those of all.
    """

    unit: UnitId
    points: AtLeastZero = 0
    ends: tuple[MarchEnd, ...] = ()
    orders: tuple[OrderAction, ...] = ()


class RegimentsUnavailable(Unavailable, frozen=True, gc=False, omit_defaults=True):
    """Why the unit cannot be given an order; a charge at `target`, or to reform to `files`.

    `unit` is named where the orders of all units are locked together.
    """

    order: OrderKind
    target: UnitId | None = None
    files: FileCount | None = None
    unit: UnitId | None = None


RegimentsOptions: TypeAlias = Options[Action, OrderLimits, RegimentsUnavailable]
