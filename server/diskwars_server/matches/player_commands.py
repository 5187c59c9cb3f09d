"""Execution of the commands of players and bots in one match: look up, check, decide, store."""

from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any, TypeAlias

from diskwars_engine.agreements import CONSENTS
from diskwars_engine.match import Command
from diskwars_engine.match_dice import MatchSecrets
from diskwars_engine.match_log import Proposal
from diskwars_engine.record_codec import RecordMeta
from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.actions import Kick, TakeSeat
from diskwars_protocol.match.ids import HOUSE
from diskwars_protocol.match.match_options import BankClock
from diskwars_protocol.match.state import AnyBody
from diskwars_protocol.messages.decisions import Accepted
from diskwars_protocol.messages.opening import CloseMatch
from diskwars_server.broadcast.watch_rights import WatchRights
from diskwars_server.matches.inbox import PendingCommand
from diskwars_server.matches.writer import MAX_APPEND_ATTEMPTS, MatchWriter, NotTaken
from diskwars_server.monitoring.tracing import ActTrace
from diskwars_server.refusals import RETRY_AFTER_MS, UNAVAILABLE_RETRY_AFTER_MS, Refusal
from diskwars_server.store.errors import StoreUnavailable

OnAnswer: TypeAlias = Callable[[PendingCommand, Accepted | Exception], None]
"""Gets the answer to a command, or the fault that kept it from being accepted."""


