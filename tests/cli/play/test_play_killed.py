"""A match in a terminal survives `kill -9`: the next `play` offers it, and one word goes on with it."""

import asyncio
import re
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

from tests.cli.play.terminal_session import TerminalSession, terminal_session
from tests.client.local_server import WHOLE_TEST_SECONDS

POSITION = re.compile(r"^  \S [^(]+ \(\d+(?:\.\d+)?, \d+(?:\.\d+)?\)", re.MULTILINE)


async def play_until(session: TerminalSession, is_reached: Callable[[], bool]) -> None:
    """Choose the first option or end the card at once, and turn the pages, until something is reached."""
    answers = cycle(["1", "end", "yes"])
    while not is_reached():
        if session.prompt.startswith("-- more"):
            session.write("\r")
        elif "your turn" in session.status and session.prompt == ">":
            session.write(f"{next(answers)}\r")
        await session.wait_change()


def is_asked_in_round_2(session: TerminalSession) -> bool:
    return session.status == "round 2 of 5, command cards: your turn" and session.prompt == ">"


async def shown_positions(session: TerminalSession) -> list[str]:
    """Return where the disks are; the order after `positions` shows that its answer is complete."""
    await session.type_line("positions")
    await session.type_line("rules")
    await session.wait_until(lambda: "in another terminal, prints one" in session.text.rpartition("> rules")[2])
    return POSITION.findall(session.text.rpartition("> positions")[2])


async def test_killed_match_is_offered_and_one_word_goes_on_where_it_was(open_folder: Path) -> None:
    new = ("--setup", "quick", "--army", "empire", "--bot", "random", "--data", str(open_folder / "killed"))
    async with asyncio.timeout(WHOLE_TEST_SECONDS):
        async with terminal_session("play", "--port", "0", *new) as session:
            await play_until(session, lambda: is_asked_in_round_2(session))
            match = session.text.partition("\nMatch ")[2].partition(" ")[0]
            before = await shown_positions(session)
            session.process.kill()
            await session.process.wait()
        assert len(before) > 5
        async with terminal_session("play", "--port", "0") as session:
            await session.wait_text("`new` begins another match:")
            assert f"\n  1. {match}: diskwars against random, " in session.text
            await session.type_line("yes")
            await play_until(session, lambda: is_asked_in_round_2(session))
            assert "> 1" not in session.text, "nothing had to be answered again"
            assert await shown_positions(session) == before
            await session.type_line("1")
            await session.wait_text("\nCards revealed: ")
            session.write("quit\r")  # at whatever prompt: a server that stops by itself leaves no database running
            assert await session.process.wait() == 0
