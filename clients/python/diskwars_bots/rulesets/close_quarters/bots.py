"""The bots of close quarters by name."""

from diskwars_bots.chooser import Chooser
from diskwars_bots.rulesets.close_quarters.greedy_bot import choose_greedy
from diskwars_bots.rulesets.close_quarters.random_bot import choose_random

BOTS: dict[str, Chooser] = {"random": choose_random, "greedy": choose_greedy}
DEFAULT_BOT = "greedy"
