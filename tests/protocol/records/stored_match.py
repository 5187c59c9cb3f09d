"""Small matches with sealed values, and those of the vectors, for tests of stores and files."""

import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path as FilePath

import msgspec

from diskwars_protocol.records import records as r
from diskwars_protocol.records.canonical import (
    JsonPath,
    encode_canonical,
)
from diskwars_protocol.records.match_file import read_file, write_file
from diskwars_protocol.records.records import FORMAT, MatchHeader, Record, openings_of
from diskwars_protocol.records.sealed import Opening, seal

VECTORS = FilePath(__file__).parents[2] / "vectors"
HEADER = MatchHeader(format=FORMAT, match="m1", ruleset="diskwars")


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
    about: str
    header: str
    genesis: str
    records: tuple[Row, ...]
    head: str
    files: tuple[FileVector, ...]


def sequential_salts() -> Callable[[], bytes]:
    numbers: Iterator[int] = iter(range(2**32))
    return lambda: hashlib.sha256(str(next(numbers)).encode()).digest()[:16]


def stored_match(count: int = 6) -> list[Record]:
    """Return a small match with sealed fields in every third record."""
    salts, hash_, rows = sequential_salts(), r.genesis_hash(encode_canonical(HEADER)), []
    for seq in range(1, count + 1):
        end = {"result": {"winners": [1]}} if seq == count else {}
        said = {"at_ms": seq, "card": f"card-{seq}", "hand": [seq, "é\u2028💀"], "n": -10 * seq}
        full = encode_canonical(said | end)
        paths: list[JsonPath] = [("card",), ("hand", 1)] if seq % 3 == 0 else []
        body, openings = seal(full, paths, salts)
        secret, salt = encode_canonical(openings) if openings else None, salts()
        hash_ = r.next_hash(hash_, r.leaf_hash(salt, body))
        rows.append(Record(seq, 1000 + seq, "p1", f"c{seq}", 1, body, secret, salt, hash_))
    return rows


def match_file_of(rows: list[Record], show: Callable[[Record], tuple[Opening, ...]] = openings_of) -> bytes:
    return b"".join(write_file(HEADER, rows, show))


# ---------------------------------------------------------------- the vectors

ABOUT = (
    "A match of four records: each body in full, the paths sealed in it, its public body, its openings, its leaf and "
    "the hash after it; and the same match as a file, with every secret opened, with none, with some, and cut."
)
BODIES_SQL: tuple[tuple[object, tuple[JsonPath, ...]], ...] = (
    ({"at_ms": 1732190000000, "events": [{"type": "match_opened", "match": "m1", "seat_count": 2}]}, ()),
    (
        {
            "at_ms": 1732190001000,
            "seat": 0,
            "action": {"type": "lock_card", "card": "rally"},
            "events": [{"type": "card_locked", "draws": [4, 0, {"x": -1}], "power": 3, "text": "\u2028 déjà 💀"}],
        },
        (("action", "card"), ("events", 0, "draws"), ("events", 0, "power")),
    ),
    (
        {
            "at_ms": 1732190002000,
            "events": [{"type": "hinted", "hint": "x"}, {"type": "dealt", "hands": [["a", "b"], ["c"]]}],
        },
        (("events", 0), ("events", 1, "hands", 0), ("events", 1, "hands", 1, 0)),
    ),
    ({"at_ms": 1732190003000, "result": {"winners": [1], "end_reason": "points"}}, ()),
)


def vectors() -> StoredMatch:
    """The content of the file of vectors."""
    salts, genesis = sequential_salts(), r.genesis_hash(encode_canonical(HEADER))
    rows, stored, hash_ = [], [], genesis
    for seq, (value, paths) in enumerate(BODIES_SQL, 1):
        full = encode_canonical(value)
        body, openings = seal(full, paths, salts)
        openings = tuple(msgspec.structs.replace(opening, seats=(0,)) for opening in openings)
        salt = salts()
        leaf = r.leaf_hash(salt, body)
        hash_ = r.next_hash(hash_, leaf)
        stored_openings = encode_canonical(openings)
        rows.append(
            Row(full.decode(), paths, body.decode(), stored_openings.decode(), salt.hex(), leaf.hex(), hash_.hex())
        )
        secret = stored_openings if openings else None
        stored.append(Record(seq, 1000 + seq, "p1", f"c{seq}", 1, body, secret, salt, hash_))
    return StoredMatch(
        ABOUT, encode_canonical(HEADER).decode(), genesis.hex(), tuple(rows), hash_.hex(), tuple(_list_files(stored))
    )


def _list_files(rows: list[Record]) -> Iterator[FileVector]:
    opened = match_file_of(rows)
    cut = opened[: opened.rindex(b'{"seq":4')]
    for name, raw in (
        ("opened", opened),
        ("sealed", match_file_of(rows, lambda row: ())),
        ("cut between lines", cut),
        ("cut inside a line", opened[:-20]),
        ("mixed_action", match_file_of(rows, lambda row: openings_of(row)[:2])),
    ):
        read = read_file(raw)
        yield FileVector(name, raw.decode(), read.sealed, read.unfinished_at)


def written_vectors() -> str:
    return msgspec.json.format(msgspec.json.encode(vectors()), indent=1).decode() + "\n"


FILE = VECTORS / "records.json"
if os.environ.get("DISKWARS_GOLDEN"):
    FILE.write_text(written_vectors(), "utf-8")
MATCH = msgspec.json.decode(FILE.read_bytes(), type=StoredMatch)
