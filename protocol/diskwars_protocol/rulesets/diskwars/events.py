"""What has happened in a match of Diskwars? Facts only, complete: positions, pins, dice, token counts *after*.

Folding needs no rules. Outcomes carry `because`. Secrets are typed `... | Sealed`. Must not know any rule.
Lengths are micrometres; pins are pairs (top, bottom) of disk numbers.
"""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.fairness import Draw
from diskwars_protocol.match import MAX_SEATS, MatchEvent, Pack, Reason, Seat
from diskwars_protocol.rulesets.diskwars.actions import Action, DiskId, Entry, Question, Settings, Trigger
from diskwars_protocol.rulesets.diskwars.setup_cards import DeploymentCard, Scenario, TerrainCard
from diskwars_protocol.rulesets.diskwars.setup_cards import Zone as Zone
from diskwars_protocol.rulesets.diskwars.setup_events import CardLeft as CardLeft
from diskwars_protocol.rulesets.diskwars.setup_events import DeploymentLaid as DeploymentLaid
from diskwars_protocol.rulesets.diskwars.setup_events import DeploymentsDealt as DeploymentsDealt
from diskwars_protocol.rulesets.diskwars.setup_events import EdgesDrawn as EdgesDrawn
from diskwars_protocol.rulesets.diskwars.setup_events import LayoutEvent as LayoutEvent
from diskwars_protocol.rulesets.diskwars.setup_events import ObjectiveDealt as ObjectiveDealt
from diskwars_protocol.rulesets.diskwars.setup_events import ObjectivesRevealed as ObjectivesRevealed
from diskwars_protocol.rulesets.diskwars.setup_events import ScenarioChosen as ScenarioChosen
from diskwars_protocol.rulesets.diskwars.setup_events import ScenarioEvent as ScenarioEvent
from diskwars_protocol.rulesets.diskwars.setup_events import ScenariosDrawn as ScenariosDrawn
from diskwars_protocol.rulesets.diskwars.setup_events import TerrainDealt as TerrainDealt
from diskwars_protocol.rulesets.diskwars.setup_events import TerrainPlaced as TerrainPlaced
from diskwars_protocol.rulesets.diskwars.stats import CommandCard, Damage, Field, Profile, Symbol
from diskwars_protocol.rulesets.diskwars.tasks import Activation as Activation
from diskwars_protocol.rulesets.diskwars.tasks import CardTurn as CardTurn
from diskwars_protocol.rulesets.diskwars.tasks import CloseEngagement as CloseEngagement
from diskwars_protocol.rulesets.diskwars.tasks import DangerWork as DangerWork
from diskwars_protocol.rulesets.diskwars.tasks import Deployments as Deployments
from diskwars_protocol.rulesets.diskwars.tasks import DeploymentTurns as DeploymentTurns
from diskwars_protocol.rulesets.diskwars.tasks import DiscardCards as DiscardCards
from diskwars_protocol.rulesets.diskwars.tasks import EndFight as EndFight
from diskwars_protocol.rulesets.diskwars.tasks import FightWork as FightWork
from diskwars_protocol.rulesets.diskwars.tasks import FirstPlayer as FirstPlayer
from diskwars_protocol.rulesets.diskwars.tasks import FullSetup as FullSetup
from diskwars_protocol.rulesets.diskwars.tasks import GuardWork as GuardWork
from diskwars_protocol.rulesets.diskwars.tasks import ImpactWork as ImpactWork
from diskwars_protocol.rulesets.diskwars.tasks import MeleeStep as MeleeStep
from diskwars_protocol.rulesets.diskwars.tasks import Phase as Phase
from diskwars_protocol.rulesets.diskwars.tasks import PhaseWork as PhaseWork
from diskwars_protocol.rulesets.diskwars.tasks import RampageWork as RampageWork
from diskwars_protocol.rulesets.diskwars.tasks import ReinforceWork as ReinforceWork
from diskwars_protocol.rulesets.diskwars.tasks import RoughWork as RoughWork
from diskwars_protocol.rulesets.diskwars.tasks import Rounds as Rounds
from diskwars_protocol.rulesets.diskwars.tasks import ScatterWork as ScatterWork
from diskwars_protocol.rulesets.diskwars.tasks import ScenarioChoice as ScenarioChoice
from diskwars_protocol.rulesets.diskwars.tasks import ScoutTurn as ScoutTurn
from diskwars_protocol.rulesets.diskwars.tasks import SetupWork as SetupWork
from diskwars_protocol.rulesets.diskwars.tasks import Shooting as Shooting
from diskwars_protocol.rulesets.diskwars.tasks import Speed as Speed
from diskwars_protocol.rulesets.diskwars.tasks import TerrainTurns as TerrainTurns
from diskwars_protocol.rulesets.diskwars.tasks import TriggerWork as TriggerWork
from diskwars_protocol.rulesets.diskwars.tasks import UseWork as UseWork
from diskwars_protocol.rulesets.diskwars.tasks import Work as Work
from diskwars_protocol.sealed import Sealed

