"""A sealed value opens only with its own value, wherever it is."""

import hashlib
from collections.abc import Iterator
from typing import TypeAlias

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diskwars_protocol.records.canonical import (
    Json,
    JsonPath,
    check_canonical,
    encode_canonical,
)
from diskwars_protocol.records.sealed import (
    HIDDEN,
    BadOpening,
    Opening,
    RedactionError,
    Sealed,
    count_sealed,
    hidden_paths,
    seal,
    unseal,
    unseal_trusted,
)
from tests.protocol.records.json_strategies import KEYS, VALUES
from tests.protocol.records.stored_match import sequential_salts
from tests.rows import each_row

Object: TypeAlias = dict[str, Json]


class SampleLocked(msgspec.Struct, frozen=True, tag="locked"):
    card: str | Sealed
    power: int | Sealed
    order: tuple[int, ...] | Sealed


def test_a_sealed_field_of_a_struct_goes_both_ways_in_json() -> None:
    full = SampleLocked("rally", 3, (2, 0, 1))
    redacted = SampleLocked(HIDDEN, HIDDEN, HIDDEN)
    paths = hidden_paths(encode_canonical(full), encode_canonical(redacted))
    assert paths == (("card",), ("power",), ("order",))
    body, openings = seal(encode_canonical(full), paths, sequential_salts())
    sealed = msgspec.json.decode(body, type=SampleLocked)
    assert sealed.card == Sealed(hashlib.sha256(bytes.fromhex(openings[0].salt) + b'"rally"').hexdigest())
    assert msgspec.json.decode(unseal(body, openings), type=SampleLocked) == full
    half = msgspec.json.decode(unseal(body, openings[1:2]), type=SampleLocked)
    assert (half.card, half.power, half.order) == (sealed.card, 3, sealed.order)


def test_openings_are_objects_and_keep_integers_in_paths_apart_from_names() -> None:
    opening = Opening(("hand", 0), "00" * 16, msgspec.Raw(b'"a"'))
    raw = encode_canonical((opening,))
    assert raw == b'[{"path":["hand",0],"salt":"00000000000000000000000000000000","value":"a"}]'
    assert msgspec.json.decode(raw, type=tuple[Opening, ...]) == (opening,)


def test_nothing_hidden_costs_nothing() -> None:
    full = encode_canonical({"a": 1})
    assert hidden_paths(full, full) == ()
    assert seal(full, (), sequential_salts()) == (full, ())
    assert unseal(full, ()) is full


@each_row(
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
        ('{"a":{"#":""}}', '{"a":{"#":""}}', "the full record"),
    ],
)
def test_a_redaction_that_changes_anything_else_is_refused(full: str, redacted: str, place: str) -> None:
    with pytest.raises(RedactionError) as refused:
        hidden_paths(full.encode(), redacted.encode())
    assert str(refused.value).startswith(place)


