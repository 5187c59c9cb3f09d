"""Identity of a bot: a digest of its source, by which results and reports of an earlier version are noticed."""

import ast
import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

import diskwars_bots
from diskwars_bots.chooser import Chooser
from diskwars_bots.installed_bots import installed_bots, installed_file
from diskwars_bots.rulesets.registry import find_bots
from diskwars_bots.search.search_bot import SearchBot
from diskwars_cli.console.command import CommandError

DIGEST_DIGITS = 16
BOTS_PACKAGE = Path(diskwars_bots.__file__ or "").parent
SEARCH_MODULES = ("diskwars_bots.search.search_bot", "diskwars_bots.search.levels")
"""What every bot that searches runs, beside its game and its level, which the module `bots` of its ruleset names."""


def bot_identity(name: str, ruleset: str) -> str:
    """Return a digest of the source of a bot: its file, or for one that comes with the program, all that it imports.

    A bot that comes with the program is the modules of `diskwars_bots` that its own needs: a change of the search is
    none of a bot that does not search. What a file of the user imports is not part of it. Raises CommandError if the
    file cannot be read.
    """
    path, colon, _ = name.rpartition(":")
    chooser = find_bots(ruleset).find(name)
    if chooser is None and (entry := installed_bots(ruleset).get(name)) is not None:
        file = installed_file(entry)
        return digest_of({entry.value: b"" if file is None else file.read_bytes()})
    if chooser is not None or not colon:
        files = imported_files(_modules_of(chooser, ruleset))
        return digest_of({str(file.relative_to(BOTS_PACKAGE)): file.read_bytes() for file in files})
    try:
        return digest_of({"": Path(path).read_bytes()})
    except OSError as fault:
        raise CommandError(f"{name}: {fault.strerror}") from None


def _modules_of(chooser: Chooser | None, ruleset: str) -> tuple[str, ...]:
    """Return the names of the modules at which the source of a bot begins; all of the package where none is found."""
    if isinstance(chooser, SearchBot):
        return (*SEARCH_MODULES, f"diskwars_bots.rulesets.{ruleset}.bots")
    return ("diskwars_bots.rulesets.registry" if chooser is None else chooser.__module__,)


def imported_files(modules: Iterable[str]) -> list[Path]:
    """Return the files of these modules and of all that they import from `diskwars_bots`, sorted."""
    found: set[Path] = set()
    left = list(modules)
    while left:
        file = _file_of(left.pop())
        if file is not None and file not in found:
            found.add(file)
            left += _imports_of(file)
    return sorted(found)


def _file_of(module: str) -> Path | None:
    """Return the file of a module of `diskwars_bots`; None for a name that is no module there."""
    first, *names = module.split(".")
    file = BOTS_PACKAGE.joinpath(*names).with_suffix(".py")
    return file if first == diskwars_bots.__name__ and names and file.is_file() else None


def _imports_of(file: Path) -> list[str]:
    """Return the modules that a file may import: of `from package import name`, the package and the name in it."""
    modules: list[str] = []
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            modules += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            modules += [alias.name for alias in node.names]
    return modules


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
