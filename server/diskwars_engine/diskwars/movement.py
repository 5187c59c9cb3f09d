"""How does a disk come to lie elsewhere: flips, landings and their consequences, reinforcing (R8, R9)?

Must not know cards, melee or shooting.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from diskwars_engine.diskwars import harm, keywords, state, zones
from diskwars_engine.diskwars.evolve import Play
from diskwars_engine.diskwars.harm import Hit
from diskwars_engine.ruleset import Illegal
from diskwars_protocol import plane
from diskwars_protocol.diskwars.actions import MoveDisk, Reinforce, Vector
from diskwars_protocol.diskwars.board import RESERVE, Board, Disk
from diskwars_protocol.diskwars.events import (
    Activation,
    ActivationBegan,
    ActivationEnded,
    DiskFlipped,
    DiskReinforced,
    ImpactRolled,
    ImpactWork,
    Pin,
    TriggerWork,
)
from diskwars_protocol.match import Because, Seat


def check_path(board: Board, disk: int, path: Sequence[Vector], flips: int) -> None:
    """R8.4, R5.2: every vector is a flip, there are not too many, and every landing is inside the field."""
    if not path:
        raise Illegal("illegal_flip", "a path has at least one flip", "R8.4", "$.action.path")
    if len(path) > flips:
        raise Illegal("too_many_flips", f"{len(path)} flips, but {flips} are left", "R8.4", "$.action.path")
    x, y = board.disks[disk].x, board.disks[disk].y
    diameter = 2 * board.profile(disk).radius
    for number, (dx, dy) in enumerate(path):
        place = f"$.action.path[{number}]"
        if not plane.is_flip(dx, dy, diameter):
            raise Illegal("illegal_flip", f"({dx}, {dy}) is not {diameter} micrometres long", "R5.2", place)
        x, y = x + dx, y + dy
        if not state.is_on_field(board, disk, x, y):
            raise Illegal("off_field", f"the disk would land at ({x}, {y}), partly off the field", "R8.4", place)


def check_scout_path(board: Board, disk: int, path: Sequence[Vector]) -> None:
    """R8.9: a scout does not land on an enemy; of a Flying one only the last landing counts (R8.7)."""
    x, y = board.disks[disk].x, board.disks[disk].y
    flies = keywords.has(board.profile(disk), "Flying")
    for number, (dx, dy) in enumerate(path):
        x, y = x + dx, y + dy
        if (not flies or number == len(path) - 1) and is_on_enemy(board, disk, x, y):
            raise Illegal("overlaps_enemy", "a scout does not land on an enemy", "R8.9", f"$.action.path[{number}]")


def is_on_enemy(board: Board, disk: int, x: int, y: int) -> bool:
    """Whether a disk at a place would overlap an enemy."""
    radius = board.profile(disk).radius
    return any(
        plane.overlaps(x, y, radius, other.x, other.y, board.profile(other.id).radius)
        for other in state.fielded(board)
        if state.are_enemies(board, disk, other.id)
    )


def move(play: Play, task: Activation, action: MoveDisk) -> Activation:
    """Carries a checked path out until the first landing of which something follows; the rest is dropped.

    Gives the activation as it stands then. The consequences are pushed before it.
    """
    for vector in action.path:
        interrupted, stop = flip(play, task.disk, vector)
        task = replace(task, flips=task.flips - 1, moved=True, stop=stop)
        if interrupted:
            return task
    return replace(task, stop=task.stop or action.end, may=() if action.end else task.may)


def flip(play: Play, disk: int, vector: Vector) -> tuple[bool, bool]:
    """One flip with its landing (R8.5).

    Says whether anything follows from it, and whether it ends the move (R8.5.5).
    """
    board, now = play.board, play.board.disks[disk]
    x, y, z = now.x + vector[0], now.y + vector[1], board.height + 1
    gained, lost = _repinned(board, replace(now, x=x, y=y, z=z))
    play.emit(DiskFlipped(disk, x, y, z, gained, lost))
    tasks = _landing(play.board, disk, gained)
    play.push(*tasks)
    stop = any(top == disk and state.are_enemies(board, top, bottom) for top, bottom in gained)
    return bool(tasks) or stop, stop


def _repinned(board: Board, landed: Disk) -> tuple[tuple[Pin, ...], tuple[Pin, ...]]:
    """R6.8: a flip lifts the disk, so all its pins end and those of its landing are new, also on the same enemy."""
    table = [placed for placed in state.placed(board) if placed[0] != landed.id]
    table.append((landed.id, landed.x, landed.y, board.profiles[landed.profile].radius, landed.z))
    pins = set(plane.changed_pins(board.pins, table, (landed.id,), board.settings.pins))
    before = set(board.pins)
    gained = {pin for pin in pins if landed.id in pin} | (pins - before)
    lost = {pin for pin in before if landed.id in pin} | (before - pins)
    return tuple(sorted(gained)), tuple(sorted(lost))


def _landing(board: Board, disk: int, gained: Sequence[Pin]) -> list[ImpactWork | TriggerWork]:
    """R-19: Impact, then engage triggers, both fixed at the landing."""
    tasks: list[ImpactWork | TriggerWork] = []
    under = tuple(bottom for top, bottom in gained if top == disk)
    if under and keywords.impact(board.profile(disk)) is not None:
        tasks.append(ImpactWork(disk, under))
    triggers = harm.triggers_of(board, gained)
    if triggers:
        tasks.append(TriggerWork(state.active_seat(board), triggers))
    return tasks


def impact(play: Play, task: ImpactWork) -> None:
    """R8.5.2: X physical damage to each disk that the landing pins, own ones too (R-10)."""
    figure = keywords.impact(play.board.profile(task.disk))
    if figure is None:
        return
    amount, dice = play.amount(figure, "impact")
    because = (Because("R8.5.2", {"impact": amount}),)
    play.emit(ImpactRolled(task.disk, amount, task.on, dice, because))
    harm.strike(play, [Hit(disk, amount, "physical") for disk in task.on], because)


def check_reinforcement(board: Board, seat: Seat, disk: int, x: int, y: int) -> None:
    """R9.1: a disk of the own reserve, wholly inside one of the own zones. R-11: enemies may lie there."""
    if board.disks[disk].seat != seat:
        raise Illegal("not_your_disk", f"disk {disk} is another player's", "R9.1", "$.action.disk")
    if board.disks[disk].place != RESERVE:
        raise Illegal("not_in_reserve", f"disk {disk} is not in the reserve", "R9.1", "$.action.disk")
    if zones.reinforcement_zone(board, disk, x, y) is None:
        raise Illegal("outside_zone", f"({x}, {y}) is not wholly inside a zone of seat {seat}", "R9.1", "$.action")


def reinforce(play: Play, seat: Seat, action: Reinforce) -> None:
    """R9.1, R9.4: no Impact, but engage events; the disk gets its activation token, unless in a rendezvous zone."""
    board = play.board
    zone = zones.reinforcement_zone(board, action.disk, action.x, action.y)
    height = board.height + 1
    landed = replace(board.disks[action.disk], x=action.x, y=action.y, z=height)
    gained, lost = _repinned(board, landed)
    play.emit(ActivationBegan(seat, action.disk))
    play.emit(DiskReinforced(action.disk, action.x, action.y, height, gained, lost))
    play.emit(ActivationEnded(action.disk, marked=not zones.has_ability(board, zone, "rendezvous")))
    harm.engage(play, gained)
