"""Tests of playing and watching from the command line."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator

import pytest

from diskwars_client.client import connect
from diskwars_client.match_handle import ClientError
from diskwars_protocol.rulesets.diskwars.actions import Loadout
from tests.client.local_server import QUICK_RETRY, TEST_TIMEOUT_SECONDS, LossyRelay, running_server


@pytest.fixture
async def url() -> AsyncIterator[str]:
    async with asyncio.timeout(3 * TEST_TIMEOUT_SECONDS), running_server() as found:
        yield found


async def diskwars(*words: str, typed: str = "") -> tuple[int | None, list[str], str]:
    """Return the exit code, what it printed and what it complained of, when this was typed."""
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


async def start_play(*words: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "diskwars_cli",
        *words,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "DISKWARS_CALLED": "diskwars"},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def read_until(process: asyncio.subprocess.Process, end: str) -> str:
    """Return what it prints until this."""
    assert process.stdout is not None
    return (await process.stdout.readuntil(end.encode())).decode()


async def test_a_match_is_played_against_a_bot_by_typing(url: str) -> None:
    process = await start_play("play", "--url", url, "--army", "high", "--bot", "greedy")
    assert process.stdin is not None
    said = ""
    for number in range(1000):
        try:
            said += await read_until(process, "\n> ")
        except asyncio.IncompleteReadError as rest:
            said += rest.partial.decode()
            break
        process.stdin.write((b"1\n", b"end\n")[number % 2])
    _, complaint = await process.communicate()
    code, lines = process.returncode, said.splitlines()
    assert (code, complaint) == (0, b"")
    assert any("High Elf Patrol deployed" in line for line in lines)
    assert lines[-1].startswith("winner ")


async def test_player_who_ends_the_input_learns_how_to_return(url: str) -> None:
    code, lines, _ = await diskwars("play", "--url", url, "--bot", "random", typed="default\n")
    assert code == 0
    assert lines[0] == lines[-1].replace("with", "at any time with", 1)
    assert lines[-2] == "the bot leaves with you; this brings both of you back"
    assert lines[-1].startswith(f"return with: diskwars play --url {url} --match ")
    assert " --bot random --bot-token " in lines[-1]
    again = lines[-1].removeprefix("return with: diskwars ").split()
    process = await start_play(*again)
    said = (await read_until(process, "\n> ")).splitlines()
    assert "seat A: Empire Patrol" in said
    renewed = [line for line in said if " has a new chain for the dice from step " in line]
    assert sorted(line.split(" has ")[0] for line in renewed) == ["Empire Patrol", "seat B"]
    _, complaint = await process.communicate(b"quit\n")
    assert (process.returncode, complaint) == (0, b"")


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
async def test_interrupted_player_learns_how_to_return_with_the_bot(url: str, told: int) -> None:
    process = await start_play("play", "--url", url, "--bot", "greedy")
    await read_until(process, "\n> ")
    process.send_signal(told)
    said, complaint = await process.communicate()
    assert (process.returncode, complaint) == (130, b"")
    again = said.decode().splitlines()[-1].removeprefix("return with: diskwars ").split()
    back = await start_play(*again)
    assert back.stdin is not None
    while "Empire Patrol locks a command card" not in await read_until(back, "\n> "):  # which needs the bot to deploy
        back.stdin.write(b"1\n")
    back.stdin.write(b"quit\n")
    _, complaint = await back.communicate()
    assert (back.returncode, complaint) == (0, b"")


async def test_a_bot_finds_no_seat_that_is_taken(url: str) -> None:
    async with connect(url) as one, connect(url) as other:
        handle = await one.open_match()
        await handle.take_seat(Loadout("empire-patrol"))
        await (await other.watch(handle.id)).take_seat(Loadout("chaos-patrol"))
        words = ("play", "--url", url, "--match", handle.id, "--token", one.token, "--bot", "greedy")
        code, _, complaint = await diskwars(*words)
    assert (code, complaint.endswith("a bot that had it returns with its --bot-token\n")) == (2, True)


async def test_player_without_a_free_seat_learns_how_to_watch(url: str) -> None:
    async with connect(url) as one, connect(url) as other:
        handle = await one.open_match()
        await handle.take_seat(Loadout("empire-patrol"))
        await (await other.watch(handle.id)).take_seat(Loadout("chaos-patrol"))
        code, _, complaint = await diskwars("play", "--url", url, "--match", handle.id)
    told = f"diskwars: match {handle.id} has no free seat; `diskwars watch {handle.id}` shows it"
    assert (code, complaint.startswith(told)) == (2, True)


async def test_a_match_that_is_over_is_not_played(url: str) -> None:
    async with connect(url) as one:
        handle = await one.open_match()
        await handle.take_seat(Loadout("empire-patrol"))
        await handle.resign()
        code, _, complaint = await diskwars("play", "--url", url, "--match", handle.id)
    assert (code, complaint) == (2, f"diskwars: match {handle.id} is over: winner nobody (abandoned)\n")


@pytest.mark.parametrize("verb", ["play", "watch"])
async def test_output_that_nobody_reads_any_more_ends_it_quietly(url: str, verb: str) -> None:
    async with connect(url) as one:
        handle = await one.open_match()
        await handle.take_seat(Loadout("empire-patrol"))
        words = ("--bot", "greedy", "--token", one.token, "--match", handle.id) if verb == "play" else (handle.id,)
        process = await start_play(verb, "--url", url, *words)
        await read_until(process, "\n")
        assert process.stdout is not None
        process.stdout._transport.close()  # type: ignore[attr-defined]
        if verb == "watch":
            await handle.resign()
        else:
            with contextlib.suppress(ClientError):  # the terminal plays for the same player, and is ready before us
                await handle.ready()
        assert process.stderr is not None
        assert await process.stderr.read() == b""
        assert await process.wait() in (0, 141)


async def test_lost_and_restored_connection_is_shown(url: str) -> None:
    told: list[bool] = []
    relay = LossyRelay(url, lambda connection, frame, is_servers: "pass")
    async with relay.run(), connect(relay.url, on_connection_change=told.append, retry_policy=QUICK_RETRY) as client:
        assert told == []
        client._socket.transport.abort()  # type: ignore[union-attr]
        while told != [False, True]:
            await asyncio.sleep(0.01)
        await client.list_matches()
    assert told == [False, True]


async def test_a_match_is_watched_to_its_end(url: str) -> None:
    async with connect(url) as one, connect(url) as other:
        handle = await one.open_match()
        second = await other.watch(handle.id)
        await handle.take_seat(Loadout("empire-patrol"))
        await second.take_seat(Loadout("chaos-patrol"))
        watching = await start_play("watch", handle.id, "--url", url)
        await read_until(watching, "\n")
        await handle.resign()
        said, complained = await watching.communicate()
    assert (watching.returncode, complained) == (0, b"")
    assert said.decode().splitlines()[-2:] == ["", "Nobody won: abandoned"]


async def test_where_no_server_is_and_what_it_does_not_know_are_complaints(url: str) -> None:
    code, _, complaint = await diskwars("watch", "nothing", "--url", url)
    assert (code, complaint) == (2, "diskwars: unknown_match: there is no match of this id\n")
    code, _, complaint = await diskwars("play", "--url", "ws://127.0.0.1:1/ws")
    assert code == 2
    assert complaint.startswith("diskwars: no server at ws://127.0.0.1:1/ws")
