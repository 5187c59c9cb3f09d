"""How many actions does a server take, how long do they take it, and what does it cost? The load generator.

A process of its own on a core of its own. It reads a plan, and then window after window in which games are played, and
says what it has measured in each; its own share of its core is among that, for a generator that is busy measures
itself. Games stay between windows: to bring them on is what takes long.

    python -m bench.load, then a line with the plan, and a line for each window
"""

import asyncio
import os
import random
import signal
import sys
import time
from collections.abc import Sequence

import msgspec
import uvloop
from msgspec import Struct

from bench.boardgame_io import Duel
from bench.load_matches import Failed, Game, Plain, Recorded
from bench.processes import cpu_seconds, family_seconds, resident_kib
from bench.raw_websocket import Wire, connected, hang_up
from bench.tables import percentile
from bench.traces import Trace

SITTING = 4
"""Actions until two players sit and are ready."""
PATIENCE = 400  # seconds: on a busy machine it takes long to bring many matches on
READY = b"ready"


class Plan(Struct, frozen=True):
    """What is played, on which server. Without traces a match of `nothing`, or of the reference."""

    kind: str  # "ours", "reference" or "boardgame.io"
    url: str = ""
    server: int = 0
    database: int = 0
    traces: tuple[Trace, ...] = ()
    is_marked: bool = False  # the server is told when measuring begins and ends


class Window(Struct, frozen=True):
    """So many `games`, counted from number `first` on, are played and measured for so many `seconds`.

    `pace` 0 sends an action as soon as the last was received; else so many seconds lie between two. Games that nobody
    has met are first brought on: by `lead` actions of a match of `nothing`, of a recorded match by some number up to
    that, so that matches are met at every stage.
    """

    games: int
    seconds: float
    first: int = 0
    lead: int = 0
    pace: float = 0.0
    settle: float = 0.3


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
    """Plays games for one window, and counts."""

    def __init__(self, plan: Plan, window: Window, games: Sequence[Game]) -> None:
        self._plan, self._window, self._games = plan, window, games
        self._sent: dict[Game, float] = {}
        self._latencies: list[float] = []
        self._loop = asyncio.get_running_loop()
        self._is_over = False

    async def measured(self) -> Measured:
        """What the window came to; after it nobody plays on, and nobody is waited for."""
        for number, game in enumerate(self._games):
            self._loop.call_later(number * self._window.pace / self._window.games, self._start, game)
        await asyncio.sleep(self._window.settle)
        found = await self._found()
        self._is_over = True
        while self._sent:
            await asyncio.sleep(0.01)
        return found

    def _start(self, game: Game) -> None:
        if not self._is_over:
            self._sent[game] = time.perf_counter()
            game.step(self._received)

    def _received(self, game: Game) -> None:
        now = time.perf_counter()
        sent = self._sent.pop(game)
        self._latencies.append(now - sent)
        if self._is_over:
            return
        if not self._window.pace:
            self._sent[game] = now
            game.step(self._received)
        else:
            self._loop.call_at(self._loop.time() + self._window.pace - (now - sent), self._start, game)

    async def _found(self) -> Measured:
        self._latencies = []
        self._mark()
        began, cpu = time.perf_counter(), self._costs()
        await asyncio.sleep(self._window.seconds)
        while not self._latencies:  # so many matches that a round of them takes longer
            await asyncio.sleep(self._window.seconds)
        seconds, spent = time.perf_counter() - began, self._costs()
        self._mark()
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
            server_kib=resident_kib(self._plan.server),
        )

    def _mark(self) -> None:
        if self._plan.is_marked:
            os.kill(self._plan.server, signal.SIGUSR1)

    def _costs(self) -> tuple[float, float, float]:
        return cpu_seconds(self._plan.server), family_seconds(self._plan.database), time.process_time()


class Generator:
    """The games on one server. Made inside a running event loop; whatever fails in it ends the window."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._games: dict[int, Game] = {}
        self._wires: list[Wire] = []
        loop = asyncio.get_running_loop()
        self._fault: asyncio.Future[None] = loop.create_future()
        loop.set_exception_handler(self._failed)

    def _failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        if not self._fault.done():
            fault = context.get("exception")
            self._fault.set_exception(fault if isinstance(fault, Exception) else Failed(str(context["message"])))

    async def measured(self, window: Window) -> Measured:
        """Brings on what is missing, and plays. Raises what failed."""
        playing = asyncio.create_task(self._played(window))
        self._fault.add_done_callback(lambda _: playing.cancel())
        try:
            async with asyncio.timeout(window.seconds + PATIENCE):
                return await playing
        except asyncio.CancelledError:
            if self._fault.done():
                self._fault.result()
            raise

    async def close(self) -> None:
        await hang_up(self._wires)

    async def _played(self, window: Window) -> Measured:
        numbers = range(window.first, window.first + window.games)
        missing = [number for number in numbers if number not in self._games]
        for start in range(0, len(missing), 50):  # a listening socket has only so much room for those who knock
            several = missing[start : start + 50]
            self._games.update(zip(several, await asyncio.gather(*map(self._begun, several)), strict=True))
        # all at once, for a server that has little to do at a time does it less well
        await asyncio.gather(*(self._led(number, window.lead) for number in missing))
        return await Meter(self._plan, window, [self._games[number] for number in numbers]).measured()

    async def _begun(self, number: int) -> Game:
        """A game with its players."""
        trace = self._trace(number)
        wires = [await connected(self._plan.url, self._wires) for _ in range(trace.seats if trace else 2)]
        game: Duel | Plain | Recorded
        match self._plan.kind:
            case "boardgame.io":
                game = Duel(self._plan.url, wires)
            case "reference":
                game = Plain(wires)
            case _:
                game = Recorded(wires, trace)
        await game.begin()
        return game

    async def _led(self, number: int, lead: int) -> None:
        """The game as far on as it is to be."""
        game = self._games[number]
        if isinstance(game, Recorded):
            await led(game, random.Random(number).randrange(lead + 1) if self._trace(number) else SITTING + lead)

    def _trace(self, number: int) -> Trace | None:
        return self._plan.traces[number % len(self._plan.traces)] if self._plan.traces else None


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


def _next_line() -> bytes:
    return sys.stdin.buffer.readline()


def _say(line: bytes) -> None:
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()


async def main() -> None:
    _say(READY)
    generator = Generator(msgspec.json.decode(await asyncio.to_thread(_next_line), type=Plan))
    while asked := await asyncio.to_thread(_next_line):
        _say(msgspec.json.encode(await generator.measured(msgspec.json.decode(asked, type=Window))))
    await generator.close()


if __name__ == "__main__":
    uvloop.run(main())
