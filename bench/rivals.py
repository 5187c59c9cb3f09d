"""What do others do on this machine, in this run? boardgame.io with its PostgreSQL storage and without, and Diskwars.

It is installed by name into a folder of the user's cache, once. Where that fails, a sentence says at which step.
`peers` has the library that is held against our store.
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

from sqlalchemy import make_url

from bench import event_stores, external_packages, processes
from bench.external_packages import NotInstalled
from bench.load import Measured, Plan, Window
from bench.load_runs import OURS, Measure, addressed, generator, loaded
from bench.match import TRACES, window_of
from bench.processes import ROOT, Child, Cluster, cores
from bench.tables import Bound, Effort, Table, median, spread
from bench.traces import recorded

# koa-compose 4.2 leaves boardgame.io's lobby unanswered
PACKAGES = ("boardgame.io@0.50.2", "bgio-postgres@1.0.16", "koa-compose@4.1.0")
MEMORY, POSTGRES = "boardgame.io in memory, not durable", "boardgame.io with PostgreSQL"
DISKWARS = "ours, Diskwars, durable"
GAMES = 200
PATIENCE = 300  # seconds

Runs: TypeAlias = dict[str, list[tuple[Measured, Measured]]]


def tables(effort: Effort) -> Iterator[Table]:
    if not effort.full:
        yield _absent("boardgame.io", "a trial")
        yield _absent("eventsourcing", "a trial")
        return
    began = time.monotonic()
    modules, python = _tried(installed), _tried(event_stores.installed)
    installing = time.monotonic() - began
    with processes.cluster() as base:
        if isinstance(modules, NotInstalled):
            yield _absent("boardgame.io", f"not installed, {modules}")
        else:
            yield _table(_found(effort, base, modules), installing)
        if isinstance(python, NotInstalled):
            yield _absent("eventsourcing", f"not installed, {python}")
        else:
            yield from event_stores.tables(effort, base, python)


def _tried(install: Callable[[], Path]) -> Path | NotInstalled:
    """The other one is measured all the same."""
    try:
        return install()
    except NotInstalled as why:
        return why


def _absent(name: str, why: str) -> Table:
    return Table(f"{name} beside ours", ("server", "actions/s"), ((name, "not measured"),), notes=(f"{name}: {why}.",))


def _found(effort: Effort, base: Cluster, modules: Path) -> Runs:
    """Of each server, fresh each time, a first window and one more."""
    traces = tuple(recorded(number, 2) for number in range(TRACES))
    played, window = window_of(GAMES, effort.seconds, traces), Window(GAMES, effort.seconds)
    found: Runs = {}
    for _ in range(effort.runs):
        everybody = (
            (MEMORY, _rival(base, modules, "memory"), window),
            (POSTGRES, _rival(base, modules, "postgres"), window),
            (DISKWARS, loaded(base, Plan(OURS, traces=traces)), played),
        )
        for name, server, asked in everybody:
            with server as measure:
                found.setdefault(name, []).append((measure(asked), measure(asked)))
    return found


def installed() -> Path:
    """The folder of the packages; raises NotInstalled where they cannot be had."""
    external_packages.needed("node")
    folder = external_packages.FOLDER
    if not (folder / "node_modules" / "bgio-postgres").is_dir():
        external_packages.needed("npm")
        command = ["npm", "install", "--cache", str(folder / "npm"), "--no-audit", "--no-fund", "--loglevel=error"]
        external_packages.step("npm install", [*command, *PACKAGES], folder, PATIENCE)
    return folder / "node_modules"


@contextlib.contextmanager
def _rival(base: Cluster, modules: Path, storage: str) -> Iterator[Measure]:
    address = make_url(base.fresh())
    words = [storage, str(address.query["host"]), str(address.database)]
    node = ("node", str(ROOT / "bench" / "boardgame.js"))
    environment = {"NODE_PATH": str(modules), "NODE_ENV": "production"}
    with (
        Child("boardgame", *words, core=cores()[0], program=node, **environment) as server,
        generator(addressed(Plan("boardgame.io"), server, base)) as measure,
    ):
        yield measure


def _table(found: Runs, installing: float) -> Table:
    rates = {name: median(first.rate for first, _ in runs) for name, runs in found.items()}
    later = {name: median(second.rate for _, second in runs) for name, runs in found.items()}
    rows = tuple(
        (
            name,
            spread(run.rate for run, _ in runs),
            median(run.p50 for run, _ in runs),
            median(run.p99 for run, _ in runs),
            median(run.cost for run, _ in runs),
            median(run.server_kib for run, _ in runs) / 1024,
            rates[DISKWARS] / rates[name],
            later[name],
            later[DISKWARS] / later[name],
        )
        for name, runs in found.items()
    )
    bounds = (
        Bound("Diskwars, times boardgame.io with PostgreSQL", rates[DISKWARS] / rates[POSTGRES], 10, "at least"),
        Bound("Diskwars, times boardgame.io in memory", rates[DISKWARS] / rates[MEMORY], 1, "at least"),
        Bound(
            "Diskwars, warm, times boardgame.io with PostgreSQL, warm",
            later[DISKWARS] / later[POSTGRES],
            10,
            "at least",
        ),
        Bound("Diskwars, warm, times boardgame.io in memory, warm", later[DISKWARS] / later[MEMORY], 1, "at least"),
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
        "boardgame.io plays a game of one line of state; ours resolves the whole tabletop. Later is a second window on "
        "the same servers, in which they are warm. "
        f"To install what was missing took {installing:.0f} s.",
    )
    return Table(f"{GAMES} games of two players, closed loop, on one core", columns, rows, bounds, notes)
