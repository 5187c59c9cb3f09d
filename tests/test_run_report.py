"""A run begins with what is urgent and ends with what to do next."""

import subprocess
import sys
from pathlib import Path

from tests.run_report import MAX_COMMANDS, ROOT, commands_for, files_that_test

FAILING = """
import pytest

@pytest.mark.parametrize("word", ["good", "bad"])
def test_word(word):
    assert word == "good"

def test_that_needs_node():
    pytest.skip("needs node, which is not installed")

def test_that_needs_it_too():
    pytest.skip("needs node, which is not installed")

@pytest.fixture
def broken():
    raise ValueError("no database")

def test_with_a_broken_fixture(broken):
    pass
"""
PASSING = "def test_that_passes(): pass"


def run_pytest(folder: Path, *options: str) -> list[str]:
    """Run the tests of a folder in a process of its own; return what it printed."""
    command = [sys.executable, "-m", "pytest", "-p", "tests.run_report", f"--rootdir={folder}", str(folder), *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=50, check=False)
    return done.stdout.splitlines()


def test_a_run_ends_with_commands_and_the_next_one_begins_with_what_failed(tmp_path: Path) -> None:
    workers = ("-n", "1", "-p", "no:hypothesispytest", "-p", "no:playwright")
    (tmp_path / "test_a.py").write_text(PASSING)
    (tmp_path / "test_b.py").write_text(FAILING)
    lines = run_pytest(tmp_path, *workers)
    skipped = next(number for number, line in enumerate(lines) if " not tested here " in line)
    assert lines[skipped + 1] == "2 tests: needs node, which is not installed"
    assert " run one of them again " in lines[skipped + 2]
    assert lines[skipped + 3 : skipped + 6] == [
        "./dev test 'test_b.py::test_word[bad]'",
        "./dev test test_b.py::test_with_a_broken_fixture",
        "./dev test --lf    # all 2 of them",
    ]
    again = run_pytest(tmp_path, *workers, "--urgent-first", "-v")
    first = [line for line in again if "test_a.py::" in line or "test_b.py::" in line]
    assert "test_b.py::test_word[bad]" in first[0]


def test_green_run_ends_as_ever(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text(PASSING)
    assert "1 passed" in run_pytest(tmp_path)[-1]


def test_changed_module_brings_the_tests_that_mirror_it() -> None:
    changed = [
        "protocol/diskwars_protocol/records/canonical.py",
        "server/diskwars_server/store/postgres/database.py",
        "tests/test_dev.py",
        "tests/rows.py",
        "docs/rules.md",
    ]
    found = files_that_test(changed)
    assert {"tests/test_dev.py", "tests/protocol/records/test_canonical.py"} <= found
    assert "tests/server/store/postgres/test_database.py" in found
    assert "tests/rows.py" not in found
    assert all((ROOT / file).is_file() for file in found)


def test_commands_are_as_many_as_can_be_read() -> None:
    lines = commands_for([f"tests/test_a.py::test_{number}" for number in range(MAX_COMMANDS + 7)])
    assert len(lines) == MAX_COMMANDS + 2
    assert lines[-2:] == ["and 7 more", f"./dev test --lf    # all {MAX_COMMANDS + 7} of them"]
