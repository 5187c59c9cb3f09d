"""The code that each program measures, and the commit at which a section of the page was measured."""

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

GIT_SECONDS = 30
ROOT = Path(__file__).resolve().parents[1]
_PROTOCOL, _ENGINE, _SERVER = "protocol/diskwars_protocol", "server/diskwars_engine", "server/diskwars_server"
_BOTS = "clients/python/diskwars_bots"
_WHOLE_SERVER, _RULES = (_PROTOCOL, _ENGINE, _SERVER), (_PROTOCOL, _ENGINE)
MEASURED_CODE: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("overhead", "match", "workers", "rivals", "stages", "calls", "rest"), _WHOLE_SERVER),
    **dict.fromkeys(("fanout", "joins", "opening"), (_PROTOCOL, _SERVER)),
    "idle": (f"{_SERVER}/connections", f"{_SERVER}/session"),
    "pages": (f"{_SERVER}/http", f"{_SERVER}/connections", "clients/web/src"),
    **dict.fromkeys(("rebuild", "decide", "fold"), _RULES),
    "replay": ("clients/web/src/client", "clients/web/src/replay"),
    **dict.fromkeys(("bots", "rulesets"), (*_RULES, _BOTS)),
    "steps": (*_RULES, "clients/python/diskwars_rl"),
    "against": (),
}
"""By program, the folders whose changes make its figures old; none for one that always compares two revisions."""
MAX_COMMITS_BEHIND = 200
"""Commits that a table may be older than the last change of what it measures."""
HISTORY_START = "67239d39"
"""A commit that every clone with a history has; without it, the age of a table is unknown."""
_COMMIT_PATTERN = re.compile(r"; commit ([0-9a-f]{7,40})[;+]")


def commit_text(root: Path = ROOT) -> str:
    """Return the commit of a checkout in words, with a plus where something has changed since; empty without git."""
    commit = _git(root, "rev-parse", "--short=12", "HEAD")
    changed = _git(root, "status", "--porcelain", "--untracked-files=no")
    return f"commit {commit}{'+' if changed else ''}" if commit else ""


def commit_of(section: str) -> str | None:
    """Return the commit at which a section was measured; None where it says none."""
    found = _COMMIT_PATTERN.search(section)
    return found[1] if found else None


def count_commits_behind(commit: str, folders: tuple[str, ...], root: Path = ROOT) -> int | None:
    """Return how many commits lie between a measurement and the last change of what it measures.

    None where the history does not tell: without git, or with a history that begins later.
    """
    last = _git(root, "log", "-1", "--format=%H", "--", *folders)
    count = _git(root, "rev-list", "--count", f"{commit}..{last}") if last and folders else "0"
    return int(count) if count else None


def reason_outdated(
    section: str,
    folders: tuple[str, ...],
    root: Path = ROOT,
    *,
    start: str = HISTORY_START,
    limit: int = MAX_COMMITS_BEHIND,
) -> str:
    """Return in words why a section has to be measured again; empty where it need not be, or there is no history."""
    commit = commit_of(section)
    if commit is None:
        return "it names no commit"
    if not _git(root, "merge-base", start, "HEAD"):
        return ""
    behind = count_commits_behind(commit, folders, root)
    if behind is None:
        return f"{commit} is no commit of this history"
    return f"what it measures has changed {behind} commits later" if behind > limit else ""


def _git(root: Path, *words: str) -> str:
    """Return what git prints; nothing where it fails or is not installed."""
    try:
        done = subprocess.run(["git", *words], cwd=root, capture_output=True, timeout=GIT_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode("utf-8", "replace").strip()
