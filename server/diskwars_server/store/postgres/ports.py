"""The ports of the store on PostgreSQL: every query except the append, which goes through `group_commit`."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from secrets import token_bytes
from typing import TypeAlias

import asyncpg
from msgspec import json, structs
from sqlalchemy import ARRAY, Select, delete, func, literal, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from diskwars_protocol.records.records import Record
from diskwars_server.store.admissions import LOCK_PREFIX
from diskwars_server.store.deadlines import MAX_GRACES_PER_SEAT, Deadline, Deadlines
from diskwars_server.store.errors import UnknownMatch, WrongVersion
from diskwars_server.store.event_log import (
    AppendRequest,
    EventLog,
    GuestMatchPage,
    IdleMatchPage,
    StoredImport,
    is_storable,
)
from diskwars_server.store.match_index import (
    MAX_SCANNED_MATCHES,
    NO_FILTER,
    HistoryPage,
    HistoryQuery,
    ListFilter,
    Listing,
    MatchIndex,
)
from diskwars_server.store.postgres.group_commit import GroupCommitWriter
from diskwars_server.store.postgres.match_index import (
    LISTED,
    list_matches,
    listing_of,
    search_matches,
)
from diskwars_server.store.postgres.tables import (
    DEADLINES,
    ENDED_MATCH,
    KEYS,
    MATCH_WITH_BOTS,
    MATCHES,
    NAME_TYPE,
    NEVER_BEGUN_MATCH,
    RECORDS,
    RUNNING_MATCH,
    SECRETS,
    UNFINISHED_MATCH,
    UNSTARTED_MATCH,
)
from diskwars_server.store.vault import Vault

Connect: TypeAlias = Callable[[], AbstractAsyncContextManager[AsyncConnection]]
"""Provides a connection on which each statement is a transaction; its errors are `StoreUnavailable`."""

READ_SQL = f"""
select {", ".join(column.name for column in RECORDS.c if column.name != "match_id")}
from records where match_id = $1 and seq > $2 order by seq limit $3
"""
REMOVE_GONE_SQL = """
gone_records as (delete from records r using gone g where r.match_id = g.match_id
), gone_secrets as (delete from secrets s using gone g where s.match_id = g.match_id
), gone_deadlines as (delete from deadlines d using gone g where d.match_id = g.match_id
), gone_graces as (delete from graces d using gone g where d.match_id = g.match_id
), gone_entries as (delete from match_entries e using gone g where e.match_id = g.match_id
), gone_invites as (delete from match_invites i using gone g where i.match_id = g.match_id
), gone_chat as (delete from chat_messages c using gone g where c.match_id = g.match_id
), gone_matches as (delete from matches m using gone g where m.match_id = g.match_id
    returning m.match_id
)
"""
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
KEPT_ROW = 2
"""The row of `health` that says when a node last looked for deadlines; the first is that of the health check."""
# One statement: of nodes that return together the others wait for the row, and find it new. A deadline that an
# append is just removing is left alone, for the two would wait for each other.
NOTE_KEPT_SQL = f"""
with last as materialized (
    select at from health where id = {KEPT_ROW} for update
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
    select {KEPT_ROW}, to_timestamp(cast(:now as bigint) / 1000.0) where exists (select from deadlines)
    on conflict (id) do update set at = excluded.at
)
select count(*) from moved
"""
# One statement, so that a match goes as a whole. Its listing is locked first: of two nodes one removes it.
REMOVE_UNSTARTED_SQL = f"""
with gone as materialized (
    select match_id from matches
    where {NEVER_BEGUN_MATCH} and created < :opened_before and updated < :ended_before
    order by updated limit :limit for update skip locked
), {REMOVE_GONE_SQL}
select match_id from gone_matches
"""
# Accounts are looked up for each match: no index holds whose it is, as guests may register later. An account
# that was deleted keeps its row, so the matches of its player stay.
OF_GUESTS = """
not exists (select from accounts a where a.player_id = m.opener)
and not exists (select from jsonb_array_elements_text(m.seats) player join accounts a on a.player_id = player)
"""
REMOVE_GUEST_MATCHES_SQL = f"""
with seen as materialized (
    select match_id, created from matches
    where {ENDED_MATCH} and created < :before and (created, match_id) > (:created, :match)
    order by created, match_id limit :limit
), gone as materialized (
    select m.match_id from matches m join seen s on s.match_id = m.match_id
    where m.updated < :before and {OF_GUESTS}
    for update of m skip locked
), {REMOVE_GONE_SQL}
select s.created, s.match_id, g.match_id is not null as is_removed
from seen s left join gone_matches g on g.match_id = s.match_id order by s.created, s.match_id
"""
# `updated` of a listing is when the lobby last showed something new. Of a match under way only its last record says
# when somebody acted. The index of a status finds those that are looked at, in their order.
FIND_IDLE_GUEST_MATCHES_SQL = f"""
with seen as materialized (
    select match_id, created, opener, seats from matches
    where {RUNNING_MATCH} and created < :before and (created, match_id) > (:created, :match)
    order by created, match_id limit :limit
)
select m.created, m.match_id, {OF_GUESTS} and :before > (
    select r.at from records r where r.match_id = m.match_id order by r.seq desc limit 1
) as is_idle
from seen m order by m.created, m.match_id
"""
IMPORT_LISTING_SQL = """
insert into matches (match_id, ruleset, status, seats, opener, created, updated, result, match_options, armies, records,
                     settings, packs, imported)
