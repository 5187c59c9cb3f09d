"""Lines of sight past blocking terrain (R11). Disks never block."""

from functools import lru_cache

from diskwars_protocol import geometry
from diskwars_protocol.geometry import Segment
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.rulesets.diskwars import position
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.setup_cards import TerrainPiece
from diskwars_protocol.rulesets.diskwars.terrain import BLOCKS_SIGHT, HIGH_GROUND, has_keyword, pieces_with_keyword

SIGHT_CACHE_SIZE = 256
"""Lines of sight in the cache; each is needed several times for one shot."""


def sight(board: Board, viewer: int, other: int) -> Segment | None:
    """Return a line of sight past every blocking piece, or None (R11.2).

    A piece that either disk lies on does not block.
    """
    return _sight(_circle(board, viewer), _circle(board, other), position.ByIdentity(board.terrain))


@lru_cache(maxsize=SIGHT_CACHE_SIZE)
def _sight(
    viewer: geometry.Circle, other: geometry.Circle, terrain: position.ByIdentity[tuple[TerrainPiece, ...]]
) -> Segment | None:
    """Find a line of sight between two circles.

    Cached, because availability, legality and the reason of a shot each need it. The key is what the answer depends
    on: two places and the set of pieces, so an entry cannot become stale.
    """
    return geometry.find_sight(*viewer, *other, _blockers(terrain))


def _circle(board: Board, disk: int) -> geometry.Circle:
    now = board.disks[disk]
    return now.x, now.y, board.profiles[now.profile].radius


@lru_cache(maxsize=position.MATCH_CACHE_SIZE)
def _blockers(terrain: position.ByIdentity[tuple[TerrainPiece, ...]]) -> tuple[geometry.Polygon, ...]:
    return tuple(piece.corners for piece in terrain.value if has_keyword(piece, BLOCKS_SIGHT))


def sees(board: Board, viewer: int, other: int) -> bool:
    """Return whether one disk sees another (R11.1).

    Disks never block. From High Ground everything is seen, but this does not work toward it (R10.8, R-22).
    """
    # The cheap tests come first: without blocking pieces no geometry is needed.
    if (
        viewer == other
        or not _blockers(position.ByIdentity(board.terrain))
        or pieces_with_keyword(board, viewer, HIGH_GROUND)
    ):
        return True
    return sight(board, viewer, other) is not None


def sight_reasons(board: Board, viewer: int, other: int) -> tuple[Reason, ...]:
    """Return the reason why a disk sees another: a line of sight, or High Ground; empty if nothing could block."""
    if viewer == other or not _blockers(position.ByIdentity(board.terrain)):
        return ()
    line = sight(board, viewer, other)
    if line is None:
        return (Reason("R10.8", {"piece": pieces_with_keyword(board, viewer, HIGH_GROUND)[0]}),)
    (x0, y0), (x1, y1) = line
    return (Reason("R11.2", {"x0": x0, "y0": y0, "x1": x1, "y1": y1}),)
