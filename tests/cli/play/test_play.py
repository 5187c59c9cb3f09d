"""Tests of playing and watching from the command line."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator

import pytest

from diskwars_client.client import connect
from diskwars_client.errors import ClientError
from diskwars_protocol.rulesets.diskwars.actions import Loadout
from tests.client.local_server import QUICK_RETRY, WHOLE_TEST_SECONDS, LossyRelay, running_server
from tests.client.patrols import PATROLS


@pytest.fixture
async def url() -> AsyncIterator[str]:
    async with asyncio.timeout(WHOLE_TEST_SECONDS), running_server() as address:
        yield address


async def diskwars(*words: str, typed: str = "", **environment: str) -> tuple[int | None, list[str], str]:
    """Run the command with this input; return its exit code, its lines of output and its errors."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "diskwars_cli",
        *words,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **environment},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate(typed.encode())
    return process.returncode, output.decode().splitlines(), errors.decode()


async def start_play(*words: str, **environment: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "diskwars_cli",
        *words,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "DISKWARS_CALLED": "diskwars"}
        | environment,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def read_until(process: asyncio.subprocess.Process, end: str) -> str:
    """Read the output of a process up to and including `end`."""
    assert process.stdout is not None
    return (await process.stdout.readuntil(end.encode())).decode()


async def test_match_against_a_bot_can_be_played_by_typing(url: str) -> None:
    process = await start_play("play", "--url", url, "--army", "high", "--bot", "greedy")
    assert process.stdin is not None
    output = ""
    for number in range(1000):
        try:
            output += await read_until(process, "\n> ")
        except asyncio.IncompleteReadError as rest:
            output += rest.partial.decode()
            break
        process.stdin.write((b"1\n", b"end\n")[number % 2])
    _, errors = await process.communicate()
    code, lines = process.returncode, output.splitlines()
    assert (code, errors) == (0, b"")
    assert any("High Elf Patrol deployed" in line for line in lines)
    assert " won: " in lines[-2], "the narration ends with the result, which is not told twice"
    assert lines[-1].startswith("look at it again with: diskwars replay ")


async def test_player_who_ends_the_input_learns_how_to_return(url: str) -> None:
    code, lines, _ = await diskwars("play", "--url", url, "--bot", "random", typed="default\n")
    assert code == 0
    assert lines[0] == "return at any time with: diskwars play --resume"
    assert lines[-1] == "the bot waits for you; return with: diskwars play --resume"
    process = await start_play("play", "--resume")
    output = (await read_until(process, "\n> ")).splitlines()
    assert "seat A (you): Reikland Host" in output
    assert not [line for line in output if "new chain" in line], "both secrets of the seats are kept"
    _, errors = await process.communicate(b"quit\n")
    assert (process.returncode, errors) == (0, b"")


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
async def test_interrupted_player_returns_to_the_same_dice_with_the_bot(url: str, signal_number: int) -> None:
    process = await start_play("play", "--url", url, "--bot", "greedy")
    await read_until(process, "\n> ")
    process.send_signal(signal_number)
    _, errors = await process.communicate()
    assert (process.returncode, errors) == (-9 if signal_number == signal.SIGKILL else 130, b"")
    back = await start_play("play", "--resume")
    assert back.stdin is not None
    output = ""
    while "Reikland Host locks a command card" not in output:  # which needs the bot to deploy
        output += await read_until(back, "\n> ")
        back.stdin.write(b"1\n")
    assert "new chain" not in output
    assert "without the nonce" not in output
    back.stdin.write(b"quit\n")
    _, errors = await back.communicate()
    assert (back.returncode, errors) == (0, b"")


async def test_bot_without_a_free_seat_is_an_error(url: str) -> None:
    async with connect(url) as one, connect(url) as other:
        handle = await one.open_match(PATROLS)
        await handle.take_seat(Loadout("empire-patrol"))
        await (await other.watch(handle.id)).take_seat(Loadout("chaos-patrol"))
        words = ("play", "--url", url, "--match", handle.id, "--bot", "greedy")
        code, _, errors = await diskwars(*words, DISKWARS_TOKEN=one.token)
    assert (code, errors.endswith("has no free seat; all seats are taken\n")) == (2, True)


async def test_player_without_a_free_seat_learns_how_to_watch(url: str) -> None:
    async with connect(url) as one, connect(url) as other:
        handle = await one.open_match(PATROLS)
        await handle.take_seat(Loadout("empire-patrol"))
        await (await other.watch(handle.id)).take_seat(Loadout("chaos-patrol"))
        code, _, errors = await diskwars("play", "--url", url, "--match", handle.id)
    message = f"diskwars: match {handle.id} has no free seat; `diskwars watch {handle.id}` shows it"
    assert (code, errors.startswith(message)) == (2, True)


async def test_ended_match_cannot_be_joined(url: str) -> None:
    async with connect(url) as one:
        handle = await one.open_match(PATROLS)
        await handle.take_seat(Loadout("empire-patrol"))
        await handle.resign()
        code, _, errors = await diskwars("play", "--url", url, "--match", handle.id)
    assert (code, errors) == (2, f"diskwars: match {handle.id} is over: winner nobody (abandoned)\n")


@pytest.mark.parametrize("verb", ["play", "watch"])
async def test_closed_output_ends_the_verb_quietly(url: str, verb: str) -> None:
    async with connect(url) as one:
        handle = await one.open_match(PATROLS)
        await handle.take_seat(Loadout("empire-patrol"))
        words = ("--bot", "greedy", "--match", handle.id) if verb == "play" else (handle.id,)
        process = await start_play(verb, "--url", url, *words, DISKWARS_TOKEN=one.token)
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
    changes: list[bool] = []
    relay = LossyRelay(url, lambda connection, frame, is_servers: "pass")
    async with (
        relay.run(),
        connect(relay.url, on_connection_change=changes.append, retry_policy=QUICK_RETRY) as client,
    ):
        assert changes == []
        client._requests._socket.transport.abort()  # type: ignore[union-attr]
        while changes != [False, True]:
            await asyncio.sleep(0.01)
        await client.lobby.list()
    assert changes == [False, True]


async def test_watch_follows_a_match_to_its_end(url: str) -> None:
    async with connect(url) as one, connect(url) as other:
        handle = await one.open_match(PATROLS)
        second = await other.watch(handle.id)
        await handle.take_seat(Loadout("empire-patrol"))
        await second.take_seat(Loadout("chaos-patrol"))
        watching = await start_play("watch", handle.id, "--url", url)
        await read_until(watching, "\n")
        await handle.resign()
        output, complained = await watching.communicate()
    assert (watching.returncode, complained) == (0, b"")
    assert output.decode().splitlines()[-2:] == ["", "Nobody won: abandoned"]


async def test_unreachable_server_and_unknown_match_are_errors(url: str) -> None:
    code, _, errors = await diskwars("watch", "nothing", "--url", url)
    assert (code, errors) == (2, "diskwars: unknown_match: there is no match of this id\n")
    code, _, errors = await diskwars("play", "--url", "ws://127.0.0.1:1/ws")
    assert code == 2
    assert errors.startswith("diskwars: no server at ws://127.0.0.1:1/ws")
