"""A player plays on from a moment of another match: with the SDK, and in the terminal against a bot."""

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from diskwars_bots.rulesets.registry import find_bots
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import Client, connect
from diskwars_client.errors import CommandRefused
from diskwars_client.match_handle import MatchHandle
from diskwars_client.watch_mode import WatchMode
from diskwars_protocol.match.match_options import BranchPoint
from diskwars_protocol.rulesets.pit.actions import PitLoadout
from tests.cli.command_runner import CommandRunner
from tests.cli.play.test_play import diskwars as run_command
from tests.client.local_server import WHOLE_TEST_SECONDS, running_server
from tests.golden.write_files import todays_file
from tests.rows import each_row

BEGUN = 5
"""The record with which a match of two begins."""
TWO_WAYS = "--from opens a new match: leave out --match, --invite and --resume"
PLAYER = WatchMode(push_options=True)


@pytest.fixture
async def url() -> AsyncIterator[str]:
    async with asyncio.timeout(WHOLE_TEST_SECONDS), running_server() as address:
        yield address


async def begin(first: MatchHandle, second: MatchHandle) -> None:
    """Let two players take the seats of a match, and get ready."""
    for handle in (first, second):
        await handle.wait_caught_up()
        await handle.take_seat(PitLoadout())
    for handle in (first, second):
        await handle.wait_caught_up()
        await handle.ready()


async def begun_match(first: Client, second: Client) -> MatchHandle:
    handle = await first.open_match(ruleset="pit", seat_count=2)
    await begin(handle, await second.watch(handle.id))
    return handle


async def test_branch_is_played_to_its_end_with_the_sdk(url: str) -> None:
    choose = find_bots("pit").choosers["random"]
    async with connect(url) as first, connect(url) as second:
        parent = await begun_match(first, second)
        opened = await first.lobby.branch(parent.id, BEGUN)
        assert (opened.branch_of, opened.resampled) == (BranchPoint(parent.id, BEGUN), False)
        handles = [await client.watch(opened.match, mode=PLAYER) for client in (first, second)]
        before = await handles[0].wait_caught_up()
        assert before.position is not None
        assert before.position.board == parent.match.board
        await begin(handles[0], handles[1])
        await asyncio.gather(*(play_bot(handle, choose, random.Random(1)) for handle in handles))
        assert all(handle.match.result is not None for handle in handles)
        with pytest.raises(CommandRefused, match="bad_branch"):
            await first.lobby.branch(parent.id, BEGUN - 1)


async def test_terminal_plays_on_from_a_moment_against_a_bot(url: str) -> None:
    async with connect(url) as first, connect(url) as second:
        parent = await begun_match(first, second)
        words = ("--url", url, "--bot", "greedy")
        code, lines, errors = await run_command("play", "--from", f"{parent.id}/{BEGUN}", *words, typed="default\n")
        assert (code, errors) == (0, "")
        assert lines[0].startswith("return at any time with: ")
        listed = await first.lobby.list()
        origins = {shown.match: shown.match_options.branch_of for shown in listed if shown.match != parent.id}
        assert list(origins.values()) == [BranchPoint(parent.id, BEGUN)]
        code, _, errors = await run_command("play", "--from", f"{parent.id}/999", *words)
        assert (code, errors) == (2, "diskwars: bad_branch: the match has records 1 to 5\n")


@each_row(
    ("words", "error"),
    [
        (("--from", "nonsense"), '--from: "nonsense" is not a moment: write MATCH/SEQ'),
        (("--from", "some/0"), '--from: "some/0" is not a moment: write MATCH/SEQ'),
        (
            ("--from", "some/5", "--match", "other"),
            "--from opens a new match: leave out --match, --invite and --resume",
        ),
        (("--from", "some/5", "--resume"), "--from opens a new match: leave out --match, --invite and --resume"),
    ],
)
def test_wrong_moment_is_found_before_anything_is_opened(
    diskwars: CommandRunner, words: tuple[str, ...], error: str
) -> None:
    assert diskwars.error_message("play", *words) == error


async def test_verification_says_what_a_branch_plays_on_from(tmp_path: Path) -> None:
    file = tmp_path / "branch.match.jsonl"
    file.write_bytes(todays_file("pit-branch"))
    code, lines, _ = await run_command("verify", str(file))
    assert code == 0
    moment = "record 10 of match pit-branch-parent-agreements"
    assert f"  it plays on from {moment}: the position is taken as it is recorded" in lines
