"""Installation of a built package into an environment of its own, and a match that it plays."""

import re
import sys
from pathlib import Path

from tools.release.artifacts import ReleaseError, run


def try_package(package: Path, sources: Path, folder: Path, version: str) -> str:
    """Install a wheel or a source distribution, play a match with it, and return what its command calls itself.

    `sources` are those that it was built from: their lock file says with which versions. Raises ReleaseError.
    """
    folder.mkdir(mode=0o755)
    environment, home = folder / "environment", folder / "home"
    home.mkdir()
    run(sys.executable, "-m", "venv", environment, cwd=folder)
    pip = (environment / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, "-c", sources / "requirements.lock", f"{package}[all]", cwd=folder)
    command = environment / "bin" / "diskwars"
    variables = {"HOME": str(home), "DISKWARS_DATA": str(home / "data"), "PYTHONPATH": ""}
    called = run(command, "--version", cwd=home, environment=variables).strip()
    if not called.startswith(f"diskwars {version}+"):
        raise ReleaseError(f"{package.name} calls itself {called!r}, and not diskwars {version} with its commit")
    told = run(command, "demo", "--ruleset", "pit", "--seed", "1", cwd=home, environment=variables)
    if not re.search(r"replay with: \S+ replay [a-z0-9]{12}", told):
        raise ReleaseError(f"{package.name} has played no match:\n{told[-500:]}")
    return called
