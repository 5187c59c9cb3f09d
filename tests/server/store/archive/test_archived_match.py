"""One match as a file: it is read to the byte, and damage is noticed."""

import pytest
import zstandard
from msgspec import msgpack
from msgspec.structs import replace

from diskwars_protocol.records.records import Record
from diskwars_server.store.archive.archived_match import ARCHIVE_FORMAT, dictionary, pack_match, unpack_match
from diskwars_server.store.archive.objects import ArchiveUnavailable
from tests.rows import each_row
from tests.server.stored_samples import make_record

RECORDS = [
    make_record(1, body='{"name":"Grünzähne ☠"}'.encode()),
    replace(make_record(2, command="timeout:4.1", actor="house"), secret=b'[["a"]]', at_ms=2**53 - 1),
    replace(make_record(3), secret=b"", body=b"", hash=b"\xff\x00" * 16),
]


def test_records_are_read_to_the_byte() -> None:
    assert unpack_match("m", pack_match("m", RECORDS)) == RECORDS


def test_file_follows_from_the_records() -> None:
    assert pack_match("m", RECORDS) == pack_match("m", list(RECORDS))


def compress(value: object) -> bytes:
    return zstandard.ZstdCompressor(dict_data=dictionary()).compress(msgpack.encode(value))


def damaged(body: bytes, place: int) -> bytes:
    return body[:place] + bytes([body[place] ^ 0x40]) + body[place + 1 :]


WHOLE = pack_match("m", RECORDS)


@each_row(
    "body",
    [
        b"",
        b"not a file of Zstandard",
        WHOLE[:-1],
        WHOLE[: len(WHOLE) // 2],
        damaged(WHOLE, len(WHOLE) // 2),
        damaged(WHOLE, len(WHOLE) - 1),
        pack_match("another", RECORDS),
        compress([ARCHIVE_FORMAT, "m"]),
        compress([ARCHIVE_FORMAT, "m", []]),
        compress([ARCHIVE_FORMAT, "m", [[1, 2, "a"]]]),
        compress([ARCHIVE_FORMAT + 1, "m", []]),
        # Announces more than any match has.
        b"\x28\xb5\x2f\xfd\xe0" + (1 << 40).to_bytes(8, "little") + b"\x01\x00\x00",
    ],
)
def test_damaged_or_foreign_file_is_refused(body: bytes) -> None:
    with pytest.raises(ArchiveUnavailable, match="of match m "):
        unpack_match("m", body)


def test_dictionary_makes_small_matches_smaller() -> None:
    body = b'{"events":[{"seat":0,"type":"decision_opened"}],"seat":0,"decision":"1.0","type":"record"}'
    records: list[Record] = [make_record(1, body=body)]
    rows = [(record.seq, record.body) for record in records]
    assert len(pack_match("m", records)) < len(zstandard.ZstdCompressor(level=12).compress(msgpack.encode(rows))) + 60
