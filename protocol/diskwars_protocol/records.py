"""How is a fact written down so that nobody can change it unseen, and how is a secret in it kept until it may be told?

Canonical JSON, sealed fields and their openings, the hash chain over the records of one match, and the match file.
Knows nothing of any ruleset, of who may see what, of storage or of sockets; it draws no salts of its own.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

import msgspec

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"
Path: TypeAlias = tuple[str | int, ...]
Fault: TypeAlias = Literal[
    "not_json", "too_deep", "float", "big_integer", "integer_key", "nul", "lone_surrogate", "spelling"
]

MAX_SAFE = 2**53 - 1
MAX_DEPTH = 32
FORMAT = 1
SALT_SIZE = 16
LAST_TYPE = "match_ended"

SENTENCES: dict[Fault, str] = {
    "not_json": "this is not JSON",
    "too_deep": "arrays and objects are nested too deeply",
    "float": "only integers are allowed",
    "big_integer": "integers must lie between -(2^53 - 1) and 2^53 - 1",
    "integer_key": "a key must not look like an integer",
    "nul": "a text must not hold U+0000",
    "lone_surrogate": "a text must not hold half of a surrogate pair",
    "spelling": "this is not the canonical spelling",
}


class RecordError(Exception):
    """Root of everything this module refuses."""


class BadJson(RecordError):
    """A text that is not the JSON we speak; `place` is like `$.a[2].b`, `why` is a stable word."""

    def __init__(self, place: str, why: Fault) -> None:
        super().__init__(f"{place}: {SENTENCES[why]}")
        self.place = place
        self.why: Fault = why


class NotCanonical(BadJson):
    """A text or a value that has no place in a record."""


class RedactionError(RecordError):
    """A redacted event differs from the full one in more than its hidden fields, or a path leads nowhere."""


class BadOpening(RecordError):
    """An opening that does not fit the body it belongs to."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{place_of(path)}: {why}")
        self.path = path
        self.why = why


class FileError(RecordError):
    """A match file that cannot be accepted."""


class NewerFormat(FileError):
    """The file was written by a later version of this format."""

    def __init__(self, found: int) -> None:
        super().__init__(f"header: format {found} is newer than {FORMAT}, the newest known here")
        self.found = found


class BadRecord(FileError):
    """The first record that is wrong, and why."""

    def __init__(self, seq: int, why: str) -> None:
        super().__init__(f"record {seq}: {why}" if seq else f"header: {why}")
        self.seq = seq
        self.why = why


class BadHeader(BadRecord):
    """The header line is wrong; it counts as record 0."""

    def __init__(self, why: str) -> None:
        super().__init__(0, why)


# --- canonical JSON -------------------------------------------------------------------------------------------------


def _refuse_float(text: str) -> float:
    raise ValueError(text)


def _stand_in_float(text: str) -> float:
    """Keeps the kind, not the value: 1e999999 is found as a float and does not become an error of the decoder."""
    return float(1)


def _short_integer(text: str) -> int:
    """Python refuses to read integers of thousands of digits; any integer beyond the limit does as well."""
    return int(text) if len(text) < 20 else MAX_SAFE + 1


def _refuse_constant(text: str) -> object:
    raise ValueError(text)


_STRICT = msgspec.json.Decoder(float_hook=_refuse_float)
_LENIENT = msgspec.json.Decoder(float_hook=_stand_in_float)
_PLAIN = msgspec.json.Decoder()
_ENCODER = msgspec.json.Encoder()

# A whole text, closed or not, or one bracket; possessive, so that hostile input costs linear time.
_BRACKETS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)
_INTEGER_KEY = re.compile(r"-?[0-9]+")
_INTEGER_KEY_BYTES = re.compile(rb'"-?[0-9]+":')
_SURROGATE = re.compile("[\ud800-\udfff]")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Every digit becomes 0, every byte but the quote and the colon a space: two substring searches then rule out trouble.
_SHAPE = bytes(0x30 if 0x30 <= byte <= 0x39 else byte if byte in b'":' else 0x20 for byte in range(256))
_LONG_NUMBER = b"0" * 16
_SQUARE = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
_DIGIT_BEFORE_COLON = b'0":'


