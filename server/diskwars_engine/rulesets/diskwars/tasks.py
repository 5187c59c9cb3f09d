"""The tasks that the rules have still to do, as a cursor holds them.

Everything in a task is public: a task names only what every viewer may know, so a cursor needs no redaction.
"""

from typing import Literal

from msgspec import Struct

from diskwars_protocol.identifiers import ContentId
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars.actions import Continuation, DiskId, MeleeTarget, Trigger
from diskwars_protocol.rulesets.diskwars.events import Cause, RangedAttack, Speed
from diskwars_protocol.rulesets.diskwars.stats import Reach


class Task(Struct, frozen=True, gc=False, array_like=True):
    """Something to do. Each kind has its own struct, with a tag, and one row in `task_table.TASKS`.

    Stored as an array: a new field has a default and comes last.
    """


class CausedTask(Task, frozen=True, kw_only=True):
    """A task that something has brought about, which its events name as their cause."""

    cause: Cause | None = None


class SetupStepTask(Task, frozen=True, tag="setup_step"):
    """One step of a full setup that is made when its turn comes."""

    step: Literal["scenario", "objectives", "deployment_cards", "terrain_cards", "scouts"]


class ScenarioTask(Task, frozen=True, tag="scenario"):
    """The seat has drawn two scenario cards and chooses."""

    seat: Seat


class DeploymentCardsTask(Task, frozen=True, tag="deployment_cards"):
    """Seats that take a deployment card, next first."""

    seats: tuple[Seat, ...]


class TerrainCardsTask(Task, frozen=True, tag="terrain_cards"):
    """Seats that take a terrain card, next first."""

    seats: tuple[Seat, ...]


class DeploymentTask(Task, frozen=True, tag="deployment"):
    """Seats that still have to deploy, next first."""

    seats: tuple[Seat, ...]


class ScoutTask(Task, frozen=True, tag="scout"):
    """Disks of a seat that can still make their scout move."""

    seat: Seat
    disks: tuple[DiskId, ...]


class FirstPlayerTask(Task, frozen=True, tag="first_player"):
    """The winner of the initiative roll chooses."""

    seat: Seat


class RoundTask(Task, frozen=True, tag="round"):
    """The rounds that are still to come, the one under way not counted."""

    round: int


class ActivationPhaseTask(Task, frozen=True, tag="activation_phase"):
    """R7: command cards are chosen and resolved until nobody can act."""


class MeleePhaseTask(Task, frozen=True, tag="melee_phase"):
    """R15: engagements are resolved one after another."""


class EndPhaseTask(Task, frozen=True, tag="end_phase"):
    """R4.2: tokens are cleared and cards returned."""


class CommandCardTask(Task, frozen=True, tag="command_card"):
    """A revealed card, resolved now or later: `activations_left`, and whether its battle ability can be used."""

    seat: Seat
    card: str
    activations_left: int
    ability_available: bool
    begun: bool = False


class DiscardCardsTask(Task, frozen=True, tag="discard_cards"):
    """The revealed cards have all been resolved."""


class ActivationTask(Task, frozen=True, tag="activation"):
    """An activation under way: the flips left in its move, what it is still `allowed`, whether it must stop moving.

    `scouting` is the free move before round 1 (R8.9).
    """

    seat: Seat
    disk: DiskId
    flips_left: int
    allowed: tuple[Continuation, ...]
    has_moved: bool = False
    must_stop: bool = False
    scouting: bool = False
    has_pinned: bool = False
    """A relentless disk has landed on an enemy in this move already."""


class ImpactTask(CausedTask, frozen=True, tag="impact"):
    disk: DiskId
    targets: tuple[DiskId, ...]


class GuardTask(CausedTask, frozen=True, tag="guard"):
    """Guard of a disk against the `enemy` that has landed on it."""

    disk: DiskId
    enemy: DiskId


class RampageTask(CausedTask, frozen=True, tag="rampage"):
    """A flip that the disk has to make; `targets` and `must_overlap` are those of `Rampaged`."""

    disk: DiskId
    targets: tuple[DiskId, ...] = ()
    must_overlap: bool = False


class EngageAbilityTask(CausedTask, frozen=True, tag="engage_ability"):
    """An engage ability that waits for its controller."""

    trigger: Trigger


class ReinforcementTask(CausedTask, frozen=True, tag="reinforcement"):
    """A disk of the reserve that an ability of the disk `source` brings in; `of` selects which it may be."""

    source: DiskId
    reach: Reach
    selector: ContentId | None


class FightTask(Task, frozen=True, tag="fight"):
    """R15.5: an engagement of this disk is fought outside the melee phase; `frozen` once they are parted."""

    disk: DiskId
    frozen: bool = False


class EndFightTask(Task, frozen=True, tag="end_fight"):
    """The engagements that were frozen for one fight end."""


class DangerousTerrainTask(CausedTask, frozen=True, tag="dangerous_terrain"):
    """A dangerous piece of terrain, and the disk that has landed on it."""

    disk: DiskId
    piece: int


class RoughTerrainTask(CausedTask, frozen=True, tag="rough_terrain"):
    """A rough piece of terrain, and the disk that has come onto it."""

    disk: DiskId
    piece: int


class TriggersTask(CausedTask, frozen=True, tag="triggers"):
    """Engage abilities that trigger together. `seat` decides their order; `ordered` says that it has."""

    seat: Seat
    triggers: tuple[Trigger, ...]
    ordered: bool = False


class ScatterTask(CausedTask, frozen=True, tag="scatter"):
    """Scatter dice that wait for a choice among the nearest disks; `faces` are the results against the first target."""

    attack: RangedAttack
    count: int
    candidates: tuple[DiskId, ...]
    faces: tuple[int, ...]


class MeleeStepTask(Task, frozen=True, tag="melee_step"):
    """One speed step of an engagement, with the `targets` that seats have chosen so far."""

    engagement: int
    speed: Speed
    targets: tuple[MeleeTarget, ...] = ()


class CloseEngagementTask(Task, frozen=True, tag="close_engagement"):
    engagement: int
