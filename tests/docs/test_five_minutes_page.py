"""docs/five-minutes.md: what a bot author, a researcher and an analyst do there is done as it is written."""

import re
import shlex
import sys
from pathlib import Path

import pytest

from tests.cli.command_runner import CommandRunner
from tests.optional_packages import import_or_skip

PAGE = (Path(__file__).parents[2] / "docs" / "five-minutes.md").read_text("utf-8")
READERS = ("Player", "Host", "Bot author", "Researcher", "Analyst", "Translator", "Contributor")
PROGRAM = re.compile(r"^```python\n# (\w+\.py)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\./dev ((?:simulate|dump) .*)$", re.MULTILINE)


def part(reader: str) -> str:
    return PAGE.partition(f"## {reader}\n")[2].partition("\n## ")[0]


def do(reader: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """Save the programs of a part, run its commands, and return what its last program prints."""
    monkeypatch.chdir(folder)
    programs = PROGRAM.findall(part(reader))
    for name, program in programs:
        (folder / name).write_text(program)
    for command in COMMAND.findall(part(reader)):
        done = CommandRunner(capsys)(*shlex.split(command))
        assert done.code == 0, (command, done.err)
    name, program = programs[-1]
    monkeypatch.setattr(sys, "argv", [name])
    exec(compile(program, name, "exec"), {"__name__": "__main__"})
    return capsys.readouterr().out


def test_every_reader_has_a_part() -> None:
    assert tuple(re.findall(r"^## (.*)$", PAGE, re.MULTILINE)) == READERS


def test_bot_of_the_page_plays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(COMMAND.findall(part("Bot author"))) == 1
    assert do("Bot author", tmp_path, capsys, monkeypatch) == ""


def test_environment_of_the_page_plays_a_match(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert do("Researcher", tmp_path, capsys, monkeypatch).split()[0] == "reward"


def test_table_of_the_page_counts_matches(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("pyarrow", "polars"):
        import_or_skip(package)
    assert len(COMMAND.findall(part("Analyst"))) == 2
    assert "end_reason" in do("Analyst", tmp_path, capsys, monkeypatch)
