"""The bots of Diskwars by name."""

from time import monotonic_ns

from diskwars_bots.chooser import Chooser
from diskwars_bots.rulesets.diskwars.greedy_bot import choose_greedy
from diskwars_bots.rulesets.diskwars.random_bot import choose_random
from diskwars_bots.rulesets.diskwars.search_bot import SearchBot, SearchLevel

MILD = SearchLevel(noise=900)
"""Often takes one of the better answers for the best: for a first match. With 150 or 400 it plays as well as greedy."""
FAIR = SearchLevel(milliseconds=300)
HARD = SearchLevel(milliseconds=2000)
"""As long as a person likes to wait."""


def _milliseconds() -> int:
    return monotonic_ns() // 1_000_000


BOTS: dict[str, Chooser] = {
    "random": choose_random,
    "greedy": choose_greedy,
    "mild": SearchBot(MILD, _milliseconds),
    "fair": SearchBot(FAIR, _milliseconds),
    "hard": SearchBot(HARD, _milliseconds),
}
DEFAULT_BOT = "greedy"
