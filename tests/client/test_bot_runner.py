"""Tests of the runner: it plays what the chooser chooses, and nothing else."""

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Any

import pytest

from diskwars_bots.loader import BotError
from diskwars_bots.rulesets.diskwars.bots import BOTS
from diskwars_cli.plugs import seeds
from diskwars_client.bot_runner import MAX_RETRIES, play_bot
from diskwars_client.client import connect
from diskwars_client.errors import CommandRefused
from diskwars_client.match_handle import MatchHandle
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.records.sealed import HIDDEN
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions
from tests.client.local_server import TEST_TIMEOUT_SECONDS, running_server
from tests.client.patrols import PATROLS


@pytest.fixture
async def seats() -> AsyncIterator[tuple[MatchHandle, MatchHandle]]:
    """The handles of two players who sit."""
    async with (
        asyncio.timeout(TEST_TIMEOUT_SECONDS),
        running_server() as url,
        connect(url) as one,
        connect(url) as other,
    ):
        first = await one.open_match(PATROLS)
        second = await other.watch(first.id)
        await first.take_seat(a.Loadout("empire-patrol"))
        await second.take_seat(a.Loadout("chaos-patrol"))
        yield first, second


def choose_nonsense(
    match: DiskwarsMatch, decision: Decision[a.Question], options: DiskwarsOptions, chance: random.Random
) -> a.Action:
    return a.ChooseEngagement(99)


async def test_chooser_with_an_illegal_action_raises_refused(seats: tuple[MatchHandle, MatchHandle]) -> None:
    nonsense = asyncio.gather(*(play_bot(handle, choose_nonsense, random.Random(1)) for handle in seats))
    with pytest.raises(CommandRefused, match="wrong_action"):
        await nonsense


async def test_a_chooser_sees_its_own_hand_and_is_asked_for_its_own_seat(
    seats: tuple[MatchHandle, MatchHandle],
) -> None:
    seen: list[tuple[int, bool, bool]] = []

    def choose(
        match: DiskwarsMatch, decision: Decision[a.Question], options: DiskwarsOptions, chance: random.Random
    ) -> a.Action:
        assert match.board is not None
        own, other = match.board.sides
        seen.append((decision.seat, isinstance(own.hand, tuple), other.hand == HIDDEN))
        action: a.Action = BOTS["random"](match, decision, options, chance)
        return action

    await asyncio.gather(
        play_bot(seats[0], choose, random.Random(1)), play_bot(seats[1], BOTS["random"], random.Random(2))
    )
    assert set(seen) == {(0, True, True)}


async def test_a_match_that_ends_while_a_chooser_thinks_ends_its_runner(
    seats: tuple[MatchHandle, MatchHandle], monkeypatch: pytest.MonkeyPatch
) -> None:
    thinks, is_over, sleep, pace = asyncio.Event(), asyncio.Event(), asyncio.sleep, 12.5

    async def think(seconds: float) -> None:
        if seconds != pace:
            return await sleep(seconds)
        thinks.set()
        await is_over.wait()

    monkeypatch.setattr(asyncio, "sleep", think)
    slow = asyncio.create_task(play_bot(seats[0], BOTS["greedy"], random.Random(1), pace=pace))
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
        await thinks.wait()
    await seats[1].resign()
    is_over.set()
    result = await slow
    assert result is not None
    assert result == seats[1].match.result


class BlamingBot:
    """A bot of a user's file."""

    def __call__(self, *position: Any) -> a.Action:
        action: a.Action = BOTS["random"](*position)
        return action

    def refused(self, action: Any, refusal: str) -> BotError:
        return BotError(refusal)


class Outage:
    """Refuses the actions of a seat while the store is away; time passes only while somebody waits."""

    def __init__(
        self, handle: MatchHandle, seconds: float, monkeypatch: pytest.MonkeyPatch, code: str = "unavailable"
    ) -> None:
        self._code = code
        self.now, self._act, self._sleep, self._seconds = 0.0, handle.act, asyncio.sleep, seconds
        self.refusals = 0
        monkeypatch.setattr(handle, "act", self.act)
        monkeypatch.setattr("diskwars_client.bot_runner.asyncio.sleep", self.sleep)

    async def sleep(self, seconds: float) -> None:
        self.now += seconds if seconds >= 1 else 0
        await self._sleep(0 if seconds >= 1 else seconds)

    async def act(self, decision: Any, action: Any) -> Any:
        if self.now < self._seconds:
            self.refusals += 1
            raise CommandRefused(Refused(self._code, "the server cannot store anything now", retry_after_ms=1000))
        return await self._act(decision, action)


async def test_bot_plays_on_after_the_store_was_away_for_half_a_minute(
    seats: tuple[MatchHandle, MatchHandle], monkeypatch: pytest.MonkeyPatch
) -> None:
    outage = Outage(seats[0], 30.0, monkeypatch)
    results = await asyncio.gather(
        play_bot(seats[0], BlamingBot(), random.Random(1)), play_bot(seats[1], BOTS["random"], random.Random(2))
    )
    assert outage.refusals > 1
    assert results[0] is not None
    assert results[0].end_reason != "resigned"


async def test_store_that_stays_away_is_not_blamed_on_the_bot(
    seats: tuple[MatchHandle, MatchHandle], monkeypatch: pytest.MonkeyPatch
) -> None:
    outage = Outage(seats[0], float("inf"), monkeypatch)
    other = asyncio.create_task(play_bot(seats[1], BOTS["random"], random.Random(2)))
    with pytest.raises(CommandRefused, match="unavailable"):
        await play_bot(seats[0], BlamingBot(), random.Random(1))
    other.cancel()
    assert outage.refusals == MAX_RETRIES + 1


async def test_fault_of_the_server_is_raised_after_two_attempts(
    seats: tuple[MatchHandle, MatchHandle], monkeypatch: pytest.MonkeyPatch
) -> None:
    outage = Outage(seats[0], float("inf"), monkeypatch, "fault")
    other = asyncio.create_task(play_bot(seats[1], BOTS["random"], random.Random(2)))
    with pytest.raises(CommandRefused, match="fault"):
        await play_bot(seats[0], BlamingBot(), random.Random(1))
    other.cancel()
    assert outage.refusals == 2


async def test_illegal_answer_is_blamed_on_the_bot(seats: tuple[MatchHandle, MatchHandle]) -> None:
    class Nonsense(BlamingBot):
        def __call__(self, *position: Any) -> a.Action:
            return a.ChooseEngagement(99)

    with pytest.raises(BotError, match="wrong_action"):
        await asyncio.gather(*(play_bot(handle, Nonsense(), random.Random(1)) for handle in seats))


async def test_bots_of_one_seed_play_the_same_match_in_any_timing() -> None:
    results = []
    for slower in (0, 1):
        async with (
            asyncio.timeout(TEST_TIMEOUT_SECONDS),
            running_server(seed=5) as url,
            connect(url, entropy=seeds.seat_entropy(5, 0)) as one,
            connect(url, entropy=seeds.seat_entropy(5, 1)) as other,
        ):
            first = await one.open_match(PATROLS)
            handles = (first, await other.watch(first.id))
            for seat, handle in enumerate(handles):
                await handle.take_seat(a.Loadout(("empire-patrol", "chaos-patrol")[seat]), seat)
            await asyncio.gather(
                *(
                    play_bot(handle, BOTS["greedy"], seeds.bot_rng(5, seat), pace=0.002 * (seat == slower))
                    for seat, handle in enumerate(handles)
                )
            )
            results.append((first.match.result, first.head, first.match.board))
    assert results[0] == results[1]
