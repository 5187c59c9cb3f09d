"""Canonical JSON, sealed fields, the hash chain and the match file."""

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path as FilePath
from typing import TypeAlias

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diskwars_protocol import records
from diskwars_protocol.records import (
    HIDDEN,
    MAX_SAFE,
    BadHeader,
    BadJson,
    BadOpening,
    BadRecord,
    FileError,
    Header,
    Json,
    NewerFormat,
    NotCanonical,
    Opening,
    Path,
    Record,
    RedactionError,
    Sealed,
    WireRecord,
    canonical,
    check,
    check_canonical,
    check_json,
    full_body,
    hidden_paths,
    leaf_of,
    openings_of,
    read_file,
    seal,
    to_shell,
    to_wire,
    unseal,
    without,
    write_file,
)

VECTORS = FilePath(__file__).parents[1] / "vectors"
HEADER = Header(match="m1", ruleset="diskwars")
Object: TypeAlias = dict[str, Json]


class Spelling(msgspec.Struct, frozen=True):
    name: str
    text: str
    canonical: str = ""
    place: str = ""
    why: str = ""


class Spellings(msgspec.Struct, frozen=True):
    canonical: tuple[Spelling, ...]
    respelled: tuple[Spelling, ...]
    banned: tuple[Spelling, ...]


class Row(msgspec.Struct, frozen=True):
    full: str
    paths: tuple[Path, ...]
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


class Match(msgspec.Struct, frozen=True):
    header: str
    genesis: str
    records: tuple[Row, ...]
    head: str
    files: tuple[FileVector, ...]


SPELLINGS = msgspec.json.decode((VECTORS / "canonical.json").read_bytes(), type=Spellings)
MATCH = msgspec.json.decode((VECTORS / "records.json").read_bytes(), type=Match)


def named(vector: Spelling | FileVector) -> str:
    return vector.name


# --- canonical JSON


@pytest.mark.parametrize("vector", SPELLINGS.canonical, ids=named)
def test_a_canonical_text_passes_and_is_written_again_as_it_is(vector: Spelling) -> None:
    raw = vector.text.encode()
    check_canonical(raw)
    assert canonical(msgspec.json.decode(raw)) == raw


@pytest.mark.parametrize("vector", SPELLINGS.respelled, ids=named)
def test_another_spelling_is_good_json_but_not_canonical(vector: Spelling) -> None:
    raw = vector.text.encode()
    check_json(raw)
    assert canonical(msgspec.json.decode(raw)) == vector.canonical.encode()
    with pytest.raises(NotCanonical) as refused:
        check_canonical(raw)
    assert refused.value.why == "spelling"


@pytest.mark.parametrize("vector", SPELLINGS.banned, ids=named)
@pytest.mark.parametrize("judge", [check_json, check_canonical])
def test_what_is_banned_is_refused_with_its_place(judge: Callable[[bytes], None], vector: Spelling) -> None:
    with pytest.raises(BadJson) as refused:
        judge(vector.text.encode())
    assert (refused.value.place, refused.value.why) == (vector.place, vector.why)


def test_bytes_that_are_no_utf8_are_not_json() -> None:
    for raw in (b'"\xff"', b'"\xed\xa0\x80"', b'"\xc0\x80"', b'{"a":"\xe2\x80"}'):
        with pytest.raises(BadJson, match=r"^\$: this is not JSON$"):
            check_json(raw)


def test_the_first_differing_byte_is_named() -> None:
    with pytest.raises(NotCanonical, match=r"^byte 4: this is not the canonical spelling$"):
        check_canonical(b'{"a" :1}')
    with pytest.raises(NotCanonical, match=r"^byte 2: "):
        check_canonical(b"[]\n")


@pytest.mark.parametrize("size", [16 * 1024, 1024 * 1024])
@pytest.mark.parametrize("piece", [b"[", b'{"a":', b'[{"":', b'"\\"', b'"', b"]", b'["', b"\\", b'"\\\\"', b"-", b"[]"])
def test_hostile_repetition_is_refused_in_linear_time_and_without_deep_recursion(piece: bytes, size: int) -> None:
    with pytest.raises(BadJson) as refused:
        check_json(piece * (size // len(piece)))
    assert refused.value.why in ("too_deep", "not_json")


def test_a_smaller_depth_can_be_asked_for() -> None:
    check_json(b"[[[1]]]", max_depth=3)
    with pytest.raises(BadJson) as refused:
        check_json(b"[[[1]]]", max_depth=2)
    assert (refused.value.place, refused.value.why) == ("byte 2", "too_deep")


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ({"a": 1.5}, "float"),
        ({1: "a"}, "integer_key"),
        ([2**53], "big_integer"),
        (["\0"], "nul"),
        ("\ud800", "lone_surrogate"),
        ({"\udc00": 1}, "lone_surrogate"),
        (msgspec.Raw(b'{"a": 1}'), "spelling"),
        (msgspec.Raw(b"{"), "not_json"),
    ],
)
def test_a_value_without_a_canonical_spelling_is_refused(value: object, why: str) -> None:
    with pytest.raises(NotCanonical) as refused:
        canonical(value)
    assert refused.value.why == why


