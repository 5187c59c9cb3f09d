"""Lists show whose turn it is: with the record that changes it, to those who may know."""

import pytest

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.messages.lists import FollowMatches, ListMatches, MatchesChanged, MatchList
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, begin_match

LIVE, PLAYERS_ONLY = MatchOptions(), MatchOptions(watchers="none")
PAUSES = MatchOptions(pauses=True)


async def deciding(client: InMemoryClient, match: MatchId) -> tuple[int, ...]:
    listed = await client.request(ListMatches(client.id()))
    assert isinstance(listed, MatchList)
    return next(summary.deciding for summary in listed.matches if summary.match == match)


async def test_seats_that_have_to_decide_are_listed_with_each_record(node: InMemoryServer) -> None:
    first, second, public = [await node.connect_and_greet() for _ in range(3)]
    match = await first.open_match()
    assert await deciding(public, match) == (), "nobody is waited for on a free seat"
    await first.take_seat(match, 0)
    assert await deciding(public, match) == ()
    await second.watch(match)
    await second.take_seat(match, 1)
    assert await deciding(public, match) == (0, 1)
    await first.be_ready(match, 0)
    assert await deciding(public, match) == (1,)
    await second.be_ready(match, 1)
    assert await deciding(public, match) == (0, 1)
    await first.choose_number(match, 0, 2)
    assert await deciding(public, match) == (1,)
    await second.expect_accepted(second.act_message(match, None, {"type": "resign"}))
    assert await deciding(public, match) == ()


async def test_turn_changes_neither_the_time_nor_the_order_of_a_list(node: InMemoryServer) -> None:
    first, second = [await node.connect_and_greet() for _ in range(2)]
    match = await begin_match(first, second)
    before = (await node.database.matches.find_listings([match]))[0]
    node.clock.now += 60_000
    await first.choose_number(match, 0, 2)
    after = (await node.database.matches.find_listings([match]))[0]
    assert (before.deciding, after.deciding) == ((0, 1), (1,))
    assert before.updated_ms == after.updated_ms


async def test_only_the_players_see_whose_turn_it_is_where_nobody_may_watch(node: InMemoryServer) -> None:
    first, second, public = [await node.connect_and_greet() for _ in range(3)]
    match = await begin_match(first, second, options=PLAYERS_ONLY)
    for viewer, expected in ((first, (0, 1)), (second, (0, 1)), (public, ())):
        assert await deciding(viewer, match) == expected


@pytest.mark.parametrize("options", [LIVE, PLAYERS_ONLY], ids=["live", "none"])
async def test_followers_of_a_list_receive_whose_turn_it_is(node: InMemoryServer, options: MatchOptions) -> None:
    first, second, public = [await node.connect_and_greet() for _ in range(3)]
    match = await begin_match(first, second, options=options)
    follower = await node.connect_and_greet(first.token)
    for client in (follower, public):
        await client.request(FollowMatches(client.id(), status="running"))
    await first.choose_number(match, 0, 2)
    for client, may_see in ((follower, True), (public, options == LIVE)):
        changed = await client.expect(MatchesChanged)
        while not changed.matches or changed.matches[0].deciding == (0, 1):
            changed = await client.expect(MatchesChanged)
        assert [summary.deciding for summary in changed.matches] == [(1,) if may_see else ()]


async def test_match_that_is_paused_waits_for_nobody(node: InMemoryServer) -> None:
    first, second = [await node.connect_and_greet() for _ in range(2)]
    match = await begin_match(first, second, options=PAUSES)
    offered = await first.expect_accepted(
        first.act_message(match, None, {"type": "make_offer", "offer": {"type": "pause"}})
    )
    answer = {"type": "answer_offer", "offer_id": offered.seq, "agree": True}
    await second.expect_accepted(second.act_message(match, None, answer))
    assert await deciding(first, match) == ()
    await first.expect_accepted(first.act_message(match, None, {"type": "resume_play"}))
    assert await deciding(first, match) == (0, 1)
