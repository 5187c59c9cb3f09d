"""The measured server, composed like `diskwars serve` except for four things.

It also serves the ruleset `nothing`; it draws the secrets of a recorded match from the trace that its opener names, so
that the actions fit its dice; it has no flood limit; and it keeps as many matches and connections as requested.

    python -m bench.servers.measured_server DATABASE_URL
        [--stages] [--limits] [--tls] [--step-clock] [--watch-loop] [--listener NUMBER --nats URL ...]

With `--limits` it has all limits of `diskwars serve`, believes no proxy, and takes match files. With `--tls` it speaks
TLS itself, with a certificate that nobody knows. With `--step-clock` the clock of its machine is set forth and back all
the time. With `--watch-loop` it answers SIGUSR2 with a line: see `LoopWatch`.
"""

import argparse
import asyncio
import contextlib
import os
import signal
import socket
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextvars import ContextVar
from pathlib import Path

import trustme
from msgspec import Struct, json
from msgspec.structs import replace

from bench.matches.traces import server_entropy, trace_number
from bench.measuring import stage_times
from bench.servers.null_ruleset import NullRuleset
from diskwars_cli.plugs.file_programs import verifier_command
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.messages.handshake import DEFAULT_CLIENT_LIMITS
from diskwars_protocol.messages.opening import OpenMatch
from diskwars_server import app as product
from diskwars_server.bots.seats import BotSeats
from diskwars_server.bots.secrets import BotSecrets
from diskwars_server.bus.bus import Bus, LocalBus
from diskwars_server.bus.nats import NatsBus
from diskwars_server.clubs.parts import make_club_parts
from diskwars_server.connections.placement import Placement
from diskwars_server.connections.tls import TlsCertificate
from diskwars_server.connections.transport import ListenOptions, Transport
from diskwars_server.limits.address_quotas import make_unlimited
from diskwars_server.lobby.feed import LobbyFeed
from diskwars_server.lobby.imports import MatchImports
from diskwars_server.lobby.match_access import MatchAccess
from diskwars_server.logs import configure_logging
from diskwars_server.matches.game import Game
from diskwars_server.matches.match_parts import MatchParts
from diskwars_server.matches.openings import NO_ORIGIN, SECRET_BYTES, Admit, MakeLock, MatchOrigin, Openings, leave_open
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.matches.rules_on_offer import RulesOnOffer
from diskwars_server.matches.services import Services
from diskwars_server.monitoring.health import HealthReport
from diskwars_server.notices.notice_requests import make_silent_notices
from diskwars_server.players.accounts import AccountService
from diskwars_server.players.pushed_messages import PushedMessages
from diskwars_server.players.tokens import TokenIssuer
from diskwars_server.processes.bot_processes import NO_BOTS
from diskwars_server.processes.file_verifier import FileVerifier
from diskwars_server.session.handshake import Handshake
from diskwars_server.session.requests import RequestTable, make_request_services
from diskwars_server.session.session import SessionContext
from diskwars_server.settings import ServerSettings
from diskwars_server.store.database import Database
from diskwars_server.store.postgres.database import PostgresDatabase
from diskwars_server.tournaments.parts import make_tournament_parts
from diskwars_server.upkeep.quiet_matches import QuietMatches
from diskwars_server.upkeep.server_clock import MachineClocks, ServerClock

UNLIMITED = 100_000
SERVED = ServerSettings()
STEPS_MS = (-3_600_000, 0, 10_000, 0)
STEP_EVERY_MS = 700
TICK_SECONDS = 0.005


_TRACE: ContextVar[int | None] = ContextVar("trace", default=None)


class RecordedOpenings(Openings):
    """Openings that open a recorded match with the secrets of the trace named by the opener's command."""

    async def open(
        self,
        match: MatchId,
        request: OpenMatch,
        opener: PlayerId,
        admit: Admit = lambda: None,
        make_lock: MakeLock = leave_open,
        origin: MatchOrigin = NO_ORIGIN,
    ) -> Game:
        _TRACE.set(None if request.ruleset == NullRuleset.vocabulary.name else trace_number(request.id))
        return await super().open(match, request, opener, admit, make_lock, origin)


