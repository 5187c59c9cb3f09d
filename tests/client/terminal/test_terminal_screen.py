"""A player with a screen of 80 x 24 reads everything in pages, and answers only what they have read."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

import pytest

from diskwars_client.match_handle import MatchHandle
from diskwars_client.terminal import terminal
from diskwars_client.terminal.chat import TerminalChat
from diskwars_client.terminal_pages import MORE_TEXT, Screen
from diskwars_protocol.match.decisions import Result
from tests.client.terminal.test_terminal import ScriptedTerminal, play_against_bot


class ScreenTerminal(ScriptedTerminal):
    """The same with a screen of 80 x 24; `pages` are the lines between two lines typed."""

    def __init__(self, line: Callable[[int], str | None]) -> None:
        super().__init__(line)
        self.pages: list[int] = [0]
        self.bells = 0

    def screen(self) -> Screen | None:
        return Screen(80, 24)

    def ring_bell(self) -> None:
        self.bells += 1

    def show_prompt(self, text: str) -> None:
        """Type only where something is asked: the prompt is shown again with all news."""

    async def read_line(self) -> str | None:
        await asyncio.sleep(0.02)
        self.prompts += 1
        self.pages.append(0)
        return self._line(self.prompts)

    def print_line(self, text: str) -> None:
        super().print_line(text)
        self.pages[-1] += len(text.split("\n"))


@contextlib.asynccontextmanager
async def asked_on_small_screen(
    rows: int,
) -> AsyncIterator[tuple[ScriptedTerminal, "asyncio.Task[Result | None]", MatchHandle, MatchHandle]]:
    """Provide a terminal that asks the first question on later pages, the task that plays, and both players."""
    script = ScriptedTerminal(lambda _: "...")
    script.screen = lambda: Screen(80, rows)  # type: ignore[method-assign]
    async with play_against_bot() as (handle, other):
        playing = asyncio.create_task(terminal.play_match(handle, script))
        while not any(status.endswith("your turn") for status in script.statuses):
            await asyncio.sleep(0.01)
        yield script, playing, handle, other


async def test_everything_fits_a_screen_of_24_rows() -> None:
    typed = ("", "", "1", "", "help", "", "", "end", "more", "board full", "", "", "yes")
    async with play_against_bot() as (handle, _):
        script = ScreenTerminal(lambda number: typed[number % len(typed)] if number < 150 else "resign yes")
        await terminal.play_match(handle, script, players={1: "greedy bot"})
    assert max(script.pages) <= 22
    assert max(map(len, script.said)) <= 80
    assert script.bells > 3


class _Interruptions(TerminalChat):
    """Messages of the others that arrive just when a line has been typed, ten times, and before it is followed."""

    def __init__(self, count: int) -> None:
        self._count, self._times = count, 0
        self._print_line: Callable[[str], None] = print

    async def follow(self, print_line: Callable[[str], None]) -> None:
        self._print_line = print_line
        await asyncio.Event().wait()

    def arrive(self) -> None:
        self._times += 1
        for number in range(self._count if self._times <= 10 else 0):
            self._print_line(f"a message, number {number}")


class _InterruptedTerminal(ScreenTerminal):
    def __init__(self, line: Callable[[int], str | None], messages: _Interruptions) -> None:
        super().__init__(line)
        self._messages = messages
        self._prompt = ""

    def show_prompt(self, text: str) -> None:
        self._prompt = text

    async def read_line(self) -> str | None:
        line = await super().read_line()
        if not self._prompt.startswith(MORE_TEXT):  # they are printed where nothing waits to be read
            asyncio.get_running_loop().call_soon(
                self._messages.arrive
            )  # before the task that waits for the line goes on
        return line


@pytest.mark.parametrize("count", [8, 30])
async def test_news_between_a_typed_line_and_its_answer_belong_to_its_page(count: int) -> None:
    typed = ("", "help", "1", "", "board full", "")
    messages = _Interruptions(count)
    async with play_against_bot() as (handle, _):
        script = _InterruptedTerminal(lambda number: typed[number % 6] if number < 60 else "resign yes", messages)
        await terminal.play_match(handle, script, chat=messages)
    assert max(script.pages) == 22
    assert script.text.count("a message, number 7") == 10


async def test_answer_typed_before_its_question_came_is_none() -> None:
    async with asked_on_small_screen(8) as (script, playing, handle, _):
        head = handle.head
        for line in (*[""] * 12, "1", "yes", "show Karl"):
            script.type_line(line)
        await script.has_printed("  Karl Franz: hero")
        assert "ignored '1'" in script.text
        assert handle.head == head
        script.type_line("1")
        script.type_line("yes")
        while handle.head == head:
            await asyncio.sleep(0.01)
        script.type_line("resign yes")
        await asyncio.wait([playing], timeout=0.5)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


async def test_answer_is_held_back_while_the_question_is_unread() -> None:
    script = ScreenTerminal(lambda number: "1" if number < 4 else "resign yes")
    script.screen = lambda: Screen(80, 8)  # type: ignore[method-assign]
    async with play_against_bot() as (handle, _):
        await terminal.play_match(handle, script)
    assert "not done yet, read this first: '1'" in script.said or "ignored '1'" in script.text


async def test_look_up_is_answered_at_once_where_pages_wait() -> None:
    async with asked_on_small_screen(8) as (script, playing, _, _):
        script.type_line("show Karl")
        await script.has_printed("  Karl Franz: hero")
        assert "deploys 5 disks" not in script.text
        for _ in range(10):
            script.type_line("")
        await script.has_printed("Empire Patrol deploys 5 disks")
        script.type_line("yes")
        await script.has_printed("there is nothing to confirm")
        script.type_line("resign yes")
        await playing


async def test_player_reads_once_which_side_is_theirs_and_who_plays_the_other() -> None:
    async with play_against_bot() as (handle, _):
        script = ScreenTerminal(lambda number: "1" if number < 8 else "resign yes")
        await terminal.play_match(handle, script, players={1: "greedy bot"})
    introduced = [line for line in script.text.splitlines() if line.startswith("You play ")]
    assert introduced == ["You play Empire Patrol, seat A, against Chaos Patrol (greedy bot)"]
