"""Composition of a server: settings, database, matches and transport. Nothing else constructs them."""

import asyncio
import contextlib
import errno
import gc
import hashlib
import logging
import os
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib import util
from itertools import combinations
from pathlib import Path
from typing import Self

from msgspec import Struct

from diskwars_content.packs import PackError
from diskwars_content.rulesets.registry import RULESETS
from diskwars_engine.ruleset import AnyRuleset
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.records.fairness import seeded_entropy
from diskwars_server.api.challenges import ChallengeOperations
from diskwars_server.api.device_logins import DeviceLoginOperations
from diskwars_server.api.documents import with_documents
from diskwars_server.api.interface import HttpInterface
from diskwars_server.api.reads import ReadOperations
from diskwars_server.api.writes import PlayerOperations
from diskwars_server.bots.bot_players import BotPlayers
from diskwars_server.bots.seats import BotSeats
from diskwars_server.bots.secrets import BotSecrets
from diskwars_server.build import program_version
from diskwars_server.bus.bus import Bus, LocalBus
from diskwars_server.bus.signed import SignedBus
from diskwars_server.clubs.parts import ClubParts, make_club_parts
from diskwars_server.community.chat import ChatService
from diskwars_server.connections.placement import Placement
from diskwars_server.connections.tls import load_certificate, reload_on_hangup
from diskwars_server.connections.transport import ListenOptions, Transport
from diskwars_server.http.board_pictures import BoardPictures
from diskwars_server.http.docs_site import DocsSite
from diskwars_server.http.embeds import Embeds
from diskwars_server.http.page_files import StaticFile
from diskwars_server.http.routes import Mount, Route
from diskwars_server.http.shared_parts import SharedParts
from diskwars_server.limits.address_quotas import AddressQuotas, QuotaLimits
from diskwars_server.lobby.feed import LobbyFeed
from diskwars_server.lobby.imports import ImportLimits, MatchImports
from diskwars_server.lobby.match_access import MatchAccess
from diskwars_server.lobby.reviews import MatchReviews, ReviewLimits
from diskwars_server.logs import name_node
from diskwars_server.matches.bot_turns import BotTurns
from diskwars_server.matches.match_parts import MatchParts, make_match_parts
from diskwars_server.matches.pack_choices import NO_VARIANTS, Variants
from diskwars_server.matches.repository import EntropyByPurpose, MatchRepository
from diskwars_server.matches.services import Clock, Services
from diskwars_server.matches.watcher_counts import WatcherCounts
from diskwars_server.monitoring.endpoint import MetricsEndpoint
from diskwars_server.monitoring.health import HealthCheck
from diskwars_server.monitoring.measured_events import MeasuredEventLog
from diskwars_server.monitoring.metrics import Metrics
from diskwars_server.monitoring.tracing import Tracing, make_tracing
from diskwars_server.notices.notice_requests import NoticeService
from diskwars_server.notices.parts import NoticeParts, make_notice_parts
from diskwars_server.players.accounts import AccountService
from diskwars_server.players.connected import ConnectedPlayers
from diskwars_server.players.known_bots import KnownBots
from diskwars_server.players.logouts import Logouts
from diskwars_server.players.presence import OnlinePlayers
from diskwars_server.players.pushed_messages import PushedMessages
from diskwars_server.players.tokens import TokenIssuer, opaque_id
from diskwars_server.processes.bot_processes import (
    NO_BOTS,
    BotProcess,
    BotProgram,
    default_bot_process_count,
    log_unknown_packs,
)
from diskwars_server.processes.embedded_postgres import EmbeddedPostgres, default_data_dir
from diskwars_server.processes.file_verifier import NO_FILE_PROGRAMS, FilePrograms, FileVerifier
from diskwars_server.session.handshake import Handshake
from diskwars_server.session.requests import RequestTable, make_request_services
from diskwars_server.session.session import SessionContext
from diskwars_server.settings import ServerSettings, SettingsError, parse_listen_address
from diskwars_server.store.archive.objects import Archive, BadArchiveUrl
from diskwars_server.store.database import Database
from diskwars_server.store.errors import SchemaTooOld
from diskwars_server.store.listed_settings import usual_settings
from diskwars_server.store.postgres.database import PostgresDatabase
from diskwars_server.tournaments.parts import TournamentParts, make_tournament_parts
from diskwars_server.upkeep.loops import start_loops
from diskwars_server.upkeep.server_clock import MachineClocks, ServerClock

