"""Sizes of the code: every function and file measured, and the table at the end of a run."""

import ast
import os
import shutil
import statistics
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

PACKAGES = {
    "diskwars_protocol": ROOT / "protocol" / "diskwars_protocol",
    "diskwars_engine": ROOT / "server" / "diskwars_engine",
    "diskwars_content": ROOT / "server" / "diskwars_content",
    "diskwars_server": ROOT / "server" / "diskwars_server",
    "diskwars_client": ROOT / "clients" / "python" / "diskwars_client",
    "diskwars_text": ROOT / "clients" / "python" / "diskwars_text",
    "diskwars_bots": ROOT / "clients" / "python" / "diskwars_bots",
    "diskwars_rl": ROOT / "clients" / "python" / "diskwars_rl",
    "diskwars_cli": ROOT / "clients" / "python" / "diskwars_cli",
    "bench": ROOT / "bench",
    "tests": ROOT / "tests",
}

LONGEST_FUNCTION = 60
PROJECT_PACKAGES = ("target", "", "", "5-10", "30", "60", "-", "-", "2")

BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match)
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class MeasuredFunction:
    file: Path
    line: int
    name: str
    length: int
    nesting: int


@dataclass(frozen=True, eq=False)
class MeasuredModule:
    file: Path
    lines: int
    tree: ast.Module
    statements: tuple[ast.AST, ...]
    """Every one, however deep. To walk through the expressions as well takes ten times as long."""
    functions: tuple[MeasuredFunction, ...]

    def place(self, line: int) -> str:
        return f"{self.file.relative_to(ROOT)}:{line}"


@cache
def project_files() -> tuple[Path, ...]:
    """Return every file of the project: tracked by git, or new and not ignored; without git, every file."""
    if shutil.which("git") and (ROOT / ".git").exists():
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout.split(b"\0")
        files = {ROOT / os.fsdecode(name) for name in names if name}
    else:
        hidden = {".venv", ".git"}
        files = {file for file in ROOT.rglob("*") if not hidden & set(file.relative_to(ROOT).parts)}
    return tuple(sorted(file for file in files if file.is_file()))


@cache
def modules(package: str) -> tuple[MeasuredModule, ...]:
    folder = PACKAGES[package]
    return tuple(measure(file) for file in project_files() if file.suffix == ".py" and file.is_relative_to(folder))


def all_modules() -> tuple[MeasuredModule, ...]:
    return tuple(module for package in PACKAGES for module in modules(package))


def measure(file: Path) -> MeasuredModule:
    text = file.read_text(encoding="utf-8")
    tree = ast.parse(text, str(file))
    statements = tuple(walk_statements(tree))
    functions = tuple(
        MeasuredFunction(file, node.lineno, node.name, length_of(node), nesting_of(node.body))
        for node in statements
        if isinstance(node, FunctionNode)
    )
    return MeasuredModule(file, text.count("\n"), tree, statements, functions)


def walk_statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and every statement below it. Nine of ten nodes are expressions, which take long to walk through."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += child_statements(node)


def child_statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements right below one, and the handlers and cases that hold statements."""
    for name in ("body", "orelse", "handlers", "finalbody", "cases"):
        yield from getattr(node, name, ())


def length_of(node: FunctionNode) -> int:
    """Lines from `def` to the end; the docstring counts, decorators do not."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def nesting_of(body: Iterable[ast.AST]) -> int:
    """Return how deep blocks lie in blocks; `elif` is no deeper than its `if`, and inner functions stand apart."""
    return max((depth_of(node) for node in body), default=0)


def depth_of(node: ast.AST) -> int:
    if isinstance(node, FunctionNode | ast.ClassDef | ast.Lambda):
        return 0
    if not isinstance(node, BLOCKS):
        return nesting_of(child_statements(node))
    inner = [child for child in child_statements(node) if child not in is_chained(node)]
    return max(1 + nesting_of(inner), nesting_of(is_chained(node)))


def is_chained(node: ast.AST) -> list[ast.stmt]:
    """Return the `elif` of an `if`, which the tree holds one level deeper than it reads."""
    is_chain = isinstance(node, ast.If) and len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)
    return node.orelse if isinstance(node, ast.If) and is_chain else []


