"""A queue that serves addresses one after another."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
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

    def has_one_of_each(self) -> bool:
        """Return whether no address has more than one item."""
        return len(self._waiting) == self._count

    def largest(self) -> str:
        """Return the address of which most items wait. Raises ValueError where nothing waits."""
        return max(self._waiting, key=self.count_of)

    def drop_latest(self, address: str) -> T:
        """Return the latest item of an address, which no longer waits. Raises KeyError where none does."""
        items = self._waiting[address]
        item = items.pop()
        if not items:
            del self._waiting[address]
        self._count -= 1
        return item

    def discard(self, address: str, item: T) -> None:
        """Let an item of an address no longer wait, if it does."""
        items = self._waiting.get(address, deque())
        if item in items:
            items.remove(item)
            self._count -= 1
            if not items:
                del self._waiting[address]

    def take(self) -> T:
        """Return the oldest item of the address whose turn it is. Raises StopIteration where nothing waits."""
        address = next(iter(self._waiting))
        items = self._waiting.pop(address)
        item = items.popleft()
        if items:
            self._waiting[address] = items  # behind all others
        self._count -= 1
        return item


class AddressLock:
    """A lock for which addresses wait in turn. It remembers no more than the tasks that wait for it."""

    def __init__(self) -> None:
        self._is_held = False
        self._waiting = AddressTurns[asyncio.Future[None]]()

    @asynccontextmanager
    async def turn_of(self, address: str) -> AsyncIterator[None]:
        """Hold the lock, once it is the turn of this address."""
        if self._is_held:
            await self._wait_for_turn(address)
        self._is_held = True
        try:
            yield
        finally:
            self._pass_on()

    async def _wait_for_turn(self, address: str) -> None:
        turn = asyncio.get_running_loop().create_future()
        self._waiting.add(address, turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._waiting.discard(address, turn)
            else:  # it has been passed on just now
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        """Give the lock to the next that waits; it stays held until then."""
        while self._waiting:
            turn = self._waiting.take()
            if not turn.done():  # cancelled in this round
                turn.set_result(None)
                return
        self._is_held = False
