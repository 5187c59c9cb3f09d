"""Measured programs as child processes, with their CPU time and memory.

Children run on a core and in a session of their own, which Ctrl-C does not reach: their parent ends them. CPU time and
memory are those that the system counts, and each run has a database of its own.
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

from diskwars_server.embedded import EmbeddedPostgres

ROOT = Path(__file__).resolve().parent.parent
SPARE_FILE_DESCRIPTORS = 200  # for what is no connection
TIMEOUT_SECONDS = 60  # seconds until a child that was asked to end is killed
_CLOCK_TICKS = os.sysconf("SC_CLK_TCK")


def available_cores() -> tuple[int, int]:
    """The core of what is measured, and the one of what loads it; the same where there is only one."""
    found = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
    return found[0], found[-1]


def pin_process(core: int) -> None:
    """This process runs on this core only, where the system knows such a thing."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})


@contextlib.contextmanager
def pinned_to(core: int) -> Iterator[None]:
    """So long this process runs on this core only."""
    before = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    pin_process(core)
    try:
        yield
    finally:
        if before:
            os.sched_setaffinity(0, before)


def raise_file_limit(connections: int) -> bool:
    """Return whether a process, and so its children, may have this many connections; raise its limit if possible."""
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
    """A module of this folder, or another program, in a process of its own. It says a line when it is ready."""

    def __init__(self, module: str, *words: str, core: int, program: Sequence[str] = (), **more: str) -> None:
        """`program` is what runs instead of a module; `more` are variables of its environment."""
        self._module = module
        command = [*(program or (sys.executable, "-m", f"bench.{module}")), *words]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            preexec_fn=partial(pin_process, core),
            start_new_session=True,
            env=child_environment() | more,
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
        """Nothing of it is left, even if this is interrupted."""
        self._process.terminate()
        try:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.communicate(timeout=TIMEOUT_SECONDS)
        finally:
            self._process.kill()  # one that has ended receives nothing
            self._process.communicate()

    def write_line(self, line: str) -> None:
        """Say a line to it."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def request(self, line: str) -> str:
        """Say a line to it, and wait for the line that it says to that."""
        assert self._process.stdout is not None
        self.write_line(line)
        if not (answered := self._process.stdout.readline()):
            raise RuntimeError(f"bench.{self._module} ended before it answered")
        return answered

    def finish(self) -> str:
        """End it, and give what it says at its end."""
        self._process.terminate()
        said, _ = self._process.communicate(timeout=TIMEOUT_SECONDS)
        return said


def run_module(module: str, question: bytes, core: int, seconds: float) -> bytes:
    """What a module of this folder, run in a process of its own, answers to a question; given up after `seconds`."""
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
    """A child finds the same packages that this process does."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}


# ---------------------------------------------------------------- what processes cost


def cpu_seconds(pid: int) -> float:
    """Return what a process has used of all cores since it began; 0 for one that is gone."""
    try:
        threads = [file.read_text() for file in Path(f"/proc/{pid}/task").glob("*/schedstat")]
    except OSError:
        return 0.0
    return sum(int(thread.split()[0]) for thread in threads) / 1e9


def process_tree_seconds(pid: int) -> float:
    """Return what a process, its children, and those of its children that have ended have used."""
    fields = _stat_fields(pid)
    ended = (int(fields[13]) + int(fields[14])) / _CLOCK_TICKS if fields else 0.0
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        children = []
    return ended + cpu_seconds(pid) + sum(cpu_seconds(int(child)) for child in children)


def resident_kib(pid: int) -> int:
    """Return the memory that a process has in use."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def _stat_fields(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat after the name, which may hold anything."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


# ---------------------------------------------------------------- databases


class PostgresCluster(Struct, frozen=True):
    """A PostgreSQL of our own, as durable as a real one. `pid` is that of its first process."""

    url: str
    pid: int
    version: str

    def new_database(self) -> str:
        """Return the address of a new and empty database."""
        name = f"bench_{uuid4().hex}"
        asyncio.run(_execute_sql(self.url, f"create database {name}"))
        return make_url(self.url).set(database=name).render_as_string(hide_password=False)


def asyncpg_options(url: str) -> dict[str, str | None]:
    """Return the arguments with which asyncpg itself reaches a database."""
    parsed = make_url(url)
    return {"host": str(parsed.query["host"]), "user": parsed.username, "database": parsed.database}


async def _execute_sql(url: str, sql: str) -> None:
    connection = await asyncpg.connect(**asyncpg_options(url))
    try:
        await connection.execute(sql)
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
    """The embedded PostgreSQL, with the settings that the server runs it with, in a folder that is thrown away."""
    folder = Path(tempfile.mkdtemp(prefix="diskwars-bench-"))
    folder.chmod(0o755)  # PostgreSQL's own account has to reach it
    try:
        with EmbeddedPostgres(folder) as url:
            pid = int((Path(str(make_url(url).query["host"])) / "postmaster.pid").read_text().split()[0])
            yield PostgresCluster(url, pid, asyncio.run(_postgres_version(url)))
    finally:
        _remove_folder(folder)


def _remove_folder(folder: Path) -> None:
    """PostgreSQL's own setup, if that was interrupted, may for a moment still write into it."""
    for _ in range(50):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.1)
