"""A decision has a budget of steps, which is the same on every machine."""

import random
from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_engine.match_dice import NO_KNOWN_DICE, MatchDice, MatchSecrets
from diskwars_engine.quick_dice import QuickDice
from diskwars_engine.rulesets.pit.resolution import Resolution
from diskwars_engine.work_budget import MAX_STEPS, WorkBudget, WorkExceeded, require_few_options
from diskwars_protocol.match.decisions import Options
from diskwars_protocol.rulesets.pit import position
from diskwars_protocol.rulesets.pit.actions import Move
from diskwars_protocol.rulesets.pit.events import RoundBegan
from diskwars_protocol.rulesets.pit.options import Cell, PitLimits
from tests.rows import each_row
from tests.rulesets.matches import played


def test_budget_ends_after_as_many_steps_as_it_has() -> None:
    work = WorkBudget(3)
    work.spend(2)
    work.spend()
    with pytest.raises(WorkExceeded, match="more than 3 steps"):
        work.spend()


def test_events_of_a_decision_are_counted() -> None:
    parent = played("pit", 2, 1)
    board: Any = parent.states[parent.moments()[0]].board
    resolution = Resolution(board, QuickDice(random.Random(1), 2))
    for number in range(MAX_STEPS):
        resolution.emit(RoundBegan(number))
    with pytest.raises(WorkExceeded):
        resolution.emit(RoundBegan(1))


def test_dice_of_a_decision_are_counted_before_they_are_rolled() -> None:
    parent = played("pit", 2, 1)
    state = parent.states[parent.moments()[0]]
    dice = MatchDice(state, MatchSecrets(bytes(32), bytes(32)), NO_KNOWN_DICE, 1, lambda _: False)
    with pytest.raises(WorkExceeded):
        dice.roll("number_dice", 6, 10**9, "morale")


def large_board(name: str, question: str) -> tuple[Any, Any, Any]:
    """Return a board of a real match with this question and its decision, with figures as no pack has them."""
    parent = played(name, 2, 1)
    state, decision = next(
        (state, decision)
        for state in parent.states
        for decision in state.decisions
        if state.board is not None and type(decision.question).__name__ == question
    )
    return parent.local.rules.ruleset, state.board, decision


def copies(entries: Any, count: int) -> Any:
    """Return entries again and again, each with its own number."""
    return tuple(replace(entries[number % len(entries)], id=number) for number in range(count))


def many_fast_fighters(board: Any) -> Any:
    profiles = tuple(replace(profile, movement=99) for profile in board.profiles)
    return replace(board, width=100, height=100, profiles=profiles, fighters=copies(board.fighters, 500))


def far_units(board: Any) -> Any:
    profiles = tuple(replace(profile, movement=200) for profile in board.profiles)
    return replace(board, width=100, height=100, profiles=profiles)


def far_models(board: Any) -> Any:
    return replace(board, profiles=tuple(replace(profile, movement_inches=10_000) for profile in board.profiles))


def many_shooters(board: Any) -> Any:
    shooters = [disk for disk in board.disks if board.profiles[disk.profile].shots] or board.disks
    fielded = [replace(disk, place="battlefield", activated=False) for disk in shooters]
    return replace(board, disks=(*board.disks, *copies(fielded, 1000)[len(board.disks) :]), pins=())


@each_row(
    ("name", "question", "enlarge"),
    [
        ("pit", "MoveQuestion", many_fast_fighters),
        ("pit", "EngageQuestion", many_fast_fighters),
        ("regiments secret_orders=yes", "SecretOrdersQuestion", far_units),
        ("close_quarters", "ActionQuestion", far_models),
        ("diskwars", "ActivationQuestion", many_shooters),
    ],
)
def test_search_for_options_ends_while_it_takes_too_many_steps(name: str, question: str, enlarge: Any) -> None:
    ruleset, board, decision = large_board(name, question)
    ruleset.options(board, decision.seat, decision.question)
    with pytest.raises(WorkExceeded):
        ruleset.options(enlarge(board), decision.seat, decision.question)


@each_row(
    ("name", "question", "enlarge"),
    [
        ("pit", "MoveQuestion", many_fast_fighters),
        ("close_quarters", "ConsolidateQuestion", far_models),
        ("diskwars", "ActivationQuestion", many_shooters),
    ],
)
def test_search_for_what_is_not_offered_ends_too(name: str, question: str, enlarge: Any) -> None:
    ruleset, board, decision = large_board(name, question)
    tuple(ruleset.unavailable(board, decision.seat, decision.question))
    with pytest.raises(WorkExceeded):
        tuple(ruleset.unavailable(enlarge(board), decision.seat, decision.question))


def test_steps_of_a_search_are_the_same_each_time() -> None:
    _, board, decision = large_board("pit", "MoveQuestion")
    fighter = next(fighter for fighter in board.fighters if fighter.seat == decision.seat)
    counts: list[list[int]] = [[], []]
    for found in counts:
        position.reachable_cells(board, fighter, 5, frozenset(), found.append)
    assert counts[0] == counts[1]
    assert sum(counts[0]) > 5


def test_options_are_counted_with_all_that_they_list() -> None:
    limits = PitLimits(Move(0, 0, 0), 0, cells=tuple(Cell(x, 0) for x in range(99)))
    require_few_options(Options((), (limits,) * (MAX_STEPS // 100)))
    with pytest.raises(WorkExceeded):
        require_few_options(Options((), (limits,) * (MAX_STEPS // 100 + 1)))
