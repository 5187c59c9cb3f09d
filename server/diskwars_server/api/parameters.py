"""Parameters of requests over HTTP, read from path and query into the structs of the protocol.

What a struct says about its fields holds here too: types, bounds and forms. A text is taken for a number or for true
and false where the field is one.
"""

import re
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, TypeVar
from urllib.parse import unquote_to_bytes

import msgspec
from msgspec import Struct
from msgspec import inspect as mi

from diskwars_protocol.connection.connection import parse_validation_error
from diskwars_protocol.connection.field_bounds import OutOfBounds, check_bounds
from diskwars_protocol.connection.shape_faults import describe_shape_fault, place_of_field
from diskwars_protocol.suggestions import suggest
from diskwars_server.refusals import Refusal

MAX_PARAMETERS = 64
"""Parameters of one query."""
MAX_QUERY_LENGTH = 4096
NOT_PARAMETERS = frozenset({"id", "follow", "mine", "settings"})
"""Fields of requests that only a connection has a use for, or that no query can hold."""
TEXT_PATTERN = r"^[^\u0000-\u001f\u007f-\u009f]*$"
"""The form of every text: no store takes U+0000, and no name has a line break."""

_TEXT = re.compile(TEXT_PATTERN)
_NUMBER = re.compile("-?(?:0|[1-9][0-9]{0,18})")

RequestT = TypeVar("RequestT", bound=Struct)


def read_request(
    kind: type[RequestT], operation: str, fields: Mapping[str, mi.Field], named: Mapping[str, str], query: str
) -> RequestT:
    """Return the request that path and query stand for. Raises Refusal.

    `fields` are its parameters, and `named` the parts of the path by their names. `operation` becomes the id of the
    request, if it has one.
    """
    values: dict[str, Any] = dict(decode_parts(named))
    for name, text in values.items():
        _check_spelling(fields[name], text, f"$.{name}")
    for name, text in _split_query(query):
        place = f"$.{name}"
        if name not in fields or name in named:
            raise Refusal(
                "wrong_shape", f"there is no such parameter{suggest(name, _open_names(fields, named))}", place
            )
        _check_spelling(fields[name], text, place)
        if is_list(fields[name]):
            values.setdefault(name, []).append(text)
        elif name in values:
            raise Refusal("wrong_shape", "the parameter stands twice", place)
        else:
            values[name] = text
    if "id" in kind.__struct_fields__:
        values["id"] = operation
    try:
        request = msgspec.convert(values, kind, strict=False)
        check_bounds(request)
    except msgspec.ValidationError as fault:
        text, place = parse_validation_error(fault)
        raise Refusal("wrong_shape", describe_shape_fault(text), place_of_field(text, place)) from None
    except OutOfBounds as fault:
        raise Refusal("wrong_shape", str(fault), fault.place) from None
    return request


def decode_parts(named: Mapping[str, str]) -> dict[str, str]:
    """Return the parts of a path, by name, without their escapes. Raises Refusal."""
    return {name: _decode_part(text, f"$.{name}") for name, text in named.items()}


@cache
def parameter_fields(kind: type[Struct], hidden: frozenset[str] = frozenset()) -> Mapping[str, mi.Field]:
    """Return the fields of a request that are parameters, by name; without those that are `hidden`."""
    info = mi.type_info(kind)
    assert isinstance(info, mi.StructType)
    return {field.encode_name: field for field in info.fields if field.encode_name not in NOT_PARAMETERS | hidden}


def is_list(field: mi.Field) -> bool:
    """Return whether a parameter may stand several times."""
    return any(isinstance(member, mi.VarTupleType) for member in _members(field.type))


def _members(info: mi.Type) -> tuple[mi.Type, ...]:
    """Return the types that a field may have, without their bounds and forms."""
    if isinstance(info, mi.Metadata):
        return _members(info.type)
    if isinstance(info, mi.UnionType):
        return tuple(member for part in info.types for member in _members(part))
    return (info,)


def _check_spelling(field: mi.Field, text: str, place: str) -> None:
    """Raise Refusal for another spelling: msgspec takes 1e3 for 1000, 1 for true, and null for nothing."""
    members = _members(field.type)
    if text.lower() == "null" and not any(isinstance(member, mi.StrType) for member in members):
        raise Refusal("wrong_shape", "expected a value, or the parameter left out", place)
    for member in members:
        if isinstance(member, mi.IntType) and not _NUMBER.fullmatch(text):
            raise Refusal("wrong_shape", "expected a whole number in digits", place)
        if isinstance(member, mi.BoolType) and text not in ("true", "false"):
            raise Refusal("wrong_shape", "expected true or false", place)


def _open_names(fields: Mapping[str, mi.Field], named: Collection[str]) -> tuple[str, ...]:
    return tuple(name for name in fields if name not in named)


def _split_query(query: str) -> list[tuple[str, str]]:
    """Return the names and texts of a query. Raises Refusal."""
    if len(query) > MAX_QUERY_LENGTH:
        raise Refusal("wrong_shape", f"a query has at most {MAX_QUERY_LENGTH} characters", "$")
    parts = [part for part in query.split("&") if part]
    if len(parts) > MAX_PARAMETERS:
        raise Refusal("wrong_shape", f"a query has at most {MAX_PARAMETERS} parameters", "$")
    return [_read_pair(part) for part in parts]


def _read_pair(part: str) -> tuple[str, str]:
    name, _, text = part.partition("=")
    name = _decode_part(name, "$", is_form=True)
    return name, _decode_part(text, f"$.{name}", is_form=True)


def _decode_part(text: str, place: str, *, is_form: bool = False) -> str:
    """Return a part of a path or of a query without its escapes. Raises Refusal."""
    try:
        decoded = unquote_to_bytes(text.replace("+", " ") if is_form else text).decode()
    except UnicodeDecodeError:
        raise Refusal("wrong_shape", "the escapes are no UTF-8", place) from None
    if not _TEXT.fullmatch(decoded):
        raise Refusal("wrong_shape", "the text has control characters", place)
    return decoded
