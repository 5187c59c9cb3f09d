"""The contract of the port that keeps accounts and devices, over every database."""

import asyncio

import pytest
from msgspec.structs import replace

from diskwars_protocol.match.match_options import MatchOptions
from diskwars_server.store.accounts import (
    GUEST_NAME_MS,
    MAX_DEVICES_PER_PLAYER,
    MAX_FORMER_NAMES,
    MAX_REMOVED_GUEST_NAMES,
    RESERVED_NAME_MS,
    RecoverySecret,
    StoredAccount,
    StoredDevice,
)
from diskwars_server.store.database import Database
from diskwars_server.store.errors import NameTaken, StoreUnavailable
from diskwars_server.store.postgres.database import PostgresDatabase
from tests.server.conftest import TRUNCATE_SQL, MakeDatabase, run_sql
from tests.server.stored_samples import make_append, make_listing

ANN = StoredAccount("ann-id", "Ann", "ann", "hash 1", 1_000)
BEN = StoredAccount("ben-id", "Ben ☠", "ben", "hash 2", 2_000)


def device(number: int, player: str = "ann-id", used: int = 0) -> StoredDevice:
    return StoredDevice(player, f"d{number:02}", f"{player} {number}".encode(), 1_000, used or 1_000 + number, "phone")


async def register_both(database: Database) -> None:
    assert await database.accounts.register(ANN, device(1))
    assert await database.accounts.register(BEN, device(1, "ben-id"))


async def device_ids(database: Database, player: str = "ann-id") -> list[str]:
    return [stored.device for stored in await database.accounts.list_devices(player)]


async def test_registered_account_is_found_by_player_name_and_token(database: Database) -> None:
    await register_both(database)
    accounts = database.accounts
    assert await accounts.find_player("ann-id") == ANN
    assert await accounts.find_name("ben") == BEN
    assert await accounts.find_token(b"ann-id 1") == (ANN, device(1))
    assert await accounts.find_players(["ben-id", "nobody", "ann-id"]) == {"ann-id": ANN, "ben-id": BEN}


async def test_scopes_of_a_token_are_kept(database: Database) -> None:
    await register_both(database)
    token = replace(device(2), scopes=("open", "watch"))
    assert await database.accounts.add_device(token, ANN.password_hash)
    assert await database.accounts.find_token(token.token_hash) == (ANN, token)
    assert [stored.scopes for stored in await database.accounts.list_devices("ann-id")] == [("open", "watch"), ()]


@pytest.mark.parametrize("text", ["nobody", "", "no\0body", "\ud800", "'; drop table accounts; --"])
async def test_what_is_not_there_is_not_found(database: Database, text: str) -> None:
    await register_both(database)
    accounts = database.accounts
    assert await accounts.find_player(text) is None
    assert await accounts.find_players([text]) == {}
    assert await accounts.find_token(text.encode("utf-8", "surrogatepass")) is None
    assert await accounts.list_devices("nobody") == []
    assert not await accounts.remove_device("ann-id", text)
    assert await accounts.find_players([]) == {}


async def test_player_registers_once_and_a_name_is_taken_once(database: Database) -> None:
    await register_both(database)
    again = replace(ANN, name="Other", name_key="other")
    assert not await database.accounts.register(again, device(2))
    with pytest.raises(NameTaken):
        await database.accounts.register(replace(ANN, player="eve-id"), device(1, "eve-id"))
    assert await database.accounts.find_player("eve-id") is None
    assert await database.accounts.find_token(b"eve-id 1") is None
    assert await device_ids(database) == ["d01"]


async def test_of_players_who_want_one_name_at_once_one_gets_it(make_database: MakeDatabase) -> None:
    async with make_database() as one, make_database() as other:
        wanted = [replace(ANN, player=f"p{number}") for number in range(8)]
        outcomes = await asyncio.gather(
            *(
                (one, other)[number % 2].accounts.register(account, device(1, account.player))
                for number, account in enumerate(wanted)
            ),
            return_exceptions=True,
        )
        assert sorted(map(repr, map(type, outcomes))) == sorted([repr(bool)] + [repr(NameTaken)] * 7)


