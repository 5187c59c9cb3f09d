"""Matches are opened once, found once, and unloaded only when nobody needs them."""

import asyncio
from collections.abc import AsyncIterator

import msgspec
import pytest
from msgspec import Raw

from diskwars_protocol.match.actions import Resign
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.decisions import Accepted
from diskwars_protocol.messages.lists import ListMatches, MatchList
from diskwars_protocol.messages.opening import Opened, OpenMatch
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.watching import Unwatch, Watch, Watching
from diskwars_server.refusals import Refusal
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.counting_ruleset import CountingRules
from tests.server.faulty_database import FaultyDatabase
from tests.server.in_memory_server import TEST_TIMEOUT_SECONDS, InMemoryClient, InMemoryServer, begin_match, play_match
from tests.server.stored_samples import make_append, make_listing


@pytest.fixture
async def database() -> AsyncIterator[FaultyDatabase]:
    async with FaultyDatabase(MemoryDatabase()) as opened:
        yield opened


@pytest.fixture
async def node(database: FaultyDatabase) -> AsyncIterator[InMemoryServer]:
    made = InMemoryServer(database, live=3)
    yield made
    await made.lobby.close()


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
    await node.lobby.close()


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
    await later.lobby.close()


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


async def test_a_match_that_several_touch_at_once_is_loaded_once(database: FaultyDatabase) -> None:
    first_node = InMemoryServer(database)
    guest = await first_node.connect_and_greet()
    match = await opened_match(guest, open_request())
    await first_node.lobby.close()
    node = InMemoryServer(database)
    before = database.events.read_count
    games = await asyncio.gather(*(node.lobby.find(match) for _ in range(10)))
    assert len(set(map(id, games))) == 1
    assert database.events.read_count == before + 1
    await node.lobby.close()


async def test_who_gives_up_waiting_does_not_take_it_from_the_others(database: FaultyDatabase) -> None:
    first_node = InMemoryServer(database)
    match = await opened_match(await first_node.connect_and_greet(), open_request())
    await first_node.lobby.close()
    node = InMemoryServer(database)
    impatient, patient = [asyncio.create_task(node.lobby.find(match)) for _ in range(2)]
    await asyncio.sleep(0)
    impatient.cancel()
    assert (await patient).id == match
    assert impatient.cancelled()
    await node.lobby.close()


async def test_a_match_that_could_not_be_loaded_is_tried_again(database: FaultyDatabase) -> None:
    first_node = InMemoryServer(database)
    match = await opened_match(await first_node.connect_and_greet(), open_request())
    await first_node.lobby.close()
    node = InMemoryServer(database)
    database.events.reads.append("unavailable")
    with pytest.raises(StoreUnavailable):
        await node.lobby.find(match)
    assert (await node.lobby.find(match)).head == 1
    await node.lobby.close()


async def test_a_match_that_is_not_there_is_unknown_and_leaves_nothing(node: InMemoryServer) -> None:
    for _ in range(5):
        with pytest.raises(Refusal) as refusal:
            await node.lobby.find(MatchId("nowhere"))
        assert refusal.value.code == "unknown_match"
    await opened_match(await node.connect_and_greet(), open_request())


async def test_idle_matches_are_unloaded_and_restored_unchanged(node: InMemoryServer) -> None:
    guests = [await node.connect_and_greet() for _ in range(5)]
    matches = [await opened_match(guest, open_request()) for guest in guests[:3]]
    first = await node.lobby.find(matches[0])
    assert (await guests[3].expect_refused(open_request())).code == "busy"
    for guest, match in zip(guests[:2], matches, strict=False):
        await guest.request(Unwatch("u", match))
    await node.lobby.find(matches[1])
    await node.lobby.find(matches[0])
    fourth = await opened_match(guests[3], open_request())
    retired = [first.is_retired]
    await opened_match(guests[4], open_request())
    assert [*retired, first.is_retired] == [False, True]
    await first.wait_ended()
    await guests[3].request(Unwatch("u", fourth))
    await guests[0].watch(matches[0])
    assert await node.lobby.find(matches[0]) is not first
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
    await node.lobby.close()


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
    game = await node.lobby.find(match)
    game.retire()
    database.events.gate.set()
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
        await game.wait_ended()
        await node.lobby.close()
    assert isinstance(await first.answer_to(acts[0].id), Accepted)
    assert [(await first.expect(Refused)).code for _ in acts[1:]] == ["not_your_turn"] * 2


async def test_a_match_of_a_ruleset_that_is_gone_is_not_played(node: InMemoryServer, database: FaultyDatabase) -> None:
    guest = await node.connect_and_greet()
    match = await opened_match(guest, open_request())
    later = InMemoryServer(database, rulesets={"other": CountingRules()})
    again = await later.connect_and_greet(guest.token)
    assert (await again.expect_refused(Watch("w", match))).code == "fault"
    await later.lobby.close()


async def test_the_same_seed_deals_the_same_dice(database: FaultyDatabase) -> None:
    dealt = []
    for _ in range(2):
        node = InMemoryServer(database, seed=11)
        first, second = await node.connect_and_greet(), await node.connect_and_greet()
        match = await begin_match(first, second)
        await play_match(first, second, match)
        bodies = [record.body for record in await database.events.read(match) if b'"revealed"' in record.body]
        dealt.append((bodies, (await node.state(match)).board))
        await node.lobby.close()
    assert dealt[0] == dealt[1]


async def test_list_is_requested_page_by_page(node: InMemoryServer, database: FaultyDatabase) -> None:
    guest = await node.connect_and_greet()
    for match in range(7):
        await database.events.append(make_append(f"m{match}", listing=make_listing(f"m{match}", match)))
    next_page: str | None = None
    pages = list[list[str]]()
    while len(pages) < 4:
        answer = await guest.request(ListMatches(guest.id(), page=next_page, limit=3))
        assert isinstance(answer, MatchList)
        pages.append([shown.match for shown in answer.matches])
        next_page = answer.next_page
        if next_page is None:
            break
    assert pages == [["m6", "m5", "m4"], ["m3", "m2", "m1"], ["m0"]]
    whole = await guest.request(ListMatches(guest.id(), limit=7))
    assert isinstance(whole, MatchList)
    assert (len(whole.matches), whole.next_page) == (7, None)


@pytest.mark.parametrize(
    ("field", "value"), [("limit", 0), ("limit", 101), ("page", ""), ("page", "1" * 257), ("page", 1), ("pace", "fast")]
)
async def test_list_request_of_another_form_is_refused(node: InMemoryServer, field: str, value: object) -> None:
    guest = await node.connect_and_greet()
    await guest.send_frame(msgspec.json.encode({"type": "list_matches", "id": "l", field: value}).decode())
    refused = await guest.expect(Refused)
    assert (refused.code, refused.place) == ("wrong_shape", f"$.{field}")


@pytest.mark.parametrize("page", ["m3", "1.", ".m3", f"{10**16}.m", "1." + "m" * 65, "-1.m", "1.m\n"])
async def test_page_that_no_server_has_given_is_refused(node: InMemoryServer, page: str) -> None:
    guest = await node.connect_and_greet()
    refused = await guest.expect_refused(ListMatches(guest.id(), page=page))
    assert (refused.code, refused.place) == ("bad_page", "$.page")
