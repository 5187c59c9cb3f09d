"""Tests of the progress line, which is shown on terminals only."""

import io

import pytest

from diskwars_cli.console.progress import CLEAR_LINE, Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("done", "seconds", "line"),
    [
        (1, 0, "1 of 2,000 matches"),
        (500, 250, "500 of 2,000 matches, 2.0 a second, about 12 min 30 s left"),
        (1990, 995, "1,990 of 2,000 matches, 2.0 a second, about 5 s left"),
        (100, 1000, "100 of 2,000 matches, 0.1 a second, about 5 h 16 min left"),
        (2000, 1000, "2,000 of 2,000 matches"),
    ],
)
def test_terminal_shows_count_rate_and_time_left(done: int, seconds: int, line: str) -> None:
    terminal, clock = Terminal(), iter([0.0, float(seconds)])
    Progress(2000, "matches", terminal, lambda: next(clock)).update(done)
    assert terminal.getvalue() == CLEAR_LINE + line


def test_clear_removes_the_line() -> None:
    terminal = Terminal()
    progress = Progress(2, "matches", terminal)
    progress.update(2)
    progress.clear()
    assert terminal.getvalue().endswith(CLEAR_LINE)


def test_file_gets_no_progress() -> None:
    file = io.StringIO()
    progress = Progress(2, "matches", file)
    progress.update(1)
    progress.clear()
    assert file.getvalue() == ""
