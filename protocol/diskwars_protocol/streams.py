"""What has a client heard of each match it watches, and is that one unbroken chain?

Checks numbers, leaves, openings and hashes of records as they come. Must not know sockets, rules, or what records mean.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec import Struct

from diskwars_protocol import records as r
from diskwars_protocol.canonical import NotCanonical, check_canonical
from diskwars_protocol.match import MatchId
from diskwars_protocol.messages import Records, Resume, Watching


class StreamBroken(Exception):
    """What came is not the continuation of what was heard. `word` is one of `messages.CLOSES`."""

    def __init__(self, word: Literal["protocol", "gap", "bad_record"], match: MatchId, text: str) -> None:
        super().__init__(f"match {match}: {text}")
        self.word = word
        self.text = f"match {match}: {text}"


class Head(Struct, frozen=True, gc=False):
    """How far a match is known: the seq of a record and the hash of the chain after it (64 hex digits)."""

    seq: int
    hash: str


class Facts(Struct, frozen=True, gc=False):
    """Records `first` to `last` of a match, checked. A body is whole JSON, its openings put back; None for a shell.

    `head` is where the match stands after them.
    """

    match: MatchId
    first: int
    last: int
    bodies: tuple[bytes | None, ...]
    head: Head


class _Stream(Struct, frozen=True, gc=False):
    """A match that is watched: its header, how far it was heard, and whether every secret was asked for."""

    header: bytes
    head: Head
    all: bool


_HEADER = msgspec.json.Decoder(r.Header)


class Streams:
    """All matches that one client watches. `heads` are those of an earlier life, which have to lie in what comes."""

    def __init__(self, heads: Mapping[MatchId, Head]) -> None:
        self._furthest = dict(heads)
        self._watched: dict[MatchId, _Stream] = {}
        self._due: dict[MatchId, Resume] = {}

    @property
    def watched(self) -> tuple[MatchId, ...]:
        return tuple(self._watched)

    def furthest(self, match: MatchId) -> Head | None:
        """The furthest that was ever heard of a match."""
        return self._furthest.get(match)

    def heard(self, match: MatchId) -> int | None:
        """The last record of the stream of a watched match; None for another match."""
        stream = self._watched.get(match)
        return None if stream is None else stream.head.seq

    def expect(self, match: MatchId) -> None:
        """The stream of this match will begin without having been asked for by a `Watch`."""
        self._due[match] = Resume(match, 0)

    def resumes(self) -> tuple[Resume, ...]:
        """What to ask for on a new socket: each of these is expected from now on."""
        for match, stream in self._watched.items():
            self._due[match] = Resume(match, stream.head.seq, stream.all)
        return tuple(self._due.values())

    def due(self, match: MatchId) -> Resume | None:
        """What is expected of a match, if anything."""
        return self._due.get(match)

    def begin(self, watching: Watching, asked: Resume) -> None:
        """A stream begins, or begins anew. Raises StreamBroken when it is not the one asked for."""
        match, head = watching.match, Head(watching.after, watching.hash)
        if (watching.after, watching.all) != (asked.after, asked.all):
            text = f"asked for after {asked.after} (all={asked.all}), given after {watching.after} (all={watching.all})"
            raise StreamBroken("protocol", match, text)
        if watching.head < watching.after:
            raise StreamBroken("protocol", match, f"it ends at {watching.head}, before {watching.after}")
        header = self._header(watching)
        if head.seq == 0 and head.hash != r.genesis(header).hex():
            raise StreamBroken("bad_record", match, "the chain does not begin with the header")
        self._furthest[match] = _further(match, head, self._furthest.get(match))
        self._watched[match] = _Stream(header, head, watching.all)
        if not watching.id:
            self._due.pop(match, None)

    def end(self, match: MatchId) -> None:
        """No more records follow, and none are expected."""
        self._due.pop(match, None)
        self._watched.pop(match, None)

    def go_on(self, told: Records) -> Facts:
        """The next records of a stream. Raises StreamBroken; then nothing of them counts."""
        stream = self._watched.get(told.match)
        if stream is None:
            raise StreamBroken("protocol", told.match, "it is not watched")
        expected = _numbers(told, stream.head.seq)
        bodies: list[bytes | None] = []
        head, furthest = stream.head, self._furthest.get(told.match)
        for seq, record in zip(expected, told.records, strict=True):
            if record.seq != seq:
                raise StreamBroken("gap", told.match, f"record {record.seq} stands in the place of {seq}")
            head, body = _opened(told.match, record, head)
            furthest = _further(told.match, head, furthest)
            bodies.append(body)
        self._watched[told.match] = msgspec.structs.replace(stream, head=head)
        self._furthest[told.match] = furthest or head
        return Facts(told.match, told.first, told.last, tuple(bodies), head)

    def _header(self, watching: Watching) -> bytes:
        raw = bytes(watching.header)
        try:
            check_canonical(raw)
            header = _HEADER.decode(raw)
        except (NotCanonical, msgspec.ValidationError) as fault:
            raise StreamBroken("bad_record", watching.match, f"the header: {fault}") from None
        before = self._watched.get(watching.match)
        if header.match != watching.match or header.ruleset != watching.ruleset:
            raise StreamBroken("bad_record", watching.match, "the header is another match's")
        if before is not None and before.header != raw:
            raise StreamBroken("bad_record", watching.match, "it has another header than before")
        return raw


def _numbers(told: Records, heard: int) -> range:
    """The numbers that these records have to have."""
    expected = range(heard + 1, heard + 1 + len(told.records))
    if not expected or (told.first, told.last) != (expected[0], expected[-1]):
        text = f"{len(told.records)} records called {told.first} to {told.last} came after record {heard}"
        raise StreamBroken("gap", told.match, text)
    return expected


def _opened(match: MatchId, record: r.WireRecord, before: Head) -> tuple[Head, bytes | None]:
    """Where the match stands after a record, and the record's whole body."""
    try:
        after = r.check(record, bytes.fromhex(before.hash))
        if not r.is_shell(record):
            check_canonical(bytes(record.body))
        return Head(record.seq, after.hex()), r.full_body(record)
    except (r.RecordError, NotCanonical) as fault:
        raise StreamBroken("bad_record", match, str(fault)) from None


def _further(match: MatchId, head: Head, furthest: Head | None) -> Head:
    """The further of the two. Raises StreamBroken when they contradict each other."""
    if furthest is None or head.seq > furthest.seq:
        return head
    if head.seq == furthest.seq and head.hash != furthest.hash:
        raise StreamBroken("bad_record", match, f"it was rewritten: record {head.seq} has another hash than before")
    return furthest
