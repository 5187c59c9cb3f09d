"""The contract of clubs, over every database: one writer wins, and lists show what a player may see."""

import asyncio

import pytest
from msgspec.structs import replace

from diskwars_protocol.clubs.events import ClubOpened, ClubRecord, MemberJoined
from diskwars_protocol.clubs.fold import fold_club
from diskwars_protocol.clubs.options import ClubOptions
from diskwars_protocol.clubs.state import Club
from diskwars_protocol.match.ids import PlayerId
from diskwars_server.store.clubs import ClubAppend, list_club, may_see_club
from diskwars_server.store.database import Database
from diskwars_server.store.errors import DuplicateCommand, WrongVersion

NOW = 1_000_000
LEA = PlayerId("lea")


def opening(club: str, *, at_ms: int = NOW, due_ms: int | None = None, private: bool = False) -> ClubAppend:
    """Return the first append of a club of Lea's."""
    options = ClubOptions(visibility="private" if private else "public", house_rules="Be kind — „Tee“ for all")
    record = ClubRecord(1, at_ms, LEA, (ClubOpened("Thursday Club", options, LEA),))
    return ClubAppend(club, record, "open", list_club(fold_club(club, [record])), due_ms)


def joining(state: Club, player: str, *, command: str = "join", due_ms: int | None = None) -> ClubAppend:
    """Return the append with which a player joins."""
    record = ClubRecord(state.seq + 1, NOW + 1, PlayerId(player), (MemberJoined(PlayerId(player)),))
    return ClubAppend(state.club, record, command, list_club(fold_club(state.club, [record], state)), due_ms)


async def stored(database: Database, club: str) -> Club:
    return fold_club(club, await database.clubs.read(club))


async def names(database: Database, viewer: str, **wanted: object) -> list[str]:
    return [listing.club for listing in await database.clubs.list_clubs(viewer, 10, **wanted)]  # type: ignore[arg-type]


async def test_records_are_read_as_they_were_stored(database: Database) -> None:
    first = opening("c1")
    await database.clubs.append(first)
    second = joining(await stored(database, "c1"), "mia")
    await database.clubs.append(second)

    assert await database.clubs.read("c1") == [first.record, second.record]
    assert await database.clubs.read("c1", 1) == [second.record]
    assert await database.clubs.read("c2") == []
    assert await database.clubs.read("c\0") == []


async def test_of_two_writers_one_wins_and_the_other_changes_nothing(database: Database) -> None:
    await database.clubs.append(opening("c1"))
    state = await stored(database, "c1")
    both = joining(state, "mia"), joining(state, "max")

    outcomes = await asyncio.gather(*(database.clubs.append(each) for each in both), return_exceptions=True)

    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["NoneType", "WrongVersion"]
    (listing,) = await database.clubs.list_clubs("lea", 10)
    assert set(listing.members) == {member.player for member in (await stored(database, "c1")).members}
    assert len(listing.members) == 2


async def test_command_of_an_actor_is_stored_once(database: Database) -> None:
    await database.clubs.append(opening("c1"))
    await database.clubs.append(joining(await stored(database, "c1"), "mia"))

    with pytest.raises(DuplicateCommand):
        await database.clubs.append(joining(await stored(database, "c1"), "mia"))
    with pytest.raises(WrongVersion):
        await database.clubs.append(opening("c1"))

    assert (await stored(database, "c1")).seq == 2


async def test_stored_command_is_found_by_its_actor(database: Database) -> None:
    await database.clubs.append(opening("c1"))
    wanted = [("c1", "lea", "open"), ("c2", "lea", "open"), ("c1", "mia", "open"), ("c1", "lea", "op\0en")]
    assert [await database.clubs.has_command(*command) for command in wanted] == [True, False, False, False]


async def test_private_club_is_listed_for_its_members_only(database: Database) -> None:
    await database.clubs.append(opening("c1", private=True))
    await database.clubs.append(opening("c2", at_ms=NOW + 1))
    await database.clubs.append(joining(await stored(database, "c1"), "mia"))

    assert await names(database, "lea") == ["c2", "c1"]
    assert await names(database, "mia") == ["c2", "c1"]
    assert await names(database, "stranger") == ["c2"]
    for viewer in ("lea", "mia", "stranger"):
        states = [await stored(database, club) for club in ("c2", "c1")]
        assert await names(database, viewer) == [state.club for state in states if may_see_club(state, viewer)]
    assert await names(database, "mia", is_own=True) == ["c1"]
    assert await database.clubs.count_own("lea") == 2
    assert await database.clubs.count_own("stranger") == 0


async def test_club_that_becomes_private_or_closes_leaves_the_lists(database: Database) -> None:
    await database.clubs.append(opening("c1"))
    append = joining(await stored(database, "c1"), "mia")
    await database.clubs.append(replace(append, listing=replace(append.listing, is_public=False)))
    assert await names(database, "stranger") == []
    append = joining(await stored(database, "c1"), "max")

    await database.clubs.append(replace(append, listing=replace(append.listing, status="closed")))

    assert await names(database, "lea") == []
    assert await database.clubs.count_own("lea") == 0


async def test_listings_are_found_by_their_clubs_private_and_closed_ones_too(database: Database) -> None:
    await database.clubs.append(opening("c1", private=True))
    await database.clubs.append(opening("c2"))
    append = joining(await stored(database, "c2"), "mia")
    await database.clubs.append(replace(append, listing=replace(append.listing, status="closed")))

    found = await database.clubs.find_listings(["c1", "c2", "c1", "nowhere", "c\0"])

    assert {(listing.club, listing.is_public, listing.status) for listing in found} == {
        ("c1", False, "open"),
        ("c2", True, "closed"),
    }
    assert len(found) == 2
    assert await database.clubs.find_listings([]) == []


async def test_list_goes_on_after_the_last_one_known(database: Database) -> None:
    for number in range(3):
        await database.clubs.append(opening(f"c{number}"))

    assert await names(database, "mia") == ["c2", "c1", "c0"]
    assert await names(database, "mia", before=(NOW, "c1")) == ["c0"]


async def test_club_that_is_due_is_claimed_by_one_until_it_is_settled(database: Database) -> None:
    await database.clubs.append(opening("later", due_ms=NOW + 5))
    await database.clubs.append(opening("sooner", due_ms=NOW - 5))
    await database.clubs.append(opening("never"))

    assert await database.clubs.claim_due(NOW, 10, 1000) == ["sooner"]
    assert await database.clubs.claim_due(NOW + 1, 10, 1000) == []
    await database.clubs.settle("sooner", NOW + 1000, None)
    assert await database.clubs.claim_due(NOW + 2000, 10, 1000) == ["later"]
