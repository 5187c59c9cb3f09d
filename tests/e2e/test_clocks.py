"""Clocks of machines that are set while matches are played, and nodes whose clocks differ, over real sockets."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from urllib.request import urlopen

import pytest

from diskwars_client.client import Client, connect
from diskwars_client.errors import CommandRefused
from diskwars_client.match_handle import MatchHandle
from diskwars_protocol.match.ids import HOUSE
from diskwars_protocol.match.match_options import MatchOptions, PerDecisionClock
from diskwars_protocol.match.state import AnyBody
from diskwars_protocol.rulesets.pit.actions import PitLoadout
from diskwars_server.app import monotonic_ms, now_ms, start_server
from diskwars_server.settings import ServerSettings
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.store.postgres.database import PostgresDatabase
from diskwars_server.upkeep.server_clock import MachineClocks
from tests.e2e.servers import ServerProcess

TEST_SECONDS = 55
ANSWER_SECONDS = 4
"""Far less than the shortest step, for a busy machine."""
SECONDS = 5
"""A player has for a decision: the least that a clock may give."""
OPTIONS = MatchOptions(clock=PerDecisionClock(SECONDS), grace_seconds=0)
STEPS_MS = [-3_600_000, -10_000, 3_600_000]
PASSWORD = "a long password"


class Wall:
    """The wall clock of a machine, which a test may set."""

    def __init__(self, ahead_ms: int = 0) -> None:
        self.ahead_ms = ahead_ms

    def __call__(self) -> int:
        return now_ms() + self.ahead_ms


@contextlib.asynccontextmanager
async def serve(wall: Wall, database_url: str = "") -> AsyncIterator[str]:
    """Run a server on a machine with this wall clock, without NATS; provide its address."""
    settings = ServerSettings(port=0, bot_workers=0)
    async with (
        PostgresDatabase(database_url) if database_url else MemoryDatabase() as database,
        start_server(settings, database, clocks=MachineClocks(wall, monotonic_ms)) as transport,
    ):
        yield transport.url


def health_status(url: str) -> int:
    with urlopen(url.replace("ws:", "http:").replace("/ws", "/healthz"), timeout=ANSWER_SECONDS) as response:
        return int(response.status)


async def log_in_refused(client: Client) -> CommandRefused:
    """Return why a wrong password is refused."""
    with pytest.raises(CommandRefused) as refused:
        await client.accounts.log_in("Ann of Nuln", "a wrong password")
    return refused.value


async def begin_match(ann: Client, bob: Client) -> tuple[MatchHandle, MatchHandle]:
    """Begin a match that both sleep through."""
    first = await ann.open_match(ruleset="pit", match_options=OPTIONS)
    second = await bob.watch(first.id)
    await second.take_seat(PitLoadout(), 1)
    await first.take_seat(PitLoadout(), 0)
    for handle in (first, second):
        await wait_for(handle, lambda handle=handle: all(seat.player for seat in handle.match.seats))  # type: ignore[misc]
    await asyncio.gather(first.ready(), second.ready())
    return first, second


async def wait_for(handle: MatchHandle, is_there: Callable[[], bool]) -> None:
    while not is_there():
        await handle.wait_after(handle.head)


def timeouts(handle: MatchHandle) -> list[AnyBody]:
    return [record for record in handle.records if record.actor == HOUSE]


# ---- one server


@pytest.mark.parametrize("step_ms", STEPS_MS)
async def test_frames_are_read_on_after_a_step_of_the_clock(step_ms: int) -> None:
    wall = Wall()
    async with asyncio.timeout(TEST_SECONDS), serve(wall) as url, connect(url) as ann:
        match = await ann.open_match(ruleset="pit")
        wall.ahead_ms += step_ms
        async with asyncio.timeout(ANSWER_SECONDS):
            await match.take_seat(PitLoadout(), 0)
            await ann.lobby.list()
            async with connect(url) as bob:
                await (await bob.watch(match.id)).take_seat(PitLoadout(), 1)
        assert await asyncio.to_thread(health_status, url) == 200


@pytest.mark.parametrize("step_ms", STEPS_MS)
async def test_guard_of_logins_stays_as_it_is_when_the_clock_steps(step_ms: int) -> None:
    wall = Wall()
    async with asyncio.timeout(TEST_SECONDS), serve(wall) as url, connect(url) as ann, connect(url) as eve:
        await ann.accounts.register("Ann of Nuln", PASSWORD)
        while (before := await log_in_refused(eve)).code != "too_many_attempts":
            pass
        wall.ahead_ms += step_ms
        after = await log_in_refused(eve)
        assert after.code == "too_many_attempts", "it has not opened"
        assert before.retry_after_ms is not None
        assert after.retry_after_ms is not None
        assert before.retry_after_ms - 1000 * TEST_SECONDS < after.retry_after_ms <= before.retry_after_ms


@pytest.mark.parametrize("step_ms", STEPS_MS)
async def test_decision_has_its_whole_time_though_the_clock_of_the_machine_steps(
    step_ms: int, database_url: str
) -> None:
    wall = Wall()
    async with asyncio.timeout(TEST_SECONDS), contextlib.AsyncExitStack() as stack:
        url = await stack.enter_async_context(serve(wall, database_url))
        ann, bob = [await stack.enter_async_context(connect(url)) for _ in range(2)]
        first, _ = await begin_match(ann, bob)
        began = time.monotonic()
        wall.ahead_ms += step_ms
        await wait_for(first, lambda: bool(timeouts(first)))
        assert SECONDS - 0.5 < time.monotonic() - began < SECONDS + ANSWER_SECONDS


# ---- several nodes


@pytest.mark.parametrize("steps_ms", [(0, 20_000, -20_000), (0, 0, -3_600_000), (0, 0, 3_600_000)])
async def test_decision_has_its_whole_time_though_the_clocks_of_nodes_differ(
    steps_ms: tuple[int, ...], database_url: str
) -> None:
    walls = [Wall(step_ms if abs(step_ms) <= 20_000 else 0) for step_ms in steps_ms]
    async with asyncio.timeout(TEST_SECONDS), contextlib.AsyncExitStack() as stack:
        urls = [await stack.enter_async_context(serve(wall, database_url)) for wall in walls]
        ann, bob = [await stack.enter_async_context(connect(url)) for url in urls[1:]]
        first, second = await begin_match(ann, bob)
        began = time.monotonic()
        for wall, step_ms in zip(walls, steps_ms, strict=True):
            wall.ahead_ms = step_ms  # one of three is set while the players think
        await wait_for(first, lambda: bool(timeouts(first)))
        assert SECONDS - 0.5 < time.monotonic() - began < SECONDS + ANSWER_SECONDS
        times = [record.at_ms for record in first.records]
        assert times == sorted(times)
        assert abs(times[-1] - now_ms()) < 1000 * ANSWER_SECONDS, "no node writes times of its own"
        await wait_for(second, lambda: bool(timeouts(second)))


async def test_house_answers_reach_players_of_every_process_without_nats(database_url: str) -> None:
    servers = [ServerProcess("--database-url", database_url, "--port", "0", "--bot-workers", "0") for _ in range(2)]
    async with asyncio.timeout(TEST_SECONDS), contextlib.AsyncExitStack() as stack:
        for server in servers:  # one after the other: the first makes the tables
            await stack.enter_async_context(server)
        ann, bob = [await stack.enter_async_context(connect(server.url)) for server in servers]
        first, second = await begin_match(ann, bob)
        for count in (1, 2):
            for handle in (first, second):
                async with asyncio.timeout(2 * SECONDS + ANSWER_SECONDS):
                    await wait_for(handle, lambda handle=handle, count=count: len(timeouts(handle)) >= count)  # type: ignore[misc]
        seen_first, seen_second = [[record.at_ms for record in timeouts(handle)][:2] for handle in (first, second)]
        assert seen_first == seen_second
