"""After a time without server or database no seat is out of time at once: its deadline moves behind the return."""

import logging

import pytest

from diskwars_protocol.match.ids import HOUSE, MatchId
from diskwars_protocol.match.match_options import MatchOptions, PerDecisionClock
from diskwars_server.store.database import Database
from diskwars_server.store.deadlines import Deadline
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.event_log import AppendRequest
from diskwars_server.upkeep.time_limits import (
    LEASE_MS,
    POLL_SECONDS,
    SILENCE_MS,
    SWEEP_MS,
    TimeLimits,
)
from tests.server.conftest import MakeDatabase
from tests.server.in_memory_server import InMemoryServer, begin_match
from tests.server.stored_samples import make_append, make_record

SECONDS = 60
CLOCK = MatchOptions(clock=PerDecisionClock(SECONDS))
HOUR_MS = 3_600_000
RETURN_GRACE_MS = 30_000
NOW = 1_790_000_000_000


async def store(database: Database, *times: int) -> None:
    """Store a match whose decisions have deadlines at these times."""
    deadlines = tuple(Deadline("m", f"1.{number}", at) for number, at in enumerate(times))
    await database.events.append(make_append("m", deadlines=deadlines))


async def due_times(database: Database) -> list[int]:
    return [deadline.at for deadline in await database.deadlines.claim_due(NOW + 10**12, 100, 0)]


# ---------------------------------------------------------------- the port


async def test_deadlines_that_passed_in_silence_or_are_close_move_to_the_grace(database: Database) -> None:
    await store(database, NOW + 1, NOW + 500, NOW + 10**9)
    assert await database.deadlines.record_sweep(NOW, NOW - 5, NOW + 100) == 0, "the first sweep finds none before it"
    back = NOW + 1000
    assert await database.deadlines.record_sweep(back, back - 500, back + 50) == 2
    assert await due_times(database) == [back + 50, back + 50, NOW + 10**9]


@pytest.mark.parametrize("silent_since", [None, NOW, NOW - 500])
async def test_deadlines_stay_where_a_node_has_swept_lately(database: Database, silent_since: int | None) -> None:
    await store(database, NOW + 1)
    await database.deadlines.record_sweep(NOW, None, 0)
    assert await database.deadlines.record_sweep(NOW + 1000, silent_since, NOW + 1050) == 0
    assert await due_times(database) == [NOW + 1]


async def test_deadline_that_was_claimed_by_a_node_that_died_is_put_off_too(database: Database) -> None:
    await store(database, NOW + 1)
    await database.deadlines.record_sweep(NOW, None, 0)
    assert await database.deadlines.claim_due(NOW + 1, 9, HOUR_MS)
    assert await database.deadlines.record_sweep(NOW + 1000, NOW + 500, NOW + 1050) == 1
    assert await database.deadlines.claim_due(NOW + 1049, 9, 0) == []
    assert len(await database.deadlines.claim_due(NOW + 1050, 9, 0)) == 1


async def test_without_deadlines_nothing_is_noted(database: Database) -> None:
    await database.deadlines.record_sweep(NOW, None, 0)
    await store(database, NOW + 1)
    assert await database.deadlines.record_sweep(NOW + 1000, NOW + 500, NOW + 1050) == 0
    assert await due_times(database) == [NOW + 1]


async def test_of_nodes_that_return_together_one_puts_off(make_database: MakeDatabase) -> None:
    async with make_database() as one, make_database() as other:
        await store(one, NOW + 1)
        await one.deadlines.record_sweep(NOW, None, 0)
        assert await one.deadlines.record_sweep(NOW + 1000, NOW + 500, NOW + 1050) == 1
        assert await other.deadlines.record_sweep(NOW + 1001, NOW + 501, NOW + 9999) == 0
        assert await due_times(one) == [NOW + 1050]


async def test_decision_that_is_answered_meanwhile_has_no_deadline(database: Database) -> None:
    await store(database, NOW + 1)
    await database.deadlines.record_sweep(NOW, None, 0)
    await database.events.append(AppendRequest("m", 1, make_record(2), closed_decisions=("1.0",)))
    assert await database.deadlines.record_sweep(NOW + 1000, NOW + 500, NOW + 1050) == 0


