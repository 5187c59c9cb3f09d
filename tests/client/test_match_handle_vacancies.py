"""Seats that are left or freed before a match begins, with the SDK and in a terminal."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from diskwars_client.client import Client, connect
from diskwars_client.errors import CommandRefused, DecisionUnavailable
from diskwars_client.match_handle import MatchHandle
from diskwars_client.plugs.terminal_ruleset import OrderError
from diskwars_client.terminal.agreements import follow_agreement_order
from diskwars_protocol.match.actions import ReadyQuestion
from diskwars_protocol.rulesets.diskwars.actions import Loadout
from tests.client.local_server import running_server
from tests.client.patrols import PATROLS
from tests.server.in_memory_server import TEST_TIMEOUT_SECONDS

EMPIRE, CHAOS = Loadout("empire-patrol"), Loadout("chaos-patrol")


@pytest.fixture
async def local() -> AsyncIterator[str]:
    async with running_server() as url:
        yield url


async def begin(*handles: MatchHandle) -> None:
    """Let these players be ready whenever they are asked, until the match has begun."""
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
        while any(handle.match.status == "open" for handle in handles):
            for handle in handles:
                if any(isinstance(decision.question, ReadyQuestion) for decision in handle.open_decisions):
                    await handle.ready()
            await asyncio.sleep(0.01)


async def sit(opener: Client, guest: Client) -> tuple[MatchHandle, MatchHandle]:
    own = await opener.open_match(PATROLS)
    await own.take_seat(EMPIRE, 0)
    other = await guest.watch(own.id)
    await other.take_seat(CHAOS, 1)
    return own, other


async def test_seat_is_left_taken_again_and_played(local: str) -> None:
    async with connect(local) as opener, connect(local) as guest:
        own, other = await sit(opener, guest)
        await own.wait_after(2)
        await own.ready()
        await other.leave_seat()
        assert other.seat is None
        assert other.open_decisions == ()
        assert await other.take_seat(CHAOS) == 1
        await begin(own, other)
        step = own.match.seat_nonces[0]
        assert "00" * 16 not in step, "both gave a nonce of their new chains"


async def test_players_who_take_any_seat_at_once_each_get_one_while_there_are_some(local: str) -> None:
    async with connect(local) as first, connect(local) as second, connect(local) as third:
        own = await first.open_match(PATROLS)
        handles = [own, *[await client.watch(own.id) for client in (second, third)]]
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            taken = await asyncio.gather(*(handle.take_seat(EMPIRE) for handle in handles), return_exceptions=True)
        assert taken[:2] == [0, 1]
        assert isinstance(taken[2], DecisionUnavailable)
        assert [handle.seat for handle in handles] == [0, 1, None]
        assert handles[2].own_seat.secrets is None


async def test_seat_that_was_named_is_not_replaced_by_another(local: str) -> None:
    async with connect(local) as first, connect(local) as second:
        own = await first.open_match(PATROLS)
        other = await second.watch(own.id)
        taken = await asyncio.gather(own.take_seat(EMPIRE, 0), other.take_seat(CHAOS, 0), return_exceptions=True)
        assert taken[0] == 0
        assert isinstance(taken[1], CommandRefused) and taken[1].code == "seat_taken"  # noqa: PT018 typed


async def test_opener_removes_a_player_by_order(local: str) -> None:
    async with connect(local) as opener, connect(local) as guest, connect(local) as third:
        own, other = await sit(opener, guest)
        with pytest.raises(OrderError, match="such as `kick B`"):
            await follow_agreement_order(own, "kick C")
        assert await follow_agreement_order(own, "kick b") == ""
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            while other.seat is not None:
                await other.wait_after(other.head)
        with pytest.raises(CommandRefused, match="kicked"):
            await other.take_seat(CHAOS)
        late = await third.watch(own.id)
        await late.take_seat(CHAOS)
        assert await follow_agreement_order(late, "leave") == ""
        assert late.seat is None


async def test_history_with_an_earlier_player_of_the_seat_is_read(local: str) -> None:
    """The former player's chain is no broken promise, and their secrets stay sealed."""
    async with connect(local) as opener, connect(local) as guest, connect(local) as third:
        own, other = await sit(opener, guest)
        await other.leave_seat()
        late = await third.watch(own.id)
        await late.take_seat(CHAOS)
        token, saved = third.token, late.own_seat.secrets
        assert saved is not None
        async with connect(local, token=token) as again:
            handle = await again.watch(own.id)
            await handle.wait_caught_up()
            assert handle.own_seat.resume_secrets(saved.saved())
            await begin(own, handle)
            assert handle.seat == 1
