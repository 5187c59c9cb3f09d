"""Tournaments of clubs: officers open them, members enter them, and strangers of a private club see none."""

import pytest

from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.messages.clubs import ActInClub, EditClubAct, GiveRoleAct, LeaveClubAct, RemoveMemberAct
from diskwars_protocol.messages.tournaments import (
    AddOrganiserAct,
    CancelAct,
    EnterAct,
    EnterBotAct,
    PairRoundAct,
    WithdrawAct,
)
from diskwars_server.store.database import Database
from tests.server.clubs.club_clients import act as act_in_club
from tests.server.clubs.club_clients import come_in, open_club, raw_options
from tests.server.clubs.club_clients import opening as opening_of_club
from tests.server.counting_ruleset import CountingRules
from tests.server.in_memory_server import InMemoryClient, InMemoryServer
from tests.server.tournaments.tournament_clients import (
    act,
    connect_members,
    listed,
    open_tournament,
    opening,
    refusal,
    view,
)


async def names(client: InMemoryClient, **wanted: object) -> list[str]:
    return [shown.tournament for shown in (await listed(client, **wanted)).tournaments]


async def test_officers_open_tournaments_of_their_club_and_members_enter_them(node: InMemoryServer) -> None:
    lea, oli, mia, stranger = await connect_members(node, "Lea", "Oli", "Mia", "Stranger")
    club = await open_club(lea)
    await come_in(lea, club, oli, mia)
    await act_in_club(lea, club, GiveRoleAct(oli.player, "officer"))

    tournament = await open_tournament(oli, club=club)
    assert (await mia.expect_refused(opening(mia, club=club))).code == "not_officer"
    assert (await stranger.expect_refused(opening(stranger, club=club))).code == "unknown_club"
    assert (await lea.expect_refused(opening(lea, club="nowhere"))).place == "$.options.club"
    assert await refusal(stranger, tournament, EnterAct()) == "not_member"
    assert (await act(mia, tournament, EnterAct())).entrant == 1

    await act_in_club(mia, club, LeaveClubAct())
    await act(mia, tournament, WithdrawAct())
    assert await refusal(mia, tournament, EnterAct()) == "not_member"
    assert (await view(mia, tournament)).tournament.options.club == club


async def test_tournaments_of_ones_clubs_are_listed(node: InMemoryServer) -> None:
    lea, mia, stranger = await connect_members(node, "Lea", "Mia", "Stranger")
    club, other = await open_club(lea), await open_club(lea)
    await come_in(lea, club, mia)
    hidden = await open_tournament(lea, club=club, visibility="link")
    node.clock.now += 1
    public = await open_tournament(lea, club=other)
    node.clock.now += 1
    await open_tournament(lea)

    assert await names(mia, clubs=True) == [hidden]
    assert await names(lea, clubs=True) == [public, hidden]
    assert await names(mia, club=other) == [public]
    assert await names(stranger, club=club) == []
    assert await names(stranger, clubs=True) == []
    (shown,) = (await listed(mia, club=club)).tournaments
    assert shown.club == club


async def test_tournament_of_a_private_club_is_by_link(node: InMemoryServer) -> None:
    (lea,) = await connect_members(node, "Lea")
    club = await open_club(lea, visibility="private")

    refused = await lea.expect_refused(opening(lea, club=club))

    assert (refused.code, refused.place) == ("bad_tournament", "$.options.visibility")
    assert await open_tournament(lea, club=club, visibility="link")


def with_packs(*ids: str) -> CountingRules:
    """Return rules with content packs, the first of which is their own."""
    rules = CountingRules()
    rules.packs = tuple(Pack(id, "1", "00" * 32) for id in ids)
    return rules


@pytest.mark.parametrize("ruleset", ["counting", "adding"])
async def test_tournament_has_those_packs_of_its_club_that_its_game_has(database: Database, ruleset: str) -> None:
    games = {
        "counting": with_packs("counting/core", "counting/more"),
        "adding": with_packs("adding/core", "adding/more"),
    }
    node = InMemoryServer(database, rulesets=games)
    (lea,) = await connect_members(node, "Lea")
    club = await open_club(lea, packs=["counting/more", "adding/more"])
    template = {"ruleset": ruleset, "settings": {"rounds": 1}}

    shown = await view(lea, await open_tournament(lea, club=club, template=template))
    others = await lea.expect_refused(opening(lea, club=club, template={**template, "packs": [f"{ruleset}/core"]}))

    assert shown.tournament.options.template.packs == (f"{ruleset}/more",)
    assert (others.code, others.place) == ("bad_tournament", "$.options.template.packs")
    await node.matches.close()


