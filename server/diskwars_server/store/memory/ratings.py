"""Ratings and statistics in memory."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec.structs import replace

from diskwars_protocol.records.records import Record
from diskwars_server.store.match_index import Listing
from diskwars_server.store.memory.accounts import MemoryAccounts
from diskwars_server.store.rated_matches import PlayedSeats, RatedPairs
from diskwars_server.store.rating_model import MODEL_VERSION
from diskwars_server.store.rating_tally import CountedMatch, RatingTally, counted_match, with_rating
from diskwars_server.store.ratings import (
    MIN_RANKED_GAMES,
    LadderResults,
    RankedPlayer,
    Ratings,
    StoredRating,
    StoredRatingChange,
    StoredResults,
)


class MemoryRatings(Ratings):
    """A tally of all counted matches, which are kept in their order."""

    def __init__(
        self,
        require_open: Callable[[], None],
        listings: Callable[[], Mapping[str, Listing]],
        records: Callable[[str], Sequence[Record]],
        accounts: MemoryAccounts,
    ) -> None:
        """`listings` provides all matches, `records` those of one."""
        self._require_open, self._listings, self._records, self._accounts = require_open, listings, records, accounts
        self._looked_at: set[str] = set()
        self._model = 0
        self._clear(self._model)

    def _clear(self, model: int) -> None:
        self._model, self._tally, self._pairs = model, RatingTally(), RatedPairs()
        self._counted: list[CountedMatch] = []
        self._changes: list[StoredRatingChange] = []

    async def count_ended(self, limit: int, model: int = MODEL_VERSION) -> int:
        self._require_open()
        if self._model > model:
            return 0
        if self._model < model:
            # As in PostgreSQL, what they have made stays for readers until the last of them is taken back.
            taken_back, self._counted = self._counted[-limit:], self._counted[:-limit]
            self._looked_at.difference_update(match.match for match in taken_back)
            if taken_back:
                return len(taken_back)
            self._clear(model)
        ended = (listing for listing in self._listings().values() if listing.status == "ended")
        uncounted = (listing for listing in ended if listing.match not in self._looked_at)
        new = sorted(uncounted, key=lambda listing: (listing.updated_ms, listing.match))[:limit]
        for listing in new:
            players = [player for player in listing.seats if player is not None]
            accounts = await self._accounts.find_players(players)
            registered = {name: account.created_ms for name, account in accounts.items()}
            self._looked_at.add(listing.match)
            counted = counted_match(listing, registered)
            if counted is not None:
                if counted.needs_records:
                    counted = with_rating(counted, self._read_played(counted), self._pairs)
                self._counted.append(counted)
                self._tally.add(counted)
                self._changes += _numbered(self._tally, len(self._counted))
        return len(new)

    def _read_played(self, match: CountedMatch) -> PlayedSeats:
        played = PlayedSeats(match.ruleset, len(match.players), is_draw=not match.result.winners)
        for record in self._records(match.match):
            played.add(record.body)
        return played

    async def leaderboard(
        self, ruleset: str, limit: int, after: tuple[int, str] | None = None, *, bots: bool = False
    ) -> list[RankedPlayer]:
        self._require_open()
        ranked = [
            rating
            for rating in self._tally.ratings.values()
            if rating.ruleset == ruleset
            and rating.games >= MIN_RANKED_GAMES
            and (after is None or (rating.shown, rating.player) < after)
        ]
        accounts = await self._accounts.find_players([rating.player for rating in ranked])
        shown = [
            rating
            for rating in ranked
            if not accounts[rating.player].is_deleted and accounts[rating.player].is_bot == bots
        ]
        shown.sort(key=lambda rating: (rating.shown, rating.player), reverse=True)
        return [RankedPlayer(rating, accounts[rating.player].name) for rating in shown[:limit]]

    async def list_ratings(self, player: str) -> list[StoredRating]:
        self._require_open()
        ratings = (rating for rating in self._tally.ratings.values() if rating.player == player)
        return sorted(ratings, key=lambda rating: rating.ruleset)

    async def list_rating_changes(
        self, ruleset: str, player: str, limit: int, before: int | None = None
    ) -> list[StoredRatingChange]:
        self._require_open()
        changes = [
            change
            for change in self._changes
            if (change.ruleset, change.player) == (ruleset, player) and (before is None or change.ordinal < before)
        ]
        return changes[::-1][:limit]

    async def list_ladder(
        self, ruleset: str, players: Sequence[str], since_ms: int, until_ms: int
    ) -> list[LadderResults]:
        self._require_open()
        rated = [
            match
            for match in self._counted
            if match.is_rated and match.ruleset == ruleset and since_ms <= match.ended_ms < until_ms
        ]
        return [self._ladder_results(ruleset, player, rated) for player in players]

    def _ladder_results(self, ruleset: str, player: str, rated: Sequence[CountedMatch]) -> LadderResults:
        played = [match for match in rated if player in match.players]
        draws = sum(not match.result.winners for match in played)
        wins = sum(match.players.index(player) in match.result.winners for match in played)
        rating = self._tally.ratings.get((ruleset, player))
        shown = None if rating is None else rating.shown
        return LadderResults(player, shown, wins, draws, len(played) - wins - draws)

    async def list_player_results(self, player: str, limit: int) -> list[StoredResults]:
        self._require_open()
        played = (results for results in self._tally.results.values() if results.player == player)
        return _most_played(played if player else (), limit)

    async def list_army_results(self, ruleset: str, limit: int) -> list[StoredResults]:
        self._require_open()
        of_ruleset = (results for results in self._tally.results.values() if results.ruleset == ruleset)
        played = (results for results in of_ruleset if not results.player)
        return _most_played(played, limit)

    async def rebuild(self, write: bool) -> tuple[int, list[str]]:
        self._require_open()
        tally, changes = RatingTally(), list[StoredRatingChange]()
        for ordinal, match in enumerate(self._counted, 1):
            tally.add(match)
            changes += _numbered(tally, ordinal)
        differences = tally.differences(self._tally)
        if write:
            self._tally, self._changes = tally, changes
        return len(self._counted), differences


def _numbered(tally: RatingTally, ordinal: int) -> list[StoredRatingChange]:
    return [replace(change, ordinal=ordinal) for change in tally.take_changes()]


def _most_played(played: Iterable[StoredResults], limit: int) -> list[StoredResults]:
    return sorted(played, key=lambda results: (-results.games, results.ruleset, results.army))[:limit]
