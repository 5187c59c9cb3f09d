"""The check of the page's style says where it cannot run, and fails where a script of the page fails."""

from pathlib import Path

import pytest

from tools import check_page_style


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all of PATH, beside sources whose packages have yet to be installed."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "web" / "node_modules").mkdir(parents=True)
    (tmp_path / "web" / "package-lock.json").write_text("{}")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(check_page_style, "WEB", tmp_path / "web")
    return tmp_path / "bin"


def add_program(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


def test_missing_or_old_node_is_said_and_no_fault(programs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_page_style.main() == 0
    add_program(programs, "npm", "exit 1")
    add_program(programs, "node", "echo v20.18.1")
    assert check_page_style.main() == 0
    assert capsys.readouterr().out.splitlines() == ["skipped: no Node (20.19 or newer, with npm)"] * 2


def test_style_rule_of_two_components_fails_the_check(programs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sources = programs.parent / "web" / "src"
    sources.mkdir()
    rule = "display: grid; gap: 4px; color: red; margin: 0; padding: 0"
    (sources / "One.svelte").write_text(f"<style>\n  .a {{ {rule}; }}\n</style>\n")
    (sources / "Two.svelte").write_text("<style>\n  .b { gap: 4px; /* alike */ color: red; }\n</style>\n")
    assert check_page_style.main() == 0
    (sources / "Two.svelte").write_text(f"<style>\n  .b > i {{ {rule}; }}\n</style>\n")
    assert check_page_style.main() == 1
    assert "One.svelte .a = Two.svelte .b > i" in capsys.readouterr().err


def test_script_that_fails_fails_the_check(programs: Path, capfd: pytest.CaptureFixture[str]) -> None:
    add_program(programs, "node", "echo v22.13.0")
    add_program(programs, "npm", 'echo "$1"; [ "$3" != format:check ]')
    assert check_page_style.main() == 1
    said = capfd.readouterr()
    assert said.out.split() == ["install", *["run"] * len(check_page_style.SCRIPTS)]
    assert "`npm run format` there fixes the format" in said.err
    add_program(programs, "npm", 'echo "$1"')
    assert check_page_style.main() == 0
    assert capfd.readouterr().out.split() == ["run"] * len(check_page_style.SCRIPTS)
