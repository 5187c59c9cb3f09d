"""One ended match as a file: its records in MessagePack, compressed by Zstandard with a dictionary of such records."""

from collections.abc import Sequence
from functools import lru_cache
from importlib import resources

import msgspec
import zstandard
from msgspec import structs

from diskwars_protocol.records.records import Record
from diskwars_server.store.archive.objects import ArchiveUnavailable

ARCHIVE_FORMAT = 1
"""Grows when older programs cannot read what newer ones write. A dictionary belongs to a format, and never changes."""
COMPRESSION_LEVEL = 12
MAX_UNPACKED_BYTES = 256 << 20
"""More than any match has; a damaged file could announce any size."""
_Row = tuple[int, int, str, str, int, bytes, bytes | None, bytes, bytes]
_DECODER: msgspec.msgpack.Decoder[tuple[int, str, list[_Row]]] = msgspec.msgpack.Decoder(tuple[int, str, list[_Row]])


def pack_match(match: str, records: Sequence[Record]) -> bytes:
    """Return the file of a match. It takes some milliseconds, and lets other threads run meanwhile."""
    rows = [structs.astuple(record) for record in records]
    packed = msgspec.msgpack.encode((ARCHIVE_FORMAT, match, rows))
    compressor = zstandard.ZstdCompressor(level=COMPRESSION_LEVEL, dict_data=dictionary(), write_checksum=True)
    return compressor.compress(packed)


def unpack_match(match: str, body: bytes) -> list[Record]:
    """Return the records of the file of a match. Raises ArchiveUnavailable where the file is damaged or another's."""
    try:
        size = zstandard.frame_content_size(body)
        if not 0 < size <= MAX_UNPACKED_BYTES:
            raise ArchiveUnavailable(f"the archived file of match {match} is damaged: it announces {size} bytes")
        packed = zstandard.ZstdDecompressor(dict_data=dictionary()).decompress(body)
        format, name, rows = _DECODER.decode(packed)
    except (zstandard.ZstdError, msgspec.MsgspecError) as error:
        raise ArchiveUnavailable(f"the archived file of match {match} is damaged: {error}") from None
    if format != ARCHIVE_FORMAT:
        raise ArchiveUnavailable(f"the archived file of match {match} has format {format}: a later program wrote it")
    if not rows:
        raise ArchiveUnavailable(f"the archived file of match {match} has no records")
    if name != match:
        raise ArchiveUnavailable(f"the archived file of match {match} holds match {name}")
    return [Record(*row) for row in rows]


@lru_cache(maxsize=1)
def dictionary() -> zstandard.ZstdCompressionDict:
    """Return the dictionary of the format, which came with the program."""
    file = resources.files(__package__) / f"records-{ARCHIVE_FORMAT}.dict"
    return zstandard.ZstdCompressionDict(file.read_bytes())
