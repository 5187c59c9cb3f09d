"""The matches in memory: brought once, let go in the right order, found without going through all of them."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from diskwars_protocol.match.ids import MatchId
from diskwars_server.matches.live_matches import MAX_SCANNED_MATCHES, LiveMatches
from diskwars_server.matches.openings import MAX_OPENINGS_AT_ONCE
from diskwars_server.store.event_log import AppendRequest
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.in_memory_server import InMemoryServer


class IdleGame:
    """As much of a game as is looked at here."""

    def __init__(
        self, id: str, opener: str = "somebody", status: str = "open", idle: bool = False, at_ms: int = 0
    ) -> None:
        self.id, self.opener, self.is_idle, self.is_retired = MatchId(id), opener, idle, False
        self.is_abandoned = idle
        self.state = SimpleNamespace(status=status, at_ms=at_ms)
        self.feed = SimpleNamespace(close_all=lambda: None)

    def retire(self) -> None:
        self.is_retired = True


async def hold(live: LiveMatches, *games: IdleGame) -> None:
    for game in games:

        async def bring(game: Any = game) -> Any:
            return game

        await live.load(game.id, bring)
    await asyncio.sleep(0)  # for the callback of the last one


async def test_match_that_many_ask_for_is_brought_once() -> None:
    live, brought = LiveMatches(2), []

    async def bring() -> Any:
        brought.append(1)
        await asyncio.sleep(0)
        return IdleGame("a")

    games = await asyncio.gather(*(live.load(MatchId("a"), bring) for _ in range(3)))
    assert len(set(map(id, games))) == len(brought) == 1


async def test_match_that_could_not_be_brought_is_brought_again() -> None:
    live = LiveMatches(2)

    async def fail() -> Any:
        raise OSError

    with pytest.raises(OSError):
        await live.load(MatchId("a"), fail)
    await asyncio.sleep(0)
    assert MatchId("a") not in live
    await hold(live, IdleGame("a"))
    assert live.get(MatchId("a")) is not None


async def test_idle_match_used_longest_ago_goes_first() -> None:
    live = LiveMatches(3)
    games = [IdleGame("a"), IdleGame("b", idle=True), IdleGame("c", idle=True)]
    await hold(live, *games)
    assert live.evict_idle()
    assert [game.id for game in games if game.id in live] == ["a", "c"]
    assert [game.is_retired for game in games] == [False, True, False]


async def test_search_for_an_idle_match_is_bounded_and_goes_on_where_it_stopped() -> None:
    live = LiveMatches(1)
    watched = [IdleGame(f"watched {number}") for number in range(MAX_SCANNED_MATCHES)]
    await hold(live, *watched, IdleGame("idle", idle=True))
    assert not live.evict_idle()
    assert live.evict_idle()
    assert MatchId("idle") not in live
    assert len(live) == MAX_SCANNED_MATCHES


async def test_match_that_only_strangers_watch_goes_before_one_whose_players_watch() -> None:
    live = LiveMatches(2)
    games = [IdleGame("players"), IdleGame("strangers")]
    games[1].is_abandoned = True
    await hold(live, *games)
    assert not live.evict_idle()
    assert live.evict_abandoned()
    assert [game.id for game in games if game.id in live] == ["players"]
    assert not live.evict_abandoned()


async def test_match_in_which_nothing_happened_for_longest_is_the_quietest() -> None:
    live = LiveMatches(3)
    games = [IdleGame("a", at_ms=3), IdleGame("b", at_ms=1), IdleGame("c", at_ms=2)]
    await hold(live, *games)
    assert live.evict_quietest()
    assert [game.id for game in games if game.is_retired] == ["b"]
    assert not LiveMatches(1).evict_quietest()


async def test_unstarted_match_of_the_player_who_holds_most_of_them_goes() -> None:
    live = LiveMatches(1)
    games = [IdleGame("a", "one"), IdleGame("b", "two"), IdleGame("c", "two"), IdleGame("d", "two", "running")]
    await hold(live, *games)
    assert live.count_unstarted("two") == 2
    assert not live.evict_unstarted(opened_by_more_than=2)
    assert live.evict_unstarted(opened_by_more_than=1)
    assert [game.id for game in games if game.is_retired] == ["b"]
    assert not live.evict_unstarted(opened_by_more_than=1)


async def test_matches_that_have_begun_since_count_for_nobody() -> None:
    live = LiveMatches(1)
    begun = [IdleGame("a", "two"), IdleGame("b", "two")]
    await hold(live, *begun, IdleGame("c", "one"))
    for game in begun:
        game.state.status = "running"
    assert live.evict_unstarted(opened_by_more_than=0)
    assert MatchId("c") not in live
    assert live.count_unstarted("two") == 0
    assert not live._unstarted


async def test_nothing_is_kept_of_a_match_that_went() -> None:
    live = LiveMatches(1)
    game = IdleGame("a", idle=True)
    await hold(live, game)
    assert live._unstarted
    assert live.evict_idle()
    assert not live._unstarted

    await hold(live, game := IdleGame("a"))
    game.retire()
    await hold(live, IdleGame("a", status="running"))
    assert not live._unstarted


async def test_few_matches_are_opened_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    async with MemoryDatabase() as database:
        server = InMemoryServer(database)
        under_way, most = 0, 0
        append = database.events.append

        async def append_slowly(request: AppendRequest) -> None:
            nonlocal under_way, most
            under_way += 1
            most = max(most, under_way)
            await asyncio.sleep(0.001)
            await append(request)
            under_way -= 1

        monkeypatch.setattr(database.events, "append", append_slowly)
        guests = [await server.connect_and_greet() for _ in range(6 * MAX_OPENINGS_AT_ONCE)]
        opened = await asyncio.gather(*(guest.open_match() for guest in guests))
        await server.matches.close()
    assert len(set(opened)) == len(guests)
    assert most == MAX_OPENINGS_AT_ONCE
