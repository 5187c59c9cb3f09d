"""Statistics of one match of Diskwars: armies, order, cards and dice, besides what every ruleset counts."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, TypeAlias

from msgspec import field
from msgspec.structs import asdict

from diskwars_cli.plugs.match_statistics import MatchStatistics, StatisticsCollector
from diskwars_cli.rulesets.diskwars.play_figures import PlayCounter, PlayFigure
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.state import Match
from diskwars_protocol.records.fairness import Draw, DrawKind
from diskwars_protocol.records.sealed import Sealed
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars import setup_events as se
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_text.rulesets.diskwars.phrases import outcome_text, seat_name

CardUse: TypeAlias = tuple[str, str]
"""The use of a card (`held`, `played`, `used`) or its kind (`scenario`, `terrain`, …), and its name."""
SYMBOL_DICE: DrawKind = "symbol_dice"


class DiskwarsStatistics(MatchStatistics, frozen=True, kw_only=True):
    """Statistics of a match of Diskwars. `armies` are by seat, `order` is the initiative order, `play` how it went."""

    armies: tuple[str, ...] = ()
    order: tuple[Seat, ...] = ()
    cards: dict[CardUse, int] = field(default_factory=dict)
    play: dict[PlayFigure, int] = field(default_factory=dict)


class DiskwarsCollector(StatisticsCollector):
    """Collector of the statistics of one match of Diskwars."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._order: tuple[Seat, ...] = ()
        self._cards: Counter[CardUse] = Counter()
        self._play = PlayCounter()

    def _named_cards(self, board: Board) -> dict[CardUse, int]:
        """Return the uses of cards by display name; for terrain with the face."""
        uses: Counter[CardUse] = Counter()
        for (use, card), count in self._cards.items():
            id, comma, face = card.partition(", ")
            uses[use, f"{board.card_name(id)}{comma}{face}"] += count
        return dict(uses)

    def die_name(self, draw: Draw) -> str:
        return "battle" if draw.kind == SYMBOL_DICE else super().die_name(draw)

    def add_event(self, event: Any) -> None:
        self._cards.update(card_uses(event))
        self._play.add_event(event)
        if isinstance(event, e.OrderSet):
            self._order = event.order

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
            cards=self._named_cards(board),
            play=self._play.finished_counts(result),
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
