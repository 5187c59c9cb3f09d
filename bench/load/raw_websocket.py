"""WebSocket client of the load generator: one connection, text frames, callbacks, at the least cost to itself.

A client built on a library would be slower than the server it measures. Frames are masked with zeros, which the
protocol allows and which costs nothing.
"""

import asyncio
import os
import socket
import ssl
from base64 import b64encode
from collections.abc import Callable
from urllib.parse import urlsplit

TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A
_MASK = b"\0\0\0\0"

FrameHandler = Callable[[bytes], None]


def _encode_frame(kind: int, payload: bytes) -> bytes:
    size = len(payload)
    if size < 126:
        return bytes((kind, 0x80 | size)) + _MASK + payload
    return bytes((kind, 0x80 | 126)) + size.to_bytes(2, "big") + _MASK + payload


class RawWebSocket(asyncio.Protocol):
    """A WebSocket that calls `on_text` with each text frame; assign another function to replace it."""

    def __init__(self, host: str, path: str) -> None:
        self._host, self._path = host, path
        self._buffer = b""
        self.handshake_done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.on_text: FrameHandler = _ignore_text
        self.is_closed = False
        self.transport: asyncio.Transport | None = None

    # uvloop's transports are not subclasses of asyncio's.
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.transport = transport
        key = b64encode(os.urandom(16)).decode()
        lines = [f"GET {self._path} HTTP/1.1", f"Host: {self._host}", "Upgrade: websocket", "Connection: Upgrade"]
        lines += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", ""]
        transport.write("\r\n".join(lines).encode())

    def connection_lost(self, fault: Exception | None) -> None:
        self.is_closed = True
        if not self.handshake_done.done():
            self.handshake_done.set_exception(ConnectionError("the server closed the connection before the handshake"))

    def send_text(self, text: bytes) -> None:
        assert self.transport is not None
        self.transport.write(_encode_frame(TEXT, text))

    def pause_reading(self) -> None:
        """Stop reading until `resume_reading`."""
        if self.transport is not None and not self.is_closed:
            self.transport.pause_reading()

    def resume_reading(self) -> None:
        if self.transport is not None and not self.is_closed:
            self.transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        buffered = self._buffer + data if self._buffer else data
        if not self.handshake_done.done():
            head, end, buffered = buffered.partition(b"\r\n\r\n")
            if not end:
                self._buffer = head
                return
            if b" 101 " not in head.partition(b"\r\n")[0]:
                self.handshake_done.set_exception(ConnectionError(head.decode(errors="replace")))
                return
            self.handshake_done.set_result(None)
        self._buffer = self._parse_frames(buffered)

    def _parse_frames(self, data: bytes) -> bytes:
        """Handle every complete frame and return the rest."""
        position, end = 0, len(data)
        while end - position >= 2:
            size, first = data[position + 1], position + 2
            if size == 126:
                size, first = int.from_bytes(data[position + 2 : position + 4], "big"), position + 4
            elif size == 127:
                size, first = int.from_bytes(data[position + 2 : position + 10], "big"), position + 10
            if end - first < size or first > end:
                break
            self._handle_frame(data[position], data[first : first + size])
            position = first + size
        return data[position:]

    def _handle_frame(self, kind: int, payload: bytes) -> None:
        if kind == TEXT:
            self.on_text(payload)
        elif kind == PING and self.transport is not None:
            self.transport.write(_encode_frame(PONG, payload))
        elif kind == CLOSE:
            self.is_closed = True


def _ignore_text(text: bytes) -> None:
    """Ignore a frame."""


def _small_buffer_socket() -> socket.socket:
    """Return a socket with small buffers, so that the other end soon notices when no data is read."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
    return connection


def make_trusting_context() -> ssl.SSLContext:
    """Return a context for TLS that trusts whatever the server shows: it is a child of this program."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


async def open_connection(url: str, connections: list[RawWebSocket], is_narrow: bool = False) -> RawWebSocket:
    """Connect and shake hands; add the connection to `connections` so that the caller can close it."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or 80
    loop = asyncio.get_running_loop()
    path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    tcp_socket = _small_buffer_socket() if is_narrow else socket.socket()
    tcp_socket.setblocking(False)
    await loop.sock_connect(tcp_socket, (host, port))
    context = make_trusting_context() if parts.scheme == "wss" else None
    _, websocket = await loop.create_connection(
        lambda: RawWebSocket(f"{host}:{port}", path),
        sock=tcp_socket,
        ssl=context,
        server_hostname=host if context else None,
    )
    connections.append(websocket)
    await websocket.handshake_done
    return websocket


async def abort_connections(connections: list[RawWebSocket]) -> None:
    """Abort connections: uvloop waits forever to close a loop in which one is open."""
    for connection in connections:
        if connection.transport is not None:
            connection.transport.abort()
    await asyncio.sleep(0)
