"""Everybody who watches a match learns how many do, on all nodes; nobody learns who they are."""

import asyncio

import pytest

from diskwars_client.client import Client, connect
from diskwars_client.match_handle import MatchHandle
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.rulesets.diskwars.actions import Loadout
from diskwars_server.app import start_server
from diskwars_server.bus.bus import MAX_MESSAGE_BYTES, LocalBus, LocalNode
from diskwars_server.matches.watcher_counts import BATCH_MATCHES, CHANGES_PER_ROUND, LIFETIME_MS, SUBJECT, WatcherCounts
from diskwars_server.settings import ServerSettings
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.in_memory_server import TEST_TIMEOUT_SECONDS

MATCH = MatchId("h4zin9uzz9ig")


class WatchedHere:
    """A match of one node, with its watchers there."""

    def __init__(self, count: int, match: MatchId = MATCH) -> None:
        self.match, self.count = match, count
        self.pushed: list[int] = []

    def count_watchers(self) -> int:
        return self.count

    def push_watchers(self, count: int) -> None:
        self.pushed.append(count)


class Clock:
    now = 1_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def bus() -> LocalBus:
    return LocalBus()


@pytest.fixture
def nodes(bus: LocalBus, clock: Clock) -> tuple[WatcherCounts, WatcherCounts]:
    return WatcherCounts(bus.join(), "one", clock), WatcherCounts(bus.join(), "two", clock)


def test_watchers_of_two_nodes_are_added_and_pushed_on_both(nodes: tuple[WatcherCounts, WatcherCounts]) -> None:
    here, there = nodes
    first, second = WatchedHere(2), WatchedHere(1)
    here.publish([first])
    there.publish([second])
    here.publish([first])
    assert (here.count(MATCH), there.count(MATCH)) == (3, 3)
    assert (first.pushed, second.pushed) == ([2, 3], [3])
    assert (here.count_here(), there.count_here()) == (2, 1)


def test_watchers_who_leave_are_counted_no_more(nodes: tuple[WatcherCounts, WatcherCounts]) -> None:
    here, there = nodes
    here.publish([WatchedHere(2)])
    here.publish([WatchedHere(1)])
    assert there.count(MATCH) == 1
    here.publish([])
    assert (here.count(MATCH), there.count(MATCH)) == (0, 0)


def test_node_that_starts_later_learns_of_the_watchers_within_a_round(bus: LocalBus, clock: Clock) -> None:
    here = WatcherCounts(bus.join(), "one", clock)
    here.publish([WatchedHere(2)])
    there = WatcherCounts(bus.join(), "two", clock)
    for _ in range(CHANGES_PER_ROUND):
        here.publish([WatchedHere(2)])
    assert there.count(MATCH) == 2


def test_watchers_of_a_silent_node_are_forgotten(nodes: tuple[WatcherCounts, WatcherCounts], clock: Clock) -> None:
    here, there = nodes
    here.publish([WatchedHere(2)])
    clock.now += LIFETIME_MS
    assert there.count(MATCH) == 0
    there.publish([])
    assert not there._remote


def test_node_that_stops_takes_its_watchers_along(nodes: tuple[WatcherCounts, WatcherCounts]) -> None:
    here, there = nodes
    here.publish([WatchedHere(2)])
    here.close()
    assert there.count(MATCH) == 0


def test_messages_about_many_matches_stay_within_the_limit_of_the_bus(bus: LocalBus, clock: Clock) -> None:
    messages: list[bytes] = []
    listener = bus.join()
    listener.subscribe(SUBJECT, messages.append)
    here = WatcherCounts(bus.join(), "node-with-a-long-name", clock)
    here.publish([WatchedHere(9_999, MatchId(f"{number:040}")) for number in range(BATCH_MATCHES + 1)])
    assert len(messages) == 2
    assert max(map(len, messages)) <= MAX_MESSAGE_BYTES


def test_message_of_another_version_is_passed_over(bus: LocalBus, clock: Clock) -> None:
    other: LocalNode = bus.join()
    here = WatcherCounts(bus.join(), "one", clock)
    other.publish(SUBJECT, b'{"odd": 1}')
    assert here.count(MATCH) == 0


# ---------------------------------------------------------------- a whole server


@pytest.fixture(autouse=True)
def quick_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diskwars_server.matches.watcher_counts.CHANGE_SECONDS", 0.01)


async def wait_for_watchers(handle: MatchHandle, count: int) -> None:
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
        while handle.stream.watchers != count:
            await asyncio.sleep(0.01)


async def listed_watchers(client: Client) -> list[int]:
    return [summary.watchers for summary in await client.lobby.list()]


async def test_players_and_watchers_see_how_many_watch() -> None:
    """A seated player is no watcher, and two connections of one person are one."""
    async with (
        MemoryDatabase() as database,
        start_server(ServerSettings(port=0, seed=7), database) as transport,
        connect(transport.url) as opener,
        connect(transport.url) as guest,
        connect(transport.url) as third,
        connect(transport.url, token=third.token) as third_again,
    ):
        own = await opener.open_match()
        await own.take_seat(Loadout("reikland-host"), 0)
        seen = await guest.watch(own.id)
        await wait_for_watchers(own, 1)
        await wait_for_watchers(seen, 1)
        await third.watch(own.id)
        twice = await third_again.watch(own.id)
        for handle in (own, seen, twice):
            await wait_for_watchers(handle, 2)
        assert await listed_watchers(opener) == [2]
        await seen.take_seat(Loadout("everchosen-host"), 1)
        await wait_for_watchers(own, 1)
        await twice.leave()
        await asyncio.sleep(0.05)
        assert own.stream.watchers == 1, "the other connection still watches"
