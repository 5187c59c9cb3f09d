"""Ended matches of guests are removed after a time, if the host wants that; matches of players with accounts stay."""

import asyncio

import pytest

from diskwars_protocol.match.ids import MatchId
from diskwars_server.store.chat import StoredMessage
from diskwars_server.store.database import Database
from diskwars_server.store.errors import StoreUnavailable, UnknownMatch
from diskwars_server.store.event_log import GuestMatchPage
from diskwars_server.upkeep import old_matches
from diskwars_server.upkeep.old_matches import GuestMatches
from tests.server.conftest import MakeDatabase
from tests.server.faulty_database import FaultyDatabase
from tests.server.in_memory_server import TEST_TIMEOUT_SECONDS, InMemoryServer, begin_match
from tests.server.stored_samples import register, store_match

DAY_MS = 86_400_000
START = (0, "")


async def kept(database: Database) -> set[str]:
    return {listing.match for listing in await database.matches.list_matches()}


async def test_matches_of_guests_are_removed_with_everything(database: Database) -> None:
    await store_match(database, "guests", status="ended")
    await store_match(database, "bot", "guest1", "bot-greedy-1", status="ended")
    await store_match(database, "empty", "guest1", None, status="ended")
    await database.chat.add(StoredMessage("guests", "players", 0, "guest1", 1, 1, "text", "c"))
    page = await database.events.remove_guest_matches(10, START, 10)
    assert (sorted(page.removed), page.next) == (["bot", "empty", "guests"], None)
    assert await kept(database) == set()
    assert await database.vault.secrets("guests") == {}
    assert await database.chat.read("guests", "players", 0, 9) == []
    with pytest.raises(UnknownMatch):
        await database.events.read("guests")
    assert (await database.events.remove_guest_matches(10, START, 10)).removed == []


async def test_what_an_account_has_to_do_with_or_has_not_ended_long_ago_stays(database: Database) -> None:
    await register(database, "ann")
    await register(database, "gone")
    assert await database.accounts.delete("gone", "hash")
    await store_match(database, "seated", "guest1", "ann", status="ended")
    await store_match(database, "opened", opener="ann", status="ended")
    await store_match(database, "of a deleted account", "gone", "guest1", status="ended")
    await store_match(database, "ended lately", updated=10, status="ended")
    await store_match(database, "opened lately", created=10, updated=10, status="ended")
    await store_match(database, "running", status="running")
    await store_match(database, "open", status="open")
    everything = await kept(database)
    assert await database.events.remove_guest_matches(10, START, 10) == GuestMatchPage([], None)
    assert await kept(database) == everything


async def test_pages_go_on_behind_what_was_looked_at(database: Database) -> None:
    await register(database, "ann")
    for match, created, player in (("c", 1, "ann"), ("a", 2, "guest"), ("b", 2, "guest"), ("d", 3, "ann")):
        await store_match(database, match, player, None, created=created, status="ended")
    first = await database.events.remove_guest_matches(10, START, 2)
    assert (first.removed, first.next) == (["a"], (2, "a"))
    assert first.next is not None
    second = await database.events.remove_guest_matches(10, first.next, 2)
    assert (second.removed, second.next) == (["b"], (3, "d"))
    assert second.next is not None
    last = await database.events.remove_guest_matches(10, second.next, 2)
    assert (last.removed, last.next) == ([], None)
    assert await kept(database) == {"c", "d"}


async def test_of_nodes_that_remove_at_once_each_match_goes_by_one(make_database: MakeDatabase) -> None:
    async with make_database() as one, make_database() as other:
        for number in range(20):
            await store_match(one, f"m{number:02}", status="ended")
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            pages = await asyncio.gather(
                *(node.events.remove_guest_matches(10, START, 100) for node in (one, other, one, other))
            )
        removed = [match for page in pages for match in page.removed]
        assert len(removed) == len(set(removed))
        await one.events.remove_guest_matches(10, START, 100)
        assert await kept(one) == set()


# ---------------------------------------------------------------- the loop


def retention(node: InMemoryServer, published: list[MatchId] | None = None) -> GuestMatches:
    removed = [] if published is None else published
    return GuestMatches(node.database.events, node.clock, 7 * DAY_MS, removed.append)


async def test_match_goes_when_it_has_ended_long_enough_ago(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    running, resigned = await begin_match(first, second), await begin_match(first, second)
    await first.expect_accepted(first.act_message(resigned, None, {"type": "resign"}))
    published: list[MatchId] = []
    node.clock.now += 7 * DAY_MS
    await retention(node, published).expire()
    assert await kept(node.database) == {running, resigned}
    node.clock.now += 1000
    await retention(node, published).expire()
    assert await kept(node.database) == {running}
    assert published == [resigned]


async def test_pass_takes_a_pause_after_each_batch(node: InMemoryServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(old_matches, "BATCH_MATCHES", 2)
    for number in range(5):
        await store_match(node.database, f"m{number}", status="ended")
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    await retention(node).expire(sleep)
    assert pauses == [old_matches.BATCH_PAUSE_SECONDS] * 2
    assert await kept(node.database) == set()


async def test_loop_outlives_an_outage_and_goes_on(node: InMemoryServer, faulty_database: FaultyDatabase) -> None:
    await store_match(node.database, "m", status="ended")
    passes = 0
    loop = retention(node)
    expire = loop.expire

    async def fail_first(sleep: object) -> None:
        nonlocal passes
        passes += 1
        if passes == 1:
            raise StoreUnavailable("away")
        if passes == 2:
            raise ValueError("a fault")
        await expire()

    async def sleep(seconds: float) -> None:
        assert seconds == old_matches.PASS_SECONDS
        if passes == 3:
            raise asyncio.CancelledError

    loop.expire = fail_first  # type: ignore[method-assign, assignment]
    with pytest.raises(asyncio.CancelledError):
        await loop.run(sleep)
    assert await kept(node.database) == set()
