"""Accounts and devices in PostgreSQL.

Every change locks the row of its account first, so that a login and a change of the password come one after the other.
"""

import contextlib
from collections.abc import AsyncIterator, Sequence
from typing import Any

from sqlalchemy import ARRAY, ColumnElement, Row, Select, any_, delete, exists, func, literal, or_, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from diskwars_server.store.accounts import (
    GUEST_NAME_MS,
    MAX_DEVICES_PER_PLAYER,
    MAX_FORMER_NAMES,
    MAX_REMOVED_GUEST_NAMES,
    RESERVED_NAME_MS,
    Accounts,
    RecoverySecret,
    StoredAccount,
    StoredDevice,
    StoredName,
)
from diskwars_server.store.errors import NameTaken
from diskwars_server.store.event_log import is_storable
from diskwars_server.store.postgres.challenges import remove_challenges_of
from diskwars_server.store.postgres.connections import Connect
from diskwars_server.store.postgres.lesson_progress import remove_progress_of
from diskwars_server.store.postgres.match_index import select_rated
from diskwars_server.store.postgres.notices import remove_notices_of
from diskwars_server.store.postgres.tables import (
    ACCOUNT_RECOVERIES,
    ACCOUNTS,
    BOT_ACCOUNT,
    DEVICE_LOGINS,
    DEVICES,
    FOLLOWED_PLAYERS,
    FORMER_NAMES,
    GUEST_NAMES,
    NAME_TYPE,
    PRESENCE_SHOWN,
)

_RECOVERY = ACCOUNT_RECOVERIES.c
_FOLLOWED = FOLLOWED_PLAYERS.c
_FORMER = FORMER_NAMES.c


