"""The statement that stores a batch of appends in one transaction and one round trip, of the parts that it needs.

Most batches hold records and turns only. What a batch does not hold, PostgreSQL does not plan, start and end either.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from re import Match, sub
from typing import TypeAlias, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from diskwars_server.store.deadlines import Deadline
from diskwars_server.store.event_log import AppendRequest
from diskwars_server.store.match_index import Listing
from diskwars_server.store.notices import PlannedNotice

Arguments: TypeAlias = list[str | Sequence[object]]


class _SecretRow(Struct, frozen=True):
    match_id: str
    name: str
    value: bytes


class _ListingRow(Struct, frozen=True):
    """A row of `matches`: its columns, in the order of the statement's arguments."""

    match_id: str
    ruleset: str
    status: str
    seats: str
    opener: str
    created: int
    updated: int
    result: str
    match_options: str
    armies: str
    records: int
    deciding: str
    settings: str
    packs: str

    @classmethod
    def of(cls, listing: Listing) -> "_ListingRow":
        return cls(
            match_id=listing.match,
            ruleset=listing.ruleset,
            status=listing.status,
            seats=_encode_json(listing.seats),
            opener=listing.opener,
            created=listing.created_ms,
            updated=listing.updated_ms,
            result=_encode_json(listing.result),
            match_options=_encode_json(listing.match_options),
            armies=_encode_json(listing.armies),
            records=listing.records,
            deciding=_encode_seats(listing.deciding),
            settings=_encode_json(listing.settings),
            packs=_encode_json(listing.packs),
        )


class _TurnRow(Struct, frozen=True):
    match_id: str
    deciding: str


class _ClosedRow(Struct, frozen=True):
    """A decision that is no longer open."""

    match_id: str
    decision: str


class _StatementPart(Struct, frozen=True):
    """One part of the statement, whose parameters are counted from 1."""

    steps: str
    parameters: int
    arguments: Callable[[Sequence[AppendRequest]], Arguments]


RowT = TypeVar("RowT", bound=Struct)


def build_append(appends: Sequence[AppendRequest]) -> tuple[str, Arguments]:
    """Return the statement that stores these appends, and its arguments. Its answer is the number of gaps."""
    has_listings = has_deadlines = has_notices = False
    for append in appends:
        has_listings = has_listings or append.listing is not None or bool(append.secrets)
        has_deadlines = has_deadlines or bool(append.deadlines or append.closed_decisions)
        has_notices = has_notices or bool(append.notices)
    sql, parts = _statement(has_listings, has_deadlines, has_notices)
    return sql, [argument for part in parts for argument in part.arguments(appends)]


@cache  # of eight combinations
def _statement(has_listings: bool, has_deadlines: bool, has_notices: bool) -> tuple[str, tuple[_StatementPart, ...]]:
    parts = [_RECORDS]
    if has_listings:
        parts.append(_LISTINGS)
    if has_deadlines:
        parts.append(_DEADLINES)
    if has_notices:
        parts.append(_NOTICES)
    sql, before = "", 0
    for part in parts:
        sql += _renumber(part.steps, before)
        before += part.parameters
    return sql + "\nselect count(*) from gap\n", tuple(parts)


def _renumber(steps: str, before: int) -> str:
    """Return the steps with parameters counted from `before` + 1."""

    def shift(found: Match[str]) -> str:
        return f"${int(found[1]) + before}"

    return sub(r"\$(\d+)", shift, steps)


# ---------------------------------------------------------------- records and turns

# The primary key alone would let a writer leave a gap behind the end of a match, so an append after n > 0 needs record
# n to be there. Records are deleted only of matches that ended long ago: what is seen stays true until the commit. A
# record that another writer is just committing is not visible yet, and an append that builds on it was guessed. One
# gap keeps the whole batch out; the answer is the number of gaps.
#
# Whose turn it is changes with nearly every record, and `deciding` alone then: no index has it, so that PostgreSQL
# writes no index entry (a HOT update).
#
# Of each element of an array asyncpg asks whether it is an array itself, twice if it is a number or nothing at all, and
# that takes longer than to send it: numbers are sent as one text, and a secret that is there has a byte before it.
_RECORD_STEPS = """
with appends as materialized (
    select * from unnest($1::text[], string_to_array($2::text, ' ')::bigint[], string_to_array($3::text, ' ')::bigint[],
                         $4::text[], $5::text[], string_to_array($6::text, ' ')::integer[], $7::bytea[], $8::bytea[],
                         $9::bytea[], $10::bytea[])
        as a (match_id, expected, at, actor, command_id, rules_version, body, secret, salt, hash)
), gap as materialized (
    select from appends a
    where a.expected > 0
      and (select r.seq from records r where r.match_id = a.match_id and r.seq = a.expected) is null
), new_records as (
    insert into records (match_id, seq, at, actor, command_id, rules_version, body, secret, salt, hash)
    select match_id, expected + 1, at, actor, command_id, rules_version, body,
        case when secret <> '' then substring(secret from 2) end, salt, hash
    from appends
    where not exists (select from gap)
), new_turns as (
    update matches m set deciding = t.deciding
    from unnest($11::text[], $12::text[]) as t (match_id, deciding)
    where m.match_id = t.match_id and not exists (select from gap)
)"""


