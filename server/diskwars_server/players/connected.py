"""The connections of this process by player, for presence and for devices that are logged out."""

from collections.abc import Callable

from diskwars_protocol.connection.connection import ConnectionState
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages import PlayerMessage
from diskwars_protocol.messages.closing import CloseReason
from diskwars_server.broadcast.outbox import Outbox

AnnounceLogout = Callable[[PlayerId, str, bool], None]
REVOKED_TEXT = "this device was logged out: log in with name and password"


class ConnectedPlayers:
    """Connections by player, each with its device; that of a guest is empty."""

    def __init__(self) -> None:
        self._connections: dict[PlayerId, dict[Outbox, str]] = {}
        self.announce_logout: AnnounceLogout = lambda player, device, are_others: None
        """Tells other nodes what `close_device` and `close_others` do here."""
        self.revocations = 0
        """The number of times that connections were closed. If it changes while a token is looked up, that is repeated:
        a device that is revoked then is neither refused by the store nor known here."""

    def add(self, player: PlayerId, device: str, outbox: Outbox) -> None:
        """Note a connection, or the device of one that is noted already."""
        self._connections.setdefault(player, {})[outbox] = device

    def remove(self, player: PlayerId, outbox: Outbox) -> None:
        """Forget a connection, if it is known."""
        own = self._connections.get(player, {})
        own.pop(outbox, None)
        if not own:
            self._connections.pop(player, None)

    def is_online(self, player: PlayerId) -> bool:
        return player in self._connections

    def players(self) -> frozenset[PlayerId]:
        """Return the players who are connected to this process."""
        return frozenset(self._connections)

    def devices(self) -> frozenset[tuple[PlayerId, str]]:
        """Return the devices that are connected to this process, each with its player; guests have none."""
        return frozenset(
            (player, device) for player, own in self._connections.items() for device in own.values() if device
        )

    def send(self, player: PlayerId, message: PlayerMessage) -> None:
        """Send a message to every connection of a player."""
        for outbox in tuple(self._connections.get(player, ())):
            if outbox.connection.state is ConnectionState.OPEN:
                outbox.send(message)

    def close_device(self, player: PlayerId, device: str) -> None:
        """Close every connection of a device, on every node."""
        self.carry_out_logout(player, device, are_others=False)
        self.announce_logout(player, device, False)

    def close_others(self, player: PlayerId, device: str = "") -> None:
        """Close every connection of a player but those of one device, on every node."""
        self.carry_out_logout(player, device, are_others=True)
        self.announce_logout(player, device, True)

    def carry_out_logout(self, player: PlayerId, device: str, are_others: bool) -> None:
        """Close the connections of a device here; with `are_others`, those of all other devices of the player."""
        self._close(player, lambda of: not device or of != device if are_others else of == device)

    def close_banned(self, player: PlayerId, text: str) -> None:
        """Close every connection of a player who is banned; `text` says why."""
        self._close(player, lambda of: True, "banned", text)

    def _close(
        self,
        player: PlayerId,
        is_meant: Callable[[str], bool],
        reason: CloseReason = "token_revoked",
        text: str = REVOKED_TEXT,
    ) -> None:
        self.revocations += 1
        for outbox, device in tuple(self._connections.get(player, {}).items()):
            if is_meant(device):
                outbox.close(reason, text)
