"""Intervals and probabilities agree with tables of statistics."""

import pytest

from diskwars_cli.plugs.odds import chi_square, chi_square_tail, wilson_interval


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (29, 29, 0.8830, 1.0)],
)
def test_intervals_match_published_examples(hits: int, of: int, low: float, high: float) -> None:
    """The examples of Newcombe, 1998."""
    assert wilson_interval(hits, of) == pytest.approx((low, high), abs=5e-5)


def test_interval_without_data_is_everything() -> None:
    assert wilson_interval(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("statistic", "freedom", "probability"),
    [(3.841, 1, 0.05), (5.991, 2, 0.05), (7.815, 3, 0.05), (11.070, 5, 0.05), (15.086, 5, 0.01), (30.144, 19, 0.05)],
)
def test_probabilities_match_published_tables(statistic: float, freedom: int, probability: float) -> None:
    assert chi_square_tail(statistic, freedom) == pytest.approx(probability, rel=1e-3)


def test_chi_square_is_0_for_equal_counts_and_matches_an_example() -> None:
    assert chi_square([5, 8, 9, 8, 10, 20]) == pytest.approx(13.4)
    assert chi_square([7, 7]) == 0
    assert chi_square([0, 0]) == 0
    assert chi_square_tail(0, 5) == 1
