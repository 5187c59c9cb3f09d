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
"""The packages that implement rules: geometry and vocabulary, rules, figures, secrecy and dice."""
CODE_SUFFIXES = (".py", ".toml")
TABLE_LABEL = "a table of figures"
SAMPLE_MESSAGES_FILE = "examples.py"
"""Sample messages of the protocol mention rules without implementing them."""
RULE_TEST_FOLDERS = ("engine", "content", "protocol", "server", "text")
"""Folders of tests that prove rules; other tests mention rules only as sample data."""

NamedNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
LineSpan = tuple[int, int, str]
"""The first and last line of a definition, and its name."""


class Citation(Struct, frozen=True):
    """A rule named in a file. `name` is the function, class or table that names it; empty outside of any."""

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
    """Return the folders of the packages in `PACKAGES`, installed or in a checkout."""
    packages_root = Path(__file__).parents[1]
    installed = [packages_root / name for name in PACKAGES]
    return [folder if folder.is_dir() else ROOT / "protocol" / folder.name for folder in installed]


def tests_folder() -> Path | None:
    """Return the folder of the tests, or None if only the packages are installed."""
    folder = ROOT / "tests"
    return folder if (folder / "docs/test_rules_register.py").is_file() else None


@cache
def citations_in_code() -> tuple[Citation, ...]:
    """Return every rule cited in a function, class or table of the packages."""
    citations = [
        citation
        for folder in package_folders()
        if folder.is_dir()
        for citation in citations_in_folder(folder, CODE_SUFFIXES)
    ]
    return tuple(
        citation for citation in citations if citation.name and not citation.path.endswith(f"/{SAMPLE_MESSAGES_FILE}")
    )


@cache
def citations_in_tests() -> tuple[Citation, ...]:
    """Return every rule cited in a test function."""
    folder = tests_folder()
    if folder is None:
        return ()
    return tuple(
        citation
        for name in RULE_TEST_FOLDERS
        for citation in citations_in_folder(folder / name, (".py",))
        if citation.is_test
    )


def citations_in_folder(folder: Path, suffixes: Iterable[str]) -> Iterator[Citation]:
    """Yield every rule named in the files of a folder that end in one of the suffixes."""
    start = ROOT if ROOT in folder.parents and tests_folder() else folder.parent
    for path in sorted(folder.rglob("*")):
        if path.suffix in suffixes:
            yield from citations_in_text(path.read_text("utf-8"), path.relative_to(start).as_posix())


def citations_in_text(text: str, path: str) -> Iterator[Citation]:
    """Yield every rule that the text of a file names, line by line."""
    if not _find_ids(text):
        return  # most files name none, and to parse one takes ten times as long as to search it
    spans = _named_spans(text) if path.endswith(".py") else None
    for number, line in enumerate(text.splitlines(), 1):
        if ids := _find_ids(line):
            name = TABLE_LABEL if spans is None else _enclosing_name(spans, number)
            yield from (Citation(id, path, number, name) for id in ids)


def _find_ids(text: str) -> list[str]:
    return rule_register.find_rule_ids(text) + rule_register.EXAMPLE_ID_PATTERN.findall(text)


def _enclosing_name(spans: list[LineSpan], line: int) -> str:
    """Return the name of the innermost definition around a line; empty if there is none."""
    enclosing = [span for span in spans if span[0] <= line <= span[1]]
    return max(enclosing)[2] if enclosing else ""


def _named_spans(text: str) -> list[LineSpan]:
    spans: list[LineSpan] = []
    _collect_spans(ast.parse(text).body, "", spans)
    return spans


def _collect_spans(body: list[ast.stmt], prefix: str, spans: list[LineSpan]) -> None:
    """Append the spans of functions and classes with their decorators, and of tables with the docstring below them."""
    table = ""
    for statement in body:
        start, end = statement.lineno, statement.end_lineno or statement.lineno
        if isinstance(statement, NamedNode):
            name = prefix + statement.name
            spans.append((min([start, *(decorator.lineno for decorator in statement.decorator_list)]), end, name))
            _collect_spans(statement.body, f"{name}.", spans)
        elif isinstance(statement, ast.Assign | ast.AnnAssign) and not prefix:
            target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
            table = ast.unparse(target)
            spans.append((start, end, table))
            continue
        elif table and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            spans.append((start, end, table))
        table = ""
