"""WebSockets to a server, and why there is none: no server answers, or it has no place now."""

import contextlib
from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from websockets.asyncio.client import ClientConnection as Socket
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.http11 import Response

from diskwars_client.errors import ClientError

MAX_FRAME_BYTES = 16 * 1024 * 1024
"""The largest frame that is taken from a server, in bytes."""
DEFAULT_RETRY_AFTER_MS = 1000
"""For a server, or a proxy in front of it, that does not say when to connect again."""
BUSY_STATUSES = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)


class ServerUnreachable(ClientError):
    """No server answers there."""


class ServerBusy(ServerUnreachable):
    """The server has no place for another connection. After `retry_after_ms` it may have one."""

    def __init__(self, url: str, why: str, retry_after_ms: int) -> None:
        super().__init__(f"the server at {url} takes no more connections now ({why}); try again in a moment")
        self.retry_after_ms = retry_after_ms


class _RefusalBody(Struct, frozen=True):
    """Body of a refusal."""

    retry_after_ms: Annotated[int, Meta(ge=0)]


@contextlib.asynccontextmanager
async def open_socket(url: str, ping_seconds: float, *, is_local: bool) -> AsyncIterator[Socket]:
    """Provide an open socket. A server on this machine is reached without a proxy.

    Raises ServerBusy, OSError, TimeoutError, InvalidURI and InvalidHandshake.
    """
    try:
        socket = await connect(
            url,
            open_timeout=ping_seconds,
            ping_interval=ping_seconds,
            ping_timeout=ping_seconds,
            close_timeout=1,
            max_size=MAX_FRAME_BYTES,
            compression=None,
            proxy=None if is_local else True,
        )
    except InvalidStatus as refused:
        if refused.response.status_code in BUSY_STATUSES:
            raise _make_busy(url, refused.response) from None
        raise
    except AssertionError:
        # A server that is full answers before there is a request, which the library takes for impossible if the
        # answer is read first.
        raise ServerBusy(url, "it answered at once", DEFAULT_RETRY_AFTER_MS) from None
    try:
        async with socket:
            yield socket
    finally:
        # A task that is cancelled during the closing handshake leaves the transport open.
        socket.transport.abort()


def _make_busy(url: str, response: Response) -> ServerBusy:
    why = f"HTTP {response.status_code}"
    with contextlib.suppress(msgspec.DecodeError):
        return ServerBusy(url, why, msgspec.json.decode(response.body or b"", type=_RefusalBody).retry_after_ms)
    seconds = response.headers.get("Retry-After", "")
    return ServerBusy(url, why, 1000 * int(seconds) if seconds.isdecimal() else DEFAULT_RETRY_AFTER_MS)
