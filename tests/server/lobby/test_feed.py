"""Lists are followed live: what changes is sent to those who may see it, and nobody slow gets a backlog."""

import asyncio
from collections.abc import AsyncIterator

import msgspec
import pytest
from msgspec import Raw

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.match_options import MatchOptions, PerDecisionClock
from diskwars_protocol.messages.handshake import DEFAULT_CLIENT_LIMITS, Welcome
from diskwars_protocol.messages.lists import (
    MAX_WANTED_SETTINGS,
    FollowMatches,
    ListMatches,
    MatchesChanged,
    MatchList,
    Unfollowed,
    UnfollowMatches,
)
from diskwars_protocol.messages.opening import CloseMatch, Opened, OpenMatch
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.seats import KickPlayer
from diskwars_server.bus.bus import LocalBus
from diskwars_server.lobby.feed import MAX_BACKLOG_FRAMES, MAX_PENDING_MATCHES, LobbyFeed, pause_after
from diskwars_server.store.database import Database
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.match_index import Listing, MatchIndex
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.upkeep.old_matches import REMOVAL_DELAY_MS, UnstartedMatches
from tests.rows import each_row
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, begin_match

BY_LINK = MatchOptions(visibility="link")


@pytest.fixture
async def node() -> AsyncIterator[InMemoryServer]:
    async with MemoryDatabase() as database:
        server = InMemoryServer(database)
        yield server
        await close(server)


async def close(server: InMemoryServer) -> None:
    await server.lobby_feed.close()
    await server.matches.close()


async def follow(client: InMemoryClient, **wanted: object) -> MatchList:
    answer = await client.request(FollowMatches(client.id(), **wanted))  # type: ignore[arg-type]
    assert isinstance(answer, MatchList), answer
    return answer


async def changes(client: InMemoryClient) -> tuple[dict[str, str], list[str]]:
    """Return the status of each match in the next change, and the matches that are gone."""
    changed = await client.expect(MatchesChanged)
    assert not changed.list_again
    return {summary.match: summary.status for summary in changed.matches}, list(changed.gone)


async def test_follower_gets_the_list_and_then_what_changes(database: Database) -> None:
    node = InMemoryServer(database)
    follower, opener = await node.connect_and_greet(), await node.connect_and_greet()
    known = await opener.open_match()
    assert [summary.match for summary in (await follow(follower)).matches] == [known]
    new = await opener.open_match()
    assert await changes(follower) == ({new: "open"}, [])
    await opener.take_seat(new, 0)
    changed = await follower.expect(MatchesChanged)
    assert [summary.seats[0].player for summary in changed.matches] == [opener.player]
    await opener.expect_accepted(CloseMatch(opener.id(), new))
    assert await changes(follower) == ({new: "ended"}, [])
    await close(node)


async def test_match_that_leaves_a_narrowed_list_is_gone(node: InMemoryServer) -> None:
    follower, first, second = [await node.connect_and_greet() for _ in range(3)]
    await follow(follower, has_free_seat=True)
    match = await first.open_match()
    assert await changes(follower) == ({match: "open"}, [])
    await second.watch(match)
    await first.take_seat(match, 0)
    await second.take_seat(match, 1)
    seen, gone = await changes(follower)
    if not gone:  # the two seats were taken in two rounds
        assert seen == {match: "open"}
        seen, gone = await changes(follower)
    assert (seen, gone) == ({}, [match])


async def test_match_that_was_never_in_a_list_is_not_gone_from_it(node: InMemoryServer) -> None:
    follower, all_follower, first, second = [await node.connect_and_greet() for _ in range(4)]
    await follow(follower, status="ended")
    await follow(all_follower)
    match = await begin_match(first, second)
    while (await changes(all_follower))[0] != {match: "running"}:
        pass
    await first.expect_accepted(first.act_message(match, None, {"type": "resign"}))
    assert await changes(follower) == ({match: "ended"}, [])


async def test_matches_by_link_reach_their_opener_and_players_only(node: InMemoryServer) -> None:
    stranger, opener = await node.connect_and_greet(), await node.connect_and_greet()
    device = await node.connect_and_greet(opener.token)
    for client in (stranger, device):
        await follow(client)
    hidden = await opener.open_match(options=BY_LINK)
    assert await changes(device) == ({hidden: "open"}, [])
    shown = await opener.open_match()
    assert await changes(stranger) == ({shown: "open"}, [])
    assert await changes(device) == ({shown: "open"}, [])
    await opener.take_seat(hidden, 0)
    assert await changes(device) == ({hidden: "open"}, [])
    assert hidden not in str(stranger.messages)


