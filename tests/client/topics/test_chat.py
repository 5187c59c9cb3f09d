"""Players at clients and terminals write to each other, also after a lost connection."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest

from diskwars_client.client import Client, connect
from diskwars_client.errors import CommandRefused
from diskwars_client.terminal.chat import TerminalChat, chat_line
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.chat import ChatMessage
from diskwars_protocol.rulesets.diskwars.actions import Loadout
from tests.client.local_server import QUICK_RETRY, WHOLE_TEST_SECONDS, LossyRelay, running_server
from tests.client.patrols import PATROLS


@pytest.fixture
async def local() -> AsyncIterator[str]:
    async with asyncio.timeout(WHOLE_TEST_SECONDS), running_server() as url:
        yield url


async def seat(one: Client, other: Client) -> str:
    """Return a match in which both have a seat."""
    handle = await one.open_match(PATROLS)
    await handle.take_seat(Loadout("empire-patrol"), 0)
    await (await other.watch(handle.id)).take_seat(Loadout("chaos-patrol"), 1)
    return handle.id


async def test_client_follows_the_chat_and_looks_back(local: str) -> None:
    async with connect(local) as ann, connect(local) as ben:
        match = await seat(ann, ben)
        await ann.chat.send(match, "one")
        async with aclosing(ben.chat.follow(match)) as messages:
            assert (await anext(messages)).text == "one"
            await ann.chat.send(match, "two")
            last = await anext(messages)
            assert (last.number, last.player, last.text) == (2, ann.player, "two")
        assert [message.text for message in await ben.chat.before(match, "players", 2)] == ["one"]
        assert await ben.chat.mute(ann.player) == await ben.chat.muted() == (ann.player,)
        assert await ben.chat.before(match, "players", 9) == ()
        with pytest.raises(CommandRefused, match="players write to each other"):
            await ann.chat.send(match, "psst", "watchers")


async def test_client_reports_a_player(local: str) -> None:
    async with connect(local) as ann, connect(local) as ben:
        match = await seat(ann, ben)
        await ann.chat.report(match, 2, ben.player, "insults me")
        with pytest.raises(CommandRefused, match="yourself"):
            await ann.chat.report(match, 2, ann.player, "insults me")


async def test_chat_goes_on_after_a_lost_connection(local: str) -> None:
    cut = asyncio.Event()

    def judge(connection: int, frame: int, is_servers: bool) -> str:
        return "cut" if cut.is_set() and connection == 1 else "pass"

    relay = LossyRelay(local, judge)
    async with relay.run(), connect(local) as ann, connect(relay.url, retry_policy=QUICK_RETRY) as ben:
        match = await seat(ann, ben)
        async with aclosing(ben.chat.follow(match)) as messages:
            await ann.chat.send(match, "before")
            assert (await anext(messages)).text == "before"
            cut.set()
            for text in ("while", "after"):
                await ann.chat.send(match, text)
                assert (await anext(messages)).text == text
        assert relay.connections == 2


async def test_terminals_print_what_the_other_player_says(local: str) -> None:
    async with connect(local) as ann, connect(local) as ben:
        match = await seat(ann, ben)
        printed: asyncio.Queue[str] = asyncio.Queue()
        chats = [TerminalChat(client.chat, client.player, match) for client in (ann, ben)]
        reading = asyncio.create_task(chats[1].follow(printed.put_nowait))
        assert await chats[1].follow_order("say I am here") == ""
        assert await chats[0].follow_order("say good luck, have fun") == ""
        assert (await printed.get()).endswith(": good luck, have fun")
        assert await chats[0].follow_order("move 1") is None
        assert await chats[0].follow_order("say ") == "say what? type `say` and your text"
        refused = await chats[0].follow_order("say " + "x" * 301)
        assert refused == "not sent: a text has at most 300 characters, this one has 301"
        reading.cancel()


def test_line_of_a_chat_moves_no_cursor() -> None:
    message = ChatMessage("watchers", 1, PlayerId("p"), "Eve", 5, "x")
    assert chat_line(message, "red \x1b[31m") == "(watchers) Eve: red ?[31m"


def test_line_of_a_bot_names_it_as_one() -> None:
    message = ChatMessage("players", 1, PlayerId("p"), "Archer", 5, "x", is_bot=True)
    assert chat_line(message, "good luck") == "Archer (bot): good luck"
