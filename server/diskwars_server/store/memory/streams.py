"""Streams of events in memory, as tournaments and others keep them: records, and what is due in which of them."""

from collections.abc import Callable
from typing import Generic, TypeVar

from diskwars_server.store.changes import StreamRecord
from diskwars_server.store.errors import DuplicateCommand, WrongVersion

RecordT = TypeVar("RecordT", bound=StreamRecord)


class MemoryStreams(Generic[RecordT]):
    """Records by stream. Every method may raise StoreUnavailable."""

    def __init__(self, require_open: Callable[[], None]) -> None:
        self._require_open = require_open
        self._records: dict[str, list[RecordT]] = {}
        self._commands: set[tuple[str, str, str]] = set()
        self._due: dict[str, tuple[int, int]] = {}
        """When something is due, and until when it is claimed."""

    def append(self, stream: str, record: RecordT, command: str, due_ms: int | None) -> None:
        """Store a record. Raises WrongVersion and DuplicateCommand."""
        self._require_open()
        records = self._records.setdefault(stream, [])
        if record.seq != len(records) + 1:
            raise WrongVersion(stream, record.seq - 1, len(records))
        key = stream, record.actor, command
        if key in self._commands:
            raise DuplicateCommand(*key)
        self._commands.add(key)
        records.append(record)
        self._set_due(stream, due_ms)

    def read(self, stream: str, after: int) -> list[RecordT]:
        self._require_open()
        return self._records.get(stream, [])[after:]

    def has_command(self, stream: str, actor: str, command: str) -> bool:
        self._require_open()
        return (stream, actor, command) in self._commands

    def claim_due(self, now: int, limit: int, lease_ms: int) -> list[str]:
        self._require_open()
        due = sorted((at, name) for name, (at, claimed_until) in self._due.items() if max(at, claimed_until) <= now)
        for at, stream in due[:limit]:
            self._due[stream] = at, now + lease_ms
        return [stream for _, stream in due[:limit]]

    def settle(self, stream: str, claimed_until: int, due_ms: int | None) -> None:
        self._require_open()
        if self._due.get(stream, (0, 0))[1] == claimed_until:
            self._set_due(stream, due_ms)

    def _set_due(self, stream: str, due_ms: int | None) -> None:
        self._due.pop(stream, None)
        if due_ms is not None:
            self._due[stream] = due_ms, 0
