"""Lookups of many players at once, each in one query with those that come while another query is under way.

After a restart of a server all of its players connect within a second or two. A query for each of them had kept the
few connections to the database busy for longer than that.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

MAX_KEYS = 100
"""Keys of one query."""

ValueT = TypeVar("ValueT")


class SharedLookup(Generic[ValueT]):
    """Finds values by key, many keys in one query. A query sees what was stored before it was asked for."""

    def __init__(self, find_all: Callable[[Sequence[str]], Awaitable[dict[str, ValueT]]]) -> None:
        self._find_all = find_all
        self._waiting: list[tuple[str, asyncio.Future[ValueT | None]]] = []
        self._task: asyncio.Task[None] | None = None

    async def find(self, key: str) -> ValueT | None:
        """Return the value of a key, None if there is none. Raises what the query raises."""
        found: asyncio.Future[ValueT | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((key, found))
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="lookups of players")
        return await found

    async def _run(self) -> None:
        try:
            while self._waiting:
                batch, self._waiting = self._waiting[:MAX_KEYS], self._waiting[MAX_KEYS:]
                await self._answer([(key, found) for key, found in batch if not found.done()])
        finally:
            self._task = None
            for _, found in self._waiting:  # the loop is closed with them
                found.cancel()

    async def _answer(self, batch: Sequence[tuple[str, asyncio.Future[ValueT | None]]]) -> None:
        """Answer those who wait; what goes wrong is theirs. Those who are gone are left out."""
        try:
            values = await self._find_all(tuple(dict.fromkeys(key for key, _ in batch))) if batch else {}
        except asyncio.CancelledError:
            for _, found in batch:
                found.cancel()
            raise
        except Exception as fault:
            for _, found in batch:
                if not found.done():
                    found.set_exception(fault)
            return
        for key, found in batch:
            if not found.done():
                found.set_result(values.get(key))
