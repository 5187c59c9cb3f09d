"""The state of one decision while it is carried out: the board, the dice, and the events so far."""

from typing import Any

from diskwars_engine.ruleset import Dice
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.records.fairness import Draw
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard, CombatState, Unit, fold
from diskwars_protocol.rulesets.close_quarters.checks import SIDES
from diskwars_protocol.rulesets.close_quarters.events import CloseQuartersEvent


class Resolution:
    """One decision under way. `events` are those recorded so far, in order."""

    def __init__(self, board: CloseQuartersBoard, dice: Dice) -> None:
        self.board = board
        self.dice = dice
        self.work = WorkBudget()
        self.events: list[Any] = []

    def emit(self, event: CloseQuartersEvent) -> None:
        """Record an event and fold it."""
        self.work.spend()
        self.events.append(event)
        self.board = fold(self.board, event)

    def roll(self, count: int, tag: str) -> Draw:
        """Roll six-sided dice."""
        return self.dice.roll("number_dice", SIDES, count, tag)

    def unit(self, number: int) -> Unit:
        return self.board.units[number]

    @property
    def combat(self) -> CombatState:
        """The combat of this turn. Raises `ValueError` if there is none."""
        if self.board.combat is None:
            raise ValueError("there is no close combat")
        return self.board.combat


def because(rule: str, **numbers: int) -> tuple[Reason, ...]:
    """Return one reason with its numbers."""
    return (Reason(rule, numbers),)
