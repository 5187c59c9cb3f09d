"""A real server over a store in memory, and a relay that loses frames."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_socket
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from diskwars_client.client import Client
from diskwars_client.match_handle import MatchHandle
from diskwars_client.retry_policy import RetryPolicy
from diskwars_server.app import start_server
from diskwars_server.settings import ServerSettings
from diskwars_server.store.memory.database import MemoryDatabase

QUICK_RETRY = RetryPolicy(initial_delay_seconds=0.001, max_delay_seconds=0.01, give_up_seconds=40, ping_seconds=40)
TEST_TIMEOUT_SECONDS = 40
"""After which a test that waits has failed."""
WHOLE_TEST_SECONDS = 50
"""For the fixtures of a test and all its waits together."""
CLIENTS: WeakKeyDictionary[MatchHandle, Client] = WeakKeyDictionary()
"""Clients of the handles that fixtures provide, for tests that need both."""


@contextlib.asynccontextmanager
async def running_server(seed: int | None = 7, **settings: Any) -> AsyncIterator[str]:
    """Provide the address of a real server."""
    chosen = ServerSettings(port=0, seed=seed, **settings)
    async with MemoryDatabase() as database, start_server(chosen, database) as transport:
        yield transport.url


FrameFate: TypeAlias = Callable[[int, int, bool], str]
"""Fate of a frame, by number of the connection, number of the frame on it, and whether it is the server's.

"pass", "cut" (lost, with the connection), "last" (delivered, then the connection is cut), "double" (delivered twice),
"flip" (delivered with another bit) or "hold" (nothing comes through any more, and nobody is notified).
"""


def with_flipped_bit(frame: str | bytes) -> str | bytes:
    """Return a frame with a bit of its last letter flipped, so that it is no JSON any more.

    Inside a text nothing shows a flipped bit at once: it is TCP and TLS that keep bits, not this protocol.
    """
    return frame[:-1] + chr(ord(frame[-1]) ^ 1) if isinstance(frame, str) else frame


class LossyRelay:
    """Relay between a client and a server. `connections` counts those that were made."""

    def __init__(self, behind: str, judge: FrameFate) -> None:
        self._behind, self._judge = behind, judge
        self.url = ""
        self.connections = 0
        self._inject: asyncio.Queue[str] = asyncio.Queue()

    def inject_frame(self, frame: str) -> None:
        """Tell the client something that the server never said."""
        self._inject.put_nowait(frame)

    @contextlib.asynccontextmanager
    async def run(self) -> AsyncIterator["LossyRelay"]:
        async with serve(self._relay_connection, "127.0.0.1", 0, compression=None, close_timeout=0.1) as listening:
            port = next(iter(listening.sockets)).getsockname()[1]
            self.url = f"ws://127.0.0.1:{port}/ws"
            yield self

    async def _relay_connection(self, near: ServerConnection) -> None:
        self.connections += 1
        number = self.connections
        async with open_socket(self._behind, compression=None, proxy=None) as far:
            line = _RelayedConnection(near, far, lambda frame, is_servers: self._judge(number, frame, is_servers))
            tasks = [
                asyncio.create_task(line.forward(far, near, True)),
                asyncio.create_task(line.forward(near, far, False)),
                asyncio.create_task(self._send_injected(near)),
            ]
            await asyncio.wait(tasks[:2], return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _send_injected(self, near: ServerConnection) -> None:
        while True:
            await near.send(await self._inject.get())


class _RelayedConnection:
    """One connection through the relay."""

    def __init__(self, near: ServerConnection, far: ClientConnection, judge: Callable[[int, bool], str]) -> None:
        self._near, self._far, self._judge = near, far, judge
        self._frames = 0

    async def forward(
        self, source: ServerConnection | ClientConnection, sink: ServerConnection | ClientConnection, is_servers: bool
    ) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for frame in source:
                self._frames += 1
                fate = self._judge(self._frames, is_servers)
                if fate == "hold":
                    self._near.transport.pause_reading()
                    await asyncio.Event().wait()
                if fate in ("double", "flip"):
                    for sent in (frame, frame) if fate == "double" else (with_flipped_bit(frame),):
                        await sink.send(sent)
                    continue
                if fate != "cut":
                    await sink.send(frame)
                if fate != "pass":
                    self._near.transport.abort()
                    self._far.transport.abort()
                    return
