"""Streams of match files: many matches in one file, as JSON lines, compressed with Zstandard where its name says so.

A stream is one match file after another. Each begins with its header line, so a part of a stream from one header to the
next is what `export` writes, and `verify` checks it.
"""

import errno
import io
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, TypeAlias

from diskwars_cli.console.command import CommandError
from diskwars_engine.match import MatchRules
from diskwars_engine.record_codec import RecordCodec, RecordMeta
from diskwars_engine.ruleset import AnyRuleset
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.match.state import AnyBody
from diskwars_protocol.records.fairness import SALT_BYTES, seeded_entropy
from diskwars_protocol.records.match_file import write_file
from diskwars_protocol.records.records import FORMAT, MatchHeader, Record, openings_of

SUFFIX, COMPRESSED_SUFFIX = ".jsonl", ".jsonl.zst"
HEADER_BEGINNING = b'{"type":"diskwars-match"'
LEVEL = 9
"""Of Zstandard: a match takes a tenth longer to write than with 3, and a sixth less room."""
MAX_LINE_BYTES = 64 * 2**20
"""Longer lines are no records."""

ByteFile: TypeAlias = IO[bytes]


def check_stream_file(flag: str, file: str) -> None:
    """Check that a stream can be written to a file, without touching it. Raises CommandError."""
    path = Path(file)
    if not file.endswith((SUFFIX, COMPRESSED_SUFFIX)):
        raise CommandError(f"{flag}: {file} ends neither in {SUFFIX} nor in {COMPRESSED_SUFFIX}")
    if file.endswith(COMPRESSED_SUFFIX):
        _zstandard(flag, file)
    if path.is_dir() or not path.parent.is_dir():
        raise CommandError(f"{flag}: {file} cannot be written: {os.strerror(errno.ENOENT)}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise CommandError(f"{flag}: {file} cannot be written: {os.strerror(errno.EACCES)}")


def _zstandard(flag: str, file: str) -> Any:
    """Return the library. Raises CommandError where the extra `data` is not installed."""
    if find_spec("zstandard") is None:
        raise CommandError(f"{flag}: {file} needs the package zstandard (extra data); {SUFFIX} needs nothing")
    return import_module("zstandard")


@contextmanager
def writing_stream(flag: str, file: str) -> Iterator[ByteFile]:
    """Open a file for a stream. What was written before an interruption can be read. Raises CommandError."""
    try:
        with Path(file).open("wb") as raw:
            if not file.endswith(COMPRESSED_SUFFIX):
                yield raw
                return
            # One frame for all matches: several readers of Zstandard stop at the end of the first.
            with _zstandard(flag, file).ZstdCompressor(level=LEVEL).stream_writer(raw, closefd=False) as compressed:
                yield compressed
    except OSError as fault:
        raise CommandError(f"{flag}: {file} cannot be written: {fault.strerror}") from None


def read_stream(flag: str, file: str) -> Iterator[bytes]:
    """Yield the match files of a stream. Raises CommandError."""
    try:
        with Path(file).open("rb") as raw:
            if not file.endswith(COMPRESSED_SUFFIX):
                yield from _split_matches(raw)
                return
            library = _zstandard(flag, file)
            try:
                with library.open(raw, "rb") as compressed:
                    yield from _split_matches(io.BufferedReader(compressed))
            except library.ZstdError as fault:
                raise CommandError(f"{flag}: {file} cannot be decompressed: {fault}") from None
    except OSError as fault:
        raise CommandError(f"{flag}: {file} cannot be read: {fault.strerror}") from None


def _split_matches(lines: Any) -> Iterator[bytes]:
    match: list[bytes] = []
    while line := lines.readline(MAX_LINE_BYTES):
        if line.startswith(HEADER_BEGINNING) and match:
            yield b"".join(match)
            match = []
        match.append(line)
    if match:
        yield b"".join(match)


def seal_match_file(ruleset: AnyRuleset, match: MatchId, seats: int, seed: int, bodies: Sequence[AnyBody]) -> bytes:
    """Return the match file of a match that was played in memory; its salts follow from the seed."""
    rules: MatchRules[Any, Any, Any] = MatchRules(ruleset)
    codec, entropy = RecordCodec(rules, match, seats), seeded_entropy(seed, "salts of records")
    records: list[Record] = []
    previous = codec.genesis
    for seq, body in enumerate(bodies, 1):
        meta = RecordMeta(PlayerId("" if body.seat is None else f"bot-{body.seat}"), str(seq))
        records.append(codec.seal(body, seq, previous, meta, lambda: entropy(SALT_BYTES)).record)
        previous = records[-1].hash
    return b"".join(
        write_file(MatchHeader(format=FORMAT, match=match, ruleset=ruleset.vocabulary.name), records, openings_of)
    )
