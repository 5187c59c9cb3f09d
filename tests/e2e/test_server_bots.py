"""Whole matches of people against bots of the server, over sockets, with the processes in which real bots think."""

import asyncio
import random
from collections.abc import AsyncIterator

import pytest
from msgspec import Struct

from diskwars_bots.loader import load_chooser
from diskwars_cli.server_bots import bot_program
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import connect
from diskwars_client.match_handle import WatchMode
from diskwars_client.verify import verify
from diskwars_protocol.rulesets.close_quarters.actions import CloseQuartersLoadout
from diskwars_protocol.rulesets.diskwars.actions import Loadout
from diskwars_protocol.rulesets.pit.actions import PitLoadout
from diskwars_protocol.rulesets.regiments.actions import RegimentsLoadout, RegimentsSettings
from diskwars_server.app import start_server
from diskwars_server.memory import MemoryDatabase
from diskwars_server.settings import ServerSettings

MATCH_SECONDS = 50
BROUGHT: dict[str, tuple[Struct, Struct]] = {
    "diskwars": (Loadout("empire-patrol"), Loadout("chaos-patrol")),
    "pit": (PitLoadout(), PitLoadout()),
    "close_quarters": (CloseQuartersLoadout(), CloseQuartersLoadout()),
    "regiments": (RegimentsLoadout(), RegimentsLoadout()),
}
"""By ruleset: what the person and the bot bring."""
SETTINGS: dict[str, Struct] = {"regiments": RegimentsSettings(secret_orders=True)}


@pytest.fixture
async def url() -> AsyncIterator[str]:
    settings = ServerSettings(port=0, bot_workers=1)
    async with MemoryDatabase() as database, start_server(settings, database, bots=bot_program()) as transport:
        yield transport.url


@pytest.mark.parametrize("ruleset", BROUGHT)
async def test_person_plays_a_whole_match_against_a_bot_of_the_server(
    url: str, ruleset: str, caplog: pytest.LogCaptureFixture
) -> None:
    own, brought_by_bot = BROUGHT[ruleset]
    async with asyncio.timeout(MATCH_SECONDS), connect(url) as client:
        handle = await client.open_match(
            SETTINGS.get(ruleset), ruleset=ruleset, mode=WatchMode(push_options=True, push_openings=True)
        )
        await client.seat_bot(handle.id, "greedy", brought_by_bot, seat=1)
        await handle.take_seat(own)
        result = await play_bot(handle, load_chooser("random", ruleset), random.Random(1))
    assert result is not None
    assert handle.match.seats[1].player == "bot-greedy-b"
    by_bot = [record for record in handle.records if record.seat == 1]
    assert len(by_bot) > 3, "after its seat and its secrets it has answered questions"
    assert all(record.actor is None for record in by_bot), "the bot itself has answered"
    assert not caplog.records, "no answer was the default of the rules"
    assert not any(event.missing for record in handle.records for event in record.events if hasattr(event, "missing"))
    assert verify(handle.file()).is_redecided


async def test_lobby_and_welcome_say_who_is_a_bot(url: str) -> None:
    async with asyncio.timeout(MATCH_SECONDS), connect(url) as client:
        assert {summary.id: summary.bots[0] for summary in client.rulesets} == dict.fromkeys(BROUGHT, "greedy")
        assert all("random" in summary.bots for summary in client.rulesets)
        handle = await client.open_match(ruleset="pit", seat_count=3)
        await client.seat_bot(handle.id, "random")
        (summary,) = await client.list_matches()
        assert [seat.bot for seat in summary.seats] == ["random", None, None]
        assert [seat.player for seat in summary.seats] == ["bot-random-a", None, None]
