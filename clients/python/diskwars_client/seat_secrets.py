"""The secrets of a player's seat, and checks of what the server publishes about them.

The nonce chain, the salts of the cards, and the commitments that the server has to repeat unchanged. Randomness is
passed in.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import TypeAlias

from diskwars_protocol.fairness import SALT_BYTES, SEAT_CHAIN_LENGTH, SEAT_LINK_BYTES, SeatChain, card_commitment
from diskwars_protocol.match import ChainReplaced, MatchId, Seat, SeatNonceOpened, SeatTaken, StepBegan
from diskwars_protocol.rulesets.diskwars.actions import LockCard
from diskwars_protocol.rulesets.diskwars.events import CardLocked, CardsRevealed, Event, RevealedCard
from diskwars_protocol.sealed import Sealed

Entropy: TypeAlias = Callable[[int], bytes]
"""Returns this many secret bytes: `secrets.token_bytes`, or a repeatable stream."""


class BrokenPromise(Exception):
    """The server has published something else for this seat than the seat gave: do not play on."""


class SeatSecrets:
    """The secrets of one seat in one match. Make them after the server's anchor was seen (decisions: dice).

    `step` is the first one of which everything that the seat gives is known here: 1, or later for a player who lost
    the secrets and continues without them.
    """

    def __init__(self, match: MatchId, entropy: Entropy, step: int = 1) -> None:
        self._match, self._entropy = match, entropy
        self._known_from_step, self._next_step = step, step
        self._next_links: dict[str, str] = {}
        self._chain_heads: set[str] = set()
        self._sent_links: dict[int, str] = {}
        self._commitments: dict[int, set[str]] = {}
        self.unused_steps: set[int] = set()
        """Steps whose dice were made without the link that this seat gave. Everybody saw it, so it is no fraud."""
        self.head = self.renew_chain()

    def renew_chain(self) -> str:
        """Return the head of a new chain. Earlier nonces and commitments are still known and checked."""
        chain = SeatChain(self._entropy(SEAT_LINK_BYTES))
        self.head = chain.head.hex()
        self._chain_heads.add(self.head)
        self._next_links |= pairwise(chain.link(k).hex() for k in range(SEAT_CHAIN_LENGTH + 1))
        return self.head

    def link_for(self, step: int, opened: str) -> str:
        """Return what to give to the dice of a step: the link that opens `opened`, the one before it or the head.

        Empty, which counts as nothing, when `opened` is not of this chain or is its end.
        """
        self._sent_links[step] = self._next_links.get(opened, "")
        return self._sent_links[step]

    def lock(self, seat: Seat, step: int, card: str, opened: str) -> LockCard:
        """Bind the seat to a card with a fresh salt. A lock that was refused binds nobody."""
        salt = self._entropy(SALT_BYTES)
        made = card_commitment(self._match, step, seat, card, salt)
        self._commitments.setdefault(step, set()).add(made)
        return LockCard(card, salt.hex(), self.link_for(step, opened))

    def forget_lock(self, step: int) -> None:
        """Expect neither our card nor our link in a step for which the house has locked a card."""
        self._commitments.pop(step, None)
        self._sent_links.pop(step, None)

    def check(self, seat: Seat, event: Event) -> None:
        """Hold what the server publishes against what the seat gave. Raises BrokenPromise."""
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
            case SeatTaken() | ChainReplaced() if event.seat == seat and event.chain_head not in self._chain_heads:
                raise BrokenPromise(
                    "the server has put another chain in the place of the one that this seat sent, "
                    "unless you have reconnected in another terminal"
                )
            case SeatNonceOpened() if event.seat == seat:
                self._check_link(event.seat_nonce)
            case StepBegan():
                self._check_nonce(seat, event)
            case _:
                pass  # nothing in it was this seat's to promise

    def _check_card(self, step: int, shown: RevealedCard) -> None:
        made = card_commitment(self._match, step, shown.seat, shown.card, bytes.fromhex(shown.salt))
        if made not in self._commitments[step]:
            raise BrokenPromise(f'step {step}: the server has revealed "{shown.card}", which this seat did not lock')

    def _expected_link(self, step: int) -> str | None:
        """Return what this seat gave to a step, "" when nothing; None when that is not known here."""
        return self._sent_links.get(step, "" if step >= self._known_from_step else None)

    def _check_link(self, link: str | Sealed) -> None:
        """Accept an empty link: the step that begins reports it publicly."""
        if link and self._expected_link(self._next_step) not in (None, link):
            raise BrokenPromise(f"step {self._next_step}: the server has recorded another link than this seat gave")

    def _check_nonce(self, seat: Seat, event: StepBegan) -> None:
        """Check our nonce in a step: an empty one is public, a different one is fraud."""
        given = self._expected_link(event.step)
        self._next_step = event.step + 1
        if seat in event.missing:
            if given:
                self.unused_steps.add(event.step)
        elif given is not None and event.seat_nonces[seat] != given:
            raise BrokenPromise(f"step {event.step}: the dice were made with another link than this seat gave")
