"""A match at a terminal that is taken over by another device of the player, and taken back with one word."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from diskwars_client.client import connect
from diskwars_client.match_handle import MatchHandle
from diskwars_client.terminal import terminal
from diskwars_client.terminal.agreements import CONTROL_HINT
from diskwars_client.terminal.terminal import TerminalClosed
from diskwars_protocol.match.actions import ReadyQuestion
from diskwars_protocol.rulesets.diskwars.actions import CommandCardQuestion
from tests.client.local_server import CLIENTS
from tests.client.terminal.test_terminal import QUICK_SETTINGS, ScriptedTerminal, play_against_bot


@contextlib.asynccontextmanager
async def two_devices() -> AsyncIterator[tuple[MatchHandle, ScriptedTerminal, MatchHandle]]:
    """Provide a match at a terminal, and another device of its player."""
    async with play_against_bot(QUICK_SETTINGS) as (handle, _):
        client = CLIENTS[handle]
        async with connect(client.url, token=client.token) as other:
            phone = await other.watch(handle.id, history=False)
            console = ScriptedTerminal(lambda number: "...")
            playing = asyncio.create_task(terminal.play_match(handle, console))
            yield handle, console, phone
            console.type_line(None)
            with contextlib.suppress(TerminalClosed):
                await playing


async def answer_until_card(handle: MatchHandle, console: ScriptedTerminal) -> None:
    """Type the first option at each question until a card is asked for."""
    prompts = 0
    while not any(isinstance(decision.question, CommandCardQuestion) for decision in handle.open_decisions):
        if console.prompts > prompts and handle.open_decisions:
            prompts = console.prompts
            console.type_line("1")
        await asyncio.sleep(0.01)
    while console.prompts == prompts:
        await asyncio.sleep(0.01)


async def test_terminal_says_that_another_device_plays_and_takes_the_match_back_with_one_word() -> None:
    async with two_devices() as (handle, console, phone):
        await answer_until_card(handle, console)
        await phone.own_seat.take_control()
        await console.has_printed(CONTROL_HINT)
        assert console.said.count(CONTROL_HINT) == 1
        console.type_line("1")
        while console.said.count(CONTROL_HINT) < 2:
            await asyncio.sleep(0.01)
        console.type_line("here")
        while not handle.own_seat.is_in_control:
            await handle.wait_after(handle.head)
        step = handle.match.step
        console.type_line("1")
        while handle.match.step == step:
            await handle.wait_after(handle.head)
        assert not phone.own_seat.is_in_control


async def test_device_without_control_gets_ready_once_the_match_is_played_there() -> None:
    async with play_against_bot(QUICK_SETTINGS) as (laptop, _):
        client = CLIENTS[laptop]
        async with connect(client.url, token=client.token) as other:
            phone = await other.watch(laptop.id, history=False)
            console = ScriptedTerminal(lambda number: "...")
            playing = asyncio.create_task(terminal.play_match(phone, console))
            await console.has_printed(CONTROL_HINT)
            assert any(isinstance(decision.question, ReadyQuestion) for decision in phone.open_decisions)
            console.type_line("here")
            while phone.match.status == "open":
                await phone.wait_after(phone.head)
            assert phone.own_seat.is_in_control
            console.type_line(None)
            with contextlib.suppress(TerminalClosed):
                await playing
