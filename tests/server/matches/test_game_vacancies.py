"""Seats that are left or freed before a match begins, over the wire: who sees what from then on, and lists."""

import json
from collections.abc import AsyncIterator

import msgspec
import pytest

from diskwars_protocol.match.actions import Ready, TakeSeat
from diskwars_protocol.match.bot_identity import bot_player
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.state import chain_head
from diskwars_protocol.messages import ServerMessage
from diskwars_protocol.messages.decisions import Accepted
from diskwars_protocol.messages.history import GetRecords, RecordRange
from diskwars_protocol.messages.lists import FollowMatches, ListMatches, MatchesChanged, MatchList
from diskwars_protocol.messages.match_summary import MatchSummary
from diskwars_protocol.messages.seats import KickPlayer
from diskwars_protocol.messages.watching import Watch, Watching
from diskwars_protocol.records.fairness import SeatChain
from diskwars_protocol.records.records import WireRecord
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.bot_nodes import odd_program, playing_bots, seat_message, wait_for_bot
from tests.server.counting_ruleset import CountingLoadout
from tests.server.in_memory_server import InMemoryClient, InMemoryServer

LEAVE = {"type": "leave_seat"}


@pytest.fixture
async def bot_node() -> AsyncIterator[InMemoryServer]:
    """One over a store in memory, which seats bots."""
    async with MemoryDatabase() as database:
        server = InMemoryServer(database, bots=odd_program("first"))
        yield server
        await server.matches.close()


async def open_with_guest(node: InMemoryServer) -> tuple[InMemoryClient, InMemoryClient, MatchId]:
    """Return the opener on seat 0, a guest on seat 1, and the match."""
    opener, guest = await node.connect_and_greet(), await node.connect_and_greet()
    match = await opener.open_match()
    await opener.take_seat(match, 0)
    await guest.watch(match)
    await guest.take_seat(match, 1)
    return opener, guest, match


def summary_of(found: ServerMessage, match: MatchId) -> MatchSummary:
    assert isinstance(found, MatchList)
    return next(summary for summary in found.matches if summary.match == match)


async def leave(guest: InMemoryClient, match: MatchId) -> Accepted:
    return await guest.expect_accepted(guest.act_message(match, None, LEAVE))


async def test_seat_that_is_left_is_free_in_lists_and_for_others(node: InMemoryServer) -> None:
    opener, guest, match = await open_with_guest(node)
    await leave(guest, match)
    listed = await opener.request(ListMatches(opener.id()))
    assert [seat.player for seat in summary_of(listed, match).seats] == [opener.player, None]
    own = await guest.request(ListMatches(guest.id(), mine=True))
    assert isinstance(own, MatchList)
    assert own.matches == ()
    other = await node.connect_and_greet()
    await other.watch(match)
    await other.take_seat(match, 1)
    listed = await opener.request(ListMatches(opener.id()))
    assert [seat.player for seat in summary_of(listed, match).seats] == [opener.player, other.player]


async def test_followers_of_a_list_receive_that_a_seat_is_free(node: InMemoryServer) -> None:
    _, guest, match = await open_with_guest(node)
    follower = await node.connect_and_greet()
    await follower.request(FollowMatches(follower.id(), has_free_seat=True))
    await leave(guest, match)
    changed = await follower.expect(MatchesChanged)
    assert [summary.match for summary in changed.matches] == [match]


async def test_opener_frees_a_seat_and_only_the_opener(node: InMemoryServer) -> None:
    opener, guest, match = await open_with_guest(node)
    assert (await guest.expect_refused(KickPlayer("kick", match, 0))).code == "not_opener"
    refused = await opener.expect_refused(KickPlayer("own", match, 0))
    assert (refused.code, refused.place) == ("own_seat", "$.seat")
    accepted = await opener.expect_accepted(KickPlayer("kick", match, 1))
    assert (await opener.expect_accepted(KickPlayer("kick", match, 1))).seq == accepted.seq
    assert (await opener.expect_refused(KickPlayer("kick", match, 0))).code == "duplicate_differs"
    assert (await opener.expect_refused(KickPlayer("again", match, 1))).code == "empty_seat"
    assert (await opener.expect_refused(KickPlayer("none", MatchId("nowhere"), 1))).code == "unknown_match"
    record = json.loads(bytes((await guest.catch_up(match))[-1].body))
    assert (record["actor"], record["action"]) == ("opener", {"type": "kick_player", "seat": 1})
    decision = record["decisions"][0]["id"]
    again = guest.act_message(match, decision, TakeSeat("00" * 16, CountingLoadout("player 1", 3)))
    assert (await guest.expect_refused(again)).code == "kicked"


