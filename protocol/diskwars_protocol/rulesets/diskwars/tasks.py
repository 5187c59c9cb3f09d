"""What has the engine still to do? The tasks of its work list, first first, as records carry them.

They are given on by events.py under its own name. Must not know any rule, nor how a task is done.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from diskwars_protocol.match import Seat
from diskwars_protocol.rulesets.diskwars.actions import DiskId, Trigger
from diskwars_protocol.rulesets.diskwars.stats import Damage, Reach

Phase: TypeAlias = Literal["setup", "activation", "melee", "end", "over"]
Speed: TypeAlias = Literal["swift", "normal", "slow"]


class FullSetup(Struct, frozen=True, gc=False, tag="full_setup"):
    """One step of a full set-up that is made when its turn comes."""

    step: Literal["scenario", "objectives", "deployment_cards", "terrain_cards", "scouts"]


class ScenarioChoice(Struct, frozen=True, gc=False, tag="scenario_choice"):
    """The seat has drawn two scenario cards and chooses."""

    seat: Seat


class DeploymentTurns(Struct, frozen=True, gc=False, tag="deployment_turns"):
    """Seats that take a deployment card, next first."""

    seats: tuple[Seat, ...]


class TerrainTurns(Struct, frozen=True, gc=False, tag="terrain_turns"):
    """Seats that take a terrain card, next first."""

    seats: tuple[Seat, ...]


class Deployments(Struct, frozen=True, gc=False, tag="deployments"):
    """Seats that still have to deploy, next first."""

    seats: tuple[Seat, ...]


class ScoutTurn(Struct, frozen=True, gc=False, tag="scout_turn"):
    """Disks of a seat that can still make their scout move."""

    seat: Seat
    disks: tuple[DiskId, ...]


class FirstPlayer(Struct, frozen=True, gc=False, tag="first_player"):
    """The winner of the initiative roll chooses."""

    seat: Seat


class Rounds(Struct, frozen=True, gc=False, tag="rounds"):
    """The rounds that are still to come, the one under way not counted."""

    next: int


class PhaseWork(Struct, frozen=True, gc=False, tag="phase"):
    phase: Phase


class CardTurn(Struct, frozen=True, gc=False, tag="card_turn"):
    """A revealed card, resolved now or later: `left` activations, and whether its battle ability can be used."""

    seat: Seat
    card: str
    left: int
    ability: bool
    begun: bool = False


class DiscardCards(Struct, frozen=True, gc=False, tag="discard_cards"):
    """The revealed cards have all been resolved."""


class Activation(Struct, frozen=True, gc=False, tag="activation"):
    """A disk under way: `flips` left in its move, what else it `may` do, and whether it must `stop` moving.

    `scouting` is the free move before round 1 (R8.9).
    """

    seat: Seat
    disk: DiskId
    flips: int
    may: tuple[str, ...]
    moved: bool = False
    stop: bool = False
    scouting: bool = False
    pinned: bool = False
    """A relentless disk has landed on an enemy in this move already."""


class ImpactWork(Struct, frozen=True, gc=False, tag="impact"):
    disk: DiskId
    on: tuple[DiskId, ...]


class GuardWork(Struct, frozen=True, gc=False, tag="guard"):
    """Guard of a disk against the `enemy` that has landed on it."""

    disk: DiskId
    enemy: DiskId


class RampageWork(Struct, frozen=True, gc=False, tag="rampage"):
    """A flip that the disk has to make; `toward` and `overlap` as in `Rampaged`, once they are found."""

    disk: DiskId
    toward: tuple[DiskId, ...] = ()
    overlap: bool = False


class UseWork(Struct, frozen=True, gc=False, tag="use"):
    """An engage ability that waits for its controller."""

    trigger: Trigger


class ReinforceWork(Struct, frozen=True, gc=False, tag="reinforce"):
    """A disk of the reserve that an ability of the disk `by` brings in: one that is `of` that."""

    by: DiskId
    reach: Reach
    of: str


class FightWork(Struct, frozen=True, gc=False, tag="fight"):
    """R15.5: an engagement of this disk is fought outside the melee phase; `frozen` once they are parted."""

    disk: DiskId
    frozen: bool = False


class EndFight(Struct, frozen=True, gc=False, tag="end_fight"):
    """Engagements that were frozen for one fight are laid aside."""


class DangerWork(Struct, frozen=True, gc=False, tag="danger"):
    """A dangerous piece of terrain, and the disk that has landed on it."""

    disk: DiskId
    piece: int


class RoughWork(Struct, frozen=True, gc=False, tag="rough"):
    """A rough piece of terrain, and the disk that has come onto it."""

    disk: DiskId
    piece: int


class TriggerWork(Struct, frozen=True, gc=False, tag="triggers"):
    """Engage abilities that go off together; `seat` orders them, `ordered` once it has."""

    seat: Seat
    triggers: tuple[Trigger, ...]
    ordered: bool = False


class Shooting(Struct, frozen=True, gc=False):
    """A ranged attack under way: attack number `shot` of `shooter`, `strength` per hit, measured range `reach`."""

    shooter: DiskId
    target: DiskId
    shot: int
    strength: int
    damage: Damage
    reach: Reach


class ScatterWork(Struct, frozen=True, gc=False, tag="scatter"):
    """Scatter dice that wait for a choice among the nearest disks; `faces` are the results against the first target."""

    attack: Shooting
    count: int
    among: tuple[DiskId, ...]
    faces: tuple[int, ...]


class MeleeStep(Struct, frozen=True, gc=False, tag="melee_step"):
    """One speed step of an engagement: `chosen` targets so far, by the seats that were asked."""

    engagement: int
    speed: Speed
    chosen: tuple[tuple[DiskId, DiskId], ...] = ()


class CloseEngagement(Struct, frozen=True, gc=False, tag="close_engagement"):
    engagement: int


SetupWork: TypeAlias = (
    FirstPlayer | FullSetup | ScenarioChoice | DeploymentTurns | TerrainTurns | Deployments | ScoutTurn
)
Work: TypeAlias = (
    SetupWork
    | Rounds
    | PhaseWork
    | CardTurn
    | DiscardCards
    | Activation
    | ImpactWork
    | GuardWork
    | DangerWork
    | RoughWork
    | RampageWork
    | TriggerWork
    | UseWork
    | ReinforceWork
    | ScatterWork
    | FightWork
    | EndFight
    | MeleeStep
    | CloseEngagement
)
