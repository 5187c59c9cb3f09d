"""Admissions and invites in memory."""

from collections.abc import Callable

from msgspec.structs import replace

from diskwars_server.store.admissions import MAX_REVOKED_PER_MATCH, Admissions, StoredInvite


class MemoryAdmissions(Admissions):
    """Players by match, and invites by the hash of their code."""

    def __init__(self, require_open: Callable[[], None]) -> None:
        self._require_open = require_open
        self._admitted: dict[str, set[str]] = {}
        self._invites: dict[bytes, StoredInvite] = {}

    async def is_admitted(self, match: str, player: str) -> bool:
        self._require_open()
        return player in self._admitted.get(match, ())

    async def count_admitted(self, match: str) -> int:
        self._require_open()
        return len(self._admitted.get(match, ()))

    async def admit(self, match: str, player: str, limit: int) -> bool:
        self._require_open()
        admitted = self._admitted.setdefault(match, set())
        if player not in admitted and len(admitted) >= limit:
            return False
        admitted.add(player)
        return True

    async def add_invite(self, invite: StoredInvite, limit: int) -> bool:
        self._require_open()
        if invite.code_hash in self._invites:
            return True
        if len(self._of_match(invite.match, revoked=False)) >= limit:
            return False
        self._invites[invite.code_hash] = invite
        return True

    async def list_invites(self, match: str) -> list[StoredInvite]:
        self._require_open()
        return self._of_match(match, revoked=False)

    def _of_match(self, match: str, *, revoked: bool) -> list[StoredInvite]:
        invites = (known for known in self._invites.values() if known.match == match and known.revoked == revoked)
        return sorted(invites, key=lambda invite: (invite.created_ms, invite.invite), reverse=True)

    async def find_invite(self, code_hash: bytes) -> StoredInvite | None:
        self._require_open()
        return self._invites.get(code_hash)

    async def use_invite(self, code_hash: bytes, player: str) -> bool:
        self._require_open()
        invite = self._invites.get(code_hash)
        if invite is None or invite.revoked or invite.uses_left == 0:
            return False
        if invite.uses_left is not None:
            self._invites[code_hash] = replace(invite, uses_left=invite.uses_left - 1)
        self._admitted.setdefault(invite.match, set()).add(player)
        return True

    async def revoke_invite(self, match: str, invite: str) -> bool:
        self._require_open()
        for known in self._of_match(match, revoked=False):
            if known.invite == invite:
                self._invites[known.code_hash] = replace(known, revoked=True)
                for oldest in self._of_match(match, revoked=True)[MAX_REVOKED_PER_MATCH:]:
                    del self._invites[oldest.code_hash]
                return True
        return False

    def remove(self, match: str) -> None:
        """Forget everything about a match."""
        self._admitted.pop(match, None)
        self._invites = {code: invite for code, invite in self._invites.items() if invite.match != match}
