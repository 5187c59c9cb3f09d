"""Sealed values: secrets in a record, replaced by digests until an opening reveals them.

The callers decide who may see what, and pass in the salts.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from diskwars_protocol.records.canonical import Json, JsonPath, NotCanonical, check_canonical, format_path
from diskwars_protocol.schema_types import AtLeastZero, FieldName, Hex32, OptionalHex64

SALT_BYTES = 16


class SealError(Exception):
    """Base class of the errors of this module."""


class RedactionError(SealError):
    """Error for a redacted record that differs in more than hidden fields, or a path that does not exist."""


class BadOpening(SealError):
    """Error for an opening that does not fit its body."""

    def __init__(self, path: JsonPath, why: str) -> None:
        super().__init__(f"{format_path(path)}: {why}")
        self.path = path
        self.problem = why


_UNTYPED_DECODER = msgspec.json.Decoder()
_ENCODER = msgspec.json.Encoder()
_DIGEST_KEY = "#"
_SEALED_MARK = b'{"#":"'  # cannot occur inside a JSON string: the quote would be escaped there
_SALT_PATTERN = re.compile(r"[0-9a-f]{32}")
# Printable ASCII without quotes and backslashes: most secrets are such strings, which have only one spelling.
_PLAIN_TEXT_PATTERN = re.compile(rb'"[ !#-\[\]-~]*"')


class Sealed(msgspec.Struct, frozen=True, gc=False):
    """The placeholder of a secret in a body: `{"#": SHA-256(salt | canonical(value)) as hex}`.

    A field that may be secret is typed like `str | Sealed`. The decoder tells the members of a union apart by their
    JSON type, and a union may have only one object type without a tag. Therefore a secret field is a string, an integer
    or an array, never an object.
    """

    digest: OptionalHex64 = msgspec.field(name="#")


def always_written(default: str | int | tuple[()]) -> Any:
    """Return the default of a field that a client may leave out, and that records always hold.

    Such is a field that may be sealed: left out when it has its default, it would show that it has it. Such are the
    options of a match: without them, a reader would have to know the defaults, which then could never change.
    """
    # msgspec leaves out a default, but nothing that a function has made
    return msgspec.field(default_factory=lambda: default)


HIDDEN = Sealed("")
"""Placeholder in a redacted event for a value that its viewer may not see."""


T = TypeVar("T")


def if_known(value: T | Sealed | None) -> T | None:
    """Return a value of a state, None where there is none and where it is hidden."""
    return None if isinstance(value, Sealed) else value


class Opening(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One revealed secret: its path in the body, its salt (32 lower-case hex digits), its canonical value.

    `seats` are those that could see it from the beginning. They are left out until the match is over, because they
    would tell one player what another knows.
    """

    path: tuple[FieldName | AtLeastZero, ...]
    salt: Hex32
    value: msgspec.Raw
    seats: tuple[AtLeastZero, ...] = ()


def hidden_paths(full: bytes, redacted: bytes) -> tuple[JsonPath, ...]:
    """List the places where `redacted` has HIDDEN and `full` a value, in document order. Both are canonical JSON.

    Raises `RedactionError` if the two differ in anything else, or if `full` itself contains a sealed field.
    """
    if _SEALED_MARK in full:
        raise RedactionError("the full record already holds a sealed field")
    if full == redacted:
        return ()
    paths: list[JsonPath] = []
    _collect_hidden(_UNTYPED_DECODER.decode(full), _UNTYPED_DECODER.decode(redacted), (), paths)
    return tuple(paths)


