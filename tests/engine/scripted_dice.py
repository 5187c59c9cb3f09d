"""Dice that fall as a test says."""

from collections.abc import Iterable

from diskwars_protocol.records.fairness import SERVER_LINK_BYTES, SHUFFLE, DiceKind, Draw, SeatNonces, next_index


class BadScript(Exception):
    """Scripted dice were asked for something other than the script says, or for too little."""


class ScriptedDice:
    """Dice for tests: each call takes the next entry of the script, a tuple of faces, or one number for one die.

    A shuffle takes a tuple (the new order), a hidden draw takes a number from 0. `finish` finds what was left over.
    """

    def __init__(self, script: Iterable[int | tuple[int, ...]] = (), step: int = 1) -> None:
        self._script = list(script)
        self._used = 0
        self._step = step
        self.index = 0

    def begin_step(self, slots: SeatNonces) -> str:
        """Begin the next step; the link is only its number."""
        link = self._step.to_bytes(SERVER_LINK_BYTES, "big").hex()
        self._step += 1
        self.index = 0
        return link

    def roll(self, kind: DiceKind, sides: int, count: int, tag: str) -> Draw:
        faces = self._next_entry(f"{count} of {kind} for {tag}")
        if len(faces) != count or not all(1 <= face <= sides for face in faces):
            raise BadScript(f"{count} of {kind} for {tag}: the script says {faces}")
        return self._advance(Draw(self._step, self.index, kind, sides, tag, faces))

    def shuffle(self, count: int, tag: str) -> Draw:
        order = self._next_entry(f"a shuffle of {count} for {tag}")
        if sorted(order) != list(range(count)):
            raise BadScript(f"a shuffle of {count} for {tag}: the script says {order}")
        return self._advance(Draw(self._step, self.index, SHUFFLE, count, tag, order))

    def draw_hidden(self, sides: int, tag: str) -> int:
        faces = self._next_entry(f"a hidden draw of {sides} for {tag}")
        if len(faces) != 1 or not 0 <= faces[0] < sides:
            raise BadScript(f"a hidden draw of {sides} for {tag}: the script says {faces}")
        return faces[0]

    def finish(self) -> None:
        """Raise BadScript when not every entry was used."""
        if self._used < len(self._script):
            raise BadScript(f"never asked for: {self._script[self._used :]}")

    def _next_entry(self, wanted: str) -> tuple[int, ...]:
        if self._used == len(self._script):
            raise BadScript(f"the script has ended, asked for {wanted}")
        entry = self._script[self._used]
        self._used += 1
        return (entry,) if isinstance(entry, int) else entry

    def _advance(self, drawn: Draw) -> Draw:
        self.index = next_index(drawn)
        return drawn
