"""Rate limits for many keys at once: addresses, names, players."""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from msgspec import Struct

MAX_REMEMBERED_KEYS = 10_000
MS_PER_SECOND, MS_PER_MINUTE, MS_PER_HOUR, MS_PER_DAY = 1_000, 60_000, 3_600_000, 86_400_000
_NS_PER_MS = 1_000_000

K = TypeVar("K", bound=Hashable)


class RateLimit(Struct, frozen=True):
    """Up to `units` at once, and as many again within `period_ms`. No limit if `units` is 0."""

    units: int
    period_ms: int

    @property
    def unit_ns(self) -> int:
        """The time in which one unit is refilled."""
        return self.period_ms * _NS_PER_MS // self.units if self.units else 0


class RateLimiter(Generic[K]):
    """A token bucket for each key. A key that has all its units costs no memory for long.

    The bucket of a key is the moment at which it is full again, as in the generic cell rate algorithm.
    """

    def __init__(self, limit: RateLimit, clock: Callable[[], int]) -> None:
        """`clock` is monotonic, in milliseconds."""
        self._limit, self._clock = limit, clock
        self._full_at_ns: dict[K, int] = {}

    def take(self, key: K, cost: int = 1) -> int:
        """Take units and return 0, or take nothing and return the milliseconds until there will be enough."""
        wait_ms = self.wait_ms(key, cost)
        if not wait_ms:
            self.charge(key, cost)
        return wait_ms

    def wait_ms(self, key: K, cost: int = 1) -> int:
        """Return the milliseconds until these units are there, 0 if they are."""
        if not self._limit.units:
            return 0
        now = self._now_ns()
        needed = min(cost, self._limit.units) * self._limit.unit_ns
        excess = max(self._full_at_ns.get(key, 0), now) + needed - now - self._limit.period_ms * _NS_PER_MS
        return -(-max(0, excess) // _NS_PER_MS)

    def charge(self, key: K, cost: int) -> None:
        """Take units, also those that are not there: later ones have to wait for them. A negative cost gives back."""
        if not self._limit.units:
            return
        now = self._now_ns()
        full_at = max(self._full_at_ns.pop(key, 0), now) + cost * self._limit.unit_ns
        if full_at <= now:
            return
        self._full_at_ns[key] = full_at
        if len(self._full_at_ns) > MAX_REMEMBERED_KEYS:
            del self._full_at_ns[next(iter(self._full_at_ns))]  # the one charged the longest ago

    def _now_ns(self) -> int:
        return self._clock() * _NS_PER_MS
