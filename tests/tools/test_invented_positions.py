"""Invented positions are refused, or played on within the budget of a decision."""

import random

import pytest

from diskwars_content.rulesets.registry import RULESETS
from diskwars_engine.work_budget import MAX_STEPS
from tools.invented_positions import TrialTally, invent, real_moments, run, summary, try_position

POSITIONS = 1_000
MAX_GROWTH_MIB = 50


@pytest.fixture(scope="module")
def tallies() -> dict[str, TrialTally]:
    return run(POSITIONS, seed=36)


def test_every_invented_position_is_refused_or_played_on_in_few_steps(tallies: dict[str, TrialTally]) -> None:
    for name in RULESETS:
        tally = tallies[name]
        assert tally.unreadable + tally.refused + tally.unchanged + tally.played == POSITIONS // len(RULESETS)
        assert not tally.crashes
        assert tally.most_events < MAX_STEPS // 10
        assert 0 < tally.most_picture_bytes < 2**20
        assert 0 < tally.most_preview_bytes < 2**20
        assert tally.growth_mib < MAX_GROWTH_MIB
        assert tally.refused > 5 * tally.played, "a changed value that passes is one that play can give"


def test_import_refuses_the_positions_that_nobody_may_branch_and_no_others(tallies: dict[str, TrialTally]) -> None:
    assert [tally.disagreements for tally in tallies.values()] == [0] * len(RULESETS)


def test_summary_has_a_line_for_each_ruleset(tallies: dict[str, TrialTally]) -> None:
    assert [line.partition(":")[0] for line in summary(tallies)] == list(RULESETS)


def test_same_seed_invents_the_same_positions() -> None:
    board = real_moments("pit", 1)[0].board
    assert invent(board, random.Random(2)) == invent(board, random.Random(2)) != board


def test_position_that_is_not_changed_is_counted_as_such() -> None:
    moment, tally = real_moments("pit", 1)[0], TrialTally()
    try_position(moment, moment.board, random.Random(1), tally)
    assert (tally.unchanged, tally.played, tally.refused) == (1, 0, 0)
