"""Tournaments in PostgreSQL."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import asdict
from sqlalchemy import func, or_, select, tuple_

from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.tournaments.events import TournamentEvent, TournamentRecord
from diskwars_protocol.tournaments.state import TournamentStatus
from diskwars_server.store.postgres.connections import Connect
from diskwars_server.store.postgres.streams import PostgresStreams, to_json
from diskwars_server.store.postgres.tables import TOURNAMENT_COMMAND, TOURNAMENT_RECORDS, TOURNAMENTS
from diskwars_server.store.tournaments import UNFINISHED, TournamentAppend, TournamentListing, Tournaments

_EVENTS = msgspec.json.Decoder(tuple[TournamentEvent, ...])
_LISTING = msgspec.json.Decoder(TournamentListing)
_ROW = TOURNAMENTS.c


class PostgresTournaments(Tournaments):
    """Two tables: what has happened in tournaments, and what lists show of them."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect
        self._streams = PostgresStreams(connect, TOURNAMENT_RECORDS, TOURNAMENTS, TOURNAMENT_COMMAND)

    async def append(self, append: TournamentAppend) -> None:
        listing = append.listing
        row = {
            "status": listing.status,
            "organiser": listing.organiser,
            "created": listing.created_ms,
            "is_public": listing.is_public,
            "players": to_json(listing.players),
            "listing": to_json(asdict(listing)),
            "due": append.due_ms,
            "club": listing.club or None,
        }
        await self._streams.append(append.tournament, append.record, append.command, row)

    async def read(self, tournament: str, after: int = 0) -> list[TournamentRecord]:
        rows = await self._streams.read(tournament, after)
        return [TournamentRecord(seq, at, PlayerId(actor), _EVENTS.decode(events)) for seq, at, actor, events in rows]

    async def has_command(self, tournament: str, actor: str, command: str) -> bool:
        return await self._streams.has_command(tournament, actor, command)

    async def list_tournaments(
        self,
        viewer: str,
        statuses: Sequence[TournamentStatus],
        limit: int,
        before: tuple[int, str] | None = None,
        *,
        is_own: bool = False,
        clubs: Sequence[str] | None = None,
        is_member: bool = False,
    ) -> list[TournamentListing]:
        own = _ROW.players.contains([viewer])
        wanted = select(_ROW.listing).where(_ROW.status.in_(statuses))
        if is_own or not is_member:
            wanted = wanted.where(own if is_own else or_(_ROW.is_public, own))
        if clubs is not None:
            wanted = wanted.where(_ROW.club.in_(clubs))
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
        return await self._streams.claim_due(now, limit, lease_ms)

    async def settle(self, tournament: str, claimed_until: int, due_ms: int | None) -> None:
        await self._streams.settle(tournament, claimed_until, due_ms)
