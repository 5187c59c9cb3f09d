"""How is a server loaded? Fresh ones with a generator each, that play in turn, and what a closed loop is told in.

Must not know what is compared with what.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from bench.load import Measured, Plan, Window
from bench.processes import Child, Cluster, cores
from bench.tables import median, spread

OURS, REFERENCE = "ours", "reference"
Measure: TypeAlias = Callable[[Window], Measured]

LOOP = ("actions/s", "p50 ms", "p99 ms", "CPU µs/action", "PostgreSQL µs/action", "MiB", "generator busy")
"""The columns of a closed loop."""


@contextlib.contextmanager
def loaded(base: Cluster, plan: Plan) -> Iterator[Measure]:
    """A fresh server on a fresh database, and its generator: what it measures in each window. It rests between them."""
    module = "house" if plan.kind == OURS else "reference"
    with Child(module, base.fresh(), core=cores()[0]) as server, generator(addressed(plan, server, base)) as measure:
        yield measure


def addressed(plan: Plan, server: Child, base: Cluster) -> Plan:
    """The plan for this server."""
    return replace(plan, url=server.said, server=server.pid, database=base.pid)


@contextlib.contextmanager
def generator(plan: Plan) -> Iterator[Measure]:
    """A load generator in a process of its own."""
    with Child("load", core=cores()[1]) as child:
        child.tell(msgspec.json.encode(plan).decode())

        def measure(window: Window) -> Measured:
            return msgspec.json.decode(child.ask(msgspec.json.encode(window).decode()), type=Measured)

        yield measure


def loop_figures(runs: list[Measured]) -> tuple[str | float, ...]:
    """What stands in those columns: medians of the runs."""
    return (
        spread(run.rate for run in runs),
        median(run.p50 for run in runs),
        median(run.p99 for run in runs),
        median(run.cost for run in runs),
        median(run.database_cost for run in runs),
        median(run.server_kib for run in runs) / 1024,
        f"{100 * median(run.load_cpu / run.seconds for run in runs):.0f} %",
    )
