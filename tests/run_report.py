"""What comes first in a run, and what it ends with: failures with a command for each, and what was skipped."""

import shlex
import subprocess
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from tests.code_sizes import PACKAGES

ROOT = Path(__file__).resolve().parents[1]
MAX_COMMANDS = 50
"""Failed tests whose commands are shown; whatever broke more is seen in these."""

FAILED_OPTION = "failed_first"
CHANGED_OPTION = "changed_first"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--urgent-first",
        action="store_true",
        help="run the tests that failed last, and those of files that are changed, before all others",
    )


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: object) -> None:
    """Tell a worker what comes first: all have to agree on one order."""
    config: pytest.Config = getattr(node, "config")  # noqa: B009  the class is one of pytest-xdist's own
    if config.getoption("--urgent-first"):
        getattr(node, "workerinput").update(_urgent(config))  # noqa: B009


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the urgent tests first; all others keep their order."""
    if not config.getoption("--urgent-first"):
        return
    urgent = getattr(config, "workerinput", None) or _urgent(config)
    failed, changed = set(urgent[FAILED_OPTION]), set(urgent[CHANGED_OPTION])
    items.sort(key=lambda item: 0 if item.nodeid in failed else 1 if item.nodeid.partition("::")[0] in changed else 2)


def _urgent(config: pytest.Config) -> dict[str, list[str]]:
    cache = getattr(config, "cache", None)  # missing where the plugin is off
    failed: dict[str, bool] = cache.get("cache/lastfailed", {}) if cache is not None else {}
    return {FAILED_OPTION: sorted(failed), CHANGED_OPTION: sorted(files_that_test(changed_files()))}


def changed_files() -> list[str]:
    """Return the files that differ from the last commit; none without git."""
    command = ["git", "status", "--porcelain", "-z", "--untracked-files=all", "--no-renames"]
    try:
        status = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=10, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return []
    return [entry[3:] for entry in status.split("\0") if entry]


def files_that_test(files: Iterable[str]) -> set[str]:
    """Return the files of tests that are among these files, or mirror a module among them."""
    found = set()
    for file in map(Path, files):
        if file.name.startswith("test_") and file.parts[0] == "tests":
            found.add(file.as_posix())
        for package, folder in PACKAGES.items():
            place = folder.relative_to(ROOT)
            if file.suffix == ".py" and package != "tests" and file.is_relative_to(place):
                mirror = Path("tests", package.removeprefix("diskwars_"), *file.relative_to(place).parts[:-1])
                tests = (ROOT / mirror).glob(f"test_{file.stem.strip('_')}*.py")
                found.update(test.relative_to(ROOT).as_posix() for test in tests)
    return found


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = Counter(map(reason_of, terminalreporter.getreports("skipped")))
    if skipped:
        terminalreporter.section("not tested here")
        for reason, count in skipped.most_common():
            terminalreporter.write_line(f"{count} test{'s' if count > 1 else ''}: {reason}")
    reports = [*terminalreporter.getreports("failed"), *terminalreporter.getreports("error")]
    failed = list(dict.fromkeys(report.nodeid for report in reports))
    if failed:
        terminalreporter.section("run one of them again")
        for line in commands_for(failed):
            terminalreporter.write_line(line)


def reason_of(report: pytest.TestReport) -> str:
    """Return why a test was skipped."""
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return reason.removeprefix("Skipped: ")


def commands_for(failed: Sequence[str]) -> list[str]:
    """Return a command for each failed test, and one for all of them."""
    lines = [f"./dev test {shlex.quote(nodeid)}" for nodeid in failed[:MAX_COMMANDS]]
    if len(failed) > MAX_COMMANDS:
        lines.append(f"and {len(failed) - MAX_COMMANDS} more")
    return [*lines, f"./dev test --lf    # all {len(failed)} of them"] if len(failed) > 1 else lines
