"""Matches of any ruleset without a clock, of which the house leaves the seats whose players stay away for days."""

from diskwars_protocol.match.match_options import MatchOptions
from tests.golden.substitute_matches import AnyLocal, sleep, wait_for

ABSENT_AFTER_DAYS = 3
ABSENCE = MatchOptions(abandoned_after_days=ABSENT_AFTER_DAYS, takebacks=True)


def play_with_absence(local: AnyLocal) -> AnyLocal:
    """Let all players but the first stay away, one after another."""
    for seat in range(1, len(local.seats)):
        sleep(local, wait_for(local, seat))
    return local
