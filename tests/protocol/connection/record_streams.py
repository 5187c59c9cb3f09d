"""Logs with secrets and a valid hash chain, for tests of the connection."""

from itertools import count

from msgspec import Raw

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.history import Records
from diskwars_protocol.messages.watching import Watching
from diskwars_protocol.records import records as r
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.sealed import seal


class RecordStream:
    """One growing match, some records to a frame, told to a viewer from whom some things are hidden."""

    def __init__(self, match: str) -> None:
        self.match = MatchId(match)
        self.header = encode_canonical(r.MatchHeader(format=r.FORMAT, match=match, ruleset="diskwars"))
        self.hashes = [r.genesis_hash(self.header)]
        self.wire_records: list[r.WireRecord] = []
        self.revealed_records: list[r.WireRecord] = []
        self.ends: list[int] = []
        self._salts = (number.to_bytes(16, "big") for number in count(1))

    @property
    def head(self) -> int:
        return len(self.wire_records)

    def append(self, records: int, word: str = "fact") -> tuple[int, int]:
        """Some more records. Of each three one is open, one has a sealed field, one has two."""
        first = self.head + 1
        for seq in range(first, first + records):
            self._record(seq, word)
        self.ends.append(self.head)
        return first, self.head

    def _record(self, seq: int, word: str) -> None:
        full = encode_canonical({"type": word, "n": seq, "card": f"secret {seq}", "link": "ab"})
        body, openings = seal(full, [("card",), ("link",)], lambda: next(self._salts))
        salt = next(self._salts)
        hash_after = r.next_hash(self.hashes[-1], r.leaf_hash(salt, body))
        record = r.Record(seq, 0, "", f"c{seq}", 1, body, encode_canonical(openings), salt, hash_after)
        self.hashes.append(hash_after)
        self.revealed_records.append(r.to_wire(record, openings))
        self.wire_records.append(
            (r.to_wire(record, openings), r.to_wire(record, openings[:1]), r.to_wire(record))[seq % 3]
        )

    def watching(self, after: int = 0, id: str | None = None, all: bool = False) -> Watching:
        hash_after = self.hashes[after].hex()
        return Watching(
            self.match, "diskwars", after, self.head, Raw(self.header), hash_after, id=id, reveal_secrets=all
        )

    def frames(self, after: int = 0, all: bool = False) -> list[Records]:
        """The records after one, in frames as they were made."""
        records = self.revealed_records if all else self.wire_records
        frames = []
        for begin, end in zip([0, *self.ends], self.ends, strict=False):
            start = max(begin, after)
            if start < end:
                frames.append(Records(self.match, tuple(records[start:end])))
        return frames


def make_stream(*appends: int, match: str = "m1") -> RecordStream:
    """Return a log with frames of these sizes."""
    log = RecordStream(match)
    for records in appends:
        log.append(records)
    return log
