"""docs/reliability.md: every promise has tests that exist, and its tables are those of the programs."""

import ast
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from bench.load.attackers import ATTACKS
from tests.rows import each_row

TESTS = Path(__file__).parents[1]
DOCS = TESTS.parent / "docs"
PAGE = (DOCS / "reliability.md").read_text("utf-8")
PROMISES = dict(re.findall(r"(?m)^\| (.+?) \| (`.+`) \|$", PAGE.partition("## Promises and their tests")[2]))
NAMED = sorted({test for tests in PROMISES.values() for test in tests.split("<br>")})


def test_the_page_names_tests() -> None:
    assert len(PROMISES) == PAGE.partition("## Promises and their tests")[2].count("\n| ") - 1
    assert len(PROMISES) > 50
    assert len(NAMED) > 100


def test_every_commit_that_the_page_names_exists() -> None:
    root = TESTS.parent
    if not (root / ".git").exists() or not shutil.which("git"):
        pytest.skip("this copy has no history")
    shallow = ["git", "-C", str(root), "rev-parse", "--is-shallow-repository"]
    if subprocess.run(shallow, check=True, capture_output=True, text=True).stdout.strip() == "true":
        pytest.skip("only a part of the history is here")
    named = set(re.findall(r"\b(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{8}\b", PAGE))
    assert named, "figures belong to a commit"
    for commit in named:
        assert not subprocess.run(["git", "-C", str(root), "cat-file", "-e", f"{commit}^{{commit}}"]).returncode, commit


def time_limits(file: Path) -> set[int]:
    """Return the limits, in seconds, that a file of tests sets for its tests."""
    return {int(found) for found in re.findall(r"pytest\.mark\.timeout\((\d+)\)", file.read_text("utf-8"))}


def test_longer_limits_of_tests_are_those_of_the_page() -> None:
    section = PAGE.partition("## Tests on a busy machine")[2]
    rows = re.findall(r"(?m)^\| `([^`|]+)` \| (?:up to )?(\d+) \| .+ \|$", section)
    listed = {place: int(seconds) for place, seconds in rows}
    longest: dict[str, int] = {}
    for file in TESTS.rglob("test_*.py"):
        place = "browser/" if TESTS / "browser" in file.parents else file.relative_to(TESTS).as_posix()
        limits = time_limits(file) if file != Path(__file__) else set()
        if limits:
            longest[place] = max(*limits, longest.get(place, 0))
    assert listed == longest


@cache
def running_tests(file: Path) -> set[str]:
    """Return the tests of a file, without those that are skipped or may fail."""
    return {
        node.name
        for node in ast.parse(file.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and not any(word in ast.unparse(mark) for mark in node.decorator_list for word in ("skip", "xfail"))
    }


@each_row("named", NAMED)
def test_named_test_exists(named: str) -> None:
    found = re.fullmatch(r"`([\w/]+\.py)::(test_\w+)`", named)
    assert found, "a promise names single tests, not files"
    assert found[2] in running_tests(TESTS / found[1])


def test_every_attack_is_described_and_measured() -> None:
    described = PAGE.partition("## Attacks")[2].partition("<!-- bench attacks -->")[0]
    rows = [
        name for first in re.findall(r"(?m)^\| ([^|]+?) \| [^|]+ \| [^|]+ \|$", described) for name in first.split(", ")
    ]
    assert rows[1:] == list(ATTACKS)
    # The table of the program has all of them; one below it has those that were measured again.
    table = PAGE.partition("<!-- bench attacks -->")[2].partition("\n## ")[0]
    measured = re.findall(r"(?m)^\| ([A-Za-z -]+?) +\| +[\d.]+ \|", table)
    assert measured[: len(ATTACKS)] == list(ATTACKS)
    assert set(measured) == set(ATTACKS)


def test_no_mutant_survives() -> None:
    """The page of the mutants is written by the program that tries them."""
    mutants = (DOCS / "mutants.md").read_text("utf-8")
    (row,) = re.findall(r"(?m)^\| each mutant once \| (.+) \|$", mutants)
    total, killed, equivalent, survived, untried = row.split(" | ")
    assert (survived, untried) == ("0", "0")
    assert "## Survivors\n\nNone.\n" in mutants
    assert f"{total}, {killed} are noticed and {equivalent} change nothing" in PAGE
