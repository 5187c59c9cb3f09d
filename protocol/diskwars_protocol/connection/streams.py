"""The records that a client has received of each match, checked for gaps, openings and hashes as they arrive."""

from collections.abc import Collection, Mapping
from typing import Literal

import msgspec
from msgspec import Struct

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.closing import CloseReason
from diskwars_protocol.messages.handshake import ResumeRequest
from diskwars_protocol.messages.history import Openings, RecordRange, Records
from diskwars_protocol.messages.watching import Watching
from diskwars_protocol.records import records as r
from diskwars_protocol.records.canonical import NotCanonical, check_canonical


class StreamError(Exception):
    """The received records do not continue the stream."""

    def __init__(self, word: Literal["protocol", "gap", "bad_record"], match: MatchId, text: str) -> None:
        super().__init__(f"match {match}: {text}")
        self.close_reason: CloseReason = word
        self.text = f"match {match}: {text}"


class Head(Struct, frozen=True, gc=False):
    """The known end of a match: the seq of a record and the hash of the chain after it (64 hex digits)."""

    seq: int
    hash: str


class VerifiedRecords(Struct, frozen=True, gc=False):
    """Records of a match from `first` on, checked. A body is whole JSON, its openings put back.

    `heads` is the head of the match after each of them. `received` are the records themselves.
    """

    match: MatchId
    first: int
    bodies: tuple[bytes, ...]
    heads: tuple[Head, ...]
    received: tuple[r.WireRecord, ...]

    @property
    def head(self) -> Head:
        """Return the head after the last of them."""
        return self.heads[-1]


class VerifiedRange(Struct, frozen=True, gc=False):
    """A range of records that follows on `before`, each of which follows from the one before it.

    Whether it is a part of the match is for the client to see: its last head has to be one that it knows.
    """

    id: str
    before: Head
    records: VerifiedRecords

    @property
    def last(self) -> Head:
        """Return the head after the range."""
        return self.records.heads[-1] if self.records.heads else self.before


class _WatchedStream(Struct, frozen=True, gc=False):
    """A watched match: its header, its head, how it was requested, and the last record whose openings were pushed."""

    header: bytes
    head: Head
    request: ResumeRequest
    opened_seq: int = 0


MAX_LEFT_HEADS = 1024
"""Matches that are watched no more of which the furthest head is kept; a client that needs older ones stores them."""

_HEADER_DECODER = msgspec.json.Decoder(r.MatchHeader)


