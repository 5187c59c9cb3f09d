"""Writer of one match: append a record, commit it to the state, publish what has changed.

Records that other writers of the match have stored are read, committed and published in the same order.
"""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from diskwars_engine.match_dice import MatchSecrets
from diskwars_engine.match_log import MatchLog, Proposal
from diskwars_engine.record_codec import Salts, SealedRecord
from diskwars_protocol.match.bot_identity import bot_name
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.match_fold import RefoldRequired
from diskwars_protocol.match.state import AnyMatch, OpenOffer
from diskwars_server.broadcast.feed import Feed
from diskwars_server.bus.bus import LISTINGS_SUBJECT, TURNS_SUBJECT, publish_record
from diskwars_server.limits.usage import ConnectionUsage
from diskwars_server.matches.listings import listing_after
from diskwars_server.matches.services import Services
from diskwars_server.monitoring.metrics import MAX_COUNTED_LAG_MS
from diskwars_server.monitoring.tracing import ActTrace
from diskwars_server.refusals import UNAVAILABLE_RETRY_AFTER_MS, Refusal
from diskwars_server.store.changes import Change
from diskwars_server.store.errors import (
    DuplicateCommand,
    OutcomeUnknown,
    StoreError,
    StoreUnavailable,
    WrongVersion,
)
from diskwars_server.store.event_log import AppendRequest, OnOutcome
from diskwars_server.store.notices import plan_notices

log = logging.getLogger(__name__)

MAX_APPEND_ATTEMPTS = 2

OnFault: TypeAlias = Callable[[Exception], None]
"""Gets what kept a record from being stored, committed and published."""


class NotTaken(Exception):
    """The store has not taken a record, or nobody knows: the log has to be read before the next attempt."""


