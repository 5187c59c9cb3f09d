"""Notification of other nodes, such as that a match has moved on.

The bus may lose, repeat, delay and reorder messages: they are hints to look into the database, which alone decides.
"""

from collections.abc import Callable
from typing import Literal, Protocol, TypeAlias

from diskwars_protocol.match.ids import MatchId

Listener: TypeAlias = Callable[[bytes], None]
"""Gets a message. Never waits and never raises."""

MAX_MESSAGE_BYTES = 4096
"""Longer messages are not passed on: what is long belongs into the database."""
_MAX_SEQ_DIGITS = 15


BusState: TypeAlias = Literal["none", "ok", "unavailable"]
"""Whether other nodes can be reached; "none" where there are none."""


class Bus(Protocol):
    """One node's end of the bus between the servers that share a database.

    A subject is ASCII letters, digits and `-`, in parts separated by dots: `head.h4zin9uzz9ig`.
    """

    @property
    def state(self) -> BusState: ...

    def publish(self, subject: str, message: bytes) -> None:
        """Send a message of at most MAX_MESSAGE_BYTES to the other nodes that listen to the subject; never waits."""

    def subscribe(self, subject: str, listener: Listener) -> Callable[[], None]:
        """Let a listener have what other nodes publish. Return a function that stops it."""


LISTINGS_SUBJECT = "listings"
"""The subject under which nodes name a match whose listing has changed."""

TURNS_SUBJECT = "turns"
"""The subject under which they name one of whose listing only those who see its turns may see a change."""


def head_subject(match: MatchId) -> str:
    """Return the subject under which nodes say how many records of a match are stored."""
    return f"head.{match}"


def encode_head(head: int) -> bytes:
    return b"%d" % head


def decode_head(message: bytes) -> int:
    """Return the seq of the last record; 0, which is news to nobody, for what no node has sent."""
    return int(message) if message.isdigit() and len(message) <= _MAX_SEQ_DIGITS else 0


class Listeners:
    """The listeners of one node by subject."""

    def __init__(self) -> None:
        self._by_subject: dict[str, dict[object, Listener]] = {}

    @property
    def subjects(self) -> frozenset[str]:
        return frozenset(self._by_subject)

    def add(self, subject: str, listener: Listener) -> Callable[[], None]:
        """Return a function that removes the listener again; calling it twice does no harm."""
        key = object()
        self._by_subject.setdefault(subject, {})[key] = listener

        def remove() -> None:
            listeners = self._by_subject.get(subject, {})
            if listeners.pop(key, None) is not None and not listeners:
                del self._by_subject[subject]

        return remove

    def notify(self, subject: str, message: bytes) -> None:
        for listener in tuple(self._by_subject.get(subject, {}).values()):
            listener(message)


def publish_record(bus: Bus, listeners: Listeners, match: MatchId, head: int, listing_subject: str | None) -> None:
    """Notify other nodes of a new record; and every node, where lists show something else of the match."""
    bus.publish(head_subject(match), encode_head(head))
    if listing_subject is not None:
        publish_listing(bus, listeners, match, listing_subject)


def publish_listing(bus: Bus, listeners: Listeners, match: MatchId, subject: str = LISTINGS_SUBJECT) -> None:
    """Notify every node, this one too, that lists show something else of a match."""
    message = match.encode()
    listeners.notify(subject, message)
    bus.publish(subject, message)


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
        self._listeners = Listeners()

    @property
    def state(self) -> BusState:
        return "none"

    def publish(self, subject: str, message: bytes) -> None:
        for node in self._nodes:
            if node is not self:  # this node knows what it says
                node._listeners.notify(subject, message)

    def subscribe(self, subject: str, listener: Listener) -> Callable[[], None]:
        return self._listeners.add(subject, listener)
