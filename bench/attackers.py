"""Strangers who attack a server on this machine: what each attack does, and the process that does it.

Every attack runs until it is cancelled, from loopback addresses other than that of the players, and reconnects when the
server hangs up.

    python -m bench.attackers, which reads a line with the attack and the server's address
"""

import asyncio
import contextlib
import itertools
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import msgspec
import uvloop
from websockets.frames import Frame, Opcode

from diskwars_protocol import messages as m
from diskwars_protocol.connection import encode
from diskwars_protocol.match import MatchId
from diskwars_protocol.messages import DEFAULT_CLIENT_LIMITS

ATTACKER_HOSTS = tuple(f"127.0.0.{number}" for number in range(2, 22))
CONNECTIONS = 20
HALF_OPEN_CONNECTIONS = 2000
PAUSE_SECONDS = 0.02
"""Before an attacker connects again."""
READ_TIMEOUT_SECONDS = 5.0
COSTLY_OBJECTS = 252
READY_LINE = b"ready"

Attack: TypeAlias = Callable[[str], Coroutine[Any, Any, None]]
"""Attacks the server at an address until it is cancelled."""


class AttackOrder(msgspec.Struct, frozen=True):
    """Which attack to run, and on which server."""

    attack: str
    url: str


def frame(opcode: Opcode, payload: bytes = b"") -> bytes:
    return Frame(opcode, payload).serialize(mask=True)


def text(message: m.ClientMessage) -> bytes:
    return frame(Opcode.TEXT, encode(message))


class Stranger:
    """One connection of an attacker, past the handshake."""

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

    async def discard(self) -> None:
        """Read and forget until the server hangs up."""
        while await self.reader.read(65536):
            pass


@contextlib.asynccontextmanager
async def connected(url: str, host: str) -> AsyncIterator[Stranger]:
    """Provide a connection from this host, after the handshake and hello."""
    address = urlsplit(url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port, local_addr=(host, 0))
    try:
        stranger = Stranger(reader, writer)
        await stranger.send(handshake(url))
        async with asyncio.timeout(READ_TIMEOUT_SECONDS):
            await reader.readuntil(b"\r\n\r\n")
        await stranger.send(text(m.Hello((1,))))
        await stranger.read_text()
        yield stranger
    finally:
        writer.transport.abort()


def handshake(url: str) -> bytes:
    address = urlsplit(url)
    lines = [f"GET {address.path} HTTP/1.1", f"Host: {address.netloc}", "Upgrade: websocket", "Connection: Upgrade"]
    lines += ["Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13", "", ""]
    return "\r\n".join(lines).encode()


async def repeat(once: Callable[[str], Awaitable[None]], count: int = CONNECTIONS) -> None:
    """Let several strangers, each from the next host, do something again and again."""

    async def run(host: str) -> None:
        while True:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
                await once(host)
            await asyncio.sleep(PAUSE_SECONDS)

    hosts = itertools.islice(itertools.cycle(ATTACKER_HOSTS), count)
    await asyncio.gather(*map(run, hosts))


async def find_match(stranger: Stranger) -> str:
    """Return the newest match under way."""
    await stranger.send(text(m.ListMatches("l", "running")))
    listed = msgspec.json.decode(await stranger.read_text(), type=m.MatchList)
    return listed.matches[0].match


# ---------------------------------------------------------------- attacks


async def flood_pings(url: str) -> None:
    """Send two megabytes of empty pings at once, over and over."""
    await _flood(url, frame(Opcode.PING))


async def flood_pongs(url: str) -> None:
    """Send two megabytes of empty pongs at once, over and over."""
    await _flood(url, frame(Opcode.PONG))


async def flood_costly_frames(url: str) -> None:
    """Send acts that take as long to decode as the limits allow."""
    await _flood(url, frame(Opcode.TEXT, costly_act()), copies=500)


def costly_act() -> bytes:
    """Return an act just below all limits of a frame: as many objects as it may hold, with keys that are escaped."""
    values = b",".join(b'{"\\u0061%034d":9007199254740991}' % number for number in range(COSTLY_OBJECTS))
    return b'{"type":"act","id":"1","match":"m","decision":"1","action":[%s]}' % values


def _regiments() -> bytes:
    """Return regiments as a check of an army may name them, none of which exist."""
    units = [b'"halberd-%d"' % number for number in range(72)]
    return b",".join(b'{"hero":"none","units":[%s]}' % b",".join(units[at : at + 12]) for at in range(0, 72, 12))


