"""Statistics of one match of any ruleset, collected while it is played.

They are a small struct that can be sent from one process to another. A ruleset that counts more extends both classes.
"""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from diskwars_protocol.match import Match, RecordBody, Seat, seat_letter
from diskwars_protocol.sealed import Sealed


class MatchStatistics(Struct, frozen=True, kw_only=True):
    """Statistics of a match that has ended, or that crashed: then `crash` is the error and `summary` is empty.

    `broken_invariants` lists invariants that did not hold after a record.
    """

    seed: int
    winners: tuple[Seat, ...] = ()
    end_reason: str = ""
    summary: str = ""
    records: int = 0
    events: int = 0
    broken_invariants: tuple[str, ...] = ()
    crash: str = ""

    @property
    def winner_label(self) -> str:
        return " and ".join(f"seat {seat_letter(seat)}" for seat in self.winners) or "nobody"


class StatisticsCollector:
    """Collector of the statistics of one match, record by record."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.records = self.events = 0
        self.broken_invariants: list[str] = []

    def add_record(self, body: RecordBody[Any, Any, Any], broken: Iterable[str]) -> None:
        """Count one record, and log the invariants that do not hold after it."""
        self.records += 1
        self.broken_invariants += [f"record {self.records}: {text}" for text in broken]
        for event in body.events:
            if not isinstance(event, Sealed):
                self.events += 1
                self.add_event(event)

    def add_event(self, event: Any) -> None:
        """Count what the ruleset counts in an event."""

    def crashed_statistics(self, text: str) -> MatchStatistics:
        """Return the statistics of a match that crashed with this error."""
        return MatchStatistics(
            seed=self.seed,
            records=self.records,
            events=self.events,
            broken_invariants=tuple(self.broken_invariants),
            crash=text,
        )

    def finished_statistics(self, match: Match[Any, Any]) -> MatchStatistics:
        """Return the statistics of a match that has ended."""
        result = match.result
        assert result is not None
        counted = MatchStatistics(
            seed=self.seed,
            winners=result.winners,
            end_reason=result.end_reason,
            records=self.records,
            events=self.events,
            broken_invariants=tuple(self.broken_invariants),
        )
        scores = " ".join(map(str, result.scores)) or "-"
        counts = f"records {self.records}  events {self.events}"
        return replace(counted, summary=f"points {scores}  {counts}  winner {counted.winner_label}")


def count_crashes(matches: Iterable[MatchStatistics]) -> int:
    return sum(bool(one.crash) for one in matches)


def count_broken_invariants(matches: Iterable[MatchStatistics]) -> int:
    """Return the number of times an invariant did not hold."""
    return sum(len(one.broken_invariants) for one in matches)
