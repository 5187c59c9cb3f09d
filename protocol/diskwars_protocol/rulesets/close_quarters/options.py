"""Options of close quarters: how far models may go, whom they may fire at, and which models can be picked."""

from typing import TypeAlias

from msgspec import Struct

from diskwars_protocol.match.decisions import Options, ParametricOption, Unavailable
from diskwars_protocol.rulesets.close_quarters.actions import Action, Manoeuvre, ModelId, UnitId
from diskwars_protocol.schema_types import AtLeastZero


class Shooter(Struct, frozen=True, gc=False):
    """A model that may fire at one of these units."""

    model: ModelId
    targets: tuple[UnitId, ...]


class CloseQuartersLimits(ParametricOption[Action], frozen=True, gc=False, omit_defaults=True):
    """What may be answered about a unit.

    To move: each model goes at most `distance`, and ends within `radius` of its leader, both between centres and in
    hundredths of an inch. To shoot: some of `shooters`. To pick: `least` to `most` of `models`, or the `leader` alone.
    """

    unit: UnitId
    distance: AtLeastZero | None = None
    radius: AtLeastZero | None = None
    shooters: tuple[Shooter, ...] = ()
    models: tuple[ModelId, ...] = ()
    least: AtLeastZero | None = None
    most: AtLeastZero | None = None
    leader: ModelId | None = None


class CloseQuartersUnavailable(Unavailable, frozen=True, gc=False, omit_defaults=True):
    """Why this unit, this model or this manoeuvre is not offered."""

    unit: UnitId | None = None
    model: ModelId | None = None
    manoeuvre: Manoeuvre | None = None


CloseQuartersOptions: TypeAlias = Options[Action, CloseQuartersLimits, CloseQuartersUnavailable]
