"""The contract of event stores: one suite over every store, on the oldest and newest supported PostgreSQL."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import TypeAlias

import pytest

from diskwars_protocol.match import MatchStatus
from diskwars_protocol.records import Record
from diskwars_server.postgres import PostgresStore
from diskwars_server.store import (
    AppendRequest,
    DuplicateCommand,
    EventStore,
    Listing,
    MalformedAppend,
    MemoryStore,
    StoreError,
    StoreUnavailable,
    UnknownMatch,
    WrongVersion,
)
from tests.server.conftest import run_sql

Place: TypeAlias = Callable[[], EventStore]
"""Makes one more store on one and the same place."""


@pytest.fixture(params=["memory", "postgres", "postgres 15"])
def place(request: pytest.FixtureRequest) -> Place:
    if request.param == "memory":
        store = MemoryStore()
        return lambda: store
    url = request.getfixturevalue("migrated_url" if request.param == "postgres" else "migrated_15_url")
    asyncio.run(run_sql(url, "truncate records, matches, secrets, keys"))
    return lambda: PostgresStore(url)


@pytest.fixture
async def store(place: Place) -> AsyncIterator[EventStore]:
    async with place() as opened:
        yield opened


def make_record(seq: int, command: str = "", actor: str = "alice", body: bytes = b"{}") -> Record:
    return Record(
        seq=seq,
        at=1_790_000_000_125,
        actor=actor,
        command_id=command or f"c{seq}",
        rules="core 1",
        body=body,
        secret=None,
        salt=bytes([seq % 256]) * 16,
        hash=seq.to_bytes(32, "big"),
    )


def make_append(match: str, expected: int = 0, **more: object) -> AppendRequest:
    """The next make_record, whose command is named after it."""
    return AppendRequest(match, expected, make_record(expected + 1), **more)  # type: ignore[arg-type]


async def filled(store: EventStore, match: str, count: int) -> list[Record]:
    """Append this many records to a new match."""
    for expected in range(count):
        await store.append(make_append(match, expected))
    return [make_record(seq) for seq in range(1, count + 1)]


def make_listing(match: str, created: int, status: MatchStatus = "open", opener: str = "p1") -> Listing:
    return Listing(match, "diskwars", status, ("p1", None), opener, created, created + 1)


async def outcomes(store: EventStore, *appends: AppendRequest) -> list[StoreError | None]:
    """Return what came of each, all handed over at once."""
    answers = await asyncio.gather(*(store.append(append) for append in appends), return_exceptions=True)
    for answer in answers:
        assert answer is None or isinstance(answer, StoreError), answer
    return [answer for answer in answers if answer is None or isinstance(answer, StoreError)]


async def test_what_is_appended_is_read_back_to_the_byte(store: EventStore) -> None:
    # Our JSON is never spelled like the last two bodies; a store gives them back as they are.
    bodies = [
        '{"type":"named","name":"Grünzähne ☠ 🎲"}'.encode(),
        b'{"a":{"#":"00ff"},"n":9007199254740991}',
        b"{ }",
        b"",
    ]
    secrets = (None, b'[["a"]]', b"", b"\x00\xff")
    records = [
        Record(seq, 2**53 - 1, "house", f"timeout:4.{seq}", "", body, secret, bytes(16), b"\xff\x00" * 16)
        for seq, (body, secret) in enumerate(zip(bodies, secrets, strict=True), 1)
    ]
    for each in records:
        await store.append(AppendRequest("m", each.seq - 1, each))
    assert await store.read("m") == records


async def test_reading_goes_on_after_any_record_and_in_pages(store: EventStore) -> None:
    await filled(store, "m", 7)
    assert [r.seq for r in await store.read("m")] == [1, 2, 3, 4, 5, 6, 7]
    assert [r.seq for r in await store.read("m", after=4)] == [5, 6, 7]
    assert [r.seq for r in await store.read("m", after=4, limit=2)] == [5, 6]
    assert [r.seq for r in await store.read("m", after=-3, limit=1)] == [1]
    assert await store.read("m", after=7) == []
    assert await store.read("m", after=2**53) == []


async def test_the_head_is_the_last_record_of_every_match_that_has_one(store: EventStore) -> None:
    await filled(store, "a", 3)
    await filled(store, "b", 1)
    assert await store.heads(["a", "nowhere", "b", "no\0where"]) == {"a": 3, "b": 1}
    assert await store.heads([]) == {}


@pytest.mark.parametrize("match", ["nowhere", "", "no\0where", "\ud800", "'; drop table records; --"])
async def test_a_match_without_records_is_unknown(store: EventStore, match: str) -> None:
    with pytest.raises(UnknownMatch):
        await store.read(match)
    with pytest.raises(UnknownMatch):
        await store.read(match, after=3)


async def test_match_ids_are_compared_exactly(store: EventStore) -> None:
    for match in ("m", "M", "m ", "é", "e\u0301"):
        await store.append(make_append(match))
    assert await store.heads(["m", "M", "m ", "é", "e\u0301", "m  "]) == {"m": 1, "M": 1, "m ": 1, "é": 1, "e\u0301": 1}


async def test_writer_with_an_old_version_learns_the_head(store: EventStore) -> None:
    there = await filled(store, "m", 3)
    for expected in (0, 1, 2):
        with pytest.raises(WrongVersion) as refused:
            await store.append(AppendRequest("m", expected, make_record(expected + 1, "late")))
        assert (refused.value.match, refused.value.expected, refused.value.actual) == ("m", expected, 3)
    assert await store.read("m") == there


@pytest.mark.parametrize("expected", [1, 4, 2**40])
async def test_a_writer_cannot_leave_a_gap(store: EventStore, expected: int) -> None:
    if expected > 1:
        await filled(store, "m", 3)
    with pytest.raises(WrongVersion) as refused:
        await store.append(make_append("m", expected))
    assert refused.value.actual == (3 if expected > 1 else 0)
    assert await store.heads(["m"]) == ({"m": 3} if expected > 1 else {})


async def test_a_command_is_stored_once(store: EventStore) -> None:
    await store.append(AppendRequest("m", 0, make_record(1, "flip")))
    with pytest.raises(DuplicateCommand) as refused:
        await store.append(AppendRequest("m", 1, make_record(2, "flip")))
    assert (refused.value.match, refused.value.actor, refused.value.command_id) == ("m", "alice", "flip")
    assert await store.heads(["m"]) == {"m": 1}
    await store.append(make_append("m", 1))


async def test_a_command_sent_again_by_one_who_knows_too_little_is_a_wrong_version(store: EventStore) -> None:
    await store.append(AppendRequest("m", 0, make_record(1, "flip")))
    with pytest.raises(WrongVersion):
        await store.append(AppendRequest("m", 0, make_record(1, "flip")))


async def test_another_actor_and_another_match_may_use_the_same_command_id(store: EventStore) -> None:
    await store.append(AppendRequest("m", 0, make_record(1, "flip")))
    await store.append(AppendRequest("m", 1, make_record(2, "flip", actor="bob")))
    await store.append(AppendRequest("n", 0, make_record(1, "flip")))
    assert await store.heads(["m", "n"]) == {"m": 2, "n": 1}


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
async def test_what_no_store_could_keep_is_refused_and_harms_nobody(store: EventStore, append: AppendRequest) -> None:
    refused, kept = await outcomes(store, append, make_append("other"))
    assert isinstance(refused, MalformedAppend)
    assert kept is None
    assert await store.heads(["m", "n", "other"]) == {"other": 1}


async def test_secrets_are_stored_with_the_records_or_not_at_all(store: EventStore) -> None:
    await store.append(make_append("m", 0, secrets={"server chain": bytes(32), "deal": b"\x01"}))
    assert await store.secrets("m") == {"server chain": bytes(32), "deal": b"\x01"}
    with pytest.raises(WrongVersion):
        await store.append(make_append("m", 0, secrets={"deal": b"\x02"}))
    with pytest.raises(WrongVersion):
        await store.append(make_append("m", 7, secrets={"deal": b"\x02"}))
    with pytest.raises(DuplicateCommand):
        await store.append(AppendRequest("m", 1, make_record(2, "c1"), secrets={"deal": b"\x02"}))
    assert (await store.secrets("m"))["deal"] == b"\x01"
    await store.append(make_append("m", 1, secrets={"deal": b"\x03"}))
    assert await store.secrets("m") == {"server chain": bytes(32), "deal": b"\x03"}


async def test_secrets_of_one_match_can_be_forgotten(store: EventStore) -> None:
    for match in ("m", "n"):
        await store.append(make_append(match, secrets={"deal": match.encode()}))
    await store.forget_secrets("m")
    await store.forget_secrets("nowhere")
    assert await store.secrets("m") == {}
    assert await store.secrets("n") == {"deal": b"n"}
    assert await store.secrets("nowhere") == {}


async def test_a_listing_is_written_when_it_is_given_and_with_its_append_only(store: EventStore) -> None:
    await store.append(make_append("m"))
    assert await store.list_matches() == []
    shown = Listing("m", "diskwars", "running", ("p1", None, "p'3\""), "p1", 5, 6, "")
    await store.append(make_append("m", 1, listing=shown))
    await store.append(make_append("m", 2))
    assert await store.list_matches() == [shown]
    for expected in (0, 9):
        with pytest.raises(WrongVersion):
            await store.append(make_append("m", expected, listing=make_listing("m", 1)))
    assert await store.list_matches() == [shown]
    ended = Listing("m", "diskwars", "ended", ("p1", "p2", "p'3\""), "p1", 5, 99, "p2 by points")
    await store.append(make_append("m", 3, listing=ended))
    assert await store.list_matches("ended") == [ended]
    assert await store.list_matches("running") == []


async def test_a_players_unfinished_matches_are_those_they_opened_that_have_not_ended(store: EventStore) -> None:
    statuses: tuple[tuple[str, MatchStatus], ...] = (("a", "open"), ("b", "running"), ("c", "ended"))
    for match, status in statuses:
        await store.append(make_append(match, listing=make_listing(match, 5, status, "alice")))
    await store.append(make_append("d", listing=make_listing("d", 5, "open", "somebody else")))
    await store.append(make_append("d", 1))
    assert await store.count_unfinished("alice") == 2
    assert await store.count_unfinished("somebody else") == 1
    assert await store.count_unfinished("nobody\0") == 0
    await store.append(make_append("a", 1, listing=make_listing("a", 5, "ended", "alice")))
    assert await store.count_unfinished("alice") == 1


async def test_listings_come_newest_first_and_in_pages(store: EventStore) -> None:
    shown = [
        make_listing("a", 1),
        make_listing("b", 3, "ended"),
        make_listing("B", 3),
        make_listing("é", 3),
        make_listing("c", 2),
    ]
    for one in shown:
        await store.append(make_append(one.match, listing=one))
    assert [one.match for one in await store.list_matches()] == ["é", "b", "B", "c", "a"]
    assert [one.match for one in await store.list_matches("open")] == ["é", "B", "c", "a"]
    pages: list[str] = []
    before: tuple[int, str] | None = None
    while page := await store.list_matches(None, 2, before):
        pages += [one.match for one in page]
        before = (page[-1].created, page[-1].match)
    assert pages == ["é", "b", "B", "c", "a"]


async def test_the_signing_key_is_made_once_for_all(place: Place) -> None:
    async with place() as one, place() as other:
        keys = await asyncio.gather(*(store.signing_key() for store in (one, other) * 4))
        assert len(set(keys)) == 1
        assert len(keys[0]) == 32
        assert keys[0] == await other.signing_key()


async def test_of_two_writers_on_one_match_exactly_one_wins_each_number(place: Place) -> None:
    async def insist(store: EventStore, actor: str) -> list[Record]:
        mine: list[Record] = []
        expected = 0
        while len(mine) < 25:
            wish = AppendRequest("m", expected, make_record(expected + 1, f"{expected}", actor))
            try:
                await store.append(wish)
                mine.append(wish.record)
                expected += 1
                await asyncio.sleep(0)  # a store in memory would otherwise never let the other one in
            except WrongVersion:
                expected = (await store.heads(["m"]))["m"]
        return mine

    async with place() as one, place() as other:
        alices, bobs = await asyncio.gather(insist(one, "alice"), insist(other, "bob"))
        stored = await one.read("m")
    assert sorted(alices + bobs, key=lambda r: r.seq) == stored
    assert [r.seq for r in stored] == list(range(1, len(stored) + 1))


async def test_in_a_batch_only_the_appends_that_conflict_are_refused(store: EventStore) -> None:
    for match in ("stale", "gap", "taken", "good"):
        await store.append(make_append(match))
    fresh = [make_append(f"new {i}", secrets={"s": b"1"}, listing=make_listing(f"new {i}", i)) for i in range(20)]
    stale, gap, taken, good, *rest = await outcomes(
        store,
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
    heads = await store.heads(["stale", "gap", "taken", "good"] + [append.match for append in fresh])
    assert heads == {"stale": 1, "gap": 1, "taken": 1, "good": 2} | {append.match: 1 for append in fresh}
    assert len(await store.list_matches()) == 20


async def test_appends_of_one_match_are_tried_in_the_order_of_their_coming(store: EventStore) -> None:
    appends = [make_append(match, expected) for expected in range(10) for match in ("a", "b")]
    assert await outcomes(store, *appends) == [None] * 20
    broken = [make_append("c", 0), make_append("c", 5), make_append("c", 1), make_append("c", 1), make_append("c", 2)]
    answers = await outcomes(store, *broken)
    assert [type(answer) for answer in answers] == [type(None), WrongVersion, type(None), WrongVersion, type(None)]
    assert await store.read("c") == [broken[0].record, broken[2].record, broken[4].record]


async def test_more_appends_than_a_batch_are_stored(store: EventStore) -> None:
    many = [make_append(f"m{i}") for i in range(600)]
    assert await outcomes(store, *many) == [None] * 600
    assert len(await store.heads([f"m{i}" for i in range(600)])) == 600


async def test_cancelling_who_waits_takes_back_no_append_and_stops_nobody_else(store: EventStore) -> None:
    tasks = [asyncio.create_task(store.append(make_append(match))) for match in "abcdef"]
    await asyncio.sleep(0)  # now all are handed over, and none is stored unless the store is in memory
    for task in tasks[::2]:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    # The next append of a match is tried after the one whose author has gone.
    assert await outcomes(store, *(make_append(match, 1) for match in "abcdef")) == [None] * 6
    assert await store.heads(list("abcdef")) == dict.fromkeys("abcdef", 2)


async def test_closing_stores_what_was_handed_over_and_refuses_what_comes_later(place: Place) -> None:
    store = place()
    await store.open()
    tasks = [asyncio.create_task(store.append(make_append(f"m{i}"))) for i in range(300)]
    await asyncio.sleep(0)
    closing = asyncio.create_task(store.close())
    await asyncio.sleep(0)
    with pytest.raises(StoreUnavailable):
        await store.append(make_append("late"))
    await closing
    assert await asyncio.gather(*tasks) == [None] * 300
    async with place() as again:
        assert len(await again.heads([f"m{i}" for i in range(300)])) == 300
        assert await again.heads(["late"]) == {}


async def test_a_closed_store_answers_nothing_and_can_be_closed_again(place: Place) -> None:
    store = place()
    with pytest.raises(StoreUnavailable):
        await store.append(make_append("m"))
    await store.open()
    await store.close()
    await store.close()
    for question in (
        store.append(make_append("m")),
        store.read("m"),
        store.heads(["m"]),
        store.secrets("m"),
        store.forget_secrets("m"),
        store.list_matches(),
        store.count_unfinished("p1"),
        store.signing_key(),
    ):
        with pytest.raises(StoreUnavailable):
            await question
    await store.open()
    with contextlib.suppress(UnknownMatch):
        assert await store.read("m") == []
    await store.append(make_append("m"))
    await store.close()
