"""Parts of the page that only other nodes of the service were built with, as the store keeps them."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from pathlib import PurePosixPath

from diskwars_server.http.page_files import (
    CACHED_FOREVER,
    COMPRESSIBLE_SUFFIXES,
    CONTENT_TYPES,
    HASHED_FOLDER,
    StaticFile,
)
from diskwars_server.store.page_parts import PageParts

REFRESH_MS = 1_000
"""Milliseconds between two looks at what the store has: however many names are asked for that nobody has."""
_PART = re.compile(rf"{HASHED_FOLDER}[\w.-]{{1,100}}", re.ASCII)


class SharedParts:
    """The parts of all builds that the store keeps. `page` is what this node was built with.

    In memory is what was asked for of other builds: no more than the store keeps.
    """

    def __init__(
        self,
        store: PageParts,
        page: Mapping[str, StaticFile],
        monotonic: Callable[[], int],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._store, self._monotonic, self._sleep = store, monotonic, sleep
        self._own = {path: file.body for path, file in page.items() if path.startswith(HASHED_FOLDER)}
        self._paths: frozenset[str] = frozenset()
        self._found: dict[str, StaticFile] = {}
        self._looking = asyncio.Lock()
        self._looks = 0
        self._looked_at: int | None = None

    async def keep_own(self, now_ms: int) -> None:
        """Store the parts of this node for the others. Raises StoreUnavailable."""
        if self._own:
            await self._store.keep(self._own, now_ms)

    async def find(self, path: str) -> StaticFile | None:
        """Return a part that another node was built with. Raises StoreUnavailable."""
        content_type = CONTENT_TYPES.get(PurePosixPath(path).suffix)
        if content_type is None or not _PART.fullmatch(path):
            return None
        if path not in self._paths:
            await self._look_again()
        if path not in self._paths:
            return None
        if path not in self._found:
            body = await self._store.find(path)
            if body is None:
                return None
            is_text = path.endswith(COMPRESSIBLE_SUFFIXES)
            self._found[path] = StaticFile.of(body, content_type, is_text=is_text, cache_control=CACHED_FOREVER)
        return self._found[path]

    async def _look_again(self) -> None:
        """Look at what the store has, unless somebody else begins to after this call. Raises StoreUnavailable."""
        begun = self._looks
        async with self._looking:
            if self._looks > begun:
                return
            if self._looked_at is not None:
                await self._sleep(max(0, self._looked_at + REFRESH_MS - self._monotonic()) / 1000)
            self._looked_at = self._monotonic()
            self._looks += 1
            self._paths = await self._store.list_paths()
            self._found = {path: file for path, file in self._found.items() if path in self._paths}
