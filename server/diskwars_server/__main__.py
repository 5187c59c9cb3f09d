"""Composition of a server from settings, store, lobby and transport; also logging and start-up errors."""

import argparse
import asyncio
import contextlib
import errno
import gc
import json
import logging
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from functools import partial
from importlib import metadata, util

from diskwars_content import PackError, load_packs
from diskwars_engine.ruleset import AnyRuleset
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_protocol.fairness import seeded_entropy
from diskwars_server import migrations
from diskwars_server.bus import LocalBus
from diskwars_server.embedded import EmbeddedError, EmbeddedPostgres, default_data_dir
from diskwars_server.game import Services
from diskwars_server.lobby import Entropy, Lobby
from diskwars_server.postgres import PostgresStore
from diskwars_server.session import SessionContext
from diskwars_server.settings import SERVER_OPTIONS, ServerSettings, SettingsError, add_options, parse_settings
from diskwars_server.store import EventStore, StoreError, StoreUnavailable
from diskwars_server.tokens import TokenIssuer
from diskwars_server.transport import HealthReport, ListenOptions, Transport

log = logging.getLogger("diskwars_server")

SECONDS_PER_DAY = 86_400


def load_rulesets(*packs: str) -> dict[str, AnyRuleset]:
    """Return every ruleset that is played here, by its name. Raises PackError."""
    return {"diskwars": Diskwars(load_packs(*packs).catalogue)}


def program_version() -> str:
    """Of this program, and so of its rules; 0 for a checkout that is not installed."""
    try:
        return metadata.version("diskwars")
    except metadata.PackageNotFoundError:
        return "0"


def now_ms() -> int:
    """Since 1970."""
    return time.time_ns() // 1_000_000


@contextlib.contextmanager
def open_database(settings: ServerSettings) -> Iterator[str]:
    """Provide the address of the database: the one that is named, or else the embedded one. Raises EmbeddedError."""
    if settings.database_url:
        yield settings.database_url
        return
    # Started and stopped where the process lives longest: PostgreSQL ends with the thread that began it.
    embedded = EmbeddedPostgres(asked := settings.data or default_data_dir())
    with embedded as url:
        if embedded.root != asked.absolute():
            print(f"running as root: the database of {asked} is kept in {embedded.root}", file=sys.stderr, flush=True)
        yield url


@contextlib.asynccontextmanager
async def start_server(
    settings: ServerSettings, store: EventStore, games: dict[str, AnyRuleset] | None = None
) -> AsyncIterator[Transport]:
    """Provide a server that listens, over an open store; on exit it closes every connection with a reason."""
    house = Services(store, LocalBus(), now_ms, program_version())
    played = load_rulesets(*settings.pack) if games is None else games
    is_seeded = settings.seed is not None
    lobby = Lobby(
        played,
        house,
        _entropy_source(settings),
        repeatable=is_seeded,
        max_live_matches=settings.matches,
        max_open_matches_per_player=settings.open_matches,
    )
    tokens = TokenIssuer(await store.signing_key(), settings.token_days * SECONDS_PER_DAY, now_ms)
    reception = SessionContext(lobby, tokens, now_ms, server_name=f"diskwars {house.rules_version}")
    doors = ListenOptions(settings.host, settings.port, settings.origins, settings.connections)
    try:
        async with Transport(reception, partial(_check_health, store), doors) as transport:
            yield transport
    finally:
        await lobby.close()


async def serve(settings: ServerSettings, *, ready: Callable[[str], None] | None = None) -> None:
    """Serve until it is cancelled. `ready` gets the address for clients once they can connect.

    Raises EmbeddedError, StoreError, PackError and OSError when it cannot begin.
    """
    with open_database(settings) as url:
        async with PostgresStore(url) as store, start_server(settings, store) as transport:
            tune_garbage_collector()
            besides = {"packs": os.pathsep.join(settings.pack)} if settings.pack else {}
            log.info("serving", extra={"url": transport.url, **besides})
            if ready is not None:
                ready(transport.url)
            await asyncio.Event().wait()


def _entropy_source(settings: ServerSettings) -> Entropy:
    if settings.seed is None:
        return lambda purpose: os.urandom
    return partial(seeded_entropy, settings.seed)


async def _check_health(store: EventStore) -> HealthReport:
    try:
        await store.heads([])
    except StoreUnavailable:
        return HealthReport("unavailable", program_version(), migrations.SCHEMA_VERSION)
    return HealthReport("ok", program_version(), migrations.SCHEMA_VERSION)


# --- the log


class KeyValueFormatter(logging.Formatter):
    """One line for each message: time, level, room, what happened, and `name=value` for the rest."""

    STANDARD_ATTRIBUTES = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}

    def format(self, record: logging.LogRecord) -> str:
        when = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line = f"{when}.{int(record.msecs):03d}Z {record.levelname.lower()} {record.name}: {record.getMessage()}"
        extra = [(name, value) for name, value in vars(record).items() if name not in self.STANDARD_ATTRIBUTES]
        if record.exc_info:
            extra.append(("trace", self.formatException(record.exc_info)))
        return line + "".join(f" {name}={_format_value(value)}" for name, value in extra)


def _format_value(value: object) -> str:
    text = str(value)
    return text if text.isprintable() and text and not set(text) & set(' "=') else json.dumps(text)


def configure_logging(level: str) -> None:
    sink = logging.StreamHandler(sys.stderr)
    sink.setFormatter(KeyValueFormatter())
    logging.basicConfig(level=level.upper(), handlers=[sink], force=True)
    # Connections dropped during the handshake are not errors.
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
    logging.getLogger("alembic").setLevel(logging.WARNING)


# --- the process


async def _serve_until_signalled(settings: ServerSettings) -> None:
    serving = asyncio.current_task()
    assert serving is not None
    for told in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(told, serving.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await serve(settings, ready=lambda url: print(f"listening on {url}", flush=True))


def make_runner() -> asyncio.Runner:
    """Return what a server runs in: uvloop where it is installed, twice as fast as Python's own loop."""
    if not util.find_spec("uvloop"):
        return asyncio.Runner()
    import uvloop

    return asyncio.Runner(loop_factory=uvloop.new_event_loop)


def tune_garbage_collector() -> None:
    """Called once everything is loaded: rarer collections, which look at what has been made since only.

    States are frozen and records are never changed, so that cycles, which alone need collecting, are rare here; but
    each full collection looks at every disk of every live match, and everybody waits for it.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


def run(settings: ServerSettings) -> int:
    """Serve in this process until SIGINT or SIGTERM; the exit code."""
    configure_logging(settings.log_level)
    try:
        with make_runner() as running:
            running.run(_serve_until_signalled(settings))
    except (EmbeddedError, StoreError, PackError, OSError) as fault:
        is_taken = isinstance(fault, OSError) and fault.errno == errno.EADDRINUSE
        text = f"port {settings.port} is taken; try --port" if is_taken else str(fault)
        print(f"diskwars serve: {text}", file=sys.stderr)
        return 1
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="diskwars serve", description="Serve matches to clients over the network.")
    add_options(parser, *SERVER_OPTIONS)
    try:
        return run(parse_settings(parser.parse_args(arguments), os.environ))
    except SettingsError as fault:
        parser.error(str(fault))


if __name__ == "__main__":
    sys.exit(main())
