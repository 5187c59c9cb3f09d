"""Queries on a board of close quarters: distances, contact, who is in the combat, and who can be fired at."""

from collections.abc import Iterable
from itertools import combinations

from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.tasks import Standing
from diskwars_protocol.rulesets.close_quarters import barricade
from diskwars_protocol.rulesets.close_quarters.actions import ModelId, SideId, UnitId
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard, Model, Unit

INCH = 100
BASE = INCH
"""Every base is round, and an inch across."""
CONTACT_SQUARED = 104**2
OVERLAP_SQUARED = 98**2
"""Bases touch from 98 to 104: points are whole numbers, so that contact needs a tolerance."""
COMBAT_RANGE = 6
LEADER_POINTS, MODEL_POINTS = 2, 1


def squared_distance(one: Model, other: Model) -> int:
    """Return the squared distance of two centres."""
    return (one.x - other.x) ** 2 + (one.y - other.y) ** 2


def squared_reach(inches: int) -> int:
    """Return the greatest squared distance of the centres of two bases that are this near, edge to edge."""
    return (INCH * inches + BASE) ** 2


def is_within(one: Model, other: Model, inches: int) -> bool:
    return squared_distance(one, other) <= squared_reach(inches)


# ---------------------------------------------------------------- units and models


def standing(board: CloseQuartersBoard) -> list[Model]:
    """List the models on the table, by number."""
    return [model for model in board.models if model.is_standing]


def models_of(board: CloseQuartersBoard, unit: UnitId) -> list[Model]:
    """List the models of a unit on the table, by number."""
    return [model for model in board.models if model.unit == unit and model.is_standing]


def living_leader(board: CloseQuartersBoard, unit: UnitId) -> Model | None:
    return next((model for model in models_of(board, unit) if model.is_leader), None)


def reference(board: CloseQuartersBoard, unit: UnitId) -> Model:
    """Return the model from which a unit is measured: its leader, or else the one with the lowest number."""
    return living_leader(board, unit) or models_of(board, unit)[0]


def fielded(board: CloseQuartersBoard) -> list[Unit]:
    """List the units that have models on the table."""
    alive = {model.unit for model in board.models if model.is_standing}
    return [unit for unit in board.units if unit.id in alive]


def side_of(board: CloseQuartersBoard, model: Model) -> SideId:
    return board.units[model.unit].side


def enemies(board: CloseQuartersBoard, side: SideId) -> list[Model]:
    """List the models on the table that are not of this side."""
    return [model for model in board.models if model.is_standing and board.units[model.unit].side != side]


def opponents(board: CloseQuartersBoard, side: SideId) -> list[Model]:
    """List the enemies of a side that take part in this turn: units that fell back do not (B-17)."""
    return [model for model in enemies(board, side) if not board.units[model.unit].has_fallen_back]


def points(board: CloseQuartersBoard, side: SideId) -> int:
    """Return the model points of a side (B-23)."""
    return sum(
        LEADER_POINTS if model.is_leader else MODEL_POINTS
        for model in standing(board)
        if board.units[model.unit].side == side
    )


def living_sides(board: CloseQuartersBoard) -> list[SideId]:
    return sorted({unit.side for unit in fielded(board)})


def asked_first(board: CloseQuartersBoard, units: Iterable[UnitId]) -> tuple[Seat, list[UnitId]]:
    """Return which player decides next about some units of a side, and their own of these (B-0)."""
    waiting = sorted(units)
    seat = min(board.units[unit].seat for unit in waiting)
    return seat, [unit for unit in waiting if board.units[unit].seat == seat]


# ---------------------------------------------------------------- ground and task


def is_on_high_ground(board: CloseQuartersBoard, model: Model) -> bool:
    """Return whether the centre of a model is on a hill (B-28)."""
    return any(hill.contains(model.x, model.y) for hill in board.high_ground)


def task_standings(board: CloseQuartersBoard) -> tuple[Standing, Standing]:
    """Return how both sides stand to the task of the scenario (B-29). Models of units that fell back hold no ground."""
    first, second = (_standing(board, side) for side in (0, 1))
    return first, second