def _record_arguments(appends: Sequence[AppendRequest]) -> Arguments:
    records = [append.record for append in appends]
    turns = [
        _TurnRow(append.match, _encode_seats(append.deciding)) for append in appends if append.deciding is not None
    ]
    return [
        [append.match for append in appends],
        _join_numbers(append.expected for append in appends),
        _join_numbers(record.at_ms for record in records),
        [record.actor for record in records],
        [record.command_id for record in records],
        _join_numbers(record.rules_version for record in records),
        [record.body for record in records],
        [b"" if record.secret is None else b"\x01" + record.secret for record in records],
        [record.salt for record in records],
        [record.hash for record in records],
        *_columns(_TurnRow, turns),
    ]


# ---------------------------------------------------------------- listings and secrets

_LISTING_STEPS = f""", new_secrets as (
    insert into secrets (match_id, name, value)
    select * from unnest($1::text[], $2::text[], $3::bytea[])
    where not exists (select from gap)
    on conflict (match_id, name) do update set value = excluded.value
), new_listings as (
    insert into matches ({", ".join(_ListingRow.__struct_fields__)})
    select * from unnest($4::text[], $5::text[], $6::text[], $7::jsonb[], $8::text[], $9::bigint[], $10::bigint[],
                         $11::jsonb[], $12::jsonb[], $13::jsonb[], $14::bigint[], $15::text[], $16::jsonb[],
                         $17::jsonb[])
    where not exists (select from gap)
    on conflict (match_id) do update set
        {", ".join(f"{name} = excluded.{name}" for name in _ListingRow.__struct_fields__ if name != "match_id")}
)"""


def _listing_arguments(appends: Sequence[AppendRequest]) -> Arguments:
    secrets = [_SecretRow(append.match, name, value) for append in appends for name, value in append.secrets.items()]
    listings = [_ListingRow.of(append.listing) for append in appends if append.listing is not None]
    return [*_columns(_SecretRow, secrets), *_columns(_ListingRow, listings)]


# ---------------------------------------------------------------- deadlines and notices

_DEADLINE_STEPS = """, new_deadlines as (
    insert into deadlines (match_id, decision, at, claimed_until)
    select *, 0 from unnest($1::text[], $2::text[], $3::bigint[])
    where not exists (select from gap)
    on conflict (match_id, decision) do update set at = excluded.at, claimed_until = 0
), old_deadlines as (
    delete from deadlines d
    using unnest($4::text[], $5::text[]) as c (match_id, decision)
    where d.match_id = c.match_id and d.decision = c.decision and not exists (select from gap)
)"""


def _deadline_arguments(appends: Sequence[AppendRequest]) -> Arguments:
    deadlines = [deadline for append in appends for deadline in append.deadlines]
    closed = [_ClosedRow(append.match, decision) for append in appends for decision in append.closed_decisions]
    return [*_columns(Deadline, deadlines), *_columns(_ClosedRow, closed)]


# Only for those who can be reached, so that a player without a channel costs a look at one index and no row.
_NOTICE_STEPS = """, new_notices as (
    insert into planned_notices (player_id, match_id, kind, seat, due, seq, decision, claimed_until)
    select n.*, 0 from unnest($1::text[], $2::text[], $3::text[], $4::integer[], $5::bigint[], $6::bigint[], $7::text[])
        as n (player_id, match_id, kind, seat, due, seq, decision)
    where not exists (select from gap)
      and exists (select from notice_channels c where c.player_id = n.player_id)
    on conflict (player_id, match_id, kind) do update set
        seat = excluded.seat, due = excluded.due, seq = excluded.seq, decision = excluded.decision, claimed_until = 0
)"""


def _notice_arguments(appends: Sequence[AppendRequest]) -> Arguments:
    return [*_columns(PlannedNotice, [notice for append in appends for notice in append.notices])]


# ---------------------------------------------------------------- values


def _join_numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _columns(kind: type[RowT], rows: Sequence[RowT]) -> list[Sequence[object]]:
    """Return the values of each field, in the order of the fields."""
    return list(zip(*map(astuple, rows), strict=True)) if rows else [()] * len(kind.__struct_fields__)


def _encode_json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _encode_seats(seats: tuple[int, ...]) -> str:
    return "".join(map(str, seats))


_RECORDS = _StatementPart(_RECORD_STEPS, 12, _record_arguments)
_LISTINGS = _StatementPart(_LISTING_STEPS, 17, _listing_arguments)
_DEADLINES = _StatementPart(_DEADLINE_STEPS, 5, _deadline_arguments)
_NOTICES = _StatementPart(_NOTICE_STEPS, 7, _notice_arguments)

LEAN_APPEND_SQL, _ = _statement(False, False, False)
"""What most batches need: records, and whose turn it is."""