def canonical(value: object) -> bytes:
    """The one spelling of a value (structs and builtins), equal to JavaScript's `JSON.stringify(JSON.parse(x))`.

    Raises NotCanonical for what has none: floats, integers beyond MAX_SAFE, keys that look like integers, U+0000,
    lone surrogates, more than MAX_DEPTH nested arrays and objects.
    """
    try:
        raw = _ENCODER.encode(value)
    except UnicodeEncodeError:
        raise NotCanonical("$", "lone_surrogate") from None
    except RecursionError:
        raise NotCanonical("$", "too_deep") from None
    check_canonical(raw)
    return raw


def check_canonical(raw: bytes) -> None:
    """Raises NotCanonical unless `raw` is byte for byte what `canonical` would write."""
    if _is_plainly_canonical(raw):
        return
    try:
        check_json(raw)
    except BadJson as fault:
        raise NotCanonical(fault.place, fault.why) from None
    again = _ENCODER.encode(_PLAIN.decode(raw))
    if again != raw:
        differing = next((i for i, (a, b) in enumerate(zip(raw, again, strict=False)) if a != b), len(again))
        raise NotCanonical(f"byte {differing}", "spelling")


def check_json(raw: bytes, max_depth: int = MAX_DEPTH) -> None:
    """Raises BadJson for what no message may hold; any spelling of a good text passes. Costs linear time."""
    deep = _too_deep_at(raw, max_depth)
    if deep is not None:
        raise BadJson(f"byte {deep}", "too_deep")
    try:
        value = _LENIENT.decode(raw)
    except RecursionError:
        raise BadJson("$", "too_deep") from None
    except ValueError:  # all of msgspec's errors, and bytes that are not UTF-8
        _explain_refused(raw)
    else:
        _raise_fault(value)


def place_of(path: Path) -> str:
    """`("a", 2, "b c")` as `$.a[2]["b c"]`."""
    words = ["$"]
    for step in path:
        if isinstance(step, int):
            words.append(f"[{step}]")
        else:
            words.append(f".{step}" if _NAME.fullmatch(step) else f"[{json.dumps(step)}]")
    return "".join(words)


def _is_plainly_canonical(raw: bytes) -> bool:
    """True only for canonical text; False also for the rare good text that needs the slow way to be sure."""
    try:
        if _ENCODER.encode(_STRICT.decode(raw)) != raw:
            return False
    except (ValueError, RecursionError):
        return False
    if raw.count(b"[") + raw.count(b"{") > MAX_DEPTH and not _is_flat_enough(raw):
        return False
    shape = raw.translate(_SHAPE)
    if _LONG_NUMBER in shape or b"\\u0000" in raw:
        return False
    return _DIGIT_BEFORE_COLON not in shape or _INTEGER_KEY_BYTES.search(raw) is None


def _is_flat_enough(raw: bytes) -> bool:
    """Of good JSON: is it nested at most MAX_DEPTH deep? Each round takes the innermost pairs of brackets away."""
    if b"\\" in raw:
        return False  # quotes cannot simply be counted
    brackets = b"".join(raw.split(b'"')[::2]).translate(_SQUARE, _NO_BRACKETS)
    for _ in range(MAX_DEPTH):
        if not brackets:
            return True
        brackets = brackets.replace(b"[]", b"")
    return not brackets


def _too_deep_at(raw: bytes, max_depth: int) -> int | None:
    """The byte at which the nesting exceeds the limit; decided before any parser recurses."""
    if raw.count(b"[") + raw.count(b"{") <= max_depth:
        return None
    depth = 0
    for token in _BRACKETS.finditer(raw):
        first = raw[token.start()]
        if first in b"[{":
            depth += 1
            if depth > max_depth:
                return token.start()
        elif first in b"]}":
            depth -= 1
    return None


def _explain_refused(raw: bytes) -> None:
    """The fast decoder refused: names a lone surrogate or an endless integer with its place; all else is not JSON."""
    try:
        value: Json = json.loads(
            raw.decode(), parse_float=_stand_in_float, parse_int=_short_integer, parse_constant=_refuse_constant
        )
    except ValueError:
        raise BadJson("$", "not_json") from None
    _raise_fault(value)
    raise BadJson("$", "not_json")


