"""Ratings and statistics in PostgreSQL.

One node at a time counts, in one transaction: the matches that it has looked at, their order and what they change are
stored together or not at all.
"""

import contextlib
import logging
import time
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ARRAY, BigInteger, Row, Select, bindparam, delete, func, literal, select, text, tuple_, update
from sqlalchemy.dialects.postgresql import array, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from diskwars_protocol.match.decisions import Result
from diskwars_protocol.records.records import Record
from diskwars_server.store.archive.objects import ArchiveUnavailable
from diskwars_server.store.event_log import EventLog
from diskwars_server.store.match_index import Listing
from diskwars_server.store.postgres.connections import Connect
from diskwars_server.store.postgres.match_index import listing_of
from diskwars_server.store.postgres.tables import (
    ACCOUNTS,
    BOT_ACCOUNT,
    COUNTED_MATCHES,
    MATCHES,
    NAME_TYPE,
    PLAYED_RESULTS,
    RANKED_PLAYER,
    RATING_CHANGES,
    RATING_MODEL,
    RATINGS,
    RECORDS,
    UNCOUNTED_MATCH,
)
from diskwars_server.store.rated_matches import DAY_MS, PlayedSeats, RatedMatch, RatedPairs
from diskwars_server.store.rating_model import MODEL_VERSION
from diskwars_server.store.rating_tally import CountedMatch, RatingTally, counted_match, with_played, with_rating
from diskwars_server.store.ratings import (
    LadderResults,
    RankedPlayer,
    Ratings,
    StoredRating,
    StoredRatingChange,
    StoredResults,
)

log = logging.getLogger(__name__)

LOCK_KEY = 0x726174696E6773  # any fixed number: the name of this lock among all of PostgreSQL's advisory locks
_BATCH_MATCHES = 1_000
_BATCH_RECORDS = 100
_UNREADABLE_SECONDS = 3600.0
"""For which a match is not looked at whose records the archive did not give; it is counted later than its time then."""
_MAX_UNREADABLE = 1000
_BATCH_ROWS = 1_000  # a statement has at most 32,767 parameters
_RATING_COLUMNS = ("ruleset", "player_id", "mu", "sigma", "shown", "games", "wins", "losses", "draws")
_RESULT_COLUMNS = ("ruleset", "player_id", "army", "games", "wins", "losses", "draws", "points", "records")

LADDER = text("""
select members.player, ratings.shown,
    count(*) filter (where played.has_won) as wins,
    count(*) filter (where played.is_draw) as draws,
    count(*) filter (where not played.has_won and not played.is_draw) as losses
from unnest(:players) as members(player)
left join ratings on ratings.player_id = members.player and ratings.ruleset = :ruleset
left join (
    select seat.player, ended.winners @> to_jsonb(seat.place - 1) as has_won,
        jsonb_array_length(ended.winners) = 0 as is_draw
    from (
        select matches.seats, coalesce(matches.result -> 'winners', cast('[]' as jsonb)) as winners
        from counted_matches join matches using (match_id)
        where counted_matches.is_rated and counted_matches.ruleset = :ruleset and matches.seats ?| :players
            and counted_matches.ended >= :since and counted_matches.ended < :until
    ) as ended
    cross join lateral jsonb_array_elements_text(ended.seats) with ordinality as seat(player, place)
) as played on played.player = members.player
group by members.player, ratings.shown
""").bindparams(
    bindparam("players", type_=ARRAY(NAME_TYPE)),
    bindparam("since", type_=BigInteger),
    bindparam("until", type_=BigInteger),
)


class _RecordsArchived(Exception):
    """Matches that count have their records in the archive, which may take long to answer."""

    def __init__(self, matches: Sequence[CountedMatch]) -> None:
        super().__init__(*(match.match for match in matches))
        self.matches = matches


