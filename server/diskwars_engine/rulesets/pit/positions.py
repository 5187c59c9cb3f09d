"""Checks of positions of the pit that come from outside: whether a match can have come to them."""

from collections.abc import Iterator

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
from diskwars_engine.rulesets.pit import invariants
from diskwars_engine.rulesets.pit.improvements import CAPS, LOWEST_TARGET_NUMBER
from diskwars_engine.rulesets.pit.scenario import PitContent, starting_event
from diskwars_protocol.rulesets.pit.board import CombatState, Fighter, PitBoard, fold

CONTENT_FIELDS = ("width", "height", "rounds", "profiles", "weapons", "deck", "walls", "task")
MAX_UNKNOWN_FIGHTERS = 64
"""Fighters of a scenario that is not here."""
MAX_UNKNOWN_LENGTH, MAX_UNKNOWN_ROUNDS, MAX_UNKNOWN_WALLS = 36, 30, 40
"""The bounds of scenarios in packs."""
MAX_DECLARED = 8
"""As many attacks as an answer can declare."""


def check(content: PitContent, board: PitBoard, terms: PositionTerms) -> list[str]:
    """List why no match under these terms can have come to a board."""
    faults = [*limit_problems(board), *_scenario(content, board, terms)]
    return faults or [*_fighters(board), *_course(board), *_combats(board), *_invariants(board)]


def _invariants(board: PitBoard) -> Iterator[str]:
    yield from (f"$: {problem}" for problem in invariants.check(board))


def _scenario(content: PitContent, board: PitBoard, terms: PositionTerms) -> Iterator[str]:
    """Yield what differs from the beginning of the match, and does not change in it."""
    if len(board.seats) != terms.seat_count:
        yield f"$.seats: {len(board.seats)} seats, where there are {terms.seat_count}"
    if not terms.has_known_figures:
        yield from unbounded_figures(board, CONTENT_FIELDS)
        yield from out_of_bounds("$.fighters", len(board.fighters), 1, MAX_UNKNOWN_FIGHTERS)
        yield from out_of_bounds("$.width", board.width, 1, MAX_UNKNOWN_LENGTH)
        yield from out_of_bounds("$.height", board.height, 1, MAX_UNKNOWN_LENGTH)
        yield from out_of_bounds("$.rounds", board.rounds, 1, MAX_UNKNOWN_ROUNDS)
        yield from out_of_bounds("$.walls", len(board.walls), 0, MAX_UNKNOWN_WALLS)
        return
    start = fold(None, starting_event(content, terms.settings, terms.seat_count))
    yield from changed_figures(start, board, CONTENT_FIELDS)
    yield from changed_entries(start.fighters, board.fighters, ("id", "seat", "profile"), "$.fighters")
    yield from changed_entries(start.seats, board.seats, ("rout_losses",), "$.seats")


def _fighters(board: PitBoard) -> Iterator[str]:
    for number, fighter in enumerate(board.fighters):
        place = f"$.fighters[{number}]"
        if fighter.id != number:
            yield f"{place}.id: it is number {number}"
        if (fighter.status == "withdrawn") > board.seats[fighter.seat].withdrawn:
            yield f"{place}.status: its seat has not withdrawn"
        if fighter.is_fielded and board.seats[fighter.seat].withdrawn:
            yield f"{place}.status: its seat has withdrawn"
        yield from _figures_in_force(board, fighter, place)


def _figures_in_force(board: PitBoard, fighter: Fighter, place: str) -> Iterator[str]:
    """Yield the figures of a fighter that no card of the improvement deck can have made of the printed ones."""
    printed = board.profile(fighter)
    limit, gained = fighter.wound_limit, fighter.wound_limit - printed.wounds
    yield from out_of_bounds(f"{place}.wound_limit", limit, printed.wounds, max(printed.wounds, CAPS["wounds"]))
    yield from out_of_bounds(f"{place}.new_wounds", fighter.new_wounds, 0, gained)
    yield from out_of_bounds(f"{place}.wounds", fighter.wounds, 1, limit - fighter.new_wounds)
    for name, cap in (("attacks", CAPS["attacks"]), ("pierce", CAPS["pierce"]), ("injury", CAPS["injury"])):
        least: int = getattr(printed, name)
        yield from out_of_bounds(f"{place}.{name}", getattr(fighter, name), least, max(least, cap))
    for name in ("melee", "agility", "morale"):
        most: int = getattr(printed, name)
        yield from out_of_bounds(f"{place}.{name}", getattr(fighter, name), min(most, LOWEST_TARGET_NUMBER), most)
    if (fighter.defence is None) != (printed.defence is None):
        yield f"{place}.defence: it makes defence rolls, or none, unlike its profile"
    elif fighter.defence is not None and printed.defence is not None:
        least = min(printed.defence, LOWEST_TARGET_NUMBER)
        yield from out_of_bounds(f"{place}.defence", fighter.defence, least, printed.defence)
    if fighter.promoted and printed.rank != "henchman":
        yield f"{place}.promoted: only henchmen are promoted"


def _course(board: PitBoard) -> Iterator[str]:
    yield from wrong_order("$.order", board.order, len(board.seats))
    yield from out_of_bounds("$.round", board.round, 1, board.rounds)
    if board.active_seat is None or board.active_seat not in board.order:
        yield "$.active_seat: it is nobody's turn"
        return
    if board.seats[board.active_seat].withdrawn:
        yield "$.active_seat: it is the turn of a seat that has withdrawn"
    if board.is_first_turn != (board.round == 1 and board.order[0] == board.active_seat):
        yield "$.is_first_turn: the first turn is that of the first seat in round 1"
    state = board.seats[board.active_seat]
    if board.may_concede and (board.phase != "upkeep" or state.losses < state.rout_losses):
        yield "$.may_concede: a seat concedes in its upkeep, after as many losses as make it check its morale"


def _combats(board: PitBoard) -> Iterator[str]:
    if board.phase != "melee" and (board.combats or board.fought or board.combat is not None):
        yield "$.combats: combats are fought in the melee phase only"
    yield from wrong_references("$.combats", [id for group in board.combats for id in group], len(board.fighters))
    yield from wrong_references("$.fought", board.fought, len(board.combats))
    if board.combat is not None:
        yield from _combat(board, board.combat)


def _combat(board: PitBoard, combat: CombatState) -> Iterator[str]:
    yield from wrong_references("$.combat.id", [combat.id, *board.fought], len(board.combats))
    yield from wrong_references("$.combat.waiting", [combat.fighter, *combat.waiting], len(board.fighters))
    group = board.combats[combat.id]
    if not {*combat.waiting, group[0] if combat.fighter is None else combat.fighter} <= {*group}:
        yield "$.combat: a fighter of another combat"
    if combat.declared and combat.fighter is None:
        yield "$.combat.declared: nobody attacks"
    yield from out_of_bounds("$.combat.declared", len(combat.declared), 0, MAX_DECLARED)
    for number, attack in enumerate(combat.declared):
        place = f"$.combat.declared[{number}]"
        if attack.target not in group or attack.target == combat.fighter:
            yield f"{place}.target: it is in no combat with the one who attacks"
        own = () if combat.fighter is None else board.profile(board.fighters[combat.fighter]).weapons
        if attack.weapon is not None and attack.weapon not in own:
            yield f"{place}.weapon: the one who attacks has none such"
