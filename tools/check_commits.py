"""Report commits with a subject that is too long: at most 72 letters, one fact; the why goes into the body.

Passes where there is no history to look at: in an archive without .git, and in a clone too shallow to hold `SINCE`.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SINCE = "67239d39"
"""The last commit that may be longer, like those before it."""
MAX_SUBJECT_LETTERS = 72


def find_long_subjects(repository: Path, since: str = SINCE) -> list[str]:
    """Return the subjects over `MAX_SUBJECT_LETTERS` of the commits after `since`, oldest first, with their commits."""
    command = ["git", "-C", str(repository), "log", "--reverse", "--format=%h %s", f"{since}..HEAD"]
    try:
        log = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    except FileNotFoundError:  # no git on this machine
        return []
    if log.returncode != 0:
        return []
    return [line for line in log.stdout.splitlines() if len(line.partition(" ")[2]) > MAX_SUBJECT_LETTERS]


def main() -> int:
    subjects = find_long_subjects(ROOT)
    for subject in subjects:
        print(f"over {MAX_SUBJECT_LETTERS} letters: {subject}", file=sys.stderr)
    return 1 if subjects else 0


if __name__ == "__main__":
    sys.exit(main())
