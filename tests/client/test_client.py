"""Tests of the client against a real server."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator

import pytest
from msgspec import Raw
from msgspec.structs import replace

from diskwars_bots.rulesets.diskwars.bots import BOTS
from diskwars_client import updates
from diskwars_client.bot_runner import answer_decision, play_bot
from diskwars_client.client import Client, connect
from diskwars_client.errors import CommandRefused, DecisionUnavailable, InvalidRequest, MatchUnavailable, SessionEnded
from diskwars_client.match_handle import MatchHandle
from diskwars_client.reconnects import MAX_BAD_RECORDS
from diskwars_client.retry_policy import RetryPolicy
from diskwars_client.server_sockets import ServerUnreachable
from diskwars_client.updates import Update
from diskwars_protocol.connection.connection import ConnectionState, encode
from diskwars_protocol.match.actions import ReadyQuestion
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.closing import CLOSE_CODES, CloseReason, Closing
from diskwars_protocol.messages.handshake import DEFAULT_CLIENT_LIMITS
from diskwars_protocol.messages.history import Records
from diskwars_protocol.messages.watching import Unwatched
from diskwars_protocol.records.records import WireRecord
from diskwars_protocol.records.sealed import Sealed
from diskwars_protocol.rulesets.diskwars.actions import ChooseFirstPlayer, DiskwarsSettings, Loadout
from diskwars_protocol.rulesets.diskwars.events import HandTaken
from tests.client.local_server import QUICK_RETRY, TEST_TIMEOUT_SECONDS, LossyRelay, running_server
from tests.client.patrols import PATROLS


@pytest.fixture
async def url() -> AsyncIterator[str]:
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS), running_server() as url:
        yield url


@contextlib.asynccontextmanager
async def two_players(url: str) -> AsyncIterator[tuple[MatchHandle, MatchHandle, Client]]:
    """Provide a match with both seats taken, and a third client."""
    async with connect(url) as one, connect(url) as other, connect(url) as third:
        first = await one.open_match(PATROLS)
        second = await other.watch(first.id)
        assert await first.take_seat(Loadout("empire-patrol")) == 0
        assert await second.take_seat(Loadout("chaos-patrol")) == 1
        yield first, second, third


async def next_decision(handle: MatchHandle) -> None:
    """Wait until this player has an open decision."""
    async for _ in handle:
        if handle.open_decisions:
            return


# ---------------------------------------------------------------- matches


async def test_a_match_is_opened_listed_and_watched(url: str) -> None:
    async with connect(url) as one, connect(url) as other:
        opened = await one.open_match(DiskwarsSettings(pins="contact", regiments=1))
        watched = await other.watch(opened.id)
        assert (await watched.wait_caught_up()).settings.pins == "contact"
        assert [listed.match for listed in await other.lobby.list("open")] == [opened.id]
        assert await other.lobby.list("ended") == ()
        assert await other.watch(opened.id) is watched


async def test_opener_closes_a_match_and_every_page_of_the_list_is_read(url: str) -> None:
    async with connect(url) as one, connect(url) as other:
        opened = [(await one.open_match(PATROLS)).id for _ in range(3)]
        with pytest.raises(CommandRefused, match="only the player who opened"):
            await other.lobby.close(opened[0])
        await one.lobby.close(opened[0])
        listed = [summary async for summary in other.lobby.iterate("open")]
        assert {summary.match for summary in listed} == {opened[1], opened[2]}
        # Both may be of the same millisecond.
        created = [summary.created_ms for summary in listed]
        assert created == sorted(created, reverse=True)
        assert [listed.match async for listed in other.lobby.iterate("ended", page_size=1)] == [opened[0]]
        assert {listed.match async for listed in other.lobby.iterate(page_size=1)} == set(opened)


async def test_two_bots_play_to_the_end_and_a_third_sees_it_all(url: str) -> None:
    async with two_players(url) as (first, second, third):
        watched = await third.watch(first.id)
        results = await asyncio.gather(
            play_bot(first, BOTS["greedy"], random.Random(1)), play_bot(second, BOTS["random"], random.Random(2))
        )
        seen = await collect_records(watched)
        assert results[0] is not None
        assert results[0] == results[1] == watched.match.result
        assert [update.seq for update in seen] == list(range(1, len(seen) + 1))
        assert (watched.head, watched.stream.hash) == (first.head, first.stream.hash)


async def test_player_sees_only_their_own_secrets(url: str) -> None:
    async with two_players(url) as (first, second, _):
        both = [
            asyncio.create_task(play_bot(one, BOTS["random"], random.Random(n)))
            for n, one in enumerate((first, second))
        ]
        hands: dict[int, object] = {}
        async with connect(url) as third:
            async for update in await third.watch(first.id):
                hands |= {event.seat: event.cards for event in update.record.events if isinstance(event, HandTaken)}
        await asyncio.gather(*both)
    assert all(isinstance(cards, Sealed) for cards in hands.values())
    assert len(hands) == 2


async def test_the_secrets_of_an_ended_match_may_be_asked_for(url: str) -> None:
    async with two_players(url) as (first, second, third):
        for player in (first, second):
            await next_decision(player)
            await player.ready()
        await first.resign()
        await collect_records(second)
        everything = await third.watch(first.id, reveal_secrets=True)
        assert (await everything.wait_caught_up()).status == "ended"


async def test_an_update_says_what_was_before_and_whether_it_is_news(url: str) -> None:
    async with two_players(url) as (first, second, third):
        watched = await third.watch(first.id)
        await watched.wait_caught_up()
        await next_decision(first)
        await first.ready()
        await next_decision(second)
        seen = []
        async for update in watched:
            seen.append(update)
            if update.is_live:
                break
        assert seen[0].before is None
        assert [update.is_live for update in seen] == [False] * (len(seen) - 1) + [True]
        assert seen[-1].before == seen[-2].state


async def test_the_state_after_an_action_is_known_when_the_answer_is(url: str) -> None:
    async with two_players(url) as (first, second, _):
        await next_decision(first)
        await next_decision(second)
        await first.ready()
        accepted = await second.ready()
        assert second.head == accepted.seq
        assert second.match.board is not None


async def test_answers_come_through_while_nobody_takes_the_updates(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(updates, "UPDATE_BUFFER_LIMIT", 2)
    async with two_players(url) as (first, second, _):
        await next_decision(first)
        await next_decision(second)
        await asyncio.gather(first.ready(), second.ready())
        for _ in range(10):  # far more records than there is room for
            for handle in (first, second):
                for decision in handle.open_decisions:
                    await answer_decision(handle, decision, BOTS["random"], random.Random(1))
        assert first.stream.updates.is_full


async def test_a_match_that_was_left_is_not_followed_any_more(url: str) -> None:
    async with two_players(url) as (_, second, third):
        watched = await third.watch(second.id)
        await watched.leave()
        with pytest.raises(MatchUnavailable):
            await collect_records(watched)
        assert await third.watch(second.id) is not watched


# ---------------------------------------------------------------- refusals


async def test_a_refusal_says_code_text_and_what_is_open(url: str) -> None:
    async with two_players(url) as (first, _, _):
        await next_decision(first)
        decision = first.open_decisions[0]
        with pytest.raises(CommandRefused) as refused:
            await first.act(decision, ChooseFirstPlayer(0))
        assert (refused.value.code, refused.value.place) == ("wrong_action", "$.action")
        assert [type(decision.question) for decision in refused.value.open_decisions] == [ReadyQuestion, ReadyQuestion]


async def test_unrequested_options_are_not_sent(url: str) -> None:
    async with two_players(url) as (first, _, third):
        watched = await third.watch(first.id)
        with pytest.raises(DecisionUnavailable):
            await watched.take_seat(Loadout("empire-patrol"))
        with pytest.raises(DecisionUnavailable):
            await watched.ready()


async def test_an_unknown_match_cannot_be_watched(url: str) -> None:
    async with connect(url) as client:
        with pytest.raises(CommandRefused) as refused:
            await client.watch("nothing")
        assert refused.value.code == "unknown_match"


async def test_a_frame_that_the_server_would_not_take_is_not_sent(url: str) -> None:
    async with connect(url) as client:
        with pytest.raises(InvalidRequest):
            await client.watch("x" * 100_000)
        assert await client.lobby.list() == ()


# ---------------------------------------------------------------- connections


async def test_a_token_makes_the_same_player_again(url: str) -> None:
    async with connect(url) as client:
        player, token = client.player, client.token
    async with connect(url, token=token) as client:
        assert client.player == player


async def test_missing_server_is_reported_at_once() -> None:
    with pytest.raises(ServerUnreachable, match="no server at ws"):
        async with connect("ws://127.0.0.1:1/ws"):
            pass


async def test_an_address_of_another_kind_is_refused() -> None:
    with pytest.raises(ServerUnreachable, match="is not the address of a server"):
        async with connect("http://127.0.0.1:1/ws"):
            pass


async def test_a_bad_token_ends_it_for_good(url: str) -> None:
    with pytest.raises(SessionEnded) as gone:
        async with connect(url, token="nonsense"):
            pass
    assert gone.value.close_reason == "token_bad"


async def test_pending_request_fails_when_the_client_is_closed(url: str) -> None:
    async with connect(url) as client:
        handle = await client.open_match(PATROLS)
        waiting = asyncio.create_task(collect_records(handle))
        await handle.wait_caught_up()
    with pytest.raises(SessionEnded):
        await waiting


async def collect_records(handle: MatchHandle) -> list[Update]:
    return [update async for update in handle]


def closing_message(word: CloseReason) -> str:
    return encode(Closing(CLOSE_CODES[word], word, "so it is", 1)).decode()


async def test_a_server_that_goes_away_is_returned_to(url: str) -> None:
    async with (
        LossyRelay(url, lambda *_: "pass").run() as relay,
        connect(relay.url, retry_policy=QUICK_RETRY) as client,
    ):
        handle = await client.open_match(PATROLS)
        relay.inject_frame(closing_message("going_away"))
        while relay.connections < 2:
            await asyncio.sleep(0.01)
        await handle.take_seat(Loadout("empire-patrol"))
        assert handle.seat == 0


async def test_requests_wait_while_a_socket_closes_that_the_server_has_given_up(url: str) -> None:
    async with (
        LossyRelay(url, lambda *_: "pass").run() as relay,
        connect(relay.url, retry_policy=QUICK_RETRY) as client,
    ):
        await client.lobby.list()
        relay.inject_frame(closing_message("restarting"))
        while client._connection.state is not ConnectionState.CLOSED:
            await asyncio.sleep(0)
        assert relay.connections == 1
        assert await client.lobby.list() == ()
        assert relay.connections == 2


async def test_a_server_that_finds_fault_is_not(url: str) -> None:
    async with (
        LossyRelay(url, lambda *_: "pass").run() as relay,
        connect(relay.url, retry_policy=QUICK_RETRY) as client,
    ):
        handle = await client.open_match(PATROLS)
        relay.inject_frame(closing_message("protocol"))
        with pytest.raises(SessionEnded, match="so it is"):
            await collect_records(handle)
        with pytest.raises(SessionEnded):
            await client.lobby.list()


@pytest.mark.parametrize("retry_after_ms", [1, None])
async def test_only_a_server_that_says_when_is_returned_to_after_an_unknown_close_reason(
    url: str, retry_after_ms: int | None
) -> None:
    async with (
        LossyRelay(url, lambda *_: "pass").run() as relay,
        connect(relay.url, retry_policy=QUICK_RETRY) as client,
    ):
        await client.lobby.list()
        relay.inject_frame(encode(Closing(4100, "moved", "so it is", retry_after_ms)).decode())
        if retry_after_ms is None:
            with pytest.raises(SessionEnded, match="so it is"):
                await client.lobby.list()
            return
        while relay.connections < 2:
            await asyncio.sleep(0.01)
        assert await client.lobby.list() == ()


async def test_message_of_unknown_type_is_ignored(url: str) -> None:
    async with LossyRelay(url, lambda *_: "pass").run() as relay, connect(relay.url) as client:
        handle = await client.open_match(PATROLS)
        relay.inject_frame('{"type":"chat","match":"m","text":"hello"}')
        assert await handle.take_seat(Loadout("empire-patrol")) == 0
        assert relay.connections == 1


async def test_match_that_the_server_stops_streaming_is_watched_again(url: str) -> None:
    asked_again = asyncio.Event()

    def judge(connection: int, frame: int, is_servers: bool) -> str:
        if not is_servers:
            asked_again.set()
        return "pass"

    async with LossyRelay(url, judge).run() as relay, connect(relay.url, retry_policy=QUICK_RETRY) as client:
        handle = await client.open_match(PATROLS)
        await handle.wait_caught_up()
        asked_again.clear()
        relay.inject_frame(encode(Unwatched(handle.id)).decode())
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            await asked_again.wait()
        await handle.take_seat(Loadout("empire-patrol"))
        assert handle.head == 2


async def test_records_that_were_never_promised_end_it(url: str) -> None:
    async with (
        LossyRelay(url, lambda *_: "pass").run() as relay,
        connect(relay.url, retry_policy=QUICK_RETRY) as client,
    ):
        handle = await client.open_match(PATROLS)
        await handle.wait_caught_up()
        lie = Records(MatchId(handle.id), (WireRecord(handle.head + 1, "xy", Raw(b"{}")),))
        for _ in range(MAX_BAD_RECORDS):
            before = relay.connections
            relay.inject_frame(encode(lie).decode())
            while relay.connections == before:
                await asyncio.sleep(0)
            await client.lobby.list()
        relay.inject_frame(encode(lie).decode())
        with pytest.raises(SessionEnded) as gone:
            await collect_records(handle)
        assert gone.value.close_reason == "bad_record"
        assert relay.connections == MAX_BAD_RECORDS + 1


async def test_a_socket_that_is_only_half_open_is_noticed(url: str) -> None:
    def judge(connection: int, frame: int, is_servers: bool) -> str:
        return "hold" if connection == 1 and frame > 4 else "pass"

    patience = RetryPolicy(initial_delay_seconds=0.001, max_delay_seconds=0.01, ping_seconds=0.1)
    async with LossyRelay(url, judge).run() as relay, connect(relay.url, retry_policy=patience) as client:
        handle = await client.open_match(PATROLS)
        await handle.take_seat(Loadout("empire-patrol"))
        assert relay.connections > 1
        assert handle.seat == 0


async def test_a_server_that_stays_away_is_given_up(url: str) -> None:
    def judge(connection: int, frame: int, is_servers: bool) -> str:
        return "pass" if connection == 1 and frame < 9 else "cut"

    patience = RetryPolicy(initial_delay_seconds=0.001, max_delay_seconds=0.01, give_up_seconds=0.1)
    async with LossyRelay(url, judge).run() as relay, connect(relay.url, retry_policy=patience) as client:
        with pytest.raises(ServerUnreachable):
            await asyncio.gather(*(client.lobby.list() for _ in range(20)))
        assert relay.connections > 1, "on a busy machine there is time for one attempt only"


async def test_client_sends_no_more_frames_than_the_server_allows(url: str) -> None:
    async with (
        LossyRelay(url, lambda *_: "pass").run() as relay,
        connect(relay.url, retry_policy=QUICK_RETRY) as client,
    ):
        match = (await client.open_match(PATROLS)).id
        # No lists: the server refuses too many of those, and they are asked for again.
        await asyncio.gather(
            *(client._matches.records(match, 0, 1) for _ in range(DEFAULT_CLIENT_LIMITS.frame_burst + 20))
        )
        assert relay.connections == 1


async def test_requests_wait_for_room_within_the_limits_of_the_welcome(url: str) -> None:
    async with connect(url, retry_policy=QUICK_RETRY) as client:
        client._connection.limits = replace(client._connection.limits, commands_in_flight=2)
        answers = await asyncio.gather(*(client.lobby.list() for _ in range(20)))
        assert len(answers) == 20
        assert not client._connection.unanswered
