"""Accepts connections, a few at a time, and turns away those that have no place before anything is begun for them.

An event loop accepts everybody who waits at once and makes a connection of each, so a stranger who begins connections
at full speed would keep all matches waiting for as long. While the loop is busy, accepted connections wait in the entry
queue; those that have to agree on TLS are accepted one at a time instead, with a rest after each.
"""

import asyncio
import contextlib
import errno
import logging
import socket
from collections.abc import Callable

from diskwars_server.connections.entry_queue import EntryQueue, turn_away
from diskwars_server.connections.tls import TlsCertificate
from diskwars_server.limits.entry_refusals import EntryRefusal

log = logging.getLogger(__name__)

BACKLOG = 512
"""Connections that the system keeps until they are accepted."""
ACCEPTS_AT_ONCE = 4
"""After which everything else has a turn."""
REST_SECONDS = 0.002
"""After somebody was turned away, so that a storm costs no more than it would at 2,000 connections a second."""
TLS_REST_SECONDS = 0.005
"""After each connection that agrees on TLS. That takes the event loop some 2 ms, and a storm leaves it half of it."""
EXHAUSTED_SECONDS = 1.0
"""Before the next try where the process has no file descriptor left, or the system no memory for one."""
EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})

MakeConnection = Callable[[], asyncio.BaseProtocol]
FindAddress = Callable[[object], str]
"""Gets the other end of a socket."""
FindRefusal = Callable[[object], EntryRefusal | None]
"""Gets the address of the other end, and counts what it refuses."""
AdmitTls = Callable[[object], Callable[[], None] | None]
"""Gets the address of the other end. Returns the call for when TLS is agreed on or given up, None for too many."""


class Acceptor:
    """Accepts the connections of one listening socket, which it closes at the end.

    It has what the library of the WebSockets uses of an `asyncio.Server`.
    """

    def __init__(
        self,
        listener: socket.socket,
        make_connection: MakeConnection,
        find_address: FindAddress,
        find_refusal: FindRefusal,
        admit_tls: AdmitTls,
        certificate: TlsCertificate | None,
        tls_seconds: float,
        entry_queue: EntryQueue,
    ) -> None:
        """With a `certificate` no client is refused here, because the refusal could not be read.

        `admit_tls` bounds those who do not agree on TLS, and whose connections nothing else counts yet. Both ends have
        `tls_seconds` for it, and to end it. All listeners of a server have one `entry_queue`, and are closed together.
        """
        self._listener, self._make_connection = listener, make_connection
        self._find_address, self._find_refusal = find_address, find_refusal
        self._entry_queue = entry_queue
        self._admit_tls, self._certificate, self._tls_seconds = admit_tls, certificate, tls_seconds
        self._loop = asyncio.get_running_loop()
        self._beginnings: set[asyncio.Task[None]] = set()
        self._rest: asyncio.TimerHandle | None = None
        self._is_serving = False

    @property
    def sockets(self) -> tuple[socket.socket, ...]:
        return (self._listener,)

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return self._loop

    def is_serving(self) -> bool:
        return self._is_serving

    async def start_serving(self) -> None:
        self._listener.setblocking(False)
        self._listener.listen(BACKLOG)
        self._is_serving = True
        self._accept_again()

    def close(self) -> None:
        """Accept no more clients. Connections that have begun go on."""
        if not self._is_serving:
            return
        self._is_serving = False
        if self._rest is not None:
            self._rest.cancel()
        self._entry_queue.close()
        self._loop.remove_reader(self._listener)
        self._listener.close()

    async def wait_closed(self) -> None:
        """Wait for the connections that are being begun."""
        if self._beginnings:  # a fault of one is logged with its task, and does not keep the server from closing
            await asyncio.wait(self._beginnings)

    def _accept_again(self) -> None:
        self._rest = None
        self._loop.add_reader(self._listener, self._accept)

    def _rest_for(self, seconds: float) -> None:
        self._loop.remove_reader(self._listener)
        self._rest = self._loop.call_later(seconds, self._accept_again)

    def _accept(self) -> None:
        is_storm = False
        for _ in range(ACCEPTS_AT_ONCE if self._certificate is None else 1):
            try:
                client, peer = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                break
            except OSError as fault:
                if fault.errno not in EXHAUSTED:
                    raise
                log.error("connections not accepted for a while", extra={"why": str(fault)})
                self._rest_for(EXHAUSTED_SECONDS)
                return
            client.setblocking(False)
            is_storm |= not (self._take(client, peer) if self._certificate is None else self._take_tls(client, peer))
        if is_storm:
            self._rest_for(REST_SECONDS)
        elif self._certificate is not None:
            self._rest_for(TLS_REST_SECONDS)

    def _take(self, client: socket.socket, peer: object) -> bool:
        refusal = self._find_refusal(peer) or self._entry_queue.enter(self._find_address(peer), client, self._begin)
        if refusal is not None:
            turn_away(client, refusal)
        return refusal is None

    def _take_tls(self, client: socket.socket, peer: object) -> bool:
        end_tls = self._admit_tls(peer)
        if end_tls is None:
            client.close()
            return False
        self._begin(client).add_done_callback(lambda _: end_tls())
        return True

    def _begin(self, client: socket.socket) -> asyncio.Task[None]:
        task = self._loop.create_task(self._connect(client))
        self._beginnings.add(task)
        task.add_done_callback(self._beginnings.discard)
        return task

    async def _connect(self, client: socket.socket) -> None:
        tls = None if self._certificate is None else self._certificate.context
        seconds = None if tls is None else self._tls_seconds
        with contextlib.ExitStack() as unused:
            unused.callback(client.close)
            connection = self._make_connection()
            unused.pop_all()
        # A client that leaves while TLS is agreed on, or does not agree, is no fault of the server.
        with contextlib.suppress(OSError, TimeoutError):
            await self._loop.connect_accepted_socket(
                lambda: connection, client, ssl=tls, ssl_handshake_timeout=seconds, ssl_shutdown_timeout=seconds
            )
