"""Ratings and the sequential test give the values that are known for them, and behave as a rating has to."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diskwars_cli.simulate.strength import PairScore, Rating, SequentialTest, expected_score, fit_ratings

ELO = st.floats(-800, 800)


def elos(ratings: list[Rating | None]) -> list[float]:
    return [rating.elo for rating in ratings if rating is not None]


def elo_of_score(score: float) -> float:
    """Return the difference at which this score is expected, by the formula of the literature."""
    return -400 * math.log10(1 / score - 1)


# ---------------------------------------------------------------- the logistic scale


@pytest.mark.parametrize(
    ("elo", "score"), [(0, 0.5), (100, 0.6401), (200, 0.7597), (400, 10 / 11), (-400, 1 / 11), (800, 100 / 101)]
)
def test_expected_scores_are_those_of_the_published_table(elo: float, score: float) -> None:
    assert expected_score(elo) == pytest.approx(score, abs=5e-5)


@given(ELO)
def test_elo_of_a_score_undoes_the_expected_score(elo: float) -> None:
    assert elo_of_score(expected_score(elo)) == pytest.approx(elo, abs=1e-6)
    assert expected_score(elo) + expected_score(-elo) == pytest.approx(1)


# ---------------------------------------------------------------- ratings


def test_rating_of_two_bots_is_the_elo_of_their_score_with_one_imagined_tie() -> None:
    first, second = fit_ratings(2, [PairScore(0, 1, 30, 99)])
    assert first == Rating(0, 0)
    assert second is not None
    assert second.elo == pytest.approx(elo_of_score(69.5 / 100))
    spread = 1.96 * 400 / math.log(10) / math.sqrt(100 * 0.695 * 0.305)
    assert second.margin == pytest.approx(spread, rel=1e-3)


def test_ratings_explain_the_scores() -> None:
    """At the maximum of the likelihood each bot has got what its rating lets expect, imagined ties included."""
    pairs = [PairScore(0, 1, 61.5, 100), PairScore(1, 2, 20, 50), PairScore(0, 2, 33, 80), PairScore(3, 0, 7, 40)]
    ratings = elos(fit_ratings(4, pairs))
    for bot in range(4):
        got = expected = 0.0
        for pair in pairs:
            score = expected_score(ratings[pair.first] - ratings[pair.second])
            if bot in (pair.first, pair.second):
                mine = bot == pair.first
                got += (pair.score if mine else pair.matches - pair.score) + 0.5
                expected += (pair.matches + 1) * (score if mine else 1 - score)
        assert got == pytest.approx(expected, abs=1e-6)


def test_rating_without_a_defeat_is_finite() -> None:
    first, second = fit_ratings(2, [PairScore(0, 1, 1_000_000, 1_000_000)])
    assert first is not None
    assert second is not None
    assert second.elo == pytest.approx(elo_of_score(0.5 / 1_000_001))


def test_bot_that_met_nobody_has_no_rating() -> None:
    ratings = fit_ratings(4, [PairScore(0, 1, 3, 4), PairScore(2, 3, 1, 4), PairScore(0, 2, 0, 0)])
    assert [rating is None for rating in ratings] == [False, False, True, True]
    assert fit_ratings(1, []) == [Rating(0, 0)]


@given(st.lists(st.integers(0, 20), min_size=3, max_size=3), st.integers(0, 2))
def test_anchor_moves_all_ratings_together_and_order_of_pairs_does_not_matter(scores: list[int], anchor: int) -> None:
    pairs = [PairScore(0, 1, scores[0], 20), PairScore(1, 2, scores[1], 20), PairScore(0, 2, scores[2], 20)]
    plain = elos(fit_ratings(3, pairs))
    anchored = elos(fit_ratings(3, pairs, anchor))
    swapped = elos(
        fit_ratings(3, [PairScore(pair.second, pair.first, 20 - pair.score, 20) for pair in reversed(pairs)])
    )
    assert anchored[anchor] == 0
    assert [elo - plain[anchor] for elo in plain] == pytest.approx(anchored, abs=1e-5)
    assert swapped == pytest.approx(plain, abs=1e-5)


@given(st.lists(st.integers(0, 20), min_size=3, max_size=3))
def test_one_more_win_never_lowers_a_rating(scores: list[int]) -> None:
    pairs = [PairScore(1, 0, scores[0], 21), PairScore(1, 2, scores[1], 21), PairScore(0, 2, scores[2], 21)]
    better = [PairScore(1, 0, scores[0] + 1, 21), *pairs[1:]]
    assert elos(fit_ratings(3, better))[1] > elos(fit_ratings(3, pairs))[1]


def test_intervals_hold_the_true_rating_nineteen_times_in_twenty() -> None:
    rng, true, held = random.Random(5), (0.0, 120.0, -150.0), 0
    runs = 400
    for _ in range(runs):
        pairs = []
        for first, second in ((0, 1), (0, 2), (1, 2)):
            chance = expected_score(true[first] - true[second])
            pairs.append(PairScore(first, second, sum(rng.random() < chance for _ in range(60)), 60))
        rating = fit_ratings(3, pairs)[1]
        assert rating is not None
        held += abs(rating.elo - true[1]) <= rating.margin
    assert 0.92 * runs <= held <= 0.98 * runs


# ---------------------------------------------------------------- the sequential test


@pytest.mark.parametrize(
    ("elo0", "elo1", "counts", "ratio"),
    [
        (0.5, 2.5, (223, 9863, 21279, 10037, 246), -3.07),
        (0, 2, (871, 26175, 55983, 26678, 821), -4.98),
        (0.5, 2.5, (21184, 40708, 21404), -1.57),
        (0, 2, (57030, 106593, 57433), -2.59),
    ],
)
def test_ratio_is_the_one_published_for_tests_of_chess_programs(
    elo0: float, elo1: float, counts: tuple[int, ...], ratio: float
) -> None:
    """Results of Stockfish's tests with the ratios that the tests of fastchess expect (logistic model)."""
    assert SequentialTest(elo0, elo1).ratio(counts) == pytest.approx(ratio, abs=0.005)


