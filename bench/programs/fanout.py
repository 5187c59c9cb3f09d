"""Benchmark of fan-out: time until the last of many spectators has an append, while some of them read nothing.

Our server, which also commits the append, is compared with `websockets.broadcast` of as many bytes, measured in turn.
"""

from collections.abc import Iterator, Sequence

import msgspec

from bench.load.spectators import FanoutMeasurement, FanoutPlan, FanoutTimes
from bench.measuring import processes
from bench.measuring.processes import ChildProcess, PostgresCluster, available_cores, raise_file_limit, run_module
from bench.measuring.tables import (
    BenchEffort,
    Cell,
    FigureBound,
    ResultTable,
    format_figure,
    median,
    median_with_range,
    percentile,
)

SIZES = (100, 1000, 5000)
MESSAGES = 20
SLOW_WATCHERS = 50  # one watcher out of 50 reads nothing
FANOUT_BOUND = 1.3
TIMEOUT_SECONDS = 240  # seconds
FLOOR, OURS = "broadcast", "ours"
TOO_FEW_FILES_TEXT = "More watchers are not measured: too few files may be open."


def measure_once(base: PostgresCluster, kind: str, plan: FanoutPlan) -> FanoutMeasurement:
    """Measure one crowd on a fresh server."""
    words = ("servers.measured_server", base.new_database()) if kind == "ours" else ("servers.broadcast_server",)
    with ChildProcess(*words, core=available_cores()[0]) as server:
        plan = msgspec.structs.replace(plan, kind=kind, url=server.lines, server_pid=server.pid)
        return msgspec.json.decode(
            run_module("load.spectators", msgspec.json.encode(plan), available_cores()[1], TIMEOUT_SECONDS),
            type=FanoutMeasurement,
        )


def tables(effort: BenchEffort) -> Iterator[ResultTable]:
    measured: dict[tuple[int, str], list[FanoutMeasurement]] = {}
    sizes = [watchers for watchers in effort.sizes(SIZES, 20) if raise_file_limit(watchers + watchers // SLOW_WATCHERS)]
    with processes.temporary_cluster() as base:
        for _ in range(effort.runs):
            for watchers in sizes:
                for name, kind in ((FLOOR, "floor"), (OURS, "ours")):
                    slow = max(2, watchers // SLOW_WATCHERS) if kind == "ours" else 0
                    plan = FanoutPlan(kind, "", 0, watchers, slow, MESSAGES if effort.full else 2)
                    measured.setdefault((watchers, name), []).append(measure_once(base, kind, plan))
    yield _result_table(measured, sizes, [] if len(sizes) == len(effort.sizes(SIZES, 20)) else [TOO_FEW_FILES_TEXT])


def _result_table(
    measured: dict[tuple[int, str], list[FanoutMeasurement]], sizes: Sequence[int], left_out: list[str]
) -> ResultTable:
    rows = []
    for watchers in sizes:
        floor, ours = measured[watchers, FLOOR], measured[watchers, OURS]
        base = _last_delivery_ms(floor)
        closed = f"{sum(run.closed for run in ours)} of {len(ours) * max(2, watchers // SLOW_WATCHERS)}"
        rows += [
            _result_row(watchers, FLOOR, [run.without_slow for run in floor], base, "–"),
            _result_row(watchers, OURS, [run.without_slow for run in ours], base, "–"),
            _result_row(watchers, f"{OURS}, beside slow ones", [run.with_slow for run in ours], base, closed),
        ]
    columns = ("watchers", "server", "last one has it, ms", "p99 ms", "CPU µs/watcher", "slow ones closed", "ratio")
    bounds, short = [], []
    for watchers in sizes[-1:]:
        ms = _last_delivery_ms(measured[watchers, OURS])
        share = ms / _last_delivery_ms(measured[watchers, FLOOR])
        bounds.append(
            FigureBound(f"{watchers:,} watchers, last one has it, times websockets.broadcast", share, FANOUT_BOUND)
        )
        short.append(f"All of {watchers:,} watchers of a match have an append after {format_figure(ms)} ms.")
    warned = sum(run.warned for runs in measured.values() for run in runs)
    notes = (
        "Ours counts from the player's sending, and so with the decision and the commit; broadcast has neither.",
        f"To those who read come one in {SLOW_WATCHERS} who read nothing, on narrow lines, "
        "and watch a loud match besides: the "
        "server closes them while the others are served, and its CPU for the loud match is counted too. "
        f"{warned} of them, when they read again, found the request to resume.",
        *left_out,
    )
    return ResultTable(
        "One append to many watchers", columns, tuple(rows), tuple(bounds), ("\n".join(notes),), tuple(short)
    )


def _last_delivery_ms(runs: Sequence[FanoutMeasurement]) -> float:
    """Return the milliseconds until the last reading spectator has a message."""
    return median(median(run.without_slow.last_ms) for run in runs)


def _result_row(watchers: int, name: str, runs: Sequence[FanoutTimes], floor: float, closed: str) -> tuple[Cell, ...]:
    last = [median(run.last_ms) for run in runs]
    p99 = median(percentile(run.last_ms, 0.99) for run in runs)
    cost = 1e6 * sum(run.cpu_seconds for run in runs) / sum(len(run.last_ms) * watchers for run in runs)
    return (watchers, name, median_with_range(last), p99, cost, closed, median(last) / floor)
