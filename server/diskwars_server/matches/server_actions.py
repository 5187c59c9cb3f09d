"""Actions of the server itself in a match: time-outs, absences, expiry and idleness.

In records and on the wire their author is `HOUSE`.
"""

import contextlib
import logging

from diskwars_engine.match import Command, has_packs
from diskwars_engine.match_log import Proposal
from diskwars_engine.record_codec import RecordMeta
from diskwars_engine.work_budget import WorkExceeded
from diskwars_protocol.match.actions import PACKS_CHANGED
from diskwars_protocol.match.ids import HOUSE, DecisionId
from diskwars_protocol.match.state import due_ms, opening_record
from diskwars_server.matches.inbox import TimeOut
from diskwars_server.matches.writer import MAX_APPEND_ATTEMPTS, MatchWriter
from diskwars_server.refusals import Refusal, describe_fault
from diskwars_server.store.deadlines import ABSENCE, AbsenceLimit, DecisionLimit, decisions_on_the_clock
from diskwars_server.store.errors import StoreUnavailable

log = logging.getLogger(__name__)

EXPIRY_ID = "expired"
"""The command id under which the server closes a match that has not begun in time."""
OVERLOAD_ID = "overload"
"""The command id under which the server stops a match that the rules cannot play on."""
IDLE_ID = "idle"
"""The command id under which the server stops a match that had no act for too long."""


