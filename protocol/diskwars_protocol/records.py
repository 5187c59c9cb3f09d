"""Records of one match and the hash chain over them, as stored and as one viewer receives them."""

import hashlib
import re
from collections.abc import Iterable

import msgspec

from diskwars_protocol.canonical import JsonPath
from diskwars_protocol.sealed import BadOpening, Opening, unseal

FORMAT = 1


class RecordError(Exception):
    """Root of everything this module refuses."""


class BadRecord(RecordError):
    """The first record that is wrong, and why."""

    def __init__(self, seq: int, why: str) -> None:
        super().__init__(f"record {seq}: {why}" if seq else f"header: {why}")
        self.seq = seq
        self.problem = why


_SALT_PATTERN = re.compile(r"[0-9a-f]{32}")
_HASH_PATTERN = re.compile(r"[0-9a-f]{64}")
_NO_BODY = msgspec.Raw()


class MatchHeader(msgspec.Struct, frozen=True, gc=False, kw_only=True, tag="diskwars-match"):
    """The first line of a match file; the chain starts from its bytes."""

    format: int = FORMAT
    match: str
    ruleset: str


class Record(msgspec.Struct, frozen=True, gc=False):
    """One stored row. Only salt, body, secret and hash are covered by the chain; `at` is in milliseconds.

    `secret` is the canonical JSON array of the body's openings; `salt` has 16 bytes, `hash` 32.
    """

    seq: int
    kind: str
    actor: str
    command_id: str
    part: int
    body: bytes
    secret: bytes | None
    salt: bytes
    hash: bytes
    rules: str
    at: int


class WireRecord(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A record as one viewer receives it: salt, body and permitted openings; or a shell, which has its leaf only.

    A line of a match file is the same with the hash of the chain after it.
    """

    seq: int
    salt: str = ""
    body: msgspec.Raw = _NO_BODY
    openings: tuple[Opening, ...] = ()
    leaf: str = ""
    hash: str = ""


_OPENINGS_DECODER = msgspec.json.Decoder(tuple[Opening, ...])


def leaf_hash(salt: bytes, body: bytes) -> bytes:
    """SHA-256(record salt | body)."""
    return hashlib.sha256(salt + body).digest()


def next_hash(previous: bytes, leaf: bytes) -> bytes:
    """SHA-256(previous | leaf): the hash after one more record."""
    return hashlib.sha256(previous + leaf).digest()


def chain_hashes(previous: bytes, records: Iterable[Record]) -> list[bytes]:
    """Return the hash of the chain after each of these records: `chain` and `leaf` over a whole log."""
    sha256 = hashlib.sha256
    return [previous := sha256(previous + sha256(record.salt + record.body).digest()).digest() for record in records]


def genesis_hash(header: bytes) -> bytes:
    """SHA-256 of the canonical header: the hash before the first record."""
    return hashlib.sha256(header).digest()


def openings_of(record: Record) -> tuple[Opening, ...]:
    """Return every secret of a stored record."""
    return () if record.secret is None else _OPENINGS_DECODER.decode(record.secret)


def openings_except(openings: Iterable[Opening], hidden: Iterable[JsonPath]) -> tuple[Opening, ...]:
    """Return the openings that are left for a viewer from whom these paths are hidden."""
    kept_back = set(hidden)
    return tuple(opening for opening in openings if opening.path not in kept_back)


def to_wire(record: Record, shown: tuple[Opening, ...] = ()) -> WireRecord:
    """Return the record for a viewer who may see its body, and of its secrets only `shown`."""
    return WireRecord(record.seq, salt=record.salt.hex(), body=msgspec.Raw(record.body), openings=shown)


def to_shell(record: Record) -> WireRecord:
    """Return the record for a viewer who may know nothing but that it is there."""
    return WireRecord(record.seq, leaf=leaf_hash(record.salt, record.body).hex())


def is_shell(wire: WireRecord) -> bool:
    return not wire.salt


def wire_leaf_hash(wire: WireRecord) -> bytes:
    """Return the leaf that this record puts into the chain. Raises BadRecord when it is neither whole nor a shell."""
    body = bytes(wire.body)
    if _SALT_PATTERN.fullmatch(wire.salt) and body and not wire.leaf:
        return leaf_hash(bytes.fromhex(wire.salt), body)
    if _HASH_PATTERN.fullmatch(wire.leaf) and not (wire.salt or body or wire.openings):
        return bytes.fromhex(wire.leaf)
    raise BadRecord(wire.seq, "neither a salt with a body nor a leaf alone")


def unsealed_body(wire: WireRecord) -> bytes | None:
    """Return the body with the openings put back, each checked; None for a shell. Raises BadRecord."""
    if is_shell(wire):
        return None
    try:
        return unseal(bytes(wire.body), wire.openings)
    except BadOpening as fault:
        raise BadRecord(wire.seq, f"opening at {fault}") from None


def check_wire_record(wire: WireRecord, previous: bytes) -> bytes:
    """Return the hash of the chain after this record; where the record carries a hash, it has to be that one."""
    after = next_hash(previous, wire_leaf_hash(wire))
    if wire.hash and wire.hash != after.hex():
        before = "record before" if wire.seq > 1 else "header"
        raise BadRecord(wire.seq, f"its hash does not follow from the {before} and its own content")
    return after
