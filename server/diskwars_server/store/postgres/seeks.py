"""Seeks in PostgreSQL."""

from typing import Any

from msgspec import json
from sqlalchemy import Row, delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from diskwars_server.store.postgres.connections import Connect
from diskwars_server.store.postgres.tables import MATCH_SEEKS
from diskwars_server.store.seeks import FOUND_MS, MAX_SEEKS, Seeks, StoredSeek, order_players

_LOCK_KEY = 0x6469736B7365656B  # any fixed number: the name of this lock among all of PostgreSQL's advisory locks
_SEEK = MATCH_SEEKS.c


class PostgresSeeks(Seeks):
    """Seeks as rows of a table."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect

    async def seek(self, seek: StoredSeek, seat_count: int, new_match: str, now_ms: int) -> StoredSeek | None:
        async with self._connect() as connection:
            await connection.execution_options(isolation_level="READ COMMITTED")
            async with connection.begin():
                # One lock for all: of two players who come at once, on two nodes, neither would see the other's row.
                await connection.execute(text("select pg_advisory_xact_lock(:key)"), {"key": _LOCK_KEY})
                return await _seek(connection, seek, seat_count, new_match, now_ms)

    async def find(self, player: str, now_ms: int) -> StoredSeek | None:
        async with self._connect() as connection:
            return await _find(connection, player, now_ms)

    async def remove(self, player: str) -> None:
        async with self._connect() as connection:
            await connection.execute(delete(MATCH_SEEKS).where(_SEEK.player_id == player))


async def _seek(
    connection: AsyncConnection, seek: StoredSeek, seat_count: int, new_match: str, now_ms: int
) -> StoredSeek | None:
    await connection.execute(delete(MATCH_SEEKS).where(_SEEK.alive_until <= now_ms))
    known = await _find(connection, seek.player, now_ms)
    if known is not None and known.match:
        return known
    if known is None and (await connection.scalar(select(func.count()).select_from(MATCH_SEEKS)) or 0) >= MAX_SEEKS:
        return None
    await _put(connection, seek, is_renewal=known is not None and known.command == seek.command)
    wanted = select(_SEEK.player_id).where(_SEEK.sought == seek.sought, _SEEK.match_id == "")
    others = wanted.where(_SEEK.player_id != seek.player).order_by(_SEEK.since, _SEEK.player_id).limit(seat_count - 1)
    paired = [seek.player, *(await connection.scalars(others))]
    if len(paired) == seat_count:
        players = order_players(new_match, paired)
        pairing = {"match_id": new_match, "players": json.encode(players).decode(), "alive_until": now_ms + FOUND_MS}
        await connection.execute(update(MATCH_SEEKS).where(_SEEK.player_id.in_(players)).values(**pairing))
    return await _find(connection, seek.player, now_ms)


async def _put(connection: AsyncConnection, seek: StoredSeek, *, is_renewal: bool) -> None:
    row = insert(MATCH_SEEKS).values(
        player_id=seek.player,
        command_id=seek.command,
        sought=seek.sought,
        since=seek.since_ms,
        alive_until=seek.alive_until_ms,
        match_id="",
        players="[]",
    )
    changed = {"alive_until": row.excluded.alive_until}
    if not is_renewal:
        changed |= {name: row.excluded[name] for name in ("command_id", "sought", "since")}
    await connection.execute(row.on_conflict_do_update(index_elements=["player_id"], set_=changed))


async def _find(connection: AsyncConnection, player: str, now_ms: int) -> StoredSeek | None:
    wanted = select(MATCH_SEEKS).where(_SEEK.player_id == player, _SEEK.alive_until > now_ms)
    row = (await connection.execute(wanted)).first()
    return None if row is None else _seek_of(row)


def _seek_of(row: Row[Any]) -> StoredSeek:
    players = json.decode(row.players, type=tuple[str, ...])
    return StoredSeek(row.player_id, row.command_id, row.sought, row.since, row.alive_until, row.match_id, players)
