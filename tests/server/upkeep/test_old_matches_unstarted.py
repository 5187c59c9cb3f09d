"""Matches that have not begun are closed by their openers, or by the server after a time, and then removed."""

import pytest

from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.match_options import BankClock, MatchOptions, PerDecisionClock
from diskwars_protocol.messages.opening import CloseMatch, Opened, OpenMatch
from diskwars_protocol.messages.watching import Watch
from diskwars_server.store.database import Database
from diskwars_server.store.errors import UnknownMatch
from diskwars_server.store.event_log import AppendRequest
from diskwars_server.store.match_index import Listing
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.upkeep.old_matches import POLL_SECONDS, REMOVAL_DELAY_MS, UNBEGUN_BOT_MATCH_MS, UnstartedMatches
from tests.server.bot_nodes import odd_program, seat_message
from tests.server.faulty_database import FaultyDatabase
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, begin_match
from tests.server.stored_samples import make_append, make_listing

DAY_MS = 86_400_000


async def open_seated_by_strangers(node: InMemoryServer) -> tuple[InMemoryClient, list[InMemoryClient], MatchId]:
    """Return the opener of a match, the two strangers who sit in it, and the match."""
    opener, *strangers = [await node.connect_and_greet() for _ in range(3)]
    match = await opener.open_match()
    for seat, stranger in enumerate(strangers):
        await stranger.watch(match)
        await stranger.take_seat(match, seat)
    return opener, strangers, match


async def status_of(database: Database, match: MatchId) -> str:
    return next(shown.status for shown in await database.matches.list_matches() if shown.match == match)


def unstarted(node: InMemoryServer) -> UnstartedMatches:
    return UnstartedMatches(node.matches, node.database, node.clock, DAY_MS, node.services.publish_listing)


# ---------------------------------------------------------------- closed by the opener


async def test_opener_closes_a_match_in_which_strangers_sit(node: InMemoryServer) -> None:
    opener, strangers, match = await open_seated_by_strangers(node)
    accepted = await opener.expect_accepted(CloseMatch("close", match))
    assert accepted.seq == 4
    for client in (opener, *strangers):
        record = (await client.catch_up(match))[-1]
        assert b'"end_reason":"closed"' in bytes(record.body)
        assert b'"actor":"opener","action":{"type":"close_match"}' in bytes(record.body)
    assert (await node.state(match)).status == "ended"
    await (await node.matches.find(match)).wait_idle()  # they go once the answer is sent
    assert await node.database.vault.secrets(match) == {}
    assert (
        await strangers[0].expect_refused(strangers[0].act_message(match, None, {"type": "resign"}))
    ).code == "match_ended"


async def test_match_is_closed_without_being_watched(node: InMemoryServer) -> None:
    opener, _, match = await open_seated_by_strangers(node)
    elsewhere = await node.connect_and_greet(opener.token)
    assert (await elsewhere.expect_accepted(CloseMatch("close", match))).seq == 4
    again = await elsewhere.expect_accepted(CloseMatch("close", match))
    assert again.seq == 4, "the same command gets the same answer"


async def test_only_the_opener_closes_a_match(node: InMemoryServer) -> None:
    _, strangers, match = await open_seated_by_strangers(node)
    assert (await strangers[0].expect_refused(CloseMatch("close", match))).code == "not_opener"
    assert (await strangers[0].expect_refused(CloseMatch("close", MatchId("nowhere")))).code == "unknown_match"


