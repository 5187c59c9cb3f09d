"""What does a player keep to himself, and what has the server promised him about it?

His hash chain, the salts of his cards, and the commitments that have to come back as he made them. Randomness is handed
in. Must not know sockets.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import TypeAlias

from diskwars_protocol.diskwars.actions import LockCard
from diskwars_protocol.diskwars.events import CardLocked, CardsRevealed, Event, Shown
from diskwars_protocol.fairness import SALT_SIZE, SEAT_CHAIN_LENGTH, SEAT_LINK, SeatChain, commitment
from diskwars_protocol.match import MatchId, Seat, StepBegan

Entropy: TypeAlias = Callable[[int], bytes]
"""So many secret bytes: `secrets.token_bytes`, or a stream that can be repeated."""


class BrokenPromise(Exception):
    """The server has published something else for this seat than the seat gave: do not play on."""


class SeatSecrets:
    """The secrets of one seat in one match. Make them after the server's anchor was seen (decisions: dice)."""

    def __init__(self, match: MatchId, entropy: Entropy) -> None:
        self._match, self._entropy = match, entropy
        chain = SeatChain(entropy(SEAT_LINK))
        self.head = chain.head.hex()
        self._next = dict(pairwise(chain.link(k).hex() for k in range(SEAT_CHAIN_LENGTH + 1)))
        self._given: dict[int, str] = {}
        self._commitments: dict[int, set[str]] = {}

    def link(self, step: int, opened: str) -> str:
        """What to give to the dice of a step: the link that opens `opened`, the one before it or the head.

        Empty, which counts as nothing, when `opened` is not of this chain or is its end.
        """
        self._given[step] = self._next.get(opened, "")
        return self._given[step]

    def lock(self, seat: Seat, step: int, card: str, opened: str) -> LockCard:
        """Binds the seat to a card with a fresh salt. A lock that was refused binds nobody."""
        salt = self._entropy(SALT_SIZE)
        made = commitment(self._match, step, seat, card, salt)
        self._commitments.setdefault(step, set()).add(made)
        return LockCard(card, salt.hex(), self.link(step, opened))

    def check(self, seat: Seat, event: Event) -> None:
        """Holds what the server publishes against what the seat gave. Raises BrokenPromise."""
        match event:
            case CardLocked() if event.seat == seat and event.step in self._commitments:
                if event.commitment not in self._commitments[event.step]:
                    raise BrokenPromise(
                        f"step {event.step}: the server has published another commitment than this seat made; "
                        "its card may have been swapped"
                    )
            case CardsRevealed() if event.step in self._commitments:
                for shown in event.cards:
                    if shown.seat == seat:
                        self._check_card(event.step, shown)
            case StepBegan():
                self._check_nonce(seat, event)
            case _:
                pass  # nothing in it was this seat's to promise

    def _check_card(self, step: int, shown: Shown) -> None:
        made = commitment(self._match, step, shown.seat, shown.card, bytes.fromhex(shown.salt))
        if made not in self._commitments[step]:
            raise BrokenPromise(f'step {step}: the server has revealed "{shown.card}", which this seat did not lock')

    def _check_nonce(self, seat: Seat, event: StepBegan) -> None:
        """A seat that is said to have given nothing is told so in public; another link than its own is fraud."""
        given = self._given.get(event.step)
        if given and seat not in event.missing and event.nonces[seat] != given:
            raise BrokenPromise(f"step {event.step}: the dice were made with another link than this seat gave")
