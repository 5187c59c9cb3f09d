"""Matches of clubs: members list, watch and play them, and nothing of one reaches anybody else on any way."""

from typing import Any

import msgspec
import pytest
from msgspec import Raw

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.messages import ClientMessage
from diskwars_protocol.messages.branches import BranchMatch
from diskwars_protocol.messages.clubs import CloseClubAct, LeaveClubAct
from diskwars_protocol.messages.history import GetRecords
from diskwars_protocol.messages.lists import FollowMatches, ListMatches, MatchList, SearchMatches
from diskwars_protocol.messages.lobby import CreateInvite, EnterMatch
from diskwars_protocol.messages.opening import Opened, OpenMatch
from diskwars_protocol.messages.rematches import OfferRematch
from diskwars_protocol.messages.tournaments import OpenTournament
from diskwars_protocol.messages.watching import Watch
from diskwars_server.api.reads import require_shown
from diskwars_server.broadcast.watch_rights import ANONYMOUS
from diskwars_server.refusals import Refusal
from diskwars_server.store.database import Database
from tests.server.clubs.club_clients import act, come_in, open_club
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, play_match
from tests.server.lobby.test_branches import BEGUN, PlainCounting, branch
from tests.server.tournaments.tournament_clients import connect_members


def opening(client: InMemoryClient, club: str, **fields: Any) -> OpenMatch:
    options = Raw(msgspec.json.encode({"club": club, **fields.pop("options", {})}))
    return OpenMatch(client.id(), "counting", 2, Raw(b'{"rounds":2}'), options, **fields)


async def open_club_match(client: InMemoryClient, club: str, **fields: Any) -> MatchId:
    request = opening(client, club, **fields)
    answer = await client.request(request)
    assert isinstance(answer, Opened), answer
    return answer.match


async def listed(client: InMemoryClient, **wanted: Any) -> list[str]:
    answer = await client.request(ListMatches(client.id(), **wanted))
    assert isinstance(answer, MatchList), answer
    return [match.match for match in answer.matches]


async def play_to_the_end(first: InMemoryClient, second: InMemoryClient, match: MatchId) -> None:
    """Let two who watch a match take its seats and play."""
    for seat, client in enumerate((first, second)):
        await client.take_seat(match, seat)
    for seat, client in enumerate((first, second)):
        await client.be_ready(match, seat)
    await play_match(first, second, match)


async def club_of(leader: InMemoryClient, *members: InMemoryClient, **options: Any) -> str:
    club = await open_club(leader, **options)
    if members:
        await come_in(leader, club, *members)
    return club


async def test_members_find_and_play_a_match_of_their_club(node: InMemoryServer) -> None:
    lea, mia, tom = await connect_members(node, "Lea", "Mia", "Tom")
    club = await club_of(lea, mia, visibility="private")
    match = await open_club_match(lea, club, options={"visibility": "public"})

    for wanted in ({"club": club}, {"clubs": True}):
        assert await listed(mia, **wanted) == [match]
        assert await listed(tom, **wanted) == []
    assert await listed(mia) == await listed(tom) == []
    assert await listed(lea) == await listed(lea, mine=True) == [match]
    shown = await mia.request(ListMatches("shown", clubs=True))
    assert isinstance(shown, MatchList)
    assert (shown.matches[0].match_options.club, shown.matches[0].match_options.visibility) == (club, "link")
    await mia.watch(match)
    await play_to_the_end(lea, mia, match)
    assert (await node.state(match)).status == "ended"


async def test_nothing_of_a_club_match_reaches_strangers(node: InMemoryServer) -> None:
    lea, mia, tom = await connect_members(node, "Lea", "Mia", "Tom")
    club = await club_of(lea, mia)
    match = await open_club_match(lea, club)
    follower = await node.connect_and_greet()
    await follower.request(FollowMatches("follow"))

    async def require_hidden() -> None:
        for stranger in (tom, await node.connect_and_greet()):
            wanted: tuple[ClientMessage, ...] = (
                Watch(stranger.id(), match),
                GetRecords(stranger.id(), match, 1, 2),
                BranchMatch(stranger.id(), match, 1, Raw(b"{}")),
                EnterMatch(stranger.id(), match, "password"),
            )
            for request in wanted:
                refused = await stranger.expect_refused(request)
                assert refused.code in ("locked", "not_watching"), (request, refused)
                assert refused.code != "locked" or refused.numbers == {"members_only": 1}, request
            assert (
                await listed(stranger) == await listed(stranger, club=club) == await listed(stranger, clubs=True) == []
            )
            found = await stranger.request(SearchMatches(stranger.id()))
            assert isinstance(found, MatchList)
            assert found.matches == ()
        listing = await node.matches.find_listing(match)
        assert listing is not None
        with pytest.raises(Refusal, match="locked"):
            require_shown(listing)
        game = await node.matches.find(match)
        with pytest.raises(Refusal, match="locked"):
            game.rights.require_watchable(ANONYMOUS)
        assert not game.rights.is_shown_to_all(1)

    await require_hidden()
    await mia.watch(match)
    await play_to_the_end(lea, mia, match)
    await require_hidden()
    assert match not in msgspec.json.encode(follower.messages).decode()


