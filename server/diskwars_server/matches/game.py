"""Command loop of one live match: decide, append, commit, publish, answer.

One task per match takes one command at a time. A dropped socket cancels none of it. The feed decides what is sent to
whom; the lobby finds matches.
"""

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from typing import Any

import msgspec

from diskwars_engine.match import Command
from diskwars_engine.match_dice import MatchSecrets
from diskwars_engine.match_log import MatchLog, Proposal
from diskwars_engine.record_codec import RecordMeta, Salts, SealedRecord
from diskwars_engine.ruleset import Illegal, UnreadableCursor
from diskwars_protocol.match.actions import Kick, SeatQuestion
from diskwars_protocol.match.bot_identity import bot_name
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import HOUSE, DecisionId, MatchId, PlayerId, Seat, seat_letter
from diskwars_protocol.match.match_fold import RefoldRequired
from diskwars_protocol.match.state import AnyBody, AnyMatch, OpenOffer, due_ms, opening_record
from diskwars_protocol.messages.decisions import Accepted
from diskwars_protocol.messages.opening import CloseMatch
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.watching import Watch
from diskwars_server.broadcast.encoded_options import EncodedOptions
from diskwars_server.broadcast.feed import Feed
from diskwars_server.broadcast.history import MatchHistory
from diskwars_server.broadcast.outbox import Outbox, OutboxClosed
from diskwars_server.bus.bus import LISTINGS_SUBJECT, TURNS_SUBJECT, decode_head, encode_head, head_subject
from diskwars_server.limits.address_quotas import OpenerUsage
from diskwars_server.matches.inbox import (
    RESERVED_ITEMS,
    CatchUp,
    Expiry,
    Idleness,
    Inbox,
    InboxItem,
    PendingCommand,
    TimeOut,
    busy_refusal,
)
from diskwars_server.matches.listings import deciding_seats, listed_fields, listing_after
from diskwars_server.matches.services import Services
from diskwars_server.refusals import RETRY_AFTER_MS, UNAVAILABLE_RETRY_AFTER_MS, Refusal, describe_fault, json_decoder
from diskwars_server.store.admissions import OPEN, MatchLock
from diskwars_server.store.deadlines import ABSENCE, changed_deadlines, pressed_decisions
from diskwars_server.store.errors import DuplicateCommand, OutcomeUnknown, StoreUnavailable, WrongVersion
from diskwars_server.store.event_log import AppendRequest
from diskwars_server.store.match_index import Listing

log = logging.getLogger(__name__)

MAX_APPEND_ATTEMPTS = 2
EXPIRY_ID = "expired"
"""The command id under which the house closes a match that has not begun in time."""
IDLE_ID = "idle"
"""The command id under which the house stops a match in which nobody has acted for too long."""

_JSON = msgspec.json.Encoder()


