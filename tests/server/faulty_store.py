"""A store over another one that fails on demand."""

import asyncio
from collections import deque
from collections.abc import Sequence

from diskwars_protocol.records import Record
from diskwars_server.store import (
    AppendRequest,
    EventStore,
    Listing,
    OutcomeUnknown,
    StoreUnavailable,
    WrongVersion,
)


class FaultyStore(EventStore):
    """`faults` are those of the next appends: "lost after" or "lost before" the commit, "unavailable", "wrong".

    `reads` are those of the next reads: "unavailable" or "". While `gate` is not set, appends wait, and `waiting` says
    that one does. `appended` are all that the store beneath has taken.
    """

    def __init__(self, beneath: EventStore) -> None:
        self.beneath = beneath
        self.faults: deque[str] = deque()
        self.reads: deque[str] = deque()
        self.gate = asyncio.Event()
        self.gate.set()
        self.waiting = asyncio.Event()
        self.appended: list[AppendRequest] = []
        self.read_count = 0

    async def open(self) -> None:
        await self.beneath.open()

    async def close(self) -> None:
        await self.beneath.close()

    async def append(self, append: AppendRequest) -> None:
        fault = self.faults.popleft() if self.faults else ""
        if not self.gate.is_set():
            self.waiting.set()
            await self.gate.wait()
        if fault == "unavailable":
            raise StoreUnavailable("told to")
        if fault == "wrong":
            raise WrongVersion(append.match, append.expected, None)
        if fault != "lost before":
            await self.beneath.append(append)
            self.appended.append(append)
        if fault:
            raise OutcomeUnknown(append.match)

    async def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Record]:
        self.read_count += 1
        if self.reads and self.reads.popleft():
            raise StoreUnavailable("told to")
        await asyncio.sleep(0)  # as any real store, it lets others go on meanwhile
        return await self.beneath.read(match, after, limit)

    async def heads(self, matches: Sequence[str]) -> dict[str, int]:
        return await self.beneath.heads(matches)

    async def secrets(self, match: str) -> dict[str, bytes]:
        return await self.beneath.secrets(match)

    async def forget_secrets(self, match: str) -> None:
        await self.beneath.forget_secrets(match)

    async def list_matches(
        self, status: str | None = None, limit: int = 100, before: tuple[int, str] | None = None
    ) -> list[Listing]:
        return await self.beneath.list_matches(status, limit, before)

    async def count_unfinished(self, opener: str) -> int:
        return await self.beneath.count_unfinished(opener)

    async def signing_key(self) -> bytes:
        return await self.beneath.signing_key()
