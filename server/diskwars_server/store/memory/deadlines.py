"""Deadlines in memory."""

from collections.abc import Callable

from diskwars_server.store.deadlines import MAX_GRACES_PER_SEAT, Deadline, Deadlines
from diskwars_server.store.event_log import AppendRequest


class MemoryDeadlines(Deadlines):
    """Deadlines by match and decision, with the end of their lease."""

    def __init__(self, require_open: Callable[[], None]) -> None:
        self._require_open = require_open
        self._deadlines: dict[tuple[str, str], Deadline] = {}
        self._claimed_until: dict[tuple[str, str], int] = {}
        self._graces: dict[tuple[str, str], int] = {}
        self._swept_ms: int | None = None

    def put(self, append: AppendRequest) -> None:
        for decision in append.closed_decisions:
            self._forget((append.match, decision))
        for deadline in append.deadlines:
            self._deadlines[deadline.match, deadline.decision] = deadline

    def find(self, match: str, decision: str) -> int | None:
        """Return when the deadline of a decision is, None if it has none."""
        known = self._deadlines.get((match, decision))
        return None if known is None else known.at

    def _forget(self, key: tuple[str, str]) -> None:
        self._deadlines.pop(key, None)
        self._claimed_until.pop(key, None)

    async def claim_due(self, now: int, limit: int, lease_ms: int) -> list[Deadline]:
        self._require_open()
        due = [
            key
            for key, deadline in self._deadlines.items()
            if deadline.at <= now and self._claimed_until.get(key, 0) <= now
        ]
        due.sort(key=lambda key: (self._deadlines[key].at, key))
        self._claimed_until |= dict.fromkeys(due[:limit], now + lease_ms)
        return [self._deadlines[key] for key in due[:limit]]

    async def record_sweep(self, now: int, silent_since: int | None, until: int) -> int:
        self._require_open()
        is_silent = None not in (silent_since, self._swept_ms) and self._swept_ms < silent_since  # type: ignore[operator]
        early = [key for key, deadline in self._deadlines.items() if is_silent and deadline.at < until]
        for key in early:
            self._deadlines[key] = Deadline(*key, until)
            self._claimed_until.pop(key, None)
        if self._deadlines:
            self._swept_ms = now
        return len(early)

    async def extend(self, match: str, decision: str, seat: int, now: int, grace_ms: int) -> int | None:
        self._require_open()
        key = match, decision
        known = self._deadlines.get(key)
        given = sum(of == match and to == seat for (of, _), to in self._graces.items())
        if known is None or known.at >= now + grace_ms or key in self._graces or given >= MAX_GRACES_PER_SEAT:
            return None
        self._graces[key] = seat
        at = min(now, known.at) + grace_ms
        self._deadlines[key] = Deadline(match, decision, at)
        self._claimed_until.pop(key, None)
        return at

    async def move(self, match: str, decision: str, at: int) -> None:
        self._require_open()
        if (match, decision) in self._deadlines:
            self._deadlines[match, decision] = Deadline(match, decision, at)
            self._claimed_until.pop((match, decision), None)

    async def remove(self, match: str, decision: str) -> None:
        self._require_open()
        self._forget((match, decision))
