"""Events of a match of Diskwars: complete facts about positions, pins, dice and token counts *after*.

Folding needs no rules. Outcomes carry their reasons. Secrets are typed `... | Sealed`. Lengths are micrometres."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal, TypeAlias, TypeGuard, get_args

from msgspec import Meta, Struct

from diskwars_protocol.identifiers import ContentId, IdText
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.match.events import MatchEvent
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.fairness import Draw
from diskwars_protocol.records.sealed import Sealed
from diskwars_protocol.rulesets.diskwars.actions import DiskId, DiskwarsSettings, Loadout, Trigger
from diskwars_protocol.rulesets.diskwars.setup_cards import DeploymentCard, Scenario, TerrainCard, Zone
from diskwars_protocol.rulesets.diskwars.setup_events import LayoutEvent, ScenarioEvent
from diskwars_protocol.rulesets.diskwars.stats import CommandCard, DamageType, Field, Profile, Reach, Symbol
from diskwars_protocol.schema_types import AtLeastOne, AtLeastZero, Hex32, Hex64, Micrometres

Phase: TypeAlias = Literal["setup", "activation", "melee", "end", "over"]
Speed: TypeAlias = Literal["swift", "normal", "slow"]
Faces: TypeAlias = tuple[Annotated[int, Meta(ge=1, le=6)], ...]
CauseKind: TypeAlias = Literal[
    "flip",
    "reinforcement",
    "impact",
    "guard",
    "terrain",
    "attack",
    "rampage",
    "focus_ability",
    "battle_ability",
    "engage_ability",
    "passive_ability",
    "melee",
    "removal",
    "withdrawal",
    "end_phase",
]


class Pin(Struct, frozen=True, order=True, gc=False):
    """One disk pins another. Unpacks as (top, bottom), which is slow: a generator for each."""

    top: DiskId
    bottom: DiskId

    def __iter__(self) -> Iterator[DiskId]:
        yield self.top
        yield self.bottom

    def involves(self, disk: DiskId) -> bool:
        return disk == self.top or disk == self.bottom


class Link(Struct, frozen=True, order=True, gc=False):
    """Two engaged enemies. Unpacks as (attacker, defender)."""

    attacker: DiskId
    defender: DiskId

    def __iter__(self) -> Iterator[DiskId]:
        yield self.attacker
        yield self.defender


class Cause(Struct, frozen=True, gc=False, omit_defaults=True):
    """What brought a consequence about.

    `disk` is the one that moved, struck or used the ability. Several strike in a melee step, and terrain, removals and
    the end phase are the doing of none: then it is left out. `event` is the number, from 0, of the event in which the
    cause happened, and `record` the seq of the record that holds it; it is left out for the same record.
    """

    kind: CauseKind
    disk: DiskId | None = None
    event: AtLeastZero | None = None
    record: AtLeastOne | None = None


# ---------------------------------------------------------------- setup


class ArmyDisk(Struct, frozen=True, gc=False):
    """A disk of an army: its seat, and the number of its profile."""

    seat: Seat
    profile: AtLeastZero


class ArmyIdentity(Struct, frozen=True, gc=False, omit_defaults=True):
    """The printed name and the id of a starter army; both are absent for an army of a player's own."""

    name: str | None = None
    id: ContentId | None = None


class MatchStarted(Struct, frozen=True, gc=False, omit_defaults=True, tag="match_started"):
    """All stats and display names that this match uses, and the armies (R2.8) by seat, each hero before the regiment.

    Disks are numbered by their place in `disks`, zones by theirs. `settings` are those of `match_opened`: a board is
    made of this event alone, and its rules and readers need them.
    """

    settings: DiskwarsSettings
    field: Field
    battle_die: tuple[Symbol, ...]
    profiles: tuple[Profile, ...]
    cards: tuple[CommandCard, ...]
    armies: tuple[ArmyIdentity, ...]
    disks: tuple[ArmyDisk, ...]
    zones: tuple[Zone, ...]
    rounds: AtLeastOne
    scenarios: tuple[Scenario, ...] = ()
    deployments: tuple[DeploymentCard, ...] = ()
    terrain: tuple[TerrainCard, ...] = ()


class HandTaken(Struct, frozen=True, gc=False, tag="hand_taken"):
    """A seat takes its command hand, hidden from others; the number of cards is public."""

    seat: Seat
    count: AtLeastZero
    cards: tuple[IdText, ...] | Sealed


