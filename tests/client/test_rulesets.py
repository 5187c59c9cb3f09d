"""Does one line in the table of rulesets let a client follow a match of another game, and what is said without it?"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from diskwars_client.client import Stopped, connect
from diskwars_protocol.match import Decision, Options
from diskwars_protocol.rulesets import registry
from diskwars_protocol.rulesets.registry import Words
from diskwars_server.__main__ import start_server
from diskwars_server.settings import ServerSettings
from diskwars_server.store import MemoryStore
from tests.client.local_server import SECONDS
from tests.server.counting_ruleset import Action, Board, Choose, Chosen, Counting, Entry, Event, Question
from tests.server.counting_ruleset import Settings as Rounds


def fold_board(board: Board | None, event: Any) -> Board:
    return Counting().apply(board, event)


COUNTING: registry.AnyWords = Words(
    "counting",
    msgspec.json.Decoder(Event),
    msgspec.json.Decoder(Options[Action]),
    msgspec.json.Decoder(tuple[Decision[Question], ...]),
    fold_board,
)


@contextlib.asynccontextmanager
async def house() -> AsyncIterator[str]:
    async with (
        MemoryStore() as store,
        start_server(ServerSettings(port=0), store, {"counting": Counting()}) as transport,
    ):
        yield transport.url


async def test_a_ruleset_in_the_table_is_read_folded_and_acted_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.RULESETS, "counting", COUNTING)
    async with asyncio.timeout(SECONDS), house() as url, connect(url) as ann, connect(url) as bob:
        first = await ann.open_match(Rounds(1), ruleset="counting")
        second = await bob.watch(first.id)
        for seat, handle in enumerate((first, second)):
            entry: Any = Entry(f"player {seat}")
            await handle.take_seat(entry, seat)
        for handle in (first, second):
            await handle.ready()
        while not first.open:
            await anext(first)
        choice: Any = Choose(4)
        options: Options[Any] = await first.options(first.open[0])
        assert choice in options.actions
        await first.act(first.open[0], choice)
        assert any(isinstance(event, Chosen) for event in first.events)
        board: Any = first.match.board
        assert (board.rounds, board.chosen) == (1, (4, None))


async def test_a_match_of_a_ruleset_that_is_not_in_the_table_is_stopped_by_name() -> None:
    async with asyncio.timeout(SECONDS), house() as url, connect(url) as client:
        handle = await client.open_match(ruleset="counting")
        with pytest.raises(Stopped, match="is one of counting; this client can read diskwars"):
            await handle.known()
