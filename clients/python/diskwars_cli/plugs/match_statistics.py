"""Statistics of one match of any ruleset, collected while it is played.

They are a small struct that can be sent from one process to another. A ruleset that counts more extends both classes.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from diskwars_protocol.match.events import MatchOpened
from diskwars_protocol.match.ids import Seat, seat_letter
from diskwars_protocol.match.state import Match, RecordBody
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.fairness import SHUFFLE, Draw
from diskwars_protocol.records.sealed import Sealed

FaceCounts: TypeAlias = dict[str, tuple[int, ...]]
"""The number of times each face came up, by kind of die."""


class MatchStatistics(Struct, frozen=True, kw_only=True):
    """Statistics of a match that has ended, or that crashed: then `crash` is the error and `summary` is empty.

    `size` is the size in bytes of the records as canonical JSON with nothing hidden, the same under every version of
    the rules. `broken_invariants` lists invariants that did not hold after a record.
    """

    seed: int
    winners: tuple[Seat, ...] = ()
    end_reason: str = ""
    summary: str = ""
    records: int = 0
    events: int = 0
    size: int = 0
    dice: FaceCounts = field(default_factory=dict)
    broken_invariants: tuple[str, ...] = ()
    crash: str = ""

    @property
    def winner_label(self) -> str:
        return " and ".join(f"seat {seat_letter(seat)}" for seat in self.winners) or "nobody"


class StatisticsCollector:
    """Collector of the statistics of one match, record by record."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.records = self.events = self.size = 0
        self.broken_invariants: list[str] = []
        self._dice: dict[str, Counter[int]] = {}
        self._die_sizes: dict[str, int] = {}

    def add_record(self, body: RecordBody[Any, Any, Any], broken: Iterable[str]) -> None:
        """Count one record, and log the invariants that do not hold after it."""
        self.records += 1
        self.size += _content_size(body)
        self.broken_invariants += [f"record {self.records}: {text}" for text in broken]
        for event in body.events:
            if not isinstance(event, Sealed):
                self.events += 1
                self._count_dice(event)
                self.add_event(event)

    def _count_dice(self, event: Any) -> None:
        for draw in dice_draws(event):
            die = self.die_name(draw)
            self._die_sizes[die] = draw.size
            self._dice.setdefault(die, Counter()).update(draw.results)

    def die_name(self, draw: Draw) -> str:
        """Return what reports call a kind of dice."""
        return f"d{draw.size}"

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
            size=self.size,
            dice={
                die: tuple(faces[n] for n in range(1, self._die_sizes[die] + 1)) for die, faces in self._dice.items()
            },
            broken_invariants=tuple(self.broken_invariants),
        )
        scores = " ".join(map(str, result.scores)) or "-"
        counts = f"records {self.records}  events {self.events}"
        return replace(counted, summary=f"points {scores}  {counts}  winner {counted.winner_label}")


def count_crashes(matches: Iterable[MatchStatistics]) -> int:
    return sum(bool(match.crash) for match in matches)


def count_broken_invariants(matches: Iterable[MatchStatistics]) -> int:
    """Return the number of times an invariant did not hold."""
    return sum(len(match.broken_invariants) for match in matches)


def dice_draws(event: Any) -> Iterator[Draw]:
    """Yield the dice in an event; shuffles are left out."""
    for name in event.__struct_fields__:
        value = getattr(event, name)
        for draw in value if isinstance(value, tuple) else (value,):
            if isinstance(draw, Draw) and draw.kind != SHUFFLE:
                yield draw


def sum_face_counts(counts: Iterable[FaceCounts]) -> FaceCounts:
    """Add up the dice of many matches, face by face."""
    totals: dict[str, list[int]] = {}
    for match_counts in counts:
        for kind, faces in match_counts.items():
            total = totals.setdefault(kind, [0] * len(faces))
            totals[kind] = [a + b for a, b in zip(total, faces, strict=True)]
    return {kind: tuple(faces) for kind, faces in totals.items()}


def _content_size(body: RecordBody[Any, Any, Any]) -> int:
    """Return the size of a record as canonical JSON; a version of the rules counts as one digit."""
    events = [replace(event, rules_version=1) if isinstance(event, MatchOpened) else event for event in body.events]
    return len(encode_canonical(replace(body, events=tuple(events))))