class InitiativeRoll(Struct, frozen=True, gc=False):
    """The die of one seat, and its unspent recruitment points, which are added to it."""

    seat: Seat
    face: Annotated[int, Meta(ge=1, le=6)]
    unspent: AtLeastZero


class InitiativeRolled(Struct, frozen=True, gc=False, tag="initiative_rolled"):
    """R3.2: one die for each seat that rolls; `dice` proves their faces. Seats that tie for the highest roll again."""

    rolls: tuple[InitiativeRoll, ...]
    dice: Draw
    highest: tuple[Seat, ...]
    reasons: tuple[Reason, ...]


class OrderSet(Struct, frozen=True, gc=False, tag="order_set"):
    """The initiative order, first player first."""

    order: tuple[Seat, ...]
    reasons: tuple[Reason, ...]


class DeployedDisk(Struct, frozen=True, gc=False, omit_defaults=True):
    """A disk laid down: number, centre, height; `terrain` are the pieces of terrain under it, by number."""

    disk: DiskId
    x: Micrometres
    y: Micrometres
    z: AtLeastZero
    terrain: tuple[AtLeastZero, ...] = ()


class DisksDeployed(Struct, frozen=True, gc=False, omit_defaults=True, tag="disks_deployed"):
    """R3.6: a seat has deployed its army; the other disks are its reserve."""

    seat: Seat
    disks: tuple[DeployedDisk, ...]
    pins_gained: tuple[Pin, ...]
    reasons: tuple[Reason, ...] = ()


# ---------------------------------------------------------------- the course of the game


class RoundBegan(Struct, frozen=True, gc=False, tag="round_began"):
    """R4.1"""

    round: AtLeastOne


class PhaseBegan(Struct, frozen=True, gc=False, tag="phase_began"):
    """R4.1: the phases of a round; `over` when the last round has been played."""

    phase: Phase


class CardLocked(Struct, frozen=True, gc=False, tag="card_locked"):
    """A seat has chosen its card; the commitment binds it."""

    seat: Seat
    step: AtLeastOne
    commitment: Hex64
    card: IdText | Sealed
    salt: Hex32 | Sealed


class RevealedCard(Struct, frozen=True, gc=False):
    """A revealed card with the salt that opens its commitment."""

    seat: Seat
    card: IdText
    salt: Hex32


class CardsRevealed(Struct, frozen=True, gc=False, tag="cards_revealed"):
    """All locked cards, revealed at once, in the order in which they will be resolved."""

    step: AtLeastOne
    cards: tuple[RevealedCard, ...]
    reasons: tuple[Reason, ...]


class CardBegan(Struct, frozen=True, gc=False, tag="card_began"):
    """R7.7: this card is resolved now."""

    seat: Seat
    card: IdText


class ActivationBegan(Struct, frozen=True, gc=False, tag="activation_began"):
    """R7.11: a disk is activated."""

    seat: Seat
    disk: DiskId


class ActivationEnded(Struct, frozen=True, gc=False, omit_defaults=True, tag="activation_ended"):
    """The activation of a disk is over. It gets its activation token if it is still on the field (`activated`)."""

    disk: DiskId
    activated: bool
    reasons: tuple[Reason, ...] = ()


class CardsDiscarded(Struct, frozen=True, gc=False, tag="cards_discarded"):
    """Every revealed card goes face up to its owner's discards."""


class CardsReturned(Struct, frozen=True, gc=False, omit_defaults=True, tag="cards_returned"):
    """End phase: every player takes all discards back into the hand."""

    reasons: tuple[Reason, ...] = ()


class TokensCleared(Struct, frozen=True, gc=False, omit_defaults=True, tag="tokens_cleared"):
    """End phase: all tokens but wounds leave these disks together.

    Damage and poison stay on those of `still_poisoned`.
    """

    disks: tuple[DiskId, ...]
    reasons: tuple[Reason, ...]
    still_poisoned: tuple[DiskId, ...] = ()


class SeatEliminated(Struct, frozen=True, gc=False, omit_defaults=True, tag="seat_eliminated"):
    """R4.6, R4.10: a seat is out of the game, and its cards with it."""

    seat: Seat
    reasons: tuple[Reason, ...]
    cause: Cause | None = None


class DisksWithdrawn(Struct, frozen=True, gc=False, omit_defaults=True, tag="disks_withdrawn"):
    """These disks leave the game together, without being destroyed."""

    disks: tuple[DiskId, ...]
    pins_gained: tuple[Pin, ...]
    pins_lost: tuple[Pin, ...]
    reasons: tuple[Reason, ...]
    cause: Cause | None = None


