"""The bots of Diskwars by name."""

from diskwars_bots.chooser import Chooser
from diskwars_bots.rulesets.diskwars.greedy_bot import choose_greedy
from diskwars_bots.rulesets.diskwars.random_bot import choose_random
from diskwars_bots.rulesets.diskwars.search_game import DISKWARS_GAME as GAME
from diskwars_bots.search.level import SearchLevel
from diskwars_bots.search.levels import USUAL, milliseconds_now
from diskwars_bots.search.search_bot import SearchBot

MILD = SearchLevel(noise=900)
"""Often takes one of the better answers for the best: for a first match. With 150 or 400 it plays as well as greedy."""
FAIR = SearchLevel(milliseconds=300)
HARD = SearchLevel(milliseconds=2000)
"""As long as a person likes to wait. `fair` and `hard` are older names than `search`, and in kept matches."""

BOTS: dict[str, Chooser] = {
    "random": choose_random,
    "mild": SearchBot(GAME, MILD, milliseconds_now),
    "greedy": choose_greedy,
    "search": SearchBot(GAME, USUAL, milliseconds_now),
    "fair": SearchBot(GAME, FAIR, milliseconds_now),
    "hard": SearchBot(GAME, HARD, milliseconds_now),
}
DEFAULT_BOT = "greedy"
