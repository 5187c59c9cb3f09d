"""`.ci/run` checks and tests side by side, fails if either fails, and prints what the checks said at the end."""

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.browser.web_page import headless_shell
from tests.code_sizes import ROOT

TIMEOUT_SECONDS = 40
INSTALLED = ("node", "npm", "chromium", "git", "caddy", "pg_autoctl")

# Each verb waits for the other, so that one after the other they would never end.
DEV = """\
import os, pathlib, sys, time
verb, *rest = sys.argv[1:]
pathlib.Path(f"began-{verb}").touch()
while not (os.path.exists("began-lint") and os.path.exists("began-test")):
    time.sleep(0.01)
if "SHOW_BROWSER" in os.environ and verb == "test":
    print("browser:", os.environ.get("DISKWARS_BROWSER_TESTS"))
if verb == "lint":
    print("what lint says")
    sys.exit(int(os.environ.get("LINT", 0)))
if rest:
    print("again:", *rest)
    sys.exit(int(os.environ.get("AGAIN", 0)))
if "FAILED" in os.environ:
    cache = pathlib.Path(".pytest_cache/v/cache")
    cache.mkdir(parents=True)
    (cache / "lastfailed").write_text(os.environ["FAILED"])
print("what the tests say")
sys.exit(int(os.environ.get("TEST", 0)))
"""


SYSTEM_IS_ENOUGH = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))"


def run_ci(
    folder: Path,
    status: Mapping[str, str] | None = None,
    *,
    stubs: Mapping[str, str] | None = None,
    programs: Sequence[str] = (),
    missing: str = "",
) -> subprocess.CompletedProcess[str]:
    """Run it in a folder, where it finds these stubs first. With `programs` nothing is found beyond them."""
    tools = folder / "tools"
    for part in (folder / ".ci", tools):
        part.mkdir()
    shutil.copy(ROOT / ".ci" / "run", folder / ".ci" / "run")
    scripts = {
        **dict.fromkeys(INSTALLED, "#!/bin/sh\n"),
        "id": "#!/bin/sh\necho 1000\n",  # not root: nothing is installed
        **(stubs or {}),
    }
    scripts.pop(missing, None)
    for name in programs:
        (tools / name).symlink_to(str(shutil.which(name)))
    for file, text in {folder / "dev": DEV, **{tools / name: text for name, text in scripts.items()}}.items():
        file.write_text(text)
        file.chmod(0o755)
    command = [str(shutil.which("bash")), str(folder / ".ci" / "run")]
    path = str(tools) if programs else f"{tools}:/usr/local/bin:/usr/bin:/bin"
    return subprocess.run(
        command,
        env={"PATH": path, **(status or {})},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )


@pytest.mark.parametrize(
    ("status", "code"), [({}, 0), ({"LINT": "1"}, 1), ({"TEST": "2"}, 2), ({"LINT": "1", "TEST": "2"}, 1)]
)
def test_checks_run_beside_the_tests_and_either_fails_the_run(
    tmp_path: Path, status: dict[str, str], code: int
) -> None:
    finished = run_ci(tmp_path, status)
    assert finished.returncode == code
    assert finished.stdout.splitlines() == ["what the tests say", "what lint says"]


ONE, TWO, THREE = (
    "{" + ", ".join(f'"tests/test_{name}.py::test_it[{name} x]": true' for name in "abc"[:count]) + "}"
    for count in (1, 2, 3)
)


@pytest.mark.parametrize(
    ("status", "code", "runs_again"),
    [
        ({"TEST": "1", "FAILED": ONE}, 0, True),
        ({"TEST": "1", "FAILED": TWO}, 0, True),
        ({"TEST": "1", "FAILED": TWO, "LINT": "3"}, 3, True),
        ({"TEST": "1", "FAILED": TWO, "AGAIN": "1"}, 1, True),
        ({"TEST": "1", "FAILED": THREE}, 1, False),
        ({"TEST": "1"}, 1, False),
        ({"TEST": "2", "FAILED": ONE}, 2, False),
    ],
)
def test_one_or_two_failed_tests_run_again_alone_and_more_fail_the_run(
    tmp_path: Path, status: dict[str, str], code: int, runs_again: bool
) -> None:
    finished = run_ci(tmp_path, status)
    assert finished.returncode == code
    assert ("again: " in finished.stdout) == runs_again
    assert ("UNSTABLE" in finished.stdout) == (runs_again and "AGAIN" not in status)
    last = finished.stdout.splitlines()[-1]
    assert last.startswith("== ") == runs_again
    if runs_again:
        assert all(f"tests/test_{name}.py::test_it[{name} x]" in last for name in "abc"[: status["FAILED"].count("::")])


@pytest.mark.parametrize("installed", [("chromium", "chromium-headless-shell"), ("chromium",)])
def test_the_page_is_tested_without_windows_where_that_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, installed: tuple[str, ...]
) -> None:
    for name in installed:
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert headless_shell() == str(tmp_path / installed[-1])


def test_a_python_of_the_users_own_is_not_taken_where_the_system_has_one(tmp_path: Path) -> None:
    system = Path("/usr/bin/python3")
    if not system.exists() or subprocess.run([system, "-c", SYSTEM_IS_ENOUGH], check=False).returncode != 0:
        pytest.skip("the system's own Python is missing or too old")
    finished = run_ci(tmp_path, stubs={"python3": "#!/bin/sh\nexit 9\n"})
    assert finished.returncode == 0
    assert "what the tests say" in finished.stdout


APT_GET = """\
#!/bin/sh
echo "$@" >>apt.log
case "$*" in
*" chromium") sleep 0.3; [ -z "$BROKEN" ] || exit 100; printf '#!/bin/sh\\n' >tools/chromium; chmod +x tools/chromium ;;
esac
"""
"""Installs Chromium, slowly, unless it is broken."""


@pytest.mark.parametrize("is_broken", [False, True])
def test_tests_wait_for_packages_that_are_installed_beside_their_setup(tmp_path: Path, is_broken: bool) -> None:
    status = {"SHOW_BROWSER": "yes", "BROKEN": "yes" if is_broken else ""}
    # Whatever this machine has, Chromium is missing; nothing is changed outside of the folder.
    harmless = "#!/bin/sh\n"
    stubs = {"apt-get": APT_GET, "id": "#!/bin/sh\necho 0\n", "sed": harmless, "ln": harmless, "mkdir": harmless}
    programs = ("bash", "sh", "cat", "chmod", "dirname", "mktemp", "python3", "rm", "sleep")
    finished = run_ci(tmp_path, status, stubs=stubs, programs=programs, missing="chromium")
    installed = (tmp_path / "apt.log").read_text().splitlines()
    assert installed[0] == "update -qq"
    assert any(line.startswith("install ") and line.endswith(" chromium") for line in installed)
    assert (finished.returncode == 0) is not is_broken
    assert ("browser: required" in finished.stdout) is not is_broken
