"""The load generator: how many actions a server takes, how long each takes, and what it costs.

It is a process of its own on a core of its own. It reads a plan, then one line per measuring window, and reports what
it measured in each. The report includes its own share of its core, because a saturated generator measures itself.
Matches are kept between windows, because bringing them to their stage takes long.

    python -m bench.load.load, which reads a line with the plan, then a line for each window
"""

import asyncio
import os
import random
import signal
import sys
import time
from collections.abc import Iterable, Sequence

import msgspec
import uvloop
from msgspec import Struct

from bench.load.boardgame_io import BoardgameIoMatch
from bench.load.load_matches import LoadFailed, LoadMatch, RecordedMatchPlayer, ReferenceMatchPlayer
from bench.load.raw_websocket import RawWebSocket, abort_connections, open_connection
from bench.matches.traces import Trace
from bench.measuring.processes import process_tree_seconds, resident_kib
from bench.measuring.tables import percentile

ACTIONS_TO_SEAT = 4
"""The number of actions until two players have taken seats and are ready."""
TIMEOUT_SECONDS = 400  # seconds: on a busy machine it takes long to bring many matches on
READY_LINE = b"ready"


class LoadPlan(Struct, frozen=True):
    """The server under load and what is played there. Without traces it is `nothing`, or the reference's game."""

    kind: str  # "ours", "reference" or "boardgame.io"
    url: str = ""
    server_pid: int = 0
    database_pid: int = 0
    traces: tuple[Trace, ...] = ()
    sends_marks: bool = False  # whether the server is notified when measuring begins and ends


class LoadWindow(Struct, frozen=True):
    """A measuring window: `matches` matches from number `first_number` on, measured for `duration_seconds`.

    With `seconds_between_actions` 0 an action is sent as soon as the last one was received. New matches are first
    brought on: matches of `nothing` by `lead_actions` actions, recorded matches by a random number up to that, so that
    matches at every stage are measured.
    """

    matches: int
    duration_seconds: float
    first_number: int = 0
    lead_actions: int = 0
    seconds_between_actions: float = 0.0
    settle_seconds: float = 0.3


class LoadMeasurement(Struct, frozen=True):
    """The result of a window: times in seconds, latencies in milliseconds from sending to receipt by another player."""

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
    def server_cpu_us_per_action(self) -> float:
        """CPU time of the server in microseconds per action."""
        return 1e6 * self.server_cpu / max(1, self.actions)

    @property
    def database_cpu_us_per_action(self) -> float:
        """CPU time of PostgreSQL in microseconds per action."""
        return 1e6 * self.database_cpu / max(1, self.actions)


class LoadMeter:
    """A meter that plays matches for one window and counts actions."""

    def __init__(self, plan: LoadPlan, window: LoadWindow, games: Sequence[LoadMatch]) -> None:
        self._plan, self._window, self._games = plan, window, games
        self._sent: dict[LoadMatch, float] = {}
        self._latencies: list[float] = []
        self._loop = asyncio.get_running_loop()
        self._is_over = False

    async def measure(self) -> LoadMeasurement:
        """Play one window and return its measurement, after all actions under way have been received."""
        for number, game in enumerate(self._games):
            self._loop.call_later(
                number * self._window.seconds_between_actions / self._window.matches, self._start, game
            )
        await asyncio.sleep(self._window.settle_seconds)
        measurement = await self._result()
        self._is_over = True
        while self._sent:
            await asyncio.sleep(0.01)
        return measurement

    def _start(self, game: LoadMatch) -> None:
        if not self._is_over:
            self._sent[game] = time.perf_counter()
            game.play_action(self._received)

    def _received(self, game: LoadMatch) -> None:
        now = time.perf_counter()
        sent = self._sent.pop(game)
        self._latencies.append(now - sent)
        if self._is_over:
            return
        if not self._window.seconds_between_actions:
            self._sent[game] = now
            game.play_action(self._received)
        else:
            self._loop.call_at(
                self._loop.time() + self._window.seconds_between_actions - (now - sent), self._start, game
            )

    async def _result(self) -> LoadMeasurement:
        self._latencies = []
        self._mark()
        began, cpu = time.perf_counter(), self._costs()
        await asyncio.sleep(self._window.duration_seconds)
        while not self._latencies:  # with many matches, the first receipt may take longer than the window
            await asyncio.sleep(self._window.duration_seconds)
        seconds, spent = time.perf_counter() - began, self._costs()
        self._mark()
        server, database, own = (after - before for after, before in zip(spent, cpu, strict=True))
        milliseconds = [1000 * latency for latency in self._latencies]
        return LoadMeasurement(
            actions=len(milliseconds),
            seconds=seconds,
            p50=percentile(milliseconds, 0.5),
            p99=percentile(milliseconds, 0.99),
            server_cpu=server,
            database_cpu=database,
            load_cpu=own,
            server_kib=resident_kib(self._plan.server_pid),
        )

    def _mark(self) -> None:
        if self._plan.sends_marks:
            os.kill(self._plan.server_pid, signal.SIGUSR1)

    def _costs(self) -> tuple[float, float, float]:
        return (
            process_tree_seconds(self._plan.server_pid),
            process_tree_seconds(self._plan.database_pid),
            time.process_time(),
        )