def _collect_hidden(full: Json, redacted: Json, path: JsonPath, paths: list[JsonPath]) -> None:
    """Append the hidden places below `path`. Descends only where the two differ."""
    if isinstance(redacted, dict) and redacted == {_DIGEST_KEY: HIDDEN.digest}:
        if not path:
            raise RedactionError("$: a record cannot be hidden as a whole")
        paths.append(path)
    elif isinstance(full, dict) and isinstance(redacted, dict) and list(full) == list(redacted):
        for name, value in full.items():
            if _is_different(value, redacted[name]):
                _collect_hidden(value, redacted[name], (*path, name), paths)
    elif isinstance(full, list) and isinstance(redacted, list) and len(full) == len(redacted):
        for index, value in enumerate(full):
            if _is_different(value, redacted[index]):
                _collect_hidden(value, redacted[index], (*path, index), paths)
    elif _is_different(full, redacted):
        raise RedactionError(f"{format_path(path)}: the redacted record differs in more than hidden fields")


def _is_different(full: Json, redacted: Json) -> bool:
    # Python compares True == 1, and containers of them, so equal values may still be spelled differently. Encoding a
    # large equal part costs far less than walking through it: the record that starts a match is 30 KB of public facts.
    return full != redacted or _ENCODER.encode(full) != _ENCODER.encode(redacted)


def hidden_fields(full: msgspec.Struct, redacted: Any) -> tuple[str, ...] | None:
    """List the fields in whose places `redacted` has HIDDEN, in order; None if the two differ in anything else.

    None says only that fields do not tell the difference: `hidden_paths` decides.
    """
    if redacted is full:
        return ()
    if type(redacted) is not type(full):
        return None
    hidden = []
    for name in full.__struct_fields__:
        value, shown = getattr(full, name), getattr(redacted, name)
        if shown is value:
            continue
        # A default is left out of the document, so there is no place where it could be hidden.
        if shown is not HIDDEN or any(value is default for default in full.__struct_defaults__):
            return None
        hidden.append(name)
    return tuple(hidden)


def seal_fields(
    path: JsonPath, full: msgspec.Struct, names: Sequence[str], salts: Callable[[], bytes], seats: tuple[int, ...]
) -> tuple[bytes, tuple[Opening, ...]]:
    """Seal whole fields, given in order, of the struct at a path: what `seal` does, without reading the document."""
    sealed, openings = {}, []
    for name in names:
        value = _ENCODER.encode(getattr(full, name))
        sealed[name], opening = seal_value((*path, name), value, salts(), seats)
        openings.append(opening)
    return _ENCODER.encode(replace(full, **sealed)), tuple(openings)


def seal_value(path: JsonPath, value: bytes, salt: bytes, seats: tuple[int, ...] = ()) -> tuple[Sealed, Opening]:
    """Return the placeholder of a canonical value, and the opening that restores it. Raises `RedactionError`."""
    if len(salt) != SALT_BYTES:
        raise RedactionError(f"{format_path(path)}: a salt of {len(salt)} bytes, not {SALT_BYTES}")
    if _SEALED_MARK in value:
        raise RedactionError(f"{format_path(path)}: sealed twice")
    digest = hashlib.sha256(salt + value).hexdigest()
    return Sealed(digest), Opening(path, salt.hex(), msgspec.Raw(value), seats)


def seal(full: bytes, paths: Sequence[JsonPath], salts: Callable[[], bytes]) -> tuple[bytes, tuple[Opening, ...]]:
    """Replace the values at these paths by digests. Return the public body and the openings that restore the values.

    `salts` returns 16 new secret bytes at each call; without a salt, a value could be found by trying all candidates.
    Raises `RedactionError` for a path that does not exist.
    """
    if not paths:
        return full, ()
    tree: Json = _UNTYPED_DECODER.decode(full)
    openings = tuple(_seal_one(tree, path, salts()) for path in paths)
    return _ENCODER.encode(tree), openings


class Part(msgspec.Struct, frozen=True):
    """A part of a body at a path: as it is, as the public sees it, and as each seat does."""

    path: JsonPath
    full: Any
    public: Any
    by_seat: Sequence[Any]


