"""A match that is followed from a snapshot: its state, its history, and options that are pushed."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator

import msgspec
import pytest

from diskwars_bots.rulesets.diskwars.bots import BOTS
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import connect
from diskwars_client.errors import MatchUnavailable
from diskwars_client.match_handle import MatchHandle
from diskwars_client.request_sender import RequestSender
from diskwars_client.watch_mode import WatchMode
from diskwars_protocol.connection.streams import Head
from diskwars_protocol.messages.decisions import Act, GetOptions
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings, Loadout
from tests.client.local_server import CLIENTS, TEST_TIMEOUT_SECONDS, running_server

QUICK = DiskwarsSettings(setup="quick", regiments=1)
PUSHED = WatchMode(push_options=True)


@contextlib.asynccontextmanager
async def seated_players(mode: WatchMode) -> AsyncIterator[tuple[MatchHandle, MatchHandle, str]]:
    """Provide the handles of two players who sit, and the address of the server."""
    async with (
        asyncio.timeout(TEST_TIMEOUT_SECONDS),
        running_server() as url,
        connect(url) as one,
        connect(url) as other,
    ):
        first = await one.open_match(QUICK, mode=mode)
        second = await other.watch(first.id, history=False, mode=mode)
        CLIENTS[first] = one
        await first.take_seat(Loadout("empire-patrol"))
        await second.take_seat(Loadout("chaos-patrol"))
        yield first, second, url


async def play_both(first: MatchHandle, second: MatchHandle) -> None:
    await asyncio.gather(
        play_bot(first, BOTS["greedy"], random.Random(1)), play_bot(second, BOTS["random"], random.Random(2))
    )


async def play_some(first: MatchHandle, second: MatchHandle, records: int) -> None:
    """Let the bots play on until this many records are there."""
    playing = asyncio.create_task(play_both(first, second))
    await first.wait_after(records)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)


async def test_a_spectator_who_joins_by_snapshot_sees_the_rest_and_the_same_state() -> None:
    async with seated_players(WatchMode()) as (first, second, url), connect(url) as client:
        await play_some(first, second, 30)
        watched = await client.watch(first.id, history=False)
        start = watched.head
        assert start >= 30
        assert not watched.stream.log.has_history
        updates = []
        playing = asyncio.create_task(play_both(first, second))
        async for update in watched:
            updates.append(update)
        await playing
        assert updates[0].before is None
        assert (updates[0].record.events, updates[0].is_live) == ((), False)
        assert [update.seq for update in updates] == list(range(start, watched.head + 1))
        assert (watched.head, watched.stream.hash) == (first.head, first.stream.hash)
        assert watched.match.result == first.match.result


async def test_the_history_before_a_snapshot_is_fetched_and_checked() -> None:
    async with seated_players(WatchMode()) as (first, second, url), connect(url) as client:
        await play_both(first, second)
        watched = await client.watch(first.id, history=False)
        assert watched.records == ()
        await watched.stream.fetch_history()
        assert watched.stream.log.has_history
        async with connect(url) as other:
            whole = await other.watch(first.id)
            await whole.wait_caught_up()
            assert watched.records == whole.records
            assert watched.state == whole.state


async def test_a_bot_that_returns_by_snapshot_answers_what_is_open_already() -> None:
    async with seated_players(PUSHED) as (first, second, url):
        await play_some(first, second, 30)
        token = CLIENTS[first].token
        async with connect(url, token=token) as client:
            back = await client.watch(first.id, history=False, mode=PUSHED)
            await back.own_seat.replace_chain()
            await play_both(back, second)
        assert second.match.status == "ended"


async def test_bots_whose_options_are_pushed_request_none(monkeypatch: pytest.MonkeyPatch) -> None:
    requested: list[type[object]] = []
    send = RequestSender._send

    async def counting(self: RequestSender, request: object) -> None:
        requested.append(type(request))
        await send(self, request)  # type: ignore[arg-type]

    monkeypatch.setattr(RequestSender, "_send", counting)
    async with seated_players(PUSHED) as (first, second, _):
        await play_both(first, second)
    assert requested.count(Act) > 40
    assert GetOptions not in requested


async def test_unavailable_options_are_requested_where_they_are_not_pushed() -> None:
    async with seated_players(PUSHED) as (first, second, _):
        await play_some(first, second, 30)
        handle = first if first.open_decisions else second
        decision = handle.open_decisions[0]
        plain, whole = await handle.options(decision), await handle.options(decision, include_unavailable=True)
        assert plain.unavailable == ()
        assert (whole.actions, whole.parametric) == (plain.actions, plain.parametric)


async def test_a_snapshot_that_its_records_do_not_fold_to_is_found() -> None:
    async with seated_players(WatchMode()) as (first, second, url), connect(url) as client:
        await play_some(first, second, 30)
        watched = await client.watch(first.id, history=False)
        assert watched.stream.log.snapshot is not None
        head, state = watched.stream.log.snapshot
        watched.stream.log.snapshot = head, msgspec.structs.replace(state, step=state.step + 1)
        with pytest.raises(MatchUnavailable, match="do not fold to the snapshot"):
            await watched.stream.fetch_history()


async def test_a_snapshot_of_another_log_is_found_from_the_records_and_from_a_head_of_an_earlier_life() -> None:
    async with seated_players(WatchMode()) as (first, second, url):
        await play_some(first, second, 30)
        async with connect(url, heads={first.id: Head(3, "0" * 64)}) as client:
            with pytest.raises(MatchUnavailable, match="rewritten"):
                await client.watch(first.id, history=False)
        async with connect(url) as client:
            watched = await client.watch(first.id, history=False)
            assert watched.stream.log.snapshot is not None
            watched.stream.log.snapshot = Head(watched.head, "0" * 64), watched.stream.log.snapshot[1]
            with pytest.raises(MatchUnavailable, match="another match"):
                await watched.stream.fetch_history()


async def test_a_head_of_an_earlier_life_that_the_snapshot_goes_on_from_is_accepted() -> None:
    async with seated_players(WatchMode()) as (first, second, url):
        known = Head(first.head, first.stream.hash)
        await play_some(first, second, 30)
        async with connect(url, heads={first.id: known}) as client:
            watched = await client.watch(first.id, history=False)
            assert watched.head > known.seq
