"""Records of one match and the hash chain over them, as stored and as one viewer receives them."""

import hashlib
import re
from collections.abc import Iterable
from typing import Annotated

import msgspec

from diskwars_protocol.records.sealed import BadOpening, Opening, unseal
from diskwars_protocol.schema_types import OPAQUE_ID_PATTERN, AtLeastOne, Hex32, Hex64, RulesetName

FORMAT = 1


class RecordError(Exception):
    """Base class of the errors about records and match files."""


class BadRecord(RecordError):
    """Error for the first wrong record, with its number and the problem; number 0 is the header."""

    def __init__(self, seq: int, why: str) -> None:
        super().__init__(f"record {seq}: {why}" if seq else f"header: {why}")
        self.seq = seq
        self.problem = why


_SALT_PATTERN = re.compile(r"[0-9a-f]{32}")


class MatchHeader(msgspec.Struct, frozen=True, gc=False, kw_only=True, tag="diskwars-match"):
    """The first line of a match file. The hash chain starts from its bytes; a reader passes over later fields."""

    format: AtLeastOne
    match: Annotated[str, msgspec.Meta(extra_json_schema={"pattern": OPAQUE_ID_PATTERN})]
    ruleset: RulesetName


class Record(msgspec.Struct, frozen=True, gc=False):
    """One stored row: one action with everything that followed from it. The hash chain covers only salt and body.

    `rules_version` is that of the rules that decided it. `body` is the canonical JSON of a `RecordBody`; `secret` is
    the JSON array of the body's openings, None if nothing is hidden; `salt` has 16 bytes, `hash` 32.
    """

    seq: int
    at_ms: int
    actor: str
    command_id: str
    rules_version: int
    body: bytes
    secret: bytes | None
    salt: bytes
    hash: bytes

    @property
    def size(self) -> int:
        """The number of bytes that it holds beside ids, salt and hash."""
        return len(self.body) + len(self.secret or b"")


class WireRecord(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A record as one viewer receives it: salt (32 hex digits), body and permitted openings.

    In a match file, `hash` is the hash of the chain after the record; on the wire it is absent. A field that is
    added to lines of a match file, or to openings, raises `FORMAT`: no hash covers it.
    """

    seq: AtLeastOne
    salt: Hex32
    body: Annotated[msgspec.Raw, msgspec.Meta(extra={"content": "RecordBody"})]
    openings: tuple[Opening, ...] = ()
    hash: Hex64 | None = None


_OPENINGS_DECODER = msgspec.json.Decoder(tuple[Opening, ...])


def leaf_hash(salt: bytes, body: bytes) -> bytes:
    """Compute the leaf of a record: SHA-256(record salt | body)."""
    return hashlib.sha256(salt + body).digest()


def next_hash(previous: bytes, leaf: bytes) -> bytes:
    """Compute the hash after one more record: SHA-256(previous | leaf)."""
    return hashlib.sha256(previous + leaf).digest()


def record_hash(previous: bytes, salt: bytes, body: bytes) -> bytes:
    """Compute the hash after a record with this salt and body: `next_hash` of its `leaf_hash`."""
    return next_hash(previous, leaf_hash(salt, body))


def chain_hashes(previous: bytes, records: Iterable[Record]) -> list[bytes]:
    """Compute the hash of the chain after each of these records.

    The same as `leaf_hash` and `next_hash` in turn, without two calls per record when a match is restored.
    """
    sha256 = hashlib.sha256
    return [previous := sha256(previous + sha256(record.salt + record.body).digest()).digest() for record in records]


def genesis_hash(header: bytes) -> bytes:
    """Compute the hash before the first record: SHA-256 of the canonical header."""
    return hashlib.sha256(header).digest()


def openings_of(record: Record) -> tuple[Opening, ...]:
    """Decode the openings of all secrets of a stored record."""
    return () if record.secret is None else _OPENINGS_DECODER.decode(record.secret)


def to_wire(record: Record, shown: tuple[Opening, ...] = ()) -> WireRecord:
    """Convert a stored record to the one that a viewer receives; `shown` are the openings that the viewer may see."""
    return WireRecord(record.seq, salt=record.salt.hex(), body=msgspec.Raw(record.body), openings=shown)


def wire_leaf_hash(wire: WireRecord) -> bytes:
    """Compute the leaf of a received record. Raises `BadRecord`."""
    if not _SALT_PATTERN.fullmatch(wire.salt):
        raise BadRecord(wire.seq, "its salt is not 16 bytes in lower-case hex")
    return leaf_hash(bytes.fromhex(wire.salt), bytes(wire.body))


def unsealed_body(wire: WireRecord) -> bytes:
    """Restore the opened secrets in a received body, and check each. Raises `BadRecord`."""
    try:
        return unseal(bytes(wire.body), wire.openings)
    except BadOpening as fault:
        raise BadRecord(wire.seq, f"opening at {fault}") from None


def check_wire_record(wire: WireRecord, previous: bytes) -> bytes:
    """Compute the hash of the chain after a received record. Raises `BadRecord` if the record states another one."""
    after = next_hash(previous, wire_leaf_hash(wire))
    if wire.hash and wire.hash != after.hex():
        before = "record before" if wire.seq > 1 else "header"
        raise BadRecord(wire.seq, f"its hash does not follow from the {before} and its own content")
    return after
