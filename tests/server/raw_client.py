"""A WebSocket client that keeps to no rule: it sends any bytes, and reads only when it wants to."""

import asyncio
import contextlib
import json
import socket
from typing import Any, Self
from urllib.parse import urlsplit

from websockets.frames import Frame, Opcode

TIMEOUT_SECONDS = 40


def masked(opcode: Opcode, payload: bytes = b"", fin: bool = True) -> bytes:
    return Frame(opcode, payload, fin).serialize(mask=True)


def text(payload: str | bytes) -> bytes:
    return masked(Opcode.TEXT, payload.encode() if isinstance(payload, str) else payload)


class RawClient:
    """One TCP connection. `frames` are the server's, as (opcode, payload)."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self.frames: list[tuple[Opcode, bytes]] = []

    @classmethod
    async def connect(cls, url: str, behind: bytes = b"", receive_buffer: int = 0) -> Self:
        """Connect and shake hands; `behind` goes out in one piece with the request."""
        address = urlsplit(url)
        sock = socket.socket()
        if receive_buffer:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        sock.setblocking(False)
        await asyncio.get_running_loop().sock_connect(sock, (address.hostname, address.port))
        reader, writer = await asyncio.open_connection(sock=sock, limit=4096)
        client = cls(reader, writer)
        request = (
            f"GET {address.path} HTTP/1.1\r\nHost: {address.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        writer.write(request.encode() + behind)
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                answer = await reader.readuntil(b"\r\n\r\n")
            assert b" 101 " in answer, answer
        except BaseException:
            await client.abort()
            raise
        return client

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *failure: object) -> None:
        await self.abort()

    async def abort(self) -> None:
        """Drop the connection without a word."""
        self._writer.transport.abort()
        with contextlib.suppress(ConnectionError):
            await self._writer.wait_closed()

    def stop_reading(self) -> None:
        """Take nothing more from the network."""
        self._writer.transport.pause_reading()  # type: ignore[attr-defined]

    def write(self, data: bytes) -> None:
        self._writer.write(data)

    async def write_until_closed(self, data: bytes) -> None:
        """Send this over and over until the server hangs up."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            try:
                while True:
                    self._writer.write(data)
                    await self._writer.drain()
                    await asyncio.sleep(0)
            except ConnectionError:
                pass

    async def read_frame(self) -> tuple[Opcode, bytes]:
        """Read one frame of the server. Raises IncompleteReadError at the end."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            head = await self._reader.readexactly(2)
            size = head[1] & 0x7F
            if size > 125:
                size = int.from_bytes(await self._reader.readexactly(2 if size == 126 else 8), "big")
            frame = Opcode(head[0] & 0x0F), await self._reader.readexactly(size)
        self.frames.append(frame)
        return frame

    async def read_message(self) -> dict[str, Any]:
        """Read the next text frame."""
        while (frame := await self.read_frame())[0] is not Opcode.TEXT:
            pass
        message: dict[str, Any] = json.loads(frame[1])
        return message

    async def read_to_end(self) -> int | None:
        """Read until the server closes; return its close code, if it sent one."""
        try:
            while (frame := await self.read_frame())[0] is not Opcode.CLOSE:
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            return None
        return int.from_bytes(frame[1][:2], "big")

    def messages(self) -> list[dict[str, Any]]:
        """Return all messages read so far."""
        return [json.loads(payload) for opcode, payload in self.frames if opcode is Opcode.TEXT]

    def count(self, opcode: Opcode) -> int:
        return sum(found is opcode for found, _ in self.frames)
