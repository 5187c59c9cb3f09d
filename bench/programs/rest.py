"""Memory of a live match while it is played and while it rests, and the time to pack its state and to unpack it.

    ./dev bench rest

A recorded match of Diskwars is played up to its 60th record, many times side by side, between two sessions in memory.
What is counted is what Python allocates for matches and sessions: neither sockets nor what the store holds.
"""

import asyncio
import gc
import tracemalloc
from collections.abc import Callable
from itertools import islice
from time import thread_time_ns

from msgspec import Raw, Struct
from msgspec.json import decode
from msgspec.json import encode as as_json
from msgspec.structs import replace

from bench.matches.traces import TRACE_SETTINGS, record_match
from bench.measuring.tables import DEFAULT_EFFORT, BenchEffort, FigureBound, ResultTable, median
from bench.programs.calls import SEATS, CountedPlayer
from bench.servers.measured_server import make_context
from diskwars_protocol.match.ids import DecisionId, MatchId
from diskwars_protocol.messages.decisions import Act
from diskwars_protocol.messages.handshake import Hello
from diskwars_protocol.messages.opening import OpenMatch
from diskwars_protocol.messages.watching import Watch
from diskwars_server import app as product
from diskwars_server.bus.bus import LocalBus
from diskwars_server.matches.game import Game
from diskwars_server.matches.services import Services
from diskwars_server.session.session import SessionContext
from diskwars_server.store.event_log import AppendRequest, OnOutcome
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.store.memory.event_log import MemoryEventLog

MATCHES = 20
FEW_MATCHES = 3
RECORDS = 60
OPENING_RECORDS = 1
TRACE = 0
"""The server of a benchmark throws the dice of this recorded match where the command that opens one begins with it."""
UNPACKING_BOUND_MS = 5
KIB = 1024


class _Opened(Struct):
    match: str


class _CopyingEventLog(MemoryEventLog):
    """Stores copies, as a database does: the records that a match keeps are its own."""

    def __init__(self, log: MemoryEventLog) -> None:
        vars(self).update(vars(log))

    def submit(self, append: AppendRequest, on_outcome: OnOutcome) -> None:
        record = append.record
        body, secret = bytearray(record.body), bytearray(record.secret or b"")
        copied = replace(record, body=bytes(body), secret=bytes(secret) if record.secret is not None else None)
        super().submit(replace(append, record=copied), on_outcome)


class RestMeasurement(Struct, frozen=True):
    """KiB of a match with its two sessions, while it is played and while it rests, and the milliseconds between."""

    played_kib: float
    resting_kib: float
    packing_ms: float
    unpacking_ms: float


def tables(effort: BenchEffort) -> list[ResultTable]:
    measured = asyncio.run(measure(effort.sizes((MATCHES,), FEW_MATCHES)[0]))
    bound = FigureBound("ms to unpack the state of a match", measured.unpacking_ms, UNPACKING_BOUND_MS)
    return [
        ResultTable(
            f"A match of Diskwars after {RECORDS} records, with two sessions",
            ("", "KiB", "ms to get there"),
            (
                ("played", measured.played_kib, measured.unpacking_ms),
                ("resting", measured.resting_kib, measured.packing_ms),
            ),
            (bound,),
            notes=("What Python allocates for match and sessions, without sockets and store.",),
        )
    ]


async def measure(count: int) -> RestMeasurement:
    """Play this many matches side by side, and measure them."""
    await _play(1)  # what is loaded once is not a part of any match
    tracemalloc.start()
    try:
        return await _play(count)
    finally:
        tracemalloc.stop()


async def _play(count: int) -> RestMeasurement:
    async with MemoryDatabase() as database:
        stored = database.archived_events.stored
        assert isinstance(stored, MemoryEventLog)
        services = Services(
            _CopyingEventLog(stored),
            database.vault,
            database.deadlines,
            LocalBus().join(),
            product.now_ms,
            product.monotonic_ms,
        )
        context = await make_context(database, services, has_limits=False)
        players = [await _play_match(context, number) for number in range(count)]
        games = list(context.matches)
        played = _allocated()
        packing = median([_rest_ms(game) for game in games])
        resting = _allocated()
        unpacking = median([_milliseconds(lambda game=game: game.state) for game in games])  # type: ignore[misc]
        games.clear()
        context.requests.services.accounts.close()
        await context.matches.close()
        del context, players, services
        await asyncio.sleep(0)  # the tasks that have ended go with the step
        without = _allocated()
    return RestMeasurement((played - without) / KIB / count, (resting - without) / KIB / count, packing, unpacking)


async def _play_match(context: SessionContext, number: int) -> list[CountedPlayer]:
    """Play one match up to its last counted record; return its players, who go on watching."""
    players = [CountedPlayer(context) for _ in range(SEATS)]
    for player in players:
        await player.send(Hello((1,), client="bench"), "welcome")
    opened = await players[0].send(
        OpenMatch(f"{TRACE}-{number}", "diskwars", SEATS, Raw(as_json(TRACE_SETTINGS))), "opened"
    )
    match = MatchId(decode(opened, type=_Opened).match)
    await players[1].send(Watch("watch", match), "watching")
    for step, action in enumerate(islice(record_match(TRACE, SEATS).actions, RECORDS - OPENING_RECORDS)):
        act = Act(f"act {step}", match, action.action, DecisionId(action.decision))
        await players[action.seat].send(act, "accepted")
    return players


def _rest_ms(game: Game) -> float:
    """Let a match rest; return the milliseconds of CPU."""
    game.rest()
    return _milliseconds(game.rest)


def _milliseconds(work: Callable[[], object]) -> float:
    began = thread_time_ns()
    work()
    return (thread_time_ns() - began) / 1e6


def _allocated() -> int:
    """Return the bytes that Python has allocated, as far as they are counted."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0] if tracemalloc.is_tracing() else 0


if __name__ == "__main__":
    for table in tables(DEFAULT_EFFORT):
        print(table.rows)
