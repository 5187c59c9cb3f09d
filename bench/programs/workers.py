"""Benchmark of several workers on one port: durable actions per second, and what more cores would bring."""

import contextlib
from collections.abc import Iterator

from bench.load import load_runs
from bench.load.load import LoadMeasurement, LoadPlan
from bench.load.load_runs import LOOP_COLUMNS, OURS, loop_cells, plan_for_server
from bench.matches.traces import Trace, record_match
from bench.measuring import processes
from bench.measuring.processes import ChildProcess, PostgresCluster, available_cores
from bench.measuring.tables import BenchEffort, FigureBound, ResultTable, format_figure, median
from bench.programs.match import TRACE_COUNT, load_window

MATCHES = 200
WORKERS = 2
ONE, SPLIT, HOME = "one worker", f"{WORKERS} workers, matches split", f"{WORKERS} workers, matches at home"
WAYS = {ONE: ("1", "home"), SPLIT: (str(WORKERS), "split"), HOME: (str(WORKERS), "home")}
RATIO_BOUND = 1.4
PROJECTED_CORES = (2, 8, 32)


def tables(effort: BenchEffort) -> Iterator[ResultTable]:
    """Measure the ways in turn, each on servers of its own."""
    traces = tuple(record_match(number, 2) for number in range(TRACE_COUNT if effort.full else 1))
    games = effort.sizes((MATCHES,), 3)[0]
    measured: dict[str, list[LoadMeasurement]] = {way: [] for way in WAYS}
    with processes.temporary_cluster() as base:
        for _ in range(effort.runs):
            for way, runs in measured.items():
                runs.append(_measure(base, WAYS[way], games, effort.seconds, traces))
        version = base.version
    yield _rates_table(measured, games, version)
    yield _projection_table(measured[HOME])


def _measure(
    base: PostgresCluster, words: tuple[str, ...], games: int, seconds: float, traces: tuple[Trace, ...]
) -> LoadMeasurement:
    plan = LoadPlan(OURS, traces=traces)
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(
            ChildProcess("servers.measured_nodes", base.new_database(), *words, core=available_cores()[0])
        )
        measure = stack.enter_context(load_runs.start_generator(plan_for_server(plan, server, base)))
        return measure(load_window(games, seconds, traces))


def _rates_table(measured: dict[str, list[LoadMeasurement]], games: int, version: str) -> ResultTable:
    rates = {way: median(run.rate for run in runs) for way, runs in measured.items()}
    rows = tuple((way, *loop_cells(runs), rates[way] / rates[ONE]) for way, runs in measured.items())
    bound = FigureBound("actions/s of two workers, times one", rates[HOME] / rates[ONE], RATIO_BOUND, "at least")
    notes = (
        f"Closed loop of {games} matches of two players. PostgreSQL {version}, every action durable before anybody "
        "sees it.",
        "Workers, PostgreSQL and the load generator share all cores. CPU is that of the workers and their NATS; MiB "
        "are those of the process that starts them.",
    )
    return ResultTable("Diskwars on one machine, by workers", ("server", *LOOP_COLUMNS, "ratio"), rows, (bound,), notes)


def _projection_table(runs: list[LoadMeasurement]) -> ResultTable:
    """Return what more cores would carry if nothing else than CPU for an action limited them."""
    server = median(run.server_cpu_us_per_action for run in runs)
    database = median(run.database_cpu_us_per_action for run in runs)
    rows = tuple(
        (cores, round(cores * server / (server + database)) or 1, cores * 1e6 / (server + database))
        for cores in PROJECTED_CORES
    )
    cost = f"{format_figure(server)} µs of a worker and {format_figure(database)} µs of PostgreSQL"
    notes = (f"From {cost} for an action, without a load generator on the machine, and all cores busy.",)
    return ResultTable("Projected from CPU for an action", ("cores", "workers", "actions/s"), rows, notes=notes)
