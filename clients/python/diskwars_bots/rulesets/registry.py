"""The registry of the bots of each ruleset."""

from collections.abc import Callable

from msgspec import Struct

from diskwars_bots.chooser import Chooser
from diskwars_bots.generic_bot import choose_offered
from diskwars_bots.rulesets.close_quarters import bots as close_quarters
from diskwars_bots.rulesets.diskwars import bots as diskwars
from diskwars_bots.rulesets.diskwars.simulation import use_packs
from diskwars_bots.rulesets.pit import bots as pit
from diskwars_bots.rulesets.regiments import bots as regiments


class RulesetBots(Struct, frozen=True):
    """The bots of one ruleset by name, and which of them plays when none is named.

    `use_packs` names the packs of the matches that they play, for bots that search by the rules.
    """

    choosers: dict[str, Chooser]
    default: str
    use_packs: Callable[[tuple[str, ...]], None] = lambda packs: None


BOTS: dict[str, RulesetBots] = {
    "diskwars": RulesetBots(diskwars.BOTS, diskwars.DEFAULT_BOT, use_packs),
    "pit": RulesetBots(pit.BOTS, pit.DEFAULT_BOT),
    "close_quarters": RulesetBots(close_quarters.BOTS, close_quarters.DEFAULT_BOT),
    "regiments": RulesetBots(regiments.BOTS, regiments.DEFAULT_BOT),
}
"""By ruleset: the bots that come with this package."""
GENERIC_BOTS = RulesetBots({"random": choose_offered}, "random")
"""The bots of a ruleset that has registered none."""


def find_bots(ruleset: str) -> RulesetBots:
    """Return the bots of a ruleset."""
    return BOTS.get(ruleset, GENERIC_BOTS)