async def test_player_who_has_left_is_the_public_and_the_next_one_sees_no_earlier_secret(node: InMemoryServer) -> None:
    """On every path: live, watched from the start, in ranges and in files."""
    _, guest, match = await open_with_guest(node)
    await leave(guest, match)
    chain, secret = SeatChain(bytes(16)), "nobody else sees this"
    decision = await guest.decision(match, 1)
    seat = TakeSeat(chain.head.hex(), CountingLoadout(secret, 6))
    await guest.expect_accepted(guest.act_message(match, decision, seat))
    assert (await guest.catch_up(match))[-1].openings, "players see their own secrets"
    nonce = chain.link(1).hex()
    await guest.expect_accepted(guest.act_message(match, await guest.decision(match, 1), Ready(nonce)))
    await leave(guest, match)
    other = await node.connect_and_greet()
    await other.watch(match)
    await other.take_seat(match, 1)
    vacated_in = (await node.state(match)).seats[1].vacated_in
    assert vacated_in is not None
    own: list[WireRecord] = []
    for viewer, first_own in ((guest, 99), (other, vacated_in + 1)):
        fresh = await node.connect_and_greet(viewer.token)
        await fresh.watch(match)
        ranged = await fresh.request(GetRecords(fresh.id(), match, 0, 64))
        assert isinstance(ranged, RecordRange)
        own = [*ranged.records]
        live = [shown for shown in viewer.records[match] if viewer is other]
        for shown in (*await fresh.catch_up(match), *ranged.records, *live):
            assert not shown.openings or shown.seq >= first_own
            assert nonce.encode() not in msgspec.json.encode(shown)
        game = await node.matches.find(match)
        assert nonce.encode() not in await game.exports.export(viewer.player)
        found = await fresh.request(Watch(fresh.id(), match, snapshot=True))
        assert isinstance(found, Watching)
        assert nonce.encode() not in bytes(found.snapshot)
    assert any(shown.openings for shown in own), "the next player sees their own secrets"


@pytest.mark.parametrize("freed", [1, 2])
async def test_bot_is_seated_again_with_another_chain(bot_node: InMemoryServer, freed: int) -> None:
    opener = await bot_node.connect_and_greet()
    match = await opener.open_match()
    heads = set()
    for number in range(freed + 1):
        request = seat_message(opener, match, 1)
        accepted = await opener.expect_accepted(request)
        seat = (await bot_node.state(match)).seats[1]
        assert seat.player == bot_player("steady", 1)
        heads.add(chain_head(seat))
        assert (await opener.expect_accepted(request)).seq == accepted.seq, "the same request has the same answer"
        if number < freed:
            await opener.expect_accepted(KickPlayer(f"kick {number}", match, 1))
    assert len(heads) == freed + 1


async def test_bot_that_was_seated_again_gives_a_nonce_of_its_new_chain(bot_node: InMemoryServer) -> None:
    opener = await bot_node.connect_and_greet()
    match = await opener.open_match()
    await opener.expect_accepted(seat_message(opener, match, 1))
    await opener.expect_accepted(KickPlayer("kick", match, 1))
    async with playing_bots(bot_node):
        await opener.expect_accepted(seat_message(opener, match, 1))
        await opener.take_seat(match, 0)
        await opener.be_ready(match, 0)
        await wait_for_bot(bot_node, match)
        state = await bot_node.state(match)
    assert state.status == "running"
    assert state.seat_nonces[0][1] != "00" * 16
