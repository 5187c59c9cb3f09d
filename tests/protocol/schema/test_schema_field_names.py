"""Docstrings of the protocol's structs name fields that exist: they are published as JSON Schema and in docs/."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args, get_type_hints

from msgspec import Meta, Struct

import diskwars_protocol
from diskwars_protocol.schema.schema import struct_description
from tests.rows import each_row

FIELD = re.compile(r"`([a-z]\w*)(?:[.\[][^`]*)?`")
"""A back-ticked word that looks like a field, also at the beginning of a path such as `seats[0].player`."""
CLASS = re.compile(r"`([A-Z][a-z]+(?:[A-Z][a-z]+)+|[A-Z][a-z]+)`")
"""A back-ticked word that looks like a class."""

OTHER_WORDS: dict[tuple[str, str], str] = {
    ("PerDecisionClock", "at_ms"): "a field of the record that opened the decision",
    ("SeatClock", "lag_ms"): "a field of the record that answers",
}
"""Words that belong to something else, each with the reason."""


def modules() -> list[Any]:
    names = [module.name for module in pkgutil.walk_packages(diskwars_protocol.__path__, "diskwars_protocol.")]
    return [importlib.import_module(name) for name in names]


def structs_of(module: Any) -> list[type[Struct]]:
    return [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Struct) and value.__module__ == module.__name__
    ]


STRUCTS = [struct for module in modules() for struct in structs_of(module)]
NAMES = frozenset(name for module in modules() for name in vars(module))
TAGS = frozenset(struct.__struct_config__.tag for struct in STRUCTS)


def parts(hint: object) -> Iterator[Any]:
    """Yield a type and everything that it is made of, without entering other structs."""
    yield hint
    for part in get_args(hint):
        yield from parts(part)


def field_parts(struct: type[Struct]) -> list[Any]:
    hints = get_type_hints(struct, include_extras=True)
    return [part for name in struct.__struct_fields__ for part in parts(hints[name])]


def texts_of(struct: type[Struct]) -> list[str]:
    """Return the docstring of a struct and the descriptions of its fields."""
    descriptions = [part.description or "" for part in field_parts(struct) if isinstance(part, Meta)]
    return [struct_description(struct), *descriptions]


def unknown_words(struct: type[Struct]) -> list[str]:
    """Return the back-ticked words about a struct that are neither its own nor known otherwise."""
    literals = {part for part in field_parts(struct) if isinstance(part, str)}
    known = {*struct.__struct_fields__, *literals, *vars(struct)}
    # A tag such as `options` or `seat` names what carries it; a code of a refusal is never in a docstring.
    words = [word for text in texts_of(struct) for word in FIELD.findall(text)]
    wrong = [w for w in words if w not in known and w not in TAGS and (struct.__name__, w) not in OTHER_WORDS]
    classes = [word for text in texts_of(struct) for word in CLASS.findall(text)]
    return wrong + [name for name in classes if name not in NAMES]


@each_row("struct", STRUCTS, ids=lambda struct: f"{struct.__module__.split('.')[-1]}.{struct.__name__}")
def test_docstring_names_fields_that_exist(struct: type[Struct]) -> None:
    assert unknown_words(struct) == []


class Renamed(Struct):
    """`link` was the name of `seat_nonce`; see `NoSuchClass` and `match_opened`."""

    seat_nonce: str


class Described(Struct):
    """A `seat_nonce`, `sealed` or `opened`."""

    seat_nonce: Annotated[Literal["sealed", "opened"], Meta(description="what `link` was")]


def test_old_name_of_a_field_is_found() -> None:
    assert unknown_words(Renamed) == ["link", "NoSuchClass"]


def test_old_name_in_the_description_of_a_field_is_found() -> None:
    unknown = unknown_words(Described)
    assert unknown == ["link"]


def test_every_allowed_word_is_still_used() -> None:
    by_name = {struct.__name__: struct for struct in STRUCTS}
    for struct, word in OTHER_WORDS:
        assert any(word in FIELD.findall(text) for text in texts_of(by_name[struct])), (struct, word)
