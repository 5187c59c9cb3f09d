"""Matches are opened once, however often their command comes, and within the limits of their openers."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from msgspec import Raw

from diskwars_protocol.match.actions import Resign
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.opening import Opened, OpenMatch
from diskwars_protocol.messages.watching import Watching
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.faulty_database import FaultyDatabase
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, begin_match, play_match


@pytest.fixture
async def database() -> AsyncIterator[FaultyDatabase]:
    async with FaultyDatabase(MemoryDatabase()) as opened:
        yield opened


@pytest.fixture
async def node(database: FaultyDatabase) -> AsyncIterator[InMemoryServer]:
    made = InMemoryServer(database, live=3)
    yield made
    await made.matches.close()


def open_request(id: str = "open", rounds: int = 2) -> OpenMatch:
    return OpenMatch(id, "counting", 2, Raw(b'{"rounds":%d}' % rounds))


async def opened_match(guest: InMemoryClient, message: OpenMatch) -> MatchId:
    answer = await guest.request(message)
    assert isinstance(answer, Opened), answer
    assert answer.id == message.id
    watching = await guest.expect(Watching)
    assert (watching.id, watching.match, watching.after) == (None, answer.match, 0)
    return answer.match


async def test_opener_watches_the_match_from_its_first_record(node: InMemoryServer) -> None:
    guest = await node.connect_and_greet()
    match = await opened_match(guest, open_request())
    assert [record.seq for record in await guest.catch_up(match)] == [1]
    state = await node.state(match)
    assert (state.status, state.settings.rounds, len(state.seats)) == ("open", 2, 2)
    assert state.repeatable


async def test_player_opens_a_limited_number_of_matches_and_another_when_one_has_ended(
    database: FaultyDatabase,
) -> None:
    node = InMemoryServer(database, each=2)
    guest, other = await node.connect_and_greet(), await node.connect_and_greet()
    first, _ = await opened_match(guest, open_request("one")), await opened_match(guest, open_request("two"))
    refused = await guest.expect_refused(open_request("three"))
    assert (refused.code, refused.retry_after_ms) == ("too_many_open", None)
    assert refused.text == "2 matches that you opened have not ended; end one of them first"
    assert await opened_match(guest, open_request("one")) == first  # a command that was done gets the same answer
    await opened_match(other, open_request("three"))
    assert (
        await (await node.connect_and_greet(guest.token)).expect_refused(open_request("four"))
    ).code == "too_many_open"
    await guest.take_seat(first, 0)
    await guest.expect_accepted(guest.act_message(first, None, Resign()))
    await opened_match(guest, open_request("three"))
    await node.matches.close()


async def test_opening_again_under_the_same_id_gives_the_same_match_also_after_a_restart(
    node: InMemoryServer, database: FaultyDatabase
) -> None:
    guest = await node.connect_and_greet()
    match = await opened_match(guest, open_request())
    assert await opened_match(guest, open_request()) == match
    assert (await guest.expect_refused(open_request(rounds=3))).code == "duplicate_differs"
    other = await node.connect_and_greet()
    assert await opened_match(other, open_request()) != match
    later = InMemoryServer(database, clock=node.clock)
    again = await later.connect_and_greet(guest.token)
    assert await opened_match(again, open_request()) == match
    assert (await again.expect_refused(open_request(rounds=3))).code == "duplicate_differs"
    assert len(await database.matches.list_matches()) == 2
    await later.matches.close()


@pytest.mark.parametrize("fault", ["lost after", "lost before"])
async def test_an_opening_whose_outcome_is_lost_opens_one_match(
    node: InMemoryServer, database: FaultyDatabase, fault: str
) -> None:
    guest = await node.connect_and_greet()
    database.events.faults.append(fault)
    if fault == "lost before":
        assert (await guest.expect_refused(open_request())).code == "retry"
    match = await opened_match(guest, open_request())
    assert [shown.match for shown in await database.matches.list_matches()] == [match]
    await guest.take_seat(match, 0)


async def test_opening_that_cannot_be_stored_is_refused(node: InMemoryServer, database: FaultyDatabase) -> None:
    guest = await node.connect_and_greet()
    database.events.faults.append("unavailable")
    assert (await guest.expect_refused(open_request())).code == "unavailable"
    await opened_match(guest, open_request())


async def test_two_who_open_under_one_id_at_once_open_one_match(node: InMemoryServer, database: FaultyDatabase) -> None:
    guest = await node.connect_and_greet()
    again = await node.connect_and_greet(guest.token)
    database.events.gate.clear()
    asking = [asyncio.create_task(each.send_message(open_request())) for each in (guest, again)]
    await database.events.waiting.wait()
    database.events.gate.set()
    await asyncio.gather(*asking)
    answers = [await each.expect(Opened) for each in (guest, again)]
    assert answers[0] == answers[1]
    await guest.take_seat(answers[0].match, 0)
    assert [record.seq for record in await again.catch_up(answers[0].match)] == [1, 2]


async def test_the_same_seed_deals_the_same_dice(database: FaultyDatabase) -> None:
    dealt = []
    for _ in range(2):
        node = InMemoryServer(database, seed=11)
        first, second = await node.connect_and_greet(), await node.connect_and_greet()
        match = await begin_match(first, second)
        await play_match(first, second, match)
        bodies = [record.body for record in await database.events.read(match) if b'"revealed"' in record.body]
        dealt.append((bodies, (await node.state(match)).board))
        await node.matches.close()
    assert dealt[0] == dealt[1]
