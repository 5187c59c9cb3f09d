"""Every benchmark runs and prints its tables, with tiny numbers; no speed is asserted.

One server of each kind serves all programs, and the generators run in this process: starting them repeatedly would take
longer than everything else.
"""

import asyncio
import contextlib
import os
import resource
import signal
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import msgspec
import pytest
import uvloop
from msgspec.structs import replace
from sqlalchemy import make_url

from bench.__main__ import PROGRAMS, run_program
from bench.load import load, load_runs, spectators
from bench.load.attackers import ATTACKS
from bench.measuring import processes
from bench.measuring.processes import ChildProcess, PostgresCluster, available_cores
from bench.measuring.stage_times import FRAMES_STAGE, OTHER_STAGE, READER_STAGE, STAGE_ENTRIES
from bench.measuring.tables import TRIAL_EFFORT, markdown
from bench.programs import attacks, crowd, fanout, joins, workers


@pytest.fixture(scope="module")
def base(postgres_url: str) -> PostgresCluster:
    pid = (Path(str(make_url(postgres_url).query["host"])) / "postmaster.pid").read_text().split()[0]
    return PostgresCluster(postgres_url, int(pid), "under test")


@pytest.fixture(scope="module")
def servers(base: PostgresCluster) -> Iterator[dict[str, ChildProcess]]:
    with contextlib.ExitStack() as stack:
        core = available_cores()[0]
        yield {
            "servers.measured_server": stack.enter_context(
                ChildProcess("servers.measured_server", base.new_database(), "--watch-loop", core=core)
            ),
            "servers.measured_nodes": stack.enter_context(
                ChildProcess("servers.measured_nodes", base.new_database(), "2", "split", "--step-clock", core=core)
            ),
            "servers.reference_server": stack.enter_context(
                ChildProcess("servers.reference_server", base.new_database(), core=core)
            ),
            "servers.broadcast_server": stack.enter_context(ChildProcess("servers.broadcast_server", core=core)),
        }


def run_in_process(module: str, question: bytes, core: int, seconds: float) -> bytes:
    return msgspec.json.encode(
        uvloop.run(spectators.measure(msgspec.json.decode(question, type=spectators.FanoutPlan)))
    )


@contextlib.contextmanager
def generator(plan: load.LoadPlan) -> Iterator[load_runs.MeasureWindow]:
    async def create() -> load.LoadGenerator:
        return load.LoadGenerator(plan)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        load_generator = runner.run(create())
        yield lambda window: runner.run(load_generator.measure(window))
        runner.run(load_generator.close())


