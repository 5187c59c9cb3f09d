"""Notices to players on all their connections, whichever nodes they are connected to.

A notice may get lost on its way to other nodes; what it says can be requested.
"""

import msgspec

from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages import PlayerNotice
from diskwars_server.bus.bus import Bus
from diskwars_server.players.connected import ConnectedPlayers

SUBJECT = "notices"


class _SentNotice(msgspec.Struct, frozen=True):
    """A notice on the bus, with its receiver."""

    player: PlayerId
    notice: PlayerNotice


_DECODER = msgspec.json.Decoder(_SentNotice)


class PlayerNotices:
    """Sends notices to players here, and by the bus to those elsewhere. `close` ends it."""

    def __init__(self, connected: ConnectedPlayers, bus: Bus) -> None:
        self._connected, self._bus = connected, bus
        self._unsubscribe = bus.subscribe(SUBJECT, self._on_remote_notice)

    def close(self) -> None:
        self._unsubscribe()

    def send(self, player: PlayerId, notice: PlayerNotice) -> None:
        """Send a notice to every connection of a player. Never waits."""
        self._connected.send(player, notice)
        self._bus.publish(SUBJECT, msgspec.json.encode(_SentNotice(player, notice)))

    def _on_remote_notice(self, message: bytes) -> None:
        try:
            sent = _DECODER.decode(message)
        except msgspec.DecodeError:
            return  # from a node of another version
        self._connected.send(sent.player, sent.notice)
