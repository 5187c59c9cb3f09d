"""The bots that `play` seats: the server's where it has them, the terminal's own otherwise."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from diskwars_cli.console.command import CommandError
from diskwars_cli.own_server.server_bots import bot_program
from diskwars_cli.play.play_bots import WantedBots, run_own_bots, seat_bots
from diskwars_cli.play.remembered.seat_keeper import SeatKeeper
from diskwars_cli.play.remembered.seat_memory import RememberedBot, RememberedSeat, SeatMemory
from diskwars_client.client import Client, connect
from diskwars_client.match_handle import MatchHandle
from diskwars_client.terminal import terminal
from diskwars_client.watch_mode import WatchMode
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.rulesets.diskwars.actions import Loadout
from diskwars_protocol.rulesets.pit.actions import PitLoadout
from diskwars_server.app import start_server
from diskwars_server.processes.bot_processes import BotProgram
from diskwars_server.settings import ServerSettings
from diskwars_server.store.memory.database import MemoryDatabase
from tests.client.patrols import PATROLS
from tests.client.terminal.test_terminal import ScriptedTerminal

WAIT_SECONDS = 45
GREEDY = WantedBots("greedy", (PitLoadout(),), is_opener=True)
OWN_BOT = """
def choose(match, decision, options, rng):
    return options[0].action
"""


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    """Guest of a server that seats bots in one match of a guest, and no more."""
    settings = ServerSettings(port=0, bot_workers=1, player_bots=1)
    async with (
        MemoryDatabase() as database,
        start_server(settings, database, bots=bot_program()) as transport,
        connect(transport.url) as guest,
    ):
        yield guest


async def open_match(client: Client, seats: int) -> MatchHandle:
    handle = await client.open_match(ruleset="pit", seat_count=seats, mode=WatchMode(push_options=True))
    await handle.take_seat(PitLoadout())
    return handle


@contextlib.contextmanager
def kept_seat(handle: MatchHandle, folder: Path) -> Iterator[SeatKeeper]:
    memory = SeatMemory(folder)
    seat = RememberedSeat(match=handle.id, ruleset="pit", players=len(handle.match.seats), seat=0, token="")
    yield SeatKeeper(memory, seat)
    memory.release(seat)


async def test_bot_of_the_server_takes_the_free_seat_and_is_remembered(client: Client, tmp_path: Path) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        handle = await open_match(client, 2)
        with kept_seat(handle, tmp_path) as keeper:
            assert await seat_bots(client, handle, keeper, GREEDY) == ()
    assert (keeper.seat.server_bots, keeper.seat.bots) == (("greedy",), ())
    assert " against greedy, " in SeatMemory(tmp_path).seats()[0].summary


async def test_bot_beyond_the_limit_of_the_server_plays_in_this_process(client: Client, tmp_path: Path) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        first = await open_match(client, 2)
        with kept_seat(first, tmp_path / "first") as keeper:
            assert await seat_bots(client, first, keeper, GREEDY) == ()
        handle = await open_match(client, 2)
        with kept_seat(handle, tmp_path) as keeper:
            own = await seat_bots(client, handle, keeper, GREEDY)
            assert own == (RememberedBot("greedy", ""),)
            async with run_own_bots(client.url, handle, keeper, own, GREEDY) as players:
                assert players == {1: "greedy bot"}
    assert keeper.seat.bot_names == ("greedy",)
    assert keeper.seat.bots[0].token


async def test_bot_of_a_file_plays_in_this_process(client: Client, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(OWN_BOT)
    name = f"{tmp_path / 'mine.py'}:choose"
    async with asyncio.timeout(WAIT_SECONDS):
        handle = await open_match(client, 2)
        with kept_seat(handle, tmp_path / "seats") as keeper:
            wanted = WantedBots(name, (PitLoadout(),), is_opener=True)
            own = await seat_bots(client, handle, keeper, wanted)
            async with run_own_bots(client.url, handle, keeper, own, wanted) as players:
                assert players == {1: "mine bot"}
    assert keeper.seat.server_bots == ()


async def test_guest_of_a_match_brings_bots_of_their_own(client: Client, tmp_path: Path) -> None:
    """The server seats bots for the opener only: this one plays here, and finds that no seat is free."""
    async with asyncio.timeout(WAIT_SECONDS), connect(client.url) as other:
        opened = await open_match(client, 2)
        handle = await other.watch(opened.id, mode=WatchMode(push_options=True))
        await handle.wait_caught_up()
        await handle.take_seat(PitLoadout())
        with kept_seat(handle, tmp_path) as keeper:
            wanted = WantedBots("greedy", (PitLoadout(),), is_opener=False)
            own = await seat_bots(other, handle, keeper, wanted)
            assert own == (RememberedBot("greedy", ""),)
            with pytest.raises(BaseExceptionGroup) as group:
                async with run_own_bots(client.url, handle, keeper, own, wanted):
                    pass
    assert group.group_contains(CommandError, match="has no free seat; all seats are taken")


async def test_each_bot_of_a_match_brings_another_army(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first is the server's and the second this process's, and together they have both armies."""
    brought: list[Any] = []
    take_seat, seat_bot = MatchHandle.take_seat, client.lobby.seat_bot

    async def record_taken(handle: MatchHandle, loadout: Any, seat: int | None = None) -> None:
        brought.append(loadout)
        await take_seat(handle, loadout, seat)

    async def record_seated(match: MatchId, name: str, loadout: Any, seat: int) -> None:
        await seat_bot(match, name, loadout, seat)
        brought.append(loadout)

    monkeypatch.setattr(MatchHandle, "take_seat", record_taken)
    monkeypatch.setattr(client.lobby, "seat_bot", record_seated)
    armies = (Loadout("empire-patrol"), Loadout("chaos-patrol"), Loadout("greenskin-patrol"))
    wanted = WantedBots("greedy", armies[1:], is_opener=True)
    async with asyncio.timeout(WAIT_SECONDS):
        handle = await client.open_match(PATROLS, seat_count=3, mode=WatchMode(push_options=True))
        await handle.take_seat(armies[0])
        with kept_seat(handle, tmp_path) as keeper:
            own = await seat_bots(client, handle, keeper, wanted)
            async with run_own_bots(client.url, handle, keeper, own, wanted):
                pass
    assert tuple(brought) == armies


async def test_opponent_is_named_as_a_bot_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "IDLE_NOTICE_SECONDS", 0.01)
    silent = BotProgram(("sleep", str(WAIT_SECONDS)), {"pit": ("greedy",)})
    async with (
        asyncio.timeout(WAIT_SECONDS),
        MemoryDatabase() as database,
        start_server(ServerSettings(port=0, bot_workers=1), database, bots=silent) as transport,
        connect(transport.url) as guest,
    ):
        handle = await open_match(guest, 2)
        await guest.lobby.seat_bot(handle.id, "greedy", PitLoadout())
        script = ScriptedTerminal(lambda _: "1")
        playing = asyncio.create_task(terminal.play_match(handle, script))
        await script.has_printed("waiting for seat B (greedy bot) …")
        assert handle.match.seats[1].player == "bot-greedy-b"
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
