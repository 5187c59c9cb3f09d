"""When is the game over, and who has won (R4.6 to R4.13)?

Must not know how anything came about.
"""

from diskwars_engine.diskwars import state
from diskwars_engine.diskwars.evolve import Play
from diskwars_protocol import plane
from diskwars_protocol.diskwars.board import CASUALTY, RESERVE, Board, Disk
from diskwars_protocol.diskwars.events import PhaseBegan, ReservesLost, Scored
from diskwars_protocol.match import Because, Result, Seat

HERO_POINTS = 5
"""R20.2: for each destroyed enemy hero."""


def score(play: Play) -> None:
    """R4.11: first reserves are lost; then everybody scores the one house objective (R20.2)."""
    play.emit(PhaseBegan("over"))
    left = tuple(disk.id for disk in play.board.disks if disk.place == RESERVE and not play.board.sides[disk.seat].out)
    if left:
        play.emit(ReservesLost(left, (Because("R4.11", {"disks": len(left)}),)))
    points = tuple(_points(play.board, side.seat) for side in play.board.sides)
    play.emit(Scored(points, (Because("R20.2"),)))


def _points(board: Board, seat: Seat) -> int:
    """R20.2: the cost of every destroyed enemy unit, five for a hero, one for each own disk in an enemy zone."""
    if board.sides[seat].out:
        return 0
    fallen = [board.profile(d.id) for d in board.disks if d.seat != seat and d.place == CASUALTY]
    held = [d for d in state.fielded(board) if d.seat == seat and _is_in_enemy_zone(board, d)]
    return sum(HERO_POINTS if profile.kind == "hero" else profile.cost for profile in fallen) + len(held)


def _is_in_enemy_zone(board: Board, disk: Disk) -> bool:
    radius = board.profile(disk.id).radius
    return any(
        zone.seat != disk.seat and plane.inside_rectangle(disk.x, disk.y, radius, zone.x0, zone.y0, zone.x1, zone.y1)
        for zone in board.zones
    )


def result(board: Board) -> Result | None:
    """Who has won and why; None while the game goes on."""
    left = [side.seat for side in board.sides if not side.out]
    if not left:
        return Result(None, "everybody eliminated", because=(Because("R4.8"),))
    if len(left) == 1:
        return Result(left[0], "elimination", because=(Because("R4.7"),))
    if board.phase != "over":
        return None
    points = tuple(side.points for side in board.sides)
    # R4.13 of equal players the one earlier in initiative order
    best = max(left, key=lambda seat: (points[seat], -board.order.index(seat)))
    tied = sum(points[seat] == points[best] for seat in left) > 1
    why = "initiative, after equal points" if tied else "victory points"
    return Result(best, why, points, (Because("R4.13"),))
