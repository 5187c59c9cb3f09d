"""The socket that listens: what no quota admits is closed as it is accepted, before anything is made for it.

Accepted by asyncio, a connection costs a transport, a protocol and a task before the server can close it: six times as
much. `GameSocket` still counts and refuses those that come together in one turn of the loop.
"""

import contextlib
import socket
from collections.abc import Callable
from typing import Any

MAX_REFUSED_IN_A_ROW = 100
"""After as many refused connections the loop has a turn, also where the next ones wait already."""


class ListeningSocket(socket.socket):
    """A listening socket; `is_full` is whether a peer is refused."""

    is_full: Callable[[Any], bool]

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept the first connection that is not refused. Raises BlockingIOError where none waits."""
        for _ in range(MAX_REFUSED_IN_A_ROW):
            connection, peer = super().accept()
            if not self.is_full(peer):
                return connection, peer
            connection.close()
        raise BlockingIOError


def take_over(listener: socket.socket, is_full: Callable[[Any], bool]) -> ListeningSocket:
    """Return a bound socket as one that refuses; the other object is detached from it."""
    listening = ListeningSocket(fileno=listener.detach())
    listening.is_full = is_full
    listening.setblocking(False)
    return listening


def bind(host: str, port: int) -> list[socket.socket]:
    """Return sockets that are bound to every address of a host, on one port. Raises OSError."""
    found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    with contextlib.ExitStack() as stack:
        bound: list[socket.socket] = []
        for family, place in dict.fromkeys((family, place[:2]) for family, _, _, _, place in found):
            listener = stack.enter_context(socket.socket(family, socket.SOCK_STREAM))
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            listener.bind((place[0], place[1] or (bound[0].getsockname()[1] if bound else 0)))
            bound.append(listener)
        stack.pop_all()  # from here on the caller closes them
    return bound
