"""`rules --play` lists the figures of the rules and lets somebody play one."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from diskwars_cli.content.figures import browse_figure
from diskwars_cli.rulesets.diskwars.worked_figures import CORE, FigureBrowser, list_figures, load_position
from diskwars_client.terminal_pages import Screen
from tests.cli.command_runner import CommandRunner


class TypedLines:
    """A console of a small screen on which these lines are typed, one after another, and then the input ends."""

    def __init__(self, *lines: str) -> None:
        self._lines: Iterator[str] = iter(lines)
        self.said: list[str] = []

    async def read_line(self) -> str | None:
        return next(self._lines, None)

    def show_prompt(self, text: str) -> None: ...

    def print_line(self, text: str) -> None:
        self.said.append(text)

    def screen(self) -> Screen | None:
        return Screen(80, 24)

    def ring_bell(self) -> None: ...

    def set_status(self, text: str) -> None: ...

    def set_completions(self, orders: object, names: object) -> None: ...


def test_figures_are_listed_with_their_rules_and_variants(diskwars: CommandRunner) -> None:
    lines = diskwars("rules", "--play").lines
    assert lines[0] == "F1                       R13.4, R8.5.2 (variants: no_stamina, core)"
    assert len(lines) == len(list_figures()) + 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("F99",), "there is no figure 'F99'; `diskwars rules --play` lists them"),
        (("f9", "--variant", "x"), "figure F9 has no variant 'x'; it has core"),
        (("terrain", "--variant", "core"), "figure terrain has no variant 'core'; it has none but the printed one"),
    ],
)
def test_unknown_figure_is_named(diskwars: CommandRunner, words: tuple[str, ...], message: str) -> None:
    assert diskwars.error_message("rules", "--play", *words) == message


def test_figure_is_played_by_lines_of_standard_input() -> None:
    orders = b"move Archaon N\nmove Sun Dragon W x2\nquit\nhelp\n"
    command = [sys.executable, "-m", "diskwars_cli", "rules", "f4", "--play", "--variant", CORE]
    run = subprocess.run(command, input=orders, capture_output=True, timeout=60, env={**os.environ}, check=False)
    told = run.stdout.decode()
    assert (run.returncode, run.stderr) == (0, b"")
    assert told.startswith("Figure F4: R6.6, R6.7, R8.5.3, R-20\n")
    assert "Militia Spearmen took 1 untyped damage (5 of 6)" in told
    assert "dice N" not in told, "the input after `quit` is not read"


async def test_figure_fits_a_screen_and_ends_with_the_input() -> None:
    (figure,) = (one for one in list_figures() if one.id == "F6")
    console = TypedLines("", "help", "1", "", "undo", "nonsense", "map", "")
    async with asyncio.timeout(20):
        await browse_figure(FigureBrowser(load_position(figure)), console)
    told = "\n".join(console.said)
    assert "undo, map, options, help, quit" in told
    assert "Taken back" in told
    assert max(len(block.split("\n")) for block in console.said) <= 22
