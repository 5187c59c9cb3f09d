"""Child processes of a server: their environment, their end with the server, and jobs that one is started for."""

import asyncio
import contextlib
import ctypes
import os
import subprocess
import sys
from asyncio import StreamReader, StreamReaderProtocol, StreamWriter
from collections.abc import Callable, Mapping
from typing import Any

KILL_GRACE_SECONDS = 2
"""Between the end of the time, when the server kills the process, and when the process ends itself."""
PIECE_BYTES = 64 * 1024
"""Of an input, copied at once: a copy of megabytes would hold up every match."""
CHILD_NICENESS = 10
"""A program works when the server, which everybody waits for, does not need the processor."""
PR_SET_PDEATHSIG = 1
_INHERITED_VARIABLES = ("PATH", "PYTHONPATH", "LANG", "LC_ALL", "TZ", "SYSTEMROOT")


def child_environment() -> dict[str, str]:
    """Return the environment of a child: nothing of the server's own, which may hold the database's password."""
    return {name: os.environ[name] for name in _INHERITED_VARIABLES if name in os.environ}


def parent_death_hook(signal_number: int) -> Callable[[], None] | None:
    """Return a hook that asks Linux, in the child before it becomes its program, for this signal when the parent ends.

    So a child ends with the server even if that is killed. The parent is the thread that starts the child. None on
    other systems.
    """
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl  # found before the fork: afterwards only simple calls are safe
    parent = os.getpid()

    def ask() -> None:
        prctl(PR_SET_PDEATHSIG, signal_number)
        if os.getppid() != parent:
            os._exit(1)

    return ask


def _lower_priority(pid: int) -> None:
    """Let the server go first from the start: a program that lowers its own priority has loaded its modules by then."""
    with contextlib.suppress(OSError, AttributeError):  # Windows has no such call; one that has ended needs none
        os.setpriority(os.PRIO_PROCESS, pid, max(os.getpriority(os.PRIO_PROCESS, 0), CHILD_NICENESS))


class WorkerChild:
    """A program that works for the server, with pipes to and from it.

    It is started by `subprocess`, which has Linux share the memory of this process with it until it is a program of its
    own (vfork). The loop of uvloop has the tables of that memory copied (fork): no match goes on for 6 to 15 ms.
    """

    def __init__(self, process: "subprocess.Popen[bytes]", stdin: StreamWriter, stdout: StreamReader) -> None:
        self._process, self.stdin, self.stdout = process, stdin, stdout

    @classmethod
    async def start(cls, command: tuple[str, ...], environment: Mapping[str, str]) -> "WorkerChild":
        """Start a program. Raises OSError. Nothing that it writes as errors is kept."""
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
        )
        _lower_priority(process.pid)
        loop, stdout, sending = asyncio.get_running_loop(), StreamReader(), StreamReaderProtocol(StreamReader())
        pipes: list[Any] = [process.stdout, process.stdin]
        try:
            pipes[0], _ = await loop.connect_read_pipe(lambda: StreamReaderProtocol(stdout), process.stdout)
            transport, _ = await loop.connect_write_pipe(lambda: sending, process.stdin)
        except BaseException:  # cancelled, before anybody could end it
            process.kill()
            process.wait()
            for pipe in pipes:
                pipe.close()
            raise
        return cls(process, StreamWriter(transport, sending, None, loop), stdout)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    async def kill(self) -> None:
        """End the program and wait until it is gone; it would stay as a zombie otherwise."""
        self._process.kill()  # of one that has ended nothing comes
        self.stdin.close()
        # Killed for certain, so this is quick.
        await asyncio.shield(asyncio.to_thread(self._process.wait))


class JobFault(Exception):
    """The process did not start, failed, or wrote too much. The text is for the log."""


class JobTooSlow(Exception):
    """The process was killed at the end of its time."""


async def run_job(command: tuple[str, ...], raw: bytes | bytearray, seconds: int, max_output_bytes: int) -> bytes:
    """Return what a program writes about an input. It gets the seconds after which it ends itself as last argument.

    Raises JobFault and JobTooSlow. Cancelled, it leaves no process.
    """
    try:
        child = await WorkerChild.start((*command, str(seconds + KILL_GRACE_SECONDS)), child_environment())
    except OSError as fault:
        raise JobFault(f"it does not start, {type(fault).__name__}") from None
    try:
        async with asyncio.timeout(seconds):
            return await _exchange(child, raw, max_output_bytes)
    except TimeoutError:
        raise JobTooSlow from None
    except OSError as fault:
        raise JobFault(type(fault).__name__) from None
    finally:
        await child.kill()


async def _exchange(child: WorkerChild, raw: bytes | bytearray, max_output_bytes: int) -> bytes:
    for first in range(0, len(raw), PIECE_BYTES):
        child.stdin.write(bytes(raw[first : first + PIECE_BYTES]))
        await child.stdin.drain()
    child.stdin.close()
    output = b""
    while more := await child.stdout.read(max_output_bytes):
        output += more
        if len(output) > max_output_bytes:
            raise JobFault("it writes too much")
    return output