async def test_rename_reserves_the_old_name_and_refuses_a_taken_one(database: Database) -> None:
    await register_both(database)
    accounts = database.accounts
    with pytest.raises(NameTaken):
        await accounts.rename("ann-id", "Ben", "ben", now=5_000, not_since=4_000)
    assert await accounts.find_player("ann-id") == ANN
    assert await accounts.rename("ann-id", "Anna", "anna", now=5_000, not_since=4_000)
    assert await accounts.find_player("ann-id") == replace(ANN, name="Anna", name_key="anna", renamed_ms=5_000)
    assert await accounts.find_name("ann") is None
    for now in (5_000, 5_000 + RESERVED_NAME_MS - 1):
        with pytest.raises(NameTaken):
            await accounts.rename("ben-id", "Ann", "ann", now=now, not_since=4_000)
        with pytest.raises(NameTaken):
            await accounts.register(StoredAccount("eve-id", "Ann", "ann", "hash 3", now), device(1, "eve-id"))
        with pytest.raises(NameTaken):
            await accounts.name_guest("guest", "Ann", "ann", now)
        assert (await accounts.find_former_name("ann", now)) == await accounts.find_player("ann-id")
    assert await accounts.find_player("eve-id") is None
    free = 5_000 + RESERVED_NAME_MS
    assert await accounts.find_former_name("ann", free) is None
    assert await accounts.rename("ben-id", "Ann", "ann", now=free, not_since=4_000)
    assert not await accounts.rename("ann-id", "Anne", "anne", now=6_000, not_since=4_999)
    assert await accounts.rename("ann-id", "Anne", "anne", now=6_000, not_since=5_000)
    assert not await accounts.rename("nobody", "Eve", "eve", now=1, not_since=1)


async def test_last_former_names_are_kept_until_they_are_taken_back_or_the_account_is_deleted(
    database: Database,
) -> None:
    await register_both(database)
    accounts = database.accounts
    for number in range(MAX_FORMER_NAMES + 2):
        name = f"ann{number}"
        assert await accounts.rename("ann-id", name.title(), name, now=1_000 + number, not_since=1_000 + number)
    former = await accounts.list_former_names("ann-id")
    assert [name.name for name in former] == [f"Ann{number}" for number in range(MAX_FORMER_NAMES, 0, -1)]
    assert former[0].until_ms == 1_000 + MAX_FORMER_NAMES + 1
    assert await accounts.rename("ann-id", "Ann5", "ann5", now=9_000, not_since=9_000)
    assert [name.name for name in await accounts.list_former_names("ann-id")][:2] == ["Ann11", "Ann10"]
    assert "Ann5" not in {name.name for name in await accounts.list_former_names("ann-id")}
    assert await accounts.list_former_names("ben-id") == await accounts.list_former_names("nul\0") == []
    assert await accounts.delete("ann-id", ANN.password_hash)
    assert await accounts.list_former_names("ann-id") == []
    assert await accounts.find_former_name("ann11", 9_001) is None


async def test_former_names_of_an_account_that_an_older_build_deleted_are_free(migrated_url: str) -> None:
    await run_sql(migrated_url, TRUNCATE_SQL)
    async with PostgresDatabase(migrated_url) as database:
        await register_both(database)
        accounts = database.accounts
        assert await accounts.rename("ann-id", "Anna", "anna", now=5_000, not_since=4_000)
        await run_sql(migrated_url, "update accounts set name = '', name_key = null where player_id = 'ann-id'")
        assert len(await accounts.list_former_names("ann-id")) == 1, "that build knows no former names"
        assert await accounts.find_former_name("ann", 5_001) is None
        assert await accounts.rename("ben-id", "Ann", "ann", now=5_001, not_since=4_000)


async def test_name_that_is_given_up_at_the_same_moment_is_taken_by_nobody(database: Database) -> None:
    await register_both(database)
    outcomes = await asyncio.gather(
        database.accounts.rename("ann-id", "Anna", "anna", now=5_000, not_since=5_000),
        database.accounts.rename("ben-id", "Ann", "ann", now=5_000, not_since=5_000),
        return_exceptions=True,
    )
    assert outcomes[0] is True
    assert isinstance(outcomes[1], NameTaken)


async def test_own_name_in_other_letters_is_not_taken(database: Database) -> None:
    await register_both(database)
    assert await database.accounts.rename("ann-id", "ANN", "ann", now=5_000, not_since=4_000)
    assert (await database.accounts.find_name("ann")) == replace(ANN, name="ANN", renamed_ms=5_000)
    assert await database.accounts.list_former_names("ann-id") == []