async def test_rematch_of_a_club_match_is_one_of_the_club(node: InMemoryServer) -> None:
    lea, mia, tom = await connect_members(node, "Lea", "Mia", "Tom")
    club = await club_of(lea, mia)
    match = await open_club_match(lea, club)
    await mia.watch(match)
    await play_to_the_end(lea, mia, match)
    for player in (lea, mia):
        await player.request(OfferRematch(player.id(), match))
    (again,) = await listed(mia, club=club, status="open")
    assert (await node.state(MatchId(again))).match_options.club == club
    assert (await tom.expect_refused(Watch("w", MatchId(again)))).code == "locked"


async def test_branch_of_a_club_match_is_for_those_whom_its_opener_invites(database: Database) -> None:
    node = InMemoryServer(database, rulesets={"counting": PlainCounting()}, repeatable=False)
    lea, mia, tom = await connect_members(node, "Lea", "Mia", "Tom")
    club = await club_of(lea, mia)
    match = await open_club_match(lea, club)
    await mia.watch(match)
    await play_to_the_end(lea, mia, match)
    opened = await branch(mia, match, BEGUN)
    assert (await tom.expect_refused(Watch("w", opened.match))).code == "locked"
    assert (await node.state(opened.match)).match_options.club is None
    listing = await node.matches.find_listing(opened.match)
    assert listing is not None
    with pytest.raises(Refusal, match="locked"):
        require_shown(listing)
    await node.matches.close()


async def test_member_who_has_left_does_not_begin_to_watch_again(node: InMemoryServer) -> None:
    lea, mia, max_ = await connect_members(node, "Lea", "Mia", "Max")
    club = await club_of(lea, mia, max_)
    match = await open_club_match(lea, club)
    await max_.watch(match)
    await act(max_, club, LeaveClubAct())
    assert (await max_.expect_refused(Watch("again", match))).code == "locked"
    assert await listed(max_, clubs=True) == []
    await mia.watch(match)
    await play_to_the_end(lea, mia, match)
    await act(mia, club, LeaveClubAct())
    await mia.watch(match)  # in which she had a seat


async def test_only_members_open_matches_of_a_club_and_with_its_rules(node: InMemoryServer) -> None:
    lea, tom = await connect_members(node, "Lea", "Tom")
    club = await club_of(lea)
    guest = await node.connect_and_greet()
    for client in (tom, guest):
        refused = await client.expect_refused(opening(client, club))
        assert (refused.code, refused.place) == ("not_member", "$.match_options.club")
    refused = await lea.expect_refused(opening(lea, club, password="swordfish"))
    assert (refused.code, refused.place) == ("bad_match_options", "$.password")
    match = await open_club_match(lea, club)
    assert (await lea.expect_refused(CreateInvite("invite", match))).code == "not_member"
    await act(lea, club, CloseClubAct())
    assert (await lea.expect_refused(opening(lea, club))).code == "not_member"


async def test_club_is_refused_in_every_other_kind_of_opening(node: InMemoryServer) -> None:
    lea, mia = await connect_members(node, "Lea", "Mia")
    club = await club_of(lea, mia)
    template = {"ruleset": "counting", "match_options": {"club": club}}
    options = Raw(msgspec.json.encode({"format": "swiss", "template": template}))
    refused = await lea.expect_refused(OpenTournament("cup", "Cup", options))
    assert (refused.code, refused.place) == ("bad_match_options", "$.options.template.match_options.club")
    public = await lea.open_match()
    await mia.watch(public)
    await play_to_the_end(lea, mia, public)
    branch = BranchMatch("branch", public, 1, Raw(msgspec.json.encode(MatchOptions(club=club))))
    assert (await lea.expect_refused(branch)).code == "bad_match_options"