Pin: TypeAlias = tuple[DiskId, DiskId]

# ---------------------------------------------------------------- set-up


class Owned(Struct, frozen=True, gc=False, array_like=True):
    """A disk of an army: its seat, and the number of its profile."""

    seat: Seat
    profile: int


class MatchStarted(Struct, frozen=True, gc=False, tag="match_started"):
    """Every figure that this match uses, and the armies (R2.8): their names by seat, each hero before his regiment.

    Disks are numbered by their place in `disks`, zones by theirs.
    """

    settings: Settings
    field: Field
    battle_die: tuple[Symbol, ...]
    profiles: tuple[Profile, ...]
    cards: tuple[CommandCard, ...]
    armies: tuple[str, ...]
    disks: tuple[Owned, ...]
    zones: tuple[Zone, ...]
    packs: tuple[Pack, ...]
    seats: Annotated[int, Meta(ge=1, le=MAX_SEATS)]
    rounds: int
    scenarios: tuple[Scenario, ...] = ()
    deployments: tuple[DeploymentCard, ...] = ()
    terrain: tuple[TerrainCard, ...] = ()


class HandTaken(Struct, frozen=True, gc=False, tag="hand_taken"):
    """A seat takes up its command hand, hidden from others; how many cards it is, everybody sees."""

    seat: Seat
    count: int
    cards: tuple[str, ...] | Sealed


class InitiativeRolled(Struct, frozen=True, gc=False, tag="initiative_rolled"):
    """One die per seat of `seats`, plus its `unspent` recruitment points. Those who tie for the highest roll again."""

    seats: tuple[Seat, ...]
    unspent: tuple[int, ...]
    dice: Draw
    highest: tuple[Seat, ...]
    because: tuple[Reason, ...]


class OrderSet(Struct, frozen=True, gc=False, tag="order_set"):
    """The initiative order, first player first."""

    order: tuple[Seat, ...]
    because: tuple[Reason, ...]


class Placed(Struct, frozen=True, gc=False, array_like=True):
    """A disk laid down: number, centre, height; `ground` are the pieces of terrain under it, by number."""

    disk: DiskId
    x: int
    y: int
    z: int
    ground: tuple[int, ...] = ()


class DisksDeployed(Struct, frozen=True, gc=False, omit_defaults=True, tag="disks_deployed"):
    """R3.6: a seat has laid down its army; what is not among `disks` is its reserve."""

    seat: Seat
    disks: tuple[Placed, ...]
    gained: tuple[Pin, ...]
    because: tuple[Reason, ...] = ()


# ---------------------------------------------------------------- the course of the game


class RoundBegan(Struct, frozen=True, gc=False, tag="round_began"):
    """R4.1"""

    round: int


class PhaseBegan(Struct, frozen=True, gc=False, tag="phase_began"):
    """R4.1: the phases of a round; `over` when the last round has been played."""

    phase: Phase


class CardLocked(Struct, frozen=True, gc=False, tag="card_locked"):
    """A seat has chosen. The commitment binds it to the card."""

    seat: Seat
    step: int
    commitment: str
    card: str | Sealed
    salt: str | Sealed


class Shown(Struct, frozen=True, gc=False, array_like=True):
    """A revealed card with the salt that opens its commitment."""

    seat: Seat
    card: str
    salt: str


class CardsRevealed(Struct, frozen=True, gc=False, tag="cards_revealed"):
    """All locked cards at once, in the order in which they will be resolved."""

    step: int
    cards: tuple[Shown, ...]
    because: tuple[Reason, ...]


class CardBegan(Struct, frozen=True, gc=False, tag="card_began"):
    """R7.7: it is this card's turn to be resolved."""

    seat: Seat
    card: str


class ActivationBegan(Struct, frozen=True, gc=False, tag="activation_began"):
    """R7.11: a disk is activated."""

    seat: Seat
    disk: DiskId


class ActivationEnded(Struct, frozen=True, gc=False, omit_defaults=True, tag="activation_ended"):
    """The disk gets its activation token, if it is still there (`marked`)."""

    disk: DiskId
    marked: bool
    because: tuple[Reason, ...] = ()


class CardsDiscarded(Struct, frozen=True, gc=False, tag="cards_discarded"):
    """Every revealed card goes face up to its owner's discards."""


class CardsReturned(Struct, frozen=True, gc=False, omit_defaults=True, tag="cards_returned"):
    """End phase: every player takes his discards back into his hand."""

    because: tuple[Reason, ...] = ()


