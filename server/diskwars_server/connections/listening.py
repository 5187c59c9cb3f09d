"""Sockets that a server listens on, and how many files it may have open: every connection is one."""

import contextlib
import resource
import socket

RECEIVE_BYTES = 16 * 1024
"""Bytes of a connection that the system keeps until they are read; left to itself, it keeps megabytes, of which 256 KiB
are read at once. A client at the permitted rate needs no more."""

OPEN_FILES = 65_536
"""As the systemd units have it. A shell usually allows 1,024, which the usual number of connections uses up."""


def bind(host: str, port: int) -> list[socket.socket]:
    """Return sockets that are bound to every address of a host, on one port. Raises OSError."""
    addresses = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    with contextlib.ExitStack() as stack:
        bound: list[socket.socket] = []
        for family, place in dict.fromkeys((family, place[:2]) for family, _, _, _, place in addresses):
            # By the protocol asyncio sees that this is TCP, and sends small frames without delay.
            listener = stack.enter_context(socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP))
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            # Connections inherit it. It has to be set before, for the window of TCP is agreed on in the first packet.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BYTES)
            if family == socket.AF_INET6:
                listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            listener.bind((place[0], place[1] or (bound[0].getsockname()[1] if bound else 0)))
            bound.append(listener)
        stack.pop_all()  # from here on the caller closes them
    return bound


def raise_open_file_limit() -> None:
    """Allow this process and those that it starts `OPEN_FILES` open files, or as many as the account may have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
