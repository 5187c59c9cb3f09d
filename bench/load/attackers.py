"""Attacks of strangers on a server on this machine: what each of them does, and the process that does it.

Every attack runs until it is cancelled, and connects again when the server hangs up.

    python -m bench.load.attackers, which reads a line with the attack and the server's address
"""

import asyncio
import base64
import contextlib
import itertools
import os
import ssl
import sys
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec
import uvloop
from msgspec import Raw, Struct
from websockets.frames import Opcode

from bench.load.forged_files import forge_branches, make_bombs
from bench.load.raw_websocket import make_trusting_context
from bench.load.strangers import (
    HOSTS,
    PAUSE_SECONDS,
    HungUp,
    Stranger,
    connected,
    find_match,
    frame,
    handshake,
    repeat,
    shaken_hands,
    text,
)
from diskwars_protocol.connection.connection import encode
from diskwars_protocol.match.ids import DecisionId, MatchId, PlayerId
from diskwars_protocol.messages import ClientMessage
from diskwars_protocol.messages.accounts import MAX_REQUESTED_PLAYERS, GetPlayers, ListDevices, LogIn, Register
from diskwars_protocol.messages.catalogues import CheckArmy, GetCatalogue
from diskwars_protocol.messages.chat import ChatChannel, JoinChat, SendChat
from diskwars_protocol.messages.decisions import Act, GetOptions
from diskwars_protocol.messages.files import MAX_PART_BYTES, FinishImport, ImportPart, StartImport
from diskwars_protocol.messages.handshake import DEFAULT_CLIENT_LIMITS
from diskwars_protocol.messages.lists import FollowMatches, ListMatches, SearchMatches
from diskwars_protocol.messages.lobby import ListInvites
from diskwars_protocol.messages.opening import Opened, OpenMatch
from diskwars_protocol.messages.ratings import GetArmyStatistics, GetLeaderboard, GetPlayerStatistics
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.watching import Unwatch, Watch
from diskwars_server.connections.frame_meter import size_units

CONNECTIONS = 20
HALF_OPEN_CONNECTIONS = 2000
COSTLY_OBJECTS = 252
LOGINS_PER_GUEST = 20
FORGED_FILES = 20
ANSWER_SECONDS = 0.1
"""For how long an attacker in a hurry waits for an answer."""
READY_LINE = b"ready"
SECONDS_BETWEEN_FRAMES = 1 / DEFAULT_CLIENT_LIMITS.frames_per_second
ONE_HOST = HOSTS[:1]
LOADOUTS = {"nothing": b"{}", "diskwars": b'{"army":"reikland-host"}'}
"""By ruleset: what a stranger brings into a match."""


class AttackOrder(Struct, frozen=True):
    """An attack to run, and the server that it hits."""

    attack: str
    url: str


class Attack(Struct, frozen=True):
    """A program that attacks the server at an address until it is cancelled, from a number of addresses of its own.

    With `needs_tls` it attacks a server that speaks TLS itself, with `needs_steps` one whose machine has a clock that
    is set forth and back all the time. Of several `nodes` that is the first alone.
    """

    run: Callable[[str], Coroutine[Any, Any, None]]
    addresses: int = len(HOSTS)
    needs_tls: bool = False
    needs_steps: bool = False
    nodes: int = 1


# ---------------------------------------------------------------- floods


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
    return b'{"type":"act","id":"1","match":"m","decision":"1.0","action":[%s]}' % values


async def _flood(url: str, data: bytes, copies: int = 300_000) -> None:
    flood = data * copies

    async def once(host: str) -> None:
        async with connected(url, host) as stranger, stranger.discarding() as reading:
            await stranger.send(flood)
            await reading

    await repeat(once, CONNECTIONS)


# ---------------------------------------------------------------- at the permitted rate


async def storm_requests(url: str) -> None:
    """Ask for everything that takes a while to answer, as fast as the limits allow."""

    async def once(host: str) -> None:
        async with connected(url, host) as stranger:
            match = await find_match(stranger)
            async with stranger.discarding():
                await _send_steadily(stranger, itertools.cycle([text(request) for request in _requests(match)]))

    await repeat(once, CONNECTIONS)


