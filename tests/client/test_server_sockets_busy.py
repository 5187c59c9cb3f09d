"""A server that has no place says when to connect again, and the client does."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest

from diskwars_client import server_sockets
from diskwars_client.client import connect
from diskwars_client.retry_policy import RetryPolicy
from diskwars_client.server_sockets import DEFAULT_RETRY_AFTER_MS, ServerBusy
from diskwars_server.app import start_server
from diskwars_server.connections.transport import Transport
from diskwars_server.limits import address_quotas
from diskwars_server.limits.entry_refusals import TOO_MANY_CONNECTIONS, EntryRefusal
from diskwars_server.settings import ServerSettings
from diskwars_server.store.memory.database import MemoryDatabase
from tests.client.local_server import TEST_TIMEOUT_SECONDS, running_server
from tests.rows import each_row

IMPATIENT = RetryPolicy(max_server_wait_seconds=0.01)


@contextlib.asynccontextmanager
async def server_with_one_place() -> AsyncIterator[Transport]:
    settings = ServerSettings(port=0, bot_workers=0, address_connections=1)
    async with MemoryDatabase() as database, start_server(settings, database) as transport:
        yield transport


def refusals(transport: Transport) -> float:
    text = transport._context.metrics.render().decode()
    lines = [line for line in text.splitlines() if line.startswith("diskwars_connections_refused_total{")]
    return sum(float(line.rpartition(" ")[2]) for line in lines)


async def test_client_waits_for_a_place_and_takes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address_quotas, "TOO_MANY_CONNECTIONS", EntryRefusal("too_many_connections", 20))
    async with server_with_one_place() as transport, asyncio.timeout(TEST_TIMEOUT_SECONDS):
        first = connect(transport.url)
        await first.__aenter__()
        second = connect(transport.url)
        entering = asyncio.create_task(second.__aenter__())
        while refusals(transport) < 2:
            await asyncio.sleep(0.01)
        await first.__aexit__(None, None, None)
        assert (await entering).player
        await second.__aexit__(None, None, None)


async def test_client_gives_up_where_the_wait_is_longer_than_its_patience() -> None:
    async with server_with_one_place() as transport, connect(transport.url):
        with pytest.raises(ServerBusy, match="takes no more connections now") as busy:
            async with connect(transport.url, retry_policy=IMPATIENT):
                pass
    assert busy.value.retry_after_ms == TOO_MANY_CONNECTIONS.retry_after_ms


async def test_client_goes_to_the_next_node_at_once() -> None:
    async with (
        server_with_one_place() as full,
        running_server() as other,
        connect(full.url),
        connect([full.url, other], retry_policy=IMPATIENT) as client,
    ):
        assert client.url == other


@each_row(
    ("head", "body", "wait_ms"),
    [
        ("503 Service Unavailable\r\nRetry-After: 7", "<html>", 7000),
        ("503 Service Unavailable\r\nRetry-After: Fri, 31 Dec 1999 23:59:59 GMT", "", DEFAULT_RETRY_AFTER_MS),
        ("429 Too Many Requests", '{"retry_after_ms": -1}', DEFAULT_RETRY_AFTER_MS),
        ("429 Too Many Requests\r\nRetry-After: 9", '{"code": "new", "retry_after_ms": 250}', 250),
    ],
)
async def test_wait_is_read_from_what_a_server_or_a_proxy_answers(head: str, body: str, wait_ms: int) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 {head}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        with pytest.raises(ServerBusy) as busy:
            async with connect(f"ws://127.0.0.1:{port}/ws", retry_policy=IMPATIENT):
                pass
    assert busy.value.retry_after_ms == wait_ms


async def test_answer_that_is_read_before_the_request_was_sent_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: Any, **__: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(server_sockets, "connect", fail)
    with pytest.raises(ServerBusy):
        async with connect("ws://127.0.0.1:1/ws", retry_policy=IMPATIENT):
            pass
