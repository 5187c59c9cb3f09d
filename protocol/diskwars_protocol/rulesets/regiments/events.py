"""Events of a match of regiments: complete facts, with the dice, what they needed, and the reasons."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.tasks import BattleTask, ScenarioArea
from diskwars_protocol.records.fairness import Draw
from diskwars_protocol.records.sealed import Sealed
from diskwars_protocol.rulesets.regiments.actions import (
    Column,
    FileCount,
    MarchStep,
    OrderAction,
    RegimentsSettings,
    Row,
    UnitId,
    UnitOrder,
)
from diskwars_protocol.rulesets.regiments.stats import UnitProfile, Weapon
from diskwars_protocol.schema_types import AtLeastOne, AtLeastZero, Hex32, Hex64, WholeNumber

Facing: TypeAlias = Literal["north", "east", "south", "west"]
"""North is towards higher rows, east towards higher columns."""
Arc: TypeAlias = Literal["front", "left", "right", "rear"]
"""A quarter around a unit, as it sees it, and the side of its block there. Left and right are its flanks."""
Phase: TypeAlias = Literal["orders", "melee", "score", "break", "morale", "redress", "over"]
Status: TypeAlias = Literal["steady", "fleeing", "routed", "destroyed", "withdrawn"]
"""A routed unit has fled from the field; a destroyed one has no model left; a withdrawn one left with its seat."""
Side: TypeAlias = Annotated[int, Meta(ge=0, le=1)]
"""0 begins in the west, 1 in the east."""
FlightReason: TypeAlias = Literal["broken", "retreated", "flanked", "still_fleeing"]
RoutReason: TypeAlias = Literal["left_the_field", "rout_test"]
HackMoment: TypeAlias = Literal["contact", "passing", "pursuit"]
ModelIndex: TypeAlias = AtLeastZero
CombatId: TypeAlias = AtLeastZero
D6: TypeAlias = Annotated[int, Meta(ge=1, le=6)]
Needed: TypeAlias = Annotated[int, Meta(ge=2, le=6)]
Priority: TypeAlias = Annotated[int, Meta(ge=1, le=11)]


class StartingUnit(Struct, frozen=True, gc=False):
    """A unit at the start: its seat, the number of its profile, its cell, and how its models stand."""

    seat: Seat
    profile: AtLeastZero
    x: Column
    y: Row
    facing: Facing
    files: FileCount
    models: AtLeastOne


class RegimentsMatchStarted(Struct, frozen=True, gc=False, omit_defaults=True, tag="match_started"):
    """All figures that this match uses. Units are numbered by their place in `units`.

    `sides` are the seats of each side. No unit can be on a cell of `obstacles`. Without `task` only the fight
    decides.
    """

    settings: RegimentsSettings
    width: Column
    height: Row
    rounds: AtLeastOne
    profiles: tuple[UnitProfile, ...]
    weapons: tuple[Weapon, ...]
    units: tuple[StartingUnit, ...]
    sides: tuple[tuple[Seat, ...], ...]
    obstacles: tuple[ScenarioArea, ...] = ()
    task: BattleTask | None = None


class RoundBegan(Struct, frozen=True, gc=False, tag="round_began"):
    """Every unit gets one order in a round."""

    round: AtLeastOne


class PhaseBegan(Struct, frozen=True, gc=False, omit_defaults=True, tag="phase_began"):
    """A phase of the round begins."""

    phase: Phase
    reasons: tuple[Reason, ...] = ()


# ---------------------------------------------------------------- orders


class SpeedRolled(Struct, frozen=True, gc=False, tag="speed_rolled"):
    """One d6 for each of these units of equal speed; those that tie roll again."""

    units: tuple[UnitId, ...]
    dice: Draw
    reasons: tuple[Reason, ...]


class TurnOrderSet(Struct, frozen=True, gc=False, tag="turn_order_set"):
    """The order in which the units act in this round."""

    order: tuple[UnitId, ...]
    reasons: tuple[Reason, ...]


class OrdersLocked(Struct, frozen=True, gc=False, tag="orders_locked"):
    """A seat has given all its units their orders; the commitment binds it. Only the seat sees `orders` and `salt`."""

    seat: Seat
    step: AtLeastOne
    commitment: Hex64
    orders: tuple[UnitOrder, ...] | Sealed
    salt: Hex32 | Sealed


class RevealedOrders(Struct, frozen=True, gc=False):
    """What a seat had locked, and the salt of its commitment."""

    seat: Seat
    orders: tuple[UnitOrder, ...]
    salt: Hex32


class OrdersRevealed(Struct, frozen=True, gc=False, tag="orders_revealed"):
    """All locked orders, revealed at once, by seat. The units carry them out in the order of their speed."""

    step: AtLeastOne
    locks: tuple[RevealedOrders, ...]
    reasons: tuple[Reason, ...]


class OrderReplaced(Struct, frozen=True, gc=False, tag="order_replaced"):
    """A locked order of a unit is no longer possible when its turn comes, and becomes another."""

    unit: UnitId
    locked: OrderAction
    order: OrderAction
    reasons: tuple[Reason, ...]


class UnitActed(Struct, frozen=True, gc=False, tag="unit_acted"):
    """It is no longer the turn of this unit in this round; the events before say what it did, if it did anything."""

    unit: UnitId


class UnitMarched(Struct, frozen=True, gc=False, tag="unit_marched"):
    """A unit has marched to a cell, and faces this way."""

    unit: UnitId
    path: tuple[MarchStep, ...]
    x: Column
    y: Row
    facing: Facing
    reasons: tuple[Reason, ...]


class UnitReformed(Struct, frozen=True, gc=False, tag="unit_reformed"):
    """A unit has this many files now."""

    unit: UnitId
    files: FileCount
    reasons: tuple[Reason, ...]


class Cell(Struct, frozen=True, gc=False, order=True):
    """A cell of the field."""

    x: Column
    y: Row


class UnitCharged(Struct, frozen=True, gc=False, tag="unit_charged"):
    """A unit has run into `target` along `cells`, and is in contact with it on its side `arc`."""

    unit: UnitId
    target: UnitId
    arc: Arc
    cells: tuple[Cell, ...]
    x: Column
    y: Row
    facing: Facing
    reasons: tuple[Reason, ...]


class FlankTested(Struct, frozen=True, gc=False, tag="flank_tested"):
    """A unit charged in the flank or rear tests its leadership: a d12 of at most `needed` passes."""

    unit: UnitId
    needed: AtLeastZero
    passed: bool
    reasons: tuple[Reason, ...]
    dice: Draw


# ---------------------------------------------------------------- attacks


class Touch(Struct, frozen=True, gc=False, order=True):
    """A model of one unit touches a model of an enemy; `unit` has the lower number."""

    unit: UnitId
    model: ModelIndex
    enemy: UnitId
    enemy_model: ModelIndex


class CombatsFixed(Struct, frozen=True, gc=False, tag="combats_fixed"):
    """The combats of this round, each with its units, and the models that touch until the phase is over."""

    combats: tuple[tuple[UnitId, ...], ...]
    touches: tuple[Touch, ...]
    reasons: tuple[Reason, ...]


class Needs(Struct, frozen=True, gc=False, omit_defaults=True):
    """What attacks on one unit need on a d6.

    At least `hit`, left out where hits are automatic; at least `wound`, left out where no die can wound; a save is made
    with at most `save`, left out where none is rolled.
    """

    target: UnitId
    hit: Needed | None = None
    wound: Needed | None = None
    save: Annotated[int, Meta(ge=0, le=5)] = 0


class AttackRoll(Struct, frozen=True, gc=False, omit_defaults=True):
    """One attack of a model on a model of an enemy, with the dice that were rolled, and whether it `wounded`."""

    model: ModelIndex
    target: UnitId
    target_model: ModelIndex
    hit: D6 | None = None
    wound: D6 | None = None
    save: D6 | None = None
    wounded: bool = False


class AttacksRolled(Struct, frozen=True, gc=False, omit_defaults=True, tag="attacks_rolled"):
    """All attacks of a unit, which strikes in the step `priority`. Wounds follow when the whole step is rolled.

    `strength` is that of each attack. `units_hit` were hit at least once. `attacks_lost` is how many had no living
    target. `dice` are in the order in which they were rolled.
    """

    combat: CombatId
    priority: Priority
    unit: UnitId
    strength: AtLeastOne
    needs: tuple[Needs, ...]
    attacks: tuple[AttackRoll, ...]
    units_hit: tuple[UnitId, ...]
    reasons: tuple[Reason, ...]
    attacks_lost: AtLeastZero = 0
    dice: tuple[Draw, ...] = ()


class HacksRolled(Struct, frozen=True, gc=False, omit_defaults=True, tag="hacks_rolled"):
    """All attacks of a unit on `target`, which flees from it, past it, or is caught by it. They hit by themselves.

    `units_hit` is the target, unless every attack was lost.
    """

    unit: UnitId
    target: UnitId
    moment: HackMoment
    strength: AtLeastOne
    needs: tuple[Needs, ...]
    attacks: tuple[AttackRoll, ...]
    units_hit: tuple[UnitId, ...]
    reasons: tuple[Reason, ...]
    attacks_lost: AtLeastZero = 0
    dice: tuple[Draw, ...] = ()


class ModelWounds(Struct, frozen=True, gc=False):
    """The wounds that a model has left; 0 if it is dead."""

    model: ModelIndex
    wounds: AtLeastZero


class ModelsWounded(Struct, frozen=True, gc=False, tag="models_wounded"):
    """Models of a unit have taken wounds; the dead leave gaps. `taken` counts wounds up to death only."""

    unit: UnitId
    models: tuple[ModelWounds, ...]
    taken: AtLeastOne
    reasons: tuple[Reason, ...]


class UnitDestroyed(Struct, frozen=True, gc=False, tag="unit_destroyed"):
    """The last model of a unit is dead."""

    unit: UnitId
    reasons: tuple[Reason, ...]


class Contact(Struct, frozen=True, gc=False, order=True):
    """Two enemy units that fight: the one that charged, and its target."""

    charger: UnitId
    target: UnitId


class ContactsEnded(Struct, frozen=True, gc=False, tag="contacts_ended"):
    """These units do not fight each other any more."""

    contacts: tuple[Contact, ...]
    reasons: tuple[Reason, ...]


# ---------------------------------------------------------------- score and break


class SideScore(Struct, frozen=True, gc=False):
    """The score of one side in a combat, item by item."""

    wounds: AtLeastZero
    ranks: AtLeastZero
    flanks: AtLeastZero
    rears: AtLeastZero
    total: AtLeastZero


class CombatScored(Struct, frozen=True, gc=False, omit_defaults=True, tag="combat_scored"):
    """The score of a combat, `side_scores` by side. Without `loser` it is drawn."""

    combat: CombatId
    side_scores: tuple[SideScore, SideScore]
    difference: AtLeastZero
    reasons: tuple[Reason, ...]
    loser: Side | None = None


class BreakTested(Struct, frozen=True, gc=False, tag="break_tested"):
    """A unit of the losing side tests its leadership less the difference: a roll of at most `needed` passes."""

    unit: UnitId
    needed: WholeNumber
    passed: bool
    reasons: tuple[Reason, ...]
    dice: Draw


class FlightBegan(Struct, frozen=True, gc=False, tag="flight_began"):
    """A unit flees straight away from `enemy`, and faces that way."""

    unit: UnitId
    reason_kind: FlightReason
    enemy: UnitId
    facing: Facing
    reasons: tuple[Reason, ...]


class UnitFled(Struct, frozen=True, gc=False, tag="unit_fled"):
    """A fleeing unit has come to a cell."""

    unit: UnitId
    x: Column
    y: Row
    reasons: tuple[Reason, ...]


class UnitRouted(Struct, frozen=True, gc=False, tag="unit_routed"):
    """A fleeing unit has left the field, or disbands after a rout test."""

    unit: UnitId
    reason_kind: RoutReason
    reasons: tuple[Reason, ...]


class PursuitRolled(Struct, frozen=True, gc=False, tag="pursuit_rolled"):
    """A d6 for the pursuer and one for the unit that flees, each with its movement. As much is enough to catch it."""

    unit: UnitId
    target: UnitId
    pursuit: AtLeastOne
    flight: AtLeastOne
    caught: bool
    reasons: tuple[Reason, ...]
    dice: Draw


class UnitPursued(Struct, frozen=True, gc=False, tag="unit_pursued"):
    """A pursuer has advanced to a cell along the line of the flight, and faces that way."""

    unit: UnitId
    x: Column
    y: Row
    facing: Facing
    reasons: tuple[Reason, ...]


# ---------------------------------------------------------------- morale and redress


class RoutTested(Struct, frozen=True, gc=False, tag="rout_tested"):
    """A fleeing unit that was hit, or is small, tests its leadership: a d12 of at most `needed` passes."""

    unit: UnitId
    needed: AtLeastZero
    passed: bool
    reasons: tuple[Reason, ...]
    dice: Draw


class RallyTested(Struct, frozen=True, gc=False, tag="rally_tested"):
    """A fleeing unit that nobody harries tests its leadership: a d12 of at most `needed` passes."""

    unit: UnitId
    needed: AtLeastZero
    passed: bool
    reasons: tuple[Reason, ...]
    dice: Draw


class UnitRallied(Struct, frozen=True, gc=False, tag="unit_rallied"):
    """A unit is steady again, and faces the nearest enemy."""

    unit: UnitId
    facing: Facing
    reasons: tuple[Reason, ...]


class UnitRedressed(Struct, frozen=True, gc=False, tag="unit_redressed"):
    """The gaps of a unit are filled. `models` are the wounds that each model has left, in its new place."""

    unit: UnitId
    models: tuple[AtLeastOne, ...]
    reasons: tuple[Reason, ...]


class RoundEnded(Struct, frozen=True, gc=False, tag="round_ended"):
    """What lasted for the round is over: no unit has just charged, or has just been hit."""

    reasons: tuple[Reason, ...]


class SeatWithdrew(Struct, frozen=True, gc=False, tag="seat_withdrew"):
    """All units of a seat that resigned leave the field."""

    seat: Seat
    units: tuple[UnitId, ...]
    reasons: tuple[Reason, ...]


RegimentsEvent: TypeAlias = (
    RegimentsMatchStarted
    | RoundBegan
    | PhaseBegan
    | SpeedRolled
    | TurnOrderSet
    | OrdersLocked
    | OrdersRevealed
    | OrderReplaced
    | UnitActed
    | UnitMarched
    | UnitReformed
    | UnitCharged
    | FlankTested
    | CombatsFixed
    | AttacksRolled
    | HacksRolled
    | ModelsWounded
    | UnitDestroyed
    | ContactsEnded
    | CombatScored
    | BreakTested
    | FlightBegan
    | UnitFled
    | UnitRouted
    | PursuitRolled
    | UnitPursued
    | RoutTested
    | RallyTested
    | UnitRallied
    | UnitRedressed
    | RoundEnded
    | SeatWithdrew
)
