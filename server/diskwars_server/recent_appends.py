"""What was told last in a match, for whoever comes or comes back a moment later?

The last appends, so that no store has to be asked for them. Must not know who is told, nor what a record means.
"""

from collections import deque

from diskwars_engine.match_log import Append

RECENT_APPEND_LIMIT = 32
"""So many records of a live match are kept, and what else stands in the first one's append."""


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
        """What lies after a record, the first perhaps the tail of an append; nothing where not all of it is kept."""
        if not self._appends or self._appends[0][0].record.seq > seq + 1:
            return []
        later = [page for page in self._appends if page[-1].record.seq > seq]
        return [tuple(line for line in page if line.record.seq > seq) for page in later]

    def hash_at(self, seq: int) -> bytes | None:
        """The hash of the chain after a record, if it is kept."""
        return next((line.record.hash for page in self._appends for line in page if line.record.seq == seq), None)
