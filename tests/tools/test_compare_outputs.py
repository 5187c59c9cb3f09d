"""The comparison of two revisions finds what differs in printed texts and stored files, on small made-up trees."""

from pathlib import Path

import pytest

from tools.compare_outputs import FILES, OUTPUTS, compare_files, compare_outputs, read_output

PRINTED = {"greeting": (("program.py", "hello"),)}
STORED = {"vectors": ("tests/vectors/*",)}


def make_tree(folder: Path, program: str = "", **files: str) -> Path:
    """Make a tree with a program and with vectors, named without their ending."""
    (folder / "tests" / "vectors").mkdir(parents=True)
    (folder / "program.py").write_text(program, "utf-8")
    for name, text in files.items():
        (folder / "tests" / "vectors" / f"{name}.json").write_text(text, "utf-8")
    return folder


def compare_programs(tmp_path: Path, before: str, after: str) -> str:
    trees = make_tree(tmp_path / "before", before), make_tree(tmp_path / "after", after)
    return compare_outputs(*trees, PRINTED)["greeting"]


def compare_vectors(tmp_path: Path, before: dict[str, str], after: dict[str, str]) -> str:
    trees = make_tree(tmp_path / "before", **before), make_tree(tmp_path / "after", **after)
    return compare_files(*trees, STORED)["vectors"]


def test_programs_that_print_the_same_do_not_differ(tmp_path: Path) -> None:
    assert compare_programs(tmp_path, "print('a')\nprint('b')", r"print('a\nb')") == ""


@pytest.mark.parametrize(
    ("after", "difference"),
    [
        ("print('good day')", r"differs in 2 lines, first '-hello\n'"),
        ("print('hello\\nhello')", r"differs in 1 lines, first '+hello\n'"),
        ("print('hello'); raise SystemExit(3)", r"differs in 2 lines, first '-exit code 0\n'"),
        ("import sys; print('hello'); print('no', file=sys.stderr)", r"differs in 1 lines, first '+no\n'"),
        ("print('hello', end='')", r"differs in 3 lines, first '-hello\n'"),
    ],
)
def test_another_text_or_exit_code_is_a_difference(tmp_path: Path, after: str, difference: str) -> None:
    assert compare_programs(tmp_path, "print('hello')", after) == difference


def test_program_that_fails_in_both_trees_is_not_the_same(tmp_path: Path) -> None:
    difference = compare_programs(tmp_path, "import no_such_package", "import no_such_package")
    assert difference.startswith("not to be had: ModuleNotFoundError: No module named 'no_such_package': exit code 1")


def test_places_in_code_may_move(tmp_path: Path) -> None:
    before, after = "print('rule')\nprint('    server/a.py:4 act')", "print('rule')\nprint('    server/b/a.py:9 act')"
    assert compare_programs(tmp_path, before, after) == ""


def test_each_tree_runs_with_packages_of_its_own(tmp_path: Path) -> None:
    tree = make_tree(tmp_path / "before", "import diskwars_cli; print(diskwars_cli.__name__)")
    (tree / "clients" / "python").mkdir(parents=True)
    (tree / "clients" / "python" / "diskwars_cli.py").write_text("print('its own')", "utf-8")
    assert read_output(tree, ("program.py",)).splitlines()[:2] == ["its own", "diskwars_cli"]


@pytest.mark.parametrize(
    ("before", "after", "difference"),
    [
        ({"fold": "1"}, {"fold": "1"}, ""),
        ({"fold": "1"}, {"fold": "2"}, "changed: tests/vectors/fold.json"),
        ({"fold": "1", "sight": "1"}, {"fold": "1"}, "missing: tests/vectors/sight.json"),
        ({"fold": "1", "sight": "2"}, {"fold": "1"}, "missing: tests/vectors/sight.json"),
        ({"fold": "1"}, {"fold": "1", "sight": "2"}, "new: tests/vectors/sight.json"),
    ],
)
def test_changed_missing_and_new_files_are_named(
    tmp_path: Path, before: dict[str, str], after: dict[str, str], difference: str
) -> None:
    assert compare_vectors(tmp_path, before, after) == difference


def test_moved_file_is_found_by_its_content(tmp_path: Path) -> None:
    before, after = make_tree(tmp_path / "before", fold="1"), make_tree(tmp_path / "after")
    (after / "vectors.json").write_text("1", "utf-8")
    assert compare_files(before, after, STORED)["vectors"] == ""


def test_a_file_that_is_renamed_within_its_kind_is_not_new(tmp_path: Path) -> None:
    assert compare_vectors(tmp_path, {"fold": "1"}, {"board_fold": "1"}) == ""


def test_every_kind_of_this_version_has_files_and_every_text_is_printed(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    assert [kind for kind, patterns in FILES.items() if not any(list(root.glob(pattern)) for pattern in patterns)] == []
    assert compare_outputs(tmp_path, root, {"help": OUTPUTS["./dev help"]})["help"].startswith("differs in")
