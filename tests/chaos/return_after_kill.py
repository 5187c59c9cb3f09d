"""Kill a server under many clients, and measure when each of them is back.

`python -m tests.chaos.return_after_kill FOLDER CLIENTS ROUNDS [--away SECONDS]` connects clients of the Python SDK with
their usual policy, from `ADDRESSES` loopback addresses, each two in a match of their own. Each round kills the server
(`kill -9`), leaves it away for some seconds and starts it again. It prints how long after the server listened the
clients watched their match again, and for how long the server's event loop was at work without a pause. It exits with 1
if one of the two took too long. FOLDER must be one that the account of PostgreSQL can enter.
"""

import asyncio
import contextlib
import functools
import os
import statistics
import sys
import time
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any
from unittest import mock

from msgspec import Struct
from websockets.asyncio.client import connect as open_socket

from diskwars_client.client import Client, connect
from diskwars_client.watched_matches import WatchedMatches
from diskwars_protocol.messages.watching import Watching
from diskwars_server.processes.embedded_postgres import EmbeddedPostgres
from tests.chaos.arguments import make_parser, positive
from tests.chaos.watched_serve import LOOP_FILE
from tests.e2e.servers import ServerProcess

ADDRESSES = 25
AWAY_SECONDS = 3.0
BEGUN_AT_ONCE = 20
RETURN_TIMEOUT_SECONDS = 50
MAX_RETURN_SECONDS = 3.0
MAX_BLOCKED_MS = 50.0
"""Promises of the server on a machine that is not overloaded."""
MODULE = "tests.chaos.watched_serve"
CLIENT: ContextVar[int] = ContextVar("client")


class ReturnReport(Struct, frozen=True):
    """`returns` are the seconds from when the server listened to when each client watched its match again, by round."""

    returns: tuple[tuple[float, ...], ...]
    blocked_ms: tuple[float, ...]


class Returns:
    """Clients that watch their match again since the last kill, and when they began to."""

    def __init__(self) -> None:
        self.times: dict[int, float] = {}
        self._new = asyncio.Event()

    @contextlib.contextmanager
    def collect(self) -> Iterator[None]:
        on_watching = WatchedMatches.on_watching

        def recorded(matches: WatchedMatches, message: Watching) -> None:
            on_watching(matches, message)
            self.times.setdefault(CLIENT.get(), time.perf_counter())
            self._new.set()

        with mock.patch.object(WatchedMatches, "on_watching", recorded):
            yield

    async def wait_for(self, count: int) -> None:
        """Wait until this many are back. Raises TimeoutError."""
        async with asyncio.timeout(RETURN_TIMEOUT_SECONDS):
            while len(self.times) < count:
                self._new.clear()
                await self._new.wait()


@contextlib.contextmanager
def own_addresses() -> Iterator[None]:
    """Let each client connect from one of the addresses."""

    def connect_from(url: str, **options: Any) -> Any:
        return open_socket(url, local_addr=(f"127.0.1.{1 + CLIENT.get() // 2 % ADDRESSES}", 0), **options)

    with mock.patch("diskwars_client.server_sockets.connect", connect_from):
        yield


async def run(folder: Path, clients: int, rounds: int, *, away_seconds: float = AWAY_SECONDS) -> ReturnReport:
    """Kill the server `rounds` times under this many clients."""
    folder.mkdir(exist_ok=True)
    file, returns = folder / "blocked", Returns()
    with EmbeddedPostgres(folder / "store") as database_url, own_addresses(), returns.collect():
        options = ("--database-url", database_url, "--bot-workers", "0", "--log-level", "error")
        start = functools.partial(_start, file, options)
        server = await start(0)
        seconds, blocked = list[tuple[float, ...]](), list[float]()
        try:
            async with contextlib.AsyncExitStack() as connected:
                await _connect_all(connected, server.url, clients)
                for _ in range(rounds):
                    await server.kill()
                    returns.times.clear()
                    await asyncio.sleep(away_seconds)
                    server = await start(server.port)
                    listened = time.perf_counter()
                    await returns.wait_for(clients)
                    seconds.append(tuple(sorted(at - listened for at in returns.times.values())))
                    blocked.append(await _read_blocked(file))
        finally:
            await server.terminate()
    return ReturnReport(tuple(seconds), tuple(blocked))


async def _read_blocked(file: Path) -> float:
    """Return the milliseconds that the server's loop was blocked for; it writes them a moment after each."""
    async with asyncio.timeout(RETURN_TIMEOUT_SECONDS):
        while not (blocked := float(file.read_text() or "0")):
            await asyncio.sleep(0.02)
    return blocked


async def _start(file: Path, options: tuple[str, ...], port: int) -> ServerProcess:
    file.write_text("0")
    with mock.patch.dict(os.environ, {LOOP_FILE: str(file)}):
        server = ServerProcess(*options, "--port", str(port), module=MODULE)
        await server.__aenter__()
    return server


async def _connect_all(connected: contextlib.AsyncExitStack, url: str, clients: int) -> None:
    """Connect the clients, of which each two watch a match that the first of them opened."""
    turns = asyncio.Semaphore(BEGUN_AT_ONCE)

    async def begin(number: int) -> list[Client]:
        async with turns:
            CLIENT.set(number)
            first = await connect(url)
            match = await first.open_match(ruleset="pit")
            CLIENT.set(number + 1)
            second = await connect(url)
            await second.watch(match.id)
            return [first, second]

    for pair in await asyncio.gather(*(begin(number) for number in range(0, clients, 2))):
        for client in pair:
            connected.push_async_callback(client.close)


def breaches(report: ReturnReport) -> list[str]:
    """Return what of a report breaks a promise."""
    longest = max(round_[-1] for round_ in report.returns)
    faults = [f"{longest:.1f} s until the last client was back"] if longest > MAX_RETURN_SECONDS else []
    blocked = max(report.blocked_ms)
    faults += [f"the loop was blocked for {blocked:.0f} ms"] if blocked > MAX_BLOCKED_MS else []
    return faults


def main(words: list[str] | None = None) -> int:
    parser = make_parser("tests.chaos.return_after_kill", __doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("clients", type=positive, metavar="CLIENTS")
    parser.add_argument("rounds", type=positive, metavar="ROUNDS")
    parser.add_argument("--away", type=float, default=AWAY_SECONDS, metavar="SECONDS")
    options = parser.parse_args(words)
    report = asyncio.run(run(options.folder, options.clients, options.rounds, away_seconds=options.away))
    for returns, blocked in zip(report.returns, report.blocked_ms, strict=True):
        print(f"{len(returns)} clients back after: median {statistics.median(returns):.2f} s, ", end="")
        print(f"longest {returns[-1]:.2f} s; the loop was blocked for {blocked:.1f} ms at most")
    broken = breaches(report)
    for breach in broken:
        print(f"broken: {breach}; allowed are {MAX_RETURN_SECONDS} s and {MAX_BLOCKED_MS} ms", file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