class PostgresRatings(Ratings):
    """The tables of counted matches, ratings and results, and the mark of matches that were looked at."""

    def __init__(self, connect: Connect, events: EventLog) -> None:
        """`events` has the records of archived matches too."""
        self._connect, self._events = connect, events
        self._unreadable: dict[str, float] = {}
        """Matches whose records the archive did not give, and until when they are left out, by the monotonic clock."""
        self._archived: dict[str, PlayedSeats] = {}
        """What the archive has told of matches that are counted next."""

    @contextlib.asynccontextmanager
    async def _transaction(self) -> AsyncIterator[AsyncConnection]:
        async with self._connect() as connection:
            # Statements of one transaction each see what was committed before them, also while a lock was awaited.
            await connection.execution_options(isolation_level="READ COMMITTED")
            async with connection.begin():
                yield connection

    # ---------------------------------------------------------------- counting

    async def count_ended(self, limit: int, model: int = MODEL_VERSION) -> int:
        now = time.monotonic()
        self._unreadable = {match: until for match, until in self._unreadable.items() if until > now}
        if len(self._unreadable) >= _MAX_UNREADABLE:
            return 0  # the archive is away: all others would be counted in another order
        try:
            counted = await self._count_readable(limit, model)
        except _RecordsArchived as archived:
            # Read while nobody holds the lock, then counted by the next call.
            for match in archived.matches:
                await self._read_archived(match, now)
            return len(archived.matches)
        self._archived.clear()
        return counted

    async def _read_archived(self, match: CountedMatch, now: float) -> None:
        """Read from the archive what was played of a match, or leave the match out for a while."""
        try:
            self._archived[match.match] = _played_of(match, await self._events.read(match.match))
        except ArchiveUnavailable as error:
            self._unreadable[match.match] = now + _UNREADABLE_SECONDS
            log.error("match not counted", extra={"match": match.match, "why": str(error)})

    async def _count_readable(self, limit: int, model: int) -> int:
        async with self._transaction() as connection:
            # Not waited for: a lock that is not given in time would count as an outage of the database.
            if not await connection.scalar(select(func.pg_try_advisory_xact_lock(LOCK_KEY))):
                return 0
            stored_model = await connection.scalar(select(RATING_MODEL.c.version)) or 0
            if stored_model > model:
                return 0
            if stored_model < model and (taken_back := await _take_back(connection, limit, model)):
                return taken_back
            ended = (
                _select_listings()
                .where(text(UNCOUNTED_MATCH), MATCHES.c.match_id.not_in(list(self._unreadable)))
                .order_by(MATCHES.c.updated, MATCHES.c.match_id)
                .limit(limit)
            )
            listings = [listing_of(row) for row in await connection.execute(ended)]
            if not listings:
                return 0
            players = {player for listing in listings for player in listing.seats if player is not None}
            registered = await _registered_ms(connection, players)
            matches = (counted_match(listing, registered) for listing in listings)
            counted = await self._with_ratings(connection, [match for match in matches if match is not None])
            await self._count(connection, counted)
            looked_at = update(MATCHES).where(MATCHES.c.match_id.in_([listing.match for listing in listings]))
            await connection.execute(looked_at.values(is_counted=True))
            return len(listings)

    async def _with_ratings(self, connection: AsyncConnection, counted: Sequence[CountedMatch]) -> list[CountedMatch]:
        """Return the matches as they count, by the records of those that need them. Raises _RecordsArchived."""
        opened_as_rated = [match for match in counted if match.is_rated]
        pairs = RatedPairs(await _rated_nearby(connection, opened_as_rated) if opened_as_rated else ())
        played = {
            match.match: self._archived.get(match.match) or await _read_played(connection, match)
            for match in counted
            if match.needs_records
        }
        if archived := [match for match in counted if played.get(match.match, ()) is None]:
            raise _RecordsArchived(archived)
        known = {match: seats for match, seats in played.items() if seats is not None}
        return [with_rating(match, known[match.match], pairs) if match.match in known else match for match in counted]

    async def _count(self, connection: AsyncConnection, counted: Sequence[CountedMatch]) -> None:
        if not counted:
            return
        last = await connection.scalar(select(func.coalesce(func.max(COUNTED_MATCHES.c.ordinal), 0)))
        tally = await _stored_tally(connection, counted)
        for match in counted:
            tally.add(match)
        rows = [
            {
                "match_id": match.match,
                "ruleset": match.ruleset,
                "ended": match.ended_ms,
                "ordinal": (last or 0) + number,
                "is_rated": match.is_rated,
            }
            for number, match in enumerate(counted, 1)
        ]
        await connection.execute(insert(COUNTED_MATCHES), rows)
        await _store_tally(connection, tally)
        await _store_changes(connection, tally, {match.match: (last or 0) + at for at, match in enumerate(counted, 1)})

    async def rebuild(self, write: bool) -> tuple[int, list[str]]:
        async with self._transaction() as connection:
            await connection.execute(text("set local lock_timeout = '60s'"))
            await connection.execute(text("set local statement_timeout = 0"))
            await connection.execute(select(func.pg_advisory_xact_lock(LOCK_KEY)))
            tally, count = RatingTally(), 0
            if write:
                await connection.execute(delete(RATING_CHANGES))
            async for ordinal, match in _counted_matches(connection, self._events):
                tally.add(match)
                count += 1
                if write:
                    await _store_changes(connection, tally, {match.match: ordinal})
                else:
                    tally.take_changes()
            ratings = await connection.execute(select(RATINGS))
            results = await connection.execute(select(PLAYED_RESULTS))
            differences = tally.differences(RatingTally(map(_rating_of, ratings), map(_results_of, results)))
            if write and differences:
                await connection.execute(delete(RATINGS))
                await connection.execute(delete(PLAYED_RESULTS))
                await _store_tally(connection, tally)
            return count, differences

    # ---------------------------------------------------------------- reading

    async def leaderboard(
        self, ruleset: str, limit: int, after: tuple[int, str] | None = None, *, bots: bool = False
    ) -> list[RankedPlayer]:
        ranked = (
            select(RATINGS, ACCOUNTS.c.name)
            .join(ACCOUNTS, ACCOUNTS.c.player_id == RATINGS.c.player_id)
            # Spelled out as in the index, which has those of the leaderboard only.
            .where(RATINGS.c.ruleset == ruleset, text(RANKED_PLAYER), ACCOUNTS.c.name_key.is_not(None))
            .where(text(BOT_ACCOUNT) if bots else ~ACCOUNTS.c.is_bot)
            .order_by(RATINGS.c.shown.desc(), RATINGS.c.player_id.desc())
            .limit(limit)
        )
        if after is not None:
            ranked = ranked.where(tuple_(RATINGS.c.shown, RATINGS.c.player_id) < after)
        async with self._connect() as connection:
            return [RankedPlayer(_rating_of(row), row.name) for row in await connection.execute(ranked)]

    async def list_ratings(self, player: str) -> list[StoredRating]:
        ratings = select(RATINGS).where(RATINGS.c.player_id == player).order_by(RATINGS.c.ruleset)
        async with self._connect() as connection:
            return [_rating_of(row) for row in await connection.execute(ratings)]

    async def list_rating_changes(
        self, ruleset: str, player: str, limit: int, before: int | None = None
    ) -> list[StoredRatingChange]:
        columns = RATING_CHANGES.c
        changes = select(RATING_CHANGES).where(columns.player_id == player, columns.ruleset == ruleset)
        if before is not None:
            changes = changes.where(columns.ordinal < before)
        async with self._connect() as connection:
            rows = await connection.execute(changes.order_by(columns.ordinal.desc()).limit(limit))
            return [
                StoredRatingChange(
                    row.ruleset, row.player_id, row.match_id, row.ended, row.shown, row.sigma, row.ordinal
                )
                for row in rows
            ]

    async def list_ladder(
        self, ruleset: str, players: Sequence[str], since_ms: int, until_ms: int
    ) -> list[LadderResults]:
        wanted = {"ruleset": ruleset, "players": list(players), "since": since_ms, "until": until_ms}
        async with self._connect() as connection:
            rows = await connection.execute(LADDER, wanted)
            return [LadderResults(row.player, row.shown, row.wins, row.draws, row.losses) for row in rows]

    async def list_player_results(self, player: str, limit: int) -> list[StoredResults]:
        if not player:
            return []
        return await self._most_played(select(PLAYED_RESULTS).where(PLAYED_RESULTS.c.player_id == player), limit)

    async def list_army_results(self, ruleset: str, limit: int) -> list[StoredResults]:
        results = select(PLAYED_RESULTS).where(PLAYED_RESULTS.c.player_id == "", PLAYED_RESULTS.c.ruleset == ruleset)
        return await self._most_played(results, limit)

    async def _most_played(self, results: Select[Any], limit: int) -> list[StoredResults]:
        ordered = results.order_by(PLAYED_RESULTS.c.games.desc(), PLAYED_RESULTS.c.ruleset, PLAYED_RESULTS.c.army)
        async with self._connect() as connection:
            return [_results_of(row) for row in await connection.execute(ordered.limit(limit))]


