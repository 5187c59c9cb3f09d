"""A tournament that an operator cancels: its name and notes are gone for everybody, and its results stay."""

import msgspec
import pytest

from diskwars_protocol.messages.tournaments import CancelAct, CorrectResultAct, TournamentChanged
from diskwars_server.community.operators import ActRefused, Operators
from diskwars_server.store.database import Database
from diskwars_server.tournaments.removals import erase_tournament
from tests.server.community.test_operators import make_operators, poller_of
from tests.server.in_memory_server import InMemoryServer
from tests.server.store.test_tournaments import opening as stored_opening
from tests.server.tournaments.tournament_clients import (
    act,
    begin,
    boards_of,
    connect_member,
    connect_members,
    listed,
    open_tournament,
    run,
    view,
)


async def cancel(operators: Operators, database: Database, tournament: str, now: int = 9_000_000) -> int:
    return await operators.cancel_tournament(
        tournament, "insults", lambda target: erase_tournament(database, target, lambda: now)
    )


async def test_tournament_is_cancelled_once_and_with_its_act(database: Database) -> None:
    await database.tournaments.append(stored_opening("t1"))
    operators = await make_operators(database)
    assert await cancel(operators, database, "t1") == 2
    (done,) = await database.operator_acts.read_back(1)
    assert (done.kind, done.target, done.detail) == ("cancel_tournament", "t1", "2")
    for tournament, code in (("t1", "tournament_cancelled"), ("t2", "unknown_tournament")):
        with pytest.raises(ActRefused) as refused:
            await cancel(operators, database, tournament)
        assert refused.value.code == code


async def test_follower_is_notified_and_nobody_reads_name_or_note_any_more(node: InMemoryServer) -> None:
    organiser, pavel = await connect_members(node, "Olga", "Pavel")
    await Operators(node.database, node.clock).grant("Olga", "runs the server")
    tournament = await open_tournament(organiser, name="Rude Cup")
    await act(organiser, tournament, CancelAct("Rude note"))
    poller = poller_of(node)
    await poller.poll()
    await view(pavel, tournament, follow=True)

    assert await cancel(Operators(node.database, node.clock, "Olga"), node.database, tournament, node.clock()) == 3
    await poller.poll()

    assert (await pavel.expect(TournamentChanged)).tournament == tournament
    shown = await view(pavel, tournament)
    assert (shown.tournament.name, shown.tournament.status) == (f"Tournament {tournament[:4]}", "cancelled")
    assert b"Rude" not in msgspec.json.encode([shown, await listed(organiser, over=True, mine=True)])


async def test_tournament_that_has_ended_keeps_its_results_and_shows_no_later_note(node: InMemoryServer) -> None:
    organiser, *players = await connect_members(node, "Olga", "Pavel", "Anneke")
    tournament = await begin(organiser, players, name="Rude Cup", rounds=1)
    await run(node)
    board = boards_of(await view(organiser, tournament))[0]
    await act(organiser, tournament, CorrectResultAct(1, board.number, (2, 0), "Rude note"))
    await run(node)
    ended = (await view(organiser, tournament)).tournament
    assert ended.status == "ended"

    assert (await erase_tournament(node.database, tournament, node.clock))[1]
    shown = (await view(organiser, tournament)).tournament
    assert (shown.status, shown.ranking, shown.ended_ms) == ("ended", ended.ranking, ended.ended_ms)
    assert b"Rude" not in msgspec.json.encode(shown)
    await act(organiser, tournament, CorrectResultAct(1, board.number, (0, 2), "Rude again"))
    corrected = (await view(organiser, tournament)).tournament
    result = corrected.rounds[0].boards[board.number - 1].result
    assert result is not None
    assert result.half_points == (0, 2)
    assert b"Rude" not in msgspec.json.encode(corrected)
    assert (await erase_tournament(node.database, tournament, node.clock))[1] is False


async def test_cancelled_tournament_is_listed_under_its_id(node: InMemoryServer) -> None:
    organiser = await connect_member(node, "Olga")
    tournament = await open_tournament(organiser, name="Rude Cup")
    await erase_tournament(node.database, tournament, node.clock)
    page = await listed(organiser, over=True)
    assert [one.name for one in page.tournaments] == [f"Tournament {tournament[:4]}"]
