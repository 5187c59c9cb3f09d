"""Programs of the product that tests start, forked from a process that has imported what they need.

Half of what a short program takes is the import of its modules, and tests start hundreds. So each process of pytest has
a helper that imports them once. `subprocess.Popen`, which asyncio's programs go through as well, asks it for a fork
wherever a test starts a module of the product with this Python, and starts everything else as before. The program is a
child of the test's process as any other: it has its own id, exit code, environment, folder and files.

What depends on the start itself takes the fixture `cold_starts`; `tests/test_fresh_environment.py` starts every verb
without the helper.
"""

import array
import atexit
import contextlib
import gc
import importlib
import os
import resource
import runpy
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from ctypes import CDLL
from pathlib import Path
from typing import Any, NoReturn

import msgspec
from msgspec import Struct

PROGRAMS = (
    "diskwars_bots.bot_process",
    "diskwars_cli",
    "diskwars_cli.look_back.file_verifier",
    "diskwars_cli.look_back.picture_process",
    "diskwars_cli.look_back.review_process",
)
"""Modules that run as `python -m`."""
IMPORTED = (
    "aiohttp",
    "alembic.command",
    "alembic.config",
    "asyncpg",
    "diskwars_bots.bot_process",
    "diskwars_cli.commands.command_line",
    "diskwars_cli.look_back.file_verifier",
    "diskwars_cli.look_back.picture_process",
    "diskwars_cli.look_back.review_process",
    "diskwars_cli.own_server.serve",
    "diskwars_cli.play.demo",
    "diskwars_cli.play.play",
    "diskwars_client.client",
    "diskwars_server.app",
    "rich",
    "sqlalchemy.ext.asyncio",
    "uvloop",
)
START_SECONDS = 60.0
"""For the helper's imports and one fork, on a busy machine."""
MAX_REQUEST_BYTES = 128 * 1024
READY = b"ready"
PR_SET_CHILD_SUBREAPER = 36
SHARED_VARIABLES = ("LC_", "LANG", "PYTHON")
"""Beginnings of the names of variables that Python itself reads at its start: with others the program starts cold."""


class StartRequest(Struct, frozen=True):
    """One program: what `python -m` is given, and the options of `Popen`."""

    module: str
    words: list[str]
    is_path_safe: bool
    folder: str
    variables: dict[str, str]
    has_own_session: bool


class WarmStarts:
    """The helper of this process, started when it is first needed. Use it within `with`."""

    def __init__(self) -> None:
        self._helper: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._is_ready = False
        self._lock = threading.Lock()
        self._original = subprocess.Popen._execute_child  # type: ignore[attr-defined]
        self.is_paused = False
        self.count = 0
        """Programs that were forked."""

    def __enter__(self) -> "WarmStarts":
        starts = self

        def execute_child(popen: Any, *details: Any) -> None:
            if not starts._fork_instead(popen, details):
                starts._original(popen, *details)

        if sys.platform == "linux":
            subprocess.Popen._execute_child = execute_child  # type: ignore[attr-defined]
        return self

    def __exit__(self, *_: object) -> None:
        subprocess.Popen._execute_child = self._original  # type: ignore[attr-defined]
        self._stop()

    def _fork_instead(self, popen: Any, details: Sequence[Any]) -> bool:
        """Fork the program that a call of `_execute_child` is for, and return whether that was done."""
        if self.is_paused or len(details) != EXECUTE_CHILD_ARGUMENTS:
            return False
        request = read_request(details)
        if request is None:
            return False
        pipes = details[10:16]
        files = [pipe if pipe != -1 else number for number, pipe in enumerate(pipes[i] for i in (0, 3, 5))]
        with self._lock:
            pid = self._ask(request, files)
        if pid is None:
            return False
        popen.pid, popen._child_created = pid, True
        popen._close_pipe_fds(*pipes)
        self.count += 1
        return True

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """Start programs as everybody does, meanwhile."""
        self.is_paused = True
        try:
            yield
        finally:
            self.is_paused = False

    def prepare(self) -> None:
        """Start the helper, which then imports beside the first tests."""
        with self._lock, contextlib.suppress(OSError):
            if self._socket is None:
                self._start()

    def _ask(self, request: StartRequest, files: list[int]) -> int | None:
        """Return the id of the forked program; None if the helper is gone, which a test may have caused."""
        try:
            if self._socket is None:
                self._start()
            assert self._socket is not None
            if not self._is_ready:
                self._is_ready = self._socket.recv(len(READY)) == READY
            prctl = CDLL(None).prctl
            prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # the program becomes a child of this process, see `fork_program`
            try:
                sent = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))]
                self._socket.sendmsg([msgspec.json.encode(request)], sent)
                answer = self._socket.recv(64)
            finally:
                # Only for the moment of a fork: the orphans of other programs are for the first process of the machine.
                prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
            return int(answer) if answer else None
        except OSError:
            self._stop()
            return None

    def _start(self) -> None:
        ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.settimeout(START_SECONDS)
        root = str(Path(__file__).parents[1])
        with its:
            self._helper = subprocess.Popen(
                [sys.executable, "-c", f"from tests.warm_starts import serve; serve({its.fileno()})"],
                pass_fds=[its.fileno()],
                cwd="/",
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (root, *sys.path)))},
                stdin=subprocess.DEVNULL,
            )
        self._socket, self._is_ready = ours, False

    def _stop(self) -> None:
        if self._socket is not None:
            self._socket.close()
        if self._helper is not None:
            self._helper.kill()
            self._helper.wait()
        self._helper = self._socket = None


