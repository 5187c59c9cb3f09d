"""Break a cluster again and again while bots play: nodes, PostgreSQL, NATS, and the way from a node to NATS.

`python -m tests.chaos.kill_nodes FOLDER ROUNDS [node restart database nats partition broker]` goes through these
troubles in turn, ROUNDS times each, on three nodes; `restart` restarts them one after another. With `broker` among the
troubles that are named, NATS is a cluster of three, of which one is killed and started again a second later; it goes
with `node`, `restart` and `database`. It prints how long it took from each
until every table had acted again, how long players were without a connection, and whether an acknowledged action was
lost, stored twice or stored out of order; then it exits with 1. FOLDER must be one that the account of PostgreSQL can
enter.
"""

import asyncio
import contextlib
import os
import random
import signal
import statistics
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextvars import ContextVar
from itertools import pairwise
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from diskwars_client.client import connect
from diskwars_server.processes.embedded_postgres import EmbeddedPostgres
from tests.chaos.arguments import make_parser, positive
from tests.chaos.kill_processes import (
    QUICK,
    AcknowledgedAction,
    Acknowledgements,
    compare_with_records,
    play_seat,
    postmaster_pid,
    repeat,
    wait_for_new_postmaster,
)
from tests.e2e.servers import ServerProcess
from tests.nats_servers import NatsCluster, free_port, nats_server

Trouble: TypeAlias = Literal["node", "restart", "database", "nats", "partition", "broker"]
TROUBLES: tuple[Trouble, ...] = get_args(Trouble)
OF_ONE_BROKER = ("nats", "partition")
"""Troubles of a NATS that is one server."""
USUAL_TROUBLES = tuple(trouble for trouble in TROUBLES if trouble != "broker")
NODES = 3
TABLES = 3
AWAY_SECONDS = 1.0
"""Time that NATS is away, and a node cut off from it."""
RECOVERY_TIMEOUT_SECONDS = 50
TABLE: ContextVar[int] = ContextVar("table")


class NodesReport(Struct, frozen=True):
    """`pauses` are, by trouble, the seconds until every table had acted again.

    `silences` are the seconds that each player who lost the connection was without one.
    """

    pauses: dict[Trouble, list[float]]
    silences: dict[Trouble, list[float]]
    acknowledged: int
    lost: int
    doubled: int
    reordered: int


class NatsLink:
    """The way of one node to NATS: what is sent while it is cut is lost, as is the connection once it is whole again.

    Until then neither end notices.
    """

    def __init__(self, nats_port: int) -> None:
        self._nats_port = nats_port
        self._is_whole = asyncio.Event()
        self._is_whole.set()
        self.port = 0

    def cut(self) -> None:
        self._is_whole.clear()

    def mend(self) -> None:
        self._is_whole.set()

    @contextlib.asynccontextmanager
    async def run(self) -> AsyncIterator["NatsLink"]:
        server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._is_whole.wait()
        with contextlib.suppress(OSError), contextlib.closing(writer):
            nats_reader, nats_writer = await asyncio.open_connection("127.0.0.1", self._nats_port)
            with contextlib.closing(nats_writer):
                ways = [
                    asyncio.create_task(self._forward(reader, nats_writer)),
                    asyncio.create_task(self._forward(nats_reader, writer)),
                ]
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                for way in ways:
                    way.cancel()

    async def _forward(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65_536):
                if not self._is_whole.is_set():
                    await self._is_whole.wait()
                    return
                sink.write(data)
                await sink.drain()


class TableAcknowledgements(Acknowledgements):
    """Acknowledged actions, counted by table."""

    def __init__(self) -> None:
        super().__init__()
        self.by_table: Counter[int] = Counter()
        self.silences: list[float] = []
        """Seconds from the loss of a connection to the next one, in order of their ends."""

    def watch_connection(self) -> Callable[[bool], None]:
        """Return what one client calls when it has lost its connection and when it has one again."""
        lost_at: list[float] = []

        def on_change(is_connected: bool) -> None:
            now = time.perf_counter()
            if is_connected:
                self.silences += [now - since for since in lost_at[:1]]
                lost_at.clear()
            else:
                lost_at.append(now)

        return on_change

    def note(self, action: AcknowledgedAction) -> None:
        self.by_table[TABLE.get()] += 1
        super().note(action)

    async def wait_for_every_table(self, count: int) -> None:
        """Wait until each table has acted this often again. Raises TimeoutError."""
        wanted = {table: self.by_table[table] + count for table in range(TABLES)}
        async with asyncio.timeout(RECOVERY_TIMEOUT_SECONDS):
            while any(self.by_table[table] < least for table, least in wanted.items()):
                await asyncio.sleep(0.01)