def test_a_circle_is_too_deep() -> None:
    circle: list[object] = []
    circle.append(circle)
    with pytest.raises(NotCanonical, match="nested too deeply"):
        canonical(circle)


texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12)
keys = texts.filter(lambda name: not name.lstrip("-").isdecimal())
scalars = st.none() | st.booleans() | st.integers(-MAX_SAFE, MAX_SAFE) | texts
values: st.SearchStrategy[Json] = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4), max_leaves=12
)


@given(values)
def test_a_canonical_text_means_the_same_value_and_is_its_only_spelling(value: Json) -> None:
    raw = canonical(value)
    assert json.loads(raw) == value
    assert raw == json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
    check_json(json.dumps(value, indent=1).encode())


@given(st.binary(max_size=40) | st.text('[]{}",:\\u0dD8eE.-+19 tn', max_size=24).map(str.encode))
def test_what_passes_can_be_decoded_and_is_within_bounds(raw: bytes) -> None:
    try:
        check_json(raw)
    except BadJson:
        with pytest.raises(BadJson):
            check_canonical(raw)
    else:
        assert canonical(msgspec.json.decode(raw)) == canonical(json.loads(raw))


# --- sealed fields


class Locked(msgspec.Struct, frozen=True, tag="locked"):
    card: str | Sealed
    power: int | Sealed
    order: tuple[int, ...] | Sealed


def counting_salts() -> Callable[[], bytes]:
    numbers: Iterator[int] = iter(range(2**32))
    return lambda: hashlib.sha256(str(next(numbers)).encode()).digest()[:16]


def test_a_sealed_field_of_a_struct_goes_both_ways_in_json() -> None:
    full = Locked("rally", 3, (2, 0, 1))
    redacted = Locked(HIDDEN, HIDDEN, HIDDEN)
    paths = hidden_paths(canonical(full), canonical(redacted))
    assert paths == (("card",), ("power",), ("order",))
    body, openings = seal(canonical(full), paths, counting_salts())
    sealed = msgspec.json.decode(body, type=Locked)
    assert sealed.card == Sealed(hashlib.sha256(bytes.fromhex(openings[0].salt) + b'"rally"').hexdigest())
    assert msgspec.json.decode(unseal(body, openings), type=Locked) == full
    half = msgspec.json.decode(unseal(body, openings[1:2]), type=Locked)
    assert (half.card, half.power, half.order) == (sealed.card, 3, sealed.order)


def test_openings_are_short_arrays_and_keep_integers_in_paths_apart_from_names() -> None:
    opening = Opening(("hand", 0), "00" * 16, msgspec.Raw(b'"a"'))
    raw = canonical((opening,))
    assert raw == b'[[["hand",0],"00000000000000000000000000000000","a"]]'
    assert msgspec.json.decode(raw, type=tuple[Opening, ...]) == (opening,)


def test_nothing_hidden_costs_nothing() -> None:
    full = canonical({"a": 1})
    assert hidden_paths(full, full) == ()
    assert seal(full, (), counting_salts()) == (full, ())
    assert unseal(full, ()) is full


@pytest.mark.parametrize(
    ("full", "redacted", "place"),
    [
        ('{"a":1}', '{"a":2}', "$.a"),
        ('{"a":1}', '{"a":true}', "$.a"),
        ('{"a":1}', '{"b":1}', "$"),
        ('{"a":1}', '{"a":1,"b":1}', "$"),
        ('{"a":1,"b":2}', '{"b":2,"a":1}', "$"),
        ('{"a":[1,2]}', '{"a":[1]}', "$.a"),
        ('{"a":[1,{"b":2}]}', '{"a":[1,{"b":3}]}', "$.a[1].b"),
        ('{"a":[]}', '{"a":{}}', "$.a"),
        ('{"a":1}', '{"a":null}', "$.a"),
        ('{"a":1}', '{"a":{"#":"00"}}', "$.a"),
        ('{"a":1}', '{"a":{"#":"","b":1}}', "$.a"),
        ('{"a":1}', '{"#":""}', "$"),
        ('{"a":{"#":""}}', '{"a":{"#":""}}', "the full event"),
    ],
)
def test_a_redaction_that_changes_anything_else_is_refused(full: str, redacted: str, place: str) -> None:
    with pytest.raises(RedactionError) as refused:
        hidden_paths(full.encode(), redacted.encode())
    assert str(refused.value).startswith(place)


