"""The bots of the pit by name."""

from diskwars_bots.chooser import Chooser
from diskwars_bots.rulesets.pit.greedy_bot import choose_greedy
from diskwars_bots.rulesets.pit.random_bot import choose_random

BOTS: dict[str, Chooser] = {"random": choose_random, "greedy": choose_greedy}
DEFAULT_BOT = "greedy"