def match_entropy(purpose: str) -> Callable[[int], bytes]:
    """Return the entropy of a match: of a recorded one, only its own two secrets are derived from the trace.

    Deriving every salt would take longer than drawing it, which would be measured.
    """
    trace = _TRACE.get()
    if trace is None:
        return os.urandom
    repeated = server_entropy(trace)
    return lambda size: repeated(size) if size == SECRET_BYTES else os.urandom(size)


async def _health() -> HealthReport:
    return HealthReport("ok", "bench", "", "ok", "")


class NodePlace(Struct, frozen=True):
    """The place of this process among several: the socket that it inherits, their NATS, and where they find each other.

    Without `placement` no connection is handed over.
    """

    listener: int
    nats_url: str
    placement: Placement | None = None


@contextlib.asynccontextmanager
async def join_bus(place: NodePlace | None) -> AsyncIterator[Bus]:
    if place is None:
        yield LocalBus().join()
        return
    async with NatsBus(place.nats_url, "bench") as bus:
        await bus.wait_connected()
        yield bus


def make_certificate() -> TlsCertificate:
    issued = trustme.CA().issue_cert("127.0.0.1")
    with tempfile.TemporaryDirectory() as folder:
        certificate, key = Path(folder, "certificate.pem"), Path(folder, "key.pem")
        certificate.write_bytes(b"".join(part.bytes() for part in issued.cert_chain_pems))
        key.write_bytes(issued.private_key_pem.bytes())
        return TlsCertificate(certificate, key)


def stepping_wall() -> int:
    """Return the time of a machine whose clock is set an hour back, right, and ten seconds forth."""
    now = product.now_ms()
    return now + STEPS_MS[product.monotonic_ms() // STEP_EVERY_MS % len(STEPS_MS)]


@contextlib.asynccontextmanager
async def run_clock(database: Database, wall: Callable[[], int]) -> AsyncIterator[ServerClock]:
    """Provide the clock of a server on a machine with this wall clock."""
    clock = ServerClock(database, MachineClocks(wall, product.monotonic_ms))
    await clock.measure()
    following = asyncio.create_task(clock.run())
    try:
        yield clock
    finally:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)


async def make_context(database: Database, services: Services, has_limits: bool) -> SessionContext:
    """Return what sessions use, on any store."""
    rules, index = RulesOnOffer(product.load_rulesets() | {"nothing": NullRuleset()}), database.matches
    matches = MatchRepository(rules, services, index, match_entropy, SERVED.matches if has_limits else UNLIMITED)
    openings = RecordedOpenings(
        rules,
        matches,
        services,
        index,
        match_entropy,
        repeatable=True,
        max_open_matches_per_player=SERVED.open_matches if has_limits else 0,
    )
    key = await database.vault.signing_key()
    tokens = TokenIssuer(key, services.clock)
    limits = replace(DEFAULT_CLIENT_LIMITS, frames_per_second=UNLIMITED, frame_burst=UNLIMITED)
    if has_limits:
        limits = DEFAULT_CLIENT_LIMITS
    accounts = AccountService(database.accounts, services.clock, services.monotonic)
    parts = MatchParts(rules, matches, openings)
    bot_seats = BotSeats(matches, index, NO_BOTS, BotSecrets(key))
    pushed_messages = PushedMessages(accounts.connected, services.bus)
    tournaments = make_tournament_parts(
        services, database, parts, bots={}, bot_seats=bot_seats, tokens=tokens, pushed_messages=pushed_messages
    )
    clubs = make_club_parts(services, database, rules=rules, tokens=tokens, is_online=accounts.connected.is_online)
    requests = make_request_services(
        services,
        database,
        parts,
        accounts=accounts,
        tokens=tokens,
        pushed_messages=pushed_messages,
        bot_seats=bot_seats,
        imports=MatchImports(
            FileVerifier(verifier_command(), services.monotonic) if has_limits else None,
            database.events,
            services.publish_listing,
            services.clock,
            services.monotonic,
        ),
        access=MatchAccess(matches, database.admissions, database.clubs, tokens, services.clock, services.monotonic),
        feed=LobbyFeed(services, index),
        notices=make_silent_notices(database, key, services.clock),
        tournaments=tournaments.service,
        clubs=clubs.service,
    )
    return SessionContext(
        matches,
        openings,
        RequestTable(requests),
        Handshake(accounts, tokens, rules, services.clock, "bench"),
        limits,
        quotas=product.make_quotas(SERVED) if has_limits else make_unlimited(),
    )


