"""History of one match: its records as frames, from memory while they are recent and from the log otherwise."""

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence

from diskwars_engine.record_codec import SealedRecord
from diskwars_protocol.connection.connection import SharedFrame, share
from diskwars_protocol.match.ids import PUBLIC, MatchId, Viewer
from diskwars_protocol.messages.history import Openings, RecordOpenings, Records
from diskwars_protocol.records.records import Record, WireRecord
from diskwars_server.broadcast.frame_cache import Block, BlockKey, FrameCache
from diskwars_server.store.event_log import EventLog

RECENT_RECORD_LIMIT = 16
"""Records kept of a live match, so that a resume soon afterwards reads nothing.

They are kept as they are stored: their openings as values would take as much memory again.
"""
BLOCK_RECORDS = 64
"""Records in one frame of history."""
OPENINGS_BLOCK_RECORDS = 16
"""Records in one frame of openings: few, because a client on a line that is lost often keeps whole frames only."""


def show(record: SealedRecord, viewer: Viewer, vacated_in: int) -> WireRecord:
    """Return a record as one viewer sees it. Up to record `vacated_in`, the secrets of their seat are another's."""
    return record.shown_to(PUBLIC if vacated_in and viewer >= 0 and record.seq <= vacated_in else viewer)


class MatchHistory:
    """The records of a match up to `head`. Every method that reads raises StoreUnavailable."""

    def __init__(
        self,
        match: MatchId,
        head: int,
        head_hash: bytes,
        genesis: bytes,
        events: EventLog,
        cache: FrameCache,
        recent: Sequence[SealedRecord] = (),
    ) -> None:
        """`genesis` is the hash before the first record, `head_hash` that of the last.

        `recent` are the last records, if they are at hand.
        """
        self.match, self.head, self._head_hash, self._genesis = match, head, head_hash, genesis
        self._events, self._cache = events, cache
        self._openings_lock = asyncio.Lock()
        self._recent: deque[Record] = deque((sealed.record for sealed in recent), maxlen=RECENT_RECORD_LIMIT)

    @property
    def head_hash(self) -> bytes:
        """The hash of the chain after the last record."""
        return self._head_hash

    def append(self, record: SealedRecord, viewers: Iterable[Viewer]) -> dict[Viewer, SharedFrame]:
        """Add the next record. Return it as each of these viewers sees it, in a frame."""
        self.head, self._head_hash = record.record.seq, record.record.hash
        self._recent.append(record.record)
        return {viewer: self.encode((record,), viewer) for viewer in viewers}

    def forget_recent(self) -> None:
        """Read all records from the log from now on."""
        self._recent.clear()

    def encode(self, records: Sequence[SealedRecord], viewer: Viewer, vacated_in: int = 0) -> SharedFrame:
        """Return records as one viewer sees them, in one frame. `vacated_in` is that of `show`."""
        return share(Records(self.match, tuple([show(record, viewer, vacated_in) for record in records])))

    async def frame_after(
        self, after: int, viewer: Viewer, vacated_in: int = 0, last: int | None = None
    ) -> tuple[SharedFrame, int]:
        """Return a frame with the records that follow `after`, up to `last` if given, and the seq of its last one.

        `vacated_in` is that of `show`.
        Frames begin at multiples of `BLOCK_RECORDS`, so that those that the public sees can be shared by all who join.
        """
        number, offset = divmod(after, BLOCK_RECORDS)
        end = (number + 1) * BLOCK_RECORDS
        key: BlockKey = self.match, "records", number
        last = self.head if last is None else last
        if offset or end > last:
            records = await self.read(after, min(end, last))
            return self.encode(records, viewer, vacated_in), records[-1].seq
        block = self._cache.get(key)
        if block is None or (block.is_secret and viewer != PUBLIC):
            records = await self.read(after, end)
            is_secret = any(record.openings for record in records)
            if is_secret and viewer != PUBLIC:
                return self.encode(records, viewer, vacated_in), end
            block = Block(self.encode(records, PUBLIC), is_secret)
            self._cache.put(key, block)
        return block.frame, end

    def last_before_openings(self, after: int) -> int:
        """Return the record after which a client goes on that has the openings of the records up to `after`.

        It is the end of a block, so some come twice; a message always follows, because the last says that it is.
        """
        last = min(after, self.head - 1)
        return max(0, last - last % OPENINGS_BLOCK_RECORDS)

    async def openings_after(self, after: int) -> tuple[SharedFrame, int]:
        """Return a frame with the openings of the records that follow `after`, and the last of these records.

        Only for a match whose secrets may be revealed. All who watch ask for the same frames at the same moment: one
        reads, and the others find them in the cache.
        """
        number = after // OPENINGS_BLOCK_RECORDS
        key: BlockKey = self.match, "openings", number
        end = min((number + 1) * OPENINGS_BLOCK_RECORDS, self.head)
        async with self._openings_lock:
            block = self._cache.get(key)
            if block is None:
                records = await self.read(after, end)
                opened = tuple([RecordOpenings(record.seq, record.openings) for record in records if record.openings])
                block = Block(share(Openings(self.match, opened, end == self.head)), False)
                self._cache.put(key, block)
        return block.frame, end

    async def read(self, after: int, last: int) -> list[SealedRecord]:
        """Return the records after one seq up to another."""
        if self._recent and self._recent[0].seq <= after + 1:
            records = [record for record in self._recent if after < record.seq <= last]
        else:
            records = await self._events.read(self.match, after, last - after)
        return [SealedRecord.of(record) for record in records]

    async def hash_at(self, seq: int) -> bytes:
        """Return the hash of the chain after a record, 0 being before the first."""
        if seq == 0:
            return self._genesis
        if seq == self.head:  # the usual resume: nothing is read for it
            return self._head_hash
        for record in self._recent:
            if record.seq == seq:
                return record.hash
        return (await self._events.read(self.match, seq - 1, 1))[0].hash
