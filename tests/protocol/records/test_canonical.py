"""Canonical JSON, and the errors reported for other texts."""

import json
import re
from collections.abc import Callable
from pathlib import Path as FilePath
from typing import Annotated

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diskwars_protocol.match.vocabulary import AnyVocabulary
from diskwars_protocol.records import canonical_fast
from diskwars_protocol.records.canonical import (
    MAX_DEPTH,
    InvalidJson,
    Json,
    NotCanonical,
    check_canonical,
    check_canonical_by_definition,
    check_json,
    check_json_by_definition,
    encode_canonical,
)
from diskwars_protocol.records.canonical_fast import is_plain_type
from diskwars_protocol.rulesets.registry import RULESETS
from tests.protocol.records.json_strategies import VALUES
from tests.rows import each_row
from tests.server.counting_ruleset import CountingRules

VECTORS = FilePath(__file__).parents[2] / "vectors"


class CanonicalVector(msgspec.Struct, frozen=True):
    name: str
    text: str
    canonical: str = ""
    place: str = ""
    why: str = ""


class CanonicalVectors(msgspec.Struct, frozen=True):
    canonical: tuple[CanonicalVector, ...]
    respelled: tuple[CanonicalVector, ...]
    banned: tuple[CanonicalVector, ...]


CANONICAL_VECTORS = msgspec.json.decode((VECTORS / "canonical.json").read_bytes(), type=CanonicalVectors)


def vector_name(vector: CanonicalVector) -> str:
    return vector.name


@each_row("vector", CANONICAL_VECTORS.canonical, ids=vector_name)
def test_a_canonical_text_passes_and_is_written_again_as_it_is(vector: CanonicalVector) -> None:
    raw = vector.text.encode()
    check_canonical(raw)
    assert encode_canonical(msgspec.json.decode(raw)) == raw


@each_row("vector", CANONICAL_VECTORS.respelled, ids=vector_name)
def test_another_spelling_is_good_json_but_not_canonical(vector: CanonicalVector) -> None:
    raw = vector.text.encode()
    check_json(raw)
    assert encode_canonical(msgspec.json.decode(raw)) == vector.canonical.encode()
    with pytest.raises(NotCanonical) as refused:
        check_canonical(raw)
    assert refused.value.kind == "spelling"


@each_row("vector", CANONICAL_VECTORS.banned, ids=vector_name)
@each_row("judge", [check_json, check_canonical])
def test_banned_content_is_refused_with_its_place(judge: Callable[[bytes], None], vector: CanonicalVector) -> None:
    with pytest.raises(InvalidJson) as refused:
        judge(vector.text.encode())
    assert (refused.value.place, refused.value.kind) == (vector.place, vector.why)


def test_bytes_that_are_no_utf8_are_not_json() -> None:
    for raw in (b'"\xff"', b'"\xed\xa0\x80"', b'"\xc0\x80"', b'{"a":"\xe2\x80"}'):
        with pytest.raises(InvalidJson, match=r"^\$: this is not JSON$"):
            check_json(raw)


def test_the_first_differing_byte_is_named() -> None:
    with pytest.raises(NotCanonical, match=r"^byte 4: this is not the canonical spelling$"):
        check_canonical(b'{"a" :1}')
    with pytest.raises(NotCanonical, match=r"^byte 2: "):
        check_canonical(b"[]\n")