async def _take_back(connection: AsyncConnection, limit: int, model: int) -> int:
    """Take counted matches back, so that they are counted again by another model; return how many.

    What they have made stays for readers until the last of them is taken back, and goes with the older model.
    """
    last = select(COUNTED_MATCHES.c.match_id).order_by(COUNTED_MATCHES.c.ordinal.desc()).limit(limit)
    if matches := list(await connection.scalars(last)):
        await connection.execute(delete(COUNTED_MATCHES).where(COUNTED_MATCHES.c.match_id.in_(matches)))
        await connection.execute(update(MATCHES).where(MATCHES.c.match_id.in_(matches)).values(is_counted=False))
        return len(matches)
    await connection.execute(text("set local statement_timeout = 0"))
    for table in (RATINGS, PLAYED_RESULTS, RATING_CHANGES, RATING_MODEL):
        await connection.execute(delete(table))
    await connection.execute(insert(RATING_MODEL).values(id=1, version=model))
    return 0


async def _read_played(connection: AsyncConnection, match: CountedMatch) -> PlayedSeats | None:
    """Return what was played of a match, of which mostly the first records tell; None where they are archived."""
    played, after = _played_of(match), 0
    while not played.are_known:
        page = select(RECORDS.c.seq, RECORDS.c.body).where(RECORDS.c.match_id == match.match, RECORDS.c.seq > after)
        rows = list(await connection.execute(page.order_by(RECORDS.c.seq).limit(_BATCH_RECORDS)))
        if not rows:
            break
        if rows[0].seq != after + 1:
            return None
        for row in rows:
            played.add(row.body)
        after = rows[-1].seq
    return played


