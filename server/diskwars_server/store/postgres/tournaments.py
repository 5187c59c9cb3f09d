"""Tournaments in PostgreSQL."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import asdict
from sqlalchemy import func, or_, select, text, tuple_, update
from sqlalchemy.exc import IntegrityError

from diskwars_protocol.tournaments.events import TournamentEvent, TournamentRecord
from diskwars_protocol.tournaments.state import TournamentStatus
from diskwars_server.store.errors import DuplicateCommand, WrongVersion
from diskwars_server.store.event_log import is_storable
from diskwars_server.store.postgres.connections import Connect
from diskwars_server.store.postgres.tables import TOURNAMENT_COMMAND, TOURNAMENT_RECORDS, TOURNAMENTS
from diskwars_server.store.tournaments import UNFINISHED, TournamentAppend, TournamentListing, Tournaments

# One statement, so that a record and its listing are stored together or not at all.
APPEND_SQL = """
with stored as (
    insert into tournament_records (tournament_id, seq, at, actor, command_id, events)
    values (:tournament, :seq, :at, :actor, :command, :events)
)
insert into tournaments (tournament_id, status, organiser, created, is_public, players, listing, due, claimed_until)
values (
    :tournament, :status, :organiser, :created, :is_public, cast(:players as jsonb), :listing, cast(:due as bigint), 0
)
on conflict (tournament_id) do update set
    status = excluded.status, players = excluded.players, listing = excluded.listing, due = excluded.due,
    claimed_until = 0
"""
_EVENTS = msgspec.json.Decoder(tuple[TournamentEvent, ...])
_LISTING = msgspec.json.Decoder(TournamentListing)
_ROW = TOURNAMENTS.c


class PostgresTournaments(Tournaments):
    """Two tables: what has happened in tournaments, and what lists show of them."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect

    async def append(self, append: TournamentAppend) -> None:
        record, listing = append.record, append.listing
        values = {
            "tournament": append.tournament,
            "seq": record.seq,
            "at": record.at_ms,
            "actor": record.actor,
            "command": append.command,
            "events": _to_json(record.events),
            "status": listing.status,
            "organiser": listing.organiser,
            "created": listing.created_ms,
            "is_public": listing.is_public,
            "players": _to_json(listing.players),
            "listing": _to_json(asdict(listing)),
            "due": append.due_ms,
        }
        async with self._connect() as connection:
            try:
                await connection.execute(text(APPEND_SQL), values)
            except IntegrityError as error:
                if TOURNAMENT_COMMAND in str(error.orig):
                    raise DuplicateCommand(append.tournament, record.actor, append.command) from None
                raise WrongVersion(append.tournament, record.seq - 1, None) from None

    async def read(self, tournament: str, after: int = 0) -> list[TournamentRecord]:
        if not is_storable(tournament):
            return []
        row = TOURNAMENT_RECORDS.c
        wanted = select(row.seq, row.at, row.actor, row.events).where(row.tournament_id == tournament, row.seq > after)
        async with self._connect() as connection:
            rows = (await connection.execute(wanted.order_by(row.seq))).all()
        return [TournamentRecord(seq, at, actor, _EVENTS.decode(events)) for seq, at, actor, events in rows]

    async def list_tournaments(
        self,
        viewer: str,
        statuses: Sequence[TournamentStatus],
        limit: int,
        before: tuple[int, str] | None = None,
        *,
        is_own: bool = False,
    ) -> list[TournamentListing]:
        own = _ROW.players.contains([viewer])
        wanted = select(_ROW.listing).where(_ROW.status.in_(statuses), own if is_own else or_(_ROW.is_public, own))
        if before is not None:
            wanted = wanted.where(tuple_(_ROW.created, _ROW.tournament_id) < before)
        wanted = wanted.order_by(_ROW.created.desc(), _ROW.tournament_id.desc()).limit(limit)
        async with self._connect() as connection:
            return [_LISTING.decode(listing) for listing in await connection.scalars(wanted)]

    async def count_unfinished(self, organiser: str) -> int:
        own = select(func.count()).select_from(TOURNAMENTS)
        async with self._connect() as connection:
            counted = own.where(_ROW.organiser == organiser, _ROW.status.in_(UNFINISHED))
            return await connection.scalar(counted) or 0

    async def claim_due(self, now: int, limit: int, lease_ms: int) -> list[str]:
        due = (
            select(_ROW.tournament_id)
            .where(_ROW.due <= now, _ROW.claimed_until <= now)
            .order_by(_ROW.due, _ROW.tournament_id)
            .limit(limit)
            # Of several nodes each takes what no other is just taking, and none waits.
            .with_for_update(skip_locked=True)
            .cte("due")
            .prefix_with("materialized")
        )
        claim = (
            update(TOURNAMENTS)
            .values(claimed_until=now + lease_ms)
            .where(_ROW.tournament_id == due.c.tournament_id)
            .returning(_ROW.due, _ROW.tournament_id)
        )
        async with self._connect() as connection:
            return [row.tournament_id for row in sorted((await connection.execute(claim)).all(), key=tuple)]

    async def settle(self, tournament: str, claimed_until: int, due_ms: int | None) -> None:
        settled = update(TOURNAMENTS).values(due=due_ms, claimed_until=0)
        mine = _ROW.tournament_id == tournament, _ROW.claimed_until == claimed_until
        async with self._connect() as connection:
            await connection.execute(settled.where(*mine))


def _to_json(value: object) -> str:
    return msgspec.json.encode(value).decode()
