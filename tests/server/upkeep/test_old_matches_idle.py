"""Matches under way that guests have left are stopped after a time, if the host wants that; then they are removed."""

import asyncio

import pytest
from msgspec.structs import replace

from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.ids import MatchId
from diskwars_server.matches.inbox import Idleness
from diskwars_server.store.database import Database
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.event_log import IdleMatchPage
from diskwars_server.upkeep import old_matches
from diskwars_server.upkeep.old_matches import GuestMatches, IdleGuestMatches
from tests.server.faulty_database import FaultyDatabase
from tests.server.in_memory_server import InMemoryServer, begin_match
from tests.server.stored_samples import make_append, register, store_match

DAY_MS = 86_400_000
START = (0, "")
FIRST_RECORD_MS = make_append("m").record.at_ms
LATER = FIRST_RECORD_MS + 1


async def find(database: Database, before: int = LATER) -> list[str]:
    page = await database.events.find_idle_guest_matches(before, START, 100)
    assert page.next is None
    return sorted(page.idle)


async def test_matches_of_guests_and_bots_without_a_late_record_are_idle(database: Database) -> None:
    await store_match(database, "guests", status="running")
    await store_match(database, "bot", "guest1", "bot-greedy-1", status="running")
    assert await find(database) == ["bot", "guests"]
    assert await find(database, FIRST_RECORD_MS) == []


async def test_the_last_record_counts_and_not_the_last_change_of_the_list(database: Database) -> None:
    await store_match(database, "played", created=5, status="running")
    later = make_append("played", expected=1)
    later = replace(later, record=replace(later.record, at_ms=LATER))
    await database.events.append(later)
    assert await find(database, LATER) == []
    assert await find(database, LATER + 1) == ["played"]


async def test_what_an_account_has_to_do_with_and_what_is_not_under_way_is_left_alone(database: Database) -> None:
    await register(database, "ann")
    await register(database, "gone")
    assert await database.accounts.delete("gone", "hash")
    await store_match(database, "seated", "guest1", "ann", status="running")
    await store_match(database, "opened", opener="ann", status="running")
    await store_match(database, "of a deleted account", "gone", "guest1", status="running")
    await store_match(database, "open", status="open")
    await store_match(database, "ended", status="ended")
    assert await find(database) == []


async def test_pages_go_on_behind_what_was_looked_at(database: Database) -> None:
    await register(database, "ann")
    for match, created, player in (("c", 1, "ann"), ("a", 2, "guest"), ("b", 2, "guest"), ("d", 3, "ann")):
        await store_match(database, match, player, None, created=created, status="running")
    first = await database.events.find_idle_guest_matches(LATER, START, 2)
    assert first == IdleMatchPage(["a"], (2, "a"))
    assert first.next is not None
    second = await database.events.find_idle_guest_matches(LATER, first.next, 2)
    assert second == IdleMatchPage(["b"], (3, "d"))
    assert second.next is not None
    assert await database.events.find_idle_guest_matches(LATER, second.next, 2) == IdleMatchPage([], None)


# ---------------------------------------------------------------- the loop


def idle_matches(node: InMemoryServer) -> IdleGuestMatches:
    return IdleGuestMatches(node.matches, node.database.events, node.clock, 7 * DAY_MS)


async def test_unfinished_match_is_stopped_and_then_falls_under_the_retention(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    head = (await node.database.events.heads([match]))[match]
    node.clock.now += 7 * DAY_MS
    await idle_matches(node).stop_idle()
    assert (await node.state(match)).status == "running", "its time is not over yet"
    node.clock.now += 1000
    await idle_matches(node).stop_idle()
    state = await node.state(match)
    assert (state.status, state.result) == ("ended", Result("stopped"))
    assert await node.database.events.heads([match]) == {match: head + 1}
    for client in (first, second):
        assert b'"actor":"house","action":{"type":"stop_match"}' in bytes((await client.catch_up(match))[-1].body)
    assert await node.database.vault.secrets(match) == {}
    node.clock.now += 7 * DAY_MS + 1000
    await GuestMatches(node.database.events, node.clock, 7 * DAY_MS, lambda removed: None).expire()
    assert await node.database.matches.list_matches() == []


async def test_match_that_somebody_has_just_acted_in_goes_on(node: InMemoryServer) -> None:
    match = await begin_match(await node.connect_and_greet(), await node.connect_and_greet())
    game = await node.matches.find(match)
    game.submit_own(Idleness(game.state.at_ms))
    await game.wait_idle()
    assert (await node.state(match)).status == "running"
    game.submit_own(Idleness(game.state.at_ms + 1))
    await game.wait_idle()
    assert (await node.state(match)).status == "ended"


async def test_nodes_that_stop_at_once_store_one_record(node: InMemoryServer) -> None:
    match = await begin_match(await node.connect_and_greet(), await node.connect_and_greet())
    head = (await node.database.events.heads([match]))[match]
    other = InMemoryServer(node.database, clock=node.clock)
    node.clock.now += 8 * DAY_MS
    await asyncio.gather(idle_matches(node).stop_idle(), idle_matches(other).stop_idle())
    assert await node.database.events.heads([match]) == {match: head + 1}
    await other.matches.close()


async def test_match_that_cannot_be_read_holds_up_no_other(
    node: InMemoryServer, caplog: pytest.LogCaptureFixture
) -> None:
    await store_match(node.database, "aaa unreadable", created=1, status="running")
    match = await begin_match(await node.connect_and_greet(), await node.connect_and_greet())
    node.clock.now = max(node.clock.now, FIRST_RECORD_MS) + 8 * DAY_MS
    await idle_matches(node).stop_idle()
    assert (await node.state(match)).status == "ended"
    assert "idle match not stopped" in caplog.text


async def test_pass_takes_a_pause_after_each_batch(node: InMemoryServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(old_matches, "BATCH_MATCHES", 2)
    for _ in range(3):
        await begin_match(await node.connect_and_greet(), await node.connect_and_greet())
    node.clock.now += 8 * DAY_MS
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    await idle_matches(node).stop_idle(sleep)
    assert pauses == [old_matches.BATCH_PAUSE_SECONDS]
    assert {listing.status for listing in await node.database.matches.list_matches()} == {"ended"}


async def test_loop_outlives_an_outage_and_goes_on(node: InMemoryServer, faulty_database: FaultyDatabase) -> None:
    match = await begin_match(await node.connect_and_greet(), await node.connect_and_greet())
    node.clock.now += 8 * DAY_MS
    faults = [StoreUnavailable("away"), ValueError("a fault")]
    loop = idle_matches(node)
    stop_idle = loop.stop_idle

    async def fail_first(sleep: object) -> None:
        if faults:
            raise faults.pop(0)
        await stop_idle()

    async def sleep(seconds: float) -> None:
        assert seconds == old_matches.PASS_SECONDS
        if (await node.state(MatchId(match))).status == "ended":
            raise asyncio.CancelledError

    loop.stop_idle = fail_first  # type: ignore[method-assign, assignment]
    with pytest.raises(asyncio.CancelledError):
        await loop.run(sleep)
