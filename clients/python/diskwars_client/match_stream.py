"""Stream of one match: its records as they arrive, the state that they fold to, and an update for each."""

import msgspec

from diskwars_client.any_ruleset import AnyDecision
from diskwars_client.errors import ClientError, DecisionUnavailable, MatchUnavailable
from diskwars_client.match_requests import MatchRequests
from diskwars_client.promise_checks import PromiseChecks
from diskwars_client.received_records import ReceivedRecords, fetch_records
from diskwars_client.seat_secrets import BrokenPromise
from diskwars_client.updates import Update, UpdateQueue, snapshot_update
from diskwars_client.watch_mode import WatchMode
from diskwars_protocol.connection.streams import Head, VerifiedRecords
from diskwars_protocol.match.actions import SeatQuestion
from diskwars_protocol.match.ids import DecisionId, MatchId, Seat
from diskwars_protocol.match.match_fold import RefoldRequired
from diskwars_protocol.match.state import AnyMatch, is_revealed
from diskwars_protocol.match.vocabulary import AnyVocabulary
from diskwars_protocol.messages.decisions import OptionsResponse
from diskwars_protocol.messages.history import Openings
from diskwars_protocol.messages.watching import WatchersChanged, Watching
from diskwars_protocol.records.records import BadRecord, WireRecord
from diskwars_protocol.rulesets import registry


