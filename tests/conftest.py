"""Fixtures of all tests: a real PostgreSQL without setup, and the tables at the end of a run."""

import contextlib
import gc
import importlib
import logging
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest
from hypothesis import HealthCheck, settings
from sqlalchemy import make_url

from diskwars_server.processes.embedded_postgres import EmbeddedPostgres
from tests import code_sizes, rule_coverage, run_report, time_limits
from tests.effort import count_of
from tests.warm_starts import WarmStarts

# Tests start the command hundreds of times. Without its compiled modules each start takes a second longer, so they are
# kept even where the environment asks for none: for this process, for pytest's workers, and for what they start.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Nothing depends on a quiet machine: neither one example nor the making of examples has a time limit of its own.
settings.register_profile(
    "any-machine", max_examples=count_of(100, 40), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any-machine")

# Collecting makes over a million objects that stay for the whole run. While it looks for garbage among them it takes
# twice as long, and each later search would walk through all of them again: see `pytest_collection_finish`.
gc.disable()


ROOT = Path(__file__).resolve().parents[1]


def pytest_collection(session: pytest.Session) -> None:
    """Let each worker import another part of the test modules before all of them are collected.

    Workers that collect in step rewrite the assertions of every module side by side, since none of them has stored it
    for the others yet. That takes twice as long as all the rest of collecting.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker is None or session.config.getoption("importmode") != "importlib":
        return
    files = sorted(file for place in session.config.args for file in Path(place).rglob("test_*.py"))
    for file in files[int(worker["workerid"].removeprefix("gw")) :: worker["workercount"]]:
        # A module that cannot be imported is reported when it is collected.
        with contextlib.suppress(Exception, pytest.skip.Exception):
            importlib.import_module(".".join(file.resolve().relative_to(ROOT).with_suffix("").parts))


MEMORY_FOLDER = Path("/dev/shm")
MEMORY_BYTES_OF_A_WORKER = 2 * 2**30
"""Each of a worker's two servers of PostgreSQL keeps up to 1 GiB of its log."""
_OPEN_FOLDERS: list[Path] = []


@pytest.fixture(autouse=True)
def log_settings() -> Iterator[None]:
    """Restore what verbs that run in a test's process set for the whole process: levels, and where the server logs."""
    levels = {name: logging.getLogger(name).level for name in ("", "diskwars_server")}
    server = logging.getLogger("diskwars_server")
    handlers, propagate = list(server.handlers), server.propagate
    yield
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)
    server.handlers[:], server.propagate = handlers, propagate


@pytest.fixture(autouse=True)
def user_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what the command remembers of its user, such as seats and typed orders, inside the test.

    The folders are not made: few tests need them, and pytest's own way looks through those of all tests before.
    """
    own = tmp_path_factory.getbasetemp() / f"user-{uuid4().hex}"
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(own / name))


def has_room_in_memory() -> bool:
    """Return whether all workers find room in memory, and may start programs there: some tests copy PostgreSQL's."""
    if not os.access(MEMORY_FOLDER, os.W_OK):
        return False
    space = os.statvfs(MEMORY_FOLDER)
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    has_room = space.f_bavail * space.f_frsize >= workers * MEMORY_BYTES_OF_A_WORKER
    return has_room and not space.f_flag & os.ST_NOEXEC


@pytest.fixture(scope="session")
def open_folder() -> Path:
    """An empty folder with a short path that PostgreSQL's account can reach; pytest's own are closed to it.

    In memory where there is room: a database is 300 files, and on some disks they take longer than the test.
    """
    in_memory = "TMPDIR" not in os.environ and has_room_in_memory()
    folder = Path(tempfile.mkdtemp(prefix="diskwars-", dir=MEMORY_FOLDER if in_memory else None))
    folder.chmod(0o755)
    _OPEN_FOLDERS.append(folder)
    return folder


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return the workers of `-n auto`: two more than processors, for tests of processes and browsers mostly wait."""
    return (os.cpu_count() or 1) + 2


FOLDERS_WITHOUT_PROGRAMS = ("content", "engine", "golden", "protocol", "rl", "rulesets", "text")
_WARM_STARTS = WarmStarts()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Look for garbage again from here on, but never among what was collected."""
    gc.collect()
    gc.freeze()
    gc.enable()
    without = {ROOT / "tests" / name for name in FOLDERS_WITHOUT_PROGRAMS}
    runs_tests = hasattr(session.config, "workerinput") or not session.config.getoption("numprocesses", None)
    if runs_tests and any(without.isdisjoint(item.path.parents) for item in session.items):
        _WARM_STARTS.prepare()


@pytest.fixture(scope="session", autouse=True)
def warm_starts() -> Iterator[WarmStarts]:
    """Programs of the product that tests start are forked from one that has imported what they need."""
    with _WARM_STARTS as starts:
        yield starts


@pytest.fixture
def cold_starts(warm_starts: WarmStarts) -> Iterator[None]:
    """Start the programs of a test as everybody does."""
    with warm_starts.paused():
        yield


@contextlib.contextmanager
def without_garbage_search() -> Iterator[None]:
    """Keep away the search for garbage while all of the code is read, and from what was read.

    Syntax trees are two million objects that stay. To look through them again and again takes three times as long as to
    make them, and once more at the end of the process six seconds.
    """
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="module")
def paused_garbage_search() -> Iterator[None]:
    """Keep away the search for garbage in tests that read all of the code."""
    with without_garbage_search():
        yield


def pytest_unconfigure() -> None:
    """Remove the folders. Within the last test's teardown that would be a part of its time; there are many files."""
    for folder in _OPEN_FOLDERS:
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def postgres_url(open_folder: Path) -> Iterator[str]:
    """The SQLAlchemy URL of a PostgreSQL of this test process: each worker has one, and it ends with the session."""
    with EmbeddedPostgres(open_folder / "session", durable=False) as url:
        yield url


@pytest.fixture
async def database_url(postgres_url: str) -> AsyncIterator[str]:
    """The SQLAlchemy URL of an empty database of this test alone; dropped afterwards, even if connected."""
    url = make_url(postgres_url)
    name = f"test_{uuid4().hex}"
    socket, port = url.query["host"], url.query["port"]
    connection = await asyncpg.connect(host=socket, port=int(str(port)), user=url.username, database=url.database)
    try:
        await connection.execute(f"CREATE DATABASE {name}")
        yield url.set(database=name).render_as_string(hide_password=False)
        await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
    finally:
        await connection.close()


def pytest_addoption(pluginmanager: pytest.PytestPluginManager) -> None:
    pluginmanager.register(run_report)  # here, because it has an option of its own


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(time_limits)
    # A shell that starts the tests in the background has SIGINT ignored, and the programs that tests start would
    # inherit that and never end by it.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # Servers that tests start in processes of their own wait for no build; tests of the page choose it themselves.
    os.environ["DISKWARS_PAGE"] = "off"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = terminalreporter.getreports("passed") + terminalreporter.getreports("failed")
    with without_garbage_search():
        if any("test_architecture.py" in report.nodeid for report in reports):
            terminalreporter.section("sizes of the code")
            terminalreporter.write_line(code_sizes.table())
        if any("docs/test_rules_register.py" in report.nodeid for report in reports):
            terminalreporter.section("rules of the registers")
            terminalreporter.write_line(rule_coverage.measure_checkout().table())
