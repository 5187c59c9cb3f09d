"""Quick matches and declined rematches with the SDK."""

import asyncio

import pytest

from diskwars_client.client import Client, connect
from diskwars_client.errors import CommandRefused
from diskwars_protocol.match.actions import ReadyQuestion
from diskwars_protocol.rulesets.diskwars.actions import Loadout
from tests.client.local_server import running_server
from tests.server.in_memory_server import TEST_TIMEOUT_SECONDS

ARMIES = (Loadout("reikland-host"), Loadout("everchosen-host"))


async def seek_and_sit(client: Client, army: Loadout) -> tuple[str, int]:
    match_found = await client.seeks.find_match()
    handle = await client.watch(match_found.match)
    return match_found.match, await handle.take_seat(army, match_found.seat)


async def test_two_players_find_each_other_and_take_seats() -> None:
    async with running_server() as url, connect(url) as one, connect(url) as other:
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            seats = await asyncio.gather(seek_and_sit(one, ARMIES[0]), seek_and_sit(other, ARMIES[1]))
        assert seats[0][0] == seats[1][0]
        assert {seat for _, seat in seats} == {0, 1}


async def test_search_that_is_cancelled_has_ended() -> None:
    async with running_server() as url, connect(url) as one, connect(url) as other:
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            search = asyncio.create_task(one.seeks.find_match())
            await asyncio.sleep(0)
            search.cancel()
            with pytest.raises(asyncio.CancelledError):
                await search
            assert (await other.seeks.stop()).found is None
            later = asyncio.create_task(other.seeks.find_match())
            done, _ = await asyncio.wait([later], timeout=0.2)
            assert not done
            later.cancel()
            await asyncio.wait([later])


async def test_player_who_waits_for_a_rematch_learns_that_the_other_has_declined() -> None:
    async with running_server() as url, connect(url) as one, connect(url) as other:
        own = await one.open_match()
        await own.take_seat(ARMIES[0], 0)
        their = await other.watch(own.id)
        await their.take_seat(ARMIES[1], 1)
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            while own.match.status == "open":
                for handle in (own, their):
                    if any(isinstance(decision.question, ReadyQuestion) for decision in handle.open_decisions):
                        await handle.ready()
                await asyncio.sleep(0.01)
            await their.resign()
            waiting = asyncio.create_task(one.seeks.wait_for_rematch(own.id))
            while own.id not in other.seeks.rematches:
                await asyncio.sleep(0.01)
            assert other.seeks.rematches[own.id].agreed == (0,)
            await other.seeks.decline_rematch(own.id)
            assert (await waiting).declined == (1,)
        with pytest.raises(CommandRefused) as refused:
            await other.seeks.offer_rematch(own.id)
        assert refused.value.code == "rematch_declined"
