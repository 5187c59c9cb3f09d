"""The rules that each place of the code obeys, and the mutations of those places."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from diskwars_content import rule_citations
from tools.rule_mutants.mutations import Function, Mutation, mutations_of

ROOT = Path(__file__).resolve().parents[2]


class Mutant(NamedTuple):
    """A mutation and the rules cited where it is: by the statement or its branch, otherwise by the function."""

    mutation: Mutation
    rules: frozenset[str]


class Scope(NamedTuple):
    """The lines from `first` to `last` obey a rule."""

    first: int
    last: int
    rule: str


def find_mutants() -> list[Mutant]:
    """Return the mutants of all places in the packages that cite a rule, file by file."""
    cited: dict[str, list[tuple[int, str]]] = {}
    for citation in rule_citations.citations_in_code():
        if citation.path.endswith(".py") and not citation.id.startswith("F"):
            cited.setdefault(citation.path, []).append((citation.line, citation.id))
    return [
        mutant
        for path, citations in sorted(cited.items())
        for mutant in mutants_of((ROOT / path).read_text("utf-8"), path, citations)
    ]


def mutants_of(source: str, path: str, citations: Iterable[tuple[int, str]]) -> Iterator[Mutant]:
    """Yield the mutants of one file; `citations` are pairs of a line and the id of a rule."""
    cited = list(citations)
    for name, root, header in _roots(ast.parse(source).body):
        first = min([root.lineno, *(one.lineno for one in getattr(root, "decorator_list", ()))])
        inside = [(line, id) for line, id in cited if first <= line <= (root.end_lineno or first)]
        inherited = [id for line, id in cited if header and header.first <= line <= header.last]
        general, scopes = _scopes(root, inside)
        fallback = frozenset(general) or frozenset(inherited)
        for mutation in mutations_of(source, path, name, root):
            special = frozenset(scope.rule for scope in scopes if scope.first <= mutation.line <= scope.last)
            if rules := special or fallback:
                yield Mutant(mutation, rules)


def _roots(
    body: list[ast.stmt], prefix: str = "", header: Scope | None = None
) -> Iterator[tuple[str, ast.stmt, Scope | None]]:
    """Yield functions, methods and tables, each with its name and the lines of the docstring of its class."""
    for n, statement in enumerate(body):
        if isinstance(statement, Function):
            yield prefix + statement.name, statement, header
        elif isinstance(statement, ast.ClassDef):
            last = statement.body[0].end_lineno if _has_docstring(statement) else statement.lineno
            lines = Scope(statement.lineno, last or statement.lineno, "")
            yield from _roots(statement.body, f"{prefix}{statement.name}.", lines)
        elif isinstance(statement, ast.Assign | ast.AnnAssign) and not prefix:
            below = body[n + 1] if n + 1 < len(body) else None
            is_described = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
            target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
            yield (
                ast.unparse(target),
                statement,
                Scope(below.lineno, below.end_lineno or 0, "") if below and is_described else None,
            )


def _has_docstring(node: ast.ClassDef | Function) -> bool:
    return ast.get_docstring(node, clean=False) is not None


def _scopes(root: ast.stmt, cited: list[tuple[int, str]]) -> tuple[list[str], list[Scope]]:
    """Return the rules of a whole function or table, and the scopes of those cited beside a part of it."""
    if not isinstance(root, Function):
        # A row of a table obeys the rules cited on its line.
        return [id for _, id in cited], [Scope(line, line, id) for line, id in cited]
    body = root.body[1:] if _has_docstring(root) else root.body
    first = (root.body[0].end_lineno or root.lineno) + 1 if _has_docstring(root) else root.body[0].lineno
    general = [id for line, id in cited if line < first]
    scopes = [scope for line, id in cited if line >= first for scope in _scopes_in_block(body, line, id, None)]
    return general, scopes


def _scopes_in_block(block: list[ast.stmt], line: int, id: str, parent: ast.stmt | None) -> list[Scope]:
    """Find the statement that a line belongs to: the one that it is in, or the next one below a comment."""
    for statement in block:
        last = statement.end_lineno or statement.lineno
        if line > last:
            continue
        branch = [_header(parent, id)] if parent is not None else []
        inner = [one for one in _blocks_of(statement) if one[0].lineno <= line or _is_above(one, statement, line)]
        if line < statement.lineno or not inner or line <= _header(statement, id).last:
            whole = Scope(statement.lineno, _end_of_branch(statement), id)
            return [whole, *branch] if not _blocks_of(statement) else [whole]
        return _scopes_in_block(inner[-1], line, id, statement)
    # A comment at the end of a block, as above a `case` or an `else`, belongs to the branch.
    return [_header(parent, id)] if parent is not None else []


def _blocks_of(statement: ast.stmt) -> list[list[ast.stmt]]:
    blocks = [block for name in ("body", "orelse", "finalbody") if (block := getattr(statement, name, None))]
    if isinstance(statement, ast.Match):
        blocks += [case.body for case in statement.cases]
    if isinstance(statement, ast.Try):
        blocks += [handler.body for handler in statement.handlers]
    return sorted(blocks, key=lambda block: block[0].lineno)


def _is_above(block: list[ast.stmt], statement: ast.stmt, line: int) -> bool:
    """Return whether a line is a comment between the header of a block and its first statement."""
    return _header(statement, "").last < line < block[0].lineno


def _header(statement: ast.stmt, id: str) -> Scope:
    """Return the lines of a condition, without the block below."""
    test = getattr(statement, "test", None) or getattr(statement, "iter", None) or getattr(statement, "subject", None)
    last = (test.end_lineno if test is not None else None) or statement.lineno
    return Scope(statement.lineno, last if _blocks_of(statement) else statement.end_lineno or last, id)


def _end_of_branch(statement: ast.stmt) -> int:
    """Return the last line that a citation at the head of a statement covers: of a condition, its own block only."""
    if isinstance(statement, ast.If):
        return statement.body[-1].end_lineno or statement.lineno
    return statement.end_lineno or statement.lineno
