"""The handle of one match: follow it and act in it.

`MatchHandle` folds the records that its client receives, keeps the secrets of the seat, and yields one update for each
record.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from diskwars_client.errors import ClientError, CommandRefused, DecisionUnavailable, MatchUnavailable
from diskwars_client.match_requests import MatchRequests
from diskwars_client.promise_checks import PromiseChecks
from diskwars_client.rulesets.registry import new_promises
from diskwars_client.seat_secrets import BrokenPromise, SavedSecrets, SeatSecrets
from diskwars_client.watch_mode import DEFAULT_WATCH_MODE, WatchMode
from diskwars_protocol.connection.streams import Head, VerifiedRecords
from diskwars_protocol.match.actions import (
    AnswerOffer,
    LeaveSeat,
    MakeOffer,
    Offer,
    Ready,
    ReadyQuestion,
    ReplaceChain,
    Resign,
    ResumePlay,
    SeatQuestion,
    TakeBack,
    TakeSeat,
    TakeSeatBack,
)
from diskwars_protocol.match.decisions import Decision, Options
from diskwars_protocol.match.ids import DecisionId, MatchId, Seat
from diskwars_protocol.match.match_fold import RefoldRequired
from diskwars_protocol.match.state import AnyBody, AnyMatch, RecordBody, chain_head, is_revealed, newest_chain_link
from diskwars_protocol.match.vocabulary import AnyVocabulary
from diskwars_protocol.messages.decisions import Accepted
from diskwars_protocol.messages.history import MAX_RANGE_RECORDS, Openings, RecordOpenings
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.watching import Watching
from diskwars_protocol.records.fairness import Entropy
from diskwars_protocol.records.match_file import write_received
from diskwars_protocol.records.records import BadRecord, WireRecord, genesis_hash, unsealed_body
from diskwars_protocol.records.sealed import count_sealed
from diskwars_protocol.rulesets import registry

AnyDecision: TypeAlias = Decision[Any]
AnyOptions: TypeAlias = Options[Any, Any, Any]

UPDATE_BUFFER_LIMIT = 256
"""Updates that wait to be taken before the client stops reading, unless somebody waits for what comes next."""


class Update(Struct, frozen=True):
    """Record `seq`, and the match before and after it.

    `is_live` is False for what had happened before the match was watched. A match that is watched from a snapshot
    begins with an update whose record is empty and whose `before` is None: `state` is the match as it was found. One
    such update also stands for the oldest records where more were waiting than a handle keeps, and for a takeback to
    before the snapshot: then its record says to where.
    """

    seq: int
    record: AnyBody
    before: AnyMatch | None
    state: AnyMatch
    is_live: bool

    @property
    def is_snapshot(self) -> bool:
        """Whether this is the match at some moment, instead of a record."""
        return self.before is None and not self.record.events


QuestionT = TypeVar("QuestionT")


class MatchHandle:
    """One match as this client knows it. Iterate over it for updates; `state` is always the newest.

    At most `UPDATE_BUFFER_LIMIT` updates and one frame of them wait to be taken. Then the client stops reading, which
    slows the server down; while somebody waits for a later state, it reads on, and the oldest updates become one
    without a record. `records` holds every record in either case.
    """

    def __init__(
        self, match: MatchId, requests: MatchRequests, entropy: Entropy, mode: WatchMode = DEFAULT_WATCH_MODE
    ) -> None:
        self.id = match
        self.mode = mode
        self.is_delayed = False
        """Whether records come once their round is over."""
        self.watchers = 0
        """How many people without a seat watch the match, on all nodes, as the server said last."""
        self.head = 0
        self.hash = ""
        self.state: AnyMatch | None = None
        self.secrets: SeatSecrets | None = None
        self.on_secrets_change: Callable[[SavedSecrets], None] | None = None
        """Called with the secrets of the seat before anything that rests on them is sent, so that they can be kept."""
        self.known_vocabulary: AnyVocabulary | None = None
        self._requests, self._entropy = requests, entropy
        self._promise_checks = PromiseChecks()
        self._log: list[AnyBody] = []
        self._received: list[WireRecord] = []
        self._hashes: list[str] = []
        self._header = b""
        self._is_opened = False
        self._snapshot: tuple[Head, AnyMatch] | None = None
        self._genesis = Head(0, "")
        self._is_stale = False
        self._taken_back_to: int | None = None
        self._pushed_options: dict[DecisionId, bytes] = {}
        self._updates: deque[Update] = deque()
        self._changed = asyncio.Event()
        self._waiters = 0
        self._error: ClientError | None = None
        self._caught_up_at: int | None = None

    # ------------------------------------------------------------ what is known

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
    def records(self) -> tuple[AnyBody, ...]:
        """All records received, the last at the end. The first is record 1, or the one after the snapshot."""
        return tuple(self._log)

    @property
    def received(self) -> tuple[WireRecord, ...]:
        """The same records as they were received, with the openings that this player may see."""
        return tuple(self._received)

    @property
    def sees_everything(self) -> bool:
        """Whether every secret of the records has been opened for this player, because the match is over."""
        return self.mode.reveal_secrets or self._is_opened

    def file(self) -> bytes:
        """Return the match file of the records received, as `diskwars verify` reads it.

        It holds the secrets that have been opened for this player: all of them after the end with `push_openings` or
        `reveal_secrets`. Raises MatchUnavailable without the history.
        """
        if not self.has_history:
            raise MatchUnavailable(f"match {self.id}: a file begins with record 1: call fetch_history() first")
        return write_received(self._header, self._received, self._hashes)

    @property
    def has_history(self) -> bool:
        """Whether `records` begins with record 1."""
        return self._snapshot is None

    @property
    def known_head(self) -> Head | None:
        """The last record that has arrived, and the hash of the chain after it."""
        return Head(self.head, self.hash) if self.head else None

    @property
    def seat(self) -> Seat | None:
        """Where this player sits."""
        seat_states = () if self.state is None else self.state.seats
        return next(
            (seat for seat, seat_state in enumerate(seat_states) if seat_state.player == self._requests.player), None
        )

    @property
    def needs_control(self) -> bool:
        """Whether the own seat has still to give nonces, which only the device in control does."""
        seat, match = self.seat, self.state
        if seat is None or match is None or match.status == "ended" or match.seats[seat].resigned:
            return False
        return match.status == "open" or self.vocabulary.asks_for_nonces(match.settings)

    @property
    def is_in_control(self) -> bool:
        """Whether the newest chain of the own seat was made here: then no other device of the player gives secrets."""
        seat = self.seat
        return seat is not None and self.secrets is not None and self.secrets.controls(self.match.seats[seat])

    @property
    def open_decisions(self) -> tuple[AnyDecision, ...]:
        """The open decisions of this player's seat."""
        seat = self.seat
        decisions = () if self.state is None else self.state.decisions
        return tuple(one for one in decisions if one.seat == seat and not isinstance(one.question, SeatQuestion))

    @property
    def is_over(self) -> bool:
        """Nothing more will come."""
        has_ended = self.state is not None and self.state.status == "ended"
        return self._error is not None or (has_ended and not self._awaits_openings)

    @property
    def _awaits_openings(self) -> bool:
        is_asked = self.mode.push_openings and not self.mode.reveal_secrets and self.has_history
        return is_asked and not self._is_opened and self.state is not None and is_revealed(self.state)

    def __aiter__(self) -> "MatchHandle":
        return self

    async def __anext__(self) -> Update:
        """Return the next update. Ends after the end of the match; raises the error that ended the stream, if any."""
        while not self._updates:
            if self._error is not None:
                raise self._error
            if self.is_over:
                raise StopAsyncIteration
            await self._wait_for_change()
        update = self._updates.popleft()
        self._requests.resume_reading()
        return update

    @property
    def is_caught_up(self) -> bool:
        """Whether everything that happened before the match was watched has arrived."""
        return self.state is not None and self.head >= (self._caught_up_at or 0)

    async def wait_caught_up(self) -> AnyMatch:
        """Wait until everything that happened before the match was watched has arrived."""
        while self.state is None or not self.is_caught_up:
            if self._error is not None:
                raise self._error
            await self._wait_for_change()
        return self.state

    async def wait_after(self, head: int) -> None:
        """Wait until a record after `head` has arrived, or none will."""
        while self.head <= head and not self.is_over:
            await self._wait_for_change()

    async def _wait_for_change(self) -> None:
        """Wait for the next record, options or fault. The client reads on meanwhile, though nobody takes updates."""
        self._waiters += 1
        self._requests.resume_reading()
        self._changed.clear()
        try:
            await self._changed.wait()
        finally:
            self._waiters -= 1

    # ------------------------------------------------------------ acting

    async def act(self, decision: AnyDecision | None, action: Any) -> Accepted:
        """Answer a decision; None for what answers none. Raises CommandRefused.

        The secrets of the seat are put into an action of the ruleset that carries them, in place of what it holds. It
        is refused with `not_in_control` where another device of the player is in control: `take_control` first.
        When this returns, `state` is the one after the action. Cancelled, the action may still be carried out.
        """
        if self._error is not None:
            raise self._error
        chain_head, step = None, 1 if self.state is None else self.state.step + 1
        if decision is not None and self._carries_secrets(action):
            chain_head = self._require_control(decision.seat)
            action = self._with_secrets(decision.seat, action)
        if self.secrets is not None and self.on_secrets_change is not None:
            self.on_secrets_change(self.secrets.saved())
        named = None if decision is None else decision.id
        accepted = await self._requests.act(self.id, named, msgspec.json.encode(action), chain_head)
        if chain_head is not None or isinstance(action, TakeSeat | ReplaceChain):
            self._confirm(accepted.seq, step, action)
        if self._error is not None:
            raise self._error
        return accepted

    def _carries_secrets(self, action: Any) -> bool:
        return isinstance(action, Ready) or self.vocabulary.with_secrets(action, str, str) is not action

    def _require_control(self, seat: Seat) -> str:
        """Return the newest link of the own seat, which this device made. Raises CommandRefused."""
        if not self.is_in_control:
            text = "another device of yours plays this seat: take it over first"
            raise CommandRefused(Refused("not_in_control", text, match=self.id))
        return newest_chain_link(self.match.seats[seat])

    def _confirm(self, seq: int, step: int, action: Any) -> None:
        """Compare the record of an own action, which the server has accepted, with what was sent; if it has come."""
        place, seat = seq - self.head + len(self._log) - 1, self.seat
        if self.secrets is None or seat is None or not 0 <= place < len(self._log):
            return
        try:
            self.secrets.confirm(seat, step, action, self._log[place])
        except BrokenPromise as broken:
            self.stop(MatchUnavailable(f"match {self.id}: {broken}"))

    async def options(self, decision: AnyDecision, include_unavailable: bool = False) -> AnyOptions:
        """Return what could be answered to an own open decision. Raises CommandRefused.

        Nothing is requested where options are pushed. `include_unavailable` says also what is not among them, and why.
        """
        raw = None
        if self.mode.push_options and (self.mode.include_unavailable or not include_unavailable):
            raw = await self._wait_for_pushed_options(decision)
        if raw is None:
            raw = await self._requests.options(self.id, decision.id, include_unavailable)
        return self.vocabulary.decode_options(raw)

    async def _wait_for_pushed_options(self, decision: AnyDecision) -> bytes | None:
        """Return the options that follow the last record; None when none are pushed for this decision."""
        while self._error is None and decision in self.open_decisions and self.match.board is not None:
            if decision.id in self._pushed_options:
                return self._pushed_options[decision.id]
            await self._wait_for_change()
        return None

    async def fetch_history(self) -> None:
        """Fetch the records before the snapshot, and check that they lead to it.

        From then on `records` begins with record 1. Raises CommandRefused, MatchUnavailable where the snapshot is not
        what its records fold to.
        """
        if self._snapshot is None:
            return
        head, state = self._snapshot
        found = await self._fetch_records(self._genesis, head)
        bodies = [self.vocabulary.decode_body(raw) for part in found for raw in part.bodies]
        if self.vocabulary.fold_log(bodies) != state:
            raise MatchUnavailable(f"match {self.id}: its records do not fold to the snapshot at record {head.seq}")
        self._log[:0] = bodies
        self._received[:0] = [record for part in found for record in part.received]
        self._hashes[:0] = [after.hash for part in found for after in part.heads]
        self._snapshot = None

    async def check_contains(self, known: Head) -> None:
        """Check that the snapshot stands for a log that goes on from a head of an earlier life.

        The records between are compared with what the own seat gave, before any that came after the snapshot.
        Raises CommandRefused, MatchUnavailable where the log was rewritten or a promise was broken.
        """
        if self._snapshot is None or known.seq >= self._snapshot[0].seq:
            return
        found = await self._fetch_records(known, self._snapshot[0])
        try:
            bodies = [self.vocabulary.decode_body(raw) for part in found for raw in part.bodies]
            self._check_promises(enumerate(bodies, known.seq + 1), is_live=True)
        except (BrokenPromise, msgspec.ValidationError) as fault:
            raise MatchUnavailable(f"match {self.id}: {fault}") from None

    async def _fetch_records(self, head: Head, last: Head) -> list[VerifiedRecords]:
        """Return the records after one head up to another."""
        parts: list[VerifiedRecords] = []
        while head.seq < last.seq:
            limit = min(MAX_RANGE_RECORDS, last.seq - head.seq)
            found = await self._requests.records(self.id, head.seq, limit)
            if found.before != head or not found.records.bodies:
                raise MatchUnavailable(f"match {self.id}: it was rewritten before record {head.seq}")
            parts.append(found.records)
            head = found.last
        if head != last:
            raise MatchUnavailable(f"match {self.id}: the snapshot at record {last.seq} is of another match")
        return parts

    async def take_seat(self, loadout: Any, seat: Seat | None = None) -> Seat:
        """Take a seat, any free one if none is named. Raises CommandRefused, DecisionUnavailable when there is no such
        free seat.
        """
        match = await self.wait_caught_up()
        free_seats = [
            one for one in match.decisions if isinstance(one.question, SeatQuestion) and seat in (None, one.seat)
        ]
        if not free_seats:
            raise DecisionUnavailable(f"match {self.id} has no free seat" + ("" if seat is None else f" {seat}"))
        # Made only now: the server has published the anchor of its own chain.
        before, secrets = self.secrets, self._new_secrets()
        self.secrets = secrets
        try:
            await self.act(free_seats[0], TakeSeat(secrets.head, loadout))
        except CommandRefused:
            self.secrets = before
            raise
        return free_seats[0].seat

    async def ready(self) -> Accepted:
        """Open the first link of the chain."""
        decision, _ = self._open_decision(ReadyQuestion)
        return await self.act(decision, Ready(self._next_nonce(decision.seat, 1)))

    async def take_seat_back(self) -> Accepted:
        """Play on in the own seat, which a bot plays since too many answers were missed. An answer does that too."""
        return await self.act(None, TakeSeatBack())

    async def leave_seat(self) -> Accepted:
        """Give up the own seat before the match begins, and forget its secrets. Raises CommandRefused."""
        accepted = await self.act(None, LeaveSeat())
        self.secrets = None
        return accepted

    async def kick_player(self, seat: Seat) -> None:
        """Remove the player of a seat before the match begins, as its opener. Raises CommandRefused."""
        await self._requests.kick_player(self.id, seat)

    async def resign(self) -> Accepted:
        return await self.act(None, Resign())

    async def offer(self, offer: Offer) -> Accepted:
        """Offer a draw, a takeback or a pause to the other players. Raises CommandRefused."""
        return await self.act(None, MakeOffer(offer))

    async def answer_offer(self, *, agree: bool) -> Accepted:
        """Agree to the open offer, refuse it, or withdraw the own one.

        Raises CommandRefused, DecisionUnavailable when there is none.
        """
        if self.match.offer is None:
            raise DecisionUnavailable(f"match {self.id}: no offer is open")
        return await self.act(None, AnswerOffer(self.match.offer.id, agree))

    async def take_back(self, record: int | None = None) -> Accepted:
        """Take back the own answers after a record, by default the last one. Raises CommandRefused."""
        return await self.act(None, TakeBack(self.head - 1 if record is None else record))

    async def resume_play(self) -> Accepted:
        """End a pause. Raises CommandRefused."""
        return await self.act(None, ResumePlay())

    async def replace_chain(self) -> Accepted:
        """Replace the chain of the own seat; the new one counts from the next step but one. Raises CommandRefused.

        This device is in control from then on, and any other one of the player no longer is.
        """
        if self.secrets is None:
            # another device of this player may have given a link for the next step
            self.secrets = self._new_secrets(self.match.step + 2)
            self.secrets.release()
            head = self.secrets.head
        else:
            head = self.secrets.renew_chain()
        return await self.act(None, ReplaceChain(head))

    async def take_control(self) -> None:
        """Play the own seat here, wherever it was played before. Does nothing where it is. Raises CommandRefused."""
        if self.needs_control and not self.is_in_control:
            await self.replace_chain()

    def resume_secrets(self, saved: SavedSecrets) -> bool:
        """Play on with the secrets of an earlier connection. Return whether this device is in control with them.

        Then the seat continues its dice chain, and what it has locked is checked. Otherwise another device has taken
        over: `take_control`. Raises ValueError for damaged secrets.
        """
        seat, step = self.seat, self.match.step + 1
        promises = new_promises(self.vocabulary.name, self.id)
        secrets = SeatSecrets.restore(saved, promises, self._entropy, step)
        if seat is None:
            return False
        is_in_control = secrets.controls(self.match.seats[seat])
        if is_in_control or secrets.continues(chain_head(self.match.seats[seat])):
            self.secrets = secrets  # a chain in force is worth keeping: its next link may be asked for
        if not is_in_control:
            secrets.release()
        return is_in_control

    async def leave(self) -> None:
        """Stop watching the match."""
        await self._requests.unwatch(self.id)
        self.stop(MatchUnavailable(f"match {self.id} is not watched any more"))

    def _open_decision(self, kind: type[QuestionT]) -> tuple[AnyDecision, QuestionT]:
        """Return the own open decision of this kind, and what it asks."""
        for decision in self.open_decisions:
            if isinstance(decision.question, kind):
                return decision, decision.question
        raise DecisionUnavailable(f"match {self.id} does not ask that of this player now")

    def _new_secrets(self, step: int = 1) -> SeatSecrets:
        return SeatSecrets(new_promises(self.vocabulary.name, self.id), self._entropy, step)

    def _with_secrets(self, seat: Seat, action: Any) -> Any:
        """Return an action with a fresh salt and the next link of the chain, if it carries them, and remember it."""
        step, secrets = self.match.step + 1, self.secrets
        if secrets is None or isinstance(action, Ready):
            return action
        completed = self.vocabulary.with_secrets(action, secrets.fresh_salt, lambda: self._next_nonce(seat, step))
        secrets.record_action(seat, step, completed)
        return completed

    def _next_nonce(self, seat: Seat, step: int) -> str:
        if self.secrets is None:
            return ""
        return self.secrets.nonce_for(step, chain_head(self.match.seats[seat]))

    # ------------------------------------------------------------ for the client: receiving

    @property
    def is_full(self) -> bool:
        return len(self._updates) >= UPDATE_BUFFER_LIMIT

    @property
    def is_awaited(self) -> bool:
        """Whether somebody waits for what comes next, and nothing has come yet: one who will wake may take updates."""
        return self._waiters > 0 and not self._changed.is_set()

    @property
    def is_stopped(self) -> bool:
        """Whether the match can no longer be followed by this handle."""
        return self._error is not None

    @property
    def is_finished(self) -> bool:
        """Whether nothing more will come, and the client need not keep the handle."""
        return self.is_stopped or (self.is_over and not self._updates and not self._waiters)

    def handle_watching(self, watching: Watching) -> None:
        """Take up the state of a snapshot; otherwise the records up to the head come first."""
        if not self.set_ruleset(watching.ruleset):
            return
        self._header = bytes(watching.header)
        self._genesis = Head(0, genesis_hash(self._header).hex())
        self.is_delayed, self.watchers = watching.is_delayed, 0
        if self.head and not watching.after:
            self._start_over(watching.head)
        if self._caught_up_at is None:
            self._caught_up_at = watching.head
        if watching.snapshot and (self._is_stale or self.known_head != Head(watching.after, watching.hash)):
            self._handle_snapshot(Head(watching.after, watching.hash), bytes(watching.snapshot))

    def set_ruleset(self, name: str) -> bool:
        """Read the match by this ruleset. Return whether it is registered; otherwise the handle stops."""
        self.known_vocabulary = registry.RULESETS.get(name)
        if self.known_vocabulary is None:
            able = ", ".join(registry.RULESETS)
            self.stop(MatchUnavailable(f"match {self.id} is one of {name}; this client can read {able}"))
        return self.known_vocabulary is not None

    def _start_over(self, caught_up_at: int) -> None:
        """Forget what was received: all records come again, for example with their secrets."""
        self._clear_records()
        self._updates.clear()
        self._snapshot, self._is_stale, self.state = None, False, None
        self.head, self.hash, self._caught_up_at = 0, "", caught_up_at

    def _handle_snapshot(self, head: Head, raw: bytes) -> None:
        try:
            state = self.vocabulary.decode_match(raw)
        except msgspec.ValidationError as fault:
            self.stop(MatchUnavailable(f"match {self.id}: the snapshot cannot be read: {fault}"))
            return
        self._clear_records()
        self._snapshot, self._is_stale = (head, state), False
        self.state, self.head, self.hash = state, head.seq, head.hash
        self._promise_checks.begin_after(head.seq, state.step)
        self._add_update(_snapshot_update(head.seq, state, is_live=False, taken_back_to=self._taken_back_to))
        self._taken_back_to = None

    def _clear_records(self) -> None:
        self._log.clear()
        self._received.clear()
        self._hashes.clear()
        self._pushed_options.clear()
        self._is_opened = False

    def handle_openings(self, pushed: Openings) -> None:
        """Open secrets of the records received; after the last, `state` is the match with everything in the open."""
        if not self.has_history or self._error is not None:
            return
        try:
            for opened in pushed.records:
                self._open_record(opened)
            if pushed.complete:
                self._finish_openings()
        except (BadRecord, msgspec.ValidationError, LookupError) as fault:
            self.stop(MatchUnavailable(f"match {self.id}: its openings are wrong: {fault}"))
        self._changed.set()

    def _open_record(self, opened: RecordOpenings) -> None:
        index = opened.seq - 1
        record = msgspec.structs.replace(self._received[index], openings=opened.openings)
        self._log[index] = self.vocabulary.decode_body(unsealed_body(record))
        self._received[index] = record

    def _finish_openings(self) -> None:
        sealed = sum(count_sealed(unsealed_body(record)) for record in self._received)
        if sealed:
            self.stop(MatchUnavailable(f"match {self.id}: {sealed} values are still sealed after its end"))
            return
        self.state, self._is_opened = self.vocabulary.fold_log(self._log), True

    def handle_options(self, decision: DecisionId, raw: bytes) -> None:
        """Keep options that the server has pushed; they are those after the last record."""
        self._pushed_options[decision] = raw
        self._changed.set()

    def handle_records(self, facts: VerifiedRecords) -> None:
        """Some more records. Stops the handle at the first that is not what was promised."""
        self._merge_oldest_updates()
        for body, head, received in zip(facts.bodies, facts.heads, facts.received, strict=True):
            is_known = head.seq <= self.head  # a `Watch` in another mode was under way when it came the first time
            if self._error is None and not self._is_stale and not is_known:
                self._handle_record(body, head, received)

    def _handle_record(self, raw: bytes, head: Head, received: WireRecord) -> None:
        before, is_live, body = self.state, head.seq > (self._caught_up_at or 0), None
        try:
            body = self.vocabulary.decode_body(raw)
            self._log.append(body)
            self.state = self._fold(before, body)
            self._check_promises([(head.seq, body)], is_live)
        except RefoldRequired:  # a takeback, and what lies before the snapshot is not at hand
            self._is_stale, self._taken_back_to = True, None if body is None else body.taken_back_to
            self._requests.schedule_refresh(self.id)
        except BrokenPromise as broken:
            self.stop(MatchUnavailable(f"match {self.id}: {broken}"))
        except (msgspec.ValidationError, ValueError, LookupError) as fault:
            self.stop(MatchUnavailable(f"match {self.id}: record {head.seq} cannot be read: {fault}"))
        else:
            self.head, self.hash = head.seq, head.hash
            self._received.append(received)
            self._hashes.append(head.hash)
            self._pushed_options.clear()
            self._add_update(Update(head.seq, body, before, self.state, is_live))

    def _add_update(self, update: Update) -> None:
        self._updates.append(update)
        self._changed.set()

    def _merge_oldest_updates(self) -> None:
        """Make room for a frame that is read though the handle is full, because somebody waits for what comes next."""
        oldest: Update | None = None
        while len(self._updates) >= UPDATE_BUFFER_LIMIT:
            oldest = self._updates.popleft()
        if oldest is not None:
            self._updates.appendleft(_snapshot_update(oldest.seq, oldest.state, oldest.is_live))

    def _fold(self, before: AnyMatch | None, body: AnyBody) -> AnyMatch:
        if self._snapshot is None:
            return self.vocabulary.fold_record(before, body, self._log)
        return self.vocabulary.fold(before, body)

    def stop(self, fault: ClientError) -> None:
        """End the stream; updates that have arrived can still be taken."""
        self._error = self._error or fault
        self._changed.set()

    def _check_promises(self, records: Iterable[tuple[int, AnyBody]], is_live: bool) -> None:
        self._promise_checks.check(self.secrets, self.seat, records, is_live)


def _snapshot_update(seq: int, state: AnyMatch, is_live: bool, taken_back_to: int | None = None) -> Update:
    return Update(seq, RecordBody(at_ms=state.at_ms, taken_back_to=taken_back_to), None, state, is_live)
