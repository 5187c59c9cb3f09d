"""Deadlines in PostgreSQL: claims, graces and moves; appends write them with their records."""

from sqlalchemy import delete, select, text, update

from diskwars_server.store.deadlines import MAX_GRACES_PER_SEAT, Deadline, Deadlines
from diskwars_server.store.postgres.connections import Connect
from diskwars_server.store.postgres.tables import DEADLINES

# One statement, so that the grace is given with the deadline or not at all.
EXTEND_SQL = """
with early as (
    select match_id, decision from deadlines
    where match_id = cast(:match as text) and decision = cast(:decision as text) and at < cast(:until as bigint)
    for update
), given as (
    insert into graces (match_id, decision, seat)
    select match_id, decision, cast(:seat as integer) from early where cast(:most as bigint) > (
        select count(*) from graces g where g.match_id = cast(:match as text) and g.seat = cast(:seat as integer)
    )
    on conflict do nothing
    returning match_id, decision
)
update deadlines d set at = least(d.at, cast(:now as bigint)) + cast(:grace as bigint), claimed_until = 0
from given where d.match_id = given.match_id and d.decision = given.decision
returning d.at
"""
SWEEP_ROW = 2
"""The row of `health` with the time of the last sweep for due deadlines; the first is that of the health check."""
# One statement: of nodes that return together the others wait for the row, and find it new. A deadline that an
# append is just removing is left alone, for the two would wait for each other.
SWEEP_SQL = f"""
with last as materialized (
    select at from health where id = {SWEEP_ROW} for update
), early as materialized (
    select match_id, decision from deadlines
    where at < cast(:until as bigint)
    and exists (select from last where at < to_timestamp(cast(:silent_since as bigint) / 1000.0))
    order by match_id, decision for update skip locked
), moved as (
    update deadlines d set at = cast(:until as bigint), claimed_until = 0
    from early where d.match_id = early.match_id and d.decision = early.decision
    returning d.match_id
), noted as (
    insert into health (id, at)
    select {SWEEP_ROW}, to_timestamp(cast(:now as bigint) / 1000.0) where exists (select from deadlines)
    on conflict (id) do update set at = excluded.at
)
select count(*) from moved
"""


class PostgresDeadlines(Deadlines):
    """The table `deadlines`. Appends write it."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect

    async def claim_due(self, now: int, limit: int, lease_ms: int) -> list[Deadline]:
        due = (
            select(DEADLINES.c.match_id, DEADLINES.c.decision)
            .where(DEADLINES.c.at <= now, DEADLINES.c.claimed_until <= now)
            .order_by(DEADLINES.c.at, DEADLINES.c.match_id, DEADLINES.c.decision)
            .limit(limit)
            # Of several nodes each takes what no other is just taking, and none waits.
            .with_for_update(skip_locked=True)
            .cte("due")
            .prefix_with("materialized")
        )
        claim = (
            update(DEADLINES)
            .values(claimed_until=now + lease_ms)
            .where(DEADLINES.c.match_id == due.c.match_id, DEADLINES.c.decision == due.c.decision)
            .returning(DEADLINES.c.match_id, DEADLINES.c.decision, DEADLINES.c.at)
        )
        async with self._connect() as connection:
            claimed = [Deadline(*row) for row in await connection.execute(claim)]
        return sorted(claimed, key=lambda deadline: (deadline.at, deadline.match, deadline.decision))

    async def record_sweep(self, now: int, silent_since: int | None, until: int) -> int:
        values = {"now": now, "silent_since": silent_since, "until": until}
        async with self._connect() as connection:
            return int((await connection.execute(text(SWEEP_SQL), values)).scalar_one())

    async def extend(self, match: str, decision: str, seat: int, now: int, grace_ms: int) -> int | None:
        values = {"match": match, "decision": decision, "seat": seat, "now": now, "grace": grace_ms}
        limits = {"until": now + grace_ms, "most": MAX_GRACES_PER_SEAT}
        async with self._connect() as connection:
            at: int | None = await connection.scalar(text(EXTEND_SQL), values | limits)
            return at

    async def move(self, match: str, decision: str, at: int) -> None:
        move = update(DEADLINES).values(at=at, claimed_until=0)
        async with self._connect() as connection:
            await connection.execute(move.where(DEADLINES.c.match_id == match, DEADLINES.c.decision == decision))

    async def remove(self, match: str, decision: str) -> None:
        async with self._connect() as connection:
            await connection.execute(
                delete(DEADLINES).where(DEADLINES.c.match_id == match, DEADLINES.c.decision == decision)
            )
