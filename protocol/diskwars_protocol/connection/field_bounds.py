"""Bounds of the fields of messages from clients, checked where messages arrive: the ranges and forms of the schema.

The decoder checks types, and those bounds that `Meta` gives it. The others are in the schema only, so that readers of
records take what later versions write; clients have to keep them.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec import inspect as mi

from diskwars_protocol.identifiers import ID_PATTERN, OPTIONAL_ID_PATTERN
from diskwars_protocol.match.bot_identity import BOT_NAME_PATTERN
from diskwars_protocol.match.ids import DECISION_ID_PATTERN
from diskwars_protocol.schema_types import (
    HASH_PATTERN,
    HEX32_PATTERN,
    OPAQUE_ID_PATTERN,
    OWN_REFUSAL,
    RULESET_NAME_PATTERN,
)

_FORMS = {
    ID_PATTERN: "an id: small letters and digits, joined by hyphens, such as `empire-patrol`",
    OPTIONAL_ID_PATTERN: "an id: small letters and digits, joined by hyphens, such as `empire-patrol`; or nothing",
    BOT_NAME_PATTERN: "the name of a bot: small letters and digits, such as `greedy`",
    HASH_PATTERN: "a hash: 64 hex digits in lower case",
    HEX32_PATTERN: "32 hex digits in lower case",
    OPAQUE_ID_PATTERN: "an id: 1 to 64 small letters, digits and hyphens",
    DECISION_ID_PATTERN: "the id of a decision, such as `12.0`",
    RULESET_NAME_PATTERN: "the name of a ruleset: small letters, digits, `_` and `-`, at most 32",
}
"""By pattern of a field: what its value has to look like, in words."""

_Check: TypeAlias = Callable[[Any, str], None]
"""Raises OutOfBounds for a value outside; gets its place as well."""


class OutOfBounds(ValueError):
    """A value that the schema does not allow. `place` is its path in the message, such as `$.seat`."""

    def __init__(self, text: str, place: str) -> None:
        super().__init__(text)
        self.place = place


class _FieldCheck(NamedTuple):
    get: Callable[[Any], Any]
    check: _Check
    place: str


def check_bounds(message: Struct) -> None:
    """Check the bounds of every field that the decoder does not check. Raises OutOfBounds for the first one outside.

    Left out is what the server refuses with a code of its own (`OWN_REFUSAL`), and raw JSON, which a ruleset reads.
    """
    for get, check, place in _checks_of(type(message)):
        value = get(message)
        if value is not None:
            check(value, place)


def describe_form(pattern: str) -> str:
    """Return in words what a text has to look like: few people read regular expressions."""
    return f"expected {_FORMS.get(pattern, 'a text of another form')}"


@lru_cache(256)
def _checks_of(kind: type[Struct]) -> tuple[_FieldCheck, ...]:
    info = mi.type_info(kind)
    assert isinstance(info, mi.StructType)
    return tuple(_field_checks(info))


def _field_checks(info: mi.StructType) -> Iterator[_FieldCheck]:
    for field in info.fields:
        check = _make_check(field.type)
        if check is not None:
            yield _FieldCheck(attrgetter(field.name), check, f"$.{field.encode_name}")


def _make_check(info: mi.Type, stated: dict[str, Any] | None = None) -> _Check | None:
    """Return the check of a type, None where there is nothing to check; `stated` is what only the schema says of it."""
    stated = stated or {}
    match info:
        case mi.Metadata():
            is_refused_later = (info.extra or {}).get("refusal") == OWN_REFUSAL["refusal"]
            return None if is_refused_later else _make_check(info.type, info.extra_json_schema)
        case mi.StrType():
            return _text_check(stated.get("pattern") or info.pattern, stated)
        case mi.IntType():
            return _number_check(stated.get("minimum"), stated.get("maximum"))
        case mi.UnionType():
            return _union_check(info)
        case mi.VarTupleType():
            return _items_check(_make_check(info.item_type))
        case mi.DictType():
            return _entries_check(_make_check(info.key_type), _make_check(info.value_type))
        case mi.StructType():
            return _struct_check(tuple(_field_checks(info)))
        case _:
            return None


def _text_check(pattern: str | None, stated: dict[str, Any]) -> _Check | None:
    shortest, longest = stated.get("minLength", 0), stated.get("maxLength")
    # The whole text: where the decoder looks for a pattern, `$` also matches before a line break at the end.
    is_match = re.compile(pattern).fullmatch if pattern else None
    if is_match is None and longest is None:
        return None

    def check(value: str, place: str) -> None:
        if is_match is not None and is_match(value) is None:
            raise OutOfBounds(describe_form(pattern or ""), place)
        if longest is not None and not shortest <= len(value) <= longest:
            raise OutOfBounds(f"expected a text of {shortest} to {longest} characters", place)

    return check


def _number_check(least: int | None, most: int | None) -> _Check | None:
    if least is None and most is None:
        return None

    def check(value: int, place: str) -> None:
        if least is not None and value < least:
            raise OutOfBounds(f"expected a number of at least {least}", place)
        if most is not None and value > most:
            raise OutOfBounds(f"expected a number of at most {most}", place)

    return check


def _union_check(info: mi.UnionType) -> _Check | None:
    """Check a value as the member of the union that it is; what JSON can be tell members apart."""
    checks: dict[type, _Check] = {}
    for member in info.types:
        check, kind = _make_check(member), _type_of(member)
        if check is not None and kind is not None:
            checks[kind] = check

    def check_member(value: object, place: str) -> None:
        check = checks.get(type(value))
        if check is not None:
            check(value, place)

    return check_member if checks else None


def _type_of(info: mi.Type) -> type | None:
    match info:
        case mi.Metadata():
            return _type_of(info.type)
        case mi.StrType():
            return str
        case mi.IntType():
            return int
        case mi.VarTupleType():
            return tuple
        case mi.StructType():
            struct: type = info.cls
            return struct
        case _:
            return None


def _items_check(check: _Check | None) -> _Check | None:
    if check is None:
        return None

    def check_items(values: tuple[Any, ...], place: str) -> None:
        for number, value in enumerate(values):
            check(value, f"{place}[{number}]")

    return check_items


def _entries_check(check_name: _Check | None, check: _Check | None) -> _Check | None:
    def check_entries(values: dict[str, Any], place: str) -> None:
        for name, value in values.items():
            if check_name is not None:
                check_name(name, place)  # not in the place: it may be as long as the frame
            if check is not None:
                check(value, f"{place}.{name}")

    return check_entries


def _struct_check(checks: tuple[_FieldCheck, ...]) -> _Check | None:
    def check_fields(value: Struct, place: str) -> None:
        for get, check, field_place in checks:
            inner = get(value)
            if inner is not None:
                check(inner, place + field_place[1:])

    return check_fields if checks else None