log = logging.getLogger("diskwars_server")

SECONDS_PER_DAY = 86_400
BYTES_PER_MEGABYTE = 1_000_000
NODE_ID_LENGTH = 6
MAX_CHOSEN_PACKS = 3
"""With more packs than this, matches are opened with all of them or none: each choice takes time and memory."""
REFUSAL_PAUSE_SECONDS = 1.0
"""Before a refused connection is closed: as often connects a library that waits after failed handshakes only."""
BUS_NAME_LENGTH = 16
STOP_DATABASE_SECONDS = 5.0
"""Time after the drain for which a server that stops waits for its database. With what else it waits for, the whole
stop stays within ten seconds, after which Docker kills by default."""


def load_rulesets(*packs: str) -> dict[str, AnyRuleset]:
    """Return every ruleset that is played here, by its name. Raises PackError."""
    return {name: load_ruleset(packs) for name, load_ruleset in RULESETS.items()}


def load_variants(rulesets: Mapping[str, AnyRuleset], packs: Sequence[str]) -> Variants:
    """Return each ruleset with fewer of these packs, for matches that are opened so. Raises PackError."""
    if len(packs) > MAX_CHOSEN_PACKS:
        chosen: list[tuple[str, ...]] = [()]
    else:
        chosen = [some for count in range(len(packs)) for some in combinations(packs, count)]
    variants: dict[str, list[AnyRuleset]] = {}
    for name, ruleset in rulesets.items():
        known = [[pack.hash for pack in ruleset.packs]]
        for some in chosen:
            with contextlib.suppress(PackError):  # one of them is made for another, which is left out here
                fewer = RULESETS[name](some)
                if (hashes := [pack.hash for pack in fewer.packs]) not in known:
                    known.append(hashes)
                    variants.setdefault(name, []).append(fewer)
    return variants


def now_ms() -> int:
    """Return the milliseconds since 1970 by the clock of this machine, which may be set at any time."""
    return time.time_ns() // 1_000_000


def monotonic_ms() -> int:
    """Return milliseconds since any moment, for spans within this process."""
    return time.monotonic_ns() // 1_000_000


MACHINE_CLOCKS = MachineClocks(now_ms, monotonic_ms)


@contextlib.contextmanager
def open_database(settings: ServerSettings) -> Iterator[str]:
    """Provide the address of the database: the one that is named, or else the embedded one. Raises EmbeddedError."""
    if settings.database_url:
        yield settings.database_url
        return
    # Started and stopped where the process lives longest: PostgreSQL ends with the thread that began it.
    embedded = EmbeddedPostgres(folder := settings.data or default_data_dir())
    with embedded as url:
        if embedded.root != folder.absolute():
            print(f"running as root: the database of {folder} is kept in {embedded.root}", file=sys.stderr, flush=True)
        try:
            yield url
        except SchemaTooOld as fault:
            fault.add_place(embedded.root)
            raise


def open_archive(settings: ServerSettings) -> Archive | None:
    """Return the archive of old matches; None where none is set. Raises SettingsError."""
    try:
        return Archive(settings.archive_url) if settings.archive_url else None
    except BadArchiveUrl as error:
        raise SettingsError(f"archive_url: {error}") from None