values ($1, $2, $3, $4::jsonb, $5, $6, $7, $8::jsonb, $9::jsonb, $10::jsonb, $11, $12::jsonb, $13::jsonb, true)
"""
# A function over each row: a player has few unfinished matches, and an index finds them.
COUNT_BOTS_SQL = f"""
select count(*) from matches, jsonb_array_elements_text(seats) player
where opener = :opener and {UNFINISHED_MATCH} and player like 'bot-%'
"""


class PostgresEventLog(EventLog):
    """The table `records`. Appends go through the one writer."""

    def __init__(self, connect: Connect, writer: Callable[[], GroupCommitWriter]) -> None:
        """`writer` gives the writer of an open database, or raises `StoreUnavailable`."""
        self._connect, self._writer = connect, writer

    async def append(self, append: AppendRequest) -> None:
        await self._writer().enqueue(append)

    async def import_match(self, imported: StoredImport) -> None:
        async with self._connect() as connection:
            bare = (await connection.get_raw_connection()).driver_connection
            assert bare is not None
            try:
                async with bare.transaction():
                    # The listing first: of two imports of one match the second waits here and stores nothing.
                    await bare.execute(IMPORT_LISTING_SQL, *_listing_values(imported.listing))
                    rows = [(imported.match, *structs.astuple(record)) for record in imported.records]
                    await bare.copy_records_to_table(RECORDS.name, records=rows, columns=RECORDS.columns.keys())
            except asyncpg.UniqueViolationError:
                raise WrongVersion(imported.match, 0, None) from None

    async def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Record]:
        if not is_storable(match):
            raise UnknownMatch(match)
        async with self._connect() as connection:
            # Through SQLAlchemy each row would cost more than checking and folding it.
            bare = (await connection.get_raw_connection()).driver_connection
            assert bare is not None
            records = [Record(*row) for row in await bare.fetch(READ_SQL, match, after, limit)]
        if not records and not await self.heads([match]):
            raise UnknownMatch(match)
        return records

    async def remove_unstarted(self, opened_before: int, ended_before: int, limit: int) -> list[str]:
        values = {"opened_before": opened_before, "ended_before": ended_before, "limit": limit}
        async with self._connect() as connection:
            removed = await connection.execute(text(REMOVE_UNSTARTED_SQL), values)
            return list(removed.scalars())

    async def remove_guest_matches(self, before: int, after: tuple[int, str], limit: int) -> GuestMatchPage:
        values = {"before": before, "created": after[0], "match": after[1], "limit": limit}
        async with self._connect() as connection:
            seen = (await connection.execute(text(REMOVE_GUEST_MATCHES_SQL), values)).all()
        removed = [row.match_id for row in seen if row.is_removed]
        return GuestMatchPage(removed, (seen[-1].created, seen[-1].match_id) if len(seen) == limit else None)

    async def find_idle_guest_matches(self, before: int, after: tuple[int, str], limit: int) -> IdleMatchPage:
        values = {"before": before, "created": after[0], "match": after[1], "limit": limit}
        async with self._connect() as connection:
            seen = (await connection.execute(text(FIND_IDLE_GUEST_MATCHES_SQL), values)).all()
        idle = [row.match_id for row in seen if row.is_idle]
        return IdleMatchPage(idle, (seen[-1].created, seen[-1].match_id) if len(seen) == limit else None)

    async def heads(self, matches: Sequence[str]) -> dict[str, int]:
        names = literal([match for match in matches if is_storable(match)], ARRAY(NAME_TYPE))
        wanted = func.unnest(names, type_=NAME_TYPE).column_valued("wanted")
        last = select(func.max(RECORDS.c.seq)).where(RECORDS.c.match_id == wanted).scalar_subquery()
        async with self._connect() as connection:
            rows = await connection.execute(select(wanted, last))
            return {match: seq for match, seq in rows if seq is not None}


def _listing_values(listing: Listing) -> tuple[object, ...]:
    """Return the values of `IMPORT_LISTING_SQL`."""
    return (
        listing.match,
        listing.ruleset,
        listing.status,
        _to_json(listing.seats),
        listing.opener,
        listing.created_ms,
        listing.updated_ms,
        _to_json(listing.result),
        _to_json(listing.match_options),
        _to_json(listing.armies),
        listing.records,
        _to_json(listing.settings),
        _to_json(listing.packs),
    )


def _to_json(value: object) -> str:
    return json.encode(value).decode()


class PostgresMatchIndex(MatchIndex):
    """The table `matches`."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect

    async def list_matches(
        self,
        status: str | None = None,
        limit: int = 100,
        before: tuple[int, str] | None = None,
        viewer: str | None = None,
        wanted: ListFilter = NO_FILTER,
    ) -> list[Listing]:
        texts = [wanted.player or "", wanted.ruleset or "", *(f"{name}{value}" for name, value in wanted.settings)]
        if not is_storable("".join(texts)):
            return []
        async with self._connect() as connection:
            return await list_matches(connection, status, limit, before, viewer, wanted)

    async def find_listings(self, matches: Sequence[str]) -> list[Listing]:
        names = literal([match for match in matches if is_storable(match)], ARRAY(NAME_TYPE))
        found = LISTED.where(MATCHES.c.match_id == func.any(names))
        async with self._connect() as connection:
            return [listing_of(row) for row in await connection.execute(found)]

    async def search(self, query: HistoryQuery, limit: int, before: tuple[int, str] | None = None) -> HistoryPage:
        async with self._connect() as connection:
            return await search_matches(connection, query, limit, before)

    async def find_ended_at(self, created_ms: int) -> list[str]:
        ended = select(MATCHES.c.match_id).where(text(ENDED_MATCH), MATCHES.c.created == created_ms)
        async with self._connect() as connection:
            return list(await connection.scalars(ended.limit(MAX_SCANNED_MATCHES)))

    async def find_unstarted(self, before: int, after: str, limit: int) -> list[str]:
        unstarted = (
            select(MATCHES.c.match_id)
            .where(text(UNSTARTED_MATCH), MATCHES.c.updated < before, MATCHES.c.match_id > after)
            .order_by(MATCHES.c.match_id)
            .limit(limit)
        )
        async with self._connect() as connection:
            return list(await connection.scalars(unstarted))

    async def count_unfinished(self, opener: str) -> int:
        if not is_storable(opener):
            return 0
        async with self._connect() as connection:
            found = await connection.execute(select_unfinished_count(opener))
            return int(found.scalar_one())

    async def count_bots(self, opener: str) -> int:
        if not is_storable(opener):
            return 0
        async with self._connect() as connection:
            return int((await connection.execute(text(COUNT_BOTS_SQL), {"opener": opener})).scalar_one())

    async def find_with_bots(self, after: str, limit: int) -> list[str]:
        with_bots = (
            select(MATCHES.c.match_id)
            .where(text(MATCH_WITH_BOTS), MATCHES.c.match_id > after)
            .order_by(MATCHES.c.match_id)
            .limit(limit)
        )
        async with self._connect() as connection:
            return list(await connection.scalars(with_bots))


