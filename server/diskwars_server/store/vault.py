"""The port that keeps secrets: those of matches under way, and the key that signs tokens."""

from typing import Protocol


class Vault(Protocol):
    """Secrets, written with the records of their match. Every method may raise `StoreUnavailable`."""

    async def secrets(self, match: str) -> dict[str, bytes]:
        """Return the secrets of a match that are not yet forgotten."""

    async def forget_secrets(self, match: str) -> None:
        """Remove the secrets of a match, once its last record has published them. If cancelled, they may be gone.

        The lock of the match stays.
        """

    async def signing_key(self) -> bytes:
        """Return 32 secret bytes, created by the first caller and the same ever after. If cancelled, they may exist."""

    async def push_key(self) -> bytes:
        """Return 32 secret bytes for Web Push, as `signing_key` does."""