def _raise_fault(value: Json) -> None:
    found = _fault(value)
    if found is not None:
        path, why = found
        raise BadJson(place_of(path), why)


def _fault(value: "Json | float") -> tuple[Path, Fault] | None:
    """The first banned thing in document order; the path is built only on the way out."""
    if isinstance(value, str):
        why = _text_fault(value)
        return ((), why) if why else None
    if isinstance(value, int):
        return None if -MAX_SAFE <= value <= MAX_SAFE else ((), "big_integer")
    if isinstance(value, list):
        return _first_fault(enumerate(value))
    if isinstance(value, dict):
        return _key_fault(value) or _first_fault(value.items())
    return None if value is None else ((), "float")


def _first_fault(items: Iterable[tuple[str | int, Json]]) -> tuple[Path, Fault] | None:
    for step, item in items:
        found = _fault(item)
        if found is not None:
            return (step, *found[0]), found[1]
    return None


def _key_fault(value: dict[str, Json]) -> tuple[Path, Fault] | None:
    for name in value:
        # JavaScript moves such keys to the front, so no order of writing would be stable
        why = "integer_key" if _INTEGER_KEY.fullmatch(name) else _text_fault(name)
        if why is not None:
            return (name,), why
    return None


def _text_fault(text: str) -> Fault | None:
    if "\0" in text:
        return "nul"
    if not text.isascii() and _SURROGATE.search(text):
        return "lone_surrogate"
    return None


# --- sealed fields --------------------------------------------------------------------------------------------------

_DIGEST_KEY = "#"
_SEALED_MARK = b'{"#":"'  # cannot stand inside a JSON text: the quote would be escaped there
_HEX_SALT = re.compile(r"[0-9a-f]{32}")
_HEX_HASH = re.compile(r"[0-9a-f]{64}")


class Sealed(msgspec.Struct, frozen=True):
    """What stands in a body in the place of a secret: `{"#": SHA-256(salt | canonical(value)) as hex}`.

    A field that may be secret is typed like `str | Sealed`. The decoder tells a union's members apart by their JSON
    kind, and a union holds at most one kind of object that carries no tag; so a secret field is a text, an integer or
    an array, never an object.
    """

    digest: str = msgspec.field(name="#")


HIDDEN = Sealed("")
"""What a redacted event holds where its viewer may not look."""


class Opening(msgspec.Struct, frozen=True, array_like=True):
    """One secret told: where it stands in the body, its salt (32 lower-case hex digits), its canonical value."""

    path: Path
    salt: str
    value: msgspec.Raw


def hidden_paths(full: bytes, redacted: bytes) -> tuple[Path, ...]:
    """The places where `redacted` says HIDDEN and `full` has a value, in document order. Both are canonical JSON.

    Raises RedactionError when the two differ in anything else, or when `full` itself holds a sealed field.
    """
    if _SEALED_MARK in full:
        raise RedactionError("the full event already holds a sealed field")
    if full == redacted:
        return ()
    found: list[Path] = []
    _compare(_PLAIN.decode(full), _PLAIN.decode(redacted), (), found)
    return tuple(found)


def _compare(full: Json, redacted: Json, path: Path, found: list[Path]) -> None:
    if isinstance(redacted, dict) and redacted == {_DIGEST_KEY: HIDDEN.digest}:
        if not path:
            raise RedactionError("$: an event cannot be hidden as a whole")
        found.append(path)
    elif isinstance(full, dict) and isinstance(redacted, dict) and list(full) == list(redacted):
        for name, value in full.items():
            _compare(value, redacted[name], (*path, name), found)
    elif isinstance(full, list) and isinstance(redacted, list) and len(full) == len(redacted):
        for index, value in enumerate(full):
            _compare(value, redacted[index], (*path, index), found)
    elif type(full) is not type(redacted) or full != redacted or isinstance(full, (dict, list)):
        raise RedactionError(f"{place_of(path)}: the redacted event differs in more than hidden fields")


