"""The registry of the bots of each ruleset."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from msgspec import Struct

from diskwars_bots.chooser import Chooser
from diskwars_bots.generic_bot import choose_offered
from diskwars_bots.rulesets.close_quarters import bots as close_quarters
from diskwars_bots.rulesets.close_quarters.reference_bots import REFERENCES as CLOSE_QUARTERS_REFERENCES
from diskwars_bots.rulesets.close_quarters.search_game import CLOSE_QUARTERS_GAME
from diskwars_bots.rulesets.diskwars import bots as diskwars
from diskwars_bots.rulesets.diskwars.search_game import DISKWARS_GAME
from diskwars_bots.rulesets.pit import bots as pit
from diskwars_bots.rulesets.pit.reference_bots import REFERENCES as PIT_REFERENCES
from diskwars_bots.rulesets.pit.search_game import PIT_GAME
from diskwars_bots.rulesets.regiments import bots as regiments
from diskwars_bots.rulesets.regiments.reference_bots import REFERENCES as REGIMENTS_REFERENCES
from diskwars_bots.rulesets.regiments.search_game import REGIMENTS_GAME
from diskwars_bots.search.game import SearchGame
from diskwars_bots.search.levels import USUAL, milliseconds_now, parse_level, searching_bots
from diskwars_bots.search.search_bot import SearchBot


class RulesetBots(Struct, frozen=True):
    """The bots of one ruleset by name, and which of them plays when none is named.

    `searching` makes those that search with fewer milliseconds than they usually take. `references` are opponents of
    one idea, for leagues only: nobody is offered them. `game` is what a search of any other budget plays.
    """

    choosers: dict[str, Chooser]
    default: str
    searching: Mapping[str, Callable[[int], Chooser]] = MappingProxyType({})
    references: Mapping[str, Chooser] = MappingProxyType({})
    game: SearchGame | None = None

    def find(self, name: str) -> Chooser | None:
        """Return a bot, a reference or a search with a budget by its name; None if there is none."""
        found = self.choosers.get(name) or self.references.get(name)
        level = None if found is not None or self.game is None else parse_level(name)
        return found if level is None or self.game is None else SearchBot(self.game, level, milliseconds_now)


BOTS: dict[str, RulesetBots] = {
    "diskwars": RulesetBots(
        diskwars.BOTS,
        diskwars.DEFAULT_BOT,
        searching_bots(DISKWARS_GAME, search=USUAL, fair=diskwars.FAIR, hard=diskwars.HARD),
        game=DISKWARS_GAME,
    ),
    "pit": RulesetBots(pit.BOTS, pit.DEFAULT_BOT, searching_bots(PIT_GAME, search=USUAL), PIT_REFERENCES, PIT_GAME),
    "close_quarters": RulesetBots(
        close_quarters.BOTS,
        close_quarters.DEFAULT_BOT,
        searching_bots(CLOSE_QUARTERS_GAME, search=USUAL),
        CLOSE_QUARTERS_REFERENCES,
        CLOSE_QUARTERS_GAME,
    ),
    "regiments": RulesetBots(
        regiments.BOTS,
        regiments.DEFAULT_BOT,
        searching_bots(REGIMENTS_GAME, search=USUAL),
        REGIMENTS_REFERENCES,
        REGIMENTS_GAME,
    ),
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