def _standing(board: CloseQuartersBoard, side: SideId) -> Standing:
    task = board.task
    left = [model for model in standing(board) if board.units[model.unit].side == side]
    if task is None or task.zone is None:
        return Standing(len(left), 0)
    zone = task.zone
    inside = {
        model.id
        for model in left
        if zone.contains(model.x, model.y)
        and not board.units[model.unit].has_fallen_back
        and (task.kind == "hold" or not is_engaged(board, model))
    }
    own = [model for model in board.models if board.units[model.unit].side == side]
    # A position that a branch begins with may name a piece that its side does not have.
    if task.piece is None or side != task.side or task.piece >= len(own):
        return Standing(len(left), len(inside))
    piece = own[task.piece]
    return Standing(len(left), len(inside), piece.is_standing, piece.id in inside)


# ---------------------------------------------------------------- contact


def contacts(board: CloseQuartersBoard) -> dict[ModelId, list[Model]]:
    """Return for each engaged model the opponents in base contact with it, by number.

    Found for all models at once: one after another takes ten times as long.
    """
    active = [(model, board.units[model.unit]) for model in board.models if model.is_standing]
    active = [(model, unit) for model, unit in active if not unit.has_fallen_back]
    touched: dict[ModelId, list[Model]] = {}
    for place, (model, unit) in enumerate(active):
        x, y = model.x, model.y
        for other, owner in active[place + 1 :]:
            if unit.side != owner.side and (other.x - x) ** 2 + (other.y - y) ** 2 <= CONTACT_SQUARED:
                touched.setdefault(model.id, []).append(other)
                touched.setdefault(other.id, []).append(model)
    if board.barricade is not None:
        _add_contacts_across(board, [model for model, _ in active], touched)
    return touched


def _add_contacts_across(board: CloseQuartersBoard, active: Iterable[Model], found: dict[ModelId, list[Model]]) -> None:
    """Add the contacts across the barricade, each list again by number (B-26)."""
    at_it = [model for model in active if board.barricade and barricade.touches(board.barricade, (model.x, model.y))]
    for first, second in combinations(at_it, 2):
        is_new = squared_distance(first, second) > CONTACT_SQUARED and side_of(board, first) != side_of(board, second)
        if is_new and is_in_contact(board, first, second):
            for model, enemy in ((first, second), (second, first)):
                found[model.id] = sorted((*found.get(model.id, ()), enemy), key=lambda known: known.id)


def is_in_contact(board: CloseQuartersBoard, one: Model, other: Model) -> bool:
    """Return whether two enemies touch: their bases do, or they engage each other across the barricade (B-26)."""
    if squared_distance(one, other) <= CONTACT_SQUARED:
        return True
    line = board.barricade
    return line is not None and barricade.reaches_across(line, (one.x, one.y), (other.x, other.y))


def touched(board: CloseQuartersBoard, model: Model) -> list[Model]:
    """List the opponents in base contact with a model, by number."""
    return [enemy for enemy in opponents(board, side_of(board, model)) if is_in_contact(board, model, enemy)]


def is_engaged(board: CloseQuartersBoard, model: Model) -> bool:
    return bool(touched(board, model))


def engaged_models(board: CloseQuartersBoard, unit: UnitId) -> list[Model]:
    engaged = contacts(board)
    return [model for model in models_of(board, unit) if model.id in engaged]


def nearest(model: Model, others: Iterable[Model]) -> Model | None:
    """Return the nearest of some models; of equals, the one with the lowest number."""
    return min(others, key=lambda other: (squared_distance(model, other), other.id), default=None)


# ---------------------------------------------------------------- the combat


def near_enemies(board: CloseQuartersBoard) -> list[UnitId]:
    """List the units with a model within 6 inches of an opponent: those are in combat (B-6)."""
    active = [
        (model, board.units[model.unit].side)
        for model in standing(board)
        if not board.units[model.unit].has_fallen_back
    ]
    reach = squared_reach(COMBAT_RANGE)
    units: set[UnitId] = set()
    for (model, side), (other, other_side) in combinations(active, 2):
        if side != other_side and squared_distance(model, other) <= reach:
            units |= {model.unit, other.unit}
    return sorted(units)


