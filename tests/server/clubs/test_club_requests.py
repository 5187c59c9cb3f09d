"""Requests about clubs: rights, limits, invitations, and what strangers, members and officers are shown."""

import asyncio

import pytest
from msgspec import Raw
from msgspec.structs import replace

from diskwars_protocol.messages.clubs import (
    AcceptClubInvitation,
    ActInClub,
    BeginSeasonAct,
    CloseClubAct,
    ClubChanged,
    ClubInvitationFound,
    ClubInvited,
    ClubLadder,
    ClubList,
    ClubView,
    EditClubAct,
    EndSeasonAct,
    FindClubInvitation,
    GetClub,
    GetClubLadder,
    GiveRoleAct,
    InviteToClub,
    JoinClubAct,
    LeaveClubAct,
    ListClubs,
    OpenClub,
    RemoveMemberAct,
    RevokeInvitationAct,
)
from diskwars_server.bus.bus import LocalBus
from diskwars_server.clubs.club_requests import ACTS_PER_PLAYER, MAX_CLUBS_PER_PLAYER
from diskwars_server.limits.rate_limits import MS_PER_HOUR, RateLimit
from diskwars_server.players.attempts import AttemptLimiter, AttemptLimits
from diskwars_server.players.passwords import Passwords
from diskwars_server.store.database import Database
from tests.server.clubs.club_clients import (
    accept,
    act,
    come_in,
    delete_account,
    invite,
    listed,
    open_club,
    opening,
    raw_options,
    refusal,
    roles,
    show_presence,
    view,
)
from tests.server.in_memory_server import QUICK_HASHER, InMemoryClient, InMemoryServer
from tests.server.tournaments.tournament_clients import connect_member, connect_members


async def test_club_is_opened_once_by_one_request(node: InMemoryServer) -> None:
    lea = await connect_member(node, "Lea")
    request = opening(lea, "again")

    first, second = await lea.request(request), await lea.request(request)

    assert isinstance(first, ClubView)
    assert isinstance(second, ClubView)
    assert first.club == second.club
    assert (roles(first), first.role, first.seq) == ({lea.player: "leader"}, "leader", 1)
    assert await listed(lea, mine=True) == ["Thursday Club"]


async def test_guest_sees_public_clubs_and_is_in_none(node: InMemoryServer) -> None:
    lea, guest = await connect_member(node, "Lea"), await node.connect_and_greet()
    club = await open_club(lea, entry="open")
    code = await invite(lea, club)

    assert await listed(guest) == ["Thursday Club"]
    assert (await view(guest, club)).role is None
    assert (await guest.expect_refused(opening(guest))).code == "not_registered"
    assert await refusal(guest, club, JoinClubAct()) == "not_registered"
    assert (await guest.expect_refused(AcceptClubInvitation("a", code))).code == "not_registered"
    assert (await guest.expect_refused(InviteToClub("i", club))).code == "not_registered"


@pytest.mark.parametrize(
    ("name", "options", "place"),
    [
        ("Club\nTwo", '{"ruleset":"counting"}', "$.name"),
        ("\u202eclub", '{"ruleset":"counting"}', "$.name"),
        ("   ", '{"ruleset":"counting"}', "$.name"),
        ("Club", '{"entry":"anyone"}', "$.options.entry"),
        ("Club", '{"vissibility":"public"}', "$.options.vissibility"),
        ("Club", '{"ruleset":"chess"}', "$.options.ruleset"),
        ("Club", '{"ruleset":"counting","house_rules":"a\\u0007b"}', "$.options.house_rules"),
        ("Club", '{"ruleset":"counting","house_rules":"' + "x" * 601 + '"}', "$.options.house_rules"),
        ("Club", '{"packs":[1]}', "$.options.packs[0]"),
        ("Club", "[]", "$.options"),
        ("Club", '{"house_rules":"' + "x" * 9_000 + '"}', "$.options"),
    ],
)
async def test_bad_name_or_options_are_refused_with_their_place(
    node: InMemoryServer, name: str, options: str, place: str
) -> None:
    lea = await connect_member(node, "Lea")

    refused = await lea.expect_refused(OpenClub("o", name, Raw(options.encode())))

    assert (refused.code, refused.place) == ("bad_club", place)
    assert await listed(lea) == []


