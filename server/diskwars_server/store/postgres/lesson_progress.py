"""Progress of first matches in PostgreSQL."""

from msgspec import json
from sqlalchemy import delete, exists, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from diskwars_server.store.lesson_progress import (
    GUEST_PROGRESS_MS,
    MAX_REMOVED_PROGRESS,
    JoinedProgress,
    LessonProgresses,
    StoredProgress,
)
from diskwars_server.store.postgres.connections import Connect
from diskwars_server.store.postgres.tables import ACCOUNTS, LESSON_PROGRESS

_ROW = LESSON_PROGRESS.c
_PROGRESS = json.Decoder(StoredProgress)


class PostgresLessonProgresses(LessonProgresses):
    """The table `lesson_progress`: one row a player, as JSON."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect

    async def add(self, player: str, added: StoredProgress, now_ms: int) -> JoinedProgress:
        stored = select(_ROW.progress).where(_ROW.player_id == player)
        async with self._connect() as connection:
            known = _read(await connection.scalar(stored))
        if known.join(added) == known:
            return JoinedProgress(known, is_changed=False)
        async with self._connect() as connection:
            await connection.execution_options(isolation_level="READ COMMITTED")
            async with connection.begin():
                # A deletion holds the row of the account: what is added meanwhile waits for it, and comes too late.
                account = select(ACCOUNTS.c.name_key).where(ACCOUNTS.c.player_id == player)
                found = (await connection.execute(account.with_for_update(read=True))).first()
                if found is not None and found.name_key is None:
                    return JoinedProgress(StoredProgress(), is_changed=False)
                # Of two devices that add at once, the second waits for the row of the first, and joins both.
                row = insert(LESSON_PROGRESS).values(
                    player_id=player, progress=_write(StoredProgress()), changed=now_ms
                )
                await connection.execute(row.on_conflict_do_nothing())
                joined = _read(await connection.scalar(stored.with_for_update())).join(added)
                changed = update(LESSON_PROGRESS).where(_ROW.player_id == player)
                await connection.execute(changed.values(progress=_write(joined), changed=now_ms))
                await _remove_old(connection, now_ms - GUEST_PROGRESS_MS)
            return JoinedProgress(joined, is_changed=True)


async def remove_progress_of(connection: AsyncConnection, player: str) -> None:
    """Remove what a player has done, within the transaction that deletes the account."""
    await connection.execute(delete(LESSON_PROGRESS).where(_ROW.player_id == player))


async def _remove_old(connection: AsyncConnection, before_ms: int) -> None:
    # Of an account that is deleted, a row without a name is left.
    has_account = exists(
        select(ACCOUNTS.c.player_id).where(ACCOUNTS.c.player_id == _ROW.player_id, ACCOUNTS.c.name_key.is_not(None))
    )
    old = select(_ROW.player_id).where(_ROW.changed < before_ms, ~has_account)
    # Another transaction may remove the same ones: they are skipped, so that none waits for the other.
    oldest = old.order_by(_ROW.changed).limit(MAX_REMOVED_PROGRESS).with_for_update(skip_locked=True)
    await connection.execute(delete(LESSON_PROGRESS).where(_ROW.player_id.in_(oldest.scalar_subquery())))


def _read(text: str | None) -> StoredProgress:
    return StoredProgress() if text is None else _PROGRESS.decode(text)


def _write(progress: StoredProgress) -> str:
    return json.encode(progress).decode()
