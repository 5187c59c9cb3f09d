"""The port that stores which players have entered locked matches, and invites; and the lock, a secret of its match."""

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

LOCK_PREFIX = "lock_"
"""Prefix of the secrets that are kept as long as the match: they are no secrets of its dice."""
_PASSWORD, _INVITED_ONLY, _SEATS = "lock_password", "lock_invited_only", "lock_seats"
LOCK_SECRETS = (_PASSWORD, _INVITED_ONLY)
"""A match that has one of these secrets is locked."""

MAX_INVITES_PER_MATCH = 16
MAX_REVOKED_PER_MATCH = 64
"""Revoked invites that stay known; the oldest are forgotten."""
MAX_ADMITTED_PER_MATCH = 200
"""Players whom the password lets in."""
MAX_INVITED_PER_MATCH = 1000
"""Players in all above which no invite lets in another one."""


class MatchLock(Struct, frozen=True):
    """The requirement for entering a match: its password or an invite, or only an invite. Without either it is open.

    `seats` are the players for whom its seats are kept, in their order; everybody may watch such a match.
    """

    password_hash: str = ""
    invited_only: bool = False
    seats: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.password_hash) or self.invited_only

    def to_secrets(self) -> dict[str, bytes]:
        """Return the lock as secrets of the match."""
        secrets = {_PASSWORD: self.password_hash.encode()} if self.password_hash else {}
        seats = {_SEATS: " ".join(self.seats).encode()} if self.seats else {}
        return secrets | ({_INVITED_ONLY: b"1"} if self.invited_only else {}) | seats

    @classmethod
    def from_secrets(cls, secrets: Mapping[str, bytes]) -> "MatchLock":
        seats = tuple(secrets.get(_SEATS, b"").decode().split())
        return cls(secrets.get(_PASSWORD, b"").decode(), _INVITED_ONLY in secrets, seats)


OPEN = MatchLock()


class StoredInvite(Struct, frozen=True):
    """An invite. `uses_left` is None where it is not limited; `army` may be empty."""

    match: str
    invite: str
    code_hash: bytes
    created_ms: int
    army: str = ""
    uses_left: int | None = None
    revoked: bool = False


class Admissions(Protocol):
    """Entries of players into matches. Every method may raise `StoreUnavailable`."""

    async def is_admitted(self, match: str, player: str) -> bool:
        """Return whether a player has entered a match."""

    async def count_admitted(self, match: str) -> int:
        """Return how many players have entered a match."""

    async def admit(self, match: str, player: str, limit: int) -> bool:
        """Note that a player has entered a match; False if it has admitted as many others as it may."""

    async def add_invite(self, invite: StoredInvite, limit: int) -> bool:
        """Store an invite; False if the match has as many others as it may. One that is there stays as it is.

        Revoked ones do not count, and stay revoked.
        """

    async def list_invites(self, match: str) -> list[StoredInvite]:
        """Return the invites of a match that have not been revoked, the newest first."""

    async def find_invite(self, code_hash: bytes) -> StoredInvite | None:
        """Return the invite that a code is of, also one that was revoked."""

    async def use_invite(self, code_hash: bytes, player: str) -> bool:
        """Admit a player and count a use; False where the invite is gone, revoked or used up."""

    async def revoke_invite(self, match: str, invite: str) -> bool:
        """Revoke an invite; False if there is none, or it was revoked before."""
