"""Thousands of live matches on one process: memory, CPU and delays while half of them rest, and all connections cut.

Not one of `all`: bringing ten thousand matches to record 60 takes minutes.
"""

import contextlib
import signal
import threading
import time
from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from bench.load.crowd import CrowdCut, CrowdStep, Cut, Gather, Play
from bench.load.load import LoadMeasurement, LoadPlan
from bench.load.load_runs import OURS, plan_for_server
from bench.matches.traces import record_match
from bench.measuring import processes
from bench.measuring.plots import Panel, Series, plot
from bench.measuring.processes import (
    ChildProcess,
    available_cores,
    process_tree_seconds,
    raise_file_limit,
    resident_kib,
)
from bench.measuring.tables import BenchEffort, Chart, FigureBound, ResultTable

GENERATORS = 2
MATCHES, ALONE = 10_000, 2_000
ACTIONS = 60
ACTIONS_A_SECOND = 500
PLAYED_SHARE = 0.5
MINUTES, MINUTES_AFTER = 10, 3
TRACE_COUNT = 6
SAMPLE_SECONDS = 1.0
MEMORY_BOUND_MIB, CPU_BOUND, P99_BOUND_MS, BACK_BOUND_SECONDS, BLOCK_BOUND_MS = 1_331, 0.6, 60.0, 15.0, 50.0