def select_unfinished_count(opener: str) -> Select[int]:
    """Return the statement. It spells out the status as the index of openers does, so that the index alone answers."""
    return select(func.count()).select_from(MATCHES).where(MATCHES.c.opener == opener, text(UNFINISHED_MATCH))


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

    async def note_kept(self, now: int, silent_since: int | None, until: int) -> int:
        values = {"now": now, "silent_since": silent_since, "until": until}
        async with self._connect() as connection:
            return int((await connection.execute(text(NOTE_KEPT_SQL), values)).scalar_one())

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


class PostgresVault(Vault):
    """The tables `secrets` and `keys`."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect

    async def secrets(self, match: str) -> dict[str, bytes]:
        async with self._connect() as connection:
            rows = await connection.execute(select(SECRETS.c.name, SECRETS.c.value).where(SECRETS.c.match_id == match))
            return {row.name: row.value for row in rows}

    async def forget_secrets(self, match: str) -> None:
        async with self._connect() as connection:
            await connection.execute(
                delete(SECRETS).where(SECRETS.c.match_id == match, SECRETS.c.name.not_like(f"{LOCK_PREFIX}%"))
            )

    async def signing_key(self) -> bytes:
        # The first process creates it; then all of them read the stored one.
        created = insert(KEYS).values(name="signing", value=token_bytes(32)).on_conflict_do_nothing()
        async with self._connect() as connection:
            await connection.execute(created)
            key: bytes = (await connection.execute(select(KEYS.c.value).where(KEYS.c.name == "signing"))).scalar_one()
            return key
