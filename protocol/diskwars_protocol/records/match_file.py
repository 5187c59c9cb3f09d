"""The match file: one line for the header and one for each record, written, read and checked here."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from diskwars_protocol.records.canonical import STRING_OR_BRACKET, NotCanonical, check_canonical, encode_canonical
from diskwars_protocol.records.records import (
    FORMAT,
    BadRecord,
    MatchHeader,
    Record,
    RecordError,
    WireRecord,
    check_wire_record,
    genesis_hash,
    to_wire,
    unsealed_body,
)
from diskwars_protocol.records.sealed import Opening, count_sealed


class MatchFileError(RecordError):
    """Error for a match file that cannot be read at all; a single wrong record raises `BadRecord`."""


class NewerFormat(MatchFileError):
    """Error for a file that was written in a later version of this format."""

    def __init__(self, found: int) -> None:
        super().__init__(f"header: format {found} is newer than {FORMAT}, the newest known here")
        self.found = found


class BadHeader(BadRecord):
    """Error for a wrong header line, which counts as record 0."""

    def __init__(self, why: str) -> None:
        super().__init__(0, why)


BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_ENCODER = msgspec.json.Encoder()
_WIRE_RECORD_DECODER = msgspec.json.Decoder(WireRecord)
_HEADER_DECODER = msgspec.json.Decoder(MatchHeader)
_HEADER_FIELDS = ("type", *MatchHeader.__struct_fields__)


class MatchFile(msgspec.Struct, frozen=True, gc=False):
    """A match file that has been read and checked, up to its end or to the place where it was cut.

    `bodies` are the bodies with their secrets restored; `sealed` is the number of values that are still sealed. `head`
    is the hash after the last record. `unfinished_at` is the seq of the last whole record if the file does not reach
    the end of the match, else None.
    """

    header: MatchHeader
    records: tuple[WireRecord, ...]
    bodies: tuple[bytes, ...]
    head: str
    sealed: int
    unfinished_at: int | None


class _End(msgspec.Struct):
    result: dict[str, object] | None = None


class _FormatField(msgspec.Struct):
    type: str = ""
    format: int = 0


_ENDS = msgspec.json.Decoder(_End)
_FORMAT_DECODER = msgspec.json.Decoder(_FormatField)


def write_file(
    header: MatchHeader, records: Iterable[Record], openings_for: Callable[[Record], tuple[Opening, ...]]
) -> Iterator[bytes]:
    """Yield the lines of a match file, each with its newline.

    `openings_for` returns the openings of a record that the reader may see: `openings_of` for a finished match, fewer
    or none otherwise.
    """
    yield encode_canonical(header) + b"\n"
    for record in records:
        yield encode_file_line(record, openings_for(record))


def encode_file_line(record: Record, openings: tuple[Opening, ...]) -> bytes:
    """Return the line of one record, with the openings that the reader may see."""
    # The stored hash, not a new one: a row that was changed in the database must not become valid by exporting it.
    wire = msgspec.structs.replace(to_wire(record, openings), hash=record.hash.hex())
    return _ENCODER.encode(wire) + b"\n"


def write_received(header: bytes, records: Iterable[WireRecord], heads: Iterable[str]) -> bytes:
    """Return the match file of records as a client received them; `heads` are the hashes after each, in hex."""
    lines = [msgspec.structs.replace(wire, hash=head) for wire, head in zip(records, heads, strict=True)]
    return b"".join(line + b"\n" for line in (header, *map(_ENCODER.encode, lines)))


def read_file(raw: bytes) -> MatchFile:
    """Read and check a match file, which may be cut at any byte.

    Raises `NewerFormat`, or `BadRecord` (`BadHeader`) for the first line that is not exactly as it was written.
    """
    lines = raw.split(b"\n")
    cut = lines.pop()
    if not lines:
        raise BadHeader("the line is not whole")
    header, previous = _decode_header(lines[0]), genesis_hash(lines[0])
    records: list[WireRecord] = []
    bodies: list[bytes] = []
    for seq, line in enumerate(lines[1:], 1):
        _require_not_ended(seq, bodies)
        wire = _read_line(line, seq)
        previous = check_wire_record(wire, previous)
        records.append(wire)
        bodies.append(_check_body(wire))
        _check_line(line, seq)
    if cut:
        _require_not_ended(len(lines), bodies)
        _check_partial_line(cut, len(lines))
    sealed = sum(count_sealed(body) for body in bodies)
    ended = bool(bodies) and _is_end(bodies[-1])
    return MatchFile(header, tuple(records), tuple(bodies), previous.hex(), sealed, None if ended else len(records))


def undo_text_conversion(raw: bytes) -> bytes:
    """Return a file as it was written, from one that a program for texts has saved: without CR before LF and BOM.

    Both are outside of every value: JSON writes a carriage return in a string as an escape.
    """
    return raw.removeprefix(BYTE_ORDER_MARK).replace(b"\r\n", b"\n")


def read_header(raw: bytes) -> MatchHeader:
    """Read the header of a match file and nothing else. Raises `NewerFormat` or `BadHeader`."""
    line, newline, _ = raw.partition(b"\n")
    if not newline:
        raise BadHeader("the line is not whole")
    return _decode_header(line)


def _decode_header(line: bytes) -> MatchHeader:
    try:
        version = _FORMAT_DECODER.decode(line)  # a later format may have other fields
        if version.type == "diskwars-match" and version.format > FORMAT:
            raise NewerFormat(version.format)
        header = _HEADER_DECODER.decode(line)
        check_canonical(line)
    except (ValueError, RecursionError, NotCanonical) as fault:
        raise BadHeader(f"not the header of a match file, {fault}") from None
    # The chain begins with all bytes of the line, so fields that were added later may follow those known here.
    if header.format != FORMAT or tuple(msgspec.json.decode(line))[: len(_HEADER_FIELDS)] != _HEADER_FIELDS:
        raise BadHeader("not spelled as it was written")
    return header


def _read_line(line: bytes, seq: int) -> WireRecord:
    try:
        wire = _WIRE_RECORD_DECODER.decode(line)
    except (ValueError, RecursionError) as fault:
        raise BadRecord(seq, f"not a record, {fault}") from None
    if wire.seq != seq:
        raise BadRecord(seq, f"in its place stands a record that calls itself {wire.seq}")
    # No hash covers a line outside of its body, so no unknown field may stand there: that needs a new `FORMAT`.
    if not wire.hash or _ENCODER.encode(wire) != line:
        raise BadRecord(seq, "not spelled as it was written")
    return wire


def _check_body(wire: WireRecord) -> bytes:
    body = bytes(wire.body)
    try:
        check_canonical(body)
    except NotCanonical as fault:
        raise BadRecord(wire.seq, f"its body is not canonical, {fault}") from None
    if not body.startswith(b"{"):
        raise BadRecord(wire.seq, "its body is not an object")
    return unsealed_body(wire)


def _check_line(line: bytes, seq: int) -> None:
    """Check the line as one value: its nesting counts from the line, not from the body."""
    try:
        check_canonical(line)
    except NotCanonical as fault:
        raise BadRecord(seq, f"not canonical, {fault}") from None


def _require_not_ended(seq: int, bodies: Sequence[bytes]) -> None:
    if bodies and _is_end(bodies[-1]):
        raise BadRecord(seq, "it follows the end of the match")


def _is_end(body: bytes) -> bool:
    """Return whether a record ends its match: whether it has a result."""
    if b'"result":' not in body:
        return False
    try:
        return _ENDS.decode(body).result is not None
    except ValueError:  # a malformed result is reported when the record itself is decoded
        return False


def _check_partial_line(cut: bytes, seq: int) -> None:
    """Check that a line without its newline is the beginning of record `seq`, with nothing after a whole one."""
    beginning = b'{"seq":%d,"' % seq
    if not (cut.startswith(beginning) or beginning.startswith(cut)):
        raise BadRecord(seq, "its line is damaged")
    depth = 0
    for token in STRING_OR_BRACKET.finditer(cut):
        depth += {b"[": 1, b"{": 1, b"]": -1, b"}": -1}.get(token[0], 0)
        if depth == 0 and token.end() < len(cut):
            raise BadRecord(seq, "its line is damaged")