EXECUTE_CHILD_ARGUMENTS = 23
"""Of `Popen._execute_child` in Python 3.11 and later; with any other number nothing is forked."""


def read_request(details: Sequence[Any]) -> StartRequest | None:
    """Return what to fork for a call of `Popen._execute_child`; None where it has to be started."""
    words, _, hook, _, kept, folder, variables, _, _, shell = details[:10]
    group, groups, user, mask, has_own_session, process_group = details[17:23]
    is_plain = not (hook or kept or shell) and (group, groups, user, mask) == (None, None, None, -1)
    if not is_plain or process_group != -1 or isinstance(words, (str, bytes)):
        return None
    if process_settings() != SETTINGS:
        return None  # a program inherits them, and the helper has those of its own start
    texts = [os.fsdecode(word) for word in words]
    options = texts[1:3] if texts[1:2] == ["-P"] else texts[1:2]
    name_at = 1 + len(options)
    if texts[:1] != [sys.executable] or options[-1:] != ["-m"] or texts[name_at : name_at + 1] == []:
        return None
    given = os.environ if variables is None else variables
    own = {os.fsdecode(name): os.fsdecode(value) for name, value in given.items()}
    if texts[name_at] not in PROGRAMS or not has_same_python(own):
        return None
    return StartRequest(
        texts[name_at],
        texts[name_at + 1 :],
        options[0] == "-P",
        os.getcwd() if folder is None else os.fsdecode(folder),
        own,
        bool(has_own_session),
    )


def process_settings() -> tuple[object, ...]:
    """Return what a program inherits besides its files and variables: limits and priority."""
    limits = {name: getattr(resource, name) for name in sorted(dir(resource)) if name.startswith("RLIMIT_")}
    return (
        *((name, resource.getrlimit(number)) for name, number in limits.items()),
        os.getpriority(os.PRIO_PROCESS, 0),
    )


SETTINGS = process_settings()


def has_same_python(variables: Mapping[str, str]) -> bool:
    """Return whether Python would start as this one did: the modules in the same places, the same language."""
    path = variables.get("PYTHONPATH")
    if path not in (None, os.environ.get("PYTHONPATH"), os.pathsep.join(filter(None, sys.path))):
        return False
    watched = {*variables, *os.environ} - {"PYTHONPATH"}
    return all(
        variables.get(name) == os.environ.get(name)
        for name in watched
        # A program may lack what this process has of a language, as a server's children do; it may not have another.
        if name.startswith(SHARED_VARIABLES) and name in variables
    )


# --- the helper


def serve(number: int) -> None:
    """Import, then fork a program for each request on this socket, until its other end is closed."""
    requests = socket.socket(fileno=number)
    for name in IMPORTED:
        with contextlib.suppress(ImportError):  # what needs it says so
            importlib.import_module(name)
    gc.collect()
    gc.freeze()
    requests.send(READY)
    while True:
        raw, control, _, _ = requests.recvmsg(MAX_REQUEST_BYTES, socket.CMSG_SPACE(3 * 4))
        if not raw:
            os._exit(0)
        files = array.array("i", control[0][2]).tolist()
        pid = fork_program(msgspec.json.decode(raw, type=StartRequest), files, requests)
        requests.send(b"%d" % pid)
        for file in files:
            os.close(file)


def fork_program(request: StartRequest, files: list[int], requests: socket.socket) -> int:
    """Fork a program and return its id.

    Its parent is a process between, which ends at once: an orphan goes to the next process above that asked for such,
    which is the one of the tests, and so becomes its child.
    """
    reading, writing = os.pipe()
    between = os.fork()
    if between == 0:
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            os.close(reading)
            os.close(writing)
            requests.close()
            while os.getppid() == parent:
                time.sleep(0.001)
            run_program(request, files)
        os.write(writing, b"%d" % pid)
        os._exit(0)
    os.waitpid(between, 0)
    pid = int(os.read(reading, 32))
    os.close(reading)
    os.close(writing)
    return pid


def run_program(request: StartRequest, files: list[int]) -> NoReturn:
    """Be the program in this process, to its end."""
    if request.has_own_session:
        os.setsid()
    os.chdir(request.folder)
    os.environ.clear()
    os.environ.update(request.variables)
    time.tzset()
    for number, file in enumerate(files):
        os.dup2(file, number)
    for file in files:
        if file > 2:
            os.close(file)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  the three live as long as the process
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115
    sys.stdout.reconfigure(line_buffering=os.isatty(1))
    sys.path[:] = [path for path in sys.path if path] if request.is_path_safe else [request.folder, *sys.path]
    sys.argv = ["-m", *request.words]
    if "." in request.module:
        sys.modules.pop(request.module, None)  # imported as another module's; it runs once more, as the program
    os._exit(exit_code(request.module))


def exit_code(module: str) -> int:
    """Run a module as `python -m` does, with what follows its end, and return the code to exit with."""
    code: object = 0
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as exit_:
        code = exit_.code
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        traceback.print_exc()
        os.kill(os.getpid(), signal.SIGINT)
    except BaseException:
        traceback.print_exc()
        code = 1
    with contextlib.suppress(BaseException):
        threading._shutdown()  # type: ignore[attr-defined]  # waits for threads, as the end of the interpreter does
        atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    if code is None or isinstance(code, int):
        return int(code or 0) & 0xFF
    print(code, file=sys.stderr)
    return 1
