"""What does the ground do to a disk that lands on it (R8.5.4)?

Dangerous ground strikes, rough ground stops. Must not know how the disk came there.
"""

from diskwars_engine.rulesets.diskwars import harm, keywords, position, terrain
from diskwars_engine.rulesets.diskwars.harm import Hit
from diskwars_engine.rulesets.diskwars.play import Play
from diskwars_protocol.match import Reason
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import DangerRolled, DangerWork, MoveStopped, RoughWork
from diskwars_protocol.rulesets.diskwars.stats import Damage


def of_flip(board: Board, disk: int, entered: tuple[int, ...]) -> list[DangerWork | RoughWork]:
    """R10.5, R10.9: every flip that leaves a disk on dangerous ground; on rough ground only that which it came onto."""
    if not board.disks[disk].ground or keywords.ignores_terrain(board.profile(disk)):  # R8.8
        return []
    rough = [RoughWork(disk, n) for n in terrain.of_kind(board, disk, terrain.ROUGH) if n in entered]
    return [*of_placing(board, disk), *rough]


def of_placing(board: Board, disk: int) -> list[DangerWork]:
    """R9.4, R10.5: reinforcing onto dangerous ground. R-52: a Strider too, as that is no movement."""
    return [DangerWork(disk, number) for number in terrain.of_kind(board, disk, terrain.DANGEROUS)]


def danger(play: Play, task: DangerWork) -> None:
    """R10.5: a d6 of damage of the piece's type, if what came before has left the disk there."""
    if not _is_there(play.board, task):
        return
    dice = play.dice.roll("d6", 6, 1, "dangerous terrain")
    because = (Reason("R10.5", {"amount": dice.faces[0]}),)
    play.emit(DangerRolled(task.disk, task.piece, dice, because))
    harm.strike(play, [Hit(task.disk, dice.faces[0], _damage(play.board, task.piece))], because)


def _damage(board: Board, number: int) -> Damage:
    """R10.11: the type of damage that is printed on a piece."""
    types = [keyword.of for keyword in board.terrain[number].terrain.keywords if keyword.name == terrain.DANGEROUS]
    return "arcane" if types == ["arcane"] else "physical"


def rough(play: Play, task: RoughWork) -> None:
    """R10.9: says that the move is over, and where; that it is stands in the activation since the landing."""
    if _is_there(play.board, task):
        play.emit(MoveStopped(task.disk, task.piece, (Reason("R10.9"),)))


def _is_there(board: Board, task: DangerWork | RoughWork) -> bool:
    return position.is_fielded(board, task.disk) and task.piece in board.disks[task.disk].ground
