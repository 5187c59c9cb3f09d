"""Effects of terrain on a disk that lands on it (R8.5.4): dangerous ground deals damage, rough ground ends the move."""

from diskwars_engine.rulesets.diskwars import damage
from diskwars_engine.rulesets.diskwars.damage import DiskHit
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.tasks import DangerousTerrainTask, RoughTerrainTask
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.rulesets.diskwars import keywords, position, terrain
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import DangerRolled, MoveStopped
from diskwars_protocol.rulesets.diskwars.stats import DamageType


def tasks_after_flip(
    board: Board, disk: int, entered: tuple[int, ...]
) -> list[DangerousTerrainTask | RoughTerrainTask]:
    """Return the tasks of the terrain under a disk after a flip.

    R10.5: dangerous ground takes effect after every flip that ends on it. R10.9: rough ground only after one that
    enters it; a disk that overlapped the piece before may flip on.
    """
    if not board.disks[disk].terrain or keywords.ignores_terrain(board.profile(disk)):  # R8.8
        return []
    rough = [RoughTerrainTask(disk, n) for n in terrain.pieces_with_keyword(board, disk, terrain.ROUGH) if n in entered]
    return [*tasks_after_placement(board, disk), *rough]


def tasks_after_placement(board: Board, disk: int) -> list[DangerousTerrainTask]:
    """Return the tasks of the dangerous ground under a disk that was just reinforced (R9.4, R10.5).

    R-52: Strider does not help, because reinforcing is no movement.
    """
    return [
        DangerousTerrainTask(disk, number) for number in terrain.pieces_with_keyword(board, disk, terrain.DANGEROUS)
    ]


def resolve_dangerous_terrain(resolution: Resolution, task: DangerousTerrainTask) -> None:
    """Deal a d6 of damage of the piece's type to the disk, if it is still there (R10.5)."""
    if not _is_on_piece(resolution.board, task):
        return
    dice = resolution.dice.roll("number_dice", 6, 1, "dangerous terrain")
    amount, damage_type = dice.results[0], _damage_type(resolution.board, task.piece)
    reasons = (Reason("R10.5", {"amount": amount}),)
    resolution.emit_cause(DangerRolled(task.disk, task.piece, amount, damage_type, dice, reasons), "terrain")
    damage.strike(resolution, [DiskHit(task.disk, amount, damage_type)], reasons)


def _damage_type(board: Board, number: int) -> DamageType:
    """Return the damage type printed on a piece (R10.11)."""
    types = [
        keyword.damage_type for keyword in board.terrain[number].terrain.keywords if keyword.id == terrain.DANGEROUS
    ]
    return "arcane" if types == ["arcane"] else "physical"


def resolve_rough_terrain(resolution: Resolution, task: RoughTerrainTask) -> None:
    """Record that rough ground has ended the move (R10.9); the landing has already set this in the activation."""
    if _is_on_piece(resolution.board, task):
        resolution.emit(MoveStopped(task.disk, task.piece, (Reason("R10.9"),)))


def _is_on_piece(board: Board, task: DangerousTerrainTask | RoughTerrainTask) -> bool:
    return position.is_fielded(board, task.disk) and task.piece in board.disks[task.disk].terrain
