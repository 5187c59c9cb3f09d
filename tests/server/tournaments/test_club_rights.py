"""Tournaments of clubs: officers open them, members enter them, and strangers of a private club see none."""

import pytest

from diskwars_protocol.messages.clubs import GiveRoleAct, LeaveClubAct
from diskwars_protocol.messages.tournaments import EnterAct, EnterBotAct, WithdrawAct
from tests.server.clubs.club_clients import act as act_in_club
from tests.server.clubs.club_clients import come_in, open_club
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


@pytest.mark.parametrize(("packs", "place"), [(None, None), (["core"], None), (["other"], "$.options.template.packs")])
async def test_tournament_has_the_packs_of_its_club(
    node: InMemoryServer, packs: list[str] | None, place: str | None
) -> None:
    (lea,) = await connect_members(node, "Lea")
    club = await open_club(lea, packs=["core"])
    template = {"ruleset": "counting", "settings": {"rounds": 1}, **({} if packs is None else {"packs": packs})}

    refused = await lea.expect_refused(opening(lea, club=club, template=template))

    # This server has no packs: that of the club gets as far as the opening of matches.
    assert (refused.code, refused.place) == (("bad_tournament", place) if place else ("unknown_pack", refused.place))
    assert refused.place


async def test_bots_enter_tournaments_of_a_club_too(node: InMemoryServer) -> None:
    (lea,) = await connect_members(node, "Lea")
    tournament = await open_tournament(lea, club=await open_club(lea), bots=True)
    assert await refusal(lea, tournament, EnterBotAct("random")) == "unknown_bot"
