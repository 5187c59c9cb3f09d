"""The rule of which matches move ratings: they were played, and their players have not met too often.

A match that somebody won was played once its first round has begun: one who leaves then loses, even before any answer.
Those who won gain nothing by it unless one of the others has answered: nobody climbs by accounts of friends who leave.
A draw was played once every seat has answered or left, so that a draw agreed at once counts for nobody.
"""

from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations

import msgspec
from msgspec import Struct

from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.registry import RULESETS

RATED_MATCHES_PER_PAIR_PER_DAY = 4
"""By two players in one ruleset, within 24 hours by the ends of the matches: one fewer than a leaderboard asks for."""
DAY_MS = 86_400_000
_FIRST_STEP = frozenset({"step_began"})
"""The beginning of play in a ruleset without rounds."""


_RESIGNED = "seat_resigned"


class _EventKind(Struct, frozen=True):
    """The type of an event; empty where the whole event is hidden. `seat` may be hidden in others than resignations."""

    type: str = ""
    seat: object = None


class _SeatAnswer(Struct, frozen=True):
    """The author of an answer, as a record names it. `actor` is there where the house or the opener did."""

    seat: int | None = None
    actor: str | None = None
    decision: str | None = None
    events: tuple[_EventKind, ...] = ()


_ANSWER_DECODER = msgspec.json.Decoder(_SeatAnswer)


def starting_events(ruleset: str) -> frozenset[str]:
    """Return the types of the events that end the set-up: those with which a round begins."""
    known = RULESETS.get(ruleset)
    kinds = known.history_facts.mark_kinds if known else {}
    rounds = (kind for kind, mark in kinds.items() if mark == "round" and issubclass(kind, Struct))
    return frozenset(str(kind.__struct_config__.tag) for kind in rounds) or _FIRST_STEP


class PlayedSeats:
    """What has been played of a match, record after record: its rounds, and the seats that have answered in them.

    A resignation, an offer and an answer to an offer answer no decision. What the house answers counts for nobody.
    """

    def __init__(self, ruleset: str, seats: int, is_draw: bool) -> None:
        self._starting_events, self._seats = starting_events(ruleset), seats
        self._is_draw = is_draw
        self._has_begun = False
        self._answered: set[int] = set()
        self._left: set[int] = set()

    @property
    def are_enough(self) -> bool:
        """Whether the match counts: the first round has begun, and in a draw the player of every seat has answered.

        In a draw without those who left it, the others have answered.
        """
        return self._has_begun and (not self._is_draw or len(self._answered | self._left) == self._seats)

    @property
    def are_known(self) -> bool:
        """Whether further records change nothing of this. Those of a draw of three or more may tell who left it."""
        if self._is_draw:
            return self.are_enough and self._seats == 2
        return self.are_enough and len(self._answered) == self._seats

    @property
    def answered(self) -> frozenset[Seat]:
        """The seats whose players have answered since the first round began, as far as records were added."""
        return frozenset(self._answered)

    @property
    def left(self) -> tuple[Seat, ...]:
        """The seats whose players left a match that the others drew."""
        return tuple(sorted(self._left)) if self._is_draw else ()

    def add(self, body: bytes) -> None:
        """Add the body of the next record."""
        record = _ANSWER_DECODER.decode(body)
        for event in record.events:
            if event.type == _RESIGNED and isinstance(event.seat, int):
                self._left.add(event.seat)
        if not self._has_begun:
            # The record with which the round begins answers the last question of the set-up.
            self._has_begun = any(event.type in self._starting_events for event in record.events)
        elif record.seat is not None and record.actor is None and record.decision is not None:
            self._answered.add(record.seat)


class RatedMatch(Struct, frozen=True):
    """The part of a rated match that bounds those after it."""

    ruleset: str
    players: tuple[str, ...]
    ended_ms: int


class RatedPairs:
    """The rated matches of every two players, as far as they are near enough to count."""

    def __init__(self, rated: Iterable[RatedMatch] = ()) -> None:
        self._ends: defaultdict[tuple[str, str, str], list[int]] = defaultdict(list)
        for match in rated:
            self._add(match)

    def take(self, match: RatedMatch) -> bool:
        """Return whether a match may be rated beside the others of its players, and if so count it."""
        # Matches may be counted out of order, so those that ended later count as well.
        is_free = all(
            sum(abs(match.ended_ms - ended_ms) < DAY_MS for ended_ms in self._ends[pair])
            < RATED_MATCHES_PER_PAIR_PER_DAY
            for pair in _pairs(match)
        )
        if is_free:
            self._add(match)
        return is_free

    def _add(self, match: RatedMatch) -> None:
        for pair in _pairs(match):
            self._ends[pair].append(match.ended_ms)


def _pairs(match: RatedMatch) -> list[tuple[str, str, str]]:
    return [(match.ruleset, one, other) for one, other in combinations(sorted(set(match.players)), 2)]