class WatchedStreams:
    """All matches that one client watches. `heads` are those of an earlier life, which have to lie in what comes."""

    def __init__(self, heads: Mapping[MatchId, Head]) -> None:
        self._furthest_heads = dict(heads)
        self._left: dict[MatchId, None] = {}
        self._streams: dict[MatchId, _WatchedStream] = {}
        self._expected: dict[MatchId, ResumeRequest] = {}

    @property
    def watched(self) -> tuple[MatchId, ...]:
        return tuple(self._streams)

    def furthest_head(self, match: MatchId) -> Head | None:
        """Return the furthest head received of a match."""
        return self._furthest_heads.get(match)

    def last_seq(self, match: MatchId) -> int | None:
        """Return the last record of the stream of a watched match; None for another match."""
        stream = self._streams.get(match)
        return None if stream is None else stream.head.seq

    def expect_stream(self, request: ResumeRequest) -> None:
        """The stream of this match will begin without a `Watch`."""
        self._expected[request.match] = request

    def is_pushing(self, match: MatchId) -> bool:
        """Return whether the options of a match are pushed."""
        stream = self._streams.get(match)
        return stream is not None and stream.request.push_options

    def resume_requests(self, snapshots: Collection[MatchId] = ()) -> tuple[ResumeRequest, ...]:
        """Return the resume requests of a new socket; the answer to each is expected from now on.

        The matches of `snapshots` come as they are then, without the records missed.
        """
        for match, stream in self._streams.items():
            takes_snapshot = match in snapshots
            after = 0 if takes_snapshot else stream.head.seq
            opened_seq = 0 if takes_snapshot else max(stream.opened_seq, stream.request.openings_after)
            self._expected[match] = msgspec.structs.replace(
                stream.request, after=after, snapshot=takes_snapshot, openings_after=opened_seq
            )
        return tuple(self._expected.values())

    def expected_resume(self, match: MatchId) -> ResumeRequest | None:
        """Return the resume request of a match that waits for its answer, or None."""
        return self._expected.get(match)

    def begin_stream(self, watching: Watching, request: ResumeRequest, from_snapshot: bool = False) -> None:
        """Begin a stream, or restart it. Raises StreamError when it is not the requested one.

        `from_snapshot`: the match is to come as it is now, with the records after that.
        """
        match, head = watching.match, Head(watching.after, watching.hash)
        if from_snapshot != bool(watching.snapshot) or (from_snapshot and watching.after != watching.head):
            raise StreamError("protocol", match, f"snapshot={from_snapshot} was requested and not given")
        if from_snapshot:
            # a later resume continues after the snapshot; only the server knew which record that is
            request = msgspec.structs.replace(request, after=watching.after, snapshot=False)
        if (watching.after, watching.reveal_secrets) != (request.after, request.reveal_secrets):
            text = (
                f"asked for after {request.after} (reveal_secrets={request.reveal_secrets}), "
                f"given after {watching.after} (reveal_secrets={watching.reveal_secrets})"
            )
            raise StreamError("protocol", match, text)
        if watching.head < watching.after:
            raise StreamError("protocol", match, f"it ends at {watching.head}, before {watching.after}")
        header = self._check_header(watching)
        if head.seq == 0 and head.hash != r.genesis_hash(header).hex():
            raise StreamError("bad_record", match, "the chain does not begin with the header")
        self._furthest_heads[match] = _later_head(match, head, self._furthest_heads.get(match))
        self._streams[match] = _WatchedStream(header, head, request)
        self._left.pop(match, None)
        if watching.id is None:
            self._expected.pop(match, None)

    def end_stream(self, match: MatchId) -> None:
        """No more records follow, and none are expected."""
        self._expected.pop(match, None)
        if self._streams.pop(match, None) is not None:
            self._left[match] = None
        if len(self._left) > MAX_LEFT_HEADS:
            oldest = next(iter(self._left))
            del self._left[oldest], self._furthest_heads[oldest]

    def check_range(self, given: RecordRange) -> VerifiedRange:
        """Return a range of records, each checked against the one before it. Raises StreamError."""
        before = head = Head(given.after, given.hash)
        bodies: list[bytes] = []
        heads: list[Head] = []
        for seq, record in enumerate(given.records, given.after + 1):
            if record.seq != seq:
                raise StreamError("gap", given.match, f"record {record.seq} arrived in the place of {seq}")
            head, body = _verify_record(given.match, record, head)
            bodies.append(body)
            heads.append(head)
        records = VerifiedRecords(given.match, given.after + 1, tuple(bodies), tuple(heads), given.records)
        return VerifiedRange(given.id, before, records)

    def append_records(self, message: Records) -> VerifiedRecords:
        """Return the next records of a stream. Raises StreamError; then nothing of them counts."""
        stream = self._streams.get(message.match)
        if stream is None:
            raise StreamError("protocol", message.match, "it is not watched")
        expected = _check_numbers(message, stream.head.seq)
        bodies: list[bytes] = []
        heads: list[Head] = []
        head, furthest = stream.head, self._furthest_heads.get(message.match)
        for seq, record in zip(expected, message.records, strict=True):
            if record.seq != seq:
                raise StreamError("gap", message.match, f"record {record.seq} arrived in the place of {seq}")
            head, body = _verify_record(message.match, record, head)
            furthest = _later_head(message.match, head, furthest)
            bodies.append(body)
            heads.append(head)
        # Only now, when every record of the message is verified: after an error none of them counts.
        self._streams[message.match] = msgspec.structs.replace(stream, head=head)
        self._furthest_heads[message.match] = furthest or head
        return VerifiedRecords(message.match, heads[0].seq, tuple(bodies), tuple(heads), message.records)

    def accept_openings(self, message: Openings) -> None:
        """Check that openings were asked for, and are about later records than those before. Raises StreamError.

        A client that keeps the records checks that the openings fit.
        """
        stream = self._streams.get(message.match)
        if stream is None or not stream.request.push_openings:
            raise StreamError("protocol", message.match, "its openings were not to be pushed")
        seq = stream.opened_seq
        for opened in message.records:
            if not seq < opened.seq <= stream.head.seq:
                raise StreamError("protocol", message.match, f"openings of record {opened.seq} came after {seq}")
            seq = opened.seq
        request = stream.request
        if message.complete:  # A later resume needs them no more.
            request = msgspec.structs.replace(request, push_openings=False)
        self._streams[message.match] = msgspec.structs.replace(stream, request=request, opened_seq=seq)

    def _check_header(self, watching: Watching) -> bytes:
        raw = bytes(watching.header)
        try:
            check_canonical(raw)
            header = _HEADER_DECODER.decode(raw)
        except (NotCanonical, msgspec.ValidationError) as fault:
            raise StreamError("bad_record", watching.match, f"the header: {fault}") from None
        # The chain starts from the bytes of the header, so another header is another match under the same id.
        before = self._streams.get(watching.match)
        if header.match != watching.match or header.ruleset != watching.ruleset:
            raise StreamError("bad_record", watching.match, "the header is another match's")
        if before is not None and before.header != raw:
            raise StreamError("bad_record", watching.match, "it has another header than before")
        return raw


def _check_numbers(message: Records, last_seq: int) -> range:
    """Return the numbers that these records have to have."""
    if not message.records:
        raise StreamError("gap", message.match, f"no record came after record {last_seq}")
    return range(last_seq + 1, last_seq + 1 + len(message.records))


def _verify_record(match: MatchId, record: r.WireRecord, before: Head) -> tuple[Head, bytes]:
    """Return the head after a record, and the record's whole body."""
    try:
        after = r.check_wire_record(record, bytes.fromhex(before.hash))
        check_canonical(bytes(record.body))
        return Head(record.seq, after.hex()), r.unsealed_body(record)
    except (r.RecordError, NotCanonical) as fault:
        raise StreamError("bad_record", match, str(fault)) from None


def _later_head(match: MatchId, head: Head, furthest: Head | None) -> Head:
    """Return the further of the two. Raises StreamError when they contradict each other."""
    if furthest is None or head.seq > furthest.seq:
        return head
    if head.seq == furthest.seq and head.hash != furthest.hash:
        raise StreamError("bad_record", match, f"it was rewritten: record {head.seq} has another hash than before")
    return furthest
