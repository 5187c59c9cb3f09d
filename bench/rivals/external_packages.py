"""Installer of third-party software for comparison, into a folder of the user's cache.

A failure names the step that failed.
"""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import platformdirs

CACHE_FOLDER = Path(platformdirs.user_cache_dir("diskwars-bench", appauthor=False))


class PackageUnavailable(Exception):
    """Something cannot be measured here; the message is the reason, without a full stop."""


def require_program(program: str) -> None:
    """Raise PackageUnavailable if a program is not installed."""
    if shutil.which(program) is None:
        raise PackageUnavailable(f"{program} is missing")


def install_python(folder: Path, packages: Sequence[str], patience: float) -> None:
    """Make a virtual environment with these packages. Raises PackageUnavailable."""
    python = folder / "bin" / "python"
    run_step("python -m venv", [sys.executable, "-m", "venv", "--clear", str(folder)], folder, patience)
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
    run_step("pip install", install, folder, patience)


def run_step(name: str, command: Sequence[str], folder: Path, patience: float) -> None:
    """Run a command in a folder, creating it if necessary. Raises PackageUnavailable with the command's own error."""
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


def _error_summary(output: bytes) -> str:
    """Return the first and the last line of an error: npm begins with the code, pip ends with the cause."""
    lines = [line.strip() for line in output.decode("utf-8", "replace").splitlines()]
    # npm's last line names its log file, which differs on every machine
    relevant = [line for line in lines if line and "complete log of this run" not in line]
    return " … ".join(dict.fromkeys([*relevant[:1], *relevant[-1:]]))
