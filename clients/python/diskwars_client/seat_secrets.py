"""The secrets of a player's seat, and checks of what the server publishes about them.

The nonce chain, and fresh salts. What a ruleset's own actions bind the server to is kept by its `RulesetPromises`.
Randomness is passed in.
"""

from itertools import pairwise
from typing import Any, Protocol

from msgspec import Struct

from diskwars_protocol.match.actions import ReplaceChain, TakeSeat
from diskwars_protocol.match.events import ChainReplaced, SeatNonceOpened, SeatTaken, StepBegan
from diskwars_protocol.match.ids import MatchId, Seat
from diskwars_protocol.match.state import AnyBody, SeatState, newest_chain_link
from diskwars_protocol.records.fairness import SALT_BYTES, SEAT_CHAIN_LENGTH, SEAT_LINK_BYTES, Entropy, SeatChain
from diskwars_protocol.records.sealed import Sealed

MAX_SAVED_CHAINS = 3
"""Chains of a seat that are saved, the newest ones: an older one can no longer be asked for."""
MAX_SAVED_STEPS = 8
"""Steps of which the nonces and commitments are saved, the last ones: what is still open is among them."""


class SavedSecrets(Struct, frozen=True):
    """The secrets of a seat as its player keeps them between two connections. Keep them where nobody else reads."""

    far_ends: tuple[str, ...]
    """The secret ends of the chains in hex digits, the newest last."""
    known_from_step: int
    sent_nonces: dict[int, str]
    commitments: dict[int, tuple[str, ...]]


class BrokenPromise(Exception):
    """The server has published something else for this seat than the seat gave: do not play on."""


class RulesetPromises(Protocol):
    """Promises of the server that follow from the secret actions of one seat, in one ruleset."""

    commitments: dict[int, set[str]]
    """The commitments of what the seat has sent, by step."""

    def record(self, seat: Seat, step: int, action: Any) -> None:
        """Remember an action that is about to be sent for a step, with its secrets."""

    def forget(self, step: int) -> None:
        """Expect nothing of a step any more: the house has answered in it."""

    def check(self, seat: Seat, event: Any) -> None:
        """Compare an event with what the seat has sent. Raises BrokenPromise."""


class NoPromises:
    """Promises of a ruleset without secret actions."""

    def __init__(self, match: MatchId) -> None:
        self.commitments: dict[int, set[str]] = {}

    def record(self, seat: Seat, step: int, action: Any) -> None:
        pass

    def forget(self, step: int) -> None:
        pass

    def check(self, seat: Seat, event: Any) -> None:
        pass


