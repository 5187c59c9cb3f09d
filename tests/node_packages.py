"""Packages of npm that tests run: installed once, in the user's cache folder."""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import pytest

PACKAGES = ("typescript@5.9.3", "ajv@8.17.1", "ws@8.18.3")
INSTALL_SECONDS = 240


def node_packages(packages: tuple[str, ...] = PACKAGES) -> Path:
    """Return the folder whose `node_modules` holds these; skip where node, npm or its registry is missing."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("needs node and npm, which are not installed")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "diskwars-tests" / "node" / "_".join(packages)
    folder.mkdir(parents=True, exist_ok=True)
    stamp = folder / ".installed"
    with (folder / ".lock").open("a") as lock:  # the workers of one test run install once
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not stamp.exists():
            _install(npm, folder, packages)
            stamp.touch()
    return folder


def _install(npm: str, folder: Path, packages: tuple[str, ...]) -> None:
    options = ["--prefix", str(folder), "--no-audit", "--no-fund", "--fetch-retries=1"]
    try:
        run = subprocess.run(
            [npm, "install", *options, *packages], capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        pytest.skip("npm reaches no registry in time")
    if run.returncode != 0:
        ping = subprocess.run([npm, "ping", "--fetch-retries=0"], capture_output=True, timeout=60, check=False)
        if ping.returncode != 0:
            pytest.skip("npm reaches no registry")
        raise AssertionError(run.stderr)
