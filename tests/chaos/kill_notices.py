"""Kill a server, and its database with it, while it sends notices to a receiver that is away at times.

`python -m tests.chaos.kill_notices FOLDER NOTICES KILLS` stores notices with records, each to a player of its own, and
starts a server that sends them to a webhook. It kills the server as often while they arrive, the database too at every
second kill, and stops the receiver after each. It prints how many came, how many came twice under one key, and exits
with 1 if one was lost, or came under two keys. FOLDER must be one that the account of PostgreSQL can enter.
"""

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from unittest import mock

import asyncpg
from aiohttp import web
from msgspec import Struct

from diskwars_protocol.messages.notices import WebhookTarget
from diskwars_server.notices.deliverer import LEASE_MS
from diskwars_server.processes.embedded_postgres import EmbeddedPostgres
from diskwars_server.store.accounts import StoredAccount, StoredDevice
from diskwars_server.store.event_log import AppendRequest
from diskwars_server.store.match_index import Listing
from diskwars_server.store.notices import PlannedNotice, StoredChannel
from diskwars_server.store.postgres.database import PostgresDatabase
from tests.chaos.arguments import make_parser, positive
from tests.chaos.kill_processes import postmaster_pid
from tests.chaos.quick_lease_serve import LEASE_MS as LEASE_VARIABLE
from tests.e2e.servers import ServerProcess
from tests.server.conftest import options as options_of
from tests.server.stored_samples import make_record

ANSWER_SECONDS = 0.02
AWAY_SECONDS = 1.0
STORED_AT_ONCE = 50
LEFT_SQL = "select (select count(*) from planned_notices) + (select count(*) from notice_deliveries)"


class NoticesReport(Struct, frozen=True):
    """`repeated` came again under the same key, `doubled` under another one, `lost` never."""

    notices: int
    requests: int
    repeated: int
    doubled: int
    lost: int
    seconds: float


class Receiver:
    """A webhook on a port of its own that counts what it takes, by player and key."""

    def __init__(self) -> None:
        self.keys: Counter[tuple[str, str]] = Counter()
        self.port = 0
        self._new = asyncio.Event()

    @contextlib.asynccontextmanager
    async def listen(self) -> AsyncIterator[None]:
        app = web.Application()
        app.router.add_post("/{player}", self._take)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", self.port).start()
        self.port = runner.addresses[0][1]
        try:
            yield
        finally:
            await runner.cleanup()

    async def _take(self, request: web.Request) -> web.Response:
        self.keys[request.match_info["player"], request.headers["Idempotency-Key"]] += 1
        self._new.set()
        await asyncio.sleep(ANSWER_SECONDS)
        return web.Response()

    @property
    def players(self) -> set[str]:
        return {player for player, _ in self.keys}

    async def wait_for(self, players: int, seconds: float) -> None:
        """Wait until notices of this many players have come. Raises TimeoutError."""
        async with asyncio.timeout(seconds):
            while len(self.players) < players:
                self._new.clear()
                await self._new.wait()


async def run(folder: Path, notices: int, kills: int, *, lease_ms: int = LEASE_MS) -> NoticesReport:
    """Kill `kills` times while this many notices are sent."""
    folder.mkdir(exist_ok=True)
    receiver, began = Receiver(), time.perf_counter()
    with EmbeddedPostgres(folder) as database_url:
        async with receiver.listen():
            await _store(database_url, notices, receiver.port)
    patience = 60 + (kills + 1) * lease_ms / 1000
    options = ("--data", str(folder), "--port", "0", "--bot-workers", "0", "--log-level", "error")
    to_notices = ("--public-url", "https://disks.example.org", "--notice-networks", "127.0.0.0/8")
    with mock.patch.dict(os.environ, {LEASE_VARIABLE: str(lease_ms)}):
        for number in range(kills + 1):
            server = ServerProcess(*options, *to_notices, module="tests.chaos.quick_lease_serve")
            async with receiver.listen():
                await server.__aenter__()
                await receiver.wait_for(min(notices, -(-notices * (number + 1) // (kills + 1))), patience)
                if number == kills:
                    await _wait_until_sent(folder, patience)
                    await server.terminate()
                    break
                if number % 2:
                    os.kill(postmaster_pid(folder), signal.SIGKILL)
                await server.kill()
            await asyncio.sleep(AWAY_SECONDS)
    return _report(receiver, notices, time.perf_counter() - began)


async def _wait_until_sent(folder: Path, seconds: float) -> None:
    """Wait until the server has nothing left to send: a repeated attempt may follow the last kill."""
    with EmbeddedPostgres(folder) as database_url:  # the server's own, shared
        connection = await asyncpg.connect(**options_of(database_url))
        try:
            async with asyncio.timeout(seconds):
                while await connection.fetchval(LEFT_SQL):
                    await asyncio.sleep(0.2)
        finally:
            await connection.close()


async def _store(url: str, notices: int, port: int) -> None:
    """Store this many players with a channel, each with a match in which it is their turn."""
    turns = asyncio.Semaphore(STORED_AT_ONCE)
    async with PostgresDatabase(url) as database:

        async def store(number: int) -> None:
            player, match = f"player{number}", f"match{number}"
            async with turns:
                account = StoredAccount(player, f"Player {number}", player, "hash", 1)
                await database.accounts.register(account, StoredDevice(player, "d", player.encode(), 1, 1))
                target = WebhookTarget(f"http://127.0.0.1:{port}/{player}")
                await database.notices.add_channel(StoredChannel(player, "c1", target, "working", 1), 1)
                notice = PlannedNotice(player, match, "your_turn", 0, 1, 1)
                listing = Listing(match, "pit", "running", (player, "other"), player, 1, 1, deciding=(0,))
                await database.events.append(
                    AppendRequest(match, 0, make_record(1), listing=listing, notices=(notice,))
                )

        await asyncio.gather(*(store(number) for number in range(notices)))


def _report(receiver: Receiver, notices: int, seconds: float) -> NoticesReport:
    keys = Counter(player for player, _ in receiver.keys)
    return NoticesReport(
        notices,
        receiver.keys.total(),
        sum(count - 1 for count in receiver.keys.values()),
        sum(count - 1 for count in keys.values()),
        notices - len(keys),
        seconds,
    )


def main(words: list[str] | None = None) -> int:
    parser = make_parser("tests.chaos.kill_notices", __doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("notices", type=positive, metavar="NOTICES")
    parser.add_argument("kills", type=positive, metavar="KILLS")
    options = parser.parse_args(words)
    report = asyncio.run(run(options.folder, options.notices, options.kills))
    print(
        f"{report.notices} notices, {options.kills} kills, {report.seconds:.0f} s: {report.requests} requests, ", end=""
    )
    print(f"{report.repeated} again under the same key, {report.doubled} under another, {report.lost} lost")
    return 1 if report.lost or report.doubled else 0


if __name__ == "__main__":
    sys.exit(main())
