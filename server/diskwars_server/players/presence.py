"""Presence of players on all nodes: each node publishes its own, and forgets those of a silent one."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence

import msgspec

from diskwars_protocol.match.ids import PlayerId
from diskwars_server.bus.bus import Bus
from diskwars_server.players.connected import ConnectedPlayers
from diskwars_server.refusals import describe_fault

log = logging.getLogger(__name__)

SUBJECT = "presence"
CHANGE_SECONDS = 2.0
"""Between two looks for players who came or left."""
CHANGES_PER_ROUND = 5
"""At every fifth look a node publishes all of its players, for nodes that are new or missed a message."""
LIFETIME_MS = 25_000
"""After which a node's players count as gone unless it publishes them again: two rounds and a half."""
MAX_REMOTE_PLAYERS = 100_000
"""Of all other nodes. Players beyond that are shown as gone; what they can do does not depend on it."""
BATCH_PLAYERS = 80
"""In one message: with ids of up to 40 characters it stays within what the bus passes on."""


class _Players(msgspec.Struct, frozen=True):
    """A message on the bus: players of a node who are online, or have left."""

    node: str
    online: Sequence[PlayerId] = ()
    left: Sequence[PlayerId] = ()


_DECODER = msgspec.json.Decoder(_Players)


class OnlinePlayers:
    """The players who are online, as one node knows them. `run` publishes; `close` ends it."""

    def __init__(self, connected: ConnectedPlayers, bus: Bus, node: str, clock: Callable[[], int]) -> None:
        """`node` tells this process from the others; `clock` is monotonic, in milliseconds."""
        self._connected, self._bus, self._node, self._clock = connected, bus, node, clock
        self._published: frozenset[PlayerId] = frozenset()
        self._rounds = 0
        self._remote: dict[PlayerId, dict[str, int]] = {}
        """For each player the nodes they are connected to, each with the time at which that is no longer known."""
        self._unsubscribe = bus.subscribe(SUBJECT, self._on_message)

    def close(self) -> None:
        """Publish that everybody here has left, and listen no more."""
        for batch in _batches(self._published):
            self._send(_Players(self._node, left=batch))
        self._unsubscribe()

    def is_online(self, player: PlayerId) -> bool:
        """Return whether a player is connected to any node."""
        now = self._clock()
        return self._connected.is_online(player) or any(until > now for until in self._remote.get(player, {}).values())

    async def run(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Publish until cancelled."""
        while True:
            try:
                self.publish()
            except Exception as fault:
                # This loop outlives every fault: without it the players here would seem gone elsewhere for good.
                log.error("players who are online not published", extra=describe_fault(fault))
            await sleep(CHANGE_SECONDS)

    def publish(self) -> None:
        """Publish who came and left since the last time, and at times everybody who is here."""
        players = self._connected.players()
        is_full = self._rounds % CHANGES_PER_ROUND == 0
        self._rounds += 1
        for batch in _batches(players if is_full else players - self._published):
            self._send(_Players(self._node, online=batch))
        for batch in _batches(self._published - players):
            self._send(_Players(self._node, left=batch))
        self._published = players
        if is_full:
            self._forget_silent()

    def _send(self, players: _Players) -> None:
        self._bus.publish(SUBJECT, msgspec.json.encode(players))

    def _on_message(self, message: bytes) -> None:
        try:
            players = _DECODER.decode(message)
        except msgspec.DecodeError:
            return  # from a node of another version
        until = self._clock() + LIFETIME_MS
        for player in players.online:
            if player in self._remote or len(self._remote) < MAX_REMOTE_PLAYERS:
                self._remote.setdefault(player, {})[players.node] = until
        for player in players.left:
            self._forget(player, players.node)

    def _forget(self, player: PlayerId, node: str) -> None:
        nodes = self._remote.get(player, {})
        nodes.pop(node, None)
        if not nodes:
            self._remote.pop(player, None)

    def _forget_silent(self) -> None:
        now = self._clock()
        silent = [(player, node) for player, nodes in self._remote.items() for node, end in nodes.items() if end <= now]
        for player, node in silent:
            self._forget(player, node)


def _batches(players: Iterable[PlayerId]) -> Iterator[list[PlayerId]]:
    ids = sorted(players)
    for first in range(0, len(ids), BATCH_PLAYERS):
        yield ids[first : first + BATCH_PLAYERS]