class MatchStream:
    """Messages about one match as a client receives them. `state` is the newest; iterating yields updates."""

    def __init__(self, match: MatchId, requests: MatchRequests, promise_checks: PromiseChecks, mode: WatchMode) -> None:
        self.id = match
        self.mode = mode
        self.is_delayed = False
        """Whether records come once their round is over."""
        self.watchers = 0
        """Number of people without a seat who watch the match, on all nodes, in the last message about it."""
        self.head = 0
        self.hash = ""
        self.state: AnyMatch | None = None
        self.known_vocabulary: AnyVocabulary | None = None
        self.log = ReceivedRecords(match)
        self.updates = UpdateQueue(requests.resume_reading)
        self._requests, self._promise_checks = requests, promise_checks
        self._is_stale = False
        self._taken_back_to: int | None = None
        self._pushed_options: dict[DecisionId, bytes] = {}
        self._error: ClientError | None = None
        self._caught_up_at: int | None = None

    # ------------------------------------------------------------ state

    @property
    def vocabulary(self) -> AnyVocabulary:
        """The vocabulary of the match's ruleset. Raises DecisionUnavailable before the server has named it."""
        if self.known_vocabulary is None:
            raise DecisionUnavailable(f"the ruleset of match {self.id} is not known yet")
        return self.known_vocabulary

    @property
    def match(self) -> AnyMatch:
        """The newest state. Raises DecisionUnavailable before any record of the match has arrived."""
        if self.state is None:
            raise DecisionUnavailable(f"no record of match {self.id} has arrived yet")
        return self.state

    @property
    def known_head(self) -> Head | None:
        """The last record that has arrived, and the hash of the chain after it."""
        return Head(self.head, self.hash) if self.head else None

    @property
    def seat(self) -> Seat | None:
        """The seat of this player; None without one."""
        seat_states = () if self.state is None else self.state.seats
        player = self._requests.player
        return next((seat for seat, seat_state in enumerate(seat_states) if seat_state.player == player), None)

    @property
    def open_decisions(self) -> tuple[AnyDecision, ...]:
        """The open decisions of this player's seat."""
        seat = self.seat
        decisions = () if self.state is None else self.state.decisions
        return tuple(
            decision
            for decision in decisions
            if decision.seat == seat and not isinstance(decision.question, SeatQuestion)
        )

    @property
    def sees_everything(self) -> bool:
        """Whether every secret of the records has been opened for this player, because the match is over."""
        return self.mode.reveal_secrets or self.log.is_opened

    @property
    def is_caught_up(self) -> bool:
        """Whether everything that happened before the match was watched has arrived."""
        return self.state is not None and self.head >= (self._caught_up_at or 0)

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        has_ended = self.state is not None and self.state.status == "ended"
        return self.is_stopped or (has_ended and not self._awaits_openings)

    @property
    def _awaits_openings(self) -> bool:
        are_pushed = self.mode.push_openings and not self.mode.reveal_secrets and self.log.has_history
        return are_pushed and not self.log.is_opened and self.state is not None and is_revealed(self.state)

    @property
    def is_stopped(self) -> bool:
        """Whether the match can no longer be followed by this handle."""
        return self._error is not None

    @property
    def is_finished(self) -> bool:
        """Whether nothing more will come, and the client need not keep the handle."""
        return self.is_stopped or (self.is_over and self.updates.is_idle)

    # ------------------------------------------------------------ waiting

    def __aiter__(self) -> "MatchStream":
        return self

    async def __anext__(self) -> Update:
        """Return the next update. Ends after the end of the match; raises the error that ended the stream, if any."""
        while not self.updates:
            self.check_running()
            if self.is_over:
                raise StopAsyncIteration
            await self.updates.wait()
        return self.updates.take()

    async def wait_caught_up(self) -> AnyMatch:
        """Wait until everything that happened before the match was watched has arrived."""
        while self.state is None or not self.is_caught_up:
            self.check_running()
            await self.updates.wait()
        return self.state

    async def wait_after(self, head: int) -> None:
        """Wait until a record after `head` has arrived, or none will."""
        while self.head <= head and not self.is_over:
            await self.updates.wait()

    async def wait_for_options(self, decision: AnyDecision) -> bytes | None:
        """Return the pushed options that follow the last record; None when none are pushed for this decision."""
        while not self.is_stopped and decision in self.open_decisions and self.match.board is not None:
            if decision.id in self._pushed_options:
                return self._pushed_options[decision.id]
            await self.updates.wait()
        return None

    def check_running(self) -> None:
        """Raise the error that ended the stream, if any."""
        if self._error is not None:
            raise self._error

    # ------------------------------------------------------------ history

    async def fetch_history(self) -> None:
        """Fetch the records before the snapshot, and check that they lead to it.

        From then on the records begin with record 1. Raises CommandRefused, MatchUnavailable where the snapshot is not
        what its records fold to.
        """
        if self.log.snapshot is not None:
            parts = await fetch_records(self._requests, self.id, self.log.genesis, self.log.snapshot[0])
            self.log.prepend(parts, self.vocabulary)

    async def check_contains(self, known: Head) -> None:
        """Check that the snapshot stands for a log that goes on from a head of an earlier life.

        The records between are compared with what the own seat gave, before any that came after the snapshot.
        Raises CommandRefused, MatchUnavailable where the log was rewritten or a promise was broken.
        """
        snapshot = self.log.snapshot
        if snapshot is None or known.seq >= snapshot[0].seq:
            return
        parts = await fetch_records(self._requests, self.id, known, snapshot[0])
        try:
            bodies = [self.vocabulary.decode_body(raw) for part in parts for raw in part.bodies]
            self._promise_checks.check(self.seat, enumerate(bodies, known.seq + 1), is_live=True)
        except (BrokenPromise, msgspec.ValidationError) as fault:
            raise MatchUnavailable(f"match {self.id}: {fault}") from None

    # ------------------------------------------------------------ for the client: messages of the server

    def _on_watching(self, watching: Watching) -> None:
        """Take up the state of a snapshot; otherwise the records up to the head come first."""
        if not self._set_ruleset(watching.ruleset):
            return
        self.log.set_header(bytes(watching.header))
        self.is_delayed, self.watchers = watching.is_delayed, 0
        if self.head and not watching.after:
            self._start_over(watching.head)
        if self._caught_up_at is None:
            self._caught_up_at = watching.head
        if watching.snapshot and (self._is_stale or self.known_head != Head(watching.after, watching.hash)):
            self._on_snapshot(Head(watching.after, watching.hash), bytes(watching.snapshot))

    def _set_ruleset(self, name: str) -> bool:
        """Read the match by this ruleset. Return whether it is registered; otherwise the stream ends."""
        self.known_vocabulary = registry.RULESETS.get(name)
        if self.known_vocabulary is None:
            able = ", ".join(registry.RULESETS)
            self._on_end(MatchUnavailable(f"match {self.id} is one of {name}; this client can read {able}"))
        return self.known_vocabulary is not None

    def _start_over(self, caught_up_at: int) -> None:
        """Forget what was received: all records come again, for example with their secrets."""
        self.log.begin_again(None)
        self._pushed_options.clear()
        self.updates.clear()
        self._is_stale, self.state = False, None
        self.head, self.hash, self._caught_up_at = 0, "", caught_up_at

    def _on_snapshot(self, head: Head, raw: bytes) -> None:
        try:
            state = self.vocabulary.decode_match(raw)
        except msgspec.ValidationError as fault:
            self._on_end(MatchUnavailable(f"match {self.id}: the snapshot cannot be read: {fault}"))
            return
        self.log.begin_again((head, state))
        self._pushed_options.clear()
        self._is_stale = False
        self.state, self.head, self.hash = state, head.seq, head.hash
        self._promise_checks.begin_after(head.seq, state.step)
        self.updates.add(snapshot_update(head.seq, state, is_live=False, taken_back_to=self._taken_back_to))
        self._taken_back_to = None

    def _on_openings(self, pushed: Openings) -> None:
        """Open secrets of the records received; after the last, `state` is the match with everything in the open."""
        if not self.log.has_history or self.is_stopped:
            return
        try:
            for opened in pushed.records:
                self.log.open_record(opened, self.vocabulary)
            if pushed.complete:
                self.state = self.log.finish_openings(self.vocabulary)
        except MatchUnavailable as fault:
            self._on_end(fault)
        except (BadRecord, msgspec.ValidationError, LookupError) as fault:
            self._on_end(MatchUnavailable(f"match {self.id}: its openings are wrong: {fault}"))
        self.updates.notify()

    def _on_options(self, pushed: OptionsResponse) -> None:
        """Keep options that the server has pushed; they are those after the last record."""
        self._pushed_options[pushed.decision] = bytes(pushed.options)
        self.updates.notify()

    def _on_watchers(self, changed: WatchersChanged) -> None:
        self.watchers = changed.watchers

    def _on_records(self, facts: VerifiedRecords) -> None:
        """Take up records. Ends the stream at the first that is not what was promised."""
        self.updates.merge_oldest()
        for body, head, received in zip(facts.bodies, facts.heads, facts.received, strict=True):
            is_known = head.seq <= self.head  # a `Watch` in another mode was under way when it came the first time
            if not self.is_stopped and not self._is_stale and not is_known:
                self._on_record(body, head, received)

    def _on_record(self, raw: bytes, head: Head, received: WireRecord) -> None:
        before, is_live, body = self.state, head.seq > (self._caught_up_at or 0), None
        try:
            body = self.vocabulary.decode_body(raw)
            self.state = self.log.fold(self.vocabulary, before, body)
            self._promise_checks.check(self.seat, [(head.seq, body)], is_live)
        except RefoldRequired:  # a takeback, and what lies before the snapshot is not at hand
            self._is_stale, self._taken_back_to = True, None if body is None else body.taken_back_to
            self._requests.schedule_refresh(self.id)
        except BrokenPromise as broken:
            self._on_end(MatchUnavailable(f"match {self.id}: {broken}"))
        except (msgspec.ValidationError, ValueError, LookupError) as fault:
            self._on_end(MatchUnavailable(f"match {self.id}: record {head.seq} cannot be read: {fault}"))
        else:
            self.head, self.hash = head.seq, head.hash
            self.log.add_received(received, head.hash)
            self._pushed_options.clear()
            self.updates.add(Update(head.seq, body, before, self.state, is_live))

    def _on_end(self, fault: ClientError) -> None:
        """End the stream; updates that have arrived can still be taken."""
        self._error = self._error or fault
        self.updates.notify()
