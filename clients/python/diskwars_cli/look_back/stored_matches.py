"""Matches in the own database: loading them, and the verbs that list, draw and export them.

They read the store themselves, so no server has to run; `remote_matches` asks a server instead.
"""

import logging
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from diskwars_cli.console.command import CommandError, program_name, requires_server
from diskwars_cli.console.output import print_table
from diskwars_cli.console.signals import run_async
from diskwars_cli.look_back.match_rows import HEADINGS, match_row, players_of
from diskwars_cli.look_back.player_names import find_names
from diskwars_cli.options.match_filters import MatchFilters
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.plugs.pictures import draw_position_file
from diskwars_cli.rulesets.registry import find_pictures
from diskwars_content.rulesets.registry import RULESETS
from diskwars_engine.match import AnyRules, MatchRules
from diskwars_engine.match_log import LogError, MatchLog, ruleset_of
from diskwars_engine.record_codec import SealedRecord
from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.ids import ALL, PUBLIC, MatchId, Viewer, seat_letter
from diskwars_protocol.match.replay import Replay, ReplayError
from diskwars_protocol.match.state import is_revealed
from diskwars_protocol.records import records as r
from diskwars_protocol.records.match_file import write_file
from diskwars_protocol.records.records import Record
from diskwars_protocol.records.sealed import Opening
from diskwars_protocol.rulesets.registry import RULESETS as VOCABULARIES
from diskwars_server.settings import SettingsError
from diskwars_server.store.database import Database
from diskwars_server.store.errors import StoreError
from diskwars_server.store.listed_settings import usual_settings
from diskwars_server.store.match_index import ListFilter, Listing

StoreJob: TypeAlias = Callable[[Database], Awaitable[int]]


# ---------------------------------------------------------------- the store


def run_with_store(data: DataOptions, job: StoreJob) -> int:
    """Run a job on the stored matches of the user. Raises CommandError."""
    with requires_server():
        from diskwars_server.app import open_archive, open_database
        from diskwars_server.processes.embedded_postgres import (
            EmbeddedError,
            database_dirs,
            default_data_dir,
            has_database,
        )
        from diskwars_server.store.postgres.database import PostgresDatabase
    logging.getLogger("diskwars_server").setLevel(logging.ERROR)

    async def opened(url: str) -> int:
        async with PostgresDatabase(url, archive=open_archive(data.server_settings())) as database:
            return await job(database)

    try:
        folder = data.folder or default_data_dir()
        if not data.database_url and not has_database(folder):
            folders = " or ".join(map(str, database_dirs(folder)))
            raise CommandError(f"no database in {folders}; `{program_name()} demo` makes one, --data names another")
        with open_database(data.server_settings()) as url:
            return run_async(opened(url))
    except (EmbeddedError, StoreError, LogError, OSError, SettingsError) as fault:
        raise CommandError(str(fault)) from None


class StoredMatch(Struct, frozen=True):
    """A match rebuilt from its records, with the time in milliseconds to read and to fold them."""

    records: list[Record]
    log: MatchLog
    read_ms: float
    rebuild_ms: float

    @property
    def viewer(self) -> Viewer:
        """The viewer: everything of a match that was played to its end may be seen, otherwise only its public part."""
        return ALL if is_revealed(self.log.state) else PUBLIC

    def replay(self) -> Replay:
        """Return the replay of the match as the viewer may see it."""
        shown = [SealedRecord.of(record).shown_to(self.viewer) for record in self.records]
        return Replay(self.log.codec.rules.vocabulary, shown, received_as=self.viewer)


async def load_match(database: Database, match: str) -> StoredMatch:
    """Read a match from the database and rebuild it. Raises StoreError, LogError, CommandError."""
    started_at = time.perf_counter()
    records = await database.events.read(match)
    read_at = time.perf_counter()
    name = ruleset_of(records[0])
    if name not in RULESETS:
        raise CommandError(f"match {match} uses the ruleset {name}, which is not installed")
    rules: AnyRules = MatchRules(load_ruleset(name, ()))
    fold_started_at = time.perf_counter()
    log = MatchLog.load(rules, MatchId(match), records)
    return StoredMatch(records, log, (read_at - started_at) * 1000, (time.perf_counter() - fold_started_at) * 1000)


# ---------------------------------------------------------------- drawing


def board_at(stored: StoredMatch, seq: int) -> Any:
    """Return the board after a record. Raises CommandError if there is no such record, or no board yet."""
    try:
        board = stored.replay().state(seq).board
    except ReplayError as fault:
        raise CommandError(str(fault)) from None
    if board is None:
        raise CommandError(f"there is no table yet at record {seq}")
    return board


