"""Logouts on other nodes: every node closes the connections that it has of a device that was logged out on one of them.

The bus may lose such a message: then a connection that is open stays until it ends, and its token is refused next time.
"""

import msgspec

from diskwars_protocol.match.ids import PlayerId
from diskwars_server.bus.bus import Bus
from diskwars_server.players.connected import ConnectedPlayers

SUBJECT = "logouts"


class _Logout(msgspec.Struct, frozen=True):
    """A device of a player whose connections end; with `are_others`, those of all devices but this one."""

    player: PlayerId
    device: str
    are_others: bool


_DECODER = msgspec.json.Decoder(_Logout)


class Logouts:
    """Sends the logouts on this node to the others, and carries out theirs. `close` ends it."""

    def __init__(self, connected: ConnectedPlayers, bus: Bus) -> None:
        self._connected, self._bus = connected, bus
        connected.announce_logout = self._announce
        self._unsubscribe = bus.subscribe(SUBJECT, self._on_remote_logout)

    def close(self) -> None:
        self._unsubscribe()

    def _announce(self, player: PlayerId, device: str, are_others: bool) -> None:
        self._bus.publish(SUBJECT, msgspec.json.encode(_Logout(player, device, are_others)))

    def _on_remote_logout(self, message: bytes) -> None:
        try:
            logout = _DECODER.decode(message)
        except msgspec.DecodeError:
            return  # from a node of another version
        self._connected.carry_out_logout(logout.player, logout.device, logout.are_others)