def _requests(match: MatchId) -> tuple[ClientMessage, ...]:
    return (
        ListMatches("l"),
        FollowMatches("f"),
        SearchMatches("s"),
        GetCatalogue("g", "diskwars"),
        CheckArmy("c", "diskwars", Raw(b'{"army":"","regiments":[%s],"hand":[]}' % _regiments())),
        GetPlayers("p", tuple(PlayerId(f"p-{number}") for number in range(MAX_REQUESTED_PLAYERS))),
        GetLeaderboard("b", "diskwars"),
        GetPlayerStatistics("e", PlayerId("p-1")),
        GetArmyStatistics("y", "diskwars"),
        ListInvites("i", match),
        GetOptions("o", match, DecisionId("d1"), include_unavailable=True),
        ListDevices("d"),
    )


def _regiments() -> bytes:
    """Return regiments as a check of an army may name them, none of which exist."""
    units = [b'"halberd-%d"' % number for number in range(72)]
    return b",".join(b'{"hero":"none","units":[%s]}' % b",".join(units[at : at + 12]) for at in range(0, 72, 12))


async def send_from_one_address(url: str) -> None:
    """Send short frames on as many connections as one address may have, each as fast as the limits allow."""
    data = [
        text(Act("a", MatchId("m"), Raw(b"{}"))),
        frame(Opcode.TEXT, b'{"type":"list_matchez","id":"l"}'),
        frame(Opcode.TEXT, b'{"type":"watch","id":"w","match":"m","from":1}'),
        text(GetOptions("o", MatchId("m"), DecisionId("1.0"))),
    ]

    async def once(host: str) -> None:
        async with connected(url, host) as stranger, stranger.discarding():
            await _send_steadily(stranger, itertools.cycle(data))

    await repeat(once, 5 * CONNECTIONS, ONE_HOST)


async def send_long_requests(url: str) -> None:
    """Send the longest frames on as many connections as one address may have, so that as much as possible waits."""
    size = DEFAULT_CLIENT_LIMITS.frame_bytes
    data = frame(Opcode.TEXT, encode(ListMatches("l")).ljust(size))

    async def once(host: str) -> None:
        async with connected(url, host) as stranger, stranger.discarding():
            await _send_steadily(stranger, itertools.repeat(data), size_units(size) * SECONDS_BETWEEN_FRAMES)

    await repeat(once, 5 * CONNECTIONS, ONE_HOST)


async def read_no_pongs(url: str) -> None:
    """Send pings and requests as fast as the limits allow, and never read the answers."""
    requests = [text(ListMatches(f"l{number}")) for number in range(10)]
    data = [frame(Opcode.PING, bytes(125)), *requests]

    async def once(host: str) -> None:
        async with connected(url, host) as stranger:
            stranger.stop_reading()
            await _send_steadily(
                stranger, itertools.cycle(data), 2 * SECONDS_BETWEEN_FRAMES
            )  # a ping counts as ten frames

    await repeat(once, 2 * CONNECTIONS)


async def read_nothing(url: str) -> None:
    """Watch the match again and again and never read what comes."""

    async def once(host: str) -> None:
        async with connected(url, host) as stranger:
            match = await find_match(stranger)
            stranger.stop_reading()
            await _send_steadily(stranger, itertools.repeat(text(Watch("w", match))), PAUSE_SECONDS)

    await repeat(once, CONNECTIONS)


async def storm_watches(url: str) -> None:
    """Watch the match from its first record and leave it, and watch what it does not have yet, over and over."""

    async def once(host: str) -> None:
        async with connected(url, host) as stranger:
            match = await find_match(stranger)
            async with stranger.discarding():
                ahead = text(Watch("a", match, 10**9))
                pair = text(Watch("w", match)) + text(Unwatch("u", match)) + ahead
                await _send_steadily(stranger, itertools.repeat(pair), 2 * PAUSE_SECONDS)

    await repeat(once, CONNECTIONS)


