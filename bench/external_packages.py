"""Install third-party software for comparison into a folder of the user's cache, once, by name.

A failure names the step that failed.
"""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import platformdirs

CACHE_FOLDER = Path(platformdirs.user_cache_dir("diskwars-bench", appauthor=False))


class PackageUnavailable(Exception):
    """Why something cannot be measured here, as a sentence without its full stop."""


def require_program(program: str) -> None:
    """Raise PackageUnavailable where there is no such program."""
    if shutil.which(program) is None:
        raise PackageUnavailable(f"{program} is missing")


def run_step(name: str, command: Sequence[str], folder: Path, patience: float) -> None:
    """Run a command in a folder, made if missing; raise PackageUnavailable with its own words when it fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            command,
            cwd=folder,
            timeout=patience,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise PackageUnavailable(f"{name} took longer than {patience:.0f} s") from None
    except OSError as error:
        raise PackageUnavailable(f"{name} failed: {error.strerror or error}") from error
    if done.returncode != 0:
        raise PackageUnavailable(f"{name} failed: {_error_summary(done.stderr) or f'exit code {done.returncode}'}")


def _error_summary(said: bytes) -> str:
    """Return the first and the last line of an error: npm begins with its code, pip ends with what it is."""
    lines = [line.strip() for line in said.decode("utf-8", "replace").splitlines()]
    # npm's very last line names its log, a file of this machine
    telling = [line for line in lines if line and "complete log of this run" not in line]
    return " … ".join(dict.fromkeys([*telling[:1], *telling[-1:]]))
