"""Names of the searching bots: `search`, and `search2000` or `search200n` for a budget of one's own."""

import re
from collections.abc import Callable, Mapping
from time import monotonic_ns

from msgspec.structs import replace

from diskwars_bots.search.game import SearchGame
from diskwars_bots.search.level import SearchLevel
from diskwars_bots.search.search_bot import SearchBot

USUAL = SearchLevel(milliseconds=500)
"""What `search` has for each decision."""
MAX_BUDGET_DIGITS = 6
_BUDGET = re.compile(rf"search([1-9]\d{{0,{MAX_BUDGET_DIGITS - 1}}})(n?)")


def milliseconds_now() -> int:
    return monotonic_ns() // 1_000_000


def parse_level(name: str) -> SearchLevel | None:
    """Return the level that a name stands for: milliseconds, or simulations with an n behind."""
    if name == "search":
        return USUAL
    budget = _BUDGET.fullmatch(name)
    if budget is None:
        return None
    number = int(budget[1])
    return SearchLevel(simulations=number) if budget[2] else SearchLevel(milliseconds=number)


def searching_bots(
    game: SearchGame, clock: Callable[[], int] = milliseconds_now, **levels: SearchLevel
) -> Mapping[str, Callable[[int], SearchBot]]:
    """Return for each level how its bot is made that has less time; none ever has more."""

    def limited(level: SearchLevel) -> Callable[[int], SearchBot]:
        return lambda given: SearchBot(game, replace(level, milliseconds=max(1, min(given, level.milliseconds))), clock)

    return {name: limited(level) for name, level in levels.items()}