class ReservesLost(Struct, frozen=True, gc=False, tag="reserves_lost"):
    """Disks in reserve that go to their owner's casualty pile without having fought."""

    disks: tuple[DiskId, ...]
    reasons: tuple[Reason, ...]


class Scored(Struct, frozen=True, gc=False, tag="scored"):
    """Victory points by seat."""

    points: tuple[AtLeastZero, ...]
    reasons: tuple[Reason, ...]


# ---------------------------------------------------------------- disks


class DiskFlipped(Struct, frozen=True, gc=False, omit_defaults=True, tag="disk_flipped"):
    """R5.2: a flip and where it landed. All pins of the disk end; those of its landing are new (R6.8).

    `terrain_entered` and `terrain_left` are the pieces of terrain, by number, that it has come onto or left.
    """

    disk: DiskId
    x: Micrometres
    y: Micrometres
    z: AtLeastZero
    pins_gained: tuple[Pin, ...]
    pins_lost: tuple[Pin, ...]
    terrain_entered: tuple[AtLeastZero, ...] = ()
    terrain_left: tuple[AtLeastZero, ...] = ()
    reasons: tuple[Reason, ...] = ()
    cause: Cause | None = None


class DiskReinforced(Struct, frozen=True, gc=False, omit_defaults=True, tag="disk_reinforced"):
    """R9.1: a disk of the reserve is placed. `terrain_entered` are the pieces of terrain under it, by number."""

    disk: DiskId
    x: Micrometres
    y: Micrometres
    z: AtLeastZero
    pins_gained: tuple[Pin, ...]
    pins_lost: tuple[Pin, ...]
    terrain_entered: tuple[AtLeastZero, ...] = ()
    reasons: tuple[Reason, ...] = ()
    cause: Cause | None = None


class RangedAttack(Struct, frozen=True, gc=False):
    """A ranged attack under way: attack number `shot` of `shooter`, `strength` per hit, measured range `reach`."""

    shooter: DiskId
    target: DiskId
    shot: AtLeastZero
    strength: AtLeastZero
    damage_type: DamageType
    reach: Reach


class ShotFired(Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True, tag="shot_fired"):
    """`dice` are battle dice, their faces numbers into the match's battle die; `needed` are those that strike.

    `strength_dice` rolled the strength.
    """

    attack: RangedAttack
    strength_dice: Draw | None = None
    dice: Draw
    needed: Faces
    reasons: tuple[Reason, ...]


class ShotScattered(Struct, frozen=True, gc=False, omit_defaults=True, tag="shot_scattered"):
    """Scatter dice rolled again, against the disk nearest to the target; without `disk` there was none.

    `needed` are the faces that strike.
    """

    attack: RangedAttack
    reasons: tuple[Reason, ...]
    disk: DiskId | None = None
    dice: Draw | None = None
    needed: Faces = ()
    cause: Cause | None = None


class AbilityUsed(Struct, frozen=True, gc=False, omit_defaults=True, tag="ability_used"):
    """A focus or battle ability.

    `card` is the card of a battle ability, `ability` the number of a focus ability as in `Focus`. `dice` rolled the
    `amount` that the effect has, or against the `needed` faces. `unstable_dice` is the die of an Unstable card: on a
    `backfiring` face the effect strikes the disk itself as well.
    """

    seat: Seat
    disk: DiskId
    reasons: tuple[Reason, ...]
    target: DiskId | None = None
    card: ContentId | None = None
    ability: AtLeastZero | None = None
    amount: AtLeastZero | None = None
    dice: Draw | None = None
    needed: Faces = ()
    unstable_dice: Draw | None = None
    backfiring: Faces = ()


class ImpactRolled(Struct, frozen=True, gc=False, omit_defaults=True, tag="impact_rolled"):
    """The `amount` of an Impact keyword, rolled by `dice` unless it is fixed, and the disks that it hits."""

    disk: DiskId
    amount: AtLeastZero
    targets: tuple[DiskId, ...]
    reasons: tuple[Reason, ...]
    dice: Draw | None = None
    cause: Cause | None = None


