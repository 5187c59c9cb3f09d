"""Measured programs as child processes, with their CPU time and memory.

Each child runs on a given core and in its own session, which Ctrl-C does not reach: the parent terminates it. CPU time
and memory are those that the system counts, and each run has its own database.
"""

import asyncio
import contextlib
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self
from uuid import uuid4

import asyncpg
from msgspec import Struct
from sqlalchemy import make_url

from diskwars_server.processes.embedded_postgres import EmbeddedPostgres

ROOT = Path(__file__).resolve().parents[2]
SPARE_FILE_DESCRIPTORS = 200  # for files other than connections
TIMEOUT_SECONDS = 60  # until a terminated child is killed
SIZE_SQL = """
select sum(pg_total_relation_size(c.oid)), pg_current_wal_lsn() - '0/0'::pg_lsn
from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and n.nspname = 'public'
"""
_CLOCK_TICKS = os.sysconf("SC_CLK_TCK")


def available_cores() -> tuple[int, int]:
    """Return the core for the measured server and the core for its load; the same one if there is only one."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
    return cores[0], cores[-1]


def pin_process(core: int) -> None:
    """Run this process on one core only, if the system supports that."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})


@contextlib.contextmanager
def pinned_to(core: int) -> Iterator[None]:
    """Run this process on one core only until the block ends."""
    before = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    pin_process(core)
    try:
        yield
    finally:
        if before:
            os.sched_setaffinity(0, before)


def raise_file_limit(connections: int) -> bool:
    """Raise the limit of open files if necessary; return whether this many connections are possible."""
    wanted = connections + SPARE_FILE_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    if soft != unlimited and soft < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(
                resource.RLIMIT_NOFILE, (wanted, hard if hard == unlimited or hard >= wanted else wanted)
            )
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return soft == unlimited or soft >= wanted


class ChildProcess:
    """A module of `bench`, or another program, in a child process. It prints a line when it is ready."""

    def __init__(
        self,
        module: str,
        *arguments: str,
        core: int,
        program: Sequence[str] = (),
        folder: str = str(ROOT),
        **environment: str,
    ) -> None:
        """Start a module, or `program` instead, in a folder. `environment` holds additional variables."""
        self._module = module
        command = [*(program or (sys.executable, "-m", f"bench.{module}")), *arguments]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
            preexec_fn=partial(pin_process, core),
            start_new_session=True,
            env=child_environment() | environment,
        )
        self.pid = self._process.pid
        self.lines = ""

    def __enter__(self) -> Self:
        assert self._process.stdout is not None
        try:
            self.lines = self._process.stdout.readline().strip()
            if not self.lines:
                raise RuntimeError(f"bench.{self._module} ended before it was ready")
        except BaseException:
            self._terminate()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._terminate()

    def _terminate(self) -> None:
        """Terminate the child and wait for it, even if this is interrupted."""
        self._process.terminate()
        try:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.communicate(timeout=TIMEOUT_SECONDS)
        finally:
            self._process.kill()  # one that has ended receives nothing
            self._process.communicate()

    def write_line(self, line: str) -> None:
        """Send a line to the child."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def request(self, line: str) -> str:
        """Send a line to the child and return the line that it answers."""
        self.write_line(line)
        return self._answer()

    def signal(self, number: int) -> str:
        """Send a signal to the child and return the line that it answers."""
        self._process.send_signal(number)
        return self._answer()

    def _answer(self) -> str:
        assert self._process.stdout is not None
        if not (answered := self._process.stdout.readline()):
            raise RuntimeError(f"bench.{self._module} ended before it answered")
        return answered

    def finish(self) -> str:
        """Terminate the child and return its remaining output."""
        self._process.terminate()
        output, _ = self._process.communicate(timeout=TIMEOUT_SECONDS)
        return output


def run_module(module: str, question: bytes, core: int, seconds: float) -> bytes:
    """Run a module of `bench` in a child process with this input, and return its output.

    Raises TimeoutExpired after `seconds`, RuntimeError if it fails.
    """
    command = [sys.executable, "-m", f"bench.{module}"]
    done = subprocess.run(
        command,
        input=question,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        timeout=seconds,
        preexec_fn=partial(pin_process, core),
        start_new_session=True,
        env=child_environment(),
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"bench.{module} failed with {done.returncode}")
    return done.stdout


def child_environment() -> dict[str, str]:
    """Return the environment in which a child finds the same packages as this process."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}


