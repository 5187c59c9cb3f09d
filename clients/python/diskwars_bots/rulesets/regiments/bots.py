"""The bots of regiments by name."""

from diskwars_bots.chooser import Chooser
from diskwars_bots.rulesets.regiments.greedy_bot import choose_greedy
from diskwars_bots.rulesets.regiments.random_bot import choose_random

BOTS: dict[str, Chooser] = {"random": choose_random, "greedy": choose_greedy}
DEFAULT_BOT = "greedy"