async def test_devices_are_listed_by_last_use_and_removed(database: Database) -> None:
    await register_both(database)
    accounts = database.accounts
    for number in (2, 3):
        assert await accounts.add_device(device(number), "hash 1")
    assert await device_ids(database) == ["d03", "d02", "d01"]
    await accounts.touch_device("ann-id", "d01", 9_000)
    await accounts.touch_device("ann-id", "nowhere", 9_000)
    assert (await accounts.list_devices("ann-id"))[0] == device(1, used=9_000)
    assert await accounts.remove_device("ann-id", "d02")
    assert not await accounts.remove_device("ann-id", "d02")
    assert await accounts.find_token(b"ann-id 2") is None
    assert await device_ids(database) == ["d01", "d03"]
    assert await device_ids(database, "ben-id") == ["d01"]


async def test_device_too_many_takes_the_place_of_the_one_used_the_longest_ago(database: Database) -> None:
    await register_both(database)
    for number in range(2, MAX_DEVICES_PER_PLAYER + 3):
        assert await database.accounts.add_device(device(number), "hash 1")
    devices = await device_ids(database)
    assert (len(devices), devices[-1]) == (MAX_DEVICES_PER_PLAYER, "d03")
    assert await device_ids(database, "ben-id") == ["d01"]


async def test_what_needs_the_password_does_nothing_with_another_hash(database: Database) -> None:
    await register_both(database)
    accounts = database.accounts
    assert not await accounts.add_device(device(2), "hash 2")
    assert not await accounts.change_password("ann-id", "hash 2", "new", keep_only="")
    assert not await accounts.delete("ann-id", "hash 2")
    assert not await accounts.delete("nobody", "")
    assert await accounts.find_player("ann-id") == ANN
    assert await device_ids(database) == ["d01"]


async def test_new_password_keeps_the_devices_or_only_one(database: Database) -> None:
    await register_both(database)
    accounts = database.accounts
    await accounts.add_device(device(2), "hash 1")
    assert await accounts.change_password("ann-id", "hash 1", "hash 3")
    assert await device_ids(database) == ["d02", "d01"]
    assert await accounts.change_password("ann-id", "hash 3", "hash 4", keep_only="d01")
    assert await device_ids(database) == ["d01"]
    assert await accounts.find_player("ann-id") == replace(ANN, password_hash="hash 4")
    assert await device_ids(database, "ben-id") == ["d01"]


async def test_password_that_logs_others_out_ends_the_recoveries_that_they_may_have_made(database: Database) -> None:
    await register_both(database)
    accounts = database.accounts
    theirs, link, own = RecoverySecret(b"theirs"), RecoverySecret(b"link", 10_000), RecoverySecret(b"own")
    await accounts.replace_recovery_codes("ann-id", "hash 1", [theirs])
    await accounts.add_recovery_link("ann-id", link, 0)
    assert await accounts.change_password("ann-id", "hash 1", "hash 2", None, [own])
    found = [await accounts.has_recovery("ann-id", secret.secret_hash, 1) for secret in (theirs, link, own)]
    assert found == [True, True, False], "nobody is logged out"
    assert await accounts.change_password("ann-id", "hash 2", "hash 3", "d01", [own])
    found = [await accounts.has_recovery("ann-id", secret.secret_hash, 1) for secret in (theirs, link, own)]
    assert found == [False, False, True]


async def test_login_that_meets_a_change_of_the_password_leaves_no_device(make_database: MakeDatabase) -> None:
    async with make_database() as one, make_database() as other:
        await register_both(one)
        for number in range(2, 12):
            old, new = f"hash {number}", f"hash {number + 1}"
            await one.accounts.change_password("ann-id", "hash 1" if number == 2 else old, old)
            added, changed = await asyncio.gather(
                other.accounts.add_device(device(number), old),
                one.accounts.change_password("ann-id", old, new, keep_only="d01"),
            )
            assert changed, "a login changes no password"
            assert await device_ids(one) == ["d01"], f"device {number} (added: {added}) outlived the password"


