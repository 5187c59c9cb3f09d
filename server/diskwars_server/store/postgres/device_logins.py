"""Logins of programs without a browser, in PostgreSQL."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any

from sqlalchemy import Row, case, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from diskwars_server.store.accounts import StoredDevice
from diskwars_server.store.device_logins import SLOWER_MS, DeviceLogins, PolledLogin, StoredDeviceLogin
from diskwars_server.store.postgres.accounts import insert_device, lock_account
from diskwars_server.store.postgres.connections import Connect
from diskwars_server.store.postgres.tables import DEVICE_LOGINS, DEVICES

_ROW = DEVICE_LOGINS.c


class PostgresDeviceLogins(DeviceLogins):
    """The table `device_logins`."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect

    @contextlib.asynccontextmanager
    async def _transaction(self) -> AsyncIterator[AsyncConnection]:
        async with self._connect() as connection:
            # Connections commit each statement by default, and locks would end with it.
            await connection.execution_options(isolation_level="READ COMMITTED")
            async with connection.begin():
                yield connection

    async def add(self, login: StoredDeviceLogin, limit: int, now_ms: int) -> bool:
        async with self._transaction() as connection:
            await connection.execute(delete(DEVICE_LOGINS).where(_ROW.expires <= now_ms))
            # Two at once may both be the last one: the bound keeps the table small, and need not be exact.
            if (await connection.scalar(select(func.count()).select_from(DEVICE_LOGINS)) or 0) >= limit:
                # One that is being answered, or that another login takes the place of, is locked: the next one goes.
                waiting = select(_ROW.device_hash).where(_ROW.status == "waiting")
                oldest = waiting.order_by(_ROW.expires, _ROW.device_hash).limit(1).with_for_update(skip_locked=True)
                removed = delete(DEVICE_LOGINS).where(
                    _ROW.device_hash == oldest.scalar_subquery(), _ROW.status == "waiting"
                )
                if (await connection.execute(removed)).rowcount == 0:
                    return False
            row = insert(DEVICE_LOGINS).values(
                device_hash=login.device_hash,
                user_hash=login.user_hash,
                name=login.name,
                scopes=list(login.scopes),
                expires=login.expires_ms,
                interval=login.interval_ms,
                polled=login.polled_ms,
                status=login.status,
                player_id=login.player,
            )
            return (await connection.execute(row.on_conflict_do_nothing())).rowcount == 1

    async def find(self, user_hash: bytes, now_ms: int) -> StoredDeviceLogin | None:
        wanted = select(DEVICE_LOGINS).where(_ROW.user_hash == user_hash, _ROW.expires > now_ms)
        async with self._connect() as connection:
            found = (await connection.execute(wanted)).first()
        return None if found is None else _login_of(found)

    async def answer(
        self, user_hash: bytes, player: str, device: str, approved: bool, now_ms: int
    ) -> StoredDeviceLogin | None:
        waiting = update(DEVICE_LOGINS).where(
            _ROW.user_hash == user_hash, _ROW.expires > now_ms, _ROW.status == "waiting"
        )
        answered = waiting.values(status="approved" if approved else "denied", player_id=player)
        own = select(DEVICES.c.device_id).where(DEVICES.c.player_id == player, DEVICES.c.device_id == device)
        async with self._transaction() as connection:
            # Changes of the account wait for this lock or come before it: a device that they log out answers nothing.
            if await lock_account(connection, player) is None or (await connection.execute(own)).first() is None:
                return None
            found = (await connection.execute(answered.returning(DEVICE_LOGINS))).first()
        return None if found is None else _login_of(found)

    async def poll(self, device_hash: bytes, now_ms: int) -> PolledLogin | None:
        is_early = (_ROW.polled > 0) & (now_ms < _ROW.polled + _ROW.interval)
        known = select(_ROW.polled, _ROW.interval).where(_ROW.device_hash == device_hash).with_for_update()
        polled = update(DEVICE_LOGINS).where(_ROW.device_hash == device_hash)
        polled = polled.values(polled=now_ms, interval=case((is_early, _ROW.interval + SLOWER_MS), else_=_ROW.interval))
        async with self._transaction() as connection:
            before = (await connection.execute(known)).first()
            found = (await connection.execute(polled.returning(DEVICE_LOGINS))).first()
        if before is None or found is None:
            return None
        return PolledLogin(_login_of(found), found.interval > before.interval)

    async def redeem(self, device_hash: bytes, device: StoredDevice) -> bool:
        approved = delete(DEVICE_LOGINS).where(
            _ROW.device_hash == device_hash, _ROW.status == "approved", _ROW.player_id == device.player
        )
        async with self._transaction() as connection:
            if await lock_account(connection, device.player) is None:
                return False
            if (await connection.execute(approved)).rowcount != 1:
                return False
            await insert_device(connection, device)
            return True

    async def remove(self, device_hash: bytes) -> bool:
        removed = delete(DEVICE_LOGINS).where(_ROW.device_hash == device_hash)
        async with self._transaction() as connection:
            return (await connection.execute(removed)).rowcount == 1


def _login_of(row: Row[Any]) -> StoredDeviceLogin:
    return StoredDeviceLogin(
        row.device_hash,
        row.user_hash,
        row.name,
        tuple(row.scopes),
        row.expires,
        row.interval,
        row.polled,
        row.status,
        row.player_id,
    )
