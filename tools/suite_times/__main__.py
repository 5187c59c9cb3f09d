"""Run tests, and show what they take: `./dev times [--write] [ARGS]`; ARGS go to pytest, all tests without them."""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.suite_times.recorder import FOLDER_VARIABLE
from tools.suite_times.table import format_times, read_times, replace_tables

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "contributing.md"
PLUGIN = "tools.suite_times.recorder"


def main(words: list[str]) -> int:
    """Return the exit code of pytest; tables of a run with failures are shown and not written."""
    is_written = "--write" in words
    arguments = [word for word in words if word != "--write"] or ["-n", "auto", "--dist", "worksteal"]
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pytest", "-p", PLUGIN, *arguments]
        code = subprocess.call(command, cwd=ROOT, env={**os.environ, FOLDER_VARIABLE: folder})
        processes = read_times(Path(folder))
    if not processes:
        print("no test was run", file=sys.stderr)
        return code or 1
    tables = format_times(processes)
    print(tables)
    if is_written and code == 0:
        PAGE.write_text(replace_tables(PAGE.read_text("utf-8"), tables), "utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