def seal_parts(parts: Sequence[Part], salts: Callable[[], bytes]) -> tuple[list[Any], tuple[Opening, ...]]:
    """Seal what is hidden in each of these parts of a body, and return its openings in the order of the parts.

    A part in which nothing is hidden stays as it is. Each opening names the seats that see its value.
    """
    sealed, openings = list[Any](), list[Opening]()
    for part in parts:
        if part.public is part.full:
            sealed.append(part.full)
        else:
            raw, opened = _seal_part(part, salts)
            sealed.append(msgspec.Raw(raw))
            openings += opened
    return sealed, tuple(openings)


def _seal_part(part: Part, salts: Callable[[], bytes]) -> tuple[bytes, tuple[Opening, ...]]:
    path, full, public = part.path, part.full, part.public
    seats = _seats_that_see(full, public, part.by_seat)
    if seats is not None and public is HIDDEN:
        placeholder, opening = seal_value(path, _ENCODER.encode(full), salts(), seats)
        return _ENCODER.encode(placeholder), (opening,)
    if seats is not None and isinstance(full, msgspec.Struct) and (names := hidden_fields(full, public)) is not None:
        return seal_fields(path, full, names, salts, seats)
    return _seal_paths(path, full, public, part.by_seat, salts)


def _seats_that_see(full: Any, public: Any, by_seat: Sequence[Any]) -> tuple[int, ...] | None:
    """Return the seats that see a part as it is, if all others see what the public sees; otherwise None."""
    seats = []
    for seat, redacted in enumerate(by_seat):
        if redacted is full:
            seats.append(seat)
        elif redacted is not public and redacted != public:
            return None
    return tuple(seats)


def _seal_paths(
    path: JsonPath, full: Any, public: Any, by_seat: Sequence[Any], salts: Callable[[], bytes]
) -> tuple[bytes, tuple[Opening, ...]]:
    """Seal what is hidden anywhere in a part, by comparing its documents. Nearly all parts need no such search."""
    raw = _as_array(full)
    paths = hidden_paths(raw, _as_array(public))
    hidden = [_hidden_from(redacted, full, public, raw, paths) for redacted in by_seat]
    stored, openings = seal(raw, paths, salts)
    return stored[1:-1], tuple(
        replace(
            opening,
            path=(*path, *opening.path[1:]),
            seats=tuple(seat for seat, places in enumerate(hidden) if opening.path not in places),
        )
        for opening in openings
    )


def _hidden_from(redacted: Any, full: Any, public: Any, raw: bytes, paths: Sequence[JsonPath]) -> frozenset[JsonPath]:
    """Return what is hidden from one seat, which is never anything that the public sees."""
    if redacted is full:
        return frozenset()
    if redacted == public:
        return frozenset(paths)
    hidden = frozenset(hidden_paths(raw, _as_array(redacted)))
    if not hidden.issubset(paths):
        raise RedactionError("a seat sees less than the public, or a part of what is hidden as a whole")
    return hidden


def _as_array(part: Any) -> bytes:
    # inside an array, so that a part that is hidden as a whole has a path too;
    # what is canonical but for what it hides needs no look at its spelling
    return _ENCODER.encode((part,))


def _seal_one(tree: Json, path: JsonPath, salt: bytes) -> Opening:
    try:
        parent = _value_at(tree, path[:-1])
        placeholder, opening = seal_value(path, _ENCODER.encode(_child(parent, path[-1])), salt)
        _set_value(parent, path[-1:], {_DIGEST_KEY: placeholder.digest})
    except LookupError:
        raise RedactionError(f"{format_path(path)}: no such place") from None
    return opening


def sealed_paths(body: bytes) -> tuple[JsonPath, ...]:
    """List the places of the values in a body that are still sealed, in document order."""
    return tuple(_find_sealed(_UNTYPED_DECODER.decode(body), ()))


def _find_sealed(value: Json, path: JsonPath) -> Iterator[JsonPath]:
    if isinstance(value, dict):
        if list(value) == [_DIGEST_KEY]:
            yield path
        else:
            for name, child in value.items():
                yield from _find_sealed(child, (*path, name))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from _find_sealed(child, (*path, index))


