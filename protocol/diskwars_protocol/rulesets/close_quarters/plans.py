"""Plans of movement in close quarters: whether they are legal, and some that are made without a player.

A plan is a point for each model that moves. Only ends are judged, not the way to them.
"""

from collections.abc import Iterable, Sequence
from math import isqrt

from msgspec import Struct

from diskwars_protocol.rulesets.close_quarters import barricade, places, position
from diskwars_protocol.rulesets.close_quarters.actions import Manoeuvre, ModelId, ModelMove, UnitId
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard, Model
from diskwars_protocol.rulesets.close_quarters.position import BASE, INCH, OVERLAP_SQUARED
from diskwars_protocol.rulesets.close_quarters.stats import Barricade
from diskwars_protocol.search_steps import CountSteps, count_nothing

Point = tuple[int, int]

STEP = 25
"""Plans that are made here shorten a way by this much until it is legal."""


class PlanFault(Struct, frozen=True, gc=False):
    """A reason why a plan is not legal. `place` is that of the move, or None if it is not about one move."""

    text: str
    rule: str
    numbers: dict[str, int]
    place: int | None = None


def advance_distance(board: CloseQuartersBoard, unit: UnitId) -> int:
    return INCH * board.profile(board.units[unit]).movement_inches


def double_distance(board: CloseQuartersBoard, unit: UnitId) -> int:
    return 2 * advance_distance(board, unit)


def may_double(board: CloseQuartersBoard) -> bool:
    """Return whether units may move at the double: not in the first turn of a match with a slow start (B-30)."""
    return not (board.slow_start and board.turn == 1)


