"""Benchmark of the server without rules: the null ruleset against the bare reference, in turn."""

import contextlib
from collections.abc import Iterator

from bench.load.load import LoadMeasurement, LoadPlan, LoadWindow
from bench.load.load_runs import LOOP_COLUMNS, OURS, REFERENCE, loop_cells, start_loaded_server
from bench.measuring import processes
from bench.measuring.tables import BenchEffort, FigureBound, ResultTable, median

SIZES = (1, 50, 200)
OVERHEAD_BOUND = 0.38


def tables(effort: BenchEffort) -> Iterator[ResultTable]:
    """Measure both servers in turn; one is idle while the other is measured."""
    measured: dict[tuple[str, int], list[LoadMeasurement]] = {}
    with processes.temporary_cluster() as base, contextlib.ExitStack() as stack:
        both = {kind: stack.enter_context(start_loaded_server(base, LoadPlan(kind))) for kind in (OURS, REFERENCE)}
        for games in effort.sizes(SIZES, 5):
            for _ in range(effort.runs):
                for kind, measure in both.items():
                    measured.setdefault((kind, games), []).append(measure(LoadWindow(games, effort.seconds)))
        version = base.version
    yield result_table(measured, version, "A ruleset that does nothing, against the bare reference")


def result_table(measurements: dict[tuple[str, int], list[LoadMeasurement]], version: str, title: str) -> ResultTable:
    columns = (
        "matches",
        "server",
        *LOOP_COLUMNS,
        "ratio",
    )
    rows, ratios = [], {}
    for kind, games in sorted(measurements, key=lambda key: (key[1], key[0])):
        runs = measurements[kind, games]
        floor = median(run.rate for run in measurements[REFERENCE, games])
        ratio = ratios[kind, games] = median(run.rate for run in runs) / floor
        rows.append(
            (
                games,
                kind,
                *loop_cells(runs),
                ratio,
            )
        )
    largest = max(games for _, games in measurements)
    bound = FigureBound(
        f"actions/s of {largest} matches, share of the reference", ratios[OURS, largest], OVERHEAD_BOUND, "at least"
    )
    notes = (f"Closed loop: one acts, the other receives it, the first acts again. PostgreSQL {version}, all durable.",)
    return ResultTable(title, columns, tuple(rows), (bound,), notes)
