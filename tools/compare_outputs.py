"""Compare what users and other programs see of two revisions, byte for byte.

    .venv/bin/python tools/compare_outputs.py [REV]

Texts that the command prints are printed by both trees; stored files may have moved, and are then found by content.
A change of structure leaves every line at `same`.
"""

import difflib
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
BASE = "67239d39"
"""The last revision before packages were parted."""

PACKAGE_FOLDERS = ("protocol", "server", "clients/python")
SEEN_RULES = ("R6.3", "R15.2", "R-16", "F7", "pinned")

PRINT_HELP = """
import sys
from collections.abc import Iterator
import click
from diskwars_cli.__main__ import main
from diskwars_protocol.rulesets.registry import RULESETS

main(["--help"])

def print_help(verb: click.Command, words: list[str]) -> None:
    options = [["--ruleset", name] for name in RULESETS if any("--ruleset" in param.opts for param in verb.params)]
    for more in [[], *options]:
        print("==", *words, *more, flush=True)
        main([*words, *more, "--help"])
    for name in verb.list_commands(click.Context(verb)) if isinstance(verb, click.Group) else ():
        print_help(verb.commands[name], [*words, name])

modules = [module for name, module in sys.modules.items() if name.startswith("diskwars_cli")]
groups = {id(value): value for module in modules for value in vars(module).values() if isinstance(value, click.Group)}
print_help(max(groups.values(), key=lambda group: len(group.commands)), [])
"""
SUCCESS = "exit code 0"
COMMAND = ("-P", "-m", "diskwars_cli")
OUTPUTS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "schema": ((*COMMAND, "schema"),),
    "schema --asyncapi": ((*COMMAND, "schema", "--asyncapi"),),
    "schema --typescript": ((*COMMAND, "schema", "--typescript"),),
    "help of every verb": (("-P", "-c", PRINT_HELP),),
    "completion": tuple((*COMMAND, "--show-completion", shell) for shell in ("bash", "zsh", "fish")),
    "./dev help": (("dev", "help"),),
    "settings": (("-P", "-c", "from diskwars_server.settings import settings_table; print(settings_table())"),),
    "rules": tuple((*COMMAND, "rules", word) for word in SEEN_RULES),
}
"""Arguments of Python, run in each tree, for each kind of text."""
FILES: Mapping[str, tuple[str, ...]] = {
    "vectors": ("tests/vectors/*",),
    "golden files": ("tests/golden/**/*",),
    "samples of messages": ("tests/protocol/samples/**/*",),
    "pictures of the page": ("tests/browser/pictures/*",),
    "types of the page": ("clients/web/src/protocol/types.ts",),
}
"""Patterns of the files of each kind; programs in their folders are no output."""
IGNORED_FOLDERS = {".git", ".venv", "node_modules", "__pycache__"}


def main(words: list[str]) -> int:
    """Print a line for each kind and return 1 if any differs."""
    with check_out(words[0] if words else BASE) as before:
        kinds = {**compare_outputs(before, ROOT, OUTPUTS), **compare_files(before, ROOT, FILES)}
    for kind, difference in kinds.items():
        print(f"{kind}: {difference or 'same'}")
    return 1 if any(kinds.values()) else 0


@contextmanager
def check_out(revision: str) -> Iterator[Path]:
    """Check a revision of this repository out into a temporary folder."""
    git = ("git", "-C", str(ROOT), "worktree")
    with TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), revision], check=True)
        try:
            yield tree
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)


def compare_outputs(before: Path, after: Path, outputs: Mapping[str, tuple[tuple[str, ...], ...]]) -> dict[str, str]:
    """Return for each kind of text where it differs between two trees, or nothing."""
    return {
        kind: describe_outputs(
            [read_output(before, command) for command in commands],
            [read_output(after, command) for command in commands],
        )
        for kind, commands in outputs.items()
    }


def describe_outputs(before: Sequence[str], after: Sequence[str]) -> str:
    """Return how the texts of a kind differ, or that they cannot be had.

    A Python without the packages prints the same fault twice.
    """
    if difference := describe_difference("".join(before), "".join(after)):
        return difference
    failed = [text.splitlines()[-2:] for text in after if not text.endswith(f"{SUCCESS}\n")]
    return f"not to be had: {': '.join(failed[0])} (call it with .venv/bin/python)" if failed else ""


def read_output(tree: Path, command: tuple[str, ...]) -> str:
    """Run Python in a tree, with the packages of this tree, and return what it prints and its exit code."""
    folders = os.pathsep.join(str(tree / folder) for folder in PACKAGE_FOLDERS)
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": folders, "COLUMNS": "100", "LC_ALL": "C.UTF-8"}
    run = subprocess.run([sys.executable, *command], cwd=tree, env=environment, capture_output=True)
    lines = [line for line in run.stdout.decode().splitlines(keepends=True) if not is_code_place(line)]
    return "".join([*lines, run.stderr.decode().replace(str(tree), ""), f"exit code {run.returncode}\n"])


def is_code_place(line: str) -> bool:
    """Return whether a line of `diskwars rules` names a place in the code, which may move."""
    place = line.strip().partition(" ")[0]
    return line.startswith("    ") and "/" in place and ".py:" in place


def describe_difference(before: str, after: str) -> str:
    """Return the first lines that differ, or nothing."""
    lines = difflib.unified_diff(before.splitlines(keepends=True), after.splitlines(keepends=True), n=0)
    changed = [line for line in lines if not line.startswith(("---", "+++", "@@"))]
    return f"differs in {len(changed)} lines, first {changed[0][:160]!r}" if changed else ""


def compare_files(before: Path, after: Path, files: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return for each kind which files are missing, changed or new in the second tree, or nothing."""
    return {kind: "; ".join(describe_changes(before, after, patterns)) for kind, patterns in files.items()}


def describe_changes(before: Path, after: Path, patterns: tuple[str, ...]) -> Iterator[str]:
    old, new = read_digests(before, patterns), read_digests(after, patterns)
    left = {place: digest for place, digest in old.items() if place not in new}
    elsewhere = read_digests(after, ("**/*",)) if left else {}
    moved = {digest for place, digest in elsewhere.items() if not (before / place).exists()}
    if missing := sorted(place for place, digest in left.items() if digest not in moved):
        yield f"missing: {', '.join(missing)}"
    if changed := sorted(place for place in old.keys() & new.keys() if old[place] != new[place]):
        yield f"changed: {', '.join(changed)}"
    if added := sorted(place for place in new.keys() - old.keys() if new[place] not in left.values()):
        yield f"new: {', '.join(added)}"


def read_digests(tree: Path, patterns: tuple[str, ...]) -> dict[str, str]:
    """Return the digest of every file that fits one of the patterns, by its place in the tree."""
    places = {place for pattern in patterns for place in tree.glob(pattern) if place.suffix != ".py"}
    return {
        place.relative_to(tree).as_posix(): sha256(place.read_bytes()).hexdigest()
        for place in places
        if place.is_file() and not IGNORED_FOLDERS & set(place.relative_to(tree).parts)
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
