"""Responses whose body is made while it is sent, so that no whole body is in memory."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from http import HTTPStatus
from typing import Protocol

from websockets.datastructures import Headers
from websockets.http11 import Response


class StreamEnd(Protocol):
    """The end of a connection that a stream is written to."""

    def write(self, data: bytes) -> None: ...

    def is_closing(self) -> bool: ...


class StreamedResponse(Response):
    """A response that `send` writes. The library then writes what `serialize` returns: the mark of its end.

    A stream that breaks off has none, so that no client takes it for a whole one.
    """

    def __init__(
        self,
        status: HTTPStatus,
        headers: Headers,
        chunks: AsyncGenerator[bytes, None],
        release: Callable[[], None],
        *,
        is_chunked: bool,
    ) -> None:
        """`release` is called once, at the end, however it comes.

        `is_chunked` is False for HTTP/1.0, where the end of the connection is that of the body.
        """
        super().__init__(status.value, status.phrase, headers)
        self._chunks, self._release, self._is_chunked = chunks, release, is_chunked
        self._end = b""
        if is_chunked:
            headers["Transfer-Encoding"] = "chunked"

    async def send(self, end: StreamEnd, drain: Callable[[], Awaitable[None]]) -> None:
        """Write head and body; `drain` waits until the client has taken enough of it. Raises what `chunks` raise."""
        try:
            end.write(Response(self.status_code, self.reason_phrase, self.headers).serialize())
            async for chunk in self._chunks:
                if end.is_closing():
                    return
                if chunk:  # an empty one would be the mark of the end
                    end.write(b"%x\r\n%b\r\n" % (len(chunk), chunk) if self._is_chunked else chunk)
                    await drain()
            self._end = b"0\r\n\r\n" if self._is_chunked else b""
        finally:
            await self._close()

    async def drop_body(self) -> Response:
        """Return the head alone, the answer to HEAD."""
        await self._close()
        return Response(self.status_code, self.reason_phrase, self.headers)

    async def _close(self) -> None:
        self._release()
        await self._chunks.aclose()

    def serialize(self) -> bytes:
        return self._end
