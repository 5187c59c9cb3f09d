"""How long until the last of many watchers has a message, and what does a connection weigh? A generator of watchers.

python -m bench.crowd < plan > measured
"""

import asyncio
import sys
import time

import msgspec
import uvloop
from msgspec import Struct

from bench.games import Recorded, asked
from bench.load import SITTING, led
from bench.processes import cpu_seconds, resident_kib
from bench.wire import Wire, connected, hang_up
from diskwars_protocol import messages as m
from diskwars_protocol.connection import encode

AT_ONCE = 50
PATIENCE = 30  # seconds


class Plan(Struct, frozen=True):
    """`slow` of the watchers read nothing. Where nobody speaks, only connections are made."""

    kind: str  # "ours" or "floor"
    url: str
    server: int
    watchers: int
    slow: int = 0
    messages: int = 0
    size: int = 700  # bytes of a message of the floor


class Measured(Struct, frozen=True):
    """Milliseconds from sending until the last one has it; CPU in seconds; the server's memory before and after."""

    last: tuple[float, ...]
    cpu: float
    connecting: float
    before_kib: int
    after_kib: int
    closed: int


class Crowd:
    """Everybody who watches, and how many of them have not heard the newest message."""

    def __init__(self) -> None:
        self._missing = 0
        self._all = asyncio.Event()

    def hear(self, text: bytes) -> None:
        self._missing -= 1
        if self._missing == 0:
            self._all.set()

    def expect(self, number: int) -> None:
        self._missing = number
        self._all.clear()

    async def told(self) -> None:
        async with asyncio.timeout(PATIENCE):
            await self._all.wait()


async def _joined(plan: Plan, match: str, number: int, among: list[Wire]) -> Wire:
    wire = await connected(plan.url, among)
    if plan.kind == "ours":
        await asked(wire, encode(m.Hello(client="bench")))
        if match:
            await asked(wire, b'{"type":"watch","id":"w%d","match":"%s","after":18}' % (number, match.encode()))
    return wire


async def measured(plan: Plan) -> Measured:
    game, wires = None, list[Wire]()
    if plan.kind == "ours" and plan.messages:
        game = Recorded([await connected(plan.url, wires) for _ in range(2)], None)
        await game.begin()
        await led(game, SITTING)
    before, began = resident_kib(plan.server), time.perf_counter()
    watchers: list[Wire] = []
    match = game.match if game else ""
    for first in range(0, plan.watchers, AT_ONCE):
        numbers = range(first, min(plan.watchers, first + AT_ONCE))
        watchers += await asyncio.gather(*(_joined(plan, match, number, wires) for number in numbers))
    connecting = time.perf_counter() - began
    await asyncio.sleep(0.3)
    after = resident_kib(plan.server)
    times, cpu = await _told(plan, game, watchers, wires) if plan.messages else ([], 0.0)
    closed = sum(wire.closed for wire in watchers)
    await hang_up(wires)
    return Measured(tuple(times), cpu, connecting, before, after, closed)


async def _told(
    plan: Plan, game: Recorded | None, watchers: list[Wire], among: list[Wire]
) -> tuple[list[float], float]:
    """Each message is sent when the last has reached everybody who reads."""
    crowd = Crowd()
    for number, wire in enumerate(watchers):
        wire.hear = crowd.hear
        if number < plan.slow and wire.transport is not None:
            wire.transport.pause_reading()
    speaker = await connected(plan.url, among) if game is None else None
    times: list[float] = []
    cpu = cpu_seconds(plan.server)
    for _ in range(plan.messages):
        crowd.expect(len(watchers) - plan.slow)
        began = time.perf_counter()
        if game is not None:
            game.step(lambda game: None)
        elif speaker is not None:
            speaker.say(b"x" * plan.size)
        await crowd.told()
        times.append(1000 * (time.perf_counter() - began))
        await asyncio.sleep(0.005)
    return times, cpu_seconds(plan.server) - cpu


if __name__ == "__main__":
    plan = msgspec.json.decode(sys.stdin.buffer.read(), type=Plan)
    sys.stdout.buffer.write(msgspec.json.encode(uvloop.run(measured(plan))))
