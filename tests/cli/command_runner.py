"""Runner of a command in this process; captures its output, its errors and its exit code."""

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
        result = self._capsys.readouterr()
        return CommandResult(code, result.out, result.err)

    def error_message(self, *words: str) -> str:
        """Run a command that has to fail; return its error message without the prefix."""
        result = self(*words)
        assert (result.code, result.out) == (2, "")
        lines = result.err.splitlines()
        assert len(lines) == 1, result.err
        assert lines[0].startswith("diskwars: ")
        return lines[0].removeprefix("diskwars: ")
