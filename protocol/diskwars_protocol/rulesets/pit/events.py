"""Events of a match of the pit: complete facts, with the dice, what they needed, and the reasons."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.identifiers import IdText
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.tasks import BattleTask, ScenarioArea
from diskwars_protocol.records.fairness import Draw
from diskwars_protocol.rulesets.pit.actions import Attack, Column, CombatId, FighterId, PitSettings, Row
from diskwars_protocol.rulesets.pit.stats import FighterProfile, ImprovedStat, ImprovementCard, Weapon
from diskwars_protocol.schema_types import AtLeastOne, AtLeastZero, WholeNumber

Phase: TypeAlias = Literal["upkeep", "engage", "move", "melee", "over"]
Status: TypeAlias = Literal["ok", "staggered", "dazed", "stunned", "incapacitated", "withdrawn"]
"""An incapacitated fighter was taken out; a withdrawn one left with its seat."""
WithdrawalReason: TypeAlias = Literal["routed", "conceded", "resigned"]
Face: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": 20})]


class StartingFighter(Struct, frozen=True, gc=False):
    """A fighter at the start: its seat, the number of its profile, and its cell."""

    seat: Seat
    profile: AtLeastZero
    x: Column
    y: Row


class PitMatchStarted(Struct, frozen=True, gc=False, omit_defaults=True, tag="match_started"):
    """All figures that this match uses. Fighters are numbered by their place in `fighters`.

    `rout_losses` are the losses, by seat, from which it has to pass a rout check. `deck` is the improvement deck.
    Nobody can be on a cell of `walls`, or cross it. Without `task` only the fight decides.
    """

    settings: PitSettings
    width: Column
    height: Row
    rounds: AtLeastOne
    profiles: tuple[FighterProfile, ...]
    weapons: tuple[Weapon, ...]
    deck: tuple[ImprovementCard, ...]
    fighters: tuple[StartingFighter, ...]
    rout_losses: tuple[AtLeastZero, ...]
    walls: tuple[ScenarioArea, ...] = ()
    task: BattleTask | None = None


class TurnOrderRolled(Struct, frozen=True, gc=False, tag="turn_order_rolled"):
    """One d20 for each of `seats`, in this order. Seats that tie roll again."""

    seats: tuple[Seat, ...]
    dice: Draw
    reasons: tuple[Reason, ...]


class TurnOrderSet(Struct, frozen=True, gc=False, tag="turn_order_set"):
    """The order in which the seats take their turns, for the whole match."""

    order: tuple[Seat, ...]
    reasons: tuple[Reason, ...]


class RoundBegan(Struct, frozen=True, gc=False, tag="round_began"):
    """Every seat takes a turn in a round."""

    round: AtLeastOne


class TurnBegan(Struct, frozen=True, gc=False, tag="turn_began"):
    """The turn of a seat begins, with its upkeep."""

    seat: Seat


class PhaseBegan(Struct, frozen=True, gc=False, omit_defaults=True, tag="phase_began"):
    """A phase of the turn begins."""

    phase: Phase
    reasons: tuple[Reason, ...] = ()


class MoraleChecked(Struct, frozen=True, gc=False, omit_defaults=True, tag="morale_checked"):
    """A rout check by the surviving hero with the best morale; without a `fighter`, no hero is left and it fails."""

    seat: Seat
    passed: bool
    reasons: tuple[Reason, ...]
    fighter: FighterId | None = None
    needed: Face | None = None
    dice: Draw | None = None


class SeatWithdrew(Struct, frozen=True, gc=False, tag="seat_withdrew"):
    """All fighters of a seat leave the field; the seat is out."""

    seat: Seat
    reason_kind: WithdrawalReason
    reasons: tuple[Reason, ...]


class StatusChanged(Struct, frozen=True, gc=False, tag="status_changed"):
    """A fighter recovers by a step."""

    fighter: FighterId
    status: Status
    reasons: tuple[Reason, ...]


class FighterEngaged(Struct, frozen=True, gc=False, tag="fighter_engaged"):
    """A fighter has run to a cell beside `targets`."""

    fighter: FighterId
    x: Column
    y: Row
    targets: tuple[FighterId, ...]
    reasons: tuple[Reason, ...]


class FighterMoved(Struct, frozen=True, gc=False, tag="fighter_moved"):
    """A fighter has walked to a cell."""

    fighter: FighterId
    x: Column
    y: Row
    reasons: tuple[Reason, ...]


class CombatsFixed(Struct, frozen=True, gc=False, tag="combats_fixed"):
    """The combats of this turn, each with its fighters. Contacts that arise later belong to none."""

    combats: tuple[tuple[FighterId, ...], ...]
    reasons: tuple[Reason, ...]


class AgilityRolled(Struct, frozen=True, gc=False, tag="agility_rolled"):
    """One d20 for each of these fighters of equal agility; those that tie roll again."""

    fighters: tuple[FighterId, ...]
    dice: Draw
    reasons: tuple[Reason, ...]


class CombatBegan(Struct, frozen=True, gc=False, tag="combat_began"):
    """A combat is fought. `order` are the fighters that have a slot, in the order in which they attack."""

    combat: CombatId
    order: tuple[FighterId, ...]
    reasons: tuple[Reason, ...]


class SlotLost(Struct, frozen=True, gc=False, tag="slot_lost"):
    """A fighter cannot attack when its slot comes."""

    fighter: FighterId
    reasons: tuple[Reason, ...]


class SlotTaken(Struct, frozen=True, gc=False, tag="slot_taken"):
    """It is the turn of this fighter to attack."""

    fighter: FighterId


class AttacksDeclared(Struct, frozen=True, gc=False, tag="attacks_declared"):
    """All attacks of a fighter, with their targets."""

    fighter: FighterId
    attacks: tuple[Attack, ...]
    reasons: tuple[Reason, ...]


class Check(Struct, frozen=True, gc=False, omit_defaults=True):
    """One check. `faces` are one die, or two under Advantage or Disadvantage; `kept` is the one that counts.

    `modifier` is added to it; the check passes if the total is at least `needed`. A natural 20 always passes, a natural
    1 always fails.
    """

    faces: Annotated[tuple[Face, ...], Meta(extra_json_schema={"minItems": 1, "maxItems": 2})]
    kept: Face
    needed: WholeNumber
    passed: bool
    modifier: WholeNumber = 0


class MeleeRolled(Struct, frozen=True, gc=False, tag="melee_rolled"):
    """The Melee Checks of a fighter against one target, one for each of `attacks`."""

    fighter: FighterId
    target: FighterId
    attacks: tuple[Attack, ...]
    dice: Draw
    checks: tuple[Check, ...]
    reasons: tuple[Reason, ...]


class DefenceRolled(Struct, frozen=True, gc=False, omit_defaults=True, tag="defence_rolled"):
    """The Defence Checks of a target, one for each hit in `hits`; a critical hit counts twice.

    `hits` are numbers of the checks before. A target without defence rolls nothing.
    """

    fighter: FighterId
    target: FighterId
    hits: tuple[AtLeastZero, ...]
    reasons: tuple[Reason, ...]
    dice: Draw | None = None
    checks: tuple[Check, ...] = ()


class WoundsLost(Struct, frozen=True, gc=False, tag="wounds_lost"):
    """A fighter has lost wounds to attacks by `by`; `wounds` are left."""

    fighter: FighterId
    by: FighterId
    wounds: AtLeastZero
    reasons: tuple[Reason, ...]


class HitsDropped(Struct, frozen=True, gc=False, omit_defaults=True, tag="hits_dropped"):
    """Unsaved hits by `by` that only took wounds are dropped at random from `values`, the injury values of all of them.

    `dropped` are the places in what was left each time, from 0. A pick of one thing draws nothing.
    """

    fighter: FighterId
    by: FighterId
    values: tuple[WholeNumber, ...]
    dropped: tuple[AtLeastZero, ...]
    reasons: tuple[Reason, ...]
    dice: tuple[Draw, ...] = ()


class FighterInjured(Struct, frozen=True, gc=False, omit_defaults=True, tag="fighter_injured"):
    """A fighter is dazed, stunned or incapacitated, with `value` read from the chart; left out where none is read."""

    fighter: FighterId
    by: FighterId
    status: Status
    reasons: tuple[Reason, ...]
    value: WholeNumber | None = None


class TargetResolved(Struct, frozen=True, gc=False, tag="target_resolved"):
    """All attacks of a fighter that were declared against this target are carried out."""

    fighter: FighterId
    target: FighterId


class ImprovementDrawn(Struct, frozen=True, gc=False, omit_defaults=True, tag="improvement_drawn"):
    """A fighter draws an improvement card. `reshuffled` says that the discards went back into the deck before."""

    fighter: FighterId
    card: IdText
    reasons: tuple[Reason, ...]
    dice: Draw | None = None
    reshuffled: bool = False


class FighterImproved(Struct, frozen=True, gc=False, omit_defaults=True, tag="fighter_improved"):
    """What a card did. `stat` has `value` now; without `stat`, a henchman was promoted or nothing happened.

    A target number is lowered only if the roll of `dice` is at most the old one, `needed`.
    """

    fighter: FighterId
    reasons: tuple[Reason, ...]
    stat: ImprovedStat | None = None
    value: AtLeastZero | None = None
    promoted: bool = False
    needed: Face | None = None
    dice: Draw | None = None


class WoundsGained(Struct, frozen=True, gc=False, tag="wounds_gained"):
    """A fighter has `wounds` now: those that it gained in an earlier combat count from this one on."""

    fighter: FighterId
    wounds: AtLeastZero
    reasons: tuple[Reason, ...]


class CombatEnded(Struct, frozen=True, gc=False, tag="combat_ended"):
    """Every slot of the combat has been used or lost."""

    combat: CombatId


PitEvent: TypeAlias = (
    PitMatchStarted
    | TurnOrderRolled
    | TurnOrderSet
    | RoundBegan
    | TurnBegan
    | PhaseBegan
    | MoraleChecked
    | SeatWithdrew
    | StatusChanged
    | FighterEngaged
    | FighterMoved
    | CombatsFixed
    | AgilityRolled
    | CombatBegan
    | SlotLost
    | SlotTaken
    | AttacksDeclared
    | MeleeRolled
    | DefenceRolled
    | WoundsLost
    | HitsDropped
    | FighterInjured
    | TargetResolved
    | ImprovementDrawn
    | FighterImproved
    | WoundsGained
    | CombatEnded
)
