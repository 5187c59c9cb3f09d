"""Small changes of a Python function, each of which a test should notice."""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from tools.rule_mutants.substitutions import SKIPPED_CALLS, Edit, Function, substitutions_of

COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
"""Each comparison as it is written, and its replacement."""
OPPOSITE = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)
"""Comparisons whose flip is their negation."""
SWAPPED = {"min": "max", "max": "min", "any": "all", "all": "any"}
EMPTY = {"list": "[]", "tuple": "()", "dict": "{}", "set": "set()", "frozenset": "frozenset()", "Iterator": "iter(())"}
"""The value that a function returns instead, by the annotation of its result."""
ARITHMETIC: dict[type[ast.operator], str] = {ast.Add: "-", ast.Sub: "+", ast.Mult: "//", ast.FloorDiv: "*"}
"""The operator that replaces each operator of arithmetic."""
CHANGED_TEXT = "!"
"""Appended to a text that decides something, so that it is equal to no other."""
UNRULED_REFUSALS = ("wrong_action",)
"""Refusals that cite no rule: which actions answer a question is a matter of the protocol."""


class Mutation(NamedTuple):
    """One change of a file, in the function or table of that qualified name.

    `start` and `end` are byte offsets; `around` is the text of the whole function or table.
    """

    path: str
    name: str
    is_table: bool
    line: int
    kind: str
    original: str
    replacement: str
    start: int
    end: int
    ordinal: int
    around: str

    @property
    def id(self) -> str:
        """A short name that stays the same while the function around keeps its name and the place its text."""
        parts = (self.path, self.name, self.kind, self.original, self.replacement, str(self.ordinal))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:8]

    def apply(self, source: str) -> str:
        """Return the changed text of the file. Raises ValueError if that is not the one with this mutation."""
        data = source.encode()
        if data[self.start : self.end].decode(errors="replace") != self.original:
            raise ValueError(f"{self.path} has changed since the mutants were listed")
        return (data[: self.start] + self.replacement.encode() + data[self.end :]).decode()


def mutations_of(source: str, path: str, name: str, root: ast.stmt) -> Iterator[Mutation]:
    """Yield every mutation inside a function, or of a table at the top of a module, in source order."""
    data = source.encode()
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    around = ast.unparse(root)
    seen: Counter[tuple[str, str, str]] = Counter()
    known: set[tuple[int, int, str]] = set()
    for edit in (*_edits(root), *substitutions_of(source, path, root)):
        node = edit.node
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        if (start, end, edit.replacement) in known:
            continue  # a negated condition is also a `not` that is dropped
        known.add((start, end, edit.replacement))
        original = data[start:end].decode()
        key = (edit.kind, original, edit.replacement)
        place = (path, name, not isinstance(root, Function), node.lineno)
        yield Mutation(*place, edit.kind, original, edit.replacement, start, end, seen[key], around)
        seen[key] += 1


def _edits(root: ast.stmt) -> Iterator[Edit]:
    if isinstance(root, Function):
        yield from _edits_of_block(root.body, _empty_result(root), {argument.arg for argument in root.args.args})
    elif isinstance(root, ast.Assign | ast.AnnAssign) and root.value is not None:
        yield from _edits_of_expression(root.value)


def _empty_result(function: Function) -> str:
    """Return what stands for nothing in the type that a function returns; an empty text where nothing does."""
    head = ast.unparse(function.returns).split("[")[0] if function.returns else ""
    return EMPTY.get(head, "")


# --- statements


