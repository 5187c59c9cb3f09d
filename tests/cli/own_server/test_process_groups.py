"""Programs that start others leave none of them behind."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from diskwars_cli.own_server.process_groups import run_group

STARTS_ANOTHER = 'sleep 600 & echo $! >> "$0"; echo $$ >> "$0"; '
"""A program that starts another, and writes both process numbers into a file."""
WAIT_SECONDS = 30


def is_running(pid: int) -> bool:
    """Return whether a process exists and is no zombie."""
    listed = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return bool(listed.stdout.strip()) and not listed.stdout.startswith("Z")


def wait_until(is_there: Callable[[], object]) -> None:
    end = time.monotonic() + WAIT_SECONDS
    while not is_there():
        assert time.monotonic() < end
        time.sleep(0.02)


def noted_pids(notes: Path) -> list[int]:
    return [int(pid) for pid in notes.read_text().split()] if notes.exists() else []


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[Path]:
    file = tmp_path / "pids"
    yield file
    for pid in noted_pids(file):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, 9)


def test_output_errors_and_status_are_those_of_the_program() -> None:
    run = run_group(["sh", "-c", "echo out; echo wrong >&2; cat; exit 3"], seconds=30)
    assert (run.returncode, run.stdout, run.stderr) == (3, "out\n", "wrong\n")


def test_program_that_takes_too_long_ends_with_what_it_started(notes: Path) -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        run_group(["sh", "-c", STARTS_ANOTHER + "wait", str(notes)], seconds=1)
    wait_until(lambda: not any(map(is_running, noted_pids(notes))))
    assert len(noted_pids(notes)) == 2


def test_what_a_program_leaves_running_ends_with_it(notes: Path) -> None:
    run_group(["sh", "-c", f"exec >/dev/null 2>&1; {STARTS_ANOTHER}", str(notes)], seconds=30)
    wait_until(lambda: not any(map(is_running, noted_pids(notes))))


def test_program_and_what_it_started_end_when_their_parent_is_killed(notes: Path) -> None:
    """As a build of the page whose server is killed."""
    runs = (
        "import sys; from diskwars_cli.own_server.process_groups import run_group; run_group(sys.argv[1:], seconds=60)"
    )
    command = [sys.executable, "-c", runs, "sh", "-c", STARTS_ANOTHER + "wait", str(notes)]
    with subprocess.Popen(command, env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}) as parent:
        wait_until(lambda: len(noted_pids(notes)) == 2)
        parent.kill()
    wait_until(lambda: not any(map(is_running, noted_pids(notes))))
