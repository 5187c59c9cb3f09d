"""The arithmetic of ratings and statistics: one counted match after another, in their order."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import asdict, replace

from diskwars_protocol.match.bot_identity import bot_name
from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.history_facts import NO_HISTORY_FACTS
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.registry import RULESETS
from diskwars_server.store.match_index import UNCOUNTED_REASONS, Listing
from diskwars_server.store.rated_matches import PlayedSeats, RatedMatch, RatedPairs
from diskwars_server.store.rating_model import NEW_SKILL, Skill, rate
from diskwars_server.store.ratings import StoredRating, StoredRatingChange, StoredResults

MAX_DIFFERENCES = 20
"""Differences between a tally and what is stored that are named one by one."""
_TOLERANCE = 1e-9


class CountedMatch(Struct, frozen=True):
    """The part of an ended match that ratings and statistics need. `left` are seats that left what the others drew.

    In one that `is_unopposed` none of those who lost has answered in play: they lose, and the winners gain nothing.
    """

    match: str
    ruleset: str
    players: tuple[str, ...]
    result: Result
    is_rated: bool
    armies: tuple[str | None, ...] = ()
    records: int = 0
    ended_ms: int = 0
    left: tuple[Seat, ...] = ()
    is_unopposed: bool = False

    @property
    def needs_records(self) -> bool:
        """Whether its records tell how it counts: rated matches, and draws that somebody may have left before."""
        return self.is_rated or (not self.result.winners and len(self.players) > 2)


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
        listing.updated_ms,
    )


def with_rating(match: CountedMatch, played: PlayedSeats, pairs: RatedPairs) -> CountedMatch:
    """Return the match as it counts, which moves ratings only by the rule of `rated_matches`."""
    rated = RatedMatch(match.ruleset, match.players, match.ended_ms)
    is_rated = match.is_rated and played.are_enough and pairs.take(rated)
    return replace(with_played(match, played), is_rated=is_rated)


def with_played(match: CountedMatch, played: PlayedSeats) -> CountedMatch:
    """Return the match with what only its records tell."""
    winners = match.result.winners
    is_unopposed = bool(winners) and played.answered <= {*winners}
    return replace(match, left=played.left, is_unopposed=is_unopposed)


def sides_of(ruleset: str, seats: int) -> tuple[tuple[Seat, ...], ...]:
    """Return the seats that play one side, for each side; every seat is one where the ruleset is not known."""
    known = RULESETS.get(ruleset)
    return (known.history_facts if known else NO_HISTORY_FACTS).sides(seats)


def places(result: Result, sides: Sequence[Sequence[Seat]]) -> list[int]:
    """Return the place of each side: 1 for winners, then by score where there are scores; all equal in a draw."""
    has_won = [any(seat in result.winners for seat in side) for side in sides]
    if not any(has_won):
        return [1] * len(sides)
    if len(result.scores) != sum(map(len, sides)):
        return [1 if won else 2 for won in has_won]
    scores = [max(result.scores[seat] for seat in side) for side in sides]
    lower = sorted({score for score, won in zip(scores, has_won, strict=True) if not won}, reverse=True)
    return [1 if won else 2 + lower.index(score) for score, won in zip(scores, has_won, strict=True)]


def rated_sides(
    result: Result, sides: Sequence[Sequence[Seat]], left: Sequence[Seat] = ()
) -> list[tuple[Sequence[Seat], int]]:
    """Return the sides with their places. Those who left one that won or drew are one of their own, in the last place.

    They share no first place, and have not beaten those who stayed to the end. `left` are those of a draw.
    """
    rated: list[tuple[Sequence[Seat], int]] = []
    last_ones: list[Sequence[Seat]] = []
    for side, place in zip(sides, places(result, sides), strict=True):
        has_won = any(seat in result.winners for seat in side)
        leavers = tuple(seat for seat in side if seat in left or (has_won and seat not in result.winners))
        stayed = tuple(seat for seat in side if seat not in leavers)
        rated += [(stayed, place)] if stayed else []
        last_ones += [leavers] if leavers else []
    last = max(2, *(place for _, place in rated))
    return rated + [(leavers, last) for leavers in last_ones]


def shown_rating(mu: float, sigma: float) -> int:
    """Return the rating that people see."""
    return round(1000 * (mu - 3 * sigma))


class RatingTally:
    """Ratings and results while matches are added. It begins with what was stored before."""

    def __init__(self, ratings: Iterable[StoredRating] = (), results: Iterable[StoredResults] = ()) -> None:
        self.ratings = {(rating.ruleset, rating.player): rating for rating in ratings}
        self.results = {(result.ruleset, result.player, result.army): result for result in results}
        self._changes: list[StoredRatingChange] = []

    def add(self, match: CountedMatch) -> None:
        """Count the next match."""
        for seat, player in enumerate(match.players):
            army = (match.armies[seat] if seat < len(match.armies) else None) or ""
            for of in (player, ""):
                self._add_result(match, seat, (match.ruleset, of, army))
        if match.is_rated:
            self._rate(match)

    def take_changes(self) -> list[StoredRatingChange]:
        """Return the changes of ratings since the last call, in their order and without ordinals."""
        changes, self._changes = self._changes, []
        return changes

    def _add_result(self, match: CountedMatch, seat: int, key: tuple[str, str, str]) -> None:
        known = self.results.get(key) or StoredResults(*key)
        won, lost, drew = _outcome(match, seat)
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
        sides = rated_sides(match.result, sides_of(match.ruleset, len(keys)), match.left)
        after = rate([[_skill(before[seat]) for seat in side] for side, _ in sides], [place for _, place in sides])
        for (side, _), skills in zip(sides, after, strict=True):
            for seat, skill in zip(side, skills, strict=True):
                won, lost, drew = _outcome(match, seat)
                if won and match.is_unopposed:
                    continue
                moved = _with_skill(before[seat], skill)
                self.ratings[keys[seat]] = replace(
                    moved,
                    games=moved.games + 1,
                    wins=moved.wins + won,
                    losses=moved.losses + lost,
                    draws=moved.draws + drew,
                )
                change = StoredRatingChange(
                    match.ruleset, moved.player, match.match, match.ended_ms, moved.shown, moved.sigma
                )
                self._changes.append(change)

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
    return _with_skill(StoredRating(ruleset, player, 0, 0, 0), NEW_SKILL)


def _skill(rating: StoredRating) -> Skill:
    return Skill(rating.mu, rating.sigma)


def _with_skill(rating: StoredRating, skill: Skill) -> StoredRating:
    return replace(rating, mu=skill.mu, sigma=skill.sigma, shown=shown_rating(skill.mu, skill.sigma))


def _outcome(match: CountedMatch, seat: int) -> tuple[bool, bool, bool]:
    """Return whether a seat won, lost or drew. A player who left what the others drew has lost."""
    winners = match.result.winners
    has_lost = seat not in winners if winners else seat in match.left
    return seat in winners, has_lost, not winners and not has_lost


def _whose(player: str) -> str:
    return f"player {player}" if player else "all players"


def _is_same(rating: StoredRating | None, other: StoredRating | None) -> bool:
    """Return whether two ratings are equal, but for what another machine may round otherwise."""
    if rating is None or other is None:
        return rating is other
    if abs(rating.mu - other.mu) > _TOLERANCE or abs(rating.sigma - other.sigma) > _TOLERANCE:
        return False
    return asdict(replace(rating, mu=0, sigma=0)) == asdict(replace(other, mu=0, sigma=0))
