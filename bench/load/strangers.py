"""Connections of strangers to a server on this machine, frame by frame, from loopback addresses of their own."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from urllib.parse import urlsplit

import msgspec
from websockets.frames import Frame, Opcode

from bench.load.raw_websocket import make_trusting_context
from diskwars_protocol.connection.connection import encode, request_id
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages import ClientMessage, ServerMessage
from diskwars_protocol.messages.closing import Closing
from diskwars_protocol.messages.handshake import Hello
from diskwars_protocol.messages.lists import ListMatches, MatchList

HOSTS = tuple(f"127.0.0.{number}" for number in range(2, 22))
"""The addresses of strangers; players come from 127.0.0.1."""
PAUSE_SECONDS = 0.02
"""Before a stranger connects again."""
READ_TIMEOUT_SECONDS = 5.0
_FROM_SERVER: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)


class HungUp(Exception):
    """The server has closed the connection, or is about to."""


def frame(opcode: Opcode, payload: bytes = b"") -> bytes:
    return Frame(opcode, payload).serialize(mask=True)


def text(message: ClientMessage) -> bytes:
    return frame(Opcode.TEXT, encode(message))


class Stranger:
    """One connection of a stranger, past the handshake."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def read_text(self) -> bytes:
        """Read the next text frame. Raises IncompleteReadError at the end."""
        async with asyncio.timeout(READ_TIMEOUT_SECONDS):
            while True:
                head = await self.reader.readexactly(2)
                size = head[1] & 0x7F
                if size > 125:
                    size = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8), "big")
                payload = await self.reader.readexactly(size)
                if head[0] & 0x0F == Opcode.TEXT:
                    return payload

    async def request(self, message: ClientMessage) -> ServerMessage:
        """Send a request and return its answer, or refusal. Raises HungUp."""
        await self.send(text(message))
        while True:
            answer = _FROM_SERVER.decode(await self.read_text())
            if isinstance(answer, Closing):
                raise HungUp
            if request_id(answer) == request_id(message):
                return answer

    def stop_reading(self) -> None:
        """Read nothing more: what comes fills the buffers of the system, then those of the server."""
        self.writer.transport.pause_reading()  # type: ignore[attr-defined]

    async def discard(self) -> None:
        """Read and forget until the server hangs up."""
        while await self.reader.read(65536):
            pass

    @contextlib.asynccontextmanager
    async def discarding(self) -> AsyncIterator[asyncio.Task[None]]:
        """Read and forget meanwhile; provide the task that ends when the server hangs up."""
        reading = asyncio.create_task(self.discard())
        try:
            yield reading
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)


@contextlib.asynccontextmanager
async def shaken_hands(url: str, host: str) -> AsyncIterator[Stranger]:
    """Provide a connection from this host, after the handshake and before hello. Raises HungUp."""
    address = urlsplit(url)
    tls = make_trusting_context() if address.scheme == "wss" else None
    reader, writer = await asyncio.open_connection(address.hostname, address.port, local_addr=(host, 0), ssl=tls)
    try:
        stranger = Stranger(reader, writer)
        await stranger.send(handshake(url))
        async with asyncio.timeout(READ_TIMEOUT_SECONDS):
            answer = await reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in answer.partition(b"\r\n")[0]:
            raise HungUp
        yield stranger
    finally:
        writer.transport.abort()


@contextlib.asynccontextmanager
async def connected(url: str, host: str) -> AsyncIterator[Stranger]:
    """Provide a connection from this host as a new guest, after hello."""
    async with shaken_hands(url, host) as stranger:
        await stranger.send(text(Hello((1,))))
        await stranger.read_text()
        yield stranger


def handshake(url: str) -> bytes:
    address = urlsplit(url)
    lines = [f"GET {address.path} HTTP/1.1", f"Host: {address.netloc}", "Upgrade: websocket", "Connection: Upgrade"]
    lines += ["Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13", "", ""]
    return "\r\n".join(lines).encode()


async def repeat(
    once: Callable[[str], Awaitable[None]],
    count: int,
    hosts: Sequence[str] = HOSTS,
    pause_seconds: float = PAUSE_SECONDS,
) -> None:
    """Let several strangers, each from the next host, do something again and again."""

    async def run(host: str) -> None:
        while True:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, TimeoutError, HungUp):
                await once(host)
            await asyncio.sleep(pause_seconds)

    await asyncio.gather(*map(run, itertools.islice(itertools.cycle(hosts), count)))


async def find_match(stranger: Stranger) -> MatchId:
    """Return the newest match under way. Raises HungUp if the list is refused."""
    listed = await stranger.request(ListMatches("l", "running"))
    if not isinstance(listed, MatchList):
        raise HungUp
    return MatchId(listed.matches[0].match)
