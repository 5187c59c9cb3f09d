"""Ladders of clubs: the ratings of members, and their rated matches in a season."""

from collections import OrderedDict
from collections.abc import Callable

from diskwars_protocol.clubs.events import SeasonRow
from diskwars_protocol.clubs.state import Club, Season
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.schema_types import MAX_INTEGER
from diskwars_server.store.ratings import Ratings

KEPT_MS = 30_000
"""For how long a ladder is shown again: it reads every rated match of the season."""
MAX_KEPT_LADDERS = 256

Rows = tuple[SeasonRow, ...]


def ruleset_of(state: Club, season: Season | None) -> str:
    """Return the game of a season's ladder; without one that of the club's ladder."""
    return state.options.ruleset if season is None or season.ruleset is None else season.ruleset


class Ladders:
    """Ladders as matches are counted. Every method may raise StoreUnavailable."""

    def __init__(self, ratings: Ratings, monotonic: Callable[[], int]) -> None:
        self._ratings, self._monotonic = ratings, monotonic
        self._kept: OrderedDict[tuple[str, int], tuple[int, Rows]] = OrderedDict()

    async def find(self, state: Club) -> Rows:
        """Return the ladder of the season under way, or else of all time, not older than some seconds."""
        key, now = (state.club, state.seq), self._monotonic()
        kept = self._kept.get(key)
        if kept is not None and now - kept[0] < KEPT_MS:
            return kept[1]
        rows = await self.count(state)
        self._kept[key] = now, rows
        self._kept.move_to_end(key)
        if len(self._kept) > MAX_KEPT_LADDERS:
            self._kept.popitem(last=False)
        return rows

    async def count(self, state: Club) -> Rows:
        """Return the ladder as it is now: of a season in its game, which the options may have changed since."""
        season = state.season
        since_ms = 0 if season is None else season.began_ms
        until_ms = MAX_INTEGER if season is None or season.ends_ms is None else season.ends_ms
        members = [member.player for member in state.members]
        counted = await self._ratings.list_ladder(ruleset_of(state, season), members, since_ms, until_ms)
        rows = [SeasonRow(PlayerId(row.player), row.shown, row.wins, row.draws, row.losses) for row in counted]
        rows.sort(key=lambda row: (row.rating is None, -(row.rating or 0), -row.wins, row.losses, row.player))
        return tuple(rows)
