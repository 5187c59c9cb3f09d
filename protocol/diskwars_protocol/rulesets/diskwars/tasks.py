"""The tasks that the engine has still to do, in order, as records carry them."""

from typing import Literal, TypeAlias

from msgspec import Struct

from diskwars_protocol.match import Seat
from diskwars_protocol.rulesets.diskwars.actions import DiskId, Trigger
from diskwars_protocol.rulesets.diskwars.stats import Damage, Reach

Phase: TypeAlias = Literal["setup", "activation", "melee", "end", "over"]
Speed: TypeAlias = Literal["swift", "normal", "slow"]


class SetupStepTask(Struct, frozen=True, gc=False, tag="setup_step"):
    """One step of a full setup that is made when its turn comes."""

    step: Literal["scenario", "objectives", "deployment_cards", "terrain_cards", "scouts"]


class ScenarioTask(Struct, frozen=True, gc=False, tag="scenario"):
    """The seat has drawn two scenario cards and chooses."""

    seat: Seat


class DeploymentCardsTask(Struct, frozen=True, gc=False, tag="deployment_cards"):
    """Seats that take a deployment card, next first."""

    seats: tuple[Seat, ...]


class TerrainCardsTask(Struct, frozen=True, gc=False, tag="terrain_cards"):
    """Seats that take a terrain card, next first."""

    seats: tuple[Seat, ...]


class DeploymentTask(Struct, frozen=True, gc=False, tag="deployment"):
    """Seats that still have to deploy, next first."""

    seats: tuple[Seat, ...]


class ScoutTask(Struct, frozen=True, gc=False, tag="scout"):
    """Disks of a seat that can still make their scout move."""

    seat: Seat
    disks: tuple[DiskId, ...]


class FirstPlayerTask(Struct, frozen=True, gc=False, tag="first_player"):
    """The winner of the initiative roll chooses."""

    seat: Seat


class RoundTask(Struct, frozen=True, gc=False, tag="round"):
    """The rounds that are still to come, the one under way not counted."""

    round: int


class PhaseTask(Struct, frozen=True, gc=False, tag="phase"):
    phase: Phase


class CommandCardTask(Struct, frozen=True, gc=False, tag="command_card"):
    """A revealed card, resolved now or later: `left` activations, and whether its battle ability can be used."""

    seat: Seat
    card: str
    activations_left: int
    ability_available: bool
    begun: bool = False


class DiscardCardsTask(Struct, frozen=True, gc=False, tag="discard_cards"):
    """The revealed cards have all been resolved."""


class ActivationTask(Struct, frozen=True, gc=False, tag="activation"):
    """A disk under way: `flips` left in its move, what else it `may` do, and whether it must `stop` moving.

    `scouting` is the free move before round 1 (R8.9).
    """

    seat: Seat
    disk: DiskId
    flips_left: int
    allowed: tuple[str, ...]
    has_moved: bool = False
    must_stop: bool = False
    scouting: bool = False
    has_pinned: bool = False
    """A relentless disk has landed on an enemy in this move already."""


class ImpactTask(Struct, frozen=True, gc=False, tag="impact"):
    disk: DiskId
    targets: tuple[DiskId, ...]


class GuardTask(Struct, frozen=True, gc=False, tag="guard"):
    """Guard of a disk against the `enemy` that has landed on it."""

    disk: DiskId
    enemy: DiskId


class RampageTask(Struct, frozen=True, gc=False, tag="rampage"):
    """A flip that the disk has to make; `toward` and `overlap` as in `Rampaged`, once they are found."""

    disk: DiskId
    targets: tuple[DiskId, ...] = ()
    must_overlap: bool = False


class EngageAbilityTask(Struct, frozen=True, gc=False, tag="engage_ability"):
    """An engage ability that waits for its controller."""

    trigger: Trigger


class ReinforcementTask(Struct, frozen=True, gc=False, tag="reinforcement"):
    """A disk of the reserve that an ability of the disk `by` brings in: one that is `of` that."""

    source: DiskId
    reach: Reach
    of: str


class FightTask(Struct, frozen=True, gc=False, tag="fight"):
    """R15.5: an engagement of this disk is fought outside the melee phase; `frozen` once they are parted."""

    disk: DiskId
    frozen: bool = False


class EndFightTask(Struct, frozen=True, gc=False, tag="end_fight"):
    """Engagements that were frozen for one fight are laid aside."""


class DangerousTerrainTask(Struct, frozen=True, gc=False, tag="dangerous_terrain"):
    """A dangerous piece of terrain, and the disk that has landed on it."""

    disk: DiskId
    piece: int


class RoughTerrainTask(Struct, frozen=True, gc=False, tag="rough_terrain"):
    """A rough piece of terrain, and the disk that has come onto it."""

    disk: DiskId
    piece: int


class TriggersTask(Struct, frozen=True, gc=False, tag="triggers"):
    """Engage abilities that go off together; `seat` orders them, `ordered` once it has."""

    seat: Seat
    triggers: tuple[Trigger, ...]
    ordered: bool = False


class RangedAttack(Struct, frozen=True, gc=False):
    """A ranged attack under way: attack number `shot` of `shooter`, `strength` per hit, measured range `reach`."""

    shooter: DiskId
    target: DiskId
    shot: int
    strength: int
    damage: Damage
    reach: Reach


class ScatterTask(Struct, frozen=True, gc=False, tag="scatter"):
    """Scatter dice that wait for a choice among the nearest disks; `faces` are the results against the first target."""

    attack: RangedAttack
    count: int
    candidates: tuple[DiskId, ...]
    faces: tuple[int, ...]


class MeleeStepTask(Struct, frozen=True, gc=False, tag="melee_step"):
    """One speed step of an engagement: `chosen` targets so far, by the seats that were asked."""

    engagement: int
    speed: Speed
    targets: tuple[tuple[DiskId, DiskId], ...] = ()


class CloseEngagementTask(Struct, frozen=True, gc=False, tag="close_engagement"):
    engagement: int


SetupTask: TypeAlias = (
    FirstPlayerTask | SetupStepTask | ScenarioTask | DeploymentCardsTask | TerrainCardsTask | DeploymentTask | ScoutTask
)
Task: TypeAlias = (
    SetupTask
    | RoundTask
    | PhaseTask
    | CommandCardTask
    | DiscardCardsTask
    | ActivationTask
    | ImpactTask
    | GuardTask
    | DangerousTerrainTask
    | RoughTerrainTask
    | RampageTask
    | TriggersTask
    | EngageAbilityTask
    | ReinforcementTask
    | ScatterTask
    | FightTask
    | EndFightTask
    | MeleeStepTask
    | CloseEngagementTask
)
