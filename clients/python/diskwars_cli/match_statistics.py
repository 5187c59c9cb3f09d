"""Statistics of one match, collected while it is played.

They are a small struct that can be sent from one process to another.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from msgspec import Struct

from diskwars_protocol.canonical import encode_canonical
from diskwars_protocol.fairness import SHUFFLE_KIND, Draw
from diskwars_protocol.match import Seat
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars import setup_events as se
from diskwars_protocol.rulesets.diskwars.board import Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.vocabulary import DiskwarsBody
from diskwars_protocol.sealed import Sealed
from diskwars_text.phrases import end_reason_text, outcome_text, seat_name

CardUse: TypeAlias = tuple[str, str]
"""The use of a card (`held`, `played`, `used`) or its kind (`scenario`, `terrain`, …), and its name."""
FaceCounts: TypeAlias = dict[str, tuple[int, ...]]
"""The number of times each face came up, by kind of die."""


class MatchStatistics(Struct, frozen=True):
    """Statistics of a match that has ended, or that crashed: then `crash` is the error and `summary` is empty.

    `armies` are by seat, `order` is the initiative order. `size` is the size in bytes of the records as canonical JSON
    with nothing hidden. `broken_invariants` lists invariants that did not hold after a record.
    """

    seed: int
    armies: tuple[str, ...] = ()
    order: tuple[Seat, ...] = ()
    winner: Seat | None = None
    reason: str = ""
    summary: str = ""
    records: int = 0
    events: int = 0
    size: int = 0
    cards: dict[CardUse, int] = {}
    dice: FaceCounts = {}
    broken_invariants: tuple[str, ...] = ()
    crash: str = ""


class StatisticsCollector:
    """Collector of the statistics of one match, record by record."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._order: tuple[Seat, ...] = ()
        self.records = self._events = self._size = 0
        self._cards: Counter[CardUse] = Counter()
        self._dice: dict[str, Counter[int]] = {}
        self._die_sizes: dict[str, int] = {}
        self._broken_invariants: list[str] = []

    def _named_cards(self, board: Board) -> dict[CardUse, int]:
        """Return the uses of cards by display name; for terrain with the face."""
        uses: Counter[CardUse] = Counter()
        for (use, card), count in self._cards.items():
            id, comma, face = card.partition(", ")
            uses[use, f"{board.card_name(id)}{comma}{face}"] += count
        return dict(uses)

    def add_record(self, body: DiskwarsBody, broken: Iterable[str]) -> None:
        """Count one record, and log the invariants that do not hold after it."""
        self.records += 1
        self._broken_invariants += [f"record {self.records}: {text}" for text in broken]
        self._size += len(encode_canonical(body))
        for event in body.events:
            if isinstance(event, Sealed):
                continue
            self._events += 1
            self._cards.update(card_uses(event))
            if isinstance(event, e.OrderSet):
                self._order = event.order
            for draw in dice_draws(event):
                self._die_sizes[draw.kind] = draw.n
                self._dice.setdefault(draw.kind, Counter()).update(draw.faces)

    def crashed_statistics(self, text: str) -> MatchStatistics:
        """Return the statistics of a match that crashed with this error."""
        return MatchStatistics(
            self._seed,
            records=self.records,
            events=self._events,
            broken_invariants=tuple(self._broken_invariants),
            crash=text,
        )

    def finished_statistics(self, match: DiskwarsMatch) -> MatchStatistics:
        result, board = match.result, match.board
        assert result is not None
        assert board is not None
        scores = " ".join(map(str, result.scores)) or "-"
        counts = f"records {self.records}  events {self._events}"
        names = " against ".join(seat_name(match, side.seat) for side in board.sides)
        return MatchStatistics(
            seed=self._seed,
            armies=tuple(side.army for side in board.sides),
            order=self._order,
            winner=result.winner,
            reason=end_reason_text(result.end_reason),
            summary=f"{names}  points {scores}  {counts}  winner {outcome_text(match, result)}",
            records=self.records,
            events=self._events,
            size=self._size,
            cards=self._named_cards(board),
            dice={
                kind: tuple(faces[n] for n in range(1, self._die_sizes[kind] + 1)) for kind, faces in self._dice.items()
            },
            broken_invariants=tuple(self._broken_invariants),
        )


def card_uses(event: e.Event) -> Iterator[CardUse]:
    """Yield the uses of cards in an event."""
    match event:
        case e.HandTaken() if not isinstance(event.cards, Sealed):
            yield from (("held", card) for card in event.cards)
        case e.CardsRevealed():
            yield from (("played", shown.card) for shown in event.cards)
        case e.AbilityUsed() if event.card:
            yield "used", event.card
        case se.ScenarioChosen():
            yield "scenario", event.scenario
        case se.ObjectivesRevealed():
            yield from (("objective", scenario) for scenario in event.scenarios if scenario)
        case se.DeploymentCardLaid():
            yield "deployment", event.card
        case se.TerrainPlaced():
            yield "terrain", f"{event.card}, {event.piece.terrain.name}"
        case _:
            pass


def dice_draws(event: e.Event) -> Iterator[Draw]:
    """Yield the dice in an event; shuffles are left out."""
    for name in event.__struct_fields__:
        value = getattr(event, name)
        for draw in value if isinstance(value, tuple) else (value,):
            if isinstance(draw, Draw) and draw.kind != SHUFFLE_KIND:
                yield draw
