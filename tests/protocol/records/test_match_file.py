"""A match file is read back as written, and every change in one is found and named."""

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diskwars_protocol.records import records as r
from diskwars_protocol.records.canonical import (
    encode_canonical,
)
from diskwars_protocol.records.match_file import (
    BYTE_ORDER_MARK,
    BadHeader,
    MatchFileError,
    NewerFormat,
    read_file,
    undo_text_conversion,
)
from diskwars_protocol.records.records import BadRecord, Record, openings_of, to_wire
from diskwars_protocol.records.sealed import Opening, unseal
from tests.protocol.records.stored_match import HEADER, MATCH, FileVector, match_file_of, stored_match
from tests.rows import each_row


def vector_name(vector: FileVector) -> str:
    return vector.name


@each_row("vector", MATCH.files, ids=vector_name)
def test_match_files_follow_the_vectors(vector: FileVector) -> None:
    file = read_file(vector.text.encode())
    assert (file.sealed, file.unfinished_at) == (vector.sealed, vector.unfinished_at)
    assert file.header == HEADER
    assert file.head == (MATCH.records[len(file.records) - 1].hash)
    for body, row, wire in zip(file.bodies, MATCH.records, file.records, strict=False):
        if len(wire.openings) in (0, len(row.paths)):
            assert body.decode() == (row.full if wire.openings or not row.paths else row.body)


def test_a_written_file_is_read_back() -> None:
    rows = stored_match()
    file = read_file(match_file_of(rows))
    assert (file.head, file.sealed, file.unfinished_at) == (rows[-1].hash.hex(), 0, None)
    assert list(file.bodies) == [unseal(row.body, openings_of(row)) for row in rows]


def test_a_file_for_one_viewer_says_how_much_is_sealed() -> None:
    rows = stored_match()
    assert read_file(match_file_of(rows, lambda row: ())).sealed == 4
    assert read_file(match_file_of(rows, lambda row: openings_of(row)[1:])).sealed == 2


def test_a_file_without_records_is_unfinished_at_the_header() -> None:
    file = read_file(match_file_of([]))
    assert (file.unfinished_at, file.head) == (0, r.genesis_hash(encode_canonical(HEADER)).hex())


@pytest.mark.parametrize("show", [openings_of, lambda row: ()])
def test_a_file_cut_anywhere_is_unfinished_at_its_last_whole_record(
    show: Callable[[Record], tuple[Opening, ...]],
) -> None:
    raw = match_file_of(stored_match(3), show)
    whole_header = raw.index(b"\n") + 1
    for length in range(len(raw)):
        if length < whole_header:
            with pytest.raises(BadHeader, match="the line is not whole"):
                read_file(raw[:length])
        else:
            assert read_file(raw[:length]).unfinished_at == raw[:length].count(b"\n") - 1


def record_name(raw: bytes) -> int:
    with pytest.raises((BadRecord, MatchFileError)) as refused:
        read_file(raw)
    return refused.value.seq if isinstance(refused.value, BadRecord) else 0


def test_every_single_changed_byte_is_found_and_named_by_record() -> None:
    raw = match_file_of(stored_match(3))
    line = 0
    for place, byte in enumerate(raw):
        for other in {byte ^ 1, byte ^ 0x20, byte ^ 0x80, ord("\n"), ord(" "), ord("0"), ord("1")} - {byte}:
            found = record_name(raw[:place] + bytes([other]) + raw[place + 1 :])
            # A header that is still a header shows in the hash of record 1.
            assert found in ({0, 1} if line == 0 else {line}), (place, other)
        line += byte == ord("\n")


@settings(deadline=None)
@given(st.data())
def test_any_changed_byte_of_any_file_is_found(data: st.DataObject) -> None:
    hides: list[Callable[[Record], tuple[Opening, ...]]] = [openings_of, lambda row: ()]
    raw = match_file_of(stored_match(data.draw(st.integers(1, 6))), data.draw(st.sampled_from(hides)))
    place = data.draw(st.integers(0, len(raw) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != raw[place]))
    record_name(raw[:place] + bytes([byte]) + raw[place + 1 :])


def lines_of(rows: list[Record]) -> list[bytes]:
    return match_file_of(rows).splitlines(keepends=True)


