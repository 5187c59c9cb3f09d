"""What is wrong with JSON of another shape than expected: in our own words, and with the place of the field.

The decoder's words name types of Python and signs of arithmetic, and its place of a field that is missing or unknown is
the object around it.
"""

import json
import re
from collections.abc import Callable
from typing import Any

from diskwars_protocol.connection.field_bounds import describe_form
from diskwars_protocol.records.canonical import JsonPath, format_path

MAX_PLACED_NAME = 64
"""Letters of a field in a place. A longer one is no field, and may be as long as the frame."""
_KINDS = {
    "int": "a whole number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
    "float": "a number",
}
_UNITS = {"str": "characters", "array": "items", "object": "fields"}
_BOUNDS = {"<=": "at most", ">=": "at least", "<": "less than", ">": "more than", "==": "exactly"}
_FIELD = re.compile(r"Object (?:missing required|contains unknown) field `(.*)`", re.DOTALL)


def place_of_field(text: str, place: str) -> str:
    """Return the place of the field that the decoder's sentence is about: below `place` where it names a field."""
    field = _FIELD.fullmatch(text)
    return place + step_to(field[1]) if field else place


def step_to(name: str) -> str:
    """Return the end of the place of a field of any name."""
    return "" if len(name) > MAX_PLACED_NAME else format_path((name,))[1:]


def describe_shape_fault(text: str) -> str:
    """Return a sentence of the decoder in our own words; one that is not known here as it is."""
    for pattern, describe in _SENTENCES:
        found = pattern.fullmatch(text)
        if found:
            return describe(found)
    return text


def _describe_kinds(kinds: str) -> str:
    return " or ".join(_KINDS.get(kind, kind) for kind in kinds.split(" | "))


def _describe_length(found: re.Match[str]) -> str:
    kind, sign, number = found[1], found[2], found[3]
    return f"expected {_KINDS.get(kind, kind)} of {_BOUNDS[sign]} {number} {_UNITS.get(kind, 'parts')}"


_SENTENCES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = tuple(
    (re.compile(pattern, re.DOTALL), describe)
    for pattern, describe in (
        (r"Expected `str` matching regex '(.*)'", lambda found: describe_form(found[1])),
        (r"Object missing required field `(.*)`", lambda found: f"the field `{found[1]}` is missing"),
        (r"Object contains unknown field `(.*)`", lambda found: f"there is no field `{found[1]}` here"),
        (r"Invalid (?:enum )?value (.*)", lambda found: f"{found[1]} is not one of the values"),
        (r"Expected `(\w+)` of length (<=|>=|<|>|==) (\d+)", _describe_length),
        (
            r"Expected `(?:int|float)` (<=|>=|<|>|==) (-?\d+)",
            lambda found: f"expected a number of {_BOUNDS[found[1]]} {found[2]}",
        ),
        (
            r"Expected `([^`]*)`, got `([^`]*)`",
            lambda found: f"expected {_describe_kinds(found[1])}, got {_describe_kinds(found[2])}",
        ),
        (r"Expected `([^`]*)`", lambda found: f"expected {_describe_kinds(found[1])}"),
    )
)


class _Pairs(list[tuple[str, Any]]):
    """The fields of an object in the order of the text."""


def find_repeated_key(frame: str) -> str | None:
    """Return the place of a key that stands twice in its object; None where there is none.

    The text is valid JSON.
    """
    path = _find_path(json.loads(frame, object_pairs_hook=_Pairs, parse_int=len, parse_float=len), ())
    return None if path is None else format_path(path[:-1]) + step_to(str(path[-1]))


def _find_path(value: object, path: JsonPath) -> JsonPath | None:
    """Return the path of the first key that stands twice, in the order of the text."""
    known = set[str]()
    items = value if isinstance(value, _Pairs) else list(enumerate(value)) if isinstance(value, list) else []
    for step, child in items:
        if step in known:
            return (*path, step)
        if isinstance(step, str):
            known.add(step)
        if found := _find_path(child, (*path, step)):
            return found
    return None
