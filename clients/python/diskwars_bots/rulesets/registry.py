"""The registry of the bots of each ruleset."""

from collections.abc import Callable, Mapping
from time import monotonic_ns
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from diskwars_bots.chooser import Chooser
from diskwars_bots.generic_bot import choose_offered
from diskwars_bots.rulesets.close_quarters import bots as close_quarters
from diskwars_bots.rulesets.diskwars import bots as diskwars
from diskwars_bots.rulesets.diskwars.search_bot import SearchBot, SearchLevel
from diskwars_bots.rulesets.pit import bots as pit
from diskwars_bots.rulesets.regiments import bots as regiments


class RulesetBots(Struct, frozen=True):
    """The bots of one ruleset by name, and which of them plays when none is named.

    `searching` makes those that search with fewer milliseconds than they usually take.
    """

    choosers: dict[str, Chooser]
    default: str
    searching: Mapping[str, Callable[[int], Chooser]] = MappingProxyType({})


def searching_bots(
    clock: Callable[[], int] = lambda: monotonic_ns() // 1_000_000, **levels: SearchLevel
) -> Mapping[str, Callable[[int], Chooser]]:
    """Return for each level how its bot is made that has less time; none ever has more."""

    def limited(level: SearchLevel) -> Callable[[int], Chooser]:
        return lambda given: SearchBot(replace(level, milliseconds=max(1, min(given, level.milliseconds))), clock)

    return {name: limited(level) for name, level in levels.items()}


BOTS: dict[str, RulesetBots] = {
    "diskwars": RulesetBots(
        diskwars.BOTS, diskwars.DEFAULT_BOT, searching_bots(fair=diskwars.FAIR, hard=diskwars.HARD)
    ),
    "pit": RulesetBots(pit.BOTS, pit.DEFAULT_BOT),
    "close_quarters": RulesetBots(close_quarters.BOTS, close_quarters.DEFAULT_BOT),
    "regiments": RulesetBots(regiments.BOTS, regiments.DEFAULT_BOT),
}
"""By ruleset: the bots that come with this package."""
GENERIC_BOTS = RulesetBots({"random": choose_offered}, "random")
"""The bots of a ruleset that has registered none."""


def find_chooser_within(ruleset: str, name: str, milliseconds: int) -> Chooser:
    """Return a bot that searches for this many milliseconds at most; one that does not search has no such bound."""
    bots = find_bots(ruleset)
    make = bots.searching.get(name)
    return bots.choosers[name] if make is None else make(milliseconds)


def find_bots(ruleset: str) -> RulesetBots:
    """Return the bots of a ruleset."""
    return BOTS.get(ruleset, GENERIC_BOTS)
