"""The check of commits finds subjects that are too long, and passes where there is no history."""

import os
import subprocess
from pathlib import Path

import pytest

from tools.check_commits import MAX_SUBJECT_LETTERS, find_long_subjects

IDENTITY = {f"GIT_{role}_{part}": "a@b" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
LONG = "x" * (MAX_SUBJECT_LETTERS + 1)


def git(repository: Path, *words: str) -> str:
    environment = {**os.environ, **IDENTITY, "GIT_CONFIG_GLOBAL": os.devnull}
    command = ["git", "-C", str(repository), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout.strip()


def commit(repository: Path, message: str) -> str:
    git(repository, "commit", "--quiet", "--allow-empty", "--message", message)
    return git(repository, "rev-parse", "--short", "HEAD")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "--quiet")
    return tmp_path


def test_long_subjects_after_the_given_commit_are_found(repository: Path) -> None:
    since = commit(repository, f"{LONG} long ago")
    first, second = commit(repository, LONG), commit(repository, f"{LONG} too")
    assert find_long_subjects(repository, since) == [f"{first} {LONG}", f"{second} {LONG} too"]


def test_short_subject_with_a_long_body_is_no_fault(repository: Path) -> None:
    since = commit(repository, "Begin")
    commit(repository, f"{LONG[1:]}\n\n{LONG} is the why")
    assert find_long_subjects(repository, since) == []


def test_letters_are_counted_and_not_bytes(repository: Path) -> None:
    since = commit(repository, "Begin")
    commit(repository, "ü" * MAX_SUBJECT_LETTERS)
    assert find_long_subjects(repository, since) == []


def test_folder_without_history_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert find_long_subjects(tmp_path) == []


def test_clone_that_does_not_hold_the_commit_passes(repository: Path) -> None:
    commit(repository, LONG)
    assert find_long_subjects(repository, "0123abcd") == []


def test_machine_without_git_passes(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    since = commit(repository, "Begin")
    commit(repository, LONG)
    monkeypatch.setenv("PATH", "")
    assert find_long_subjects(repository, since) == []