def tables(effort: BenchEffort) -> Iterator[ResultTable]:
    """Yield the tables of the crowd and of the cut."""
    matches, alone, minutes, after = (MATCHES, ALONE, MINUTES, MINUTES_AFTER) if effort.full else (12, 4, 1, 1)
    seconds = 60.0 if effort.full else effort.seconds
    actions = ACTIONS if effort.full else 5
    connections = 2 * matches - alone
    if not raise_file_limit(connections):
        raise SystemExit(f"crowd: {connections:,} connections need more open files than are allowed here")
    traces = tuple(record_match(number, 2) for number in range(TRACE_COUNT if effort.full else 1))
    core = available_cores()[0]
    with (
        processes.temporary_cluster() as base,
        ChildProcess("servers.measured_server", base.new_database(), "--watch-loop", core=core) as server,
        contextlib.ExitStack() as stack,
    ):
        crowd = Crowd(stack, plan_for_server(LoadPlan(OURS, traces=traces), server, base))
        meter = CrowdMeter(crowd, server, base.pid)
        start = resident_kib(server.pid)
        with meter.sampling():
            crowd.request(Gather(matches // GENERATORS, actions, alone // GENERATORS))
            meter.begin()
            played = round(matches * PLAYED_SHARE)
            # As many acts a second as the bound asks for, in the matches that are played.
            between = played / ACTIONS_A_SECOND if effort.full else 0.05
            play = Play(played // GENERATORS, seconds, between)
            windows = [meter.measure(f"minute {number}", play) for number in range(1, minutes + 1)]
            cut = meter.cut()
            windows += [meter.measure(f"minute {number} after the cut", play) for number in range(1, after + 1)]
        yield crowd_table(windows, minutes, f"{matches:,}", f"{connections:,}", start, effort.full)
        yield cut_table(cut, windows[minutes - 1].mib, windows[-1].mib, effort.full)
        yield ResultTable("The crowd over time", (), (), chart=Chart("crowd", crowd_plot(meter, windows)))


class CrowdWindow(Struct, frozen=True):
    """One window: when it ended, in seconds since all were gathered, and what was measured in it.

    `late_ms` is the longest time for which the event loop was late, `block_ms` how much of that it was at work itself.
    """

    name: str
    ended: float
    rate: float
    p50: float
    p99: float
    server_percent: float
    database_percent: float
    mib: float
    late_ms: float
    block_ms: float


class CrowdCutTimes(Struct, frozen=True):
    """What all generators saw of a cut, and how late the event loop was meanwhile."""

    connections: int
    median_seconds: float
    last_seconds: float
    began: float
    late_ms: float
    block_ms: float


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


class CrowdMeter:
    """Measurements of a server while a crowd is on it."""

    def __init__(self, crowd: Crowd, server: ChildProcess, database_pid: int) -> None:
        self._crowd, self._server, self._database_pid = crowd, server, database_pid
        self._began = time.perf_counter()
        self._samples: list[tuple[float, float, float]] = []
        """Moment, CPU seconds of the server, and its memory in MiB."""
        self.cut_at: tuple[float, float] | None = None
        """When the cut began, and when the last connection was back."""

    def begin(self) -> None:
        """Let times count from now on."""
        self._began = time.perf_counter()
        self._read_loop()

    @contextlib.contextmanager
    def sampling(self) -> Iterator[None]:
        """Take a sample of the server each second, in a thread of its own."""
        is_over = threading.Event()

        def sample() -> None:
            while not is_over.wait(SAMPLE_SECONDS):
                spent, mib = process_tree_seconds(self._server.pid), resident_kib(self._server.pid) / 1024
                self._samples.append((time.perf_counter(), spent, mib))

        thread = threading.Thread(target=sample)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()

    @property
    def memory(self) -> Series:
        """Minutes since all were gathered, and MiB."""
        return [((at - self._began) / 60, mib) for at, _, mib in self._samples]

    @property
    def load(self) -> Series:
        """Minutes since all were gathered, and percent of a core in the seconds before."""
        pairs = zip(self._samples, self._samples[1:], strict=False)
        return [((at - self._began) / 60, 100 * (new - old) / (at - last)) for (last, old, _), (at, new, _) in pairs]

    def measure(self, name: str, play: Play) -> CrowdWindow:
        """Play one window."""
        before = self._spent()
        windows = [window for window in self._crowd.request(play) if isinstance(window, LoadMeasurement)]
        seconds = max(window.seconds for window in windows)
        server, database = (100 * (new - old) / seconds for old, new in zip(before, self._spent(), strict=True))
        late, block = self._read_loop()
        return CrowdWindow(
            name,
            ended=time.perf_counter() - self._began,
            rate=sum(window.actions for window in windows) / seconds,
            p50=max(window.p50 for window in windows),
            p99=max(window.p99 for window in windows),
            server_percent=server,
            database_percent=database,
            mib=resident_kib(self._server.pid) / 1024,
            late_ms=late,
            block_ms=block,
        )

    def cut(self) -> CrowdCutTimes:
        """Cut all connections, and wait until all are back."""
        began = time.perf_counter() - self._began
        cuts = [answer for answer in self._crowd.request(Cut()) if isinstance(answer, CrowdCut)]
        last = max(cut.last_seconds for cut in cuts)
        self.cut_at = began, began + last
        late, block = self._read_loop()
        median = max(cut.median_seconds for cut in cuts)
        return CrowdCutTimes(sum(cut.connections for cut in cuts), median, last, began, late, block)

    def _spent(self) -> tuple[float, float]:
        return process_tree_seconds(self._server.pid), process_tree_seconds(self._database_pid)

    def _read_loop(self) -> tuple[float, float]:
        return msgspec.json.decode(self._server.signal(signal.SIGUSR2), type=tuple[float, float])


def crowd_table(
    windows: Sequence[CrowdWindow], minutes: int, matches: str, connections: str, start_kib: int, is_full: bool
) -> ResultTable:
    steady = windows[minutes - 1]
    block = max(window.block_ms for window in windows)
    bounds = (
        FigureBound("memory of the process", steady.mib, MEMORY_BOUND_MIB, unit="MiB"),
        FigureBound("share of a core", steady.server_percent / 100, CPU_BOUND),
        FigureBound("p99", steady.p99, P99_BOUND_MS, unit="ms"),
        FigureBound("the longest time at work without a tick of the event loop", block, BLOCK_BOUND_MS, unit="ms"),
    )
    notes = (
        f"{matches} matches of Diskwars at record {ACTIONS}, {connections} connections, one process, "
        f"{start_kib / 1024:.0f} MiB before the first. Half of the matches are played, the others rest; the bounds are "
        "about the last minute before the cut. Two generators share the other core, PostgreSQL uses both.",
        "Late is the longest time for which a tick every 5 ms was late; at work is how much of that was the process's "
        "own CPU time. The rest it waited for a core.",
    )
    columns = (
        *("", "actions/s", "p50 ms", "p99 ms", "% of a core", "% of a core, PostgreSQL", "MiB"),
        *("loop late ms", "at work ms"),
    )
    rows = tuple(
        (
            *(window.name, window.rate, window.p50, window.p99, window.server_percent, window.database_percent),
            *(window.mib, window.late_ms, window.block_ms),
        )
        for window in windows
    )
    return ResultTable("A crowd on one process", columns, rows, bounds if is_full else (), notes)


def cut_table(cut: CrowdCutTimes, mib_before: float, mib_after: float, is_full: bool) -> ResultTable:
    row = (f"{cut.connections:,} connections", cut.median_seconds, cut.last_seconds, cut.late_ms, cut.block_ms)
    bounds = (
        FigureBound("the last one watches again after", cut.last_seconds, BACK_BOUND_SECONDS, unit="s"),
        FigureBound("the longest time at work without a tick meanwhile", cut.block_ms, BLOCK_BOUND_MS, unit="ms"),
        FigureBound("memory at the end, times that before the cut", mib_after / mib_before, 1.05),
    )
    columns = ("cut at once", "median seconds until one watches again", "last", "loop late ms", "at work ms")
    return ResultTable("All connections cut", columns, (row,), bounds if is_full else ())


def crowd_plot(meter: CrowdMeter, windows: Sequence[CrowdWindow]) -> str:
    """Draw memory, CPU and p99 over the minutes, with the cut."""
    marks = [(at / 60, text) for at, text in zip(meter.cut_at or (), ("cut", "back"), strict=False)]
    p99 = [(window.ended / 60, window.p99) for window in windows]
    panels = (
        Panel("memory, MiB", meter.memory, MEMORY_BOUND_MIB),
        Panel("CPU, % of a core", meter.load, 100 * CPU_BOUND),
        Panel("p99 of a minute, ms", p99, P99_BOUND_MS),
    )
    return plot("A crowd on one process", "minutes since all matches were gathered", panels, marks)