class LoadGenerator:
    """The matches on one server. Create it inside a running event loop; any error in that loop ends the window."""

    def __init__(self, plan: LoadPlan) -> None:
        self._plan = plan
        self._games: dict[int, LoadMatch] = {}
        self.connections: list[RawWebSocket] = []
        loop = asyncio.get_running_loop()
        self._fault: asyncio.Future[None] = loop.create_future()
        loop.set_exception_handler(self._handle_failure)

    def _handle_failure(self, loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        if not self._fault.done():
            fault = context.get("exception")
            self._fault.set_exception(fault if isinstance(fault, Exception) else LoadFailed(str(context["message"])))

    async def measure(self, window: LoadWindow) -> LoadMeasurement:
        """Bring on the matches that are missing, then measure the window. Raises the first error."""
        playing = asyncio.create_task(self._play_window(window))
        self._fault.add_done_callback(lambda _: playing.cancel())
        try:
            async with asyncio.timeout(window.duration_seconds + TIMEOUT_SECONDS):
                return await playing
        except asyncio.CancelledError:
            if self._fault.done():
                self._fault.result()
            raise

    @property
    def games(self) -> list[LoadMatch]:
        """The matches, in order of their numbers."""
        return [game for _, game in sorted(self._games.items())]

    async def start_matches(self, numbers: Sequence[int], actions: int) -> None:
        """Open matches, and play this many actions of each."""
        await self._open_missing(numbers)
        games = [self._games[number] for number in numbers]
        await asyncio.gather(*(lead_match(game, actions) for game in games if isinstance(game, RecordedMatchPlayer)))

    async def close(self) -> None:
        await abort_connections(self.connections)

    async def _open_missing(self, numbers: Iterable[int]) -> list[int]:
        missing = [number for number in numbers if number not in self._games]
        for start in range(0, len(missing), 50):  # the backlog of a listening socket is limited
            several = missing[start : start + 50]
            self._games.update(zip(several, await asyncio.gather(*map(self._start_match, several)), strict=True))
        return missing

    async def _play_window(self, window: LoadWindow) -> LoadMeasurement:
        numbers = range(window.first_number, window.first_number + window.matches)
        missing = await self._open_missing(numbers)
        # all at once, because a server under load is more efficient
        await asyncio.gather(*(self._lead_match(number, window.lead_actions) for number in missing))
        return await LoadMeter(self._plan, window, [self._games[number] for number in numbers]).measure()

    async def _start_match(self, number: int) -> LoadMatch:
        """Open a match with its players connected."""
        trace = self._trace(number)
        connections = [
            await open_connection(self._plan.url, self.connections) for _ in range(trace.seats if trace else 2)
        ]
        game: BoardgameIoMatch | ReferenceMatchPlayer | RecordedMatchPlayer
        match self._plan.kind:
            case "boardgame.io":
                game = BoardgameIoMatch(self._plan.url, connections)
            case "reference":
                game = ReferenceMatchPlayer(connections)
            case _:
                game = RecordedMatchPlayer(connections, trace)
        await game.start()
        return game

    async def _lead_match(self, number: int, lead: int) -> None:
        """Bring a new match on to the stage at which it is measured."""
        game = self._games[number]
        if isinstance(game, RecordedMatchPlayer):
            await lead_match(
                game, random.Random(number).randrange(lead + 1) if self._trace(number) else ACTIONS_TO_SEAT + lead
            )

    def _trace(self, number: int) -> Trace | None:
        return self._plan.traces[number % len(self._plan.traces)] if self._plan.traces else None


async def lead_match(game: RecordedMatchPlayer, steps: int) -> None:
    """Play this many actions of a match."""
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    remaining = steps

    def on_received(game: LoadMatch) -> None:
        nonlocal remaining
        remaining -= 1
        if remaining > 0:
            game.play_action(on_received)
        else:
            done.set_result(None)

    if steps:
        game.play_action(on_received)
        await done


def _read_line() -> bytes:
    return sys.stdin.buffer.readline()


def _write_line(line: bytes) -> None:
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()


async def main() -> None:
    _write_line(READY_LINE)
    generator = LoadGenerator(msgspec.json.decode(await asyncio.to_thread(_read_line), type=LoadPlan))
    while line := await asyncio.to_thread(_read_line):
        _write_line(msgspec.json.encode(await generator.measure(msgspec.json.decode(line, type=LoadWindow))))
    await generator.close()


if __name__ == "__main__":
    uvloop.run(main())
