"""Figures on how sensibly a match of Diskwars was played: what was activated, moved, covered, hit and fought."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

from diskwars_protocol.match.decisions import Result
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars import position
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, Board, fold

PlayFigure: TypeAlias = Literal[
    "reinforcements",
    "reinforcements_on_own",
    "heroes_at_melee",
    "heroes_covered",
    "printed_activations",
    "activations",
    "locks",
    "locks_of_last_card",
    "locks_of_two_cards",
    "fielded_disks",
    "unflipped_disks",
    "impact_hits",
    "impact_hits_on_own",
    "engagements",
    "matches",
    "late_matches",
    "points",
    "initiative_matches",
]
"""Counts of a match; each figure of a report is one of these divided by another."""

LATE_ROUND = 3
"""A match without an engagement before this round begins late: armies that advance meet in the second."""


class PlayCounter:
    """Counts of one match, event by event, from a position on or from its beginning.

    It folds its own board, because events name disks by number only.
    """

    def __init__(self, board: Board | None = None) -> None:
        self._board = board
        self._counts: Counter[PlayFigure] = Counter()
        self._fielded: set[int] = set()
        self._flipped: set[int] = set()
        self._first_engagement_round = 0

    def add_event(self, event: Any) -> None:
        """Count one event of a match; other events than those of the board are ignored."""
        if not isinstance(event, e.BoardEvent):
            return
        if isinstance(event, e.CardLocked) and self._board is not None:
            self._counts.update(_lock_figures(self._board.sides[event.seat].card_count))
        self._board = board = fold(self._board, event)
        self._counts.update(_figures_of(board, event))
        if isinstance(event, e.DisksDeployed):
            self._fielded.update(placed.disk for placed in event.disks)
        elif isinstance(event, e.DiskReinforced):
            self._fielded.add(event.disk)
        elif isinstance(event, e.DiskFlipped):
            self._flipped.add(event.disk)
        elif isinstance(event, e.EngagementBegan):
            self._first_engagement_round = self._first_engagement_round or board.round

    def finished_counts(self, result: Result) -> dict[PlayFigure, int]:
        """Return all counts of a match that has ended."""
        is_late = not 0 < self._first_engagement_round < LATE_ROUND
        rest: dict[PlayFigure, int] = {
            "matches": 1,
            "fielded_disks": len(self._fielded),
            "unflipped_disks": len(self._fielded - self._flipped),
            "late_matches": int(is_late),
            "points": sum(result.scores),
            "initiative_matches": int(result.end_reason == "initiative"),
        }
        return {**self._counts, **rest}


def _lock_figures(cards: int) -> Iterator[PlayFigure]:
    """Yield what the lock of one of a number of cards counts for."""
    yield "locks"
    if cards == 1:
        yield "locks_of_last_card"
    elif cards == 2:
        yield "locks_of_two_cards"


def _figures_of(board: Board, event: e.BoardEvent) -> Iterator[PlayFigure]:
    """Yield what an event counts for, each as often as it counts; `board` is the position after it."""
    match event:
        case e.DiskReinforced():
            yield "reinforcements"
            covered = [pin.bottom for pin in event.pins_gained if pin.top == event.disk]
            # Covering an own disk is worth it where the same placement pins an enemy.
            if covered and not any(position.are_enemies(board, event.disk, other) for other in covered):
                yield "reinforcements_on_own"
        case e.PhaseBegan() if event.phase == "melee":
            for disk in board.disks:
                if disk.place == BATTLEFIELD and board.profile(disk.id).kind == "hero":
                    yield "heroes_at_melee"
                    pinning = position.pinning_disks(board, disk.id)
                    if any(not position.are_enemies(board, disk.id, other) for other in pinning):
                        yield "heroes_covered"
        case e.CardsRevealed():
            for shown in event.cards:
                for _ in range(board.card(shown.card).activations):
                    yield "printed_activations"
        case e.ActivationBegan():
            yield "activations"
        case e.ImpactRolled():
            for target in event.targets:
                yield "impact_hits"
                if not position.are_enemies(board, event.disk, target):
                    yield "impact_hits_on_own"
        case e.EngagementBegan():
            yield "engagements"
        case _:
            pass


PLAY_SHARES: tuple[tuple[str, PlayFigure, PlayFigure], ...] = (
    ("reinforcements on own disks that pin no enemy", "reinforcements_on_own", "reinforcements"),
    ("heroes under an own disk at melee", "heroes_covered", "heroes_at_melee"),
    ("printed activations used", "activations", "printed_activations"),
    ("locked cards that were the last of a hand", "locks_of_last_card", "locks"),
    ("locked cards that were one of two", "locks_of_two_cards", "locks"),
    ("fielded disks that never flip", "unflipped_disks", "fielded_disks"),
    ("Impact hits on own disks", "impact_hits_on_own", "impact_hits"),
    ("matches without an engagement before round 3", "late_matches", "matches"),
    ("matches decided by initiative", "initiative_matches", "matches"),
)
"""The shares of a report: what it says, the part and the whole."""
PLAY_MEANS: tuple[tuple[str, PlayFigure], ...] = (
    ("engagements a match", "engagements"),
    ("points a match, of all players", "points"),
)
"""The means of a report: what it says, and what is divided by the number of matches."""
