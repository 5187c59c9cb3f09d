"""Tests of whether a place is inside an `Area` of an option.

They say the same as the engine's checks of a placement; a property test compares the two.
"""

from collections.abc import Iterable

from diskwars_protocol import geometry
from diskwars_protocol.rulesets.diskwars import position
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.options import Area


def is_disk_in_area(board: Board, disk: int, x: int, y: int, area: Area) -> bool:
    """Return whether a disk with its centre at (x, y) meets every condition of an area."""
    radius = board.profile(disk).radius
    if not geometry.is_inside_rectangle(x, y, radius, area.x0, area.y0, area.x1, area.y1):
        return False
    if area.piece is not None and not geometry.disk_overlaps_polygon(x, y, radius, board.terrain[area.piece].corners):
        return False
    if area.near is not None and area.reach is not None:
        near = board.disks[area.near]
        if not geometry.disks_within(x, y, radius, near.x, near.y, board.profile(near.id).radius, area.reach):
            return False
    if area.outside_enemy_zones and position.overlaps_enemy_zone(board, disk, x, y):
        return False
    if not area.onto and area.enemies == "any":
        return True
    under = [placed[0] for placed in position.overlapped_disks(board, disk, x, y, radius)]
    if area.onto and not set(area.onto) & set(under):
        return False
    if area.enemies == "not_pinned":
        under = [pin.bottom for pin in position.pins_if_placed(board, disk, x, y)]
    return area.enemies == "any" or not any(position.are_enemies(board, disk, other) for other in under)


def is_piece_in_area(board: Board, corners: geometry.Polygon, area: Area) -> bool:
    """Return whether a piece of terrain with these corners meets the conditions of an area."""
    if not geometry.is_polygon_inside_rectangle(corners, area.x0, area.y0, area.x1, area.y1, 0):
        return False
    return area.gap is None or not any(
        geometry.are_polygons_within(corners, other.corners, area.gap) for other in board.terrain
    )


def is_disk_in_any_area(board: Board, disk: int, x: int, y: int, areas: Iterable[Area]) -> bool:
    """Return whether a disk with its centre at (x, y) is inside one of several areas."""
    return any(is_disk_in_area(board, disk, x, y, area) for area in areas)
