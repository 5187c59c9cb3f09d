"""How much of random play and of long tables is tried: a part in `./dev test`, everything in `.ci/run`.

What is tried in part are examples of one law, such as seeds of random matches. A law, a rule or a row that stands for a
case of its own is always tried.
"""

import os
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")

EFFORT_VARIABLE = "DISKWARS_TEST_EFFORT"
"""With the value "whole", everything is tried: `.ci/run` and `./dev mutants` set it."""


def is_whole() -> bool:
    return os.environ.get(EFFORT_VARIABLE) == "whole"


def count_of(whole: int, part: int) -> int:
    """Return how many examples are tried: all, or the number that does for a run between two commits."""
    return whole if is_whole() else part


def some_of(items: Sequence[Item], step: int) -> Sequence[Item]:
    """Return all examples, or each `step`-th with the first and the last."""
    if is_whole() or len(items) < 3:
        return items
    return [*items[:-1:step], items[-1]]


def spread_of(items: Sequence[Item], whole: int, part: int) -> Sequence[Item]:
    """Return at most `whole` or `part` of the examples, from the first to the last at equal distances."""
    count = count_of(whole, part)
    if len(items) <= count:
        return items
    return [items[number * (len(items) - 1) // (count - 1)] for number in range(count)]
