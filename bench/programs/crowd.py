"""Thousands of live matches on one process: memory, CPU and delays while half of them rest, and all connections cut.

Not one of `all`: bringing ten thousand matches to record 60 takes minutes.
"""

import contextlib
import threading
from collections.abc import Iterator

import msgspec

from bench.load.crowd import CrowdCut, CrowdStep, Cut, Gather, Play
from bench.load.load import LoadMeasurement, LoadPlan
from bench.load.load_runs import OURS, plan_for_server
from bench.matches.traces import record_match
from bench.measuring import processes
from bench.measuring.processes import (
    ChildProcess,
    available_cores,
    process_tree_seconds,
    raise_file_limit,
    resident_kib,
)
from bench.measuring.tables import BenchEffort, FigureBound, ResultTable

GENERATORS = 2
MATCHES, ALONE = 10_000, 2_000
ACTIONS = 60
ACTIONS_A_SECOND = 500
PLAYED_SHARE = 0.5
MINUTES = 5
TRACE_COUNT = 6
MEMORY_BOUND_MIB, CPU_BOUND, P99_BOUND_MS, BACK_BOUND_SECONDS = 1_331, 0.6, 60.0, 15.0


def tables(effort: BenchEffort) -> Iterator[ResultTable]:
    """Yield the tables of the crowd and of the cut."""
    matches, alone, minutes = (MATCHES, ALONE, MINUTES) if effort.full else (12, 4, 1)
    seconds = 60.0 if effort.full else effort.seconds
    actions = ACTIONS if effort.full else 5
    connections = 2 * matches - alone
    if not raise_file_limit(connections):
        raise SystemExit(f"crowd: {connections:,} connections need more open files than are allowed here")
    traces = tuple(record_match(number, 2) for number in range(TRACE_COUNT if effort.full else 1))
    core = available_cores()[0]
    with (
        processes.temporary_cluster() as base,
        ChildProcess("servers.measured_server", base.new_database(), core=core) as server,
        contextlib.ExitStack() as stack,
    ):
        plan = plan_for_server(LoadPlan(OURS, traces=traces), server, base)
        crowd = Crowd(stack, plan)
        start = resident_kib(server.pid)
        crowd.request(Gather(matches // GENERATORS, actions, alone // GENERATORS))
        played = round(matches * PLAYED_SHARE)
        # As many acts a second as the bound asks for, in the matches that are played.
        between = played / ACTIONS_A_SECOND if effort.full else 0.05
        play = Play(played // GENERATORS, seconds, between)
        rows = [measure_window(crowd, plan, f"minute {number}", play) for number in range(1, minutes + 1)]
        cuts = [answer for answer in crowd.request(Cut()) if isinstance(answer, CrowdCut)]
        rows.append(measure_window(crowd, plan, "after the cut", play))
        yield crowd_table(rows, matches, connections, start, effort.full)
        yield cut_table(cuts, effort.full)


class Crowd:
    """Generators that do the same steps side by side, each with its share of the matches."""

    def __init__(self, stack: contextlib.ExitStack, plan: LoadPlan) -> None:
        core = available_cores()[1]
        self._children = [stack.enter_context(ChildProcess("load.crowd", core=core)) for _ in range(GENERATORS)]
        for child in self._children:
            child.write_line(msgspec.json.encode(plan).decode())

    def request(self, step: CrowdStep) -> list[LoadMeasurement | CrowdCut | None]:
        """Let all do a step, and return their answers."""
        line = msgspec.json.encode(step).decode()
        answers: list[str] = [""] * len(self._children)

        def ask(number: int, child: ChildProcess) -> None:
            answers[number] = child.request(line)

        threads = [threading.Thread(target=ask, args=one) for one in enumerate(self._children)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if not all(answers):
            raise RuntimeError("a generator ended before it answered")
        kinds = {Gather: type(None), Play: LoadMeasurement, Cut: CrowdCut}
        return [msgspec.json.decode(answer, type=kinds[type(step)]) for answer in answers]


Row = tuple[str, float, float, float, float, float, float]


def measure_window(crowd: Crowd, plan: LoadPlan, name: str, play: Play) -> Row:
    """Play one window; return actions a second, the 50th and 99th percentile, cores of server and database, and MiB."""
    before = process_tree_seconds(plan.server_pid), process_tree_seconds(plan.database_pid)
    windows = [window for window in crowd.request(play) if isinstance(window, LoadMeasurement)]
    seconds = max(window.seconds for window in windows)
    after = process_tree_seconds(plan.server_pid), process_tree_seconds(plan.database_pid)
    cores = [(new - old) / seconds for old, new in zip(before, after, strict=True)]
    return (
        name,
        sum(window.actions for window in windows) / seconds,
        max(window.p50 for window in windows),
        max(window.p99 for window in windows),
        100 * cores[0],
        100 * cores[1],
        resident_kib(plan.server_pid) / 1024,
    )


def crowd_table(rows: list[Row], matches: int, connections: int, start_kib: int, is_full: bool) -> ResultTable:
    steady = rows[-2]
    bounds = (
        FigureBound("memory of the process", steady[6], MEMORY_BOUND_MIB, unit="MiB"),
        FigureBound("share of a core", steady[4] / 100, CPU_BOUND),
        FigureBound("p99", steady[3], P99_BOUND_MS, unit="ms"),
    )
    note = (
        f"{matches:,} matches of Diskwars at record {ACTIONS}, {connections:,} connections, one process, "
        f"{start_kib / 1024:.0f} MiB before the first. Half of the matches are played, the others rest; the bounds are "
        "about the last minute before the cut. Two generators share the other core."
    )
    columns = ("", "actions/s", "p50 ms", "p99 ms", "% of a core", "% of a core, PostgreSQL", "MiB")
    return ResultTable("A crowd on one process", columns, tuple(rows), bounds if is_full else (), (note,))


def cut_table(cuts: list[CrowdCut], is_full: bool) -> ResultTable:
    last = max(cut.last_seconds for cut in cuts)
    median = max(cut.median_seconds for cut in cuts)
    row = (f"{sum(cut.connections for cut in cuts):,} connections", median, last)
    bounds = (FigureBound("the last one watches again after", last, BACK_BOUND_SECONDS, unit="s"),)
    columns = ("cut at once", "median seconds until one watches again", "last")
    return ResultTable("All connections cut", columns, (row,), bounds if is_full else ())
