"""Dice of numbers that fall as a test says, one number for each die."""

from collections.abc import Iterable
from typing import Any

from diskwars_protocol.match.events import StepBegan
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.records.fairness import DiceKind, Draw
from tests.engine.scripted_dice import BadScript


class NumberDice:
    """Implements `ruleset.Dice` from a script; every die takes the next number. `finish` finds what was left over."""

    def __init__(self, script: Iterable[int] = ()) -> None:
        self.match, self.record, self.step = MatchId(""), 1, 1
        self._left = list(script)

    def roll(self, kind: DiceKind, sides: int, count: int, tag: str) -> Draw:
        faces = tuple(self._left[:count])
        if len(faces) < count or not all(1 <= face <= sides for face in faces):
            raise BadScript(f"{count} dice with {sides} sides for {tag}: the script says {faces}")
        del self._left[:count]
        return Draw(self.step, 0, kind, sides, tag, faces)

    def begin_step(self) -> StepBegan:
        self.step += 1
        return StepBegan(self.step, "", ("", ""))

    def shuffle(self, count: int, tag: str) -> Draw:
        raise BadScript(f"nothing is shuffled: {tag}")

    def hidden(self, sides: int, tag: str) -> int:
        raise BadScript(f"nothing is hidden: {tag}")

    def open_seat_nonce(self, seat: int, seat_nonce: str) -> Any:
        raise BadScript(f"nothing is locked: seat {seat}")

    def finish(self) -> None:
        """Raise BadScript when not every die was used."""
        if self._left:
            raise BadScript(f"never rolled: {self._left}")