class MatchWriter:
    """The log of one match and its secrets, with the only path by which a record gets into it."""

    def __init__(
        self, log: MatchLog, secrets: MatchSecrets | None, salts: Salts, services: Services, feed: Feed
    ) -> None:
        """`secrets` may be missing only when the match has ended."""
        self.match, self.rules = log.codec.match, log.codec.rules
        self.log, self.secrets, self.salts = log, secrets, salts
        self.services = services
        self._feed = feed

    def record_time_ms(self) -> int:
        """Return the time of the next record.

        Clocks fold: a system clock that was set back must not make a record older than the one before it.
        """
        return max(self.services.clock(), self.log.state.at_ms)

    def submit(
        self,
        proposal: Proposal,
        payer: ConnectionUsage | None,
        on_stored: Callable[[], None],
        on_fault: OnFault,
        trace: ActTrace | None = None,
    ) -> None:
        """Hand a record to the store, in the caller's step. `payer` is charged for it once it is stored.

        Then it is committed to the log and published, in one step with `on_stored`: from the commit on nothing waits
        until the author is answered. `on_fault` gets Refusal when the store cannot be reached, and `NotTaken` when the
        log has to be read. Raises Refusal.
        """
        change = Change.between(self.log.state, proposal.after)
        on_outcome: OnOutcome = partial(self._on_outcome, proposal, change, payer, on_stored, on_fault)
        if trace is not None and (tracing := self.services.tracing) is not None:
            on_outcome = tracing.traced(trace, self.match, proposal.seq, on_outcome)
        try:
            self.services.events.submit(self._append_request(proposal, change), on_outcome)
        except StoreUnavailable:
            raise _unavailable_refusal() from None

    def _on_outcome(
        self,
        proposal: Proposal,
        change: Change,
        payer: ConnectionUsage | None,
        on_stored: Callable[[], None],
        on_fault: OnFault,
        error: StoreError | None,
    ) -> None:
        match error:
            case None:
                try:
                    self.log.commit(proposal)
                    if payer is not None:
                        payer.add_record(proposal.record.record.size)
                    self._notify_nodes(change)
                    self._publish(proposal.record, change)
                except Exception as fault:
                    on_fault(fault)
                else:
                    on_stored()
            case WrongVersion() | DuplicateCommand() | OutcomeUnknown():
                # We lost a race, or the outcome is unknown: the log decides.
                command = proposal.record.record.command_id
                why = type(error).__name__
                log.info("append not taken", extra={"match": self.match, "command": command, "why": why})
                on_fault(NotTaken())
            case StoreUnavailable():
                on_fault(_unavailable_refusal())
            case _:
                on_fault(error)

    async def store(self, proposal: Proposal, payer: ConnectionUsage | None = None) -> bool:
        """Append a record, commit it and publish it. Return False when it was not taken, and the log is read.

        Raises what `submit` gives or raises, and StoreUnavailable when what is stored cannot be read.
        """
        stored: asyncio.Future[Exception | None] = asyncio.get_running_loop().create_future()

        def settle(fault: Exception | None = None) -> None:
            if not stored.done():  # else nobody waits any more
                stored.set_result(fault)

        self.submit(proposal, payer, settle, settle)
        fault = await stored
        if isinstance(fault, NotTaken):
            await self.catch_up(proposal.seq)
            return False
        if fault is not None:
            raise fault
        return True

    def _append_request(self, proposal: Proposal, change: Change) -> AppendRequest:
        """Return the record with what follows from it."""
        log, vocabulary, at_ms, seq = self.log, self.rules.vocabulary, proposal.body.at_ms, self.log.head + 1
        listing, record = None, proposal.record.record
        if change.has_new_listing:
            listing = listing_after(
                vocabulary, change.after, log.opener, log.opened_at_ms, updated_ms=at_ms, records=seq
            )
        return AppendRequest(
            match=self.match,
            expected=log.head,
            record=record,
            listing=listing,
            deciding=change.new_turns if listing is None else None,
            deadlines=change.deadlines,
            closed_decisions=change.closed_decisions,
            notices=plan_notices(change, seq, record.actor) if self.services.sends_notices else (),
        )

    def _notify_nodes(self, change: Change) -> None:
        """Publish the new head, and that lists show something else of the match."""
        subject = None
        if change.has_new_listing or change.new_turns is not None:
            subject = LISTINGS_SUBJECT if change.is_news_for_all else TURNS_SUBJECT
        publish_record(self.services.bus, self.services.listeners, self.match, self.log.head, subject)

    def _publish(self, record: SealedRecord, change: Change) -> None:
        """Send a committed record to those who watch, and let a bot that has to decide do so."""
        if self._feed.publish(record, change, self.log.round_start):
            # Clocks of other nodes may differ: less than nothing counts as 0.
            lag_ms = min(max(0, self.services.clock() - change.after.at_ms), MAX_COUNTED_LAG_MS)
            self.services.metrics.fanout_seconds.counts_by_ms[lag_ms] += 1
        self.enqueue_bot_turn()

    async def catch_up(self, head: int) -> None:
        """Read what other nodes have stored up to at least `head`, and publish it. Raises StoreUnavailable."""
        if head <= self.log.head:
            return
        events = self.services.events
        for record in await events.read(self.match, self.log.head):
            before, sealed = self.log.state, SealedRecord.of(record)
            try:
                self.log.commit(self.log.read(record))
            except RefoldRequired:
                # Only up to the takeback: what follows it is committed by itself, so that each record is published with
                # the state and the viewers of its own time.
                self.log = MatchLog.load(self.rules, self.match, await events.read(self.match, 0, record.seq))
            self._publish(sealed, Change.between(before, self.log.state))

    def enqueue_bot_turn(self) -> None:
        """Let the match wait for a bot of the server, if one has to decide."""
        turns, state = self.services.bot_turns, self.log.state
        if not turns.is_active:
            return
        asked_seats = [state.seats[decision.seat] for decision in state.decisions]
        is_asked = any(seat.substitute or bot_name(seat.player) for seat in asked_seats)
        if find_bot_owing_answer(state) or (is_asked and not state.paused):
            turns.add(self.match, self.log.opener)

    async def forget_secrets(self) -> None:
        """Remove the secrets of a match that has ended."""
        if self.secrets is not None:
            self.secrets = None
            try:
                await self.services.vault.forget_secrets(self.match)
            except Exception as fault:
                # They are removed when the match is restored. Those who come later still have to be answered.
                extra = {"match": self.match, "why": type(fault).__name__}
                log.warning("secrets of an ended match not removed", extra=extra)


def _unavailable_refusal() -> Refusal:
    return Refusal("unavailable", retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS)


def find_bot_owing_answer(state: AnyMatch) -> tuple[Seat, OpenOffer] | None:
    """Return the first seat of a bot whose answer the open offer waits for, and the offer."""
    offer = state.offer
    if offer is None:
        return None
    for seat, seat_state in enumerate(state.seats):
        is_due = seat not in (offer.seat, *offer.agreed) and not seat_state.resigned
        if is_due and bot_name(seat_state.player):
            return seat, offer
    return None
