"""Benchmark of restoring from PostgreSQL: records per second from the table to the state, and the first access."""

import time
from collections.abc import Awaitable, Callable, Iterator, Sequence

import asyncpg

from bench.matches.played_matches import RULES, count_events, play_recorded, sealed_appends, store_log
from bench.measuring import processes
from bench.measuring.processes import asyncpg_options, available_cores, pinned_to
from bench.measuring.tables import BenchEffort, FigureBound, ResultTable, format_figure, median
from bench.programs.fold import LENGTHS, SEED, recorded_log
from diskwars_engine.match_log import MatchLog
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.records.records import Record
from diskwars_server.app import load_rulesets, make_runner, monotonic_ms, now_ms
from diskwars_server.bus.bus import LocalBus
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.matches.rules_on_offer import RulesOnOffer
from diskwars_server.matches.services import Services
from diskwars_server.store.postgres.database import PostgresDatabase

REBUILD_BOUND, REBUILD_TARGET = 10_000, 25_000
"""Records a second: of 60,000 and 150,000 facts a second, six to a record (the action, its events, its decisions)."""
FIRST_ACCESS_BOUND_MS = 15
FINISHED_EVENTS = 400  # approximate length of the match that is accessed first
REPEATS = 5
LONG_MATCH = MatchId(f"seed-{SEED}")
BODIES_SQL = "select body from records where match_id = $1 order by seq limit $2"


def tables(effort: BenchEffort) -> Iterator[ResultTable]:
    lengths = effort.sizes(LENGTHS, LENGTHS[0])
    seeds = [seed for seed in range(1, 8 if effort.full else 2) if seed != SEED]
    whole = {MatchId(f"seed-{seed}"): _stored_match(seed) for seed in seeds}
    finished = min(whole, key=lambda match: abs(count_events(whole[match]) - FINISHED_EVENTS))
    stored = {LONG_MATCH: recorded_log(max(lengths)), finished: whole[finished]}
    with processes.temporary_cluster() as base, pinned_to(available_cores()[0]), make_runner() as running:
        yield from running.run(_measure(base.new_database(), effort, lengths, stored, finished))


def _stored_match(seed: int) -> list[Record]:
    """Return the records of a whole match as they are stored."""
    return list(sealed_appends(play_recorded(seed, regiments=1)))


async def _measure(
    url: str, effort: BenchEffort, lengths: Sequence[int], stored: dict[MatchId, list[Record]], finished: MatchId
) -> list[ResultTable]:
    async with PostgresDatabase(url) as database:
        for match, records in stored.items():
            await store_log(database, match, records)
        bare = await asyncpg.connect(**asyncpg_options(url))
        try:
            runs = [
                [await _rebuild_costs(database, bare, length) for length in lengths]
                for _ in range(effort.runs * REPEATS)
            ]
            touches = [await _first_access_seconds(database, finished) for _ in range(effort.runs * REPEATS)]
        finally:
            await bare.close()
    costs = [[median(several) for several in zip(*same, strict=True)] for same in zip(*runs, strict=True)]
    logs = [(length, count_events(stored[LONG_MATCH][:length])) for length in lengths]
    return [
        _rates_table(logs, costs),
        _first_access_table(len(stored[finished]), count_events(stored[finished]), touches),
    ]


async def _rebuild_costs(
    database: PostgresDatabase, bare: asyncpg.Connection, length: int
) -> tuple[float, float, float]:
    """Return the seconds to rebuild, to read alone, and of the floor: to fetch the bodies and decode them."""
    decode = RULES.vocabulary.decode_body

    async def rebuilt() -> None:
        MatchLog.load(RULES, LONG_MATCH, await database.events.read(LONG_MATCH, limit=length))

    async def decoded() -> None:
        for (body,) in await bare.fetch(BODIES_SQL, LONG_MATCH, length):
            decode(body)

    return (
        await _time(rebuilt),
        await _time(lambda: database.events.read(LONG_MATCH, limit=length)),
        await _time(decoded),
    )


async def _first_access_seconds(database: PostgresDatabase, match: MatchId) -> float:
    """Return the seconds until a server that has just started has loaded a match."""
    services = Services(database.events, database.vault, database.deadlines, LocalBus().join(), now_ms, monotonic_ms)
    rules = RulesOnOffer(load_rulesets())
    matches = MatchRepository(rules, services, database.matches, lambda purpose: bytes)
    seconds = await _time(lambda: matches.find(match))
    await matches.close()
    return seconds


async def _time(what: Callable[[], Awaitable[object]]) -> float:
    begun = time.perf_counter()
    await what()
    return time.perf_counter() - begun


def _rates_table(logs: Sequence[tuple[int, int]], costs: Sequence[Sequence[float]]) -> ResultTable:
    """`logs` are the numbers of records and of events of each log."""
    rows = tuple(
        (records, events, 1000 * whole, records / whole, records / read, records / floor, whole / floor)
        for (records, events), (whole, read, floor) in zip(logs, costs, strict=True)
    )
    # For a short log the round trip to the database dominates.
    slowest = min(row[3] for row in rows if row[0] >= min(400, logs[-1][0]))
    bounds = (
        FigureBound(
            "records/s from PostgreSQL to the state, the slowest log of 400 or more",
            slowest,
            REBUILD_BOUND,
            "at least",
        ),
        FigureBound("the same against the target", slowest, REBUILD_TARGET, "at least"),
    )
    columns = ("records", "events", "ms", "records/s", "read alone/s", "floor/s", "times the floor")
    notes = ("The floor fetches the bodies and decodes them: no chain is checked, nothing folded.",)
    short = (
        f"A match of 400 records or more is restored from PostgreSQL at {format_figure(slowest)} records a second.",
    )
    return ResultTable("From PostgreSQL to the state, without a snapshot", columns, rows, bounds, notes, short)


def _first_access_table(records: int, events: int, touches: Sequence[float]) -> ResultTable:
    first = 1000 * median(touches)
    rows = ((records, events, first, 1000 * max(touches)),)
    bound = FigureBound(
        f"first touch of a finished match of {records} records", first, FIRST_ACCESS_BOUND_MS, unit="ms"
    )
    short = (f"A finished match of {records} records is open again after {format_figure(first)} ms.",)
    columns = ("records", "events", "median ms", "longest ms")
    return ResultTable("First touch of a finished match", columns, rows, (bound,), summary=short)
