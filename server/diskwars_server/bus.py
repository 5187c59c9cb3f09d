"""Notification of other nodes when a match has moved on.

The bus may lose, repeat or delay messages: they are hints to read the event log.
"""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from diskwars_protocol.match import MatchId

Listener: TypeAlias = Callable[[MatchId, int], None]
"""Gets a match and the seq of its last record. Never waits and never raises."""
ListingListener: TypeAlias = Callable[[MatchId], None]
"""Gets a match whose listing has changed. Never waits and never raises."""


class Bus(Protocol):
    """One node's end of the bus between the lobbies that share a database."""

    def publish_head(self, match: MatchId, head: int) -> None:
        """Notify the other nodes that records up to `head` are stored."""

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Notify the listener of what other nodes publish. Return a function that stops it."""

    def publish_listing(self, match: MatchId) -> None:
        """Notify every node, this one too, that the lobby shows something else of a match."""

    def subscribe_listings(self, listener: ListingListener) -> Callable[[], None]:
        """Notify the listener of matches whose listings have changed. Return a function that stops it."""


class LocalBus:
    """A bus within one process. Each node joins it once."""

    def __init__(self) -> None:
        self._nodes: list[LocalNode] = []

    def join(self) -> "LocalNode":
        node = LocalNode(self._nodes)
        self._nodes.append(node)
        return node


class LocalNode(Bus):
    """One node's end of a `LocalBus`."""

    def __init__(self, nodes: "list[LocalNode]") -> None:
        """`nodes` are all that have joined, also later."""
        self._nodes = nodes
        self._listeners: dict[object, Listener] = {}
        self._listing_listeners: dict[object, ListingListener] = {}

    def publish_head(self, match: MatchId, head: int) -> None:
        for node in self._nodes:
            if node is not self:  # this node has committed the records itself
                node._notify(match, head)

    def _notify(self, match: MatchId, head: int) -> None:
        for listener in tuple(self._listeners.values()):
            listener(match, head)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        key = object()
        self._listeners[key] = listener

        def stop() -> None:
            self._listeners.pop(key, None)

        return stop

    def publish_listing(self, match: MatchId) -> None:
        for node in self._nodes:
            for listener in tuple(node._listing_listeners.values()):
                listener(match)

    def subscribe_listings(self, listener: ListingListener) -> Callable[[], None]:
        key = object()
        self._listing_listeners[key] = listener

        def stop() -> None:
            self._listing_listeners.pop(key, None)

        return stop
