"""Programs that work for a server: started without a copy of its memory, and gone when told to."""

import asyncio
import os
import subprocess
import sys
from typing import Any

import pytest

from diskwars_server.processes.children import (
    CHILD_NICENESS,
    JobFault,
    JobTooSlow,
    WorkerChild,
    child_environment,
    run_job,
)


def program(code: str) -> tuple[str, ...]:
    return sys.executable, "-c", code


async def test_job_gets_its_input_and_gives_its_output() -> None:
    assert await run_job(program("import sys; print(sys.stdin.read()[::-1], end='')"), b"abc", 20, 100) == b"cba"
    size = 300_000
    assert (
        await run_job(program("import sys; print(len(sys.stdin.read()), end='')"), bytearray(size), 20, 100)
        == b"300000"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="no priorities of this kind")
async def test_child_goes_behind_the_server_before_it_has_loaded_anything() -> None:
    child = await WorkerChild.start(program("import time; time.sleep(60)"), child_environment())
    try:
        assert os.getpriority(os.PRIO_PROCESS, child.pid) == max(os.getpriority(os.PRIO_PROCESS, 0), CHILD_NICENESS)
    finally:
        await child.kill()


async def test_start_that_is_cancelled_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def note(*arguments: Any, **options: Any) -> "subprocess.Popen[bytes]":
        started.append(popen(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", note)
    starting = asyncio.create_task(WorkerChild.start(program("import time; time.sleep(60)"), child_environment()))
    while not started:
        await asyncio.sleep(0)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert started[0].returncode is not None


async def test_child_is_started_without_a_copy_of_the_memory_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fork of a server of 120 MiB takes 8 to 15 ms, in which no match goes on; with vfork it is half of one."""
    starts: list[tuple[bool, bool]] = []
    fork_exec = subprocess._fork_exec  # type: ignore[attr-defined]

    def note(*arguments: object) -> int:
        starts.append((bool(arguments[-1]), arguments[-2] is None))
        pid: int = fork_exec(*arguments)
        return pid

    monkeypatch.setattr(subprocess, "_fork_exec", note)
    child = await WorkerChild.start(program("pass"), child_environment())
    await child.kill()
    if sys.version_info[:2] == (3, 11):  # in other versions these are other arguments
        assert starts == [(True, True)], "vfork is allowed, and no function runs in the child"
    assert starts


async def test_job_that_takes_too_long_or_writes_too_much_leaves_no_process() -> None:
    with pytest.raises(JobTooSlow):
        await run_job(program("import time; time.sleep(60)"), b"", 1, 100)
    with pytest.raises(JobFault, match="too much"):
        await run_job(program("print('x' * 1000, flush=True); import time; time.sleep(60)"), b"", 20, 100)
    with pytest.raises(JobFault, match="does not start"):
        await run_job(("/nowhere/at/all",), b"", 20, 100)
    children = subprocess.run(["ps", "-o", "stat=", "--ppid", str(os.getpid())], capture_output=True, text=True)
    assert "Z" not in children.stdout


async def test_killed_child_has_ended_and_takes_nothing_more() -> None:
    child = await WorkerChild.start(program("import time; time.sleep(60)"), child_environment())
    ended = [child.has_ended]
    await child.kill()
    await child.kill()
    assert [*ended, child.has_ended] == [False, True]
    with pytest.raises(ProcessLookupError):
        os.kill(child.pid, 0)


async def test_child_that_reads_nothing_is_a_fault_and_no_wait() -> None:
    async with asyncio.timeout(20):
        with pytest.raises(JobFault):
            await run_job(program("import os; os.close(0)"), bytes(5_000_000), 10, 100)
