"""Tables of tests: one test that tries every row and names those that fail.

`pytest.mark.parametrize` makes a test of each row, with fixtures, reports and a place in the queue of every worker of
its own: four milliseconds beside what the row takes. Where rows are values and share nothing, one test tries them all.
"""

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import pytest

Result = TypeVar("Result")

PARAM = type(pytest.param())
CAUGHT = (Exception, pytest.fail.Exception, pytest.skip.Exception)
"""What ends a row; whatever else is raised ends the run, as everywhere."""

MAX_NAMED_ROWS = 20
"""Failed rows that are named; a fault that breaks more breaks them all."""
MAX_NAME = 100
"""Letters of a row's name."""


class RowFailures:
    """The rows of one table that failed, and the first failure."""

    def __init__(self, row_count: int) -> None:
        self._row_count = row_count
        self._names: list[str] = []
        self._first: BaseException | None = None
        self._skip: BaseException | None = None

    def try_row(self, name: str, error: BaseException) -> None:
        """Keep what a row raised. What ends the test, such as its time limit, is raised at once."""
        if isinstance(error, pytest.skip.Exception):
            self._skip = self._skip or error
            return
        self._first = self._first or error
        self._names.append(name)
        if isinstance(error, pytest.fail.Exception):
            self.raise_first()

    def raise_first(self) -> None:
        """Raise the first failure with the names of the rows that failed, or else what a row was skipped for."""
        if self._first is not None:
            shown = [*self._names[:MAX_NAMED_ROWS], *(["…"] if len(self._names) > MAX_NAMED_ROWS else [])]
            count = f"{len(self._names)} of {self._row_count} rows failed; above is the first of: "
            self._first.add_note(count + "; ".join(shown))
            raise self._first
        if self._skip is not None:
            raise self._skip


def each_row(
    names: str | Sequence[str],
    rows: Iterable[object],
    *,
    ids: Iterable[object] | Callable[..., object] | None = None,
) -> Callable[[Callable[..., Result]], Callable[..., Result]]:
    """Let a test try every row of a table; call it as `pytest.mark.parametrize`.

    All rows are tried, whatever fails before. The rows share the fixtures that the test asks for, so what a row leaves
    behind in one of them must not matter to the next.
    """
    arguments = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    table = _read_table(list(rows), len(arguments), ids)
    if not table:
        raise ValueError(f"a table without rows tests nothing: {names}")

    def decorate(test: Callable[..., Result]) -> Callable[..., Result]:
        def try_rows(*args: object, **fixtures: object) -> None:
            failures = RowFailures(len(table))
            for name, values in table:
                try:
                    test(*args, **fixtures, **dict(zip(arguments, values, strict=True)))
                except CAUGHT as error:
                    failures.try_row(name, error)
            failures.raise_first()

        async def await_rows(*args: object, **fixtures: object) -> None:
            failures = RowFailures(len(table))
            for name, values in table:
                try:
                    await test(*args, **fixtures, **dict(zip(arguments, values, strict=True)))  # type: ignore[misc]
                except CAUGHT as error:
                    failures.try_row(name, error)
            failures.raise_first()

        loop = await_rows if inspect.iscoroutinefunction(test) else try_rows
        return _as_test(loop, test, arguments, [values for _, values in table])

    return decorate


def rows_of(test: object) -> tuple[object, ...]:
    """Return the values of all rows that a test tries."""
    rows: tuple[object, ...] = getattr(test, "rows", ())
    return rows


def _as_test(
    loop: Callable[..., object], test: Callable[..., Result], arguments: Sequence[str], rows: Sequence[object]
) -> Callable[..., Result]:
    """Give the loop the name, the marks and the fixtures of the test itself."""
    functools.update_wrapper(loop, test)
    signature = inspect.signature(test)
    unknown = [name for name in arguments if name not in signature.parameters]
    if unknown:
        raise TypeError(f"{test.__name__} takes no {', '.join(unknown)}")
    rest = [parameter for name, parameter in signature.parameters.items() if name not in arguments]
    vars(loop).update(__signature__=signature.replace(parameters=rest), rows=(*rows_of(test), *rows))
    return loop  # type: ignore[return-value]  # called by pytest alone, which reads the signature


def _read_table(
    rows: Sequence[object], count: int, ids: Iterable[object] | Callable[..., object] | None
) -> list[tuple[str, tuple[object, ...]]]:
    """Return the name and the values of each row."""
    name_of = ids if callable(ids) else None
    given = [None] * len(rows) if ids is None or callable(ids) else list(ids)
    if len(given) != len(rows):
        raise ValueError(f"{len(given)} names for {len(rows)} rows")
    return [_read_row(row, count, name, name_of) for row, name in zip(rows, given, strict=True)]


def _read_row(
    row: object, count: int, name: object, name_of: Callable[..., object] | None
) -> tuple[str, tuple[object, ...]]:
    if isinstance(row, PARAM):
        if row.marks:
            raise ValueError("a row has no marks of its own: give it a test of its own")
        name, row = row.id if name is None else name, row.values if count > 1 else row.values[0]
    values = (row,) if count == 1 else tuple(row) if isinstance(row, Iterable) else ()
    if len(values) != count:
        raise ValueError(f"a row has {count} values; this is one: {row!r}")
    return str(name if name is not None else ", ".join(_name(value, name_of) for value in values)), values


def _name(value: object, name_of: Callable[..., object] | None) -> str:
    given = name_of(value) if name_of is not None else None
    text = given if given is not None else getattr(value, "__name__", None) or repr(value)
    return str(text)[:MAX_NAME]
