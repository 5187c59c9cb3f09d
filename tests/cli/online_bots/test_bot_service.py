"""A bot stays online with its account: it answers challenges, takes seats, and outlives kills on both sides."""

import asyncio
import contextlib
import os
import random
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from diskwars_bots.rulesets.registry import find_bots
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import Client, connect
from diskwars_client.match_handle import MatchHandle
from diskwars_protocol.match.match_options import MatchOptions, PerDecisionClock
from diskwars_protocol.messages.challenges import Challenge
from tests.client.local_server import running_server
from tests.e2e.season_trial import free_port
from tests.e2e.servers import ServerProcess

PASSWORD = "the griffon flies"
CHOOSER = """

def choose(match, decision, options, rng):
    return rng.choice(list(options.actions) or [options.parametric[0].example])
"""
WAIT_SECONDS = 60
PACE = 0.05


class BotProcessOutput:
    """`diskwars bot serve` as a process, and what it has printed."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process, self.lines = process, list[str]()

    async def wait_line(self, pattern: str) -> str:
        assert self.process.stdout is not None
        async with asyncio.timeout(WAIT_SECONDS):
            while line := (await self.process.stdout.readline()).decode():
                self.lines.append(line)
                if re.search(pattern, line):
                    return line
        raise AssertionError(f"never printed {pattern}: {self.lines}")


@contextlib.asynccontextmanager
async def serving_bot(folder: Path, url: str, *options: str) -> AsyncIterator[BotProcessOutput]:
    folder.mkdir(exist_ok=True)
    bot = folder / "my_bot.py"
    bot.write_text(CHOOSER)
    environment = {
        **os.environ,
        "XDG_DATA_HOME": str(folder),
        "DISKWARS_ACCOUNT_PASSWORD": PASSWORD,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    words = ("bot", "serve", f"{bot}:choose", "--name", "Archer of Nuln", "--url", url, *options)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "diskwars_cli", *words),
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        yield BotProcessOutput(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


async def challenge_bot(client: Client, ruleset: str, options: MatchOptions | None = None) -> Challenge:
    await client.accounts.register("Ann of Nuln", PASSWORD)
    sent = await client.challenges.send("Archer of Nuln", ruleset, match_options=options or MatchOptions())
    async with asyncio.timeout(WAIT_SECONDS):
        answered = await client.challenges.wait_for_answer(sent.challenge)
    assert answered is not None
    return answered


async def play_slowly(handle: MatchHandle) -> None:
    await play_bot(handle, find_bots(handle.match.ruleset).choosers["random"], random.Random(3), PACE)


async def wait_for_records(handle: MatchHandle, count: int) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while handle.head < count and not handle.is_over:
            await asyncio.sleep(0.05)


@pytest.mark.timeout(240)  # two servers and two bots begin one after another
async def test_bot_plays_a_challenge_to_its_end_though_server_and_bot_are_killed(
    open_folder: Path, tmp_path: Path
) -> None:
    port, data = free_port(), str(open_folder / "bot-service")
    options = ("--data", data, "--port", str(port))
    async with contextlib.AsyncExitStack() as stack:
        server = await stack.enter_async_context(ServerProcess(*options))
        ann = await stack.enter_async_context(connect(server.url))
        async with serving_bot(tmp_path / "bot", server.url, "--accept", "pit,pace=no_clock") as bot:
            await bot.wait_line("Archer of Nuln is online")
            accepted = await challenge_bot(ann, "pit")
            assert [player.name for player in await ann.accounts.bots()] == ["Archer of Nuln"], "marked by itself"
            assert accepted.match is not None
            handle = await ann.watch(accepted.match)
            await handle.wait_caught_up()
            await handle.take_seat(handle.vocabulary.loadout())
            await bot.wait_line("took a seat")
            playing = asyncio.create_task(play_slowly(handle))
            await wait_for_records(handle, 8)
            await server.kill()
            await stack.enter_async_context(ServerProcess(*options))
            before = handle.head
            await wait_for_records(handle, before + 4)
            assert not handle.is_over, "the match ended before the bot was killed"
        async with serving_bot(tmp_path / "bot", server.url, "--accept", "pit,pace=no_clock") as again:
            async with asyncio.timeout(WAIT_SECONDS):
                await playing
            assert handle.match.result is not None
            assert handle.match.result.end_reason != "resigned"
            await again.wait_line(f"match {handle.id} is over")


async def test_bot_declines_what_its_rules_do_not_accept(tmp_path: Path) -> None:
    async with (
        running_server(seed=None) as url,
        serving_bot(tmp_path / "bot", url, "--accept", "pit,pace=days") as bot,
        connect(url) as ann,
    ):
        await bot.wait_line("is online")
        answered = await challenge_bot(ann, "pit", MatchOptions(clock=PerDecisionClock(60)))
        assert (answered.status, answered.reason) == ("declined", "too_fast")


async def test_bot_takes_a_free_seat_and_no_more_matches_than_it_may(tmp_path: Path) -> None:
    async with (
        running_server(seed=None) as url,
        serving_bot(tmp_path / "bot", url, "--accept", "pit:seats,pace=no_clock", "--matches", "1") as bot,
        connect(url) as ann,
    ):
        await bot.wait_line("is online")
        first, second = [await ann.open_match(ruleset="pit") for _ in range(2)]
        line = await bot.wait_line("took a seat")
        taken, free = (first, second) if first.id in line else (second, first)
        await taken.take_seat(taken.vocabulary.loadout())
        assert all(seat.player is None for seat in free.match.seats), "two seats, though it may play one match"
        await asyncio.wait_for(play_slowly(taken), WAIT_SECONDS)
        await bot.wait_line(f"match {taken.id} is over")
        assert free.id in await bot.wait_line("took a seat")


async def test_failing_bot_resigns_and_its_line_is_named(tmp_path: Path) -> None:
    async with running_server(seed=None) as url, connect(url) as ann:
        folder = tmp_path / "bot"
        async with serving_bot(folder, url, "--accept", "pit:seats,pace=no_clock") as bot:
            (folder / "my_bot.py").write_text(
                "def choose(match, decision, options, rng):\n    raise ValueError('no')\n"
            )
            await bot.wait_line("is online")
            handle = await ann.open_match(ruleset="pit")
            await handle.take_seat(handle.vocabulary.loadout())
            playing = asyncio.create_task(play_slowly(handle))
            assert "my_bot.py:2" in await bot.wait_line("is resigned")
            await asyncio.wait_for(playing, WAIT_SECONDS)
            assert handle.match.result is not None
            assert handle.match.result.winners == (handle.seat,)


async def test_second_process_of_the_same_bot_is_refused(tmp_path: Path) -> None:
    async with (
        running_server(seed=None) as url,
        serving_bot(tmp_path / "bot", url, "--accept", "pit,pace=no_clock") as bot,
    ):
        await bot.wait_line("is online")
        async with serving_bot(tmp_path / "bot", url, "--accept", "pit,pace=no_clock") as second:
            await second.wait_line("is online in another terminal")
            assert await second.process.wait() == 2
