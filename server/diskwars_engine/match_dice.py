"""The dice of a match: its secrets, how far they are known, and the draws of one decision."""

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec import Struct

from diskwars_engine.ruleset import Illegal
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol.match.events import SeatNonceOpened, StepBegan
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.state import Match, chain_head
from diskwars_protocol.records.fairness import (
    ZERO_NONCE_TEXT,
    DiceCursor,
    DiceKind,
    Draw,
    FairDice,
    SeatNonces,
    ServerChain,
    is_next_nonce,
    is_seat_nonce,
    restore_dice,
)
from diskwars_protocol.records.sealed import Sealed

Q = TypeVar("Q")
B = TypeVar("B")


class MatchSecrets:
    """The secrets of a server until the end of a match: the far end of its chain, the deal secret; 32 bytes each."""

    def __init__(self, far_end: bytes, deal: bytes, chain: ServerChain | None = None) -> None:
        """`chain` is given where it is not derived from its far end."""
        self.far_end = far_end
        self.deal_secret = deal
        self.chain = chain or ServerChain(far_end)


class KnownDice(Struct, frozen=True, gc=False):
    """The known part of a match's dice: the seat nonces of its steps, and the cursor with the keys after them.

    Secret like the keys. Deriving every step again for each decision took two fifths of an activation, so a decision
    returns what it has found out, and the next one begins there.
    """

    seat_nonces: tuple[SeatNonces, ...] = ()
    cursor: DiceCursor = DiceCursor()

    def restore(self, secrets: MatchSecrets, seat_nonces: tuple[SeatNonces, ...], index: int) -> FairDice:
        """Return the dice of a match with these steps, whose last step has used the indices below `index`."""
        count = len(self.seat_nonces)
        if seat_nonces[:count] != self.seat_nonces:
            return restore_dice(secrets.chain, secrets.deal_secret, seat_nonces, index)
        return restore_dice(secrets.chain, secrets.deal_secret, seat_nonces[count:], index, self.cursor)


NO_KNOWN_DICE = KnownDice()
"""Before the first decision, and wherever the next one may derive every step again."""


class MatchDice:
    """The `Dice` of one decision: fair dice, and the seat nonces that are opened in it. Thrown away afterwards."""

    def __init__(
        self,
        match: Match[Q, B],
        secrets: MatchSecrets,
        known: KnownDice,
        record: int,
        asks_for_nonces: Callable[[Any], bool],
    ) -> None:
        """`record` is the seq of the record that the decision makes.

        `asks_for_nonces` gets the settings and says whether seats give nonces to later steps than the first.
        """
        self._asks_for_nonces, self._settings = asks_for_nonces, match.settings
        self.match = match.match
        self.record = record
        self._seats = match.seats
        self._opened_nonces = [
            None if isinstance(seat_state.seat_nonce, Sealed) else seat_state.seat_nonce for seat_state in match.seats
        ]
        self._seat_nonces, self._index = match.seat_nonces, match.draw_index
        self._secrets, self._known = secrets, known
        self._fair_dice: FairDice | None = None
        self._budget: WorkBudget | None = None

    @property
    def _work(self) -> WorkBudget:
        """The budget of this decision; most end before they take a step of it."""
        if self._budget is None:
            self._budget = WorkBudget()
        return self._budget

    @property
    def _dice(self) -> FairDice:
        """Most decisions need none, and to bring them to where they were costs more than to ask."""
        if self._fair_dice is None:
            self._fair_dice = self._known.restore(self._secrets, self._seat_nonces, self._index)
        return self._fair_dice

    def progress(self) -> tuple[int, KnownDice]:
        """Return the index of the next draw, and the part of the dice that is known now, for the next decision."""
        if self._fair_dice is None:
            return self._index, self._known
        return self._fair_dice.index, KnownDice(self._seat_nonces, self._fair_dice.cursor)

    @property
    def step(self) -> int:
        return len(self._seat_nonces) if self._fair_dice is None else self._fair_dice.cursor.step

    def roll(self, kind: DiceKind, sides: int, count: int, tag: str) -> Draw:
        self._work.spend(count)
        return self._dice.roll(kind, sides, count, tag)

    def shuffle(self, count: int, tag: str) -> Draw:
        self._work.spend(count)
        return self._dice.shuffle(count, tag)

    def hidden(self, sides: int, tag: str) -> int:
        return self._dice.draw_hidden(sides, tag)

    def open_seat_nonce(self, seat: Seat, seat_nonce: str) -> SeatNonceOpened:
        if seat_nonce and not _is_next_nonce(chain_head(self._seats[seat]), seat_nonce):
            text = f"a seat nonce has to be {len(ZERO_NONCE_TEXT)} hex digits and the next of the seat's chain"
            numbers = {"digits": len(ZERO_NONCE_TEXT), "given": len(seat_nonce)}
            raise Illegal("bad_seat_nonce", text, place="$.action.seat_nonce", numbers=numbers)
        # what was opened before a takeback stays open: a seat cannot take its nonce out of the dice again
        self._opened_nonces[seat] = seat_nonce or self._opened_nonces[seat] or ""
        return SeatNonceOpened(seat, self._opened_nonces[seat] or "")

    def begin_step(self) -> StepBegan:
        nonces: tuple[str, ...] = ()
        missing: tuple[Seat, ...] = ()
        if (
            self._asks_for_nonces(self._settings) or not self.step
        ):  # to the first, every seat gives one when it is ready
            nonces = tuple(nonce or ZERO_NONCE_TEXT for nonce in self._opened_nonces)
            missing = tuple(seat for seat, nonce in enumerate(self._opened_nonces) if not nonce)
        published = self._dice.begin_step(nonces)
        self._seat_nonces = (*self._seat_nonces, nonces)
        self._opened_nonces = [None for _ in self._opened_nonces]
        return StepBegan(self.step, published, nonces, missing)


def _is_next_nonce(head: str, nonce: str) -> bool:
    return is_seat_nonce(nonce) and is_next_nonce(bytes.fromhex(head), bytes.fromhex(nonce))
