"""The state of one decision while it is carried out: the board, the dice, and the events so far."""

from typing import Any

from diskwars_engine.ruleset import Dice
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.rulesets.pit.board import Fighter, PitBoard, fold
from diskwars_protocol.rulesets.pit.events import PitEvent


class Resolution:
    """One decision under way. `events` are those recorded so far, in order."""

    def __init__(self, board: PitBoard, dice: Dice) -> None:
        self.board = board
        self.dice = dice
        self.work = WorkBudget()
        self.events: list[Any] = []

    def emit(self, event: PitEvent) -> None:
        """Record an event and fold it."""
        self.work.spend()
        self.events.append(event)
        self.board = fold(self.board, event)

    def fighter(self, number: int) -> Fighter:
        return self.board.fighters[number]


def because(rule: str, **numbers: int) -> tuple[Reason, ...]:
    """Return one reason with its numbers."""
    return (Reason(rule, numbers),)