class _HouseFault(Exception):
    """The rules could not decide for a seat whose time is up."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(type(cause).__name__)
        self.cause = cause


class Game:
    """One match while somebody touches it. Made inside a running event loop; `retire` ends it."""

    def __init__(
        self,
        log: MatchLog,
        secrets: MatchSecrets | None,
        salts: Salts,
        services: Services,
        recent: Sequence[SealedRecord] = (),
        lock: MatchLock = OPEN,
    ) -> None:
        """`secrets` may be missing only when the match has ended; `recent` are its last records, if at hand.

        `lock` is what others need to enter the match; sessions ask for it before they let anybody watch.
        """
        self.lock = lock
        self._log, self._secrets, self._salts, self._services = log, secrets, salts, services
        self.rules = log.codec.rules
        self.actions = json_decoder(self.rules.vocabulary.action)
        self._inbox = Inbox()
        codec, events = log.codec, services.events
        history = MatchHistory(codec.match, log.head, codec.genesis, events, services.frames, recent)
        entered = (PlayerId(log.opener),) if lock else None
        note_published = services.note_published
        self.feed = Feed(self.rules, log.state, codec.header, history, entered, note_published, log.round_start)
        self._is_busy = False
        self._missed_deadlines: set[DecisionId] = set()
        self.is_retired = False
        self._stop_listening = services.bus.subscribe(head_subject(self.id), self._on_head_published)
        self._task = asyncio.create_task(self._run(), name=f"match {self.id}")

    @property
    def id(self) -> MatchId:
        return self._log.codec.match

    @property
    def opener(self) -> str:
        """The player who opened the match."""
        return self._log.opener

    @property
    def opener_usage(self) -> OpenerUsage:
        """What pays for records that no command of a player causes."""
        return self._services.pays_for(self.opener)

    @property
    def head(self) -> int:
        """The seq of the last record."""
        return self._log.head

    @property
    def state(self) -> AnyMatch:
        return self._log.state

    @property
    def is_idle(self) -> bool:
        """Whether nobody watches and nothing is under way."""
        return not (self.feed or self._is_busy or self._inbox)

    @property
    def is_forsaken(self) -> bool:
        """Whether only strangers watch: nobody who sits here, nor who opened it and waits; and nothing is under way."""
        opener = (self.opener,) if self.state.status == "open" else ()
        seated = (seat.player for seat in self.state.seats if seat.player)
        is_wanted = self.feed.is_sending_history or self.feed.is_watched_by(*opener, *seated)
        return not (is_wanted or self._is_busy or self._inbox)

    def retire(self) -> None:
        """From now on it takes nothing more; it answers what is in its inbox and ends."""
        self.is_retired = True
        self._stop_listening()
        self._inbox.close()

    async def wait_idle(self) -> None:
        """Wait until the inbox is empty and nothing is under way."""
        while not self._task.done() and (self._inbox or self._is_busy):
            done = CatchUp(0)
            self._inbox.put(done, 2 * RESERVED_ITEMS)
            await done.done.wait()

    async def wait_ended(self) -> None:
        """Wait until a retired match has answered everything."""
        await asyncio.shield(self._task)

    # ---------------------------------------------------------------- asking

    def submit(self, pending: PendingCommand) -> None:
        """Hand a command over; the answer comes to its outbox, after the records. Raises Refusal for want of room."""
        if self.is_retired:
            raise busy_refusal()
        self._inbox.put(pending, RESERVED_ITEMS if self.rules.seat_of(self.state, pending.player) is not None else 0)

    def time_out(self, decision: DecisionId) -> None:
        """Let the house answer a decision whose deadline has passed. Raises Refusal for want of room."""
        if self.is_retired:
            raise busy_refusal()
        self._inbox.put(TimeOut(decision), 2 * RESERVED_ITEMS)

    def expire(self) -> None:
        """Let the house close the match if it has not begun. Raises Refusal for want of room."""
        if self.is_retired:
            raise busy_refusal()
        self._inbox.put(Expiry(), 2 * RESERVED_ITEMS)

    def stop_if_idle(self, before_ms: int) -> None:
        """Let the house stop the match if it has no record since then. Raises Refusal for want of room."""
        if self.is_retired:
            raise busy_refusal()
        self._inbox.put(Idleness(before_ms), 2 * RESERVED_ITEMS)

    def accepted_digest(self, player: PlayerId, command: str) -> str | None:
        """Return the digest of a command of a player that was accepted before."""
        receipt = self._log.receipt(player, command)
        return None if receipt is None else receipt.digest

    def default_action(self, decision: Decision[Any]) -> Any:
        """Return the answer of the rules to an open decision, for a bot that has none. Raises what they raise."""
        if self._secrets is None:
            raise Refusal("match_ended")
        return self._log.default(decision, self._secrets)

    def call_bots(self) -> None:
        """Let the match wait for a bot of the server, if one has to decide."""
        turns, seats = self._services.bot_turns, self.state.seats
        if not turns.is_active:
            return
        asked = [seats[decision.seat] for decision in self.state.decisions]
        is_asked = any(seat.substitute or bot_name(seat.player) for seat in asked)
        if find_offer(self.state) or (is_asked and not self.state.paused):
            turns.add(self.id, self.opener)

    def _on_head_published(self, message: bytes) -> None:
        self.on_remote_append(decode_head(message))

    def on_remote_append(self, head: int) -> None:
        """Another node says that records up to `head` are stored."""
        if head <= self.head or self.is_retired:
            return
        self._inbox.ask_for_read(head)

    def encode_open_decisions(self, player: PlayerId) -> bytes:
        """Return the open decisions as JSON, for those who may see the match as it is now.

        None of a retired match, whose records may say something else.
        """
        is_shown = not self.is_retired and self.feed.sees_now(player)
        return _JSON.encode(self.state.decisions) if is_shown else b"[]"

    def get_options(self, player: PlayerId, decision: DecisionId, include_unavailable: bool) -> EncodedOptions:
        """Return the options of one of the player's open decisions. Raises Refusal."""
        if self.state.status == "ended":
            raise Refusal("match_ended")
        pending = next((open_ for open_ in self.state.decisions if open_.id == decision), None)
        seat = self.rules.seat_of(self.state, player)
        if self.feed.is_delayed(player):
            raise Refusal("no_seat")
        if pending is None:
            raise Refusal("stale_decision", f"decision {decision} is not open", place="$.decision")
        if not isinstance(pending.question, SeatQuestion):
            _require_own_decision(pending, seat)
        try:
            return self.feed.requested_options.get(self.state, pending, include_unavailable)
        except UnreadableCursor as illegal:
            raise Refusal.from_illegal(illegal) from None
        except Exception as fault:
            self._retire_after_fault(fault, f"options {decision}", seat)
            raise Refusal("fault", retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS) from None

    # ---------------------------------------------------------------- watching

    async def watch(self, outbox: Outbox, player: PlayerId, request: Watch) -> None:
        """Let an outbox join the feed. Raises what `Feed.join` raises, and Refusal when the match is being read."""
        # What is released a round later is known from the record that follows it.
        await self._wait_for_head(request.after + self.feed.is_delayed(player))
        if self.is_retired:
            raise Refusal("busy", "the match is being read again", retry_after_ms=RETRY_AFTER_MS)
        try:
            await self.feed.join(outbox, player, request)
        except (Refusal, OutboxClosed, StoreUnavailable):
            raise
        except Exception as fault:
            connection = outbox.connection
            is_answered = request.id not in connection.in_flight if request.id else self.id in connection.watched
            self._retire_after_fault(fault, "", None)
            if not is_answered:
                self._end_watch_if_retired(outbox)
                raise Refusal("fault", retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS) from None
        self._end_watch_if_retired(outbox)

    def _end_watch_if_retired(self, outbox: Outbox) -> None:
        # The match may have been retired while the join waited. Its subscribers were notified then; this outbox came
        # too late for that and would get no records ever after.
        if self.is_retired:
            self.feed.unsubscribe(outbox)
            self.feed.notify_end(outbox)

    async def _wait_for_head(self, head: int) -> None:
        """Catch up: a client served by another node may have seen more than this node knows.

        Anybody may say so. Where the last read found that it was not so, the next one waits a little.
        """
        if head <= self.head or self.is_retired:
            return
        read = self._inbox.ask_for_read(head, is_certain=False)
        await read.done.wait()
        if read.fault is not None:
            raise read.fault

    # ---------------------------------------------------------------- one command after another

    async def _run(self) -> None:
        while (item := await self._inbox.take()) is not None:
            self._is_busy = True
            try:
                match item:
                    case CatchUp():
                        await self._run_catch_up(item)
                    case TimeOut():
                        await self._answer_by_house(item)
                    case Expiry():
                        await self._close_by_house()
                    case Idleness():
                        await self._stop_by_house(item.before_ms)
                    case PendingCommand():
                        with self._services.traffic.carry():
                            await self._answer(item)
            except Exception as fault:
                self._refuse_pending(fault, item)
                return
            if self.state.status == "ended":
                await self._forget_secrets()
            self._is_busy = False

    async def _run_catch_up(self, item: CatchUp) -> None:
        """Read what is stored. A database that does not answer now says nothing about the match, which goes on."""
        try:
            await self._catch_up(item.head)
        except StoreUnavailable as fault:
            item.fault = fault
        if item.head > self.head:
            self._inbox.pause_reads()
        item.done.set()

    async def _answer(self, pending: PendingCommand) -> None:
        try:
            pending.outbox.send(await self._execute(pending))
        except StoreUnavailable:
            # We are behind the log, and the record may be in it. Watching again reads the match, and the author's next
            # attempt is looked up there.
            pending.outbox.send(self._refuse(pending, _unavailable_refusal()))
            log.warning("match retired: its log cannot be read", extra={"match": self.id, "command": pending.id})
            self.retire()
            self.feed.close_all()

    async def _execute(self, pending: PendingCommand) -> Accepted | Refused:
        try:
            for _ in range(MAX_APPEND_ATTEMPTS):
                if receipt := self._find_receipt(pending):
                    return receipt
                self._require_view(pending)
                self._require_write_budget(pending)
                proposal = self._decide(pending, await self._bodies_to_take_back(pending))
                if await self._try_store(proposal):
                    pending.outbox.usage.add_record(proposal.record.record.size)
                    return Accepted(pending.id, self.id, proposal.seq)
            return self._find_receipt(pending) or self._refuse(pending, Refusal("retry", retry_after_ms=RETRY_AFTER_MS))
        except Refusal as refusal:
            return self._refuse(pending, refusal)

    def _require_view(self, pending: PendingCommand) -> None:
        """Refuse commands of delayed spectators before the rules do, whose refusals would show the current state."""
        if pending.player == HOUSE:
            self._require_substitute(pending)
        elif self.feed.is_delayed(pending.player) and not isinstance(pending.action, CloseMatch | Kick):
            raise Refusal("no_seat")

    def _require_substitute(self, pending: PendingCommand) -> None:
        """Refuse the answer of a substitute whose seat was taken back while it thought."""
        answered = [decision for decision in self.state.decisions if decision.id == pending.decision]
        if not all(self.state.seats[decision.seat].substitute for decision in answered):
            raise Refusal("stale_decision")

    def _require_write_budget(self, pending: PendingCommand) -> None:
        """Raise Refusal for a command of somebody who has written too much. Those that were accepted are answered."""
        if wait_ms := pending.outbox.usage.write_wait_ms(self.state.status == "running"):
            raise Refusal("too_much_written", retry_after_ms=wait_ms)

    async def _answer_by_house(self, time_out: TimeOut) -> None:
        """Play the default of the rules for a seat whose time is up, unless it has answered meanwhile.

        What cannot be decided or stored now is tried again: its deadline stays, and is due again after the lease. A
        fault of the rules does not retire the match, because that would happen again, and close the feed, at every
        lease. A fault of anything later does, as for a command of a player: the record may be stored by then.
        """
        try:
            await self._execute_by_house(time_out)
        except (_HouseFault, Refusal, StoreUnavailable) as fault:
            if time_out.decision not in self._missed_deadlines:
                cause = fault.cause if isinstance(fault, _HouseFault) else fault
                extra = {"match": self.id, "decision": time_out.decision, **describe_fault(cause)}
                log.error("deadline not kept; it is tried again", extra=extra)
            still_open = {decision.id for decision in self.state.decisions}
            self._missed_deadlines = (self._missed_deadlines & still_open) | {time_out.decision}

    async def _execute_by_house(self, time_out: TimeOut) -> None:
        """Decide and store, or remove a deadline that is past. Raises what is tried again, and any other fault."""
        if time_out.decision == ABSENCE:
            return await self._leave_for_absent()
        for _ in range(MAX_APPEND_ATTEMPTS):
            if self._is_early(time_out):
                return None
            proposal = self._decide_by_house(time_out)
            if proposal is None:  # answered already, or another node has more than we know
                await self._catch_up(self.head + 1)
                proposal = self._decide_by_house(time_out)
            if proposal is None:
                return await self._services.deadlines.remove(self.id, time_out.decision)
            seat = next((open_.seat for open_ in self.state.decisions if open_.id == time_out.decision), None)
            if await self._try_store(proposal):
                self.opener_usage.add_record(proposal.record.record.size)
                extra = {"match": self.id, "seat": seat, "decision": time_out.decision}
                return log.info("time is up", extra=extra)

    async def _leave_for_absent(self) -> None:
        """Let the house leave for the seats that owe an answer for too long, then wait for the next decision."""
        await self._catch_up(self.head + 1)
        for _ in range(len(self.state.seats) + MAX_APPEND_ATTEMPTS):
            absence = await self._find_next_absence()
            if absence is None:
                return await self._services.deadlines.remove(self.id, ABSENCE)
            due, decision = absence
            if due > self._services.clock():
                return await self._services.deadlines.move(self.id, ABSENCE, due)
            await self._execute_by_house(TimeOut(decision))

    async def _find_next_absence(self) -> tuple[int, DecisionId] | None:
        """Return the open decision that is due first, and when. Its record says when it was opened."""
        times = []
        for decision in pressed_decisions(self.state).values():
            seq = opening_record(decision.id)
            record = (await self._services.events.read(self.id, seq - 1, 1))[0]
            due = due_ms(self.state, decision, record.at_ms)
            if due is not None:
                times.append((due, decision.id))
        return min(times, default=None)

    def _is_early(self, time_out: TimeOut) -> bool:
        """Return whether a deadline has moved since it was found to be due: it comes again at its new time."""
        for decision in self.state.decisions:
            if decision.id == time_out.decision:
                due = due_ms(self.state, decision, 0)  # no later than it really is, for it was opened later
                return self.state.paused or (due is not None and due > self._services.clock())
        return False

    def _decide_by_house(self, time_out: TimeOut) -> Proposal | None:
        """Return the record that the house makes; None when the decision is not open. Raises _HouseFault."""
        decision = next((open_ for open_ in self.state.decisions if open_.id == time_out.decision), None)
        if decision is None or self._secrets is None:
            return None
        try:
            action = self._log.house_action(decision, self._secrets)
            at = max(self._services.clock(), self.state.at_ms)
            command = Command(HOUSE, decision.id, action, at)
            return self._log.decide(command, time_out.id, self._secrets, self._salts)
        except Exception as fault:
            raise _HouseFault(fault) from fault

    async def _close_by_house(self) -> None:
        """Close a match that has not begun. What fails is tried again when expired matches are looked for next."""
        if self.state.status != "open" or self._secrets is None:
            return
        at = max(self._services.clock(), self.state.at_ms)
        meta = RecordMeta(HOUSE, EXPIRY_ID)
        with contextlib.suppress(Refusal, StoreUnavailable):
            if await self._try_store(self._log.close(meta, at, self._secrets, self._salts)):
                log.info("match closed: it did not begin in time", extra={"match": self.id})

    async def _stop_by_house(self, before_ms: int) -> None:
        """Stop a match that is still idle. What fails is tried again when idle matches are looked for next."""
        if self.state.status != "running" or self.state.at_ms >= before_ms or self._secrets is None:
            return
        at = max(self._services.clock(), self.state.at_ms)
        meta = RecordMeta(HOUSE, IDLE_ID)
        with contextlib.suppress(Refusal, StoreUnavailable):
            if await self._try_store(self._log.stop(meta, at, self._secrets, self._salts)):
                log.info("match stopped: nobody has acted for too long", extra={"match": self.id})

    async def _try_store(self, proposal: Proposal) -> bool:
        """Store and commit a record; False when it was not taken, and what is stored has been read. Raises Refusal."""
        try:
            await self._store(proposal)
        except (WrongVersion, DuplicateCommand, OutcomeUnknown) as unclear:
            # We lost a race, or the outcome is unknown: the log decides.
            command = proposal.record.record.command_id
            log.info("append not taken", extra={"match": self.id, "command": command, "why": type(unclear).__name__})
            await self._catch_up(proposal.seq)
            return False
        return True

    def _find_receipt(self, pending: PendingCommand) -> Accepted | None:
        """Return the answer to a command that was accepted before. Raises Refusal for another command under its id."""
        receipt = self._log.receipt(pending.player, pending.id)
        if receipt is not None:
            if receipt.digest != pending.digest:
                raise Refusal("duplicate_differs", place="$.id")
            return Accepted(pending.id, self.id, receipt.seq)
        return None

    async def _bodies_to_take_back(self, pending: PendingCommand) -> Sequence[AnyBody] | None:
        """Return all records where a command takes back some of them; a match keeps only its state in memory.

        Raises Refusal when the log cannot be read.
        """
        if not self.rules.takes_back(self.state, pending.player, pending.action):
            return None
        # It costs the server as much as sending the match again, and a refused one as much as another.
        usage = pending.outbox.usage
        if wait_ms := usage.history_wait_ms(is_resume=True):
            raise Refusal("too_much_history", retry_after_ms=wait_ms)
        try:
            records = await self._services.events.read(self.id)
        except StoreUnavailable:
            raise _unavailable_refusal() from None
        usage.add_history(sum(len(record.body) for record in records))
        return self._log.codec.bodies(records)

    def _decide(self, pending: PendingCommand, bodies: Sequence[AnyBody] | None = None) -> Proposal:
        # Clocks fold: a system clock that was set back must not make a record older than the one before it.
        at = max(self._services.clock(), self.state.at_ms)
        if self._secrets is None:
            raise Refusal("match_ended")
        try:
            if isinstance(pending.action, CloseMatch | Kick):
                return self._decide_for_opener(pending, pending.action, at, self._secrets)
            lag_ms, head = pending.outbox.lag_ms, pending.chain_head
            command = Command(pending.player, pending.decision, pending.action, at, pending.digest, lag_ms, head)
            return self._log.decide(command, pending.id, self._secrets, self._salts, bodies)
        except Illegal as illegal:
            raise Refusal.from_illegal(illegal) from None

    def _decide_for_opener(
        self, pending: PendingCommand, action: CloseMatch | Kick, at: int, secrets: MatchSecrets
    ) -> Proposal:
        if pending.player != self._log.opener:
            text = "only the player who opened a match may remove players from it"
            raise Refusal("not_opener", text if isinstance(action, Kick) else "")
        meta = RecordMeta(pending.player, pending.id)
        if isinstance(action, Kick):
            return self._log.kick(action, meta, at, self._salts)
        return self._log.close(meta, at, secrets, self._salts)

    def _refuse(self, pending: PendingCommand, refusal: Refusal) -> Refused:
        return refusal.to_message(pending.id, self.id, self.encode_open_decisions(pending.player))

    async def _store(self, proposal: Proposal) -> None:
        """Store the record, then commit it to the state, then publish the new head.

        From then on nothing waits until the author is answered. Raises WrongVersion, DuplicateCommand, OutcomeUnknown,
        and Refusal when the store cannot be reached.
        """
        before, after = self.state, proposal.after
        is_news = (
            before.seats is not after.seats or before.status != after.status or before.result is not after.result
        ) and listed_fields(before) != listed_fields(after)
        deciding = deciding_seats(after)
        has_new_turn = deciding != deciding_seats(before)
        deadlines, closed = changed_deadlines(before, after)
        now_ms = proposal.body.at_ms
        append = AppendRequest(
            match=self.id,
            expected=self.head,
            record=proposal.record.record,
            listing=self._listing_after(after, now_ms) if is_news else None,
            deciding=deciding if has_new_turn and not is_news else None,
            deadlines=deadlines,
            closed_decisions=closed,
        )
        try:
            await self._services.events.append(append)
        except StoreUnavailable:
            raise _unavailable_refusal() from None
        self._commit(proposal)
        self._services.bus.publish(head_subject(self.id), encode_head(self.head))
        if is_news or has_new_turn:
            is_for_all = is_news or after.match_options.watchers != "round_later"
            self._services.publish_listing(self.id, LISTINGS_SUBJECT if is_for_all else TURNS_SUBJECT)

    def _listing_after(self, after: AnyMatch, now_ms: int) -> Listing:
        log, vocabulary = self._log, self.rules.vocabulary
        return listing_after(vocabulary, after, log.opener, log.opened_at_ms, updated_ms=now_ms, records=self.head + 1)

    def _commit(self, proposal: Proposal) -> None:
        has_begun = self.state.status == "open" and proposal.after.status != "open"
        if has_begun and self.state.match_options.watchers in ("after_end", "none"):
            self.feed.close_spectators(self.state)
        self._log.commit(proposal)
        self.feed.publish(proposal.record, proposal.after, self._log.round_start)
        self.call_bots()

    async def _catch_up(self, head: int) -> None:
        """Read what other nodes have stored up to at least `head`, and publish it. Raises StoreUnavailable."""
        if head <= self.head:
            return
        for record in await self._services.events.read(self.id, self.head):
            try:
                self._commit(self._log.read(record))
            except RefoldRequired:
                # Only up to the takeback: what follows it is committed by itself, so that each record is published with
                # the state and the viewers of its own time.
                records = await self._services.events.read(self.id, 0, record.seq)
                self._log = MatchLog.load(self.rules, self.id, records)
                self.feed.publish(SealedRecord.of(record), self.state, self._log.round_start)
                self.call_bots()

    async def _forget_secrets(self) -> None:
        if self._secrets is not None:
            self._secrets = None
            try:
                await self._services.vault.forget_secrets(self.id)
            except Exception as fault:
                # They are removed when the match is restored. This task still has to answer those who come later.
                extra = {"match": self.id, "why": type(fault).__name__}
                log.warning("secrets of an ended match not removed", extra=extra)

    # ---------------------------------------------------------------- failing

    def _retire_after_fault(self, fault: Exception, command: str, seat: int | None) -> None:
        """Retire the match; it is read again from its records when it is touched next, and its watchers touch it."""
        extra = {"match": self.id, "seat": seat, "command": command, **describe_fault(fault)}
        log.error("match retired after a fault", extra=extra)
        self.retire()
        self.feed.close_all()

    def _refuse_pending(self, fault: Exception, item: InboxItem) -> None:
        refused = Refusal("fault", retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS)
        for left in (item, *self._inbox.clear()):
            match left:
                case CatchUp():
                    left.done.set()
                case PendingCommand():
                    left.outbox.send(refused.to_message(left.id, self.id))
                case TimeOut() | Expiry() | Idleness():
                    pass  # due again later
        match item:
            case PendingCommand():
                self._retire_after_fault(fault, item.id, self.rules.seat_of(self.state, item.player))
            case TimeOut():
                self._retire_after_fault(fault, item.id, None)
            case CatchUp() | Expiry() | Idleness():
                self._retire_after_fault(fault, "", None)


def _unavailable_refusal() -> Refusal:
    return Refusal("unavailable", retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS)


def _require_own_decision(pending: Decision[Any], seat: Seat | None) -> None:
    if seat is None:
        raise Refusal("no_seat")
    if seat != pending.seat:
        belongs = f"belongs to seat {seat_letter(pending.seat)}; yours is {seat_letter(seat)}"
        raise Refusal("not_your_seat", f"decision {pending.id} {belongs}", "$.decision")


def find_offer(state: AnyMatch) -> tuple[Seat, OpenOffer] | None:
    """Return the first seat of a bot whose answer the open offer waits for, and the offer."""
    offer = state.offer
    if offer is None:
        return None
    for seat, seat_state in enumerate(state.seats):
        is_due = seat not in (offer.seat, *offer.agreed) and not seat_state.resigned
        if is_due and bot_name(seat_state.player):
            return seat, offer
    return None
