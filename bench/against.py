"""Comparison of this tree with another revision of the repository, in turn: `./dev bench against REV`.

Both servers run at once, each on its own database, and one is idle while the other is measured. Both get the same acts
from the load generator of this tree: the wire is the same in all versions. A window is short and a pair of windows is
compared as such, so that a machine that grows slower during the run slows both.
"""

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import msgspec
from msgspec import Struct

from bench.load.load import LoadMeasurement, LoadPlan, LoadWindow
from bench.load.load_runs import OURS, plan_for_server, start_generator
from bench.matches.traces import Trace
from bench.measured_code import commit_text
from bench.measuring import processes
from bench.measuring.processes import ROOT, ChildProcess, PostgresCluster, available_cores, raise_file_limit
from bench.measuring.tables import ResultTable, format_figure, machine_text, markdown, median, percentile
from diskwars_cli.console.signals import EXIT_INTERRUPTED, handle_stop_signals

PAIRS, SECONDS = 20, 0.5
MATCHES = 200
RATE = 200
"""Acts a second of the quiet load: one a second in each match."""
TRACE_COUNT = 6
SEATS = 2
MODULES = (
    ("bench.servers.measured_server", "bench.matches.traces"),
    ("bench.measured_server", "bench.traces"),
)
"""Where a revision keeps the server that is measured and the recorded matches, the newest first."""
GIT_SECONDS, RECORD_SECONDS = 60, 120
MeasureSide: TypeAlias = Callable[[], LoadMeasurement]
FIGURES: tuple[tuple[str, Callable[[LoadMeasurement], float]], ...] = (
    ("CPU µs/act", lambda run: run.server_cpu_us_per_action),
    ("PostgreSQL µs/act", lambda run: run.database_cpu_us_per_action),
    ("acts/s", lambda run: run.rate),
    ("p50 ms", lambda run: run.p50),
    ("p99 ms", lambda run: run.p99),
    ("MiB", lambda run: run.server_kib / 1024),
)


class UnknownRevision(Exception):
    """A revision that cannot be measured; the text says why."""


class ComparedLoad(Struct, frozen=True):
    """One kind of load. Without a rate, each match acts again as soon as it is answered."""

    name: str
    is_recorded: bool
    acts_a_second: int | None = None

    def window(self, traces: Sequence[Trace], matches: int, seconds: float) -> LoadWindow:
        lead = max((len(trace.actions) for trace in traces), default=1) - 1
        between = matches / self.acts_a_second if self.acts_a_second else 0.0
        return LoadWindow(matches, seconds, lead_actions=lead, seconds_between_actions=between)


LOADS = (
    ComparedLoad("Nothing, saturated", False),
    ComparedLoad(f"Nothing, {RATE} acts/s", False, RATE),
    ComparedLoad("Diskwars, saturated", True),
    ComparedLoad(f"Diskwars, {RATE} acts/s", True, RATE),
)
"""A ruleset that does nothing, and recorded matches of Diskwars."""


class Comparison(Struct, frozen=True):
    """How much is measured: `pairs` of windows of `seconds` for each load, with this many matches."""

    revision: str
    pairs: int = PAIRS
    seconds: float = SECONDS
    matches: int = MATCHES


# ---------------------------------------------------------------- trees


class Tree(Struct, frozen=True):
    """The files of a revision, and where they keep what is measured."""

    folder: Path
    server: str
    traces: str

    @classmethod
    def find(cls, folder: Path) -> "Tree":
        """Look where a tree keeps its server. Raises UnknownRevision."""
        for server, traces in MODULES:
            if (folder / f"{server.replace('.', '/')}.py").is_file():
                return cls(folder, server, traces)
        raise UnknownRevision(
            f"it has no server that can be measured: none of {', '.join(name for name, _ in MODULES)}"
        )

    @property
    def environment(self) -> dict[str, str]:
        places = [self.folder, *(self.folder / name for name in ("protocol", "server", "clients/python"))]
        return {"PYTHONPATH": os.pathsep.join(map(str, places))}

    def start_server(self, base: PostgresCluster) -> ChildProcess:
        """Start the server on a fresh database."""
        program = (sys.executable, "-m", self.server)
        core = available_cores()[0]
        return ChildProcess(
            self.server, base.new_database(), core=core, program=program, folder=str(self.folder), **self.environment
        )

    def record_matches(self) -> tuple[Trace, ...]:
        """Record matches by this tree's own rules: those of another may refuse what these allow."""
        code = (
            f"import sys, msgspec; from {self.traces} import record_match; "
            f"sys.stdout.buffer.write(msgspec.json.encode([record_match(n, {SEATS}) for n in range({TRACE_COUNT})]))"
        )
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=self.folder,
            env=os.environ | self.environment,
            stdout=subprocess.PIPE,
            timeout=RECORD_SECONDS,
            check=True,
        )
        return msgspec.json.decode(done.stdout, type=tuple[Trace, ...])


def name_of(revision: str) -> str:
    """Return the short name of a commit. Raises UnknownRevision."""
    return _git("rev-parse", "--short", "--verify", "--end-of-options", f"{revision}^{{commit}}").decode().strip()


def unpack(revision: str, folder: Path) -> Tree:
    """Write the files of a commit into a folder. Raises UnknownRevision."""
    archive = _git("archive", "--format=tar", revision)
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, timeout=GIT_SECONDS, check=True)
    return Tree.find(folder)


