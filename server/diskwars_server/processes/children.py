"""Child processes of a server: their environment, their end with the server, and jobs that one is started for."""

import asyncio
import contextlib
import ctypes
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable

KILL_GRACE_SECONDS = 2
"""Between the end of the time, when the server kills the process, and when the process ends itself."""
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


class JobFault(Exception):
    """The process did not start, failed, or wrote too much. The text is for the log."""


class JobTooSlow(Exception):
    """The process was killed at the end of its time."""


async def run_job(command: tuple[str, ...], raw: bytes, seconds: int, max_output_bytes: int) -> bytes:
    """Return what a program writes about an input. It gets the seconds after which it ends itself as last argument.

    Raises JobFault and JobTooSlow. Cancelled, it leaves no process.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            str(seconds + KILL_GRACE_SECONDS),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            env=child_environment(),
        )
    except OSError as fault:
        raise JobFault(f"it does not start, {type(fault).__name__}") from None
    try:
        async with asyncio.timeout(seconds):
            return await _exchange(process, raw, max_output_bytes)
    except TimeoutError:
        raise JobTooSlow from None
    except OSError as fault:
        raise JobFault(type(fault).__name__) from None
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        # Killed for certain, so this is quick; without it the process would stay as a zombie.
        await asyncio.shield(process.wait())


async def _exchange(process: Process, raw: bytes, max_output_bytes: int) -> bytes:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(raw)
    await process.stdin.drain()
    process.stdin.close()
    output = b""
    while more := await process.stdout.read(max_output_bytes):
        output += more
        if len(output) > max_output_bytes:
            raise JobFault("it writes too much")
    return output
