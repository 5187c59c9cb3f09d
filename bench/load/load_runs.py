"""Servers under load, each with its own load generator, and the columns of a closed loop."""

import contextlib
from collections.abc import Callable, Iterator
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from bench.load.load import LoadMeasurement, LoadPlan, LoadWindow
from bench.measuring.processes import ChildProcess, PostgresCluster, available_cores
from bench.measuring.tables import median, median_with_range

OURS, REFERENCE = "ours", "reference"
MeasureWindow: TypeAlias = Callable[[LoadWindow], LoadMeasurement]

LOOP_COLUMNS = ("actions/s", "p50 ms", "p99 ms", "CPU µs/action", "PostgreSQL µs/action", "MiB", "generator busy")
"""The columns of a closed loop."""


@contextlib.contextmanager
def start_loaded_server(base: PostgresCluster, plan: LoadPlan) -> Iterator[MeasureWindow]:
    """Start a server on a fresh database with its generator; provide the function that measures a window."""
    module = "servers.measured_server" if plan.kind == OURS else "servers.reference_server"
    with (
        ChildProcess(module, base.new_database(), core=available_cores()[0]) as server,
        start_generator(plan_for_server(plan, server, base)) as measure,
    ):
        yield measure


def plan_for_server(plan: LoadPlan, server: ChildProcess, base: PostgresCluster) -> LoadPlan:
    """Return the plan completed with address and processes of the server."""
    return replace(plan, url=server.lines, server_pid=server.pid, database_pid=base.pid)


@contextlib.contextmanager
def start_generator(plan: LoadPlan) -> Iterator[MeasureWindow]:
    """Start a load generator in a process of its own; provide the function that measures a window."""
    with ChildProcess("load.load", core=available_cores()[1]) as child:
        child.write_line(msgspec.json.encode(plan).decode())

        def measure(window: LoadWindow) -> LoadMeasurement:
            return msgspec.json.decode(child.request(msgspec.json.encode(window).decode()), type=LoadMeasurement)

        yield measure


def loop_cells(runs: list[LoadMeasurement]) -> tuple[str | float, ...]:
    """Return the cells of `LOOP_COLUMNS`: medians of the runs."""
    return (
        median_with_range(run.rate for run in runs),
        median(run.p50 for run in runs),
        median(run.p99 for run in runs),
        median(run.server_cpu_us_per_action for run in runs),
        median(run.database_cpu_us_per_action for run in runs),
        median(run.server_kib for run in runs) / 1024,
        f"{100 * median(run.load_cpu / run.seconds for run in runs):.0f} %",
    )