def _played_of(match: CountedMatch, records: Iterable[Record] = ()) -> PlayedSeats:
    """Return what was played of a match by its first records."""
    played = PlayedSeats(match.ruleset, len(match.players), is_draw=not match.result.winners)
    for record in records:
        if played.are_known:
            break
        played.add(record.body)
    return played


async def _rated_nearby(connection: AsyncConnection, matches: Sequence[CountedMatch]) -> list[RatedMatch]:
    """Return the rated matches of these players that ended within a day of any of these."""
    players = sorted({player for match in matches for player in match.players})
    ends = [match.ended_ms for match in matches]
    nearby = (
        select(COUNTED_MATCHES.c.ruleset, COUNTED_MATCHES.c.ended, MATCHES.c.seats)
        .join(MATCHES, MATCHES.c.match_id == COUNTED_MATCHES.c.match_id)
        .where(COUNTED_MATCHES.c.is_rated, COUNTED_MATCHES.c.ended.between(min(ends) - DAY_MS, max(ends) + DAY_MS))
        .where(MATCHES.c.seats.has_any(array(players)))
    )
    rows = await connection.execute(nearby)
    return [RatedMatch(row.ruleset, tuple(player or "" for player in row.seats), row.ended) for row in rows]


def _select_listings() -> Select[Any]:
    return select(MATCHES, literal(False).label("is_locked"))  # which counts for nothing here


async def _registered_ms(connection: AsyncConnection, players: Iterable[str]) -> dict[str, int]:
    accounts = select(ACCOUNTS.c.player_id, ACCOUNTS.c.created).where(ACCOUNTS.c.player_id.in_(list(players)))
    return {row.player_id: row.created for row in await connection.execute(accounts)}