async def test_match_that_has_begun_is_not_closed(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    assert (await first.expect_refused(CloseMatch("close", match))).code == "has_begun"


async def test_another_command_under_the_id_of_a_closing_is_refused(node: InMemoryServer) -> None:
    opener = await node.connect_and_greet()
    match = await opener.open_match()
    seat = opener.act_message(match, await opener.decision(match, 0), {"type": "resign"}, "close")
    await opener.expect_accepted(CloseMatch("close", match))
    assert (await opener.expect_refused(seat)).code == "duplicate_differs"


async def test_closing_makes_room_for_another_match(faulty_database: FaultyDatabase) -> None:
    node = InMemoryServer(faulty_database, each=1)
    opener, _, match = await open_seated_by_strangers(node)
    another = OpenMatch("another", "counting", 2)
    assert (await opener.expect_refused(another)).code == "too_many_open"
    await opener.expect_accepted(CloseMatch("close", match))
    assert isinstance(await opener.request(another), Opened)
    await node.matches.close()


async def test_nothing_is_revealed_of_a_match_that_never_began(node: InMemoryServer) -> None:
    opener, strangers, match = await open_seated_by_strangers(node)
    assert (await opener.expect_refused(Watch("all", match, reveal_secrets=True))).code == "not_ended"
    await strangers[0].expect_accepted(strangers[0].act_message(match, None, {"type": "resign"}))
    for client in (opener, *strangers):
        assert (await client.expect_refused(Watch("all", match, reveal_secrets=True))).code == "never_began"
    spectator = await node.connect_and_greet()
    await spectator.watch(match)
    assert all(not record.openings for record in await spectator.catch_up(match))


# ---------------------------------------------------------------- closed by the house, and removed


CLOCKS_AND_DAYS = (
    (None, 1),
    (PerDecisionClock(60), 1),
    (BankClock(3_600), 1),
    (PerDecisionClock(7 * 86_400), 7),
    (BankClock(14 * 86_400), 14),
)


async def test_invitation_lives_as_long_as_the_clock_of_its_match_gives_for_a_decision(node: InMemoryServer) -> None:
    opener = await node.connect_and_greet()
    matches = [await opener.open_match(options=MatchOptions(clock=clock)) for clock, _ in CLOCKS_AND_DAYS]
    opened_at = node.clock()
    for day in range(1, 15):
        for late_ms in (0, 1):
            node.clock.now = opened_at + day * DAY_MS + late_ms
            await unstarted(node).expire()
            listings = {listing.match: listing.status for listing in await node.database.matches.list_matches()}
            for match, (clock, days) in zip(matches, CLOCKS_AND_DAYS, strict=True):
                assert (listings.get(match, "ended") == "ended") == (days < day + late_ms), (clock, day, late_ms)


async def test_match_that_does_not_begin_is_closed_after_a_day_and_removed_minutes_later(node: InMemoryServer) -> None:
    _, strangers, match = await open_seated_by_strangers(node)
    node.clock.now += DAY_MS - 1000
    await unstarted(node).expire()
    assert await status_of(node.database, match) == "open"
    node.clock.now += 2000
    await unstarted(node).expire()
    assert await status_of(node.database, match) == "ended"
    body = bytes((await strangers[0].catch_up(match))[-1].body)
    assert b'"end_reason":"closed"' in body
    assert b'"actor":"house"' in body, "the chain says who closed it"
    await unstarted(node).expire()
    assert await status_of(node.database, match) == "ended", "nodes that have it in memory have to learn of it first"
    node.clock.now += REMOVAL_DELAY_MS + 1
    await unstarted(node).expire()
    assert REMOVAL_DELAY_MS + 1000 * POLL_SECONDS <= DAY_MS // 100, "a day, and not much more"
    assert await node.database.matches.list_matches() == []
    with pytest.raises(UnknownMatch):
        await node.database.events.read(match)


async def test_match_that_its_opener_has_closed_is_removed_a_day_after_it_was_opened(node: InMemoryServer) -> None:
    opener, _, match = await open_seated_by_strangers(node)
    node.clock.now += DAY_MS // 2
    await opener.expect_accepted(CloseMatch("close", match))
    node.clock.now += DAY_MS // 2 - 1000
    await unstarted(node).expire()
    assert await status_of(node.database, match) == "ended", "those who sat in it can still read why"
    node.clock.now += 2000
    await unstarted(node).expire()
    assert await node.database.matches.list_matches() == []


async def test_match_of_one_person_and_a_bot_that_nobody_begins_ends_within_the_hour() -> None:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, bots=odd_program("first"))
        opener = await node.connect_and_greet()
        alone, invited = await opener.open_match(), await opener.open_match()
        await opener.expect_accepted(seat_message(opener, alone, 1))
        node.clock.now += UNBEGUN_BOT_MATCH_MS
        await unstarted(node).expire()
        assert await status_of(database, alone) == "open"
        node.clock.now += 1
        await unstarted(node).expire()
        assert [await status_of(database, match) for match in (alone, invited)] == ["ended", "open"]
        assert b'"end_reason":"closed"' in bytes((await opener.catch_up(alone))[-1].body)
        await node.matches.close()