# ---------------------------------------------------------------- CPU time and memory


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process since its start, in seconds; 0 if it has ended."""
    try:
        threads = [file.read_text() for file in Path(f"/proc/{pid}/task").glob("*/schedstat")]
    except OSError:
        return 0.0
    return sum(int(thread.split()[0]) for thread in threads) / 1e9


def process_tree_seconds(pid: int) -> float:
    """Return the CPU time of a process and its children, including those that have ended, in seconds."""
    fields = _stat_fields(pid)
    ended = (int(fields[13]) + int(fields[14])) / _CLOCK_TICKS if fields else 0.0
    return ended + cpu_seconds(pid) + sum(cpu_seconds(int(child)) for child in _children(pid))


def resident_kib(pid: int) -> int:
    """Return the resident memory of a process in KiB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def resident_tree_kib(pid: int) -> int:
    """Return the resident memory of a process and its children in KiB."""
    return resident_kib(pid) + sum(resident_kib(int(child)) for child in _children(pid))


def _children(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []


def _stat_fields(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat after the name, which may contain anything."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


# ---------------------------------------------------------------- databases


class PostgresCluster(Struct, frozen=True):
    """A temporary PostgreSQL with durable commits. `pid` is that of its first process."""

    url: str
    pid: int
    version: str

    def new_database(self) -> str:
        """Create an empty database and return its address."""
        name = f"bench_{uuid4().hex}"
        asyncio.run(_execute_sql(self.url, f"create database {name}"))
        return make_url(self.url).set(database=name).render_as_string(hide_password=False)


class DatabaseSize(Struct, frozen=True):
    """Bytes that a database takes: its tables with their indexes, and all that its log (WAL) has held so far."""

    table_bytes: int
    log_bytes: int

    @classmethod
    def measure(cls, url: str) -> Self:
        return cls(*asyncio.run(_fetch_row(url, SIZE_SQL)))

    def since(self, before: Self) -> "DatabaseSize":
        """Return the growth."""
        return DatabaseSize(self.table_bytes - before.table_bytes, self.log_bytes - before.log_bytes)


def asyncpg_options(url: str) -> dict[str, str | None]:
    """Return the arguments with which asyncpg connects to a database."""
    parsed = make_url(url)
    return {"host": str(parsed.query["host"]), "user": parsed.username, "database": parsed.database}


async def _execute_sql(url: str, sql: str) -> None:
    connection = await asyncpg.connect(**asyncpg_options(url))
    try:
        await connection.execute(sql)
    finally:
        await connection.close()


async def _fetch_row(url: str, sql: str) -> list[int]:
    connection = await asyncpg.connect(**asyncpg_options(url))
    try:
        return [int(cell) for cell in await connection.fetchrow(sql)]
    finally:
        await connection.close()


async def _postgres_version(url: str) -> str:
    connection = await asyncpg.connect(**asyncpg_options(url))
    try:
        return str(await connection.fetchval("show server_version")).split()[0]
    finally:
        await connection.close()


@contextlib.contextmanager
def temporary_cluster() -> Iterator[PostgresCluster]:
    """Run the embedded PostgreSQL, with the server's own settings, in a temporary folder."""
    folder = Path(tempfile.mkdtemp(prefix="diskwars-bench-"))
    folder.chmod(0o755)  # PostgreSQL's own account has to reach it
    try:
        with EmbeddedPostgres(folder) as url:
            pid = int((Path(str(make_url(url).query["host"])) / "postmaster.pid").read_text().split()[0])
            yield PostgresCluster(url, pid, asyncio.run(_postgres_version(url)))
    finally:
        _remove_folder(folder)


def _remove_folder(folder: Path) -> None:
    """Remove a folder, retrying: PostgreSQL's interrupted setup may still write into it for a moment."""
    for _ in range(50):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.1)