async def test_player_is_in_a_limited_number_of_clubs(node: InMemoryServer) -> None:
    lea, mia = await connect_members(node, "Lea", "Mia")
    code = await invite(lea, await open_club(lea))
    open_one = await open_club(lea, entry="open")
    clubs = [await open_club(mia) for _ in range(MAX_CLUBS_PER_PLAYER)]

    assert (await mia.expect_refused(opening(mia))).code == "too_many_clubs"
    assert (await mia.expect_refused(AcceptClubInvitation("a", code))).code == "too_many_clubs"
    assert await refusal(mia, open_one, JoinClubAct()) == "too_many_clubs"
    await act(mia, clubs[-1], LeaveClubAct())
    assert (await accept(mia, code)).role == "member"


async def test_requests_that_are_repeated_need_no_other_place_and_no_valid_code(node: InMemoryServer) -> None:
    lea, mia = await connect_members(node, "Lea", "Mia")
    open_one = await open_club(lea, entry="open")
    code = await invite(lea, await open_club(lea), expires_ms=node.clock() + 1000)
    joining, accepting, last = (
        ActInClub("j", open_one, JoinClubAct()),
        AcceptClubInvitation("a", code),
        opening(mia, "o"),
    )
    first = [await mia.request(request) for request in (joining, accepting)]
    for _ in range(MAX_CLUBS_PER_PLAYER - 3):
        await open_club(mia)
    first.append(await mia.request(last))
    node.clock.now += 1000

    again = [await mia.request(request) for request in (joining, accepting, last)]

    assert again == first
    assert len(await listed(mia, mine=True)) == MAX_CLUBS_PER_PLAYER


async def test_act_that_is_repeated_under_its_id_is_answered_as_done(node: InMemoryServer) -> None:
    lea, mia = await connect_members(node, "Lea", "Mia")
    club = await open_club(lea)
    await come_in(lea, club, mia)
    (known,) = (await view(lea, club)).invitations
    acts = (
        RevokeInvitationAct(known.invitation),
        BeginSeasonAct("Autumn"),
        EndSeasonAct(),
        CloseClubAct(),
    )
    for act_once in acts:
        request = ActInClub(lea.id(), club, act_once)
        first = await lea.request(request)
        assert isinstance(first, ClubView), first
        assert await lea.request(request) == first
    # The id of a request does not show what its sender has left.
    secret = await open_club(lea, visibility="private")
    await come_in(lea, secret, mia)
    leaving = ActInClub("leave", secret, LeaveClubAct())
    assert isinstance(await mia.request(leaving), ClubView)
    assert (await mia.expect_refused(leaving)).code == "unknown_club"


async def test_acts_of_a_player_are_limited(node: InMemoryServer, monkeypatch: pytest.MonkeyPatch) -> None:
    lea = await connect_member(node, "Lea")
    club = await open_club(lea)
    for number in range(ACTS_PER_PLAYER.units - 1):
        await act(lea, club, EditClubAct(f"Club {number}", raw_options()))

    refused = await lea.expect_refused(ActInClub("more", club, EditClubAct("Club", raw_options())))

    assert refused.code == "busy"
    assert refused.retry_after_ms
    assert (await view(lea, club)).name == f"Club {ACTS_PER_PLAYER.units - 2}"


# ---------------------------------------------------------------- privacy


async def test_private_club_is_unknown_to_strangers_in_every_answer(node: InMemoryServer) -> None:
    lea, mia, stranger = await connect_members(node, "Lea", "Mia", "Stranger")
    club = await open_club(lea, visibility="private", entry="open")
    await come_in(lea, club, mia)

    refusals = [
        await stranger.expect_refused(message)
        for message in (
            GetClub("g", club, follow=True),
            GetClubLadder("l", club),
            ActInClub("j", club, JoinClubAct()),
            ActInClub("c", club, CloseClubAct()),
            ActInClub("e", club, EndSeasonAct()),
            InviteToClub("i", club),
            GetClub("n", "no-such-club"),
        )
    ]

    # One word for all, so that nobody learns which ids are clubs.
    assert {(refused.code, refused.text, refused.place) for refused in refusals} == {
        ("unknown_club", refusals[0].text, "$.club")
    }
    assert await listed(stranger) == []
    assert await listed(mia) == ["Thursday Club"]


async def test_members_see_who_is_here_and_shows_it_and_strangers_nobody(node: InMemoryServer) -> None:
    lea, mia, ole, stranger = await connect_members(node, "Lea", "Mia", "Ole", "Stranger")
    club = await open_club(lea)
    await come_in(lea, club, mia, ole)
    for client in (mia, stranger):
        await show_presence(client)

    assert (await view(lea, club)).present == (mia.player,)
    assert (await view(stranger, club)).present == ()
    mia.node.accounts.leave(mia.session.user)
    assert (await view(lea, club)).present == ()


