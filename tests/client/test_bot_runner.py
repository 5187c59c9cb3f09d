"""Tests of the runner: it plays what the chooser chooses, and nothing else."""

import asyncio
import random
from collections.abc import AsyncIterator

import pytest

from diskwars_bots.rulesets.diskwars.bots import BOTS
from diskwars_cli.plugs import seeds
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import connect
from diskwars_client.errors import CommandRefused
from diskwars_client.match_handle import MatchHandle
from diskwars_protocol.match.decisions import Decision
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
