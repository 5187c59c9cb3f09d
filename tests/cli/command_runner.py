"""How does a test run a command?  In this process: what it prints, what it complains of, and its exit code."""

import pytest
from msgspec import Struct

from diskwars_cli.__main__ import main


class Said(Struct, frozen=True):
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


class Command:
    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str) -> Said:
        self._capsys.readouterr()
        code = main(words)
        said = self._capsys.readouterr()
        return Said(code, said.out, said.err)

    def complaint(self, *words: str) -> str:
        """The one sentence of a command that fails."""
        said = self(*words)
        assert (said.code, said.out) == (2, "")
        lines = said.err.splitlines()
        assert len(lines) == 1, said.err
        assert lines[0].startswith("diskwars: ")
        return lines[0].removeprefix("diskwars: ")
