"""The built page of another revision, made once with the packages that its own lock file names."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import platformdirs

from diskwars_server.http.page_files import StaticFile, load_page

ROOT = Path(__file__).parents[2]
CACHE = Path(platformdirs.user_cache_dir("diskwars-pages", appauthor=False))
GIT_SECONDS = 60
INSTALL_SECONDS, BUILD_SECONDS = 300, 180


class RevisionError(Exception):
    """Error for a revision whose page cannot be built here, in one sentence."""


def page_of(revision: str) -> dict[str, StaticFile]:
    """Return the files of the page of a revision, from a checkout that is removed again. Raises RevisionError."""
    commit = _run(["git", "rev-parse", "--verify", f"{revision}^{{commit}}"], ROOT, GIT_SECONDS)
    kept = CACHE / commit
    if not kept.exists():
        with tempfile.TemporaryDirectory() as folder:
            _build(commit, Path(folder) / "checkout", kept)
    return load_page(kept)


def _build(commit: str, checkout: Path, kept: Path) -> None:
    _run(["git", "worktree", "add", "--quiet", "--detach", str(checkout), commit], ROOT, GIT_SECONDS)
    try:
        sources = checkout / "clients" / "web"
        # Not `npm ci`: it refuses a lock file made where a registry lacks packages of other systems.
        options = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund"]
        _run(["npm", "install", *options], sources, INSTALL_SECONDS)
        # Its own configuration says where it is built.
        _run(["npm", "run", "--silent", "build"], sources, BUILD_SECONDS)
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(checkout / "clients" / "python" / "diskwars_cli" / "page", kept)
    finally:
        _run(["git", "worktree", "remove", "--force", str(checkout)], ROOT, GIT_SECONDS)


def _run(command: list[str], folder: Path, seconds: float) -> str:
    words = " ".join(command[:2])
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=seconds, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RevisionError(f"{words} did not work: {error}") from None
    if done.returncode != 0:
        raise RevisionError(f"{words} failed: {(done.stderr or done.stdout).strip().splitlines()[:1]}")
    return done.stdout.strip()
