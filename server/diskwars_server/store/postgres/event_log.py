"""Records in PostgreSQL: reads, imports and removals; appends go through `group_commit`."""

from collections.abc import Callable, Sequence

import asyncpg
from msgspec import json, structs
from sqlalchemy import ARRAY, delete, func, literal, select, text

from diskwars_protocol.records.records import Record
from diskwars_server.store.errors import UnknownMatch, WrongVersion
from diskwars_server.store.event_log import (
    AppendRequest,
    ArchivablePage,
    EventLog,
    GuestMatchPage,
    IdleMatchPage,
    OnOutcome,
    StoredImport,
    is_storable,
)
from diskwars_server.store.match_index import Listing
from diskwars_server.store.postgres.connections import Connect
from diskwars_server.store.postgres.group_commit import GroupCommitWriter
from diskwars_server.store.postgres.tables import (
    ARCHIVE_REMOVALS,
    ENDED_MATCH,
    NAME_TYPE,
    NEVER_BEGUN_MATCH,
    RECORDS,
    RUNNING_MATCH,
    UNARCHIVED_MATCH,
)

READ_SQL = f"""
select {", ".join(column.name for column in RECORDS.c if column.name != "match_id")}
from records where match_id = $1 and seq > $2 order by seq limit $3
"""
REMOVE_GONE_SQL = """
gone_records as (delete from records r using gone g where r.match_id = g.match_id
), gone_secrets as (delete from secrets s using gone g where s.match_id = g.match_id
), gone_deadlines as (delete from deadlines d using gone g where d.match_id = g.match_id
), gone_notices as (delete from planned_notices n using gone g where n.match_id = g.match_id
), gone_graces as (delete from graces d using gone g where d.match_id = g.match_id
), gone_entries as (delete from match_entries e using gone g where e.match_id = g.match_id
), gone_invites as (delete from match_invites i using gone g where i.match_id = g.match_id
), gone_chat as (delete from chat_messages c using gone g where c.match_id = g.match_id
), gone_archived as (insert into archive_removals (match_id)
    select m.match_id from matches m join gone g on g.match_id = m.match_id where m.is_archived
    on conflict do nothing
), gone_matches as (delete from matches m using gone g where m.match_id = g.match_id
    returning m.match_id
)
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
# In the order of their index, which has only matches that are not archived.
FIND_ARCHIVABLE_SQL = f"""
select updated, match_id from matches
where {UNARCHIVED_MATCH} and is_counted and updated < :before and (updated, match_id) > (:updated, :match)
order by updated, match_id limit :limit
"""
# One statement: the match is archived, and its records but the last go, or neither. An append still needs the last one.
DROP_ARCHIVED_SQL = f"""
with archived as (
    update matches m set is_archived = true
    where match_id = :match and {UNARCHIVED_MATCH}
      and :head = (select max(r.seq) from records r where r.match_id = m.match_id)
    returning match_id
), dropped as (
    delete from records r using archived a where r.match_id = a.match_id and r.seq < :head
)
select match_id from archived
"""
IMPORT_LISTING_SQL = """
insert into matches (match_id, ruleset, status, seats, opener, created, updated, result, match_options, armies, records,
                     settings, packs, imported)
values ($1, $2, $3, $4::jsonb, $5, $6, $7, $8::jsonb, $9::jsonb, $10::jsonb, $11, $12::jsonb, $13::jsonb, true)
"""


class PostgresEventLog(EventLog):
    """The table `records`. Appends go through the one writer."""

    def __init__(self, connect: Connect, writer: Callable[[], GroupCommitWriter]) -> None:
        """`writer` gives the writer of an open database, or raises `StoreUnavailable`."""
        self._connect, self._writer = connect, writer

    def submit(self, append: AppendRequest, on_outcome: OnOutcome) -> None:
        self._writer().enqueue(append, on_outcome)

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

    async def find_archivable(self, before: int, after: tuple[int, str], limit: int) -> ArchivablePage:
        values = {"before": before, "updated": after[0], "match": after[1], "limit": limit}
        async with self._connect() as connection:
            found = (await connection.execute(text(FIND_ARCHIVABLE_SQL), values)).all()
        last = (found[-1].updated, found[-1].match_id) if len(found) == limit else None
        return ArchivablePage([row.match_id for row in found], last)

    async def drop_archived(self, match: str, head: int) -> bool:
        if not is_storable(match):
            return False
        async with self._connect() as connection:
            dropped = await connection.execute(text(DROP_ARCHIVED_SQL), {"match": match, "head": head})
            return dropped.first() is not None

    async def list_archive_removals(self, limit: int) -> list[str]:
        removed = select(ARCHIVE_REMOVALS.c.match_id).order_by(ARCHIVE_REMOVALS.c.match_id).limit(limit)
        async with self._connect() as connection:
            return list(await connection.scalars(removed))

    async def forget_archive_removals(self, matches: Sequence[str]) -> None:
        async with self._connect() as connection:
            await connection.execute(delete(ARCHIVE_REMOVALS).where(ARCHIVE_REMOVALS.c.match_id.in_(list(matches))))

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
