"""Checks of positions of close quarters that come from outside: whether a match can have come to them."""

from collections.abc import Iterable, Iterator

from diskwars_engine.position_checks import (
    changed_entries,
    changed_figures,
    limit_problems,
    out_of_bounds,
    unbounded_figures,
    wrong_order,
    wrong_references,
)
from diskwars_engine.ruleset import PositionTerms
from diskwars_engine.rulesets.close_quarters import invariants
from diskwars_engine.rulesets.close_quarters.scenario import SIDE_COUNT, CloseQuartersContent, starting_event
from diskwars_protocol.rulesets.close_quarters import checks
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard, CombatState, Loss, fold
from diskwars_protocol.rulesets.close_quarters.events import Hit

GROUND_FIELDS = ("barricade", "high_ground", "task", "slow_start")
CONTENT_FIELDS = ("width", "height", "turns", "profiles", "ranged_weapons", "melee_weapons", "sides", *GROUND_FIELDS)
MAX_UNKNOWN_MODELS = 400
"""Models of a scenario that is not here."""
MAX_UNKNOWN_HILLS = 40
MAX_MARKERS = 1000
MAX_CYCLES = 1000
MAX_HITS = 2000
"""Far above what dice have ever given; each is a bound of the work of one decision."""
MAX_HIT_FIGURE = 100


def check(content: CloseQuartersContent, board: CloseQuartersBoard, terms: PositionTerms) -> list[str]:
    """List why no match under these terms can have come to a board."""
    faults = [*limit_problems(board), *_scenario(content, board, terms)]
    faults = faults or [*_units(board), *_models(board), *_course(board)]
    faults = faults or ([] if board.combat is None else [*_combat(board, board.combat)])
    return faults or [f"$: {problem}" for problem in invariants.check(board)]


def _scenario(content: CloseQuartersContent, board: CloseQuartersBoard, terms: PositionTerms) -> Iterator[str]:
    """Yield what differs from the beginning of the match, and does not change in it."""
    if sorted(seat for side in board.sides for seat in side) != list(range(terms.seat_count)):
        yield f"$.sides: they have not the seats of the match, of which there are {terms.seat_count}"
    yield from out_of_bounds("$.sides", len(board.sides), SIDE_COUNT, SIDE_COUNT)
    if not terms.has_known_figures:
        yield from unbounded_figures(board, CONTENT_FIELDS)
        yield from out_of_bounds("$.models", len(board.models), 1, MAX_UNKNOWN_MODELS)
        yield from out_of_bounds("$.units", len(board.units), 1, MAX_UNKNOWN_MODELS)
        yield from out_of_bounds("$.high_ground", len(board.high_ground), 0, MAX_UNKNOWN_HILLS)
        return
    start = fold(None, starting_event(content, terms.settings, terms.seat_count))
    yield from changed_figures(start, board, CONTENT_FIELDS)
    yield from changed_entries(start.units, board.units, ("id", "side", "profile"), "$.units")
    yield from changed_entries(start.models, board.models, ("id", "unit", "is_leader"), "$.models")
    for number, (first, unit) in enumerate(zip(start.units, board.units, strict=False)):
        if unit.seat != first.seat and first.seat not in board.withdrawn:
            yield f"$.units[{number}].seat: its player has not withdrawn"


def _units(board: CloseQuartersBoard) -> Iterator[str]:
    yield from wrong_references("$.withdrawn", board.withdrawn, sum(map(len, board.sides)))
    for number, unit in enumerate(board.units):
        place = f"$.units[{number}]"
        if unit.id != number:
            yield f"{place}.id: it is number {number}"
        if not 0 <= unit.side < len(board.sides) or unit.seat not in board.sides[unit.side]:
            yield f"{place}.seat: it does not belong to the side"
        if not 0 <= unit.profile < len(board.profiles):
            yield f"{place}.profile: there is none such"
        yield from out_of_bounds(f"{place}.markers", unit.markers, 0, MAX_MARKERS)


def _models(board: CloseQuartersBoard) -> Iterator[str]:
    for number, model in enumerate(board.models):
        place = f"$.models[{number}]"
        if model.id != number:
            yield f"{place}.id: it is number {number}"
        if not 0 <= model.unit < len(board.units):
            yield f"{place}.unit: there is none such"
        # Models that fell back off the table are beside it.
        yield from out_of_bounds(f"{place}.x", model.x, -board.width, 2 * board.width)
        yield from out_of_bounds(f"{place}.y", model.y, -board.height, 2 * board.height)


