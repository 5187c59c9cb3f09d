"""What does our server cost beside the rules? A ruleset that does nothing, against the bare reference in turn."""

from collections.abc import Iterator

import msgspec

from bench import processes
from bench.load import Measured, Plan
from bench.processes import Child, Cluster, answer, cores
from bench.tables import Bound, Effort, Table, median, spread

SIZES = (1, 50, 200)
BOUND = 0.65
OURS, REFERENCE = "ours", "reference"


PATIENCE = 400  # seconds: on a busy machine it takes long to bring many matches on


def measured(server: Child, base: Cluster, plan: Plan) -> list[Measured]:
    """What a load generator of its own measures of a server, window by window."""
    plan = msgspec.structs.replace(plan, url=server.said, server=server.pid, database=base.pid)
    patience = plan.windows * plan.seconds + PATIENCE
    said = answer("load", msgspec.json.encode(plan), cores()[1], patience)
    return msgspec.json.decode(said, type=list[Measured])


def once(base: Cluster, kind: str, plan: Plan) -> list[Measured]:
    """A fresh server on a fresh database."""
    module = "house" if kind == OURS else "reference"
    with Child(module, base.fresh(), core=cores()[0]) as server:
        return measured(server, base, plan)


LOOP = ("actions/s", "p50 ms", "p99 ms", "CPU µs/action", "PostgreSQL µs/action", "MiB", "generator busy")
"""The columns of a closed loop."""


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


def tables(effort: Effort) -> Iterator[Table]:
    found: dict[tuple[str, int], list[Measured]] = {}
    with processes.cluster() as base:
        for _ in range(effort.runs):
            for games in effort.upto(SIZES, 5):
                for kind in (OURS, REFERENCE):
                    plan = Plan(kind, "", games, effort.seconds, 0, 0)
                    found.setdefault((kind, games), []).extend(once(base, kind, plan))
        version = base.version
    yield table(found, version, "A ruleset that does nothing, against the bare reference")


def table(found: dict[tuple[str, int], list[Measured]], version: str, title: str) -> Table:
    columns = (
        "matches",
        "server",
        *LOOP,
        "ratio",
    )
    rows, ratios = [], {}
    for kind, games in sorted(found, key=lambda key: (key[1], key[0])):
        runs = found[kind, games]
        floor = median(run.rate for run in found[REFERENCE, games])
        ratio = ratios[kind, games] = median(run.rate for run in runs) / floor
        rows.append(
            (
                games,
                kind,
                *loop_figures(runs),
                ratio,
            )
        )
    largest = max(games for _, games in found)
    bound = Bound(f"actions/s of {largest} matches, share of the reference", ratios[OURS, largest], BOUND, "at least")
    notes = (f"Closed loop: one acts, the other receives it, the first acts again. PostgreSQL {version}, all durable.",)
    return Table(title, columns, tuple(rows), (bound,), notes)
