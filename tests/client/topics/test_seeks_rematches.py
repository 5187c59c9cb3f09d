"""Rematches with the SDK: both players are led into the match that follows."""

import asyncio

from diskwars_client.client import Client, connect
from diskwars_protocol.match.actions import ReadyQuestion
from diskwars_protocol.rulesets.diskwars.actions import Loadout
from tests.client.local_server import running_server
from tests.client.patrols import PATROLS
from tests.server.in_memory_server import TEST_TIMEOUT_SECONDS

ARMIES = (Loadout("empire-patrol"), Loadout("chaos-patrol"))


async def follow(client: Client, match: str, army: Loadout) -> int:
    """Agree to a rematch, and take the seat in it."""
    rematch = await client.seeks.wait_for_rematch(match)
    assert rematch.next_match is not None
    handle = await client.watch(rematch.next_match)
    return await handle.take_seat(army, rematch.seat)


async def test_both_players_are_led_into_the_match_that_follows() -> None:
    async with running_server() as url, connect(url) as one, connect(url) as other:
        own = await one.open_match(PATROLS)
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
            seats = await asyncio.gather(follow(one, own.id, ARMIES[0]), follow(other, own.id, ARMIES[1]))
        assert list(seats) == [1, 0]
