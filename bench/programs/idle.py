"""Benchmark of idle connections: memory per connection, and connections per second."""

from collections.abc import Iterator

from bench.load.spectators import FanoutMeasurement, FanoutPlan
from bench.measuring import processes
from bench.measuring.tables import BenchEffort, FigureBound, ResultTable, format_figure, median, median_with_range
from bench.programs.fanout import measure_once

CONNECTIONS = 1000
CONNECTION_BOUND_KIB = 20
FLOOR, OURS = "websockets alone", "ours, after hello"


def tables(effort: BenchEffort) -> Iterator[ResultTable]:
    number = effort.sizes((CONNECTIONS,), 20)[0]
    measured: dict[str, list[FanoutMeasurement]] = {FLOOR: [], OURS: []}
    with processes.temporary_cluster() as base:
        for _ in range(effort.runs):
            for runs, kind in zip(measured.values(), ("floor", "ours"), strict=True):
                runs.append(measure_once(base, kind, FanoutPlan(kind, "", 0, number)))
    yield _result_table(number, measured)


def _result_table(number: int, measured: dict[str, list[FanoutMeasurement]]) -> ResultTable:
    weights = {name: [(run.after_kib - run.before_kib) / number for run in runs] for name, runs in measured.items()}
    rows = tuple(
        (
            name,
            median_with_range(weights[name]),
            median(run.after_kib / 1024 for run in runs),
            median(number / run.connecting for run in runs),
        )
        for name, runs in measured.items()
    )
    weight = median(weights[OURS])
    bound = FigureBound(f"KiB for a connection at {number:,}", weight, CONNECTION_BOUND_KIB)
    short = (f"A connection that nobody uses weighs {format_figure(weight)} KiB.",)
    columns = ("server", "KiB/connection", "MiB in all", "connections/s")
    return ResultTable(f"{number:,} idle connections", columns, rows, (bound,), summary=short)
