"""docs/event-store.md: its queries run on stored matches, and its projection follows, survives and is rebuilt."""

import asyncio
import importlib.util
import os
import re
from html import escape
from pathlib import Path
from types import ModuleType

import asyncpg
import pytest

from diskwars_protocol.match.decisions import Result
from diskwars_protocol.records.match_file import read_file
from diskwars_server.store.match_index import Listing
from diskwars_server.store.postgres.database import PostgresDatabase
from diskwars_server.store.postgres.database_url import parse_database_url
from tests.cli.command_runner import CommandRunner
from tests.code_sizes import ROOT
from tests.golden.write_files import FOLDER, SUFFIX
from tests.server.conftest import migrated
from tests.server.stored_samples import store_bodies

PAGE = (ROOT / "docs" / "event-store.md").read_text("utf-8")
QUERIES = re.findall(r"```sql\n(.*?)\n```", PAGE, re.DOTALL)
FILES = ("diskwars-house", "pit-counted")
DAMAGE_RECORD = b'{"events":[{"type":"damage_dealt","cause":{"kind":"shot"},"taken":2}]}'
TAKEN_BACK = (b"{}", DAMAGE_RECORD, DAMAGE_RECORD, b'{"taken_back_to":2}')
DAMAGE = "select match_id, seq, number, kind, taken from damage_projection.damage order by match_id, seq, number"


@pytest.fixture
def diskwars(capsys: pytest.CaptureFixture[str]) -> CommandRunner:
    return CommandRunner(capsys)


def show(name: str, lines: list[str]) -> None:
    """Write a picture of a query and what it finds, where somebody wants to see it; see docs/contributing.md."""
    folder = os.environ.get("DISKWARS_SHOWS")
    if not folder:
        return
    width, height = 9 * max(map(len, lines)) + 40, 20 * len(lines) + 40
    rows = "".join(f'<text x="20" y="{36 + 20 * row}">{escape(line)}</text>' for row, line in enumerate(lines))
    style = "<style>text { font: 15px monospace; white-space: pre } rect { fill: #fff }</style>"
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">{style}'
    (Path(folder) / f"{name}.svg").write_text(f'{svg}<rect width="100%" height="100%"/>{rows}</svg>', "utf-8")


@pytest.fixture
def stored_url(postgres_url: str) -> str:
    """The address of a database with some matches, one of which has takebacks."""
    url = migrated(postgres_url)

    async def fill() -> None:
        async with PostgresDatabase(url) as database:
            for name in FILES:
                file = read_file((FOLDER / f"{name}{SUFFIX}").read_bytes())
                result, armies = Result("elimination", (0,)), ("empire-patrol", "chaos-patrol")
                players, match = ("one", "two"), file.header.match
                listing = Listing(match, file.header.ruleset, "ended", players, "one", 1, 2, result, armies=armies)
                await store_bodies(database, listing, *(bytes(wire.body) for wire in file.records))
            undone = Listing("undone", "diskwars", "ended", ("one", "two"), "one", 1, 2, Result("stopped"))
            await store_bodies(database, undone, *TAKEN_BACK)

    asyncio.run(fill())
    return url


@pytest.fixture
def projection() -> ModuleType:
    spec = importlib.util.spec_from_file_location("damage_projection", ROOT / "docs/examples/damage_projection.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_query_of_the_page_finds_something_in_stored_matches(diskwars: CommandRunner, stored_url: str) -> None:
    assert len(QUERIES) == 11, "one record and ten queries"
    for number, query in enumerate(QUERIES):
        shown = diskwars("sql", query, "--database-url", stored_url)
        assert (shown.code, shown.err) == (0, ""), query
        assert len(shown.lines) > 1, query
        show(f"event-store-{number:02}", [*query.splitlines(), "", *shown.lines])


def test_sql_only_reads_and_says_why(diskwars: CommandRunner, stored_url: str) -> None:
    for statement, why in (
        ("delete from records", "cannot execute DELETE in a read-only transaction"),
        ("select 1; delete from records", "cannot insert multiple commands into a prepared statement"),
        ("select nothing from nowhere", 'relation "nowhere" does not exist'),
    ):
        assert why in diskwars.error_message("sql", statement, "--database-url", stored_url), statement
    kept = diskwars("sql", "select count(*) > 0 as kept from records", "--json", "--database-url", stored_url)
    assert kept.out == '{"kept": true}\n'


def test_projection_takes_up_what_is_new_once_and_is_the_same_after_a_rebuild(
    stored_url: str, projection: ModuleType
) -> None:
    async def follow() -> list[list[asyncpg.Record]]:
        dsn = parse_database_url(stored_url).dsn
        connection = await asyncpg.connect(dsn)
        try:
            await connection.execute("create table later as select * from records where seq > 40")
            await connection.execute("delete from records where seq > 40")
            states = []
            for options in ("--once", "--once", "--rebuild"):
                await projection.main(dsn, options)
                states.append(await connection.fetch(DAMAGE))
                if len(states) == 1:
                    await connection.execute("insert into records select * from later")
            return states
        finally:
            await connection.close()

    part, whole, rebuilt = asyncio.run(follow())
    assert 0 < len(part) < len(whole)
    assert whole == rebuilt
    assert [record["seq"] for record in whole if record["match_id"] == "undone"] == [2], "record 3 was taken back"
