"""The contract of the event log, over every database."""

import asyncio
import contextlib

import pytest

from diskwars_protocol.records.records import Record
from diskwars_server.store.database import Database
from diskwars_server.store.errors import (
    DuplicateCommand,
    MalformedAppend,
    StoreUnavailable,
    UnknownMatch,
    WrongVersion,
)
from diskwars_server.store.event_log import AppendRequest
from tests.server.conftest import MakeDatabase
from tests.server.stored_samples import filled, make_append, make_listing, make_record, outcomes


async def test_appended_records_are_read_back_to_the_byte(database: Database) -> None:
    # Our JSON is never spelled like the last two bodies; a store gives them back as they are.
    bodies = [
        '{"type":"named","name":"Grünzähne ☠ 🎲"}'.encode(),
        b'{"a":{"#":"00ff"},"n":9007199254740991}',
        b"{ }",
        b"",
    ]
    secrets = (None, b'[["a"]]', b"", b"\x00\xff")
    records = [
        Record(seq, 2**53 - 1, "house", f"timeout:4.{seq}", 2**31 - 1, body, secret, bytes(16), b"\xff\x00" * 16)
        for seq, (body, secret) in enumerate(zip(bodies, secrets, strict=True), 1)
    ]
    for each in records:
        await database.events.append(AppendRequest("m", each.seq - 1, each))
    assert await database.events.read("m") == records


async def test_reading_goes_on_after_any_record_and_in_pages(database: Database) -> None:
    await filled(database, "m", 7)
    assert [r.seq for r in await database.events.read("m")] == [1, 2, 3, 4, 5, 6, 7]
    assert [r.seq for r in await database.events.read("m", after=4)] == [5, 6, 7]
    assert [r.seq for r in await database.events.read("m", after=4, limit=2)] == [5, 6]
    assert [r.seq for r in await database.events.read("m", after=-3, limit=1)] == [1]
    assert await database.events.read("m", after=7) == []
    assert await database.events.read("m", after=2**53) == []


async def test_the_head_is_the_last_record_of_every_match_that_has_one(database: Database) -> None:
    await filled(database, "a", 3)
    await filled(database, "b", 1)
    assert await database.events.heads(["a", "nowhere", "b", "no\0where"]) == {"a": 3, "b": 1}
    assert await database.events.heads([]) == {}


@pytest.mark.parametrize("match", ["nowhere", "", "no\0where", "\ud800", "'; drop table records; --"])
async def test_a_match_without_records_is_unknown(database: Database, match: str) -> None:
    with pytest.raises(UnknownMatch):
        await database.events.read(match)
    with pytest.raises(UnknownMatch):
        await database.events.read(match, after=3)


async def test_match_ids_are_compared_exactly(database: Database) -> None:
    for match in ("m", "M", "m ", "é", "e\u0301"):
        await database.events.append(make_append(match))
    assert await database.events.heads(["m", "M", "m ", "é", "e\u0301", "m  "]) == {
        "m": 1,
        "M": 1,
        "m ": 1,
        "é": 1,
        "e\u0301": 1,
    }


async def test_writer_with_an_old_version_learns_the_head(database: Database) -> None:
    there = await filled(database, "m", 3)
    for expected in (0, 1, 2):
        with pytest.raises(WrongVersion) as refused:
            await database.events.append(AppendRequest("m", expected, make_record(expected + 1, "late")))
        assert (refused.value.match, refused.value.expected, refused.value.actual) == ("m", expected, 3)
    assert await database.events.read("m") == there


@pytest.mark.parametrize("expected", [1, 4, 2**40])
async def test_a_writer_cannot_leave_a_gap(database: Database, expected: int) -> None:
    if expected > 1:
        await filled(database, "m", 3)
    with pytest.raises(WrongVersion) as refused:
        await database.events.append(make_append("m", expected))
    assert refused.value.actual == (3 if expected > 1 else 0)
    assert await database.events.heads(["m"]) == ({"m": 3} if expected > 1 else {})


async def test_a_command_is_stored_once(database: Database) -> None:
    await database.events.append(AppendRequest("m", 0, make_record(1, "flip")))
    with pytest.raises(DuplicateCommand) as refused:
        await database.events.append(AppendRequest("m", 1, make_record(2, "flip")))
    assert (refused.value.match, refused.value.actor, refused.value.command_id) == ("m", "alice", "flip")
    assert await database.events.heads(["m"]) == {"m": 1}
    await database.events.append(make_append("m", 1))


async def test_a_command_sent_again_by_one_who_knows_too_little_is_a_wrong_version(database: Database) -> None:
    await database.events.append(AppendRequest("m", 0, make_record(1, "flip")))
    with pytest.raises(WrongVersion):
        await database.events.append(AppendRequest("m", 0, make_record(1, "flip")))


async def test_another_actor_and_another_match_may_use_the_same_command_id(database: Database) -> None:
    await database.events.append(AppendRequest("m", 0, make_record(1, "flip")))
    await database.events.append(AppendRequest("m", 1, make_record(2, "flip", actor="bob")))
    await database.events.append(AppendRequest("n", 0, make_record(1, "flip")))
    assert await database.events.heads(["m", "n"]) == {"m": 2, "n": 1}