async def flood_chat(url: str) -> None:
    """Chat as fast as the limits allow: half of the strangers in the match, half in matches where they have a seat."""
    numbers = itertools.count()

    async def once(host: str) -> None:
        async with connected(url, host) as stranger:
            channel: ChatChannel = "watchers" if next(numbers) % 2 else "players"
            if channel == "watchers":
                match = await find_match(stranger)
                await stranger.request(Watch("w", match))
            else:
                match = await _open_and_sit(stranger, "nothing")
            await stranger.request(JoinChat("j", match))
            async with stranger.discarding():
                messages = (SendChat(f"c{number}", match, channel, "hm " * 100) for number in itertools.count())
                await _send_steadily(stranger, map(text, messages))

    await repeat(once, 2 * CONNECTIONS)


async def _send_steadily(
    stranger: Stranger, data: Iterable[bytes], pause_seconds: float = SECONDS_BETWEEN_FRAMES
) -> None:
    """Send one piece after another until the server hangs up."""
    for piece in data:
        await stranger.send(piece)
        await asyncio.sleep(pause_seconds)


# ---------------------------------------------------------------- connections


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


async def repeat_tls_handshakes(url: str) -> None:
    """Agree on TLS at full speed, and hang up: the server signs each time."""
    address, tls = urlsplit(url), make_trusting_context()

    async def once(host: str) -> None:
        _, writer = await asyncio.open_connection(address.hostname, address.port, local_addr=(host, 0), ssl=tls)
        writer.transport.abort()

    await repeat(once, 2 * CONNECTIONS, pause_seconds=0)