def seal(full: bytes, paths: Sequence[Path], salts: Callable[[], bytes]) -> tuple[bytes, tuple[Opening, ...]]:
    """The public body with a digest in each of these places, and the openings that put the secrets back.

    `salts` gives 16 fresh secret bytes at each call. Raises RedactionError for a path that leads nowhere.
    """
    if not paths:
        return full, ()
    tree: Json = _PLAIN.decode(full)
    openings = tuple(_seal_one(tree, path, salts()) for path in paths)
    return _ENCODER.encode(tree), openings


def _seal_one(tree: Json, path: Path, salt: bytes) -> Opening:
    if len(salt) != SALT_SIZE:
        raise RedactionError(f"{place_of(path)}: a salt of {len(salt)} bytes, not {SALT_SIZE}")
    try:
        value = _ENCODER.encode(_at(tree, path))
        if _SEALED_MARK in value:
            raise RedactionError(f"{place_of(path)}: sealed twice")
        _put(tree, path, {_DIGEST_KEY: hashlib.sha256(salt + value).hexdigest()})
    except LookupError:
        raise RedactionError(f"{place_of(path)}: no such place") from None
    return Opening(path, salt.hex(), msgspec.Raw(value))


def unseal(body: bytes, openings: Sequence[Opening]) -> bytes:
    """The body with these secrets put back; each is checked against its digest. Raises BadOpening."""
    if not openings:
        return body
    tree: Json = _PLAIN.decode(body)
    for opening in openings:
        _unseal_one(tree, opening)
    return _ENCODER.encode(tree)


def _unseal_one(tree: Json, opening: Opening) -> None:
    path, value = opening.path, bytes(opening.value)
    if not _HEX_SALT.fullmatch(opening.salt):
        raise BadOpening(path, "the salt is not 16 bytes in lower-case hex")
    try:
        sealed = _at(tree, path)
        if sealed != {_DIGEST_KEY: hashlib.sha256(bytes.fromhex(opening.salt) + value).hexdigest()}:
            raise BadOpening(path, "the value and its salt do not give the digest in the body")
        check_canonical(value)
        _put(tree, path, _PLAIN.decode(value))
    except LookupError:
        raise BadOpening(path, "no such place in the body") from None
    except NotCanonical as fault:
        raise BadOpening(path, f"its value is not canonical, {fault}") from None


def _at(tree: Json, path: Path) -> Json:
    """The value at a path; LookupError where there is none. A negative index is no place."""
    for step in path:
        tree = _child(tree, step)
    return tree


def _child(tree: Json, step: str | int) -> Json:
    if isinstance(tree, dict) and isinstance(step, str):
        return tree[step]
    if isinstance(tree, list) and isinstance(step, int) and step >= 0:
        return tree[step]
    raise LookupError(step)


def _put(tree: Json, path: Path, value: Json) -> None:
    """Puts another value where there is one already, as `_at` has found."""
    if not path:
        raise LookupError("the root")
    parent, last = _at(tree, path[:-1]), path[-1]
    if isinstance(parent, dict) and isinstance(last, str):
        parent[last] = value
    if isinstance(parent, list) and isinstance(last, int):
        parent[last] = value


# --- records and their chain ----------------------------------------------------------------------------------------

_NO_BODY = msgspec.Raw()


class Header(msgspec.Struct, frozen=True, kw_only=True, tag="diskwars-match"):
    """The first line of a match file; the chain starts from its bytes."""

    format: int = FORMAT
    match: str
    ruleset: str


class Record(msgspec.Struct, frozen=True):
    """One stored row. Only salt, body, secret and hash stand under the chain; `at` is in milliseconds.

    `secret` is the canonical JSON array of the body's openings; `salt` has 16 bytes, `hash` 32.
    """

    seq: int
    kind: str
    actor: str
    command: str
    part: int
    body: bytes
    secret: bytes | None
    salt: bytes
    hash: bytes
    rules: str
    at: int


class WireRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A record as one viewer gets it: salt, body and the openings he may see; or a shell, which has its leaf only.

    A line of a match file is the same with the hash of the chain after it.
    """

    seq: int
    salt: str = ""
    body: msgspec.Raw = _NO_BODY
    open: tuple[Opening, ...] = ()
    leaf: str = ""
    hash: str = ""


_OPENINGS = msgspec.json.Decoder(tuple[Opening, ...])
_WIRE = msgspec.json.Decoder(WireRecord)
_HEADER = msgspec.json.Decoder(Header)


def leaf(salt: bytes, body: bytes) -> bytes:
    """SHA-256(record salt | body)."""
    return hashlib.sha256(salt + body).digest()


def chain(previous: bytes, leaf: bytes) -> bytes:
    """SHA-256(previous | leaf): the hash after one more record."""
    return hashlib.sha256(previous + leaf).digest()


def genesis(header: bytes) -> bytes:
    """SHA-256 of the canonical header: the hash before the first record."""
    return hashlib.sha256(header).digest()


def openings_of(record: Record) -> tuple[Opening, ...]:
    """Every secret of a stored record."""
    return () if record.secret is None else _OPENINGS.decode(record.secret)


def without(openings: Iterable[Opening], hidden: Iterable[Path]) -> tuple[Opening, ...]:
    """The openings that are left for a viewer from whom these paths are hidden."""
    kept_back = set(hidden)
    return tuple(opening for opening in openings if opening.path not in kept_back)


def to_wire(record: Record, shown: tuple[Opening, ...] = ()) -> WireRecord:
    """The record for a viewer who may see its body, and of its secrets only `shown`."""
    return WireRecord(record.seq, salt=record.salt.hex(), body=msgspec.Raw(record.body), open=shown)


def to_shell(record: Record) -> WireRecord:
    """The record for a viewer who may know nothing but that it is there."""
    return WireRecord(record.seq, leaf=leaf(record.salt, record.body).hex())


def is_shell(wire: WireRecord) -> bool:
    return not wire.salt


def leaf_of(wire: WireRecord) -> bytes:
    """The leaf that this record puts into the chain. Raises BadRecord when it is neither whole nor a shell."""
    body = bytes(wire.body)
    if _HEX_SALT.fullmatch(wire.salt) and body and not wire.leaf:
        return leaf(bytes.fromhex(wire.salt), body)
    if _HEX_HASH.fullmatch(wire.leaf) and not (wire.salt or body or wire.open):
        return bytes.fromhex(wire.leaf)
    raise BadRecord(wire.seq, "neither a salt with a body nor a leaf alone")


def full_body(wire: WireRecord) -> bytes | None:
    """The body with the openings put back, each checked; None for a shell. Raises BadRecord."""
    if is_shell(wire):
        return None
    try:
        return unseal(bytes(wire.body), wire.open)
    except BadOpening as fault:
        raise BadRecord(wire.seq, f"opening at {fault}") from None


def check(wire: WireRecord, previous: bytes) -> bytes:
    """The hash of the chain after this record; where the record carries a hash, it has to be that one."""
    after = chain(previous, leaf_of(wire))
    if wire.hash and wire.hash != after.hex():
        before = "record before" if wire.seq > 1 else "header"
        raise BadRecord(wire.seq, f"its hash does not follow from the {before} and its own content")
    return after


def count_sealed(body: bytes) -> int:
    """How many fields of a canonical body are still sealed."""
    return body.count(_SEALED_MARK)


# --- the match file -------------------------------------------------------------------------------------------------


class MatchFile(msgspec.Struct, frozen=True):
    """A file that was read and found whole up to its end or up to where it was cut.

    `bodies` are the bodies with their openings put back, None for a shell. `head` is the hash after the last record.
    `unfinished_at` is the last whole record's seq when the match's end is missing, else None.
    """

    header: Header
    records: tuple[WireRecord, ...]
    bodies: tuple[bytes | None, ...]
    head: str
    sealed: int
    unfinished_at: int | None


class _Kind(msgspec.Struct):
    type: str = ""


class _Version(msgspec.Struct):
    type: str = ""
    format: int = 0


_KINDS = msgspec.json.Decoder(_Kind)
_VERSIONS = msgspec.json.Decoder(_Version)


def write_file(
    header: Header, records: Iterable[Record], show: Callable[[Record], tuple[Opening, ...] | None]
) -> Iterator[bytes]:
    """The lines of a match file, each with its newline.

    `show` says what the reader may see of a record: its openings (`openings_of` for a finished match), fewer, none
    with `()`, or only a shell with None. The stored hashes are written, not new ones, so that a changed row is found.
    """
    yield canonical(header) + b"\n"
    for record in records:
        shown = show(record)
        wire = to_shell(record) if shown is None else to_wire(record, shown)
        yield _ENCODER.encode(msgspec.structs.replace(wire, hash=record.hash.hex())) + b"\n"


def read_file(raw: bytes) -> MatchFile:
    """Reads and checks a match file; see MatchFile for what a cut one gives.

    Raises NewerFormat, or BadRecord (BadHeader) for the first line that is not exactly as it was written.
    """
    lines = raw.split(b"\n")
    cut = lines.pop()
    if not lines:
        raise BadHeader("the line is not whole")
    header, previous = _read_header(lines[0]), genesis(lines[0])
    records: list[WireRecord] = []
    bodies: list[bytes | None] = []
    for seq, line in enumerate(lines[1:], 1):
        _refuse_after_end(seq, bodies)
        wire = _read_line(line, seq)
        previous = check(wire, previous)
        records.append(wire)
        bodies.append(_checked_body(wire))
    if cut:
        _refuse_after_end(len(lines), bodies)
        _check_cut(cut, len(lines))
    sealed = sum(count_sealed(body) for body in bodies if body is not None)
    ended = bool(bodies) and _is_last(bodies[-1])
    return MatchFile(header, tuple(records), tuple(bodies), previous.hex(), sealed, None if ended else len(records))


def _read_header(line: bytes) -> Header:
    try:
        version = _VERSIONS.decode(line)  # a later format may have other fields
        if version.type == "diskwars-match" and version.format > FORMAT:
            raise NewerFormat(version.format)
        header = _HEADER.decode(line)
    except (ValueError, RecursionError) as fault:
        raise BadHeader(f"not the header of a match file, {fault}") from None
    if header.format != FORMAT or canonical(header) != line:
        raise BadHeader("not spelled as it was written")
    return header


def _read_line(line: bytes, seq: int) -> WireRecord:
    try:
        wire = _WIRE.decode(line)
    except (ValueError, RecursionError) as fault:
        raise BadRecord(seq, f"not a record, {fault}") from None
    if wire.seq != seq:
        raise BadRecord(seq, f"in its place stands a record that calls itself {wire.seq}")
    if not wire.hash or _ENCODER.encode(wire) != line:
        raise BadRecord(seq, "not spelled as it was written")
    return wire


def _checked_body(wire: WireRecord) -> bytes | None:
    if is_shell(wire):
        return None
    body = bytes(wire.body)
    try:
        check_canonical(body)
    except NotCanonical as fault:
        raise BadRecord(wire.seq, f"its body is not canonical, {fault}") from None
    if not body.startswith(b"{"):
        raise BadRecord(wire.seq, "its body is not an object")
    return full_body(wire)


def _refuse_after_end(seq: int, bodies: Sequence[bytes | None]) -> None:
    if bodies and _is_last(bodies[-1]):
        raise BadRecord(seq, "it stands after the end of the match")


def _is_last(body: bytes | None) -> bool:
    if body is None or LAST_TYPE.encode() not in body:
        return False
    try:
        return _KINDS.decode(body).type == LAST_TYPE
    except ValueError:  # a type that is no text
        return False


def _check_cut(cut: bytes, seq: int) -> None:
    """A line without its newline has to be the beginning of this record; nothing may follow a whole one."""
    beginning = b'{"seq":%d,"' % seq
    if not (cut.startswith(beginning) or beginning.startswith(cut)):
        raise BadRecord(seq, "its line is damaged")
    depth = 0
    for token in _BRACKETS.finditer(cut):
        depth += {b"[": 1, b"{": 1, b"]": -1, b"}": -1}.get(token[0], 0)
        if depth == 0 and token.end() < len(cut):
            raise BadRecord(seq, "its line is damaged")
