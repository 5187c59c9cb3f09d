"""Benchmark of opening a match: the delay for a player without matches, and for one with 20,000 of them stored."""

import itertools
import os
import time
from collections.abc import Callable, Iterator

import asyncpg

from bench.measuring import processes
from bench.measuring.processes import asyncpg_options, available_cores, pinned_to
from bench.measuring.tables import BenchEffort, FigureBound, ResultTable, format_figure, median, median_with_range
from bench.servers.null_ruleset import NullRuleset
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.messages.opening import OpenMatch
from diskwars_server.app import make_runner, monotonic_ms, now_ms
from diskwars_server.bus.bus import LocalBus
from diskwars_server.matches.openings import Openings
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.matches.rules_on_offer import RulesOnOffer
from diskwars_server.matches.services import Services
from diskwars_server.store.postgres.database import PostgresDatabase

STORED_MATCHES = 20_000
OPENINGS = 200
OPENING_BOUND = 1.2
NEWCOMER, VETERAN = PlayerId("newcomer"), PlayerId("veteran")
# Spread over the table, like those of a real player, and all ended but a few.
STORE_MATCHES_SQL = """
insert into matches (match_id, ruleset, status, seats, opener, created, updated, result, match_options)
select 'old-' || n, 'nothing', case when n % 1000 = 0 then 'running' else 'ended' end, '["veteran", "other"]'::jsonb,
       case when n % 2 = 0 then 'veteran' else 'other' end, n, n, 'null'::jsonb, '{}'::jsonb
from generate_series(1, $1::int) as n
"""


def tables(effort: BenchEffort) -> Iterator[ResultTable]:
    stored = effort.sizes((STORED_MATCHES,), 100)[0]
    openings = effort.sizes((OPENINGS,), 5)[0]
    with processes.temporary_cluster() as base, pinned_to(available_cores()[0]), make_runner() as runner:
        times = [runner.run(_measure(base.new_database(), stored, openings)) for _ in range(effort.runs)]
    yield _result_table(stored, times)


def _random_entropy(purpose: str) -> Callable[[int], bytes]:
    return os.urandom


async def _measure(url: str, stored: int, count: int) -> dict[PlayerId, float]:
    """Return the median milliseconds of an opening for each player. They take turns."""
    async with PostgresDatabase(url) as database:
        connection = await asyncpg.connect(**asyncpg_options(url))
        try:
            await connection.execute(STORE_MATCHES_SQL.replace("$1", str(2 * stored)))
            await connection.execute("vacuum analyze matches")
        finally:
            await connection.close()
        services = Services(
            database.events, database.vault, database.deadlines, LocalBus().join(), now_ms, monotonic_ms
        )
        rules, index = RulesOnOffer({"nothing": NullRuleset()}), database.matches
        matches = MatchRepository(rules, services, index, _random_entropy, max_live_matches=4 * count)
        openings = Openings(rules, matches, services, index, _random_entropy, max_open_matches_per_player=stored)
        milliseconds: dict[PlayerId, list[float]] = {NEWCOMER: [], VETERAN: []}
        numbers = itertools.count()
        for _ in range(count):
            for player, times in milliseconds.items():
                id = str(next(numbers))
                started_at = time.perf_counter()
                await openings.open(MatchId(f"new-{id}"), OpenMatch(id, "nothing", seat_count=2), player)
                times.append(1000 * (time.perf_counter() - started_at))
        await matches.close()
    return {player: median(times) for player, times in milliseconds.items()}


def _result_table(stored: int, runs: list[dict[PlayerId, float]]) -> ResultTable:
    costs = {player: [run[player] for run in runs] for player in (NEWCOMER, VETERAN)}
    ratio = median(run[VETERAN] / run[NEWCOMER] for run in runs)
    rows = (
        ("no matches", median_with_range(costs[NEWCOMER]), 1.0),
        (f"{stored:,} matches, {stored // 500:,} of them unfinished", median_with_range(costs[VETERAN]), ratio),
    )
    bound = FigureBound(f"opening with {stored:,} matches stored, times opening with none", ratio, OPENING_BOUND)
    short = (f"Opening a match takes {format_figure(median(costs[VETERAN]))} ms, however many the player has stored.",)
    return ResultTable("Opening a match", ("the opener has stored", "ms", "ratio"), rows, (bound,), summary=short)
