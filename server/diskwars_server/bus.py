"""Notification of other nodes when a match has moved on.

The bus may lose, repeat and delay: it only says where to look; the store says what is there.
"""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from diskwars_protocol.match import MatchId

Listener: TypeAlias = Callable[[MatchId, int], None]
"""Gets a match and the seq of its last record. Never waits and never raises."""


class Bus(Protocol):
    """Between the lobbies that share one store."""

    def publish_head(self, match: MatchId, head: int) -> None:
        """Records up to `head` are stored."""

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Notify the listener of every move, its own node's included. Return a function that stops it."""


class LocalBus:
    """A bus within one process."""

    def __init__(self) -> None:
        self._listeners: dict[object, Listener] = {}

    def publish_head(self, match: MatchId, head: int) -> None:
        for listener in tuple(self._listeners.values()):
            listener(match, head)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        key = object()
        self._listeners[key] = listener

        def stop() -> None:
            self._listeners.pop(key, None)

        return stop
