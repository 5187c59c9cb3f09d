"""The interface of a bot: a pure function that chooses an answer.

A chooser gets the match as its seat may know it, the decision, the options offered, and its own random generator.
It returns an action. A card lock is returned without salt and seat nonce; its sender adds them.
"""

import random
from collections.abc import Callable
from typing import Any, Protocol, TypeAlias, runtime_checkable

from diskwars_protocol.match import Decision, Options

Chooser: TypeAlias = Callable[[Any, Decision[Any], Options[Any, Any, Any], random.Random], Any]
"""`choose(match, decision, options, rng)`, which returns an action of the ruleset of the match."""


@runtime_checkable
class SearchingChooser(Protocol):
    """A chooser that thinks for a time, and can be given less of it."""

    def within(self, milliseconds: int) -> Chooser:
        """Return the same chooser, thinking no longer than this."""


def limit_search(choose: Chooser, milliseconds: int) -> Chooser:
    """Return a chooser that searches no longer than this; one that does not search is returned as it is."""
    return choose.within(milliseconds) if isinstance(choose, SearchingChooser) else choose
