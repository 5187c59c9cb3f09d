"""How does one look at matches that are kept: list, read again, draw, and write to a file?

Reads the store itself, so no server has to run. Must not know how records are stored, nor any rule.
"""

import asyncio
import logging
import os
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct

from diskwars_cli.command import Complaint, Options, Verbs, needing_the_server
from diskwars_engine.match import MatchRules
from diskwars_engine.match_log import Book, Ledger, LedgerError, packs_of, pages, ruleset_of
from diskwars_protocol import records as r
from diskwars_protocol.match import ALL, PUBLIC, MatchId, Viewer
from diskwars_protocol.match_file import write_file
from diskwars_protocol.records import Record
from diskwars_protocol.rulesets import registry
from diskwars_protocol.rulesets.diskwars.board import Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.events import Event
from diskwars_protocol.sealed import Opening
from diskwars_server.settings import STORE_OPTIONS, SettingsError, add_options, parse_settings
from diskwars_server.store import EventStore, StoreError
from diskwars_text.narration import tell
from diskwars_text.notation import NotationError, read
from diskwars_text.phrases import question
from diskwars_text.picture import draw
from diskwars_text.text_map import sketch

Job: TypeAlias = Callable[[EventStore], Awaitable[int]]


def add(verbs: Verbs) -> None:
    replay = verbs.add(
        "replay", "Read a match again as text, or see the table as it stood after any record.", run_replay
    )
    replay.add_argument("match", metavar="MATCH")
    replay.add_argument("--at", type=int, metavar="SEQ", help="show the table after this record instead")
    replay.add_argument("--stats", action="store_true", help="say how long it took to rebuild it from its records")
    drawing = verbs.add(
        "draw", "Draw the table of a match, or a position written as text, as an SVG picture.", run_draw
    )
    drawing.add_argument("match", metavar="MATCH", nargs="?")
    drawing.add_argument("--position", metavar="FILE", help="draw the position that this text describes, close up")
    drawing.add_argument("--at", type=int, metavar="SEQ", help="as it stood after this record (the last)")
    drawing.add_argument("-o", dest="output", metavar="FILE", default="-", help="where to write it (standard output)")
    export = verbs.add(
        "export", "Write a match to a file: an ended one with all secrets, else what is public.", run_export
    )
    export.add_argument("match", metavar="MATCH")
    export.add_argument("-o", dest="output", metavar="FILE", default="-", help="where to write it (standard output)")
    matches = verbs.add("matches", "List the newest matches.", run_matches)
    matches.add_argument("--status", choices=["open", "running", "ended"], help="only these")
    for parser in (replay, drawing, export, matches):
        add_options(parser, *STORE_OPTIONS)


# ---------------------------------------------------------------- the store


def in_store(options: Options, job: Job) -> int:
    """Does something with the store that the options name. Raises Complaint."""
    with needing_the_server():
        from diskwars_server.__main__ import open_database
        from diskwars_server.embedded import EmbeddedError, database_dirs, default_data_dir, has_database
        from diskwars_server.postgres import PostgresStore
    logging.getLogger("diskwars_server").setLevel(logging.ERROR)

    async def opened(url: str) -> int:
        async with PostgresStore(url) as store:
            return await job(store)

    try:
        settings = parse_settings(options, os.environ)
        folder = settings.data or default_data_dir()
        if not settings.database_url and not has_database(folder):
            raise Complaint(f"no database in {' or '.join(map(str, database_dirs(folder)))}")
        with open_database(settings) as url:
            return asyncio.run(opened(url))
    except (SettingsError, EmbeddedError, StoreError, LedgerError, OSError) as fault:
        raise Complaint(str(fault)) from None


class Kept(Struct, frozen=True):
    """A match from its records. `read_ms` and `rebuilt_ms` are how long it took to read them and to fold them."""

    records: list[Record]
    book: Book
    read_ms: float
    rebuilt_ms: float

    @property
    def viewer(self) -> Viewer:
        """Of an ended match everything may be seen."""
        return ALL if self.book.state.status == "ended" else PUBLIC

    def events(self) -> list[list[Event | None]]:
        """What may be seen of it, append by append."""
        rules, lines = self.book.ledger.rules, map(self.book.ledger.line, self.records)
        return [[rules.redact(line.event, self.viewer) for line in page] for page in pages(lines)]


async def kept(store: EventStore, match: str) -> Kept:
    """Raises StoreError, LedgerError."""
    with needing_the_server():
        from diskwars_server.__main__ import load_rulesets
    begun = time.perf_counter()
    records = await store.read(match)
    read = time.perf_counter()
    ruleset = load_rulesets().get(ruleset_of(records[0]))
    if ruleset is None:
        raise Complaint(f"match {match} is one of {ruleset_of(records[0])}, which is not known here")
    rules: MatchRules[Any, Any, Any, Any, Any, Any] = MatchRules(ruleset)
    ready = time.perf_counter()
    book = Book.of(rules, MatchId(match), records)
    return Kept(records, book, (read - begun) * 1000, (time.perf_counter() - ready) * 1000)