@pytest.mark.parametrize(
    "append",
    [
        AppendRequest("m", -1, make_record(0)),
        AppendRequest("m", 0, make_record(2)),
        AppendRequest("m", 3, make_record(3)),
        AppendRequest("m", 0, make_record(1, "no\0pe")),
        AppendRequest("m", 0, make_record(1, actor="\udfff")),
        AppendRequest("m\0", 0, make_record(1)),
        AppendRequest("m", 0, make_record(1), secrets={"\ud800": b""}),
        AppendRequest("m", 0, make_record(1), listing=make_listing("n", 1)),
    ],
)
async def test_append_that_no_store_can_keep_is_refused_and_harms_no_other(
    database: Database, append: AppendRequest
) -> None:
    refused, kept = await outcomes(database, append, make_append("other"))
    assert isinstance(refused, MalformedAppend)
    assert kept is None
    assert await database.events.heads(["m", "n", "other"]) == {"other": 1}


async def test_of_two_writers_on_one_match_exactly_one_wins_each_number(make_database: MakeDatabase) -> None:
    async def insist(database: Database, actor: str) -> list[Record]:
        mine: list[Record] = []
        expected = 0
        while len(mine) < 25:
            wish = AppendRequest("m", expected, make_record(expected + 1, f"{expected}", actor))
            try:
                await database.events.append(wish)
                mine.append(wish.record)
                expected += 1
                await asyncio.sleep(0)  # a store in memory would otherwise never let the other one in
            except WrongVersion:
                expected = (await database.events.heads(["m"]))["m"]
        return mine

    async with make_database() as one, make_database() as other:
        alices, bobs = await asyncio.gather(insist(one, "alice"), insist(other, "bob"))
        stored = await one.events.read("m")
    assert sorted(alices + bobs, key=lambda r: r.seq) == stored
    assert [r.seq for r in stored] == list(range(1, len(stored) + 1))


async def test_in_a_batch_only_the_appends_that_conflict_are_refused(database: Database) -> None:
    for match in ("stale", "gap", "taken", "good"):
        await database.events.append(make_append(match))
    fresh = [make_append(f"new {i}", secrets={"s": b"1"}, listing=make_listing(f"new {i}", i)) for i in range(20)]
    stale, gap, taken, good, *rest = await outcomes(
        database,
        make_append("stale", 0),
        make_append("gap", 2),
        AppendRequest("taken", 1, make_record(2, "c1")),
        make_append("good", 1),
        *fresh,
    )
    assert isinstance(stale, WrongVersion)
    assert isinstance(gap, WrongVersion)
    assert isinstance(taken, DuplicateCommand)
    assert (stale.match, gap.match, taken.match) == ("stale", "gap", "taken")
    assert good is None
    assert rest == [None] * 20
    heads = await database.events.heads(["stale", "gap", "taken", "good"] + [append.match for append in fresh])
    assert heads == {"stale": 1, "gap": 1, "taken": 1, "good": 2} | {append.match: 1 for append in fresh}
    assert len(await database.matches.list_matches()) == 20


async def test_appends_of_one_match_are_tried_in_the_order_of_their_coming(database: Database) -> None:
    appends = [make_append(match, expected) for expected in range(10) for match in ("a", "b")]
    assert await outcomes(database, *appends) == [None] * 20
    broken = [make_append("c", 0), make_append("c", 5), make_append("c", 1), make_append("c", 1), make_append("c", 2)]
    answers = await outcomes(database, *broken)
    assert [type(answer) for answer in answers] == [type(None), WrongVersion, type(None), WrongVersion, type(None)]
    assert await database.events.read("c") == [broken[0].record, broken[2].record, broken[4].record]


async def test_more_appends_than_a_batch_are_stored(database: Database) -> None:
    many = [make_append(f"m{i}") for i in range(600)]
    assert await outcomes(database, *many) == [None] * 600
    assert len(await database.events.heads([f"m{i}" for i in range(600)])) == 600


async def test_cancelling_a_waiting_caller_neither_undoes_an_append_nor_stops_others(database: Database) -> None:
    tasks = [asyncio.create_task(database.events.append(make_append(match))) for match in "abcdef"]
    await asyncio.sleep(0)  # now all are handed over, and none is stored unless the store is in memory
    for task in tasks[::2]:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    # The next append of a match is tried after the one whose author has gone.
    assert await outcomes(database, *(make_append(match, 1) for match in "abcdef")) == [None] * 6
    assert await database.events.heads(list("abcdef")) == dict.fromkeys("abcdef", 2)


async def test_closing_stores_what_was_handed_over_and_refuses_what_comes_later(make_database: MakeDatabase) -> None:
    database = make_database()
    await database.open()
    tasks = [asyncio.create_task(database.events.append(make_append(f"m{i}"))) for i in range(300)]
    await asyncio.sleep(0)
    closing = asyncio.create_task(database.close())
    await asyncio.sleep(0)
    with pytest.raises(StoreUnavailable):
        await database.events.append(make_append("late"))
    await closing
    assert await asyncio.gather(*tasks) == [None] * 300
    async with make_database() as again:
        assert len(await again.events.heads([f"m{i}" for i in range(300)])) == 300
        assert await again.events.heads(["late"]) == {}


async def test_a_closed_store_answers_nothing_and_can_be_closed_again(make_database: MakeDatabase) -> None:
    database = make_database()
    with pytest.raises(StoreUnavailable):
        await database.events.append(make_append("m"))
    await database.open()
    await database.close()
    await database.close()
    for question in (
        database.events.append(make_append("m")),
        database.events.read("m"),
        database.events.heads(["m"]),
        database.vault.secrets("m"),
        database.vault.forget_secrets("m"),
        database.matches.list_matches(),
        database.matches.count_unfinished("p1"),
        database.vault.signing_key(),
    ):
        with pytest.raises(StoreUnavailable):
            await question
    await database.open()
    with contextlib.suppress(UnknownMatch):
        assert await database.events.read("m") == []
    await database.events.append(make_append("m"))
    await database.close()