async def test_only_the_leader_and_officers_see_invitations_and_nobody_their_code(node: InMemoryServer) -> None:
    lea, mia, stranger = await connect_members(node, "Lea", "Mia", "Stranger")
    club = await open_club(lea)
    await come_in(lea, club, mia)

    assert [invitation.by for invitation in (await view(lea, club)).invitations] == [lea.player]
    assert (await view(mia, club)).invitations == ()
    assert (await view(stranger, club)).invitations == ()
    assert (await act(lea, club, GiveRoleAct(mia.player, "officer"))).role == "leader"
    assert len((await view(mia, club)).invitations) == 1


async def test_secret_of_an_invitation_is_in_no_record_and_no_message_but_its_own(node: InMemoryServer) -> None:
    lea, mia = await connect_members(node, "Lea", "Mia")
    club = await open_club(lea)
    code = await invite(lea, club)
    await accept(mia, code)
    await view(lea, club)
    secret = code.rpartition("-")[2]

    assert secret not in repr(await node.database.clubs.read(club))
    others = [message for message in (*lea.messages, *mia.messages) if not isinstance(message, ClubInvited)]
    assert secret not in repr(others)
    assert len(secret) == 16


# ---------------------------------------------------------------- invitations


async def test_invitation_shows_a_private_club_and_lets_its_holder_in_once(node: InMemoryServer) -> None:
    lea, mia = await connect_members(node, "Lea", "Mia")
    club = await open_club(lea, visibility="private")
    code = await invite(lea, club)

    found = await mia.request(FindClubInvitation("f", code.upper()))
    assert isinstance(found, ClubInvitationFound)
    assert (found.club.name, found.club.members, found.club.role) == ("Thursday Club", 1, None)
    first = await accept(mia, code)
    second = await accept(mia, code)

    assert (first.role, second.seq) == ("member", first.seq)


async def test_invitation_asked_for_again_under_its_id_is_the_same(node: InMemoryServer) -> None:
    lea = await connect_member(node, "Lea")
    club = await open_club(lea)
    first, second = [await lea.request(InviteToClub("same", club)) for _ in range(2)]
    assert first == second
    assert len((await view(lea, club)).invitations) == 1


async def test_revoked_and_old_invitations_let_nobody_in(node: InMemoryServer) -> None:
    lea, mia = await connect_members(node, "Lea", "Mia")
    club = await open_club(lea)
    revoked = await invite(lea, club)
    (known,) = (await view(lea, club)).invitations
    await act(lea, club, RevokeInvitationAct(known.invitation))
    old = await invite(lea, club, expires_ms=node.clock() + 1000)
    node.clock.now += 1000

    for code in (revoked, old):
        assert (await mia.expect_refused(AcceptClubInvitation(mia.id(), code))).code == "bad_invitation"
    assert (await view(lea, club)).invitations == ()


async def test_codes_of_other_clubs_and_guesses_are_refused_and_limited_by_address(node: InMemoryServer) -> None:
    lea, mia = await connect_members(node, "Lea", "Mia")
    guesser = await connect_member(node, "Guesser")
    limits = AttemptLimits(target=RateLimit(8, MS_PER_HOUR), address=RateLimit(8, MS_PER_HOUR))
    node.clubs.service._attempts = AttemptLimiter(Passwords(QUICK_HASHER), limits, node.clock)
    club, other = await open_club(lea), await open_club(mia)
    code, secret = await invite(lea, club), (await invite(mia, other)).rpartition("-")[2]
    wrong = [f"club-{club}-{secret}", f"club-{club}-", "club-", "", "invite-abc", f"club-nowhere-{secret}", f"{club}"]

    async def guess(code: str) -> str:
        return (await guesser.expect_refused(AcceptClubInvitation(guesser.id(), code))).code

    for address in ("192.0.2.1", "192.0.2.2"):
        guesser.session.user.address = address
        assert [await guess(code) for code in wrong] == ["bad_invitation"] * len(wrong)
        codes = [await guess(f"club-{club}-guess{number}") for number in range(6)]
        assert (codes[0], codes[-1]) == ("bad_invitation", "too_many_attempts")
        assert await guess(code) == "too_many_attempts", "the right one is no test of guesses either"
    mia.session.user.address = "198.51.100.1"
    assert (await accept(mia, code)).role == "member", "strangers who guess keep nobody else out"


