"""One line in the registry of rulesets lets a client follow another game; without it the client says so."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from diskwars_client.bot_runner import play_bot
from diskwars_client.client import connect
from diskwars_client.errors import MatchUnavailable
from diskwars_client.terminal.terminal import play_match, watch_match
from diskwars_client.terminal_pages import Screen
from diskwars_protocol.match.decisions import Options
from diskwars_protocol.match.events import StepBegan
from diskwars_protocol.rulesets import registry
from diskwars_server.app import start_server
from diskwars_server.settings import ServerSettings
from diskwars_server.store.memory.database import MemoryDatabase
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


class FirstOptionConsole:
    """A console that types a word that is no order, and then the first option of every question."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self._typed: asyncio.Queue[str] = asyncio.Queue()
        self._questions = 0

    async def read_line(self) -> str | None:
        return await self._typed.get()

    def show_prompt(self, text: str) -> None:
        self._questions += 1
        self._typed.put_nowait(("dance", "why", "1")[min(self._questions - 1, 2)])

    def print_line(self, text: str) -> None:
        self.text += text.split("\n")

    def screen(self) -> Screen | None:
        return None

    def ring_bell(self) -> None: ...

    def set_status(self, text: str) -> None: ...

    def set_completions(self, orders: Sequence[str], names: Sequence[str]) -> None: ...


async def test_another_ruleset_is_played_and_watched_in_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.RULESETS, "counting", CountingRules.vocabulary)
    async with (
        asyncio.timeout(TEST_TIMEOUT_SECONDS),
        house() as url,
        connect(url) as ann,
        connect(url) as bob,
        connect(url) as spectator,
    ):
        first = await ann.open_match(Rounds(2), ruleset="counting")
        second = await bob.watch(first.id)
        watched = await spectator.watch(first.id)
        for seat, handle in enumerate((first, second)):
            await handle.take_seat(CountingLoadout(f"player {seat}"), seat)
        consoles = FirstOptionConsole(), FirstOptionConsole()
        seen: list[str] = []
        results = await asyncio.gather(
            play_match(first, consoles[0]), play_match(second, consoles[1]), watch_match(watched, seen.append)
        )
    assert results[0] is not None
    assert results[0] == results[1] == results[2]
    for seat, console in enumerate(consoles):
        assert f"seat {'AB'[seat]}: ask_number round=1" in console.text
        assert "  1. choose number=1" in console.text
        assert "type a number from 1 to 6; `help` says more" in console.text
        assert any("not a valid order" in text for text in console.text)
        assert f"chosen seat={seat} number=1" in console.text
        assert any(text.startswith("revealed numbers=[1,1] dice=") for text in console.text)
    assert "chosen seat=0 number=hidden" in seen
    assert not any(text.startswith("hinted") for text in seen)


def choose_any(match: Any, decision: Any, options: Options[Any, Any, Any], rng: random.Random) -> Any:
    return rng.choice(options.actions)


async def test_a_match_of_a_ruleset_that_is_not_in_the_table_is_stopped_by_name() -> None:
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS), house() as url, connect(url) as client:
        handle = await client.open_match(ruleset="counting")
        with pytest.raises(MatchUnavailable, match="is one of counting; this client can read diskwars"):
            await handle.wait_caught_up()
