"""Structure of the code: sizes, names, purity and places, measured over every file of the project.

pyproject.toml says who may import whom and `./dev lint` checks it; this file covers what an import checker cannot see.
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import pytest

from diskwars_protocol.rulesets.registry import RULESETS
from tests import code_sizes
from tests.code_sizes import PACKAGES, ROOT, FunctionNode, all_modules, project_files, walk_all, walk_statements
from tests.golden_files import assert_golden
from tests.rows import each_row

PURE = ("diskwars_protocol", "diskwars_engine")
DIGEST_MODULES = {"fairness.py", "figures.py", "records.py", "sealed.py"}
IMPURE = {"asyncio", "time", "datetime", "random", "secrets", "os", "socket", "logging", "hashlib", "hmac"}

FILE_NAMES_THAT_SAY_NOTHING = {"util", "utils", "common", "helper", "helpers", "base", "core", "manager", "service"}
FUNCTION_NAMES_THAT_SAY_NOTHING = re.compile(r"_*(manage|perform)_")

# Written in pieces, because this file is searched too.
HOSTS = (
    "py" + "pi.org",
    "python" + "hosted",
    "registry.npm" + "js",
    "deb.de" + "bian",
    "crates" + ".io",
    "proxy.go" + "lang",
)
MACHINE_PATH = re.compile(r"(?<![\w.$}~/-])/(?:h" + "ome|r" + "oot|t" + "mp|w" + "ork|f" + "arm|U" + r"sers)/")
MARKS_OF_UNFINISHED_WORK = re.compile(r"\b(TO" + "DO|FIX" + "ME|XX" + r"X)\b")


LISTING_PACKAGES = frozenset(
    PACKAGES[name] for name in ("diskwars_server", "diskwars_protocol", "diskwars_cli", "bench")
)
"""Packages whose docstring has to list what is inside; others may."""

# Whichever test comes first reads all of the code.
pytestmark = [pytest.mark.timeout(180), pytest.mark.usefixtures("paused_garbage_search")]


def format_breaches(breaches: Iterable[str]) -> str:
    return "\n  ".join(["", *sorted(breaches)])


def lines_with(pattern: re.Pattern[str]) -> list[str]:
    """Return the lines of all texts of the project in which something is found, each with its place.

    Whole files are searched first: few hold any, and some have a hundred thousand lines to split.
    """
    found = []
    for file in project_files():
        if b"\0" in (content := file.read_bytes()) or not pattern.search(text := content.decode("utf-8")):
            continue
        lines = enumerate(text.splitlines(), 1)
        place = file.relative_to(ROOT)
        found += [f"{place}:{number} {line.strip()[:100]}" for number, line in lines if pattern.search(line)]
    return found


MAX_METHODS, MAX_OWN_IMPORTS, MAX_MODULES = 30, 25, 25

WIDE_CLASSES: dict[str, str] = {
    "clients/python/diskwars_text/rulesets/diskwars/narration.py::_Narrator": "one method for each kind of event",
    "clients/python/diskwars_text/rulesets/diskwars/parser.py::_PositionParser": "one method a word",
    "server/diskwars_server/connections/game_socket.py::GameSocket": (
        "callbacks of asyncio and of the library on one object, and the reading that all of them start or stop"
    ),
    "server/diskwars_server/store/postgres/database.py::PostgresDatabase": "one property for each port of the store",
    "tests/engine/rulesets/diskwars/positions.py::ScriptedPosition": "one method for each thing a test can do or ask",
}
"""Classes with more methods than `MAX_METHODS`, each with the reason."""
WIDE_MODULES: dict[str, str] = {
    "protocol/diskwars_protocol/schema/examples.py": "one sample of every message of every topic",
    "server/diskwars_server/session/requests.py": "joins the rows of every service",
    "server/diskwars_server/store/postgres/database.py": "makes every port, one module each",
    "server/diskwars_server/app.py": "composition root: it alone makes the parts of every package",
}
"""Modules that import more modules of their own package than `MAX_OWN_IMPORTS`, each with the reason."""
SHARED_NAMES: dict[str, str] = {
    "ListFilter": "what the SDK's users write, and what the store makes of the request",
    "Openings": "the wire's word for opened seals, and the service that opens matches",
    "PlayedMatch": "one of a league, and one of the benchmarks",
}
"""Names of several classes outside the rulesets, each with the reason."""
WIDE_FOLDERS: dict[str, str] = {
    "clients/python/diskwars_client": "programs import its modules by these names, a module a concept of the SDK",
    "protocol/diskwars_protocol/messages": "a module a topic of the wire, which none leaves",
    "server/diskwars_server/store": "a module a port, and the rules that all its databases share",
    "server/diskwars_server/store/postgres": "a module a port of the store, and what they share",
    "server/diskwars_server/store/postgres/migrations/versions": "a module a change of the tables, and none goes",
    "tests/client": "a test a module of the SDK",
    "tests/docs": "a test a page",
}
"""Folders with more modules than `MAX_MODULES`, each with the reason."""


def test_no_class_has_more_than_thirty_methods() -> None:
    wide = {
        f"{module.file.relative_to(ROOT)}::{node.name}"
        for module in all_modules()
        for node in module.statements
        if isinstance(node, ast.ClassDef) and sum(isinstance(part, FunctionNode) for part in node.body) > MAX_METHODS
    }
    assert wide == set(WIDE_CLASSES), format_breaches(wide ^ set(WIDE_CLASSES))


def test_class_has_a_name_of_its_own() -> None:
    """Within the rulesets each has its `Action` and its `Board`."""
    places: dict[str, set[str]] = {}
    for module in all_modules():
        path = module.file.relative_to(ROOT)
        if path.parts[0] != "tests" and "rulesets" not in path.parts:
            for node in module.statements:
                if isinstance(node, ast.ClassDef):
                    places.setdefault(node.name, set()).add(str(path))
    shared = {name for name, files in places.items() if len(files) > 1}
    assert shared == set(SHARED_NAMES), format_breaches(shared ^ set(SHARED_NAMES))


def test_no_module_imports_more_than_twenty_five_of_its_own_package() -> None:
    wide = set()
    for module in all_modules():
        package = next(name for name, folder in PACKAGES.items() if module.file.is_relative_to(folder))
        if package != "tests" and len(own_imports(module.statements, package)) > MAX_OWN_IMPORTS:
            wide.add(str(module.file.relative_to(ROOT)))
    assert wide == set(WIDE_MODULES), format_breaches(wide ^ set(WIDE_MODULES))


def own_imports(statements: Iterable[ast.AST], package: str) -> set[str]:
    """Return the modules of a package that a file imports."""
    modules = set()
    for node in statements:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == package:
            modules |= {
                full if is_own_module(full := f"{node.module}.{name.name}") else node.module for name in node.names
            }
    return modules


def test_no_folder_has_more_than_twenty_five_modules() -> None:
    counts = Counter(module.file.parent for module in all_modules() if module.file.name != "__init__.py")
    page = [file for part in ("src", "tests") for file in (ROOT / "clients" / "web" / part).rglob("*")]
    counts.update(file.parent for file in page if file.suffix in (".ts", ".js", ".svelte"))
    assert len(page) > 300, "the page is somewhere else"
    wide = {str(folder.relative_to(ROOT)) for folder, count in counts.items() if count > MAX_MODULES}
    assert wide == set(WIDE_FOLDERS), format_breaches(wide ^ set(WIDE_FOLDERS))


def test_no_function_is_longer_than_sixty_lines() -> None:
    every = [(module, function) for module in all_modules() for function in module.functions]
    long = [
        f"{module.place(function.line)} {function.name} has {function.length}"
        for module, function in every
        if function.length > code_sizes.LONGEST_FUNCTION
    ]
    assert not long, format_breaches(long)


def test_engine_and_protocol_know_whole_numbers_only() -> None:
    breaches = []
    for module, node in [pair for package in PURE for pair in walk_all(package)]:
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            breaches.append(f"{module.place(node.lineno)} {node.value}")
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            breaches.append(f"{module.place(node.lineno)} true division; // or a comparison of products is exact")
    assert not breaches, format_breaches(breaches)


def test_engine_and_protocol_import_themselves_msgspec_and_harmless_parts_of_python() -> None:
    ours = {"diskwars_protocol", "diskwars_engine", "msgspec"}
    allowed = (sys.stdlib_module_names - IMPURE) | ours
    breaches = []
    for module, node in [pair for package in PURE for pair in walk_all(package)]:
        more = {"hashlib", "hmac"} if module.file.name in DIGEST_MODULES else set()
        breaches += [f"{module.place(line)} {name}" for name, line in imported(node) if name not in allowed | more]
    assert not breaches, format_breaches(breaches)


def imported(node: ast.AST) -> list[tuple[str, int]]:
    """Return the top-level names that a statement imports; `__future__` and relative imports are harmless."""
    if isinstance(node, ast.Import):
        return [(alias.name.split(".")[0], node.lineno) for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [(node.module.split(".")[0], node.lineno)]
    return []


def test_file_and_folder_names_say_what_is_inside() -> None:
    python = [file.relative_to(ROOT) for file in project_files() if file.suffix == ".py"]
    vague = [str(file) for file in python if {file.stem, file.parent.name} & FILE_NAMES_THAT_SAY_NOTHING]
    assert not vague, format_breaches(vague)


def test_function_names_are_verbs_that_say_something() -> None:
    vague = [
        f"{module.place(function.line)} {function.name}"
        for module in all_modules()
        for function in module.functions
        if FUNCTION_NAMES_THAT_SAY_NOTHING.match(function.name)
    ]
    assert not vague, format_breaches(vague)


def test_every_module_begins_with_a_docstring() -> None:
    silent = [module.place(1) for module in all_modules() if not ast.get_docstring(module.tree)]
    assert not silent, format_breaches(silent)


MODULE_ROW = re.compile(r"^- `(\w+)`: ", re.MULTILINE)


def test_docstring_of_a_package_lists_its_modules() -> None:
    """Registries and rulesets are packages of few modules, which their own docstrings describe."""
    wrong = []
    for module in all_modules():
        folder = module.file.parent
        listed = MODULE_ROW.findall(ast.get_docstring(module.tree) or "")
        if module.file.name != "__init__.py" or not (listed or folder in LISTING_PACKAGES):
            continue
        entries = {entry.stem for entry in folder.iterdir() if is_module_or_package(entry)}
        if sorted(entries) != sorted(listed):
            wrong.append(f"{module.place(1)} {sorted(entries ^ set(listed))}")
    assert not wrong, format_breaches(wrong)


def is_module_or_package(entry: Path) -> bool:
    return (entry.suffix == ".py" and entry.stem != "__init__") or (entry / "__init__.py").is_file()


TREE = re.compile(r"(<!-- tree -->\n)(.*?)<!-- end -->", re.DOTALL)
TREE_ROOTS = (
    "protocol",
    "server",
    "clients/python",
    "clients/web/src",
    "bench",
    "tests",
    "tools",
)
LONGEST_TREE_TEXT = 92


def folder_tree() -> str:
    """Return the folders of code, three levels deep, with what their docstrings say that they are."""
    lines = []
    for root in TREE_ROOTS:
        lines.append(f"{root}/")
        for folder in code_folders(ROOT / root):
            lines.append(tree_line("  ", folder))
            if root not in ("clients/web/src", "tests"):
                lines += [tree_line("    ", inner) for inner in code_folders(folder)]
    return "```\n" + "\n".join(lines) + "\n```\n"


def code_folders(folder: Path) -> list[Path]:
    """Return the folders in one that have files of the project, sorted."""
    return sorted(below for below in folders_with_code() if below.parent == folder)


@cache
def folders_with_code() -> frozenset[Path]:
    """Return every folder that has a file of code in it, however deep."""
    code = (".py", ".ts", ".js", ".svelte")
    return frozenset(folder for file in project_files() if file.suffix in code for folder in file.parents)


def tree_line(indent: str, folder: Path) -> str:
    name, init = f"{indent}{folder.name}/", folder / "__init__.py"
    docstring = (ast.get_docstring(ast.parse(init.read_text("utf-8"))) or "") if init.is_file() else ""
    text = first_sentence(docstring).rstrip(".")
    if len(text) > LONGEST_TREE_TEXT:
        text = re.sub(rf"(.{{,{LONGEST_TREE_TEXT}}})[:;,].*", r"\1", text)
    return f"{name:28}{text}".rstrip()


def first_sentence(docstring: str) -> str:
    paragraph = " ".join(docstring.split("\n\n")[0].split())
    return re.split(r"(?<=\.) (?=[A-Z`])", paragraph)[0]


def test_architecture_page_shows_the_tree_of_folders() -> None:
    page = ROOT / "docs" / "architecture.md"
    text = page.read_text("utf-8")
    (found,) = TREE.finditer(text)
    assert_golden(page, f"{text[: found.start(2)]}{folder_tree()}{text[found.end(2) :]}")


RULESET_TABLE = re.compile(r"(<!-- rulesets -->\n)(.*?)<!-- end -->", re.DOTALL)
SIZE = re.compile(r"\d[\d,]*")


def test_architecture_page_has_the_sizes_of_every_ruleset() -> None:
    """A size may have changed by a tenth before the page has to be written again."""
    assert tuple(RULESETS) == code_sizes.RULESETS
    page = ROOT / "docs" / "internals.md"
    text, table = page.read_text("utf-8"), code_sizes.ruleset_table()
    (found,) = RULESET_TABLE.finditer(text)
    if not have_similar_sizes(found[2], table):
        assert_golden(page, f"{text[: found.start(2)]}{table}{text[found.end(2) :]}")


def have_similar_sizes(one: str, other: str) -> bool:
    """Return whether two tables differ in nothing but numbers, and in those by a tenth at most."""
    if SIZE.sub("", one) != SIZE.sub("", other):
        return False
    pairs = zip(SIZE.findall(one), SIZE.findall(other), strict=True)
    numbers = [(int(a.replace(",", "")), int(b.replace(",", ""))) for a, b in pairs]
    return all(abs(a - b) <= max(1, a // 10, 100 * (a >= 100)) for a, b in numbers)


@each_row(
    ("shown", "is_similar"),
    [
        ("| 8: 1,900 |", True),
        ("| 9: 2,000 |", True),
        ("| 8: 2,200 |", False),
        ("| 11: 1,900 |", False),
        ("| - |", False),
    ],
)
def test_sizes_are_similar_within_a_tenth(shown: str, is_similar: bool) -> None:
    assert have_similar_sizes("| 8: 1,900 |", shown) == is_similar


FOR_AUTHORS_OF_BOTS = {"catch_chance"}
FOR_RESEARCHERS = {"ParallelEnvironment"}
"""Environments that programs of others make: docs/research.md."""
FOR_TESTS = {
    "settings_table": "the table in docs/operating.md",
    "format_position": "positions in the notation that the product reads; tests and transcripts write them",
}
QUALIFIED_NAME = re.compile(r"[\w.:]+")


def names_used_by(tree: ast.Module) -> set[str]:
    """Return what the code of a module names, also in imports and in strings that are names; words of texts are not."""
    used = set[str]()
    for node in ast.walk(tree):
        match node:
            case ast.Name(name) | ast.Attribute(attr=name):
                used.add(name)
            case ast.ImportFrom() | ast.Import():
                used.update(alias.name.rpartition(".")[2] for alias in node.names)
            case ast.Constant(str(text)) if QUALIFIED_NAME.fullmatch(text):
                used.update(re.findall(r"\w+", text))
    return used


def is_verb(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    calls = [decorator.func for decorator in node.decorator_list if isinstance(decorator, ast.Call)]
    return any(isinstance(called, ast.Attribute) and called.attr in ("command", "group") for called in calls)


def test_everything_that_the_product_defines_is_used_outside_of_tests() -> None:
    """Functions and classes of modules; methods are called by libraries too, which are not named here.

    A verb of the command is used by the decorator that adds it, such as `@diskwars.command()`.
    """
    parsed = {module.file: module.tree for module in all_modules()}
    files = [file for file in project_files() if file.suffix == ".py" and ROOT / "tests" not in file.parents]
    used = set[str]().union(*(names_used_by(parsed.get(file) or ast.parse(file.read_text("utf-8"))) for file in files))
    unused = {
        node.name
        for package in PACKAGES
        if package.startswith("diskwars_")
        for module in code_sizes.modules(package)
        for node in module.tree.body
        if isinstance(node, FunctionNode | ast.ClassDef) and not is_verb(node) and node.name not in used
    }
    assert unused == FOR_AUTHORS_OF_BOTS | FOR_RESEARCHERS | set(FOR_TESTS)


@each_row(
    ("code", "is_used"),
    [
        ("folded(1)", True),
        ("match.folded", True),
        ("from m import folded as f", True),
        ('load("m:folded")', True),
        ("# a board is folded", False),
        ('say("a board is folded")', False),
        ("def folded(): ...", False),
    ],
)
def test_name_is_used_by_code_and_not_by_prose(code: str, is_used: bool) -> None:
    assert ("folded" in names_used_by(ast.parse(code))) is is_used


def test_every_package_carries_its_types() -> None:
    untyped = [
        name
        for name, folder in PACKAGES.items()
        if name not in ("bench", "tests") and not (folder / "py.typed").is_file()
    ]
    assert not untyped


def test_no_file_names_a_registry_or_a_folder_of_somebodys_machine() -> None:
    breaches = lines_with(re.compile("|".join((*map(re.escape, HOSTS), MACHINE_PATH.pattern))))
    assert not breaches, format_breaches(breaches)


def test_nothing_is_left_for_later_in_a_comment() -> None:
    places = lines_with(MARKS_OF_UNFINISHED_WORK)
    assert not places, format_breaches(places)


def test_every_test_asserts_something() -> None:
    empty = []
    for module in code_sizes.modules("tests"):
        functions = [node for node in module.statements if isinstance(node, FunctionNode)]
        by_name = {node.name: node for node in functions}
        tests = [node for node in functions if node.name.startswith("test_")]
        empty += [f"{module.place(test.lineno)} {test.name}" for test in tests if not has_assertion(test, by_name)]
    assert not empty, format_breaches(empty)


def has_assertion(function: FunctionNode, beside: Mapping[str, FunctionNode]) -> bool:
    """Return whether a function asserts, expects an error, or calls one that does or is named after it."""
    if any(isinstance(node, ast.Assert) for node in walk_statements(function)):
        return True
    called = {ast.unparse(node.func) for node in ast.walk(function) if isinstance(node, ast.Call)}
    rest = {name: node for name, node in beside.items() if name != function.name}
    return any(
        name == "pytest.raises"
        or "assert" in name
        or "check" in name
        or (name in rest and has_assertion(rest[name], rest))
        for name in called
    )


@each_row(
    ("source", "depth"),
    [
        ("pass", 0),
        ("if a: pass", 1),
        ("if a: pass\nelif b: pass\nelif c: pass\nelse: pass", 1),
        ("for a in b:\n  if a:\n    with c: pass", 3),
        ("if a: pass\nelse:\n  for b in c: pass", 2),
        ("try: pass\nexcept A:\n  if b: pass", 2),
        ("match a:\n  case 1:\n    if b: pass", 2),
        ("if a:\n  def inner():\n    if b: pass", 1),
    ],
)
def test_nesting_is_counted_as_it_reads(source: str, depth: int) -> None:
    assert code_sizes.nesting_of(ast.parse(source).body) == depth


def test_the_table_of_sizes_has_a_line_for_every_package() -> None:
    lines = code_sizes.table().splitlines()
    measured = {line.split()[0] for line in lines if line.split()[0] in PACKAGES}
    assert measured == {name for name in PACKAGES if code_sizes.modules(name)}


def module_imports(statements: Iterable[ast.AST]) -> Iterable[tuple[str, str]]:
    """Yield the modules that a file imports whole, each with the name it gives them."""
    for node in statements:
        if isinstance(node, ast.Import):
            yield from ((name.name, name.asname) for name in node.names if name.asname)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for name in node.names:
                if is_own_module(full := f"{node.module}.{name.name}"):
                    yield full, name.asname or name.name


@cache
def is_own_module(name: str) -> bool:
    package, _, path = name.partition(".")
    return package in PACKAGES and (PACKAGES[package] / (path.replace(".", "/") + ".py")).is_file()


def test_each_module_has_one_name_and_each_short_name_one_module() -> None:
    names: dict[str, set[str]] = {}
    modules: dict[str, set[str]] = {}
    for module in all_modules():
        for full, name in module_imports(module.statements):
            names.setdefault(full, set()).add(name)
            if name != full.rpartition(".")[2]:  # modules of one file name in several packages keep it
                modules.setdefault(name, set()).add(full)
    assert names["diskwars_protocol.records.records"] == {"r"}, "the search finds nothing at all"
    breaches = [f"{full} is called {' and '.join(sorted(used))}" for full, used in names.items() if len(used) > 1]
    breaches += [f"{name} stands for {' and '.join(sorted(used))}" for name, used in modules.items() if len(used) > 1]
    assert not breaches, format_breaches(breaches)


def test_steps_of_the_schema_are_one_line() -> None:
    """Two branches may each add the next one; side by side neither fails until a database is opened."""
    folder = ROOT / "server" / "diskwars_server" / "store" / "postgres" / "migrations"
    pattern = re.compile(r'^revision = "(\d{4})"\ndown_revision = (?:"(\d{4})"|None)$', re.MULTILINE)
    steps: dict[str, str] = {}
    for file in sorted((folder / "versions").glob("v*.py")):
        found = pattern.search(file.read_text("utf-8"))
        assert found is not None, file.name
        assert file.name.startswith(f"v{found[1]}_"), file.name
        assert found[1] not in steps, f"{file.name}: another step has this number"
        assert found[2] == (max(steps) if steps else None), file.name
        steps[found[1]] = file.name
    assert f'SCHEMA_VERSION = "{max(steps)}"' in (folder / "__init__.py").read_text("utf-8")
