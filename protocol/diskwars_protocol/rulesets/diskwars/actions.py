"""Questions to a seat in Diskwars, and the actions that answer them.

Questions are public. A question contains everything that everybody may know, including the choices that were legal when
it was opened, so that a later change of the rules changes no open decision. Lengths are micrometres; disks are referred
to by number.
"""

from collections.abc import Callable
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.identifiers import ContentId, IdText, OptionalContentId
from diskwars_protocol.match.actions import Ready, ReadyQuestion, SeatQuestion, TakeSeat, UnpromptedAction
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.sealed import Sealed, always_written
from diskwars_protocol.rulesets.diskwars.stats import FaceNumber, Reach
from diskwars_protocol.schema_types import AtLeastZero, Micrometres, OptionalHex32, values_of_this_version

DiskId: TypeAlias = AtLeastZero
"""The number of a disk in a match: its index in the board's `disks`."""

Vector: TypeAlias = tuple[Micrometres, Micrometres]

# ---------------------------------------------------------------- what a match is agreed on


class DiskwarsSettings(Struct, frozen=True, gc=False, omit_defaults=True):
    """The options of a match, most of them with the ruling that they answer. The texts go into the catalogue.

    A record holds every option, so that no default has to be known to read it, nor stay as it is.
    """

    pins: Annotated[Literal["strict", "contact"], Meta(description="which disks of a stack pin which (R-04)")] = (
        always_written("strict")
    )
    setup: Annotated[
        Literal["quick", "full"],
        Meta(description="quick leaves out scenarios, deployment cards and terrain (R3)"),
    ] = always_written("full")
    regiments: Annotated[int, Meta(ge=1, le=3, description="how many regiments each army has (R2.1)")] = always_written(
        2
    )
    impact_own: Annotated[bool, Meta(description="Impact hits own disks too (R-10)")] = always_written(True)
    reinforce_onto_enemy: Annotated[bool, Meta(description="a disk may be reinforced onto enemies (R-11)")] = (
        always_written(True)
    )
    reinforce_limit: Annotated[bool, Meta(description="the value of a zone limits reinforcing (R-12)")] = (
        always_written(False)
    )
    battle_ability_timing: Annotated[
        Literal["any_time", "first_or_last"],
        Meta(description="a battle ability is used between any activations, or at either end of them (R-13)"),
    ] = always_written("any_time")
    defensive_swift: Annotated[
        Literal["counter", "strength", "both"], Meta(description="which Swift Defensive terrain gives (R-24)")
    ] = always_written("counter")
    rampage_flips: Annotated[
        Literal["per_attack", "per_chaos"],
        Meta(description="one rampage flip for each attack, or for each chaos result (R-26)"),
    ] = always_written("per_attack")
    weakened_wounds: Annotated[
        Literal["at_toughness", "above_toughness"],
        Meta(
            description="damage wounds a weakened disk whose toughness falls when it reaches, or exceeds, that (R-33)"
        ),
    ] = always_written("at_toughness")
    special_scenario: Annotated[
        str,
        Meta(
            description="a special scenario in place of the drawn and dealt ones (R-74)",
            extra_json_schema=values_of_this_version("none", "strongholds"),
        ),
    ] = always_written("none")


ContentIds: TypeAlias = Annotated[tuple[ContentId, ...], Meta(max_length=40)]


class Regiment(Struct, frozen=True, gc=False, omit_defaults=True):
    """R2.1: a hero and the units of the regiment."""

    hero: ContentId
    units: ContentIds = ()


