"""A run ends even if what a failed test leaves behind waits for ever."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HANGING = """
import contextlib
import threading

import pytest


def wait_for_ever():
    threading.Event().wait()


@pytest.fixture
def outer():
    yield
    try:
        wait_for_ever()
    finally:
        wait_for_ever()


@pytest.fixture
def inner(outer):
    yield
    wait_for_ever()


def test_that_fails(inner):
    raise AssertionError("the first failure")


def test_that_hangs_twice():
    with contextlib.ExitStack() as stack:
        stack.callback(wait_for_ever)
        wait_for_ever()


def test_that_passes():
    pass
"""
LIMIT_SECONDS = 2


def test_every_wait_after_a_failure_ends(tmp_path: Path) -> None:
    file = tmp_path / "test_hanging.py"
    file.write_text(HANGING)
    options = ["-q", "-p", "tests.time_limits", f"--timeout={LIMIT_SECONDS}", "-p", "no:cacheprovider"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options, f"--rootdir={tmp_path}", str(file)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert "AssertionError: the first failure" in run.stdout
    assert "2 failed, 1 passed, 1 error" in run.stdout
