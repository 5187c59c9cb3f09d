"""The prompt reads lines, completes orders and names, and hands Ctrl-C to the stop signals."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from diskwars_cli.console.console import LineConsole
from diskwars_cli.console.prompt import OrderCompleter, PromptConsole
from diskwars_cli.console.signals import Interrupted, handle_stop_signals, run_async

ORDERS = ("move", "shoot", "show")
NAMES = ("Orc Boyz#1", "Orc Boyz#2", "Trolls", "Black Orcs")


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[PipeInput]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        yield keys


def completions(typed: str) -> list[str]:
    """Return the whole line after each completion of `typed`."""
    completer = OrderCompleter(lambda: (ORDERS, NAMES))
    offered = completer.get_completions(Document(typed), CompleteEvent(completion_requested=True))
    return [typed[: len(typed) + completion.start_position] + completion.text for completion in offered]


@pytest.mark.parametrize(
    ("typed", "lines"),
    [
        ("", ["move", "shoot", "show"]),
        ("sho", ["shoot", "show"]),
        ("MOV", ["move"]),
        ("move tr", ["move Trolls"]),
        ("move orc b", ["move Orc Boyz#1", "move Orc Boyz#2"]),
        ("shoot Trolls bl", ["shoot Trolls Black Orcs"]),
        ("shoot Trolls black or", ["shoot Trolls Black Orcs"]),
        ("move xyz", []),
    ],
)
def test_orders_and_names_are_completed(typed: str, lines: list[str]) -> None:
    assert completions(typed) == lines


async def test_prompt_of_plain_lines_is_shown_once_and_again_after_news(capsys: pytest.CaptureFixture[str]) -> None:
    console = LineConsole()
    console.show_prompt("> ")
    console.show_prompt("> ")
    console.print_line("seat B has left")
    console.show_prompt("> ")
    assert capsys.readouterr().out == "> \nseat B has left\n> "


async def test_lines_are_read_in_order_and_kept_as_history(keys: PipeInput, tmp_path: Path) -> None:
    console = PromptConsole()
    keys.send_text("move S N\nend\n")
    assert [await console.read_line(), await console.read_line()] == ["move S N", "end"]
    history = (tmp_path / "diskwars" / "history").read_text()
    assert "+move S N" in history
    assert "+end" in history


async def test_tab_completes_what_can_be_ordered_now(keys: PipeInput) -> None:
    console = PromptConsole()
    console.set_completions(["move"], ["Trolls"])
    buffer = console._session.default_buffer
    async with asyncio.timeout(45), asyncio.TaskGroup() as group:
        reading = group.create_task(console.read_line())
        for keys_pressed, line in (("mo\t", "move"), (" tr\t", "move Trolls")):
            keys.send_text(keys_pressed)
            while buffer.text != line:
                await asyncio.sleep(0.01)
        keys.send_text("\n")
    assert reading.result() == "move Trolls"


async def test_end_of_input_is_none(keys: PipeInput) -> None:
    console = PromptConsole()
    keys.send_text("\x04")
    assert await console.read_line() is None


def test_ctrl_c_at_the_prompt_is_a_stop_signal(keys: PipeInput) -> None:
    async def job() -> None:
        keys.send_text("mov\x03")
        await PromptConsole().read_line()

    with pytest.raises(Interrupted), handle_stop_signals():
        run_async(job())


async def test_console_without_a_home_keeps_history_in_memory(
    keys: PipeInput, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    console = PromptConsole()
    keys.send_text("end\n")
    assert await console.read_line() == "end"
