"""Logins of programs in PostgreSQL: what other transactions hold is left to them."""

import asyncio

import asyncpg

from diskwars_server.store.device_logins import StoredDeviceLogin
from diskwars_server.store.postgres.database import PostgresDatabase
from tests.server.conftest import TRUNCATE_SQL, options, run_sql

NOW = 1_000_000_000
APPROVE_SQL = "update device_logins set status = 'approved', player_id = 'ann' where device_hash = $1"


def login(number: int) -> StoredDeviceLogin:
    return StoredDeviceLogin(bytes([number]), bytes([100 + number]), "my bot", ("play",), NOW + number, 5_000)


async def test_login_that_is_being_answered_stays_and_the_next_one_goes(migrated_url: str) -> None:
    await run_sql(migrated_url, TRUNCATE_SQL)
    answering = await asyncpg.connect(**options(migrated_url))
    async with asyncio.timeout(20), PostgresDatabase(migrated_url) as database:
        logins = database.device_logins
        for number in (1, 2, 3):
            assert await logins.add(login(number), 3, NOW)
        async with answering.transaction():
            await answering.execute(APPROVE_SQL, bytes([1]))
            async with asyncio.timeout(5):
                assert await logins.add(login(4), 3, NOW)
        left = [number for number in range(1, 5) if await logins.find(bytes([100 + number]), NOW)]
        assert left == [1, 3, 4]
    await answering.close()
