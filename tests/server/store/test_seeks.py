"""The contract of seeks, over every database: who seeks the same is paired, once."""

import asyncio

import pytest

from diskwars_server.store.database import Database
from diskwars_server.store.seeks import ALIVE_MS, FOUND_MS, StoredSeek, order_players

NOW = 1_000_000


async def seek(
    database: Database, player: str, sought: str = "chess", *, seats: int = 2, now: int = NOW, command: str = "one"
) -> StoredSeek:
    wanted = StoredSeek(player, command, sought, now, now + ALIVE_MS)
    stored = await database.seeks.seek(wanted, seats, f"match for {player}", now)
    assert stored is not None
    return stored


async def test_two_players_who_seek_the_same_are_paired(database: Database) -> None:
    assert not (await seek(database, "ann")).match
    paired = await seek(database, "ben")
    assert paired.match == "match for ben"
    assert paired.players == order_players(paired.match, ["ann", "ben"])
    stored = await database.seeks.find("ann", NOW)
    assert stored is not None
    assert (stored.match, stored.players) == (paired.match, paired.players)


async def test_players_who_seek_different_matches_are_not_paired(database: Database) -> None:
    assert [(await seek(database, name, name)).match for name in ("ann", "ben", "cid")] == ["", "", ""]


async def test_oldest_seeks_are_paired_first(database: Database) -> None:
    for name, since in (("late", 3), ("early", 1), ("middle", 2)):
        assert not (await seek(database, name, seats=4, now=NOW + since)).match
    wanted = StoredSeek("ann", "one", "chess", NOW + 4, NOW + 4 + ALIVE_MS)
    paired = await database.seeks.seek(wanted, 3, "m", NOW + 4)
    assert paired is not None
    assert set(paired.players) == {"early", "middle", "ann"}


async def test_three_seats_wait_for_three_players(database: Database) -> None:
    assert [(await seek(database, name, seats=3)).match for name in ("ann", "ben")] == ["", ""]
    assert set((await seek(database, "cid", seats=3)).players) == {"ann", "ben", "cid"}


async def test_player_who_asks_no_more_is_paired_with_nobody(database: Database) -> None:
    await seek(database, "gone")
    assert not (await seek(database, "ann", now=NOW + ALIVE_MS)).match
    assert await database.seeks.find("gone", NOW + ALIVE_MS) is None


async def test_renewal_keeps_the_time_of_the_search_and_another_command_begins_a_new_one(database: Database) -> None:
    await seek(database, "ann")
    renewed = await seek(database, "ann", now=NOW + 5)
    assert (renewed.since_ms, renewed.alive_until_ms) == (NOW, NOW + 5 + ALIVE_MS)
    again = await seek(database, "ann", "draughts", now=NOW + 6, command="two")
    assert (again.since_ms, again.sought, again.command) == (NOW + 6, "draughts", "two")


async def test_match_that_was_found_is_remembered_for_a_while(database: Database) -> None:
    await seek(database, "ann")
    paired = await seek(database, "ben")
    assert (await seek(database, "ann", now=NOW + FOUND_MS - 1)).match == paired.match
    assert not (await seek(database, "ann", now=NOW + FOUND_MS)).match


async def test_player_who_stops_is_paired_with_nobody(database: Database) -> None:
    await seek(database, "ann")
    await database.seeks.remove("ann")
    await database.seeks.remove("nobody")
    assert not (await seek(database, "ben")).match


async def test_of_many_who_come_at_once_each_gets_one_match(database: Database) -> None:
    names = [f"player {number}" for number in range(9)]
    await asyncio.gather(*(seek(database, name) for name in names))
    seeks = [await database.seeks.find(name, NOW) for name in names]
    matches = [kept.match for kept in seeks if kept is not None and kept.match]
    assert len(matches) == 8
    assert sorted(matches.count(match) for match in set(matches)) == [2, 2, 2, 2]
    for kept in seeks:
        assert kept is not None
        assert not kept.match or kept.player in kept.players


async def test_more_than_the_limit_seek_nothing(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    module = type(database.seeks).__module__
    monkeypatch.setattr(f"{module}.MAX_SEEKS", 1)
    await seek(database, "ann")
    assert await database.seeks.seek(StoredSeek("ben", "one", "draughts", NOW, NOW + 9), 2, "m", NOW) is None
    assert (await seek(database, "ann", now=NOW + 1)).since_ms == NOW, "a renewal needs no room"


def test_seats_go_by_lot() -> None:
    orders = {order_players(f"match {number}", ["ann", "ben"]) for number in range(20)}
    assert orders == {("ann", "ben"), ("ben", "ann")}
