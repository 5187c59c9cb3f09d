"""The port that keeps parts of built pages: files whose names say their content, of this release and the one before.

Nodes of one service may be of two releases for a while, and a proxy sends the requests of one visit to any of them. So
each node finds here what only others have.
"""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Protocol

KEPT_BUILDS = 2
"""Builds whose parts are kept: pages that are open when a release begins can load their other parts until the next."""


class PageParts(Protocol):
    """Parts of built pages by their path in URLs. Every method may raise `StoreUnavailable`."""

    async def keep(self, parts: Mapping[str, bytes], now_ms: int) -> None:
        """Store the parts of a build that a server starts with, and remove those of builds before the last ones."""

    async def list_paths(self) -> frozenset[str]:
        """Return the paths of all parts that are kept."""

    async def find(self, path: str) -> bytes | None:
        """Return the part of a path."""


def name_build(paths: Iterable[str]) -> str:
    """Return the name of a build: its paths say all of its content."""
    return hashlib.sha256("\n".join(sorted(paths)).encode()).hexdigest()
