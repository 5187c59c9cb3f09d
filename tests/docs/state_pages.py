"""Tables of the pages on match states, and what an event has changed in a state."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import msgspec
from msgspec import NODEFAULT, UNSET, Struct
from msgspec.structs import FieldInfo, fields

Json: TypeAlias = Any  # what json.loads gives

# ---------------------------------------------------------------- tables


def rows(table: str) -> list[list[str]]:
    """Return the cells of the rows of a Markdown table, without its head."""
    lines = [line for line in table.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[2:]]


def marked_table(page: str, mark: str) -> list[list[str]]:
    """Return the rows of a table between `<!-- mark -->` and `<!-- end -->`."""
    return rows(page.split(f"<!-- {mark} -->\n", 1)[1].split("<!-- end -->", 1)[0])


def first_table(page: str, heading: str) -> list[list[str]]:
    """Return the first table under a heading."""
    section = page.split(f"\n{heading}\n", 1)[1]
    return rows(section[section.index("\n|") :].split("\n\n", 1)[0])


def code_words(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


# ---------------------------------------------------------------- changes


def documented_changes(page: str, mark: str) -> dict[str, set[str]]:
    """Return the fields that each event changes, as the page names them."""
    fields_by_event: dict[str, set[str]] = {}
    kind = ""
    for event, field, _ in marked_table(page, f"changes {mark}"):
        kind = code_words(event)[0] if event else kind
        fields_by_event.setdefault(kind, set()).update(["all"] if field == "all" else code_words(field))
    return fields_by_event


def changed_fields(before: object, after: object, path: str = "") -> Iterator[str]:
    """Yield the places in which two states differ, all elements of an array under the same name."""
    if before is after:
        return
    if isinstance(before, Struct) and type(before) is type(after):
        for name in before.__struct_fields__:
            yield from changed_fields(getattr(before, name), getattr(after, name), f"{path}.{name}" if path else name)
    elif isinstance(before, tuple) and isinstance(after, tuple) and is_array_of_structs(before, after):
        for one, other in zip(before, after, strict=True):
            yield from changed_fields(one, other, f"{path}[]")
    elif before != after:
        yield path


def is_array_of_structs(before: tuple[object, ...], after: tuple[object, ...]) -> bool:
    return len(before) == len(after) and bool(before) and all(isinstance(item, Struct) for item in before)


def is_covered(place: str, documented: Iterable[str]) -> bool:
    return any(
        name == "all" or place == name or place.startswith((f"{name}.", f"{name}[]", f"{name}.".replace("[].", "[]")))
        for name in documented
    )


# ---------------------------------------------------------------- defaults


def default_of(field: FieldInfo) -> Json:
    """Return the JSON of a field's default; UNSET where it has none."""
    if field.default is not NODEFAULT:
        return json.loads(msgspec.json.encode(field.default))
    return UNSET if field.default_factory is NODEFAULT else []


def defaults(kind: type[Struct]) -> list[tuple[str, Json]]:
    return [(field.encode_name, default_of(field)) for field in fields(kind)]
