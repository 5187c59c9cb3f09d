"""Benchmark of other servers in the same run: boardgame.io with and without its PostgreSQL storage, and ours.

The same work on both sides is one line of state: our null ruleset. Ours is durable in every row.

boardgame.io is installed into a folder of the user's cache, once; a failure names the step. `event_stores` compares our
event log with another library.
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

from sqlalchemy import make_url

from bench.load.load import LoadMeasurement, LoadPlan, LoadWindow
from bench.load.load_runs import OURS, MeasureWindow, plan_for_server, start_generator, start_loaded_server
from bench.matches.traces import record_match
from bench.measuring import processes
from bench.measuring.processes import ROOT, ChildProcess, PostgresCluster, available_cores
from bench.measuring.tables import BenchEffort, FigureBound, ResultTable, median, median_with_range
from bench.programs import event_stores
from bench.programs.match import TRACE_COUNT, load_window
from bench.rivals import external_packages
from bench.rivals.external_packages import PackageUnavailable

# With koa-compose 4.2, boardgame.io's lobby does not answer.
PACKAGES = ("boardgame.io@0.50.2", "bgio-postgres@1.0.16", "koa-compose@4.1.0")
MEMORY, POSTGRES = "boardgame.io in memory, not durable", "boardgame.io with PostgreSQL"
SAME_WORK = "ours, the null ruleset, durable"
DISKWARS = "ours, Diskwars, durable"
MEMORY_BOUND, POSTGRES_BOUND = 2, 20
"""Times as many actions a second as boardgame.io handles, with the same work."""
MATCHES = 200
TIMEOUT_SECONDS = 300  # seconds

RivalRuns: TypeAlias = dict[str, list[tuple[LoadMeasurement, LoadMeasurement]]]


def tables(effort: BenchEffort) -> Iterator[ResultTable]:
    if not effort.full:
        yield _missing_table("boardgame.io", "a trial")
        yield _missing_table("eventsourcing", "a trial")
        return
    began = time.monotonic()
    modules, python = _install_or_note(install_packages), _install_or_note(event_stores.install_library)
    installing = time.monotonic() - began
    with processes.temporary_cluster() as base:
        if isinstance(modules, PackageUnavailable):
            yield _missing_table("boardgame.io", f"not installed, {modules}")
        else:
            yield _result_table(_measure_all(effort, base, modules), installing)
        if isinstance(python, PackageUnavailable):
            yield _missing_table("eventsourcing", f"not installed, {python}")
        else:
            yield from event_stores.tables(effort, base, python)


def _install_or_note(install: Callable[[], Path]) -> Path | PackageUnavailable:
    """Install a rival; return the reason if that fails, so that the others are still measured."""
    try:
        return install()
    except PackageUnavailable as why:
        return why


def _missing_table(name: str, why: str) -> ResultTable:
    return ResultTable(
        f"{name} beside ours", ("server", "actions/s"), ((name, "not measured"),), notes=(f"{name}: {why}.",)
    )


def _measure_all(effort: BenchEffort, base: PostgresCluster, modules: Path) -> RivalRuns:
    """Measure two windows of each server, on a fresh server in each run."""
    traces = tuple(record_match(number, 2) for number in range(TRACE_COUNT))
    played, window = load_window(MATCHES, effort.seconds, traces), LoadWindow(MATCHES, effort.seconds)
    runs: RivalRuns = {}
    for _ in range(effort.runs):
        servers = (
            (MEMORY, _start_rival(base, modules, "memory"), window),
            (POSTGRES, _start_rival(base, modules, "postgres"), window),
            (SAME_WORK, start_loaded_server(base, LoadPlan(OURS)), window),
            (DISKWARS, start_loaded_server(base, LoadPlan(OURS, traces=traces)), played),
        )
        for name, server, server_window in servers:
            with server as measure:
                runs.setdefault(name, []).append((measure(server_window), measure(server_window)))
    return runs


def install_packages() -> Path:
    """Return the folder of the packages. Raises PackageUnavailable."""
    external_packages.require_program("node")
    folder = external_packages.CACHE_FOLDER
    if not (folder / "node_modules" / "bgio-postgres").is_dir():
        external_packages.require_program("npm")
        command = ["npm", "install", "--cache", str(folder / "npm"), "--no-audit", "--no-fund", "--loglevel=error"]
        external_packages.run_step("npm install", [*command, *PACKAGES], folder, TIMEOUT_SECONDS)
    return folder / "node_modules"


@contextlib.contextmanager
def _start_rival(base: PostgresCluster, modules: Path, storage: str) -> Iterator[MeasureWindow]:
    address = make_url(base.new_database())
    words = [storage, str(address.query["host"]), str(address.database)]
    node = ("node", str(ROOT / "bench" / "rivals" / "boardgame.js"))
    environment = {"NODE_PATH": str(modules), "NODE_ENV": "production"}
    with (
        ChildProcess("boardgame", *words, core=available_cores()[0], program=node, **environment) as server,
        start_generator(plan_for_server(LoadPlan("boardgame.io"), server, base)) as measure,
    ):
        yield measure


def _result_table(measured: RivalRuns, installing: float) -> ResultTable:
    rates = {name: median(first.rate for first, _ in runs) for name, runs in measured.items()}
    later = {name: median(second.rate for _, second in runs) for name, runs in measured.items()}
    rows = tuple(
        (
            name,
            median_with_range(run.rate for run, _ in runs),
            median(run.p50 for run, _ in runs),
            median(run.p99 for run, _ in runs),
            median(run.server_cpu_us_per_action for run, _ in runs),
            median(run.server_kib for run, _ in runs) / 1024,
            rates[SAME_WORK] / rates[name],
            later[name],
            later[SAME_WORK] / later[name],
        )
        for name, runs in measured.items()
    )
    bounds = (
        FigureBound(
            "actions/s, times boardgame.io in memory, both warm",
            later[SAME_WORK] / later[MEMORY],
            MEMORY_BOUND,
            "at least",
        ),
        FigureBound(
            "actions/s, times boardgame.io with PostgreSQL, both warm",
            later[SAME_WORK] / later[POSTGRES],
            POSTGRES_BOUND,
            "at least",
        ),
    )
    columns = (
        "server",
        "actions/s",
        "p50 ms",
        "p99 ms",
        "CPU µs/action",
        "MiB",
        "ours, times this",
        "actions/s later",
        "ours, times that",
    )
    notes = (
        "boardgame.io plays a game of one line of state, as our null ruleset does, and the ratios compare these two; "
        "Diskwars resolves the whole tabletop. Later is a second window on the same servers, in which they are warm. "
        f"To install what was missing took {installing:.0f} s.",
    )
    return ResultTable(f"{MATCHES} games of two players, closed loop, on one core", columns, rows, bounds, notes)