async def test_club_names_packs_that_the_server_has_or_had_when_it_named_them(database: Database) -> None:
    before = InMemoryServer(database, rulesets={"counting": with_packs("counting/core", "counting/more")})
    (lea,) = await connect_members(before, "Lea")
    club = await open_club(lea, packs=["counting/more"])
    after = InMemoryServer(database, clock=before.clock)
    again = await after.connect_and_greet(lea.token)

    kept = await act_in_club(again, club, EditClubAct("Friday Club", raw_options(packs=["counting/more"])))
    edit = EditClubAct("Friday Club", raw_options(packs=["counting/more", "counting/extra"]))
    edited = await again.expect_refused(ActInClub("e", club, edit))
    opened = await again.expect_refused(opening_of_club(again, packs=["counting/more"]))

    assert kept.options.packs == ("counting/more",)
    assert (edited.code, edited.place) == ("unknown_pack", "$.act.options.packs[1]")
    assert (opened.code, opened.place) == ("unknown_pack", "$.options.packs[0]")
    for node in (before, after):
        await node.matches.close()


async def test_leader_and_officers_of_the_club_organise_and_nobody_who_is_out_of_it(node: InMemoryServer) -> None:
    lea, oli, mia, stranger = await connect_members(node, "Lea", "Oli", "Mia", "Stranger")
    club = await open_club(lea)
    await come_in(lea, club, oli, mia)
    await act_in_club(lea, club, GiveRoleAct(oli.player, "officer"))
    tournament = await open_tournament(oli, club=club)

    assert await refusal(oli, tournament, AddOrganiserAct("Stranger")) == "not_member"
    await act(oli, tournament, AddOrganiserAct("Mia"))
    assert (await view(mia, tournament)).is_organiser
    await act(mia, tournament, EnterAct())
    for removed in (oli, mia):
        await act_in_club(lea, club, RemoveMemberAct(removed.player))

    for removed in (oli, mia):
        assert not (await view(removed, tournament)).is_organiser
        assert await refusal(removed, tournament, CancelAct()) == "not_organiser"
    assert await refusal(oli, tournament, WithdrawAct(1)) == "not_organiser"
    assert await refusal(oli, tournament, PairRoundAct()) == "not_organiser"
    assert await refusal(oli, tournament, AddOrganiserAct("Stranger")) == "not_organiser"
    assert (await view(lea, tournament)).is_organiser
    await act(lea, tournament, WithdrawAct(1))
    assert (await act(lea, tournament, CancelAct("rain"))).tournament.status == "cancelled"
    assert not (await view(stranger, tournament)).is_organiser


async def test_organiser_goes_on_after_a_club_that_is_empty(node: InMemoryServer) -> None:
    (lea,) = await connect_members(node, "Lea")
    club = await open_club(lea)
    tournament = await open_tournament(lea, club=club)

    await act_in_club(lea, club, LeaveClubAct())

    assert (await act(lea, tournament, CancelAct())).tournament.status == "cancelled"


async def test_club_that_becomes_private_is_in_no_tournament_that_strangers_see(node: InMemoryServer) -> None:
    lea, stranger = await connect_members(node, "Lea", "Stranger")
    club = await open_club(lea)
    tournament = await open_tournament(lea, club=club)
    (public,) = (await listed(stranger, club=club)).tournaments
    assert public.club == club

    await act_in_club(lea, club, EditClubAct("Secret Club", raw_options(visibility="private")))

    assert (await listed(stranger, club=club)).tournaments == ()
    shown = {client.player: (await listed(client)).tournaments for client in (lea, stranger)}
    assert {player: [row.club for row in rows] for player, rows in shown.items()} == {
        lea.player: [club],
        stranger.player: [None],
    }
    assert (await view(stranger, tournament)).tournament.options.club is None
    assert (await view(lea, tournament)).tournament.options.club == club


async def test_bots_enter_tournaments_of_a_club_too(node: InMemoryServer) -> None:
    (lea,) = await connect_members(node, "Lea")
    tournament = await open_tournament(lea, club=await open_club(lea), bots=True)
    assert await refusal(lea, tournament, EnterBotAct("random")) == "unknown_bot"
