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
)
from bench.result_page import read_sections
from tests.rows import each_row

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
def test_every_table_says_at_which_commit_it_was_measured(name: str) -> None:
    assert commit_of(SECTIONS[name]), f"{name} says no commit: ./dev bench {name} --write docs/benchmarks.md"


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
