"""Terrain cards: dealt and taken, and their pieces placed on the field (R3.5)."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from msgspec import Struct

from diskwars_engine.ruleset import Dice, Illegal
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.setup import setup_turns
from diskwars_engine.rulesets.diskwars.setup.deployment_cards import FACE_NUMBERS, FACES
from diskwars_engine.rulesets.diskwars.task_rules import MAX_SEARCH_STEPS, OpenQuestions, wrong_action
from diskwars_engine.rulesets.diskwars.tasks import TerrainCardsTask
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol import geometry
from diskwars_protocol.geometry import Point
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars.actions import Action, PlaceTerrain, TerrainQuestion
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.options import Area, DiskwarsOption, DiskwarsOptions, DiskwarsUnavailable
from diskwars_protocol.rulesets.diskwars.setup_cards import TerrainCard
from diskwars_protocol.rulesets.diskwars.setup_events import SetupCardDiscarded, TerrainCardsDealt, TerrainPlaced
from diskwars_protocol.rulesets.diskwars.stats import Field

CARDS_DEALT = 4
"""R3.5: terrain cards dealt, whatever the number of players."""
ROTATION_STEPS = 72
"""Rotations of a piece on the way round."""
STEP_DEGREES = 360 // ROTATION_STEPS
SEARCHED_ROTATIONS = range(0, ROTATION_STEPS, 3)
"""R-57: rotations that the search for a place tries, every 15°."""
GRID_STEPS = 36
"""R-57: steps of the searched grid along each side of the field: an inch each on the usual field."""
SEARCH_STARTS = ((2, 2), (1, 1), (3, 3), (1, 3), (3, 1))
"""Points near which the search starts, in quarters of the field."""
OUTLINES_KEPT = 1024
"""Outlines kept for later searches: a piece has two faces, each in 24 rotations, and a place on the field."""
Corners = tuple[Point, ...]


def deal(resolution: Resolution) -> None:
    """Deal four cards face up, and queue the turns in which players take them, the last player first (R3.5, R18.3)."""
    deck = [card.id for card in resolution.board.layout.terrain]
    if not deck:
        return
    dice = resolution.dice.shuffle(len(deck), "terrain cards")
    cards = tuple(deck[face] for face in dice.results[:CARDS_DEALT])
    resolution.emit(TerrainCardsDealt(cards, dice, (Reason("R3.5"),)))
    resolution.push(TerrainCardsTask(setup_turns.turn_order(resolution.board, len(cards))))


def terrain_card(board: Board, id: str) -> TerrainCard:
    """Return a terrain card of this match by its id. Raises `KeyError`."""
    return board.layout.terrain_card(id)


def questions(board: Board, task: TerrainCardsTask) -> OpenQuestions:
    """Ask the next seat to take a card whose piece fits on the field, if there is one (R19.8, R-28, R-57)."""
    if not task.seats:
        return ()
    fitting = tuple(
        name
        for name in board.layout.offered_cards
        if any(_find_place(board, name, face, WorkBudget(MAX_SEARCH_STEPS)) for face in FACES)
    )
    return ((task.seats[0], TerrainQuestion(fitting)),) if fitting else ()


def unavailable(
    board: Board, seat: Seat, task: TerrainCardsTask, question: TerrainQuestion, work: WorkBudget
) -> Iterator[DiskwarsUnavailable]:
    """Explain which dealt cards have pieces that do not fit on the field (R-28)."""
    for card in board.layout.offered_cards:
        if card not in question.cards:
            yield DiskwarsUnavailable(
                "not_legal", f'"{board.card_name(card)}" has no room on the field', "R-28", card=card
            )


def place(resolution: Resolution, seat: Seat, question: TerrainQuestion, action: PlaceTerrain) -> None:
    """Place the piece of a card inside the field, beyond short range of other pieces and of the edges (R3.5.1).

    Raises `Illegal`.
    """
    board = resolution.board
    if action.card not in question.cards:
        raise Illegal(
            "not_legal", f'"{board.card_name(action.card)}" is not among the cards to take', "R3.5", "$.action.card"
        )
    if action.face not in FACES:
        raise Illegal("not_legal", "a piece has the faces 0 and 1", "R3.5", "$.action.face", FACE_NUMBERS)
    if not 0 <= action.rotation_steps < ROTATION_STEPS:
        raise Illegal(
            "not_legal",
            f"a piece is turned by 0 to {ROTATION_STEPS - 1} steps of {STEP_DEGREES}°",
            "R10.12",
            "$.action.rotation_steps",
            {"least": 0, "most": ROTATION_STEPS - 1, "degrees": STEP_DEGREES},
        )
    terrain = terrain_card(board, action.card).faces[action.face]
    corners = geometry.rotate_polygon(terrain.corners, action.rotation_steps, action.x, action.y)
    if not _is_off_edges(board, corners):
        raise Illegal("not_legal", "the piece would be within short range of an edge", "R3.5.1", "$.action")
    if any(geometry.are_polygons_within(corners, other.corners, board.field.short) for other in board.terrain):
        raise Illegal("not_legal", "the piece would be within short range of another", "R3.5.1", "$.action")
    numbers = {"pieces": len(board.terrain) + 1}
    placed = TerrainPlaced(
        seat=seat,
        card=action.card,
        face=action.face,
        x=action.x,
        y=action.y,
        rotation_steps=action.rotation_steps,
        corners=corners,  # R10.12: only these rounded corners count from now on
        reasons=(Reason("R3.5.1", numbers),),
    )
    resolution.emit(placed)


def answer(
    resolution: Resolution, seat: Seat, task: TerrainCardsTask, question: TerrainQuestion, action: Action
) -> None:
    """Place the piece that a seat takes, and pass the turn to the next seat."""
    if not isinstance(action, PlaceTerrain):
        raise wrong_action(question, action)
    place(resolution, seat, question, action)
    resolution.push(*setup_turns.remaining(task))


def run(resolution: Resolution, task: TerrainCardsTask) -> None:
    """Discard the first card if no piece fits any more, and pass the turn (R3.5.2)."""
    if not task.seats:
        return
    if resolution.board.layout.offered_cards:
        resolution.emit(SetupCardDiscarded(task.seats[0], resolution.board.layout.offered_cards[0], (Reason("R-28"),)))
    resolution.push(*setup_turns.remaining(task))


def _is_off_edges(board: Board, corners: Corners) -> bool:
    field = board.field
    return geometry.is_polygon_inside_rectangle(corners, 0, 0, field.width, field.height, field.short + 1)


# ---------------------------------------------------------------- a place for a piece


class _Outline(Struct, frozen=True):
    """The corners of a piece with two shapes that compare faster: a circle inside it and a box around it."""

    corners: geometry.Polygon
    circle: geometry.Circle
    box: geometry.Box


@lru_cache(OUTLINES_KEPT)
def _outline(corners: geometry.Polygon, rotation_steps: int = 0) -> _Outline:
    turned = geometry.rotate_polygon(corners, rotation_steps) if rotation_steps else corners
    return _Outline(turned, geometry.inscribed_circle(turned), geometry.bounding_box(turned))


def _find_place(board: Board, name: str, face: int, work: WorkBudget) -> PlaceTerrain | None:
    """Find the legal place of a grid nearest to a start point that differs from card to card (R-57)."""
    corners, field = terrain_card(board, name).faces[face].corners, board.field
    grid = _grid_places(
        field.width, field.height, (board.layout.offered_cards.index(name) + len(board.terrain)) % len(SEARCH_STARTS)
    )
    pieces = [_outline(piece.corners) for piece in board.terrain]
    for turn in SEARCHED_ROTATIONS:
        work.spend(1 + len(pieces))
        outline = _outline(corners, turn)
        # Most places fall to these pairs of circles: the places of the piece at which its own reaches another's.
        u, v, r = outline.circle
        rejecting = [(x - u, y - v, (r + s + field.short) ** 2) for x, y, s in (piece.circle for piece in pieces)]
        for x, y in _places_off_edges(field, outline.box, grid):
            if any((x - cx) ** 2 + (y - cy) ** 2 <= limit for cx, cy, limit in rejecting):
                continue
            if not any(_is_near_piece(outline, x, y, piece, field.short) for piece in pieces):
                return PlaceTerrain(name, face, x, y, turn)
    return None


def _is_near_piece(outline: _Outline, x: int, y: int, piece: _Outline, reach: int) -> bool:
    """Return whether an outline moved to a place would be within reach of a piece on the field."""
    x0, y0, x1, y1 = outline.box
    if not geometry.are_boxes_within((x + x0, y + y0, x + x1, y + y1), piece.box, reach):
        return False
    moved = tuple((x + dx, y + dy) for dx, dy in outline.corners)
    return geometry.are_polygons_within(moved, piece.corners, reach)


def _places_off_edges(field: Field, box: geometry.Box, grid: Sequence[Point]) -> Iterator[Point]:
    """Yield the places at which a piece with this bounding box is beyond short range of all edges.

    The same test as `_is_off_edges`, on the box alone.
    """
    x0, y0, x1, y1 = box
    margin = field.short + 1
    low_x, high_x, low_y, high_y = margin - x0, field.width - margin - x1, margin - y0, field.height - margin - y1
    return (place for place in grid if low_x <= place[0] <= high_x and low_y <= place[1] <= high_y)


@cache
def _grid_places(width: int, height: int, start: int) -> tuple[Point, ...]:
    """List every place that the search tries, the nearest to a start point first; `start` indexes `SEARCH_STARTS`."""
    u, v = SEARCH_STARTS[start]
    near_x, near_y = width * u // 4, height * v // 4
    places = [
        (width * i // GRID_STEPS, height * j // GRID_STEPS) for i in range(1, GRID_STEPS) for j in range(1, GRID_STEPS)
    ]
    return tuple(sorted(places, key=lambda place: ((place[0] - near_x) ** 2 + (place[1] - near_y) ** 2, place)))


def options(
    board: Board, seat: Seat, task: TerrainCardsTask, question: TerrainQuestion, work: WorkBudget
) -> DiskwarsOptions:
    """Offer each face of each card that fits, with the area of its piece."""
    field, margin = board.field, board.field.short + 1
    area = Area(margin, margin, field.width - margin, field.height - margin, gap=field.short)  # R3.5.1
    examples = [_find_place(board, name, face, work) for name in question.cards for face in FACES]
    return DiskwarsOptions(
        parametric=tuple(DiskwarsOption(example, areas=(area,)) for example in examples if example is not None)
    )


def default(board: Board, seat: Seat, task: TerrainCardsTask, question: TerrainQuestion, dice: Dice) -> Action:
    """Take the first card and face that fit."""
    examples = (
        _find_place(board, name, face, WorkBudget(MAX_SEARCH_STEPS)) for name in question.cards for face in FACES
    )
    return next(example for example in examples if example is not None)