class Cluster:
    """Nodes with a PostgreSQL and a NATS. Use it as `async with cluster:`."""

    def __init__(self, folder: Path, seed: int, nodes: int, has_brokers: bool = False) -> None:
        """`has_brokers` is for a NATS of three servers."""
        self._folder, self._rng = folder, random.Random(seed)
        self._brokers = NatsCluster() if has_brokers else None
        self._killed_brokers = 0
        self._nats_port = free_port()
        self._links = [NatsLink(self._nats_port) for _ in range(nodes)]
        self._servers: list[ServerProcess] = []
        self._nats = contextlib.AsyncExitStack()
        self._database_url = ""
        self._restarts = 0

    @property
    def urls(self) -> list[str]:
        return [server.url for server in self._servers]

    @contextlib.asynccontextmanager
    async def run(self) -> AsyncIterator["Cluster"]:
        with EmbeddedPostgres(self._folder) as self._database_url:
            async with contextlib.AsyncExitStack() as stack:
                await stack.enter_async_context(self._nats)
                if self._brokers is None:
                    await self._nats.enter_async_context(nats_server(self._nats_port))
                else:
                    await self._nats.enter_async_context(self._brokers)
                for link in self._links:
                    await stack.enter_async_context(link.run())
                self._servers = [self._make_server(number, 0) for number in range(len(self._links))]
                try:
                    # One after the other: each makes or checks the tables.
                    for server in self._servers:
                        await server.__aenter__()
                    yield self
                finally:
                    for server in self._servers:
                        with contextlib.suppress(AssertionError, ProcessLookupError):
                            await server.terminate()

    def _make_server(self, number: int, port: int) -> ServerProcess:
        nats = f"nats://127.0.0.1:{self._links[number].port}" if self._brokers is None else self._brokers.url
        address = ("--database-url", self._database_url, "--nats-url", nats, "--port", str(port))
        # At the end one client reads every match back.
        return ServerProcess(*address, "--history-megabytes", "0", "--bot-workers", "0", "--log-level", "error")

    async def break_something(self, trouble: Trouble) -> None:
        """Cause one trouble, and end it again."""
        match trouble:
            case "node":
                number = self._rng.randrange(len(self._servers))
                port = self._servers[number].port
                await self._servers[number].kill()
                self._servers[number] = self._make_server(number, port)
                await self._servers[number].__aenter__()
            case "restart":
                number = self._restarts % len(self._servers)
                self._restarts += 1
                await self._servers[number].terminate()
                self._servers[number] = self._make_server(number, self._servers[number].port)
                await self._servers[number].__aenter__()
            case "database":
                killed = postmaster_pid(self._folder)
                os.kill(killed, signal.SIGKILL)
                await wait_for_new_postmaster(self._folder, killed)
            case "nats":
                await self._nats.aclose()
                await asyncio.sleep(AWAY_SECONDS)
                await self._nats.enter_async_context(nats_server(self._nats_port))
            case "broker":
                assert self._brokers is not None
                # Each in turn, so that every connection of a node is cut once.
                number = self._killed_brokers % len(self._brokers.ports)
                self._killed_brokers += 1
                await self._brokers.kill(number)
                await asyncio.sleep(AWAY_SECONDS)
                await self._brokers.start(number)
            case "partition":
                link = self._rng.choice(self._links)
                link.cut()
                await asyncio.sleep(AWAY_SECONDS)
                link.mend()


