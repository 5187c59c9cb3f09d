"""The state of one decision while it is carried out: the board, the dice, and the events so far."""

from typing import Any

from diskwars_engine.ruleset import Dice
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.match.events import SeatNonceOpened, StepBegan
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit, fold
from diskwars_protocol.rulesets.regiments.events import RegimentsEvent


class Resolution:
    """One decision under way. `events` are those recorded so far, in order."""

    def __init__(self, board: RegimentsBoard, dice: Dice) -> None:
        self.board = board
        self.dice = dice
        self.work = WorkBudget()
        self.events: list[Any] = []

    def emit(self, event: RegimentsEvent) -> None:
        """Record an event and fold it."""
        self.work.spend()
        self.events.append(event)
        self.board = fold(self.board, event)

    def emit_shared(self, event: SeatNonceOpened | StepBegan) -> None:
        """Record an event of the match around the board, which does not change the board."""
        self.events.append(event)

    def unit(self, number: int) -> Unit:
        return self.board.units[number]


def because(rule: str, **numbers: int) -> tuple[Reason, ...]:
    """Return one reason with its numbers."""
    return (Reason(rule, numbers),)
