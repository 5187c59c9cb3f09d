"""Recent appends are kept complete, in order, and no longer than necessary."""

import pytest

from diskwars_engine.match_log import Append, SealedEvent
from diskwars_server import recent_appends
from diskwars_server.recent_appends import RecentAppends
from tests.server.test_store import make_record


def make_append(first: int, count: int) -> Append:
    return tuple(SealedEvent(make_record(first + part, part=part), None, (), {}) for part in range(count))


def record_numbers(pages: list[Append]) -> list[list[int]]:
    return [[line.record.seq for line in one] for one in pages]


def test_what_lies_after_a_record_comes_append_by_append_the_first_perhaps_without_its_beginning() -> None:
    kept = RecentAppends(make_append(1, 2), make_append(3, 3))
    kept.add(make_append(6, 1))
    assert record_numbers(kept.appends_after(0)) == [[1, 2], [3, 4, 5], [6]]
    assert record_numbers(kept.appends_after(2)) == [[3, 4, 5], [6]]
    assert record_numbers(kept.appends_after(3)) == [[4, 5], [6]]
    assert kept.appends_after(6) == []
    assert kept.hash_at(4) == make_record(4).hash
    assert kept.hash_at(7) is None


def test_the_oldest_appends_are_forgotten_and_then_nothing_is_said_of_what_reaches_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(recent_appends, "RECENT_APPEND_LIMIT", 4)
    kept = RecentAppends(make_append(1, 2), make_append(3, 3), make_append(6, 2))
    assert record_numbers(kept.appends_after(2)) == [[3, 4, 5], [6, 7]]
    assert kept.appends_after(1) == []
    assert kept.hash_at(2) is None
    kept.add(make_append(8, 9))
    assert record_numbers(kept.appends_after(7)) == [[8, 9, 10, 11, 12, 13, 14, 15, 16]]
    assert kept.appends_after(6) == []


def test_of_a_match_that_was_read_again_nothing_is_known() -> None:
    assert RecentAppends().appends_after(0) == []
    assert RecentAppends().hash_at(1) is None
