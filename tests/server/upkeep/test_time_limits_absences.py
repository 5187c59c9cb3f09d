"""Matches without a clock: players who have not answered for days leave them, on any server, after any restart."""

import msgspec
import pytest

from diskwars_protocol.match.ids import HOUSE, MatchId
from diskwars_protocol.match.match_options import DEFAULT_ABANDONED_AFTER_DAYS, DEFAULT_MATCH_OPTIONS, MatchOptions
from diskwars_server.store.deadlines import ABSENCE
from diskwars_server.upkeep.time_limits import LEASE_MS
from tests.server.faulty_database import FaultyDatabase
from tests.server.in_memory_server import InMemoryServer
from tests.server.upkeep.test_time_limits import begun, enforce, round_of

DAY_MS = 86_400_000
LIMIT_MS = DEFAULT_ABANDONED_AFTER_DAYS * DAY_MS


async def deadlines_of(node: InMemoryServer) -> list[tuple[str, int]]:
    """Return the key and time of every deadline there is, all of which are claimed by this."""
    far = node.clock.now + 10**15
    return [(deadline.decision, deadline.at) for deadline in await node.database.deadlines.claim_due(far, 100, 0)]


async def ending_of(node: InMemoryServer, match: MatchId) -> tuple[str, tuple[int, ...]]:
    """Return why a match has ended, and who won."""
    result = (await node.state(match)).result
    assert result is not None
    return result.end_reason, result.winners


async def actors_of(node: InMemoryServer, match: MatchId) -> list[str]:
    return [record.actor for record in await node.database.events.read(match)]


async def test_match_without_a_clock_has_one_deadline_however_many_answers_come(node: InMemoryServer) -> None:
    first, second, match = await begun(node, DEFAULT_MATCH_OPTIONS)
    began = node.clock.now
    node.clock.now += DAY_MS
    await first.choose_number(match, 0, 4)
    await second.choose_number(match, 1, 4)
    assert await deadlines_of(node) == [(ABSENCE.key, began + LIMIT_MS)]


async def test_house_leaves_for_a_player_who_has_not_answered_for_days(node: InMemoryServer) -> None:
    first, second, match = await begun(node, DEFAULT_MATCH_OPTIONS)
    decision = await second.decision(match, 1)
    await first.choose_number(match, 0, 4)
    node.clock.now += LIMIT_MS - 1
    await enforce(node, match)
    assert (await node.state(match)).status == "running"
    node.clock.now += 1
    await enforce(node, match)
    record = (await node.database.events.read(match))[-1]
    assert (record.actor, record.command_id) == (HOUSE, f"timeout:{decision}")
    assert await ending_of(node, match) == ("absence", (0,))
    assert msgspec.json.decode((await first.catch_up(match))[-1].body)["actor"] == "house"
    assert await deadlines_of(node) == []


async def test_nobody_wins_a_match_that_both_have_left(node: InMemoryServer) -> None:
    _, _, match = await begun(node, DEFAULT_MATCH_OPTIONS)
    node.clock.now += LIMIT_MS
    await enforce(node, match)
    assert await ending_of(node, match) == ("absence", ())


async def test_days_are_counted_from_the_record_that_asks(node: InMemoryServer) -> None:
    first, second, match = await begun(node, DEFAULT_MATCH_OPTIONS)
    node.clock.now += LIMIT_MS - 5000
    await first.choose_number(match, 0, 4)
    await second.choose_number(match, 1, 4)
    asked = node.clock.now
    node.clock.now += 5000
    await enforce(node, match)
    assert HOUSE not in await actors_of(node, match)
    node.clock.now = asked + LIMIT_MS - 1
    await enforce(node, match)
    assert (await node.state(match)).status == "running"
    node.clock.now += 1
    await enforce(node, match)
    assert (await node.state(match)).status == "ended"


async def test_absence_is_found_after_a_restart(node: InMemoryServer) -> None:
    first, _, match = await begun(node, DEFAULT_MATCH_OPTIONS)
    await first.choose_number(match, 0, 4)
    await node.matches.close()
    node.clock.now += LIMIT_MS
    later = InMemoryServer(node.database, clock=node.clock)
    await enforce(later, match)
    assert await ending_of(later, match) == ("absence", (0,))
    await later.matches.close()


async def test_node_that_knows_too_little_reads_the_log_before_it_leaves_for_anybody(node: InMemoryServer) -> None:
    first, second, match = await begun(node, DEFAULT_MATCH_OPTIONS)
    other = InMemoryServer(node.database, clock=node.clock)
    await other.matches.find(match)
    node.clock.now += LIMIT_MS - 1
    await first.choose_number(match, 0, 4)
    await second.choose_number(match, 1, 4)
    node.clock.now += 1
    await enforce(other, match)
    assert (await other.state(match)).status == "running"
    assert await round_of(other, match) == 2
    await other.matches.close()


@pytest.mark.parametrize("fault", ["unavailable", "wrong", "lost before", "lost after"])
async def test_absence_is_recorded_once_although_an_append_fails(node: InMemoryServer, fault: str) -> None:
    first, _, match = await begun(node, DEFAULT_MATCH_OPTIONS)
    await first.choose_number(match, 0, 4)
    assert isinstance(node.database, FaultyDatabase)
    node.clock.now += LIMIT_MS
    node.database.events.faults.append(fault)
    await enforce(node, match)
    node.clock.now += LEASE_MS
    await enforce(node, match)
    assert (await actors_of(node, match)).count(HOUSE) == 1
    assert await ending_of(node, match) == ("absence", (0,))


async def test_days_of_the_options_count(node: InMemoryServer) -> None:
    first, _, match = await begun(node, MatchOptions(abandoned_after_days=1))
    await first.choose_number(match, 0, 4)
    node.clock.now += DAY_MS
    await enforce(node, match)
    assert (await node.state(match)).status == "ended"
