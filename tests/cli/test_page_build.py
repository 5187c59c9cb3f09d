"""The page of a clone is built once, again when its sources change, and never keeps a server from starting."""

import os
from pathlib import Path

import pytest

from diskwars_cli import page_build
from diskwars_cli.page_build import BuildError, build_if_stale, prepare_page

FAKE_NPM = """\
#!/bin/sh
echo "$1" >> calls
[ "$1" = install ] && mkdir -p node_modules && exit 0
[ -e broken ] && echo "the sources are wrong" >&2 && exit 1
mkdir -p ../page && echo '<!doctype html>' > ../page/index.html
"""


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of sources, with a node and an npm on the path that only note how they are called."""
    folder = tmp_path / "web"
    (folder / "src").mkdir(parents=True)
    for name in ("package.json", "package-lock.json", "src/main.ts"):
        (folder / name).write_text(name)
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, text in (("npm", FAKE_NPM), ("node", "#!/bin/sh\necho ${FAKE_NODE:-v22.1.0}\n")):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setattr(page_build, "SOURCES", folder)
    monkeypatch.setattr(page_build, "BUILT_PAGE", tmp_path / "page")
    return folder


def calls(sources: Path) -> list[str]:
    noted = sources / "calls"
    return noted.read_text().split() if noted.exists() else []


def build(sources: Path) -> None:
    # What the fake npm notes would be one of the sources otherwise.
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


def test_old_node_is_named(sources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_NODE", "v18.2.0")
    with pytest.raises(BuildError, match=r"node 20 or newer, not v18\.2\.0"):
        build(sources)


def test_without_node_there_is_one_line_and_no_page(sources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    lines: list[str] = []
    assert prepare_page("build", lines.append) == {}
    assert len(lines) == 1
    assert "needs node 20 or newer" in lines[0]
    assert "the server has no page" in lines[0]


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