@pytest.fixture
def served(base: PostgresCluster, servers: dict[str, ChildProcess], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let programs use the servers that are already running."""
    monkeypatch.setattr(fanout, "run_module", run_in_process)
    monkeypatch.setattr(load_runs, "start_generator", generator)
    for module in (load_runs, fanout, joins, workers):
        monkeypatch.setattr(module, "ChildProcess", lambda kind, *words, core: contextlib.nullcontext(servers[kind]))
    monkeypatch.setattr(processes, "temporary_cluster", lambda: contextlib.nullcontext(base))


@pytest.mark.usefixtures("served")
@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in ("stages", "fanout")])
def test_every_program_returns_tables(name: str) -> None:
    tables = run_program(name, TRIAL_EFFORT)
    assert tables
    for table in tables:
        assert table.rows
        assert all(len(row) == len(table.columns) for row in table.rows)
        assert table.title in markdown(table)
        assert not table.bounds, "a trial is not judged"
        assert not table.summary


@pytest.mark.usefixtures("served")
def test_slow_watchers_are_closed_while_others_are_served() -> None:
    (table,) = run_program("fanout", TRIAL_EFFORT)
    closed = [row[table.columns.index("slow ones closed")] for row in table.rows]
    assert closed == ["–", "–", "2 of 2"]
    assert "2 of them, when they read again, found the request to resume" in markdown(table)


def test_match_is_measured_beside_an_attack(base: PostgresCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "temporary_cluster", lambda: contextlib.nullcontext(base))
    monkeypatch.setattr(attacks, "ATTACKS", {"pings": ATTACKS["pings"]})
    (table,) = run_program("attacks", TRIAL_EFFORT)
    ((attack, *figures),) = table.rows
    assert attack == "pings"
    assert len(figures) == len(table.columns) - 1


def test_crowd_is_played_cut_and_played_again(
    base: PostgresCluster, servers: dict[str, ChildProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(module: str, *words: str, core: int) -> contextlib.AbstractContextManager[ChildProcess]:
        return contextlib.nullcontext(servers[module]) if module in servers else ChildProcess(module, *words, core=core)

    monkeypatch.setattr(crowd, "ChildProcess", start)
    monkeypatch.setattr(processes, "temporary_cluster", lambda: contextlib.nullcontext(base))
    played, cut, over_time = run_program("crowd", TRIAL_EFFORT)
    assert [row[0] for row in played.rows] == ["minute 1", "minute 1 after the cut"]
    for row in played.rows:
        assert all(isinstance(figure, float) and figure > 0 for figure in row[1:])
    assert over_time.chart is not None
    assert ">back</text>" in over_time.chart.svg
    # Twelve matches with two players, four of which have only one of them left.
    assert [row[0] for row in cut.rows] == ["20 connections"]


def test_every_kind_of_damaged_input_is_timed() -> None:
    (table,) = run_program("inputs", TRIAL_EFFORT)
    assert [row[:2] for row in table.rows] == [("lines", 20), ("files", 20), ("heads", 20)]
    for row in table.rows:
        times = [float(cell) for cell in row[2:]]
        assert times == sorted(times)
        assert times[0] > 0


def test_attack_hits_one_server_or_several_nodes() -> None:
    assert attacks.server_command(ATTACKS["half TLS handshakes"], "url") == [
        *("servers.measured_server", "url", "--limits", "--tls"),
    ]
    assert attacks.server_command(ATTACKS["clock steps on one of three nodes"], "url") == [
        *("servers.measured_nodes", "url", "3", "split", "--limits", "--step-clock"),
    ]


def test_children_run_in_their_own_sessions(servers: dict[str, ChildProcess]) -> None:
    assert all(os.getsid(child.pid) == child.pid for child in servers.values())


def test_child_is_killed_when_its_start_is_interrupted() -> None:
    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    child = ChildProcess("silent", core=available_cores()[0], program=("sleep", "60"))
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(KeyboardInterrupt), child:
            raise AssertionError("it never says that it is ready")
    finally:
        signal.signal(signal.SIGALRM, before)
    with pytest.raises(ProcessLookupError):
        os.kill(child.pid, 0)


def test_database_folder_is_removed_when_its_start_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(folder: Path) -> str:
        (folder / "pgdata").mkdir()
        raise KeyboardInterrupt

    monkeypatch.setattr(processes, "EmbeddedPostgres", stopped)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(KeyboardInterrupt), processes.temporary_cluster():
        raise AssertionError("it never started")
    assert not list(tmp_path.iterdir())


def test_low_limit_of_open_files_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(which: int, limits: tuple[int, int]) -> None:
        raise ValueError("not allowed to raise maximum limit")

    monkeypatch.setattr(
        resource,
        "getrlimit",
        lambda which: (processes.SPARE_FILE_DESCRIPTORS + 5, processes.SPARE_FILE_DESCRIPTORS + 5),
    )
    monkeypatch.setattr(resource, "setrlimit", refused)
    assert processes.raise_file_limit(5)
    assert not processes.raise_file_limit(6)


def test_server_measures_its_own_stages(base: PostgresCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "temporary_cluster", lambda: contextlib.nullcontext(base))
    monkeypatch.setattr(load_runs, "start_generator", generator)
    # A second, not the fifth of one of a trial: a server on a busy machine may get a seventh of it.
    tables = run_program("stages", replace(TRIAL_EFFORT, seconds=1.0))
    assert len(tables) == 2
    shares = Counter[str]()
    for table in tables:
        for stage, share, _ in table.rows:
            assert isinstance(stage, str)
            assert isinstance(share, float)
            assert share >= 0
            shares[stage] += share > 0
    assert set(shares) == {OTHER_STAGE, *(stage for stage, _, _ in STAGE_ENTRIES)}
    unused = {stage for stage, tables_with_it in shares.items() if not tables_with_it}
    # An act that is handled when its frame arrives does not pass the parser of the library, nor wake the reader.
    assert unused <= {FRAMES_STAGE, READER_STAGE}
