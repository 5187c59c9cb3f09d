"""Can one play and watch from the command line?"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator

import pytest

from diskwars_client.client import connect
from diskwars_protocol.diskwars.actions import Entry
from tests.client.houses import SECONDS, house


@pytest.fixture
async def url() -> AsyncIterator[str]:
    async with asyncio.timeout(3 * SECONDS), house() as found:
        yield found


async def diskwars(*words: str, typed: str = "") -> tuple[int | None, list[str], str]:
    """The exit code, what it printed and what it complained of, when this was typed."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "diskwars_cli",
        *words,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    said, complained = await process.communicate(typed.encode())
    return process.returncode, said.decode().splitlines(), complained.decode()


async def test_a_match_is_played_against_a_bot_by_typing(url: str) -> None:
    code, lines, complaint = await diskwars(
        "play", "--url", url, "--army", "high", "--bot", "greedy", typed="1\n" * 300
    )
    assert (code, complaint) == (0, "")
    assert any("High Elf Patrol deployed" in line for line in lines)
    assert lines[-1].startswith("winner ")


async def test_whoever_stops_typing_is_told_how_to_come_back(url: str) -> None:
    code, lines, _ = await diskwars("play", "--url", url, "--bot", "random", typed="default\n")
    assert code == 0
    assert lines[-1].startswith(f"come back with: diskwars play --url {url} --match ")
    again = lines[-1].removeprefix("come back with: diskwars ").split()
    code, lines, complaint = await diskwars(*again, typed="quit\n")
    assert (code, complaint) == (0, "")
    assert "Empire Patrol came to seat A" in lines


async def test_a_match_is_watched_to_its_end(url: str) -> None:
    async with connect(url) as one, connect(url) as other:
        handle = await one.open_match()
        second = await other.watch(handle.id)
        await handle.take_seat(Entry("Empire Patrol"))
        await second.take_seat(Entry("Chaos Patrol"))
        watching = asyncio.create_task(diskwars("watch", handle.id, "--url", url))
        await asyncio.sleep(0.3)
        await handle.resign()
        code, lines, complaint = await watching
    assert (code, complaint) == (0, "")
    assert lines[-2:] == ["", "Nobody won: abandoned"]


async def test_where_no_server_is_and_what_it_does_not_know_are_complaints(url: str) -> None:
    code, _, complaint = await diskwars("watch", "nothing", "--url", url)
    assert (code, complaint) == (2, "diskwars: unknown_match: there is no match of this id\n")
    code, _, complaint = await diskwars("play", "--url", "ws://127.0.0.1:1/ws")
    assert code == 2
    assert complaint.startswith("diskwars: no server at ws://127.0.0.1:1/ws")