async def test_own_matches_are_followed(node: InMemoryServer) -> None:
    player, other = await node.connect_and_greet(), await node.connect_and_greet()
    device = await node.connect_and_greet(player.token)
    await follow(device, mine=True)
    foreign = await other.open_match()
    own = await player.open_match(options=BY_LINK)
    seen: dict[str, str] = {}
    while own not in seen:
        found, gone = await changes(device)
        assert gone == []
        seen |= found
    assert seen == {own: "open"}
    assert foreign not in str(device.messages)


async def test_changes_on_another_node_are_sent_too(database: Database) -> None:
    bus = LocalBus()
    nodes = [InMemoryServer(database, bus=bus) for _ in range(2)]
    follower, opener = await nodes[0].connect_and_greet(), await nodes[1].connect_and_greet()
    await follow(follower)
    match = await opener.open_match()
    assert await changes(follower) == ({match: "open"}, [])
    for one in nodes:
        await close(one)


async def test_second_request_takes_the_place_of_the_first_and_unfollowing_ends_it(node: InMemoryServer) -> None:
    follower, opener = await node.connect_and_greet(), await node.connect_and_greet()
    await follow(follower, status="ended")
    await follow(follower, status="open")
    match = await opener.open_match()
    assert await changes(follower) == ({match: "open"}, [])
    assert isinstance(await follower.request(UnfollowMatches(follower.id())), Unfollowed)
    assert node.lobby_feed._followers == {}
    await opener.open_match()
    await asyncio.sleep(0.05)
    assert follower.outbox.backlog == 0


async def test_connection_that_closes_follows_nothing(node: InMemoryServer) -> None:
    follower = await node.connect_and_greet()
    await follow(follower)
    follower.session.close()
    assert node.lobby_feed._followers == {}


async def test_bad_filters_are_refused(node: InMemoryServer) -> None:
    client = await node.connect_and_greet()
    await client.send_frame('{"type":"follow_matches","id":"f","page":"1.a"}')
    refused = await client.answer_to("f")
    assert isinstance(refused, Refused)
    assert refused.code == "wrong_shape"
    assert node.lobby_feed._followers == {}


