"""./dev sets itself up once, whatever interrupts it, and runs the right tool; tested without a network."""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.code_sizes import ROOT

QUICK_TESTS = "tests/protocol tests/engine tests/server/session"
DevRunner = Callable[..., subprocess.CompletedProcess[str]]

# Stands for uv: makes an environment whose programs print how they were called; held up or broken on demand.
UV = """\
#!/bin/sh
echo "uv $*" >> calls
case "$1" in
venv)
    for last; do :; done
    rm -rf "$last"; mkdir -p "$last/bin"
    for tool in python pytest ruff mypy lint-imports codespell diskwars; do
        printf '#!/bin/sh\\necho "%s $*" golden=$DISKWARS_GOLDEN\\ncase " $BROKEN " in *" %s "*) exit 3;; esac\\n' \\
            $tool $tool > "$last/bin/$tool"
        chmod +x "$last/bin/$tool"
    done ;;
pip)
    [ -z "$HELD_BY" ] || { echo held >&2; read -r line < "$HELD_BY"; }
    [ -z "$FAILS" ] || exit 1 ;;
esac
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    clone = tmp_path / "a clone"
    (clone / "path").mkdir(parents=True)
    for name in ("dev", "pyproject.toml", "requirements.lock"):
        shutil.copy(ROOT / name, clone / name)
    (clone / "path" / "uv").write_text(UV)
    (clone / "path" / "uv").chmod(0o755)
    return clone


def environment(clone: Path, **more: str) -> dict[str, str]:
    return {"PATH": f"{clone / 'path'}{os.pathsep}{os.environ['PATH']}", **more}


@pytest.fixture
def dev(clone: Path) -> DevRunner:
    def call(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(clone / "dev"), *words]
        return subprocess.run(command, cwd=clone, env=environment(clone, **more), capture_output=True, text=True)

    return call


def installs(clone: Path) -> int:
    return (clone / "calls").read_text().count("uv pip install")


def venvs(clone: Path) -> int:
    return (clone / "calls").read_text().count("uv venv")


def test_the_first_call_sets_up_with_the_lock_file_and_the_second_finds_it_done(dev: DevRunner, clone: Path) -> None:
    first, second = dev("test"), dev("test")
    assert "setting up .venv (once)" in first.stderr
    assert second.stderr == ""
    assert first.stdout == second.stdout
    assert installs(clone) == 1
    assert "-c requirements.lock -e .[dev]" in (clone / "calls").read_text()


def test_playing_installs_no_test_tools_and_the_first_test_adds_them(dev: DevRunner, clone: Path) -> None:
    assert "setting up .venv (once)" in dev("play").stderr
    assert "-e .[all]" in (clone / "calls").read_text()
    assert ".[dev]" not in (clone / "calls").read_text()
    assert dev("serve").stderr == ""
    assert "setting up the test runner and linters (once)" in dev("lint").stderr
    assert (installs(clone), venvs(clone)) == (2, 1)
    assert dev("demo").stderr == ""


def test_demo_installs_what_it_needs_and_the_first_other_verb_adds_the_rest(dev: DevRunner, clone: Path) -> None:
    assert "setting up .venv (once)" in dev("demo").stderr
    assert (clone / "calls").read_text().endswith("-e .[demo]\n")
    assert dev("demo").stderr == ""
    assert "setting up the rest of the server (once)" in dev("play").stderr
    assert (clone / "calls").read_text().endswith("-e .[all]\n")
    assert (installs(clone), venvs(clone)) == (2, 1)
    assert dev("demo").stderr == ""


def test_tools_that_were_installed_stay_when_a_dependency_changes(dev: DevRunner, clone: Path) -> None:
    dev("test")
    with open(clone / "pyproject.toml", "a") as file:
        file.write("\n# one more\n")
    dev("demo")
    assert dev("test").stderr == ""
    assert installs(clone) == 2


@pytest.mark.parametrize(
    ("words", "called"),
    [
        (["test"], "pytest -n auto --dist worksteal --urgent-first golden="),
        (["test", "quick", "-x"], f"pytest -n auto --dist worksteal --urgent-first {QUICK_TESTS} -x golden="),
        (["test", "tests/engine", "-x"], "pytest tests/engine -x golden="),
        (["times", "--write"], "python -m tools.suite_times --write golden="),
        (["golden"], "pytest tests/golden golden=1"),
        (["mutants", "--rule", "R6.4"], "python -m tools.rule_mutants --rule R6.4 golden="),
        (["pictures"], "python -m tests.browser.make_pictures golden="),
        (["pictures", "sheet", "out"], "python -m tests.browser.make_contact_sheet out golden="),
        (["release", "--trial"], "python -m tools.release --trial golden="),
        (["golden", "-k", "pins"], "pytest tests/golden -k pins golden=1"),
        (["bench", "idle", "--runs", "1"], "python -P -m bench idle --runs 1 golden="),
        (["serve", "--port", "1"], "diskwars serve --port 1 golden="),
        (["demo", "--seed", "7"], "diskwars demo --seed 7 golden="),
        (["types"], "diskwars schema --typescript golden="),
        (["verify", "match.json"], "diskwars verify match.json golden="),
        (["--help"], "diskwars --help golden="),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_each_verb_calls_its_tool(dev: DevRunner, words: list[str], called: str) -> None:
    done = dev(*words)
    assert done.stdout.splitlines() == [called]
    assert done.returncode == 0


def test_the_verbs_whose_options_name_files_run_where_the_user_stands(clone: Path) -> None:
    (elsewhere := clone.parent / "elsewhere").mkdir()

    def places(*words: str) -> list[str]:
        command = [sys.executable, str(clone / "dev"), *words]
        more = {"PYTHONPATH": "mine"}
        return subprocess.check_output(command, cwd=elsewhere, env=environment(clone, **more), text=True).splitlines()

    places("test")
    for tool in ("python", "diskwars", "pytest"):
        (clone / ".venv" / "bin" / tool).write_text('#!/bin/sh\npwd\necho "$PYTHONPATH"\n')
    assert places("bench", "idle") == [str(elsewhere), f"{clone}{os.pathsep}mine"]
    assert places("verify", "match.json") == [str(elsewhere), "mine"]
    assert places("test") == [str(clone), "mine"]


def test_the_exit_code_is_that_of_the_tool(dev: DevRunner) -> None:
    assert dev("demo", BROKEN="diskwars").returncode == 3


def test_lint_names_its_steps_and_runs_them_all_though_one_fails(dev: DevRunner) -> None:
    clean = dev("lint")
    steps = [line.split(":")[0] for line in clean.stdout.splitlines() if line.startswith("== ")]
    checks = (
        "format",
        "style",
        "types",
        "imports",
        "spelling",
        "language",
        "page",
        "page style",
        "commits",
        "all clean",
    )
    assert steps == [f"== {name}" for name in checks]
    assert clean.returncode == 0
    broken = dev("lint", BROKEN="mypy codespell")
    assert broken.returncode == 1
    assert broken.stderr == "./dev: failed: types, spelling\n"


def test_call_without_arguments_prints_usage_and_sets_nothing_up(dev: DevRunner, clone: Path) -> None:
    done = dev()
    assert done.stdout.startswith("usage: ./dev VERB")
    assert done.returncode == 2
    assert not (clone / "calls").exists()


def test_a_changed_dependency_is_installed_into_what_is_there(dev: DevRunner, clone: Path) -> None:
    dev("test")
    with open(clone / "pyproject.toml", "a") as file:
        file.write("\n# one more\n")
    assert "setting up" in dev("test").stderr
    assert (installs(clone), venvs(clone)) == (2, 1)


def test_a_clone_that_was_moved_is_set_up_again(clone: Path, dev: DevRunner) -> None:
    dev("test")
    moved = clone.rename(clone.parent / "elsewhere")
    command = [sys.executable, str(moved / "dev"), "test"]
    done = subprocess.run(command, cwd=moved, env=environment(moved), capture_output=True, text=True)
    assert "setting up" in done.stderr
    assert installs(moved) == 2


def test_a_set_up_that_failed_says_so_and_starts_over_from_nothing(dev: DevRunner, clone: Path) -> None:
    failed = dev("test", FAILS="1")
    assert failed.returncode == 1
    assert "./dev: setup failed: " in failed.stderr
    assert "Traceback" not in failed.stderr
    assert dev("test").returncode == 0
    assert (installs(clone), venvs(clone)) == (2, 2)


def start(clone: Path, **more: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(clone / "dev"), "test"]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=clone, env=environment(clone, **more), stdout=pipe, stderr=pipe, text=True)


@pytest.fixture
def gate(clone: Path) -> Iterator[int]:
    """A pipe on which a setup waits in its middle; it goes on when a line is written."""
    os.mkfifo(clone / "gate")
    gate = os.open(clone / "gate", os.O_RDWR)
    yield gate
    os.close(gate)


def started_up_to_the_gate(clone: Path) -> subprocess.Popen[str]:
    process = start(clone, HELD_BY=str(clone / "gate"))
    assert process.stderr is not None
    assert [process.stderr.readline() for _ in range(2)] == ["setting up .venv (once) ...\n", "held\n"]
    return process


def started_and_waiting(clone: Path) -> subprocess.Popen[str]:
    process = start(clone)
    assert process.stderr is not None
    assert "waiting" in process.stderr.readline()
    return process


def test_a_second_call_waits_for_the_set_up_of_the_first(clone: Path, gate: int) -> None:
    first = started_up_to_the_gate(clone)
    second = started_and_waiting(clone)
    os.write(gate, b"go on\n")
    said, complaints = second.communicate(timeout=45)
    assert first.communicate(timeout=45)[0] == said
    assert (complaints, installs(clone)) == ("", 1)


def test_other_verbs_run_while_the_test_tools_are_installed_and_while_tests_run(
    dev: DevRunner, clone: Path, gate: int
) -> None:
    dev("demo")
    tests = start(clone, HELD_BY=str(clone / "gate"))
    assert tests.stderr is not None
    assert [tests.stderr.readline() for _ in range(2)] == [
        "setting up the test runner and linters (once) ...\n",
        "held\n",
    ]
    assert run_demo(clone) == ("", 0)
    (clone / ".venv" / "bin" / "pytest").write_text(f"#!/bin/sh\necho tests run\nread -r line < '{clone / 'gate'}'\n")
    os.write(gate, b"go on\n")
    assert tests.stdout is not None
    assert tests.stdout.readline() == "tests run\n"
    assert run_demo(clone) == ("", 0)
    os.write(gate, b"go on\n")
    tests.communicate(timeout=45)


def run_demo(clone: Path) -> tuple[str, int]:
    """Return what `./dev demo` complains of, and its exit code."""
    command = [sys.executable, str(clone / "dev"), "demo"]
    done = subprocess.run(command, cwd=clone, env=environment(clone), capture_output=True, text=True, timeout=45)
    return done.stderr, done.returncode


def test_a_killed_set_up_keeps_the_next_one_out_until_its_children_are_gone(clone: Path, gate: int) -> None:
    first = started_up_to_the_gate(clone)
    first.kill()
    second = started_and_waiting(clone)
    os.write(gate, b"go on\n")
    first.communicate(timeout=45)
    second.communicate(timeout=45)
    assert second.returncode == 0
    assert (installs(clone), venvs(clone)) == (2, 2)


def test_old_python_is_refused_with_the_reason(clone: Path) -> None:
    ast.parse((clone / "dev").read_text(), feature_version=(3, 7))
    pretend = (
        "import runpy, sys; sys.version_info = (3, 10, 4); sys.version = '3.10.4 (main)'; sys.argv = ['dev', 'test']"
    )
    command = [sys.executable, "-c", f"{pretend}; runpy.run_path('dev', run_name='__main__')"]
    done = subprocess.run(command, cwd=clone, env=environment(clone), capture_output=True, text=True)
    assert done.stderr == "./dev: Python 3.11 or newer is needed; this is 3.10.4\n"
    assert done.returncode == 1
    assert not (clone / "calls").exists()


def test_a_clone_that_cannot_be_written_is_named(dev: DevRunner, clone: Path) -> None:
    (clone / ".venv.lock").mkdir()
    done = dev("test")
    assert done.returncode == 1
    assert "./dev: setup failed: " in done.stderr
    assert ".venv.lock" in done.stderr