async def test_removed_member_comes_in_by_no_link_from_before(node: InMemoryServer) -> None:
    lea, mia, ole = await connect_members(node, "Lea", "Mia", "Ole")
    club = await open_club(lea, visibility="private")
    old = await invite(lea, club)
    await accept(mia, old)
    await act(lea, club, RemoveMemberAct(mia.player))
    node.clock.now += 1

    refused = [await mia.expect_refused(kind(mia.id(), old)) for kind in (AcceptClubInvitation, FindClubInvitation)]

    assert [answer.code for answer in refused] == ["invitation_needed"] * 2
    assert (await accept(ole, old)).role == "member"
    assert (await accept(mia, await invite(lea, club))).role == "member"


async def test_only_officers_invite_and_no_code_outlives_the_club(node: InMemoryServer) -> None:
    lea, mia, ole = await connect_members(node, "Lea", "Mia", "Ole")
    club = await open_club(lea)
    await come_in(lea, club, mia)
    code = await invite(lea, club)

    assert (await mia.expect_refused(InviteToClub("i", club))).code == "not_officer"
    await act(lea, club, CloseClubAct())

    assert (await ole.expect_refused(AcceptClubInvitation("a", code))).code == "bad_invitation"
    assert (await lea.expect_refused(InviteToClub("i", club))).code == "club_closed"
    assert await refusal(lea, club, LeaveClubAct()) == "club_closed"
    assert await listed(mia) == []


# ---------------------------------------------------------------- members and roles


async def test_removed_member_of_a_private_club_is_notified_once_and_sees_no_more(node: InMemoryServer) -> None:
    lea, mia = await connect_members(node, "Lea", "Mia")
    club = await open_club(lea, visibility="private")
    await come_in(lea, club, mia)
    await view(mia, club, follow=True)

    await act(lea, club, RemoveMemberAct(mia.player))
    changed = await mia.expect(ClubChanged)
    await act(lea, club, EditClubAct("Secret Club", raw_options(visibility="private")))

    assert changed.club == club
    assert (await mia.expect_refused(GetClub("g", club, follow=True))).code == "unknown_club"
    await act(lea, club, EditClubAct("More Secret Club", raw_options(visibility="private")))
    await listed(mia)
    assert [message for message in mia.messages if isinstance(message, ClubChanged)] == [changed]


async def test_act_done_twice_is_stored_once(node: InMemoryServer) -> None:
    lea, mia = await connect_members(node, "Lea", "Mia")
    club = await open_club(lea, entry="open")
    joined = [await mia.request(ActInClub("join", club, JoinClubAct())) for _ in range(2)]
    left = [await mia.request(ActInClub("leave", club, LeaveClubAct())) for _ in range(2)]

    assert [shown.seq for shown in (*joined, *left) if isinstance(shown, ClubView)] == [2, 2, 3, 3]


async def test_deleted_leader_is_followed_by_the_longest_serving_officer(node: InMemoryServer) -> None:
    lea, oli, mia = await connect_members(node, "Lea", "Oli", "Mia")
    club = await open_club(lea)
    await come_in(lea, club, mia, oli)
    await act(lea, club, GiveRoleAct(oli.player, "officer"))

    await delete_account(lea)

    assert roles(await view(mia, club)) == {mia.player: "member", oli.player: "leader"}
    assert (await act(oli, club, EditClubAct("Oli's Club", raw_options()))).name == "Oli's Club"


async def test_club_of_deleted_accounts_only_is_closed(node: InMemoryServer) -> None:
    lea, stranger = await connect_members(node, "Lea", "Stranger")
    club = await open_club(lea)

    await delete_account(lea)

    shown = await view(stranger, club)
    assert (shown.status, shown.members) == ("closed", ())
    assert await listed(stranger) == []


async def test_season_is_begun_ended_and_kept(node: InMemoryServer) -> None:
    lea, mia = await connect_members(node, "Lea", "Mia")
    club = await open_club(lea)
    await come_in(lea, club, mia)

    begun = await act(lea, club, BeginSeasonAct("Autumn"))
    assert await refusal(mia, club, EndSeasonAct()) == "not_officer"
    ladder = await mia.request(GetClubLadder("l", club))
    ended = await act(lea, club, EndSeasonAct())

    assert isinstance(ladder, ClubLadder)
    assert (ladder.season, ladder.ruleset) == (1, "counting")
    assert {row.player for row in ladder.rows} == {lea.player, mia.player}
    (season,) = ended.seasons
    assert (begun.seasons[0].ended_ms, season.ended_ms, season.standings) == (None, node.clock(), ladder.rows)
    kept = await mia.request(GetClubLadder("k", club, 1))
    assert isinstance(kept, ClubLadder)
    assert (kept.rows, kept.season) == (season.standings, 1)
    assert (await mia.expect_refused(GetClubLadder("n", club, 2))).code == "no_season"
    assert await refusal(lea, club, EndSeasonAct()) == "no_season"
    assert await refusal(lea, club, BeginSeasonAct("Win\nter")) == "bad_club"


