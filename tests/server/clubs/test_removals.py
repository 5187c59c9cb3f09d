"""A club that an operator closes: its texts are gone for everybody, and running nodes tell those who follow it."""

import msgspec
import pytest

from diskwars_protocol.messages.clubs import BeginSeasonAct, CloseClubAct, ClubChanged, EditClubAct, FindClubInvitation
from diskwars_protocol.messages.tournaments import ListTournaments, TournamentList
from diskwars_server.clubs.removals import erase_club
from diskwars_server.community.operators import ActRefused, Operators
from diskwars_server.refusals import Refusal
from diskwars_server.store.database import Database
from tests.server.clubs.club_clients import act, come_in, invite, listed, open_club, raw_options, refusal, view
from tests.server.community.test_operators import make_operators, poller_of
from tests.server.in_memory_server import InMemoryServer
from tests.server.store.test_clubs import opening as stored_opening
from tests.server.tournaments.tournament_clients import connect_member, connect_members
from tests.server.tournaments.tournament_clients import open_tournament as open_cup


async def close(operators: Operators, database: Database, club: str, now: int = 9_000_000) -> int:
    return await operators.close_club(club, "insults", lambda target: erase_club(database, target, lambda: now))


async def test_club_is_closed_once_and_with_its_act(database: Database) -> None:
    await database.clubs.append(stored_opening("c1"))
    operators = await make_operators(database)
    assert await close(operators, database, "c1") == 2
    (closed,) = await database.operator_acts.read_back(1)
    assert (closed.kind, closed.operator, closed.target, closed.detail) == ("close_club", "olga", "c1", "2")
    with pytest.raises(ActRefused) as again:
        await close(operators, database, "c1")
    assert again.value.code == "club_closed"
    with pytest.raises(ActRefused) as unknown:
        await close(operators, database, "c2")
    assert unknown.value.code == "unknown_club"
    with pytest.raises(ActRefused) as stranger:
        await close(Operators(database, lambda: 1, "Ben"), database, "c1")
    assert stranger.value.code == "not_operator"
    assert len(await database.clubs.read("c1")) == 2


async def test_act_that_was_lost_is_stored_by_the_same_call(database: Database) -> None:
    await database.clubs.append(stored_opening("c1"))
    operators = await make_operators(database)
    assert await erase_club(database, "c1", lambda: 9_000_000) == (2, True)
    assert await close(operators, database, "c1") == 2
    assert (await database.operator_acts.read_back(1))[0].kind == "close_club"


async def test_closed_club_shows_nothing_that_people_have_written(node: InMemoryServer) -> None:
    lea, mia, stranger = await connect_members(node, "Lea", "Mia", "Tom")
    await connect_member(node, "Olga")
    await Operators(node.database, node.clock).grant("Olga", "runs the server")
    club = await open_club(lea, name="Rude Club", house_rules="Rude rules")
    await come_in(lea, club, mia)
    code = await invite(lea, club)
    await act(lea, club, BeginSeasonAct("Rude season"))
    cup = await open_cup(lea, club=club)
    poller = poller_of(node)
    await poller.poll()
    await view(mia, club, follow=True)

    await close(Operators(node.database, node.clock, "Olga"), node.database, club, node.clock())
    await poller.poll()

    assert (await mia.expect(ClubChanged)).club == club
    for client in (lea, mia, stranger):
        shown = await view(client, club)
        assert (shown.status, shown.name, shown.options.house_rules) == ("closed", f"Club {club[:4]}", None)
        assert [(season.name, season.ended_ms is not None) for season in shown.seasons] == [("1", True)]
        assert b"Rude" not in msgspec.json.encode(shown)
    assert await listed(lea, mine=True) == []
    assert await refusal(lea, club, EditClubAct("Rude again", raw_options())) == "club_closed"
    assert (await stranger.expect_refused(FindClubInvitation("find", code))).code == "bad_invitation"
    tournaments = await lea.request(ListTournaments("list", club=club))
    assert isinstance(tournaments, TournamentList)
    assert [one.tournament for one in tournaments.tournaments] == [cup]


async def test_club_that_its_leader_has_closed_loses_its_texts_too(node: InMemoryServer) -> None:
    lea = await connect_member(node, "Lea")
    club = await open_club(lea, name="Rude Club")
    await act(lea, club, CloseClubAct())
    assert await erase_club(node.database, club, node.clock) == (3, True)
    assert (await view(lea, club)).name == f"Club {club[:4]}"
    assert await erase_club(node.database, club, node.clock) == (3, False)
    with pytest.raises(Refusal):
        await erase_club(node.database, "elsewhere", node.clock)
