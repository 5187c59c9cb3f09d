"""Rolls of regiments: dice one after another that go into one event, and tests of leadership."""

from collections.abc import Sequence

from msgspec.structs import replace

from diskwars_engine.ruleset import Dice
from diskwars_protocol.records.fairness import Draw

LEADERSHIP_DIE = 12


class RollSequence:
    """Dice that are rolled one by one, because what is rolled next depends on the faces before."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self._draws: list[Draw] = []
        self._faces: list[int] = []

    def roll(self, sides: int, tag: str) -> int:
        """Roll one die."""
        drawn = self._dice.roll("number_dice", sides, 1, tag)
        last = self._draws[-1] if self._draws else None
        if last is None or (last.size, last.tag) != (drawn.size, drawn.tag):
            self._close()
            self._draws.append(drawn)
        self._faces += drawn.results
        return drawn.results[0]

    def pick(self, count: int, tag: str) -> int:
        """Pick one of some things, from 0; one thing needs no die."""
        return self.roll(count, tag) - 1 if count > 1 else 0

    def draws(self) -> tuple[Draw, ...]:
        """Return all dice; those that follow one another with one tag are one draw."""
        self._close()
        return tuple(self._draws)

    def _close(self) -> None:
        """Put the faces collected into the draw that they belong to."""
        if self._draws and self._faces:
            self._draws[-1] = replace(self._draws[-1], results=tuple(self._faces))
        self._faces = []


def roll_leadership(dice: Dice, tag: str) -> Draw:
    """Roll the d12 of a leadership test."""
    return dice.roll("number_dice", LEADERSHIP_DIE, 1, tag)


def order_by_dice(dice: Dice, things: Sequence[int], tag: str) -> tuple[Draw, list[list[int]]]:
    """Roll a d6 for each and return the groups of equal results, the highest first."""
    drawn = dice.roll("number_dice", 6, len(things), tag)
    faces = dict(zip(things, drawn.results, strict=True))
    return drawn, [
        [thing for thing in things if faces[thing] == face] for face in sorted(set(drawn.results), reverse=True)
    ]