@contextlib.asynccontextmanager
async def start_server(
    settings: ServerSettings,
    database: Database,
    games: dict[str, AnyRuleset] | None = None,
    bots: BotProgram = NO_BOTS,
    page: Mapping[str, StaticFile] | None = None,
    files: FilePrograms = NO_FILE_PROGRAMS,
    listeners: Sequence[socket.socket] = (),
    placement: Placement | None = None,
    clocks: MachineClocks = MACHINE_CLOCKS,
    docs: Path | None = None,
) -> AsyncIterator[Transport]:
    """Provide a server that listens, over an open database; on exit it closes every connection with a reason.

    `bots` is the program of the bots that it can seat, `page` the files of the page, `files` the programs that
    work on match files. It takes connections from `listeners` where there are some, otherwise at the host and port of
    the settings. `placement` knows the nodes of which it is one. `clocks` are those of the machine. `docs` is
    the folder of the documentation site.
    """
    node = opaque_id(os.urandom(NODE_ID_LENGTH))
    name_node(node)  # before any task begins: they inherit it
    clock = ServerClock(database, clocks)
    await clock.measure()
    key = await database.vault.signing_key()
    plan = _ServerPlan(
        settings=settings,
        database=database,
        rulesets=load_rulesets(*settings.pack) if games is None else games,
        bots=NO_BOTS if settings.bot_workers == 0 else bots,
        page=page or {},
        docs=docs,
        files=files,
        listeners=listeners,
        placement=placement,
        clock=clock,
        monotonic=clocks.monotonic,
        node=node,
        key=key,
    )
    variants = load_variants(plan.rulesets, settings.pack) if games is None else NO_VARIANTS
    async with _join_bus(settings, key) as bus, _serve(plan, variants, bus) as transport:
        yield transport


class _ServerPlan(Struct, frozen=True):
    """The parts of a server before it is put together: see `start_server`. `key` is the signing key of its database."""

    settings: ServerSettings
    database: Database
    rulesets: Mapping[str, AnyRuleset]
    bots: BotProgram
    page: Mapping[str, StaticFile]
    docs: Path | None
    files: FilePrograms
    listeners: Sequence[socket.socket]
    placement: Placement | None
    clock: ServerClock
    monotonic: Callable[[], int]
    node: str
    key: bytes


@contextlib.asynccontextmanager
async def _serve(plan: _ServerPlan, variants: Variants, bus: Bus) -> AsyncIterator[Transport]:
    """Provide the transport of a server that listens; its loops end with it."""
    settings, database, bots, clock, monotonic = plan.settings, plan.database, plan.bots, plan.clock, plan.monotonic
    quotas, secrets = make_quotas(settings, monotonic), BotSecrets(plan.key)
    signed = SignedBus(bus, plan.key, clock.now_ms)
    watchers = WatcherCounts(signed, plan.node, monotonic)
    services = _make_services(
        database,
        bus,
        plan.rulesets,
        clock=clock.now_ms,
        monotonic=monotonic,
        bots=bots,
        watchers=watchers,
        quotas=quotas,
        sends_notices=bool(settings.public_url),
        tracing=_make_tracing(settings),
    )
    _watch_clock(services.metrics, clock)
    parts = _make_parts(settings, services, database, plan.rulesets, bots=bots, variants=variants)
    health = HealthCheck(database, plan.node, program_version(), bus)
    connected, tokens = ConnectedPlayers(), TokenIssuer(plan.key, clock.now_ms)
    online = OnlinePlayers(connected, signed, plan.node, monotonic)
    notices = await _make_notices(plan, parts.matches, online, services.tracing)
    access = MatchAccess(parts.matches, database.admissions, database.clubs, tokens, services.clock, monotonic)
    context, groups = _make_context(
        services,
        database,
        parts,
        accounts=_make_accounts(settings, services, database, connected, online),
        pushed_messages=_reach_other_nodes(connected, signed),
        tokens=tokens,
        bots=bots.bots,
        bot_seats=BotSeats(parts.matches, database.matches, bots, secrets, settings.player_bots),
        imports=_make_imports(settings, services, plan.files.verifier),
        reviews=_make_reviews(plan, parts.matches, access),
        access=access,
        quotas=quotas,
        notices=notices.service,
        is_online=online.is_online,
    )
    loops = _start_loops(plan, services, parts.matches, connected, online, context.requests.services.chat, groups)
    loops += [asyncio.create_task(loop, name=name) for part in (notices, *groups) for name, loop in part.loops()]
    if services.bot_turns.is_active:
        loops.append(_start_bots(settings, services, database, parts, bots=bots, secrets=secrets))
    try:
        pictures = BoardPictures(parts.matches, plan.files.painter, monotonic) if plan.files.painter else None
        shared_parts = SharedParts(database.page_parts, plan.page, monotonic)
        await shared_parts.keep_own(clock.now_ms())  # before a document that leads to them is answered
        mounts = _mount_api(services, context, parts, pictures, health, tokens, plan)
        routes = *notices.routes, *_make_embeds(plan, parts.matches, quotas).routes()
        async with _listen(plan, context, health, pictures, shared_parts, routes, mounts) as transport:
            yield transport
    finally:
        online.close()
        services.watchers.close()
        await _end(loops, context, health, groups)
        await notices.close()  # after the loops, whose last attempts would fail otherwise


