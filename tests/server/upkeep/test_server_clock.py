"""Servers tell the time by the clock of their database, however the clocks of their machines are set."""

import asyncio

import pytest

from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.upkeep.server_clock import MEASURE_MS, MachineClocks, ServerClock, read_time
from tests.server.conftest import MakeDatabase

NOON = 1_000_000_000_000


class Machine:
    """A machine whose clocks a test moves."""

    def __init__(self) -> None:
        self.wall, self.monotonic = NOON, 5_000

    def pass_time(self, ms: int) -> None:
        self.wall, self.monotonic = self.wall + ms, self.monotonic + ms

    @property
    def clocks(self) -> MachineClocks:
        return MachineClocks(lambda: self.wall, lambda: self.monotonic)


class ClockDatabase(MemoryDatabase):
    """A database with a clock of its own, which answers after `delay_ms` of the machine that asks."""

    def __init__(self, machine: Machine, ahead_ms: int = 0) -> None:
        super().__init__()
        self.machine, self.ahead_ms, self.delay_ms, self.is_away = machine, ahead_ms, 0, False
        self.reads = 0

    async def read_clock_ms(self) -> int | None:
        self.reads += 1
        if self.is_away:
            raise StoreUnavailable("away")
        self.machine.pass_time(self.delay_ms // 2)
        read = NOON + self.machine.monotonic - 5_000 + self.ahead_ms
        self.machine.pass_time(self.delay_ms // 2)
        return read


@pytest.mark.parametrize("ahead_ms", [-20_000, 20_000])
async def test_time_is_that_of_the_database(ahead_ms: int, caplog: pytest.LogCaptureFixture) -> None:
    machine = Machine()
    clock = ServerClock(ClockDatabase(machine, ahead_ms), machine.clocks)
    await clock.check()
    machine.pass_time(3_000)
    await clock.check()
    assert clock.now_ms() == NOON + 3_000 + ahead_ms
    assert [record.message for record in caplog.records] == ["time corrected by the clock of the database"]


@pytest.mark.parametrize("step_ms", [-3_600_000, -10_000, 10_000, 3_600_000])
async def test_step_of_the_machine_is_logged_once_and_moves_nothing(
    step_ms: int, caplog: pytest.LogCaptureFixture
) -> None:
    machine = Machine()
    clock = ServerClock(ClockDatabase(machine), machine.clocks)
    await clock.check()
    machine.wall += step_ms
    assert clock.now_ms() == NOON
    for _ in range(30):
        machine.pass_time(1_000)
        await clock.check()
    assert clock.now_ms() == NOON + 30_000
    assert [record.message for record in caplog.records] == ["the clock of this machine was set"]
    assert caplog.records[0].__dict__["step_ms"] == step_ms


async def test_time_is_measured_at_once_after_a_suspension() -> None:
    """The monotonic clock stands still meanwhile, so the wall clock is ahead of it when it has been set."""
    machine = Machine()
    database = ClockDatabase(machine)
    clock = ServerClock(database, machine.clocks)
    await clock.check()
    machine.wall += 60_000
    database.ahead_ms += 60_000
    await clock.check()
    assert clock.now_ms() == NOON + 60_000


async def test_slow_answer_of_the_database_corrects_nothing() -> None:
    machine = Machine()
    database = ClockDatabase(machine)
    clock = ServerClock(database, machine.clocks)
    await clock.measure()
    database.delay_ms = 4_000
    await clock.measure()
    assert clock.now_ms() == NOON + 4_000


async def test_slewed_clock_is_not_a_step(caplog: pytest.LogCaptureFixture) -> None:
    machine = Machine()
    clock = ServerClock(ClockDatabase(machine), machine.clocks)
    for _ in range(100):
        machine.pass_time(1_000)
        machine.wall += 400
        await clock.check()
    assert not caplog.records
    assert clock.now_ms() == NOON + 100_000


async def test_database_is_asked_rarely_and_again_after_an_outage() -> None:
    machine = Machine()
    database = ClockDatabase(machine)
    clock = ServerClock(database, machine.clocks)
    for _ in range(3):
        await clock.check()
    assert database.reads == 1
    machine.pass_time(MEASURE_MS)
    database.is_away, database.ahead_ms = True, 7_000
    with pytest.raises(StoreUnavailable):
        await clock.check()
    assert clock.now_ms() == NOON + MEASURE_MS
    database.is_away = False
    await clock.check()
    assert clock.now_ms() == NOON + MEASURE_MS + 7_000


async def test_without_a_clock_of_the_database_time_follows_the_machine() -> None:
    machine = Machine()
    async with MemoryDatabase() as database:
        clock = ServerClock(database, machine.clocks)
        await clock.check()
        machine.wall -= 10_000
        await clock.check()
    assert clock.now_ms() == NOON - 10_000


async def test_difference_to_the_clock_of_the_machine_is_known() -> None:
    machine = Machine()
    clock = ServerClock(ClockDatabase(machine, ahead_ms=-20_000), machine.clocks)
    await clock.measure()
    assert clock.difference_ms() == 20_000
    machine.wall -= 50_000
    assert clock.difference_ms() == -30_000


async def test_clock_for_one_act_is_that_of_the_database_or_of_the_machine() -> None:
    machine = Machine()
    read = await read_time(ClockDatabase(machine, ahead_ms=7_000), machine.clocks)
    machine.wall += 90_000
    machine.monotonic += 1_000
    assert read() == NOON + 8_000
    async with MemoryDatabase() as database:
        assert (await read_time(database, machine.clocks))() == machine.wall


async def test_loop_checks_for_ever() -> None:
    machine = Machine()
    database = ClockDatabase(machine)
    passes = 0

    async def sleep(seconds: float) -> None:
        nonlocal passes
        machine.pass_time(int(1000 * seconds))
        passes += 1
        if passes == 21:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await ServerClock(database, machine.clocks).run(sleep)
    assert database.reads == 3


async def test_stores_with_a_clock_give_it_in_milliseconds(make_database: MakeDatabase) -> None:
    async with make_database() as first, make_database() as second:
        before, after = await first.read_clock_ms(), await second.read_clock_ms()
    if before is None or after is None:
        assert isinstance(first, MemoryDatabase)
    else:
        assert NOON < before <= after < before + 60_000
