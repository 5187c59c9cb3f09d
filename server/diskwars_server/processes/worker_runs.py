"""Work in a process that is started for it: input goes in, output comes out, and then the process is gone."""

import asyncio
import contextlib
from asyncio.subprocess import DEVNULL, PIPE, Process

from diskwars_server.processes.worker_environment import worker_environment

KILL_GRACE_SECONDS = 2
"""Between the end of the time, when the server kills the process, and when the process ends itself."""


class WorkerFault(Exception):
    """The process did not start, failed, or wrote too much. The text is for the log."""


class WorkerTooSlow(Exception):
    """The process was killed at the end of its time."""


async def run_worker(command: tuple[str, ...], raw: bytes, seconds: int, max_output_bytes: int) -> bytes:
    """Return what a program writes about an input. It gets the seconds after which it ends itself as last argument.

    Raises WorkerFault and WorkerTooSlow. Cancelled, it leaves no process.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            str(seconds + KILL_GRACE_SECONDS),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            env=worker_environment(),
        )
    except OSError as fault:
        raise WorkerFault(f"it does not start, {type(fault).__name__}") from None
    try:
        async with asyncio.timeout(seconds):
            return await _exchange(process, raw, max_output_bytes)
    except TimeoutError:
        raise WorkerTooSlow from None
    except OSError as fault:
        raise WorkerFault(type(fault).__name__) from None
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
            raise WorkerFault("it writes too much")
    return output
