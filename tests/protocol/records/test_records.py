"""Records form one chain that every viewer computes alike."""

import msgspec
import pytest
from msgspec.structs import replace

from diskwars_protocol.records import records as r
from diskwars_protocol.records.canonical import (
    encode_canonical,
)
from diskwars_protocol.records.records import (
    BadRecord,
    WireRecord,
    check_wire_record,
    openings_of,
    to_wire,
    unsealed_body,
    wire_leaf_hash,
)
from diskwars_protocol.records.sealed import Opening, seal, unseal
from tests.protocol.records.stored_match import FILE, HEADER, MATCH, Row, stored_match, written_vectors
from tests.rows import each_row


@each_row("row", MATCH.records, ids=lambda row: row.hash[:8])
def test_bodies_openings_and_leaves_follow_the_vectors(row: Row) -> None:
    openings = msgspec.json.decode(row.openings.encode(), type=tuple[Opening, ...])
    salts = iter(bytes.fromhex(opening.salt) for opening in openings)
    body, made = seal(row.full.encode(), row.paths, lambda: next(salts))
    made = tuple(replace(opening, seats=(0,)) for opening in made)
    assert (body.decode(), encode_canonical(made).decode()) == (row.body, row.openings)
    assert unseal(row.body.encode(), openings).decode() == row.full
    assert r.leaf_hash(bytes.fromhex(row.salt), row.body.encode()).hex() == row.leaf


def test_the_chain_follows_the_vectors() -> None:
    assert encode_canonical(HEADER).decode() == MATCH.header
    head = r.genesis_hash(MATCH.header.encode())
    assert head.hex() == MATCH.genesis
    for row in MATCH.records:
        head = r.next_hash(head, bytes.fromhex(row.leaf))
        assert head.hex() == row.hash
    assert head.hex() == MATCH.head


def test_the_vectors_are_what_this_code_makes() -> None:
    assert written_vectors() == FILE.read_text("utf-8")


def test_every_viewer_computes_the_same_chain() -> None:
    rows = stored_match()
    for show in (to_wire, lambda row: to_wire(row, openings_of(row))):
        head = r.genesis_hash(encode_canonical(HEADER))
        for row in rows:
            head = check_wire_record(show(row), head)
            assert head == row.hash


def test_a_viewer_reads_what_is_shown_and_digests_elsewhere() -> None:
    row = stored_match()[2]
    shown = tuple(opening for opening in openings_of(row) if opening.path != ("card",))
    wire = msgspec.json.decode(msgspec.json.encode(to_wire(row, shown)), type=WireRecord)
    body = unsealed_body(wire)
    assert b'"card":{"#":"' in body
    assert '"é\u2028💀"'.encode() in body
    assert b"card-3" not in msgspec.json.encode(to_wire(row))


def test_a_field_that_is_not_known_yet_is_passed_over() -> None:
    raw = msgspec.json.encode(to_wire(stored_match()[2]))
    assert msgspec.json.decode(raw[:-1] + b',"later":[1]}', type=WireRecord).seq == 3


@each_row("salt", ["", "0" * 31, "A0" * 16, "00" * 17])
def test_a_record_without_a_right_salt_has_no_leaf(salt: str) -> None:
    with pytest.raises(BadRecord, match="its salt is not 16 bytes in lower-case hex"):
        wire_leaf_hash(WireRecord(1, salt, msgspec.Raw(b"{}")))
