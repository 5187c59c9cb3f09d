"""Sentences on what differs between a recorded body and the one that the rules decide."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

import msgspec
from msgspec import Struct

from diskwars_protocol.match.state import RecordBody
from diskwars_protocol.records.canonical import Json, JsonPath, format_path


def difference(body: RecordBody[Any, Any, Any], right: RecordBody[Any, Any, Any]) -> str:
    """Name the first difference between a record and what the rules decide."""
    for event, should in zip(body.events, right.events, strict=False):
        if type(event) is not type(should):
            return f"by the rules {event_kind(should)} comes here, not {event_kind(event)}"
        if event != should:
            path, is_, ought = first_difference(_plain(event), _plain(should), ())
            return f"{event_kind(event)}: by the rules {format_path(path)} is {ought}, not {is_}"
    extra, missing = body.events[len(right.events) :], right.events[len(body.events) :]
    if extra:
        return f"by the rules nothing follows here, not {event_kind(extra[0])}"
    if missing:
        return f"by the rules {event_kind(missing[0])} comes here, not the end of the record"
    for name in RecordBody.__struct_fields__:
        if getattr(body, name) != getattr(right, name):
            path, is_, ought = first_difference(_plain(getattr(body, name)), _plain(getattr(right, name)), (name,))
            return f"by the rules {format_path(path)} is {ought}, not {is_}"
    return "by the rules its fields are the same, but it is spelled in another way"


def _plain(value: object) -> Json:
    plain: Json = msgspec.json.decode(msgspec.json.encode(value))
    return plain


def first_difference(one: Json, other: Json, path: JsonPath) -> tuple[JsonPath, str, str]:
    """Return the innermost path at which two values differ, and both values there.

    An object lacks a field that has its default; then the difference is that of the whole objects.
    """
    for step, left, right in _child_pairs(one, other):
        if left != right:
            return first_difference(left, right, (*path, step))
    return path, msgspec.json.encode(one).decode(), msgspec.json.encode(other).decode()


def _child_pairs(one: Json, other: Json) -> list[tuple[str | int, Json, Json]]:
    """Return the parts of two values of one shape, side by side; none where the shapes differ."""
    if isinstance(one, Mapping) and isinstance(other, Mapping) and list(one) == list(other):
        return [(name, one[name], other[name]) for name in one]
    if _is_sequence(one) and _is_sequence(other) and len(one) == len(other):
        return [(number, *pair) for number, pair in enumerate(zip(one, other, strict=True))]
    return []


def _is_sequence(value: Json) -> TypeGuard[Sequence[Json]]:
    return isinstance(value, Sequence) and not isinstance(value, str)


def event_kind(event: Struct) -> str:
    return str(event.__struct_config__.tag)
