"""The contract of tournaments, over every database: one writer wins, and lists show what a player may see."""

import asyncio

import pytest
from msgspec.structs import replace

from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.tournaments.events import EntrantEntered, TournamentRecord
from diskwars_protocol.tournaments.fold import fold_tournament
from diskwars_protocol.tournaments.state import Tournament
from diskwars_server.store.database import Database
from diskwars_server.store.errors import DuplicateCommand, WrongVersion
from diskwars_server.store.tournaments import TournamentAppend, list_tournament
from tests.server.tournaments.played_tournaments import PlayedTournament, options_of

NOW = 1_000_000


def opening(tournament: str, *, at_ms: int = NOW, due_ms: int | None = None, **options: object) -> TournamentAppend:
    """Return the first append of a tournament of Olga's."""
    record = replace(PlayedTournament(options_of("swiss", **options)).records[0], at_ms=at_ms)
    listing = list_tournament(fold_tournament(tournament, [record]))
    return TournamentAppend(tournament, record, "open", listing, due_ms)


def entry(state: Tournament, player: str, *, command: str = "enter", due_ms: int | None = None) -> TournamentAppend:
    """Return the append with which a player enters."""
    entered = EntrantEntered(len(state.entrants) + 1, PlayerId(player))
    record = TournamentRecord(state.seq + 1, NOW + 1, PlayerId(player), (entered,))
    after = fold_tournament(state.tournament, [record], state)
    return TournamentAppend(state.tournament, record, command, list_tournament(after), due_ms)


async def stored(database: Database, tournament: str) -> Tournament:
    return fold_tournament(tournament, await database.tournaments.read(tournament))


async def names(database: Database, viewer: str, **wanted: object) -> list[str]:
    listed = await database.tournaments.list_tournaments(viewer, ("open", "running"), 10, **wanted)  # type: ignore[arg-type]
    return [listing.tournament for listing in listed]


async def test_records_are_read_as_they_were_stored(database: Database) -> None:
    first = opening("t1")
    await database.tournaments.append(first)
    second = entry(await stored(database, "t1"), "pavel")
    await database.tournaments.append(second)

    assert await database.tournaments.read("t1") == [first.record, second.record]
    assert await database.tournaments.read("t1", 1) == [second.record]
    assert await database.tournaments.read("t2") == []


async def test_of_two_writers_one_wins_and_the_other_changes_nothing(database: Database) -> None:
    await database.tournaments.append(opening("t1"))
    state = await stored(database, "t1")
    both = entry(state, "pavel"), entry(state, "anneke")

    outcomes = await asyncio.gather(*(database.tournaments.append(each) for each in both), return_exceptions=True)

    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["NoneType", "WrongVersion"]
    assert len((await stored(database, "t1")).entrants) == 1
    (listing,) = await database.tournaments.list_tournaments("olga", ("open",), 10)
    assert listing.entrants == 1


async def test_command_of_an_actor_is_stored_once(database: Database) -> None:
    await database.tournaments.append(opening("t1"))
    await database.tournaments.append(entry(await stored(database, "t1"), "pavel"))

    with pytest.raises(DuplicateCommand):
        await database.tournaments.append(entry(await stored(database, "t1"), "pavel"))
    with pytest.raises(WrongVersion):
        await database.tournaments.append(opening("t1"))

    assert (await stored(database, "t1")).seq == 2


async def test_stored_command_is_found_by_its_actor(database: Database) -> None:
    await database.tournaments.append(opening("t1"))
    wanted = [("t1", "olga", "open"), ("t2", "olga", "open"), ("t1", "mia", "open"), ("t1", "olga", "op\0en")]
    assert [await database.tournaments.has_command(*command) for command in wanted] == [True, False, False, False]


