"""Progress of first matches in memory."""

from collections.abc import Callable

from diskwars_server.store.accounts import StoredAccount
from diskwars_server.store.lesson_progress import (
    GUEST_PROGRESS_MS,
    MAX_REMOVED_PROGRESS,
    JoinedProgress,
    LessonProgresses,
    StoredProgress,
)


class MemoryLessonProgresses(LessonProgresses):
    """Progress by player. No method awaits: each is done before another may begin."""

    def __init__(self, require_open: Callable[[], None], find_account: Callable[[str], StoredAccount | None]) -> None:
        """`find_account` finds the accounts of players, also those that are deleted."""
        self._require_open, self._find_account = require_open, find_account
        self._progress: dict[str, tuple[StoredProgress, int]] = {}

    async def add(self, player: str, added: StoredProgress, now_ms: int) -> JoinedProgress:
        self._require_open()
        account = self._find_account(player)
        if account is not None and account.is_deleted:
            return JoinedProgress(StoredProgress(), is_changed=False)
        known, _ = self._progress.get(player, (StoredProgress(), 0))
        joined = known.join(added)
        if joined != known:
            self._progress[player] = joined, now_ms
            self._remove_old(now_ms - GUEST_PROGRESS_MS)
        return JoinedProgress(joined, joined != known)

    def _remove_old(self, before_ms: int) -> None:
        old = [
            player
            for player, (_, changed_ms) in self._progress.items()
            if changed_ms < before_ms and not self._has_account(player)
        ]
        for player in old[:MAX_REMOVED_PROGRESS]:
            del self._progress[player]

    def _has_account(self, player: str) -> bool:
        account = self._find_account(player)
        return account is not None and not account.is_deleted

    def forget_player(self, player: str) -> None:
        """Remove what a player has done whose account is deleted."""
        self._progress.pop(player, None)