RULESETS = ("diskwars", "pit", "close_quarters", "regiments")
SIDES: dict[str, tuple[str, ...]] = {
    "protocol": ("diskwars_protocol",),
    "engine": ("diskwars_engine",),
    "content": ("diskwars_content",),
    "texts and client": ("diskwars_text", "diskwars_client"),
    "bots": ("diskwars_bots",),
    "environments": ("diskwars_rl",),
    "command": ("diskwars_cli",),
}
"""The packages that a ruleset has folders in, as columns of the table."""


def ruleset_table() -> str:
    """Return a table with the files and the lines that each ruleset has on each side, and in tests."""
    lines = [f"| ruleset | {' | '.join((*SIDES, 'tests', 'all'))} |", f"|---{'|--:' * (len(SIDES) + 2)}|"]
    for ruleset in RULESETS:
        columns = [ruleset_files(ruleset, packages) for packages in SIDES.values()] + [ruleset_tests(ruleset)]
        every = [file for column in columns for file in column]
        lines.append(f"| `{ruleset}` | {' | '.join(map(files_text, (*columns, every)))} |")
    return "\n".join(lines) + "\n"


def files_text(files: Sequence[Path]) -> str:
    """Return the number of files, and of their lines in hundreds."""
    count = sum(file.read_text(encoding="utf-8").count("\n") for file in files)
    return f"{len(files)}: {round(count, -2):,}" if files else "-"


def ruleset_files(ruleset: str, packages: Iterable[str]) -> list[Path]:
    """Return the files of a ruleset's folders: code and packs; without those that hold a docstring only."""
    folders = [PACKAGES[package] / "rulesets" / ruleset for package in packages]
    return [
        file
        for file in project_files()
        if file.suffix in (".py", ".toml") and any(file.is_relative_to(folder) for folder in folders)
        if file.read_text(encoding="utf-8").count("\n") > 1
    ]


def ruleset_tests(ruleset: str) -> list[Path]:
    """Return the files of tests that import this ruleset and no other."""
    return [module.file for module in modules("tests") if imported_rulesets(module) == {ruleset}]


@cache
def imported_rulesets(module: MeasuredModule) -> frozenset[str]:
    """Return the rulesets whose folders, or whose modules of tests, a file imports from."""
    names = [
        f"{node.module}.{alias.name}"
        for node in module.statements
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    ]
    return frozenset(
        ruleset
        for ruleset in RULESETS
        for name in names
        if f".rulesets.{ruleset}" in name or (name.startswith("tests.") and f".{ruleset}_" in name)
    )


def percentile(figures: Sequence[int], part: float) -> int:
    return sorted(figures)[max(0, min(len(figures) - 1, int(len(figures) * part)))]


def table() -> str:
    rows: list[tuple[str, ...]] = [
        ("", "files", "lines", "median", "90 %", "longest", "90 %", "longest", "deepest"),
        PROJECT_PACKAGES,
    ]
    rows += [row(package, modules(package)) for package in PACKAGES if modules(package)]
    code = sum(module.lines for package in PACKAGES if package != "tests" for module in modules(package))
    tests = sum(module.lines for module in modules("tests"))
    widths = [max(len(line[column]) for line in rows) for column in range(len(rows[0]))]
    groups = " " * (widths[0] + widths[1] + widths[2] + 6) + "functions".ljust(sum(widths[3:6]) + 6) + "files"
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in rows]
    return "\n".join([groups, *lines, f"lines of tests for each line of code: {tests / max(1, code):.2f}"])


def row(package: str, measured: Sequence[MeasuredModule]) -> tuple[str, ...]:
    lengths = [function.length for module in measured for function in module.functions] or [0]
    lines = [module.lines for module in measured]
    deepest = max((function.nesting for module in measured for function in module.functions), default=0)
    figures = [len(measured), sum(lines), int(statistics.median(lengths)), percentile(lengths, 0.9), max(lengths)]
    figures += [percentile(lines, 0.9), max(lines), deepest]
    return (package, *map(str, figures))


def walk_all(package: str) -> Iterator[tuple[MeasuredModule, ast.AST]]:
    for module in modules(package):
        for node in ast.walk(module.tree):
            yield module, node
