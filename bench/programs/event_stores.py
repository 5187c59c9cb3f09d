"""Benchmark of another event store on the same PostgreSQL: `eventsourcing` and our event log, measured in turn.

The library is installed into a folder of the user's cache, once.
"""

import subprocess
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct
from sqlalchemy import make_url

from bench.matches.played_matches import RULES, count_events, play_recorded, sealed_appends, store_log
from bench.measuring.processes import ROOT, PostgresCluster, available_cores, child_environment, pin_process, pinned_to
from bench.measuring.tables import BenchEffort, FigureBound, ResultTable, median, median_with_range
from bench.programs.fold import SEED, recorded_log
from bench.rivals import external_packages
from diskwars_engine.match_log import MatchLog
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.records.records import Record
from diskwars_server.app import make_runner
from diskwars_server.store.event_log import AppendRequest
from diskwars_server.store.postgres.database import PostgresDatabase

PACKAGE = "eventsourcing[postgres]==9.5.6"
DRIVER = "psycopg[binary]"
LENGTH = 1000
TIMEOUT_SECONDS = 120  # seconds
REQUIRED_SPEEDUP = 4
THEIRS, OURS = "eventsourcing (Python)", "ours"


class Rates(Struct, frozen=True):
    """Durable appends per second, one after another, and events per second rebuilt from PostgreSQL."""

    appends: float
    events: float


def tables(effort: BenchEffort, base: PostgresCluster, python: Path) -> Iterator[ResultTable]:
    """Yield the comparison, measured on fresh databases of the same PostgreSQL."""
    records = recorded_log(LENGTH)
    measured: dict[str, list[Rates]] = {THEIRS: [], OURS: []}
    for _ in range(effort.runs):
        measured[THEIRS].append(_measure_library(base, python, effort.seconds / 2))
        with pinned_to(available_cores()[0]), make_runner() as running:
            measured[OURS].append(running.run(_measure_own_store(base.new_database(), records, effort.seconds / 2)))
    rates = {name: median(run.events for run in runs) for name, runs in measured.items()}
    rows = tuple(
        (
            name,
            median_with_range(run.appends for run in runs),
            median_with_range(run.events for run in runs),
            rates[name] / rates[THEIRS],
        )
        for name, runs in measured.items()
    )
    bound = FigureBound(
        "events/s rebuilt, times eventsourcing", rates[OURS] / rates[THEIRS], REQUIRED_SPEEDUP, "at least"
    )
    columns = ("library", "appends/s", "events/s rebuilt", "rebuilt, times eventsourcing")
    note = (
        "Appends one after another, each in a transaction of its own: ours is an action with all its events, hashed in "
        f"a chain, theirs is one event. Rebuilt are {LENGTH:,} of our records, checked against the chain and folded to "
        f"a tabletop, and {LENGTH:,} of their events, folded to two fields."
    )
    yield ResultTable("A library that stores events, on the same PostgreSQL", columns, rows, (bound,), (note,))


def install_library() -> Path:
    """Return the Python in which the library is installed. Raises PackageUnavailable."""
    folder = external_packages.CACHE_FOLDER / "python"
    python, ready = folder / "bin" / "python", folder / PACKAGE
    if not ready.exists():
        external_packages.install_python(folder, (PACKAGE, DRIVER), TIMEOUT_SECONDS)
        ready.touch()
    return python


def _measure_library(base: PostgresCluster, python: Path, seconds: float) -> Rates:
    address = make_url(base.new_database())
    command = [
        str(python),
        str(ROOT / "bench" / "rivals" / "eventsourcing_program.py"),
        str(address.query["host"]),
        str(address.database),
    ]
    variables = {name: value for name, value in child_environment().items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [*command, str(LENGTH), str(seconds)],
        stdout=subprocess.PIPE,
        check=True,
        timeout=TIMEOUT_SECONDS,
        env=variables,
        preexec_fn=partial(pin_process, available_cores()[0]),
        start_new_session=True,
    )
    return msgspec.json.decode(done.stdout, type=Rates)


async def _measure_own_store(url: str, records: list[Record], seconds: float) -> Rates:
    """Append matches one after another through the event log, then rebuild a long one."""
    async with PostgresDatabase(url) as database:
        long = MatchId(f"seed-{SEED}")
        await store_log(database, long, records)
        copied = list(sealed_appends(play_recorded(SEED)))
        appends, began = 0, time.perf_counter()
        while time.perf_counter() - began < seconds:
            copy, number = divmod(appends, len(copied))
            await database.events.append(AppendRequest(f"copy-{copy}", number, copied[number]))
            appends += 1
        rate = appends / (time.perf_counter() - began)
        events = count_events(records)
        rebuilt, began = 0, time.perf_counter()
        while time.perf_counter() - began < seconds:
            MatchLog.load(RULES, long, await database.events.read(long))
            rebuilt += events
        return Rates(rate, rebuilt / (time.perf_counter() - began))