async def test_deleted_account_leaves_neither_name_nor_password_nor_devices(database: Database) -> None:
    await register_both(database)
    accounts = database.accounts
    assert await accounts.delete("ann-id", "hash 1")
    gone = await accounts.find_player("ann-id")
    assert gone == StoredAccount("ann-id", "", "", "", 1_000)
    assert gone.is_deleted
    assert await accounts.find_name("ann") is None
    assert await accounts.find_name("") is None
    assert await accounts.find_token(b"ann-id 1") is None
    assert await device_ids(database) == []
    assert not await accounts.register(ANN, device(1)), "nobody is that player again"
    assert not await accounts.add_device(device(2), "")
    assert not await accounts.rename("ann-id", "Eve", "eve", now=9, not_since=9)
    assert not await accounts.change_password("ann-id", "", "hash")
    assert await accounts.register(replace(ANN, player="new-id"), device(1, "new-id")), "the name is free again"
    assert await accounts.delete("ben-id", "hash 2"), "two deleted accounts do not share a key"


async def test_closed_store_is_unavailable(make_database: MakeDatabase) -> None:
    async with make_database() as database:
        pass
    with pytest.raises(StoreUnavailable):
        await database.accounts.find_player("ann-id")
    with pytest.raises(StoreUnavailable):
        await database.accounts.register(ANN, device(1))


# ---------------------------------------------------------------- recovery

CODES = (RecoverySecret(b"one"), RecoverySecret(b"two"))


async def recover(database: Database, secret: bytes, now: int = 5, player: str = "ann-id") -> bool:
    return await database.accounts.recover(device(9, player), secret, "hash 9", now)


async def test_code_is_used_up_with_the_password_and_all_devices(database: Database) -> None:
    await database.accounts.register(ANN, device(1), CODES)
    await database.accounts.register(BEN, device(1, "ben-id"), CODES)
    assert await database.accounts.has_recovery("ann-id", b"one", 5)
    assert await recover(database, b"one")
    assert not await recover(database, b"one")
    assert await device_ids(database) == ["d09"]
    assert await device_ids(database, "ben-id") == ["d01"]
    stored = await database.accounts.find_player("ann-id")
    assert stored == replace(ANN, password_hash="hash 9")
    assert not await recover(database, b"two"), "others who knew the old password may have it"
    assert await database.accounts.has_recovery("ben-id", b"two", 5)
    assert await database.accounts.recover(device(7, "ben-id"), b"one", "hash 8", 5, (RecoverySecret(b"new"),))
    assert await database.accounts.has_recovery("ben-id", b"new", 5)


@pytest.mark.parametrize(("player", "secret"), [("ann-id", b"three"), ("nobody", b"one"), ("ben-id", b"one")])
async def test_secret_of_nobody_changes_nothing(database: Database, player: str, secret: bytes) -> None:
    await database.accounts.register(ANN, device(1), CODES)
    await database.accounts.register(BEN, device(1, "ben-id"))
    assert not await recover(database, secret, player=player)
    assert await database.accounts.find_players(["ann-id", "ben-id"]) == {"ann-id": ANN, "ben-id": BEN}


async def test_new_codes_replace_the_old_ones_and_not_a_link(database: Database) -> None:
    await database.accounts.register(ANN, device(1), CODES)
    assert await database.accounts.add_recovery_link("ann-id", RecoverySecret(b"link", 10), 1)
    assert not await database.accounts.replace_recovery_codes("ann-id", "old hash", (RecoverySecret(b"new"),))
    assert await database.accounts.replace_recovery_codes("ann-id", "hash 1", (RecoverySecret(b"new"),))
    known = [await database.accounts.has_recovery("ann-id", secret, 9) for secret in (b"one", b"new", b"link")]
    assert known == [False, True, True]


async def test_link_ends_at_its_time(database: Database) -> None:
    await database.accounts.register(ANN, device(1))
    assert not await database.accounts.add_recovery_link("nobody", RecoverySecret(b"x", 10), 1)
    assert await database.accounts.add_recovery_link("ann-id", RecoverySecret(b"first", 10), 1)
    assert not await recover(database, b"first", now=10)
    assert await database.accounts.add_recovery_link("ann-id", RecoverySecret(b"second", 20), 10)
    assert await recover(database, b"second", now=19)


async def test_of_two_nodes_one_uses_a_code_up(make_database: MakeDatabase) -> None:
    async with make_database() as one, make_database() as other:
        await one.accounts.register(ANN, device(1), CODES)
        attempts = (one.accounts.recover(device(8), b"one", "hash 8", 5), recover(other, b"one"))
        assert sorted(await asyncio.gather(*attempts)) == [False, True]


