"""The endpoint that Prometheus scrapes: `/metrics` on a port of its own, away from players."""

from collections.abc import Callable
from http import HTTPStatus
from types import TracebackType
from typing import Self

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response

from diskwars_server.monitoring.metrics import CONTENT_TYPE

METRICS_PATH = "/metrics"
REQUEST_SECONDS = 5


class MetricsEndpoint:
    """Serves what `render` returns. Use it as `async with endpoint:`."""

    def __init__(self, render: Callable[[], bytes], host: str, port: int) -> None:
        """`port` 0 picks a free one."""
        self._render, self._host, self._port = render, host, port
        self._server: Server | None = None

    @property
    def url(self) -> str:
        if self._server is None:
            raise RuntimeError("nothing listens yet")
        port = next(iter(self._server.sockets)).getsockname()[1]
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{port}{METRICS_PATH}"

    async def __aenter__(self) -> Self:
        # Every request is answered before the handshake of a WebSocket, so no connection outlives `open_timeout`.
        self._server = await serve(
            _close_at_once,
            self._host,
            self._port,
            process_request=self._respond,
            compression=None,
            server_header=None,
            open_timeout=REQUEST_SECONDS,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    async def _respond(self, socket: ServerConnection, request: Request) -> Response:
        if request.path.partition("?")[0] != METRICS_PATH:
            return socket.respond(HTTPStatus.NOT_FOUND, f"nothing here but {METRICS_PATH}\n")
        response = socket.respond(HTTPStatus.OK, self._render().decode())
        del response.headers["Content-Type"]
        response.headers["Content-Type"] = CONTENT_TYPE
        return response


async def _close_at_once(socket: ServerConnection) -> None:
    """Never called: every request gets a response over HTTP."""
