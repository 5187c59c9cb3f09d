"""Subcommands for stored matches: list, replay, draw and export.

They read the store directly, so no server has to run.
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

from diskwars_cli.command import CommandError, Options, VerbRegistry, requires_server
from diskwars_engine.match import MatchRules
from diskwars_engine.match_log import LogError, MatchLog, RecordCodec, group_appends, packs_of, ruleset_of
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
from diskwars_text.narration import narrate
from diskwars_text.notation import NotationError, parse_position
from diskwars_text.phrases import question_text
from diskwars_text.picture import draw_board
from diskwars_text.text_map import draw_text_map

StoreJob: TypeAlias = Callable[[EventStore], Awaitable[int]]


def add_verbs(verbs: VerbRegistry) -> None:
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


def run_with_store(options: Options, job: StoreJob) -> int:
    """Does something with the store that the options name. Raises CommandError."""
    with requires_server():
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
            raise CommandError(f"no database in {' or '.join(map(str, database_dirs(folder)))}")
        with open_database(settings) as url:
            return asyncio.run(opened(url))
    except (SettingsError, EmbeddedError, StoreError, LogError, OSError) as fault:
        raise CommandError(str(fault)) from None


class StoredMatch(Struct, frozen=True):
    """A match from its records. `read_ms` and `rebuild_ms` are how long it took to read them and to fold them."""

    records: list[Record]
    log: MatchLog
    read_ms: float
    rebuild_ms: float

    @property
    def viewer(self) -> Viewer:
        """Of an ended match everything may be seen."""
        return ALL if self.log.state.status == "ended" else PUBLIC

    def visible_events(self) -> list[list[Event | None]]:
        """Return what may be seen of it, append by append."""
        rules, lines = self.log.codec.rules, map(self.log.codec.open_record, self.records)
        return [[rules.redact(line.event, self.viewer) for line in page] for page in group_appends(lines)]


async def load_match(store: EventStore, match: str) -> StoredMatch:
    """Raise StoreError, LogError."""
    with requires_server():
        from diskwars_server.__main__ import load_rulesets
    begun = time.perf_counter()
    records = await store.read(match)
    read = time.perf_counter()
    ruleset = load_rulesets().get(ruleset_of(records[0]))
    if ruleset is None:
        raise CommandError(f"match {match} is one of {ruleset_of(records[0])}, which is not known here")
    rules: MatchRules[Any, Any, Any, Any, Any, Any] = MatchRules(ruleset)
    ready = time.perf_counter()
    book = MatchLog.load(rules, MatchId(match), records)
    return StoredMatch(records, book, (read - begun) * 1000, (time.perf_counter() - ready) * 1000)


# ---------------------------------------------------------------- reading


def run_replay(options: Options) -> int:
    async def job(store: EventStore) -> int:
        found = await load_match(store, options.match)
        if options.stats:
            print(_timing_text(found))
        elif options.at is not None:
            print(_board_text(state_at(found, options.at)))
        else:
            print("\n".join(_narration(found)))
        return 0

    return run_with_store(options, job)


def _timing_text(found: StoredMatch) -> str:
    count = len(found.records)
    rate = round(count / found.rebuild_ms * 1000)
    rebuilt = f"rebuilt {count} events in {found.rebuild_ms:.1f} ms, {rate} events/s"
    return f"{rebuilt}; read from the store in {found.read_ms:.1f} ms"


def _narration(found: StoredMatch) -> list[str]:
    lines: list[str] = []
    match: DiskwarsMatch | None = None
    heard: list[Event | None] = []
    for append in found.visible_events():
        lines += narrate(match, append)
        heard += append
        match = registry.DISKWARS.fold_append(match, append, heard)
    return lines


def state_at(found: StoredMatch, seq: int) -> DiskwarsMatch:
    """Return the match after a record. Raises CommandError."""
    if not 1 <= seq <= len(found.records):
        raise CommandError(f"match {found.log.codec.match} has records 1 to {len(found.records)}")
    return registry.DISKWARS.fold_all([event for append in found.visible_events() for event in append][:seq])


def board_at(found: StoredMatch, seq: int) -> Board:
    board = state_at(found, seq).board
    if board is None:
        raise CommandError(f"the table is not laid yet at record {seq}")
    return board


def _board_text(match: DiskwarsMatch) -> str:
    lines = [] if match.board is None else [draw_text_map(match.board)]
    return "\n".join([*lines, *(question_text(match, decision) for decision in match.decisions)])


def run_draw(options: Options) -> int:
    if (options.match is None) == (options.position is None):
        raise CommandError("draw takes either a MATCH or --position FILE")
    if options.position is not None:
        _write_output(options.output, [_position_picture(options.position).encode()])
        return 0

    async def job(store: EventStore) -> int:
        found = await load_match(store, options.match)
        seq = len(found.records) if options.at is None else options.at
        _write_output(options.output, [draw_board(board_at(found, seq)).encode()])
        return 0

    return run_with_store(options, job)


def _position_picture(file: str) -> str:
    """Return a position as its own picture: all its disks close up, titled by the name of the file."""
    try:
        board = parse_position(Path(file).read_text(encoding="utf-8"))
    except OSError as fault:
        raise CommandError(f"{file} cannot be read: {fault.strerror}") from None
    except (NotationError, UnicodeDecodeError) as fault:
        raise CommandError(f"{file}: {fault}") from None
    title = Path(file).stem.replace("-0", " ").replace("-", " ").capitalize()
    return draw_board(board, title, range(len(board.disks)))


# ---------------------------------------------------------------- writing


def run_export(options: Options) -> int:
    async def job(store: EventStore) -> int:
        found = await load_match(store, options.match)
        _write_output(options.output, list(match_file_lines(found)))
        if options.output != "-":
            print(f"{len(found.records)} records, head {found.log.hash.hex()}")
        return 0

    return run_with_store(options, job)


def match_file_lines(found: StoredMatch) -> list[bytes]:
    """Return the lines of the match file: of an ended match with every secret, else with what the public may see."""
    ledger: RecordCodec = found.log.codec

    def shown(record: Record) -> tuple[Opening, ...] | None:
        wire = ledger.as_seen_by(record, found.viewer)
        return None if r.is_shell(wire) else wire.openings

    header = r.MatchHeader(match=ledger.match, ruleset=found.log.state.ruleset)
    return list(write_file(header, found.records, shown))


def _write_output(output: str, parts: Sequence[bytes]) -> None:
    if output == "-":
        sys.stdout.buffer.writelines(parts)
        return
    try:
        with Path(output).open("wb") as file:
            file.writelines(parts)
    except OSError as fault:
        raise CommandError(f"{output} cannot be written: {fault.strerror}") from None


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

    return run_with_store(options, job)
