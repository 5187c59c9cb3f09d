"""Small matches with sealed values, and those of the vectors, for tests of stores and files."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path as FilePath

import msgspec

from diskwars_protocol import records
from diskwars_protocol.canonical import (
    JsonPath,
    encode_canonical,
)
from diskwars_protocol.match_file import write_file
from diskwars_protocol.records import MatchHeader, Record, openings_of
from diskwars_protocol.sealed import Opening, seal

VECTORS = FilePath(__file__).parents[1] / "vectors"
HEADER = MatchHeader(match="m1", ruleset="diskwars")


class Row(msgspec.Struct, frozen=True):
    full: str
    paths: tuple[JsonPath, ...]
    body: str
    openings: str
    salt: str
    leaf: str
    hash: str


class FileVector(msgspec.Struct, frozen=True):
    name: str
    text: str
    sealed: int
    unfinished_at: int | None


class StoredMatch(msgspec.Struct, frozen=True):
    header: str
    genesis: str
    records: tuple[Row, ...]
    head: str
    files: tuple[FileVector, ...]


MATCH = msgspec.json.decode((VECTORS / "records.json").read_bytes(), type=StoredMatch)


def sequential_salts() -> Callable[[], bytes]:
    numbers: Iterator[int] = iter(range(2**32))
    return lambda: hashlib.sha256(str(next(numbers)).encode()).digest()[:16]


def stored_match(count: int = 6) -> list[Record]:
    """Return a small match with sealed fields in every third record."""
    salts, hash_, rows = sequential_salts(), records.genesis_hash(encode_canonical(HEADER)), []
    for seq in range(1, count + 1):
        kind = "match_ended" if seq == count else "match_opened" if seq == 1 else "card_locked"
        full = encode_canonical({"type": kind, "card": f"card-{seq}", "hand": [seq, "é\u2028💀"], "n": -10 * seq})
        paths: list[JsonPath] = [("card",), ("hand", 1)] if seq % 3 == 0 else []
        body, openings = seal(full, paths, salts)
        secret, salt = encode_canonical(openings) if openings else None, salts()
        hash_ = records.next_hash(hash_, records.leaf_hash(salt, body))
        rows.append(Record(seq, kind, "p1", f"c{seq}", 0, body, secret, salt, hash_, "1", 1000 + seq))
    return rows


def match_file_of(rows: list[Record], show: Callable[[Record], tuple[Opening, ...] | None] = openings_of) -> bytes:
    return b"".join(write_file(HEADER, rows, show))