class _RulesFault(Exception):
    """The rules could not decide for a seat whose time is up."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(type(cause).__name__)
        self.cause = cause


class ServerActions:
    """The actions of the server in one match."""

    def __init__(self, writer: MatchWriter) -> None:
        self._writer = writer
        self._is_overload_logged = False
        self._missed: set[str] = set()
        """Limits that were reached in vain and are tried again: each is logged once."""

    async def answer_time_out(self, time_out: TimeOut) -> None:
        """Play the default of the rules for a seat whose time is up, unless it has answered meanwhile.

        A time-out that cannot be decided or stored now is tried again: its deadline stays, and is due again after the
        lease. A fault of the rules does not retire the match, because that would happen again, and close the feed, at
        every lease. A fault of anything later does, as for a command of a player: the record may be stored by then.
        """
        key = time_out.limit.key
        try:
            match time_out.limit:
                case AbsenceLimit():
                    await self._leave_for_absent()
                case DecisionLimit():
                    await self._answer(time_out.limit)
        except (_RulesFault, Refusal, StoreUnavailable) as fault:
            if key not in self._missed:
                cause = fault.cause if isinstance(fault, _RulesFault) else fault
                extra = {"match": self._writer.match, "decision": key, **describe_fault(cause)}
                log.error("deadline not kept; it is tried again", extra=extra)
            still_open = {decision.id for decision in self._writer.log.state.decisions}
            self._missed = (self._missed & still_open) | {key}

    async def _answer(self, limit: DecisionLimit) -> None:
        """Decide and store, or remove a deadline that is past. Raises what is tried again, and any other fault."""
        writer = self._writer
        for _ in range(MAX_APPEND_ATTEMPTS):
            if self._is_early(limit.decision):
                return None
            proposal = self._decide(limit)
            if proposal is None:  # answered already, or another node has more than we know
                await writer.catch_up(writer.log.head + 1)
                proposal = self._decide(limit)
            if proposal is None:
                return await writer.services.deadlines.remove(writer.match, limit.key)
            decisions = writer.log.state.decisions
            seat = next((open_.seat for open_ in decisions if open_.id == limit.decision), None)
            if await writer.store(proposal, writer.services.pays_for(writer.log.opener)):
                extra = {"match": writer.match, "seat": seat, "decision": limit.decision}
                return log.info("time is up", extra=extra)

    async def _leave_for_absent(self) -> None:
        """Leave for the seats that owe an answer for too long, then wait for the next decision."""
        writer, deadlines = self._writer, self._writer.services.deadlines
        await writer.catch_up(writer.log.head + 1)
        for _ in range(len(writer.log.state.seats) + MAX_APPEND_ATTEMPTS):
            absence = await self._find_next_absence()
            if absence is None:
                return await deadlines.remove(writer.match, ABSENCE.key)
            due, decision = absence
            if due > writer.services.clock():
                return await deadlines.move(writer.match, ABSENCE.key, due)
            await self._answer(DecisionLimit(decision))

    async def _find_next_absence(self) -> tuple[int, DecisionId] | None:
        """Return the open decision that is due first, and when. Its record says when it was opened."""
        times, writer = [], self._writer
        for decision in decisions_on_the_clock(writer.log.state).values():
            seq = opening_record(decision.id)
            record = (await writer.services.events.read(writer.match, seq - 1, 1))[0]
            due = due_ms(writer.log.state, decision, record.at_ms)
            if due is not None:
                times.append((due, decision.id))
        return min(times, default=None)

    def _is_early(self, id: DecisionId) -> bool:
        """Return whether a deadline has moved since it was found to be due: it comes again at its new time."""
        state = self._writer.log.state
        for decision in state.decisions:
            if decision.id == id:
                due = due_ms(state, decision, 0)  # no later than it really is, for it was opened later
                return state.paused or (due is not None and due > self._writer.services.clock())
        return False

    def _decide(self, limit: DecisionLimit) -> Proposal | None:
        """Return the record that the server makes; None when the decision is not open. Raises _RulesFault."""
        writer = self._writer
        decision = next((open_ for open_ in writer.log.state.decisions if open_.id == limit.decision), None)
        if decision is None or writer.secrets is None:
            return None
        try:
            action = writer.log.house_action(decision, writer.secrets)
            command = Command(HOUSE, decision.id, action, writer.record_time_ms())
            return writer.log.decide(command, TimeOut(limit).id, writer.secrets, writer.salts)
        except WorkExceeded:
            raise  # it would be so at every attempt: the match is stopped
        except Exception as fault:
            raise _RulesFault(fault) from fault

    async def close_unstarted(self) -> None:
        """Close a match that has not begun. What fails is tried again when expired matches are looked for next."""
        writer = self._writer
        if writer.log.state.status != "open" or writer.secrets is None:
            return
        at, meta = writer.record_time_ms(), RecordMeta(HOUSE, EXPIRY_ID)
        with contextlib.suppress(Refusal, StoreUnavailable):
            if await writer.store(writer.log.close(meta, at, writer.secrets, writer.salts)):
                log.info("match closed: it did not begin in time", extra={"match": writer.match})

    async def close_without_packs(self) -> None:
        """Close a match that cannot begin here, because it was opened with other packs."""
        writer = self._writer
        state = writer.log.state
        if state.status != "open" or writer.secrets is None or has_packs(state, writer.log.codec.rules.ruleset.packs):
            return
        at, meta = writer.record_time_ms(), RecordMeta(HOUSE, PACKS_CHANGED)
        with contextlib.suppress(Refusal, StoreUnavailable):
            closing = writer.log.close(meta, at, writer.secrets, writer.salts, reason=PACKS_CHANGED)
            if await writer.store(closing):
                log.info("match closed: the packs of this server are others", extra={"match": writer.match})

    async def stop_idle(self, before_ms: int) -> None:
        """Stop a match that is still idle. What fails is tried again when idle matches are looked for next."""
        writer = self._writer
        state = writer.log.state
        if state.status != "running" or state.at_ms >= before_ms or writer.secrets is None:
            return
        at, meta = writer.record_time_ms(), RecordMeta(HOUSE, IDLE_ID)
        with contextlib.suppress(Refusal, StoreUnavailable):
            if await writer.store(writer.log.stop(meta, at, writer.secrets, writer.salts)):
                log.info("match stopped: nobody has acted for too long", extra={"match": writer.match})

    async def stop_overloaded(self, fault: str) -> None:
        """Stop a match that the rules cannot play on, or close it if it has not begun. `fault` says why.

        What cannot be stored now is tried again at the next decision, which takes as many steps.
        """
        writer = self._writer
        state = writer.log.state
        if state.status == "ended" or writer.secrets is None:
            return
        if not self._is_overload_logged:
            log.error("match stopped: the rules cannot play it on", extra={"match": writer.match, "why": fault})
            self._is_overload_logged = True
        at, meta = writer.record_time_ms(), RecordMeta(HOUSE, OVERLOAD_ID)
        end = writer.log.close if state.status == "open" else writer.log.stop
        with contextlib.suppress(Refusal, StoreUnavailable):
            await writer.store(end(meta, at, writer.secrets, writer.salts))