def _start_loops(
    plan: _ServerPlan,
    services: Services,
    matches: MatchRepository,
    connected: ConnectedPlayers,
    online: OnlinePlayers,
    chat: ChatService,
    groups: tuple[TournamentParts, ClubParts],
) -> list[asyncio.Task[None]]:
    tournaments, clubs = groups
    return start_loops(
        plan.settings,
        services,
        plan.database,
        matches,
        clock=plan.clock,
        connected=connected,
        online=online,
        chat=chat,
        announce_club=clubs.streams.announce,
        announce_tournament=tournaments.streams.announce,
    )


def _make_reviews(plan: _ServerPlan, matches: MatchRepository, access: MatchAccess) -> MatchReviews:
    limits = ReviewLimits(seconds=plan.settings.review_seconds)
    return MatchReviews(matches, plan.files.reviewer, plan.monotonic, limits, introduce=access.introduce)


def _make_embeds(plan: _ServerPlan, matches: MatchRepository, quotas: AddressQuotas) -> Embeds:
    is_secure = load_certificate(plan.settings) is not None
    return Embeds(matches, quotas, plan.page, has_pictures=bool(plan.files.painter), is_secure=is_secure)


async def _make_notices(
    plan: _ServerPlan, matches: MatchRepository, online: OnlinePlayers, tracing: Tracing | None
) -> NoticeParts:
    clock, monotonic = plan.clock.now_ms, plan.monotonic
    return await make_notice_parts(
        plan.settings, plan.database, matches, plan.key, clock, monotonic, online.is_online, tracing
    )


def _make_tracing(settings: ServerSettings) -> Tracing | None:
    try:
        return make_tracing(settings.trace_every)
    except ModuleNotFoundError as missing:
        text = f"trace_every: traces need {missing.name}, which comes with the extra `otel` of this package"
        raise SettingsError(text) from None


def _make_services(
    database: Database,
    bus: Bus,
    rulesets: Mapping[str, AnyRuleset],
    *,
    clock: Clock,
    monotonic: Clock,
    bots: BotProgram,
    watchers: WatcherCounts,
    quotas: AddressQuotas,
    sends_notices: bool,
    tracing: Tracing | None,
) -> Services:
    """Return what every match of a server uses."""
    metrics = Metrics()
    return Services(
        events=MeasuredEventLog(database.events, metrics),
        vault=database.vault,
        deadlines=database.deadlines,
        bus=bus,
        clock=clock,
        monotonic=monotonic,
        bot_turns=BotTurns(is_active=bool(bots.bots)),
        metrics=metrics,
        pays_for=quotas.bytes.usage_of_opener,
        watchers=watchers,
        usual_settings=usual_settings(ruleset.vocabulary for ruleset in rulesets.values()),
        known_bots=KnownBots(database.accounts),
        sends_notices=sends_notices,
        tracing=tracing,
    )


def _make_parts(
    settings: ServerSettings,
    services: Services,
    database: Database,
    rulesets: Mapping[str, AnyRuleset],
    *,
    bots: BotProgram,
    variants: Variants,
) -> MatchParts:
    return make_match_parts(
        rulesets,
        services,
        database.matches,
        _entropy_source(settings),
        repeatable=settings.seed is not None,
        max_live_matches=settings.matches,
        max_open_matches_per_player=settings.open_matches,
        bots=bots.bots,
        variants=variants,
    )


def _make_accounts(
    settings: ServerSettings,
    services: Services,
    database: Database,
    connected: ConnectedPlayers,
    online: OnlinePlayers,
) -> AccountService:
    return AccountService(
        database.accounts,
        services.clock,
        services.monotonic,
        acts=database.operator_acts,
        connected=connected,
        is_online=online.is_online,
        device_lifetime_ms=settings.token_days * SECONDS_PER_DAY * 1000,
        matches=database.matches,
    )


