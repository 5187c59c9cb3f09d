"""Handles that nobody iterates over, that change their mode, or that are finished."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator

import msgspec
import pytest

from diskwars_bots.rulesets.diskwars.bots import BOTS
from diskwars_client import updates
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import Client, connect
from diskwars_client.errors import CommandRefused, MatchUnavailable
from diskwars_client.match_handle import MatchHandle
from diskwars_client.topics import catalogues
from diskwars_client.topics.catalogues import CatalogueSnapshot
from diskwars_client.watch_mode import WatchMode
from diskwars_protocol.records.sealed import Sealed
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings, Loadout
from diskwars_server.broadcast import history as match_history
from tests.client.local_server import CLIENTS, TEST_TIMEOUT_SECONDS, running_server
from tests.client.patrols import PATROLS

LIMIT = 4
FRAME_RECORDS = 4


@pytest.fixture(autouse=True)
def small_buffer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(updates, "UPDATE_BUFFER_LIMIT", LIMIT)
    monkeypatch.setattr(match_history, "BLOCK_RECORDS", FRAME_RECORDS)


@pytest.fixture
async def url() -> AsyncIterator[str]:
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS), running_server() as url:
        yield url


@contextlib.asynccontextmanager
async def two_players(url: str) -> AsyncIterator[tuple[MatchHandle, MatchHandle]]:
    async with connect(url) as one, connect(url) as other:
        first = await one.open_match(DiskwarsSettings(setup="quick", regiments=1))
        second = await other.watch(first.id)
        CLIENTS[first] = one
        await first.take_seat(Loadout("empire-patrol"))
        await second.take_seat(Loadout("chaos-patrol"))
        yield first, second


async def play(first: MatchHandle, second: MatchHandle) -> None:
    await asyncio.gather(
        play_bot(first, BOTS["greedy"], random.Random(1)), play_bot(second, BOTS["random"], random.Random(2))
    )


# ---------------------------------------------------------------- updates that nobody takes


async def test_the_reconnect_recipe_catches_up_on_more_records_than_a_handle_keeps(url: str) -> None:
    async with two_players(url) as (first, second):
        await play(first, second)
        async with connect(url) as third:
            watched = await third.watch(first.id)
            assert await watched.wait_caught_up() == watched.state
            assert (watched.head, len(watched.records)) == (first.head, first.head)
            assert watched.head > 10 * LIMIT


async def test_updates_beyond_the_bound_become_one_without_a_record(url: str) -> None:
    async with two_players(url) as (first, second):
        await play(first, second)
        async with connect(url) as third:
            watched = await third.watch(first.id)
            await watched.wait_caught_up()
            updates = [update async for update in watched]
        assert LIMIT <= len(updates) <= LIMIT + FRAME_RECORDS
        assert [update.seq for update in updates] == list(range(updates[0].seq, watched.head + 1))
        assert [update.is_snapshot for update in updates] == [True] + [False] * (len(updates) - 1)
        assert [update.before for update in updates[1:]] == [update.state for update in updates[:-1]]


async def test_a_wait_for_a_later_record_reads_on(url: str) -> None:
    async with two_players(url) as (first, second), connect(url) as third:
        watched = await third.watch(first.id)
        playing = asyncio.create_task(play(first, second))
        await watched.wait_after(10 * LIMIT)
        await playing
        assert watched.head > 10 * LIMIT


async def test_a_match_whose_updates_nobody_takes_holds_up_no_other_of_the_client(url: str) -> None:
    async with two_players(url) as (first, second), two_players(url) as (third, fourth), connect(url) as client:
        ignored = await client.watch(first.id)
        await play(first, second)
        watched = await client.watch(third.id)
        _, updates = await asyncio.gather(play(third, fourth), collect_sequence(watched))
        assert updates[-1] == watched.head == third.head
        assert len(ignored.stream.updates) <= LIMIT + FRAME_RECORDS


async def collect_sequence(handle: MatchHandle) -> list[int]:
    return [update.seq async for update in handle]


async def test_a_client_stops_reading_while_nobody_waits(url: str) -> None:
    async with two_players(url) as (first, second):
        await play(first, second)
        async with connect(url) as third:
            watched = await third.watch(first.id)
            while not watched.stream.updates.is_full:
                await asyncio.sleep(0)
            for _ in range(100):
                await asyncio.sleep(0)
            assert watched.head < LIMIT + FRAME_RECORDS
            assert await collect_sequence(watched) == list(range(1, first.head + 1))


# ---------------------------------------------------------------- another mode


async def test_a_match_that_is_followed_already_is_shown_again_with_its_secrets(url: str) -> None:
    async with two_players(url) as (first, second), connect(url) as third, connect(url) as fourth:
        watched = await third.watch(first.id)
        await first.wait_after(2)
        await asyncio.gather(first.ready(), second.ready())
        resigned = await first.resign()
        await watched.wait_after(resigned.seq - 1)
        again = await third.watch(first.id, reveal_secrets=True)
        fresh = await fourth.watch(first.id, reveal_secrets=True)
        assert again is watched
        assert await again.wait_caught_up() == await fresh.wait_caught_up()
        assert again.records == fresh.records
        assert not any(isinstance(event, Sealed) for body in again.records for event in body.events)
        assert await collect_sequence(again) == list(range(1, first.head + 1))
        assert await third.watch(first.id) is again
        assert again.stream.mode.reveal_secrets


async def test_another_mode_that_is_refused_leaves_the_match_as_it_was(url: str) -> None:
    async with two_players(url) as (first, _), connect(url) as third:
        watched = await third.watch(first.id)
        await watched.wait_caught_up()
        with pytest.raises(CommandRefused) as refused:
            await third.watch(first.id, reveal_secrets=True)
        assert refused.value.code == "not_ended"
        assert watched.stream.mode == WatchMode()
        await first.resign()
        assert (await collect_sequence(watched))[-1] == first.head


async def test_options_are_pushed_from_the_change_of_mode_on(url: str) -> None:
    async with two_players(url) as (first, second):
        client = CLIENTS[first]
        head = first.head
        pushed = WatchMode(push_options=True)
        assert await client.watch(first.id, mode=pushed) is first
        assert (first.stream.mode, first.head) == (pushed, head)
        assert await client.watch(first.id) is first
        assert first.stream.mode == pushed
        await play(first, second)
        assert first.match.status == "ended"


# ---------------------------------------------------------------- finished matches


async def test_finished_matches_make_room_for_new_ones(url: str) -> None:
    async with connect(url) as client:
        connection = client._connection
        connection.limits = msgspec.structs.replace(connection.limits, watched_matches=2)
        kept = await client.open_match(PATROLS)
        opened = [await open_and_resign(client) for _ in range(5)]
        assert set(client._matches.ids) == set(connection.watched) == {kept.id, opened[-1].id}


async def open_and_resign(client: Client) -> MatchHandle:
    handle = await client.open_match(PATROLS)
    await handle.take_seat(Loadout("empire-patrol"))
    await handle.resign()
    await collect_sequence(handle)
    return handle


async def test_a_match_that_could_not_be_followed_is_watched_again(url: str) -> None:
    async with connect(url) as one, connect(url) as other:
        opened = await one.open_match(PATROLS)
        watched = await other.watch(opened.id)
        watched.stream._on_end(MatchUnavailable("for this test"))
        again = await other.watch(opened.id)
        assert again is not watched
        assert (await again.wait_caught_up()).status == "open"


async def test_only_the_newest_catalogues_are_kept(url: str) -> None:
    async with connect(url) as client:
        for number in range(catalogues.MAX_KEPT_CATALOGUES):
            client.catalogues._catalogues[f"made-up-{number}", None] = CatalogueSnapshot("", b"")
        await client.catalogues.get()
        assert len(client.catalogues._catalogues) == catalogues.MAX_KEPT_CATALOGUES
        assert ("made-up-0", None) not in client.catalogues._catalogues
