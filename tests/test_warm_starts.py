"""A program that is forked from the helper of the tests is one like any other, and leaves nothing in it."""

import asyncio
import contextlib
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.warm_starts import WarmStarts, has_same_python

COMMAND = (sys.executable, "-m", "diskwars_cli")


def run(*words: str, **options: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([*COMMAND, *words], capture_output=True, text=True, timeout=50, check=False, **options)  # type: ignore[call-overload,no-any-return]


def test_forked_program_prints_and_ends_as_a_started_one(warm_starts: WarmStarts) -> None:
    for words in (("rules", "R4.12"), ("simulate", "--matches", "0")):
        before = warm_starts.count
        forked = run(*words)
        assert warm_starts.count == before + 1
        with warm_starts.paused():
            started = run(*words)
        assert warm_starts.count == before + 1
        assert (forked.returncode, forked.stdout, forked.stderr) == (
            started.returncode,
            started.stdout,
            started.stderr,
        ), words


def test_forked_program_has_its_own_folder_variables_and_input(tmp_path: Path) -> None:
    environment = {**os.environ, "DISKWARS_CALLED": "somebody"}
    assert run("packs", "new", "mine.toml", cwd=tmp_path).returncode == 0
    assert (tmp_path / "mine.toml").exists()
    assert "`somebody simulate --help`" in run("simulate", "--matches", "0", env=environment).stderr
    assert "somebody" not in run("simulate", "--matches", "0").stderr
    army = run("army", "show", "Reikland Host").stdout
    assert run("army", "check", "-", input=army).returncode == 0


async def test_forked_program_is_a_child_that_signals_reach(warm_starts: WarmStarts) -> None:
    before = warm_starts.count
    words = (*COMMAND, "simulate", "--ruleset", "pit", "--matches", "5000", "--bots", "random")
    for number, code in ((signal.SIGTERM, 130), (signal.SIGKILL, -signal.SIGKILL)):
        process = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE)
        assert process.stdout is not None
        await process.stdout.readline()
        assert Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[1] == str(os.getpid())
        process.send_signal(number)
        async with asyncio.timeout(30):
            await process.communicate()
        assert process.returncode == code
    assert warm_starts.count == before + 2


def test_forked_program_holds_no_file_of_the_helper_or_of_another() -> None:
    with contextlib.ExitStack() as stack:
        first, second = (stack.enter_context(reading_program()) for _ in range(2))
        own = {os.readlink(f"/proc/self/fd/{pipe.fileno()}") for pipe in (second.stdin, second.stdout) if pipe}
        deadline = time.monotonic() + 30
        while not (held := pipes_of(second.pid)) <= own:  # right after the fork it still has the helper's
            assert time.monotonic() < deadline, held - own
            time.sleep(0.01)
        for program in (second, first):
            assert program.stdin is not None
            program.stdin.close()
            assert program.wait(50) == 2, "no army is an error of the user"


def reading_program() -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [*COMMAND, "army", "check", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )


def pipes_of(pid: int) -> set[str]:
    names = {os.readlink(path) for path in Path(f"/proc/{pid}/fd").iterdir()}
    return {name for name in names if name.startswith(("pipe:", "socket:"))}


def test_program_starts_cold_where_the_helper_is_gone_or_python_would_be_another(warm_starts: WarmStarts) -> None:
    assert run("--version").returncode == 0
    before = warm_starts.count
    assert run("--version", env={**os.environ, "PYTHONHASHSEED": "5"}).returncode == 0
    assert run("--version", env={**os.environ, "PYTHONPATH": "/nowhere"}).returncode in (0, 1)
    assert run("--version", preexec_fn=lambda: None).returncode == 0
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (512, hard))
    try:
        assert run("--version").returncode == 0
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert warm_starts.count == before
    helper = warm_starts._helper
    assert helper is not None
    helper.kill()
    helper.wait()
    assert run("--version").returncode == 0
    assert run("--version").returncode == 0
    assert warm_starts.count == before + 1, "the second is forked from a new helper"


@pytest.mark.parametrize(
    ("name", "value", "is_same"), [("HOME", "/", True), ("PYTHONUTF8", "7", False), ("LC_ALL", "xx", False)]
)
def test_variables_that_python_reads_make_another_python(name: str, value: str, is_same: bool) -> None:
    assert has_same_python({name: value}) == is_same
