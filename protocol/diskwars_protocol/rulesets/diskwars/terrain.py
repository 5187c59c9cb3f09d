"""What terrain does to the disks on it: who controls a piece, whom it shelters, slows and hides (R10).

Lines of sight are the engine's; hazards.py there decides what happens to a disk that lands.
"""

from functools import lru_cache

from diskwars_protocol import geometry
from diskwars_protocol.match import Seat
from diskwars_protocol.rulesets.diskwars import position
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.keywords import DAMAGE_OF, KeywordForm
from diskwars_protocol.rulesets.diskwars.setup_cards import TerrainPiece

BLOCKS_SIGHT, HIGH_GROUND = "Blocks Sight", "High Ground"
COVER, DEFENSIVE, FORTIFIED = "Cover", "Defensive", "Fortified"
DANGEROUS, ROUGH = "Dangerous", "Rough"
CAVE, WINDMILL = "Cave", "Windmill"

TERRAIN_KEYWORDS: dict[str, KeywordForm] = {
    BLOCKS_SIGHT: KeywordForm("R10.3"),
    CAVE: KeywordForm("R10.11"),
    COVER: KeywordForm("R10.4"),
    DANGEROUS: KeywordForm("R10.5", of=DAMAGE_OF),
    DEFENSIVE: KeywordForm("R10.6"),
    FORTIFIED: KeywordForm("R10.7"),
    HIGH_GROUND: KeywordForm("R10.8"),
    ROUGH: KeywordForm("R10.9"),
    WINDMILL: KeywordForm("R9.6"),
}
"""R16.1: every keyword of a piece of terrain."""


# ---------------------------------------------------------------- on what a disk lies


def has_keyword(piece: TerrainPiece, name: str) -> bool:
    return any(keyword.name == name for keyword in piece.terrain.keywords)


def pieces_under(board: Board, disk: int, x: int, y: int) -> tuple[int, ...]:
    """Return the numbers of the pieces that a disk would lie on at a place: R10.10 what it overlaps itself."""
    r = board.profile(disk).radius
    near = [
        number
        for number, (x0, y0, x1, y1) in enumerate(_bounding_boxes(position.ByIdentity(board.terrain)))
        if x0 - r <= x <= x1 + r and y0 - r <= y <= y1 + r
    ]
    return tuple([n for n in near if geometry.disk_overlaps_polygon(x, y, r, board.terrain[n].corners)])


@lru_cache(maxsize=position.MATCH_CACHE_SIZE)
def _bounding_boxes(terrain: position.ByIdentity[tuple[TerrainPiece, ...]]) -> tuple[geometry.Box, ...]:
    """Return a box around each piece, which rules out most disks quickly."""
    return tuple(geometry.bounding_box(piece.corners) for piece in terrain.value)


def pieces_with_keyword(board: Board, disk: int, name: str) -> list[int]:
    """Return the pieces with a keyword under a disk on the battlefield."""
    return [number for number in board.disks[disk].terrain if has_keyword(board.terrain[number], name)]


def controller(board: Board, number: int) -> Seat | None:
    """R10.2: return who controls a piece: the player with a disk on it and no enemy disk on it."""
    owners = {disk.seat for disk in position.fielded_disks(board) if number in disk.terrain}
    return owners.pop() if len(owners) == 1 else None


def reinforcement_pieces(board: Board, seat: Seat) -> list[int]:
    """R9.6, R-51: the windmills that a player controls and may reinforce onto."""
    return [
        number
        for number, piece in enumerate(board.terrain)
        if has_keyword(piece, WINDMILL) and controller(board, number) == seat
    ]


# ---------------------------------------------------------------- its effects on disks


def dice_after_cover(board: Board, target: int, printed: int) -> int:
    """Return how many dice a ranged attack rolls: R10.4 Cover takes one off, but never the last; R-53 once only."""
    return max(1, printed - 1) if pieces_with_keyword(board, target, COVER) else printed


def is_fortified(board: Board, disk: int) -> bool:
    """R10.7: immune to Impact damage."""
    return bool(pieces_with_keyword(board, disk, FORTIFIED))


def is_hidden_in_cave(board: Board, shooter: int, target: int) -> bool:
    """R-50: a disk in a cave can be shot at from the same cave or from within short range."""
    caves = pieces_with_keyword(board, target, CAVE)
    together = not caves or set(caves) & set(board.disks[shooter].terrain)
    return not together and not position.is_within(board, shooter, target, "short")
