"""Structs as lines of text, `kind field value ...`, both ways.

Fields with their default are left out. Texts with spaces are quoted, lists have commas, and `-` is nothing.
"""

import shlex
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

StructT = TypeVar("StructT", bound=Struct)

NOTHING = "-"


class PositionError(ValueError):
    """A text that is no position; the message begins with the number of the line."""


def write_line(kind: str, written: Mapping[str, str]) -> str:
    return " ".join([kind, *(f"{name} {shlex.quote(text)}" for name, text in written.items())])


def write_fields(struct: Struct, without: Iterable[str] = ()) -> dict[str, str]:
    """Return the texts of the fields that differ from their default."""
    left_out = frozenset(without)
    return {
        field.name: value_text(getattr(struct, field.name))
        for field in fields(struct)
        if field.name not in left_out and (field.default is NODEFAULT or getattr(struct, field.name) != field.default)
    }


def value_text(value: Any) -> str:
    if isinstance(value, tuple):
        return list_text(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return NOTHING if value is None else str(value)


def list_text(values: Iterable[Any]) -> str:
    return ",".join(map(str, values)) or NOTHING


def split_line(line: str) -> tuple[str, dict[str, str]]:
    """Return the kind of a line and its fields; both are empty for a blank line or a comment. Raises ValueError."""
    kind, *words = shlex.split(line, comments=True) or [""]
    if len(words) % 2:
        raise ValueError(f"{words[-1]!r} has no value")
    return kind, dict(zip(words[::2], words[1::2], strict=True))


def read_struct(kind: type[StructT], given: Mapping[str, str]) -> StructT:
    return kind(**read_fields(kind, given))


def read_fields(kind: type[Struct], given: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of fields from their texts. Raises ValueError."""
    types = {field.name: field.type for field in fields(kind)}
    unknown = sorted(set(given) - set(types))
    if unknown:
        raise ValueError(f"unknown field: {unknown[0]}")
    return {name: _read_value(types[name], text) for name, text in given.items()}


def _read_value(kind: Any, text: str) -> Any:
    """Return a value of the type of a field. Raises ValueError."""
    is_list = "tuple[" in str(kind)
    if is_list:
        return msgspec.convert([] if text == NOTHING else text.split(","), kind, strict=False)
    value: Any = {NOTHING: None, "yes": True, "no": False}.get(text, text)
    return msgspec.convert(value, kind, strict=False)


def read_numbers(text: str) -> tuple[int, ...]:
    return () if text == NOTHING else tuple(int(word) for word in text.split(","))


# ---------------------------------------------------------------- texts of several lines

Parts = dict[str, list[Any]]
"""The content of the lines of a text, by kind of line, in their order."""
PartReader = Callable[[dict[str, str], Parts], Any]
"""Returns what a line says, from its fields and the lines above it."""


def write_structs(kind: str, structs: Iterable[Struct], without: Iterable[str] = ()) -> list[str]:
    """Return a line for each struct."""
    left_out = tuple(without)
    return [write_line(kind, write_fields(struct, left_out)) for struct in structs]


def read_parts(text: str, readers: Mapping[str, PartReader]) -> Parts:
    """Return what a text says, every kind of line with the reader of that kind. Raises PositionError."""
    parts: Parts = {kind: [] for kind in readers}
    for number, line in enumerate(text.splitlines(), 1):
        try:
            kind, given = split_line(line)
            if kind and kind not in readers:
                raise ValueError(f"unknown kind of line: {kind!r}")
            if kind:
                parts[kind].append(readers[kind](given, parts))
        except (ValueError, KeyError, IndexError, TypeError) as fault:
            raise PositionError(f"line {number}: {fault}") from None
    return parts


def struct_reader(kind: type[Struct]) -> PartReader:
    """Return a reader of lines that are whole structs."""
    return lambda given, parts: read_struct(kind, given)


def fields_reader(kind: type[Struct]) -> PartReader:
    """Return a reader of lines with some fields of a struct; others come from other lines."""
    return lambda given, parts: read_fields(kind, given)


def first_part(parts: Parts, kind: str) -> Any:
    """Return what the line of a kind says. Raises PositionError if there is none."""
    if not parts[kind]:
        raise PositionError(f"line 1: a position needs a line `{kind}`")
    return parts[kind][0]


def place_of(id: str, kind: str, parts: Parts) -> int:
    """Return which line of a kind has an id. Raises ValueError."""
    ids = [part.id for part in parts[kind]]
    if id not in ids:
        raise ValueError(f"there is no {kind} {id!r} above this line")
    return ids.index(id)
