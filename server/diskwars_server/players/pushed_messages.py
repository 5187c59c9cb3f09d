"""Messages to players on all their connections, whichever nodes they are connected to.

A message may get lost on its way to other nodes; what it says can be requested.
"""

import msgspec

from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages import PlayerMessage
from diskwars_server.bus.bus import Bus
from diskwars_server.players.connected import ConnectedPlayers

SUBJECT = "notices"
"""As nodes of every version call it, like the field of what they send."""


class _SentMessage(msgspec.Struct, frozen=True):
    """A message on the bus, with its receiver."""

    player: PlayerId
    message: PlayerMessage = msgspec.field(name="notice")


_DECODER = msgspec.json.Decoder(_SentMessage)


class PushedMessages:
    """Sends messages to players here, and by the bus to those elsewhere. `close` ends it."""

    def __init__(self, connected: ConnectedPlayers, bus: Bus) -> None:
        self._connected, self._bus = connected, bus
        self._unsubscribe = bus.subscribe(SUBJECT, self._on_remote_message)

    def close(self) -> None:
        self._unsubscribe()

    def send(self, player: PlayerId, message: PlayerMessage) -> None:
        """Send a message to every connection of a player. Never waits."""
        self._connected.send(player, message)
        self._bus.publish(SUBJECT, msgspec.json.encode(_SentMessage(player, message)))

    def _on_remote_message(self, message: bytes) -> None:
        try:
            sent = _DECODER.decode(message)
        except msgspec.DecodeError:
            return  # from a node of another version
        self._connected.send(sent.player, sent.message)
