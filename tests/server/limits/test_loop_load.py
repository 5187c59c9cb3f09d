"""The load of a loop is the part of its own time in which its thread is at work."""

import asyncio
import os
import time
from pathlib import Path

import pytest

from diskwars_server.limits import loop_load
from diskwars_server.limits.loop_load import REMEMBERED_SECONDS, LoopLoad, ThreadClock, ThreadTime
from tests.server.in_memory_server import TEST_TIMEOUT_SECONDS


class MeasuredThread:
    """A thread whose times are set by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(loop_load, "WINDOW_SECONDS", 0.0)
        self.now = self.computed = self.waited = 0.0
        self.reads = 0
        self.load = LoopLoad(self.read, lambda: self.now)

    def read(self) -> ThreadTime:
        self.reads += 1
        return ThreadTime(self.computed, self.waited)

    async def measure_over(self, seconds: float, computed: float, waited: float = 0.0) -> float:
        """Return the share that a window of this many seconds leaves."""
        self.load.measure()
        reads = self.reads
        self.now += seconds
        self.computed += computed
        self.waited += waited
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            while self.reads == reads:
                await asyncio.sleep(0)
        return self.load.measure()


@pytest.mark.parametrize(
    ("computed", "waited", "share"),
    [
        (0.0, 0.0, 0.0),
        (0.075, 0.0, 0.75),
        (0.1, 0.0, 1.0),
        (0.025, 0.075, 1.0),  # one that never rests, beside other programs
        (0.004, 0.06, 0.1),  # one that hardly does anything
        (0.05, 0.1, 1.0),  # the system counts in steps
    ],
)
async def test_share_is_that_of_the_own_time(
    computed: float, waited: float, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = MeasuredThread(monkeypatch)
    assert await thread.measure_over(0.1, computed, waited) == pytest.approx(share)


async def test_what_was_before_does_not_count_and_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    thread = MeasuredThread(monkeypatch)
    assert thread.load.measure() == 0.0
    assert await thread.measure_over(0.1, 0.1) == 1.0
    assert await thread.measure_over(0.2, 0.1) == pytest.approx(0.5)
    assert await thread.measure_over(3.0, 3.0) == 1.0, "a long round is a window as well"
    thread.now += REMEMBERED_SECONDS
    assert thread.load.measure() == 1.0
    thread.now += 0.01
    assert thread.load.measure() == 0.0
    thread.load.close()


async def test_thread_that_computes_is_at_work() -> None:
    clock = ThreadClock()
    load = LoopLoad(clock.read)
    load.measure()
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
        while load.measure() == 0.0:
            until = time.thread_time() + 0.02
            while time.thread_time() < until:
                pass
            await asyncio.sleep(0)
    assert 0.3 < load.measure() <= 1.0
    load.close()
    clock.close()


def test_times_of_a_thread_are_read_from_one_open_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scheduled = tmp_path / "schedstat"
    scheduled.write_text("400000000000 1500000000 17\n")
    monkeypatch.setattr(loop_load, "_SCHEDULED", str(scheduled))
    clock = ThreadClock()
    monkeypatch.setattr(os, "open", None)
    before = time.thread_time()
    for _ in range(2):
        assert clock.read().waited == 1.5
    assert before <= clock.read().computed <= time.thread_time()
    clock.close()
    clock.close()


def test_where_nothing_tells_how_long_a_thread_waits_it_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop_load, "_SCHEDULED", str(tmp_path / "nothing"))
    clock = ThreadClock()
    before = time.thread_time()
    assert clock.read().waited == 0.0
    assert before <= clock.read().computed <= time.thread_time()
    clock.close()
