"""The own seat in a match: its secrets, the control over it, and the actions that carry secrets."""

from collections.abc import Callable, Collection
from typing import TypeVar

import msgspec
from msgspec import Struct

from diskwars_client.any_ruleset import AnyAction, AnyDecision
from diskwars_client.errors import CommandRefused, DecisionUnavailable, MatchUnavailable
from diskwars_client.match_requests import MatchRequests
from diskwars_client.match_stream import MatchStream
from diskwars_client.promise_checks import PromiseChecks
from diskwars_client.rulesets.registry import new_promises
from diskwars_client.seat_secrets import BrokenPromise, SavedSecrets, SeatSecrets
from diskwars_protocol.match.actions import (
    LeaveSeat,
    Ready,
    ReadyQuestion,
    ReplaceChain,
    SeatQuestion,
    TakeSeat,
)
from diskwars_protocol.match.ids import DecisionId, Seat
from diskwars_protocol.match.state import chain_head, newest_chain_link
from diskwars_protocol.messages.decisions import Accepted
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.records.fairness import Entropy

QuestionT = TypeVar("QuestionT")


class OwnSeat:
    """The seat of this player, and what it promises by its secrets. Of several devices one is in control of it."""

    def __init__(
        self, stream: MatchStream, requests: MatchRequests, promise_checks: PromiseChecks, entropy: Entropy
    ) -> None:
        self._stream, self._requests = stream, requests
        self._promise_checks, self._entropy = promise_checks, entropy
        self.on_secrets_change: Callable[[SavedSecrets], None] | None = None
        """Called with the secrets of the seat before anything that rests on them is sent, so that they can be kept."""

    @property
    def secrets(self) -> SeatSecrets | None:
        """The secrets that were made or resumed here."""
        return self._promise_checks.secrets

    @secrets.setter
    def secrets(self, secrets: SeatSecrets | None) -> None:
        self._promise_checks.secrets = secrets

    # ------------------------------------------------------------ control

    @property
    def needs_control(self) -> bool:
        """Whether the own seat has still to give nonces, which only the device in control does."""
        seat, match = self._stream.seat, self._stream.state
        if seat is None or match is None or match.status == "ended" or match.seats[seat].resigned:
            return False
        return match.status == "open" or self._stream.vocabulary.asks_for_nonces(match.settings)

    @property
    def is_in_control(self) -> bool:
        """Whether the newest chain of the own seat was made here: then no other device of the player gives secrets."""
        seat = self._stream.seat
        return seat is not None and self.secrets is not None and self.secrets.controls(self._stream.match.seats[seat])

    async def take_control(self) -> None:
        """Play the own seat here, wherever it was played before. Does nothing where it is. Raises CommandRefused."""
        if self.needs_control and not self.is_in_control:
            await self.replace_chain()

    async def replace_chain(self) -> Accepted:
        """Replace the chain of the own seat; the new one counts from the next step but one. Raises CommandRefused.

        This device is in control from then on, and any other one of the player no longer is.
        """
        if self.secrets is None:
            # another device of this player may have given a link for the next step
            self.secrets = self.draw_secrets(self._stream.match.step + 2)
            self.secrets.release()
            head = self.secrets.head
        else:
            head = self.secrets.renew_chain()
        return await self.act(None, ReplaceChain(head))

    def resume_secrets(self, saved: SavedSecrets) -> bool:
        """Play on with the secrets of an earlier connection. Return whether this device is in control with them.

        Then the seat continues its dice chain, and what it has locked is checked. Otherwise another device has taken
        over: `take_control`. Raises ValueError for damaged secrets.
        """
        seat, step = self._stream.seat, self._stream.match.step + 1
        promises = new_promises(self._stream.vocabulary.name, self._stream.id)
        secrets = SeatSecrets.restore(saved, promises, self._entropy, step)
        if seat is None:
            return False
        is_in_control = secrets.controls(self._stream.match.seats[seat])
        if is_in_control or secrets.continues(chain_head(self._stream.match.seats[seat])):
            self.secrets = secrets  # a chain in force is worth keeping: its next link may be asked for
        if not is_in_control:
            secrets.release()
        return is_in_control

    def draw_secrets(self, step: int = 1) -> SeatSecrets:
        """Return new secrets, with a new chain, for steps from this one on."""
        promises = new_promises(self._stream.vocabulary.name, self._stream.id)
        return SeatSecrets(promises, self._entropy, step)

    # ------------------------------------------------------------ acting

    async def act(self, decision: AnyDecision | None, action: AnyAction) -> Accepted:
        """Answer a decision, as `MatchHandle.act` documents."""
        self._stream.check_running()
        chain_head, step = None, 1 if self._stream.state is None else self._stream.state.step + 1
        if decision is not None and self._carries_secrets(action):
            chain_head = self._require_control(decision.seat)
            action = self._with_secrets(decision.seat, action)
        if self.secrets is not None and self.on_secrets_change is not None:
            self.on_secrets_change(self.secrets.saved())
        named = None if decision is None else decision.id
        accepted = await self._requests.act(self._stream.id, named, msgspec.json.encode(action), chain_head)
        if chain_head is not None or isinstance(action, TakeSeat | ReplaceChain):
            self._confirm(accepted.seq, step, action)
        self._stream.check_running()
        return accepted

    async def take(self, loadout: Struct, seat: Seat | None = None) -> Seat:
        """Take a seat, any free one if none is named. Raises CommandRefused, DecisionUnavailable when there is no such
        free seat.
        """
        match = await self._stream.wait_caught_up()
        open_decisions, tried = match.decisions, set[DecisionId]()
        while free_seat := _find_free_seat(open_decisions, seat, tried):
            tried.add(free_seat.id)
            try:
                await self._take_free(free_seat, loadout)
            except CommandRefused as fault:
                # Somebody was quicker, maybe on another server. The refusal names what is free by now.
                if fault.code != "seat_taken" or seat is not None:
                    raise
                open_decisions = fault.open_decisions
            else:
                return free_seat.seat
        wanted = "" if seat is None else f" {seat}"
        raise DecisionUnavailable(f"match {self._stream.id} has no free seat{wanted}")

    async def _take_free(self, free_seat: AnyDecision, loadout: Struct) -> None:
        # Made only now: the server has published the anchor of its own chain.
        before, secrets = self.secrets, self.draw_secrets()
        self.secrets = secrets
        try:
            await self.act(free_seat, TakeSeat(secrets.head, loadout))
        except CommandRefused:
            self.secrets = before
            raise

    async def make_ready(self) -> Accepted:
        """Open the first link of the chain."""
        decision, _ = self._open_decision(ReadyQuestion)
        return await self.act(decision, Ready(self._next_nonce(decision.seat, 1)))

    async def leave(self) -> Accepted:
        """Give up the seat before the match begins, and forget its secrets. Raises CommandRefused."""
        accepted = await self.act(None, LeaveSeat())
        self.secrets = None
        return accepted

    def _open_decision(self, kind: type[QuestionT]) -> tuple[AnyDecision, QuestionT]:
        """Return the own open decision of this kind, and what it asks."""
        for decision in self._stream.open_decisions:
            if isinstance(decision.question, kind):
                return decision, decision.question
        raise DecisionUnavailable(f"match {self._stream.id} does not ask that of this player now")

    # ------------------------------------------------------------ secrets of actions

    def _carries_secrets(self, action: AnyAction) -> bool:
        return isinstance(action, Ready) or self._stream.vocabulary.with_secrets(action, str, str) is not action

    def _require_control(self, seat: Seat) -> str:
        """Return the newest link of the own seat, which this device made. Raises CommandRefused."""
        if not self.is_in_control:
            text = "another device of yours plays this seat: take it over first"
            raise CommandRefused(Refused("not_in_control", text, match=self._stream.id))
        return newest_chain_link(self._stream.match.seats[seat])

    def _with_secrets(self, seat: Seat, action: AnyAction) -> AnyAction:
        """Return an action with a fresh salt and the next link of the chain, if it carries them, and remember it."""
        step, secrets = self._stream.match.step + 1, self.secrets
        if secrets is None:
            return action
        if isinstance(action, Ready):
            return action if action.seat_nonce else Ready(self._next_nonce(seat, step))
        vocabulary = self._stream.vocabulary
        completed: AnyAction = vocabulary.with_secrets(action, secrets.fresh_salt, lambda: self._next_nonce(seat, step))
        secrets.record_action(seat, step, completed)
        return completed

    def _next_nonce(self, seat: Seat, step: int) -> str:
        if self.secrets is None:
            return ""
        return self.secrets.nonce_for(step, chain_head(self._stream.match.seats[seat]))

    def _confirm(self, seq: int, step: int, action: AnyAction) -> None:
        """Compare the record of an own action, which the server has accepted, with what was sent; if it has come."""
        body, seat = self._stream.log.body_at(seq, self._stream.head), self._stream.seat
        if self.secrets is None or seat is None or body is None:
            return
        try:
            self.secrets.confirm(seat, step, action, body)
        except BrokenPromise as broken:
            self._stream._on_end(MatchUnavailable(f"match {self._stream.id}: {broken}"))


def _find_free_seat(
    decisions: Collection[AnyDecision], seat: Seat | None, tried: Collection[DecisionId]
) -> AnyDecision | None:
    """Return the decision about a free seat, that one or any, which has not been tried."""
    for decision in decisions:
        is_wanted = isinstance(decision.question, SeatQuestion) and seat in (None, decision.seat)
        if is_wanted and decision.id not in tried:
            return decision
    return None