def _make_context(
    services: Services,
    database: Database,
    parts: MatchParts,
    *,
    accounts: AccountService,
    pushed_messages: PushedMessages,
    tokens: TokenIssuer,
    bots: Mapping[str, tuple[str, ...]],
    bot_seats: BotSeats,
    imports: MatchImports,
    reviews: MatchReviews,
    access: MatchAccess,
    quotas: AddressQuotas,
    notices: NoticeService,
    is_online: Callable[[PlayerId], bool],
) -> tuple[SessionContext, tuple[TournamentParts, ClubParts]]:
    """Return what sessions share, and the tournaments and clubs. `bots` are the names of those to seat, by ruleset."""
    tournaments = make_tournament_parts(
        services,
        database,
        parts,
        bots=bots,
        bot_seats=bot_seats,
        tokens=tokens,
        pushed_messages=pushed_messages,
    )
    clubs = make_club_parts(services, database, rules=parts.rules, tokens=tokens, is_online=is_online)
    requests = make_request_services(
        services,
        database,
        parts,
        accounts=accounts,
        tokens=tokens,
        pushed_messages=pushed_messages,
        bot_seats=bot_seats,
        imports=imports,
        reviews=reviews,
        access=access,
        feed=LobbyFeed(services, database.matches),
        notices=notices,
        tournaments=tournaments.service,
        clubs=clubs.service,
    )
    context = SessionContext(
        parts.matches,
        parts.openings,
        RequestTable(requests),
        Handshake(accounts, tokens, parts.rules, services.clock, f"diskwars {program_version()}"),
        quotas=quotas,
        metrics=services.metrics,
    )
    return context, (tournaments, clubs)


def _mount_api(
    services: Services,
    context: SessionContext,
    parts: MatchParts,
    pictures: BoardPictures | None,
    health: HealthCheck,
    tokens: TokenIssuer,
    plan: _ServerPlan,
) -> tuple[Mount, ...]:
    reads = ReadOperations(
        context.requests.handlers,
        parts.matches,
        parts.rules,
        services,
        pictures=pictures,
        health=health.report,
        version=program_version(),
    )
    plays, challenges = PlayerOperations(context, tokens), ChallengeOperations(context)
    is_secure = load_certificate(plan.settings) is not None
    device_logins, public_url = context.requests.services.device_logins, plan.settings.public_url or ""
    logins = DeviceLoginOperations(device_logins, public_url, is_secure=is_secure)
    rows = *reads.operations(), *plays.operations(), *challenges.operations(), *logins.operations()
    operations = with_documents(rows, program_version())
    interface = HttpInterface(operations, context.quotas, context.handshake.accounts)
    return interface.mount(), *_mount_docs(plan, context.quotas)


def _mount_docs(plan: _ServerPlan, quotas: AddressQuotas) -> tuple[Mount, ...]:
    return () if plan.docs is None else (DocsSite(plan.docs, quotas).mount(),)


async def _end(
    loops: list[asyncio.Task[None]],
    context: SessionContext,
    health: HealthCheck,
    groups: tuple[TournamentParts, ClubParts],
) -> None:
    for loop in loops:
        loop.cancel()
    await asyncio.wait(loops)
    await context.requests.services.close()
    await health.close()
    await context.matches.close()
    for part in groups:
        part.close()


@contextlib.asynccontextmanager
async def _listen(
    plan: _ServerPlan,
    context: SessionContext,
    health: HealthCheck,
    pictures: BoardPictures | None,
    shared_parts: SharedParts,
    routes: Sequence[Route],
    mounts: Sequence[Mount],
) -> AsyncIterator[Transport]:
    settings = plan.settings
    options = ListenOptions(
        settings.host,
        settings.port,
        settings.origins,
        settings.connections,
        tuple(plan.listeners),
        certificate=load_certificate(settings),
        refusal_pause_seconds=REFUSAL_PAUSE_SECONDS,
    )
    async with (
        _serve_metrics(settings, context.metrics),
        Transport(
            context,
            health.report,
            options,
            page=plan.page,
            pictures=pictures,
            placement=plan.placement,
            routes=routes,
            shared_parts=shared_parts,
            mounts=mounts,
        ) as transport,
    ):
        _watch_gauges(context.metrics, transport, context.matches)
        yield transport


