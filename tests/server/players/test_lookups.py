"""Keys that are looked up at the same time share queries, and each finds what was stored before."""

import asyncio
from collections.abc import Sequence

import pytest

from diskwars_server.players import lookups
from diskwars_server.players.lookups import SharedLookup
from diskwars_server.store.errors import StoreUnavailable


class Store:
    """Values by key; each query waits until it is let go on."""

    def __init__(self) -> None:
        self.values = {"ann": 1, "ben": 2}
        self.queries: list[tuple[str, ...]] = []
        self.gate = asyncio.Event()
        self.fault: Exception | None = None

    async def find_all(self, keys: Sequence[str]) -> dict[str, int]:
        self.queries.append(tuple(keys))
        seen = {key: self.values[key] for key in keys if key in self.values}
        await self.gate.wait()
        if self.fault is not None:
            raise self.fault
        return seen


async def begin(lookup: SharedLookup[int], *keys: str) -> list[asyncio.Task[int | None]]:
    tasks = [asyncio.create_task(lookup.find(key)) for key in keys]
    await asyncio.sleep(0.001)
    return tasks


async def test_keys_that_come_during_a_query_share_the_next_one() -> None:
    store = Store()
    lookup = SharedLookup(store.find_all)
    first = await begin(lookup, "ann")
    later = await begin(lookup, "ben", "cat", "ann", "ben")
    store.gate.set()
    assert [await task for task in (*first, *later)] == [1, 2, None, 1, 2]
    assert store.queries == [("ann",), ("ben", "cat", "ann")]


async def test_what_is_stored_during_a_query_is_found_by_those_who_ask_afterwards() -> None:
    store = Store()
    lookup = SharedLookup(store.find_all)
    first = await begin(lookup, "cat")
    store.values["cat"] = 3
    later = await begin(lookup, "cat")
    store.gate.set()
    assert [await task for task in (*first, *later)] == [None, 3]


async def test_query_has_a_bounded_number_of_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookups, "MAX_KEYS", 2)
    store = Store()
    lookup = SharedLookup(store.find_all)
    tasks = await begin(lookup, "x", *"abcde")
    store.gate.set()
    await asyncio.gather(*tasks)
    assert [len(keys) for keys in store.queries] == [2, 2, 2]


async def test_fault_reaches_those_of_its_query_and_nobody_after_them() -> None:
    store = Store()
    lookup = SharedLookup(store.find_all)
    tasks = await begin(lookup, "ann", "ben")
    store.fault = StoreUnavailable("told to")
    store.gate.set()
    assert [type(fault) for fault in await asyncio.gather(*tasks, return_exceptions=True)] == [StoreUnavailable] * 2
    store.fault = None
    assert await lookup.find("ann") == 1


async def test_one_who_leaves_keeps_nobody_from_an_answer() -> None:
    store = Store()
    lookup = SharedLookup(store.find_all)
    leaving, staying = await begin(lookup, "ann", "ben")
    (waiting,) = await begin(lookup, "cat")
    leaving.cancel()
    waiting.cancel()
    store.gate.set()
    assert await staying == 2
    assert await lookup.find("ann") == 1
    assert store.queries == [("ann", "ben"), ("ann",)]
