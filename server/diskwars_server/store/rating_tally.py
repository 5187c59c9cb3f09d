"""The arithmetic of ratings and statistics: one counted match after another, in their order.

Ratings are those of Plackett and Luce (Weng and Lin, 2011), computed by openskill: two to four players, with ties.
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import asdict, replace
from openskill.models import PlackettLuce

from diskwars_protocol.match.bot_identity import bot_name
from diskwars_protocol.match.decisions import Result
from diskwars_server.store.match_index import UNCOUNTED_REASONS, Listing
from diskwars_server.store.ratings import StoredRating, StoredResults

MAX_DIFFERENCES = 20
"""Differences between a tally and what is stored that are named one by one."""
_TOLERANCE = 1e-9
_MODEL = PlackettLuce()


class CountedMatch(Struct, frozen=True):
    """The part of an ended match that ratings and statistics need."""

    match: str
    ruleset: str
    players: tuple[str, ...]
    result: Result
    is_rated: bool
    armies: tuple[str | None, ...] = ()
    records: int = 0


def counted_match(listing: Listing, registered_ms: Mapping[str, int]) -> CountedMatch | None:
    """Return what counts of a match; None where nothing does.

    It counts if it had begun, if no operator has stopped it, and if everybody in it had an account when it ended. Where
    all players stayed away there was no game to count.
    `registered_ms` is when players registered; it lacks guests. Accounts that are made or deleted later change nothing.
    """
    result, players = listing.result, listing.seats
    if listing.status != "ended" or result is None or result.end_reason in UNCOUNTED_REASONS or len(players) < 2:
        return None
    if result.end_reason == "absence" and not result.winners:
        return None
    for player in players:
        if player is None or bot_name(player) or registered_ms.get(player, listing.updated_ms + 1) > listing.updated_ms:
            return None
    return CountedMatch(
        listing.match,
        listing.ruleset,
        tuple(player for player in players if player is not None),
        result,
        listing.match_options.rated,
        listing.armies,
        listing.records,
    )


def places(result: Result, seats: int) -> list[int]:
    """Return the place of each seat: 1 for the winners, then by score where there are scores; all equal in a draw."""
    if not result.winners:
        return [1] * seats
    losers = [seat for seat in range(seats) if seat not in result.winners]
    if len(result.scores) != seats:
        return [2 if seat in losers else 1 for seat in range(seats)]
    by_score = sorted({result.scores[seat] for seat in losers}, reverse=True)
    return [2 + by_score.index(result.scores[seat]) if seat in losers else 1 for seat in range(seats)]


def shown_rating(mu: float, sigma: float) -> int:
    """Return the rating that people see."""
    return round(1000 * (mu - 3 * sigma))


class RatingTally:
    """Ratings and results while matches are added. It begins with what was stored before."""

    def __init__(self, ratings: Iterable[StoredRating] = (), results: Iterable[StoredResults] = ()) -> None:
        self.ratings = {(rating.ruleset, rating.player): rating for rating in ratings}
        self.results = {(one.ruleset, one.player, one.army): one for one in results}

    def add(self, match: CountedMatch) -> None:
        """Count the next match."""
        for seat, player in enumerate(match.players):
            army = (match.armies[seat] if seat < len(match.armies) else None) or ""
            for of in (player, ""):
                self._add_result(match, seat, (match.ruleset, of, army))
        if match.is_rated:
            self._rate(match)

    def _add_result(self, match: CountedMatch, seat: int, key: tuple[str, str, str]) -> None:
        known = self.results.get(key) or StoredResults(*key)
        won, lost, drew = _outcome(match.result, seat)
        self.results[key] = replace(
            known,
            games=known.games + 1,
            wins=known.wins + won,
            losses=known.losses + lost,
            draws=known.draws + drew,
            points=known.points + (match.result.scores[seat] if seat < len(match.result.scores) else 0),
            records=known.records + match.records,
        )

    def _rate(self, match: CountedMatch) -> None:
        keys = [(match.ruleset, player) for player in match.players]
        before = [self.ratings.get(key) or _new_rating(*key) for key in keys]
        teams = [[_MODEL.create_rating([rating.mu, rating.sigma])] for rating in before]
        after = _MODEL.rate(teams, ranks=[float(place) for place in places(match.result, len(keys))])
        for seat, (key, known, team) in enumerate(zip(keys, before, after, strict=True)):
            won, lost, drew = _outcome(match.result, seat)
            mu, sigma = team[0].mu, team[0].sigma
            self.ratings[key] = replace(
                known,
                mu=mu,
                sigma=sigma,
                shown=shown_rating(mu, sigma),
                games=known.games + 1,
                wins=known.wins + won,
                losses=known.losses + lost,
                draws=known.draws + drew,
            )

    def differences(self, stored: "RatingTally") -> list[str]:
        """Return in words what is stored that differs from this."""
        differences = [
            f"rating of player {player} in {ruleset}"
            for ruleset, player in sorted(self.ratings.keys() | stored.ratings.keys())
            if not _is_same(self.ratings.get((ruleset, player)), stored.ratings.get((ruleset, player)))
        ]
        differences += [
            f"results of {_whose(player)} with {army or 'armies without an id'} in {ruleset}"
            for ruleset, player, army in sorted(self.results.keys() | stored.results.keys())
            if self.results.get((ruleset, player, army)) != stored.results.get((ruleset, player, army))
        ]
        if len(differences) > MAX_DIFFERENCES:
            differences[MAX_DIFFERENCES:] = [f"and {len(differences) - MAX_DIFFERENCES} others"]
        return differences


def _new_rating(ruleset: str, player: str) -> StoredRating:
    new = _MODEL.rating()
    return StoredRating(ruleset, player, new.mu, new.sigma, shown_rating(new.mu, new.sigma))


def _outcome(result: Result, seat: int) -> tuple[bool, bool, bool]:
    """Return whether a seat won, lost or drew."""
    return seat in result.winners, bool(result.winners) and seat not in result.winners, not result.winners


def _whose(player: str) -> str:
    return f"player {player}" if player else "all players"


def _is_same(rating: StoredRating | None, other: StoredRating | None) -> bool:
    """Return whether two ratings are equal, but for what another machine may round otherwise."""
    if rating is None or other is None:
        return rating is other
    if abs(rating.mu - other.mu) > _TOLERANCE or abs(rating.sigma - other.sigma) > _TOLERANCE:
        return False
    return asdict(replace(rating, mu=0, sigma=0)) == asdict(replace(other, mu=0, sigma=0))