async def test_list_goes_on_where_a_page_ends(node: InMemoryServer) -> None:
    lea = await connect_member(node, "Lea")
    for number in range(3):
        node.clock.now += 1
        await lea.request(opening(lea, name=f"Club {number}"))

    first = await lea.request(ListClubs("a", limit=2))
    assert isinstance(first, ClubList)
    second = await lea.request(ListClubs("b", page=first.next_page, limit=2))
    assert isinstance(second, ClubList)

    assert [club.name for club in (*first.clubs, *second.clubs)] == ["Club 2", "Club 1", "Club 0"]
    assert second.next_page is None
    assert (await lea.expect_refused(ListClubs("c", page="nowhere"))).code == "bad_page"


# ---------------------------------------------------------------- nodes


async def two_nodes(database: Database) -> tuple[list[InMemoryServer], InMemoryClient, InMemoryClient]:
    """Return two nodes over one database, and a client of each."""
    bus = LocalBus()
    first = InMemoryServer(database, bus=bus)
    nodes = [first, InMemoryServer(database, clock=first.clock, bus=bus)]
    return nodes, await connect_member(nodes[0], "Lea"), await connect_member(nodes[1], "Mia")


async def test_members_who_join_on_two_nodes_at_once_are_both_in(database: Database) -> None:
    nodes, lea, mia = await two_nodes(database)
    club = await open_club(lea, entry="open")
    ole, ada = await connect_member(nodes[0], "Ole"), await connect_member(nodes[1], "Ada")

    await asyncio.gather(*(act(client, club, JoinClubAct()) for client in (mia, ole, ada)))

    shown = [await view(client, club) for client in (lea, mia)]
    assert shown[0].members == shown[1].members
    assert set(roles(shown[0])) == {client.player for client in (lea, mia, ole, ada)}
    assert shown[0].seq == 4
    for node in nodes:
        await node.matches.close()


async def test_two_leaders_at_once_leave_one(database: Database) -> None:
    nodes, lea, mia = await two_nodes(database)
    club = await open_club(lea)
    await come_in(lea, club, mia)
    ole = await connect_member(nodes[1], "Ole")
    await come_in(lea, club, ole)
    again = await nodes[1].connect_and_greet(lea.token)

    answers = await asyncio.gather(
        lea.request(ActInClub("to mia", club, GiveRoleAct(mia.player, "leader"))),
        again.request(ActInClub("to ole", club, GiveRoleAct(ole.player, "leader"))),
    )

    assert sorted(type(answer).__name__ for answer in answers) == ["ClubView", "Refused"]
    assert sorted(roles(await view(mia, club)).values()) == ["leader", "member", "officer"]
    for node in nodes:
        await node.matches.close()


async def test_change_on_one_node_reaches_those_who_follow_on_another(database: Database) -> None:
    nodes, lea, mia = await two_nodes(database)
    club = await open_club(lea)
    shown = await view(mia, club, follow=True)

    await act(lea, club, EditClubAct("Friday Club", raw_options()))

    assert (await mia.expect(ClubChanged)).seq == shown.seq + 1
    assert (await view(mia, club)).name == "Friday Club"
    for node in nodes:
        await node.matches.close()


async def test_club_is_as_it_was_after_a_restart(database: Database) -> None:
    before = InMemoryServer(database)
    lea, mia = await connect_members(before, "Lea", "Mia")
    club = await open_club(lea)
    code = await invite(lea, club)
    await act(lea, club, BeginSeasonAct("Autumn"))
    shown = await view(lea, club)
    await before.matches.close()

    after = InMemoryServer(database, clock=before.clock)
    again = await after.connect_and_greet(lea.token)
    assert replace(await view(again, club), id="") == replace(shown, id="")
    newcomer = await after.connect_and_greet(mia.token)
    assert (await accept(newcomer, code)).role == "member"
    await after.matches.close()


async def test_connection_that_has_ended_follows_nothing(node: InMemoryServer) -> None:
    lea, mia = await connect_members(node, "Lea", "Mia")
    club = await open_club(lea)
    await view(mia, club, follow=True)

    node.session_context.requests.services.leave(mia.session.user)
    await act(lea, club, CloseClubAct())
    await listed(mia)

    assert not any(isinstance(message, ClubChanged) for message in mia.messages)