# ---------------------------------------------------------------- reading


def run_replay(options: Options) -> int:
    async def job(store: EventStore) -> int:
        found = await kept(store, options.match)
        if options.stats:
            print(_stats(found))
        elif options.at is not None:
            print(_table(state_at(found, options.at)))
        else:
            print("\n".join(_story(found)))
        return 0

    return in_store(options, job)


def _stats(found: Kept) -> str:
    count = len(found.records)
    rate = round(count / found.rebuilt_ms * 1000)
    rebuilt = f"rebuilt {count} events in {found.rebuilt_ms:.1f} ms, {rate} events/s"
    return f"{rebuilt}; read from the store in {found.read_ms:.1f} ms"


def _story(found: Kept) -> list[str]:
    lines: list[str] = []
    match: DiskwarsMatch | None = None
    heard: list[Event | None] = []
    for append in found.events():
        lines += tell(match, append)
        heard += append
        match = registry.DISKWARS.after(match, append, heard)
    return lines


def state_at(found: Kept, seq: int) -> DiskwarsMatch:
    """The match after a record. Raises Complaint."""
    if not 1 <= seq <= len(found.records):
        raise Complaint(f"match {found.book.ledger.match} has records 1 to {len(found.records)}")
    return registry.DISKWARS.fold_all([event for append in found.events() for event in append][:seq])


def board_at(found: Kept, seq: int) -> Board:
    board = state_at(found, seq).board
    if board is None:
        raise Complaint(f"the table is not laid yet at record {seq}")
    return board


def _table(match: DiskwarsMatch) -> str:
    lines = [] if match.board is None else [sketch(match.board)]
    return "\n".join([*lines, *(question(match, decision) for decision in match.decisions)])


def run_draw(options: Options) -> int:
    if (options.match is None) == (options.position is None):
        raise Complaint("draw takes either a MATCH or --position FILE")
    if options.position is not None:
        _write(options.output, [_drawn_position(options.position).encode()])
        return 0

    async def job(store: EventStore) -> int:
        found = await kept(store, options.match)
        seq = len(found.records) if options.at is None else options.at
        _write(options.output, [draw(board_at(found, seq)).encode()])
        return 0

    return in_store(options, job)


def _drawn_position(file: str) -> str:
    """A position as its own picture: all its disks close up, titled by the name of the file."""
    try:
        board = read(Path(file).read_text(encoding="utf-8"))
    except OSError as fault:
        raise Complaint(f"{file} cannot be read: {fault.strerror}") from None
    except (NotationError, UnicodeDecodeError) as fault:
        raise Complaint(f"{file}: {fault}") from None
    title = Path(file).stem.replace("-0", " ").replace("-", " ").capitalize()
    return draw(board, title, range(len(board.disks)))


# ---------------------------------------------------------------- writing


def run_export(options: Options) -> int:
    async def job(store: EventStore) -> int:
        found = await kept(store, options.match)
        _write(options.output, list(match_file(found)))
        if options.output != "-":
            print(f"{len(found.records)} records, head {found.book.hash.hex()}")
        return 0

    return in_store(options, job)


def match_file(found: Kept) -> list[bytes]:
    """The lines of the match file: of an ended match with every secret, else with what the public may see."""
    ledger: Ledger = found.book.ledger

    def shown(record: Record) -> tuple[Opening, ...] | None:
        wire = ledger.shown(record, found.viewer)
        return None if r.is_shell(wire) else wire.openings

    header = r.MatchHeader(match=ledger.match, ruleset=found.book.state.ruleset)
    return list(write_file(header, found.records, shown))


def _write(output: str, parts: Sequence[bytes]) -> None:
    if output == "-":
        sys.stdout.buffer.writelines(parts)
        return
    try:
        with Path(output).open("wb") as file:
            file.writelines(parts)
    except OSError as fault:
        raise Complaint(f"{output} cannot be written: {fault.strerror}") from None


# ---------------------------------------------------------------- listing


def run_matches(options: Options) -> int:
    async def job(store: EventStore) -> int:
        listings = await store.list_matches(options.status)
        for listing in listings:
            when = time.strftime("%Y-%m-%d %H:%M", time.localtime(listing.created / 1000))
            sitting = sum(player is not None for player in listing.seats)
            players = f"{sitting} of {len(listing.seats)} players"
            result = listing.result
            print(f"{listing.match}  {when}  {listing.ruleset}  {listing.status:<7}  {players}  {result}".rstrip())
            first = await store.read(listing.match, 0, 1)
            named = [f"{pack.name} {pack.version} ({pack.hash[:12]})" for pack in packs_of(first[0])]
            if named:
                print(f"    with {', '.join(named)}")
        if not listings:
            print("no matches")
        return 0

    return in_store(options, job)
