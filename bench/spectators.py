"""How long until the last of many watchers has a message, and what does a connection weigh? A generator of watchers.

python -m bench.spectators < plan > measured
"""

import asyncio
import sys
import time
from collections.abc import Sequence

import msgspec
import uvloop
from msgspec import Struct

from bench.load import SITTING, led
from bench.load_matches import Recorded, asked
from bench.processes import cpu_seconds, resident_kib
from bench.raw_websocket import Hear, Wire, connected, hang_up
from diskwars_protocol import messages as m
from diskwars_protocol.connection import encode

AT_ONCE = 50
SEATED = 18  # the last record before the first action of a match of `nothing`
PATIENCE = 30  # seconds
LOUD = 12_000
"""Bytes of an action in a match that only the slow ones watch: it is what fills their outboxes."""
BEFORE, DURING = 70, 40
"""Loud actions before the messages that are measured, and beside all of them: too much for an outbox."""
LAST_WORDS = 3  # seconds that the slow ones have at the end to read why they were closed


class Plan(Struct, frozen=True):
    """Where nobody speaks, only connections are made. With `slow` watchers, who come last and read nothing, each of the
    messages is sent once without and once with them.
    """

    kind: str  # "ours" or "floor"
    url: str
    server: int
    watchers: int
    slow: int = 0
    messages: int = 0
    size: int = 700  # bytes of a message of the floor


class Told(Struct, frozen=True):
    """Milliseconds from sending until the last one who reads has it; CPU of the server in seconds."""

    last: tuple[float, ...] = ()
    cpu: float = 0.0


class Measured(Struct, frozen=True):
    """Without and with slow ones; how many of these were closed, and read that they were too slow; and memory."""

    plain: Told
    beside: Told
    closed: int
    warned: int
    connecting: float
    before_kib: int
    after_kib: int


class Crowd:
    """Everybody who reads, and how many of them have not heard the newest message."""

    def __init__(self, plan: Plan, game: Recorded | None, speaker: Wire | None) -> None:
        self._plan, self._game, self._speaker = plan, game, speaker
        self._missing = 0
        self._all = asyncio.Event()

    def hear(self, text: bytes) -> None:
        self._missing -= 1
        if self._missing == 0:
            self._all.set()

    async def told(self, loud: Recorded | None = None) -> Told:
        """Each message is sent when the last has reached everybody who reads."""
        plan, times = self._plan, list[float]()
        cpu = cpu_seconds(plan.server)
        for _ in range(plan.messages):
            beside = asyncio.create_task(led(loud, -(-DURING // plan.messages))) if loud else None
            self._missing = plan.watchers
            self._all.clear()
            began = time.perf_counter()
            self._speak()
            async with asyncio.timeout(PATIENCE):
                await self._all.wait()
            times.append(1000 * (time.perf_counter() - began))
            await (beside or asyncio.sleep(0.005))
        return Told(tuple(times), cpu_seconds(plan.server) - cpu)

    def _speak(self) -> None:
        if self._game is not None:
            self._game.step(lambda game: None)
        elif self._speaker is not None:
            self._speaker.say(b"x" * self._plan.size)


async def _opened(plan: Plan, among: list[Wire], size: int = 0) -> Recorded:
    """A match of `nothing` whose players sit."""
    game = Recorded([await connected(plan.url, among) for _ in range(2)], None, size)
    await game.begin()
    await led(game, SITTING)
    return game


async def _joined(plan: Plan, games: Sequence[Recorded], among: list[Wire], is_narrow: bool = False) -> Wire:
    """One more who watches these."""
    wire = await connected(plan.url, among, is_narrow)
    if plan.kind == "ours":
        await asked(wire, encode(m.Hello(client="bench")))
    for number, game in enumerate(games):
        await asked(wire, encode(m.Watch(f"w{number}", game.match, SEATED)))
    return wire


async def measured(plan: Plan) -> Measured:
    wires: list[Wire] = []
    is_ours = plan.kind == "ours"
    game = await _opened(plan, wires) if is_ours and plan.messages else None
    before, began = resident_kib(plan.server), time.perf_counter()
    watchers: list[Wire] = []
    for first in range(0, plan.watchers, AT_ONCE):
        number = min(AT_ONCE, plan.watchers - first)
        watchers += await asyncio.gather(*(_joined(plan, [game] if game else [], wires) for _ in range(number)))
    connecting = time.perf_counter() - began
    await asyncio.sleep(0.3)
    after = resident_kib(plan.server)
    speaker = None if is_ours else await connected(plan.url, wires)
    crowd = Crowd(plan, game, speaker)
    for wire in watchers:
        wire.hear = crowd.hear
    plain = await crowd.told()
    beside, closed, warned = await _beside(plan, crowd, game, wires) if game and plan.slow else (Told(), 0, 0)
    await hang_up(wires)
    return Measured(plain, beside, closed, warned, connecting, before, after)


async def _beside(plan: Plan, crowd: Crowd, game: Recorded, among: list[Wire]) -> tuple[Told, int, int]:
    """The same beside some who read nothing, how many of those were closed, and how many read why."""
    loud = await _opened(plan, among, LOUD)
    slow = [await _joined(plan, (game, loud), among, is_narrow=True) for _ in range(plan.slow)]
    warned: set[int] = set()

    def ear(number: int) -> Hear:
        return lambda text: warned.add(number) if b'"word":"slow"' in text[:200] else None

    for number, wire in enumerate(slow):
        wire.hear = ear(number)
        wire.rest()
    await led(loud, BEFORE)
    told = await crowd.told(loud)
    for wire in slow:
        wire.go_on()
    await asyncio.sleep(LAST_WORDS)
    return told, sum(wire.closed for wire in slow), len(warned)


if __name__ == "__main__":
    plan = msgspec.json.decode(sys.stdin.buffer.read(), type=Plan)
    sys.stdout.buffer.write(msgspec.json.encode(uvloop.run(measured(plan))))