class GuardRolled(Struct, frozen=True, gc=False, omit_defaults=True, tag="guard_rolled"):
    """The `amount` of a Guard keyword, rolled by `dice` unless it is fixed, for the `enemy` that landed on `disk`."""

    disk: DiskId
    amount: AtLeastZero
    enemy: DiskId
    reasons: tuple[Reason, ...]
    dice: Draw | None = None
    cause: Cause | None = None


class DangerRolled(Struct, frozen=True, gc=False, omit_defaults=True, tag="danger_rolled"):
    """The die of a dangerous piece of terrain that a landing has left a disk on; every face deals its `amount`."""

    disk: DiskId
    piece: AtLeastZero
    amount: AtLeastOne
    damage_type: DamageType
    dice: Draw
    reasons: tuple[Reason, ...]
    cause: Cause | None = None


class MoveStopped(Struct, frozen=True, gc=False, omit_defaults=True, tag="move_stopped"):
    """A disk has come onto rough ground, and its move is over."""

    disk: DiskId
    piece: AtLeastZero
    reasons: tuple[Reason, ...]
    cause: Cause | None = None


class Rampaged(Struct, frozen=True, gc=False, omit_defaults=True, tag="rampaged"):
    """The disk has to flip toward one of these, overlapping one if `must_overlap`. Without any, nothing happens."""

    disk: DiskId
    targets: tuple[DiskId, ...]
    must_overlap: bool
    reasons: tuple[Reason, ...]
    cause: Cause | None = None


class TriggerResolved(Struct, frozen=True, gc=False, omit_defaults=True, tag="trigger_resolved"):
    """R6.6: an engage ability was triggered; its effects follow. `target` is the disk chosen for it, if any.

    `dice` rolled the `amount` that the effect has, or against the `needed` faces.
    """

    trigger: Trigger
    reasons: tuple[Reason, ...]
    target: DiskId | None = None
    amount: AtLeastZero | None = None
    dice: Draw | None = None
    needed: Faces = ()
    cause: Cause | None = None


class DamageDealt(Struct, frozen=True, gc=False, omit_defaults=True, tag="damage_dealt"):
    """One instance. `dealt` before, `taken` after Resistant and Immune; `tokens` is the damage on the disk after.

    `toughness` is the disk's when it was struck: as many tokens are needed for a wound. `sources` are the disks whose
    blows it took, in melee; of other damage `cause` names the disk.
    """

    disk: DiskId
    dealt: AtLeastZero
    taken: AtLeastZero
    damage_type: DamageType
    tokens: AtLeastZero
    toughness: AtLeastZero
    reasons: tuple[Reason, ...]
    sources: tuple[DiskId, ...] = ()
    cause: Cause | None = None


class DiskHealed(Struct, frozen=True, gc=False, omit_defaults=True, tag="disk_healed"):
    """Damage is removed; `tokens` is the damage left."""

    disk: DiskId
    tokens: AtLeastZero
    reasons: tuple[Reason, ...]
    cause: Cause | None = None


class DiskPoisoned(Struct, frozen=True, gc=False, omit_defaults=True, tag="disk_poisoned"):
    """A poison token comes or goes."""

    disk: DiskId
    poisoned: bool
    reasons: tuple[Reason, ...]
    cause: Cause | None = None


class DiskWounded(Struct, frozen=True, gc=False, omit_defaults=True, tag="disk_wounded"):
    """The damage tokens and the poison leave; `wounds` is the count after.

    A disk removed by its wound is in a `DisksRemoved` instead.
    """

    disk: DiskId
    wounds: AtLeastZero
    reasons: tuple[Reason, ...]
    cause: Cause | None = None


class DisksRemoved(Struct, frozen=True, gc=False, omit_defaults=True, tag="disks_removed"):
    """To the casualty piles, all together."""

    disks: tuple[DiskId, ...]
    pins_gained: tuple[Pin, ...]
    pins_lost: tuple[Pin, ...]
    reasons: tuple[Reason, ...]
    cause: Cause | None = None


class ActivationTokenChanged(Struct, frozen=True, gc=False, omit_defaults=True, tag="activation_token_changed"):
    """An activation token comes or goes outside the disk's own activation."""

    disk: DiskId
    activated: bool
    reasons: tuple[Reason, ...]
    cause: Cause | None = None


class DiskEmpowered(Struct, frozen=True, gc=False, omit_defaults=True, tag="disk_empowered"):
    """R1.3: an empowerment token comes or goes."""

    disk: DiskId
    empowered: bool
    reasons: tuple[Reason, ...]
    cause: Cause | None = None


