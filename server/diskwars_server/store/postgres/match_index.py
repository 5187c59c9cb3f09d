"""Match index in PostgreSQL: rows as listings, and the statements that list and search matches."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import (
    ARRAY,
    BigInteger,
    BindParameter,
    ColumnElement,
    Row,
    Select,
    bindparam,
    cast,
    exists,
    func,
    literal,
    not_,
    or_,
    select,
    text,
    tuple_,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncConnection

from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.match_options import CORRESPONDENCE_SECONDS, MatchOptions, Pace
from diskwars_server.store.admissions import LOCK_SECRETS
from diskwars_server.store.event_log import is_storable
from diskwars_server.store.match_index import (
    MAX_SCANNED_MATCHES,
    NEVER_BEGUN_REASONS,
    NO_FILTER,
    HistoryPage,
    HistoryQuery,
    ListFilter,
    Listing,
    MatchIndex,
)
from diskwars_server.store.postgres.connections import Connect
from diskwars_server.store.postgres.tables import (
    ENDED_MATCH,
    MATCH_OF_CLUB,
    MATCH_WITH_BOTS,
    MATCHES,
    NAME_TYPE,
    SECRETS,
    UNFINISHED_MATCH,
    UNSTARTED_MATCH,
)


def spelled_out(text: str) -> ColumnElement[str]:
    """Return a value that is written into the statement itself, quoted.

    With a parameter in its place a search is planned once for all players, without knowing how few matches one has: of
    200,000 matches it read all that are newer than the last one wanted, in 62 ms instead of 3.
    """
    return bindparam(None, text, type_=NAME_TYPE, literal_execute=True)


def lock_column(match_id: ColumnElement[str]) -> ColumnElement[bool]:
    """Return the column that says whether a match is locked."""
    lock = select(SECRETS).where(SECRETS.c.match_id == match_id, SECRETS.c.name.in_(LOCK_SECRETS))
    return exists(lock).label("is_locked")


LISTED = select(MATCHES, lock_column(MATCHES.c.match_id))
"""Every match with what a listing has. Made once: making it took a fifth of the time of a list."""


PLAYER, OWN_OF, VIEWER = (bindparam(name, type_=NAME_TYPE) for name in ("player", "own_of", "viewer"))
BEFORE = bindparam("created", type_=BigInteger), bindparam("match_id", type_=NAME_TYPE)
MAX_LIST_SHAPES = 128
"""Statements of lists that are kept; the page and the SDK ask for a dozen."""


def shown_to(columns: Any, viewer: str | BindParameter[str]) -> ColumnElement[bool]:
    """Return the condition of `is_listed_for`."""
    is_public = columns.match_options["visibility"].astext == "public"
    return or_(is_public, columns.opener == viewer, columns.seats.has_key(viewer))


def played_at(columns: Any, pace: Pace) -> ColumnElement[bool]:
    """Return the condition that `pace_of` the clock is this."""
    options = columns.match_options
    has_clock: ColumnElement[bool] = options.has_key("clock")
    if pace == "no_clock":
        return not_(has_clock)
    named = [options["clock"][name].astext for name in ("decision_seconds", "bank_seconds")]
    seconds = cast(func.coalesce(*named), BigInteger)
    return seconds >= CORRESPONDENCE_SECONDS if pace == "days" else seconds < CORRESPONDENCE_SECONDS


class ListShape(Struct, frozen=True):
    """The filters of a list, without their values."""

    has_status: bool = False
    has_before: bool = False
    has_viewer: bool = False
    has_ruleset: bool = False
    has_player: bool = False
    has_own_of: bool = False
    has_free_seat: bool = False
    has_settings: bool = False
    has_clubs: bool = False
    pace: Pace | None = None


@lru_cache(maxsize=MAX_LIST_SHAPES)
def select_list(shape: ListShape) -> Select[Any]:
    """Return the statement of a list, whose parameters are named as those of `list_matches`.

    Made once for each shape: making it took nearly half of the time that a list keeps the event loop.
    """
    matches: Any = MATCHES
    for is_wanted, player, has_opened in ((shape.has_player, PLAYER, False), (shape.has_own_of, OWN_OF, True)):
        if is_wanted:
            # Materialized: an index finds the few matches of a player. By age all would be looked through.
            matches = _select_of_player(matches, player, has_opened).cte().prefix_with("materialized")
    columns = matches.c
    statement = LISTED if matches is MATCHES else select(matches, lock_column(columns.match_id))
    if shape.has_free_seat:
        statement = statement.where(columns.status == "open", columns.seats.contains([None]))
    if shape.has_ruleset:
        statement = statement.where(columns.ruleset == bindparam("ruleset", type_=NAME_TYPE))
    if shape.has_settings:
        statement = statement.where(columns.settings.contains(bindparam("settings", type_=JSONB)))
    if shape.has_clubs:
        club = columns.match_options["club"].astext
        is_wanted_club = club == func.any(bindparam("clubs", type_=ARRAY(NAME_TYPE)))
        statement = statement.where(text(MATCH_OF_CLUB), is_wanted_club, ~columns.imported)
    if shape.pace is not None:
        statement = statement.where(played_at(columns, shape.pace))
    if shape.has_status:
        statement = statement.where(columns.status == bindparam("status", type_=NAME_TYPE))
    if shape.has_before:
        statement = statement.where(tuple_(columns.created, columns.match_id) < tuple_(*BEFORE))
    if shape.has_viewer:
        statement = statement.where(shown_to(columns, VIEWER))
    newest_first = statement.order_by(columns.created.desc(), columns.match_id.desc())
    return newest_first.limit(bindparam("limit", type_=BigInteger))


def _select_of_player(matches: Any, player: BindParameter[str], has_opened: bool) -> Select[Any]:
    """Return the matches in which a player sits, or that the player has opened."""
    is_seated = matches.c.seats.has_key(player)
    return select(matches).where(or_(is_seated, matches.c.opener == player) if has_opened else is_seated)


def select_rated(player: str) -> Select[Any]:
    """Return the matches in which a player sits, or sat, that count for ratings and were played here."""
    return _select_of_player(MATCHES, bindparam(None, player, type_=NAME_TYPE), has_opened=False).where(
        MATCHES.c.match_options.contains({"rated": True}), ~MATCHES.c.imported
    )


async def list_matches(
    connection: AsyncConnection,
    status: str | None,
    limit: int,
    before: tuple[int, str] | None,
    viewer: str | None,
    wanted: ListFilter,
) -> list[Listing]:
    """Return one page of a list, newest first."""
    shape = ListShape(
        has_status=status is not None,
        has_before=before is not None,
        has_viewer=viewer is not None,
        has_ruleset=wanted.ruleset is not None,
        has_player=wanted.player is not None,
        has_own_of=wanted.own_of is not None,
        has_free_seat=wanted.has_free_seat,
        has_settings=bool(wanted.settings),
        has_clubs=wanted.clubs is not None,
        pace=wanted.pace,
    )
    created, match_id = before or (None, None)
    values = {
        "limit": limit,
        "status": status,
        "created": created,
        "match_id": match_id,
        "viewer": viewer,
        "ruleset": wanted.ruleset,
        "player": wanted.player,
        "own_of": wanted.own_of,
        "settings": dict(wanted.settings) or None,
        "clubs": None if wanted.clubs is None else list(wanted.clubs),
    }
    given = {name: value for name, value in values.items() if value is not None}
    return [listing_of(row) for row in await connection.execute(select_list(shape), given)]


def listing_of(row: Row[Any]) -> Listing:
    return Listing(
        match=row.match_id,
        ruleset=row.ruleset,
        status=row.status,
        seats=tuple(row.seats),
        opener=row.opener,
        created_ms=row.created,
        updated_ms=row.updated,
        result=msgspec.convert(row.result, Result | None),
        match_options=msgspec.convert(row.match_options, MatchOptions),
        armies=tuple(row.armies),
        records=row.records,
        deciding=tuple(map(int, row.deciding)),
        imported=row.imported,
        settings=row.settings,
        packs=tuple(row.packs),
        is_locked=row.is_locked,
    )


async def search_matches(
    connection: AsyncConnection, query: HistoryQuery, limit: int, before: tuple[int, str] | None
) -> HistoryPage:
    """Return one page of a search, of the newest matches of an index and of no more than the limit."""
    scanned = select_scanned(query, before).limit(MAX_SCANNED_MATCHES).subquery()
    matches = (
        select(scanned, lock_column(scanned.c.match_id))
        .where(*_found_conditions(scanned.c, query))
        .order_by(scanned.c.created.desc(), scanned.c.match_id.desc())
        .limit(limit + 1)
    )
    listings = [listing_of(row) for row in await connection.execute(matches)]
    if len(listings) > limit:
        return HistoryPage(listings[:limit], (listings[limit - 1].created_ms, listings[limit - 1].match))
    # The last one that was looked at, and whether there is another.
    ends = list(await connection.execute(select_scanned(query, before).offset(MAX_SCANNED_MATCHES - 1).limit(2)))
    return HistoryPage(listings, (ends[0].created, ends[0].match_id) if len(ends) == 2 else None)


def select_scanned(query: HistoryQuery, before: tuple[int, str] | None) -> Select[Any]:
    """Select the matches that a search looks at, newest first: `is_scanned`.

    The status is spelled out as in the indexes.
    """
    wanted = select(MATCHES).where(text(ENDED_MATCH), MATCHES.c.created >= query.since_ms)
    if query.player is not None:
        wanted = wanted.where(MATCHES.c.seats.has_key(spelled_out(query.player)))
    if query.army is not None:
        wanted = wanted.where(MATCHES.c.armies.has_key(spelled_out(query.army)))
    if query.until_ms is not None:
        wanted = wanted.where(MATCHES.c.created <= query.until_ms)
    if before is not None:
        wanted = wanted.where(tuple_(MATCHES.c.created, MATCHES.c.match_id) < before)
    return wanted.order_by(MATCHES.c.created.desc(), MATCHES.c.match_id.desc())


def _found_conditions(columns: Any, query: HistoryQuery) -> list[ColumnElement[bool]]:
    """Return the conditions of `is_found`."""
    end_reason = columns.result["end_reason"].astext
    conditions = [end_reason.not_in(NEVER_BEGUN_REASONS), columns.records >= query.min_records]
    if query.viewer is not None:
        conditions.append(shown_to(columns, query.viewer))
    if query.max_records is not None:
        conditions.append(columns.records <= query.max_records)
    if query.ruleset is not None:
        conditions.append(columns.ruleset == query.ruleset)
    if query.end_reason is not None:
        conditions.append(end_reason == query.end_reason)
    if query.won is not None:
        has_won = _has_won(columns, query.player)
        conditions.append(has_won if query.won else not_(has_won))
    return conditions


def _has_won(columns: Any, player: str | None) -> ColumnElement[bool]:
    """Return the condition that a seat of the player is among the winners."""
    seats = (
        func.jsonb_array_elements_text(columns.seats).table_valued("value", with_ordinality="place").render_derived()
    )
    winners = func.coalesce(columns.result["winners"], cast([], JSONB))
    is_winner = winners.op("@>")(func.to_jsonb(seats.c.place - 1))
    return exists(select(literal(1)).select_from(seats).where(seats.c.value == player, is_winner))


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
        texts = [
            wanted.player or "",
            wanted.ruleset or "",
            *(wanted.clubs or ()),
            *(f"{name}{value}" for name, value in wanted.settings),
        ]
        if not is_storable("".join(texts)):
            return []
        async with self._connect() as connection:
            return await list_matches(connection, status, limit, before, viewer, wanted)

    async def find_listings(self, matches: Sequence[str]) -> list[Listing]:
        names = literal([match for match in matches if is_storable(match)], ARRAY(NAME_TYPE))
        listings = LISTED.where(MATCHES.c.match_id == func.any(names))
        async with self._connect() as connection:
            return [listing_of(row) for row in await connection.execute(listings)]

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

    async def has_rated(self, player: str) -> bool:
        if not is_storable(player):
            return False
        async with self._connect() as connection:
            return (await connection.execute(select_rated(player).limit(1))).first() is not None

    async def count_unfinished(self, opener: str) -> int:
        if not is_storable(opener):
            return 0
        async with self._connect() as connection:
            counted = await connection.execute(select_unfinished_count(opener))
            return int(counted.scalar_one())

    async def find_bot_matches(self, opener: str, limit: int) -> list[str]:
        if not is_storable(opener):
            return []
        async with self._connect() as connection:
            return list(await connection.scalars(select_bot_matches(opener, limit)))

    async def find_with_bots(self, after: str, limit: int) -> list[str]:
        with_bots = (
            select(MATCHES.c.match_id)
            .where(text(MATCH_WITH_BOTS), MATCHES.c.match_id > after)
            .order_by(MATCHES.c.match_id)
            .limit(limit)
        )
        async with self._connect() as connection:
            return list(await connection.scalars(with_bots))


def select_bot_matches(opener: str, limit: int) -> Select[tuple[str]]:
    """Return the statement. A player has few unfinished matches, and the index of openers finds them."""
    return (
        select(MATCHES.c.match_id)
        .where(MATCHES.c.opener == opener, text(UNFINISHED_MATCH), text(MATCH_WITH_BOTS))
        .order_by(MATCHES.c.created, MATCHES.c.match_id)
        .limit(limit)
    )


def select_unfinished_count(opener: str) -> Select[int]:
    """Return the statement. It spells out the status as the index of openers does, so that the index alone answers."""
    return select(func.count()).select_from(MATCHES).where(MATCHES.c.opener == opener, text(UNFINISHED_MATCH))
