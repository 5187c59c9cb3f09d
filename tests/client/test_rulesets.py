"""One line in the registry of rulesets lets a client follow another game; without it the client says so."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from typing import Any

import pytest

from diskwars_client.bot_runner import play_bot
from diskwars_client.client import connect
from diskwars_client.match_handle import MatchUnavailable
from diskwars_protocol.match import Options, StepBegan
from diskwars_protocol.rulesets import registry
from diskwars_server.app import start_server
from diskwars_server.memory import MemoryDatabase
from diskwars_server.settings import ServerSettings
from tests.client.local_server import TEST_TIMEOUT_SECONDS
from tests.server.counting_ruleset import (
    ChooseNumber,
    CountingLoadout,
    CountingRules,
    NumberChosen,
)
from tests.server.counting_ruleset import CountingSettings as Rounds


@contextlib.asynccontextmanager
async def house() -> AsyncIterator[str]:
    async with (
        MemoryDatabase() as database,
        start_server(ServerSettings(port=0), database, {"counting": CountingRules()}) as transport,
    ):
        yield transport.url


async def test_a_ruleset_in_the_table_is_read_folded_and_acted_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.RULESETS, "counting", CountingRules.vocabulary)
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS), house() as url, connect(url) as ann, connect(url) as bob:
        first = await ann.open_match(Rounds(1), ruleset="counting")
        second = await bob.watch(first.id)
        for seat, handle in enumerate((first, second)):
            entry: Any = CountingLoadout(f"player {seat}")
            await handle.take_seat(entry, seat)
        for handle in (first, second):
            await handle.ready()
        while not first.open_decisions:
            await anext(first)
        choice: Any = ChooseNumber(4)
        options: Options[Any, Any, Any] = await first.options(first.open_decisions[0])
        assert choice in options.actions
        await first.act(first.open_decisions[0], choice)
        assert any(isinstance(event, NumberChosen) for body in first.records for event in body.events)
        board: Any = first.match.board
        assert (board.rounds, board.chosen) == (1, (4, None))


async def test_bots_play_another_ruleset_and_their_secrets_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.RULESETS, "counting", CountingRules.vocabulary)
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS), house() as url, connect(url) as ann, connect(url) as bob:
        first = await ann.open_match(Rounds(3), ruleset="counting")
        second = await bob.watch(first.id)
        for seat, handle in enumerate((first, second)):
            await handle.take_seat(CountingLoadout(f"player {seat}"), seat)
        results = await asyncio.gather(
            *(play_bot(handle, choose_any, random.Random(seat)) for seat, handle in enumerate((first, second)))
        )
        assert results[0] is not None
        assert results[0] == results[1]
        steps = [event for body in first.records for event in body.events if isinstance(event, StepBegan)]
        assert [step.missing for step in steps] == [()] * 4, "one for the start and one for each round"


def choose_any(match: Any, decision: Any, options: Options[Any, Any, Any], rng: random.Random) -> Any:
    return rng.choice(options.actions)


async def test_a_match_of_a_ruleset_that_is_not_in_the_table_is_stopped_by_name() -> None:
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS), house() as url, connect(url) as client:
        handle = await client.open_match(ruleset="counting")
        with pytest.raises(MatchUnavailable, match="is one of counting; this client can read diskwars"):
            await handle.wait_caught_up()
