"""Statistics of one match of Diskwars: armies, order, cards and dice, besides what every ruleset counts."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from msgspec import field
from msgspec.structs import asdict

from diskwars_cli.match_statistics import MatchStatistics, StatisticsCollector
from diskwars_protocol.canonical import encode_canonical
from diskwars_protocol.fairness import SHUFFLE, Draw
from diskwars_protocol.match import Match, RecordBody, Seat
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars import setup_events as se
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.sealed import Sealed
from diskwars_text.rulesets.diskwars.phrases import outcome_text, seat_name

CardUse: TypeAlias = tuple[str, str]
"""The use of a card (`held`, `played`, `used`) or its kind (`scenario`, `terrain`, …), and its name."""
FaceCounts: TypeAlias = dict[str, tuple[int, ...]]
"""The number of times each face came up, by kind of die."""


DIE_NAMES = {"number_dice": "d6", "symbol_dice": "battle"}
"""What reports call the two kinds of dice."""


class DiskwarsStatistics(MatchStatistics, frozen=True, kw_only=True):
    """Statistics of a match of Diskwars.

    `armies` are by seat, `order` is the initiative order. `size` is the size in bytes of the records as canonical JSON
    with nothing hidden.
    """

    armies: tuple[str, ...] = ()
    order: tuple[Seat, ...] = ()
    size: int = 0
    cards: dict[CardUse, int] = field(default_factory=dict)
    dice: FaceCounts = field(default_factory=dict)


class DiskwarsCollector(StatisticsCollector):
    """Collector of the statistics of one match of Diskwars."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._order: tuple[Seat, ...] = ()
        self._size = 0
        self._cards: Counter[CardUse] = Counter()
        self._dice: dict[str, Counter[int]] = {}
        self._die_sizes: dict[str, int] = {}

    def _named_cards(self, board: Board) -> dict[CardUse, int]:
        """Return the uses of cards by display name; for terrain with the face."""
        uses: Counter[CardUse] = Counter()
        for (use, card), count in self._cards.items():
            id, comma, face = card.partition(", ")
            uses[use, f"{board.card_name(id)}{comma}{face}"] += count
        return dict(uses)

    def add_record(self, body: RecordBody[Any, Any, Any], broken: Iterable[str]) -> None:
        super().add_record(body, broken)
        self._size += len(encode_canonical(body))

    def add_event(self, event: Any) -> None:
        self._cards.update(card_uses(event))
        if isinstance(event, e.OrderSet):
            self._order = event.order
        for draw in dice_draws(event):
            die = DIE_NAMES.get(draw.kind, draw.kind)
            self._die_sizes[die] = draw.size
            self._dice.setdefault(die, Counter()).update(draw.results)

    def finished_statistics(self, match: Match[Any, Any]) -> DiskwarsStatistics:
        result, board = match.result, match.board
        assert result is not None
        assert isinstance(board, Board)
        scores = " ".join(map(str, result.scores)) or "-"
        counts = f"records {self.records}  events {self.events}"
        names = " against ".join(seat_name(match, side.seat) for side in board.sides)
        shared = asdict(super().finished_statistics(match))
        shared["summary"] = f"{names}  points {scores}  {counts}  winner {outcome_text(match, result)}"
        return DiskwarsStatistics(
            **shared,
            armies=tuple(board.army_name(side.seat) for side in board.sides),
            order=self._order,
            size=self._size,
            cards=self._named_cards(board),
            dice={
                kind: tuple(faces[n] for n in range(1, self._die_sizes[kind] + 1)) for kind, faces in self._dice.items()
            },
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
            yield from (("objective", shown.scenario) for shown in event.objectives)
        case se.DeploymentCardLaid():
            yield "deployment", event.card
        case se.TerrainPlaced():
            yield "terrain", f"{event.card}, face {event.face}"
        case _:
            pass


def dice_draws(event: e.Event) -> Iterator[Draw]:
    """Yield the dice in an event; shuffles are left out."""
    for name in event.__struct_fields__:
        value = getattr(event, name)
        for draw in value if isinstance(value, tuple) else (value,):
            if isinstance(draw, Draw) and draw.kind != SHUFFLE:
                yield draw
