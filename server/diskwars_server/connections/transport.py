"""The listening end of a server: WebSockets at `/ws`, `/healthz` and `/readyz` for monitoring, HTTP for the rest.

Each connection has one reader and one writer. What a frame says is left to the session, plain HTTP to `http_service`.
"""

import asyncio
import contextlib
import itertools
import logging
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus
from types import TracebackType
from typing import Self

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.typing import Origin

from diskwars_protocol.connection.connection import ConnectionState
from diskwars_protocol.connection.connection import ServerConnection as ConversationEnd
from diskwars_server.broadcast.outbox import MAX_OUTBOX_BYTES, MAX_OUTBOX_FRAMES, Outbox, OutboxClosed
from diskwars_server.connections.acceptor import Acceptor
from diskwars_server.connections.connection import Connection, ConnectionTimeouts
from diskwars_server.connections.entry_queue import EntryQueue
from diskwars_server.connections.fast_socket import choose_socket_class
from diskwars_server.connections.game_socket import GameSocket, SocketOptions
from diskwars_server.connections.handovers import SocketHandover
from diskwars_server.connections.listening import bind
from diskwars_server.connections.placement import Placement
from diskwars_server.connections.places import ConnectionPlaces
from diskwars_server.connections.request_head import FileLimit, RequestHeadProtocol
from diskwars_server.connections.tls import TlsCertificate
from diskwars_server.http.board_pictures import BoardPictures
from diskwars_server.http.page_files import StaticFile
from diskwars_server.http.routes import HttpService, Mount, Route
from diskwars_server.http.shared_parts import SharedParts
from diskwars_server.http.streams import StreamedResponse
from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.limits.entry_refusals import RESTARTING, SERVER_FULL, TOO_MANY_CONNECTIONS, EntryRefusal
from diskwars_server.limits.turns import AddressLock
from diskwars_server.monitoring.health import HealthReport
from diskwars_server.refusals import Refusal, describe_fault
from diskwars_server.session.handover import HandoverState, decode_handover
from diskwars_server.session.session import Session, SessionContext
from diskwars_server.store.errors import StoreUnavailable

log = logging.getLogger(__name__)

WEBSOCKET_PATH = "/ws"
HEALTH_PATH = "/healthz"
READY_PATH = "/readyz"
ANSWER_SECONDS = 1.0
"""The time that an ending server waits for the answers to commands under way, before it closes a connection."""
FIRST_RETURN_MS = 20
LAST_RETURN_MS = 400
"""Clients of a server that ends reconnect one after another, within this time, so that the servers that take them over
load their matches one after another."""
RESTARTING_TEXT = "the server restarts: connect to another one or in a moment to this one, and resume"


class ListenOptions(Struct, frozen=True):
    """Address of the listening end, pages that may connect, and timeouts. No `origins` means pages of any origin.

    Where there are `listeners`, sockets that listen already, host and port are not used. With a `certificate` all of
    it is TLS.
    A client that takes nothing of what waits for it for `stall_seconds` is closed as "slow". One that has received
    `closing` has `refusal_pause_seconds` to close its end.
    """

    host: str = "127.0.0.1"
    port: int = 0
    origins: tuple[str, ...] = ()
    max_connections: int = 1000
    listeners: tuple[socket.socket, ...] = ()
    certificate: TlsCertificate | None = None
    outbox_frames: int = MAX_OUTBOX_FRAMES
    outbox_bytes: int = MAX_OUTBOX_BYTES
    hello_timeout_seconds: float = 10
    ping_interval_seconds: float = 20
    stall_seconds: float = 20
    close_timeout_seconds: float = 2
    request_timeout_seconds: float = 10
    response_timeout_seconds: float = 60
    refusal_pause_seconds: float = 0


def client_url(host: str, port: int, is_secure: bool = False) -> str:
    """Return the address for clients."""
    scheme, place = "wss" if is_secure else "ws", f"[{host}]" if ":" in host else host
    return f"{scheme}://{place}:{port}{WEBSOCKET_PATH}"


