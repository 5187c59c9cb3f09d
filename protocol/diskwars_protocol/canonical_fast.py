"""Shortcuts of canonical JSON: cheap tests that say yes only where the definition in `canonical` certainly agrees.

A no means nothing but that the definition has to be asked. Every body of a record and every frame passes here, and the
definition walks each value in Python: without these shortcuts it takes several times as long.
"""

import re

import msgspec

MAX_PLAIN_DEPTH = 31
"""One less than records may nest: some values of plain types are elements of one more array."""


def _reject_float(text: str) -> float:
    raise ValueError(text)


_ENCODER = msgspec.json.Encoder()
_STRICT_DECODER = msgspec.json.Decoder(float_hook=_reject_float)

_INTEGER_KEY_BYTES = re.compile(rb'"-?[0-9]+":')
# Every digit becomes 0, every byte but the quote and the colon a space: two substring searches then rule out trouble.
_SHAPE_TABLE = bytes(0x30 if 0x30 <= byte <= 0x39 else byte if byte in b'":' else 0x20 for byte in range(256))
_LONG_NUMBER_SHAPE = b"0" * 16
_DIGIT_BEFORE_COLON = b'0":'
# Characters that may precede a number become a comma, what only a float has a full stop, digits and signs are left out:
# a float is a comma with a full stop after it. A text may look like one too, and then the definition decides.
_FLOAT_TABLE = bytes(0x2C if byte in b":,[" else 0x2E if byte in b".eE" else 0x20 for byte in range(256))
_DIGITS_AND_MINUS = b"-0123456789"
_FLOAT_SHAPE = b",."
_SQUARE_BRACKET_TABLE = bytes.maketrans(b"{}", b"[]")
_NON_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")


def is_certainly_canonical(raw: bytes, max_depth: int) -> bool:
    """Whether `raw` is canonical; False also for the rare canonical text that needs the definition to be sure."""
    try:
        if _ENCODER.encode(_STRICT_DECODER.decode(raw)) != raw:
            return False
    except (ValueError, RecursionError):
        return False
    return _has_valid_shape(raw) and _is_within_depth(raw, max_depth)


def is_certainly_valid(raw: bytes, max_depth: int) -> bool:
    """Return whether `raw` is valid JSON; False also for valid text that needs the definition to be sure.

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


def is_valid_if_plain(raw: bytes) -> bool:
    """Return whether a value of a plain type, as it was just encoded, holds nothing but what a record may hold."""
    return _FLOAT_SHAPE not in (b"," + raw).translate(_FLOAT_TABLE, _DIGITS_AND_MINUS) and _has_valid_shape(raw)


def is_plain_type(type: object) -> bool:
    """Return whether every value of a type has one spelling only and never nests too deeply.

    Texts, integers, truth values, arrays, structs and maps by texts are plain; not so floats, sets, ready-made JSON,
    and types that hold themselves. What is left to look at are the numbers and texts that no record may hold.
    """
    depth = _max_nesting(msgspec.inspect.type_info(type))
    return depth is not None and depth <= MAX_PLAIN_DEPTH


def _max_nesting(type: msgspec.inspect.Type, outer: tuple[object, ...] = ()) -> int | None:
    """How many arrays and structs a value nests at most; None where that is not known, or the type is not plain."""
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


def _has_valid_shape(raw: bytes) -> bool:
    shape = raw.translate(_SHAPE_TABLE)
    if _LONG_NUMBER_SHAPE in shape or b"\\u0000" in raw:
        return False
    return _DIGIT_BEFORE_COLON not in shape or _INTEGER_KEY_BYTES.search(raw) is None


def _is_within_depth(raw: bytes, max_depth: int) -> bool:
    """Return whether valid JSON is nested at most so deep. Each round takes the innermost pairs of brackets away."""
    if raw.count(b"[") + raw.count(b"{") <= max_depth:
        return True
    if b"\\" in raw:
        return False  # quotes cannot simply be counted
    brackets = b"".join(raw.split(b'"')[::2]).translate(_SQUARE_BRACKET_TABLE, _NON_BRACKETS)
    for _ in range(max_depth):
        if not brackets:
            return True
        before, brackets = len(brackets), brackets.replace(b"[]", b"")
        if len(brackets) == before:  # no pair is left: this is not valid JSON
            return False
    return not brackets
