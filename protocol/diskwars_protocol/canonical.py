"""Canonical JSON: the one spelling of a value, and the texts that are not allowed.

It equals JavaScript's `JSON.stringify(JSON.parse(x))`, so that its hash is the same everywhere.
"""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

import msgspec

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
    """A text that is not the JSON we speak; `place` is like `$.a[2].b`, `why` is a stable word."""

    def __init__(self, place: str, why: JsonFault) -> None:
        super().__init__(f"{place}: {FAULT_TEXTS[why]}")
        self.place = place
        self.kind: JsonFault = why


class NotCanonical(InvalidJson):
    """A text or a value that has no place in a record."""


def _reject_float(text: str) -> float:
    raise ValueError(text)


def _placeholder_float(text: str) -> float:
    """Keep the kind, not the value: 1e999999 is found as a float and does not become an error of the decoder."""
    return float(1)


def _bounded_integer(text: str) -> int:
    """Python refuses to read integers of thousands of digits; any integer beyond the limit does as well."""
    return int(text) if len(text) < 20 else MAX_SAFE_INTEGER + 1


def _reject_constant(text: str) -> object:
    raise ValueError(text)


_STRICT_DECODER = msgspec.json.Decoder(float_hook=_reject_float)
_LENIENT_DECODER = msgspec.json.Decoder(float_hook=_placeholder_float)
_UNTYPED_DECODER = msgspec.json.Decoder()
_ENCODER = msgspec.json.Encoder()

# A whole text, closed or not, or one bracket; possessive, so that hostile input costs linear time.
STRING_OR_BRACKET = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)

_INTEGER_KEY = re.compile(r"-?[0-9]+")
_INTEGER_KEY_BYTES = re.compile(rb'"-?[0-9]+":')
_SURROGATE = re.compile("[\ud800-\udfff]")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Every digit becomes 0, every byte but the quote and the colon a space: two substring searches then rule out trouble.
_SHAPE_TABLE = bytes(0x30 if 0x30 <= byte <= 0x39 else byte if byte in b'":' else 0x20 for byte in range(256))
_LONG_NUMBER_SHAPE = b"0" * 16
# Characters that may precede a number become a comma, what only a float has a full stop, digits and signs are left out:
# a float is a comma with a full stop after it. A text may look like one too, and then the slow way tells.
_FLOAT_TABLE = bytes(0x2C if byte in b":,[" else 0x2E if byte in b".eE" else 0x20 for byte in range(256))
_DIGITS_AND_MINUS = b"-0123456789"
_FLOAT_SHAPE = b",."
_SQUARE_BRACKET_TABLE = bytes.maketrans(b"{}", b"[]")
_NON_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
_DIGIT_BEFORE_COLON = b'0":'


def encode_canonical(value: object, are_plain: bool = False) -> bytes:
    """Return the one spelling of a value (structs and builtins), equal to JavaScript's `JSON.stringify(JSON.parse(x))`.

    Raises NotCanonical for what has none: floats, integers beyond MAX_SAFE, keys that look like integers, U+0000,
    lone surrogates, more than MAX_DEPTH nested arrays and objects. `are_plain` says that the value, or each one of an
    array, is of a type that `is_plain`, which spares reading again what was just written.
    """
    try:
        raw = _ENCODER.encode(value)
    except UnicodeEncodeError:
        raise NotCanonical("$", "lone_surrogate") from None
    except RecursionError:
        raise NotCanonical("$", "too_deep") from None
    if not (are_plain and _is_valid_if_plain(raw)):
        check_canonical(raw)
    return raw


def encode_canonical_each(values: Sequence[object], are_plain: bool = False) -> list[bytes]:
    """`canonical` of each of them, looked at together. Raises NotCanonical for the first that has no such spelling."""
    try:
        found = [_ENCODER.encode(value) for value in values]
    except (UnicodeEncodeError, RecursionError):
        found = []
    if found and are_plain and _is_valid_if_plain(b",".join(found)):
        return found
    is_plain = found and _is_certainly_spelled(b"[" + b",".join(found) + b"]") and all(map(_is_within_depth, found))
    return found if is_plain else [encode_canonical(value) for value in values]


