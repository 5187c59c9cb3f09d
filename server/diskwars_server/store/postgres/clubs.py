"""Clubs in PostgreSQL."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import asdict
from sqlalchemy import func, or_, select, tuple_

from diskwars_protocol.clubs.events import ClubEvent, ClubRecord
from diskwars_protocol.match.ids import PlayerId
from diskwars_server.store.clubs import ClubAppend, ClubListing, Clubs
from diskwars_server.store.postgres.connections import Connect
from diskwars_server.store.postgres.streams import PostgresStreams, to_json
from diskwars_server.store.postgres.tables import CLUB_COMMAND, CLUB_RECORDS, CLUBS

_EVENTS = msgspec.json.Decoder(tuple[ClubEvent, ...])
_LISTING = msgspec.json.Decoder(ClubListing)
_ROW = CLUBS.c


class PostgresClubs(Clubs):
    """Two tables: what has happened in clubs, and what lists show of them."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect
        self._streams = PostgresStreams(connect, CLUB_RECORDS, CLUBS, CLUB_COMMAND)

    async def append(self, append: ClubAppend) -> None:
        listing = append.listing
        row = {
            "status": listing.status,
            "created": listing.created_ms,
            "is_public": listing.is_public,
            "members": to_json(tuple(listing.members)),
            "listing": to_json(asdict(listing)),
            "due": append.due_ms,
        }
        await self._streams.append(append.club, append.record, append.command, row)

    async def read(self, club: str, after: int = 0) -> list[ClubRecord]:
        rows = await self._streams.read(club, after)
        return [ClubRecord(seq, at, PlayerId(actor), _EVENTS.decode(events)) for seq, at, actor, events in rows]

    async def has_command(self, club: str, actor: str, command: str) -> bool:
        return await self._streams.has_command(club, actor, command)

    async def list_clubs(
        self, viewer: str, limit: int, before: tuple[int, str] | None = None, *, is_own: bool = False
    ) -> list[ClubListing]:
        own = _ROW.members.contains([viewer])
        wanted = select(_ROW.listing).where(_ROW.status == "open", own if is_own else or_(_ROW.is_public, own))
        if before is not None:
            wanted = wanted.where(tuple_(_ROW.created, _ROW.club_id) < before)
        wanted = wanted.order_by(_ROW.created.desc(), _ROW.club_id.desc()).limit(limit)
        async with self._connect() as connection:
            return [_LISTING.decode(listing) for listing in await connection.scalars(wanted)]

    async def find_listings(self, clubs: Sequence[str]) -> list[ClubListing]:
        # PostgreSQL takes no null character, which no id of a club has.
        known = [club for club in clubs if "\0" not in club]
        async with self._connect() as connection:
            rows = await connection.scalars(select(_ROW.listing).where(_ROW.club_id.in_(known)))
            return [_LISTING.decode(listing) for listing in rows]

    async def count_own(self, player: str) -> int:
        own = select(func.count()).select_from(CLUBS)
        async with self._connect() as connection:
            counted = own.where(_ROW.status == "open", _ROW.members.contains([player]))
            return await connection.scalar(counted) or 0

    async def claim_due(self, now: int, limit: int, lease_ms: int) -> list[str]:
        return await self._streams.claim_due(now, limit, lease_ms)

    async def settle(self, club: str, claimed_until: int, due_ms: int | None) -> None:
        await self._streams.settle(club, claimed_until, due_ms)
