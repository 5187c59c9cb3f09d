"""The load of a thread is the share of the time that it has computed."""

import time
from pathlib import Path

import pytest

from diskwars_server import loop_load
from diskwars_server.loop_load import WINDOW_SECONDS, LoopLoad, busy_seconds


def test_load_is_measured_over_a_window() -> None:
    now = computed = 0.0
    load = LoopLoad(lambda: now, lambda: computed)
    assert load.measure() == 0
    now, computed = WINDOW_SECONDS / 2, WINDOW_SECONDS / 2
    assert load.measure() == 0, "of too short a time nothing can be said"
    now, computed = 1.5 * WINDOW_SECONDS, 1.125 * WINDOW_SECONDS
    assert load.measure() == pytest.approx(0.75)
    now = 3 * WINDOW_SECONDS
    assert load.measure() == 0, "what was before does not count"
    now, computed = 5.5 * WINDOW_SECONDS, 3.5 * WINDOW_SECONDS
    assert load.measure() == 0, "nobody has looked for longer than a window"
    now, computed = 7 * WINDOW_SECONDS, 4.625 * WINDOW_SECONDS
    assert load.measure() == pytest.approx(0.75)


def test_thread_that_waits_for_a_processor_is_at_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scheduled = tmp_path / "schedstat"
    monkeypatch.setattr(loop_load, "_SCHEDULED", scheduled)
    scheduled.write_text("400000000000 1500000000 17\n")
    assert busy_seconds() == 401.5
    scheduled.write_text("0 0 0\n")
    computed = time.thread_time()
    assert computed <= busy_seconds() <= time.thread_time()
    scheduled.unlink()
    assert computed < busy_seconds() <= time.thread_time()


def test_time_goes_on_while_a_thread_computes() -> None:
    before = busy_seconds()
    until = time.thread_time() + 0.02
    while time.thread_time() < until:
        pass
    assert busy_seconds() - before > 0.01