class TokensCleared(Struct, frozen=True, gc=False, omit_defaults=True, tag="tokens_cleared"):
    """End phase: all tokens but wounds leave these disks together, but damage and poison stay on the `poisoned`."""

    disks: tuple[DiskId, ...]
    because: tuple[Reason, ...]
    poisoned: tuple[DiskId, ...] = ()


class SeatEliminated(Struct, frozen=True, gc=False, tag="seat_eliminated"):
    """R4.6, R4.10: a seat is out of the game, and its cards with it."""

    seat: Seat
    because: tuple[Reason, ...]


class DisksWithdrawn(Struct, frozen=True, gc=False, tag="disks_withdrawn"):
    """These disks leave the game together, without being destroyed."""

    disks: tuple[DiskId, ...]
    gained: tuple[Pin, ...]
    lost: tuple[Pin, ...]
    because: tuple[Reason, ...]


class ReservesLost(Struct, frozen=True, gc=False, tag="reserves_lost"):
    """Disks in reserve that go to their owner's casualty pile without ever having fought."""

    disks: tuple[DiskId, ...]
    because: tuple[Reason, ...]


class Scored(Struct, frozen=True, gc=False, tag="scored"):
    """Victory points by seat."""

    points: tuple[int, ...]
    because: tuple[Reason, ...]


# ---------------------------------------------------------------- disks


class DiskFlipped(Struct, frozen=True, gc=False, omit_defaults=True, tag="disk_flipped"):
    """R5.2: a flip and where it landed. Pins of the disk all end; those of its landing are new (R6.8).

    `entered` and `left` are the pieces of terrain, by number, that it lies on since this flip, or no more.
    """

    disk: DiskId
    x: int
    y: int
    z: int
    gained: tuple[Pin, ...]
    lost: tuple[Pin, ...]
    entered: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    because: tuple[Reason, ...] = ()


class DiskReinforced(Struct, frozen=True, gc=False, omit_defaults=True, tag="disk_reinforced"):
    """R9.1: a disk of the reserve is placed. `entered` are the pieces of terrain that it lies on, by number."""

    disk: DiskId
    x: int
    y: int
    z: int
    gained: tuple[Pin, ...]
    lost: tuple[Pin, ...]
    entered: tuple[int, ...] = ()
    because: tuple[Reason, ...] = ()


class ShotFired(Struct, frozen=True, gc=False, tag="shot_fired"):
    """`dice` are battle dice, their faces numbers into the match's battle die; `strength_dice` rolled the strength."""

    attack: Shooting
    dice: Draw
    strength_dice: Draw | None
    because: tuple[Reason, ...]


class ShotScattered(Struct, frozen=True, gc=False, tag="shot_scattered"):
    """Scatter dice rolled again, against the disk nearest to the target; `disk` is None when there was none."""

    attack: Shooting
    disk: DiskId | None
    dice: Draw | None
    because: tuple[Reason, ...]


class AbilityUsed(Struct, frozen=True, gc=False, tag="ability_used"):
    """A focus or battle ability.

    `card` names the card of a battle ability. `dice` rolled the amount or the Unstable die.
    """

    seat: Seat
    disk: DiskId
    target: DiskId | None
    card: str
    dice: tuple[Draw, ...]
    because: tuple[Reason, ...]


class ImpactRolled(Struct, frozen=True, gc=False, tag="impact_rolled"):
    """The amount of an Impact keyword, and the disks it hits."""

    disk: DiskId
    amount: int
    on: tuple[DiskId, ...]
    dice: Draw | None
    because: tuple[Reason, ...]


class GuardRolled(Struct, frozen=True, gc=False, tag="guard_rolled"):
    """The amount of a Guard keyword, against the `enemy` that has landed on `disk`."""

    disk: DiskId
    amount: int
    enemy: DiskId
    dice: Draw | None
    because: tuple[Reason, ...]


class DangerRolled(Struct, frozen=True, gc=False, tag="danger_rolled"):
    """The die of a dangerous piece of terrain that a landing has left a disk on."""

    disk: DiskId
    piece: int
    dice: Draw
    because: tuple[Reason, ...]


class MoveStopped(Struct, frozen=True, gc=False, tag="move_stopped"):
    """A disk has come onto rough ground, and its move is over."""

    disk: DiskId
    piece: int
    because: tuple[Reason, ...]


class Rampaged(Struct, frozen=True, gc=False, tag="rampaged"):
    """The disk has to flip toward one of these, overlapping one if `overlap`. None: nothing happens."""

    disk: DiskId
    toward: tuple[DiskId, ...]
    overlap: bool
    because: tuple[Reason, ...]


