"""Streams of events that are no matches: their records read and folded, appended, and announced to every node.

(stream, seq) is the only lock: who appends second reads again and decides again.
"""

import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from diskwars_protocol.match.ids import PlayerId
from diskwars_server.bus.bus import Bus
from diskwars_server.refusals import RETRY_AFTER_MS, Refusal
from diskwars_server.store.errors import DuplicateCommand, WrongVersion

log = logging.getLogger(__name__)

MAX_KEPT_STATES = 256
MAX_ATTEMPTS = 3

OnChange = Callable[[str, int], None]
"""Gets a stream and the seq of its last record. Never waits."""


class StreamState(Protocol):
    """What the records of a stream fold to."""

    @property
    def seq(self) -> int: ...
    @property
    def at_ms(self) -> int: ...
    @property
    def status(self) -> str: ...


StateT = TypeVar("StateT", bound=StreamState)
EventT = TypeVar("EventT")
RecordT = TypeVar("RecordT")


class StreamKind(Struct, Generic[StateT, EventT, RecordT], frozen=True):
    """What streams of one kind are called, and how they fold.

    `name` is the field of messages that names a stream, `subject` that under which nodes announce new records.
    `make_record` gets seq, time, actor and events.
    """

    name: str
    subject: str
    unknown_code: str
    id_of: Callable[[StateT], str]
    make_record: Callable[[int, int, PlayerId, tuple[EventT, ...]], RecordT]
    fold: Callable[[str, Sequence[RecordT], StateT | None], StateT]


class EventStreams(Generic[StateT, EventT, RecordT]):
    """The streams of one kind. Every method that waits may raise StoreUnavailable."""

    def __init__(
        self,
        kind: StreamKind[StateT, EventT, RecordT],
        read: Callable[[str, int], Awaitable[Sequence[RecordT]]],
        store: Callable[[StateT, RecordT, str], Awaitable[None]],
        bus: Bus,
        clock: Callable[[], int],
    ) -> None:
        """`store` keeps a record with the state after it, under the id of a command."""
        self._kind, self._read, self._store, self._bus, self._clock = kind, read, store, bus, clock
        self._kept: OrderedDict[str, StateT] = OrderedDict()
        self._listeners: list[OnChange] = []
        self._unsubscribe = bus.subscribe(kind.subject, self._on_remote_change)

    def close(self) -> None:
        self._unsubscribe()

    def on_change(self, listener: OnChange) -> None:
        """Call a listener for every new record of any stream, whichever node has stored it."""
        self._listeners.append(listener)

    async def load(self, stream: str) -> StateT:
        """Return a stream as it is now. Raises Refusal."""
        kept = self._kept.get(stream)
        records = await self._read(stream, 0 if kept is None else kept.seq)
        if kept is None and not records:
            raise Refusal(self._kind.unknown_code, place=f"$.{self._kind.name}")
        state = self._kind.fold(stream, records, kept)
        self._keep(stream, state)
        return state

    async def open(self, stream: str, event: EventT, opener: PlayerId, command: str) -> StateT:
        """Store the first record, or return what the same request has stored before."""
        try:
            return await self._append(stream, None, [event], opener, command)
        except (WrongVersion, DuplicateCommand):
            return await self.load(stream)

    async def append(self, state: StateT, events: Sequence[EventT], actor: PlayerId, command: str) -> StateT:
        """Store the next record. Raises WrongVersion and DuplicateCommand."""
        return await self._append(self._kind.id_of(state), state, events, actor, command)

    async def act(
        self, stream: str, decide: Callable[[StateT], Awaitable[Sequence[EventT]]], actor: PlayerId, command: str
    ) -> StateT:
        """Store what is decided about the stream as it is, or nothing; what was done already is done no second time.

        `decide` may be called several times. Raises Refusal, also what `decide` raises.
        """
        for _ in range(MAX_ATTEMPTS):
            state = await self.load(stream)
            events = await decide(state)
            if not events:
                return state
            try:
                return await self.append(state, events, actor, command)
            except WrongVersion:
                continue
            except DuplicateCommand:  # it was done, and the answer got lost
                return await self.load(stream)
        raise Refusal("retry", retry_after_ms=RETRY_AFTER_MS)

    async def _append(
        self, stream: str, before: StateT | None, events: Sequence[EventT], actor: PlayerId, command: str
    ) -> StateT:
        # Clocks of nodes differ a little: no record is older than the one before it.
        at_ms = self._clock() if before is None else max(self._clock(), before.at_ms)
        record = self._kind.make_record(1 if before is None else before.seq + 1, at_ms, actor, tuple(events))
        state = self._kind.fold(stream, [record], before)
        await self._store(state, record, command)
        self._keep(stream, state)
        name = self._kind.name
        log.info(f"{name} changed", extra={name: stream, "head": state.seq, "status": state.status})
        self._bus.publish(self._kind.subject, f"{stream} {state.seq}".encode())
        self._notify(stream, state.seq)
        return state

    def _keep(self, stream: str, state: StateT) -> None:
        self._kept[stream] = state
        self._kept.move_to_end(stream)
        if len(self._kept) > MAX_KEPT_STATES:
            self._kept.popitem(last=False)

    def announce(self, stream: str, seq: int) -> None:
        """Tell this node's listeners about a record that another process has stored, without the bus."""
        self._notify(stream, seq)

    def _on_remote_change(self, message: bytes) -> None:
        stream, _, seq = message.decode(errors="replace").partition(" ")
        if seq.isdecimal():
            self._notify(stream, int(seq))

    def _notify(self, stream: str, seq: int) -> None:
        for listener in self._listeners:
            listener(stream, seq)
