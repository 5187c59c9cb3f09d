"""The rules that each place of the code obeys, and the mutations of those places."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from diskwars_content import rule_citations
from tools.rule_mutants.kernel import KERNEL
from tools.rule_mutants.mutations import Mutation, mutations_of
from tools.rule_mutants.substitutions import Function

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
    """Return the mutants of all places in the packages that cite a rule, file by file, then those of the kernel."""
    cited: dict[str, list[tuple[int, str]]] = {}
    for citation in rule_citations.citations_in_code():
        if citation.path.endswith(".py") and not citation.id.startswith("F"):
            cited.setdefault(citation.path, []).append((citation.line, citation.id))
    of_rules = [
        mutant
        for path, citations in sorted(cited.items())
        for mutant in mutants_of((ROOT / path).read_text("utf-8"), path, citations)
    ]
    known = {mutant.mutation.id for mutant in of_rules}
    return of_rules + [mutant for mutant in _kernel_mutants() if mutant.mutation.id not in known]


def _kernel_mutants() -> Iterator[Mutant]:
    """Yield the mutants of the match kernel, each of one pseudo-rule."""
    for part, (path, *_) in KERNEL.items():
        source = (ROOT / path).read_text("utf-8")
        for name, root, _ in _roots(ast.parse(source).body):
            for mutation in mutations_of(source, path, name, root):
                yield Mutant(mutation, frozenset({part}))


def mutants_of(source: str, path: str, citations: Iterable[tuple[int, str]]) -> Iterator[Mutant]:
    """Yield the mutants of one file; `citations` are pairs of a line and the id of a rule."""
    cited = list(citations)
    roots = list(_roots(ast.parse(source).body))
    places: dict[str, tuple[frozenset[str], list[Scope]]] = {}
    for name, root, header in roots:
        first = min([root.lineno, *(decorator.lineno for decorator in getattr(root, "decorator_list", ()))])
        inside = [(line, id) for line, id in cited if first <= line <= (root.end_lineno or first)]
        inherited = [id for line, id in cited if header and header.first <= line <= header.last]
        general, scopes = _scopes(root, inside)
        places[name] = frozenset(general) or frozenset(inherited), scopes
    of_helpers = _rules_of_helpers([(name, root) for name, root, _ in roots], places)
    for name, root, _ in roots:
        fallback, scopes = places[name]
        for mutation in mutations_of(source, path, name, root):
            special = frozenset(scope.rule for scope in scopes if scope.first <= mutation.line <= scope.last)
            if rules := special or fallback or of_helpers.get(name, frozenset()):
                yield Mutant(mutation, rules)


def _rules_of_helpers(
    roots: list[tuple[str, ast.stmt]], places: Mapping[str, tuple[frozenset[str], list[Scope]]]
) -> dict[str, frozenset[str]]:
    """Return, for each function that cites no rule, the rules of the places in its file that call it.

    Without this, a condition that has moved into a helper would have no mutants at all.
    """
    helpers = {name for name, root in roots if isinstance(root, Function) and places[name] == (frozenset(), [])}
    names = {("." * ("." in name)) + name.rpartition(".")[2]: name for name in helpers}
    callers: dict[str, set[tuple[str, int]]] = {name: set() for name in helpers}
    for name, root in roots:
        for node in ast.walk(root):
            called = (
                node.id if isinstance(node, ast.Name) else f".{node.attr}" if isinstance(node, ast.Attribute) else ""
            )
            if called in names and names[called] != name:
                callers[names[called]].add((name, getattr(node, "lineno", 0)))
    found: dict[str, frozenset[str]] = {}
    for _ in helpers:  # a helper that only helpers call needs a further pass
        known = dict(found)
        for helper in helpers:
            rules = [
                frozenset(scope.rule for scope in places[caller][1] if scope.first <= line <= scope.last)
                or places[caller][0]
                or known.get(caller, frozenset())
                for caller, line in callers[helper]
            ]
            found[helper] = frozenset().union(*rules)
        if found == known:
            break
    return found


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
    scopes = [scope for line, id in cited if line >= first for scope in _scopes_in_block(body, line, id, [])]
    return general, scopes


def _scopes_in_block(block: list[ast.stmt], line: int, id: str, branch: list[Scope]) -> list[Scope]:
    """Find the statement that a line belongs to: the one that it is in, or the next one below a comment.

    `branch` are the lines of the condition or pattern that leads to the block.
    """
    for statement in block:
        last = statement.end_lineno or statement.lineno
        if line > last:
            continue
        blocks = _blocks_of(statement)
        if line < statement.lineno or not blocks or line <= _header(statement, id).last:
            whole = Scope(statement.lineno, _end_of_branch(statement), id)
            return [whole, *branch] if not blocks else [whole]
        # The first block that ends below the line: a comment above an `else` or a `case` belongs to what follows.
        block = next(block for block in blocks if (block[-1].end_lineno or block[-1].lineno) >= line)
        return _scopes_in_block(block, line, id, _headers(statement, block, id))
    raise AssertionError(f"line {line} is below the block that was chosen for it")


def _blocks_of(statement: ast.stmt) -> list[list[ast.stmt]]:
    blocks = [block for name in ("body", "orelse", "finalbody") if (block := getattr(statement, name, None))]
    if isinstance(statement, ast.Match):
        blocks += [case.body for case in statement.cases]
    if isinstance(statement, ast.Try):
        blocks += [handler.body for handler in statement.handlers]
    return sorted(blocks, key=lambda block: block[0].lineno)


def _headers(statement: ast.stmt, block: list[ast.stmt], id: str) -> list[Scope]:
    """Return the lines that decide whether a block is reached: those of its `case`, or the condition of the statement.

    The subject of a `match` decides about every case and belongs to none.
    """
    for case in statement.cases if isinstance(statement, ast.Match) else ():
        if case.body is block:
            last = case.guard or case.pattern
            return [Scope(case.pattern.lineno, last.end_lineno or last.lineno, id)]
    return [_header(statement, id)]


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
