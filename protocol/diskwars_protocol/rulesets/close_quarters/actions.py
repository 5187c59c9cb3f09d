"""Settings, questions and actions of close quarters."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.identifiers import IdText
from diskwars_protocol.match.actions import Ready, ReadyQuestion, SeatQuestion, TakeSeat, UnpromptedAction
from diskwars_protocol.records.sealed import always_written
from diskwars_protocol.schema_types import AtLeastZero, WholeNumber, values_of_this_version

UnitId: TypeAlias = AtLeastZero
ModelId: TypeAlias = AtLeastZero
SideId: TypeAlias = AtLeastZero
"""A side of one or two players."""
Coordinate: TypeAlias = WholeNumber
"""Hundredths of an inch."""

MAX_MODELS_NAMED = 64
Manoeuvre: TypeAlias = Literal["engage", "hold", "break_off"]
"""Consolidation without points: each model to the nearest enemy base; nobody moves; straight away from the enemy."""


class CloseQuartersSettings(Struct, frozen=True, gc=False, omit_defaults=True):
    """Options of a match. A record holds all of them."""

    scenario: Annotated[
        str,
        Meta(
            description="which squads meet, on which ground, and what decides (B-0, B-29)",
            extra_json_schema=values_of_this_version(
                "boarding-action", "brutes", "the-hill", "the-break-out", "the-hostage", "the-last-post", "the-trap"
            ),
        ),
    ] = always_written("boarding-action")
    barricade: Annotated[bool, Meta(description="a barricade stands across the middle of the table (B-26)")] = (
        always_written(False)
    )
    # Records from before this option do not hold it, so that its default is left out.
    high_ground: Annotated[bool, Meta(description="hills of the scenario help those who fight from them (B-28)")] = (
        False
    )


class CloseQuartersLoadout(Struct, frozen=True, gc=False):
    """Nothing: the scenario gives each side its units."""


class ModelMove(Struct, frozen=True, gc=False):
    """The point at which a model ends."""

    model: ModelId
    x: Coordinate
    y: Coordinate


class ModelShot(Struct, frozen=True, gc=False):
    """A model that fires, and at which unit."""

    model: ModelId
    target: UnitId


MoveList: TypeAlias = Annotated[tuple[ModelMove, ...], Meta(max_length=MAX_MODELS_NAMED)]
ShotList: TypeAlias = Annotated[tuple[ModelShot, ...], Meta(max_length=MAX_MODELS_NAMED)]
ModelList: TypeAlias = Annotated[tuple[ModelId, ...], Meta(max_length=MAX_MODELS_NAMED)]

# ---------------------------------------------------------------- questions


class ActivateQuestion(Struct, frozen=True, gc=False, tag="activation"):
    """Which unit acts next in the action phase?"""


class ActionQuestion(Struct, frozen=True, gc=False, tag="unit_action"):
    """What does this unit do?"""

    unit: UnitId


class DefensiveFireQuestion(Struct, frozen=True, gc=False, tag="defensive_fire"):
    """At which attacking unit does this unit fire, if at any?"""

    unit: UnitId


class ConsolidateQuestion(Struct, frozen=True, gc=False, tag="consolidation"):
    """Where do the models of this unit go?"""

    unit: UnitId


class NextUnitQuestion(Struct, frozen=True, gc=False, tag="next_unit"):
    """Which attacking unit shoots, fights and consolidates next?"""


class ShootQuestion(Struct, frozen=True, gc=False, tag="shooting"):
    """At which enemy unit does each model fire that touches no enemy?"""

    unit: UnitId


class WeaponQuestion(Struct, frozen=True, gc=False, tag="weapon"):
    """Which melee weapon does this model use?"""

    model: ModelId


class SplitQuestion(Struct, frozen=True, gc=False, tag="hit_split"):
    """Which models take the hits that are left when hits on several units are spread evenly?"""


class AllocateQuestion(Struct, frozen=True, gc=False, tag="allocation"):
    """Which models of this enemy unit fall first?"""

    unit: UnitId


class CasualtiesQuestion(Struct, frozen=True, gc=False, tag="casualties"):
    """Which models of your unit fall?"""

    unit: UnitId


# ---------------------------------------------------------------- actions


class ChooseUnit(Struct, frozen=True, gc=False, tag="choose_unit"):
    """The unit whose turn it is now."""

    unit: UnitId


class Hold(Struct, frozen=True, gc=False, tag="hold"):
    """The unit stays where it is."""


class Advance(Struct, frozen=True, gc=False, tag="advance"):
    """Models move up to their movement. A model that is not named stays."""

    moves: MoveList


class Double(Struct, frozen=True, gc=False, tag="double"):
    """Models move up to twice their movement; the unit gives no defensive fire until its next action."""

    moves: MoveList


class FireAt(Struct, frozen=True, gc=False, tag="fire_at"):
    """The unit that is fired at."""

    target: UnitId


class HoldFire(Struct, frozen=True, gc=False, tag="hold_fire"):
    """No defensive fire."""


class Consolidate(Struct, frozen=True, gc=False, tag="consolidate"):
    """Models move up to half their movement. A model that is not named stays."""

    moves: MoveList


class ConsolidateBy(Struct, frozen=True, gc=False, tag="consolidate_by"):
    """The server finds the points."""

    manoeuvre: Manoeuvre


class Shoot(Struct, frozen=True, gc=False, tag="shoot"):
    """Who fires at whom. A model that is not named holds its fire."""

    shots: ShotList


class ChooseWeapon(Struct, frozen=True, gc=False, tag="choose_weapon"):
    """The melee weapon of this id."""

    weapon: IdText


class SplitHits(Struct, frozen=True, gc=False, tag="split_hits"):
    """The models that take one hit more than the others."""

    models: ModelList


class PickCasualties(Struct, frozen=True, gc=False, tag="pick_casualties"):
    """The models that fall."""

    models: ModelList


CloseQuartersQuestion: TypeAlias = (
    ActivateQuestion
    | ActionQuestion
    | DefensiveFireQuestion
    | ConsolidateQuestion
    | NextUnitQuestion
    | ShootQuestion
    | WeaponQuestion
    | SplitQuestion
    | AllocateQuestion
    | CasualtiesQuestion
)
CloseQuartersAction: TypeAlias = (
    ChooseUnit
    | Hold
    | Advance
    | Double
    | FireAt
    | HoldFire
    | Consolidate
    | ConsolidateBy
    | Shoot
    | ChooseWeapon
    | SplitHits
    | PickCasualties
)
Question: TypeAlias = SeatQuestion | ReadyQuestion | CloseQuartersQuestion
Action: TypeAlias = TakeSeat[CloseQuartersLoadout] | Ready | UnpromptedAction | CloseQuartersAction
