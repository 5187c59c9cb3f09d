"""Feed of one match: its subscribers, its recent records and its history, as frames.

A record is encoded once for every group of viewers who see the same. Commands, rules and sockets are left to others: a
subscriber is an outbox.
"""

import logging
from collections import deque
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from diskwars_engine.match import AnyMatch, AnyRules
from diskwars_engine.record_codec import SealedRecord
from diskwars_protocol.connection import SharedFrame, share
from diskwars_protocol.match import ALL, PUBLIC, Decision, MatchId, Options, PlayerId, Viewer
from diskwars_protocol.messages import GetRecords, OptionsResponse, RecordRange, Records, Unwatched
from diskwars_server.event_log import EventLog
from diskwars_server.frame_cache import Block, FrameCache
from diskwars_server.outbox import Outbox
from diskwars_server.refusals import describe_fault

log = logging.getLogger(__name__)

RECENT_RECORD_LIMIT = 64
"""Records kept of a live match, so that a join or a resume soon afterwards reads nothing."""
BLOCK_RECORDS = 64
"""Records in one frame of history."""

_JSON = msgspec.json.Encoder()
_NO_OPTIONS: Options[Any, Any, Any] = Options()


class Subscription(Struct, frozen=True):
    """Who watches a match, as whom, and what they get beside its records."""

    player: PlayerId
    viewer: Viewer
    push_options: bool = False
    include_unavailable: bool = False