class Loadout(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a player brings to their seat: a starter army, by its id `army` alone, or a list of their own.

    `hand` is the command cards. Others see nothing of it; `match_started` shows them the disks.
    """

    army: OptionalContentId | Sealed = always_written("")
    regiments: Annotated[tuple[Regiment, ...], Meta(max_length=6)] | Sealed = always_written(())
    hand: ContentIds | Sealed = always_written(())


# ---------------------------------------------------------------- questions


class FirstPlayerQuestion(Struct, frozen=True, gc=False, tag="first_player"):
    """R3.2: the winner of the initiative roll chooses the first player."""


class InitiativeOrderQuestion(Struct, frozen=True, gc=False, tag="initiative_order"):
    """R18.1: with three or four players the winner of the initiative roll chooses the whole order."""


class ScenarioQuestion(Struct, frozen=True, gc=False, tag="scenario"):
    """R3.3.1: choose which of the two drawn scenario cards is the active one. Only the deciding seat knows them."""


class EdgeSpan(Struct, frozen=True, order=True, gc=False):
    """A stretch along an edge of the field."""

    start: AtLeastZero
    end: AtLeastZero


class DeploymentCardQuestion(Struct, frozen=True, gc=False, tag="deployment_card"):
    """R3.4: take one of `cards` and place it along the own edge, wholly within one of the free spans."""

    cards: tuple[IdText, ...]
    free_spans: tuple[EdgeSpan, ...]


class TerrainQuestion(Struct, frozen=True, gc=False, tag="terrain"):
    """R3.5: take one of `cards` and place its piece. Each of them fits somewhere."""

    cards: tuple[IdText, ...]


class ZoneLimit(Struct, frozen=True, gc=False):
    """How many disks a zone may take."""

    zone: AtLeastZero
    count: AtLeastZero


class DeploymentQuestion(Struct, frozen=True, gc=False, tag="deployment"):
    """R3.6: place `disk_count` disks in the own zones, in each at most its limit.

    If `disk_count` is less than the sum of the limits, the player spreads them freely (R3.6.1).
    """

    zone_limits: tuple[ZoneLimit, ...]
    disk_count: AtLeastZero


class ScoutQuestion(Struct, frozen=True, gc=False, tag="scout"):
    """R3.7: move one of these disks before round 1, or end scouting."""

    disks: tuple[DiskId, ...]


class CommandCardQuestion(Struct, frozen=True, gc=False, tag="command_card"):
    """R7.3: lock a command card in secret. The lock is made for the step after the match's own."""


class ActivationQuestion(Struct, frozen=True, gc=False, tag="activation"):
    """R7.11: activate a disk, reinforce, use the battle ability, or end the card. `activations_left` remain."""

    card: IdText
    activations_left: AtLeastZero
    ability_available: bool


Continuation: TypeAlias = Literal["move", "shoot", "focus"]


class ContinuationQuestion(Struct, frozen=True, gc=False, tag="continuation"):
    """R8: continue the activation with `flips_left` more flips or an action in `allowed`: "shoot", "focus", "move"."""

    disk: DiskId
    flips_left: AtLeastZero
    allowed: tuple[Continuation, ...]


class ScatterQuestion(Struct, frozen=True, gc=False, tag="scatter"):
    """R-21: several disks are nearest to the target; choose the one that the scatter dice go against."""

    shooter: DiskId
    candidates: tuple[DiskId, ...]


class Trigger(Struct, frozen=True, gc=False):
    """An engage ability that goes off: ability number `ability` of `disk`, against `enemy`."""

    disk: DiskId
    enemy: DiskId
    ability: AtLeastZero


class TriggerOrderQuestion(Struct, frozen=True, gc=False, tag="trigger_order"):
    """Several abilities trigger at once: choose their order."""

    triggers: tuple[Trigger, ...]


class EngageAbilityQuestion(Struct, frozen=True, gc=False, tag="engage_ability"):
    """R19.20: choose the target of an engage ability. If `optional`, it can be declined."""

    trigger: Trigger
    candidates: tuple[DiskId, ...]
    optional: bool


class ReinforcementQuestion(Struct, frozen=True, gc=False, tag="reinforcement"):
    """R9.6: place one of these within `reach` of the disk `source`, or none by passing `source`."""

    source: DiskId
    reach: Reach
    candidates: tuple[DiskId, ...]


class RampageQuestion(Struct, frozen=True, gc=False, tag="rampage"):
    """R19.18: flip the disk once toward one of `targets`; if `must_overlap`, so that it overlaps one of them."""

    disk: DiskId
    targets: tuple[DiskId, ...]
    must_overlap: bool


class EngagementQuestion(Struct, frozen=True, gc=False, tag="engagement"):
    """R15.2, R15.5: choose the engagement that is resolved next."""

    engagements: tuple[AtLeastZero, ...]


class StrikerChoice(Struct, frozen=True, gc=False):
    """A striking disk, and the targets that it may have."""

    disk: DiskId
    targets: tuple[DiskId, ...]


class MeleeTargetsQuestion(Struct, frozen=True, gc=False, tag="melee_targets"):
    """R15.3.2: choose a target for each of the disks of `choices` in this step."""

    engagement: AtLeastZero
    speed: Literal["swift", "normal", "slow"]
    role: Literal["attacker", "defender"]
    choices: tuple[StrikerChoice, ...]


SetupQuestion: TypeAlias = (
    FirstPlayerQuestion
    | InitiativeOrderQuestion
    | ScenarioQuestion
    | DeploymentCardQuestion
    | TerrainQuestion
    | DeploymentQuestion
    | ScoutQuestion
)
BoardQuestion: TypeAlias = (
    SetupQuestion
    | CommandCardQuestion
    | ActivationQuestion
    | ContinuationQuestion
    | ScatterQuestion
    | TriggerOrderQuestion
    | EngageAbilityQuestion
    | ReinforcementQuestion
    | RampageQuestion
    | EngagementQuestion
    | MeleeTargetsQuestion
)
Question: TypeAlias = SeatQuestion | ReadyQuestion | BoardQuestion

# ---------------------------------------------------------------- answers


class ChooseFirstPlayer(Struct, frozen=True, gc=False, tag="choose_first_player"):
    """R3.2: this seat is the first player."""

    seat: Seat


class SetOrder(Struct, frozen=True, gc=False, tag="set_order"):
    """Every seat once, first player first."""

    order: tuple[Seat, ...]


class ChooseScenario(Struct, frozen=True, gc=False, tag="choose_scenario"):
    scenario: IdText


class LayDeploymentCard(Struct, frozen=True, gc=False, tag="lay_deployment_card"):
    """A deployment card with face 0 or 1 up, beginning at `offset` along the own edge."""

    card: IdText
    face: FaceNumber
    offset: AtLeastZero


class PlaceTerrain(Struct, frozen=True, gc=False, tag="place_terrain"):
    """A terrain piece with face 0 or 1 up, its middle at (x, y), turned by `rotation_steps` of 5°."""

    card: IdText
    face: FaceNumber
    x: Micrometres
    y: Micrometres
    rotation_steps: Annotated[int, Meta(ge=0, le=71)]


class Placement(Struct, frozen=True, gc=False):
    """Where a disk is laid down: its number and centre."""

    disk: DiskId
    x: Micrometres
    y: Micrometres


class Deploy(Struct, frozen=True, gc=False, tag="deploy"):
    """Disks in the order in which they are placed: a later one lies on top."""

    disks: tuple[Placement, ...]


class EndScouting(Struct, frozen=True, gc=False, tag="end_scouting"):
    """Leave the other scouts where they are."""


class LockCard(Struct, frozen=True, gc=False, omit_defaults=True, tag="lock_card"):
    """A card of the hand, the salt of its commitment (32 hex digits), and the seat's next nonce or nothing.

    Each lock needs 16 fresh random bytes as its salt: a client that knows the salt finds the card by trying the few
    names there are. Options name the card only.
    """

    card: IdText | Sealed
    salt: OptionalHex32 | Sealed = always_written("")
    seat_nonce: OptionalHex32 | Sealed = always_written("")


def with_secrets(action: "Action", salt: Callable[[], str], seat_nonce: Callable[[], str]) -> "Action":
    """Put a fresh salt and the seat's next nonce into a card lock; nothing else carries them."""
    return LockCard(action.card, salt(), seat_nonce()) if isinstance(action, LockCard) else action


class MoveDisk(Struct, frozen=True, gc=False, omit_defaults=True, tag="move_disk"):
    """Flips one after another, each a vector one diameter long. Stops at the first that pins, rolls or triggers.

    `end_activation` says that the activation is over when the path is carried out; otherwise the seat decides again.
    `over_own_disks` says that a pin of an own disk does not stop the path (R-76).
    """

    disk: DiskId
    path: tuple[Vector, ...]
    end_activation: bool = True
    over_own_disks: bool = False


class Shoot(Struct, frozen=True, gc=False, omit_defaults=True, tag="shoot"):
    """Ranged attack number `shot` of the disk."""

    disk: DiskId
    target: DiskId
    shot: AtLeastZero = 0


class Focus(Struct, frozen=True, gc=False, omit_defaults=True, tag="focus"):
    """Focus ability number `ability` of the disk (`Magic X` comes before printed ones), at a target if it needs one."""

    disk: DiskId
    target: DiskId | None = None
    ability: AtLeastZero = 0


class PassDisk(Struct, frozen=True, gc=False, tag="pass_disk"):
    """Activate a disk without an action, or end its activation early."""

    disk: DiskId


class Reinforce(Struct, frozen=True, gc=False, tag="reinforce"):
    """R9.1: place a disk of the reserve with its centre at (x, y) in an own zone."""

    disk: DiskId
    x: Micrometres
    y: Micrometres


class UseAbility(Struct, frozen=True, gc=False, omit_defaults=True, tag="use_ability"):
    """Use the battle ability of the card with `disk`, at `target` if it needs one."""

    disk: DiskId
    target: DiskId | None = None


class EndCard(Struct, frozen=True, gc=False, tag="end_card"):
    """Leave the remaining activations of the card unused."""


class ChooseScatter(Struct, frozen=True, gc=False, tag="choose_scatter"):
    """R-21: the disk that the scatter dice go against."""

    target: DiskId


class OrderTriggers(Struct, frozen=True, gc=False, tag="order_triggers"):
    """A permutation of the indices of the triggers in the question."""

    order: tuple[AtLeastZero, ...]


class UseEngageAbility(Struct, frozen=True, gc=False, omit_defaults=True, tag="use_engage_ability"):
    """The target of an engage ability, None where there is none to choose; or that it is not used."""

    target: DiskId | None = None
    use: bool = True


class ChooseEngagement(Struct, frozen=True, gc=False, tag="choose_engagement"):
    """R15.2.4: the engagement that comes next."""

    engagement: AtLeastZero


class MeleeTarget(Struct, frozen=True, order=True, gc=False):
    """A striking disk and its target."""

    disk: DiskId
    target: DiskId


class ChooseTargets(Struct, frozen=True, gc=False, tag="choose_targets"):
    """The target of every disk of the question, once."""

    targets: tuple[MeleeTarget, ...]


BoardAction: TypeAlias = (
    ChooseFirstPlayer
    | SetOrder
    | ChooseScenario
    | LayDeploymentCard
    | PlaceTerrain
    | Deploy
    | EndScouting
    | LockCard
    | MoveDisk
    | Shoot
    | Focus
    | PassDisk
    | Reinforce
    | UseAbility
    | EndCard
    | ChooseScatter
    | OrderTriggers
    | UseEngageAbility
    | ChooseEngagement
    | ChooseTargets
)
"""R19.27: none of these takes back an answer that was given."""
ActionTag: TypeAlias = Literal[
    "choose_engagement",
    "choose_scatter",
    "choose_targets",
    "focus",
    "move_disk",
    "reinforce",
    "shoot",
    "use_ability",
    "use_engage_ability",
]
"""The tag of an action that options can say is unavailable."""
Action: TypeAlias = TakeSeat[Loadout] | Ready | UnpromptedAction | BoardAction
