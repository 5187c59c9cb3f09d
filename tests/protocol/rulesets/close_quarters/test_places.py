"""The nearest place for a base, against a search through all points, and the orders that use it (B-15)."""

import random
from collections.abc import Iterator, Sequence

import pytest
from msgspec.structs import replace

from diskwars_engine.rulesets.close_quarters import offers
from diskwars_protocol.rulesets.close_quarters import barricade, places, plans, position
from diskwars_protocol.rulesets.close_quarters.actions import ConsolidateBy, ModelMove
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard, Model
from diskwars_protocol.rulesets.close_quarters.stats import Barricade
from tests.engine.rulesets.close_quarters.close_quarters_positions import (
    CLOSE_QUARTERS,
    find,
    in_cycle,
    lay_out,
    options_of,
    refusal,
    squad,
)
from tests.engine.rulesets.number_dice import NumberDice

Point = tuple[int, int]
LINE = Barricade(1200, 400, 1200, 1200)
MAX_SQUARES = 6_000
"""A bound for the squares of one search: the table has 3.8 million points."""


def test_place_between_a_friend_and_an_enemy_is_found() -> None:
    """B-15: (1281, 886) and its mirror image touch the enemy and clear the friend; the nearest is a little nearer."""
    board = lay_out(squad(0, (1000, 800)), squad(0, (1233, 800)), squad(1, (1335, 800)))
    (move,) = plans.manoeuvre_moves(board, 0, "engage")
    assert (move.x, move.y) == (1279, 713)
    assert (move.x, move.y) == nearest_place(board, board.models[0], {})
    assert plans.squared((1279, 713), (1000, 800)) < plans.squared((1281, 886), (1000, 800)) <= 300**2


# ---------------------------------------------------------------- against a search through all points


def all_points(centre: Point, reach: int) -> Iterator[Point]:
    for x in range(centre[0] - reach, centre[0] + reach + 1):
        for y in range(centre[1] - reach, centre[1] + reach + 1):
            yield x, y


RING = [(dx, dy) for dx, dy in all_points((0, 0), 104) if 98**2 <= dx * dx + dy * dy <= 104**2]
"""How another base lies that touches one."""


