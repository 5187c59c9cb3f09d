"""Benchmark of joining a watched match: CPU of the server for one more spectator, by snapshot and by history.

The connections are open already, and somebody watches the match, as in the bound.
"""

import asyncio
from collections.abc import Iterator

from msgspec import Struct

from bench.load.load import ACTIONS_TO_SEAT, lead_match
from bench.load.load_matches import RecordedMatchPlayer
from bench.load.raw_websocket import RawWebSocket, abort_connections, open_connection
from bench.matches.traces import record_match
from bench.measuring import processes
from bench.measuring.processes import ChildProcess, PostgresCluster, available_cores, cpu_seconds
from bench.measuring.tables import BenchEffort, Cell, FigureBound, ResultTable, format_figure, median, median_with_range
from diskwars_protocol.connection.connection import encode
from diskwars_protocol.messages.handshake import Hello
from diskwars_protocol.messages.watching import Watch

JOINS = 50
NULL_RECORDS = 10_000
NULL_BOUND_MS, DISKWARS_BOUND_MS = 10.0, 2.0
TIMEOUT_SECONDS = 120


class JoinCosts(Struct, frozen=True):
    """Milliseconds of the server's CPU for each join, and the bytes that a spectator gets."""

    records: int
    snapshot_ms: float
    snapshot_bytes: int
    history_ms: float
    history_bytes: int


async def measure(url: str, pid: int, records: int, is_diskwars: bool, joins: int) -> JoinCosts:
    """Play a match up to about this many records, and join it again and again."""
    connections: list[RawWebSocket] = []
    trace = record_match(0, 2) if is_diskwars else None
    game = RecordedMatchPlayer([await open_connection(url, connections) for _ in range(2)], trace)
    async with asyncio.timeout(TIMEOUT_SECONDS):
        await game.start()
        if trace is None:
            await lead_match(game, ACTIONS_TO_SEAT + records)
            head = records
        else:
            await lead_match(game, min(records, len(trace.actions) - 1))
            head = trace.actions[game.actions_played - 1].last_seq
        snapshot = await _cost_of_joins(url, pid, connections, Watch("w", game.match, snapshot=True), head, joins)
        history = await _cost_of_joins(url, pid, connections, Watch("w", game.match), head, joins)
    await abort_connections(connections)
    return JoinCosts(head, *snapshot, *history)


async def _cost_of_joins(
    url: str, pid: int, among: list[RawWebSocket], watch: Watch, head: int, joins: int
) -> tuple[float, int]:
    """Return the CPU of one join, in milliseconds, after the first; and its bytes."""
    guests = [await open_connection(url, among) for _ in range(joins + 1)]
    for guest in guests:
        await _receive_until(guest, encode(Hello((1,), client="bench")), b'{"type":"welcome"')
    last = b'{"type":"watching"' if watch.snapshot else b'"seq":%d,' % head
    size = await _receive_until(guests[0], encode(watch), last)
    before = cpu_seconds(pid)
    for guest in guests[1:]:
        await _receive_until(guest, encode(watch), last)
    return 1000 * (cpu_seconds(pid) - before) / joins, size


async def _receive_until(connection: RawWebSocket, request: bytes, last: bytes) -> int:
    """Send a request and wait for the frame that holds `last`; return the bytes up to there."""
    arrived: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    size = 0

    def receive(text: bytes) -> None:
        nonlocal size
        size += len(text)
        if last in text and not arrived.done():
            arrived.set_result(None)

    connection.on_text = receive
    connection.send_text(request)
    await arrived
    return size


def measure_once(base: PostgresCluster, records: int, is_diskwars: bool, joins: int) -> JoinCosts:
    """Join a match of a fresh server."""
    with ChildProcess("servers.measured_server", base.new_database(), core=available_cores()[0]) as server:
        return asyncio.run(measure(server.lines, server.pid, records, is_diskwars, joins))


def tables(effort: BenchEffort) -> Iterator[ResultTable]:
    measured: dict[str, list[JoinCosts]] = {"Diskwars": [], "nothing": []}
    joins, records = (JOINS, NULL_RECORDS) if effort.full else (2, 100)
    with processes.temporary_cluster() as base:
        for _ in range(effort.runs):
            measured["Diskwars"].append(measure_once(base, records, True, joins))
            measured["nothing"].append(measure_once(base, records, False, joins))
    yield _result_table(measured)


def _result_table(measured: dict[str, list[JoinCosts]]) -> ResultTable:
    rows: list[tuple[Cell, ...]] = []
    bounds, summary = [], []
    for ruleset, limit in (("Diskwars", DISKWARS_BOUND_MS), ("nothing", NULL_BOUND_MS)):
        runs = measured[ruleset]
        records = runs[0].records
        name = f"{ruleset}, {records:,} records"
        by_snapshot = median(run.snapshot_ms for run in runs)
        by_history = [run.history_ms for run in runs]
        rows += [
            (name, "snapshot", median_with_range([run.snapshot_ms for run in runs]), runs[0].snapshot_bytes / 1024),
            (name, "history", median_with_range(by_history), runs[0].history_bytes / 1024),
        ]
        bounds.append(FigureBound(f"joining {name}, by snapshot, CPU", by_snapshot, limit, unit="ms"))
        ratio = format_figure(median(by_history) / by_snapshot) if by_snapshot else "–"
        summary.append(f"Joining a match of {name} costs {format_figure(by_snapshot)} ms of CPU; history {ratio} ×.")
    columns = ("match", "joined by", "server's CPU, ms", "KiB")
    note = "The match is watched and the connection open; the first join of each kind is not counted."
    return ResultTable("Joining a watched match", columns, tuple(rows), tuple(bounds), (note,), tuple(summary))