class PlayerCommands:
    """The commands of players in one match.

    A command is looked up, decided and handed to the store in the step in which it comes, and answered in that of its
    outcome. What has to read the log first has a task.
    """

    def __init__(
        self,
        writer: MatchWriter,
        rights: WatchRights,
        on_answer: OnAnswer,
        start_task: Callable[[Coroutine[Any, Any, None]], None],
        kept_seats: Sequence[str] = (),
    ) -> None:
        """`on_answer` is called once for each command, now or later, with a fault too.

        That is Refusal, StoreUnavailable when the match is behind its log, or what the rules raise. `kept_seats` are
        the players for whom the seats of the match are kept; none where anybody may take one.
        """
        self._writer, self._rights, self._kept_seats = writer, rights, kept_seats
        self._on_answer, self._start_task = on_answer, start_task

    def execute(self, pending: PendingCommand, attempt: int = 1) -> None:
        """Store the record that a command makes. One that was accepted before gets the same answer. Raises nothing."""
        try:
            receipt = self._find_receipt(pending)
            if receipt is None:
                self._begin(pending, attempt)
                return
        except Exception as fault:
            self._on_answer(pending, fault)
        else:
            self._on_answer(pending, receipt)

    def _begin(self, pending: PendingCommand, attempt: int) -> None:
        if attempt > MAX_APPEND_ATTEMPTS:
            raise Refusal("retry", retry_after_ms=RETRY_AFTER_MS)
        self._require_view(pending)
        self._require_write_budget(pending)
        if self._takes_back(pending):
            self._start_task(self._take_back(pending, attempt))
        else:
            tracing = self._writer.services.tracing
            trace = None if tracing is None else tracing.begin()
            self._submit(pending, self._decide(pending), attempt, trace)

    def _submit(self, pending: PendingCommand, proposal: Proposal, attempt: int, trace: ActTrace | None = None) -> None:
        """Hand a record to the store. Its command is answered in the step in which the record is published."""
        accepted = Accepted(pending.id, self._writer.match, proposal.record.record.seq)
        on_stored = partial(self._on_answer, pending, accepted)
        on_fault = partial(self._on_fault, pending, proposal, attempt)
        self._writer.submit(proposal, pending.outbox.usage, on_stored, on_fault, trace)

    def _on_fault(self, pending: PendingCommand, proposal: Proposal, attempt: int, fault: Exception) -> None:
        if isinstance(fault, NotTaken):
            self._start_task(self._try_again(pending, proposal, attempt))
        else:
            self._on_answer(pending, fault)

    async def _try_again(self, pending: PendingCommand, proposal: Proposal, attempt: int) -> None:
        """Read what is stored; then the log decides whether the command is accepted already."""
        try:
            await self._writer.catch_up(proposal.seq)
        except Exception as fault:
            self._on_answer(pending, fault)
        else:
            self.execute(pending, attempt + 1)

    async def _take_back(self, pending: PendingCommand, attempt: int) -> None:
        """Decide a command that takes back records with all of them; a match keeps only its state in memory."""
        try:
            self._submit(pending, self._decide(pending, await self._read_bodies(pending)), attempt)
        except Exception as fault:
            self._on_answer(pending, fault)

    async def _read_bodies(self, pending: PendingCommand) -> Sequence[AnyBody]:
        """Return all records of the match. Raises Refusal when the log cannot be read.

        It costs the server as much as sending the match again, and a refused command as much as another.
        """
        usage, writer = pending.outbox.usage, self._writer
        if wait_ms := usage.history_wait_ms(is_resume=True):
            raise Refusal("too_much_history", retry_after_ms=wait_ms)
        try:
            records = await writer.services.events.read(writer.match)
        except StoreUnavailable:
            raise Refusal("unavailable", retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS) from None
        usage.add_history(sum(len(record.body) for record in records))
        return writer.log.codec.bodies(records)

    def _find_receipt(self, pending: PendingCommand) -> Accepted | None:
        """Return the answer to a command that was accepted before. Raises Refusal for another command under its id."""
        receipt = self._writer.log.receipts.find(pending.player, pending.id)
        if receipt is not None:
            if receipt.digest != pending.digest:
                raise Refusal("duplicate_differs", place="$.id")
            return Accepted(pending.id, self._writer.match, receipt.seq)
        return None

    def _require_view(self, pending: PendingCommand) -> None:
        """Refuse commands of delayed spectators before the rules do, whose refusals would show the current state."""
        if pending.player == HOUSE:
            self._require_substitute(pending)
        elif self._rights.is_delayed(pending.player) and not isinstance(pending.action, CloseMatch | Kick):
            raise Refusal("no_seat")

    def _require_substitute(self, pending: PendingCommand) -> None:
        """Refuse the answer of a substitute whose seat was taken back while it thought."""
        state = self._writer.log.state
        answered = [decision for decision in state.decisions if decision.id == pending.decision]
        if not all(state.seats[decision.seat].substitute for decision in answered):
            raise Refusal("stale_decision")

    def _require_write_budget(self, pending: PendingCommand) -> None:
        """Raise Refusal for a command of somebody who has written too much. Those that were accepted are answered."""
        if wait_ms := pending.outbox.usage.write_wait_ms(self._writer.log.state.status == "running"):
            raise Refusal("too_much_written", retry_after_ms=wait_ms)

    def _takes_back(self, pending: PendingCommand) -> bool:
        """Return whether a command takes back records, for which all of them are needed."""
        if not isinstance(pending.action, CONSENTS):
            return False
        writer = self._writer
        return writer.rules.takes_back(writer.log.state, pending.player, pending.action)

    def _decide(self, pending: PendingCommand, bodies: Sequence[AnyBody] | None = None) -> Proposal:
        writer = self._writer
        if writer.secrets is None:
            raise Refusal("match_ended")
        at = writer.record_time_ms()
        try:
            if isinstance(pending.action, CloseMatch | Kick):
                return self._decide_for_opener(pending, pending.action, at, writer.secrets)
            self._require_kept_seat(pending)
            # Only a bank of time is charged with less than the whole time.
            has_bank = isinstance(writer.log.state.match_options.clock, BankClock)
            command = Command(
                pending.player,
                pending.decision,
                pending.action,
                at,
                pending.digest,
                pending.outbox.lag_ms if has_bank else 0,
                pending.chain_head,
            )
            return writer.log.decide(command, pending.id, writer.secrets, writer.salts, bodies)
        except Illegal as illegal:
            raise Refusal.from_illegal(illegal) from None

    def _require_kept_seat(self, pending: PendingCommand) -> None:
        """Refuse a seat that is kept for another player."""
        if self._kept_seats and isinstance(pending.action, TakeSeat):
            for decision in self._writer.log.state.decisions:
                if decision.id == pending.decision and self._kept_seats[decision.seat] != pending.player:
                    raise Refusal("seat_taken", "this seat is kept for another player", "$.decision")

    def _decide_for_opener(
        self, pending: PendingCommand, action: CloseMatch | Kick, at: int, secrets: MatchSecrets
    ) -> Proposal:
        writer = self._writer
        if pending.player != writer.log.opener:
            text = "only the player who opened a match may remove players from it"
            raise Refusal("not_opener", text if isinstance(action, Kick) else "")
        meta = RecordMeta(pending.player, pending.id)
        if isinstance(action, Kick):
            return writer.log.kick(action, meta, at, writer.salts)
        return writer.log.close(meta, at, secrets, writer.salts)