def _git(*words: str) -> bytes:
    try:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, timeout=GIT_SECONDS, check=True).stdout
    except (OSError, subprocess.TimeoutExpired) as fault:
        raise UnknownRevision(f"git cannot be asked: {fault}") from None
    except subprocess.CalledProcessError as fault:
        raise UnknownRevision(f"git {words[0]}: {fault.stderr.decode(errors='replace').strip()}") from None


# ---------------------------------------------------------------- measuring


def tables(comparison: Comparison, loads: Sequence[ComparedLoad] = LOADS) -> Iterator[ResultTable]:
    """Yield a table for each load as soon as it is measured. Raises UnknownRevision."""
    name = name_of(comparison.revision)
    raise_file_limit(2 * SEATS * comparison.matches)
    with tempfile.TemporaryDirectory(prefix="diskwars-against-") as folder, processes.temporary_cluster() as base:
        trees = (Tree.find(ROOT), unpack(name, Path(folder)))
        recorded = [tree.record_matches() if any(load.is_recorded for load in loads) else () for tree in trees]
        for load in loads:
            with contextlib.ExitStack() as stack:
                both = [
                    stack.enter_context(start_side(tree, base, traces if load.is_recorded else (), load, comparison))
                    for tree, traces in zip(trees, recorded, strict=True)
                ]
                yield result_table(load.name, name, measure_pairs(both[0], both[1], comparison.pairs))


@contextlib.contextmanager
def start_side(
    tree: Tree, base: PostgresCluster, traces: tuple[Trace, ...], load: ComparedLoad, comparison: Comparison
) -> Iterator[MeasureSide]:
    """Start a tree's server and its load; provide the function that measures one window."""
    with tree.start_server(base) as server:
        plan = plan_for_server(LoadPlan(OURS, traces=traces), server, base)
        with start_generator(plan) as measure:
            window = load.window(traces, comparison.matches, comparison.seconds)
            yield lambda: measure(window)


def measure_pairs(here: MeasureSide, there: MeasureSide, count: int) -> list[tuple[LoadMeasurement, LoadMeasurement]]:
    """Measure windows in turn; which of the two comes first changes with each pair."""
    for measure in (here, there):  # matches are brought on, and caches filled
        measure()
    pairs = []
    for number in range(count):
        if number % 2:
            other, own = there(), here()
        else:
            own, other = here(), there()
        pairs.append((own, other))
    return pairs


def result_table(load: str, revision: str, pairs: Sequence[tuple[LoadMeasurement, LoadMeasurement]]) -> ResultTable:
    """Return the medians of both, and the median of the ratios of the pairs with nine tenths of them around it."""
    rows = []
    for name, read in FIGURES:
        ratios = [read(own) / read(other) for own, other in pairs if read(other)]
        low, high = (format_figure(percentile(ratios, part)) for part in (0.05, 0.95))
        rows.append(
            (
                name,
                median(read(own) for own, _ in pairs),
                median(read(other) for _, other in pairs),
                f"{format_figure(median(ratios))} [{low}–{high}]",
            )
        )
    return ResultTable(load, ("figure", "here", revision, "here / there"), tuple(rows))


# ---------------------------------------------------------------- command


def parse_options(arguments: Sequence[str] | None) -> tuple[Comparison, Path | None]:
    parser = argparse.ArgumentParser(
        prog="./dev bench against",
        description="Measure this tree and another revision in turn, and print the ratios.",
    )
    parser.add_argument("revision", metavar="REV", help="a commit, tag or branch of this repository")
    parser.add_argument("--pairs", type=int, default=PAIRS, metavar="N", help=f"pairs of windows a load ({PAIRS})")
    parser.add_argument("--seconds", type=float, default=SECONDS, metavar="S", help=f"of each window ({SECONDS:g})")
    parser.add_argument("--matches", type=int, default=MATCHES, metavar="N", help=f"live matches ({MATCHES})")
    parser.add_argument("--write", type=Path, metavar="FILE", help="update the section of this page")
    options = parser.parse_args(arguments)
    if options.pairs < 1 or options.matches < 1 or not 0 < options.seconds < GIT_SECONDS:
        parser.error("pairs and matches are at least 1, and a window lasts up to a minute")
    return Comparison(options.revision, options.pairs, options.seconds, options.matches), options.write


def run(arguments: Sequence[str]) -> tuple[int, str, Path | None]:
    """Compare as the arguments say; return the exit code, the section, and the page that it belongs into."""
    comparison, page = parse_options(arguments)
    began, parts = time.monotonic(), []
    try:
        with handle_stop_signals():
            for table in tables(comparison):
                parts.append(markdown(table))
                print(parts[-1], flush=True)
    except UnknownRevision as fault:
        print(f"./dev bench against: {fault}", file=sys.stderr)
        return 2, "", None
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED, "", None
    effort = f"{comparison.pairs} pairs of windows of {comparison.seconds:g} s, {comparison.matches} matches"
    against = f"against {name_of(comparison.revision)}"
    head = "; ".join(filter(None, (machine_text(), commit_text(), against, effort)))
    text = "\n".join([f"{head}; `against` took {time.monotonic() - began:.0f} s.", "", *parts])
    return 0, text, page
