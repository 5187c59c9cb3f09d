"""Shortcuts for canonical JSON: cheap tests that return True only where the definition in `canonical` agrees.

False only means that the definition has to decide. Every body of a record and every frame passes these tests; the
definition walks each value in Python and takes several times as long.
"""

import re

import msgspec

MAX_PLAIN_DEPTH = 31
"""One less than the nesting limit of records, because some values of plain types are elements of one more array."""


def _reject_float(text: str) -> float:
    raise ValueError(text)


_ENCODER = msgspec.json.Encoder()
_STRICT_DECODER = msgspec.json.Decoder(float_hook=_reject_float)

_INTEGER_KEY_BYTES = re.compile(rb'"-?[0-9]+":')
# Maps every digit to 0, and every other byte except quote and colon to a space. Substring searches in the result then
# rule out long numbers and integer keys.
_SHAPE_TABLE = bytes(0x30 if 0x30 <= byte <= 0x39 else byte if byte in b'":' else 0x20 for byte in range(256))
_LONG_NUMBER_SHAPE = b"0" * 16
_LONG_NUMBER = re.compile(rb"[0-9]{16,}")
_MAX_SAFE_DIGITS = b"%d" % (2**53 - 1)
_DIGIT_BEFORE_COLON = b'0":'
# Maps characters that can precede a number to a comma and those that only a float contains to a full stop; digits and
# minus signs are deleted. A float is then a comma followed by a full stop. A string may contain the same, and then the
# definition decides.
_FLOAT_TABLE = bytes(0x2C if byte in b":,[" else 0x2E if byte in b".eE" else 0x20 for byte in range(256))
_DIGITS_AND_MINUS = b"-0123456789"
_FLOAT_SHAPE = b",."
_ESCAPE = re.compile(rb"\\.", re.DOTALL)
_SQUARE_BRACKET_TABLE = bytes.maketrans(b"{}", b"[]")
_NON_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")


def is_certainly_canonical(raw: bytes, max_depth: int) -> bool:
    """Return whether `raw` is canonical; False also for the rare canonical text that only the definition recognises."""
    try:
        if _ENCODER.encode(_STRICT_DECODER.decode(raw)) != raw:
            return False
    except (ValueError, RecursionError):
        return False
    return _has_valid_shape(raw) and _is_within_depth(raw, max_depth)


def is_certainly_valid(raw: bytes, max_depth: int) -> bool:
    """Return whether `raw` is valid JSON; False also for valid text that only the definition recognises."""
    if not _is_within_depth(raw, max_depth):
        return False
    return _is_certainly_plain(raw) or _is_valid_when_encoded_again(raw)


def _is_certainly_plain(raw: bytes) -> bool:
    """Return whether `raw` is JSON without blanks, escapes and long numbers.

    It has no fault that only a walk through the value would find.
    """
    if not raw.isascii() or len(raw.split(None, 1)) != 1:
        return False
    shape = raw.translate(_SHAPE_TABLE)
    if b"\\u" in raw or _LONG_NUMBER_SHAPE in shape or _DIGIT_BEFORE_COLON in shape:
        return False
    try:
        _STRICT_DECODER.decode(raw)
    except (ValueError, RecursionError):
        return False
    return True


def _is_valid_when_encoded_again(raw: bytes) -> bool:
    """Return whether `raw` is JSON whose value, written without blanks and escapes, has no fault.

    Strangers who choose their spelling would otherwise make the definition walk through each of their frames, which
    took 0.5 ms.
    """
    try:
        again = _ENCODER.encode(_STRICT_DECODER.decode(raw))
    except (ValueError, RecursionError):
        return False
    # An escaped backslash is no beginning of an escape, and an escaped quote is no end of a string.
    has_nul = b"\\u0000" in again.replace(b"\\\\", b"")
    spelled = _ESCAPE.sub(b"_", again) if b"\\" in again else again
    if has_nul or any(map(_is_too_long, _LONG_NUMBER.findall(_outside_strings(spelled)))):
        return False
    return _INTEGER_KEY_BYTES.search(spelled) is None


def _is_too_long(digits: bytes) -> bool:
    return len(digits) > len(_MAX_SAFE_DIGITS) or digits > _MAX_SAFE_DIGITS


def is_valid_if_plain(raw: bytes) -> bool:
    """Return whether the fresh encoding of a value of a plain type contains only what a record may contain."""
    return _FLOAT_SHAPE not in (b"," + raw).translate(_FLOAT_TABLE, _DIGITS_AND_MINUS) and _has_valid_shape(raw)


def is_plain_type(type: object) -> bool:
    """Return whether every value of a type has only one spelling and never nests too deeply.

    Strings, integers, booleans, arrays, structs and maps with string keys are plain; floats, sets, raw JSON and
    recursive types are not. For a plain type, only the numbers and strings of a value remain to be checked.
    """
    depth = _max_nesting(msgspec.inspect.type_info(type))
    return depth is not None and depth <= MAX_PLAIN_DEPTH


def _max_nesting(type: msgspec.inspect.Type, outer: tuple[object, ...] = ()) -> int | None:
    """Return the maximum nesting of arrays and structs in a value; None if it is unknown or the type is not plain."""
    match type:
        case msgspec.inspect.IntType() | msgspec.inspect.StrType() | msgspec.inspect.BoolType():
            return 0
        case msgspec.inspect.NoneType() | msgspec.inspect.LiteralType():
            return 0
        case msgspec.inspect.Metadata(type=described):  # a type with a description for the schema
            return _max_nesting(described, outer)
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
    depths = [_max_nesting(inner_type, outer) for inner_type in inner]
    known = [depth for depth in depths if depth is not None]
    return None if len(known) < len(depths) else own + max(known, default=0)


def _has_valid_shape(raw: bytes) -> bool:
    shape = raw.translate(_SHAPE_TABLE)
    if _LONG_NUMBER_SHAPE in shape or b"\\u0000" in raw:
        return False
    return _DIGIT_BEFORE_COLON not in shape or _INTEGER_KEY_BYTES.search(raw) is None


def _is_within_depth(raw: bytes, max_depth: int) -> bool:
    """Return whether valid JSON is nested no deeper than `max_depth`.

    Each round removes the innermost pairs of brackets; the number of rounds is the depth.
    """
    if raw.count(b"[") + raw.count(b"{") <= max_depth:
        return True
    brackets = _outside_strings(raw).translate(_SQUARE_BRACKET_TABLE, _NON_BRACKETS)
    for _ in range(max_depth):
        if not brackets:
            return True
        before, brackets = len(brackets), brackets.replace(b"[]", b"")
        if len(brackets) == before:  # brackets that do not match: not valid JSON
            return False
    return not brackets


def _outside_strings(raw: bytes) -> bytes:
    """Return valid JSON without what its strings hold."""
    # With escaped quotes, splitting at quotes would not separate strings from the rest.
    unescaped = _ESCAPE.sub(b"", raw) if b"\\" in raw else raw
    return b"".join(unescaped.split(b'"')[::2])