async def storm_requests(url: str) -> None:
    """Ask for lists, searches, catalogues and checks of armies as fast as the limits allow."""
    requests: tuple[m.ClientMessage, ...] = (
        m.ListMatches("l"),
        m.FollowMatches("f"),
        m.SearchMatches("s"),
        m.GetCatalogue("g", "diskwars"),
        m.CheckArmy("c", "diskwars", msgspec.Raw(b'{"army":"","regiments":[%s],"hand":[]}' % _regiments())),
    )

    async def once(host: str) -> None:
        async with connected(url, host) as stranger:
            reading = asyncio.create_task(stranger.discard())
            try:
                for request in itertools.cycle(requests):
                    await stranger.send(text(request))
                    await asyncio.sleep(1 / DEFAULT_CLIENT_LIMITS.frames_per_second)
            finally:
                reading.cancel()

    await repeat(once)


async def _flood(url: str, data: bytes, copies: int = 300_000) -> None:
    flood = data * copies

    async def once(host: str) -> None:
        async with connected(url, host) as stranger:
            reading = asyncio.create_task(stranger.discard())
            try:
                await stranger.send(flood)
                await reading
            finally:
                reading.cancel()

    await repeat(once)


async def send_handshakes_slowly(url: str) -> None:
    """Hold connections open with handshakes that come byte by byte."""
    address = urlsplit(url)

    async def once(host: str) -> None:
        _, writer = await asyncio.open_connection(address.hostname, address.port, local_addr=(host, 0))
        try:
            for byte in handshake(url):
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(0.5)
        finally:
            writer.transport.abort()

    await repeat(once, 10 * CONNECTIONS)


async def hold_half_open(url: str) -> None:
    """Open thousands of connections and send nothing."""
    address = urlsplit(url)

    async def once(host: str) -> None:
        reader, writer = await asyncio.open_connection(address.hostname, address.port, local_addr=(host, 0))
        try:
            await reader.read()
        finally:
            writer.transport.abort()
        await asyncio.sleep(1)  # it was hung up on: thousands of new ones at once would stop the attacker

    await repeat(once, HALF_OPEN_CONNECTIONS)


async def read_nothing(url: str) -> None:
    """Watch the match again and again and never read what comes."""

    async def once(host: str) -> None:
        async with connected(url, host) as stranger:
            match = await find_match(stranger)
            stranger.writer.transport.pause_reading()  # type: ignore[attr-defined]
            for number in range(400):
                await stranger.send(text(m.Watch(str(number), MatchId(match))))
                await asyncio.sleep(PAUSE_SECONDS)

    await repeat(once)


async def squat_lobby(url: str) -> None:
    """Open matches as one guest after another, and hold them."""

    async def once(host: str) -> None:
        async with connected(url, host) as stranger:
            reading = asyncio.create_task(stranger.discard())
            try:
                for number in range(50):
                    await stranger.send(text(m.OpenMatch(str(number), "nothing", 2)))
                    await asyncio.sleep(PAUSE_SECONDS)
                await asyncio.sleep(1)
            finally:
                reading.cancel()

    await repeat(once, 2 * CONNECTIONS)


async def storm_watches(url: str) -> None:
    """Watch the match from its first record and leave it, over and over."""

    async def once(host: str) -> None:
        async with connected(url, host) as stranger:
            match = MatchId(await find_match(stranger))
            reading = asyncio.create_task(stranger.discard())
            try:
                for number in itertools.count():
                    await stranger.send(text(m.Watch(f"w{number}", match)) + text(m.Unwatch(f"u{number}", match)))
                    await asyncio.sleep(2 * PAUSE_SECONDS)
            finally:
                reading.cancel()

    await repeat(once)


ATTACKS: dict[str, Attack] = {
    "pings": flood_pings,
    "pongs": flood_pongs,
    "costly frames": flood_costly_frames,
    "slow handshakes": send_handshakes_slowly,
    "half-open connections": hold_half_open,
    "clients that do not read": read_nothing,
    "lobby squatting": squat_lobby,
    "watch storm": storm_watches,
    "request storm": storm_requests,
}


async def main() -> None:
    sys.stdout.buffer.write(READY_LINE + b"\n")
    sys.stdout.buffer.flush()
    line = await asyncio.to_thread(sys.stdin.buffer.readline)
    order = msgspec.json.decode(line, type=AttackOrder)
    await ATTACKS[order.attack](order.url)


if __name__ == "__main__":
    os.nice(10)  # the players share this core with the attackers, and their latency is what is measured
    uvloop.run(main())
