"""Whole matches in a few lines: against a bot of the server or another chooser, blocking, and shown in a notebook."""

import asyncio
import random
from typing import Any

import pytest
from msgspec import Struct

from diskwars_bots.rulesets.pit.random_bot import choose_random
from diskwars_client.client import connect
from diskwars_client.errors import ClientError, CommandRefused
from diskwars_client.match_handle import MatchHandle
from diskwars_client.playing import BlockingClient, EndedMatch, Player, play, play_matches, run_blocking
from diskwars_protocol.match.decisions import Decision, Options
from tests.client.local_server import TEST_TIMEOUT_SECONDS, running_server


class Counter(Player):
    """Counts what it is asked and what it has won."""

    name = "counter"

    def __init__(self) -> None:
        self.answers, self.scores = 0, list[float]()

    def choose(self, match: Any, decision: Decision[Any], options: Options[Any, Any, Any], rng: random.Random) -> Any:
        self.answers += 1
        return super().choose(match, decision, options, rng)

    def match_ended(self, played: EndedMatch) -> None:
        self.scores.append(played.score)


async def test_player_plays_matches_against_a_chooser_and_learns_their_results() -> None:
    counter = Counter()
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS), running_server() as url, connect(url) as client:
        played = [match async for match in play_matches(client, counter, opponent=choose_random, matches=2, seed=3)]
        assert len({match.handle.id for match in played}) == 2
        assert counter.answers > 2
        assert counter.scores == [match.score for match in played]
        assert [match.names for match in played] == [("counter", "choose_random")] * 2
        assert all(match.is_won == (match.seat in match.result.winners) for match in played)
        html = played[0]._repr_html_()
        assert "<svg" in html
        picture = played[0]._repr_svg_()
        assert picture is not None
        assert picture.startswith("<svg")
        assert played[0].handle._repr_svg_() == picture
        assert played[0].file()


async def test_seats_are_kept_for_both_and_named_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stranger asks for a seat first, and the opponent takes its own before the opener."""
    refused: list[str] = []
    own: list[MatchHandle] = []
    async with (
        asyncio.timeout(TEST_TIMEOUT_SECONDS),
        running_server() as url,
        connect(url) as client,
        connect(url) as stranger,
    ):
        open_match, take_seat = client.open_match, MatchHandle.take_seat

        async def open_before_a_stranger(*args: Any, **options: Any) -> MatchHandle:
            handle = await open_match(*args, **options)
            with pytest.raises(CommandRefused) as fault:
                await take_seat(await stranger.watch(handle.id), Player().loadout(handle))
            refused.append(fault.value.code)
            own.append(handle)
            return handle

        async def take_last(handle: MatchHandle, loadout: Struct, seat: int | None = None) -> int:
            while handle in own and not any(state.player for state in handle.match.seats):
                await handle.wait_after(handle.head)
            return await take_seat(handle, loadout, seat)

        monkeypatch.setattr(client, "open_match", open_before_a_stranger)
        monkeypatch.setattr(MatchHandle, "take_seat", take_last)
        (match,) = [match async for match in play_matches(client, Counter(), opponent=choose_random, seed=3)]
    assert refused == ["locked"]
    assert match.handle.seat == match.seat == 0
    assert match.handle.match.seats[0].player == client.player
    assert "A counter · B choose_random" in match._repr_html_()


async def test_fault_of_a_chooser_ends_both_players() -> None:
    def fail(*_: object) -> object:
        raise ZeroDivisionError

    async with asyncio.timeout(TEST_TIMEOUT_SECONDS), running_server() as url, connect(url) as client:
        with pytest.raises(ZeroDivisionError):
            async for _ in play_matches(client, choose_random, opponent=fail):
                pass


async def test_server_without_bots_is_said_before_a_match_is_opened() -> None:
    async with running_server() as url, connect(url) as client:
        with pytest.raises(ClientError, match="no bot for pit"):
            async for _ in play_matches(client, choose_random):
                pass
        assert await client.lobby.list() == ()


async def test_blocking_calls_work_beside_a_running_event_loop() -> None:
    async with running_server() as url:
        (match,) = await asyncio.to_thread(play, url, choose_random, opponent=Player(), seed=1)
        assert match.names == ("choose_random", "bot")

        def list_matches() -> tuple[int, str]:
            with BlockingClient(url) as client:
                with pytest.raises(CommandRefused) as refused:
                    client.run(lambda client: client.watch("nothing"))
                return len(client.run(lambda client: client.lobby.list())), refused.value.code

        assert await asyncio.to_thread(list_matches) == (1, "unknown_match")


async def test_coroutine_is_run_to_its_end_where_a_loop_runs_already() -> None:
    async def fail() -> int:
        raise KeyError("lost")

    async def answer() -> int:
        return 42

    assert run_blocking(answer()) == 42
    with pytest.raises(KeyError, match="lost"):
        run_blocking(fail())


async def test_closed_client_takes_no_more_requests() -> None:
    def close_twice(url: str) -> BlockingClient:
        client = BlockingClient(url)
        client.close()
        client.close()
        return client

    async with running_server() as url:
        closed = await asyncio.to_thread(close_twice, url)
    with pytest.raises(ClientError, match="closed"):
        closed.run(lambda client: client.lobby.list())