async def _stored_tally(connection: AsyncConnection, counted: Sequence[CountedMatch]) -> RatingTally:
    """Return what is stored of those whom these matches change."""
    players = {player for match in counted for player in match.players}
    rulesets = {match.ruleset for match in counted}
    ratings = select(RATINGS).where(RATINGS.c.player_id.in_(players), RATINGS.c.ruleset.in_(rulesets))
    results = select(PLAYED_RESULTS).where(
        PLAYED_RESULTS.c.player_id.in_({*players, ""}), PLAYED_RESULTS.c.ruleset.in_(rulesets)
    )
    return RatingTally(
        [_rating_of(row) for row in await connection.execute(ratings)],
        [_results_of(row) for row in await connection.execute(results)],
    )


async def _store_tally(connection: AsyncConnection, tally: RatingTally) -> None:
    ratings = [
        (row.ruleset, row.player, row.mu, row.sigma, row.shown, row.games, row.wins, row.losses, row.draws)
        for row in tally.ratings.values()
    ]
    results = [
        (row.ruleset, row.player, row.army, row.games, row.wins, row.losses, row.draws, row.points, row.records)
        for row in tally.results.values()
    ]
    for table, columns, keys, rows in (
        (RATINGS, _RATING_COLUMNS, 2, ratings),
        (PLAYED_RESULTS, _RESULT_COLUMNS, 3, results),
    ):
        for first in range(0, len(rows), _BATCH_ROWS):
            block = [dict(zip(columns, row, strict=True)) for row in rows[first : first + _BATCH_ROWS]]
            put = insert(table).values(block)
            changed = {column: put.excluded[column] for column in columns[keys:]}
            await connection.execute(put.on_conflict_do_update(index_elements=columns[:keys], set_=changed))


async def _store_changes(connection: AsyncConnection, tally: RatingTally, ordinals: Mapping[str, int]) -> None:
    """Store what the matches of these ordinals have made of ratings."""
    rows = [
        {
            "player_id": change.player,
            "ruleset": change.ruleset,
            "ordinal": ordinals[change.match],
            "match_id": change.match,
            "ended": change.ended_ms,
            "shown": change.shown,
            "sigma": change.sigma,
        }
        for change in tally.take_changes()
    ]
    for first in range(0, len(rows), _BATCH_ROWS):
        await connection.execute(insert(RATING_CHANGES).values(rows[first : first + _BATCH_ROWS]))


async def _counted_matches(connection: AsyncConnection, events: EventLog) -> AsyncIterator[tuple[int, CountedMatch]]:
    """Yield the counted matches with their ordinals, in the order in which they were counted."""
    after = 0
    while True:
        page = (
            select(MATCHES, literal(False).label("is_locked"), COUNTED_MATCHES.c.ordinal, COUNTED_MATCHES.c.is_rated)
            .join(COUNTED_MATCHES, COUNTED_MATCHES.c.match_id == MATCHES.c.match_id)
            .where(COUNTED_MATCHES.c.ordinal > after)
            .order_by(COUNTED_MATCHES.c.ordinal)
            .limit(_BATCH_MATCHES)
        )
        rows = list(await connection.execute(page))
        for row in rows:
            listing: Listing = listing_of(row)
            if listing.result is not None:
                yield row.ordinal, await _recounted(connection, events, listing, listing.result, row.is_rated)
        if not rows:
            return
        after = rows[-1].ordinal


async def _recounted(
    connection: AsyncConnection, events: EventLog, listing: Listing, result: Result, is_rated: bool
) -> CountedMatch:
    """Return a counted match as it was counted, with what no row of it tells: who left a draw, who won unopposed."""
    match = CountedMatch(
        listing.match,
        listing.ruleset,
        tuple(player or "" for player in listing.seats),
        result,
        is_rated,
        listing.armies,
        listing.records,
        listing.updated_ms,
    )
    if not match.needs_records:
        return match
    played = await _read_played(connection, match)
    return with_played(match, played or _played_of(match, await events.read(match.match)))


def _rating_of(row: Row[Any]) -> StoredRating:
    return StoredRating(
        row.ruleset, row.player_id, row.mu, row.sigma, row.shown, row.games, row.wins, row.losses, row.draws
    )


def _results_of(row: Row[Any]) -> StoredResults:
    return StoredResults(
        row.ruleset,
        row.player_id,
        row.army,
        row.games,
        row.wins,
        row.losses,
        row.draws,
        row.points,
        row.records,
    )
