"""Secrets and keys in PostgreSQL."""

from secrets import token_bytes

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from diskwars_server.store.admissions import LOCK_PREFIX
from diskwars_server.store.postgres.connections import Connect
from diskwars_server.store.postgres.tables import KEYS, SECRETS
from diskwars_server.store.vault import Vault

SECRETS_SQL = "select name, value from secrets where match_id = $1"


class PostgresVault(Vault):
    """The tables `secrets` and `keys`."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect

    async def secrets(self, match: str) -> dict[str, bytes]:
        async with self._connect() as connection:
            # Through SQLAlchemy it would take as long as restoring a short match, and many are restored at once.
            bare = (await connection.get_raw_connection()).driver_connection
            assert bare is not None
            return dict(await bare.fetch(SECRETS_SQL, match))

    async def forget_secrets(self, match: str) -> None:
        async with self._connect() as connection:
            await connection.execute(
                delete(SECRETS).where(SECRETS.c.match_id == match, SECRETS.c.name.not_like(f"{LOCK_PREFIX}%"))
            )

    async def signing_key(self) -> bytes:
        return await self._find_key("signing")

    async def push_key(self) -> bytes:
        return await self._find_key("push")

    async def _find_key(self, name: str) -> bytes:
        # The first process creates it; then all of them read the stored one.
        created = insert(KEYS).values(name=name, value=token_bytes(32)).on_conflict_do_nothing()
        async with self._connect() as connection:
            await connection.execute(created)
            key: bytes = (await connection.execute(select(KEYS.c.value).where(KEYS.c.name == name))).scalar_one()
            return key