def attackers(board: CloseQuartersBoard) -> list[UnitId]:
    """List the units of the combat whose side attacks."""
    combat = board.combat
    return [] if combat is None else [id for id in combat.units if board.units[id].side == combat.attacker]


def defenders(board: CloseQuartersBoard) -> list[UnitId]:
    """List the units of the combat whose side does not attack."""
    combat = board.combat
    return [] if combat is None else [id for id in combat.units if board.units[id].side != combat.attacker]


# ---------------------------------------------------------------- fire


def fire_range(board: CloseQuartersBoard, unit: UnitId) -> int:
    """Return how far a unit fires in this phase: 6 inches in the combat, its awareness outside it (B-8)."""
    if board.combat is not None and unit in board.combat.units:
        return COMBAT_RANGE
    return board.profile(board.units[unit]).awareness_inches


def defensive_targets(board: CloseQuartersBoard, unit: UnitId) -> list[UnitId]:
    """List the attacking units at which a defending unit may fire (B-7)."""
    combat = board.combat
    if combat is None or board.ranged_weapon(board.units[unit]) is None:
        return []
    if unit in combat.units:
        watching = models_of(board, unit)
    else:
        leader = living_leader(board, unit)
        watching = [leader] if leader is not None else []
    inches = fire_range(board, unit)
    return [
        target
        for target in attackers(board)
        if any(is_within(watcher, model, inches) for watcher in watching for model in models_of(board, target))
    ]


def defensive_firers(board: CloseQuartersBoard, unit: UnitId, target: UnitId) -> list[Model]:
    """List the models of a unit that are in range of a target (B-8)."""
    inches = fire_range(board, unit)
    return [
        model
        for model in models_of(board, unit)
        if any(is_within(model, other, inches) for other in models_of(board, target))
    ]


def in_range_of(board: CloseQuartersBoard, firers: Iterable[Model], target: UnitId, inches: int) -> list[Model]:
    """List the models of a unit within range of any of these models."""
    firing = list(firers)
    return [model for model in models_of(board, target) if any(is_within(firer, model, inches) for firer in firing)]


def shooting_targets(board: CloseQuartersBoard, unit: UnitId) -> list[tuple[Model, list[UnitId]]]:
    """List the models of an acting unit that may fire, each with the units at which it may (B-9)."""
    if board.ranged_weapon(board.units[unit]) is None:
        return []
    engaged, reach = contacts(board), squared_reach(COMBAT_RANGE)
    free_enemies = [model for model in opponents(board, board.units[unit].side) if model.id not in engaged]
    targets = []
    for model in models_of(board, unit):
        if model.id in engaged:
            continue
        units = sorted({enemy.unit for enemy in free_enemies if squared_distance(model, enemy) <= reach})
        if units:
            targets.append((model, units))
    return targets


def unengaged(board: CloseQuartersBoard, models: Iterable[Model]) -> list[Model]:
    engaged = contacts(board)
    return [model for model in models if model.id not in engaged]


def nearest_unit(board: CloseQuartersBoard, model: Model, units: Iterable[UnitId], free_only: bool) -> UnitId:
    """Return which of some units has the model nearest to this one; `free_only` leaves engaged models out."""
    candidates = [other for unit in units for other in models_of(board, unit)]
    if free_only:
        candidates = unengaged(board, candidates)
    best = min(candidates, key=lambda other: (squared_distance(model, other), other.unit))
    return best.unit


def strikers(board: CloseQuartersBoard, unit: UnitId) -> list[tuple[Model, list[Model]]]:
    """List the models of a unit that fight, each with the enemies that it touches (B-10)."""
    engaged = contacts(board)
    return [(model, engaged[model.id]) for model in models_of(board, unit) if model.id in engaged]


def engaged_with(board: CloseQuartersBoard, target: UnitId, unit: UnitId) -> list[ModelId]:
    """List the models of a unit that touch a model of another unit (B-13)."""
    fighting = models_of(board, unit)
    return [
        model.id for model in models_of(board, target) if any(is_in_contact(board, model, other) for other in fighting)
    ]