class LoopWatch:
    """Ticks on the event loop: how late the latest was, and how much CPU time the thread spent in between.

    A tick that is late without CPU time waited for the processor, which others had.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._late = self._spent = 0.0
        # Not the clock of the loop: uvloop's has whole milliseconds.
        self._due, self._cpu = time.perf_counter(), time.thread_time()
        self._tick()

    def _tick(self) -> None:
        now, cpu = time.perf_counter(), time.thread_time()
        if now - self._due > self._late:
            self._late, self._spent = now - self._due, min(cpu - self._cpu, now - self._due)
        self._due, self._cpu = now + TICK_SECONDS, cpu
        self._loop.call_later(TICK_SECONDS, self._tick)

    def report(self) -> None:
        """Print both of the latest tick since the last report, in milliseconds, as JSON."""
        print(json.encode((1000 * self._late, 1000 * self._spent)).decode(), flush=True)
        self._late = self._spent = 0.0


async def main(
    url: str,
    has_limits: bool = False,
    place: NodePlace | None = None,
    certificate: TlsCertificate | None = None,
    wall: Callable[[], int] = product.now_ms,
    *,
    has_watch: bool = False,
) -> None:
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, stage_times.add_mark)
    async with PostgresDatabase(url) as database, join_bus(place) as bus, run_clock(database, wall) as clock:
        services = Services(
            database.events, database.vault, database.deadlines, bus, clock.now_ms, product.monotonic_ms
        )
        context = await make_context(database, services, has_limits)
        listen = ListenOptions(
            max_connections=SERVED.connections if has_limits else UNLIMITED,
            listeners=(socket.socket(fileno=place.listener),) if place else (),
            certificate=certificate,
        )
        try:
            async with Transport(context, _health, listen, placement=place.placement if place else None) as transport:
                product.tune_garbage_collector()
                resting = asyncio.create_task(QuietMatches(context.matches).run())
                print(transport.url, flush=True)
                if has_watch:
                    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR2, LoopWatch().report)
                await stopped.wait()
                resting.cancel()
        finally:
            context.requests.services.accounts.close()
            await context.matches.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("--stages", action="store_true", help="print at the end where the time went")
    parser.add_argument("--limits", action="store_true", help="with the limits of `diskwars serve`")
    parser.add_argument("--tls", action="store_true", help="speak TLS")
    parser.add_argument("--step-clock", action="store_true", help="on a machine whose clock is set all the time")
    parser.add_argument("--listener", type=int, help="a socket that listens, where several processes serve on it")
    parser.add_argument("--nats", default="", help="the NATS of those processes")
    parser.add_argument("--node", type=int, default=0, help="which of them this is")
    parser.add_argument("--nodes", type=int, default=1, help="how many they are")
    parser.add_argument("--homes", type=Path, help="the folder in which they find each other")
    parser.add_argument("--watch-loop", action="store_true", help="tell by a signal how late the event loop was")
    options = parser.parse_args()
    placement = Placement(options.homes, options.node, options.nodes) if options.homes else None
    place = None if options.listener is None else NodePlace(options.listener, options.nats, placement)
    if options.stages:
        stage_times.instrument()
    configure_logging("error")
    with product.make_runner() as runner:
        certificate = make_certificate() if options.tls else None
        wall = stepping_wall if options.step_clock else product.now_ms
        runner.run(main(options.url, options.limits, place, certificate, wall, has_watch=options.watch_loop))
    if options.stages:
        print(stage_times.report_times())
