"""Token bucket that limits the frames that a connection may send. The caller passes in the time, in milliseconds."""


class FloodGuard:
    """A token bucket: up to `burst` units at once, `rate` units a second in the long run."""

    def __init__(self, rate: int, burst: int) -> None:
        self._rate = rate
        self._capacity = burst * 1000
        self._millitokens = self._capacity
        self._refilled_at_ms: int | None = None
        self._awaited = 1

    def admit(self, now_ms: int, cost: int = 1) -> bool:
        """Take `cost` units and return True, or return False and take nothing if there are fewer."""
        self._refill(now_ms)
        if self._millitokens < cost * 1000:
            self._awaited = cost
            return False
        self._awaited = 1
        self._millitokens -= cost * 1000
        return True

    def take_up_to(self, now_ms: int, most: int) -> int:
        """Take whole units, as many as there are and at most `most`; return how many."""
        self._refill(now_ms)
        units = min(most, self._millitokens // 1000)
        self._millitokens -= units * 1000
        return units

    def lower_to(self, units: int) -> None:
        """Leave at most these units for now; they are refilled as usual."""
        self._millitokens = min(self._millitokens, units * 1000)

    def units_left(self, now_ms: int) -> int:
        """Return how many whole units there are."""
        self._refill(now_ms)
        return self._millitokens // 1000

    def wait_ms(self) -> int:
        """Return the time in milliseconds from the last `admit` until what it refused, or one unit, is available."""
        return -(-max(0, self._awaited * 1000 - self._millitokens) // self._rate)

    def _refill(self, now_ms: int) -> None:
        before = now_ms if self._refilled_at_ms is None else self._refilled_at_ms
        self._refilled_at_ms = max(before, now_ms)
        self._millitokens = min(self._capacity, self._millitokens + (self._refilled_at_ms - before) * self._rate)
