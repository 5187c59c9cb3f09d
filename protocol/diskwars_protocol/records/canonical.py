"""Canonical JSON: the one spelling of a value, and the content that messages and records must not have.

The spelling equals JavaScript's `JSON.stringify(JSON.parse(x))`, so that its hash is the same everywhere. This module
is the definition; `canonical_fast` only answers early where the answer is certain, and is tested to agree with it.
"""

import json
import re
from collections.abc import Iterable
from typing import Literal, TypeAlias

import msgspec

from diskwars_protocol.records import canonical_fast

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"
JsonPath: TypeAlias = tuple[str | int, ...]
JsonFault: TypeAlias = Literal[
    "not_json", "too_deep", "float", "big_integer", "integer_key", "nul", "lone_surrogate", "spelling"
]

MAX_SAFE_INTEGER = 2**53 - 1
MAX_DEPTH = 32

FAULT_TEXTS: dict[JsonFault, str] = {
    "not_json": "this is not JSON",
    "too_deep": "arrays and objects are nested too deeply",
    "float": "only integers are allowed",
    "big_integer": "integers must lie between -(2^53 - 1) and 2^53 - 1",
    "integer_key": "a key must not look like an integer",
    "nul": "a text must not hold U+0000",
    "lone_surrogate": "a text must not hold half of a surrogate pair",
    "spelling": "this is not the canonical spelling",
}


class InvalidJson(Exception):
    """Error for text outside our subset of JSON; `place` is like `$.a[2].b`."""

    def __init__(self, place: str, kind: JsonFault) -> None:
        super().__init__(f"{place}: {FAULT_TEXTS[kind]}")
        self.place = place
        self.kind: JsonFault = kind


class NotCanonical(InvalidJson):
    """Error for text that is not canonical, or a value that has no canonical spelling."""


# A whole string, closed or not, or one bracket. Possessive quantifiers keep hostile input at linear time.
STRING_OR_BRACKET = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)

