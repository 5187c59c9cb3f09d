"""The contract of logins of programs, over every database: bounded, answered once, fetched once."""

import asyncio

import pytest
from msgspec.structs import replace

from diskwars_server.store.accounts import RecoverySecret, StoredAccount, StoredDevice
from diskwars_server.store.database import Database
from diskwars_server.store.device_logins import SLOWER_MS, StoredDeviceLogin

NOW = 1_000_000_000
LIFE_MS, INTERVAL_MS = 600_000, 5_000


def login(number: int = 1, expires_ms: int = NOW + LIFE_MS) -> StoredDeviceLogin:
    return StoredDeviceLogin(bytes([number]), bytes([100 + number]), "my bot", ("play",), expires_ms, INTERVAL_MS)


def device(number: int = 1) -> StoredDevice:
    return StoredDevice("ann", f"d{number}", bytes([number]), NOW, NOW + number)


async def approve(database: Database) -> None:
    """Let the player ann approve the login from her first device."""
    account = StoredAccount("ann", "Ann", "ann", "old", NOW)
    assert await database.accounts.register(account, device(), [RecoverySecret(b"code")])
    assert await database.device_logins.add(login(), 10, NOW)
    assert await database.device_logins.answer(bytes([101]), "ann", "d1", True, NOW)


async def test_login_is_found_by_its_user_code_until_it_expires(database: Database) -> None:
    assert await database.device_logins.add(login(), 10, NOW)
    assert await database.device_logins.find(bytes([101]), NOW) == login()
    assert await database.device_logins.find(bytes([101]), NOW + LIFE_MS) is None
    assert await database.device_logins.find(bytes([1]), NOW) is None


async def test_login_beyond_the_limit_takes_the_place_of_the_oldest_that_waits(database: Database) -> None:
    await approve(database)
    logins = database.device_logins
    assert await logins.add(login(2, NOW + 2), 2, NOW)
    assert await logins.add(login(3, NOW + 3), 2, NOW)
    assert [await logins.find(bytes([code]), NOW) is not None for code in (101, 102, 103)] == [True, False, True]
    assert await logins.answer(bytes([103]), "ann", "d1", True, NOW)
    assert not await logins.add(login(4), 2, NOW), "what was answered stays"
    assert await logins.add(login(4), 2, NOW + 3), "what has expired makes room"


async def test_user_code_is_given_to_one_program(database: Database) -> None:
    assert await database.device_logins.add(login(), 10, NOW)
    assert not await database.device_logins.add(replace(login(2), user_hash=login().user_hash), 10, NOW)


async def test_login_is_answered_once(database: Database) -> None:
    logins = database.device_logins
    await approve(database)
    answered = replace(login(), status="approved", player="ann")
    assert await logins.answer(bytes([101]), "ann", "d1", False, NOW) is None
    assert await logins.find(bytes([101]), NOW) == answered


async def test_early_poll_lengthens_the_interval(database: Database) -> None:
    logins = database.device_logins
    await logins.add(login(), 10, NOW)
    polls = [await logins.poll(bytes([1]), NOW + after) for after in (0, 5_000, 9_999, 19_999, 100_000)]
    assert all(poll is not None for poll in polls)
    assert [poll.is_early for poll in polls if poll] == [False, False, True, False, False]
    assert polls[-1] is not None
    assert polls[-1].login.interval_ms == INTERVAL_MS + SLOWER_MS
    assert await logins.poll(bytes([9]), NOW) is None


async def test_login_is_removed_once(database: Database) -> None:
    await database.device_logins.add(login(), 10, NOW)
    assert [await database.device_logins.remove(bytes([1])) for _ in range(2)] == [True, False]


CHANGES = ("password", "logout of others", "recovery", "logout", "deletion")


async def change(database: Database, kind: str) -> None:
    accounts = database.accounts
    done = {
        "password": lambda: accounts.change_password("ann", "old", "new"),
        "logout of others": lambda: accounts.change_password("ann", "old", "new", "d1"),
        "recovery": lambda: accounts.recover(device(3), b"code", "new", NOW),
        "logout": lambda: accounts.remove_device("ann", "d1"),
        "deletion": lambda: accounts.delete("ann", "old"),
    }
    assert await done[kind]()


@pytest.mark.parametrize("kind", CHANGES)
async def test_change_of_the_account_ends_what_was_approved_before(database: Database, kind: str) -> None:
    await approve(database)
    await change(database, kind)
    assert await database.device_logins.find(bytes([101]), NOW) is None
    assert not await database.device_logins.redeem(bytes([1]), device(2))
    assert "d2" not in [known.device for known in await database.accounts.list_devices("ann")]


async def test_device_that_is_logged_out_approves_nothing(database: Database) -> None:
    await approve(database)
    await change(database, "recovery")
    assert await database.device_logins.add(login(4), 10, NOW)
    assert await database.device_logins.answer(bytes([104]), "ann", "d1", True, NOW) is None
    assert await database.device_logins.find(bytes([104]), NOW) == login(4)
    assert await database.device_logins.answer(bytes([104]), "ann", "d3", True, NOW)


async def test_approved_login_is_redeemed_once_and_by_its_player(database: Database) -> None:
    await approve(database)
    assert not await database.device_logins.redeem(bytes([1]), replace(device(2), player="ben"))
    redeemed = await asyncio.gather(*(database.device_logins.redeem(bytes([1]), device(2 + n)) for n in range(2)))
    assert sorted(redeemed) == [False, True]
    assert len(await database.accounts.list_devices("ann")) == 2
    assert await database.device_logins.find(bytes([101]), NOW) is None


async def test_login_that_waits_is_not_redeemed(database: Database) -> None:
    await approve(database)
    await database.device_logins.add(login(4), 10, NOW)
    assert not await database.device_logins.redeem(bytes([4]), device(2))
    assert await database.device_logins.find(bytes([104]), NOW) == login(4)