class Transport:
    """The listening end of a server. Use it as `async with transport:`."""

    def __init__(
        self,
        context: SessionContext,
        health: Callable[[], Awaitable[HealthReport]],
        options: ListenOptions,
        socket_class: type[GameSocket] | None = None,
        page: Mapping[str, StaticFile] | None = None,
        pictures: BoardPictures | None = None,
        placement: Placement | None = None,
        routes: Sequence[Route] = (),
        shared_parts: SharedParts | None = None,
        mounts: Sequence[Mount] = (),
    ) -> None:
        """`page` holds the files of the page, by path; without it the server has none. `pictures` draws boards.

        `placement` knows the nodes of which this is one. `routes` and `mounts` answer requests over HTTP besides the
        usual ones. `shared_parts` has parts of the pages of other nodes.
        """
        self._context, self._health, self._options = context, health, options
        self._new_socket = (socket_class or choose_socket_class()).make_factory(
            SocketOptions(
                context.limits,
                options.outbox_bytes,
                options.stall_seconds,
                context.quotas,
                options.request_timeout_seconds,
                context.metrics.count_refused_connection,
            )
        )
        self._places = ConnectionPlaces(options.max_connections)
        self._http = HttpService(
            context.matches,
            context.quotas,
            page or {},
            pictures,
            shared_parts=shared_parts,
            is_secure=options.certificate is not None,
            routes=routes,
            mounts=mounts,
        )
        self._placement, self._files = placement, FileLimit()
        self._responding: set[GameSocket] = set()
        self._slow_frames = AddressLock()
        self._servers: tuple[Server, ...] = ()
        self._is_draining = False

    @property
    def url(self) -> str:
        """The address for clients."""
        if not self._servers:
            raise RuntimeError("nothing listens yet")
        port = next(iter(self._servers[0].sockets)).getsockname()[1]
        return client_url(self._options.host, port, is_secure=self._options.certificate is not None)

    @property
    def certificate(self) -> TlsCertificate | None:
        """The certificate with which connections are encrypted, if they are."""
        return self._options.certificate

    @property
    def connections(self) -> int:
        """The number of open connections."""
        return len(self._places)

    def outbox_backlogs(self) -> list[int]:
        """Return the number of frames that wait to be sent on each connection."""
        return [outbox.backlog for outbox in self._places.outboxes()]

    async def __aenter__(self) -> Self:
        listeners = self._options.listeners or bind(self._options.host, self._options.port)
        entry_queue = EntryQueue(self._context.metrics.count_refused_connection)
        self._servers = tuple([await self._serve(listener, entry_queue) for listener in listeners])
        if self._placement is not None:
            self._placement.listen(self)
        return self

    async def _serve(self, listener: socket.socket, entry_queue: EntryQueue) -> Server:
        options = self._options
        server = serve(
            self._handle_connection,
            process_request=self._answer_http,
            server_header=None,
            # Until the end of a response over HTTP; how long a request may take is up to the socket.
            open_timeout=options.request_timeout_seconds + options.response_timeout_seconds,
        )
        # Programs send no Origin; where pages are restricted, programs are still let in.
        origins = [None, *map(Origin, options.origins)] if options.origins else None

        def make_connection() -> GameSocket:
            return self._make_socket(
                RequestHeadProtocol(self._files, origins=origins, max_size=self._max_message_bytes), server
            )

        async def make_acceptor() -> Acceptor:
            # A connection is counted once TLS is agreed on; the time for that is bounded as for a request.
            acceptor = Acceptor(
                listener,
                make_connection,
                self._context.quotas.clients.of_peer,
                self._find_refusal,
                self._admit_tls,
                certificate=options.certificate,
                tls_seconds=options.request_timeout_seconds,
                entry_queue=entry_queue,
            )
            await acceptor.start_serving()
            return acceptor

        # annotated as a server of asyncio, of which the library uses what the acceptor has
        server.create_server = make_acceptor  # type: ignore[assignment]
        return await server

    def _find_refusal(self, peer: object) -> EntryRefusal | None:
        refusal = self._context.quotas.find_refusal(peer)
        if refusal is not None:
            self._context.metrics.count_refused_connection(refusal.code)
        return refusal

    def _admit_tls(self, peer: object) -> Callable[[], None] | None:
        end_tls = self._context.quotas.admit_tls(peer)
        if end_tls is None:
            self._context.metrics.count_refused_connection(TOO_MANY_CONNECTIONS.code)
        return end_tls

    @property
    def _max_message_bytes(self) -> int:
        """A little more than is allowed is read, so that the client receives the reason."""
        return 2 * self._context.limits.frame_bytes

    def _make_socket(
        self, protocol: ServerProtocol, server: Server, handover: HandoverState | None = None
    ) -> GameSocket:
        options = self._options
        return self._new_socket(
            protocol,
            server,
            handover=handover,
            ping_interval=options.ping_interval_seconds,
            ping_timeout=options.ping_interval_seconds,
            close_timeout=options.close_timeout_seconds,
        )

    # ---------------------------------------------------------------- connections of other nodes

    def admits(self, state: bytes) -> bool:
        """Return whether there is room for a connection in this state."""
        try:
            address = decode_handover(state).address
        except msgspec.ValidationError as fault:
            log.error("hand-over not read", extra=describe_fault(fault))
            return False
        is_full = self._places.is_full or self._context.quotas.is_full(address)
        return not (self._is_draining or is_full)

    async def take_over(self, client: socket.socket, state: bytes) -> None:
        """Go on with a connection that another node has opened."""
        protocol = ServerProtocol(state=State.OPEN, max_size=self._max_message_bytes)
        connection = self._make_socket(protocol, self._servers[0], decode_handover(state))
        await asyncio.get_running_loop().connect_accepted_socket(lambda: connection, client)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def drain(self) -> None:
        """Take no new connection and no new match, and say so at `/readyz`; what is there goes on."""
        self._is_draining = True
        self._context.openings.stop()

    async def close(self) -> None:
        """Take no new connection, answer what is under way, and close every connection: clients reconnect elsewhere."""
        if not self._servers:
            return
        self.drain()
        if self._placement is not None:
            await self._placement.close()
        for server in self._servers:
            server.close(close_connections=False)
        for responding in tuple(self._responding):  # Downloads end within the same time.
            responding.loop.call_later(self._options.close_timeout_seconds, responding.transport.abort)
        await asyncio.gather(*map(self._send_away, self._places.outboxes(), itertools.count(FIRST_RETURN_MS)))
        for server in self._servers:
            await server.wait_closed()

    async def _send_away(self, outbox: Outbox, retry_after_ms: int) -> None:
        """Close a connection once its commands are answered. A command without an answer is sent again elsewhere."""
        with contextlib.suppress(TimeoutError, OutboxClosed):
            async with asyncio.timeout(ANSWER_SECONDS):
                await outbox.wait_idle()
        outbox.close("restarting", RESTARTING_TEXT, min(retry_after_ms, LAST_RETURN_MS))

    # ---------------------------------------------------------------- HTTP

    async def _answer_http(self, socket: ServerConnection, request: Request) -> Response | None:
        assert isinstance(socket, GameSocket)
        try:
            return await self._find_response(socket, request)
        finally:
            socket.on_response()

    async def _find_response(self, socket: GameSocket, request: Request) -> Response | None:
        path = request.path.partition("?")[0]
        if path in (HEALTH_PATH, READY_PATH):
            return await self._answer_health(socket, is_draining=self._is_draining and path == READY_PATH)
        if path == WEBSOCKET_PATH and self._is_draining:
            return self._refuse_entry(RESTARTING)
        address = self._context.quotas.clients.of_request(
            socket.transport.get_extra_info("peername"), request.headers.get_all
        )
        # Where the other end is a proxy the address is the one that it names.
        if socket.address == UNKNOWN and not socket.count_address(address):
            return self._refuse_entry(TOO_MANY_CONNECTIONS)
        if path == WEBSOCKET_PATH:
            is_admitted = not self._places.is_full or self._places.make_room(address)
            return None if is_admitted else self._refuse_entry(SERVER_FULL)
        self._responding = {known for known in self._responding if known.state is not State.CLOSED} | {socket}
        # The library closes after its close timeout; a slow line needs longer for a response than a WebSocket to close.
        socket.close_timeout = self._options.response_timeout_seconds
        protocol = socket.protocol
        body = protocol.body if isinstance(protocol, RequestHeadProtocol) else b""
        response = await self._http.respond(request, socket.address, body)
        if isinstance(response, StreamedResponse):
            await self._send_stream(socket, response)
        return response

    async def _send_stream(self, socket: GameSocket, response: StreamedResponse) -> None:
        """Send the body of a response as fast as the client takes it. What breaks off has no end that says it is whole.

        A client that takes nothing is cut off by its socket, as one that takes no frames is; the library ends a
        response that takes longer than it allows for one.
        """
        try:
            await response.send(socket.transport, socket.drain)
        except Exception as fault:
            if not isinstance(fault, StoreUnavailable | Refusal | ConnectionError):
                log.error("stream broken off", extra=describe_fault(fault))

    def _refuse_entry(self, refusal: EntryRefusal) -> Response:
        self._context.metrics.count_refused_connection(refusal.code)
        return refusal.make_response()

    async def _answer_health(self, socket: ServerConnection, is_draining: bool) -> Response:
        health = await self._health()
        if is_draining:
            health = replace(health, status="draining")
        status = HTTPStatus.OK if health.status == "ok" else HTTPStatus.SERVICE_UNAVAILABLE
        response = socket.respond(status, msgspec.json.encode(health).decode() + "\n")
        del response.headers["Content-Type"]
        response.headers["Content-Type"] = "application/json"
        return response

    # ---------------------------------------------------------------- one connection

    async def _handle_connection(self, socket: ServerConnection) -> None:
        assert isinstance(socket, GameSocket)
        options = self._options
        timeouts = ConnectionTimeouts(
            options.hello_timeout_seconds, options.close_timeout_seconds, options.refusal_pause_seconds
        )
        outbox = self._make_outbox(socket)
        handover = SocketHandover(self._placement, socket, outbox, self._context.metrics)
        session = Session(self._context, outbox, socket.address, handover)
        traffic = self._context.matches.traffic
        async with Connection(socket, outbox, session, handover, self._places, timeouts) as connection:
            if self._is_draining:  # since the handshake
                outbox.close("restarting", RESTARTING_TEXT, FIRST_RETURN_MS)
            await connection.serve(self._slow_frames, traffic)

    def _make_outbox(self, socket: GameSocket) -> Outbox:
        options, state = self._options, socket.handover_state
        limits = replace(self._context.limits, frame_burst=socket.frame_burst)
        is_open = state is not None and state.user is not None
        conversation = ConversationEnd(limits, ConnectionState.OPEN if is_open else ConnectionState.NEW)
        outbox = Outbox(conversation, options.outbox_frames, options.outbox_bytes, self._context.metrics.count_refusal)
        outbox.measure_lag = socket.measured_lag_ms
        return outbox
