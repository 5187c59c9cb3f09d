"""Run a command in this process: its output, its complaints and its exit code."""

import pytest
from msgspec import Struct

from diskwars_cli.__main__ import main


class CommandResult(Struct, frozen=True):
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


class CommandRunner:
    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str) -> CommandResult:
        self._capsys.readouterr()
        code = main(words)
        said = self._capsys.readouterr()
        return CommandResult(code, said.out, said.err)

    def error_message(self, *words: str) -> str:
        """Return the one sentence of a command that fails."""
        said = self(*words)
        assert (said.code, said.out) == (2, "")
        lines = said.err.splitlines()
        assert len(lines) == 1, said.err
        assert lines[0].startswith("diskwars: ")
        return lines[0].removeprefix("diskwars: ")
