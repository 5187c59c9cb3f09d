"""The end of the game: its conditions, the points of objectives, and the winner (R4.6 to R4.13, R17)."""

from typing import assert_never

from diskwars_engine.rulesets.diskwars import zones
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.setup import scenarios
from diskwars_protocol import geometry
from diskwars_protocol.match.decisions import Reason, Result
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.sealed import if_known
from diskwars_protocol.rulesets.diskwars import position, terrain
from diskwars_protocol.rulesets.diskwars import setup_cards as s
from diskwars_protocol.rulesets.diskwars.board import CASUALTY, RESERVE, Board, Disk
from diskwars_protocol.rulesets.diskwars.events import PhaseBegan, ReservesLost, Scored
from diskwars_protocol.rulesets.diskwars.setup_events import ObjectivesRevealed, RevealedObjective

QUICK_OBJECTIVE: tuple[s.Objective, ...] = (s.SlayUnits(1), s.SlayHeroes(5), s.HoldZones(1))
"""R17.2, R20.2: the objective of every player in a quick setup."""


def score(resolution: Resolution) -> None:
    """Remove the reserves (R4.11), reveal the objectives, and score each player's own (R4.12).

    R19.24: no seat has anything to decide.
    """
    resolution.emit(PhaseBegan("over"))
    left = tuple(
        disk.id
        for disk in resolution.board.disks
        if disk.place == RESERVE and not resolution.board.sides[disk.seat].eliminated
    )
    if left:
        resolution.emit(ReservesLost(left, (Reason("R4.11", {"disks": len(left)}),)))
    if resolution.board.layout.active_scenario:
        revealed = tuple(
            RevealedObjective(side.seat, objective)
            for side in resolution.board.sides
            if (objective := if_known(side.objective)) and not side.eliminated
        )
        resolution.emit(ObjectivesRevealed(revealed, (Reason("R4.12"),)))
    board = resolution.board
    scored = [_points_by_part(board, side.seat) for side in board.sides]
    rule = "R4.12" if board.layout.active_scenario else "R20.2"
    reasons = tuple(Reason(rule, {"seat": seat, **parts}) for seat, parts in enumerate(scored) if parts)
    resolution.emit(Scored(tuple(sum(parts.values()) for parts in scored), reasons))


def _points_by_part(board: Board, seat: Seat) -> dict[str, int]:
    """Return the points of a seat, keyed by the tags of its objective's parts; empty for an eliminated seat."""
    side = board.sides[seat]
    if side.eliminated:
        return {}
    dealt = if_known(side.objective)
    objective = scenarios.scenario_card(board, dealt).objective if dealt else QUICK_OBJECTIVE
    points: dict[str, int] = {}
    for part in objective:
        tag = str(part.__struct_config__.tag)
        points[tag] = points.get(tag, 0) + _points(board, seat, part)
    return points


def _points(board: Board, seat: Seat, part: s.Objective) -> int:
    """Return the points that one part of an objective gives a seat now (R17.3)."""
    own = [disk for disk in position.fielded_disks(board) if disk.seat == seat]
    # only disks in a casualty pile count as destroyed, and they count for each of their enemies.
    fallen = [board.profile(disk.id) for disk in board.disks if disk.seat != seat and disk.place == CASUALTY]
    match part:
        case s.SlayUnits():
            return sum(profile.cost for profile in fallen if profile.kind == "unit") // part.cost
        case s.SlayHeroes():
            return part.points * sum(profile.kind == "hero" for profile in fallen)
        case s.SlayElite():
            return part.points * sum(profile.elite for profile in fallen)
        case s.HoldZones():
            return part.points * sum(zones.is_in_enemy_zone(board, disk.id) for disk in own)
        case s.HoldTerrain():
            return part.points * pieces_held(board, seat)
        case s.HoldMiddle():
            return part.points * sum(_is_in_the_middle(board, disk) for disk in own)
        case s.Survive():
            return part.points * len(own)
        case _:
            assert_never(part)


def pieces_held(board: Board, seat: Seat) -> int:
    """Count the pieces of terrain that a seat controls (R10.2)."""
    return sum(terrain.controller(board, number) == seat for number in range(len(board.terrain)))


def _is_in_the_middle(board: Board, disk: Disk) -> bool:
    """Return whether a disk is within short range of the middle of the battlefield."""
    field = board.field
    radius = board.profile(disk.id).radius
    return geometry.disks_within(disk.x, disk.y, radius, field.width // 2, field.height // 2, 0, field.short)


def result(board: Board) -> Result | None:
    """Return the winner and the reason; None while the game goes on."""
    left = [side.seat for side in board.sides if not side.eliminated]
    if not left:
        return Result("everybody_eliminated", reasons=(Reason("R4.8"),))
    if len(left) == 1:
        return Result("elimination", (left[0],), reasons=(Reason("R4.7"),))
    if board.phase != "over":
        return None
    points = tuple(side.points for side in board.sides)
    # R4.13: of players with equal points, the one earlier in initiative order wins.
    best = max(left, key=lambda seat: (points[seat], -board.order.index(seat)))
    tied = sum(points[seat] == points[best] for seat in left) > 1
    end_reason = "initiative" if tied else "victory_points"
    return Result(end_reason, (best,), points, (Reason("R4.13"),))
