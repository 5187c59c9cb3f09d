"""A table of tests tries every row, names those that fail, and is a test like any other to pytest."""

import asyncio
import inspect
from collections.abc import Callable

import pytest

from tests.rows import MAX_NAMED_ROWS, each_row, rows_of


def notes_of(test: Callable[..., object], *fixtures: object) -> list[str]:
    """Return the notes on the failure of a test that has to fail."""
    with pytest.raises(AssertionError) as failure:
        test(*fixtures)
    return failure.value.__notes__


def test_every_row_is_tried_and_those_that_fail_are_named() -> None:
    tried = []

    @each_row(("left", "right"), [(1, 1), (1, 2), (2, 2), (3, 4)])
    def compare(left: int, right: int) -> None:
        tried.append(left)
        assert left == right

    assert notes_of(compare) == ["2 of 4 rows failed; above is the first of: 1, 2; 3, 4"]
    assert tried == [1, 1, 2, 3]


def test_rows_of_a_coroutine_are_tried_alike() -> None:
    @each_row("number", range(5))
    async def be_even(number: int) -> None:
        await asyncio.sleep(0)
        assert number % 2 == 0

    assert notes_of(lambda: asyncio.run(be_even())) == ["2 of 5 rows failed; above is the first of: 1; 3"]


def test_fixtures_reach_every_row() -> None:
    given = []

    @each_row("row", "ab")
    def take(row: str, tmp_path: str) -> None:
        given.append((row, tmp_path))

    assert list(inspect.signature(take).parameters) == ["tmp_path"]
    take(tmp_path="folder")
    assert given == [("a", "folder"), ("b", "folder")]


def test_one_table_stands_over_another() -> None:
    @each_row("first", [1, 2])
    @each_row("second", [1, 2])
    def differ(first: int, second: int) -> None:
        assert first != second

    assert notes_of(differ) == [
        "1 of 2 rows failed; above is the first of: 1",
        "2 of 2 rows failed; above is the first of: 1; 2",
    ]
    assert rows_of(differ) == ((1,), (2,), (1,), (2,))


def test_rows_are_named_as_parameters_are() -> None:
    def fail(value: object) -> None:
        raise AssertionError(value)

    tables = (
        each_row("value", [1, 2], ids=["one", "two"]),
        each_row("value", [1, 2], ids=lambda value: f"number {value}"),
        each_row("value", [pytest.param(1, id="one"), len]),
        each_row("value", [("a", "pair")]),
    )
    names = [notes_of(table(fail))[0].rpartition(": ")[2] for table in tables]
    assert names == ["one; two", "number 1; number 2", "one; len", "('a', 'pair')"]


def test_no_more_names_are_shown_than_can_be_read() -> None:
    @each_row("number", range(1000))
    def fail(number: int) -> None:
        raise AssertionError(number)

    (note,) = notes_of(fail)
    assert note.startswith("1000 of 1000 rows failed")
    assert note.endswith(f"; {MAX_NAMED_ROWS - 1}; …")


def test_time_limit_ends_the_whole_table() -> None:
    tried = []

    @each_row("number", range(3))
    def hang(number: int) -> None:
        tried.append(number)
        pytest.fail("Timeout (>60.0s) from pytest-timeout.")

    with pytest.raises(pytest.fail.Exception):
        hang()
    assert tried == [0]


def test_skipped_row_is_reported_after_the_others_were_tried() -> None:
    tried = []

    @each_row("number", range(3))
    def skip_first(number: int) -> None:
        tried.append(number)
        if number == 0:
            pytest.skip("no Node on this machine")

    with pytest.raises(pytest.skip.Exception, match="no Node"):
        skip_first()
    assert tried == [0, 1, 2]


def test_table_that_tests_nothing_or_something_else_is_refused() -> None:
    def take(value: object) -> None:
        pass

    with pytest.raises(ValueError, match="without rows"):
        each_row("value", [])
    with pytest.raises(ValueError, match="2 names for 1 rows"):
        each_row("value", [1], ids=["a", "b"])
    with pytest.raises(ValueError, match="a row has 2 values"):
        each_row(("value", "other"), [1])
    with pytest.raises(ValueError, match="no marks"):
        each_row("value", [pytest.param(1, marks=pytest.mark.timeout(timeout=1))])
    with pytest.raises(TypeError, match="takes no number"):
        each_row("number", [1])(take)
