"""How many actions does a server take, how long do they take it, and what does it cost? The load generator.

A process of its own on a core of its own. It reads a plan, plays many games at once, and writes what it has measured;
its own share of its core is among that, for a generator that is busy measures itself.

    python -m bench.load < plan > measured
"""

import asyncio
import os
import random
import signal
import sys
import time

import msgspec
import uvloop
from msgspec import Struct

from bench.duel import Duel
from bench.games import Failed, Game, Plain, Recorded
from bench.processes import cpu_seconds, family_seconds, resident_kib
from bench.tables import percentile
from bench.traces import Trace
from bench.wire import Wire, connected, hang_up

SITTING = 4
"""Actions until two players sit and are ready."""


class Plan(Struct, frozen=True):
    """What to play. `pace` 0 sends an action as soon as the last was received; else so many seconds lie between two.

    Before it is measured, `lead` actions of each match of `nothing` are played, and of a recorded match some number up
    to that, so that matches are met at every stage. Without traces a match of `nothing` is played, or of the reference.
    """

    kind: str  # "ours", "reference" or "boardgame.io"
    url: str
    games: int
    seconds: float
    server: int
    database: int
    traces: tuple[Trace, ...] = ()
    pace: float = 0.0
    lead: int = 0
    settle: float = 0.3
    windows: int = 1
    """So many times `seconds` are measured one after another: to bring matches on is what takes long."""
    is_marked: bool = False  # the server is told when measuring begins and ends


class Measured(Struct, frozen=True):
    """Times in seconds, latencies in milliseconds from sending to the receipt by another player."""

    actions: int
    seconds: float
    p50: float
    p99: float
    server_cpu: float
    database_cpu: float
    load_cpu: float
    server_kib: int

    @property
    def rate(self) -> float:
        return self.actions / self.seconds

    @property
    def cost(self) -> float:
        """CPU of the server in microseconds for one action."""
        return 1e6 * self.server_cpu / max(1, self.actions)

    @property
    def database_cost(self) -> float:
        """CPU of PostgreSQL in microseconds for one action."""
        return 1e6 * self.database_cpu / max(1, self.actions)


class Meter:
    """Plays games and counts."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._sent: dict[Game, float] = {}
        self._latencies: list[float] = []
        self.fault: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._loop = asyncio.get_running_loop()
        self._is_over = False

    def start(self, game: Game) -> None:
        self._sent[game] = time.perf_counter()
        game.step(self._received)

    def _received(self, game: Game) -> None:
        now = time.perf_counter()
        self._latencies.append(now - self._sent[game])
        if self._is_over:  # a loop that closes still hears what comes in
            return
        if not self._plan.pace:
            self._sent[game] = now
            game.step(self._received)
        else:
            self._loop.call_at(self._loop.time() + self._plan.pace - (now - self._sent[game]), self.start, game)

    async def measured(self) -> list[Measured]:
        """Each window; after the last of them nobody plays on."""
        await asyncio.sleep(self._plan.settle)
        found = [await self._window() for _ in range(self._plan.windows)]
        self._is_over = True
        return found

    async def _window(self) -> Measured:
        plan = self._plan
        self._latencies = []
        self._mark()
        began, cpu = time.perf_counter(), self._costs()
        done, _ = await asyncio.wait([self.fault], timeout=plan.seconds)
        while not done and not self._latencies:  # so many matches that a round of them takes longer
            done, _ = await asyncio.wait([self.fault], timeout=plan.seconds)
        seconds, spent = time.perf_counter() - began, self._costs()
        self._mark()
        for failed in done:
            failed.result()
        server, database, own = (after - before for after, before in zip(spent, cpu, strict=True))
        milliseconds = [1000 * latency for latency in self._latencies]
        return Measured(
            actions=len(milliseconds),
            seconds=seconds,
            p50=percentile(milliseconds, 0.5),
            p99=percentile(milliseconds, 0.99),
            server_cpu=server,
            database_cpu=database,
            load_cpu=own,
            server_kib=resident_kib(plan.server),
        )

    def _mark(self) -> None:
        if self._plan.is_marked:
            os.kill(self._plan.server, signal.SIGUSR1)

    def _costs(self) -> tuple[float, float, float]:
        return cpu_seconds(self._plan.server), family_seconds(self._plan.database), time.process_time()


async def begun(plan: Plan, number: int, chance: random.Random, among: list[Wire]) -> Game:
    """A game with its players, as far on as it is to be."""
    trace = plan.traces[number % len(plan.traces)] if plan.traces else None
    wires = [await connected(plan.url, among) for _ in range(trace.seats if trace else 2)]
    if plan.kind == "boardgame.io":
        duel = Duel(plan.url, wires)
        await duel.begin()
        return duel
    if plan.kind == "reference":
        plain = Plain(wires)
        await plain.begin()
        return plain
    game = Recorded(wires, trace)
    await game.begin()
    await led(game, chance.randrange(plan.lead + 1) if trace else SITTING + plan.lead)
    return game


async def led(game: Recorded, steps: int) -> None:
    """Plays so many actions."""
    over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    left = steps

    def heard(game: Game) -> None:
        nonlocal left
        left -= 1
        if left > 0:
            game.step(heard)
        else:
            over.set_result(None)

    if steps:
        game.step(heard)
        await over


async def played(plan: Plan) -> list[Measured]:
    meter, wires = Meter(plan), list[Wire]()

    def failed(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        if not meter.fault.done():
            fault = context.get("exception")
            meter.fault.set_exception(fault if isinstance(fault, Exception) else Failed(str(context["message"])))

    loop = asyncio.get_running_loop()
    loop.set_exception_handler(failed)
    beginning = asyncio.create_task(_all_begun(plan, wires))
    meter.fault.add_done_callback(lambda _: beginning.cancel())
    try:
        games = await beginning
    except asyncio.CancelledError:
        meter.fault.result()
        raise
    for number, game in enumerate(games):
        loop.call_later(number * plan.pace / plan.games, meter.start, game)
    measured = await meter.measured()
    await hang_up(wires)
    return measured


async def _all_begun(plan: Plan, among: list[Wire]) -> list[Game]:
    chance = random.Random(plan.games)
    games: list[Game] = []
    for first in range(0, plan.games, 50):  # a listening socket has only so much room for those who knock
        numbers = range(first, min(plan.games, first + 50))
        games += await asyncio.gather(*(begun(plan, number, chance, among) for number in numbers))
    return games


if __name__ == "__main__":
    plan = msgspec.json.decode(sys.stdin.buffer.read(), type=Plan)
    sys.stdout.buffer.write(msgspec.json.encode(uvloop.run(played(plan))))
