"""Addresses of one service: the node that a client uses, and the next one when that ends."""

from collections.abc import Sequence
from urllib.parse import urlsplit

MOVING_CLOSE_REASONS = frozenset({"going_away", "restarting", "fault"})
"""Closing words of a node after which others may do better."""


class ServerAddresses:
    """At least one address; the first is used first."""

    def __init__(self, urls: Sequence[str]) -> None:
        self._urls, self._place, self._stays = tuple(urls), 0, False

    def __len__(self) -> int:
        return len(self._urls)

    @property
    def current(self) -> str:
        return self._urls[self._place]

    @property
    def is_loopback(self) -> bool:
        """Whether the server is on this machine, which is reached without a proxy."""
        try:
            host = urlsplit(self.current).hostname or ""
        except ValueError:  # it is reported when it is opened
            return False
        return host == "localhost" or host.startswith("127.") or host == "::1"

    def on_closing(self, close_reason: str) -> None:
        """Stay at the node that closed the connection, if other nodes would close it for the same reason."""
        self._stays = close_reason not in MOVING_CLOSE_REASONS

    def advance(self) -> None:
        """Use the next address after a lost connection, unless the client has to return to the same node."""
        if not self._stays:
            self._place = (self._place + 1) % len(self._urls)
        self._stays = False