def test_limits_are_walds() -> None:
    assert SequentialTest(0, 5).limits == pytest.approx((-2.944, 2.944), abs=5e-4)
    assert SequentialTest(0, 5, 0.05, 0.1).limits == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))
    assert [SequentialTest(0, 5).verdict(ratio) for ratio in (-2.95, -2.94, 2.94, 2.95)] == [
        "elo0",
        "open",
        "open",
        "elo1",
    ]


def test_no_results_decide_nothing() -> None:
    assert SequentialTest(0, 5).ratio((0, 0, 0, 0, 0)) == 0


COUNTS = st.lists(st.integers(0, 500), min_size=5, max_size=5)


@given(COUNTS, st.floats(-100, 100), st.floats(1, 100))
def test_swapping_the_bots_swaps_the_hypotheses(counts: list[int], elo0: float, span: float) -> None:
    forward = SequentialTest(elo0, elo0 + span).ratio(counts)
    assert SequentialTest(-elo0 - span, -elo0).ratio(counts[::-1]) == pytest.approx(-forward, rel=1e-4, abs=1e-6)


def test_pairs_that_cancel_out_decide_sooner_than_single_matches() -> None:
    """In mirrored pairs most luck cancels out: the same wins and losses say more if each pair has one of both."""
    test = SequentialTest(0, 50)
    mirrored = test.ratio((0, 0, 60, 0, 20))
    singles = test.ratio((60, 0, 100))
    assert mirrored > 1.5 * singles > 0


@pytest.mark.parametrize(("elo", "wrong"), [(0, "elo1"), (60, "elo0")])
def test_test_decides_wrongly_one_time_in_twenty_at_most(elo: float, wrong: str) -> None:
    rng, chance, mistakes = random.Random(3), expected_score(elo), 0
    runs = 60
    for _ in range(runs):
        test, counts, verdict = SequentialTest(0, 60), [0, 0, 0, 0, 0], "open"
        while verdict == "open":
            for _ in range(4):
                counts[2 * sum(rng.random() < chance for _ in range(2))] += 1
            verdict = test.verdict(test.ratio(counts))
        mistakes += verdict == wrong
    assert mistakes <= 0.05 * runs * 2.5  # 7 of 60: an event of one run in a hundred if the rate is one in twenty
