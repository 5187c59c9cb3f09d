"""The load of a thread is the share of the time that it has computed."""

import pytest

from diskwars_server.loop_load import WINDOW_SECONDS, LoopLoad


def test_load_is_measured_over_a_window() -> None:
    now = computed = 0.0
    load = LoopLoad(lambda: now, lambda: computed)
    assert load.measure() == 0
    now, computed = WINDOW_SECONDS / 2, WINDOW_SECONDS / 2
    assert load.measure() == 0, "of too short a time nothing can be said"
    now, computed = 2 * WINDOW_SECONDS, 1.5 * WINDOW_SECONDS
    assert load.measure() == pytest.approx(0.75)
    now = 3 * WINDOW_SECONDS
    assert load.measure() == 0, "what was before does not count"
