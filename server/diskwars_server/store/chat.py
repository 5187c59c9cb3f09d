"""The port that keeps the chat of matches, and whom players have muted. Everything in it can be erased."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from diskwars_protocol.messages.chat import ChatChannel

MAX_KEPT_MESSAGES = 500
"""Messages that are kept in one channel of a match; the oldest go first."""


class StoredMessage(Struct, frozen=True):
    """A chat message; an erased one has an empty text. `seq` is the last record of the match when it was written."""

    match: str
    channel: ChatChannel
    number: int
    player: str
    at_ms: int
    seq: int
    text: str
    command: str
    """The id under which it was sent: sent again, it is not stored again."""


class Chat(Protocol):
    """Chat messages by match, channel and number. Every method may raise `StoreUnavailable`."""

    async def add(self, message: StoredMessage) -> int:
        """Store a message under the next number of its channel, and return that; what it has as its number is ignored.

        A message that the same player has sent to this match under the same command keeps the number that it has.
        """

    async def read(self, match: str, channel: ChatChannel, after: int, limit: int) -> list[StoredMessage]:
        """Return the first messages after a number."""

    async def read_back(
        self, match: str, channel: ChatChannel, limit: int, before: int | None = None
    ) -> list[StoredMessage]:
        """Return the last messages, or the last before a number, the oldest first."""

    async def erase(
        self, match: str | None = None, channel: ChatChannel | None = None, number: int = 0, player: str | None = None
    ) -> list[tuple[str, ChatChannel, int]]:
        """Erase the texts of all messages that fit everything named, and return which they were.

        Name a match or a player; with a channel and a number one message. Nothing is erased twice.
        """

    async def list_of_player(self, player: str, skip: int, limit: int) -> list[StoredMessage]:
        """Return what a player has written and what was not erased, the oldest first, after the first `skip`."""

    async def list_muted(self, player: str) -> Sequence[str]:
        """Return the players whom a player has muted."""

    async def mute(self, player: str, other: str, limit: int) -> bool:
        """Note that a player has muted another; False if there are as many as there may be."""

    async def unmute(self, player: str, other: str) -> None:
        """Forget that a player has muted another."""
