"""Check that JSON from a client names existing fields only, at every level.

Readers of records pass over fields that they do not know, so structs of a ruleset do not forbid them. What a client
sends is checked here instead: a misspelled field must not fall back to its default.
"""

from functools import lru_cache

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from diskwars_protocol.connection.shape_faults import step_to
from diskwars_protocol.suggestions import suggest


class UnknownField(ValueError):
    """A field that its object does not have. `place` is its path below what was checked, such as `.disks[0].turn`."""

    def __init__(self, name: str, known: tuple[str, ...], place: str) -> None:
        super().__init__(f"there is no field `{name}` here{suggest(name, known)}")
        self.place = place


def check_known_fields(raw: bytes, value: object) -> None:
    """Check that every field of the JSON was decoded into `value`. Raises UnknownField for the first that was not."""
    _check(msgspec.json.decode(raw), value, "")


def _check(plain: object, value: object, place: str) -> None:
    if isinstance(plain, dict) and isinstance(value, Struct):
        attributes, tag = _fields_of(type(value))
        for name, inner in plain.items():
            attribute = attributes.get(name)
            if attribute is not None:
                _check(inner, getattr(value, attribute), f"{place}.{name}")
            elif name != tag:
                raise UnknownField(name, tuple(attributes), place + step_to(name))
    elif isinstance(plain, list) and isinstance(value, list | tuple):
        for number, (inner, decoded) in enumerate(zip(plain, value, strict=True)):
            _check(inner, decoded, f"{place}[{number}]")


@lru_cache(256)
def _fields_of(kind: type[Struct]) -> tuple[dict[str, str], str | None]:
    """Return the attributes of a struct by their names in JSON, and the name of its tag field, if it has one."""
    return {field.encode_name: field.name for field in fields(kind)}, kind.__struct_config__.tag_field
