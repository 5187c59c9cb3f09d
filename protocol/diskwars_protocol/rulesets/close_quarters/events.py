"""Events of a match of close quarters: complete facts, with the dice, what they needed, and the reasons."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.identifiers import IdText
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.tasks import BattleTask, ScenarioArea
from diskwars_protocol.records.fairness import Draw
from diskwars_protocol.rulesets.close_quarters.actions import (
    CloseQuartersSettings,
    Coordinate,
    ModelId,
    ModelMove,
    SideId,
    UnitId,
)
from diskwars_protocol.rulesets.close_quarters.stats import Barricade, MeleeWeapon, RangedWeapon, UnitProfile
from diskwars_protocol.schema_types import AtLeastOne, AtLeastZero, WholeNumber

Phase: TypeAlias = Literal["action", "defensive_fire", "initial_consolidation", "cycle", "winner_consolidation", "over"]
RemovalReason: TypeAlias = Literal["killed", "caught", "routed", "withdrawn"]
Picker: TypeAlias = Literal["attacker", "defender"]
CombatEndReason: TypeAlias = Literal["broken_off", "apart", "won"]
"""All attackers left; no enemies are near each other any more; or no defender is left in it."""
Needed: TypeAlias = Annotated[int, Meta(ge=0, le=6)]
"""A die succeeds if it is at most this."""


class StartingModel(Struct, frozen=True, gc=False, omit_defaults=True):
    """A model at the start."""

    unit: UnitId
    x: Coordinate
    y: Coordinate
    is_leader: bool = False


class StartingUnit(Struct, frozen=True, gc=False):
    """A unit at the start: its side, the seat that commands it, and the number of its profile."""

    side: SideId
    seat: Seat
    profile: AtLeastZero


class CloseQuartersMatchStarted(Struct, frozen=True, gc=False, omit_defaults=True, tag="match_started"):
    """All figures that this match uses. Units and models are numbered by their places in `units` and `models`.

    `turns` are those of each side. `sides` are the seats of each side. Without `barricade` the table is open, without
    `high_ground` flat. Without `task` only the fight decides. With `slow_start` nobody moves at the double in the
    first turn.
    """

    settings: CloseQuartersSettings
    width: Coordinate
    height: Coordinate
    turns: AtLeastOne
    profiles: tuple[UnitProfile, ...]
    ranged_weapons: tuple[RangedWeapon, ...]
    melee_weapons: tuple[MeleeWeapon, ...]
    sides: tuple[tuple[Seat, ...], ...]
    units: tuple[StartingUnit, ...]
    models: tuple[StartingModel, ...]
    barricade: Barricade | None = None
    high_ground: tuple[ScenarioArea, ...] = ()
    task: BattleTask | None = None
    slow_start: bool = False


class TurnOrderRolled(Struct, frozen=True, gc=False, tag="turn_order_rolled"):
    """One die for each of `sides`, in this order. Sides that tie roll again."""

    sides: tuple[SideId, ...]
    dice: Draw
    reasons: tuple[Reason, ...]


class TurnOrderSet(Struct, frozen=True, gc=False, tag="turn_order_set"):
    """The order in which the sides take their turns, for the whole match."""

    order: tuple[SideId, ...]
    reasons: tuple[Reason, ...]


class TurnBegan(Struct, frozen=True, gc=False, tag="turn_began"):
    """A turn of a side begins, with its action phase; turns count on through the match."""

    side: SideId
    turn: AtLeastOne


class PhaseBegan(Struct, frozen=True, gc=False, omit_defaults=True, tag="phase_began"):
    """A phase begins. `units` have to be asked in it."""

    phase: Phase
    reasons: tuple[Reason, ...] = ()
    units: tuple[UnitId, ...] = ()


class UnitActivated(Struct, frozen=True, gc=False, tag="unit_activated"):
    """A unit is the next to act in the action phase."""

    unit: UnitId


class LeadershipTested(Struct, frozen=True, gc=False, tag="leadership_tested"):
    """A leadership test: it passes if one of the dice is at most `needed`."""

    unit: UnitId
    needed: Needed
    passed: bool
    dice: Draw
    reasons: tuple[Reason, ...]


class MarkersChanged(Struct, frozen=True, gc=False, tag="markers_changed"):
    """A unit has `markers` suppression markers now."""

    unit: UnitId
    markers: AtLeastZero
    reasons: tuple[Reason, ...]


class UnitHeld(Struct, frozen=True, gc=False, tag="unit_held"):
    """A unit stays where it is in the action phase."""

    unit: UnitId
    reasons: tuple[Reason, ...]


class UnitMoved(Struct, frozen=True, gc=False, omit_defaults=True, tag="unit_moved"):
    """A unit has advanced, or moved at the double."""

    unit: UnitId
    moves: tuple[ModelMove, ...]
    reasons: tuple[Reason, ...]
    is_doubled: bool = False


class UnitFellBack(Struct, frozen=True, gc=False, omit_defaults=True, tag="unit_fell_back"):
    """A unit has fallen back from an enemy model. `models_lost` have left the table."""

    unit: UnitId
    enemy: ModelId
    moves: tuple[ModelMove, ...]
    reasons: tuple[Reason, ...]
    models_lost: tuple[ModelId, ...] = ()


class CombatBegan(Struct, frozen=True, gc=False, tag="combat_began"):
    """Close combat: `units` are in it, those of `attacker` attack."""

    attacker: SideId
    units: tuple[UnitId, ...]
    reasons: tuple[Reason, ...]


class UnitsJoinedCombat(Struct, frozen=True, gc=False, tag="units_joined_combat"):
    """Units that were outside the combat are in it now."""

    units: tuple[UnitId, ...]
    reasons: tuple[Reason, ...]


class DefensiveFireDeclared(Struct, frozen=True, gc=False, omit_defaults=True, tag="defensive_fire_declared"):
    """A unit fires at a target, or holds its fire."""

    unit: UnitId
    reasons: tuple[Reason, ...]
    target: UnitId | None = None


class DefensiveFireLost(Struct, frozen=True, gc=False, tag="defensive_fire_lost"):
    """A unit that could have given defensive fire has no target any more."""

    unit: UnitId
    reasons: tuple[Reason, ...]


class Hit(Struct, frozen=True, gc=False):
    """A hit by a model, with the strength and armour piercing that it has."""

    model: ModelId
    strength: WholeNumber
    armour_piercing: WholeNumber


class UnitHits(Struct, frozen=True, gc=False):
    """Hits on a unit, in the order in which they were rolled, and the models that can fall to them."""

    unit: UnitId
    hits: tuple[Hit, ...]
    eligible: tuple[ModelId, ...]


class HitPool(Struct, frozen=True, gc=False):
    """Hits by models that touch several units, and all models that they touch, over which the hits are spread."""

    hits: tuple[Hit, ...]
    models: tuple[ModelId, ...]


class Volley(Struct, frozen=True, gc=False):
    """What a model rolls: `dice_count` dice at a unit, each a hit if it is at most `needed`."""

    model: ModelId
    target: UnitId
    weapon: IdText
    dice_count: AtLeastOne
    needed: Needed
    hits: AtLeastZero


class ShotsFired(Struct, frozen=True, gc=False, omit_defaults=True, tag="shots_fired"):
    """The fire of a unit; without `dice`, it held its fire. `targets` are the units that were hit."""

    unit: UnitId
    reasons: tuple[Reason, ...]
    volleys: tuple[Volley, ...] = ()
    dice: Draw | None = None
    targets: tuple[UnitHits, ...] = ()


class WeaponChosen(Struct, frozen=True, gc=False, tag="weapon_chosen"):
    """A model fights with this weapon."""

    model: ModelId
    weapon: IdText
    reasons: tuple[Reason, ...]


class Assault(Struct, frozen=True, gc=False):
    """What a model rolls in melee: `dice_count` dice, each a hit if it is at most `needed`; it touches `touched`."""

    model: ModelId
    weapon: IdText
    touched: tuple[ModelId, ...]
    dice_count: AtLeastOne
    needed: Needed
    hits: AtLeastZero


class MeleeRolled(Struct, frozen=True, gc=False, omit_defaults=True, tag="melee_rolled"):
    """The melee of a unit. `targets` are the units that were hit; hits in `pools` are still to be spread."""

    unit: UnitId
    assaults: tuple[Assault, ...]
    dice: Draw
    reasons: tuple[Reason, ...]
    targets: tuple[UnitHits, ...] = ()
    pools: tuple[HitPool, ...] = ()


class HitsSplit(Struct, frozen=True, gc=False, tag="hits_split"):
    """The first pool is spread; `models` take one hit more than the others. `targets` are all hits by unit now."""

    models: tuple[ModelId, ...]
    targets: tuple[UnitHits, ...]
    reasons: tuple[Reason, ...]


class HitsCounted(Struct, frozen=True, gc=False, tag="hits_counted"):
    """Hits on a unit move its hit counter to `hit_counter`; every sixth is a marker."""

    unit: UnitId
    hits: AtLeastOne
    hit_counter: AtLeastZero
    markers: AtLeastZero
    reasons: tuple[Reason, ...]


class SavesRolled(Struct, frozen=True, gc=False, omit_defaults=True, tag="saves_rolled"):
    """One save for each of `hits`, each needs the number in `needed`. A unit without armour rolls nothing.

    `failed` are the places of the hits that are not saved.
    """

    unit: UnitId
    hits: tuple[Hit, ...]
    needed: tuple[Needed, ...]
    failed: tuple[AtLeastZero, ...]
    reasons: tuple[Reason, ...]
    dice: Draw | None = None


class KillsRolled(Struct, frozen=True, gc=False, omit_defaults=True, tag="kills_rolled"):
    """Dice for each hit that was not saved, as many as the toughness of the unit; a hit kills if all are at most its
    strength. Without toughness nothing is rolled. `killing` are the places of the hits that kill, among `hits`."""

    unit: UnitId
    hits: tuple[Hit, ...]
    toughness: AtLeastZero
    killing: tuple[AtLeastZero, ...]
    reasons: tuple[Reason, ...]
    dice: Draw | None = None


class AllocationRolled(Struct, frozen=True, gc=False, tag="allocation_rolled"):
    """Two dice decide who picks which of `eligible` fall: `casualties` of them."""

    unit: UnitId
    casualties: AtLeastOne
    eligible: tuple[ModelId, ...]
    sixes: AtLeastZero
    dice: Draw
    reasons: tuple[Reason, ...]


class CasualtiesPicked(Struct, frozen=True, gc=False, tag="casualties_picked"):
    """A player has picked models that fall."""

    unit: UnitId
    models: tuple[ModelId, ...]
    picker: Picker
    reasons: tuple[Reason, ...]


class ModelsRemoved(Struct, frozen=True, gc=False, tag="models_removed"):
    """Models of a unit leave the table."""

    unit: UnitId
    models: tuple[ModelId, ...]
    reason_kind: RemovalReason
    reasons: tuple[Reason, ...]


class UnitConsolidated(Struct, frozen=True, gc=False, tag="unit_consolidated"):
    """A unit has consolidated; `moves` are those of its models, none if nobody moved."""

    unit: UnitId
    moves: tuple[ModelMove, ...]
    reasons: tuple[Reason, ...]


class CycleBegan(Struct, frozen=True, gc=False, tag="cycle_began"):
    """A cycle of the combat: `units` of `attacker` shoot, fight and consolidate, one after another."""

    cycle: AtLeastOne
    attacker: SideId
    units: tuple[UnitId, ...]
    reasons: tuple[Reason, ...]


class UnitChosen(Struct, frozen=True, gc=False, tag="unit_chosen"):
    """It is the turn of this attacking unit."""

    unit: UnitId


class CombatEnded(Struct, frozen=True, gc=False, tag="combat_ended"):
    """The combat is over."""

    reason_kind: CombatEndReason
    reasons: tuple[Reason, ...]


class SeatWithdrew(Struct, frozen=True, gc=False, tag="seat_withdrew"):
    """A seat that resigned is out; `to_seat`, the other player of its side, commands its units.

    A seat without a partner takes its units off the table instead: `ModelsRemoved`.
    """

    seat: Seat
    to_seat: Seat
    reasons: tuple[Reason, ...]


CloseQuartersEvent: TypeAlias = (
    CloseQuartersMatchStarted
    | TurnOrderRolled
    | TurnOrderSet
    | TurnBegan
    | PhaseBegan
    | UnitActivated
    | LeadershipTested
    | MarkersChanged
    | UnitHeld
    | UnitMoved
    | UnitFellBack
    | CombatBegan
    | UnitsJoinedCombat
    | DefensiveFireDeclared
    | DefensiveFireLost
    | ShotsFired
    | WeaponChosen
    | MeleeRolled
    | HitsSplit
    | HitsCounted
    | SavesRolled
    | KillsRolled
    | AllocationRolled
    | CasualtiesPicked
    | ModelsRemoved
    | UnitConsolidated
    | CycleBegan
    | UnitChosen
    | CombatEnded
    | SeatWithdrew
)
