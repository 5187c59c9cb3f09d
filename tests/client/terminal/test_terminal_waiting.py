"""A player sees for whom the match waits, what happened before a return, and the end of the match."""

import asyncio
import contextlib
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from diskwars_client.client import connect
from diskwars_client.errors import ClientError
from diskwars_client.terminal import terminal
from diskwars_client.terminal.presence import Presence
from diskwars_protocol.match.bot_identity import bot_player
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.accounts import PlayerSummary
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import DiskwarsMatch
from tests.client.local_server import CLIENTS, TEST_TIMEOUT_SECONDS, running_server
from tests.client.terminal.test_terminal import ScriptedTerminal, match, play_against_bot
from tests.client.terminal.test_terminal_screen import ScreenTerminal, asked_on_small_screen

ANN = PlayerId("guest-ann")


class Server:
    """Answers who is online; `asked` are the requests."""

    def __init__(self) -> None:
        self.is_online, self.is_down, self.hides = True, False, False
        self.asked: list[tuple[PlayerId, ...]] = []

    async def find_players(self, players: Sequence[PlayerId]) -> list[PlayerSummary]:
        self.asked.append(tuple(players))
        if self.is_down:
            raise ClientError("the connection is lost")
        is_online = self.is_online and not self.hides
        return [PlayerSummary(player, "Ann", "guest", 1, is_online, self.hides) for player in players]


def seated(second: PlayerId) -> DiskwarsMatch:
    """Return a match in which this player has the second seat."""
    now = match()
    return replace(now, seats=(now.seats[0], replace(now.seats[1], player=second)))


# ---------------------------------------------------------------- presence


async def test_presence_tells_who_leaves_and_who_is_back() -> None:
    server = Server()
    presence, now = Presence(server.find_players, [0]), seated(ANN)
    assert await presence.look(now) == []
    assert presence.player_text(ANN) == "Ann"
    server.is_online = False
    assert await presence.look(now) == [(1, "has left")]
    assert await presence.look(now) == []
    assert presence.player_text(ANN) == "Ann, not connected"
    server.is_online = True
    assert await presence.look(now) == [(1, "is back")]
    assert server.asked == [(ANN,)] * 4


async def test_presence_reports_somebody_who_is_away_from_the_beginning() -> None:
    server = Server()
    server.is_online = False
    assert await Presence(server.find_players, [0]).look(seated(ANN)) == [(1, "is not connected")]


async def test_presence_that_is_hidden_is_no_news() -> None:
    server = Server()
    server.hides = True
    presence, now = Presence(server.find_players, [0]), seated(ANN)
    assert await presence.look(now) == []
    assert presence.player_text(ANN) == "Ann"
    server.hides = False
    assert await presence.look(now) == []
    server.hides = True
    assert await presence.look(now) == []
    assert presence.player_text(ANN) == "Ann"


async def test_presence_asks_of_no_bot_and_of_no_seat_in_this_process() -> None:
    server = Server()
    assert await Presence(server.find_players, [0]).look(seated(bot_player("hard", 1))) == []
    assert await Presence(server.find_players, [0, 1]).look(seated(ANN)) == []
    assert server.asked == []


async def test_presence_outlives_a_request_that_fails() -> None:
    server = Server()
    presence, now = Presence(server.find_players, [0]), seated(ANN)
    await presence.look(now)
    server.is_down, server.is_online = True, False
    assert await presence.look(now) == []
    server.is_down = False
    assert await presence.look(now) == [(1, "has left")]


async def test_waiting_player_sees_the_opponent_leave_and_return(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "PRESENCE_SECONDS", 0.05)
    monkeypatch.setattr(terminal, "IDLE_NOTICE_SECONDS", 0.01)
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS), running_server() as url, connect(url) as near:
        handle = await near.open_match(a.DiskwarsSettings(setup="quick", regiments=1))
        await handle.take_seat(a.Loadout("empire-patrol"))
        script = ScriptedTerminal(lambda _: "...")
        async with connect(url) as far:
            await (await far.watch(handle.id)).take_seat(a.Loadout("chaos-patrol"))
            token = far.token
            playing = asyncio.create_task(
                terminal.play_match(handle, script, find_players=lambda ids: near.accounts.players(*ids))
            )
            while not any("(Guest" in status for status in script.statuses):
                await asyncio.sleep(0.01)
        await script.has_printed("seat B has left")
        async with connect(url, token=token):
            await script.has_printed("seat B is back")
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
    news = [line for line in script.said if line.startswith("seat B ")]
    assert news == ["seat B has left", "seat B is back"]


async def test_prompt_is_shown_again_after_news_that_come_while_somebody_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(terminal, "PRESENCE_SECONDS", 0.05)
    server, script = Server(), ScriptedTerminal(lambda _: "...")
    async with play_against_bot() as (handle, _):
        playing = asyncio.create_task(terminal.play_match(handle, script, find_players=server.find_players))
        while not script.prompts:
            await asyncio.sleep(0.01)
        asked = script.prompts
        server.is_online = False
        while not any(line.endswith("has left") for line in script.said):
            await asyncio.sleep(0.01)
        assert script.prompts == asked + 1
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


# ---------------------------------------------------------------- the screen


async def test_screen_says_in_its_lowest_line_for_whom_it_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "IDLE_NOTICE_SECONDS", 0.01)
    script = ScreenTerminal(lambda number: ("", "1", "", "end", "yes")[number % 5] if number < 60 else "resign yes")
    async with play_against_bot() as (handle, _):
        await terminal.play_match(handle, script, players={1: "slow bot"})
    assert not any("waiting for" in line for line in script.said)
    assert any(status.endswith("waiting for Chaos Patrol (slow bot) …") for status in script.statuses)


async def test_everything_is_shown_when_the_match_is_over() -> None:
    """The opponent resigns while the first question waits on later pages of a small screen."""
    async with asked_on_small_screen(6) as (script, playing, _, other):
        assert "deploys 5 disks" not in script.text
        await other.resign()
        await playing
    assert "deploys 5 disks" in script.text
    assert any("Empire Patrol won" in line for line in script.said)


async def test_screen_opens_with_unusual_settings_alone_and_the_others_on_demand() -> None:
    script = ScreenTerminal(lambda number: ("settings", "", "", "")[number % 4] if number < 12 else "resign yes")
    async with play_against_bot() as (handle, _):
        await terminal.play_match(handle, script)
    opening = script.said[: next(n for n, line in enumerate(script.said) if "took seat" in line)]
    assert any(line.split()[:2] == ["setup", "quick"] for line in opening)
    assert not any(line.split()[:1] == ["impact_own"] for line in opening)
    assert any(line.split()[:2] == ["impact_own", "yes"] for line in script.said)


async def test_player_who_returns_sees_the_map_at_once() -> None:
    async with contextlib.AsyncExitStack() as opened:
        handle, _ = await opened.enter_async_context(play_against_bot())
        before = CLIENTS[handle]  # its token proves the seat
        client = await opened.enter_async_context(connect(before.url, token=before.token))
        script = ScreenTerminal(lambda number: "default" if number < 4 else None)
        with pytest.raises(terminal.TerminalClosed):
            await terminal.play_match(handle, script)
        again = await client.watch(handle.id, history=False)
        await again.wait_caught_up()
        script = ScreenTerminal(lambda number: "" if number < 4 else None)
        with pytest.raises(terminal.TerminalClosed):
            await asyncio.wait_for(terminal.play_match(again, script), TEST_TIMEOUT_SECONDS)
    assert "A () Empire Patrol" in script.text
