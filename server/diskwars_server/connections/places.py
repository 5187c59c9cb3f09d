"""The places for connections of a server, and who gives one up when all are taken.

Addresses have quotas of their own. A few addresses that use theirs up would still fill a server, so the address with
the most connections makes room for one that has fewer.
"""

from collections import Counter

from msgspec import Struct

from diskwars_server.broadcast.outbox import Outbox
from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.limits.entry_refusals import SERVER_FULL
from diskwars_server.session.session import Session

GIVEN_UP_TEXT = "the server is full and your address has the most connections: reconnect in a moment, and resume"


class _Place(Struct, frozen=True):
    session: Session
    address: str

    @property
    def claim(self) -> tuple[bool, float]:
        return self.session.user.is_playing, self.session.last_message_at


class ConnectionPlaces:
    """The connections of a server that are open or being closed."""

    def __init__(self, max_connections: int) -> None:
        """More are open for a moment only: while those that give up their places are closed."""
        self._max_connections = max_connections
        self._taken: dict[Outbox, _Place] = {}

    def __len__(self) -> int:
        return len(self._taken)

    def outboxes(self) -> tuple[Outbox, ...]:
        return tuple(self._taken)

    def take(self, outbox: Outbox, session: Session, address: str) -> None:
        self._taken[outbox] = _Place(session, address)

    def give_back(self, outbox: Outbox) -> None:
        self._taken.pop(outbox, None)

    @property
    def is_full(self) -> bool:
        if len(self._taken) < self._max_connections:
            return False
        return sum(not outbox.is_closed for outbox in self._taken) >= self._max_connections

    def make_room(self, address: str) -> bool:
        """Close a connection of the address that has the most, if that has more than this one will have.

        Return whether there is room. Of its connections one without a seat goes first, and the one silent for longest.
        """
        places = {
            outbox: place for outbox, place in self._taken.items() if place.address != UNKNOWN and not outbox.is_closed
        }
        counts = Counter(place.address for place in places.values())
        if address == UNKNOWN or not counts:
            return False
        greediest, most = counts.most_common(1)[0]
        if most <= counts[address] + 1:
            return False
        own = [outbox for outbox, place in places.items() if place.address == greediest]
        given_up = min(own, key=lambda outbox: places[outbox].claim)
        given_up.close("going_away", GIVEN_UP_TEXT, SERVER_FULL.retry_after_ms)
        return True