class TriggerResolved(Struct, frozen=True, gc=False, omit_defaults=True, tag="trigger_resolved"):
    """R6.6: an engage ability has gone off; what it did follows. `target` is the disk chosen for it, if one was."""

    trigger: Trigger
    dice: Draw | None
    because: tuple[Reason, ...]
    target: DiskId | None = None


class DamageDealt(Struct, frozen=True, gc=False, omit_defaults=True, tag="damage_dealt"):
    """One instance. `dealt` before, `taken` after Resistant and Immune; `tokens` is the damage on the disk after.

    `toughness` is the disk's when it was struck.
    """

    disk: DiskId
    dealt: int
    taken: int
    damage: Damage
    tokens: int
    because: tuple[Reason, ...]
    toughness: int = 0


class DiskHealed(Struct, frozen=True, gc=False, tag="disk_healed"):
    """Damage is taken off; `tokens` is what is left."""

    disk: DiskId
    tokens: int
    because: tuple[Reason, ...]


class DiskPoisoned(Struct, frozen=True, gc=False, tag="disk_poisoned"):
    """A poison token comes or goes."""

    disk: DiskId
    poisoned: bool
    because: tuple[Reason, ...]


class DiskWounded(Struct, frozen=True, gc=False, tag="disk_wounded"):
    """The damage tokens and the poison leave; `wounds` is the count after.

    A disk removed by its wound is in a `DisksRemoved` instead.
    """

    disk: DiskId
    wounds: int
    because: tuple[Reason, ...]


class DisksRemoved(Struct, frozen=True, gc=False, tag="disks_removed"):
    """To the casualty piles, all together."""

    disks: tuple[DiskId, ...]
    gained: tuple[Pin, ...]
    lost: tuple[Pin, ...]
    because: tuple[Reason, ...]


class DiskMarked(Struct, frozen=True, gc=False, tag="disk_marked"):
    """An activation token comes or goes outside the disk's own activation."""

    disk: DiskId
    activated: bool
    because: tuple[Reason, ...]


class DiskEmpowered(Struct, frozen=True, gc=False, tag="disk_empowered"):
    """R1.3: an empowerment token comes or goes."""

    disk: DiskId
    empowered: bool
    because: tuple[Reason, ...]


class DiskWeakened(Struct, frozen=True, gc=False, tag="disk_weakened"):
    """`toughness` is how much the disk's toughness is lowered after this."""

    disk: DiskId
    toughness: int
    because: tuple[Reason, ...]


# ---------------------------------------------------------------- melee


class Engagement(Struct, frozen=True, gc=False):
    """R15.1: links are pairs (attacker, defender), frozen at the start.

    `struck` are the disks that have dealt damage in it.
    """

    attackers: tuple[DiskId, ...]
    defenders: tuple[DiskId, ...]
    links: tuple[Pin, ...]
    struck: tuple[DiskId, ...] = ()
    done: bool = False


class EngagementsFrozen(Struct, frozen=True, gc=False, tag="engagements_frozen"):
    """R15.1.1: the links of this moment, and the engagements that they form."""

    engagements: tuple[Engagement, ...]
    because: tuple[Reason, ...]


class EngagementBegan(Struct, frozen=True, gc=False, tag="engagement_began"):
    """R15.2: this engagement is resolved now."""

    engagement: int
    because: tuple[Reason, ...]


class Blow(Struct, frozen=True, gc=False, array_like=True):
    """A disk strikes another with so much."""

    disk: DiskId
    target: DiskId
    strength: int


class BlowsStruck(Struct, frozen=True, gc=False, tag="blows_struck"):
    """All blows of one speed step, at once."""

    engagement: int
    speed: Speed
    blows: tuple[Blow, ...]
    because: tuple[Reason, ...]


class EngagementEnded(Struct, frozen=True, gc=False, omit_defaults=True, tag="engagement_ended"):
    """Resolved, or dropped because no living pair is left (`dropped`)."""

    engagement: int
    dropped: bool
    because: tuple[Reason, ...] = ()


# ---------------------------------------------------------------- the work list


class WorkSet(Struct, frozen=True, gc=False, tag="work_set"):
    """What the engine will do next, first first: the cursor of the game, so that any position can be taken up again."""

    work: tuple[Work, ...]


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
    | WorkSet
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
"""What was rolled and used; the consequences follow as events of their own, so these change no board."""
DiskEvent: TypeAlias = (
    DiskFlipped
    | DiskReinforced
    | DamageDealt
    | DiskHealed
    | DiskPoisoned
    | DiskWounded
    | DisksRemoved
    | DiskMarked
    | DiskEmpowered
    | DiskWeakened
)
MeleeEvent: TypeAlias = EngagementsFrozen | EngagementBegan | BlowsStruck | EngagementEnded

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
Event: TypeAlias = MatchEvent[Settings, Action, Entry, Question] | BoardEvent
