"""The search bot with a budget in CPU time of its thread, which other programs on the machine do not use up."""

import time

from diskwars_bots.rulesets.diskwars.search_game import DISKWARS_GAME
from diskwars_bots.search.level import SearchLevel
from diskwars_bots.search.search_bot import SearchBot


def _thread_milliseconds() -> int:
    return time.thread_time_ns() // 1_000_000


search_100 = SearchBot(DISKWARS_GAME, SearchLevel(milliseconds=100), _thread_milliseconds)
search_250 = SearchBot(DISKWARS_GAME, SearchLevel(milliseconds=250), _thread_milliseconds)
search_300 = SearchBot(DISKWARS_GAME, SearchLevel(milliseconds=300), _thread_milliseconds)
"""What `fair` has, where nothing else runs."""
search_500 = SearchBot(DISKWARS_GAME, SearchLevel(milliseconds=500), _thread_milliseconds)
search_2000 = SearchBot(DISKWARS_GAME, SearchLevel(milliseconds=2000), _thread_milliseconds)