async def test_failing_store_answers_and_follows_nothing(node: InMemoryServer, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> list[Listing]:
        raise StoreUnavailable("the database is away")

    client = await node.connect_and_greet()
    monkeypatch.setattr(node.database.matches, "list_matches", fail)
    assert (await client.expect_refused(FollowMatches(client.id()))).code == "unavailable"
    assert node.lobby_feed._followers == {}


async def test_removed_player_loses_a_match_by_link_from_the_own_matches(node: InMemoryServer) -> None:
    opener, guest, stranger = [await node.connect_and_greet() for _ in range(3)]
    match = await opener.open_match(options=BY_LINK)
    await guest.watch(match)
    await guest.take_seat(match, 1)
    listed = await follow(guest, mine=True)  # the feed of this server has seen no change of it before
    assert [summary.match for summary in listed.matches] == [match]
    await follow(stranger)
    await opener.expect_accepted(KickPlayer(opener.id(), match, 1))
    assert await changes(guest) == ({}, [match])
    shown = await opener.open_match()
    assert await changes(stranger) == ({shown: "open"}, [])
    assert match not in str(stranger.messages)


async def test_matches_that_are_removed_are_gone_from_the_lists_that_show_them(node: InMemoryServer) -> None:
    opener, stranger = await node.connect_and_greet(), await node.connect_and_greet()
    public, hidden = await opener.open_match(), await opener.open_match(options=BY_LINK)
    for match in (public, hidden):
        await opener.expect_accepted(CloseMatch(opener.id(), match))
    own = await node.connect_and_greet(opener.token)
    await follow(own, mine=True)
    await follow(stranger)
    node.clock.now += REMOVAL_DELAY_MS + 1
    await UnstartedMatches(node.matches, node.database, node.clock, 1, node.services.publish_listing).expire()
    gone: list[str] = []
    while len(gone) < 2:
        gone += (await changes(own))[1]
    assert sorted(gone) == sorted([public, hidden])
    assert await changes(stranger) == ({}, [public])
    assert hidden not in str(stranger.messages)


# ---------------------------------------------------------------- bounds


async def test_list_that_grows_beyond_what_is_remembered_is_requested_again(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("diskwars_server.lobby.feed.MAX_SHOWN_MATCHES", 1)
    follower, opener = await node.connect_and_greet(), await node.connect_and_greet()
    await follow(follower)
    for _ in range(2):
        match = await opener.open_match()
        assert await changes(follower) == ({match: "open"}, [])
    await opener.open_match()
    assert (await follower.expect(MatchesChanged)).list_again


@each_row(("seconds", "pause"), [(0.0, 0.0), (0.01, 0.2), (0.05, 1.0), (30.0, 1.0)])
def test_pause_after_a_round_is_bounded(seconds: float, pause: float) -> None:
    assert pause_after(seconds) == pytest.approx(pause)


async def test_slow_follower_gets_a_mark_and_no_backlog(node: InMemoryServer) -> None:
    slow, quick, opener = [await node.connect_and_greet() for _ in range(3)]
    for client in (slow, quick):
        await follow(client)
    match = await opener.open_match()
    for _ in range(MAX_BACKLOG_FRAMES + 10):
        assert await changes(quick) == ({match: "open"}, [])
        node.services.publish_listing(match)
    await changes(quick)
    assert slow.outbox.backlog <= MAX_BACKLOG_FRAMES + 1
    assert not slow.outbox.is_closed
    while not (await slow.expect(MatchesChanged)).list_again:
        pass
    match = await opener.open_match()
    assert await changes(slow) == ({match: "open"}, [])


async def test_too_many_changes_at_once_make_everybody_list_again(node: InMemoryServer) -> None:
    follower = await node.connect_and_greet()
    await follow(follower)
    for number in range(MAX_PENDING_MATCHES + 1):
        node.services.publish_listing(MatchId(f"match{number}"))
    assert (await follower.expect(MatchesChanged)) == MatchesChanged(list_again=True)
    assert len(node.lobby_feed._pending) == 0


async def test_changes_while_the_store_is_away_are_made_up_for(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> list[Listing]:
        raise StoreUnavailable("the database is away")

    follower = await node.connect_and_greet()
    await follow(follower)
    with monkeypatch.context() as patch:
        patch.setattr(node.database.matches, "find_listings", fail)
        node.services.publish_listing(MatchId("match"))
        assert (await follower.expect(MatchesChanged)).list_again


async def test_thousands_of_followers_share_one_read_and_one_frame(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[int] = []
    index: MatchIndex = node.database.matches
    find = index.find_listings

    async def counted(matches: list[str]) -> list[Listing]:
        reads.append(len(matches))
        return await find(matches)

    monkeypatch.setattr(index, "find_listings", counted)
    followers = [node.connect() for _ in range(2000)]
    request = FollowMatches("f")
    for follower in followers:
        follower.outbox.connection.receive('{"type":"hello","versions":[1]}')
        follower.outbox.send(Welcome(1, follower.player, "t", 0, (), DEFAULT_CLIENT_LIMITS))
        node.lobby_feed.follow(follower.outbox, follower.player, request)
        node.lobby_feed.start(follower.outbox, ())
    opener = await node.connect_and_greet()
    settings = Raw(b'{"rounds":2}')
    for _ in range(3):
        assert isinstance(await opener.request(OpenMatch(opener.id(), "counting", 2, settings)), Opened)
    frames = []
    for follower in followers:
        await follower.expect(Welcome)
        frames.append(await follower.outbox.get())
    assert len({id(frame) for frame in frames}) == 1
    assert sum(reads) <= 3


async def test_nothing_is_read_while_nobody_follows(node: InMemoryServer, monkeypatch: pytest.MonkeyPatch) -> None:
    feed: LobbyFeed = node.lobby_feed
    opener = await node.connect_and_greet()
    await opener.open_match()
    assert feed._task is None
    assert feed._pending == set()


async def test_lists_say_what_is_not_usual_and_are_narrowed_by_it(node: InMemoryServer) -> None:
    opener, follower = await node.connect_and_greet(), await node.connect_and_greet()
    usual = await opener.open_match(rounds=2)
    await follow(follower, settings={"rounds": 3}, pace="days")
    slow = MatchOptions(clock=PerDecisionClock(86_400))
    longer = await opener.open_match(rounds=3, options=slow)
    await opener.open_match(rounds=3)
    await opener.open_match(options=slow)
    changed = await follower.expect(MatchesChanged)
    assert [(one.match, one.settings) for one in changed.matches] == [(longer, {"rounds": 3})]
    listed = await opener.request(ListMatches(opener.id(), settings={"rounds": 2}))
    assert isinstance(listed, MatchList)
    assert [one.settings for one in listed.matches] == [{}, {}]
    assert usual in [one.match for one in listed.matches]


async def test_list_is_narrowed_by_a_limited_number_of_settings(node: InMemoryServer) -> None:
    client = await node.connect_and_greet()
    settings = {f"setting_{number}": number for number in range(MAX_WANTED_SETTINGS + 1)}
    await client.send_frame(msgspec.json.encode({"type": "list_matches", "id": "f", "settings": settings}).decode())
    refused = await client.answer_to("f")
    assert isinstance(refused, Refused)
    assert (refused.code, refused.place) == ("wrong_shape", "$.settings")