class PostgresAccounts(Accounts):
    """The tables of accounts: `accounts` and `devices`, recoveries, names of guests, and followed players."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect

    @contextlib.asynccontextmanager
    async def _transaction(self) -> AsyncIterator[AsyncConnection]:
        async with self._connect() as connection:
            # Statements of one transaction each see what was committed before them, also while a lock was awaited.
            await connection.execution_options(isolation_level="READ COMMITTED")
            async with connection.begin():
                yield connection

    # ---------------------------------------------------------------- bots

    async def mark_as_bot(self, player: str) -> bool:
        may_be = or_(ACCOUNTS.c.is_bot, ~exists(select_rated(player)))
        marking = update(ACCOUNTS).where(ACCOUNTS.c.player_id == player, may_be).values(is_bot=True)
        async with self._transaction() as connection:
            if await lock_account(connection, player) is None:
                return False
            # A seat that is committed between the snapshot of this statement and its commit is not seen: appends lock
            # no accounts, and one lock more in each of them would cost more than one rated match that counts for a bot.
            return (await connection.execute(marking.returning(ACCOUNTS.c.player_id))).first() is not None

    async def find_bots(self, players: Sequence[str]) -> frozenset[str]:
        wanted = [player for player in players if is_storable(player)]
        if not wanted:
            return frozenset()
        named = ACCOUNTS.c.player_id == any_(literal(wanted, ARRAY(NAME_TYPE)))
        async with self._connect() as connection:
            # Spelled out as in the index, which has the accounts of bots only.
            rows = await connection.execute(select(ACCOUNTS.c.player_id).where(named, text(BOT_ACCOUNT)))
            return frozenset(row.player_id for row in rows)

    async def list_bots(self, limit: int) -> list[StoredAccount]:
        used = (
            select(func.coalesce(func.max(DEVICES.c.last_used), 0))
            .where(DEVICES.c.player_id == ACCOUNTS.c.player_id)
            .scalar_subquery()
        )
        listed = select(ACCOUNTS).where(text(BOT_ACCOUNT), ACCOUNTS.c.name_key.is_not(None))
        async with self._connect() as connection:
            rows = await connection.execute(listed.order_by(used.desc(), ACCOUNTS.c.player_id.desc()).limit(limit))
            return [_account_of(row) for row in rows]

    # ---------------------------------------------------------------- accounts

    async def register(
        self, account: StoredAccount, device: StoredDevice, codes: Sequence[RecoverySecret] = ()
    ) -> bool:
        row = insert(ACCOUNTS).values(
            player_id=account.player,
            name=account.name,
            name_key=account.name_key,
            password_hash=account.password_hash,
            created=account.created_ms,
            renamed=account.renamed_ms,
            is_bot=account.is_bot,
        )
        async with self._transaction() as connection:
            inserted = await connection.execute(row.on_conflict_do_nothing().returning(ACCOUNTS.c.player_id))
            if inserted.first() is not None:
                await require_unreserved(connection, account.name_key, account.player, account.created_ms)
                await connection.execute(insert(DEVICES).values(_device_values(device)))
                await _add_recoveries(connection, account.player, codes)
                await connection.execute(delete(GUEST_NAMES).where(GUEST_NAMES.c.player_id == account.player))
                return True
            known = await connection.execute(_select_account(account.player))
            if known.first() is None:
                raise NameTaken(f"the name {account.name_key} is taken")
            return False

    async def find_player(self, player: str) -> StoredAccount | None:
        return (await self.find_players([player])).get(player)

    async def find_players(self, players: Sequence[str]) -> dict[str, StoredAccount]:
        wanted = [player for player in players if is_storable(player)]
        if not wanted:
            return {}
        async with self._connect() as connection:
            # An array, so that the statement is the same for any number of players.
            named = ACCOUNTS.c.player_id == any_(literal(wanted, ARRAY(NAME_TYPE)))
            rows = await connection.execute(select(ACCOUNTS).where(named))
            return {row.player_id: _account_of(row) for row in rows}

    async def find_name(self, name_key: str) -> StoredAccount | None:
        async with self._connect() as connection:
            row = (await connection.execute(select(ACCOUNTS).where(ACCOUNTS.c.name_key == name_key))).first()
            return None if row is None else _account_of(row)

    async def change_password(
        self,
        player: str,
        old_hash: str,
        new_hash: str,
        keep_only: str | None = None,
        codes: Sequence[RecoverySecret] = (),
    ) -> bool:
        async with self._transaction() as connection:
            if not await _lock_account(connection, player, old_hash):
                return False
            changed = update(ACCOUNTS).where(ACCOUNTS.c.player_id == player).values(password_hash=new_hash)
            await connection.execute(changed)
            await _remove_logins(connection, player)
            if keep_only is not None:
                others = DEVICES.c.player_id == player, DEVICES.c.device_id != keep_only
                await connection.execute(delete(DEVICES).where(*others))
                await connection.execute(delete(ACCOUNT_RECOVERIES).where(_RECOVERY.player_id == player))
                await _add_recoveries(connection, player, codes)
            return True

    async def replace_recovery_codes(self, player: str, password_hash: str, codes: Sequence[RecoverySecret]) -> bool:
        async with self._transaction() as connection:
            if not await _lock_account(connection, player, password_hash):
                return False
            await connection.execute(
                delete(ACCOUNT_RECOVERIES).where(_RECOVERY.player_id == player, _RECOVERY.expires.is_(None))
            )
            await _add_recoveries(connection, player, codes)
            return True

    async def add_recovery_link(self, player: str, link: RecoverySecret, now: int) -> bool:
        async with self._transaction() as connection:
            account = (await connection.execute(_select_account(player).with_for_update())).first()
            if account is None or account.name_key is None:
                return False
            await connection.execute(
                delete(ACCOUNT_RECOVERIES).where(_RECOVERY.player_id == player, _RECOVERY.expires <= now)
            )
            await _add_recoveries(connection, player, [link])
            return True

    async def has_recovery(self, player: str, secret_hash: bytes, now: int) -> bool:
        async with self._connect() as connection:
            return (await connection.execute(_select_recovery(player, secret_hash, now))).first() is not None

    async def recover(
        self,
        device: StoredDevice,
        secret_hash: bytes,
        password_hash: str,
        now: int,
        codes: Sequence[RecoverySecret] = (),
    ) -> bool:
        player = device.player
        async with self._transaction() as connection:
            # Of two attempts with one code the second waits here, and finds it gone.
            await connection.execute(_select_account(player).with_for_update())
            if (await connection.execute(_select_recovery(player, secret_hash, now))).first() is None:
                return False
            await connection.execute(delete(ACCOUNT_RECOVERIES).where(_RECOVERY.player_id == player))
            await _add_recoveries(connection, player, codes)
            await connection.execute(
                update(ACCOUNTS).where(ACCOUNTS.c.player_id == player).values(password_hash=password_hash)
            )
            await connection.execute(delete(DEVICES).where(DEVICES.c.player_id == player))
            await _remove_logins(connection, player)
            await connection.execute(insert(DEVICES).values(_device_values(device)))
            return True

    async def rename(self, player: str, name: str, name_key: str, now: int, not_since: int) -> bool:
        async with self._transaction() as connection:
            account = (await connection.execute(_select_account(player).with_for_update())).first()
            if account is None or account.name_key is None or account.renamed > not_since:
                return False
            renamed = update(ACCOUNTS).where(ACCOUNTS.c.player_id == player)
            try:
                await connection.execute(renamed.values(name=name, name_key=name_key, renamed=now))
            except IntegrityError:
                raise NameTaken(f"the name {name_key} is taken") from None
            await require_unreserved(connection, name_key, player, now)
            if account.name_key != name_key:
                await _keep_former_name(connection, account, name_key, now)
            return True

    async def find_former_name(self, name_key: str, now: int) -> StoredAccount | None:
        last = _select_reserving(name_key, now).order_by(_FORMER.until.desc(), _FORMER.player_id.desc()).limit(1)
        async with self._connect() as connection:
            row = (await connection.execute(last)).first()
            return None if row is None else _account_of(row)

    async def list_former_names(self, player: str) -> list[StoredName]:
        if not is_storable(player):
            return []
        newest = select(FORMER_NAMES).where(_FORMER.player_id == player).order_by(_FORMER.until.desc())
        async with self._connect() as connection:
            return [StoredName(row.name, row.name_key, row.until) for row in await connection.execute(newest)]

    async def name_guest(self, player: str, name: str, name_key: str, now: int) -> bool:
        named = {"name": name, "name_key": name_key, "named": now}
        row = insert(GUEST_NAMES).values(player_id=player, **named)
        old = select(GUEST_NAMES.c.player_id).where(GUEST_NAMES.c.named < now - GUEST_NAME_MS)
        oldest = old.order_by(GUEST_NAMES.c.named).limit(MAX_REMOVED_GUEST_NAMES)
        async with self._transaction() as connection:
            if (await connection.execute(_select_account(player))).first() is not None:
                return False
            if (await connection.execute(select(ACCOUNTS).where(ACCOUNTS.c.name_key == name_key))).first() is not None:
                raise NameTaken(f"the name {name_key} is taken")
            await require_unreserved(connection, name_key, player, now)
            await connection.execute(row.on_conflict_do_update(index_elements=[GUEST_NAMES.c.player_id], set_=named))
            # Another transaction may remove the same ones: they are skipped, so that none waits for the other.
            skipping = oldest.with_for_update(skip_locked=True).scalar_subquery()
            await connection.execute(delete(GUEST_NAMES).where(GUEST_NAMES.c.player_id.in_(skipping)))
            return True

    async def find_guest_names(self, players: Sequence[str], now: int) -> dict[str, str]:
        wanted = [player for player in players if is_storable(player)]
        if not wanted:
            return {}
        guests = GUEST_NAMES.c
        is_taken = exists(select(ACCOUNTS.c.player_id).where(ACCOUNTS.c.name_key == guests.name_key))
        is_reserved = _select_reserving(guests.name_key, now).exists()
        found = select(guests.player_id, guests.name).where(
            guests.player_id == any_(literal(wanted, ARRAY(NAME_TYPE))), ~is_taken, ~is_reserved
        )
        async with self._connect() as connection:
            return {row.player_id: row.name for row in await connection.execute(found)}

    # ---------------------------------------------------------------- followed players

    async def follow(self, player: str, other: str, limit: int) -> bool:
        async with self._transaction() as connection:
            # Two tabs may follow at the same moment: the row of the account is locked first.
            await connection.execute(
                select(ACCOUNTS.c.player_id).where(ACCOUNTS.c.player_id == player).with_for_update()
            )
            known = list(await connection.scalars(_followed_by(player)))
            if other in known:
                return True
            if len(known) >= limit:
                return False
            await connection.execute(insert(FOLLOWED_PLAYERS).values(player_id=player, followed_id=other))
            return True

    async def unfollow(self, player: str, other: str) -> None:
        if not is_storable(other):
            return
        async with self._connect() as connection:
            await connection.execute(
                delete(FOLLOWED_PLAYERS).where(_FOLLOWED.player_id == player, _FOLLOWED.followed_id == other)
            )

    async def list_followed(self, player: str) -> Sequence[str]:
        async with self._connect() as connection:
            return sorted(await connection.scalars(_followed_by(player)))

    async def show_presence(self, player: str, *, shown: bool) -> None:
        async with self._connect() as connection:
            if shown:
                await connection.execute(insert(PRESENCE_SHOWN).values(player_id=player).on_conflict_do_nothing())
            else:
                await connection.execute(delete(PRESENCE_SHOWN).where(PRESENCE_SHOWN.c.player_id == player))

    async def find_showing(self, players: Sequence[str]) -> frozenset[str]:
        column = PRESENCE_SHOWN.c.player_id
        async with self._connect() as connection:
            showing = select(column).where(column == any_(literal(players, ARRAY(NAME_TYPE))))
            return frozenset(await connection.scalars(showing))

    async def delete(self, player: str, password_hash: str) -> bool:
        async with self._transaction() as connection:
            if not await _lock_account(connection, player, password_hash):
                return False
            await connection.execute(
                update(ACCOUNTS).where(ACCOUNTS.c.player_id == player).values(name="", name_key=None, password_hash="")
            )
            await connection.execute(delete(DEVICES).where(DEVICES.c.player_id == player))
            await connection.execute(delete(ACCOUNT_RECOVERIES).where(_RECOVERY.player_id == player))
            await connection.execute(
                delete(FOLLOWED_PLAYERS).where(or_(_FOLLOWED.player_id == player, _FOLLOWED.followed_id == player))
            )
            await connection.execute(delete(PRESENCE_SHOWN).where(PRESENCE_SHOWN.c.player_id == player))
            await connection.execute(delete(FORMER_NAMES).where(_FORMER.player_id == player))
            await _remove_logins(connection, player)
            await remove_notices_of(connection, player)
            await remove_challenges_of(connection, player)
            await remove_progress_of(connection, player)
            return True

    # ---------------------------------------------------------------- devices

    async def find_token(self, token_hash: bytes) -> tuple[StoredAccount, StoredDevice] | None:
        async with self._connect() as connection:
            device = (await connection.execute(select(DEVICES).where(DEVICES.c.token_hash == token_hash))).first()
            if device is None:
                return None
            account = (await connection.execute(_select_account(device.player_id))).one()
            return _account_of(account), _device_of(device)

    async def add_device(self, device: StoredDevice, password_hash: str) -> bool:
        async with self._transaction() as connection:
            if not await _lock_account(connection, device.player, password_hash):
                return False
            await insert_device(connection, device)
            return True

    async def touch_device(self, player: str, device: str, now: int) -> None:
        async with self._connect() as connection:
            await connection.execute(
                update(DEVICES)
                .where(DEVICES.c.player_id == player, DEVICES.c.device_id == device)
                .values(last_used=now)
            )

    async def list_devices(self, player: str) -> list[StoredDevice]:
        async with self._connect() as connection:
            return [_device_of(row) for row in await connection.execute(_select_devices(player))]

    async def remove_device(self, player: str, device: str) -> bool:
        if not is_storable(device):
            return False
        removed = delete(DEVICES).where(DEVICES.c.player_id == player, DEVICES.c.device_id == device)
        async with self._transaction() as connection:
            await lock_account(connection, player)
            await _remove_logins(connection, player)
            return (await connection.execute(removed.returning(DEVICES.c.device_id))).first() is not None


def _select_reserving(name_key: str | ColumnElement[str], now: int) -> Select[Any]:
    """Select the accounts for which a name is reserved.

    Not the deleted ones: a node of a build before schema 0140 deletes an account and leaves its former names.
    """
    holders = FORMER_NAMES.join(ACCOUNTS, ACCOUNTS.c.player_id == _FORMER.player_id)
    is_reserved = _FORMER.name_key == name_key, _FORMER.until > now - RESERVED_NAME_MS
    return select(ACCOUNTS).select_from(holders).where(ACCOUNTS.c.name_key.is_not(None), *is_reserved)


async def require_unreserved(connection: AsyncConnection, name_key: str, player: str, now: int) -> None:
    """Raise NameTaken for a name that is reserved for another.

    Registrations and renames ask after they have written the name: by then a transaction that gives it up has ended.
    """
    reserving = _select_reserving(name_key, now).where(ACCOUNTS.c.player_id != player)
    if (await connection.execute(reserving)).first() is not None:
        raise NameTaken(f"the name {name_key} is reserved for another")


async def _keep_former_name(connection: AsyncConnection, account: Row[Any], name_key: str, now: int) -> None:
    """Store the name that an account had, and forget the new one, which it may have had before, and the oldest."""
    own = _FORMER.player_id == account.player_id
    await connection.execute(delete(FORMER_NAMES).where(own, _FORMER.name_key.in_((name_key, account.name_key))))
    values = {"player_id": account.player_id, "name_key": account.name_key, "name": account.name, "until": now}
    await connection.execute(insert(FORMER_NAMES).values(values))
    newest = select(_FORMER.name_key).where(own).order_by(_FORMER.until.desc()).limit(MAX_FORMER_NAMES)
    await connection.execute(delete(FORMER_NAMES).where(own, _FORMER.name_key.not_in(newest)))


def _select_recovery(player: str, secret_hash: bytes, now: int) -> Select[Any]:
    is_usable = or_(_RECOVERY.expires.is_(None), _RECOVERY.expires > now)
    return select(ACCOUNT_RECOVERIES).where(
        _RECOVERY.player_id == player, _RECOVERY.secret_hash == secret_hash, is_usable
    )


async def _add_recoveries(connection: AsyncConnection, player: str, secrets: Sequence[RecoverySecret]) -> None:
    for secret in secrets:
        await connection.execute(
            insert(ACCOUNT_RECOVERIES).values(
                player_id=player, secret_hash=secret.secret_hash, expires=secret.expires_ms
            )
        )


def _select_account(player: str) -> Select[Any]:
    return select(ACCOUNTS).where(ACCOUNTS.c.player_id == player)


def _select_devices(player: str) -> Select[Any]:
    order = DEVICES.c.last_used.desc(), DEVICES.c.device_id.desc()
    return select(DEVICES).where(DEVICES.c.player_id == player).order_by(*order)


async def lock_account(connection: AsyncConnection, player: str) -> str | None:
    """Lock the row of an account until the transaction ends, and return its password hash; None if it is gone."""
    row = (await connection.execute(_select_account(player).with_for_update())).first()
    return None if row is None or row.name_key is None else str(row.password_hash)


async def _lock_account(connection: AsyncConnection, player: str, password_hash: str) -> bool:
    """Lock the row of an account until the transaction ends. False if it is gone or has another password."""
    return await lock_account(connection, player) == password_hash


async def insert_device(connection: AsyncConnection, device: StoredDevice) -> None:
    """Store a device of an account that is locked, in the place of the one used the longest ago if there are many."""
    excess = _select_devices(device.player).offset(MAX_DEVICES_PER_PLAYER - 1).with_only_columns(DEVICES.c.device_id)
    await connection.execute(
        delete(DEVICES).where(DEVICES.c.player_id == device.player, DEVICES.c.device_id.in_(excess.scalar_subquery()))
    )
    await connection.execute(insert(DEVICES).values(_device_values(device)))


async def _remove_logins(connection: AsyncConnection, player: str) -> None:
    """Remove what a player has answered of logins by code: it was answered for an account as it was before."""
    await connection.execute(delete(DEVICE_LOGINS).where(DEVICE_LOGINS.c.player_id == player))


def _followed_by(player: str) -> Select[Any]:
    return select(_FOLLOWED.followed_id).where(_FOLLOWED.player_id == player)


def _account_of(row: Row[Any]) -> StoredAccount:
    key = row.name_key or ""
    return StoredAccount(row.player_id, row.name, key, row.password_hash, row.created, row.renamed, row.is_bot)


def _device_of(row: Row[Any]) -> StoredDevice:
    scopes = tuple(row.scopes.split())
    return StoredDevice(row.player_id, row.device_id, row.token_hash, row.created, row.last_used, row.name, scopes)


def _device_values(device: StoredDevice) -> dict[str, object]:
    return {
        "player_id": device.player,
        "device_id": device.device,
        "token_hash": device.token_hash,
        "name": device.name,
        "created": device.created_ms,
        "last_used": device.last_used_ms,
        "scopes": " ".join(device.scopes),
    }
