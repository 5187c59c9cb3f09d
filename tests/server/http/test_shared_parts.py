"""Parts of other builds: found as soon as their node has started, and looked for once a second at most."""

import asyncio
from collections.abc import Mapping

import pytest

from diskwars_server.http.page_files import CACHED_FOREVER, StaticFile
from diskwars_server.http.shared_parts import REFRESH_MS, SharedParts
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.store.page_parts import PageParts

OLD, NEW = "/assets/main-1a2b.js", "/assets/main-3c4d.js"
SCRIPT = b"console.log('a page');" * 100


def part(body: bytes = SCRIPT) -> StaticFile:
    return StaticFile.of(body, "text/javascript; charset=utf-8", is_text=True)


class CountedParts(PageParts):
    """The same parts, with the number of times that their paths were listed."""

    def __init__(self, beneath: PageParts) -> None:
        self.beneath, self.looks = beneath, 0

    async def keep(self, parts: Mapping[str, bytes], now_ms: int) -> None:
        await self.beneath.keep(parts, now_ms)

    async def list_paths(self) -> frozenset[str]:
        self.looks += 1
        return await self.beneath.list_paths()

    async def find(self, path: str) -> bytes | None:
        return await self.beneath.find(path)


class ManualTime:
    """Monotonic time that passes while somebody sleeps."""

    def __init__(self) -> None:
        self.now_ms = 0

    def __call__(self) -> int:
        return self.now_ms

    async def sleep(self, seconds: float) -> None:
        self.now_ms += round(seconds * 1000)
        await asyncio.sleep(0)


async def test_part_of_a_node_of_another_release_is_found_both_ways() -> None:
    async with MemoryDatabase() as database:
        time = ManualTime()
        old, new = (
            SharedParts(database.page_parts, {path: part(), "/index.html": part()}, time, time.sleep)
            for path in (OLD, NEW)
        )
        for node in (old, new):
            await node.keep_own(0)
        for node, path in ((old, NEW), (new, OLD)):
            found = await node.find(path)
            assert found is not None
            assert (found.body, found.cache_control) == (SCRIPT, CACHED_FOREVER)
            assert found.content_type.startswith("text/javascript")
            assert found.compressed
            assert await node.find(path) is found, "kept in memory"
        assert await old.find("/index.html") is None, "only parts whose names say their content are shared"


async def test_part_of_a_node_that_started_after_the_last_look_is_found_at_once() -> None:
    """The part of a visitor whose document came from the new node must not be missing."""
    async with MemoryDatabase() as database:
        time = ManualTime()
        node = SharedParts(database.page_parts, {}, time, time.sleep)
        assert await node.find(NEW) is None
        await database.page_parts.keep({NEW: SCRIPT}, 1)
        assert await node.find(NEW) is not None
        assert time.now_ms == REFRESH_MS


async def test_names_that_nobody_has_lead_to_one_look_a_second() -> None:
    async with MemoryDatabase() as database:
        store, time = CountedParts(database.page_parts), ManualTime()
        node = SharedParts(store, {}, time, time.sleep)
        for _ in range(3):
            missing = (node.find(f"/assets/nothing-{n}.js") for n in range(50))
            assert set(await asyncio.gather(*missing)) == {None}
        assert store.looks <= 1 + time.now_ms / REFRESH_MS
        assert store.looks <= 6


@pytest.mark.parametrize("path", ["/assets/a/../b.js", "/assets/x.exe", "/assets/" + "x" * 200 + ".js", "/assets/ü.js"])
async def test_path_that_no_part_has_is_not_looked_for(path: str) -> None:
    async with MemoryDatabase() as database:
        store, time = CountedParts(database.page_parts), ManualTime()
        assert await SharedParts(store, {}, time, time.sleep).find(path) is None
        assert store.looks == 0


async def test_outage_of_the_store_is_no_answer() -> None:
    database = MemoryDatabase()
    node = SharedParts(database.page_parts, {OLD: part()}, ManualTime())
    with pytest.raises(StoreUnavailable):
        await node.find(NEW)
    with pytest.raises(StoreUnavailable):
        await node.keep_own(0)