def run_draw(
    match: str | None,
    *,
    position: str | None,
    ruleset: str,
    seq: int | None,
    output: str,
    data: DataOptions,
) -> int:
    if position is not None and match is None:
        write_output(output, [draw_position_file(find_pictures(ruleset), position).encode()])
        return 0
    if match is None or position is not None:
        raise CommandError("draw takes either a MATCH or --position FILE")
    named = match

    async def job(database: Database) -> int:
        stored = await load_match(database, named)
        last = len(stored.records) if seq is None else seq
        pictures = find_pictures(stored.log.state.ruleset)
        write_output(output, [pictures.draw_board(board_at(stored, last)).encode()])
        return 0

    return run_with_store(data, job)


# ---------------------------------------------------------------- writing


def run_export(match: str, *, output: str, data: DataOptions) -> int:
    async def job(database: Database) -> int:
        stored = await load_match(database, match)
        write_output(output, list(match_file_lines(stored)))
        if output != "-":
            print(f"{len(stored.records)} records, head {stored.log.hash.hex()}")
        return 0

    return run_with_store(data, job)


def match_file_lines(stored: StoredMatch) -> list[bytes]:
    """Return the lines of the match file, with every secret if the match has ended, otherwise only the public part."""

    def shown(record: Record) -> tuple[Opening, ...]:
        return SealedRecord.of(record).shown_to(stored.viewer).openings

    header = r.MatchHeader(format=r.FORMAT, match=stored.log.codec.match, ruleset=stored.log.state.ruleset)
    return list(write_file(header, stored.records, shown))


def write_output(output: str, parts: Sequence[bytes]) -> None:
    if output == "-":
        sys.stdout.buffer.writelines(parts)
        return
    try:
        with Path(output).open("wb") as file:
            file.writelines(parts)
    except OSError as fault:
        raise CommandError(f"{output} cannot be written: {fault.strerror}") from None


# ---------------------------------------------------------------- listing


def run_matches(
    status: Literal["open", "running", "ended"] | None,
    limit: int,
    *,
    free_seat: bool,
    filters: MatchFilters,
    data: DataOptions,
) -> int:
    wanted = None
    if free_seat or filters.is_list:
        lobby_list = filters.lobby_list()
        wanted = ListFilter(
            ruleset=lobby_list.ruleset,
            player=lobby_list.player,
            has_free_seat=free_seat,
            settings=tuple(lobby_list.settings.items()),
            pace=lobby_list.pace,
        )
    else:
        filters.require_status(status)

    usual = usual_settings(VOCABULARIES.values())

    async def job(database: Database) -> int:
        with requires_server():
            from diskwars_server.matches.summaries import summary_of
        # One more than is shown tells whether there are others.
        if wanted is not None:
            listings = await database.matches.list_matches(status, limit + 1, wanted=wanted)
        elif filters.is_empty:
            listings = await database.matches.list_matches(status, limit + 1)
        else:
            listings = await search_matches(database, filters, limit + 1)
        summaries = [summary_of(listing, "", 0, usual.get(listing.ruleset, {})) for listing in listings[:limit]]
        names = await find_names(database.accounts, players_of(summaries))
        if summaries:
            print_table(HEADINGS, [match_row(summary, names) for summary in summaries])
        else:
            print("no matches")
        if len(listings) > limit:
            print(f"older matches are not shown: --limit {10 * limit} shows more", file=sys.stderr)
        return 0

    return run_with_store(data, job)


async def search_matches(database: Database, filters: MatchFilters, limit: int) -> list[Listing]:
    """Return the ended matches that fit, as the operator sees them. Raises CommandError, StoreError."""
    with requires_server():
        from diskwars_server.lobby.history_search import find_player, query_of, require_sense
        from diskwars_server.refusals import Refusal
    request = filters.search()
    try:
        require_sense(request)
        query = query_of(request, None, await find_player(database.accounts, request, time.time_ns() // 1_000_000))
    except Refusal as refusal:
        raise CommandError(refusal.text) from None
    listings: list[Listing] = []
    before: tuple[int, str] | None = None
    while len(listings) < limit:
        page = await database.matches.search(query, limit - len(listings), before)
        listings += page.listings
        before = page.next
        if before is None:
            break
    return listings


def result_text(result: Result | None) -> str:
    if result is None:
        return ""
    winners = " and ".join(f"seat {seat_letter(seat)}" for seat in result.winners) or "nobody"
    return f"{winners} ({result.end_reason.replace('_', ' ')})"