class Feed:
    """What is sent of one match, and to whom. `head` is the last record that was published."""

    def __init__(
        self,
        rules: AnyRules,
        state: AnyMatch,
        head: int,
        genesis: bytes,
        events: EventLog,
        cache: FrameCache,
        recent: Sequence[SealedRecord] = (),
    ) -> None:
        """`genesis` is the hash before the first record; `recent` are the last records, if they are at hand."""
        self._rules, self._state, self._events, self._cache = rules, state, events, cache
        self.match: MatchId = state.id
        self.head = head
        self._genesis = genesis
        self._recent: deque[SealedRecord] = deque(recent, maxlen=RECENT_RECORD_LIMIT)
        self._subscribers: dict[Outbox, Subscription] = {}
        self._public_snapshot: bytes | None = None

    def __bool__(self) -> bool:
        """Is anybody subscribed?"""
        return bool(self._subscribers)

    def __contains__(self, outbox: Outbox) -> bool:
        return outbox in self._subscribers

    # ---------------------------------------------------------------- subscribers

    def subscribe(self, outbox: Outbox, subscription: Subscription) -> None:
        """From now on the outbox gets every new record. What came before, `send_history` or `snapshot` gives."""
        self._subscribers[outbox] = subscription
        self._push_options({outbox: subscription})

    def unsubscribe(self, outbox: Outbox) -> None:
        self._subscribers.pop(outbox, None)

    def close_all(self) -> None:
        """End the feed: every subscriber gets a notice to watch the match again."""
        for outbox in self._subscribers:
            self.notify_end(outbox)
        self._subscribers.clear()

    def close_spectators(self, state: AnyMatch) -> None:
        """End the feed for everybody who has no seat in this state of the match."""
        for outbox, subscription in tuple(self._subscribers.items()):
            if self._rules.seat_of(state, subscription.player) is None:
                self.unsubscribe(outbox)
                self.notify_end(outbox)

    def notify_end(self, outbox: Outbox) -> None:
        outbox.send_shared(share(Unwatched(self.match)))

    def viewer(self, player: PlayerId, reveal_secrets: bool) -> Viewer:
        """Return as whom a player sees the match now."""
        return ALL if reveal_secrets else self._rules.viewer_of(self._state, player)

    # ---------------------------------------------------------------- what is new

    def publish(self, record: SealedRecord, state: AnyMatch) -> None:
        """Every subscriber gets the record; `state` is the one after it."""
        has_new_seats = state.seats is not self._state.seats
        self._state, self.head, self._public_snapshot = state, record.seq, None
        self._recent.append(record)
        if has_new_seats:  # A player who takes a seat sees more from now on.
            for outbox, known in self._subscribers.items():
                viewer = self.viewer(known.player, known.viewer == ALL)
                self._subscribers[outbox] = replace(known, viewer=viewer)
        frames: dict[Viewer, SharedFrame] = {}
        for outbox, subscription in tuple(self._subscribers.items()):
            group = subscription.viewer if record.openings else PUBLIC
            frame = frames.get(group)
            if frame is None:
                frame = frames[group] = self._encode((record,), subscription.viewer)
            self._put(outbox, frame)
        self._push_options(dict(self._subscribers))

    def broadcast(self, frame: SharedFrame) -> None:
        """Every subscriber gets this frame, which is no record of the match."""
        for outbox in tuple(self._subscribers):
            self._put(outbox, frame)

    def _put(self, outbox: Outbox, frame: SharedFrame) -> None:
        if not outbox.send_shared(frame):
            self.unsubscribe(outbox)

    def _encode(self, records: Sequence[SealedRecord], viewer: Viewer) -> SharedFrame:
        return share(Records(self.match, tuple([record.shown_to(viewer) for record in records])))

    # ---------------------------------------------------------------- options

    def _push_options(self, subscribers: dict[Outbox, Subscription]) -> None:
        """Send the options of their own open decisions to those who want them."""
        frames: dict[tuple[str, bool], SharedFrame] = {}
        for outbox, subscription in subscribers.items():
            if not subscription.push_options or self._state.board is None:
                continue
            for decision in self._state.decisions:
                if decision.seat != subscription.viewer:
                    continue
                key = decision.id, subscription.include_unavailable
                if key not in frames:
                    frames[key] = self._options_frame(decision, subscription.include_unavailable)
                self._put(outbox, frames[key])

    def _options_frame(self, decision: Decision[Any], include_unavailable: bool) -> SharedFrame:
        try:
            options = encode_options(self._rules, self._state, decision, include_unavailable)
        except Exception as fault:
            # Options are a hint. Retiring the match would make its watchers reconnect for the same options for ever.
            extra = {"match": self.match, "decision": decision.id, **describe_fault(fault)}
            log.error("options not pushed: empty ones are sent", extra=extra)
            options = _JSON.encode(_NO_OPTIONS)
        return share(OptionsResponse("", self.match, decision.id, msgspec.Raw(options)))

    # ---------------------------------------------------------------- what was before

    def snapshot(self, viewer: Viewer) -> bytes:
        """Return the match after the last record as a viewer may see it, as JSON. The public one is kept."""
        if viewer != PUBLIC:
            return _JSON.encode(self._rules.view(self._state, viewer))
        if self._public_snapshot is None:
            self._public_snapshot = _JSON.encode(self._rules.view(self._state, PUBLIC))
        return self._public_snapshot

    async def read_range(self, outbox: Outbox, request: GetRecords) -> RecordRange:
        """Return some records as the viewer of the subscription. Raises StoreUnavailable."""
        subscription = self._subscribers.get(outbox)
        viewer = PUBLIC if subscription is None else subscription.viewer
        previous = await self.hash_at(request.after)
        last = min(request.after + request.limit, self.head)
        records = await self._records(request.after, last) if last > request.after else []
        shown = tuple([record.shown_to(viewer) for record in records])
        return RecordRange(request.id, self.match, request.after, previous.hex(), shown)

    async def send_history(self, outbox: Outbox, player: PlayerId, after: int, reveal_secrets: bool) -> None:
        """The records after `after`, in frames of many.

        Return at a moment at which nothing is missing: no record can come between that and `subscribe`.
        Raises OutboxClosed and StoreUnavailable.
        """
        seen = after
        while seen < self.head:
            await outbox.wait_writable()
            frame, seen = await self._history(seen, self.viewer(player, reveal_secrets))
            outbox.send_shared(frame)

    async def _history(self, after: int, viewer: Viewer) -> tuple[SharedFrame, int]:
        """A frame that goes on after a record, and the last record in it. Blocks begin at multiples of their size."""
        number, offset = divmod(after, BLOCK_RECORDS)
        end = (number + 1) * BLOCK_RECORDS
        key = self.match, number
        if offset or end > self.head:
            records = await self._records(after, min(end, self.head))
            return self._encode(records, viewer), records[-1].seq
        block = self._cache.get(key)
        if block is None or (block.is_secret and viewer != PUBLIC):
            records = await self._records(after, end)
            is_secret = any(record.openings for record in records)
            if is_secret and viewer != PUBLIC:
                return self._encode(records, viewer), end
            block = Block(self._encode(records, PUBLIC), is_secret)
            self._cache.put(key, block)
        return block.frame, end

    async def _records(self, after: int, last: int) -> list[SealedRecord]:
        """The records after one up to another. Raises StoreUnavailable."""
        if self._recent and self._recent[0].seq <= after + 1:
            return [record for record in self._recent if after < record.seq <= last]
        return [SealedRecord.of(record) for record in await self._events.read(self.match, after, last - after)]

    async def hash_at(self, seq: int) -> bytes:
        """Return the hash of the chain after a record, 0 being before the first. Raises StoreUnavailable."""
        if seq == 0:
            return self._genesis
        for record in self._recent:
            if record.seq == seq:
                return record.record.hash
        return (await self._events.read(self.match, seq - 1, 1))[0].hash


def encode_options(rules: AnyRules, state: AnyMatch, decision: Decision[Any], include_unavailable: bool) -> bytes:
    """Return the options of a decision as JSON, with what is unavailable if that is wanted."""
    if include_unavailable:
        return _JSON.encode(rules.options_with_unavailable(state, decision))
    return _JSON.encode(rules.options(state, decision))
