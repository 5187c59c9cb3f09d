"""Benchmark of restoring from PostgreSQL: events per second from the tables to the state, and the first access."""

import time
from collections.abc import Awaitable, Callable, Iterator, Sequence

import asyncpg

from bench import processes
from bench.fold import LENGTHS, SEED, recorded_log
from bench.played_matches import RULES, play_recorded, sealed_appends, store_log
from bench.processes import asyncpg_options, available_cores, pinned_to
from bench.tables import BenchEffort, FigureBound, ResultTable, format_figure, median
from diskwars_engine.match_log import MatchLog
from diskwars_protocol.match import MatchId
from diskwars_protocol.records import Record
from diskwars_server.app import load_rulesets, make_runner, now_ms
from diskwars_server.bus import LocalBus
from diskwars_server.game import Services
from diskwars_server.lobby import Lobby
from diskwars_server.postgres import PostgresDatabase

REBUILD_BOUND, REBUILD_TARGET, FIRST_ACCESS_BOUND_MS = 60_000, 150_000, 15
FINISHED_RECORDS = 400  # approximate length of the match that is accessed first
REPEATS = 5
LONG_MATCH = MatchId(f"seed-{SEED}")
BODIES_SQL = "select body from records where match_id = $1 order by seq limit $2"


def tables(effort: BenchEffort) -> Iterator[ResultTable]:
    lengths = effort.sizes(LENGTHS, LENGTHS[0])
    seeds = [seed for seed in range(1, 8 if effort.full else 2) if seed != SEED]
    whole = {MatchId(f"seed-{seed}"): _stored_match(seed) for seed in seeds}
    finished = min(whole, key=lambda match: abs(len(whole[match]) - FINISHED_RECORDS))
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
            found = [
                [await _rebuild_costs(database, bare, length) for length in lengths]
                for _ in range(effort.runs * REPEATS)
            ]
            touches = [await _first_access_seconds(database, finished) for _ in range(effort.runs * REPEATS)]
        finally:
            await bare.close()
    costs = [[median(several) for several in zip(*same, strict=True)] for same in zip(*found, strict=True)]
    return [_rates_table(lengths, costs), _first_access_table(len(stored[finished]), touches)]


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
    services = Services(database.events, database.vault, database.deadlines, LocalBus().join(), now_ms)
    lobby = Lobby(load_rulesets(), services, database.matches, lambda purpose: bytes)
    seconds = await _time(lambda: lobby.find(match))
    await lobby.close()
    return seconds


async def _time(what: Callable[[], Awaitable[object]]) -> float:
    begun = time.perf_counter()
    await what()
    return time.perf_counter() - begun


def _rates_table(lengths: Sequence[int], costs: Sequence[Sequence[float]]) -> ResultTable:
    rows = tuple(
        (length, 1000 * whole, length / whole, length / read, length / floor, whole / floor)
        for length, (whole, read, floor) in zip(lengths, costs, strict=True)
    )
    # For a short log the round trip to the database dominates.
    slowest = min(row[2] for row in rows if row[0] >= min(1_000, max(lengths)))
    bounds = (
        FigureBound(
            "events/s from PostgreSQL to the state, the slowest log of 1,000 or more",
            slowest,
            REBUILD_BOUND,
            "at least",
        ),
        FigureBound("the same against the target", slowest, REBUILD_TARGET, "at least"),
    )
    columns = ("events", "ms", "events/s", "read alone/s", "floor/s", "times the floor")
    notes = ("The floor fetches the bodies and decodes them: no chain is checked, nothing folded.",)
    short = (
        f"A match of 1,000 events or more is restored from PostgreSQL at {format_figure(slowest)} events a second.",
    )
    return ResultTable("From PostgreSQL to the state, without a snapshot", columns, rows, bounds, notes, short)


def _first_access_table(events: int, touches: Sequence[float]) -> ResultTable:
    first = 1000 * median(touches)
    rows = ((events, first, 1000 * max(touches)),)
    bound = FigureBound(f"first touch of a finished match of {events} events", first, FIRST_ACCESS_BOUND_MS, unit="ms")
    short = (f"A finished match of {events} events is open again after {format_figure(first)} ms.",)
    columns = ("events", "median ms", "longest ms")
    return ResultTable("First touch of a finished match", columns, rows, (bound,), summary=short)
