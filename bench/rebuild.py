"""How fast does a match come back from PostgreSQL? Events a second from the tables to the state, and the first touch.

There is no snapshot to compare with: the server keeps none.
"""

import time
from collections.abc import Awaitable, Callable, Iterator, Sequence

import asyncpg
import msgspec

from bench import processes
from bench.fold import LENGTHS, SEED, log
from bench.played_matches import RULES, play, sealed, store_all
from bench.processes import cores, options, pinned
from bench.tables import Bound, Effort, Table, median, shown
from diskwars_engine.match_log import Book
from diskwars_protocol.match import MatchId
from diskwars_protocol.records import Record
from diskwars_server.__main__ import load_rulesets, make_runner, now_ms
from diskwars_server.bus import LocalBus
from diskwars_server.game import Services
from diskwars_server.lobby import Lobby
from diskwars_server.postgres import PostgresStore

BOUND, TARGET, FIRST_TOUCH = 60_000, 150_000, 15
FINISHED = 400  # events of the match that is touched
REPEATS = 5
LONG = MatchId(f"seed-{SEED}")
BODIES = "select body from events where match_id = $1 order by seq limit $2"


def tables(effort: Effort) -> Iterator[Table]:
    lengths = effort.upto(LENGTHS, LENGTHS[0])
    seeds = [seed for seed in range(1, 8 if effort.full else 2) if seed != SEED]
    whole = {MatchId(f"seed-{seed}"): _whole(seed) for seed in seeds}
    finished = min(whole, key=lambda match: abs(len(whole[match]) - FINISHED))
    stored = {LONG: log(max(lengths)), finished: whole[finished]}
    with processes.cluster() as base, pinned(cores()[0]), make_runner() as running:
        yield from running.run(_measured(base.fresh(), effort, lengths, stored, finished))


def _whole(seed: int) -> list[Record]:
    """A match as it is stored when it has ended."""
    return [line.record for page in sealed(play(seed, regiments=1)) for line in page]


async def _measured(
    url: str, effort: Effort, lengths: Sequence[int], stored: dict[MatchId, list[Record]], finished: MatchId
) -> list[Table]:
    async with PostgresStore(url) as store:
        for match, records in stored.items():
            await store_all(store, match, records)
        bare = await asyncpg.connect(**options(url))
        try:
            found = [[await _costs(store, bare, length) for length in lengths] for _ in range(effort.runs * REPEATS)]
            touches = [await _touch(store, finished) for _ in range(effort.runs * REPEATS)]
        finally:
            await bare.close()
    costs = [[median(several) for several in zip(*same, strict=True)] for same in zip(*found, strict=True)]
    return [_rates(lengths, costs), _touched(len(stored[finished]), touches)]


async def _costs(store: PostgresStore, bare: asyncpg.Connection, length: int) -> tuple[float, float, float]:
    """Seconds to rebuild, to read alone, and of the floor: to fetch the bodies and decode them."""
    decode = msgspec.json.Decoder(RULES.ruleset.words.event).decode

    async def rebuilt() -> None:
        Book.of(RULES, LONG, await store.read(LONG, limit=length))

    async def decoded() -> None:
        for (body,) in await bare.fetch(BODIES, LONG, length):
            decode(body)

    return await _cost(rebuilt), await _cost(lambda: store.read(LONG, limit=length)), await _cost(decoded)


async def _touch(store: PostgresStore, match: MatchId) -> float:
    """Seconds until a server that has just begun has a match."""
    lobby = Lobby(load_rulesets(), Services(store, LocalBus(), now_ms, "bench"), lambda purpose: bytes)
    seconds = await _cost(lambda: lobby.find(match))
    await lobby.close()
    return seconds


async def _cost(what: Callable[[], Awaitable[object]]) -> float:
    begun = time.perf_counter()
    await what()
    return time.perf_counter() - begun


def _rates(lengths: Sequence[int], costs: Sequence[Sequence[float]]) -> Table:
    rows = tuple(
        (length, 1000 * whole, length / whole, length / read, length / floor, whole / floor)
        for length, (whole, read, floor) in zip(lengths, costs, strict=True)
    )
    # a short log takes as long as the question and the answer
    slowest = min(row[2] for row in rows if row[0] >= min(1_000, max(lengths)))
    bounds = (
        Bound("events/s from PostgreSQL to the state, the slowest log of 1,000 or more", slowest, BOUND, "at least"),
        Bound("the same against the target", slowest, TARGET, "at least"),
    )
    columns = ("events", "ms", "events/s", "read alone/s", "floor/s", "times the floor")
    notes = ("The floor fetches the bodies and decodes them: no chain is checked, nothing folded.",)
    short = (f"A match of 1,000 events or more comes back from PostgreSQL at {shown(slowest)} events a second.",)
    return Table("From PostgreSQL to the state, without a snapshot", columns, rows, bounds, notes, short)


def _touched(events: int, touches: Sequence[float]) -> Table:
    first = 1000 * median(touches)
    rows = ((events, first, 1000 * max(touches)),)
    bound = Bound(f"first touch of a finished match of {events} events", first, FIRST_TOUCH, unit="ms")
    short = (f"A finished match of {events} events is open again after {shown(first)} ms.",)
    columns = ("events", "median ms", "longest ms")
    return Table("First touch of a finished match", columns, rows, (bound,), short=short)