def _course(board: CloseQuartersBoard) -> Iterator[str]:
    yield from wrong_order("$.order", board.order, len(board.sides))
    yield from out_of_bounds("$.turn", board.turn, 1, board.turns * len(board.sides))
    if (board.phase == "action") != (board.combat is None):
        yield "$.combat: there is a close combat in every phase but that of actions"
    if board.active_unit is None:
        return
    yield from wrong_references("$.active_unit", [board.active_unit], len(board.units))
    if board.phase != "action" or board.units[board.active_unit].side != board.side:
        yield "$.active_unit: units of the side whose turn it is act, in the action phase"
    if board.units[board.active_unit].has_acted:
        yield "$.active_unit: it has acted"


def _combat(board: CloseQuartersBoard, combat: CombatState) -> Iterator[str]:
    place, units, models = "$.combat", len(board.units), len(board.models)
    yield from out_of_bounds(f"{place}.attacker", combat.attacker, 0, len(board.sides) - 1)
    yield from out_of_bounds(f"{place}.cycle", combat.cycle, 0, MAX_CYCLES)
    yield from wrong_references(f"{place}.units", combat.units, units)
    yield from wrong_references(f"{place}.waiting", [combat.unit, *combat.waiting], units)
    yield from wrong_references(f"{place}.source", [combat.source], units)
    yield from wrong_references(f"{place}.weapons", [choice.model for choice in combat.weapons], models)
    for choice in combat.weapons:
        own = [weapon.id for weapon in checks.melee_weapons(board, board.models[choice.model])]
        if choice.weapon not in own:
            yield f"{place}.weapons: model {choice.model} has no {choice.weapon}"
    for number, pool in enumerate(combat.pools):
        yield from wrong_references(f"{place}.pools[{number}].models", pool.models, models)
        yield from _hits(board, f"{place}.pools[{number}]", pool.hits)
    yield from wrong_references(f"{place}.pending", [target.unit for target in combat.pending], units)
    for number, target in enumerate(combat.pending):
        yield from _models_of(board, f"{place}.pending[{number}].eligible", target.unit, target.eligible)
        yield from _hits(board, f"{place}.pending[{number}]", target.hits)
    if (combat.pending or combat.pools or combat.loss is not None) and combat.source is None:
        yield f"{place}.source: hits of nobody"
    if combat.loss is not None:
        yield from _loss(board, combat.loss)


def _hits(board: CloseQuartersBoard, place: str, hits: tuple[Hit, ...]) -> Iterator[str]:
    yield from out_of_bounds(f"{place}.hits", len(hits), 0, MAX_HITS)
    for hit in hits:
        yield from wrong_references(f"{place}.hits", [hit.model], len(board.models))
        yield from out_of_bounds(f"{place}.hits.strength", hit.strength, -MAX_HIT_FIGURE, MAX_HIT_FIGURE)
        yield from out_of_bounds(f"{place}.hits.armour_piercing", hit.armour_piercing, -MAX_HIT_FIGURE, MAX_HIT_FIGURE)


def _models_of(board: CloseQuartersBoard, place: str, unit: int, models: Iterable[int]) -> Iterator[str]:
    yield from wrong_references(place, models, len(board.models))
    if any(board.models[model].unit != unit for model in models):
        yield f"{place}: a model of another unit"


def _loss(board: CloseQuartersBoard, loss: Loss) -> Iterator[str]:
    place = "$.combat.loss"
    yield from wrong_references(f"{place}.unit", [loss.unit], len(board.units))
    yield from _models_of(board, f"{place}.eligible", loss.unit, loss.eligible)
    yield from wrong_references(f"{place}.picked", loss.picked, len(board.models))
    yield from out_of_bounds(f"{place}.casualties", loss.casualties, 1, len(loss.eligible))
    yield from out_of_bounds(f"{place}.sixes", loss.sixes, 0, MAX_HITS)
    if not {*loss.picked} <= {*loss.eligible} or len(loss.picked) > loss.casualties:
        yield f"{place}.picked: more than have to fall, or others"