@contextlib.asynccontextmanager
async def _join_bus(settings: ServerSettings, key: bytes) -> AsyncIterator[Bus]:
    if not settings.nats_url:
        yield LocalBus().join()
        return
    # Servers of one database have one key: those of another may use the same NATS.
    deployment = hashlib.sha256(b"diskwars bus\0" + key).hexdigest()[:BUS_NAME_LENGTH]
    # Only here: its client takes a fifth of what a server imports, and most servers have no NATS.
    from diskwars_server.bus.nats import NatsBus

    async with NatsBus(settings.nats_url, f"diskwars.{deployment}") as bus:
        yield bus


def _reach_other_nodes(connected: ConnectedPlayers, bus: Bus) -> PushedMessages:
    """Share logouts with the other nodes, and return what sends messages to players there."""
    Logouts(connected, bus)
    return PushedMessages(connected, bus)


async def serve(
    settings: ServerSettings,
    *,
    ready: Callable[[str], None] | None = None,
    bots: BotProgram = NO_BOTS,
    page: Mapping[str, StaticFile] | None = None,
    files: FilePrograms = NO_FILE_PROGRAMS,
    listeners: Sequence[socket.socket] = (),
    placement: Placement | None = None,
    docs: Path | None = None,
) -> None:
    """Serve until it is cancelled. `ready` gets the address for clients once they can connect.

    `bots` is the program of the bots that the server can seat, `page` the files of the page, `files` the
    programs that verify match files and draw boards, `listeners` are sockets that listen already, `placement` knows
    the nodes of which it is one, `docs` is the folder of the documentation site.

    With a certificate SIGHUP lets it be read again.

    Raises EmbeddedError, StoreError, PackError, SettingsError and OSError when it cannot begin.
    """
    load_certificate(settings)  # a fault of its files is reported before a database is started
    with open_database(settings) as url:
        database = PostgresDatabase(url, archive=open_archive(settings))
        async with (
            _StopLimit(database) as stop_limit,
            database,
            start_server(
                settings,
                database,
                bots=bots,
                page=page,
                files=files,
                listeners=listeners,
                placement=placement,
                docs=docs,
            ) as transport,
        ):
            tune_garbage_collector()
            besides = {"packs": os.pathsep.join(settings.pack)} if settings.pack else {}
            log.info("serving", extra={"url": transport.url, **besides})
            with reload_on_hangup(transport.certificate):
                if ready is not None:
                    ready(transport.url)
                await _serve_until_cancelled(transport, settings.drain_seconds, stop_limit)


