"""Checks of positions of regiments that come from outside: whether a match can have come to them."""

from collections.abc import Iterator

from diskwars_engine.position_checks import (
    changed_entries,
    changed_figures,
    limit_problems,
    out_of_bounds,
    unbounded_figures,
    wrong_references,
)
from diskwars_engine.ruleset import PositionTerms
from diskwars_engine.rulesets.regiments import invariants
from diskwars_engine.rulesets.regiments.scenario import RegimentsContent, sides_of, starting_event
from diskwars_protocol.records.sealed import Sealed
from diskwars_protocol.rulesets.regiments.board import OrdersLock, RegimentsBoard, Unit, fold

CONTENT_FIELDS = ("width", "height", "rounds", "profiles", "weapons", "obstacles", "task")
MAX_UNKNOWN_UNITS = 64
"""Units of a scenario that is not here."""
MAX_UNKNOWN_LENGTH, MAX_UNKNOWN_ROUNDS, MAX_UNKNOWN_OBSTACLES = 36, 30, 40
"""The bounds of scenarios in packs."""
MAX_MODELS = 40
"""As many models as a unit of a scenario may have."""


def check(content: RegimentsContent, board: RegimentsBoard, terms: PositionTerms) -> list[str]:
    """List why no match under these terms can have come to a board."""
    faults = [*limit_problems(board), *_scenario(content, board, terms)]
    faults = faults or [*_units(board), *_course(board), *_locks(board)]
    return faults or [f"$: {problem}" for problem in invariants.check(board)]


def _scenario(content: RegimentsContent, board: RegimentsBoard, terms: PositionTerms) -> Iterator[str]:
    """Yield what differs from the beginning of the match, and does not change in it."""
    if board.settings != terms.settings:
        yield "$.settings: these are not the settings of the match"
    if board.sides != sides_of(terms.seat_count):
        yield f"$.sides: they are not those of {terms.seat_count} seats"
    if not terms.has_known_figures:
        yield from unbounded_figures(board, CONTENT_FIELDS)
        yield from out_of_bounds("$.units", len(board.units), 1, MAX_UNKNOWN_UNITS)
        yield from out_of_bounds("$.width", board.width, 1, MAX_UNKNOWN_LENGTH)
        yield from out_of_bounds("$.height", board.height, 1, MAX_UNKNOWN_LENGTH)
        yield from out_of_bounds("$.rounds", board.rounds, 1, MAX_UNKNOWN_ROUNDS)
        yield from out_of_bounds("$.obstacles", len(board.obstacles), 0, MAX_UNKNOWN_OBSTACLES)
        return
    start = fold(None, starting_event(content, terms.settings, terms.seat_count))
    yield from changed_figures(start, board, CONTENT_FIELDS)
    yield from changed_entries(start.units, board.units, ("id", "seat", "profile", "started"), "$.units")


def _units(board: RegimentsBoard) -> Iterator[str]:
    seats = [seat for side in board.sides for seat in side]
    yield from wrong_references("$.withdrawn", board.withdrawn, len(seats))
    for number, unit in enumerate(board.units):
        place = f"$.units[{number}]"
        if unit.id != number:
            yield f"{place}.id: it is number {number}"
        if unit.seat not in seats or not 0 <= unit.profile < len(board.profiles):
            yield f"{place}: its seat or its profile is none of the match"
            continue
        yield from _unit(board, unit, place)


def _unit(board: RegimentsBoard, unit: Unit, place: str) -> Iterator[str]:
    yield from out_of_bounds(f"{place}.x", unit.x, 0, board.width - 1)
    yield from out_of_bounds(f"{place}.y", unit.y, 0, board.height - 1)
    yield from out_of_bounds(f"{place}.started", unit.started, 1, MAX_MODELS)
    yield from out_of_bounds(f"{place}.models", len(unit.models), 0, unit.started)
    yield from out_of_bounds(f"{place}.files", unit.files, 1, unit.started)
    for wounds in unit.models[:MAX_MODELS]:
        yield from out_of_bounds(f"{place}.models", wounds, 0, board.profile(unit).wounds)
    if unit.is_fielded and unit.seat in board.withdrawn:
        yield f"{place}.status: its seat has withdrawn"
    if unit.status == "withdrawn" and unit.seat not in board.withdrawn:
        yield f"{place}.status: its seat has not withdrawn"


def _course(board: RegimentsBoard) -> Iterator[str]:
    yield from out_of_bounds("$.round", board.round, 1, board.rounds)
    if board.phase != "orders":
        yield "$.phase: players answer in the orders phase only"
    yield from wrong_references("$.waiting", board.waiting, len(board.units))
    pairs = [frozenset((contact.charger, contact.target)) for contact in board.contacts]
    for contact in board.contacts:
        yield from wrong_references("$.contacts", [contact.charger, contact.target], len(board.units))
    if len(set(pairs)) != len(pairs):
        yield "$.contacts: the same pair twice"


def _locks(board: RegimentsBoard) -> Iterator[str]:
    seats = sum(map(len, board.sides))
    yield from wrong_references("$.locks", [lock.seat for lock in board.locks], seats)
    yield from out_of_bounds("$.revealed_salts", len(board.revealed_salts), 0, board.round * seats)
    for number, lock in enumerate(board.locks):
        yield from _lock(board, lock, f"$.locks[{number}]")


def _lock(board: RegimentsBoard, lock: OrdersLock, place: str) -> Iterator[str]:
    if isinstance(lock.orders, Sealed) or isinstance(lock.salt, Sealed):
        yield f"{place}: it is sealed"
        return
    ordered = [order.unit for order in lock.orders]
    yield from wrong_references(f"{place}.orders", ordered, len(board.units))
    if any(board.units[unit].seat != lock.seat for unit in ordered):
        yield f"{place}.orders: a unit of another seat"
    if not {*ordered} <= {*board.waiting}:
        yield f"{place}.orders: a unit that has acted"