_INTEGER_KEY = re.compile(r"-?[0-9]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ENCODER = msgspec.json.Encoder()
_UNTYPED_DECODER = msgspec.json.Decoder()


# ---------------------------------------------------------------- interface


def encode_canonical(value: object, are_plain: bool = False) -> bytes:
    """Encode a value (structs and builtins) in its canonical spelling.

    `are_plain` states that its type passes `canonical_fast.is_plain_type`; then the result is not decoded again to
    check it, which took a tenth of an action's time in the server. Raises `NotCanonical` for floats, integers beyond
    MAX_SAFE_INTEGER, keys that look like integers, U+0000, lone surrogates, and nesting deeper than MAX_DEPTH.
    """
    try:
        raw = _ENCODER.encode(value)
    except UnicodeEncodeError:
        raise NotCanonical("$", "lone_surrogate") from None
    except RecursionError:
        raise NotCanonical("$", "too_deep") from None
    if not (are_plain and canonical_fast.is_valid_if_plain(raw)):
        check_canonical(raw)
    return raw


def check_canonical(raw: bytes) -> None:
    """Check that `raw` is byte for byte what `encode_canonical` would write. Raises `NotCanonical`."""
    if not canonical_fast.is_certainly_canonical(raw, MAX_DEPTH):
        check_canonical_by_definition(raw)


def check_json(raw: bytes, max_depth: int = MAX_DEPTH) -> None:
    """Check the content of JSON text in any spelling. Raises `InvalidJson`.

    The time is linear in the length of the text, times its depth.
    """
    if not canonical_fast.is_certainly_valid(raw, max_depth):
        check_json_by_definition(raw, max_depth)


def format_path(path: JsonPath) -> str:
    """Format a path as text: `("a", 2, "b c")` becomes `$.a[2]["b c"]`."""
    parts = ["$"]
    for step in path:
        if isinstance(step, int):
            parts.append(f"[{step}]")
        else:
            parts.append(f".{step}" if _NAME.fullmatch(step) else f"[{json.dumps(step)}]")
    return "".join(parts)


# ---------------------------------------------------------------- the definition


def check_canonical_by_definition(raw: bytes) -> None:
    """Check that text is valid and stays the same when it is decoded and encoded again. Raises `NotCanonical`."""
    try:
        check_json_by_definition(raw)
    except InvalidJson as fault:
        raise NotCanonical(fault.place, fault.kind) from None
    again = _ENCODER.encode(_UNTYPED_DECODER.decode(raw))
    if again != raw:
        differing = next((i for i, (a, b) in enumerate(zip(raw, again, strict=False)) if a != b), len(again))
        raise NotCanonical(f"byte {differing}", "spelling")


def check_json_by_definition(raw: bytes, max_depth: int = MAX_DEPTH) -> None:
    """Check that text is JSON of limited depth in which `_find_fault` finds nothing. Raises `InvalidJson`."""
    position = _find_too_deep(raw, max_depth)
    if position is not None:
        raise InvalidJson(f"byte {position}", "too_deep")
    try:
        value = _LENIENT_DECODER.decode(raw)
    except RecursionError:
        raise InvalidJson("$", "too_deep") from None
    except ValueError:  # all of msgspec's errors, and bytes that are not UTF-8
        _raise_fault(_decode_faulty(raw))
        raise InvalidJson("$", "not_json") from None
    _raise_fault(value)
    _raise_hidden_float(raw)


def _find_too_deep(raw: bytes, max_depth: int) -> int | None:
    """Find the byte at which the nesting exceeds the limit, before any parser recurses into it."""
    if raw.count(b"[") + raw.count(b"{") <= max_depth:
        return None
    depth = 0
    for token in STRING_OR_BRACKET.finditer(raw):
        first = raw[token.start()]
        if first in b"[{":
            depth += 1
            if depth > max_depth:
                return token.start()
        elif first in b"]}":
            depth -= 1
    return None


def _reject_float(text: str) -> float:
    raise ValueError(text)


def _placeholder_float(text: str) -> float:
    """Return the same float for every text, so that 1e999999 is reported as a float and not as a decoding error."""
    return float(1)


def _bounded_integer(text: str) -> int:
    """Parse an integer, replacing long ones by one beyond the limit: Python refuses to parse thousands of digits."""
    return int(text) if len(text) < 20 else MAX_SAFE_INTEGER + 1


def _reject_constant(text: str) -> object:
    raise ValueError(text)


_LENIENT_DECODER = msgspec.json.Decoder(float_hook=_placeholder_float)
_FLOATLESS_DECODER = msgspec.json.Decoder(float_hook=_reject_float)


def _decode_faulty(raw: bytes) -> Json:
    """Decode text that msgspec refuses but we can explain: lone surrogates and huge integers. Raises `InvalidJson`."""
    try:
        value: Json = json.loads(
            raw.decode(), parse_float=_placeholder_float, parse_int=_bounded_integer, parse_constant=_reject_constant
        )
    except ValueError:
        raise InvalidJson("$", "not_json") from None
    return value


def _raise_fault(value: Json) -> None:
    fault = _find_fault(value)
    if fault is not None:
        path, kind = fault
        raise InvalidJson(format_path(path), kind)


def _raise_hidden_float(raw: bytes) -> None:
    """Raise `InvalidJson` for a float under a repeated key.

    The decoded value has only the last value of such a key, but the decoder meets all of them.
    """
    try:
        _FLOATLESS_DECODER.decode(raw)
    except ValueError:
        raise InvalidJson("$", "float") from None


def _find_fault(value: "Json | float") -> tuple[JsonPath, JsonFault] | None:
    """Find the first fault in document order. The path is built on the way out, so a faultless walk builds none."""
    if isinstance(value, str):
        kind = _text_fault(value)
        return ((), kind) if kind else None
    if isinstance(value, int):
        return None if -MAX_SAFE_INTEGER <= value <= MAX_SAFE_INTEGER else ((), "big_integer")
    if isinstance(value, list):
        return _first_fault(enumerate(value))
    if isinstance(value, dict):
        return _key_fault(value) or _first_fault(value.items())
    return None if value is None else ((), "float")


def _first_fault(items: Iterable[tuple[str | int, Json]]) -> tuple[JsonPath, JsonFault] | None:
    for step, item in items:
        fault = _find_fault(item)
        if fault is not None:
            return (step, *fault[0]), fault[1]
    return None


def _key_fault(value: dict[str, Json]) -> tuple[JsonPath, JsonFault] | None:
    for name in value:
        # JavaScript moves keys that look like integers to the front, so their order would not be stable.
        kind = "integer_key" if _INTEGER_KEY.fullmatch(name) else _text_fault(name)
        if kind is not None:
            return (name,), kind
    return None


def _text_fault(text: str) -> JsonFault | None:
    if "\0" in text:
        return "nul"
    if not text.isascii() and _SURROGATE.search(text):
        return "lone_surrogate"
    return None
