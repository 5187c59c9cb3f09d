"""Load generator of spectators: time until the last one has a message, and memory per connection.

python -m bench.load.spectators < plan > measurement
"""

import asyncio
import sys
import time
from collections.abc import Sequence

import msgspec
import uvloop
from msgspec import Struct

from bench.load.load import ACTIONS_TO_SEAT, lead_match
from bench.load.load_matches import RecordedMatchPlayer, request
from bench.load.raw_websocket import FrameHandler, RawWebSocket, abort_connections, open_connection
from bench.measuring.processes import cpu_seconds, resident_kib
from diskwars_protocol.connection.connection import encode
from diskwars_protocol.messages.handshake import Hello
from diskwars_protocol.messages.watching import Watch

CONNECTIONS_AT_ONCE = 50
TIMEOUT_SECONDS = 30  # seconds
LOUD_ACTION_BYTES = 12_000
"""Bytes of an action in a match that only slow spectators watch, to fill their outboxes."""
LOUD_ACTIONS_BEFORE, LOUD_ACTIONS_DURING = 70, 40
"""The number of loud actions before the measured messages and during them: too much for an outbox."""
CLOSE_NOTICE_SECONDS = 3  # time for slow spectators to read at the end why they were closed


class FanoutPlan(Struct, frozen=True):
    """A crowd of spectators and the messages that they receive; without messages only connections are made.

    With `slow_watchers`, who join last and read nothing, all messages are sent once without and once with them.
    """

    kind: str  # "ours" or "floor"
    url: str
    server_pid: int
    watchers: int
    slow_watchers: int = 0
    messages: int = 0
    message_bytes: int = 700  # bytes of a message of the floor


class FanoutTimes(Struct, frozen=True):
    """Milliseconds from sending until the last reader has each message; CPU of the server in seconds."""

    last_ms: tuple[float, ...] = ()
    cpu_seconds: float = 0.0


class FanoutMeasurement(Struct, frozen=True):
    """Times without and with slow spectators, how many of those were closed and read why, and the server's memory."""

    without_slow: FanoutTimes
    with_slow: FanoutTimes
    closed: int
    warned: int
    connecting: float
    before_kib: int
    after_kib: int


class SpectatorGroup:
    """The spectators that read, with a count of those that still lack the newest message."""

    def __init__(self, plan: FanoutPlan, game: RecordedMatchPlayer | None, speaker: RawWebSocket | None) -> None:
        self._plan, self._game, self._speaker = plan, game, speaker
        self._missing = 0
        self._all_received = asyncio.Event()

    def receive(self, text: bytes) -> None:
        self._missing -= 1
        if self._missing == 0:
            self._all_received.set()

    async def measure_messages(self, loud: RecordedMatchPlayer | None = None) -> FanoutTimes:
        """Send each message when all readers have received the last one."""
        plan, times = self._plan, list[float]()
        cpu = cpu_seconds(plan.server_pid)
        for _ in range(plan.messages):
            beside = asyncio.create_task(lead_match(loud, -(-LOUD_ACTIONS_DURING // plan.messages))) if loud else None
            self._missing = plan.watchers
            self._all_received.clear()
            began = time.perf_counter()
            self._send_message()
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await self._all_received.wait()
            times.append(1000 * (time.perf_counter() - began))
            await (beside or asyncio.sleep(0.005))
        return FanoutTimes(tuple(times), cpu_seconds(plan.server_pid) - cpu)

    def _send_message(self) -> None:
        if self._game is not None:
            self._game.play_action(lambda game: None)
        elif self._speaker is not None:
            self._speaker.send_text(b"x" * self._plan.message_bytes)


async def _open_match(plan: FanoutPlan, connections: list[RawWebSocket], size: int = 0) -> RecordedMatchPlayer:
    """Open a match of `nothing` and seat its players."""
    game = RecordedMatchPlayer([await open_connection(plan.url, connections) for _ in range(2)], None, size)
    await game.start()
    await lead_match(game, ACTIONS_TO_SEAT)
    return game


async def _join_spectator(
    plan: FanoutPlan, games: Sequence[RecordedMatchPlayer], connections: list[RawWebSocket], is_narrow: bool = False
) -> RawWebSocket:
    """Connect one more spectator of these matches."""
    connection = await open_connection(plan.url, connections, is_narrow)
    if plan.kind == "ours":
        await request(connection, encode(Hello((1,), client="bench")))
    for number, game in enumerate(games):
        await request(connection, encode(Watch(f"w{number}", game.match, snapshot=True)))
    return connection


async def measure(plan: FanoutPlan) -> FanoutMeasurement:
    """Measure one crowd, then close its connections: uvloop waits forever to close a loop with an open one."""
    connections: list[RawWebSocket] = []
    try:
        return await _measure_crowd(plan, connections)
    finally:
        await abort_connections(connections)


async def _measure_crowd(plan: FanoutPlan, connections: list[RawWebSocket]) -> FanoutMeasurement:
    is_ours = plan.kind == "ours"
    game = await _open_match(plan, connections) if is_ours and plan.messages else None
    before, began = resident_kib(plan.server_pid), time.perf_counter()
    watchers: list[RawWebSocket] = []
    for first in range(0, plan.watchers, CONNECTIONS_AT_ONCE):
        number = min(CONNECTIONS_AT_ONCE, plan.watchers - first)
        watchers += await asyncio.gather(
            *(_join_spectator(plan, [game] if game else [], connections) for _ in range(number))
        )
    connecting = time.perf_counter() - began
    await asyncio.sleep(0.3)
    after = resident_kib(plan.server_pid)
    speaker = None if is_ours else await open_connection(plan.url, connections)
    crowd = SpectatorGroup(plan, game, speaker)
    for connection in watchers:
        connection.on_text = crowd.receive
    plain = await crowd.measure_messages()
    beside, closed, warned = (
        await _measure_with_slow(plan, crowd, game, connections)
        if game and plan.slow_watchers
        else (FanoutTimes(), 0, 0)
    )
    return FanoutMeasurement(plain, beside, closed, warned, connecting, before, after)


async def _measure_with_slow(
    plan: FanoutPlan, crowd: SpectatorGroup, game: RecordedMatchPlayer, connections: list[RawWebSocket]
) -> tuple[FanoutTimes, int, int]:
    """Measure beside spectators who read nothing; return how many of those were closed, and how many read why."""
    loud = await _open_match(plan, connections, LOUD_ACTION_BYTES)
    slow = [await _join_spectator(plan, (game, loud), connections, is_narrow=True) for _ in range(plan.slow_watchers)]
    warned: set[int] = set()

    def reason_handler(number: int) -> FrameHandler:
        return lambda text: warned.add(number) if b'"close_reason":"slow"' in text[:200] else None

    for number, connection in enumerate(slow):
        connection.on_text = reason_handler(number)
        connection.pause_reading()
    await lead_match(loud, LOUD_ACTIONS_BEFORE)
    times = await crowd.measure_messages(loud)
    for connection in slow:
        connection.resume_reading()
    await asyncio.sleep(CLOSE_NOTICE_SECONDS)
    return times, sum(connection.is_closed for connection in slow), len(warned)


if __name__ == "__main__":
    plan = msgspec.json.decode(sys.stdin.buffer.read(), type=FanoutPlan)
    sys.stdout.buffer.write(msgspec.json.encode(uvloop.run(measure(plan))))