def test_reordered_left_out_repeated_and_appended_records_are_named() -> None:
    head, one, two, three, four, five, six = lines_of(stored_match())
    assert record_name(head + one + three + two + four + five + six) == 2
    assert record_name(head + one + two + four + five + six) == 3
    assert record_name(head + one + two + two + three + four + five + six) == 3
    assert record_name(head + two) == 1
    assert record_name(head + one + two + three + four + five + six + six) == 7
    assert record_name(head + one + two + three + four + five + six + b'{"seq":7,"sa') == 7
    assert record_name(head + one + two + three + four + five + six + b"\n") == 7
    assert record_name(head + one + b"\n") == 2
    assert record_name(head + one + b"rubbish") == 2
    assert record_name(head + one + two[:-1] + b" ") == 2
    assert record_name(one + two) == 0
    assert record_name(b"") == 0


def test_a_record_after_the_end_is_named_even_when_its_chain_is_right() -> None:
    rows = stored_match()
    body = encode_canonical({"at_ms": 7})
    hash_ = r.next_hash(rows[-1].hash, r.leaf_hash(bytes(16), body))
    rows.append(Record(7, 0, "p1", "c7", 1, body, None, bytes(16), hash_))
    with pytest.raises(BadRecord, match=r"^record 7: it follows the end of the match$"):
        read_file(match_file_of(rows))


def test_a_record_without_its_hash_is_named() -> None:
    rows = stored_match()
    lines = lines_of(rows)
    lines[4] = msgspec.json.encode(to_wire(rows[3], openings_of(rows[3]))) + b"\n"
    assert record_name(b"".join(lines)) == 4


def test_a_row_changed_in_the_store_is_found_in_its_export() -> None:
    rows = stored_match()
    rows[3] = msgspec.structs.replace(rows[3], body=rows[3].body.replace(b"card-4", b"card-5"))
    assert record_name(match_file_of(rows)) == 4
    assert record_name(match_file_of(rows, lambda row: ())) == 4


def test_a_changed_opening_is_named_by_record_and_place() -> None:
    raw = match_file_of(stored_match()).replace(b'"card-3"', b'"card-4"')
    with pytest.raises(BadRecord, match=r"^record 3: opening at \$\.card: the value and its salt"):
        read_file(raw)


def test_recomputed_chain_after_a_change_differs_in_its_head_only() -> None:
    rows, forged = stored_match(), stored_match()
    salt, body = forged[1].salt, forged[1].body.replace(b"card-2", b"card-9")
    hash_ = forged[0].hash
    for i, row in enumerate(forged[1:], 1):
        body = body if i == 1 else row.body
        hash_ = r.next_hash(hash_, r.leaf_hash(salt if i == 1 else row.salt, body))
        forged[i] = msgspec.structs.replace(row, body=body, hash=hash_)
    assert read_file(match_file_of(forged)).head != read_file(match_file_of(rows)).head


def test_the_other_header_of_the_same_records_is_found() -> None:
    raw = match_file_of(stored_match()).replace(b'"match":"m1"', b'"match":"m2"', 1)
    with pytest.raises(BadRecord, match=r"^record 1: its hash does not follow from the header"):
        read_file(raw)


@each_row(
    "header",
    [
        b'{"type":"diskwars-match","format":0,"match":"m1","ruleset":"diskwars"}',
        b'{"type":"diskwars-match","match":"m1","ruleset":"diskwars"}',
        b'{"type":"diskwars-match","format":1,"match":"m1"}',
        b'{"type":"diskwars-match","format":1,"match":"m1","more":1,"ruleset":"diskwars"}',
        b'{"type":"diskwars-match","format":1,"match":"m1","ruleset":"diskwars","more": 1}',
        b'{"type":"diskwars-match","format":1,"match":"m1","ruleset":"diskwars","match":"m1"}',
        b'{"type":"diskwars-match","format":1, "match":"m1","ruleset":"diskwars"}',
        b'{"type":"another","format":2,"match":"m1","ruleset":"diskwars"}',
        b'{"format":1}',
        b"[]",
        b"[" * 5000,
        b'{"x":' + b"[" * 5000,
        b"\xff\xfe",
        b"",
    ],
)
def test_foreign_header_is_refused(header: bytes) -> None:
    with pytest.raises(BadHeader):
        read_file(header + b"\n")


