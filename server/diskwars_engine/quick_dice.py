"""Dice without hash chains, for search: bots play on with them from a possible board."""

from diskwars_engine.ruleset import RandomSource
from diskwars_protocol.match.events import SeatNonceOpened, StepBegan
from diskwars_protocol.match.ids import MatchId, Seat
from diskwars_protocol.records.fairness import SHUFFLE, DiceKind, Draw


class QuickDice:
    """Implements `ruleset.Dice` from a source of random numbers.

    Commitments and chains are not verified, so nothing decided with these dice can be recorded in a match.
    """

    def __init__(self, rng: RandomSource, seats: int, step: int = 1) -> None:
        self.match = MatchId("")
        self.record = 1  # nothing that is decided with these dice is recorded
        self.step = step
        self._rng = rng
        self._seats = seats

    def roll(self, kind: DiceKind, sides: int, count: int, tag: str) -> Draw:
        """Return `count` dice of `sides` sides; faces from 1."""
        faces = tuple(1 + self._rng.randrange(sides) for _ in range(count))
        return Draw(self.step, 0, kind, sides, tag, faces)

    def shuffle(self, count: int, tag: str) -> Draw:
        """Return a new order of `count` things; faces are old places, from 0."""
        order = list(range(count))
        for last in range(count - 1, 0, -1):
            other = self._rng.randrange(last + 1)
            order[last], order[other] = order[other], order[last]
        return Draw(self.step, 0, SHUFFLE, count, tag, tuple(order))

    def hidden(self, sides: int, tag: str) -> int:
        """Return 0 to `sides` - 1."""
        return self._rng.randrange(sides)

    def open_seat_nonce(self, seat: Seat, seat_nonce: str) -> SeatNonceOpened:
        """Accept any nonce of a seat."""
        return SeatNonceOpened(seat, seat_nonce)

    def begin_step(self) -> StepBegan:
        """Begin the next step."""
        self.step += 1
        return StepBegan(self.step, "", ("",) * self._seats)
