"""The load generator of a crowd: thousands of matches, most of which rest, and connections that are all cut at once.

A process of its own; several share a server, each with its own matches.

    python -m bench.load.crowd, which reads a line with the plan, then a line for each step
"""

import asyncio
import random
import sys
import time
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import msgspec
import uvloop
from msgspec import Struct

from bench.load.load import READY_LINE, LoadGenerator, LoadMeasurement, LoadPlan, LoadWindow
from bench.load.load_matches import LoadFailed, RecordedMatchPlayer
from bench.load.raw_websocket import open_connection

AT_ONCE = 50
"""Connections that one generator begins at once: the backlog of a listening socket is limited."""
BACK_SECONDS = 1.0
"""Within which clients try to connect again, as the clients of the product do at first."""
BACK_TIMEOUT_SECONDS = 60.0


class Gather(Struct, frozen=True, tag="gather"):
    """Open matches and play this many actions of each; the last `alone` of them lose their second connection."""

    matches: int
    actions: int
    alone: int


class Play(Struct, frozen=True, tag="play"):
    """Play the first of the matches for some seconds, each with an action every so often."""

    matches: int
    seconds: float
    seconds_between_actions: float


class Cut(Struct, frozen=True, tag="cut"):
    """Abort every connection and connect again."""


class CrowdCut(Struct, frozen=True):
    """Connections that were cut, and seconds until the median and the last of them watched its match again."""

    connections: int
    median_seconds: float
    last_seconds: float


CrowdStep: TypeAlias = Gather | Play | Cut
CrowdAnswer: TypeAlias = LoadMeasurement | CrowdCut | None


class CrowdGenerator:
    """Matches of one generator. Create it inside a running event loop."""

    def __init__(self, plan: LoadPlan) -> None:
        self._plan, self._load = plan, LoadGenerator(plan)

    async def answer(self, step: CrowdStep) -> CrowdAnswer:
        """Do one step."""
        match step:
            case Gather():
                await self._gather(step)
                return None
            case Play():
                return await self._load.measure(
                    LoadWindow(step.matches, step.seconds, seconds_between_actions=step.seconds_between_actions)
                )
            case Cut():
                return await self._cut()

    async def _gather(self, step: Gather) -> None:
        # Those that lose a connection come first: with the second ones of all, there would be too many open files.
        await self._load.start_matches(range(step.matches - step.alone, step.matches), step.actions)
        for game in self._games():
            transport = game.connections[1].transport
            if transport is not None:
                transport.close()
        await self._load.start_matches(range(step.matches - step.alone), step.actions)

    def _games(self) -> list[RecordedMatchPlayer]:
        return [game for game in self._load.games if isinstance(game, RecordedMatchPlayer)]

    async def _cut(self) -> CrowdCut:
        games = self._games()
        lost = [(game, seat) for game in games for seat in range(len(game.connections))]
        lost = [(game, seat) for game, seat in lost if not game.connections[seat].is_closed]
        for game, seat in lost:
            transport = game.connections[seat].transport
            if transport is not None:
                transport.abort()
        began = time.perf_counter()
        turns = asyncio.Semaphore(AT_ONCE)
        generator = random.Random(1)
        pauses = [generator.uniform(0, BACK_SECONDS) for _ in lost]

        async def back(game: RecordedMatchPlayer, seat: int, pause: float) -> float:
            await asyncio.sleep(pause)
            async with turns:
                connection = await open_connection(self._plan.url, self._load.connections)
            await game.reconnect(seat, connection)
            return time.perf_counter() - began

        async with asyncio.timeout(BACK_TIMEOUT_SECONDS):
            waits: list[Awaitable[float]] = [back(*one, pause) for one, pause in zip(lost, pauses, strict=True)]
            seconds = sorted(await asyncio.gather(*waits))
        return CrowdCut(len(seconds), seconds[len(seconds) // 2], seconds[-1])


async def main(read_line: Callable[[], bytes], write_line: Callable[[bytes], None]) -> None:
    write_line(READY_LINE)
    generator = CrowdGenerator(msgspec.json.decode(await asyncio.to_thread(read_line), type=LoadPlan))
    while line := await asyncio.to_thread(read_line):
        try:
            answer = await generator.answer(msgspec.json.decode(line, type=CrowdStep))
        except (LoadFailed, OSError, TimeoutError) as fault:
            raise SystemExit(f"the crowd is lost: {fault!r}") from fault
        write_line(msgspec.json.encode(answer))


def _read_line() -> bytes:
    return sys.stdin.buffer.readline()


def _write_line(line: bytes) -> None:
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    uvloop.run(main(_read_line, _write_line))
