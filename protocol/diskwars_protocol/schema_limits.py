"""Limits that only the schema states, checked on content and positions: readers of records do not (`schema_types`)."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from msgspec import Struct
from msgspec import inspect as mi

MAX_ITEMS = 4_096
"""Items of an array that are looked at: no pack and no position has more; 100,000 took two seconds."""


def limit_faults(entry: Struct) -> Iterator[str]:
    """Yield a fault for each field whose value is outside of what the schema states of its type."""
    yield from _struct_problems(entry, "")


def _struct_problems(entry: Struct, place: str) -> Iterator[str]:
    for field in _fields(type(entry)):
        yield from _problems(getattr(entry, field.name), field.type, f"{place}{field.name}")


@cache
def _fields(kind: type[Struct]) -> tuple[mi.Field, ...]:
    info = mi.type_info(kind)
    return info.fields if isinstance(info, mi.StructType) else ()


def _problems(value: Any, info: mi.Type, place: str) -> Iterator[str]:
    match info:
        case mi.Metadata(type=inner, extra_json_schema=stated):
            yield from (f"{place}: {problem}" for problem in _stated_problems(value, stated or {}))
            yield from _problems(value, inner, place)
        case mi.VarTupleType() if len(value) > MAX_ITEMS:
            yield f"{place}: longer than {MAX_ITEMS}"
        case mi.VarTupleType(item_type=item):
            for number, part in enumerate(value):
                yield from _problems(part, item, f"{place}[{number}]")
        case mi.TupleType(item_types=items):
            for number, (part, item) in enumerate(zip(value, items, strict=True)):
                yield from _problems(part, item, f"{place}[{number}]")
        case mi.StructType():
            yield from _struct_problems(value, f"{place}.")
        case mi.UnionType(types=types) if isinstance(value, Struct):
            yield from _struct_problems(value, f"{place}.")
        case mi.UnionType(types=types) if value is not None:
            others = [member for member in types if not isinstance(member, mi.NoneType | mi.StructType)]
            if len(others) == 1:
                yield from _problems(value, others[0], place)
        case _:
            pass


def _stated_problems(value: Any, stated: dict[str, Any]) -> Iterator[str]:
    size = value if isinstance(value, int) else len(value)
    least = stated.get("minimum", stated.get("minItems", stated.get("minLength", size)))
    most = stated.get("maximum", stated.get("maxItems", stated.get("maxLength", size)))
    if size < least:
        yield f"{value!r} is below {least}" if size == value else f"shorter than {least}"
    if size > most:
        yield f"{value!r} is above {most}" if size == value else f"longer than {most}"
    pattern = stated.get("pattern")
    if pattern and isinstance(value, str) and not re.search(pattern, value):
        yield f"{value!r} does not match {pattern}"
