"""The `leaderboard` and `ratings` verbs."""

import asyncio

import pytest

from diskwars_cli.look_back.ratings import RULE
from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_server.store.accounts import StoredAccount, StoredDevice
from diskwars_server.store.match_index import Listing
from diskwars_server.store.postgres.database import PostgresDatabase
from diskwars_server.store.rated_matches import DAY_MS
from tests.cli.command_runner import CommandRunner
from tests.cli.play.test_play import diskwars as run_diskwars
from tests.client.local_server import running_server
from tests.server.conftest import run_sql
from tests.server.stored_samples import store_played


@pytest.fixture
def played_url(database_url: str) -> str:
    """Return the address of a database with five rated matches that were not counted yet."""

    async def fill() -> None:
        async with PostgresDatabase(database_url) as database:
            for player in ("ann", "ben"):
                account = StoredAccount(player, player.title(), player, "hash", 0)
                await database.accounts.register(account, StoredDevice(player, "d", player.encode(), 0, 0))
            for n in range(5):
                result, rated = Result("elimination", (0,)), MatchOptions(rated=True)
                at = n * DAY_MS
                listing = Listing(f"r{n}", "diskwars", "ended", ("ann", "ben"), "ann", at, at, result, rated)
                await store_played(database, listing)

    asyncio.run(fill())
    return database_url


def test_ratings_are_checked_against_a_rebuild(diskwars: CommandRunner, played_url: str) -> None:
    checked = diskwars("ratings", "--database-url", played_url)
    assert (checked.code, checked.lines) == (0, ["5 counted matches: ratings and statistics are those that they make"])
    board = diskwars("leaderboard", "--database-url", played_url)
    assert [line.split()[:2] for line in board.lines[:-1]] == [["place", "player"], ["1", "Ann"], ["2", "Ben"]]
    asyncio.run(run_sql(played_url, "update ratings set mu = 40 where player_id = 'ben'"))
    wrong = diskwars("ratings", "--database-url", played_url)
    assert (wrong.code, wrong.lines[1:]) == (1, ["  rating of player ben in diskwars"])
    mended = diskwars("ratings", "--rebuild", "--database-url", played_url)
    assert (mended.code, mended.lines[-1]) == (0, "they were made again")
    assert diskwars("ratings", "--database-url", played_url).code == 0
    assert diskwars("leaderboard", "--database-url", played_url).lines == board.lines


def test_ratings_of_an_earlier_build_are_made_again(diskwars: CommandRunner, played_url: str) -> None:
    assert diskwars("ratings", "--database-url", played_url).code == 0
    board = diskwars("leaderboard", "--database-url", played_url).lines
    asyncio.run(run_sql(played_url, "update ratings set mu = 40, shown = 40000; delete from rating_model"))
    assert diskwars("ratings", "--database-url", played_url).code == 0
    assert diskwars("leaderboard", "--database-url", played_url).lines == board


async def test_leaderboard_of_a_server_without_rated_games_is_empty() -> None:
    async with running_server() as url:
        code, lines, _ = await run_diskwars("leaderboard", "--url", url)
    assert (code, lines) == (0, ["nobody has played enough rated games", RULE])
