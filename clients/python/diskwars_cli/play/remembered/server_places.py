"""The server that a remembered seat or account belongs to, so that its token is given to no other."""

import hashlib
from urllib.parse import urlsplit

OWN_SERVER_URL = "ws://127.0.0.1:8765/ws"
"""The address of the user's own server, where it runs with its default settings."""
_DEFAULT_PORTS = {"ws": 80, "wss": 443}


def server_place(url: str, data: str = "") -> str:
    """Return a text that two servers share only if a connection reaches the same one.

    `url` and `data` are as those of a `RememberedSeat`: without `url` it is the user's own server, with the database
    in the folder `data`.
    """
    if not url:
        return f"data {data}" if data else "own"
    return "own" if _normalize(url) == _normalize(OWN_SERVER_URL) else _normalize(url)


def server_digest(url: str, data: str = "") -> str:
    """Return the place of a server in 32 characters that any file name can hold."""
    return hashlib.sha256(server_place(url, data).encode()).hexdigest()[:32]


def _normalize(url: str) -> str:
    """Return scheme, host, port, path and query as the client connects to them.

    A login in the address is left out. An encrypted and a plain address stay two servers: anybody on the way can
    answer for the second.
    """
    try:
        parts = urlsplit(url)
        port = parts.port or _DEFAULT_PORTS.get(parts.scheme, 0)
    except ValueError:  # no address, which is reported when it is opened
        return f"address {url}"
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.scheme}://{parts.hostname}:{port}{parts.path or '/'}{query}"
