"""Openings that are pushed: when a match is over, those who watch it get every secret of it without asking again."""

from collections.abc import AsyncIterator

import pytest

from diskwars_protocol.match.actions import Resign
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.messages.handshake import ResumeRequest
from diskwars_protocol.messages.history import Openings
from diskwars_protocol.messages.lists import ListMatches
from diskwars_protocol.messages.watching import Unwatch, Unwatched, Watch, Watching
from diskwars_protocol.records import records as r
from diskwars_protocol.records.sealed import Opening, count_sealed
from diskwars_server.broadcast import history as match_history
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, begin_match, play_match


@pytest.fixture
async def node(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[InMemoryServer]:
    monkeypatch.setattr(match_history, "BLOCK_RECORDS", 3)
    monkeypatch.setattr(match_history, "OPENINGS_BLOCK_RECORDS", 3)
    async with MemoryDatabase() as database:
        made = InMemoryServer(database)
        yield made
        await made.matches.close()


async def watch_openings(guest: InMemoryClient, match: MatchId, after: int = 0) -> None:
    answer = await guest.request(Watch(guest.id(), match, after, push_openings=True))
    assert isinstance(answer, Watching), answer


async def pushed(guest: InMemoryClient) -> dict[int, tuple[Opening, ...]]:
    """Return all openings that are pushed, by record."""
    found: dict[int, tuple[Opening, ...]] = {}
    while True:
        message = await guest.expect(Openings)
        assert len(message.records) <= match_history.OPENINGS_BLOCK_RECORDS
        for record in message.records:
            assert record.seq > max(found, default=0)
            assert record.openings
            found[record.seq] = record.openings
        if message.complete:
            return found


async def revealed(node: InMemoryServer, match: MatchId, token: str = "") -> dict[int, tuple[Opening, ...]]:
    """Return all openings of an ended match as a watch with `reveal_secrets` gets them."""
    guest = await node.connect_and_greet(token)
    await guest.watch(match, all=True)
    return {record.seq: record.openings for record in await guest.catch_up(match) if record.openings}


async def test_players_and_spectators_get_every_opening_after_the_last_record(node: InMemoryServer) -> None:
    first, second, spectator, other = [await node.connect_and_greet() for _ in range(4)]
    match = await begin_match(first, second)
    for guest in (first, second, spectator):
        await watch_openings(guest, match)
    await other.watch(match)
    await play_match(first, second, match)
    expected = await revealed(node, match)
    assert expected
    assert any(opening.seats for openings in expected.values() for opening in openings)
    for guest in (first, second, spectator):
        assert await pushed(guest) == expected
        records = await guest.catch_up(match)
        opened = [
            r.WireRecord(record.seq, record.salt, record.body, expected.get(record.seq, ())) for record in records
        ]
        assert sum(count_sealed(r.unsealed_body(record)) for record in opened) == 0
    await other.catch_up(match)
    assert not any(isinstance(message, Openings) for message in other.messages)


async def test_answer_to_the_last_command_comes_before_the_openings(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    await watch_openings(second, match)
    await play_match(first, second, match)
    assert not any(isinstance(message, Openings) for message in second.messages)
    assert await pushed(second)


async def test_openings_missed_by_a_lost_connection_come_with_the_resume(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    head = (await node.matches.find(match)).head
    await play_match(first, second, match)
    back = node.connect()
    await back.greet(second.token, ResumeRequest(match, head, push_openings=True))
    assert await pushed(back) == await revealed(node, match)
    assert [record.seq for record in back.records[match]] == list(range(head + 1, head + 5))


async def test_nothing_is_pushed_of_a_match_that_never_began(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await first.open_match()
    await watch_openings(second, match)
    await second.take_seat(match, 1)
    await second.expect_accepted(second.act_message(match, None, Resign()))
    assert (await node.state(match)).status == "ended"
    await second.request(ListMatches(second.id()))
    assert not any(isinstance(message, Openings) for message in second.messages)


async def test_spectators_of_a_closed_match_get_its_openings_when_they_may_watch_it(node: InMemoryServer) -> None:
    first, second, spectator = [await node.connect_and_greet() for _ in range(3)]
    match = await begin_match(first, second, options=MatchOptions(watchers="after_end"))
    refused = await spectator.expect_refused(Watch(spectator.id(), match, push_openings=True))
    assert refused.code == "not_watchable"
    await play_match(first, second, match)
    await watch_openings(spectator, match)
    assert await pushed(spectator) == await revealed(node, match)
    closed = await begin_match(first, second, options=MatchOptions(watchers="none"))
    await watch_openings(second, closed)
    await play_match(first, second, closed)
    assert await pushed(second)
    assert (await spectator.expect_refused(Watch(spectator.id(), closed))).code == "not_watchable"


async def test_records_that_are_revealed_need_no_openings(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    await play_match(first, second, match)
    late = await node.connect_and_greet()
    answer = await late.request(Watch(late.id(), match, reveal_secrets=True, push_openings=True))
    assert isinstance(answer, Watching)
    await late.catch_up(match)
    await late.request(ListMatches(late.id()))
    assert not any(isinstance(message, Openings) for message in late.messages)


async def test_openings_wait_for_a_slow_client_and_end_with_the_watch(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    await play_match(first, second, match)
    slow = await node.connect_and_greet(frames=4)
    await watch_openings(slow, match, (await node.matches.find(match)).head)
    assert await pushed(slow) == await revealed(node, match)
    hasty = await node.connect_and_greet(frames=4)
    await hasty.send_message(Watch(hasty.id(), match, (await node.matches.find(match)).head, push_openings=True))
    await hasty.expect(Watching)
    await hasty.request(Unwatch(hasty.id(), match))
    await hasty.request(ListMatches(hasty.id()))
    assert not any(isinstance(message, Openings) and message.complete for message in hasty.messages)


async def test_watch_is_ended_when_the_openings_cannot_be_read(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    await watch_openings(second, match)

    async def unreadable(history: match_history.MatchHistory, after: int, last: int) -> None:
        raise StoreUnavailable

    monkeypatch.setattr(match_history.MatchHistory, "read", unreadable)
    await play_match(first, second, match)
    assert (await second.expect(Unwatched)).match == match
    monkeypatch.undo()
    await watch_openings(second, match, (await node.matches.find(match)).head)
    assert await pushed(second)


async def test_client_goes_on_after_the_openings_that_it_has(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    await play_match(first, second, match)
    expected = await revealed(node, match)
    head = (await node.matches.find(match)).head
    for has in (0, 1, 3, 4, head - 1, head, head + 9):
        guest = await node.connect_and_greet()
        await guest.request(Watch(guest.id(), match, head, push_openings=True, openings_after=has))
        come = await pushed(guest)
        assert come.items() <= expected.items()
        assert {seq for seq in expected if seq > has} <= set(come), "all later ones"
        assert all(seq > has - 3 for seq in come) or has >= head, "no more than a block comes twice"
