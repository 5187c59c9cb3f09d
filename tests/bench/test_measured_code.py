"""Each table of docs/benchmarks.md says at which commit it was measured, and how old that is can be counted."""

import subprocess
from pathlib import Path

from bench.__main__ import PAGE_SECTIONS
from bench.measured_code import (
    MEASURED_CODE,
    ROOT,
    commit_of,
    commit_text,
    count_commits_behind,
    reason_outdated,
)
from bench.result_page import read_sections
from tests.rows import each_row

OUTDATED = {"pages": "a page in Chromium is only worth measuring on a machine that does nothing else"}
"""Sections that have to be measured again, and why they have not been."""
SECTIONS = read_sections((ROOT / "docs" / "benchmarks.md").read_text("utf-8"))


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    done = subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, timeout=20)
    return done.stdout.decode().strip()


def commit(folder: Path, file: str) -> str:
    """Change a file and commit it; return the commit."""
    path = folder / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(path.read_text() + "x" if path.exists() else "x")
    git(folder, "add", ".")
    git(folder, "commit", "-m", f"Change {file}")
    return git(folder, "rev-parse", "HEAD")


def test_every_program_says_what_it_measures() -> None:
    assert set(MEASURED_CODE) == set(PAGE_SECTIONS)
    assert all((ROOT / folder).is_dir() for folders in MEASURED_CODE.values() for folder in folders)


@each_row("name", SECTIONS)
def test_every_table_is_about_as_new_as_what_it_measures(name: str) -> None:
    reason = reason_outdated(SECTIONS[name], MEASURED_CODE[name])
    if name in OUTDATED:
        assert reason, f"{name} is measured again: it is no exception any more"
    else:
        assert not reason, f"{name}: {reason}; ./dev bench {name} --write docs/benchmarks.md measures it again"


def test_commits_are_counted_up_to_the_last_change_of_what_is_measured(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    first = commit(tmp_path, "server/a")
    assert count_commits_behind(first, ("server",), tmp_path) == 0
    commit(tmp_path, "docs/b")
    assert count_commits_behind(first, ("server",), tmp_path) == 0
    commit(tmp_path, "server/a")
    commit(tmp_path, "docs/b")
    assert count_commits_behind(first, ("server",), tmp_path) == 2
    assert count_commits_behind(first, (), tmp_path) == 0


def test_unknown_commit_and_missing_history_differ_from_an_old_one(tmp_path: Path) -> None:
    assert (
        count_commits_behind("0" * 40, ("server",), tmp_path / "none") == 0
    )  # nothing has changed, as far as one knows
    git(tmp_path, "init", "-q")
    commit(tmp_path, "server/a")
    assert count_commits_behind("0" * 40, ("server",), tmp_path) is None


def test_table_is_outdated_by_hundreds_of_commits_and_not_by_a_missing_history(tmp_path: Path) -> None:
    assert reason_outdated("today; 3 runs", ("server",), tmp_path / "none") == "it names no commit"
    section = f"today; commit {'0' * 40}; 3 runs"
    assert not reason_outdated(section, ("server",), tmp_path / "none"), "there is no history"
    git(tmp_path, "init", "-q")
    first = commit(tmp_path, "server/a")
    assert not reason_outdated(section, ("server",), tmp_path), "it begins later"
    assert "no commit of this history" in reason_outdated(section, ("server",), tmp_path, start=first)
    section = f"today; commit {first}; 3 runs"
    commit(tmp_path, "server/a")
    assert not reason_outdated(section, ("server",), tmp_path, start=first, limit=1)
    commit(tmp_path, "server/a")
    assert "changed 2 commits later" in reason_outdated(section, ("server",), tmp_path, start=first, limit=1)
    assert not reason_outdated(section, ("docs",), tmp_path, start=first, limit=1)


def test_section_says_the_commit_and_whether_something_was_changed(tmp_path: Path) -> None:
    assert commit_text(tmp_path / "none") == ""
    git(tmp_path, "init", "-q")
    head = commit(tmp_path, "server/a")[:12]
    assert commit_text(tmp_path) == f"commit {head}"
    (tmp_path / "server" / "a").write_text("changed")
    assert commit_text(tmp_path) == f"commit {head}+"
    for text in (f"today; commit {head}; 3 runs", f"today; commit {head}+; 3 runs"):
        assert commit_of(text) == head
    assert commit_of("today; 3 runs") is None
