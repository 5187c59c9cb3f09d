"""The part of the `packs` verb that a ruleset provides: two classes suit one that is played with its own packs only."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from diskwars_cli.console.command import CommandError
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_protocol.match.decisions import Pack


class PackTools:
    """Packs that come with a ruleset, and none of the user's own."""

    def __init__(self, ruleset: str) -> None:
        self.ruleset = ruleset

    def pack_lines(self, packs: tuple[str, ...]) -> list[str]:
        """Describe the packs that come with the ruleset, and those named with `--pack`. Raises CommandError."""
        own = load_ruleset(self.ruleset, ()).packs
        return [f"{self.ruleset}, always played:", *map(pack_line, own), *self.count_lines()]

    def count_lines(self) -> list[str]:
        """Return what the packs hold, for the list."""
        return []

    def check(self, path: Path, packs: tuple[str, ...]) -> int:
        """Print every fault of a pack, or what a valid file changes; return the exit code. Raises CommandError."""
        raise CommandError(f"{self.ruleset} is played with its own pack only")

    def write_template(self, path: Path, packs: tuple[str, ...], values: Mapping[str, Any]) -> int:
        """Write a template of a pack; never overwrite a file. Raises CommandError."""
        raise CommandError(f"{self.ruleset} is played with its own pack only")


class CountedPacks(PackTools):
    """Packs that come with a ruleset, listed with the numbers of their entries."""

    def __init__(self, ruleset: str, load_content: Callable[[], object], entries: Mapping[str, str]) -> None:
        """`entries` are the fields of the content that are counted, by the noun for what they hold."""
        super().__init__(ruleset)
        self._load_content, self._entries = load_content, entries

    def count_lines(self) -> list[str]:
        content = self._load_content()
        return [count_line({noun: len(getattr(content, field)) for noun, field in self._entries.items()})]


def pack_line(pack: Pack) -> str:
    return f"  {pack.id} {pack.version}  {pack.hash}"


def count_line(entries: Mapping[str, int]) -> str:
    """Return one line with the number of entries of each kind, by its noun; kinds without any are left out."""
    return "    " + ", ".join(f"{count} {noun}" for noun, count in entries.items() if count)
