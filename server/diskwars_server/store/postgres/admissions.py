"""Admissions and invites in PostgreSQL."""

from typing import Any

from sqlalchemy import Row, delete, exists, func, literal, not_, select, text, update
from sqlalchemy.dialects.postgresql import insert

from diskwars_server.store.admissions import MAX_REVOKED_PER_MATCH, Admissions, StoredInvite
from diskwars_server.store.event_log import is_storable
from diskwars_server.store.postgres.connections import Connect
from diskwars_server.store.postgres.tables import MATCH_ENTRIES, MATCH_INVITES

# One statement: a use is counted exactly if the player is admitted.
USE_INVITE_SQL = text("""
with used as (
    update match_invites set uses_left = uses_left - 1
    where code_hash = :code_hash and not revoked and (uses_left is null or uses_left > 0) returning match_id
), entered as (
    insert into match_entries (match_id, player_id) select match_id, :player from used on conflict do nothing
)
select count(*) from used
""")

_NEWEST_FIRST = (MATCH_INVITES.c.created.desc(), MATCH_INVITES.c.invite_id.desc())


class PostgresAdmissions(Admissions):
    """Admissions and invites in PostgreSQL."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect

    async def is_admitted(self, match: str, player: str) -> bool:
        if not is_storable(match):
            return False
        entered = select(MATCH_ENTRIES).where(MATCH_ENTRIES.c.match_id == match, MATCH_ENTRIES.c.player_id == player)
        async with self._connect() as connection:
            return bool(await connection.scalar(select(exists(entered))))

    async def count_admitted(self, match: str) -> int:
        entered = select(func.count()).select_from(MATCH_ENTRIES).where(MATCH_ENTRIES.c.match_id == match)
        async with self._connect() as connection:
            return int(await connection.scalar(entered) or 0)

    async def admit(self, match: str, player: str, limit: int) -> bool:
        others = select(func.count()).select_from(MATCH_ENTRIES)
        others = others.where(MATCH_ENTRIES.c.match_id == match, MATCH_ENTRIES.c.player_id != player)
        entry = insert(MATCH_ENTRIES).from_select(
            ["match_id", "player_id"], select(literal(match), literal(player)).where(others.scalar_subquery() < limit)
        )
        async with self._connect() as connection:
            # Of several at once a few more may be admitted.
            changed = await connection.execute(
                entry.on_conflict_do_update(
                    index_elements=["match_id", "player_id"], set_={"player_id": entry.excluded.player_id}
                )
            )
            return changed.rowcount > 0

    async def add_invite(self, invite: StoredInvite, limit: int) -> bool:
        others = select(func.count()).select_from(MATCH_INVITES)
        others = others.where(
            MATCH_INVITES.c.match_id == invite.match,
            MATCH_INVITES.c.invite_id != invite.invite,
            not_(MATCH_INVITES.c.revoked),
        )
        names = ["match_id", "invite_id", "code_hash", "created", "army", "uses_left"]
        values = select(
            literal(invite.match),
            literal(invite.invite),
            literal(invite.code_hash),
            literal(invite.created_ms),
            literal(invite.army),
            literal(invite.uses_left, MATCH_INVITES.c.uses_left.type),
        ).where(others.scalar_subquery() < limit)
        row = insert(MATCH_INVITES).from_select(names, values)
        async with self._connect() as connection:
            changed = await connection.execute(
                row.on_conflict_do_update(
                    index_elements=["match_id", "invite_id"], set_={"invite_id": row.excluded.invite_id}
                )
            )
            return changed.rowcount > 0

    async def list_invites(self, match: str) -> list[StoredInvite]:
        invites = MATCH_INVITES.c
        wanted = select(MATCH_INVITES).where(invites.match_id == match, not_(invites.revoked)).order_by(*_NEWEST_FIRST)
        async with self._connect() as connection:
            return [_invite_of(row) for row in await connection.execute(wanted)]

    async def find_invite(self, code_hash: bytes) -> StoredInvite | None:
        async with self._connect() as connection:
            rows = await connection.execute(select(MATCH_INVITES).where(MATCH_INVITES.c.code_hash == code_hash))
            row = rows.first()
            return None if row is None else _invite_of(row)

    async def use_invite(self, code_hash: bytes, player: str) -> bool:
        async with self._connect() as connection:
            used = await connection.execute(USE_INVITE_SQL, {"code_hash": code_hash, "player": player})
            return int(used.scalar_one()) > 0

    async def revoke_invite(self, match: str, invite: str) -> bool:
        if not is_storable(invite):
            return False
        invites = MATCH_INVITES.c
        revoked = select(invites.invite_id).where(invites.match_id == match, invites.revoked)
        oldest = revoked.order_by(*_NEWEST_FIRST).offset(MAX_REVOKED_PER_MATCH)
        own = (invites.match_id == match, invites.invite_id == invite, not_(invites.revoked))
        async with self._connect() as connection:
            changed = await connection.execute(update(MATCH_INVITES).where(*own).values(revoked=True))
            forgotten = (invites.match_id == match, invites.invite_id.in_(oldest))
            await connection.execute(delete(MATCH_INVITES).where(*forgotten))
            return changed.rowcount > 0


def _invite_of(row: Row[Any]) -> StoredInvite:
    return StoredInvite(row.match_id, row.invite_id, row.code_hash, row.created, row.army, row.uses_left, row.revoked)
