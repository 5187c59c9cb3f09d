"""The budget of one decision, in steps and not in time: the same decision exceeds it on every machine, or on none."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from msgspec import Struct

T = TypeVar("T")

MAX_STEPS = 10_000
"""Events, tasks, turns of a loop and dice of one decision, or the options of one.

In random play of all rulesets the most is 45 events, and 470 actions, limits and places of one decision's options.
What is looked at to find them has a limit of its own in each ruleset, `MAX_SEARCH_STEPS`.
"""


class WorkExceeded(Exception):
    """A decision takes more steps than any decision of a real match: the match cannot go on."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"the decision takes more than {limit} steps")
        self.limit = limit


class WorkBudget:
    """The steps that one decision has left."""

    __slots__ = ("_left", "_limit")

    def __init__(self, limit: int = MAX_STEPS) -> None:
        self._limit = self._left = limit

    def spend(self, steps: int = 1) -> None:
        """Take steps off the budget, before they are carried out. Raises `WorkExceeded`."""
        self._left -= steps
        if self._left < 0:
            raise WorkExceeded(self._limit)

    def each(self, values: Iterable[T]) -> Iterator[T]:
        """Yield values, one step each."""
        for value in values:
            self.spend()
            yield value


def require_few_options(options: Struct) -> None:
    """Raise `WorkExceeded` for options that list more actions, limits and places than a decision may take steps."""
    work, left = WorkBudget(), [options]
    while left:
        entry = left.pop()
        for name in entry.__struct_fields__:
            values = getattr(entry, name)
            if isinstance(values, tuple):
                work.spend(len(values))
                left += [value for value in values if isinstance(value, Struct)]
