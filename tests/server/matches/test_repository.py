"""Matches are found once, and unloaded only when nobody needs them."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.decisions import Accepted
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.watching import Unwatch, Watch, Watching
from diskwars_server.refusals import Refusal
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.counting_ruleset import CountingRules
from tests.server.faulty_database import FaultyDatabase
from tests.server.in_memory_server import TEST_TIMEOUT_SECONDS, InMemoryServer, begin_match, play_match
from tests.server.matches.test_openings import open_request, opened_match


@pytest.fixture
async def database() -> AsyncIterator[FaultyDatabase]:
    async with FaultyDatabase(MemoryDatabase()) as opened:
        yield opened


@pytest.fixture
async def node(database: FaultyDatabase) -> AsyncIterator[InMemoryServer]:
    made = InMemoryServer(database, live=3)
    yield made
    await made.matches.close()


async def test_a_match_that_several_touch_at_once_is_loaded_once(database: FaultyDatabase) -> None:
    first_node = InMemoryServer(database)
    guest = await first_node.connect_and_greet()
    match = await opened_match(guest, open_request())
    await first_node.matches.close()
    node = InMemoryServer(database)
    before = database.events.read_count
    games = await asyncio.gather(*(node.matches.find(match) for _ in range(10)))
    assert len(set(map(id, games))) == 1
    assert database.events.read_count == before + 1
    await node.matches.close()


async def test_who_gives_up_waiting_does_not_take_it_from_the_others(database: FaultyDatabase) -> None:
    first_node = InMemoryServer(database)
    match = await opened_match(await first_node.connect_and_greet(), open_request())
    await first_node.matches.close()
    node = InMemoryServer(database)
    impatient, patient = [asyncio.create_task(node.matches.find(match)) for _ in range(2)]
    await asyncio.sleep(0)
    impatient.cancel()
    assert (await patient).id == match
    assert impatient.cancelled()
    await node.matches.close()


async def test_a_match_that_could_not_be_loaded_is_tried_again(database: FaultyDatabase) -> None:
    first_node = InMemoryServer(database)
    match = await opened_match(await first_node.connect_and_greet(), open_request())
    await first_node.matches.close()
    node = InMemoryServer(database)
    database.events.reads.append("unavailable")
    with pytest.raises(StoreUnavailable):
        await node.matches.find(match)
    assert (await node.matches.find(match)).head == 1
    await node.matches.close()


async def test_a_match_that_is_not_there_is_unknown_and_leaves_nothing(node: InMemoryServer) -> None:
    for _ in range(5):
        with pytest.raises(Refusal) as refusal:
            await node.matches.find(MatchId("nowhere"))
        assert refusal.value.code == "unknown_match"
    await opened_match(await node.connect_and_greet(), open_request())


async def test_idle_matches_are_unloaded_and_restored_unchanged(node: InMemoryServer) -> None:
    guests = [await node.connect_and_greet() for _ in range(5)]
    matches = [await opened_match(guest, open_request()) for guest in guests[:3]]
    first = await node.matches.find(matches[0])
    assert (await guests[3].expect_refused(open_request())).code == "busy"
    for guest, match in zip(guests[:2], matches, strict=False):
        await guest.request(Unwatch("u", match))
    await node.matches.find(matches[1])
    await node.matches.find(matches[0])
    fourth = await opened_match(guests[3], open_request())
    retired = [first.is_retired]
    await opened_match(guests[4], open_request())
    assert [*retired, first.is_retired] == [False, True]
    await first.wait_ended()
    await guests[3].request(Unwatch("u", fourth))
    await guests[0].watch(matches[0])
    assert await node.matches.find(matches[0]) is not first
    await guests[0].take_seat(matches[0], 0)


async def test_a_match_whose_backlog_is_being_read_is_not_let_go(database: FaultyDatabase) -> None:
    node = InMemoryServer(database, live=1)
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second, rounds=20)
    await play_match(first, second, match, rounds=20)
    for guest in (first, second):
        await guest.request(Unwatch("u", match))
    reader = await node.connect_and_greet(first.token, frames=4)
    watch = asyncio.create_task(reader.send_message(Watch("w", match)))
    await reader.expect(Watching)
    assert (await second.expect_refused(open_request())).code == "busy"
    await reader.catch_up(match)
    await watch
    await reader.request(Unwatch("u", match))
    await opened_match(second, open_request())
    await node.matches.close()


async def test_a_match_under_way_is_not_let_go(node: InMemoryServer, database: FaultyDatabase) -> None:
    guests = [await node.connect_and_greet() for _ in range(4)]
    matches = [await opened_match(guest, open_request()) for guest in guests[:3]]
    database.events.gate.clear()
    take = guests[0].act_message(
        matches[0], "1.0", {"type": "take_seat", "chain_head": "00" * 16, "loadout": {"name": "a"}}
    )
    await guests[0].send_message(take)
    await database.events.waiting.wait()
    guests[0].session.close()
    assert (await guests[3].expect_refused(open_request())).code == "busy"
    database.events.gate.set()
    assert (await guests[0].expect(Accepted)).id == take.id
    await opened_match(guests[3], open_request())


async def test_closing_answers_what_was_asked(node: InMemoryServer, database: FaultyDatabase) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    database.events.gate.clear()
    acts = [first.act_message(match, await first.decision(match, 0), {"type": "choose", "number": 3}) for _ in range(3)]
    for act in acts:
        await first.send_message(act)
    await database.events.waiting.wait()
    game = await node.matches.find(match)
    game.retire()
    database.events.gate.set()
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
        await game.wait_ended()
        await node.matches.close()
    assert isinstance(await first.answer_to(acts[0].id), Accepted)
    assert [(await first.expect(Refused)).code for _ in acts[1:]] == ["not_your_turn"] * 2


async def test_a_match_of_a_ruleset_that_is_gone_is_not_played(node: InMemoryServer, database: FaultyDatabase) -> None:
    guest = await node.connect_and_greet()
    match = await opened_match(guest, open_request())
    later = InMemoryServer(database, rulesets={"other": CountingRules()})
    again = await later.connect_and_greet(guest.token)
    assert (await again.expect_refused(Watch("w", match))).code == "fault"
    await later.matches.close()
