"""The port that stores who seeks a match, and pairs players who seek the same."""

import hashlib
from typing import Protocol

from msgspec import Struct

RENEW_MS = 5_000
"""Milliseconds after which a player has to ask again."""
ALIVE_MS = 4 * RENEW_MS
"""A player who has not asked for this long is gone, and is not paired."""
FOUND_MS = 120_000
"""Milliseconds for which a match that was found is remembered."""
MAX_SEEKS = 10_000
"""Players who seek at once, over all nodes."""


class StoredSeek(Struct, frozen=True):
    """The match that a player seeks: `sought` is the same text for all who can be paired.

    `since_ms` is the time at which the command first came. Once paired, `match` is the match and `players` are its
    players, in the order of their seats.
    """

    player: str
    command: str
    sought: str
    since_ms: int
    alive_until_ms: int
    match: str = ""
    players: tuple[str, ...] = ()


class Seeks(Protocol):
    """Players who seek a match; each has one seek at most. Every method may raise StoreUnavailable."""

    async def seek(self, seek: StoredSeek, seat_count: int, new_match: str, now_ms: int) -> StoredSeek | None:
        """Note or renew what a player seeks, and pair players as soon as enough of them seek the same.

        One transaction: no player is paired twice, whichever nodes they are connected to. The oldest seeks come first,
        and their players get the match `new_match`. Return the player's seek as it is then; a player who was paired
        keeps that match while it is remembered. None where too many seek already.
        """

    async def find(self, player: str, now_ms: int) -> StoredSeek | None:
        """Return what a player seeks; None for nothing, or nothing that is still alive."""

    async def remove(self, player: str) -> None:
        """Let a player seek no more."""


def order_players(match: str, players: list[str]) -> tuple[str, ...]:
    """Return players in the order of their seats: by lot, and not by who came first."""
    return tuple(sorted(players, key=lambda player: hashlib.sha256(f"{match} {player}".encode()).digest()))
