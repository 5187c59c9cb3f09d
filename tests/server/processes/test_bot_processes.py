"""Processes that think: killed and replaced when they hang or die, bounded in memory, and gone with the server."""

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec import Raw

from diskwars_bots.process_limits import MAX_MEMORY_BYTES
from diskwars_cli.own_server.server_bots import bot_program
from diskwars_protocol.messages.bot_tasks import BotTask
from diskwars_server.processes.bot_processes import BotFailure, BotProcess, default_bot_process_count, log_unknown_packs
from tests.server.bot_nodes import odd_program, wait_until

TASK = BotTask("counting", "steady", "seed", 0, 0, Raw(b"{}"), Raw(b"[]"), Raw(b'{"actions":[{"type":"one"}]}'))


def is_running(pid: int) -> bool:
    """Return whether a process exists and is no zombie."""
    listed = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return bool(listed.stdout.strip()) and not listed.stdout.startswith("Z")


class BotProcesses:
    """Processes of one test, which end with it."""

    def __init__(self) -> None:
        self._processes: list[BotProcess] = []

    def start(self, *arguments: str, seconds: int = 10) -> BotProcess:
        self._processes.append(BotProcess(odd_program(*arguments).command, seconds))
        return self._processes[-1]

    async def stop(self) -> None:
        for process in self._processes:
            await process.stop()


@pytest.fixture
async def processes() -> AsyncIterator[BotProcesses]:
    made = BotProcesses()
    yield made
    await made.stop()


async def test_process_starts_with_the_first_task_and_is_kept(processes: BotProcesses) -> None:
    process = processes.start("first")
    assert process.pid is None
    assert bytes(await process.choose(TASK)) == b'{"type": "one"}'
    pid = process.pid
    await process.choose(TASK)
    assert process.pid == pid


async def test_process_that_hangs_is_killed_and_replaced(processes: BotProcesses, tmp_path: Path) -> None:
    process = processes.start("hang once", str(tmp_path / "notes"), seconds=1)
    choosing = asyncio.create_task(process.choose(TASK))
    await wait_until(lambda: process.pid is not None)
    pid = process.pid
    assert pid is not None
    with pytest.raises(BotFailure, match="longer than 1 s"):
        await choosing
    assert not is_running(pid)
    assert bytes(await process.choose(TASK)) == b'{"type": "one"}'


async def test_process_that_dies_is_replaced(processes: BotProcesses, tmp_path: Path) -> None:
    process = processes.start("crash once", str(tmp_path / "notes"))
    with pytest.raises(BotFailure, match="IncompleteReadError"):
        await process.choose(TASK)
    await process.choose(TASK)
    pid = process.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    await wait_until(lambda: not is_running(pid))
    try:
        await process.choose(TASK)
    except BotFailure:  # the server may not have noticed that it is gone
        await process.choose(TASK)
    assert process.pid != pid


@pytest.mark.parametrize(("mode", "why"), [("garbage", "DecodeError"), ("endless", "OSError"), ("fault", "my_bot.py")])
async def test_answer_that_is_none_is_a_failure(processes: BotProcesses, mode: str, why: str) -> None:
    with pytest.raises(BotFailure, match=why):
        await processes.start(mode).choose(TASK)


async def test_program_that_does_not_start_is_not_started_for_each_decision(processes: BotProcesses) -> None:
    process = processes.start("exit")
    for _ in range(2):
        with pytest.raises(BotFailure, match="does not start"):
            await process.choose(TASK)
    missing = BotProcess(("/nowhere/at-all",), 1)
    with pytest.raises(BotFailure, match="does not start"):
        await missing.choose(TASK)


async def test_cancelled_caller_leaves_no_process(processes: BotProcesses) -> None:
    process = processes.start("hang")
    choosing = asyncio.create_task(process.choose(TASK))
    await wait_until(lambda: process.pid is not None)
    pid = process.pid
    assert pid is not None
    choosing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await choosing
    await wait_until(lambda: not is_running(pid))


async def test_process_inherits_no_secrets_of_the_servers_environment(
    processes: BotProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://me:password@host/name")
    process = processes.start("first")
    await process.choose(TASK)
    environment = Path(f"/proc/{process.pid}/environ")
    if not environment.exists():
        pytest.skip("no /proc on this system")
    assert b"PATH=" in environment.read_bytes()
    assert b"password" not in environment.read_bytes()


async def test_real_process_limits_its_memory_and_answers_unknown_rulesets_with_a_fault() -> None:
    process = BotProcess(bot_program().command, 30)
    try:
        with pytest.raises(BotFailure, match=r"KeyError at bot_process[.]py"):
            await process.choose(TASK)
        limits = Path(f"/proc/{process.pid}/limits")
        if limits.exists():
            (line,) = (line for line in limits.read_text().splitlines() if line.startswith("Max address space"))
            assert str(MAX_MEMORY_BYTES) in line
    finally:
        await process.stop()


async def test_processes_end_when_the_server_is_killed(tmp_path: Path) -> None:
    """Both the one that waits for a task and the one that hangs in it."""
    program = textwrap.dedent("""
        import asyncio
        from tests.server.processes.test_bot_processes import TASK
        from tests.server.bot_nodes import odd_program
        from diskwars_cli.own_server.server_bots import bot_program
        from diskwars_server.processes.bot_processes import BotFailure, BotProcess

        async def main():
            idle, hanging = BotProcess(bot_program().command, 30), BotProcess(bot_program().command, 30)
            for process in (idle, hanging):
                try:
                    await process.choose(TASK)
                except BotFailure:
                    pass
            print(idle.pid, hanging.pid, flush=True)
            await asyncio.Event().wait()

        asyncio.run(main())
    """)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, stdout=asyncio.subprocess.PIPE, env=environment
    )
    assert server.stdout is not None
    pids = [int(pid) for pid in (await asyncio.wait_for(server.stdout.readline(), 45)).split()]
    assert len(pids) == 2
    # The second one cannot read that its input has ended.
    os.kill(pids[1], signal.SIGSTOP)
    server.kill()
    await server.wait()
    await wait_until(lambda: not any(map(is_running, pids)))


def test_packs_that_bots_do_not_search_with_are_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    log_unknown_packs(("expansion",))
    assert not caplog.records
    log_unknown_packs(("expansion", "my_box.toml"))
    (record,) = caplog.records
    assert vars(record)["packs"] == ["my_box.toml"]


def test_one_processor_is_left_to_the_server() -> None:
    assert 1 <= default_bot_process_count() <= max(1, (os.cpu_count() or 1) - 1)
