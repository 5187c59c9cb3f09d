"""Mixed strategies of tables of payoffs: no reply gains anything against them."""

import random
from collections.abc import Sequence

import pytest

from diskwars_bots.search.matrix_games import Payoffs, UnsolvedGame, solve
from tests.rows import each_row

ROCK_PAPER_SCISSORS = ((0, -1, 1), (1, 0, -1), (-1, 1, 0))


def test_each_of_three_answers_that_beat_one_another_is_chosen_as_often() -> None:
    mixed = solve(ROCK_PAPER_SCISSORS)
    assert [round(share, 9) for share in mixed.rows] == [round(1 / 3, 9)] * 3
    assert abs(mixed.value) < 1e-9


def test_answer_that_is_never_worse_is_always_chosen() -> None:
    assert solve([[1, 2, 3], [0, 2, 2], [-5, 0, 1]]).rows == (1.0, 0.0, 0.0)


def test_first_of_equal_answers_is_chosen() -> None:
    mixed = solve([[4, 4], [4, 4]])
    assert (mixed.rows, mixed.value) == ((1.0, 0.0), 4.0)


@each_row("seed", range(40))
def test_neither_side_gains_by_another_strategy(seed: int) -> None:
    rng = random.Random(seed)
    rows, columns = rng.randint(1, 8), rng.randint(1, 6)
    payoffs = [[rng.gauss(0, 100) for _ in range(columns)] for _ in range(rows)]
    mixed = solve(payoffs)
    replies = [[-row[column] for row in payoffs] for column in range(columns)]
    assert abs(value_against(payoffs, mixed.rows) - mixed.value) < 1e-6
    assert abs(value_against(replies, mixed.columns) + mixed.value) < 1e-6


@each_row("factor", (1e-12, 1e8, 1e10))
def test_strategies_are_the_same_in_any_unit(factor: float) -> None:
    rng = random.Random(10)
    payoffs = [[rng.gauss(0, 1) for _ in range(6)] for _ in range(8)]
    mixed, scaled = solve(payoffs), solve([[factor * payoff for payoff in row] for row in payoffs])
    assert [round(share, 9) for share in scaled.rows] == [round(share, 9) for share in mixed.rows]
    assert abs(scaled.value / factor - mixed.value) < 1e-9


def test_table_that_takes_too_many_steps_is_refused() -> None:
    with pytest.raises(UnsolvedGame, match="after 2 steps"):
        solve(ROCK_PAPER_SCISSORS, max_pivots=2)


def value_against(payoffs: Payoffs, rows: Sequence[float]) -> float:
    """Return what a mixed strategy of the first player gets against the reply that is worst for it."""
    columns = range(len(payoffs[0]))
    return min(sum(share * row[column] for share, row in zip(rows, payoffs, strict=True)) for column in columns)