def nearest_place(board: CloseQuartersBoard, model: Model, moved: dict[int, Point]) -> Point | None:
    """Try every point near every enemy, each condition of the rules written out; None without a place in contact."""
    unit = board.units[model.unit]
    allowed = 100 * (board.profile(unit).movement_inches // 2)
    start = (model.x, model.y)
    bases = {other.id: moved.get(other.id, (other.x, other.y)) for other in board.models if other.id != model.id}
    enemies = [
        (other.x, other.y)
        for other in board.models
        if board.units[other.unit].side != unit.side and not board.units[other.unit].has_fallen_back
    ]
    found = []
    for enemy in enemies:
        for dx, dy in RING:
            x, y = enemy[0] + dx, enemy[1] + dy
            way = (x - start[0]) ** 2 + (y - start[1]) ** 2
            if way > allowed**2 or not (0 <= x <= board.width and 0 <= y <= board.height):
                continue
            if all((x - other[0]) ** 2 + (y - other[1]) ** 2 >= 98**2 for other in bases.values()):
                found.append((way, x, y))
    return min(found)[1:] if found else None


def random_points(rng: random.Random, count: int) -> list[Point]:
    points: list[Point] = []
    while len(points) < count:
        point = (rng.randrange(900, 1300), rng.randrange(0, 400))
        if all((point[0] - x) ** 2 + (point[1] - y) ** 2 >= 98**2 for x, y in points):
            points.append(point)
    return points


def test_single_models_go_to_the_nearest_free_place_in_contact() -> None:
    """B-15: in crowds at the edge of the table; each model is a unit of its own, so that no leader holds it."""
    rng = random.Random(15)
    touching = 0
    for number in range(30):
        points = random_points(rng, 9)
        movement = rng.choice((2, 4, 6))
        board = lay_out(
            squad(0, points[0], movement_inches=movement),
            *(squad(rng.randrange(2), point) for point in points[1:7]),
            *(squad(1, point, has_fallen_back=True) for point in points[7:]),
        )
        expected = nearest_place(board, board.models[0], {})
        moves = plans.manoeuvre_moves(board, 0, "engage")
        if expected is not None:
            touching += 1
            assert [(move.x, move.y) for move in moves] == [expected] * (expected != points[0]), number
        else:
            after = moved_board(board, moves)
            assert not position.is_engaged(after, after.models[0]), number
    assert 8 <= touching < 30


def moved_board(board: CloseQuartersBoard, moves: Sequence[ModelMove]) -> CloseQuartersBoard:
    ends = {move.model: move for move in moves}
    models = [replace(m, x=ends[m.id].x, y=ends[m.id].y) if m.id in ends else m for m in board.models]
    return replace(board, models=tuple(models))


def test_a_model_that_reaches_no_contact_goes_as_near_as_it_can() -> None:
    """B-15: round a friend in its way, to the point nearest to the enemy, as a search through all points finds it."""
    board = lay_out(squad(0, (1000, 800), movement_inches=2), squad(0, (1110, 790)), squad(1, (1400, 800)))
    start, friend, enemy = (1000, 800), (1110, 790), (1400, 800)
    allowed = [
        point
        for point in all_points(start, 100)
        if plans.squared(point, start) <= 100**2 and plans.squared(point, friend) >= 98**2
    ]
    nearest = min(allowed, key=lambda point: (plans.squared(point, enemy), plans.squared(point, start), point))
    (move,) = plans.manoeuvre_moves(board, 0, "engage")
    assert (move.x, move.y) == nearest


# ---------------------------------------------------------------- squads, barricades, offers


def random_board(rng: random.Random, line: Barricade | None) -> CloseQuartersBoard:
    points: list[Point] = []
    while len(points) < 14:
        point = (rng.randrange(950, 1500), rng.randrange(300, 900))
        on_line = line is not None and barricade.lies_on(line, point)
        if not on_line and all((point[0] - x) ** 2 + (point[1] - y) ** 2 >= 98**2 for x, y in points):
            points.append(point)
    own = squad(0, *points[:5], movement_inches=rng.choice((1, 3, 6)), leadership=rng.choice((1, 2, 4)))
    gone = squad(1, *points[12:], has_fallen_back=rng.random() < 0.3)
    return lay_out(own, squad(0, *points[5:8]), squad(1, *points[8:12]), gone, barricade=line)


@pytest.mark.parametrize("line", [None, LINE], ids=["open", "barricade"])
def test_orders_are_offered_exactly_when_they_are_accepted_and_move_legally(line: Barricade | None) -> None:
    """B-15: what is offered is carried out and moves somebody; what is not is refused and explained."""
    rng = random.Random(16)
    offered = dict.fromkeys(offers.MANOEUVRES, 0)
    for _ in range(30):
        board = in_cycle(random_board(rng, line), step="consolidate")
        ((seat, question),) = CLOSE_QUARTERS.questions(board)
        actions = options_of(board).actions
        told = {entry.manoeuvre for entry in CLOSE_QUARTERS.unavailable(board, seat, question)}
        for manoeuvre in offers.MANOEUVRES:
            if ConsolidateBy(manoeuvre) in actions:
                offered[manoeuvre] += 1
                dice = NumberDice([3] * 500)  # for what follows from it
                event = find(
                    CLOSE_QUARTERS.decide(board, seat, question, ConsolidateBy(manoeuvre), dice).events,
                    "unit_consolidated",
                )
                assert manoeuvre not in told
                assert bool(event.moves) == (manoeuvre != "hold")
                distance = plans.consolidation_distance(board, 0)
                assert plans.find_fault(board, 0, event.moves, distance, keeps_away=False) is None
            else:
                assert manoeuvre in told
                assert refusal(board, ConsolidateBy(manoeuvre)).rule == "B-15"
    assert offered["hold"] == 30
    assert 0 < offered["engage"] <= 30
    assert 0 < offered["break_off"] <= 30


def test_a_search_looks_at_few_squares(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted, not timed: eight models among sixteen others, most of which find a place."""
    looked, consider = [0], places._consider

    def counted(*arguments: object) -> None:
        looked[0] += 1
        consider(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(places, "_consider", counted)
    rng = random.Random(17)
    for line in (None, LINE):
        for _ in range(10):
            looked[0] = 0
            plans.manoeuvre_moves(random_board(rng, line), 0, "engage")
            assert looked[0] <= MAX_SQUARES