async def test_deleted_account_keeps_no_code(database: Database) -> None:
    await database.accounts.register(ANN, device(1), CODES)
    assert await database.accounts.delete("ann-id", "hash 1")
    assert not await database.accounts.has_recovery("ann-id", b"one", 5)
    assert not await database.accounts.add_recovery_link("ann-id", RecoverySecret(b"x", 10), 1)


# ---------------------------------------------------------------- names of guests


async def test_name_of_a_guest_is_kept_until_an_account_has_it(database: Database) -> None:
    accounts = database.accounts
    assert await accounts.name_guest("guest", "Anna", "anna", 1)
    assert await accounts.name_guest("guest", "Annie", "annie", 2)
    assert await accounts.name_guest("other", "Annie", "annie", 2)
    found = {"guest": "Annie", "other": "Annie"}
    assert await accounts.find_guest_names(["guest", "other", "nobody", "no\0body"], 2) == found
    assert await accounts.find_guest_names([], 2) == {}
    await accounts.register(replace(ANN, name="ANNIE", name_key="annie"), device(1))
    assert await accounts.find_guest_names(["guest", "other"], 3) == {}
    with pytest.raises(NameTaken):
        await accounts.name_guest("guest", "Annie", "annie", 3)
    assert not await accounts.name_guest(ANN.player, "Eve", "eve", 3)


async def test_name_of_a_guest_is_hidden_while_it_is_reserved_for_an_account(database: Database) -> None:
    accounts = database.accounts
    assert await accounts.name_guest("guest", "Ann", "ann", 1)
    assert await accounts.name_guest("other", "Eve", "eve", 1)
    await accounts.register(ANN, device(1))
    assert await accounts.rename("ann-id", "Anna", "anna", now=5_000, not_since=5_000)
    assert await accounts.find_guest_names(["guest", "other"], 5_000 + RESERVED_NAME_MS - 1) == {"other": "Eve"}
    free = {"guest": "Ann", "other": "Eve"}
    assert await accounts.find_guest_names(["guest", "other"], 5_000 + RESERVED_NAME_MS) == free


async def test_each_new_name_of_a_guest_removes_some_that_are_too_old(database: Database) -> None:
    accounts, count = database.accounts, MAX_REMOVED_GUEST_NAMES + 2
    for number in range(count):
        await accounts.name_guest(f"old {number:02}", "Old", "old", number)
    await accounts.name_guest("new", "New", "new", GUEST_NAME_MS + count)
    left = await accounts.find_guest_names([f"old {number:02}" for number in range(count)], count)
    assert len(left) == 2
    await accounts.name_guest("newer", "New", "new", GUEST_NAME_MS + count)
    assert await accounts.find_guest_names([*left, "new"], GUEST_NAME_MS + count) == {"new": "New"}


async def test_account_with_a_seat_in_a_rated_match_becomes_no_bot_but_a_bot_stays_one(database: Database) -> None:
    await register_both(database)
    assert await database.accounts.mark_as_bot("ben-id")
    listing = replace(make_listing("m", 1, "open", "ann-id"), match_options=MatchOptions(rated=True))
    listing = replace(listing, seats=("ann-id", "ben-id"))
    await database.events.append(make_append("m", listing=listing))
    assert [await database.accounts.mark_as_bot(player) for player in ("ann-id", "ben-id")] == [False, True]
    assert await database.accounts.find_bots(["ann-id", "ben-id"]) == {"ben-id"}


async def test_bots_are_found_and_listed_by_their_last_use_until_they_are_deleted(database: Database) -> None:
    await register_both(database)
    accounts = database.accounts
    assert not await accounts.mark_as_bot("nobody")
    assert await accounts.find_bots(["ann-id", "ben-id", "no\0body"]) == frozenset()
    for player in ("ann-id", "ben-id"):
        assert await accounts.mark_as_bot(player)
        assert await accounts.mark_as_bot(player)
    await accounts.touch_device("ann-id", "d01", 9_000)
    assert await accounts.find_bots(["ann-id", "nobody"]) == {"ann-id"}
    assert [bot.player for bot in await accounts.list_bots(9)] == ["ann-id", "ben-id"]
    assert await accounts.list_bots(1) == [replace(ANN, is_bot=True)]
    assert await accounts.delete("ann-id", ANN.password_hash)
    assert not await accounts.mark_as_bot("ann-id")
    assert [bot.player for bot in await accounts.list_bots(9)] == ["ben-id"]