async def test_matches_that_began_are_neither_closed_nor_removed(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    running, resigned = await begin_match(first, second), await begin_match(first, second)
    await first.expect_accepted(first.act_message(resigned, None, {"type": "resign"}))
    for _ in range(3):
        node.clock.now += 10 * DAY_MS
        await unstarted(node).expire()
    assert await status_of(node.database, running) == "running"
    assert await status_of(node.database, resigned) == "ended"


async def test_match_that_cannot_be_read_holds_up_no_other(
    node: InMemoryServer, faulty_database: FaultyDatabase
) -> None:
    opener = await node.connect_and_greet()
    matches = sorted([await opener.open_match() for _ in range(3)])
    later = InMemoryServer(faulty_database, clock=node.clock)
    later.clock.now += DAY_MS + 1
    faulty_database.events.reads.append("unavailable")
    await unstarted(later).expire()
    statuses = [await status_of(node.database, match) for match in matches]
    assert statuses == ["open", "ended", "ended"]
    await unstarted(later).expire()
    assert await status_of(node.database, matches[0]) == "ended"
    await later.matches.close()


# ---------------------------------------------------------------- the port


async def test_unstarted_matches_are_found_in_the_order_of_their_ids(database: Database) -> None:
    for match, created in (("c", 1), ("a", 2), ("b", 3), ("late", 100)):
        await database.events.append(make_append(match, listing=make_listing(match, created)))
    await database.events.append(make_append("running", listing=make_listing("running", 1, "running")))
    find = database.matches.find_unstarted
    assert await find(50, "", 2) == ["a", "b"]
    assert await find(50, "b", 2) == ["c"]
    assert await find(50, "c", 2) == []
    assert await find(4, "", 9) == ["a", "c"]


async def test_everything_is_removed_of_matches_that_never_began(database: Database) -> None:
    results = {
        "closed": Result("closed"),
        "left": Result("abandoned"),
        "played": Result("points", (0,)),
        "open": None,
    }
    for match, result in results.items():
        listing = Listing(match, "diskwars", "ended" if result else "open", ("p1", None), "p1", 5, 9, result)
        append = make_append(match, listing=listing)
        await database.events.append(AppendRequest(match, 0, append.record, {"deal": b"1"}, listing))
        await database.events.append(make_append(match, 1))
    assert await database.events.remove_unstarted(6, 9, 10) == [], "not long enough ago"
    assert await database.events.remove_unstarted(5, 10, 10) == [], "not opened long enough ago"
    removed = await database.events.remove_unstarted(6, 10, 1)
    assert len(removed) == 1
    removed += await database.events.remove_unstarted(6, 10, 10)
    assert sorted(removed) == ["closed", "left"]
    assert await database.events.remove_unstarted(6, 10, 10) == []
    assert {shown.match for shown in await database.matches.list_matches()} == {"played", "open"}
    assert await database.events.heads(list(results)) == {"played": 2, "open": 2}
    assert await database.vault.secrets("closed") == {}
    assert await database.vault.secrets("played") == {"deal": b"1"}
    await database.events.append(make_append("closed"))
