"""Spectators of a match `round_later` see each round once it is over, and nothing newer on any path."""

from typing import Any

import pytest

from diskwars_protocol.match.ids import PUBLIC, MatchId
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.messages.decisions import GetOptions
from diskwars_protocol.messages.handshake import ResumeRequest
from diskwars_protocol.messages.history import GetRecords, Openings, RecordRange
from diskwars_protocol.messages.lists import FollowMatches, ListMatches, MatchesChanged, MatchList
from diskwars_protocol.messages.opening import CloseMatch
from diskwars_protocol.messages.seats import KickPlayer
from diskwars_protocol.messages.watching import Unwatched, Watch, Watching
from diskwars_protocol.records.records import WireRecord, unsealed_body
from diskwars_server.broadcast.history import MatchHistory
from diskwars_server.broadcast.watch_rights import ANONYMOUS
from diskwars_server.refusals import Refusal
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.counting_ruleset import CountingRules
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, begin_match, play_match

VOCABULARY = CountingRules.vocabulary
LATER = MatchOptions(watchers="round_later", takebacks=True)
BEGUN = 5
"""The record with which the play of a counted match begins."""
ROUND = 2
"""Records of a round: the second number ends it, and begins the next one."""


async def begin_watched(node: InMemoryServer, rounds: int = 3) -> tuple[list[InMemoryClient], MatchId]:
    """Return two players and a spectator, who watches since before the match began."""
    clients = [await node.connect_and_greet() for _ in range(3)]
    first, second, spectator = clients
    match = await first.open_match(rounds, LATER)
    await second.watch(match)
    await spectator.watch(match)
    for seat, player in enumerate((first, second)):
        await player.take_seat(match, seat)
    for seat, player in enumerate((first, second)):
        await player.be_ready(match, seat)
    return clients, match


async def play_round(first: InMemoryClient, second: InMemoryClient, match: MatchId) -> None:
    await first.choose_number(match, 0, 3)
    await second.choose_number(match, 1, 4)


async def seen_by(spectator: InMemoryClient, match: MatchId, last: int) -> list[int]:
    """Return what a spectator has once record `last` has come, and nothing else that could come now."""
    while not spectator.records.get(match) or spectator.records[match][-1].seq < last:
        assert await spectator.next_message() is not None
    await spectator.request(ListMatches(spectator.id()))
    return [record.seq for record in spectator.records[match]]


async def public_records(node: InMemoryServer, match: MatchId) -> list[WireRecord]:
    game = await node.matches.find(match)
    return [record.shown_to(PUBLIC) for record in await game.feed._history.read(0, game.head)]


async def test_spectator_gets_each_round_when_the_next_one_begins_and_all_at_the_end(node: InMemoryServer) -> None:
    (first, second, spectator), match = await begin_watched(node)
    assert await seen_by(spectator, match, BEGUN - 1) == list(range(1, BEGUN))
    await first.choose_number(match, 0, 3)
    assert await seen_by(spectator, match, BEGUN - 1) == list(range(1, BEGUN))
    await second.choose_number(match, 1, 4)
    assert await seen_by(spectator, match, BEGUN + 1) == list(range(1, BEGUN + ROUND))
    await play_round(first, second, match)
    assert await seen_by(spectator, match, BEGUN + 3) == list(range(1, BEGUN + 2 * ROUND))
    await play_round(first, second, match)
    head = (await node.matches.find(match)).head
    assert await seen_by(spectator, match, head) == list(range(1, head + 1))
    assert spectator.records[match] == await public_records(node, match)


async def test_spectator_who_comes_later_sees_the_released_records_from_the_first(node: InMemoryServer) -> None:
    (first, second, _), match = await begin_watched(node)
    await play_round(first, second, match)
    late = await node.connect_and_greet()
    watching = await late.watch(match)
    assert (watching.is_delayed, watching.head, watching.seat) == (True, BEGUN + 1, None)
    assert await seen_by(late, match, watching.head) == list(range(1, BEGUN + ROUND))
    await play_round(first, second, match)
    assert await seen_by(late, match, BEGUN + 3) == list(range(1, BEGUN + 2 * ROUND))


async def test_players_see_their_match_as_it_is(node: InMemoryServer) -> None:
    (first, second, _), match = await begin_watched(node)
    await first.choose_number(match, 0, 3)
    head = (await node.matches.find(match)).head
    assert (await second.catch_up(match))[-1].seq == head
    again = await node.connect_and_greet(second.token)
    watching = await again.watch(match)
    assert (watching.is_delayed, watching.head) == (False, head)


