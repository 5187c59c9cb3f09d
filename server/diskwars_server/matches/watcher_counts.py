"""Counts of the people who watch each match: each node publishes its own, and forgets those of a silent one."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from typing import Protocol

import msgspec

from diskwars_protocol.match.ids import MatchId
from diskwars_server.bus.bus import Bus, LocalBus
from diskwars_server.refusals import describe_fault

log = logging.getLogger(__name__)

SUBJECT = "watchers"
CHANGE_SECONDS = 1.0
"""Between two looks for watchers who came or left."""
CHANGES_PER_ROUND = 10
"""At every tenth look a node publishes all of its counts, for nodes that are new or missed a message."""
LIFETIME_MS = 25_000
"""After which a node's counts are dropped unless it publishes them again: two rounds and a half."""
MAX_REMOTE_MATCHES = 100_000
"""Matches of all other nodes. Watchers of matches beyond that are not counted, and can do the same as others."""
BATCH_MATCHES = 80
"""In one message: with ids of up to 40 characters it stays within what the bus passes on."""


class WatchedMatch(Protocol):
    """A match in memory, as far as its watchers are concerned."""

    @property
    def match(self) -> MatchId: ...

    def count_watchers(self) -> int:
        """Return how many people without a seat watch it here."""

    def push_watchers(self, count: int) -> None:
        """Send the number on all nodes to everybody here who was sent another one."""


class _Counts(msgspec.Struct, frozen=True):
    """A message on the bus: how many people watch matches on one node, 0 where the last one left."""

    node: str
    watchers: Mapping[str, int]


class _Remote(msgspec.Struct, frozen=True):
    count: int
    until: int
    """Milliseconds: from then on it is no longer known."""


_DECODER = msgspec.json.Decoder(_Counts)


class WatcherCounts:
    """The watchers of each match, as one node knows them. `run` publishes; `close` ends it."""

    def __init__(self, bus: Bus | None = None, node: str = "", clock: Callable[[], int] = lambda: 0) -> None:
        """`node` tells this process from the others; `clock` is monotonic, in milliseconds."""
        self._bus, self._node, self._clock = bus or LocalBus().join(), node, clock
        self._own: dict[MatchId, int] = {}
        self._rounds = 0
        self._remote: dict[MatchId, dict[str, _Remote]] = {}
        self._unsubscribe = self._bus.subscribe(SUBJECT, self._on_message)

    def close(self) -> None:
        """Publish that nobody watches here any more, and listen no more."""
        self._send(dict.fromkeys(self._own, 0))
        self._unsubscribe()

    def count(self, match: MatchId) -> int:
        """Return how many people without a seat watch a match. One who does so on two nodes counts twice."""
        now = self._clock()
        remote = (known.count for known in self._remote.get(match, {}).values() if known.until > now)
        return self._own.get(match, 0) + sum(remote)

    def count_here(self) -> int:
        """Return how many watchers there are on this node, over all matches."""
        return sum(self._own.values())

    async def run(
        self,
        find_watched: Callable[[], Iterable[WatchedMatch]],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Publish and push the counts of the matches that `find_watched` returns, until cancelled."""
        while True:
            try:
                self.publish(tuple(find_watched()))
            except Exception as fault:
                # This loop outlives every fault: without it every count would stay as it is for good.
                log.error("watchers not counted", extra=describe_fault(fault))
            await sleep(CHANGE_SECONDS)

    def publish(self, watched: Iterable[WatchedMatch]) -> None:
        """Publish what has changed since the last time, and at times everything; push it to those who watch here."""
        watched = tuple(watched)
        own = {match.match: count for match in watched if (count := match.count_watchers())}
        is_full = self._rounds % CHANGES_PER_ROUND == 0
        self._rounds += 1
        gone = dict.fromkeys(self._own.keys() - own.keys(), 0)
        changed = {match: count for match, count in own.items() if is_full or self._own.get(match) != count}
        self._own = own
        self._send({**gone, **changed})
        if is_full:
            self._forget_silent()
        for match in watched:
            match.push_watchers(self.count(match.match))

    def _send(self, counts: Mapping[MatchId, int]) -> None:
        for batch in _batches(counts):
            self._bus.publish(SUBJECT, msgspec.json.encode(_Counts(self._node, batch)))

    def _on_message(self, message: bytes) -> None:
        try:
            counts = _DECODER.decode(message)
        except msgspec.DecodeError:
            return  # from a node of another version
        until = self._clock() + LIFETIME_MS
        for match, count in counts.watchers.items():
            self._record(MatchId(match), counts.node, _Remote(count, until))

    def _record(self, match: MatchId, node: str, remote: _Remote) -> None:
        if remote.count <= 0:
            self._forget(match, node)
        elif match in self._remote or len(self._remote) < MAX_REMOTE_MATCHES:
            self._remote.setdefault(match, {})[node] = remote

    def _forget(self, match: MatchId, node: str) -> None:
        nodes = self._remote.get(match, {})
        nodes.pop(node, None)
        if not nodes:
            self._remote.pop(match, None)

    def _forget_silent(self) -> None:
        now = self._clock()
        silent = [
            (match, node) for match, nodes in self._remote.items() for node, at in nodes.items() if at.until <= now
        ]
        for match, node in silent:
            self._forget(match, node)


def _batches(counts: Mapping[MatchId, int]) -> Iterator[dict[str, int]]:
    items = sorted(counts.items())
    for first in range(0, len(items), BATCH_MATCHES):
        yield dict(items[first : first + BATCH_MATCHES])
