"""The port that keeps ratings and statistics: a projection of ended matches, which can be made again from them."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from diskwars_server.store.rating_model import MODEL_VERSION

MIN_RANKED_GAMES = 5
"""Rated games of a ruleset before a player is on its leaderboard."""


class StoredRating(Struct, frozen=True):
    """The rating of a player in one ruleset. `shown` is the mean less three deviations, in thousandths."""

    ruleset: str
    player: str
    mu: float
    sigma: float
    shown: int
    games: int = 0
    wins: int = 0
    losses: int = 0
    draws: int = 0


class StoredResults(Struct, frozen=True):
    """Results of an army with a player; `player` is empty for the army with all players, `army` where it has no id.

    `points` and `records` are sums over its matches.
    """

    ruleset: str
    player: str
    army: str
    games: int = 0
    wins: int = 0
    losses: int = 0
    draws: int = 0
    points: int = 0
    records: int = 0


class StoredRatingChange(Struct, frozen=True):
    """The rating of a player after a match; `ordinal` is the place of the match in the order of counting, from 1."""

    ruleset: str
    player: str
    match: str
    ended_ms: int
    shown: int
    sigma: float
    ordinal: int = 0


class RankedPlayer(Struct, frozen=True):
    """A rating on the leaderboard, with the name of its player."""

    rating: StoredRating
    name: str


class LadderResults(Struct, frozen=True):
    """The rating of a player, None without one, and the rated matches within some time."""

    player: str
    shown: int | None = None
    wins: int = 0
    draws: int = 0
    losses: int = 0


class Ratings(Protocol):
    """Ratings and statistics. Every method may raise `StoreUnavailable`."""

    async def count_ended(self, limit: int, model: int = MODEL_VERSION) -> int:
        """Count ended matches that were not looked at yet, the first that ended first; return how many were.

        Where what is stored was made by an older `model`, matches are first taken back from it, `limit` at once, and
        counted again afterwards. It does nothing where that is newer, or while another node counts.
        """

    async def leaderboard(
        self, ruleset: str, limit: int, after: tuple[int, str] | None = None, *, bots: bool = False
    ) -> list[RankedPlayer]:
        """Return the players on the leaderboard, highest first; `after` is (shown, player) of the last one known.

        Players without an account by now are left out. Bots have a leaderboard of their own, with `bots`.
        """

    async def list_ratings(self, player: str) -> list[StoredRating]:
        """Return the ratings of a player, by ruleset."""

    async def list_rating_changes(
        self, ruleset: str, player: str, limit: int, before: int | None = None
    ) -> list[StoredRatingChange]:
        """Return the changes of a rating, the newest first; `before` is the ordinal of the last one known."""

    async def list_ladder(
        self, ruleset: str, players: Sequence[str], since_ms: int, until_ms: int
    ) -> list[LadderResults]:
        """Return a row for each of the players, with the rated matches that ended in this time, its end not included.

        Matches are in it once they were counted.
        """

    async def list_player_results(self, player: str, limit: int) -> list[StoredResults]:
        """Return the results of a player, those with the most games first."""

    async def list_army_results(self, ruleset: str, limit: int) -> list[StoredResults]:
        """Return the results of the armies of a ruleset with all players, those with the most games first."""

    async def rebuild(self, write: bool) -> tuple[int, list[str]]:
        """Compute everything again from the counted matches; return how many they are, and what is stored otherwise.

        With `write` the result takes the place of what is stored.
        """