def consolidation_distance(board: CloseQuartersBoard, unit: UnitId) -> int:
    """Return how far a model consolidates: half its movement, in whole inches (B-15)."""
    return INCH * (board.profile(board.units[unit]).movement_inches // 2)


def command_radius(board: CloseQuartersBoard, unit: UnitId) -> int:
    """Return how far a model may be from its leader, between centres: 2 inches for each die of leadership (B-24)."""
    return 2 * INCH * board.profile(board.units[unit]).leadership


# ---------------------------------------------------------------- what is legal


def find_fault(
    board: CloseQuartersBoard, unit: UnitId, moves: Sequence[ModelMove], distance: int, keeps_away: bool
) -> PlanFault | None:
    """Return the first fault of a plan; `keeps_away` forbids ends within an inch of an enemy. None if it is legal."""
    own = {model.id: model for model in position.models_of(board, unit)}
    for place, move in enumerate(moves):
        fault = _move_fault(board, own, move, place, distance)
        if fault is not None:
            return fault
        if any(move.model == other.model for other in moves[:place]):
            return PlanFault("this model is named twice", "", {"model": move.model}, place)
    ends = {id: (model.x, model.y) for id, model in own.items()}
    ends.update((move.model, (move.x, move.y)) for move in moves)
    moved = [id for id, model in own.items() if ends[id] != (model.x, model.y)]
    if not moved:
        return None
    return (
        _overlap_fault(board, unit, ends, moved)
        or _barricade_fault(board, unit, ends, moved, is_consolidation=not keeps_away)
        or (_nearness_fault(board, unit, ends, moved) if keeps_away else None)
        or _radius_fault(board, unit, ends, distance)
    )


def _move_fault(
    board: CloseQuartersBoard, own: dict[ModelId, Model], move: ModelMove, place: int, distance: int
) -> PlanFault | None:
    model = own.get(move.model)
    if model is None:
        return PlanFault("it is no model of this unit on the table", "", {"model": move.model}, place)
    if not is_on_table(board, (move.x, move.y)):
        return PlanFault("the point is off the table", "B-24", {"model": move.model, "x": move.x, "y": move.y}, place)
    way = (move.x - model.x) ** 2 + (move.y - model.y) ** 2
    if way > distance**2:
        numbers = {"model": move.model, "distance": _root_up(way), "allowed": distance}
        return PlanFault("it is farther than this model may go", "B-24", numbers, place)
    return None


def _overlap_fault(
    board: CloseQuartersBoard, unit: UnitId, ends: dict[ModelId, Point], moved: Sequence[ModelId]
) -> PlanFault | None:
    others = {model.id: (model.x, model.y) for model in position.standing(board) if model.unit != unit}
    for id in moved:
        for other, point in (*others.items(), *ends.items()):
            if other != id and squared(ends[id], point) < OVERLAP_SQUARED:
                return PlanFault("two bases would overlap", "B-24", {"model": id, "other": other})
    return None


def _barricade_fault(
    board: CloseQuartersBoard,
    unit: UnitId,
    ends: dict[ModelId, Point],
    moved: Sequence[ModelId],
    *,
    is_consolidation: bool,
) -> PlanFault | None:
    if board.barricade is None:
        return None
    opponents = position.opponents(board, board.units[unit].side)
    for id in moved:
        if barricade.lies_on(board.barricade, ends[id]):
            return PlanFault("a base would lie on the barricade", "B-26", {"model": id})
        start = (board.models[id].x, board.models[id].y)
        guard = _guard(board.barricade, opponents, start, ends[id]) if is_consolidation else None
        if guard is not None:
            return PlanFault("an enemy guards the barricade there", "B-27", {"model": id, "enemy": guard.id})
    return None


def _guard(line: Barricade, opponents: Iterable[Model], start: Point, end: Point) -> Model | None:
    """Return an enemy in contact with the far side of the barricade that keeps a model from crossing it (B-27)."""
    for enemy in opponents:
        point = (enemy.x, enemy.y)
        is_beyond = barricade.are_on_both_sides(line, start, point) and barricade.touches(line, point)
        if is_beyond and barricade.crosses_near(line, start, end, point):
            return enemy
    return None


def _nearness_fault(
    board: CloseQuartersBoard, unit: UnitId, ends: dict[ModelId, Point], moved: Sequence[ModelId]
) -> PlanFault | None:
    near = position.squared_reach(1)
    for id in moved:
        for enemy in position.enemies(board, board.units[unit].side):
            if squared(ends[id], (enemy.x, enemy.y)) <= near:
                numbers = {"model": id, "enemy": enemy.id}
                return PlanFault("a model may not end within an inch of an enemy", "B-25", numbers)
    return None


def _radius_fault(
    board: CloseQuartersBoard, unit: UnitId, ends: dict[ModelId, Point], distance: int
) -> PlanFault | None:
    """Every model ends in the command radius; one that cannot get there may not end farther off than it was."""
    radius, leader = command_radius(board, unit), position.reference(board, unit)
    for model in position.models_of(board, unit):
        now = squared(ends[model.id], ends[leader.id])
        if now <= radius**2:
            continue
        could_reach = squared((model.x, model.y), ends[leader.id]) <= (radius + distance) ** 2
        if could_reach or now > position.squared_distance(model, leader):
            numbers = {"model": model.id, "distance": _root_up(now), "radius": radius}
            return PlanFault("a model would end outside the command radius", "B-24", numbers)
    return None


def squared(one: Point, other: Point) -> int:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def _root_up(value: int) -> int:
    root = isqrt(value)
    return root if root * root == value else root + 1


def is_on_table(board: CloseQuartersBoard, point: Point) -> bool:
    return 0 <= point[0] <= board.width and 0 <= point[1] <= board.height


# ---------------------------------------------------------------- ready-made plans


def along(start: Point, delta: Point, length: int, distance: int) -> Point:
    """Return the point that is `distance` from `start` along `delta`, which is `length` long (B-17)."""
    return start[0] + _scaled(delta[0], distance, length), start[1] + _scaled(delta[1], distance, length)


def _scaled(component: int, distance: int, length: int) -> int:
    """Return component * distance / length, rounded half away from zero."""
    size = (2 * abs(component) * distance + length) // (2 * length)
    return size if component >= 0 else -size


def shift(board: CloseQuartersBoard, unit: UnitId, dx: int, dy: int) -> tuple[ModelMove, ...]:
    """Return the plan that moves every model of a unit by one vector."""
    return tuple(ModelMove(model.id, model.x + dx, model.y + dy) for model in position.models_of(board, unit))


def approach(
    board: CloseQuartersBoard,
    unit: UnitId,
    distance: int,
    way: int | None = None,
    count: CountSteps = count_nothing,
) -> tuple[ModelMove, ...]:
    """Return the plan that takes a unit in formation to the nearest enemy; empty if it can go nowhere.

    `distance` is how far its models may go, and `way` how far they go at most, as far as that if it is left out.
    """
    leader = position.reference(board, unit)
    enemy = position.nearest(leader, position.enemies(board, board.units[unit].side))
    if enemy is None:
        return ()
    delta = (enemy.x - leader.x, enemy.y - leader.y)
    return _march(board, unit, delta, distance, distance if way is None else way, count, keeps_away=True)


def march(
    board: CloseQuartersBoard,
    unit: UnitId,
    delta: Point,
    distance: int,
    way: int | None = None,
    count: CountSteps = count_nothing,
) -> tuple[ModelMove, ...]:
    """Return the plan that takes a unit in formation along a vector; empty if it can go nowhere.

    `distance` is how far its models may go, and `way` how far they go at most, as far as that if it is left out.
    """
    return _march(board, unit, delta, distance, distance if way is None else way, count, keeps_away=True)


def _march(
    board: CloseQuartersBoard,
    unit: UnitId,
    delta: Point,
    distance: int,
    longest: int,
    count: CountSteps,
    *,
    keeps_away: bool,
) -> tuple[ModelMove, ...]:
    length = isqrt(delta[0] ** 2 + delta[1] ** 2)
    for way in range(longest, 0, -STEP):
        dx, dy = along((0, 0), delta, length, way) if length else (0, 0)
        moves = shift(board, unit, dx, dy)
        count(1 + len(moves))
        # judged by the distance that is allowed: a model that could reach its leader with that has to
        if find_fault(board, unit, moves, distance, keeps_away) is None:
            return moves
    return ()


def manoeuvre_moves(
    board: CloseQuartersBoard, unit: UnitId, manoeuvre: Manoeuvre, count: CountSteps = count_nothing
) -> tuple[ModelMove, ...]:
    """Return a legal plan for a consolidation that names no points (B-15)."""
    distance = consolidation_distance(board, unit)
    match manoeuvre:
        case "hold":
            return ()
        case "break_off":
            leader = position.reference(board, unit)
            enemy = position.nearest(leader, position.opponents(board, board.units[unit].side))
            if enemy is None:
                return ()
            delta = (leader.x - enemy.x, leader.y - enemy.y)
            return _march(board, unit, delta, distance, distance, count, keeps_away=False)
        case "engage":
            return _engage(board, unit, distance, count)


def _engage(board: CloseQuartersBoard, unit: UnitId, distance: int, count: CountSteps) -> tuple[ModelMove, ...]:
    """Return the plan in which each model, the leader first, goes to the nearest free place in contact.

    One that reaches none goes as near to the nearest enemy as it can. If the others could not follow their leader,
    the leader stays.
    """
    opponents = position.opponents(board, board.units[unit].side)
    for leader_goes in (True, False):
        moves = _Engagement(board, unit, opponents, distance, count).moves(leader_goes)
        if find_fault(board, unit, moves, distance, keeps_away=False) is None:
            return moves
    return ()


class _Engagement:
    """The search for places in contact. `_points` are where models stand while one after another is placed."""

    def __init__(
        self,
        board: CloseQuartersBoard,
        unit: UnitId,
        opponents: Sequence[Model],
        distance: int,
        count: CountSteps,
    ) -> None:
        self._count = count
        self._board = board
        self._opponents = opponents
        self._enemy_points = [(enemy.x, enemy.y) for enemy in opponents]
        self._distance = distance
        self._own = position.models_of(board, unit)
        self._leader = position.reference(board, unit).id
        self._radius = command_radius(board, unit)
        self._points = {model.id: (model.x, model.y) for model in position.standing(board)}

    def moves(self, leader_goes: bool) -> tuple[ModelMove, ...]:
        # the others keep to the radius of their leader, so that this one goes first
        ordered = sorted(self._own, key=lambda model: (model.id != self._leader, model.id))
        for model in ordered if leader_goes else ordered[1:]:
            self._points[model.id] = self._find_point(model)
        return tuple(
            ModelMove(model.id, *self._points[model.id])
            for model in self._own
            if self._points[model.id] != (model.x, model.y)
        )

    def _find_point(self, model: Model) -> Point:
        """Return the nearest free place in contact, or else the free place nearest to the nearest enemy (B-15)."""
        start = (model.x, model.y)
        touching = self._terms(model, self._enemy_points)
        found = places.find_nearest(start, start, touching, self._count) if touching.enemies else None
        if found is not None:
            return found
        enemy = position.nearest(model, self._opponents)
        aim = start if enemy is None else (enemy.x, enemy.y)
        found = places.find_nearest(aim, start, self._terms(model, None), self._count)
        return start if found is None else found

    def _terms(self, model: Model, enemies: Sequence[Point] | None) -> places.Terms:
        """Return what a place of a model has to fulfil; to touch one of `enemies` if there are any."""
        board, start, line = self._board, (model.x, model.y), self._board.barricade
        reach = (self._distance + 2 * BASE) ** 2  # enemies farther off cannot be touched, not even across the barricade
        near = None if enemies is None else tuple(point for point in enemies if squared(start, point) <= reach)
        circles = [(start, self._distance**2)]
        if model.id != self._leader:
            circles.append((self._points[self._leader], self._radius**2))
        return places.Terms(
            board.width,
            board.height,
            tuple(circles),
            tuple(point for id, point in self._points.items() if id != model.id and squared(start, point) <= reach),
            near,
            line,
            () if line is None else tuple(point for point in near or () if barricade.touches(line, point)),
            lambda point: line is not None and point != start and self._is_barred(line, start, point),
        )

    def _is_barred(self, line: Barricade, start: Point, point: Point) -> bool:
        return barricade.lies_on(line, point) or _guard(line, self._opponents, start, point) is not None


# ---------------------------------------------------------------- falling back


class Flight(Struct, frozen=True, gc=False):
    """A way for a unit to fall back: from an enemy model, with the ends of its models; `lost` leave the table."""

    enemy: ModelId
    moves: tuple[ModelMove, ...]
    lost: tuple[ModelId, ...]


def fall_back(board: CloseQuartersBoard, unit: UnitId) -> Flight:
    """Return where the models of a unit end that falls back (B-17).

    The foremost goes first, so that those behind find room.
    """
    leader = position.reference(board, unit)
    enemy = position.nearest(leader, position.enemies(board, board.units[unit].side))
    assert enemy is not None  # otherwise the match is over
    delta = (leader.x - enemy.x, leader.y - enemy.y)
    length = isqrt(delta[0] ** 2 + delta[1] ** 2)
    points = {model.id: (model.x, model.y) for model in position.standing(board)}
    foremost = sorted(
        position.models_of(board, unit), key=lambda model: (-(model.x * delta[0] + model.y * delta[1]), model.id)
    )
    for model in foremost:
        others = [point for id, point in points.items() if id != model.id]
        start = (model.x, model.y)
        way = _run(start, delta, length, advance_distance(board, unit), others)
        points[model.id] = _stop_short(board.barricade, start, delta, length, way)
        if not is_on_table(board, points[model.id]):
            del points[model.id]
    own = position.models_of(board, unit)
    return Flight(
        enemy.id,
        tuple(ModelMove(model.id, *points[model.id]) for model in own if model.id in points),
        tuple(model.id for model in own if model.id not in points),
    )


def _stop_short(line: Barricade | None, start: Point, delta: Point, length: int, way: int) -> Point:
    """Return the end of a flight; B-26: one that would end on the barricade stops short of it."""
    while line is not None and way and barricade.lies_on(line, along(start, delta, length, way)):
        way -= 1
    return along(start, delta, length, way)


def _run(start: Point, delta: Point, length: int, distance: int, others: Iterable[Point]) -> int:
    """Return how far a model gets in a straight line, short of any base."""
    reach = distance + BASE
    near = [point for point in others if abs(point[0] - start[0]) <= reach and abs(point[1] - start[1]) <= reach]
    end = along(start, delta, length, distance)
    blocking = [point for point in near if _may_block(start, end, point)]
    if not blocking:
        return distance
    for way in range(1, distance + 1):
        point = along(start, delta, length, way)
        if any(squared(point, other) < OVERLAP_SQUARED for other in blocking):
            return way - 1
    return distance


def _may_block(start: Point, end: Point, point: Point) -> bool:
    """Return whether a point is within a base and a little of the line through start and end, and not behind."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    px, py = point[0] - start[0], point[1] - start[1]
    ahead = px * dx + py * dy
    cross = px * dy - py * dx
    return ahead > 0 and cross * cross <= (BASE + 2) ** 2 * (dx * dx + dy * dy)