async def test_opener_without_a_seat_is_delayed_too(node: InMemoryServer) -> None:
    opener, first, second = [await node.connect_and_greet() for _ in range(3)]
    match = await opener.open_match(3, LATER)
    for seat, player in enumerate((first, second)):
        await player.watch(match)
        await player.take_seat(match, seat)
    for seat, player in enumerate((first, second)):
        await player.be_ready(match, seat)
    await first.choose_number(match, 0, 3)
    assert await seen_by(opener, match, BEGUN - 1) == list(range(1, BEGUN))
    for request in (CloseMatch(opener.id(), match), KickPlayer(opener.id(), match, 0)):
        refused = await opener.expect_refused(request)
        assert (refused.code, bytes(refused.open_decisions)) == ("has_begun", b"")


async def test_restarted_server_goes_on_where_the_spectator_was(database: MemoryDatabase) -> None:
    node = InMemoryServer(database)
    (first, second, spectator), match = await begin_watched(node)
    await play_round(first, second, match)
    await first.choose_number(match, 0, 3)
    assert await seen_by(spectator, match, BEGUN + 1) == list(range(1, BEGUN + ROUND))
    await node.matches.close()

    restarted = InMemoryServer(database)
    clients = [restarted.connect() for _ in range(3)]
    for client, before, after in zip(clients, (first, second, spectator), (0, 0, BEGUN + 1), strict=True):
        await client.greet(before.token, ResumeRequest(match, after))
        watching = await client.expect(Watching)
        assert watching.head == (BEGUN + 1 if client is clients[2] else BEGUN + 3)
    await clients[1].choose_number(match, 1, 4)
    assert await seen_by(clients[2], match, BEGUN + 3) == [BEGUN + 2, BEGUN + 3]
    await play_round(clients[0], clients[1], match)
    head = (await restarted.matches.find(match)).head
    await seen_by(clients[2], match, head)
    assert spectator.records[match] + clients[2].records[match] == await public_records(restarted, match)
    await restarted.matches.close()


async def test_spectator_goes_on_at_a_node_that_has_not_released_the_round_yet(database: MemoryDatabase) -> None:
    here, there = InMemoryServer(database), InMemoryServer(database)  # without a bus: the log alone tells the other
    (first, second, spectator), match = await begin_watched(here)
    await first.choose_number(match, 0, 3)
    await there.matches.find(match)
    await second.choose_number(match, 1, 4)
    assert await seen_by(spectator, match, BEGUN + 1) == list(range(1, BEGUN + ROUND))
    elsewhere = there.connect()
    await elsewhere.greet(spectator.token, ResumeRequest(match, BEGUN + 1))
    assert (await elsewhere.expect(Watching)).head == BEGUN + 1
    await here.matches.close()
    await there.matches.close()


async def test_snapshot_is_the_match_as_the_public_knew_it(node: InMemoryServer) -> None:
    (first, second, _), match = await begin_watched(node)
    await play_round(first, second, match)
    await first.choose_number(match, 0, 3)
    late = await node.connect_and_greet()
    answer = await late.request(Watch(late.id(), match, snapshot=True))
    assert isinstance(answer, Watching)
    assert (answer.after, answer.head) == (BEGUN + 1, BEGUN + 1)
    shown = VOCABULARY.decode_match(bytes(answer.snapshot))
    released = (await public_records(node, match))[: BEGUN + 1]
    assert shown == VOCABULARY.fold_log([VOCABULARY.decode_body(unsealed_body(record)) for record in released])
    await second.choose_number(match, 1, 4)
    assert await seen_by(late, match, BEGUN + 3) == [BEGUN + 2, BEGUN + 3]


async def test_earlier_records_are_served_up_to_the_released_one(node: InMemoryServer) -> None:
    (first, second, spectator), match = await begin_watched(node)
    await play_round(first, second, match)
    await first.choose_number(match, 0, 3)
    found = await spectator.request(GetRecords(spectator.id(), match, 0, 64))
    assert isinstance(found, RecordRange)
    assert [record.seq for record in found.records] == list(range(1, BEGUN + ROUND))
    for request in (GetRecords(spectator.id(), match, BEGUN + 2), Watch(spectator.id(), match, BEGUN + 2)):
        refused = await spectator.expect_refused(request)
        assert (refused.code, refused.numbers) == ("bad_resume", {"requested": BEGUN + 2, "head": BEGUN + 1})


async def test_file_holds_the_released_records_and_more_is_refused(node: InMemoryServer) -> None:
    (first, second, _), match = await begin_watched(node)
    await play_round(first, second, match)
    await first.choose_number(match, 0, 3)
    exports = (await node.matches.find(match)).exports
    assert len((await exports.export(ANONYMOUS)).splitlines()) == 1 + BEGUN + 1
    with pytest.raises(Refusal, match="bad_resume"):
        await exports.export_public(ANONYMOUS, BEGUN + 2)
    assert len((await exports.export(first.player)).splitlines()) == 1 + BEGUN + 3


