"""Tests mirror the packages: a test of a module is found beside it, in the folder of the same name."""

from pathlib import Path

from tests.code_sizes import PACKAGES, ROOT

TESTS = ROOT / "tests"
SHORT_NAMES = {name.removeprefix("diskwars_"): folder for name, folder in PACKAGES.items() if name != "tests"}
MIRRORS = SHORT_NAMES | {"tools": ROOT / "tools"}

ACROSS_PACKAGES = {
    "browser": "the page in a real Chromium, and its texts, by subject",
    "chaos": "programs that break servers while bots play",
    "docs": "pages against programs, a file for each page",
    "e2e": "servers and commands as processes of their own",
    "engine/rulesets/diskwars/rules": "worked examples by chapter of docs/rules.md; many modules carry out each",
    "golden": "transcripts and match files that never change",
    "interop": "programs in Node and in Python against each other",
    "rulesets": "what holds for every registered ruleset",
}
EXCEPTIONS = {
    "engine/rulesets/test_small_odds_vectors.py": "one file of vectors holds the chances of three games",
    "server/test_leak.py": "a locked card, followed on every way from the action to other players",
    "server/test_leak_paths.py": "every path by which a secret could leave the server",
}


def modules_beside(test: Path) -> set[str] | None:
    """Return what a test in this folder may be named after: its package, and what is in it. None without a package."""
    package, *path = test.relative_to(TESTS).parts[:-1]
    folder = MIRRORS[package].joinpath(*path)
    if not folder.is_dir():
        return None
    entries = [entry for entry in folder.iterdir() if entry.suffix == ".py" or entry.is_dir()]
    return {folder.name, *(entry.stem.strip("_") for entry in entries)}


def is_named_after(test: str, module: str) -> bool:
    """`test_game.py` and `test_game_absences.py` are tests of the module `game`."""
    return test == f"test_{module}" or test.startswith(f"test_{module}_")


def test_tests_lie_where_their_modules_do() -> None:
    across = [TESTS / folder for folder in ACROSS_PACKAGES]
    lost = []
    for test in sorted(TESTS.rglob("test_*.py")):
        place = test.relative_to(TESTS).as_posix()
        if test.parent == TESTS or place in EXCEPTIONS or any(folder in test.parents for folder in across):
            continue
        modules = modules_beside(test)
        if modules is None or not any(is_named_after(test.stem, module) for module in modules):
            lost.append(place)
    assert not lost


def test_every_exception_is_still_there() -> None:
    assert all((TESTS / place).is_file() for place in EXCEPTIONS)
    assert all((TESTS / folder).is_dir() for folder in ACROSS_PACKAGES)
