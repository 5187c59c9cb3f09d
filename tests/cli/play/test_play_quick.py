"""`diskwars play --quick` leads people who seek the same into one match."""

import asyncio
import os
from pathlib import Path

from tests.cli.command_runner import CommandRunner
from tests.cli.play.test_play import read_until, start_play
from tests.client.local_server import WHOLE_TEST_SECONDS, running_server
from tests.rows import each_row


async def test_two_players_who_seek_the_same_play_each_other(tmp_path: Path) -> None:
    async with asyncio.timeout(WHOLE_TEST_SECONDS), running_server() as url:
        folders = [tmp_path / name for name in ("one", "other")]
        players = [
            await start_play("play", "--url", url, "--quick", "--army", "high", XDG_DATA_HOME=os.fspath(folder))
            for folder in folders
        ]
        outputs = [(await read_until(player, "return at any time")).splitlines() for player in players]
        for lines in outputs:
            assert lines[0] == "seeking players for this match; Ctrl-C stops"
            assert lines[1].startswith("found match ")
        assert outputs[0][1] == outputs[1][1]
        for player in players:
            await player.communicate(b"")


@each_row("others", [("--match", "m"), ("--resume",), ("--bot", "greedy"), ("--invite", "i"), ("--invited-only",)])
def test_quick_match_cannot_be_one_that_is_named_or_locked(diskwars: CommandRunner, others: tuple[str, ...]) -> None:
    result = diskwars("play", "--quick", *others)
    assert result.code != 0
    assert f"--quick seeks people for a new match: leave out {others[0]}" in result.err
