"""A stream that was interrupted anywhere equals an uninterrupted one."""

import asyncio
import contextlib
import itertools
import random
from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from diskwars_bots.rulesets.diskwars.bots import BOTS
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import Client, connect
from diskwars_client.errors import MatchUnavailable, SessionEnded
from diskwars_client.match_handle import MatchHandle
from diskwars_protocol.connection.connection import ConnectionState, encode
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.closing import CLOSE_CODES, Closing
from diskwars_protocol.messages.watching import Unwatched
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings, Loadout
from diskwars_server.matches.game import Game
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.refusals import Refusal
from tests.client.local_server import QUICK_RETRY, TEST_TIMEOUT_SECONDS, FrameFate, LossyRelay, running_server
from tests.client.patrols import PATROLS


def cut_after(least: int, fate: str) -> FrameFate:
    """Cut every connection, each one a frame later than the one before it."""

    def judge(connection: int, frame: int, is_servers: bool) -> str:
        return fate if frame >= least + connection else "pass"

    return judge


async def play_both_seats(near: Client, far: Client) -> MatchHandle:
    """Return two random bots play a whole match; the handle of the first."""
    first = await near.open_match(DiskwarsSettings(setup="quick", regiments=1))
    second = await far.watch(first.id)
    await first.take_seat(Loadout("empire-patrol"), 0)
    await second.take_seat(Loadout("chaos-patrol"), 1)
    await asyncio.gather(
        play_bot(first, BOTS["random"], random.Random(1)), play_bot(second, BOTS["random"], random.Random(2))
    )
    return first


async def end(handle: MatchHandle) -> MatchHandle:
    async for _ in handle:
        pass
    return handle


@pytest.mark.parametrize("fate", ["last", "cut"])
@pytest.mark.parametrize("least", [2, 3, 4])
async def test_a_player_who_is_cut_off_at_every_frame_plays_the_whole_match(least: int, fate: str) -> None:
    async with (
        asyncio.timeout(TEST_TIMEOUT_SECONDS),
        running_server() as url,
        LossyRelay(url, cut_after(least, fate)).run() as relay,
        connect(relay.url, retry_policy=QUICK_RETRY) as near,
        connect(url) as far,
        connect(url, token=near.token) as unbroken,
    ):
        cut_off = await play_both_seats(near, far)
        whole = await end(await unbroken.watch(cut_off.id))
        assert relay.connections > 20
        assert cut_off.records == whole.records
        assert (cut_off.head, cut_off.stream.hash, cut_off.state) == (whole.head, whole.hash, whole.state)


@pytest.mark.parametrize("fate", ["double", "flip"])
async def test_player_and_spectator_go_on_after_every_frame_that_was_doubled_or_changed(fate: str) -> None:
    """One frame in eleven, on each connection others: answers, records, options, and what is pushed."""

    def judge(connection: int, frame: int, is_servers: bool) -> str:
        return fate if is_servers and frame > 2 and (frame + connection) % 11 == 0 else "pass"

    async with (
        asyncio.timeout(TEST_TIMEOUT_SECONDS),
        running_server() as url,
        LossyRelay(url, judge).run() as relay,
        connect(relay.url, retry_policy=QUICK_RETRY) as near,
        connect(url) as far,
        connect(url, token=near.token) as unbroken,
    ):
        hurt_handle = await play_both_seats(near, far)
        whole = await end(await unbroken.watch(hurt_handle.id))
        assert relay.connections > 10
        assert hurt_handle.records == whole.records
        assert (hurt_handle.head, hurt_handle.stream.hash) == (whole.head, whole.hash)


async def test_requests_wait_while_connections_break_with_the_frame_after_their_welcome() -> None:
    """The second welcome is read before the tasks run that wait for the first: they must not send on that socket."""

    def judge(connection: int, frame: int, is_servers: bool) -> str:
        if connection == 1:
            return "cut" if frame > 2 else "pass"
        return "double" if connection < 6 and is_servers and frame == 2 else "pass"

    waiting: list[asyncio.Task[object]] = []

    def request_while_there_is_no_socket(is_back: bool) -> None:
        if not is_back:
            waiting.append(asyncio.create_task(client.lobby.list()))

    async with (
        asyncio.timeout(TEST_TIMEOUT_SECONDS),
        running_server() as url,
        LossyRelay(url, judge).run() as relay,
        connect(relay.url, retry_policy=QUICK_RETRY, on_connection_change=request_while_there_is_no_socket) as client,
    ):
        assert await client.lobby.list() == ()
        assert set(await asyncio.gather(*waiting)) == {()}
        assert relay.connections == 6
        assert len(waiting) == 5


async def test_request_made_while_the_last_connection_closes_fails_as_the_session_does() -> None:
    async with (
        asyncio.timeout(TEST_TIMEOUT_SECONDS),
        running_server() as url,
        LossyRelay(url, lambda *_: "pass").run() as relay,
        connect(relay.url, retry_policy=QUICK_RETRY) as client,
    ):
        requests: list[asyncio.Task[object]] = []
        relay.inject_frame(encode(Closing(CLOSE_CODES["token_revoked"], "token_revoked", "logged out")).decode())
        while client._requests.error is None:
            if client._connection.state is ConnectionState.CLOSED:
                requests.append(asyncio.create_task(client.lobby.list()))
            await asyncio.sleep(0)
        failures = await asyncio.gather(*requests, return_exceptions=True)
        assert failures
        assert {(type(failure), getattr(failure, "close_reason", None)) for failure in failures} == {
            (SessionEnded, "token_revoked")
        }


