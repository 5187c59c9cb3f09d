"""A rate limit lets a burst through, then as much as is refilled, and says how long to wait."""

import pytest

from diskwars_server.limits import rate_limits
from diskwars_server.limits.rate_limits import MS_PER_HOUR, MS_PER_MINUTE, RateLimit, RateLimiter
from tests.server.in_memory_server import ManualClock


def test_burst_is_let_through_and_the_rest_learns_how_long_to_wait() -> None:
    clock = ManualClock()
    limiter = RateLimiter[str](RateLimit(3, MS_PER_MINUTE), clock)
    assert [limiter.take("a") for _ in range(4)] == [0, 0, 0, 20_000]
    assert limiter.take("b") == 0
    clock.now += 19_999
    assert limiter.take("a") == 1
    clock.now += 1
    assert [limiter.take("a"), limiter.take("a")] == [0, 20_000]
    clock.now += MS_PER_HOUR
    assert [limiter.take("a") for _ in range(4)] == [0, 0, 0, 20_000], "no more than the burst is saved up"


def test_debt_is_paid_before_anything_else_is_let_through() -> None:
    clock = ManualClock()
    limiter = RateLimiter[str](RateLimit(1_000_000, MS_PER_MINUTE), clock)
    assert limiter.wait_ms("a") == 0
    limiter.charge("a", 3_000_000)
    assert limiter.wait_ms("a") == 2 * MS_PER_MINUTE + 1
    clock.now += 2 * MS_PER_MINUTE + 1
    assert limiter.wait_ms("a") == 0


def test_what_is_given_back_can_be_taken_again() -> None:
    limiter = RateLimiter[str](RateLimit(1, MS_PER_MINUTE), ManualClock())
    for _ in range(5):
        assert limiter.take("a") == 0
        limiter.charge("a", -1)
    assert not limiter._full_at_ns


def test_cost_above_the_burst_is_let_through_when_all_units_are_there() -> None:
    limiter = RateLimiter[str](RateLimit(10, MS_PER_MINUTE), ManualClock())
    assert limiter.take("a", 15) == 0
    assert limiter.take("a") == 36_000


def test_limit_of_nothing_is_no_limit() -> None:
    limiter = RateLimiter[str](RateLimit(0, MS_PER_HOUR), ManualClock())
    assert [limiter.take("a", 10**9) for _ in range(10)] == [0] * 10


def test_few_keys_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MAX_REMEMBERED_KEYS", 5)
    limiter = RateLimiter[int](RateLimit(1, MS_PER_HOUR), ManualClock())
    assert [limiter.take(key) for key in range(20)] == [0] * 20
    assert len(limiter._full_at_ns) == 5
    assert limiter.take(19)