# ---------------------------------------------------------------- the loop


def limits(node: InMemoryServer) -> TimeLimits:
    return TimeLimits(node.matches, node.database.deadlines, node.clock, node.clock, return_grace_ms=RETURN_GRACE_MS)


async def enforce(node: InMemoryServer, loop: TimeLimits, match: MatchId) -> int:
    """Let the loop look once; return how many records the house has made."""
    await loop.enforce_due()
    await (await node.matches.find(match)).wait_idle()
    return [record.actor for record in await node.database.events.read(match)].count(HOUSE)


async def begun(node: InMemoryServer) -> MatchId:
    return await begin_match(await node.connect_and_greet(), await node.connect_and_greet(), options=CLOCK)


async def test_seat_is_not_out_of_time_in_the_moment_in_which_a_server_returns(
    node: InMemoryServer, caplog: pytest.LogCaptureFixture
) -> None:
    match = await begun(node)
    assert await enforce(node, limits(node), match) == 0
    node.clock.now += HOUR_MS
    restarted = limits(node)
    with caplog.at_level(logging.WARNING):
        assert await enforce(node, restarted, match) == 0
    assert [(line.getMessage(), vars(line)["count"]) for line in caplog.records] == [
        ("deadlines put off: they could not be kept for a while", 2)
    ]
    for _ in range(RETURN_GRACE_MS // SWEEP_MS):
        assert await enforce(node, restarted, match) == 0
        node.clock.now += SWEEP_MS
    assert await enforce(node, restarted, match) == 2


async def test_outage_of_the_database_is_no_time_of_a_player(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, loop = await begun(node), limits(node)
    await enforce(node, loop, match)
    with monkeypatch.context() as away:

        async def fail(*_: object) -> int:
            raise StoreUnavailable("away")

        away.setattr(node.database.deadlines, "record_sweep", fail)
        for _ in range(5):
            node.clock.now += SECONDS * 1000
            with pytest.raises(StoreUnavailable):
                await loop.enforce_due()
    assert await enforce(node, loop, match) == 0
    node.clock.now += RETURN_GRACE_MS
    other = limits(node)
    await node.database.deadlines.record_sweep(node.clock.now - SWEEP_MS, None, 0)
    assert await enforce(node, other, match) == 2


async def test_another_node_that_went_on_leaves_nothing_to_put_off(node: InMemoryServer) -> None:
    match, here = await begun(node), limits(node)
    for _ in range(SECONDS * 1000 // SWEEP_MS - 1):
        node.clock.now += SWEEP_MS
        assert await enforce(node, here, match) == 0
    node.clock.now += SWEEP_MS
    assert await enforce(node, limits(node), match) == 2, "the other node comes up when the time is over"


async def test_short_pause_counts_as_time_of_the_player(node: InMemoryServer) -> None:
    match = await begun(node)
    node.clock.now += SECONDS * 1000 - SILENCE_MS
    await enforce(node, limits(node), match)
    node.clock.now += SILENCE_MS
    assert await enforce(node, limits(node), match) == 2


async def test_clock_that_is_set_back_stops_no_sweep(node: InMemoryServer) -> None:
    match, loop = await begun(node), limits(node)
    await enforce(node, loop, match)
    node.clock.now -= HOUR_MS
    await enforce(node, loop, match)
    assert loop._swept_ms == node.clock.now


async def test_deadline_that_a_node_had_claimed_when_it_died_is_kept_by_another_within_three_seconds(
    node: InMemoryServer,
) -> None:
    match = await begun(node)
    node.clock.now += SECONDS * 1000
    assert await node.database.deadlines.claim_due(node.clock.now, 9, LEASE_MS), "and now it dies"
    survivor = TimeLimits(node.matches, node.database.deadlines, node.clock, node.clock)
    waited_ms = 0
    while not await enforce(node, survivor, match):
        node.clock.now += int(POLL_SECONDS * 1000)
        waited_ms += int(POLL_SECONDS * 1000)
    assert waited_ms <= 3000