def test_later_field_of_the_header_is_passed_over_and_is_part_of_the_chain() -> None:
    header = encode_canonical(HEADER)[:-1] + b',"later_field":{"is":[1]}}'
    rows, head = stored_match(), r.genesis_hash(header)
    for place, row in enumerate(rows):
        head = r.next_hash(head, r.leaf_hash(row.salt, row.body))
        rows[place] = msgspec.structs.replace(row, hash=head)
    raw = b"".join([header + b"\n", *lines_of(rows)[1:]])
    assert (read_file(raw).header, read_file(raw).head) == (HEADER, head.hex())
    with pytest.raises(BadRecord, match=r"^record 1: its hash does not follow from the header"):
        read_file(raw.replace(b'{"is":[1]}', b'{"is":[2]}'))


def test_lines_and_openings_have_the_fields_of_their_format() -> None:
    """No hash covers them, so a reader passes over no field there: a new one raises `FORMAT`."""
    assert (r.FORMAT, r.WireRecord.__struct_fields__) == (1, ("seq", "salt", "body", "openings", "hash"))
    assert Opening.__struct_fields__ == ("path", "salt", "value", "seats")
    raw = match_file_of(stored_match())
    assert record_name(raw.replace(b'{"seq":3,', b'{"more":1,"seq":3,')) == 3
    head, *lines = raw.splitlines(keepends=True)
    assert record_name(head + b"".join([lines[0], lines[1][:-2] + b',"more":1}\n', *lines[2:]])) == 2
    assert record_name(raw.replace(b'{"path":', b'{"more":1,"path":', 1)) in range(1, len(lines) + 1)


def test_a_newer_format_is_named_before_its_fields_are_read() -> None:
    raw = b'{"type":"diskwars-match","format":2,"chains":[[]],"ruleset":7}\nanything\n'
    with pytest.raises(NewerFormat, match="format 2 is newer than 1"):
        read_file(raw)


def forged_file(body: bytes) -> bytes:
    """Return one record with a right chain, whatever its body."""
    hash_ = r.next_hash(r.genesis_hash(encode_canonical(HEADER)), r.leaf_hash(bytes(16), body))
    return match_file_of([Record(1, 0, "", "", 1, body, None, bytes(16), hash_)])


@each_row(
    ("body", "why"),
    [
        (b'{"a":1.5}', "its body is not canonical, \\$\\.a: only integers"),
        (b'{"a": 1}', "its body is not canonical, byte 5"),
        (b'{"12":1}', "must not look like an integer"),
        (b"[" * 33 + b"]" * 33, "nested too deeply"),
        (b'{"a":' + b"[" * 31 + b"]" * 31 + b"}", "nested too deeply"),
        (b"[" * 5000 + b"]" * 5000, "record 1: not a record"),
        (b"null", "its body is not an object"),
        (b"[1]", "its body is not an object"),
    ],
)
def test_a_right_chain_does_not_excuse_a_wrong_body(body: bytes, why: str) -> None:
    with pytest.raises(BadRecord, match=why):
        read_file(forged_file(body))


def test_only_a_result_ends_a_match() -> None:
    assert read_file(forged_file(b'{"result":{"winners":[1]}}')).unfinished_at is None
    assert read_file(forged_file(b'{"text":"\\"result\\":{}"}')).unfinished_at == 1
    assert read_file(forged_file(b'{"events":[{"result":{}}]}')).unfinished_at == 1
    assert read_file(forged_file(b'{"result":null}')).unfinished_at == 1
    assert read_file(forged_file(b'{"result":7}')).unfinished_at == 1


def test_what_a_program_for_texts_does_to_a_file_is_undone() -> None:
    raw = b'{"text":"\\r\\n"}\n{"second":1}\n'
    assert undo_text_conversion(raw) == raw
    assert undo_text_conversion(BYTE_ORDER_MARK + raw.replace(b"\n", b"\r\n")) == raw
    assert undo_text_conversion(raw + b"\r") == raw + b"\r", "a carriage return alone is no end of a line"
