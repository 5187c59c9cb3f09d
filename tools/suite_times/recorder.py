"""Pytest plugin that records the seconds and the CPU of each test, phase by phase, of the started programs as well.

Loaded with `-p tools.suite_times.recorder` by `python -m tools.suite_times`. Each process of pytest writes one file
into the folder that DISKWARS_SUITE_TIMES names.
"""

import os
import resource
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path

import msgspec
import pytest

FOLDER_VARIABLE = "DISKWARS_SUITE_TIMES"
SAMPLE_SECONDS = 0.1
"""Seconds between two looks at the started programs; one that lives shorter is named by how it was started."""
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")

PROGRAM_KINDS = (
    ("postgres", "PostgreSQL"),
    ("initdb", "PostgreSQL"),
    ("pg_", "PostgreSQL"),
    ("chrom", "Chromium"),
    ("node", "Node"),
    ("npm", "Node"),
    ("esbuild", "Node"),
    ("python", "started Python"),
    ("diskwars", "started Python"),
    ("pytest", "started Python"),
)


class TestTime(msgspec.Struct):
    """What one test took: wall seconds by phase, CPU of the process itself, and of the programs by kind."""

    file: str
    name: str
    seconds: dict[str, float]
    own_cpu: float
    programs: dict[str, float]


class FixtureTime(msgspec.Struct):
    """What all setups of one fixture took, without the fixtures that they asked for."""

    count: int = 0
    seconds: float = 0.0
    own_cpu: float = 0.0


class ProcessTimes(msgspec.Struct):
    """What one process of pytest took, with its tests and fixtures."""

    collecting_cpu: float
    own_cpu: float
    programs: dict[str, float]
    tests: list[TestTime]
    fixtures: dict[str, FixtureTime]


def kind_of_program(path: str) -> str:
    """Return the kind of work that a program does, by the name of its file."""
    name = Path(path).name
    return next((kind for start, kind in PROGRAM_KINDS if name.startswith(start)), "other programs")


def own_cpu() -> float:
    """Return the CPU seconds of this process without its children."""
    return time.process_time()


class ProgramTimes:
    """CPU of all descendants of this process by kind, sampled while they live and completed when they are reaped."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last: dict[int, tuple[str, float]] = {}
        self._seen: defaultdict[str, float] = defaultdict(float)
        self._total = 0.0
        self._started = "other programs"
        sys.addaudithook(self._on_audit)

    def _on_audit(self, event: str, args: tuple[object, ...]) -> None:
        if event == "subprocess.Popen":
            words = args[1]
            first = words[0] if isinstance(words, (list, tuple)) and words else words
            self._started = kind_of_program(os.fsdecode(first) if isinstance(first, (str, bytes, os.PathLike)) else "")

    def sample(self) -> dict[str, float]:
        """Look at all descendants and return the CPU by kind since this object was made."""
        with self._lock:
            reaped = resource.getrusage(resource.RUSAGE_CHILDREN)
            total = reaped.ru_utime + reaped.ru_stime
            live: dict[int, tuple[str, float]] = {}
            for pid in descendants(os.getpid()):
                try:
                    path = os.readlink(f"/proc/{pid}/exe")
                    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                except OSError:
                    continue  # it has ended meanwhile
                user, system, children_user, children_system = (int(field) for field in fields[11:15])
                own = (user + system) / TICKS_PER_SECOND
                total += own + (children_user + children_system) / TICKS_PER_SECOND
                live[pid] = kind_of_program(path), own
            for pid, (kind, cpu) in live.items():
                known_kind, known = self._last.get(pid, (kind, 0.0))
                self._seen[kind] += max(0.0, cpu - (known if known_kind == kind else 0.0))
            self._last = live
            self._total = max(self._total, total)
            missing = self._total - sum(self._seen.values())
            if missing > 0 and not live:
                # What ended between two samples.
                self._seen[self._started] += missing
            return dict(self._seen)


def descendants(pid: int) -> Iterator[int]:
    """Yield the processes that this one started, and what those started."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return
    for thread in threads:
        try:
            children = Path(f"/proc/{pid}/task/{thread}/children").read_text().split()
        except OSError:
            continue
        for child in map(int, children):
            yield child
            yield from descendants(child)


class Recorder:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._programs = ProgramTimes()
        self._collecting = 0.0
        self._tests: list[TestTime] = []
        self._fixtures: defaultdict[str, FixtureTime] = defaultdict(FixtureTime)
        self._inner: list[list[float]] = []
        self._current: TestTime | None = None
        self._ended = threading.Event()
        threading.Thread(target=self._sample, daemon=True).start()

    def _sample(self) -> None:
        while not self._ended.wait(SAMPLE_SECONDS):
            self._programs.sample()

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self) -> Generator[None, object, object]:
        result = yield
        self._collecting = own_cpu()
        return result

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        file, _, name = item.nodeid.partition("::")
        test = self._current = TestTime(file, name, {}, 0.0, {})
        cpu, programs = own_cpu(), self._programs.sample()
        result = yield
        test.own_cpu = own_cpu() - cpu
        after = self._programs.sample()
        test.programs = {
            kind: after[kind] - programs.get(kind, 0.0) for kind in after if after[kind] > programs.get(kind, 0.0)
        }
        self._tests.append(test)
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if self._current is not None and report.nodeid == f"{self._current.file}::{self._current.name}":
            self._current.seconds[report.when] = report.duration

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Generator[None, object, object]:
        begin, cpu = time.perf_counter(), own_cpu()
        self._inner.append([0.0, 0.0])
        try:
            return (yield)
        finally:
            seconds, used = time.perf_counter() - begin, own_cpu() - cpu
            inner_seconds, inner_cpu = self._inner.pop()
            if self._inner:
                self._inner[-1][0] += seconds
                self._inner[-1][1] += used
            time_of = self._fixtures[fixturedef.argname]
            time_of.count += 1
            time_of.seconds += seconds - inner_seconds
            time_of.own_cpu += used - inner_cpu

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        # Not when the process is unconfigured: by then its controller may have lost its patience and killed it.
        self._ended.set()
        times = ProcessTimes(self._collecting, own_cpu(), self._programs.sample(), self._tests, dict(self._fixtures))
        (self._folder / f"{os.getpid()}.json").write_bytes(msgspec.json.encode(times))


def pytest_configure(config: pytest.Config) -> None:
    """Record in each process of pytest that this was loaded in."""
    config.pluginmanager.register(Recorder(Path(os.environ[FOLDER_VARIABLE])))
