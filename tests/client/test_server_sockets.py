"""Sockets to a server are closed however their use ends."""

import asyncio

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.server import ServerConnection, serve
from websockets.protocol import State

from diskwars_client.server_sockets import open_socket
from tests.client.local_server import TEST_TIMEOUT_SECONDS


async def test_socket_is_closed_though_its_user_is_cancelled_while_it_closes() -> None:
    sockets: list[ClientConnection] = []
    is_over = asyncio.Event()

    async def read_nothing(near: ServerConnection) -> None:
        near.transport.pause_reading()
        await is_over.wait()

    async def use(url: str) -> None:
        async with open_socket(url, TEST_TIMEOUT_SECONDS, is_local=True) as socket:
            sockets.append(socket)

    async with (
        serve(read_nothing, "127.0.0.1", 0, close_timeout=0.1) as listening,
        asyncio.timeout(TEST_TIMEOUT_SECONDS),
    ):
        port = next(iter(listening.sockets)).getsockname()[1]
        user = asyncio.create_task(use(f"ws://127.0.0.1:{port}/ws"))
        while not sockets or sockets[0].state is not State.CLOSING:
            await asyncio.sleep(0)
        user.cancel()
        with pytest.raises(asyncio.CancelledError):
            await user
        is_over.set()
        assert sockets[0].transport.is_closing()
