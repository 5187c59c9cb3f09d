"""Whole matches of people against bots of the server, over sockets, with the processes in which real bots think."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterable

import pytest
from msgspec import Struct
from msgspec.structs import replace

from diskwars_bots.loader import load_chooser
from diskwars_cli.own_server.server_bots import bot_program
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_cli.plugs.match_options import BotMatchFlags
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.plugs.seeded_match import play_bots, seeded_match
from diskwars_cli.rulesets.registry import find_simulation
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import connect
from diskwars_client.verification.verify import verify
from diskwars_client.watch_mode import WatchMode
from diskwars_protocol.match.events import SeatNonceOpened, StepBegan
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.close_quarters.actions import CloseQuartersLoadout
from diskwars_protocol.rulesets.diskwars.actions import Loadout
from diskwars_protocol.rulesets.pit.actions import PitLoadout
from diskwars_protocol.rulesets.regiments.actions import RegimentsLoadout, RegimentsSettings
from diskwars_server.app import start_server
from diskwars_server.settings import ServerSettings
from diskwars_server.store.memory.database import MemoryDatabase

MATCH_SECONDS = 50
BROUGHT: dict[str, tuple[Struct, Struct]] = {
    "diskwars": (Loadout("reikland-host"), Loadout("everchosen-host")),
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


def seats_that_gave_nothing(events: Iterable[object]) -> set[Seat]:
    """Return the seats that were asked for a nonce in some step and gave none.

    A seat that has nothing to decide in a step is not asked: all units of a player of regiments may be fleeing.
    """
    found, asked = set[Seat](), set[Seat]()
    for event in events:
        if isinstance(event, SeatNonceOpened):
            asked.add(event.seat)
        elif isinstance(event, StepBegan):
            found |= asked & set(event.missing)
            asked = set()
    return found


@pytest.mark.parametrize("ruleset", BROUGHT)
async def test_person_plays_a_whole_match_against_a_bot_of_the_server(
    url: str, ruleset: str, caplog: pytest.LogCaptureFixture
) -> None:
    own, brought_by_bot = BROUGHT[ruleset]
    async with asyncio.timeout(MATCH_SECONDS), connect(url) as client:
        handle = await client.open_match(
            SETTINGS.get(ruleset), ruleset=ruleset, mode=WatchMode(push_options=True, push_openings=True)
        )
        await client.lobby.seat_bot(handle.id, "greedy", brought_by_bot, seat=1)
        await handle.take_seat(own)
        result = await play_bot(handle, load_chooser("random", ruleset), random.Random(1))
    assert result is not None
    assert handle.match.seats[1].player == "bot-greedy-b"
    by_bot = [record for record in handle.records if record.seat == 1]
    assert len(by_bot) > 3, "after its seat and its secrets it has answered questions"
    assert all(record.actor is None for record in by_bot), "the bot itself has answered"
    assert not caplog.records, "no answer was the default of the rules"
    assert not seats_that_gave_nothing(event for record in handle.records for event in record.events)
    assert verify(handle.file()).is_redecided


def test_player_whose_units_all_flee_is_not_asked_for_a_nonce() -> None:
    """More than one match in four between these bots has such a step; which ones, the seed decides."""
    events = local_events(105)
    assert [event.missing for event in events if isinstance(event, StepBegan) and event.missing] == [(1,)]
    assert seats_that_gave_nothing(events) == set()
    asked = [SeatNonceOpened(1, "") if isinstance(event, SeatNonceOpened) else event for event in events]
    step = next(event for event in asked if isinstance(event, StepBegan) and event.step == 3)
    asked[asked.index(step)] = replace(step, missing=(1,))
    assert seats_that_gave_nothing(asked) == {1}


def local_events(seed: int) -> list[object]:
    """Return the events of a match of regiments with secret orders between the bots that play above."""
    flags = BotMatchFlags(
        data=DataOptions(),
        ruleset="regiments",
        players=2,
        bots="random,greedy",
        house_rules=("secret_orders=yes",),
    )
    job = next(find_simulation("regiments").jobs(flags, [seed]))
    local = seeded_match(load_ruleset("regiments", ()), seed, job.loadouts, job.settings)
    return [event for body in play_bots(local, seed, job.bots) for event in body.events]


async def test_lobby_and_welcome_say_who_is_a_bot(url: str) -> None:
    async with asyncio.timeout(MATCH_SECONDS), connect(url) as client:
        assert {summary.id: summary.bots[0] for summary in client.rulesets} == dict.fromkeys(BROUGHT, "greedy")
        assert all("random" in summary.bots for summary in client.rulesets)
        handle = await client.open_match(ruleset="pit", seat_count=3)
        await client.lobby.seat_bot(handle.id, "random")
        (summary,) = await client.lobby.list()
        assert [seat.bot for seat in summary.seats] == ["random", None, None]
        assert [seat.player for seat in summary.seats] == ["bot-random-a", None, None]