class _StopLimit:
    """Limit of the time for which the end of a server may wait for its database. Use it as `async with`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._timer: asyncio.TimerHandle | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def start(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(STOP_DATABASE_SECONDS, self._give_up)

    def _give_up(self) -> None:
        log.error("stopping without the database", extra={"why": f"no answer for {STOP_DATABASE_SECONDS:.0f} s"})
        self._database.abort()


async def _serve_until_cancelled(transport: Transport, drain_seconds: int, stop_limit: _StopLimit) -> None:
    try:
        await asyncio.Event().wait()
    finally:
        # Proxies see it at /readyz and send nobody here; another stop signal cuts this short.
        transport.drain()
        log.info("stopping", extra={"connections": transport.connections})
        try:
            await asyncio.sleep(drain_seconds)
        finally:
            stop_limit.start()


@contextlib.asynccontextmanager
async def _serve_metrics(settings: ServerSettings, metrics: Metrics) -> AsyncIterator[None]:
    if not settings.metrics:
        yield
        return
    host, port = parse_listen_address("metrics", settings.metrics)
    async with contextlib.AsyncExitStack() as stack:
        try:
            endpoint = await stack.enter_async_context(MetricsEndpoint(metrics.render, host, port))
        except OSError as fault:  # said here, because the caller takes it for a fault of the players' port
            problem = "the port is taken" if fault.errno == errno.EADDRINUSE else str(fault)
            raise SettingsError(f"metrics: cannot listen on {settings.metrics}: {problem}") from None
        log.info("serving metrics", extra={"url": endpoint.url})
        yield


def _watch_clock(metrics: Metrics, clock: ServerClock) -> None:
    metrics.watch(
        "clock_difference_seconds",
        "Seconds that the clock of this machine is ahead of that of the database",
        lambda: clock.difference_ms() / 1000,
    )


def _watch_gauges(metrics: Metrics, transport: Transport, matches: MatchRepository) -> None:
    metrics.watch("connections", "Open connections of clients", lambda: transport.connections)
    metrics.watch("matches", "Matches in memory", lambda: len(matches))
    metrics.watch("watchers", "People without a seat who watch a match on this node", matches.count_watchers)
    metrics.watch(
        "outbox_frames", "Frames that wait to be sent, on all connections", lambda: sum(transport.outbox_backlogs())
    )
    metrics.watch(
        "outbox_frames_longest",
        "Frames that wait to be sent on the connection that is furthest behind",
        lambda: max(transport.outbox_backlogs(), default=0),
    )


def _start_bots(
    settings: ServerSettings,
    services: Services,
    database: Database,
    parts: MatchParts,
    *,
    bots: BotProgram,
    secrets: BotSecrets,
) -> asyncio.Task[None]:
    log_unknown_packs(settings.pack)
    count = default_bot_process_count() if settings.bot_workers is None else settings.bot_workers
    players = BotPlayers(
        parts.matches, parts.rules, database.matches, services.bot_turns, secrets, settings.bot_seconds
    )
    bot_processes = [BotProcess(bots.command, settings.bot_seconds) for _ in range(count)]
    return asyncio.create_task(players.run(bot_processes), name="bots")


def _make_imports(settings: ServerSettings, services: Services, command: tuple[str, ...]) -> MatchImports:
    verifier = FileVerifier((*command, *settings.pack), services.monotonic) if command else None
    limits = ImportLimits(settings.import_megabytes * BYTES_PER_MEGABYTE)
    return MatchImports(verifier, services.events, services.publish_listing, services.clock, services.monotonic, limits)


def make_quotas(settings: ServerSettings, monotonic: Clock = monotonic_ms) -> AddressQuotas:
    """Return the quotas of addresses of one process."""
    return AddressQuotas(make_quota_limits(settings), monotonic)


def make_quota_limits(settings: ServerSettings) -> QuotaLimits:
    """Return what one address may do in one process.

    Workers share nothing, so each has its share of what an address may do on the machine. Of connections it has twice
    that: they do not spread evenly, and one that is refused would often reach the same worker again.
    """

    def share(limit: int, portions: int = 1) -> int:
        return -(-limit * portions // settings.workers)

    return QuotaLimits(
        max_sockets=settings.connections,
        connections=min(settings.address_connections, share(settings.address_connections, 2)),
        openings_per_hour=share(settings.address_matches),
        bots_per_hour=share(settings.address_bots),
        proxies=settings.proxies,
        proxy_header=settings.proxy_header,
        history_bytes=share(settings.history_megabytes * BYTES_PER_MEGABYTE),
        guest_bytes=share(settings.guest_megabytes * BYTES_PER_MEGABYTE),
    )


def _entropy_source(settings: ServerSettings) -> EntropyByPurpose:
    if settings.seed is None:
        return lambda purpose: os.urandom
    return partial(seeded_entropy, settings.seed)


# --- the process


def new_event_loop() -> asyncio.AbstractEventLoop:
    """uvloop where it is installed, twice as fast as Python's own loop."""
    if not util.find_spec("uvloop"):
        return asyncio.new_event_loop()
    import uvloop

    return uvloop.new_event_loop()


def make_runner() -> asyncio.Runner:
    return asyncio.Runner(loop_factory=new_event_loop)


def tune_garbage_collector() -> None:
    """Called once everything is loaded: short collections, which look at what has been made lately, and rare full ones.

    States are frozen, records are never changed and a closed connection leaves no cycle, so that cycles, which alone
    need collecting, are rare; but each full collection looks at every disk of every live match, and everybody waits for
    it. A collection of 10,000 new objects took 9 ms while strangers opened matches, so there are 4,000 at most.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(1_000, 3, 3_000)