@each_row("size", [16 * 1024, 1024 * 1024])
@each_row("piece", [b"[", b'{"a":', b'[{"":', b'"\\"', b'"', b"]", b'["', b"\\", b'"\\\\"', b"-", b"[]"])
def test_hostile_repetition_is_refused_in_linear_time_and_without_deep_recursion(piece: bytes, size: int) -> None:
    with pytest.raises(InvalidJson) as refused:
        check_json(piece * (size // len(piece)))
    assert refused.value.kind in ("too_deep", "not_json")


def test_a_smaller_depth_can_be_asked_for() -> None:
    check_json(b"[[[1]]]", max_depth=3)
    with pytest.raises(InvalidJson) as refused:
        check_json(b"[[[1]]]", max_depth=2)
    assert (refused.value.place, refused.value.kind) == ("byte 2", "too_deep")


@each_row(
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
        encode_canonical(value)
    assert refused.value.kind == why


def test_a_circle_is_too_deep() -> None:
    circle: list[object] = []
    circle.append(circle)
    with pytest.raises(NotCanonical, match="nested too deeply"):
        encode_canonical(circle)


@given(VALUES)
def test_a_canonical_text_means_the_same_value_and_is_its_only_spelling(value: Json) -> None:
    raw = encode_canonical(value)
    assert json.loads(raw) == value
    assert raw == json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
    check_json(json.dumps(value, indent=1).encode())


@given(st.binary(max_size=40) | st.text('[]{}",:\\u0dD8eE.-+19 tn', max_size=24).map(str.encode))
def test_accepted_text_can_be_decoded_and_is_within_bounds(raw: bytes) -> None:
    try:
        check_json(raw)
    except InvalidJson:
        with pytest.raises(InvalidJson):
            check_canonical(raw)
    else:
        assert encode_canonical(msgspec.json.decode(raw)) == encode_canonical(json.loads(raw))


class SampleReason(msgspec.Struct, frozen=True, tag="reasons"):
    rule: str
    numbers: dict[str, int] = {}


class SampleMoved(msgspec.Struct, frozen=True, tag="moved"):
    way: tuple[tuple[int, int], ...]
    because: tuple[SampleReason, ...] = ()
    card: str | None = None
    is_last: bool = False


class SampleLoop(msgspec.Struct):
    inner: "SampleLoop | None" = None


@each_row(
    "of",
    [
        int,
        str | None,
        tuple[int, str],
        list[bool],
        SampleMoved,
        SampleMoved | SampleReason,
        dict[str, SampleMoved],
        Annotated[bool, msgspec.Meta(description="with a description for the schema")],
    ],
)
def test_types_of_integers_texts_arrays_structs_and_maps_by_text_are_plain(of: object) -> None:
    assert is_plain_type(of)


@each_row("of", [float, int | float, list[float], msgspec.Raw, object, set[int], dict[int, int], SampleLoop])
def test_other_types_are_not_plain(of: object) -> None:
    assert not is_plain_type(of)


@each_row("vocabulary", [*RULESETS.values(), CountingRules.vocabulary], ids=lambda vocabulary: vocabulary.name)
def test_records_of_every_ruleset_are_sealed_without_a_second_look_at_their_spelling(
    vocabulary: AnyVocabulary,
) -> None:
    assert vocabulary.is_canonical


def test_a_type_that_nests_too_deeply_is_not_plain() -> None:
    of: object = int
    for _ in range(MAX_DEPTH - 1):
        of = tuple[of]  # type: ignore[valid-type]
    assert is_plain_type(of)
    assert not is_plain_type(tuple[of])  # type: ignore[valid-type]


TEXTS = st.text(max_size=6) | st.sampled_from(
    ["1.5", ",.5", "[1e5", ":2E1", "a:-3.", "\0", "12", '0":', "\\", "\ud800"]
)
NUMBERS = st.integers() | st.integers(-(2**53), 2**53) | st.sampled_from([2**53 - 1, 2**53, -(2**53)])
REASONS = st.builds(SampleReason, TEXTS, st.dictionaries(TEXTS, NUMBERS, max_size=2))
MOVES = st.builds(
    SampleMoved,
    st.lists(st.tuples(NUMBERS, NUMBERS), max_size=2).map(tuple),
    st.lists(REASONS, max_size=2).map(tuple),
    st.none() | TEXTS,
)
# what no type checker would let pass, and what is found all the same
INVALID_VALUES = st.floats().map(lambda number: SampleReason("r", {"n": number}))  # type: ignore[dict-item]


@given(st.lists(MOVES | REASONS | INVALID_VALUES, max_size=4))
def test_plain_values_are_spelled_or_refused_like_any_other(values: list[object]) -> None:
    assert_same_output(lambda are_plain: encode_canonical(values, are_plain))


def assert_same_output(spell: Callable[[bool], object]) -> None:
    try:
        slowly = spell(False)
    except NotCanonical as fault:
        with pytest.raises(NotCanonical, match=f"^{re.escape(str(fault))}$"):
            spell(True)
    else:
        assert spell(True) == slowly


JSON_TOKENS = (
    *("[", "]", "{", "}", ",", ":", '"a":', '"1":', '"-7":', "0", "-0", "12", str(2**53 - 1), str(2**53), "1.5", "1e9"),
    *(
        " ",
        "null",
        "true",
        '""',
        '"a"',
        '"\\u0000"',
        '"\\ud800"',
        '"\\u00e9"',
        '"é"',
        '"\\""',
        '"\\"1":',
        '"\\\\u0000"',
        '"\\\\\\u0000"',
        '"9\\u0030":',
        f'"{2**60}"',
        '"[{"',
        "9" * 25,
        "[" * 33,
    ),
)
TOKENS = st.sampled_from(JSON_TOKENS)


@given(
    st.lists(TOKENS, max_size=9).map("".join).map(str.encode) | VALUES.map(msgspec.json.encode) | st.binary(max_size=12)
)
def test_shortcuts_say_yes_only_where_the_definition_does(raw: bytes) -> None:
    for depth in (2, MAX_DEPTH):
        try:
            check_json_by_definition(raw, depth)
        except InvalidJson:
            assert not canonical_fast.is_certainly_valid(raw, depth)
        else:
            assert canonical_fast.is_certainly_valid(raw, depth), "a walk in Python costs what floods are bounded by"
    if canonical_fast.is_certainly_canonical(raw, MAX_DEPTH):
        check_canonical_by_definition(raw)


@each_row("vector", CANONICAL_VECTORS.canonical, ids=vector_name)
def test_the_definition_accepts_what_is_canonical(vector: CanonicalVector) -> None:
    check_canonical_by_definition(vector.text.encode())


@each_row("vector", CANONICAL_VECTORS.banned, ids=vector_name)
def test_the_shortcuts_never_accept_what_is_banned(vector: CanonicalVector) -> None:
    raw = vector.text.encode()
    assert not canonical_fast.is_certainly_valid(raw, MAX_DEPTH)
    assert not canonical_fast.is_certainly_canonical(raw, MAX_DEPTH)


@given(VALUES)
def test_most_values_need_the_shortcut_only(value: Json) -> None:
    """It would be no shortcut if it always said no."""
    raw = encode_canonical(value)
    is_sure = canonical_fast.is_certainly_canonical(raw, MAX_DEPTH)
    assert is_sure or b"\\" in raw or re.search(rb"[0-9]{16}", raw) or raw.count(b"[") + raw.count(b"{") > MAX_DEPTH