class SeatSecrets:
    """The secrets of one seat in one match. Make them after the server's anchor was seen (decisions: dice).

    `step` is the first one of which everything that the seat gives is known here: 1, or later for a player who lost
    the secrets and continues without them. While another device of the player is in control, only what was given here
    before is checked.
    """

    def __init__(self, promises: RulesetPromises, entropy: Entropy, step: int = 1) -> None:
        self._promises, self._entropy = promises, entropy
        self._known_from_step, self._next_step = step, step
        self._next_nonces: dict[str, str] = {}
        self._chain_heads: set[str] = set()
        self._far_ends: list[bytes] = []
        self._sent_nonces: dict[int, str] = {}
        self._has_answered = self._is_released = False
        self.unused_steps: set[int] = set()
        """Steps whose dice were made without the nonce that this seat gave. Everybody saw it, so it is no fraud."""
        self.head = self.renew_chain()

    def renew_chain(self) -> str:
        """Return the head of a new chain. Earlier nonces and commitments are still known and checked."""
        return self._add_chain(self._entropy(SEAT_LINK_BYTES))

    def _add_chain(self, far_end: bytes) -> str:
        chain = SeatChain(far_end)
        self.head = chain.head.hex()
        self._far_ends.append(far_end)
        self._chain_heads.add(self.head)
        self._next_nonces |= pairwise(chain.link(k).hex() for k in range(SEAT_CHAIN_LENGTH + 1))
        return self.head

    def saved(self) -> SavedSecrets:
        """Return what the player has to keep to play on after a restart."""
        steps, commitments = sorted(self._sent_nonces)[-MAX_SAVED_STEPS:], self._promises.commitments
        return SavedSecrets(
            tuple(far_end.hex() for far_end in self._far_ends[-MAX_SAVED_CHAINS:]),
            self._known_from_step,
            {step: self._sent_nonces[step] for step in steps},
            {step: tuple(sorted(commitments[step])) for step in sorted(commitments)[-MAX_SAVED_STEPS:]},
        )

    @classmethod
    def restore(cls, saved: SavedSecrets, promises: RulesetPromises, entropy: Entropy, next_step: int) -> "SeatSecrets":
        """Return the secrets of an earlier life; `next_step` is the step that begins next. Raises ValueError."""
        far_ends = [bytes.fromhex(text) for text in saved.far_ends]
        promises.commitments |= {step: set(texts) for step, texts in saved.commitments.items()}
        # The first chain is drawn by the constructor, so the first saved one takes the place of fresh entropy.
        secrets = cls(promises, lambda _: far_ends[0], saved.known_from_step)
        for far_end in far_ends[1:]:
            secrets._add_chain(far_end)
        secrets._entropy, secrets._next_step = entropy, next_step
        secrets._sent_nonces.update(saved.sent_nonces)
        # This life cannot judge what it did not send; steps before the next one are past.
        secrets._known_from_step = max(saved.known_from_step, next_step + 1)
        return secrets

    def continues(self, opened: str) -> bool:
        """Return whether `opened`, the link that the server has seen last, belongs to a chain of this seat."""
        return opened in self._chain_heads or opened in self._next_nonces or opened in self._next_nonces.values()

    def controls(self, seat: SeatState) -> bool:
        """Return whether the newest chain of the seat is one of these, so that this device is in control."""
        return self.continues(newest_chain_link(seat))

    def release(self) -> None:
        """Expect nothing more from the seat, because another device is in control. What it recorded before stays."""
        self._is_released = True
        if not self._has_answered:
            self.forget_answers(self._next_step)

    def nonce_for(self, step: int, opened: str) -> str:
        """Return what to give to the dice of a step: the nonce that opens `opened`, the one before it or the head.

        Empty, which counts as nothing, when `opened` is not of this chain or is its end.
        """
        self._sent_nonces[step] = self._next_nonces.get(opened, "")
        return self._sent_nonces[step]

    def fresh_salt(self) -> str:
        """Draw a salt, in hex digits."""
        return self._entropy(SALT_BYTES).hex()

    def record_action(self, seat: Seat, step: int, action: Any) -> None:
        """Remember what an action that is about to be sent binds the server to."""
        self._promises.record(seat, step, action)

    def expect_step(self, step: int) -> None:
        """Say which step the nonces of the next events are for: the one that has not begun yet."""
        self._next_step = step

    def forget_answers(self, step: int) -> None:
        """Expect neither our secret answer nor our nonce in a step in which the house has answered for us."""
        self._promises.forget(step)
        self._sent_nonces.pop(step, None)

    def check(self, seat: Seat, event: Any) -> None:
        """Compare what the server publishes with what the seat gave. Raises BrokenPromise."""
        match event:
            case SeatTaken() | ChainReplaced() if event.seat == seat:
                self._on_chain(event)
            case SeatNonceOpened() if event.seat == seat:
                self._has_answered = True
                self._check_opened_nonce(event.seat_nonce)
            case StepBegan():
                self._check_step(seat, event)
            case _:
                self._promises.check(seat, event)

    def confirm(self, seat: Seat, step: int, action: Any, body: AnyBody) -> None:
        """Compare the record of an action that was accepted with what was sent for a step. Raises BrokenPromise.

        Another chain in a record of another actor is no fraud: another device of the player has taken over. In the
        record of our own action it is.
        """
        recorded = body.action
        if isinstance(action, TakeSeat | ReplaceChain):
            events = [event for event in body.events if isinstance(event, SeatTaken | ChainReplaced)]
            if any(
                sent.chain_head != action.chain_head for sent in [*events, *([] if recorded is None else [recorded])]
            ):
                raise BrokenPromise("the server has put another chain in the place of the one that this seat sent")
            return
        if recorded != action:
            raise BrokenPromise(f"step {step}: the server has recorded another answer than this seat gave")
        self.record_action(seat, step, action)
        for event in body.events:
            if isinstance(event, SeatNonceOpened) and event.seat == seat and event.seat_nonce != action.seat_nonce:
                raise BrokenPromise(f"step {step}: the server has recorded another nonce than this seat gave")
            self._promises.check(seat, event)

    def _on_chain(self, event: SeatTaken[Any] | ChainReplaced) -> None:
        """Update the control of the seat: the chain of this device is the newest, or that of another one is."""
        if event.chain_head not in self._chain_heads:
            self.release()
        elif isinstance(event, ChainReplaced) and self._is_released:
            self._is_released = False
            self._known_from_step = max(self._known_from_step, event.from_step)

    def _expected_nonce(self, step: int) -> str | None:
        """Return the nonce that this seat gave to a step, "" for none; None if this client does not know."""
        is_known = step >= self._known_from_step and not self._is_released
        return self._sent_nonces.get(step, "" if is_known else None)

    def _check_opened_nonce(self, nonce: str | Sealed) -> None:
        """Accept an empty nonce: the step that begins reports it publicly."""
        # Before the match begins a player may leave, which publishes our nonce and asks for the next of the chain. When
        # the step begins, the last one counts.
        if self._next_step == 1 and nonce in self._next_nonces.values():
            return
        if nonce and self._expected_nonce(self._next_step) not in (None, nonce):
            raise BrokenPromise(f"step {self._next_step}: the server has recorded another nonce than this seat gave")

    def _check_step(self, seat: Seat, event: StepBegan) -> None:
        """Check our nonce in a step: an empty one is public, a different one is fraud."""
        given = self._expected_nonce(event.step)
        self._next_step = event.step + 1
        self._has_answered = False
        if seat in event.missing or not event.seat_nonces:
            if given:
                self.unused_steps.add(event.step)
        elif given is not None and event.seat_nonces[seat] != given:
            raise BrokenPromise(f"step {event.step}: the dice were made with another nonce than this seat gave")