@contextlib.asynccontextmanager
async def spectator_of_a_match(
    judge: FrameFate,
) -> AsyncIterator[tuple[LossyRelay, Client, MatchId, asyncio.Task[MatchHandle]]]:
    """Provide a client behind a relay, and a match that two others are playing to its end."""
    async with (
        asyncio.timeout(TEST_TIMEOUT_SECONDS),
        running_server() as url,
        LossyRelay(url, judge).run() as relay,
        connect(url) as near,
        connect(url) as far,
        connect(relay.url, retry_policy=QUICK_RETRY) as third,
    ):
        playing = asyncio.create_task(play_both_seats(near, far))
        while not (listed := await third.lobby.list()):
            await asyncio.sleep(0)
        yield relay, third, listed[0].match, playing


async def test_updates_that_were_cut_in_the_middle_follow_each_other() -> None:
    async with spectator_of_a_match(cut_after(2, "last")) as (relay, third, match, playing):
        updates = [update async for update in await third.watch(match)]
        assert [update.seq for update in updates] == list(range(1, len(updates) + 1))
        assert updates[-1].state.result == (await playing).match.result
        assert relay.connections > 5


async def test_a_command_whose_answer_was_lost_is_done_once() -> None:
    def judge(connection: int, frame: int, is_servers: bool) -> str:
        """Return the answers to opening and to sitting down never arrive."""
        return "cut" if connection < 6 and is_servers and frame > 2 else "pass"

    async with asyncio.timeout(TEST_TIMEOUT_SECONDS), running_server() as url, LossyRelay(url, judge).run() as relay:
        async with connect(relay.url, retry_policy=QUICK_RETRY) as client:
            handle = await client.open_match(PATROLS)
            assert await handle.take_seat(Loadout("empire-patrol"), 0) == 0
            assert len(await client.lobby.list()) == 1
        assert relay.connections == 6
        assert sum(body.action is not None for body in handle.records) == 1


async def test_spectator_without_history_resumes_from_a_snapshot() -> None:
    async with spectator_of_a_match(cut_after(4, "cut")) as (_, third, match, playing):
        watched = await third.watch(match, history=False)
        updates = [update async for update in watched]
        played = await playing
        assert sum(update.is_snapshot for update in updates) > 1
        assert all(one.seq <= other.seq for one, other in itertools.pairwise(updates))
        assert not watched.stream.log.has_history
        assert (watched.head, watched.stream.hash) == (played.head, played.hash)
        assert watched.match.result == played.match.result


async def test_snapshot_of_a_rewritten_match_stops_the_handle() -> None:
    async with (
        asyncio.timeout(TEST_TIMEOUT_SECONDS),
        running_server() as url,
        connect(url) as near,
        connect(url) as third,
    ):
        first = await near.open_match(DiskwarsSettings(setup="quick", regiments=1))
        watched = await third.watch(first.id, history=False)
        before = watched.head
        await first.take_seat(Loadout("empire-patrol"), 0)
        await watched.wait_after(before)
        watched.stream.head, watched.stream.hash = before, "0" * 64  # what it knew is not in the match any more
        third._matches.schedule_refresh(first.id)
        with pytest.raises(MatchUnavailable, match="rewritten"):
            await end(watched)


@pytest.mark.parametrize(("outage", "patience"), [(12, 40.0), (1000, 0.05)])
async def test_match_is_watched_again_after_an_outage_of_the_database(
    outage: int, patience: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long as a lost connection is tried again, and no longer."""
    asked, find = 0, MatchRepository.find

    async def fail_for_a_while(matches: MatchRepository, match: MatchId) -> Game:
        nonlocal asked
        asked += 1
        if asked <= outage:
            raise Refusal("unavailable", retry_after_ms=1)
        return await find(matches, match)

    async with (
        asyncio.timeout(TEST_TIMEOUT_SECONDS),
        running_server() as url,
        LossyRelay(url, lambda connection, frame, is_servers: "pass").run() as relay,
        connect(url) as near,
        connect(relay.url, retry_policy=replace(QUICK_RETRY, max_attempts=2, give_up_seconds=patience)) as third,
    ):
        first = await near.open_match(DiskwarsSettings(setup="quick", regiments=1))
        watched = await third.watch(first.id)
        await watched.wait_caught_up()
        before = watched.head
        monkeypatch.setattr(MatchRepository, "find", fail_for_a_while)
        relay.inject_frame(encode(Unwatched(first.id)).decode())
        if outage == 1000:
            with pytest.raises(MatchUnavailable, match="unavailable"):
                await end(watched)
            return
        while asked <= outage:
            await asyncio.sleep(0.001)
        monkeypatch.setattr(MatchRepository, "find", find)
        await first.take_seat(Loadout("empire-patrol"), 0)
        await watched.wait_after(before)
