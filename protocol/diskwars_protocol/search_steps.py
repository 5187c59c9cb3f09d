"""Counts of the steps of a search on a board, so that its caller can end one that takes too many."""

from collections.abc import Callable
from typing import TypeAlias

CountSteps: TypeAlias = Callable[[int], None]
"""Is called before some steps are taken; what it raises ends the search."""


def count_nothing(steps: int) -> None:
    """Let a search take as many steps as it needs."""
