"""The backup file: the rows of every table in PostgreSQL's binary COPY format, compressed, with a header and an end.

A gzip file. Inside: one line of JSON (`BackupHeader`), then for each table a line (`TableBegin`), blocks of bytes, each
behind a line with its length, and an empty block; at the end a line (`BackupEnd`). A file that was cut lacks that line.
"""

import gzip
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Literal, Self, TypeAlias

import msgspec
from msgspec import Struct

BACKUP_FORMAT = 1
"""Grows when older programs cannot read what newer ones write."""
COMPRESSION_LEVEL = 3
MAX_LINE_BYTES = 1 << 20
MAX_BLOCK_BYTES = 1 << 26

BackupFault: TypeAlias = Literal[
    "not_a_backup",
    "backup_cut",
    "backup_damaged",
    "backup_newer",
    "backup_too_old",
    "file_exists",
    "target_not_empty",
    "rows_refused",
]


class BackupError(Exception):
    """A backup that cannot be written or restored: a stable code, what is wrong, and where."""

    def __init__(self, code: BackupFault, text: str, place: str) -> None:
        super().__init__(f"{place}: {code}: {text}")
        self.code, self.text, self.place = code, text, place


class BackupHeader(Struct, frozen=True, tag="diskwars-backup"):
    """First line. `schema` is the version of the tables, `at_ms` when the snapshot was taken."""

    format: int
    schema: str
    at_ms: int


class TableBegin(Struct, frozen=True, tag="table"):
    """Begins the rows of a table."""

    table: str
    columns: tuple[str, ...]


class BackupEnd(Struct, frozen=True, tag="end"):
    """Last line: how many rows each table has."""

    rows: dict[str, int]


class _Format(Struct, tag="diskwars-backup"):
    format: int


_Line: TypeAlias = TableBegin | BackupEnd
_LINE_DECODER: msgspec.json.Decoder[_Line] = msgspec.json.Decoder(_Line)


class BackupWriter:
    """Writes a backup beside its final name and renames it at the end. Use it as `with BackupWriter(...) as file:`."""

    def __init__(self, file: Path) -> None:
        """Create the file. Raises BackupError where it exists already."""
        if file.exists():
            raise BackupError("file_exists", "a backup is never written over another file", str(file))
        self._file, self._part = file, file.with_name(file.name + ".part")
        self._stream: gzip.GzipFile | None = None

    def __enter__(self) -> Self:
        # It holds secrets of matches: readable by its owner only.
        descriptor = os.open(self._part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.fchmod(descriptor, 0o600)  # a part that another program left keeps its mode
        self._raw = os.fdopen(descriptor, "wb")
        self._stream = gzip.GzipFile("", "wb", COMPRESSION_LEVEL, self._raw, mtime=0)
        return self

    def write_line(self, line: BackupHeader | TableBegin | BackupEnd) -> None:
        self._write(msgspec.json.encode(line) + b"\n")

    def write_block(self, block: bytes) -> None:
        """Write a part of a table's rows; an empty one ends the table."""
        self._write(b"%d\n%b" % (len(block), block))

    def _write(self, data: bytes) -> None:
        if self._stream is None:
            raise RuntimeError("the backup is not open")
        self._stream.write(data)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._stream is not None and error is None:
                self._stream.close()
                self._raw.flush()
                os.fsync(self._raw.fileno())
        finally:
            self._raw.close()
        if error is None:
            self._part.rename(self._file)
        else:
            self._part.unlink(missing_ok=True)


class BackupReader:
    """Reads a backup from front to back. Every method raises BackupError for what is no whole backup."""

    def __init__(self, file: Path, known_schema: str, oldest_schema: str) -> None:
        """`known_schema` is the newest that this program knows, `oldest_schema` the oldest it can migrate."""
        self._file, self._known, self._oldest = file, known_schema, oldest_schema
        self._stream = gzip.open(file, "rb")  # noqa: SIM115 closed by __exit__
        self._place = "the first line"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    def read_header(self) -> BackupHeader:
        try:
            line = self._stream.readline(MAX_LINE_BYTES)
            begin = msgspec.json.decode(line, type=_Format)
        except zlib.error as fault:  # it is compressed, so it is likely to be a backup whose beginning cannot be read
            raise self._fault("backup_damaged", "the file is damaged") from fault
        except (OSError, EOFError, msgspec.DecodeError) as fault:
            raise self._fault("not_a_backup", "`diskwars backup` did not write this file") from fault
        if begin.format > BACKUP_FORMAT:
            raise self._fault("backup_newer", f"format {begin.format}; this program reads up to {BACKUP_FORMAT}")
        try:
            header = msgspec.json.decode(line, type=BackupHeader)
        except msgspec.DecodeError as fault:
            raise self._fault("backup_damaged", str(fault)) from None
        if header.schema > self._known:
            raise self._fault("backup_newer", f"schema {header.schema}; this program knows none after {self._known}")
        if header.schema < self._oldest:
            raise self._fault("backup_too_old", f"schema {header.schema}; the oldest that is read is {self._oldest}")
        return header

    def read_line(self) -> TableBegin | BackupEnd:
        """Return what follows: another table, or the end."""
        with _Translated(self):
            line = self._stream.readline(MAX_LINE_BYTES)
            if not line.endswith(b"\n"):
                raise self._fault("backup_cut", "the file ends before its last line")
            try:
                entry = _LINE_DECODER.decode(line)
            except msgspec.DecodeError as fault:
                raise self._fault("backup_damaged", str(fault)) from None
            if isinstance(entry, BackupEnd) and self._stream.read(1):
                raise self._fault("backup_damaged", "something follows the last line")
        self._place = f"table {entry.table}" if isinstance(entry, TableBegin) else "the last line"
        return entry

    def read_blocks(self) -> Iterator[bytes]:
        """Yield the rows of the table that was begun, in the binary format of COPY."""
        while block := self._read_block():
            yield block

    def _read_block(self) -> bytes:
        with _Translated(self):
            line = self._stream.readline(MAX_LINE_BYTES)
            if not line.endswith(b"\n"):
                raise self._fault("backup_cut", "the file ends within the rows")
            if not line[:-1].isdigit() or (length := int(line)) > MAX_BLOCK_BYTES:
                raise self._fault("backup_damaged", "a block has no length")
            block = self._stream.read(length)
            if len(block) < length:
                raise self._fault("backup_cut", "the file ends within the rows")
            return block

    def _fault(self, code: BackupFault, text: str) -> BackupError:
        return BackupError(code, text, f"{self._file}, {self._place}")


class _Translated:
    """Turns the errors of decompression into BackupError."""

    def __init__(self, reader: BackupReader) -> None:
        self._reader = reader

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, EOFError):
            raise self._reader._fault("backup_cut", "the compressed data ends too early") from None
        if isinstance(error, gzip.BadGzipFile | zlib.error):
            raise self._reader._fault("backup_damaged", "the compressed data is damaged") from None
