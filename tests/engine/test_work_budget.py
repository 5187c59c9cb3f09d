"""A decision has a budget of steps, which is the same on every machine."""

import random
from typing import Any

import pytest

from diskwars_engine.match_dice import NO_KNOWN_DICE, MatchDice, MatchSecrets
from diskwars_engine.quick_dice import QuickDice
from diskwars_engine.rulesets.pit.resolution import Resolution
from diskwars_engine.work_budget import MAX_STEPS, WorkBudget, WorkExceeded, require_few_options
from diskwars_protocol.match.decisions import Options
from diskwars_protocol.rulesets.pit.actions import Move
from diskwars_protocol.rulesets.pit.events import RoundBegan
from diskwars_protocol.rulesets.pit.options import Cell, PitLimits
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


def test_options_are_counted_with_all_that_they_list() -> None:
    limits = PitLimits(Move(0, 0, 0), 0, cells=tuple(Cell(x, 0) for x in range(99)))
    require_few_options(Options((), (limits,) * (MAX_STEPS // 100)))
    with pytest.raises(WorkExceeded):
        require_few_options(Options((), (limits,) * (MAX_STEPS // 100 + 1)))