def is_plain_type(type: object) -> bool:
    """Return whether every value of this type has one spelling and never nests too deeply.

    Texts, integers, truth values, arrays, structs and maps by texts do; not so floats, sets, JSON that is ready-made,
    and types that hold themselves. What is left to look at are the numbers and texts that no record may hold.
    """
    depth = _max_nesting(msgspec.inspect.type_info(type))
    return depth is not None and depth < MAX_DEPTH  # and one more, for the array in which some of them stand


def _max_nesting(type: msgspec.inspect.Type, outer: tuple[object, ...] = ()) -> int | None:
    """Return how many arrays and structs a value nests at most; None where that is not known, or it is not plain."""
    match type:
        case msgspec.inspect.IntType() | msgspec.inspect.StrType() | msgspec.inspect.BoolType():
            return 0
        case msgspec.inspect.NoneType() | msgspec.inspect.LiteralType():
            return 0
        case msgspec.inspect.UnionType(types=types):
            inner, own = types, 0
        case msgspec.inspect.StructType(cls=cls, fields=fields) if cls not in outer:
            outer, inner, own = (*outer, cls), tuple(field.type for field in fields), 1
        case msgspec.inspect.TupleType(item_types=types):
            inner, own = types, 1
        case msgspec.inspect.VarTupleType(item_type=item) | msgspec.inspect.ListType(item_type=item):
            inner, own = (item,), 1
        case msgspec.inspect.DictType(key_type=msgspec.inspect.StrType(), value_type=item):
            inner, own = (item,), 1
        case _:
            return None
    depths = [_max_nesting(each, outer) for each in inner]
    known = [depth for depth in depths if depth is not None]
    return None if len(known) < len(depths) else own + max(known, default=0)


def check_canonical(raw: bytes) -> None:
    """Raise NotCanonical unless `raw` is byte for byte what `canonical` would write."""
    if _is_certainly_canonical(raw):
        return
    try:
        check_json(raw)
    except InvalidJson as fault:
        raise NotCanonical(fault.place, fault.kind) from None
    again = _ENCODER.encode(_UNTYPED_DECODER.decode(raw))
    if again != raw:
        differing = next((i for i, (a, b) in enumerate(zip(raw, again, strict=False)) if a != b), len(again))
        raise NotCanonical(f"byte {differing}", "spelling")


def check_json(raw: bytes, max_depth: int = MAX_DEPTH) -> None:
    """Raise BadJson for what no message may hold; any spelling of a good text passes. Linear, times the depth."""
    if _is_certainly_valid(raw, max_depth):
        return
    deep = _find_too_deep(raw, max_depth)
    if deep is not None:
        raise InvalidJson(f"byte {deep}", "too_deep")
    try:
        value = _LENIENT_DECODER.decode(raw)
    except RecursionError:
        raise InvalidJson("$", "too_deep") from None
    except ValueError:  # all of msgspec's errors, and bytes that are not UTF-8
        _raise_decode_fault(raw)
    else:
        _raise_fault(value)


def format_path(path: JsonPath) -> str:
    """`("a", 2, "b c")` as `$.a[2]["b c"]`."""
    words = ["$"]
    for step in path:
        if isinstance(step, int):
            words.append(f"[{step}]")
        else:
            words.append(f".{step}" if _NAME.fullmatch(step) else f"[{json.dumps(step)}]")
    return "".join(words)


def _is_certainly_canonical(raw: bytes) -> bool:
    """True only for canonical text; False also for the rare good text that needs the slow way to be sure."""
    return _is_certainly_spelled(raw) and _is_within_depth(raw)


def _is_certainly_spelled(raw: bytes) -> bool:
    """Return the same, however deep it is nested."""
    try:
        if _ENCODER.encode(_STRICT_DECODER.decode(raw)) != raw:
            return False
    except (ValueError, RecursionError):
        return False
    return _has_valid_shape(raw)