@pytest.mark.parametrize(
    "paths",
    [
        [()],
        [("b",)],
        [("a", 2)],
        [("a", -1)],
        [("a", "0")],
        [(0,)],
        [("a", 0, "x")],
        [("a",), ("a",)],
        [("a", 0), ("a",)],
    ],
)
def test_a_path_that_leads_nowhere_or_crosses_another_cannot_be_sealed(paths: list[Path]) -> None:
    with pytest.raises(RedactionError):
        seal(b'{"a":[1,2]}', paths, counting_salts())


def test_a_short_salt_is_refused() -> None:
    with pytest.raises(RedactionError, match="a salt of 15 bytes"):
        seal(b'{"a":1}', [("a",)], lambda: bytes(15))


def wrong_openings() -> Iterator[tuple[str, Opening]]:
    _, (good,) = seal(b'{"a":["x","y"]}', [("a", 1)], counting_salts())
    yield "another value", msgspec.structs.replace(good, value=msgspec.Raw(b'"z"'))
    yield "another salt", msgspec.structs.replace(good, salt="0" * 32)
    yield "upper-case salt", msgspec.structs.replace(good, salt=good.salt.upper())
    yield "spaced salt", msgspec.structs.replace(good, salt=" " + good.salt)
    yield "short salt", msgspec.structs.replace(good, salt=good.salt[:-2])
    yield "a place that is not sealed", msgspec.structs.replace(good, path=("a", 0))
    yield "a place counted from the end", msgspec.structs.replace(good, path=("a", -1))
    yield "no place", msgspec.structs.replace(good, path=("a", 2))
    yield "a name for an index", msgspec.structs.replace(good, path=("a", "1"))
    yield "the digest's own place", msgspec.structs.replace(good, path=("a", 1, "#"))
    yield "the root", msgspec.structs.replace(good, path=())


