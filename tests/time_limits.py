"""Time limits that also hold after a test has failed.

pytest-timeout stops its timer when a test fails, and it fires once. What a failed test leaves is torn down without a
limit then, and one fixture that waits for what never comes holds up the whole run. Here each teardown gets a limit of
its own, and the timer goes on: each further wait ends as well.
"""

import signal
from collections.abc import Generator
from typing import Any

import pytest

_SETTINGS: pytest.StashKey[Any] = pytest.StashKey()
"""The settings of pytest-timeout for a test; the plugin exports no type of them."""


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_timeout_set_timer(item: pytest.Item, settings: Any) -> Generator[None, object, object]:
    """Let the timer of a test fire again and again."""
    item.stash[_SETTINGS] = settings
    result = yield
    if signal.getitimer(signal.ITIMER_REAL)[0]:
        signal.setitimer(signal.ITIMER_REAL, settings.timeout, settings.timeout)
    return result


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, object, object]:
    """Start the timer once more for what is torn down; it is stopped where pytest-timeout stops it, after the test."""
    if _SETTINGS in item.stash:
        item.config.hook.pytest_timeout_set_timer(item=item, settings=item.stash[_SETTINGS])
    return (yield)
