"""Terrain cards in the setup: dealt, taken, and their pieces placed (R3.5)."""

from collections.abc import Iterator, Sequence
from functools import cache

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import deployment_cards
from diskwars_engine.rulesets.diskwars.play import Play
from diskwars_protocol import geometry
from diskwars_protocol.match import Reason, Seat
from diskwars_protocol.rulesets.diskwars.actions import PlaceTerrain, TerrainQuestion
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import (
    SetupCardDiscarded,
    TerrainCardsDealt,
    TerrainCardsTask,
    TerrainPlaced,
)
from diskwars_protocol.rulesets.diskwars.options import Area, DiskwarsOption, DiskwarsOptions
from diskwars_protocol.rulesets.diskwars.setup_cards import TerrainCard, TerrainPiece
from diskwars_protocol.rulesets.diskwars.stats import Field

CARDS_DEALT = 4
"""R3.5: how many terrain cards are dealt, however many play."""
ROTATION_STEPS = 72
SEARCHED_ROTATIONS = range(0, ROTATION_STEPS, 3)
"""R-57: turns that the search for a place tries, every 15°."""
GRID_STEPS = 36
"""R-57: the search tries the places at every 36th part of the field's sides: an inch on the usual field."""
SEARCH_STARTS = ((2, 2), (1, 1), (3, 3), (1, 3), (3, 1))
"""Where it begins, in quarters of the field."""
Point = tuple[int, int]
Corners = tuple[Point, ...]


def deal(play: Play) -> None:
    """R3.5, R18.3: four face up, taken by one player after another, the last player first."""
    deck = [card.name for card in play.board.layout.terrain]
    if not deck:
        return
    dice = play.dice.shuffle(len(deck), "terrain cards")
    cards = tuple(deck[face] for face in dice.faces[:CARDS_DEALT])
    play.emit(TerrainCardsDealt(cards, dice, (Reason("R3.5"),)))
    play.push(TerrainCardsTask(deployment_cards.turn_order(play.board, len(cards))))


def terrain_card(board: Board, name: str) -> TerrainCard:
    """Return a terrain card of this match by its name."""
    return next(one for one in board.layout.terrain if one.name == name)


def question(board: Board) -> TerrainQuestion | None:
    """Return the cards whose pieces fit somewhere (R-28, R-57); None when none does."""
    hearts = _inscribed_circles(board)
    fitting = tuple(
        name
        for name in board.layout.offered_cards
        if any(_find_place(board, hearts, name, face) for face in deployment_cards.FACES)
    )
    return TerrainQuestion(fitting) if fitting else None


def discard_unplaceable(play: Play, seat: Seat) -> None:
    """R3.5.2: discard the first card when no remaining piece fits."""
    if play.board.layout.offered_cards:
        play.emit(SetupCardDiscarded(seat, play.board.layout.offered_cards[0], (Reason("R-28"),)))


def place(play: Play, seat: Seat, ask: TerrainQuestion, action: PlaceTerrain) -> None:
    """R3.5.1: wholly inside, and not within short range of another piece or of an edge."""
    board = play.board
    if action.card not in ask.cards:
        raise Illegal("not_legal", f'"{action.card}" is not among the cards to take', "R3.5", "$.action.card")
    if action.face not in deployment_cards.FACES:
        raise Illegal("not_legal", "a piece has the faces 0 and 1", "R3.5", "$.action.face")
    if not 0 <= action.turn < ROTATION_STEPS:
        raise Illegal(
            "not_legal", f"a piece is turned by 0 to {ROTATION_STEPS - 1} steps of 5°", "R10.12", "$.action.turn"
        )
    terrain = terrain_card(board, action.card).faces[action.face]
    corners = geometry.rotate_polygon(terrain.corners, action.turn, action.x, action.y)
    if not _is_off_edges(board, corners):
        raise Illegal("not_legal", "the piece would be within short range of an edge", "R3.5.1", "$.action")
    if any(geometry.are_polygons_within(corners, other.corners, board.field.short) for other in board.terrain):
        raise Illegal("not_legal", "the piece would be within short range of another", "R3.5.1", "$.action")
    piece = TerrainPiece(terrain, corners)  # R10.12 only these corners count from now on
    numbers = {"pieces": len(board.terrain) + 1}
    placed = TerrainPlaced(
        seat, action.card, action.face, action.x, action.y, action.turn, piece, (Reason("R3.5.1", numbers),)
    )
    play.emit(placed)


