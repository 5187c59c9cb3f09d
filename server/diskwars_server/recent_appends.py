"""Buffer of a match's most recent appends, for joins and reconnects."""

from collections import deque

from diskwars_engine.match_log import Append

RECENT_APPEND_LIMIT = 32
"""Number of records of a live match that are kept, plus the rest of the first one's append."""


class RecentAppends:
    """Grows by whole appends, and forgets the oldest."""

    def __init__(self, *pages: Append) -> None:
        self._appends: deque[Append] = deque()
        self._record_count = 0
        for page in pages:
            self.add(page)

    def add(self, page: Append) -> None:
        self._appends.append(page)
        self._record_count += len(page)
        while self._appends and self._record_count - len(self._appends[0]) >= RECENT_APPEND_LIMIT:
            self._record_count -= len(self._appends.popleft())

    def appends_after(self, seq: int) -> list[Append]:
        """Return the records after this one, the first perhaps within an append; None unless all of them are kept."""
        if not self._appends or self._appends[0][0].record.seq > seq + 1:
            return []
        later = [page for page in self._appends if page[-1].record.seq > seq]
        return [tuple(line for line in page if line.record.seq > seq) for page in later]

    def hash_at(self, seq: int) -> bytes | None:
        """Return the hash of the chain after a record, if it is kept."""
        return next((line.record.hash for page in self._appends for line in page if line.record.seq == seq), None)