async def test_tournament_by_link_is_listed_for_its_people_only(database: Database) -> None:
    await database.tournaments.append(opening("t1", at_ms=NOW, visibility="link"))
    await database.tournaments.append(opening("t2", at_ms=NOW + 1))
    await database.tournaments.append(entry(await stored(database, "t1"), "pavel"))

    assert await names(database, "olga") == ["t2", "t1"]
    assert await names(database, "pavel") == ["t2", "t1"]
    assert await names(database, "stranger") == ["t2"]
    assert await names(database, "pavel", is_own=True) == ["t1"]
    assert await names(database, "stranger", is_own=True) == []


async def test_tournaments_of_clubs_are_listed_by_club_and_members_see_those_by_link(database: Database) -> None:
    await database.tournaments.append(opening("t1", visibility="link", club="c1"))
    await database.tournaments.append(opening("t2", at_ms=NOW + 1, club="c1"))
    await database.tournaments.append(opening("t3", at_ms=NOW + 2, club="c2"))
    await database.tournaments.append(opening("t4", at_ms=NOW + 3))

    assert await names(database, "mia", clubs=["c1"], is_member=True) == ["t2", "t1"]
    assert await names(database, "mia", clubs=["c1"]) == ["t2"]
    assert await names(database, "mia", clubs=["c1", "c2"], is_member=True) == ["t3", "t2", "t1"]
    assert await names(database, "olga", clubs=["c2"], is_own=True) == ["t3"]
    assert await names(database, "mia", clubs=[], is_member=True) == []
    assert await names(database, "mia") == ["t4", "t3", "t2"]


async def test_list_goes_on_after_the_last_one_known(database: Database) -> None:
    for number in range(3):
        await database.tournaments.append(opening(f"t{number}", at_ms=NOW))

    assert await names(database, "pavel") == ["t2", "t1", "t0"]
    assert await names(database, "pavel", before=(NOW, "t1")) == ["t0"]
    assert await database.tournaments.list_tournaments("pavel", ("ended",), 10) == []


async def test_unfinished_tournaments_of_an_organiser_are_counted(database: Database) -> None:
    await database.tournaments.append(opening("t1"))
    over = opening("t2")
    await database.tournaments.append(replace(over, listing=replace(over.listing, status="ended")))

    assert await database.tournaments.count_unfinished("olga") == 1
    assert await database.tournaments.count_unfinished("pavel") == 0


async def test_tournament_that_is_due_is_claimed_by_one(database: Database) -> None:
    await database.tournaments.append(opening("later", due_ms=NOW + 5))
    await database.tournaments.append(opening("sooner", due_ms=NOW - 5))
    await database.tournaments.append(opening("never"))

    assert await database.tournaments.claim_due(NOW, 10, 1000) == ["sooner"]
    assert await database.tournaments.claim_due(NOW + 10, 10, 1000) == ["later"]
    assert await database.tournaments.claim_due(NOW + 999, 10, 1000) == []
    assert await database.tournaments.claim_due(NOW + 1000, 10, 1000) == ["sooner"]


async def test_settled_claim_is_due_at_its_next_time_unless_something_was_stored(database: Database) -> None:
    for name in ("t1", "t2"):
        await database.tournaments.append(opening(name, due_ms=NOW))
    assert await database.tournaments.claim_due(NOW, 10, 1000) == ["t1", "t2"]
    await database.tournaments.append(entry(await stored(database, "t2"), "pavel", due_ms=NOW + 1))

    for name in ("t1", "t2"):
        await database.tournaments.settle(name, NOW + 1000, NOW + 500)

    assert await database.tournaments.claim_due(NOW + 1, 10, 1000) == ["t2"]
    assert await database.tournaments.claim_due(NOW + 500, 10, 1000) == ["t1"]


async def test_settled_for_ever_is_never_due(database: Database) -> None:
    await database.tournaments.append(opening("t1", due_ms=NOW))
    await database.tournaments.claim_due(NOW, 10, 1000)

    await database.tournaments.settle("t1", NOW + 1000, None)

    assert await database.tournaments.claim_due(NOW + 10**9, 10, 1000) == []
