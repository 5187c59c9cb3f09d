"""Challenges through the SDK: sent, waited for, accepted, declined, taken back, and turned off."""

import asyncio

import pytest

from diskwars_client.client import connect
from diskwars_client.errors import CommandRefused
from diskwars_protocol.rulesets.pit.actions import PitLoadout
from tests.client.local_server import running_server
from tests.server.in_memory_server import TEST_TIMEOUT_SECONDS

PASSWORD = "the griffon flies at dawn"


async def test_both_take_the_seats_that_a_challenge_gives_them() -> None:
    async with running_server(seed=None) as url, connect(url) as ann, connect(url) as ben:
        await ann.accounts.register("Ann", PASSWORD)
        await ben.accounts.register("Ben", PASSWORD)
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            sent = await ann.challenges.send("Ben", "pit", seat=1)
            answer = asyncio.create_task(ann.challenges.wait_for_answer(sent.challenge))
            (received,) = (await ben.challenges.list()).challenges
            assert received == sent
            accepted = await ben.challenges.accept(received.challenge)
            assert await answer == accepted
            assert accepted.match is not None
            for client, seat in ((ann, 1), (ben, 0)):
                handle = await client.watch(accepted.match)
                assert await handle.take_seat(PitLoadout(), seat) == seat


async def test_challenge_ends_without_a_match() -> None:
    async with running_server(seed=None) as url, connect(url) as ann, connect(url) as ben:
        await ann.accounts.register("Ann", PASSWORD)
        await ben.accounts.register("Ben", PASSWORD)
        sent = await ann.challenges.send("Ben", "pit")
        declined = await ben.challenges.decline(sent.challenge, "too_slow")
        assert (declined.status, declined.reason) == ("declined", "too_slow")
        again = await ann.challenges.send("Ben", "pit")
        assert (await ann.challenges.withdraw(again.challenge)).status == "withdrawn"
        assert await ann.challenges.wait_for_answer("unknown") is None
        assert not (await ben.challenges.allow(False)).allowed
        with pytest.raises(CommandRefused, match="takes no challenges"):
            await ann.challenges.send("Ben", "pit")
        assert (await ben.challenges.allow()).allowed
