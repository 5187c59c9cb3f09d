"""Docstrings of classes and functions name what exists: their own fields and parameters, and things of the project."""

import ast
import builtins
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.code_sizes import walk_statements

pytestmark = pytest.mark.usefixtures("paused_garbage_search")

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("protocol", "server", "clients/python", "bench", "tools")
FILES = [file for folder in FOLDERS for file in sorted((ROOT / folder).rglob("*.py")) if ".venv" not in file.parts]
WORD = re.compile(r"`([A-Za-z_]\w*)`")
RAISES = re.compile(r"[Rr]aises? (?:an? )?`?([A-Z]\w+)`?")
LONGEST_LABEL = 60
"""Words of longer texts in the code are prose and define nothing."""

Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef

OTHER_WORDS = {
    "int": "a type, quoted from a message of msgspec",
    "isinstance": "of Python",
    "KeyError": "of Python",
    "LookupError": "of Python",
    "hello": "a message of the protocol",
    "match_started": "an event of the protocol",
    "match_opened": "an event of the protocol",
    "at_ms": "a field of the record that opened the decision",
    "after_end": "a value of MatchOptions.watchers",
    "round_later": "a value of MatchOptions.watchers",
    "none": "a value of MatchOptions.watchers",
    "branch_match": "the type of a message",
    "contact": "a value of the setting for pins",
    "over": "a phase",
    "ranged": "a value of Keyword.of",
    "both": "a value of Keyword.of",
    "disk_2": "an example of a generated name",
    "disk_3": "an example of a generated name",
    "disk": "a word of the notation, or an example of a generated name",
    "x3": "a number of copies in the notation",
    "in": "a unit in the notation",
    "mm": "a unit in the notation",
    "um": "a unit in the notation",
    "own": "a place in an override table",
    "Default": "a heading in docs/rules.md",
    "Option": "a heading in docs/rules.md",
    "greedy": "a bot",
    "nothing": "the null ruleset",
    "keys": "a table of the database",
    "Cover": "a keyword of terrain",
    "Dangerous": "a keyword of terrain",
    "Defensive": "a keyword of terrain",
    "Fortified": "a keyword of terrain",
    "Rough": "a keyword of terrain",
    "Cave": "a keyword of terrain",
    "Windmill": "a keyword of terrain",
}
"""Words that no definition introduces, each with what it is."""


def own_names(node: ast.AST) -> set[str]:
    """Return every name, attribute, parameter and word of a short text inside a definition."""
    names: set[str] = set()
    docstrings = {id(part.value) for part in ast.walk(node) if isinstance(part, ast.Expr)}
    for part in ast.walk(node):
        match part:
            case ast.Constant() if id(part) in docstrings:
                continue
            case ast.arg(arg=name) | ast.keyword(arg=str(name)) | ast.Name(id=name) | ast.Attribute(attr=name):
                names.add(name)
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.Constant(value=str(text)) if len(text) < LONGEST_LABEL:
                names |= set(re.findall(r"\w+", text))
    return names


def top_level_names(module: ast.Module) -> set[str]:
    names = {part.name for part in module.body if isinstance(part, Definition)}
    for part in module.body:
        if isinstance(part, ast.Assign | ast.AnnAssign):
            names |= {name.id for name in ast.walk(part) if isinstance(name, ast.Name)}
    return names


def defined_names(trees: dict[Path, ast.Module]) -> set[str]:
    """Return the names of all modules, classes, functions and imports of the project."""
    names = {part for file in trees for part in (file.stem, file.parent.name)}
    for tree in trees.values():
        for node in walk_statements(tree):
            if isinstance(node, Definition):
                names.add(node.name)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                names |= {(alias.asname or alias.name).split(".")[-1] for alias in node.names}
    return names


BUILT_IN = frozenset((*dir(builtins), "TimeoutExpired", "IncompleteReadError"))
"""Exceptions of Python: built in, of subprocess and of asyncio."""


@cache
def trees() -> dict[Path, ast.Module]:
    return {file: ast.parse(file.read_text("utf-8")) for file in FILES}


@cache
def defined() -> set[str]:
    return defined_names(trees())


def definitions(node: ast.AST, around: tuple[Definition, ...] = ()) -> Iterator[tuple[Definition, ...]]:
    """Yield each class and function after the classes around it."""
    for part in getattr(node, "body", ()):
        if isinstance(part, Definition):
            yield (*around, part)
            if isinstance(part, ast.ClassDef):
                yield from definitions(part, (*around, part))


def unknown_words(module: ast.Module) -> list[str]:
    faults = []
    top = top_level_names(module)
    for path in definitions(module):
        definition = path[-1]
        words = [word for word in WORD.findall(ast.get_docstring(definition) or "") if word not in top]
        words = [word for word in words if word not in defined() and word not in OTHER_WORDS]
        # Looked for last: nearly all words are found before, and to walk through every expression takes long.
        own = set[str]().union(*map(own_names, path)) if words else set()
        faults += [f"{definition.lineno}: {definition.name}: {word}" for word in words if word not in own]
    return faults


def unknown_exceptions(module: ast.Module) -> list[str]:
    faults = []
    for *_, definition in definitions(module):
        for name in RAISES.findall(ast.get_docstring(definition) or ""):
            if name not in defined() and name not in BUILT_IN:
                faults.append(f"{definition.lineno}: {definition.name}: raises {name}")
    return faults


def test_docstrings_name_what_exists() -> None:
    faults = [
        f"{file.relative_to(ROOT)}:{fault}"
        for file, tree in trees().items()
        for fault in (*unknown_words(tree), *unknown_exceptions(tree))
    ]
    assert faults == []


def test_old_names_are_found() -> None:
    module = ast.parse(
        'class Retry:\n    """From `first_pause` to `longest`. Raises Refusedly."""\n    longest: float\n'
        'def wait(limit: float) -> None:\n    """Wait for `limit`, at most `longest_limit`."""\n'
    )
    assert unknown_words(module) == ["1: Retry: first_pause", "4: wait: longest_limit"]
    assert unknown_exceptions(module) == ["1: Retry: raises Refusedly"]