@pytest.mark.parametrize(
    ("name", "opening"), list(wrong_openings()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_an_opening_that_does_not_fit_is_refused(name: str, opening: Opening) -> None:
    body, _ = seal(b'{"a":["x","y"]}', [("a", 1)], counting_salts())
    with pytest.raises(BadOpening):
        unseal(body, [opening])


def test_an_opening_does_not_fit_twice() -> None:
    body, openings = seal(b'{"a":1}', [("a",)], counting_salts())
    with pytest.raises(BadOpening):
        unseal(body, openings * 2)


def test_a_value_that_was_sealed_in_a_wrong_spelling_is_refused() -> None:
    digest = hashlib.sha256(bytes(16) + b"1.5").hexdigest()
    with pytest.raises(BadOpening, match=r"^\$.a: its value is not canonical"):
        unseal(canonical({"a": {"#": digest}}), [Opening(("a",), "00" * 16, msgspec.Raw(b"1.5"))])


def places(value: Json, path: Path = ()) -> Iterator[Path]:
    """Every place below the root."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield (*path, name)
            yield from places(item, (*path, name))
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield (*path, index)
            yield from places(item, (*path, index))


def blanked(value: Json, hidden: set[Path], path: Path = ()) -> Json:
    if path in hidden:
        return {"#": ""}
    if isinstance(value, dict):
        return {name: blanked(item, hidden, (*path, name)) for name, item in value.items()}
    if isinstance(value, list):
        return [blanked(item, hidden, (*path, index)) for index, item in enumerate(value)]
    return value


@st.composite
def events_with_secrets(draw: st.DrawFn) -> tuple[Object, tuple[Path, ...]]:
    event = draw(st.dictionaries(keys.filter(lambda name: name != "#"), values, min_size=1, max_size=4))
    chosen: list[Path] = []
    for path in places(event):
        if not any(path[: len(outer)] == outer for outer in chosen) and draw(st.booleans()):
            chosen.append(path)
    return event, tuple(chosen)


@given(events_with_secrets())
def test_sealing_what_a_redaction_hides_and_unsealing_gives_the_event_back(
    given_: tuple[Object, tuple[Path, ...]],
) -> None:
    event, paths = given_
    full = canonical(event)
    if b'{"#":"' in full:
        return
    assert hidden_paths(full, canonical(blanked(event, set(paths)))) == paths
    body, openings = seal(full, paths, counting_salts())
    check_canonical(body)
    assert records.count_sealed(body) == len(paths)
    assert unseal(body, openings) == full
    assert unseal(body, openings[::-1]) == full


@given(events_with_secrets(), st.data())
def test_openings_told_one_part_after_another_lead_to_the_same_event(
    given_: tuple[Object, tuple[Path, ...]], data: st.DataObject
) -> None:
    event, paths = given_
    full = canonical(event)
    if b'{"#":"' in full:
        return
    body, openings = seal(full, paths, counting_salts())
    later = data.draw(st.sets(st.sampled_from(paths))) if paths else set()
    half = unseal(body, without(openings, later))
    assert records.count_sealed(half) == len(later)
    assert unseal(half, [opening for opening in openings if opening.path in later]) == full


# --- records and their chain


def stored_match(count: int = 6) -> list[Record]:
    """A small match with sealed fields in every third record."""
    salts, hash_, rows = counting_salts(), records.genesis(canonical(HEADER)), []
    for seq in range(1, count + 1):
        kind = "match_ended" if seq == count else "match_opened" if seq == 1 else "card_locked"
        full = canonical({"type": kind, "card": f"card-{seq}", "hand": [seq, "é\u2028💀"], "n": -10 * seq})
        paths: list[Path] = [("card",), ("hand", 1)] if seq % 3 == 0 else []
        body, openings = seal(full, paths, salts)
        secret, salt = canonical(openings) if openings else None, salts()
        hash_ = records.chain(hash_, records.leaf(salt, body))
        rows.append(Record(seq, kind, "p1", f"c{seq}", 0, body, secret, salt, hash_, "1", 1000 + seq))
    return rows


def file_of(rows: list[Record], show: Callable[[Record], tuple[Opening, ...] | None] = openings_of) -> bytes:
    return b"".join(write_file(HEADER, rows, show))


@pytest.mark.parametrize("row", MATCH.records, ids=lambda row: row.hash[:8])
def test_bodies_openings_and_leaves_follow_the_vectors(row: Row) -> None:
    openings = msgspec.json.decode(row.openings.encode(), type=tuple[Opening, ...])
    salts = iter(bytes.fromhex(opening.salt) for opening in openings)
    body, made = seal(row.full.encode(), row.paths, lambda: next(salts))
    assert (body.decode(), canonical(made).decode()) == (row.body, row.openings)
    assert unseal(row.body.encode(), openings).decode() == row.full
    assert records.leaf(bytes.fromhex(row.salt), row.body.encode()).hex() == row.leaf


def test_the_chain_follows_the_vectors() -> None:
    assert canonical(HEADER).decode() == MATCH.header
    head = records.genesis(MATCH.header.encode())
    assert head.hex() == MATCH.genesis
    for row in MATCH.records:
        head = records.chain(head, bytes.fromhex(row.leaf))
        assert head.hex() == row.hash
    assert head.hex() == MATCH.head


def test_every_viewer_computes_the_same_chain() -> None:
    rows = stored_match()
    for show in (to_shell, to_wire, lambda row: to_wire(row, openings_of(row))):
        head = records.genesis(canonical(HEADER))
        for row in rows:
            head = check(show(row), head)
            assert head == row.hash


def test_a_shell_carries_its_number_and_leaf_only() -> None:
    row = stored_match()[2]
    raw = msgspec.json.encode(to_shell(row))
    assert raw == b'{"seq":3,"leaf":"%s"}' % records.leaf(row.salt, row.body).hex().encode()
    assert full_body(to_shell(row)) is None


def test_a_viewer_reads_what_he_may_see_and_digests_elsewhere() -> None:
    row = stored_match()[2]
    shown = without(openings_of(row), [("card",)])
    wire = msgspec.json.decode(msgspec.json.encode(to_wire(row, shown)), type=WireRecord)
    body = full_body(wire)
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
        WireRecord(1, open=(Opening(("a",), "00" * 16, msgspec.Raw(b"1")),), leaf="00" * 32),
        WireRecord(1, leaf="00" * 31),
    ],
)
def test_a_wire_record_is_whole_or_a_shell(wire: WireRecord) -> None:
    with pytest.raises(BadRecord, match="neither a salt with a body nor a leaf alone"):
        leaf_of(wire)


# --- the match file


@pytest.mark.parametrize("vector", MATCH.files, ids=named)
def test_match_files_follow_the_vectors(vector: FileVector) -> None:
    file = read_file(vector.text.encode())
    assert (file.sealed, file.unfinished_at) == (vector.sealed, vector.unfinished_at)
    assert file.header == HEADER
    assert file.head == (MATCH.records[len(file.records) - 1].hash)
    for body, row, wire in zip(file.bodies, MATCH.records, file.records, strict=False):
        assert body is None or body.decode() == (row.full if wire.open or not row.paths else row.body)


def test_a_written_file_is_read_back() -> None:
    rows = stored_match()
    file = read_file(file_of(rows))
    assert (file.head, file.sealed, file.unfinished_at) == (rows[-1].hash.hex(), 0, None)
    assert [body for body in file.bodies if body] == [unseal(row.body, openings_of(row)) for row in rows]


def test_a_file_for_one_viewer_says_how_much_is_sealed() -> None:
    rows = stored_match()
    assert read_file(file_of(rows, lambda row: ())).sealed == 4
    assert read_file(file_of(rows, lambda row: without(openings_of(row), [("card",)]))).sealed == 2
    shells = read_file(file_of(rows, lambda row: None))
    assert (shells.sealed, shells.bodies, shells.head) == (0, (None,) * 6, rows[-1].hash.hex())


def test_a_file_without_records_is_unfinished_at_the_header() -> None:
    file = read_file(file_of([]))
    assert (file.unfinished_at, file.head) == (0, records.genesis(canonical(HEADER)).hex())


@pytest.mark.parametrize("show", [openings_of, lambda row: (), lambda row: None])
def test_a_file_cut_anywhere_is_unfinished_at_its_last_whole_record(
    show: Callable[[Record], tuple[Opening, ...] | None],
) -> None:
    raw = file_of(stored_match(3), show)
    whole_header = raw.index(b"\n") + 1
    for length in range(len(raw)):
        if length < whole_header:
            with pytest.raises(BadHeader, match="the line is not whole"):
                read_file(raw[:length])
        else:
            assert read_file(raw[:length]).unfinished_at == raw[:length].count(b"\n") - 1


def named_record(raw: bytes) -> int:
    with pytest.raises(FileError) as refused:
        read_file(raw)
    return refused.value.seq if isinstance(refused.value, BadRecord) else 0


def test_every_single_changed_byte_is_found_and_named_by_record() -> None:
    raw = file_of(stored_match(3))
    line = 0
    for place, byte in enumerate(raw):
        for other in {byte ^ 1, byte ^ 0x20, byte ^ 0x80, ord("\n"), ord(" "), ord("0"), ord("1")} - {byte}:
            found = named_record(raw[:place] + bytes([other]) + raw[place + 1 :])
            # A header that is still a header shows in the hash of record 1.
            assert found in ({0, 1} if line == 0 else {line}), (place, other)
        line += byte == ord("\n")


@settings(deadline=None)
@given(st.data())
def test_any_changed_byte_of_any_file_is_found(data: st.DataObject) -> None:
    hides: list[Callable[[Record], tuple[Opening, ...] | None]] = [openings_of, lambda row: (), lambda row: None]
    raw = file_of(stored_match(data.draw(st.integers(1, 6))), data.draw(st.sampled_from(hides)))
    place = data.draw(st.integers(0, len(raw) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != raw[place]))
    named_record(raw[:place] + bytes([byte]) + raw[place + 1 :])


def lines_of(rows: list[Record]) -> list[bytes]:
    return file_of(rows).splitlines(keepends=True)


def test_reordered_left_out_repeated_and_appended_records_are_named() -> None:
    head, one, two, three, four, five, six = lines_of(stored_match())
    assert named_record(head + one + three + two + four + five + six) == 2
    assert named_record(head + one + two + four + five + six) == 3
    assert named_record(head + one + two + two + three + four + five + six) == 3
    assert named_record(head + two) == 1
    assert named_record(head + one + two + three + four + five + six + six) == 7
    assert named_record(head + one + two + three + four + five + six + b'{"seq":7,"sa') == 7
    assert named_record(head + one + two + three + four + five + six + b"\n") == 7
    assert named_record(head + one + b"\n") == 2
    assert named_record(head + one + b"rubbish") == 2
    assert named_record(head + one + two[:-1] + b" ") == 2
    assert named_record(one + two) == 0
    assert named_record(b"") == 0


def test_a_record_after_the_end_is_named_even_when_its_chain_is_right() -> None:
    rows = stored_match()
    body = canonical({"type": "card_locked"})
    hash_ = records.chain(rows[-1].hash, records.leaf(bytes(16), body))
    rows.append(Record(7, "card_locked", "p1", "c7", 0, body, None, bytes(16), hash_, "1", 0))
    with pytest.raises(BadRecord, match=r"^record 7: it stands after the end of the match$"):
        read_file(file_of(rows))


def test_a_record_without_its_hash_is_named() -> None:
    rows = stored_match()
    lines = lines_of(rows)
    lines[4] = msgspec.json.encode(to_wire(rows[3], openings_of(rows[3]))) + b"\n"
    assert named_record(b"".join(lines)) == 4


def test_a_row_changed_in_the_store_is_found_in_its_export() -> None:
    rows = stored_match()
    rows[3] = msgspec.structs.replace(rows[3], body=rows[3].body.replace(b"card-4", b"card-5"))
    assert named_record(file_of(rows)) == 4
    assert named_record(file_of(rows, lambda row: None)) == 4


def test_a_changed_opening_is_named_by_record_and_place() -> None:
    raw = file_of(stored_match()).replace(b'"card-3"', b'"card-4"')
    with pytest.raises(BadRecord, match=r"^record 3: opening at \$\.card: the value and its salt"):
        read_file(raw)


def test_a_chain_computed_anew_after_a_change_differs_in_its_head_only() -> None:
    rows, forged = stored_match(), stored_match()
    salt, body = forged[1].salt, forged[1].body.replace(b"card-2", b"card-9")
    hash_ = forged[0].hash
    for i, row in enumerate(forged[1:], 1):
        body = body if i == 1 else row.body
        hash_ = records.chain(hash_, records.leaf(salt if i == 1 else row.salt, body))
        forged[i] = msgspec.structs.replace(row, body=body, hash=hash_)
    assert read_file(file_of(forged)).head != read_file(file_of(rows)).head


def test_the_other_header_of_the_same_records_is_found() -> None:
    raw = file_of(stored_match()).replace(b'"match":"m1"', b'"match":"m2"', 1)
    with pytest.raises(BadRecord, match=r"^record 1: its hash does not follow from the header"):
        read_file(raw)


@pytest.mark.parametrize(
    "header",
    [
        b'{"type":"diskwars-match","format":0,"match":"m1","ruleset":"diskwars"}',
        b'{"type":"diskwars-match","match":"m1","ruleset":"diskwars"}',
        b'{"type":"diskwars-match","format":1,"match":"m1"}',
        b'{"type":"diskwars-match","format":1,"match":"m1","ruleset":"diskwars","more":1}',
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
def test_a_header_that_is_none_of_ours_is_refused(header: bytes) -> None:
    with pytest.raises(BadHeader):
        read_file(header + b"\n")


def test_a_newer_format_is_named_before_its_fields_are_read() -> None:
    raw = b'{"type":"diskwars-match","format":2,"chains":[[]],"ruleset":7}\nanything\n'
    with pytest.raises(NewerFormat, match="format 2 is newer than 1"):
        read_file(raw)


def forged_file(body: bytes) -> bytes:
    """One record with a right chain, whatever its body."""
    hash_ = records.chain(records.genesis(canonical(HEADER)), records.leaf(bytes(16), body))
    return file_of([Record(1, "", "", "", 0, body, None, bytes(16), hash_, "", 0)])


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b'{"a":1.5}', "its body is not canonical, \\$\\.a: only integers"),
        (b'{"a": 1}', "its body is not canonical, byte 5"),
        (b'{"12":1}', "must not look like an integer"),
        (b"[" * 33 + b"]" * 33, "nested too deeply"),
        (b"[" * 5000 + b"]" * 5000, "record 1: not a record"),
        (b"null", "its body is not an object"),
        (b"[1]", "its body is not an object"),
    ],
)
def test_a_right_chain_does_not_excuse_a_wrong_body(body: bytes, why: str) -> None:
    with pytest.raises(BadRecord, match=why):
        read_file(forged_file(body))


def test_only_the_type_of_a_body_ends_a_match() -> None:
    assert read_file(forged_file(b'{"type":"match_ended"}')).unfinished_at is None
    assert read_file(forged_file(b'{"type":"said","text":"match_ended"}')).unfinished_at == 1
    assert read_file(forged_file(b'{"type":7,"text":"match_ended"}')).unfinished_at == 1
