"""Places for answers that are sent for long, in all and of one address."""

from collections import Counter

from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.refusals import Refusal

BUSY_RETRY_AFTER_MS = 1_000


class StreamPlaces:
    """Counts the answers of one kind that are under way. Those of unknown addresses count in all only."""

    def __init__(self, most: int, most_of_address: int, text: str) -> None:
        """`text` is what a refused client reads."""
        self._most, self._most_of_address, self._text = most, most_of_address, text
        self._taken: Counter[str] = Counter()

    @property
    def taken(self) -> int:
        return self._taken.total()

    def take(self, address: str) -> None:
        """Take a place until `leave` is called for the same address. Raises Refusal."""
        is_full = address != UNKNOWN and self._taken[address] >= self._most_of_address
        if is_full or self.taken >= self._most:
            raise Refusal("busy", self._text, retry_after_ms=BUSY_RETRY_AFTER_MS)
        self._taken[address] += 1

    def leave(self, address: str) -> None:
        """Give a place back."""
        self._taken[address] -= 1
        if not self._taken[address]:
            del self._taken[address]
