"""Records, appends and listings as the tests of the database ports store them."""

import asyncio

from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.state import MatchStatus
from diskwars_protocol.records.records import Record
from diskwars_server.store.accounts import StoredAccount, StoredDevice
from diskwars_server.store.database import Database
from diskwars_server.store.errors import StoreError
from diskwars_server.store.event_log import AppendRequest
from diskwars_server.store.match_index import Listing


def make_record(seq: int, command: str = "", actor: str = "alice", body: bytes = b"{}") -> Record:
    return Record(
        seq=seq,
        at_ms=1_790_000_000_125,
        actor=actor,
        command_id=command or f"c{seq}",
        rules_version=1,
        body=body,
        secret=None,
        salt=bytes([seq % 256]) * 16,
        hash=seq.to_bytes(32, "big"),
    )


def make_append(match: str, expected: int = 0, **more: object) -> AppendRequest:
    """The next make_record, whose command is named after it."""
    return AppendRequest(match, expected, make_record(expected + 1), **more)  # type: ignore[arg-type]


def make_listing(match: str, created: int, status: MatchStatus = "open", opener: str = "p1") -> Listing:
    return Listing(match, "diskwars", status, ("p1", None), opener, created, created + 1)


async def store_played(database: Database, listing: Listing) -> None:
    """Store an ended match in which every seat has answered after the set-up, in all rulesets."""
    started = b'{"events":[{"type":"step_began"},{"type":"round_began"},{"type":"turn_began"}]}'
    answers = [b'{"seat":%d,"decision":"1.%d"}' % (seat, seat) for seat in range(len(listing.seats))]
    await store_bodies(database, listing, started, *answers)


async def store_bodies(database: Database, listing: Listing, *bodies: bytes) -> None:
    """Store an ended match with these bodies of records."""
    for expected, body in enumerate(bodies):
        record = make_record(expected + 1, body=body)
        ended = listing if expected + 1 == len(bodies) else None
        await database.events.append(AppendRequest(listing.match, expected, record, listing=ended))


async def store_match(
    database: Database,
    match: str,
    *seats: str | None,
    status: MatchStatus,
    opener: str = "guest1",
    created: int = 5,
    updated: int = 9,
) -> None:
    """Store a match of Diskwars by its first record, with a secret; without `seats`, of two guests."""
    result = Result("points", (0,)) if status == "ended" else None
    listing = Listing(match, "diskwars", status, seats or ("guest1", "guest2"), opener, created, updated, result)
    await database.events.append(AppendRequest(match, 0, make_append(match).record, {"deal": b"1"}, listing))


async def register(database: Database, player: str) -> None:
    """Store an account, with a device."""
    account = StoredAccount(player, player.title(), player, "hash", 0)
    assert await database.accounts.register(account, StoredDevice(player, "d", player.encode(), 0, 0))


async def outcomes(database: Database, *appends: AppendRequest) -> list[StoreError | None]:
    """Return what came of each, all handed over at once."""
    answers = await asyncio.gather(*(database.events.append(append) for append in appends), return_exceptions=True)
    for answer in answers:
        assert answer is None or isinstance(answer, StoreError), answer
    return [answer for answer in answers if answer is None or isinstance(answer, StoreError)]


async def filled(database: Database, match: str, count: int) -> list[Record]:
    """Append this many records to a new match."""
    for expected in range(count):
        await database.events.append(make_append(match, expected))
    return [make_record(seq) for seq in range(1, count + 1)]
