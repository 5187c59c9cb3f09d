"""The contract of deadlines, over every database."""

import asyncio

import pytest

from diskwars_server.store.database import Database
from diskwars_server.store.deadlines import Deadline
from diskwars_server.store.errors import DuplicateCommand, MalformedAppend, WrongVersion
from diskwars_server.store.event_log import AppendRequest
from tests.server.conftest import MakeDatabase
from tests.server.stored_samples import make_append, make_record

LEASE = 1000


def deadline(match: str, decision: str, at: int) -> Deadline:
    return Deadline(match, decision, at)


async def due(database: Database, now: int, limit: int = 100) -> list[Deadline]:
    return await database.deadlines.claim_due(now, limit, LEASE)


async def test_deadlines_are_due_from_their_time_on_the_earliest_first(database: Database) -> None:
    first, second, third = deadline("m", "1.0", 50), deadline("m", "1.1", 40), deadline("n", "1.0", 60)
    await database.events.append(make_append("m", deadlines=(first, second)))
    await database.events.append(make_append("n", deadlines=(third,)))
    assert await due(database, 39) == []
    assert await due(database, 50) == [second, first]
    assert await due(database, 60) == [third]


async def test_a_claimed_deadline_is_due_again_after_the_lease(database: Database) -> None:
    only = deadline("m", "1.0", 50)
    await database.events.append(make_append("m", deadlines=(only,)))
    assert await due(database, 50) == [only]
    assert await due(database, 50 + LEASE - 1) == []
    assert await due(database, 50 + LEASE) == [only]


async def test_at_most_the_limit_is_claimed(database: Database) -> None:
    every = [deadline("m", f"1.{slot}", slot) for slot in range(5)]
    await database.events.append(make_append("m", deadlines=tuple(every)))
    assert await due(database, 99, limit=2) == every[:2]
    assert await due(database, 99, limit=2) == every[2:4]


async def test_a_record_removes_the_deadlines_of_the_decisions_it_closes(database: Database) -> None:
    one, other = deadline("m", "1.0", 5), deadline("m", "1.1", 6)
    same_name = deadline("n", "1.0", 7)
    await database.events.append(make_append("m", deadlines=(one, other)))
    await database.events.append(make_append("n", deadlines=(same_name,)))
    later = deadline("m", "2.0", 8)
    await database.events.append(make_append("m", 1, deadlines=(later,), closed_decisions=("1.0", "0.7")))
    assert await due(database, 99) == [other, same_name, later]


async def test_deadlines_are_stored_with_their_record_or_not_at_all(database: Database) -> None:
    kept = deadline("m", "1.0", 5)
    await database.events.append(make_append("m", deadlines=(kept,)))
    lost = deadline("m", "2.0", 5)
    for expected in (0, 7):
        with pytest.raises(WrongVersion):
            await database.events.append(make_append("m", expected, deadlines=(lost,), closed_decisions=("1.0",)))
    with pytest.raises(DuplicateCommand):
        await database.events.append(
            AppendRequest("m", 1, make_record(2, "c1"), deadlines=(lost,), closed_decisions=("1.0",))
        )
    assert await due(database, 99) == [kept]


async def test_a_batch_may_mix_appends_with_and_without_deadlines(database: Database) -> None:
    clocked = [make_append(f"m{n}", deadlines=(deadline(f"m{n}", "1.0", n),)) for n in range(3)]
    plain = [make_append(f"p{n}") for n in range(3)]
    await asyncio.gather(*(database.events.append(append) for append in (*clocked, *plain)))
    assert [deadline.match for deadline in await due(database, 99)] == ["m0", "m1", "m2"]
    assert len(await database.events.heads(["p0", "p1", "p2"])) == 3


async def test_a_deadline_can_be_removed(database: Database) -> None:
    await database.events.append(make_append("m", deadlines=(deadline("m", "1.0", 5), deadline("m", "1.1", 5))))
    await database.deadlines.remove("m", "1.0")
    await database.deadlines.remove("m", "never there")
    assert [deadline.decision for deadline in await due(database, 99)] == ["1.1"]


async def test_a_deadline_that_moves_is_due_at_its_new_time_although_it_was_claimed(database: Database) -> None:
    only = deadline("m", "1.0", 50)
    await database.events.append(make_append("m", deadlines=(only,)))
    assert await due(database, 50) == [only]
    await database.deadlines.move("m", "1.0", 60)
    await database.deadlines.move("m", "2.0", 60)
    assert await due(database, 59) == []
    assert await due(database, 60) == [deadline("m", "1.0", 60)]


async def test_a_deadline_of_another_match_is_malformed(database: Database) -> None:
    with pytest.raises(MalformedAppend):
        await database.events.append(make_append("m", deadlines=(deadline("n", "1.0", 5),)))
    assert await due(database, 99) == []


async def test_of_two_servers_each_deadline_is_claimed_by_one(make_database: MakeDatabase) -> None:
    async with make_database() as one, make_database() as other:
        every = tuple(deadline("m", f"1.{slot}", slot) for slot in range(40))
        await one.events.append(make_append("m", deadlines=every))
        claims = await asyncio.gather(*(due(database, 99, limit=5) for database in (one, other) * 6))
        # Skipping what another is just claiming may leave some for the next round.
        everything_claimed = [claimed for claim in claims for claimed in claim] + await due(one, 99)
        assert sorted(everything_claimed, key=lambda claimed: claimed.at) == list(every)
