"""The program that measures replies to cards picks them on one half of the play-outs and counts on the other."""

import pytest

from tools.card_replies import gain_of_reply, row_of

EVEN = [[0.0, 1.0], [1.0, 0.0]]
"""Each card beats another one."""


def test_reply_takes_all_from_a_card_that_is_always_the_same_and_nothing_from_the_mix() -> None:
    assert gain_of_reply(EVEN, EVEN, (1.0, 0.0)) == pytest.approx(0.5)
    assert gain_of_reply(EVEN, EVEN, (0.5, 0.5)) == pytest.approx(0.0)


def test_luck_of_the_half_on_which_the_reply_was_picked_does_not_count() -> None:
    lucky, usual = [[0.4, 0.6]], [[0.5, 0.5]]
    assert gain_of_reply(lucky, usual, (1.0,)) == pytest.approx(0.0)


def test_row_has_the_mean_in_points_of_a_hundred() -> None:
    assert row_of("search", [0.0, 0.1]) == "| search | 2 | +5.0 % | 5.0 % |"
