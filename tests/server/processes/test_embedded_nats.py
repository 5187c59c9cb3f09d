"""The embedded NATS starts, lets nobody in without its token, and is restarted on the same port."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import tempfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from diskwars_server.processes.embedded_nats import EmbeddedNats, EmbeddedNatsError

WAIT_SECONDS = 45


async def is_let_in(url: str) -> bool:
    """Return whether a client with the token in the address may use the server (protocol of NATS: CONNECT, PING)."""
    parts = urlsplit(url)
    async with asyncio.timeout(WAIT_SECONDS):
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        await reader.readline()  # INFO
        words = {"verbose": False, "auth_token": parts.username} if parts.username else {"verbose": False}
        writer.write(b"CONNECT " + json.dumps(words).encode() + b"\r\nPING\r\n")
        answer = await reader.readline()
        writer.close()
        await writer.wait_closed()
    return answer == b"PONG\r\n"


async def wait_until(is_there: Callable[[], object]) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while not is_there():
            await asyncio.sleep(0.02)


async def test_only_who_knows_the_token_is_let_in() -> None:
    async with EmbeddedNats() as running:
        port = running.url.rpartition(":")[2]
        assert await is_let_in(running.url)
        assert not await is_let_in(f"nats://127.0.0.1:{port}")
        assert not await is_let_in(f"nats://guess@127.0.0.1:{port}")


async def test_a_server_that_was_killed_is_back_at_the_same_address(caplog: pytest.LogCaptureFixture) -> None:
    async with EmbeddedNats() as running:
        url, killed = running.url, running.pid
        assert killed is not None
        os.kill(killed, signal.SIGKILL)
        await wait_until(lambda: "nats back" in caplog.text)
        assert running.url == url
        assert running.pid != killed
        assert await is_let_in(url)
    token = url.removeprefix("nats://").partition("@")[0]
    assert token not in caplog.text


async def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    async with EmbeddedNats() as running:
        (folder,) = tmp_path.iterdir()
        assert folder.stat().st_mode & 0o077 == 0, "the token is for this account alone"
        pid = running.pid
    assert list(tmp_path.iterdir()) == []
    assert pid is not None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_a_port_that_somebody_else_took_meanwhile_is_tried_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with contextlib.ExitStack() as taken:
        async with EmbeddedNats() as running:
            port = int(running.url.rpartition(":")[2])
            thief = taken.enter_context(socket.socket())
            thief.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            assert running.pid is not None
            os.kill(running.pid, signal.SIGKILL)
            await wait_until(lambda: "nats lost" in caplog.text)
            thief.bind(("127.0.0.1", port))
            thief.listen()
            await wait_until(lambda: "nats not back yet" in caplog.text)
            taken.close()
            await wait_until(lambda: "nats back" in caplog.text)
            assert await is_let_in(running.url)


async def test_without_the_program_the_text_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_nothing(name: str) -> metadata.Distribution:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", find_nothing)
    with pytest.raises(EmbeddedNatsError, match="NATS_URL"):
        async with EmbeddedNats():
            pass
