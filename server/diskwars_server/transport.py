"""The listening end of a server: WebSockets at `/ws`, `/healthz` for monitoring, and other requests over HTTP.

Each connection has one reader and one writer. What a frame says is left to the session, plain HTTP to `http_service`.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from types import TracebackType
from typing import Self

import msgspec
from msgspec import Struct
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.typing import Origin

from diskwars_protocol.connection import ServerConnection as ConversationEnd
from diskwars_server.address_quotas import UNKNOWN
from diskwars_server.fast_socket import choose_socket_class
from diskwars_server.game_socket import GameSocket, SocketOptions
from diskwars_server.health import HealthReport
from diskwars_server.http_service import HttpService
from diskwars_server.outbox import MAX_OUTBOX_BYTES, MAX_OUTBOX_FRAMES, Outbox, OutboxClosed
from diskwars_server.page_files import StaticFile
from diskwars_server.refusals import UNAVAILABLE_RETRY_AFTER_MS, describe_fault
from diskwars_server.session import Session, SessionContext

log = logging.getLogger(__name__)

WEBSOCKET_PATH = "/ws"
HEALTH_PATH = "/healthz"


class ListenOptions(Struct, frozen=True):
    """Where to listen, to which pages, and for how long. No `origins` means pages of any origin.

    A client that takes nothing of what waits for it for `stall_seconds` is closed as "slow".
    """

    host: str = "127.0.0.1"
    port: int = 0
    origins: tuple[str, ...] = ()
    max_connections: int = 1000
    outbox_frames: int = MAX_OUTBOX_FRAMES
    outbox_bytes: int = MAX_OUTBOX_BYTES
    hello_timeout_seconds: float = 10
    ping_interval_seconds: float = 20
    stall_seconds: float = 20
    close_timeout_seconds: float = 2
    request_timeout_seconds: float = 10
    response_timeout_seconds: float = 60


class Transport:
    """The listening end of a server. Use it as `async with transport:`."""

    def __init__(
        self,
        context: SessionContext,
        health: Callable[[], Awaitable[HealthReport]],
        options: ListenOptions,
        socket_class: type[GameSocket] | None = None,
        page: Mapping[str, StaticFile] | None = None,
    ) -> None:
        """`page` holds the files of the page, by path; without it the server has none."""
        self._context, self._health, self._options = context, health, options
        self._socket_class = socket_class or choose_socket_class()
        self._outboxes: set[Outbox] = set()
        self._http = HttpService(context.lobby, context.quotas, page or {})
        self._responding: set[GameSocket] = set()
        self._server: Server | None = None

    @property
    def url(self) -> str:
        """The address for clients."""
        if self._server is None:
            raise RuntimeError("nothing listens yet")
        port = next(iter(self._server.sockets)).getsockname()[1]
        host = f"[{self._options.host}]" if ":" in self._options.host else self._options.host
        return f"ws://{host}:{port}{WEBSOCKET_PATH}"

    @property
    def connections(self) -> int:
        """How many are open now."""
        return len(self._outboxes)

    async def __aenter__(self) -> Self:
        options, limits = self._options, self._context.limits
        # Programs send no Origin; where pages are restricted, programs are still let in.
        origins = [None, *map(Origin, options.origins)] if options.origins else None
        self._server = await serve(
            self._handle_connection,
            options.host,
            options.port,
            origins=origins,
            # annotated as a class, documented as "a wrapper or a subclass": it is only called
            create_connection=self._socket_class.make_factory(  # type: ignore[arg-type]
                SocketOptions(
                    limits,
                    options.outbox_bytes,
                    options.stall_seconds,
                    self._context.quotas,
                    options.request_timeout_seconds,
                )
            ),
            process_request=self._answer_http,
            compression=None,
            server_header=None,
            # A little more than is allowed is read, so that the client receives the reason.
            max_size=2 * limits.frame_bytes,
            # Until the end of a response over HTTP; how long a request may take is up to the socket.
            open_timeout=options.request_timeout_seconds + options.response_timeout_seconds,
            ping_interval=options.ping_interval_seconds,
            ping_timeout=options.ping_interval_seconds,
            close_timeout=options.close_timeout_seconds,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Take no new connection; tell every open one, send what is still in its outbox, and close it."""
        if self._server is None:
            return
        self._server.close(close_connections=False)
        for outbox in tuple(self._outboxes):
            text = "the server is going down: reconnect in a moment and resume"
            outbox.close("going_away", text, UNAVAILABLE_RETRY_AFTER_MS)
        for socket in tuple(self._responding):  # Downloads end within the same time.
            socket.loop.call_later(self._options.close_timeout_seconds, socket.transport.abort)
        await self._server.wait_closed()

    # ---------------------------------------------------------------- HTTP

    async def _answer_http(self, socket: ServerConnection, request: Request) -> Response | None:
        assert isinstance(socket, GameSocket)
        path = request.path.partition("?")[0]
        if path == HEALTH_PATH:
            return await self._answer_health(socket)
        if path == WEBSOCKET_PATH and self.connections >= self._options.max_connections:
            return socket.respond(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections: try again later\n")
        # Where the other end is a proxy the address is the one that it names.
        if socket.address == UNKNOWN and not socket.count_address(
            self._context.quotas.forwarded_address(request.headers.get_all(self._context.quotas.proxy_header))
        ):
            return socket.respond(HTTPStatus.TOO_MANY_REQUESTS, "too many connections from your address\n")
        if path == WEBSOCKET_PATH:
            return None
        self._responding = {known for known in self._responding if known.state is not State.CLOSED} | {socket}
        # The library closes after its close timeout; a slow line needs longer for a response than a WebSocket to close.
        socket.close_timeout = self._options.response_timeout_seconds
        return await self._http.respond(request, socket.address)

    async def _answer_health(self, socket: ServerConnection) -> Response:
        health = await self._health()
        status = HTTPStatus.OK if health.status == "ok" else HTTPStatus.SERVICE_UNAVAILABLE
        response = socket.respond(status, msgspec.json.encode(health).decode() + "\n")
        del response.headers["Content-Type"]
        response.headers["Content-Type"] = "application/json"
        return response

    # ---------------------------------------------------------------- one connection

    async def _handle_connection(self, socket: ServerConnection) -> None:
        assert isinstance(socket, GameSocket)
        options = self._options
        outbox = Outbox(ConversationEnd(self._context.limits), options.outbox_frames, options.outbox_bytes)
        session = Session(self._context, outbox, socket.address)
        self._outboxes.add(outbox)
        socket.start_sending(outbox)
        reader = asyncio.create_task(self._read_frames(socket, outbox, session))
        try:
            await outbox.wait_closed()
            reader.cancel()
            await socket.finish_sending(options.close_timeout_seconds)
        finally:
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)
            session.close()
            self._outboxes.discard(outbox)
            code, reason = (outbox.closing.code, outbox.closing.close_reason) if outbox.closing else (1000, "")
            await socket.close_within(options.close_timeout_seconds, code, reason)

    async def _read_frames(self, socket: GameSocket, outbox: Outbox, session: Session) -> None:
        """Handle one frame after another; end by closing the outbox."""

        def handle_act(frame: str) -> None:
            try:
                if session.receive(frame) is not None:
                    raise TypeError("an act is handled at once, there must be nothing to await")
            except Exception as fault:
                _close_after_fault(fault, outbox, session)

        try:
            frame = await self._receive_hello(socket, outbox)
            while frame is not None:
                if (waiting := session.receive(frame)) is not None:
                    await waiting
                # Frames that are read already come without a pause: everybody else has a turn before the next one.
                await asyncio.sleep(0)
                frame = await socket.next_frame(handle_act)
        except Exception as fault:
            _close_after_fault(fault, outbox, session)

    async def _receive_hello(self, socket: GameSocket, outbox: Outbox) -> str | bytes | None:
        try:
            async with asyncio.timeout(self._options.hello_timeout_seconds):
                return await socket.recv()
        except TimeoutError:
            outbox.close("hello_expected", f"no hello within {self._options.hello_timeout_seconds} seconds")
            return None


def _close_after_fault(fault: Exception, outbox: Outbox, session: Session) -> None:
    """Close the outbox of a connection that cannot go on."""
    if isinstance(fault, ConnectionClosed | OutboxClosed):
        outbox.abandon()
        return
    log.error("connection failed", extra={"player": session.player, **describe_fault(fault)})
    outbox.close("fault", "the server made a mistake: reconnect and resume", UNAVAILABLE_RETRY_AFTER_MS)
