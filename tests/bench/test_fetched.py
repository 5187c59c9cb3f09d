"""Tests of fetching third-party software: a failure names its step."""

import contextlib
import sys
from pathlib import Path

import pytest

from bench import event_stores, external_packages, processes, rivals
from bench.external_packages import PackageUnavailable
from bench.tables import DEFAULT_EFFORT, markdown


def write_fake_program(folder: Path, name: str, *lines: str) -> None:
    """A program of this name that does what its lines say."""
    (folder / name).write_text("\n".join(["#!/bin/sh", *lines, ""]))
    (folder / name).chmod(0o755)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder of programs; nothing is fetched yet."""
    (path := tmp_path / "path").mkdir()
    monkeypatch.setenv("PATH", str(path))
    monkeypatch.setattr(external_packages, "CACHE_FOLDER", tmp_path / "cache")
    return path


def test_the_program_that_is_missing_is_named(path: Path) -> None:
    with pytest.raises(PackageUnavailable, match=r"^node is missing$"):
        rivals.install_packages()
    write_fake_program(path, "node")
    with pytest.raises(PackageUnavailable, match=r"^npm is missing$"):
        rivals.install_packages()


def test_npm_says_in_its_own_words_what_failed(path: Path) -> None:
    write_fake_program(path, "node")
    log = "npm error A complete log of this run can be found in: a file"
    said = ("npm error code E404", "npm error 404", "npm error 404 is not there", log)
    write_fake_program(path, "npm", *(f"echo '{line}' >&2" for line in said), "exit 1")
    with pytest.raises(
        PackageUnavailable, match=r"^npm install failed: npm error code E404 … npm error 404 is not there$"
    ):
        rivals.install_packages()
    write_fake_program(path, "npm", "exit 7")
    with pytest.raises(PackageUnavailable, match=r"^npm install failed: exit code 7$"):
        rivals.install_packages()


def test_a_step_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    with pytest.raises(PackageUnavailable, match=r"^waiting took longer than 0 s$"):
        external_packages.run_step("waiting", [sys.executable, "-c", "import time; time.sleep(60)"], tmp_path, 0.01)


def test_what_is_not_measured_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Path:
        raise PackageUnavailable("npm is missing")

    monkeypatch.setattr(rivals, "install_packages", missing)
    monkeypatch.setattr(event_stores, "install_library", missing)
    monkeypatch.setattr(processes, "temporary_cluster", contextlib.nullcontext)
    theirs, library = map(markdown, rivals.tables(DEFAULT_EFFORT))
    assert "boardgame.io: not installed, npm is missing." in theirs
    assert "eventsourcing: not installed, npm is missing." in library
