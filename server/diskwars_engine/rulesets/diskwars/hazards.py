"""Effects of terrain on a disk that lands on it (R8.5.4): dangerous ground strikes, rough ground stops."""

from diskwars_engine.rulesets.diskwars import harm
from diskwars_engine.rulesets.diskwars.harm import Hit
from diskwars_engine.rulesets.diskwars.play import Play
from diskwars_engine.rulesets.diskwars.tasks import DangerousTerrainTask, RoughTerrainTask
from diskwars_protocol.match import Reason
from diskwars_protocol.rulesets.diskwars import keywords, position, terrain
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import DangerRolled, MoveStopped
from diskwars_protocol.rulesets.diskwars.stats import Damage


def tasks_after_flip(
    board: Board, disk: int, entered: tuple[int, ...]
) -> list[DangerousTerrainTask | RoughTerrainTask]:
    """R10.5, R10.9: every flip that leaves a disk on dangerous ground; on rough ground only that which it came onto."""
    if not board.disks[disk].terrain or keywords.ignores_terrain(board.profile(disk)):  # R8.8
        return []
    rough = [RoughTerrainTask(disk, n) for n in terrain.pieces_with_keyword(board, disk, terrain.ROUGH) if n in entered]
    return [*tasks_after_placement(board, disk), *rough]


def tasks_after_placement(board: Board, disk: int) -> list[DangerousTerrainTask]:
    """R9.4, R10.5: reinforcing onto dangerous ground. R-52: a Strider too, as that is no movement."""
    return [
        DangerousTerrainTask(disk, number) for number in terrain.pieces_with_keyword(board, disk, terrain.DANGEROUS)
    ]


def resolve_dangerous_terrain(play: Play, task: DangerousTerrainTask) -> None:
    """R10.5: a d6 of damage of the piece's type, if the disk is still there."""
    if not _is_on_piece(play.board, task):
        return
    dice = play.dice.roll("d6", 6, 1, "dangerous terrain")
    because = (Reason("R10.5", {"amount": dice.faces[0]}),)
    play.emit_cause(DangerRolled(task.disk, task.piece, dice, because), "terrain")
    harm.strike(play, [Hit(task.disk, dice.faces[0], _damage_type(play.board, task.piece))], because)


def _damage_type(board: Board, number: int) -> Damage:
    """R10.11: the type of damage that is printed on a piece."""
    types = [keyword.of for keyword in board.terrain[number].terrain.keywords if keyword.name == terrain.DANGEROUS]
    return "arcane" if types == ["arcane"] else "physical"


def resolve_rough_terrain(play: Play, task: RoughTerrainTask) -> None:
    """R10.9: report that the move is over, and where; the landing has already noted it in the activation."""
    if _is_on_piece(play.board, task):
        play.emit(MoveStopped(task.disk, task.piece, (Reason("R10.9"),)))


def _is_on_piece(board: Board, task: DangerousTerrainTask | RoughTerrainTask) -> bool:
    return position.is_fielded(board, task.disk) and task.piece in board.disks[task.disk].terrain
