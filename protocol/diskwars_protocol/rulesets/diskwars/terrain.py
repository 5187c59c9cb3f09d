"""Effects of terrain on the disks that lie on it: control, cover, fortification and caves (R10).

Lines of sight are in sight.py; the effects on a disk that lands are left to the engine (hazards.py).
"""

from functools import lru_cache

from msgspec import Struct

from diskwars_protocol import geometry
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import position
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.setup_cards import TerrainKeywordId, TerrainPiece
from diskwars_protocol.rulesets.diskwars.stats import DamageType


class TerrainKeywordForm(Struct, frozen=True):
    """The printed form of a keyword of terrain, and the rule that says what it does.

    `damage_types` are those that it may name in brackets. R13.1: no keyword names untyped damage.
    """

    rule: str
    damage_types: tuple[DamageType, ...] = ()


BLOCKS_SIGHT: TerrainKeywordId = "blocks_sight"
CAVE: TerrainKeywordId = "cave"
COVER: TerrainKeywordId = "cover"
DANGEROUS: TerrainKeywordId = "dangerous"
DEFENSIVE: TerrainKeywordId = "defensive"
FORTIFIED: TerrainKeywordId = "fortified"
HIGH_GROUND: TerrainKeywordId = "high_ground"
ROUGH: TerrainKeywordId = "rough"
WINDMILL: TerrainKeywordId = "windmill"

TERRAIN_KEYWORDS: dict[TerrainKeywordId, TerrainKeywordForm] = {
    BLOCKS_SIGHT: TerrainKeywordForm("R10.3"),
    CAVE: TerrainKeywordForm("R10.11"),
    COVER: TerrainKeywordForm("R10.4"),
    DANGEROUS: TerrainKeywordForm("R10.5", damage_types=("physical", "arcane")),
    DEFENSIVE: TerrainKeywordForm("R10.6"),
    FORTIFIED: TerrainKeywordForm("R10.7"),
    HIGH_GROUND: TerrainKeywordForm("R10.8"),
    ROUGH: TerrainKeywordForm("R10.9"),
    WINDMILL: TerrainKeywordForm("R9.6"),
}
"""R16.1: every keyword of a piece of terrain."""


# ---------------------------------------------------------------- pieces under a disk


def has_keyword(piece: TerrainPiece, id: TerrainKeywordId) -> bool:
    return any(keyword.id == id for keyword in piece.terrain.keywords)


def pieces_under(board: Board, disk: int, x: int, y: int) -> tuple[int, ...]:
    """List the numbers of the pieces that a disk at (x, y) would overlap itself (R10.10)."""
    r = board.profile(disk).radius
    # Most disks are nowhere near a piece, and a bounding box shows that without exact geometry.
    near = [
        number
        for number, (x0, y0, x1, y1) in enumerate(_bounding_boxes(position.ByIdentity(board.terrain)))
        if x0 - r <= x <= x1 + r and y0 - r <= y <= y1 + r
    ]
    return tuple([n for n in near if geometry.disk_overlaps_polygon(x, y, r, board.terrain[n].corners)])


@lru_cache(maxsize=position.MATCH_CACHE_SIZE)
def _bounding_boxes(terrain: position.ByIdentity[tuple[TerrainPiece, ...]]) -> tuple[geometry.Box, ...]:
    """Compute the bounding box of each piece, once for the pieces of a match."""
    return tuple(geometry.bounding_box(piece.corners) for piece in terrain.value)


def pieces_with_keyword(board: Board, disk: int, id: TerrainKeywordId) -> list[int]:
    """List the pieces with a keyword that a fielded disk lies on."""
    return [number for number in board.disks[disk].terrain if has_keyword(board.terrain[number], id)]


def controller(board: Board, number: int) -> Seat | None:
    """Return the seat that controls a piece: the only one with disks on it, or None (R10.2)."""
    owners = {disk.seat for disk in position.fielded_disks(board) if number in disk.terrain}
    return owners.pop() if len(owners) == 1 else None


def reinforcement_pieces(board: Board, seat: Seat) -> list[int]:
    """List the windmills that a seat controls, onto which it may reinforce (R9.6, R-51)."""
    return [
        number
        for number, piece in enumerate(board.terrain)
        if has_keyword(piece, WINDMILL) and controller(board, number) == seat
    ]


# ---------------------------------------------------------------- effects on disks


def dice_after_cover(board: Board, target: int, printed: int) -> int:
    """Return the number of dice that a ranged attack rolls at a target.

    R10.4: Cover removes one die, but never the last. R-53: only once, however many pieces have it.
    """
    return max(1, printed - 1) if pieces_with_keyword(board, target, COVER) else printed


def is_fortified(board: Board, disk: int) -> bool:
    """Return whether a disk is immune to Impact damage (R10.7)."""
    return bool(pieces_with_keyword(board, disk, FORTIFIED))


def is_hidden_in_cave(board: Board, shooter: int, target: int) -> bool:
    """Return whether a cave hides a target from a shooter neither in the same cave nor within short range (R-50)."""
    caves = pieces_with_keyword(board, target, CAVE)
    together = not caves or set(caves) & set(board.disks[shooter].terrain)
    return not together and not position.is_within(board, shooter, target, "short")
