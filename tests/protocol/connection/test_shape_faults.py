"""What a decoder says of JSON of another shape, in our own words."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from diskwars_protocol.connection.connection import parse_validation_error
from diskwars_protocol.connection.shape_faults import describe_shape_fault, find_repeated_key, place_of_field
from tests.rows import each_row


class Shape(Struct, forbid_unknown_fields=True):
    number: Annotated[int, Meta(ge=1, le=4)] = 1
    text: Annotated[str, Meta(min_length=1, max_length=3)] = "a"
    items: Annotated[tuple[int, ...], Meta(max_length=2)] = ()
    word: Literal["yes", "no"] = "no"
    maybe: bool | None = None
    inner: "Inner | None" = None
    chosen: "First | Second | None" = None


class First(Struct, tag="first"):
    pass


class Second(Struct, tag="second"):
    pass


class Inner(Struct, forbid_unknown_fields=True):
    needed: int


@each_row(
    ("raw", "words", "place"),
    [
        (b'{"number":5}', "expected a number of at most 4", "$.number"),
        (b'{"number":0}', "expected a number of at least 1", "$.number"),
        (b'{"number":"1"}', "expected a whole number, got a text", "$.number"),
        (b'{"text":""}', "expected a text of at least 1 characters", "$.text"),
        (b'{"text":"abcd"}', "expected a text of at most 3 characters", "$.text"),
        (b'{"items":[1,2,3]}', "expected a list of at most 2 items", "$.items"),
        (b'{"items":{}}', "expected a list, got an object", "$.items"),
        (b'{"word":"maybe"}', "'maybe' is not one of the values", "$.word"),
        (b'{"maybe":1}', "expected true or false or null, got a whole number", "$.maybe"),
        (b'{"inner":{}}', "the field `needed` is missing", "$.inner.needed"),
        (b'{"inner":{"needed":1,"more":2}}', "there is no field `more` here", "$.inner.more"),
        (b"[]", "expected an object, got a list", "$"),
        (b'{"chosen":{"type":5}}', "expected a text", "$.chosen.type"),
    ],
)
def test_fault_is_described_in_plain_words_with_the_field(raw: bytes, words: str, place: str) -> None:
    try:
        msgspec.json.decode(raw, type=Shape)
    except msgspec.ValidationError as fault:
        text, where = parse_validation_error(fault)
        assert (describe_shape_fault(text), place_of_field(text, where)) == (words, place)
    else:
        raise AssertionError("no fault")


@each_row(
    ("frame", "place"),
    [
        ('{"a":1,"b":{"a":[{"a":1},{"a":2}]}}', None),
        ('{"a":"\\"b\\":1,\\"b\\":2"}', None),
        ('{"a":1,"a":1}', "$.a"),
        ('[{"a":{"b c":1,"d":2,"b c":[]}}]', '$[0].a["b c"]'),
        ('{"":1,"":1}', '$[""]'),
    ],
)
def test_key_that_stands_twice_is_found_with_its_place(frame: str, place: str | None) -> None:
    assert find_repeated_key(frame) == place
