"""WebSockets at `/ws` with one reader and one writer each, and the health check at `/healthz`."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from types import TracebackType
from typing import Self

import msgspec
from msgspec import Struct
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.frames import DATA_OPCODES, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import Event, State
from websockets.typing import Origin

from diskwars_protocol.connection import FloodGuard
from diskwars_server.outbox import MAX_OUTBOX_BYTES, MAX_OUTBOX_FRAMES, FrameWriter, Outbox, OutboxClosed
from diskwars_server.refusals import UNAVAILABLE_RETRY_AFTER_MS, describe_fault
from diskwars_server.session import Session, SessionContext

log = logging.getLogger(__name__)

WEBSOCKET_PATH = "/ws"
HEALTH_PATH = "/healthz"


class ListenOptions(Struct, frozen=True):
    """Where to listen, to whom, and for how long. Times in seconds; no `origins` means pages of any origin."""

    host: str = "127.0.0.1"
    port: int = 0
    origins: tuple[str, ...] = ()
    max_connections: int = 1000
    outbox_frames: int = MAX_OUTBOX_FRAMES
    outbox_bytes: int = MAX_OUTBOX_BYTES
    hello_timeout_seconds: float = 10
    ping_interval_seconds: float = 20
    close_timeout_seconds: float = 2


class HealthReport(Struct, frozen=True):
    """What `/healthz` says. `schema` is the newest one known; `status` is "ok" or "unavailable"."""

    status: str
    version: str
    schema: str


class FrameEncoder:
    """Text frames as they go over the wire. One that many watchers get one after another is made once."""

    def __init__(self) -> None:
        self._last_text: bytes | None = None
        self._last_frame = b""

    def encode_text(self, text: bytes) -> bytes:
        if text is not self._last_text:
            self._last_text, self._last_frame = text, _frame_header(len(text)) + text
        return self._last_frame


UNFRAGMENTED_TEXT = 0x81


def _frame_header(size: int) -> bytes:
    """Of a frame that is a whole text (RFC 6455, section 5.2): what it is, and its length in one of three sizes."""
    if size < 126:
        return bytes((UNFRAGMENTED_TEXT, size))
    if size < 1 << 16:
        return bytes((UNFRAGMENTED_TEXT, 126)) + size.to_bytes(2, "big")
    return bytes((UNFRAGMENTED_TEXT, 127)) + size.to_bytes(8, "big")


ACT_PREFIX = b'{"type":"act",'
"""Prefix of an act as most clients spell it; another spelling takes the slower path."""


class GameSocket(ServerConnection):
    """A connection into which an outbox leads as long as the network takes what it is given."""

    outbox: Outbox | None = None
    receive_act: Callable[[str], None] | None = None
    """Called with acts as they arrive, while the reader waits and nothing is queued."""

    def process_event(self, event: Event) -> None:
        """No task has to wake for an act; any other frame is left to the reader, and so is what comes after it."""
        if self.receive_act is not None and isinstance(event, Frame) and event.opcode in DATA_OPCODES:
            if (act := _decode_act(event)) is not None:
                self.receive_act(act)
                return
            self.receive_act = None
        super().process_event(event)

    def make_frame_writer(self, framing: FrameEncoder) -> FrameWriter:
        """Write frames past the library, which would build each again and wake a task for each."""
        write, protocol = self.transport.write, self.protocol

        def taken(*texts: bytes) -> bool:
            if self.paused or protocol.state is not State.OPEN:
                return False
            write(framing.encode_text(texts[0]) if len(texts) == 1 else b"".join(map(framing.encode_text, texts)))
            return True

        return taken

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.outbox is not None:
            self.outbox.flush()


def _decode_act(frame: Frame) -> str | None:
    """Return the text of a frame that is one whole act, as far as its beginning says."""
    text = bytes(frame.data)
    if frame.opcode is not Opcode.TEXT or not frame.fin or not text.startswith(ACT_PREFIX):
        return None
    try:
        return text.decode()
    except UnicodeDecodeError:
        return None


class Transport:
    """The listening end of a server. Use it as `async with transport:`."""

    def __init__(
        self, reception: SessionContext, health: Callable[[], Awaitable[HealthReport]], doors: ListenOptions
    ) -> None:
        self._context, self._health, self._options = reception, health, doors
        self._outboxes: set[Outbox] = set()
        self._encoder = FrameEncoder()
        self._server: Server | None = None

    @property
    def url(self) -> str:
        """Where clients connect to."""
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
        doors = self._options
        # Programs send no Origin; where pages are picked, those are still let in.
        origins = [None, *map(Origin, doors.origins)] if doors.origins else None
        self._server = await serve(
            self._handle_connection,
            doors.host,
            doors.port,
            origins=origins,
            create_connection=GameSocket,
            process_request=self._answer_http,
            compression=None,
            server_header=None,
            # A little more than the limit is read, so that the answer can say why it was too much.
            max_size=2 * self._context.limits.frame_bytes,
            ping_interval=doors.ping_interval_seconds,
            ping_timeout=doors.ping_interval_seconds,
            close_timeout=doors.close_timeout_seconds,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """No new connection; every open one is notified, gets the rest of its outbox, and is closed."""
        if self._server is None:
            return
        self._server.close(close_connections=False)
        for outbox in tuple(self._outboxes):
            outbox.close(
                "going_away",
                "the server is shutting down: reconnect in a moment and resume",
                UNAVAILABLE_RETRY_AFTER_MS,
            )
        await self._server.wait_closed()

    # ---------------------------------------------------------------- HTTP

    async def _answer_http(self, socket: ServerConnection, request: Request) -> Response | None:
        path = request.path.partition("?")[0]
        if path == HEALTH_PATH:
            return await self._answer_health(socket)
        if path != WEBSOCKET_PATH:
            return socket.respond(HTTPStatus.NOT_FOUND, f"nothing here: clients connect to {WEBSOCKET_PATH}\n")
        if self.connections >= self._options.max_connections:
            return socket.respond(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections: try again later\n")
        return None

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
        outbox = socket.outbox = Outbox(self._options.outbox_frames, self._options.outbox_bytes)
        session = Session(self._context, outbox)
        self._outboxes.add(outbox)
        outbox.attach_writer(socket.make_frame_writer(self._encoder))
        reader = asyncio.create_task(self._read_frames(socket, outbox, session))
        try:
            await outbox.wait_closed()
            reader.cancel()
            outbox.attach_writer(None)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._options.close_timeout_seconds):
                    await self._send_remaining(socket, outbox)
        finally:
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)
            session.close()
            self._outboxes.discard(outbox)
            await self._close_socket(socket, outbox)

    async def _read_frames(self, socket: GameSocket, outbox: Outbox, session: Session) -> None:
        """One frame after another; ends by closing the outbox."""
        guard = FloodGuard(self._context.limits.frames_per_second, self._context.limits.frame_burst)
        clock = asyncio.get_running_loop().time

        def is_admitted() -> bool:
            if not (admitted := guard.admit(int(clock() * 1000))):
                outbox.close("flood", "too many frames: slow down", guard.wait_ms())
            return admitted

        def hear_act(text: str) -> None:
            try:
                if not outbox.is_closed and is_admitted():
                    session.receive_act(text)
            except Exception as fault:
                _close_after_fault(fault, outbox, session)

        try:
            frame = await self._receive_hello(socket, outbox)
            while frame is not None and is_admitted():
                await session.receive(frame)
                socket.receive_act = hear_act
                frame = await socket.recv()
                socket.receive_act = None
        except Exception as fault:
            _close_after_fault(fault, outbox, session)
        finally:
            socket.receive_act = None

    async def _receive_hello(self, socket: ServerConnection, outbox: Outbox) -> str | bytes | None:
        try:
            async with asyncio.timeout(self._options.hello_timeout_seconds):
                return await socket.recv()
        except TimeoutError:
            outbox.close("hello_expected", f"no hello within {self._options.hello_timeout_seconds} seconds")
            return None

    async def _send_remaining(self, socket: ServerConnection, outbox: Outbox) -> None:
        """What was still in the outbox when it was closed, and the last words."""
        try:
            while (frame := await outbox.get()) is not None:
                await socket.send(frame, text=True)
        except ConnectionClosed:
            outbox.close()

    async def _close_socket(self, socket: ServerConnection, outbox: Outbox) -> None:
        """Close with the code that goes with the last words; one who does not read it is cut off."""
        code, word = (outbox.closing.code, outbox.closing.close_reason) if outbox.closing else (1000, "")
        # What still comes in is read and thrown away: closed over unread frames, a socket forgets what it has sent.
        rest = asyncio.create_task(_discard_frames(socket))
        try:
            async with asyncio.timeout(self._options.close_timeout_seconds):
                await socket.close(code, word)
        except TimeoutError:
            socket.transport.abort()
        finally:
            rest.cancel()
            await asyncio.gather(rest, return_exceptions=True)


def _close_after_fault(fault: Exception, outbox: Outbox, session: Session) -> None:
    """Close the outbox of a connection that cannot go on."""
    if isinstance(fault, ConnectionClosed | OutboxClosed):
        outbox.close()
        return
    log.error("connection failed", extra={"player": session.player, **describe_fault(fault)})
    outbox.close("fault", "internal error of the server: reconnect and resume", UNAVAILABLE_RETRY_AFTER_MS)


async def _discard_frames(socket: ServerConnection) -> None:
    async for _ in socket:
        pass