async def hold_half_tls_handshakes(url: str) -> None:
    """Hold thousands of connections open that have sent the first half of a TLS handshake's first message."""
    address, begun = urlsplit(url), first_tls_message()

    async def once(host: str) -> None:
        reader, writer = await asyncio.open_connection(address.hostname, address.port, local_addr=(host, 0))
        try:
            writer.write(begun[: len(begun) // 2])
            await reader.read()
        finally:
            writer.transport.abort()
        await asyncio.sleep(1)  # like `hold_half_open`

    await repeat(once, HALF_OPEN_CONNECTIONS)


def first_tls_message() -> bytes:
    """Return what a client sends first when it agrees on TLS."""
    sent = ssl.MemoryBIO()
    with contextlib.suppress(ssl.SSLWantReadError):
        make_trusting_context().wrap_bio(ssl.MemoryBIO(), sent).do_handshake()
    return sent.read()


async def speak_before_hello(url: str) -> None:
    """Connect at full speed, each time with something else in the place of hello."""
    pieces = itertools.cycle(_beginnings())

    async def once(host: str) -> None:
        async with shaken_hands(url, host) as stranger:
            await stranger.send(next(pieces))
            async with asyncio.timeout(ANSWER_SECONDS):
                await stranger.reader.read(1)  # a stranger who waited for the end would connect less often

    await repeat(once, CONNECTIONS, pause_seconds=0)


def _beginnings() -> list[bytes]:
    """Return what no connection begins with: frames, control frames, fragments and broken JSON."""
    return [
        frame(Opcode.TEXT, b'{"a":1E400,"a":1}'),
        frame(Opcode.TEXT, costly_act()),
        frame(Opcode.TEXT, b'{"type":"hello"'),
        frame(Opcode.TEXT, b'{"type":"hello","versions":[9]}'),
        frame(Opcode.TEXT, b"\xff"),
        frame(Opcode.BINARY, b"hello"),
        frame(Opcode.PING, bytes(125)) * 100,
        frame(Opcode.PONG) * 100,
        frame(Opcode.CONT, b"hello") * 100,
        text(ListMatches("l")) * 10,
        frame(Opcode.CLOSE),
    ]


async def flood_headers(url: str) -> None:
    """Send requests with as many and as long headers as are read, or with headers that never end, at full speed."""
    address = urlsplit(url)
    heads = itertools.cycle(_long_heads(url))

    async def once(host: str) -> None:
        reader, writer = await asyncio.open_connection(address.hostname, address.port, local_addr=(host, 0))
        try:
            writer.write(next(heads))
            async with asyncio.timeout(ANSWER_SECONDS):
                await writer.drain()
                await reader.read(1)
        finally:
            writer.transport.abort()

    await repeat(once, CONNECTIONS, pause_seconds=0)


def _long_heads(url: str) -> list[bytes]:
    """Return beginnings of requests: 120 headers of 8 KB, 10,000 short ones, one that is long, and a long address."""
    begun = handshake(url).removesuffix(b"\r\n")
    long_headers = b"".join(b"X-%d: %s\r\n" % (number, b"a" * 8000) for number in range(120))
    short_headers = b"".join(b"X-%d: a\r\n" % number for number in range(10_000))
    return [
        begun + long_headers + b"\r\n",
        begun + short_headers + b"\r\n",
        begun + b"X: " + b"a" * 1_000_000,
        b"GET /" + b"a" * 1_000_000,
        begun + b"Cookie: " + b"a=b; " * 1600 + b"\r\n\r\n",
    ]


async def flood_logins(url: str) -> None:
    """Log in and register from one address at full speed, each time as a new guest."""
    numbers = itertools.count()

    async def once(host: str) -> None:
        async with connected(url, host) as stranger, stranger.discarding() as reading:
            for number in itertools.islice(numbers, LOGINS_PER_GUEST):
                log_in = LogIn(f"l{number}", f"somebody {number}", "a wrong password")
                register = Register(f"r{number}", f"attacker {number}", "a long password")
                await stranger.send(text(log_in) + text(register))
            async with asyncio.timeout(ANSWER_SECONDS):
                await reading

    await repeat(once, CONNECTIONS, ONE_HOST, pause_seconds=0)


async def try_names(url: str) -> None:
    """Register and search names that look like others, cannot be seen, or take long to compare, from one address."""
    names = itertools.cycle(_odd_names())
    numbers = itertools.count()

    async def once(host: str) -> None:
        async with connected(url, host) as stranger, stranger.discarding():
            for number in numbers:
                name = next(names)
                register = Register(f"r{number}", name, "a long password")
                await stranger.send(text(register) + text(SearchMatches(f"s{number}", player_name=name)))
                await asyncio.sleep(2 * SECONDS_BETWEEN_FRAMES)

    await repeat(once, 2 * CONNECTIONS, ONE_HOST)


def _odd_names() -> list[str]:
    """Return names with letters that cannot be seen, of other scripts, with many accents, and that change direction."""
    hidden = [f"Ad{chr(code)}min" for code in (0xFE0F, 0xE0100, 0x200B, 0x115F, 0x17B4, 0x180E, 0x2066)]
    return [*hidden, "\u0410dmin", "a" + "\u0301" * 30, "\u202enimda", "\ufdfa" * 24, "\u1e9b\u0323" * 12]


# ---------------------------------------------------------------- files


async def invent_positions(url: str) -> None:
    """Upload branches that begin at positions which no match can have, as fast as the limits allow."""
    await _upload_all(url, forge_branches(FORGED_FILES), CONNECTIONS)


async def storm_imports(url: str) -> None:
    """Upload files that are as large as a server takes once they are unpacked, as fast as the limits allow."""
    await _upload_all(url, make_bombs(), 3 * CONNECTIONS)


async def _upload_all(url: str, files: Sequence[bytes], connections: int) -> None:
    turns = itertools.cycle(files)

    async def once(host: str) -> None:
        async with connected(url, host) as stranger:
            while True:
                await _upload(stranger, next(turns))
                await asyncio.sleep(PAUSE_SECONDS)

    await repeat(once, connections)


async def _upload(stranger: Stranger, compressed: bytes) -> None:
    """Upload a file, or as much of it as is not refused."""
    requests: list[ClientMessage] = [StartImport(os.urandom(8).hex(), len(compressed))]
    for offset in range(0, len(compressed), MAX_PART_BYTES):
        part = base64.b64encode(compressed[offset : offset + MAX_PART_BYTES]).decode()
        requests.append(ImportPart(os.urandom(8).hex(), offset, part))
    requests.append(FinishImport(os.urandom(8).hex()))
    for request in requests:
        if isinstance(await stranger.request(request), Refused):
            return


# ---------------------------------------------------------------- clocks


async def watch_clock(url: str) -> None:
    """Watch the match and list matches, while the clock of the server is set forth and back."""

    async def once(host: str) -> None:
        async with connected(url, host) as stranger:
            await stranger.request(Watch("w", await find_match(stranger)))
            async with stranger.discarding():
                await _send_steadily(stranger, itertools.repeat(text(ListMatches("l"))), 1.0)

    await repeat(once, CONNECTIONS)


# ---------------------------------------------------------------- matches


async def squat_lobby(url: str) -> None:
    """Open matches as one guest after another, and hold them."""

    async def once(host: str) -> None:
        async with connected(url, host) as stranger, stranger.discarding():
            for number in range(50):
                await stranger.send(text(OpenMatch(str(number), "nothing", 2)))
                await asyncio.sleep(PAUSE_SECONDS)
            await asyncio.sleep(1)

    await repeat(once, 2 * CONNECTIONS)


async def open_sit_resign(url: str) -> None:
    """Open matches in pairs, take both seats and resign, all from one address and at full speed."""

    ruleset = "diskwars"

    async def once(host: str) -> None:
        async with connected(url, host) as opener, connected(url, host) as other:
            while True:
                match = await _open_and_sit(opener, ruleset)
                await other.request(Watch("w", match))
                await _take_seat(other, match, 1, ruleset)
                await _act(opener, match, b'{"type":"resign"}')
                for player in (opener, other):
                    await player.request(Unwatch("u", match))

    await repeat(once, CONNECTIONS, ONE_HOST)


async def _open_and_sit(stranger: Stranger, ruleset: str) -> MatchId:
    """Open a match and take its first seat. Raises HungUp where that is refused: a new guest tries again."""
    opened = await stranger.request(OpenMatch(os.urandom(8).hex(), ruleset, 2))
    if not isinstance(opened, Opened):
        raise HungUp
    await _take_seat(stranger, opened.match, 0, ruleset)
    return opened.match


async def _take_seat(stranger: Stranger, match: MatchId, seat: int, ruleset: str) -> None:
    action = b'{"type":"take_seat","chain_head":"%s","loadout":%s}' % (b"0" * 32, LOADOUTS[ruleset])
    await _act(stranger, match, action, DecisionId(f"1.{seat}"))


async def _act(stranger: Stranger, match: MatchId, action: bytes, decision: DecisionId | None = None) -> None:
    """Act in a match. Raises HungUp where that is refused."""
    if isinstance(await stranger.request(Act(os.urandom(8).hex(), match, Raw(action), decision)), Refused):
        raise HungUp


ATTACKS: dict[str, Attack] = {
    "pings": Attack(flood_pings),
    "pongs": Attack(flood_pongs),
    "unread pongs": Attack(read_no_pongs),
    "costly frames": Attack(flood_costly_frames),
    "before hello": Attack(speak_before_hello),
    "one address": Attack(send_from_one_address, addresses=len(ONE_HOST)),
    "long requests": Attack(send_long_requests, addresses=len(ONE_HOST)),
    "slow handshakes": Attack(send_handshakes_slowly),
    "half-open connections": Attack(hold_half_open),
    "TLS handshakes": Attack(repeat_tls_handshakes, needs_tls=True),
    "half TLS handshakes": Attack(hold_half_tls_handshakes, needs_tls=True),
    "clients that do not read": Attack(read_nothing),
    "lobby squatting": Attack(squat_lobby),
    "open-sit-resign": Attack(open_sit_resign, addresses=len(ONE_HOST)),
    "watch storm": Attack(storm_watches),
    "request storm": Attack(storm_requests),
    "logins": Attack(flood_logins, addresses=len(ONE_HOST)),
    "chat": Attack(flood_chat),
    "header floods": Attack(flood_headers),
    "invented positions": Attack(invent_positions),
    "import storm": Attack(storm_imports),
    "name tricks": Attack(try_names, addresses=len(ONE_HOST)),
    "clock steps": Attack(watch_clock, needs_steps=True),
    "clock steps on one of three nodes": Attack(watch_clock, needs_steps=True, nodes=3),
}


async def main() -> None:
    sys.stdout.buffer.write(READY_LINE + b"\n")
    sys.stdout.buffer.flush()
    line = await asyncio.to_thread(sys.stdin.buffer.readline)
    order = msgspec.json.decode(line, type=AttackOrder)
    # The players share this core with the attackers, and their latency is what is measured: they come first.
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    await ATTACKS[order.attack].run(order.url)


if __name__ == "__main__":
    uvloop.run(main())
