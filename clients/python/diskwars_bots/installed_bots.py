"""Bots of installed packages, which name them as entry points: `pit.archer = "my_package.bots:choose"`."""

from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

GROUP = "diskwars.bots"
"""The group of the entry points. Each name is a ruleset, a dot, and the name of the bot."""


def installed_bots(ruleset: str) -> dict[str, EntryPoint]:
    """Return the bots of installed packages for a ruleset, by name. Of two with one name the first found counts."""
    prefix = f"{ruleset}."
    found: dict[str, EntryPoint] = {}
    for entry in entry_points(group=GROUP):
        if entry.name.startswith(prefix):
            found.setdefault(entry.name.removeprefix(prefix), entry)
    return found


def installed_file(entry: EntryPoint) -> Path | None:
    """Return the file of an installed bot; None where it cannot be found."""
    try:
        spec = find_spec(entry.module)
    except (ImportError, ValueError):
        return None
    return None if spec is None or spec.origin is None else Path(spec.origin)