def unseal(body: bytes, openings: Sequence[Opening]) -> bytes:
    """Restore secrets in a canonical body, and check each against its digest. Raises `BadOpening`."""
    if not openings:
        return body
    try:
        check_canonical(body)  # with another spelling, the bytes of a digest could occur in a second place
    except NotCanonical as fault:
        raise BadOpening((), f"the body is not canonical, {fault}") from None
    tree: Json = _UNTYPED_DECODER.decode(body)
    sealed = [_sealed_field(opening) for opening in openings]
    for opening, field in zip(openings, sealed, strict=True):
        _check_place(tree, opening, field)
        _check_spelling(opening)
    return _restore_values(body, openings, sealed)


def unseal_trusted(body: bytes, openings: Sequence[Opening]) -> bytes:
    """Restore secrets in a body that a server of this system has written. Raises `BadOpening`.

    Finds each secret by its digest in the bytes, which makes restoring a match faster than decoding the body and
    following the path. The paths are not checked; `unseal` finds a wrong one on the viewer's side.
    """
    return _restore_values(body, openings, [_sealed_field(opening) for opening in openings])


def _sealed_field(opening: Opening) -> bytes:
    """Return the bytes of an opening's placeholder in a canonical body."""
    if not _SALT_PATTERN.fullmatch(opening.salt):
        raise BadOpening(opening.path, "the salt is not 16 bytes in lower-case hex")
    salted = bytes.fromhex(opening.salt) + bytes(opening.value)
    return b'%b%b"}' % (_SEALED_MARK, hashlib.sha256(salted).hexdigest().encode())


def _restore_values(body: bytes, openings: Sequence[Opening], sealed: Sequence[bytes]) -> bytes:
    """Replace each placeholder in the bytes of a body by its value."""
    for opening, field in zip(openings, sealed, strict=True):
        before, separator, after = body.partition(field)
        if not separator or field in after:  # restored already, or two secrets with the same value and salt
            raise BadOpening(opening.path, "the digest of its value and salt is not in the body exactly once")
        body = before + bytes(opening.value) + after
    return body


def _check_place(tree: Json, opening: Opening, sealed: bytes) -> None:
    try:
        value = _value_at(tree, opening.path)
    except LookupError:
        raise BadOpening(opening.path, "no such place in the body") from None
    if not opening.path or _ENCODER.encode(value) != sealed:
        raise BadOpening(opening.path, "the value and its salt do not give the digest in the body")


def _check_spelling(opening: Opening) -> None:
    value = bytes(opening.value)
    if _PLAIN_TEXT_PATTERN.fullmatch(value):
        return
    try:
        check_canonical(value)
    except NotCanonical as fault:
        raise BadOpening(opening.path, f"its value is not canonical, {fault}") from None


def _value_at(tree: Json, path: JsonPath) -> Json:
    """Return the value at a path. Raises `LookupError`, also for a negative index, which Python would accept."""
    for step in path:
        tree = _child(tree, step)
    return tree


def _child(tree: Json, step: str | int) -> Json:
    if isinstance(tree, dict) and isinstance(step, str):
        return tree[step]
    if isinstance(tree, list) and isinstance(step, int) and step >= 0:
        return tree[step]
    raise LookupError(step)


def _set_value(tree: Json, path: JsonPath, value: Json) -> None:
    """Replace the value at a path that `_value_at` has found."""
    if not path:
        raise LookupError("the root")
    parent, last = _value_at(tree, path[:-1]), path[-1]
    if isinstance(parent, dict) and isinstance(last, str):
        parent[last] = value
    if isinstance(parent, list) and isinstance(last, int):
        parent[last] = value


def count_sealed(body: bytes) -> int:
    """Count the fields of a canonical body that are still sealed."""
    return body.count(_SEALED_MARK)
