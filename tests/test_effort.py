"""A part of the examples is tried where the whole is not required."""

import pytest
from hypothesis import settings

from tests.effort import EFFORT_VARIABLE, count_of, some_of, spread_of


def test_all_examples_are_tried_where_the_whole_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(EFFORT_VARIABLE, "whole")
    assert (count_of(20, 5), some_of(range(7), 3)) == (20, range(7))


def test_elsewhere_it_is_a_part_with_both_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(EFFORT_VARIABLE, raising=False)
    assert count_of(20, 5) == 5
    assert some_of(range(7), 3) == [0, 3, 6]
    assert some_of(range(8), 3) == [0, 3, 6, 7]
    assert [some_of([1, 2, 3][:length], 9) for length in range(4)] == [[], [1], [1, 2], [1, 3]]


def test_spread_has_both_ends_and_no_more_than_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(EFFORT_VARIABLE, "whole")
    assert spread_of(range(10), 4, 2) == [0, 3, 6, 9]
    assert spread_of(range(3), 4, 2) == range(3)
    monkeypatch.delenv(EFFORT_VARIABLE)
    assert spread_of(range(10), 4, 2) == [0, 9]


def test_properties_are_tried_with_as_many_examples_as_the_effort_says() -> None:
    assert settings().max_examples == count_of(100, 40)
