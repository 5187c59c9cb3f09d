"""Identity of a bot: a digest of its source, by which results and reports of an earlier version are noticed."""

import ast
import hashlib
from collections.abc import Mapping
from pathlib import Path

import diskwars_bots
from diskwars_bots.rulesets.registry import BOTS, find_bots
from diskwars_cli.console.command import CommandError

DIGEST_DIGITS = 16
COMMON_FILES = ("chooser.py", "loader.py")
"""Modules that the bots of every ruleset depend on, beside the folder of their own."""
SEARCH_FOLDER = "search"
"""The search of every game that registers bots."""


def bot_identity(name: str, ruleset: str) -> str:
    """Return a digest of the source of a bot: its file, or for one that comes with the program, its ruleset's folder.

    What a file imports is not part of it. Raises CommandError if the file cannot be read.
    """
    path, colon, _ = name.rpartition(":")
    if find_bots(ruleset).find(name) is not None or not colon:
        package = Path(diskwars_bots.__file__ or "").parent
        common = COMMON_FILES if ruleset in BOTS else (*COMMON_FILES, "generic_bot.py")
        folders = [package / "rulesets" / ruleset, *([package / SEARCH_FOLDER] if ruleset in BOTS else [])]
        files = sorted([*(package / file for file in common), *(file for at in folders for file in at.rglob("*.py"))])
        return digest_of({str(file.relative_to(package)): file.read_bytes() for file in files})
    try:
        return digest_of({"": Path(path).read_bytes()})
    except OSError as fault:
        raise CommandError(f"{name}: {fault.strerror}") from None


def digest_of(files: Mapping[str, bytes]) -> str:
    """Return the first digits of a SHA-256 over names and code. Docstrings and comments are no part of a bot."""
    digest = hashlib.sha256()
    for name, source in files.items():
        content = code_of(source)
        digest.update(b"%s\0%d\0" % (name.encode(), len(content)))
        digest.update(content)
    return digest.hexdigest()[:DIGEST_DIGITS]


def code_of(source: bytes) -> bytes:
    """Return the lines of Python source that hold code; all of them if it is no Python.

    Lines are kept as they are written, because how a syntax tree prints depends on the version of Python.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return source
    lines = source.splitlines()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            first, last = node.lineno - 1, node.end_lineno or node.lineno
            lines[first:last] = [b""] * (last - first)
    return b"\n".join(line for line in lines if line.strip() and not line.strip().startswith(b"#"))
