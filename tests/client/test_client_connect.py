"""Connections that are awaited and those that are entered: both connect, fail and are cancelled alike."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from websockets.asyncio.server import ServerConnection, serve

from diskwars_client import connect
from diskwars_client.client import Client
from diskwars_client.errors import SessionEnded
from diskwars_client.server_sockets import ServerUnreachable
from tests.client.local_server import QUICK_RETRY, TEST_TIMEOUT_SECONDS, running_server

Connecting = Callable[[str], Awaitable[Client]]


@pytest.fixture
async def url() -> AsyncIterator[str]:
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS), running_server() as url:
        yield url


async def connect_by_await(url: str) -> Client:
    return await connect(url, retry_policy=QUICK_RETRY)


async def connect_by_entering(url: str) -> Client:
    async with connect(url, retry_policy=QUICK_RETRY) as client:
        return client


BOTH_WAYS = pytest.mark.parametrize("connecting", [connect_by_await, connect_by_entering])


async def test_client_that_is_awaited_is_used_until_it_is_closed(url: str) -> None:
    client = await connect(url)
    try:
        assert await client.lobby.list() == ()
    finally:
        await client.close()
    with pytest.raises(SessionEnded, match="the client was closed"):
        await client.lobby.list()


async def test_client_that_is_entered_is_closed_at_the_end(url: str) -> None:
    async with connect(url) as client:
        assert await client.lobby.list() == ()
    with pytest.raises(SessionEnded, match="the client was closed"):
        await client.lobby.list()


async def test_client_that_was_awaited_can_be_entered(url: str) -> None:
    client = await connect(url)
    async with client as same:
        assert same is client
        assert await client.lobby.list() == ()
    with pytest.raises(SessionEnded):
        await client.lobby.list()


async def test_error_inside_is_raised_and_the_client_is_closed(url: str) -> None:
    with pytest.raises(ZeroDivisionError):
        async with connect(url) as client:
            _ = 1 / 0
    with pytest.raises(SessionEnded):
        await client.lobby.list()


async def test_closing_twice_does_nothing(url: str) -> None:
    client = await connect(url)
    await client.close()
    await client.close()
    assert client.url == url


@BOTH_WAYS
async def test_address_without_a_server_is_an_error(connecting: Connecting) -> None:
    with pytest.raises(ServerUnreachable, match="nothing is listening there"):
        await connecting("ws://127.0.0.1:1/ws")
    assert names_of_client_tasks() == []


@BOTH_WAYS
async def test_text_that_is_no_address_is_an_error(connecting: Connecting) -> None:
    with pytest.raises(ServerUnreachable, match="is not the address of a server"):
        await connecting("not an address")
    assert names_of_client_tasks() == []


@BOTH_WAYS
async def test_connecting_can_be_cancelled(connecting: Connecting) -> None:
    met = asyncio.Event()

    async def never_welcome(socket: ServerConnection) -> None:
        met.set()
        await socket.wait_closed()

    async with asyncio.timeout(TEST_TIMEOUT_SECONDS), serve(never_welcome, "127.0.0.1", 0) as listening:
        port = next(iter(listening.sockets)).getsockname()[1]
        task = asyncio.ensure_future(connecting(f"ws://127.0.0.1:{port}/ws"))
        await met.wait()
        assert names_of_client_tasks() == ["diskwars client"]
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert names_of_client_tasks() == []


def names_of_client_tasks() -> list[str]:
    return [task.get_name() for task in asyncio.all_tasks() if task.get_name() == "diskwars client"]