def _is_valid_if_plain(raw: bytes) -> bool:
    """Return whether freshly encoded values of plain types contain only what a record may contain."""
    return _FLOAT_SHAPE not in (b"," + raw).translate(_FLOAT_TABLE, _DIGITS_AND_MINUS) and _has_valid_shape(raw)


def _has_valid_shape(raw: bytes) -> bool:
    shape = raw.translate(_SHAPE_TABLE)
    if _LONG_NUMBER_SHAPE in shape or b"\\u0000" in raw:
        return False
    return _DIGIT_BEFORE_COLON not in shape or _INTEGER_KEY_BYTES.search(raw) is None


def _is_certainly_valid(raw: bytes, max_depth: int) -> bool:
    """True only for good JSON; False also for the good text that needs the slow way to be sure.

    Without blanks, escapes and long numbers nothing is left that only a walk through the value would find.
    """
    if not raw.isascii() or len(raw.split(None, 1)) != 1 or not _is_within_depth(raw, max_depth):
        return False
    shape = raw.translate(_SHAPE_TABLE)
    if b"\\u" in raw or _LONG_NUMBER_SHAPE in shape or _DIGIT_BEFORE_COLON in shape:
        return False
    try:
        _STRICT_DECODER.decode(raw)
    except (ValueError, RecursionError):
        return False
    return True


def _is_within_depth(raw: bytes, max_depth: int = MAX_DEPTH) -> bool:
    """Return whether valid JSON is nested within the limit; each round removes the innermost pairs of brackets."""
    if raw.count(b"[") + raw.count(b"{") <= max_depth:
        return True
    if b"\\" in raw:
        return False  # quotes cannot simply be counted
    brackets = b"".join(raw.split(b'"')[::2]).translate(_SQUARE_BRACKET_TABLE, _NON_BRACKETS)
    for _ in range(max_depth):
        if not brackets:
            return True
        before, brackets = len(brackets), brackets.replace(b"[]", b"")
        if len(brackets) == before:  # no pair is left: this is no good JSON
            return False
    return not brackets


def _find_too_deep(raw: bytes, max_depth: int) -> int | None:
    """Return the byte at which the nesting exceeds the limit; decided before any parser recurses."""
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


def _raise_decode_fault(raw: bytes) -> None:
    """The fast decoder refused: names a lone surrogate or an endless integer with its place; all else is not JSON."""
    try:
        value: Json = json.loads(
            raw.decode(), parse_float=_placeholder_float, parse_int=_bounded_integer, parse_constant=_reject_constant
        )
    except ValueError:
        raise InvalidJson("$", "not_json") from None
    _raise_fault(value)
    raise InvalidJson("$", "not_json")


def _raise_fault(value: Json) -> None:
    found = _find_fault(value)
    if found is not None:
        path, why = found
        raise InvalidJson(format_path(path), why)


def _find_fault(value: "Json | float") -> tuple[JsonPath, JsonFault] | None:
    """Return the first banned thing in document order; the path is built only on the way out."""
    if isinstance(value, str):
        why = _text_fault(value)
        return ((), why) if why else None
    if isinstance(value, int):
        return None if -MAX_SAFE_INTEGER <= value <= MAX_SAFE_INTEGER else ((), "big_integer")
    if isinstance(value, list):
        return _first_fault(enumerate(value))
    if isinstance(value, dict):
        return _key_fault(value) or _first_fault(value.items())
    return None if value is None else ((), "float")


def _first_fault(items: Iterable[tuple[str | int, Json]]) -> tuple[JsonPath, JsonFault] | None:
    for step, item in items:
        found = _find_fault(item)
        if found is not None:
            return (step, *found[0]), found[1]
    return None


def _key_fault(value: dict[str, Json]) -> tuple[JsonPath, JsonFault] | None:
    for name in value:
        # JavaScript moves such keys to the front, so no order of writing would be stable
        why = "integer_key" if _INTEGER_KEY.fullmatch(name) else _text_fault(name)
        if why is not None:
            return (name,), why
    return None


def _text_fault(text: str) -> JsonFault | None:
    if "\0" in text:
        return "nul"
    if not text.isascii() and _SURROGATE.search(text):
        return "lone_surrogate"
    return None
