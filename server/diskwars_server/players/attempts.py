"""Limits of attempts at passwords and codes: at a target from one address or from anywhere, and of an address."""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator

from msgspec import Struct

from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.limits.rate_limits import MAX_REMEMBERED_KEYS, MS_PER_HOUR, MS_PER_MINUTE, RateLimit, RateLimiter
from diskwars_server.players.passwords import Passwords, TooManyHashes
from diskwars_server.refusals import Refusal
from diskwars_server.store.errors import StoreUnavailable

BUSY_RETRY_AFTER_MS = 1000
MAX_HASHES_PER_ADDRESS = 4
"""Passwords of one address that are hashed at the same time, or wait for it, so that others have room in the queue."""


class AttemptLimits(Struct, frozen=True):
    """Limits of attempts: at a target from one address, at a target from anywhere, and from an address.

    The first is the tightest, so that a stranger who guesses keeps only the others at the stranger's own address out.
    Two addresses are enough to use up the second. It bounds guessing from many addresses, and so it holds for strangers
    only: those of an address that was let in before, or of a device that is logged in, are not stopped by it.
    `right` are the attempts of an address that succeeded: they are not among the others, but take as long.
    """

    target_and_address: RateLimit = RateLimit(5, 5 * MS_PER_MINUTE)
    target: RateLimit = RateLimit(100, MS_PER_HOUR)
    address: RateLimit = RateLimit(30, 10 * MS_PER_MINUTE)
    right: RateLimit = RateLimit(60, 10 * MS_PER_MINUTE)


DEFAULT_ATTEMPT_LIMITS = AttemptLimits()


class Attempt:
    """An attempt under way. Setting `is_right` is the last thing that is done in it."""

    is_right = False


class AttemptLimiter:
    """Counts attempts, and hashes passwords for them. A target is a name or a match."""

    def __init__(self, passwords: Passwords, limits: AttemptLimits, clock: Callable[[], int]) -> None:
        """`clock` is monotonic, in milliseconds."""
        self.passwords = passwords
        self._by_target_and_address = RateLimiter[tuple[str, str]](limits.target_and_address, clock)
        self._by_target = RateLimiter[str](limits.target, clock)
        self._by_address = RateLimiter[str](limits.address, clock)
        self._right = RateLimiter[str](limits.right, clock)
        self._known: dict[tuple[str, str], None] = {}
        self._hashing: Counter[str] = Counter()

    def record_known(self, target: str, address: str) -> None:
        """Remember that this address was let in: strangers elsewhere keep no one at it out.

        The pair that was noted longest ago is forgotten: for a place among them strangers need an account of their own
        for each, so they cannot push out the others.
        """
        if address == UNKNOWN:
            return
        self._known.pop((target, address), None)
        self._known[target, address] = None
        if len(self._known) > MAX_REMEMBERED_KEYS:
            del self._known[next(iter(self._known))]

    @contextlib.contextmanager
    def admit(self, target: str | None, address: str, device: str = "") -> Iterator[Attempt]:
        """Count an attempt before it is made: many at once are no way round the limit. Raises Refusal.

        One that turns out right counts as such instead. One that could not be made costs nothing. Those of a `device`
        that is logged in are counted for themselves, so that strangers use up none of them.
        """
        # No name and no id of a match begins like this.
        anywhere = f"\0{device}" if device else target
        is_known = target is not None and (target, address) in self._known
        wait_ms = max(
            0 if target is None else self._by_target_and_address.wait_ms((target, address)),
            0 if anywhere is None or is_known else self._by_target.wait_ms(anywhere),
            0 if address == UNKNOWN else max(self._by_address.wait_ms(address), self._right.wait_ms(address)),
        )
        if wait_ms:
            raise Refusal("too_many_attempts", retry_after_ms=wait_ms)
        self._charge(target, anywhere, address, 1)
        attempt = Attempt()
        try:
            yield attempt
        except (Refusal, StoreUnavailable) as fault:
            if isinstance(fault, StoreUnavailable) or fault.code == "busy":
                self._charge(target, anywhere, address, -1)
            raise
        if attempt.is_right:
            self._charge(target, anywhere, address, -1)
            if target is not None:
                self.record_known(target, address)
            if address != UNKNOWN:
                self._right.charge(address, 1)

    def _charge(self, target: str | None, anywhere: str | None, address: str, cost: int) -> None:
        if target is not None:
            self._by_target_and_address.charge((target, address), cost)
        if anywhere is not None:
            self._by_target.charge(anywhere, cost)
        if address != UNKNOWN:
            self._by_address.charge(address, cost)

    async def hash(self, address: str, password: str) -> str:
        """Return the hash of a password. Raises BadPassword, and Refusal if too many wait."""
        with self._count_hash(address):
            return await self.passwords.hash(password, address)

    async def verify(self, address: str, password_hash: str | None, password: str) -> bool:
        """Return whether a password is that of a hash. Raises Refusal if too many wait."""
        with self._count_hash(address):
            return await self.passwords.verify(password_hash, password, address)

    @contextlib.contextmanager
    def _count_hash(self, address: str) -> Iterator[None]:
        if address != UNKNOWN and self._hashing[address] >= MAX_HASHES_PER_ADDRESS:
            raise _busy()
        self._hashing[address] += 1
        try:
            yield
        except TooManyHashes:
            raise _busy() from None
        finally:
            self._hashing[address] -= 1
            if not self._hashing[address]:
                del self._hashing[address]


def _busy() -> Refusal:
    text = "too many passwords are being checked; try again in a moment"
    return Refusal("busy", text, retry_after_ms=BUSY_RETRY_AFTER_MS)