def _is_off_edges(board: Board, corners: Corners) -> bool:
    field = board.field
    return geometry.is_polygon_inside_rectangle(corners, 0, 0, field.width, field.height, field.short + 1)


# ---------------------------------------------------------------- a place for a piece


def _inscribed_circles(board: Board) -> list[geometry.Circle]:
    """Return the inscribed circles of the pieces on the field."""
    return [geometry.inscribed_circle(piece.corners) for piece in board.terrain]


def _find_place(board: Board, hearts: Sequence[geometry.Circle], name: str, face: int) -> PlaceTerrain | None:
    """R-57: the first legal place on a grid, nearest to a spot that differs from card to card; None without one."""
    corners, field = terrain_card(board, name).faces[face].corners, board.field
    grid = _grid_places(
        field.width, field.height, (board.layout.offered_cards.index(name) + len(board.terrain)) % len(SEARCH_STARTS)
    )
    for turn in SEARCHED_ROTATIONS:
        turned = geometry.rotate_polygon(corners, turn)
        u, v, r = geometry.inscribed_circle(turned) if hearts else (0, 0, 0)
        for x, y in _places_off_edges(field, geometry.bounding_box(turned), grid):
            if any(geometry.disks_within(x + u, y + v, r, *heart, field.short) for heart in hearts):
                continue  # nearly all that are too near are that near
            moved = tuple((x + dx, y + dy) for dx, dy in turned)
            if not any(geometry.are_polygons_within(moved, piece.corners, field.short) for piece in board.terrain):
                return PlaceTerrain(name, face, x, y, turn)
    return None


def _places_off_edges(field: Field, box: geometry.Box, grid: Sequence[Point]) -> Iterator[Point]:
    """Return the places at which a piece in this box would not be within short range of an edge; as `_is_off_edges`."""
    x0, y0, x1, y1 = box
    away = field.short + 1
    low_x, high_x, low_y, high_y = away - x0, field.width - away - x1, away - y0, field.height - away - y1
    return (place for place in grid if low_x <= place[0] <= high_x and low_y <= place[1] <= high_y)


@cache
def _grid_places(width: int, height: int, spot: int) -> tuple[Point, ...]:
    """Return every place that the search tries, the nearest to a spot first."""
    u, v = SEARCH_STARTS[spot]
    near_x, near_y = width * u // 4, height * v // 4
    places = [
        (width * i // GRID_STEPS, height * j // GRID_STEPS) for i in range(1, GRID_STEPS) for j in range(1, GRID_STEPS)
    ]
    return tuple(sorted(places, key=lambda place: ((place[0] - near_x) ** 2 + (place[1] - near_y) ** 2, place)))


def options(board: Board, ask: TerrainQuestion) -> DiskwarsOptions:
    """Return a parametric option for each card and side: corners inside the area, clear of other pieces."""
    field, edge = board.field, board.field.short + 1
    area = Area(edge, edge, field.width - edge, field.height - edge)
    hearts = _inscribed_circles(board)
    found = [_find_place(board, hearts, name, face) for name in ask.cards for face in deployment_cards.FACES]
    return DiskwarsOptions(
        parametric=tuple(DiskwarsOption(example, areas=(area,)) for example in found if example is not None)
    )


def default(board: Board, ask: TerrainQuestion) -> PlaceTerrain:
    """Return the first that fits."""
    hearts = _inscribed_circles(board)
    found = (_find_place(board, hearts, name, face) for name in ask.cards for face in deployment_cards.FACES)
    return next(example for example in found if example is not None)
