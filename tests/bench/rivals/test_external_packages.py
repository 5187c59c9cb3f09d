"""Tests of installing third-party software: a failure names its step."""

import contextlib
import sys
from pathlib import Path

import pytest

from bench.measuring import processes
from bench.measuring.tables import DEFAULT_EFFORT, markdown
from bench.programs import event_stores, rivals
from bench.rivals import external_packages
from bench.rivals.external_packages import PackageUnavailable


def write_fake_program(folder: Path, name: str, *lines: str) -> None:
    """Write a program with this name that runs these lines of shell."""
    (folder / name).write_text("\n".join(["#!/bin/sh", *lines, ""]))
    (folder / name).chmod(0o755)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the only folder on PATH; the cache of packages is empty."""
    (path := tmp_path / "path").mkdir()
    monkeypatch.setenv("PATH", str(path))
    monkeypatch.setattr(external_packages, "CACHE_FOLDER", tmp_path / "cache")
    return path


def test_missing_program_is_named(path: Path) -> None:
    with pytest.raises(PackageUnavailable, match=r"^node is missing$"):
        rivals.install_packages()
    write_fake_program(path, "node")
    with pytest.raises(PackageUnavailable, match=r"^npm is missing$"):
        rivals.install_packages()


def test_npm_failure_quotes_its_error(path: Path) -> None:
    write_fake_program(path, "node")
    log = "npm error A complete log of this run can be found in: a file"
    errors = ("npm error code E404", "npm error 404", "npm error 404 is not there", log)
    write_fake_program(path, "npm", *(f"echo '{line}' >&2" for line in errors), "exit 1")
    with pytest.raises(
        PackageUnavailable, match=r"^npm install failed: npm error code E404 … npm error 404 is not there$"
    ):
        rivals.install_packages()
    write_fake_program(path, "npm", "exit 7")
    with pytest.raises(PackageUnavailable, match=r"^npm install failed: exit code 7$"):
        rivals.install_packages()


def test_step_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    with pytest.raises(PackageUnavailable, match=r"^waiting took longer than 0 s$"):
        external_packages.run_step("waiting", [sys.executable, "-c", "import time; time.sleep(60)"], tmp_path, 0.01)


def test_rival_that_is_not_measured_has_its_reason_in_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Path:
        raise PackageUnavailable("npm is missing")

    monkeypatch.setattr(rivals, "install_packages", missing)
    monkeypatch.setattr(event_stores, "install_library", missing)
    monkeypatch.setattr(processes, "temporary_cluster", contextlib.nullcontext)
    theirs, library = map(markdown, rivals.tables(DEFAULT_EFFORT))
    assert "boardgame.io: not installed, npm is missing." in theirs
    assert "eventsourcing: not installed, npm is missing." in library
