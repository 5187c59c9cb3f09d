"""Records form one chain that every viewer computes alike."""

import msgspec
import pytest

from diskwars_protocol import records
from diskwars_protocol.canonical import (
    encode_canonical,
)
from diskwars_protocol.records import (
    BadRecord,
    WireRecord,
    check_wire_record,
    openings_except,
    openings_of,
    to_shell,
    to_wire,
    unsealed_body,
    wire_leaf_hash,
)
from diskwars_protocol.sealed import Opening, seal, unseal
from tests.protocol.stored_match import HEADER, MATCH, Row, stored_match


@pytest.mark.parametrize("row", MATCH.records, ids=lambda row: row.hash[:8])
def test_bodies_openings_and_leaves_follow_the_vectors(row: Row) -> None:
    openings = msgspec.json.decode(row.openings.encode(), type=tuple[Opening, ...])
    salts = iter(bytes.fromhex(opening.salt) for opening in openings)
    body, made = seal(row.full.encode(), row.paths, lambda: next(salts))
    assert (body.decode(), encode_canonical(made).decode()) == (row.body, row.openings)
    assert unseal(row.body.encode(), openings).decode() == row.full
    assert records.leaf_hash(bytes.fromhex(row.salt), row.body.encode()).hex() == row.leaf


def test_the_chain_follows_the_vectors() -> None:
    assert encode_canonical(HEADER).decode() == MATCH.header
    head = records.genesis_hash(MATCH.header.encode())
    assert head.hex() == MATCH.genesis
    for row in MATCH.records:
        head = records.next_hash(head, bytes.fromhex(row.leaf))
        assert head.hex() == row.hash
    assert head.hex() == MATCH.head


def test_every_viewer_computes_the_same_chain() -> None:
    rows = stored_match()
    for show in (to_shell, to_wire, lambda row: to_wire(row, openings_of(row))):
        head = records.genesis_hash(encode_canonical(HEADER))
        for row in rows:
            head = check_wire_record(show(row), head)
            assert head == row.hash


def test_a_shell_carries_its_number_and_leaf_only() -> None:
    row = stored_match()[2]
    raw = msgspec.json.encode(to_shell(row))
    assert raw == b'{"seq":3,"leaf":"%s"}' % records.leaf_hash(row.salt, row.body).hex().encode()
    assert unsealed_body(to_shell(row)) is None


def test_viewer_reads_permitted_values_and_digests_elsewhere() -> None:
    row = stored_match()[2]
    shown = openings_except(openings_of(row), [("card",)])
    wire = msgspec.json.decode(msgspec.json.encode(to_wire(row, shown)), type=WireRecord)
    body = unsealed_body(wire)
    assert body is not None
    assert b'"card":{"#":"' in body
    assert '"é\u2028💀"'.encode() in body
    assert b"card-3" not in msgspec.json.encode(to_wire(row))


@pytest.mark.parametrize(
    "wire",
    [
        WireRecord(1),
        WireRecord(1, salt="00" * 16),
        WireRecord(1, body=msgspec.Raw(b"{}")),
        WireRecord(1, salt="0" * 31, body=msgspec.Raw(b"{}")),
        WireRecord(1, salt="A0" * 16, body=msgspec.Raw(b"{}")),
        WireRecord(1, salt="00" * 16, body=msgspec.Raw(b"{}"), leaf="00" * 32),
        WireRecord(1, body=msgspec.Raw(b"{}"), leaf="00" * 32),
        WireRecord(1, openings=(Opening(("a",), "00" * 16, msgspec.Raw(b"1")),), leaf="00" * 32),
        WireRecord(1, leaf="00" * 31),
    ],
)
def test_a_wire_record_is_whole_or_a_shell(wire: WireRecord) -> None:
    with pytest.raises(BadRecord, match="neither a salt with a body nor a leaf alone"):
        wire_leaf_hash(wire)
