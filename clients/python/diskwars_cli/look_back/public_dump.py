"""The `dump` verb: every ended public match of the own database as one stream; a check of the hashes of a stream."""

import sys

from msgspec import Struct

from diskwars_cli.console.command import EXIT_FAULTS, CommandError
from diskwars_cli.console.signals import check_stop
from diskwars_cli.look_back.stored_matches import load_match, match_file_lines, run_with_store
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_cli.plugs.record_streams import ByteFile, check_stream_file, read_stream, writing_stream
from diskwars_engine.match_log import LogError
from diskwars_protocol.match.state import is_revealed
from diskwars_protocol.records.match_file import NewerFormat, read_file
from diskwars_protocol.records.records import BadRecord
from diskwars_server.store.database import Database
from diskwars_server.store.match_index import NEVER_BEGUN_REASONS, Listing

PAGE_SIZE = 100
MAX_LISTED_FAULTS = 10


class DumpCounts(Struct):
    """Matches and records that were written, and matches that could not be."""

    matches: int = 0
    records: int = 0
    not_written: int = 0


def is_in_dump(listing: Listing) -> bool:
    """Return whether everybody may see all of an ended match: a public one, begun here, that spectators may watch."""
    options, result = listing.match_options, listing.result
    return (
        options.visibility == "public"
        and options.watchers != "none"
        and not listing.imported
        and (result is None or result.end_reason not in NEVER_BEGUN_REASONS)
    )


def run_dump(output: str, data: DataOptions) -> int:
    """Write the stream. Raises CommandError."""
    check_stream_file("--output", output)

    async def job(database: Database) -> int:
        with writing_stream("--output", output) as stream:
            counts = await _write_matches(database, stream)
        print(f"{counts.matches:,} matches, {counts.records:,} records")
        return EXIT_FAULTS if counts.not_written else 0

    return run_with_store(data, job)


async def _write_matches(database: Database, stream: ByteFile) -> DumpCounts:
    counts = DumpCounts()
    before: tuple[int, str] | None = None
    while page := await database.matches.list_matches("ended", PAGE_SIZE, before):
        for listing in filter(is_in_dump, page):
            check_stop()
            await _write_match(database, listing.match, stream, counts)
        before = (page[-1].created_ms, page[-1].match)
    return counts


async def _write_match(database: Database, match: str, stream: ByteFile, counts: DumpCounts) -> None:
    """Write a match; one that is damaged, or of a ruleset that is not here, is named and left out."""
    try:
        stored = await load_match(database, match)
    except (LogError, CommandError) as fault:
        print(f"left out: {fault}", file=sys.stderr)
        counts.not_written += 1
        return
    if is_revealed(stored.log.state):
        stream.write(b"".join(match_file_lines(stored)))
        counts.matches += 1
        counts.records += len(stored.records)


def run_check(file: str) -> int:
    """Check that the hashes of every match in a stream follow from its records. Raises CommandError."""
    matches, records, faults = 0, 0, list[str]()
    for number, raw in enumerate(read_stream("--check", file), 1):
        check_stop()
        try:
            read = read_file(raw)
        except (BadRecord, NewerFormat) as fault:
            faults.append(f"match {number} of the file: {fault}")
            continue
        if read.unfinished_at is not None:
            faults.append(f"match {number} of the file: {read.header.match} ends at record {read.unfinished_at}")
        matches, records = matches + 1, records + len(read.records)
    print("\n".join([f"{matches:,} matches, {records:,} records, faults {len(faults)}", *faults[:MAX_LISTED_FAULTS]]))
    return EXIT_FAULTS if faults else 0
