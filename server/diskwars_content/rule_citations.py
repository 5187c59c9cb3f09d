"""Citations of rules in code and tests, with their places.

Source files are read as text, never run.
"""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from msgspec import Struct

from diskwars_content import rule_register

ROOT = Path(__file__).parents[2]
"""The checkout that this file is in, if it is in one."""
PACKAGES = ("diskwars_protocol", "diskwars_engine", "diskwars_content", "diskwars_server")
"""Where rules are obeyed: the geometry and the words, the rules themselves, the figures, secrecy and chance."""
CODE_SUFFIXES = (".py", ".toml")
TABLE_LABEL = "a table of figures"
SAMPLE_MESSAGES_FILE = "examples.py"
"""Sample messages of the protocol: what they name they do not obey."""
RULE_TEST_FOLDERS = ("engine", "content", "protocol", "server")
"""Folders of tests that show rules; others may name one as they name a disk, to have something to print."""

NamedNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
LineSpan = tuple[int, int, str]
"""The first and last line of a definition, and its name."""


class Citation(Struct, frozen=True):
    """A rule named in a file; `name` is the function, class or table that names it, empty outside of any."""

    id: str
    path: str
    line: int
    name: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.name}".rstrip()

    @property
    def is_test(self) -> bool:
        return self.name.rpartition(".")[2].startswith("test_")


def package_folders() -> list[Path]:
    """Return the packages of the code, wherever they are installed."""
    here = Path(__file__).parents[1]
    beside = [here / name for name in PACKAGES]
    return [folder if folder.is_dir() else ROOT / "protocol" / folder.name for folder in beside]


def tests_folder() -> Path | None:
    """Return the folder of the tests; None where only the packages are installed."""
    folder = ROOT / "tests"
    return folder if (folder / "test_rules_register.py").is_file() else None


@cache
def citations_in_code() -> tuple[Citation, ...]:
    """Return where branches and tables of the code name rules."""
    found = [
        one for folder in package_folders() if folder.is_dir() for one in citations_in_folder(folder, CODE_SUFFIXES)
    ]
    return tuple(one for one in found if one.name and not one.path.endswith(f"/{SAMPLE_MESSAGES_FILE}"))


@cache
def citations_in_tests() -> tuple[Citation, ...]:
    """Return where named tests name rules."""
    folder = tests_folder()
    if folder is None:
        return ()
    return tuple(
        one for name in RULE_TEST_FOLDERS for one in citations_in_folder(folder / name, (".py",)) if one.is_test
    )


def citations_in_folder(folder: Path, suffixes: Iterable[str]) -> Iterator[Citation]:
    """Yield every rule named in the files of a folder."""
    start = ROOT if ROOT in folder.parents and tests_folder() else folder.parent
    for path in sorted(folder.rglob("*")):
        if path.suffix in suffixes:
            yield from citations_in_text(path.read_text("utf-8"), path.relative_to(start).as_posix())


def citations_in_text(text: str, path: str) -> Iterator[Citation]:
    """Yield every rule that the text of a file names, line by line."""
    spans = _named_spans(text) if path.endswith(".py") else None
    for number, line in enumerate(text.splitlines(), 1):
        found = rule_register.find_rule_ids(line) + rule_register.EXAMPLE_ID_PATTERN.findall(line)
        if found:
            name = TABLE_LABEL if spans is None else _enclosing_name(spans, number)
            yield from (Citation(id, path, number, name) for id in found)


def _enclosing_name(spans: list[LineSpan], line: int) -> str:
    """Return the innermost definition around a line."""
    around = [span for span in spans if span[0] <= line <= span[1]]
    return max(around)[2] if around else ""


def _named_spans(text: str) -> list[LineSpan]:
    found: list[LineSpan] = []
    _collect_spans(ast.parse(text).body, "", found)
    return found


def _collect_spans(body: list[ast.stmt], prefix: str, found: list[LineSpan]) -> None:
    """Functions and classes with their decorators; tables with the string below that explains them."""
    table = ""
    for statement in body:
        start, end = statement.lineno, statement.end_lineno or statement.lineno
        if isinstance(statement, NamedNode):
            name = prefix + statement.name
            found.append((min([start, *(one.lineno for one in statement.decorator_list)]), end, name))
            _collect_spans(statement.body, f"{name}.", found)
        elif isinstance(statement, ast.Assign | ast.AnnAssign) and not prefix:
            target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
            table = ast.unparse(target)
            found.append((start, end, table))
            continue
        elif table and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            found.append((start, end, table))
        table = ""