async def run(
    folder: Path, rounds: int, troubles: Sequence[Trouble] = USUAL_TROUBLES, *, seed: int = 0, nodes: int = NODES
) -> NodesReport:
    """Cause each trouble `rounds` times, and compare what is stored with what was acknowledged."""
    acknowledged, matches = TableAcknowledgements(), set[str]()
    pauses: dict[Trouble, list[float]] = {trouble: [] for trouble in troubles}
    silences: dict[Trouble, list[float]] = {trouble: [] for trouble in troubles}
    async with Cluster(folder, seed, nodes, has_brokers="broker" in troubles).run() as cluster:
        with acknowledged.collect():
            async with asyncio.TaskGroup() as group:
                tables = [
                    group.create_task(_play_at_table(cluster.urls, table, matches, seed, acknowledged))
                    for table in range(TABLES)
                ]
                await acknowledged.wait_for_every_table(1)
                for trouble in [trouble for _ in range(rounds) for trouble in troubles]:
                    began, earlier = time.perf_counter(), len(acknowledged.silences)
                    await cluster.break_something(trouble)
                    await acknowledged.wait_for_every_table(1)
                    pauses[trouble].append(time.perf_counter() - began)
                    silences[trouble] += acknowledged.silences[earlier:]
                for table in tables:
                    table.cancel()
        lost, doubled = await compare_with_records(cluster.urls[0], matches, acknowledged.actions)
    reordered = count_reordered(acknowledged.actions)
    return NodesReport(pauses, silences, len(acknowledged.actions), lost, doubled, reordered)


async def _play_at_table(
    urls: list[str], table: int, matches: set[str], seed: int, acknowledged: TableAcknowledgements
) -> None:
    """Play one match after another, the players on different nodes first, until cancelled."""
    TABLE.set(table)
    rng = random.Random(f"{seed}.{table}")
    orders = [[*urls[place:], *urls[:place]] for place in (table % len(urls), (table + 1) % len(urls))]
    managers = [
        connect(order, retry_policy=QUICK, on_connection_change=acknowledged.watch_connection()) for order in orders
    ]
    async with managers[0] as first, managers[1] as second:
        while True:
            opened = await repeat(first.open_match)
            matches.add(opened.id)
            seats = [opened, await repeat(lambda id=opened.id: second.watch(id))]
            async with asyncio.TaskGroup() as group:
                for seat, handle in enumerate(seats):
                    group.create_task(play_seat(handle, seat, random.Random(rng.random())))
            for handle in seats:
                await handle.leave()


def count_reordered(actions: Sequence[AcknowledgedAction]) -> int:
    """Return how often a player's action was stored before the one that was acknowledged to them earlier."""
    by_player: dict[tuple[str, int | None], list[int]] = {}
    for action in actions:
        by_player.setdefault((action.match, action.seat), []).append(action.seq)
    return sum(earlier >= later for seqs in by_player.values() for earlier, later in pairwise(seqs))


def main(words: list[str] | None = None) -> int:
    parser = make_parser("tests.chaos.kill_nodes", __doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("rounds", type=positive, metavar="ROUNDS")
    parser.add_argument("troubles", nargs="*", metavar="TROUBLE", help=f"some of {', '.join(TROUBLES)}")
    options = parser.parse_args(words)
    if unknown := set(options.troubles) - set(TROUBLES):
        parser.error(f"no trouble is called {', '.join(sorted(unknown))}")
    troubles = [trouble for trouble in TROUBLES if trouble in (options.troubles or USUAL_TROUBLES)]
    if "broker" in troubles and set(troubles) & set(OF_ONE_BROKER):
        parser.error(f"broker goes without {' and '.join(OF_ONE_BROKER)}: they are about a NATS of one server")
    report = asyncio.run(run(options.folder, options.rounds, troubles))
    print(f"{report.acknowledged} actions acknowledged: lost {report.lost}, stored twice {report.doubled}, ", end="")
    print(f"out of order {report.reordered}")
    for trouble, pauses in report.pauses.items():
        print(f"{trouble}: {len(pauses)} times; seconds until every table acted again: ", end="")
        print(f"median {statistics.median(pauses):.1f}, longest {max(pauses):.1f}")
        if silences := report.silences[trouble]:
            print(f"  {len(silences)} lost connections; seconds without one: ", end="")
            print(f"median {statistics.median(silences):.2f}, longest {max(silences):.2f}")
    return 1 if report.lost or report.doubled or report.reordered else 0


if __name__ == "__main__":
    sys.exit(main())
