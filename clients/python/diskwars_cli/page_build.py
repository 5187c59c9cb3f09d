"""The page that `serve` answers with: found beside this module, and in a clone built there from its sources.

A server without the page is whole otherwise, so nothing here ends it: each problem is one line for the user.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from diskwars_server.page_files import PageError, StaticFile, load_page

BUILT_PAGE = Path(__file__).parent / "page"
"""What the build writes and the wheel contains."""
SOURCES = Path(__file__).parents[2] / "web"
"""The sources of the page in a clone; an installed package has none."""
OLDEST_NODE = 20
INSTALL_SECONDS = 300
BUILD_SECONDS = 180
STAMP = ".built-from"
"""File of the built page with the digest of its sources."""
_SOURCE_FOLDERS = ("src", "public")

PageChoice = Literal["build", "built", "off"]


class BuildError(Exception):
    """Error for a page that cannot be built here, in one sentence."""


def prepare_page(choice: PageChoice, report: Callable[[str], None]) -> dict[str, StaticFile]:
    """Return the files of the page, after building it where its sources are newer; empty if there is none."""
    if choice == "off":
        return {}
    if choice == "build" and (SOURCES / "package.json").exists():
        try:
            build_if_stale(SOURCES, BUILT_PAGE, report)
        except BuildError as error:
            kept = "; the page of an earlier build is served" if BUILT_PAGE.exists() else "; the server has no page"
            report(f"the page is not built: {error}{kept}")
    try:
        return load_page(BUILT_PAGE) if BUILT_PAGE.exists() else {}
    except PageError as error:
        report(f"the page is not served: {error}")
        return {}


def build_if_stale(sources: Path, built: Path, report: Callable[[str], None]) -> None:
    """Build the page unless it was built from just these sources. Raises BuildError."""
    if is_current(sources, built):
        return
    npm = _find_npm()
    with (sources / ".build.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two servers that start at once build once
        if is_current(sources, built):
            return
        digest = digest_sources(sources)
        report("building the page (once) ...")
        installed = sources / "node_modules" / ".installed"
        packages = hashlib.sha256((sources / "package-lock.json").read_bytes()).hexdigest()
        if not installed.exists() or installed.read_text() != packages:
            # Not `npm ci`: it refuses a lock file made where a registry lacks packages of other systems.
            options = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1"]
            _run([npm, "install", *options], sources, INSTALL_SECONDS)
            installed.write_text(packages)
        _run([npm, "run", "--silent", "build"], sources, BUILD_SECONDS)
        (built / STAMP).write_text(digest)


def is_current(sources: Path, built: Path) -> bool:
    """Return whether the built page is that of these sources."""
    stamp = built / STAMP
    return stamp.exists() and stamp.read_text() == digest_sources(sources)


def digest_sources(sources: Path) -> str:
    """Return a digest of everything that the built page depends on."""
    files = [file for file in sources.iterdir() if file.is_file() and not file.name.startswith(".")]
    for folder in _SOURCE_FOLDERS:
        files += [file for file in (sources / folder).rglob("*") if file.is_file()]
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(f"{file.relative_to(sources).as_posix()}\0".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _find_npm() -> str:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise BuildError(f"it needs node {OLDEST_NODE} or newer and npm, which are not installed")
    found = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=30, check=False).stdout.strip()
    major = found.removeprefix("v").partition(".")[0]
    if not major.isdigit() or int(major) < OLDEST_NODE:
        raise BuildError(f"it needs node {OLDEST_NODE} or newer, not {found or 'a node that does not start'}")
    return npm


def _run(command: list[str], folder: Path, seconds: float) -> None:
    environment = {**os.environ, "NO_COLOR": "1", "NO_UPDATE_NOTIFIER": "1"}
    try:
        run = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        raise BuildError(f"{' '.join(command[1:3])} took longer than {seconds:.0f} seconds") from None
    if run.returncode != 0:
        lines = [line for line in (run.stderr + run.stdout).splitlines() if line.strip() and "npm warn" not in line]
        raise BuildError(f"npm {command[1]} failed: {lines[0].strip() if lines else 'without a word'}")
