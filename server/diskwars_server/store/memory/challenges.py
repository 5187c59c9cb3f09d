"""Challenges in memory."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from diskwars_protocol.messages.challenges import ChallengeStatus, DeclineReason
from diskwars_server.store.challenges import (
    KEPT_MS,
    MAX_LISTED,
    MAX_RECEIVED,
    MAX_SENT,
    ChallengeObstacle,
    Challenges,
    StoredChallenge,
    plan_challenge_notice,
)
from diskwars_server.store.memory.accounts import MemoryAccounts
from diskwars_server.store.memory.notices import MemoryNotices


class MemoryChallenges(Challenges):
    """Challenges by id. No method waits, for accounts in memory neither: each is done before another may begin."""

    def __init__(self, require_open: Callable[[], None], notices: MemoryNotices, accounts: MemoryAccounts) -> None:
        self._require_open, self._notices, self._accounts = require_open, notices, accounts
        self._challenges: dict[str, StoredChallenge] = {}
        self._refusers: set[str] = set()

    async def add(self, challenge: StoredChallenge, *, notifies: bool = False) -> StoredChallenge | ChallengeObstacle:
        self._require_open()
        now_ms = challenge.created_ms
        for old in tuple(self._challenges.values()):
            if (old.settled_ms or old.expires_ms) <= now_ms - KEPT_MS:
                del self._challenges[old.challenge]
        known = self._challenges.get(challenge.challenge)
        if known is not None:
            return known
        accounts = await self._accounts.find_players(challenge.players)
        if any(account.is_deleted for account in accounts.values()):
            return "unknown_player"
        waiting = [other for other in self._challenges.values() if other.is_open(now_ms)]
        sent = [other for other in waiting if other.challenger == challenge.challenger]
        if any(other.challenged == challenge.challenged for other in sent):
            return "challenged_already"
        if len(sent) >= MAX_SENT:
            return "too_many_challenges"
        followed = await self._accounts.list_followed(challenge.challenged)
        if challenge.challenger not in followed:
            received = {other.challenger for other in waiting if other.challenged == challenge.challenged}
            if len(received.difference(followed)) >= MAX_RECEIVED:
                return "too_many_challengers"
        self._challenges[challenge.challenge] = challenge
        if notifies:
            self._notices.plan(plan_challenge_notice(challenge))
        return challenge

    async def find(self, challenge: str) -> StoredChallenge | None:
        self._require_open()
        return self._challenges.get(challenge)

    async def find_by_match(self, matches: Sequence[str]) -> dict[str, StoredChallenge]:
        self._require_open()
        return {known.match: known for known in self._challenges.values() if known.match in matches}

    async def list_of_player(self, player: str, now_ms: int) -> list[StoredChallenge]:
        self._require_open()
        shown = [
            known
            for known in self._challenges.values()
            if player in known.players and (known.is_open(now_ms) or known.settled_ms > now_ms - KEPT_MS)
        ]
        shown.sort(key=lambda known: (known.status != "open", -known.created_ms, known.challenge))
        return sorted(shown[:MAX_LISTED], key=lambda known: (-known.created_ms, known.challenge))

    async def settle(
        self, challenge: str, status: ChallengeStatus, now_ms: int, reason: DeclineReason | None = None
    ) -> bool:
        self._require_open()
        known = self._challenges.get(challenge)
        if known is None or not known.is_open(now_ms):
            return False
        self._challenges[challenge] = replace(known, status=status, settled_ms=now_ms, reason=reason)
        return True

    async def allow(self, player: str, *, allowed: bool) -> None:
        self._require_open()
        (self._refusers.discard if allowed else self._refusers.add)(player)

    async def is_allowed(self, player: str) -> bool:
        self._require_open()
        return player not in self._refusers

    def forget_player(self, player: str) -> None:
        """Remove everything about a player whose account is deleted."""
        self._refusers.discard(player)
        for known in [known for known in self._challenges.values() if player in known.players]:
            del self._challenges[known.challenge]
