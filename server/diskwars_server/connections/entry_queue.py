"""Lets accepted connections begin one after another while the event loop is busy, the addresses in turn.

Until a connection is open it takes the loop more than a millisecond, so a stranger who connects at full speed would
keep all matches waiting.
"""

import asyncio
import contextlib
import socket
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.limits.entry_refusals import (
    SERVER_FULL,
    TOO_MANY_CONNECTIONS,
    EntryRefusal,
    EntryRefusalCode,
    encode_refusal,
)
from diskwars_server.limits.loop_load import LoopLoad, ThreadClock
from diskwars_server.limits.rate_limits import MS_PER_SECOND, RateLimit, RateLimiter
from diskwars_server.limits.turns import AddressTurns

BUSY_LOAD = 0.5
"""The share of its time that the event loop is at work, from which on few connections begin."""
BUSY_BEGINNINGS = RateLimit(100, MS_PER_SECOND)
"""Those of a busy loop: enough at once for the files of a page. Then they begin one after another."""
BUSY_PAUSE_SECONDS = 0.005
"""From one that has waited to the next while the loop is busy, and while it is not. The second leaves the loop half of
its time, so that many players who return at once do not make each other wait for long."""
PAUSE_SECONDS = 0.0025
MAX_WAITING = 1_000
MAX_WAITING_OF_ADDRESS = 100
"""Accepted connections that wait to be begun, those of all and those of one address."""
LOOKS_AT_ONCE = 20
"""Connections of which one is begun. Those that have hung up in between take 20 µs each."""
READ_BYTES = 65_536

BeginConnection: TypeAlias = Callable[[socket.socket], object]


class _Entry(NamedTuple):
    client: socket.socket
    begin: BeginConnection


class EntryQueue:
    """The connections that all listeners of one server have accepted and not begun yet."""

    def __init__(self, count_refused: Callable[[EntryRefusalCode], None] = lambda code: None) -> None:
        """`count_refused` gets why a connection found no room to wait."""
        self._count_refused = count_refused
        self._loop = asyncio.get_running_loop()
        self._thread_clock = ThreadClock()
        self._load = LoopLoad(self._thread_clock.read)
        self._busy_beginnings = RateLimiter[None](BUSY_BEGINNINGS, lambda: int(1000 * self._loop.time()))
        self._waiting = AddressTurns[_Entry]()
        self._next_beginning: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    def close(self) -> None:
        """Close what waits, and let no connection enter any more."""
        self._load.close()
        self._thread_clock.close()
        if self._next_beginning is not None:
            self._next_beginning.cancel()
            self._next_beginning = None
        while self._waiting:
            self._waiting.take().client.close()

    def enter(self, address: str, client: socket.socket, begin: BeginConnection) -> EntryRefusal | None:
        """Begin a connection now or in its turn, or return why not; then it is left to the caller.

        The clients of a proxy have no address yet, so none of them waits for another one. Once their requests name them
        they are counted like all others.
        """
        if address == UNKNOWN or (not self._waiting and self._may_begin()):
            begin(client)
            return None
        if (refusal := self._make_room(address)) is not None:
            self._count_refused(refusal.code)
            return refusal
        self._waiting.add(address, _Entry(client, begin))
        if self._next_beginning is None:
            self._begin_later()
        return None

    def _may_begin(self) -> bool:
        return not self._is_busy or self._busy_beginnings.take(None) == 0

    @property
    def _is_busy(self) -> bool:
        return self._load.measure() >= BUSY_LOAD

    def _make_room(self, address: str) -> EntryRefusal | None:
        """Return why there is no room for one more; the latest of the address with most makes room for others."""
        count = self._waiting.count_of(address)
        if count >= MAX_WAITING_OF_ADDRESS:
            return TOO_MANY_CONNECTIONS
        if len(self._waiting) < MAX_WAITING:
            return None
        if self._waiting.has_one_of_each():
            return SERVER_FULL
        largest = self._waiting.largest()
        if self._waiting.count_of(largest) <= count + 1:
            return SERVER_FULL
        turn_away(self._waiting.drop_latest(largest).client, TOO_MANY_CONNECTIONS)
        self._count_refused(TOO_MANY_CONNECTIONS.code)
        return None

    def _begin_later(self) -> None:
        pause = BUSY_PAUSE_SECONDS if self._is_busy else PAUSE_SECONDS
        self._next_beginning = self._loop.call_later(pause, self._begin_next)

    def _begin_next(self) -> None:
        self._next_beginning = None
        for _ in range(min(LOOKS_AT_ONCE, len(self._waiting))):
            entry = self._waiting.take()
            if not _has_hung_up(entry.client):
                entry.begin(entry.client)
                break
            entry.client.close()
        if self._waiting:
            self._begin_later()


def _has_hung_up(client: socket.socket) -> bool:
    """Return whether the other end has closed a connection without a word."""
    try:
        return client.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def turn_away(client: socket.socket, refusal: EntryRefusal) -> None:
    """Answer before there is a request, and close."""
    with contextlib.closing(client), contextlib.suppress(OSError):
        client.send(encode_refusal(refusal))
        client.shutdown(socket.SHUT_WR)
        client.recv(READ_BYTES)  # closed over unread bytes, a socket is reset, and the answer may be lost