@pytest.mark.parametrize("is_open", [True, False], ids=["open decision", "answered decision"])
async def test_commands_and_options_tell_a_spectator_nothing(node: InMemoryServer, is_open: bool) -> None:
    (first, _, spectator), match = await begin_watched(node)
    decision = await node.state(match)
    named = decision.decisions[0].id
    if not is_open:
        await first.choose_number(match, 0, 3)
    for request in (
        GetOptions(spectator.id(), match, named),
        spectator.act_message(match, named, {"type": "choose", "number": 1}),
        spectator.act_message(match, None, {"type": "resign"}),
    ):
        refused = await spectator.expect_refused(request)
        assert (refused.code, bytes(refused.open_decisions)) == ("no_seat", b"")


async def test_takeback_over_the_beginning_of_a_round_releases_nothing_and_takes_nothing_back(
    database: MemoryDatabase,
) -> None:
    node = InMemoryServer(database)
    (first, second, spectator), match = await begin_watched(node)
    await play_round(first, second, match)
    released = list(range(1, BEGUN + ROUND))
    assert await seen_by(spectator, match, BEGUN + 1) == released
    offer = first.act_message(match, None, {"type": "make_offer", "offer": {"type": "takeback", "record": BEGUN}})
    accepted = await first.expect_accepted(offer)
    answer = {"type": "answer_offer", "offer_id": accepted.seq, "agree": True}
    await second.expect_accepted(second.act_message(match, None, answer))
    assert await seen_by(spectator, match, BEGUN + 1) == released
    assert (await node.matches.find(match)).rights.last_shown(spectator.player) == BEGUN + 1
    await node.matches.close()
    restarted = InMemoryServer(database)
    assert (await restarted.matches.find(match)).rights.last_shown(spectator.player) == BEGUN + 1
    await restarted.matches.close()


async def test_turn_is_neither_listed_nor_pushed_to_others(node: InMemoryServer) -> None:
    (first, second, spectator), match = await begin_watched(node)
    await spectator.request(FollowMatches(spectator.id()))
    await second.request(FollowMatches(second.id()))
    await first.choose_number(match, 0, 3)
    changed = await second.expect(MatchesChanged)
    assert changed.matches[0].deciding == (1,)
    found = await spectator.request(ListMatches(spectator.id()))
    assert isinstance(found, MatchList)
    assert [summary.deciding for summary in found.matches] == [()]
    assert not any(isinstance(message, MatchesChanged) for message in spectator.messages)


async def test_openings_follow_the_last_released_record(node: InMemoryServer) -> None:
    (first, second, _), match = await begin_watched(node, rounds=1)
    late = await node.connect_and_greet()
    await late.request(Watch(late.id(), match, push_openings=True))
    await play_round(first, second, match)
    openings = await late.expect(Openings)
    assert openings.complete
    assert [record.seq for record in late.records[match]] == list(range(1, (await node.matches.find(match)).head + 1))


async def test_release_that_cannot_be_read_ends_the_watch(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    (first, second, spectator), match = await begin_watched(node)

    async def unreadable(history: MatchHistory, after: int, last: int) -> Any:
        raise StoreUnavailable

    monkeypatch.setattr(MatchHistory, "read", unreadable)
    await play_round(first, second, match)
    assert (await spectator.expect(Unwatched)).match == match
    monkeypatch.undo()
    await spectator.watch(match, BEGUN - 1)
    assert await seen_by(spectator, match, BEGUN + 1) == list(range(1, BEGUN + ROUND))


async def test_slow_spectator_is_sent_released_records_as_fast_as_they_are_taken(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second, rounds=40, options=LATER)
    slow = await node.connect_and_greet(frames=4)
    await slow.watch(match)
    await play_match(first, second, match, 40)
    assert (await node.state(match)).status == "ended"
    head = (await node.matches.find(match)).head
    assert slow.outbox.closing is None
    assert await seen_by(slow, match, head) == list(range(1, head + 1))


async def test_spectator_of_an_open_match_is_notified_of_the_delay_to_come(node: InMemoryServer) -> None:
    clients = [await node.connect_and_greet() for _ in range(3)]
    first, second, spectator = clients
    match = await first.open_match(2, LATER)
    live = await first.open_match(2, MatchOptions())
    for guest, shown, expected in ((spectator, match, True), (spectator, live, False)):
        watching = await guest.watch(shown)
        assert (watching.will_be_delayed, watching.is_delayed) == (expected, False)
    await second.watch(match)
    for seat, player in enumerate((first, second)):
        await player.take_seat(match, seat)
        assert not (await player.watch(match)).will_be_delayed, "those with a seat see it as it is"
    for seat, player in enumerate((first, second)):
        await player.be_ready(match, seat)
    again = await spectator.watch(match)
    assert (again.will_be_delayed, again.is_delayed) == (False, True)