class DiskWeakened(Struct, frozen=True, gc=False, omit_defaults=True, tag="disk_weakened"):
    """`reduction` is by how much the disk's toughness is lowered after this."""

    disk: DiskId
    reduction: AtLeastZero
    reasons: tuple[Reason, ...]
    cause: Cause | None = None


# ---------------------------------------------------------------- melee


class Engagement(Struct, frozen=True, gc=False, omit_defaults=True):
    """R15.1: links are frozen at the start.

    `strikers` are the disks that have dealt damage in it.
    """

    attackers: tuple[DiskId, ...]
    defenders: tuple[DiskId, ...]
    links: tuple[Link, ...]
    strikers: tuple[DiskId, ...] = ()
    resolved: bool = False


class EngagementsFrozen(Struct, frozen=True, gc=False, tag="engagements_frozen"):
    """R15.1.1: the links at this moment, and the engagements that they form."""

    engagements: tuple[Engagement, ...]
    reasons: tuple[Reason, ...]


class EngagementBegan(Struct, frozen=True, gc=False, tag="engagement_began"):
    """R15.2: this engagement is resolved now."""

    engagement: AtLeastZero
    reasons: tuple[Reason, ...]


class Blow(Struct, frozen=True, gc=False):
    """A disk strikes another with so much."""

    disk: DiskId
    target: DiskId
    strength: AtLeastZero


class BlowsStruck(Struct, frozen=True, gc=False, tag="blows_struck"):
    """All blows of one speed step, at once."""

    engagement: AtLeastZero
    speed: Speed
    blows: tuple[Blow, ...]
    reasons: tuple[Reason, ...]


class EngagementEnded(Struct, frozen=True, gc=False, omit_defaults=True, tag="engagement_ended"):
    """Resolved, or `dropped` because no living pair is left."""

    engagement: AtLeastZero
    dropped: bool
    reasons: tuple[Reason, ...] = ()


SetupEvent: TypeAlias = HandTaken | InitiativeRolled | OrderSet | DisksDeployed
CardEvent: TypeAlias = CardLocked | CardsRevealed | CardBegan | CardsDiscarded | CardsReturned
CourseEvent: TypeAlias = (
    RoundBegan
    | PhaseBegan
    | ActivationBegan
    | ActivationEnded
    | TokensCleared
    | SeatEliminated
    | DisksWithdrawn
    | ReservesLost
    | Scored
)
RollEvent: TypeAlias = (
    ShotFired
    | ShotScattered
    | AbilityUsed
    | ImpactRolled
    | GuardRolled
    | DangerRolled
    | MoveStopped
    | Rampaged
    | TriggerResolved
)
"""Rolls and uses of abilities; the consequences follow as events of their own, so these change no board."""
DiskEvent: TypeAlias = (
    DiskFlipped
    | DiskReinforced
    | DamageDealt
    | DiskHealed
    | DiskPoisoned
    | DiskWounded
    | DisksRemoved
    | ActivationTokenChanged
    | DiskEmpowered
    | DiskWeakened
)
MeleeEvent: TypeAlias = EngagementsFrozen | EngagementBegan | BlowsStruck | EngagementEnded

CausedEvent: TypeAlias = (
    SeatEliminated
    | DisksWithdrawn
    | DiskFlipped
    | DiskReinforced
    | ShotScattered
    | ImpactRolled
    | GuardRolled
    | DangerRolled
    | MoveStopped
    | Rampaged
    | TriggerResolved
    | DamageDealt
    | DiskHealed
    | DiskPoisoned
    | DiskWounded
    | DisksRemoved
    | ActivationTokenChanged
    | DiskEmpowered
    | DiskWeakened
)
"""Events that can follow from something else, and name it as their `cause`."""
_CAUSED_EVENT_TYPES = frozenset(get_args(CausedEvent))

BoardEvent: TypeAlias = (
    MatchStarted
    | SetupEvent
    | LayoutEvent
    | ScenarioEvent
    | CardEvent
    | CourseEvent
    | RollEvent
    | DiskEvent
    | MeleeEvent
)
Event: TypeAlias = MatchEvent[DiskwarsSettings, Loadout, Any] | BoardEvent


def is_caused(event: BoardEvent) -> TypeGuard[CausedEvent]:
    """Whether it is one of `CausedEvent`. Quicker than `isinstance`, which asks one class after another."""
    return type(event) in _CAUSED_EVENT_TYPES
