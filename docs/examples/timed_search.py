"""The search bot with a budget in CPU time of its thread, which other programs on the machine do not use up."""

import time

from diskwars_bots.rulesets.diskwars.search_bot import SearchBot, SearchLevel


def _thread_milliseconds() -> int:
    return time.thread_time_ns() // 1_000_000


search_100 = SearchBot(SearchLevel(milliseconds=100), _thread_milliseconds)
search_300 = SearchBot(SearchLevel(milliseconds=300), _thread_milliseconds)
"""What `fair` has, where nothing else runs."""
search_500 = SearchBot(SearchLevel(milliseconds=500), _thread_milliseconds)
search_2000 = SearchBot(SearchLevel(milliseconds=2000), _thread_milliseconds)
