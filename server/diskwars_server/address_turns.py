"""What waits for its turn, the addresses one after another."""

from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")


class AddressTurns(Generic[T]):
    """A queue in which an address with many items waiting keeps no other address waiting for more than one of them."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[T]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def count_of(self, address: str) -> int:
        """Return how many items of an address wait."""
        return len(self._waiting.get(address, ()))

    def add(self, address: str, item: T) -> None:
        self._waiting.setdefault(address, deque()).append(item)
        self._count += 1

    def take(self) -> T:
        """Return the oldest item of the address whose turn it is. Raises StopIteration where nothing waits."""
        address = next(iter(self._waiting))
        items = self._waiting.pop(address)
        item = items.popleft()
        if items:
            self._waiting[address] = items  # behind all others
        self._count -= 1
        return item
