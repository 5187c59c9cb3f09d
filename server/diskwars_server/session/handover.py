"""State of a connection that one node hands over to another with its socket, and the port that does so."""

from typing import Protocol

import msgspec
from msgspec import Struct

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.lists import FollowMatches
from diskwars_server.players.users import LoggedInDevice


class HandoverState(Struct, frozen=True):
    """The state of a connection that watches nothing and has no other request in flight.

    `frames` are those that were read and not handled, the oldest first. `user` is None before the welcome: then the
    first frame is the hello. `follow` is the list that it follows, `frame_units` what its flood limit has left, `moves`
    how often it was handed over, this time included.
    """

    address: str
    frames: tuple[str, ...]
    frame_units: int
    moves: int
    user: LoggedInDevice | None = None
    follow: FollowMatches | None = None

    def encode(self) -> bytes:
        return msgspec.msgpack.encode(self)


_DECODER = msgspec.msgpack.Decoder(HandoverState)


def decode_handover(state: bytes) -> HandoverState:
    """Raises msgspec.ValidationError."""
    return _DECODER.decode(state)


class ConnectionHandover(Protocol):
    """Moves one connection to the node that holds a match."""

    def can_hand_over(self, match: MatchId) -> bool:
        """Return whether another node is the home of this match, and the connection may still be handed over."""

    async def hand_over(self, match: MatchId, user: LoggedInDevice | None, follow: FollowMatches | None) -> bool:
        """Move the connection with the frame that is being handled. False: it stays, and the frame is handled here."""