@each_row(
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
def test_a_path_that_leads_nowhere_or_crosses_another_cannot_be_sealed(paths: list[JsonPath]) -> None:
    with pytest.raises(RedactionError):
        seal(b'{"a":[1,2]}', paths, sequential_salts())


def test_a_short_salt_is_refused() -> None:
    with pytest.raises(RedactionError, match="a salt of 15 bytes"):
        seal(b'{"a":1}', [("a",)], lambda: bytes(15))


def wrong_openings() -> Iterator[tuple[str, Opening]]:
    _, (good,) = seal(b'{"a":["x","y"]}', [("a", 1)], sequential_salts())
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


def test_writer_of_a_body_is_checked_for_the_secret_not_for_its_path() -> None:
    body, (good,) = seal(b'{"a":["x","y"]}', [("a", 1)], sequential_salts())
    assert unseal_trusted(body, [msgspec.structs.replace(good, path=("a", 0))]) == b'{"a":["x","y"]}'
    for wrong in (
        [msgspec.structs.replace(good, value=msgspec.Raw(b'"z"'))],
        [msgspec.structs.replace(good, salt="0" * 32)],
        [good, good],
    ):
        with pytest.raises(BadOpening):
            unseal_trusted(body, wrong)


@each_row(("name", "opening"), list(wrong_openings()), ids=lambda value: value if isinstance(value, str) else "")
def test_an_opening_that_does_not_fit_is_refused(name: str, opening: Opening) -> None:
    body, _ = seal(b'{"a":["x","y"]}', [("a", 1)], sequential_salts())
    with pytest.raises(BadOpening):
        unseal(body, [opening])


def test_an_opening_does_not_fit_twice() -> None:
    body, openings = seal(b'{"a":1}', [("a",)], sequential_salts())
    with pytest.raises(BadOpening):
        unseal(body, openings * 2)


def test_a_value_that_was_sealed_in_a_wrong_spelling_is_refused() -> None:
    digest = hashlib.sha256(bytes(16) + b"1.5").hexdigest()
    with pytest.raises(BadOpening, match=r"^\$.a: its value is not canonical"):
        unseal(encode_canonical({"a": {"#": digest}}), [Opening(("a",), "00" * 16, msgspec.Raw(b"1.5"))])


def places(value: Json, path: JsonPath = ()) -> Iterator[JsonPath]:
    """Yield every place below the root."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield (*path, name)
            yield from places(item, (*path, name))
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield (*path, index)
            yield from places(item, (*path, index))


def test_in_a_body_that_is_not_canonical_no_secret_finds_its_place() -> None:
    """A digest spelled with an escape is not found as bytes, and the next one like it would be taken for it."""
    body, openings = seal(b'{"x":1,"y":1}', [("y",)], lambda: bytes(16))
    twice = body.replace(b'"x":1', b'"x":' + body[body.index(b'{"#"') : -1]).replace(b'"y":{"#"', b'"y":{"\\u0023"')
    assert msgspec.json.decode(twice)["x"] == msgspec.json.decode(twice)["y"]
    with pytest.raises(BadOpening, match="the body is not canonical"):
        unseal(twice, openings)


def blanked(value: Json, hidden: set[JsonPath], path: JsonPath = ()) -> Json:
    if path in hidden:
        return {"#": ""}
    if isinstance(value, dict):
        return {name: blanked(item, hidden, (*path, name)) for name, item in value.items()}
    if isinstance(value, list):
        return [blanked(item, hidden, (*path, index)) for index, item in enumerate(value)]
    return value


@st.composite
def events_with_secrets(draw: st.DrawFn) -> tuple[Object, tuple[JsonPath, ...]]:
    event = draw(st.dictionaries(KEYS.filter(lambda name: name != "#"), VALUES, min_size=1, max_size=4))
    chosen: list[JsonPath] = []
    for path in places(event):
        if not any(path[: len(outer)] == outer for outer in chosen) and draw(st.booleans()):
            chosen.append(path)
    return event, tuple(chosen)


@given(events_with_secrets())
def test_sealing_what_a_redaction_hides_and_unsealing_gives_the_event_back(
    given_: tuple[Object, tuple[JsonPath, ...]],
) -> None:
    event, paths = given_
    full = encode_canonical(event)
    if b'{"#":"' in full:
        return
    assert hidden_paths(full, encode_canonical(blanked(event, set(paths)))) == paths
    body, openings = seal(full, paths, sequential_salts())
    check_canonical(body)
    assert count_sealed(body) == len(paths)
    assert unseal(body, openings) == unseal_trusted(body, openings) == full
    assert unseal(body, openings[::-1]) == unseal_trusted(body, openings[::-1]) == full


@given(events_with_secrets(), st.data())
def test_openings_read_in_parts_lead_to_the_same_event(
    given_: tuple[Object, tuple[JsonPath, ...]], data: st.DataObject
) -> None:
    event, paths = given_
    full = encode_canonical(event)
    if b'{"#":"' in full:
        return
    body, openings = seal(full, paths, sequential_salts())
    later = data.draw(st.sets(st.sampled_from(paths))) if paths else set()
    half = unseal(body, [opening for opening in openings if opening.path not in later])
    assert count_sealed(half) == len(later)
    assert unseal(half, [opening for opening in openings if opening.path in later]) == full
