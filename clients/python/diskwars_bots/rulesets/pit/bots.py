"""The bots of the pit by name."""

from diskwars_bots.chooser import Chooser
from diskwars_bots.rulesets.pit.greedy_bot import choose_greedy
from diskwars_bots.rulesets.pit.random_bot import choose_random
from diskwars_bots.rulesets.pit.search_game import PIT_GAME as GAME
from diskwars_bots.search.level import SearchLevel
from diskwars_bots.search.levels import USUAL, milliseconds_now
from diskwars_bots.search.search_bot import SearchBot

MILD = SearchLevel(noise=400)
"""Takes any answer for the best that is not far worse, by a fighter at most: for a first match."""

BOTS: dict[str, Chooser] = {
    "random": choose_random,
    "mild": SearchBot(GAME, MILD, milliseconds_now),
    "greedy": choose_greedy,
    "search": SearchBot(GAME, USUAL, milliseconds_now),
}
DEFAULT_BOT = "greedy"