def _edits_of_block(block: list[ast.stmt], empty: str, bound: set[str]) -> Iterator[Edit]:
    """`bound` holds the names that have a value already, so that a second assignment can be dropped."""
    for statement in block:
        if not _is_docstring(statement):
            yield from _edits_of_statement(statement, empty, bound)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _edits_of_statement(statement: ast.stmt, empty: str, bound: set[str]) -> Iterator[Edit]:
    if isinstance(statement, Function):
        yield from _edits_of_block(statement.body, _empty_result(statement), set(bound))
        return
    yield from _dropped(statement, bound)
    if isinstance(statement, ast.Return) and statement.value is not None:
        yield from _returned(statement.value, empty)
    if isinstance(statement, ast.If | ast.While):
        yield from _negated(statement.test)
    if isinstance(statement, ast.If):
        # Not the same as the negation: a test notices that quickly by what happens wherever the branch is not taken.
        yield Edit(statement.test, "False", "branch dropped")
    for case in statement.cases if isinstance(statement, ast.Match) else ():
        yield from _disabled(case)
    if not isinstance(statement, ast.Raise | ast.Assert):
        for expression in _own_expressions(statement):
            yield from _edits_of_expression(expression)
    targets = [statement.target] if isinstance(statement, ast.For) else []
    names = bound | {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}
    for block in _blocks(statement):
        yield from _edits_of_block(block, empty, set(names))
    bound |= {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _own_expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield the expressions of a statement, without those of the statements inside it and without annotations."""
    annotation = statement.annotation if isinstance(statement, ast.AnnAssign) else None
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.expr) and child is not annotation:
            yield child
        elif isinstance(child, ast.withitem):
            yield child.context_expr
        elif isinstance(child, ast.match_case) and child.guard is not None:
            yield child.guard


def _blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        if block := getattr(statement, name, None):
            yield block
    if isinstance(statement, ast.Match):
        yield from (case.body for case in statement.cases)
    if isinstance(statement, ast.Try):
        yield from (handler.body for handler in statement.handlers)


def _dropped(statement: ast.stmt, bound: set[str]) -> Iterator[Edit]:
    match statement:
        case ast.Expr(value=ast.Yield() | ast.YieldFrom()):
            yield Edit(statement, "yield from ()", "statement dropped")
        case ast.Expr(value=ast.Call(func=ast.Name(id="assert_never"))):
            pass  # the type checker proves that nothing comes here
        case ast.Raise(exc=ast.Call(func=ast.Name(id=name))) if name in UNRULED_REFUSALS:
            pass  # tests/engine/rulesets/diskwars/test_task_table.py sends wrong actions to every kind of question
        case ast.Assign(value=ast.JoinedStr()):
            pass  # a sentence for players; what it is raised or offered with stays
        case ast.Expr(value=ast.Call() | ast.Await()) | ast.AugAssign() | ast.Continue() | ast.Break() | ast.Raise():
            yield Edit(statement, "pass", "statement dropped")
        case ast.Assign(targets=[ast.Subscript() | ast.Attribute()]):
            yield Edit(statement, "pass", "statement dropped")
        case ast.Assign(targets=[ast.Name(id=name)]) if name in bound:
            yield Edit(statement, "pass", "statement dropped")
        case _:
            pass


def _returned(value: ast.expr, empty: str) -> Iterator[Edit]:
    text = ast.unparse(value)
    if empty and text != empty:
        yield Edit(value, empty, "result emptied")


def _negated(test: ast.expr) -> Iterator[Edit]:
    is_flipped_anyway = isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], OPPOSITE)
    if is_flipped_anyway:
        return
    text = ast.unparse(test)
    inner = test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else None
    yield Edit(test, f"({ast.unparse(inner)})" if inner else f"(not ({text}))", "condition negated")


def _disabled(case: ast.match_case) -> Iterator[Edit]:
    """Yield the change after which a case never applies, unless nothing or only a complaint is in it."""
    first = case.body[0]
    is_proof = isinstance(first, ast.Expr) and ast.unparse(first).startswith("assert_never(")
    if len(case.body) == 1 and (is_proof or isinstance(first, ast.Pass | ast.Raise)):
        return
    if case.guard is not None:
        yield Edit(case.guard, "False", "case disabled")
    else:
        yield Edit(case.pattern, f"{ast.unparse(case.pattern)} if False", "case disabled")


# --- expressions


def _edits_of_expression(expression: ast.expr) -> Iterator[Edit]:
    if isinstance(expression, ast.JoinedStr) or _is_explanation(expression):
        return
    yield from _changed(expression)
    for child in [expression.body] if isinstance(expression, ast.Lambda) else ast.iter_child_nodes(expression):
        if isinstance(child, ast.expr):
            yield from _edits_of_expression(child)
        elif isinstance(child, ast.keyword) and not _is_zip_check(expression, child):
            yield from _edits_of_expression(child.value)
        elif isinstance(child, ast.comprehension):
            yield from _edits_of_expression(child.iter)
            for test in child.ifs:
                yield from _negated(test)
                yield Edit(test, "True", "filter dropped")
                yield from _edits_of_expression(test)


def _is_zip_check(call: ast.expr, keyword: ast.keyword) -> bool:
    """Return whether a keyword makes `zip` check lengths, which finds faults of the program and decides nothing."""
    return isinstance(call, ast.Call) and ast.unparse(call.func) == "zip" and keyword.arg == "strict"


def _is_explanation(expression: ast.expr) -> bool:
    return isinstance(expression, ast.Call) and ast.unparse(expression.func).split(".")[-1] in SKIPPED_CALLS


def _changed(node: ast.expr) -> Iterator[Edit]:
    match node:
        case ast.IfExp(test=test):
            yield from _negated(test)
        case ast.BoolOp(op=op, values=values):
            word = " or " if isinstance(op, ast.And) else " and "
            text = word.join(f"({ast.unparse(value)})" for value in values)
            yield Edit(node, f"({text})", "and, or swapped")
            yield from _without_operands(node, values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield Edit(node, f"({ast.unparse(operand)})", "not dropped")
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            yield from _flipped(node, [left, *comparators], ops)
            yield from _changed_texts([left, *comparators])
        case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
            is_sum = isinstance(op, ast.Add | ast.Sub)
            first = ast.unparse(left) if is_sum else f"({ast.unparse(left)})"
            kind = "sign changed" if is_sum else "product and quotient swapped"
            yield Edit(node, f"({first} {ARITHMETIC[type(op)]} ({ast.unparse(right)}))", kind)
        case ast.Subscript(slice=ast.Constant(value=str(text)) as key):
            yield Edit(key, repr(text + CHANGED_TEXT), "text changed")
        case ast.Call(func=ast.Name(id=name) as function) if name in SWAPPED:
            yield Edit(function, SWAPPED[name], f"{name} became {SWAPPED[name]}")
        case ast.Constant(value=bool(value)):
            yield Edit(node, str(not value), "flag changed")
        case ast.Constant(value=int(value)):
            yield Edit(node, str(value + 1), "number off by one")
        case _:
            pass


def _without_operands(node: ast.BoolOp, values: list[ast.expr]) -> Iterator[Edit]:
    """Yield a mutation for each operand that is left out of a conjunction or disjunction."""
    word = " and " if isinstance(node.op, ast.And) else " or "
    for dropped in range(len(values)):
        text = word.join(f"({ast.unparse(value)})" for n, value in enumerate(values) if n != dropped)
        yield Edit(node, f"({text})", "operand dropped")


def _changed_texts(terms: list[ast.expr]) -> Iterator[Edit]:
    """Yield a mutation for each text that something is compared with, or looked for in."""
    for term in terms:
        for part in term.elts if isinstance(term, ast.Tuple | ast.Set | ast.List) else (term,):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield Edit(part, repr(part.value + CHANGED_TEXT), "text changed")


def _flipped(node: ast.expr, terms: list[ast.expr], operators: list[ast.cmpop]) -> Iterator[Edit]:
    """Yield a mutation for each operator of a chain."""
    texts = [f"({ast.unparse(term)})" for term in terms]
    for changed, operator in enumerate(operators):
        signs = [COMPARISONS[type(comparison)][n == changed] for n, comparison in enumerate(operators)]
        chain = texts[0] + "".join(f" {sign} {text}" for sign, text in zip(signs, texts[1:], strict=True))
        before, after = COMPARISONS[type(operator)]
        yield Edit(node, f"({chain})", f"{before} became {after}")
