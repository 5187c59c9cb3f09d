"""Is what was told last kept whole, in order, and no longer than it should?"""

import pytest

from diskwars_engine.match_log import Line, Page
from diskwars_server import recent_appends
from diskwars_server.recent_appends import RecentAppends
from tests.server.test_store import record


def page(first: int, count: int) -> Page:
    return tuple(Line(record(first + part, part=part), None, (), {}) for part in range(count))


def numbers(pages: list[Page]) -> list[list[int]]:
    return [[line.record.seq for line in one] for one in pages]


def test_what_lies_after_a_record_comes_append_by_append_the_first_perhaps_without_its_beginning() -> None:
    kept = RecentAppends(page(1, 2), page(3, 3))
    kept.add(page(6, 1))
    assert numbers(kept.appends_after(0)) == [[1, 2], [3, 4, 5], [6]]
    assert numbers(kept.appends_after(2)) == [[3, 4, 5], [6]]
    assert numbers(kept.appends_after(3)) == [[4, 5], [6]]
    assert kept.appends_after(6) == []
    assert kept.hash_at(4) == record(4).hash
    assert kept.hash_at(7) is None


def test_the_oldest_appends_are_forgotten_and_then_nothing_is_said_of_what_reaches_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(recent_appends, "RECORDS", 4)
    kept = RecentAppends(page(1, 2), page(3, 3), page(6, 2))
    assert numbers(kept.appends_after(2)) == [[3, 4, 5], [6, 7]]
    assert kept.appends_after(1) == []
    assert kept.hash_at(2) is None
    kept.add(page(8, 9))
    assert numbers(kept.appends_after(7)) == [[8, 9, 10, 11, 12, 13, 14, 15, 16]]
    assert kept.appends_after(6) == []


def test_of_a_match_that_was_read_again_nothing_is_known() -> None:
    assert RecentAppends().appends_after(0) == []
    assert RecentAppends().hash_at(1) is None
