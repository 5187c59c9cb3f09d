"""What tests take is recorded phase by phase, with the programs that they start, and shown in tables."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.suite_times.__main__ import ROOT
from tools.suite_times.recorder import FOLDER_VARIABLE, kind_of_program
from tools.suite_times.table import BEGIN, END, format_times, read_times, replace_tables

WORKING = """
import subprocess, sys, time
import pytest

def work(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass

@pytest.fixture
def inner():
    work(0.2)

@pytest.fixture
def outer(inner):
    work(0.1)

def test_with_fixtures(outer):
    pass

def test_with_a_program():
    program = "import time\\nwhile time.process_time() < 0.5: pass"
    subprocess.run([sys.executable, "-c", program], check=True)
"""


def test_cpu_of_phases_fixtures_and_programs_is_recorded(tmp_path: Path) -> None:
    (tmp_path / "test_working.py").write_text(WORKING)
    (folder := tmp_path / "times").mkdir()
    options = ["-p", "tools.suite_times.recorder", "-p", "no:cacheprovider", f"--rootdir={tmp_path}", str(tmp_path)]
    environment = {**os.environ, FOLDER_VARIABLE: str(folder)}
    subprocess.run([sys.executable, "-m", "pytest", *options], cwd=ROOT, env=environment, timeout=50, check=True)
    (process,) = read_times(folder)
    with_fixtures, with_a_program = process.tests
    assert set(with_fixtures.seconds) == {"setup", "call", "teardown"}
    assert with_fixtures.own_cpu >= 0.3
    assert not with_fixtures.programs
    assert with_a_program.programs["started Python"] >= 0.4
    assert process.fixtures["inner"].own_cpu >= 0.2
    assert 0.1 <= process.fixtures["outer"].own_cpu < 0.2, "without the fixture that it asks for"
    tables = format_times([process])
    assert tables.startswith("2 tests in 1 processes; seconds of CPU.\n")
    for cell in ("| started Python | ", "| `test_working.py` | 2 | ", "| `inner` | 1 | "):
        assert cell in tables


def test_program_is_named_by_its_file() -> None:
    assert kind_of_program("/usr/lib/postgresql/15/bin/postgres") == "PostgreSQL"
    assert kind_of_program("/usr/bin/python3.11") == "started Python"
    assert kind_of_program("chromium-headless-shell") == "Chromium"
    assert kind_of_program("caddy") == "other programs"


def test_tables_replace_those_between_the_marks() -> None:
    page = f"before\n{BEGIN}old\n{END}\nafter\n"
    assert replace_tables(page, "new\n") == f"before\n{BEGIN}\nnew\n\n{END}\nafter\n"
    with pytest.raises(ValueError, match="no place"):
        replace_tables("before", "new")
