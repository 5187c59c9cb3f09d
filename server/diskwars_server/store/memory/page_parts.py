"""Parts of built pages in memory."""

from collections.abc import Callable, Mapping

from diskwars_server.store.page_parts import KEPT_BUILDS, PageParts, name_build


class MemoryPageParts(PageParts):
    """Builds in the order in which a server started with them last."""

    def __init__(self, require_open: Callable[[], None]) -> None:
        self._require_open = require_open
        self._builds: dict[str, dict[str, bytes]] = {}

    async def keep(self, parts: Mapping[str, bytes], now_ms: int) -> None:
        self._require_open()
        build = name_build(parts)
        self._builds.pop(build, None)
        self._builds[build] = dict(parts)
        while len(self._builds) > KEPT_BUILDS:
            del self._builds[next(iter(self._builds))]

    async def list_paths(self) -> frozenset[str]:
        self._require_open()
        return frozenset(path for parts in self._builds.values() for path in parts)

    async def find(self, path: str) -> bytes | None:
        self._require_open()
        return next((parts[path] for parts in self._builds.values() if path in parts), None)
