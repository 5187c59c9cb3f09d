"""The `matches` verb searches the matches that have ended."""

import asyncio
from datetime import datetime

import pytest
from msgspec.structs import replace

from diskwars_cli.options.match_filters import MatchFilters
from diskwars_protocol.match.decisions import Result
from diskwars_server.store.event_log import AppendRequest
from diskwars_server.store.match_index import Listing
from diskwars_server.store.postgres.database import PostgresDatabase
from tests.cli.command_runner import CommandRunner
from tests.cli.conftest import UNFINISHED_MATCH
from tests.client.match_files import greedy_records, seal_records

DAY_MS = 86_400_000


@pytest.fixture
def history_url(database_url: str) -> str:
    """Return the address of a database with two ended matches, a day apart."""
    listing = Listing(
        "early", "diskwars", "ended", ("one", "two"), "one", DAY_MS, DAY_MS, Result("elimination", (0,)), records=80
    )
    later = replace(listing, match="later", created_ms=3 * DAY_MS, armies=("chaos-patrol", None), records=90)

    async def fill() -> None:
        async with PostgresDatabase(database_url) as database:
            for each in (listing, later):
                (record, *_) = seal_records(greedy_records()[:1])
                await database.events.append(AppendRequest(each.match, 0, record, listing=each))

    asyncio.run(fill())
    return database_url


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ((), ["later", "early"]),
        (("--player-id", "one"), ["later", "early"]),
        (("--player-id", "one", "--outcome", "not-won"), []),
        (("--army", "chaos-patrol"), ["later"]),
        (("--ended-by", "elimination", "--max-records", "85"), ["early"]),
        (("--until", "1970-01-02"), ["early"]),
        (("--ruleset", "pit"), []),
    ],
)
def test_ended_matches_are_filtered(
    diskwars: CommandRunner, history_url: str, options: tuple[str, ...], found: list[str]
) -> None:
    result = diskwars("matches", *options, "--database-url", history_url)
    assert result.code == 0
    assert [line.split()[0] for line in result.lines[1:]] == found if found else result.lines == ["no matches"]


def test_search_that_is_cut_off_says_so(diskwars: CommandRunner, history_url: str) -> None:
    result = diskwars("matches", "--player-id", "two", "--limit", "1", "--database-url", history_url)
    assert [line.split()[0] for line in result.lines[1:]] == ["later"]
    assert result.err == "older matches are not shown: --limit 10 shows more\n"


def test_searches_without_sense_are_refused(diskwars: CommandRunner, archive_url: str) -> None:
    store = ("--database-url", archive_url)
    assert diskwars.error_message("matches", "--outcome", "won", *store) == "`won` needs a player"
    assert diskwars.error_message("matches", "--player", "Nobody", *store) == "no account has this name"
    assert diskwars.error_message("matches", "--status", "running", "--army", "x", *store) == (
        "only matches that have ended are searched, not those that are running"
    )
    assert UNFINISHED_MATCH not in diskwars("matches", "--player-id", "one", *store).out


def test_days_are_whole_days_of_this_computer() -> None:
    day = datetime(2026, 3, 5)
    search = MatchFilters(since=day, until=day).search()
    assert search.since_ms is not None
    assert search.until_ms is not None
    assert search.until_ms - search.since_ms == DAY_MS - 1
