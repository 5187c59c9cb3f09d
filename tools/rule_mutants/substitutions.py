"""Substitutions of one value by a similar one: a sibling function, the list before its filter, the printed figure.

They compile and mostly run, so that only a position in which the two values differ tells them apart.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {"diskwars_engine": "server", "diskwars_protocol": "protocol"}
"""The folder of each package whose functions are replaced by siblings."""
FIGHTERS = frozenset({"fighter", "target", "enemy", "hero", "victim", "first", "other"})
FIGURES_OF_FIGHTERS = frozenset({"melee", "defence", "agility", "morale", "attacks", "injury", "pierce"})
"""Figures of a fighter of the pit that a card can make other than those printed on its profile."""
FIGURES_OF_DISKS = frozenset({"strength", "counter_strength", "toughness", "movement"})
"""Functions of `effective_stats` that return what is printed, changed by tokens and effects."""
SKIPPED_CALLS = ("Reason",)
"""Calls whose arguments explain an outcome and have no part in it."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Edit(NamedTuple):
    """The text of `node` becomes `replacement`."""

    node: ast.expr | ast.stmt | ast.pattern
    replacement: str
    kind: str


def substitutions_of(source: str, path: str, root: ast.stmt) -> Iterator[Edit]:
    """Yield the substitutions inside a function, in source order; none in a table."""
    if not isinstance(root, Function):
        return
    sources = dict(_filtered_names(root))
    board = _board_of(root)
    siblings = siblings_of(source)
    for node in _deciding_nodes(root.body):
        match node:
            case ast.Name(id=name, ctx=ast.Load()) if name in sources:
                yield Edit(node, sources[name], "filter bypassed")
            case ast.Call(func=function) if (name := _dotted(function)) in siblings:
                yield Edit(function, siblings[name], "sibling called")
            case ast.Call(func=ast.Attribute(value=ast.Name(id="effective_stats"), attr=figure), args=[where, disk]):
                if figure in FIGURES_OF_DISKS:
                    printed = f"{ast.unparse(where)}.profile({ast.unparse(disk)}).{figure}"
                    yield Edit(node, printed, "printed figure")
            case ast.Attribute(value=ast.Name(id=name), attr=figure, ctx=ast.Load()) if board and "/pit/" in path:
                if name in FIGHTERS and figure in FIGURES_OF_FIGHTERS:
                    yield Edit(node, f"{board}.profile({name}).{figure}", "printed figure")
            case _:
                pass


def _deciding_nodes(block: list[ast.stmt]) -> Iterator[ast.AST]:
    """Yield the nodes of statements in source order, without annotations, sentences, complaints and reasons."""
    for statement in block:
        yield from _deciding(statement)


def _deciding(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.JoinedStr | ast.Raise | ast.Assert):
        return
    if isinstance(node, ast.Call) and _dotted(node.func).split(".")[-1] in SKIPPED_CALLS:
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "args") and not isinstance(node, ast.Call):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _deciding(child)


def _dotted(node: ast.expr) -> str:
    """Return a name or `module.name` as it is written; an empty text for anything else."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id=module), attr=name):
            return f"{module}.{name}"
        case _:
            return ""


def _board_of(function: Function) -> str:
    """Return how a function refers to the board; an empty text where it has none."""
    names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    names |= {argument.arg for argument in function.args.args}
    return "board" if "board" in names else "resolution.board" if "resolution" in names else ""


def _filtered_names(function: Function) -> Iterator[tuple[str, str]]:
    """Yield each name that is bound once, to the items of another name that pass a test, and that other name."""
    stored = [node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    for node in ast.walk(function):
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.ListComp(
                    elt=ast.Name(id=item),
                    generators=[ast.comprehension(target=ast.Name(id=each), iter=ast.Name(id=whole), ifs=[_, *_])],
                ),
            ) if item == each and stored.count(name) == 1:
                yield name, whole
            case _:
                pass


# --- siblings


@lru_cache(maxsize=256)
def siblings_of(source: str) -> Mapping[str, str]:
    """Return for each function, as a file writes its calls, the next of its module with the same signature."""
    tree = ast.parse(source)
    found = dict(_sibling_names(tree))
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module and statement.level == 0:
            for alias in statement.names:
                if (file := _file_of(f"{statement.module}.{alias.name}")) is not None:
                    module = alias.asname or alias.name
                    names = _siblings_in(file)
                    found |= {f"{module}.{name}": f"{module}.{sibling}" for name, sibling in names if name[0] != "_"}
    return found


@cache
def _siblings_in(file: Path) -> tuple[tuple[str, str], ...]:
    return tuple(_sibling_names(ast.parse(file.read_text("utf-8"))))


def _file_of(module: str) -> Path | None:
    folder = PACKAGES.get(module.split(".")[0])
    file = ROOT / (folder or "") / f"{module.replace('.', '/')}.py"
    return file if folder is not None and file.is_file() else None


def _sibling_names(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield functions that take and return the same types as others of the module, each with the next of those."""
    groups: dict[str, list[str]] = {}
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef) and statement.returns is not None and statement.args.args:
            is_public = statement.name[0] != "_"
            types = [ast.unparse(argument.annotation) for argument in statement.args.args if argument.annotation]
            key = f"{is_public} {types} {ast.unparse(statement.returns)}"
            if len(types) == len(statement.args.args) and not statement.args.kwonlyargs:
                groups.setdefault(key, []).append(statement.name)
    for names in groups.values():
        if len(names) > 1:
            yield from zip(names, [*names[1:], names[0]], strict=True)
