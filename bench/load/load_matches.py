"""Matches as the load generator plays them: one action at a time, sent by one player and received by another.

`RecordedMatchPlayer` plays on our server, `ReferenceMatchPlayer` on the bare reference.
"""

import asyncio
import random
from collections.abc import Callable, Iterator
from itertools import chain, count
from typing import Protocol

import msgspec
from msgspec import Raw

from bench.load.raw_websocket import RawWebSocket
from bench.matches.traces import TRACE_SETTINGS, RecordedAction, Trace
from diskwars_protocol.connection.connection import encode
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages import ServerMessage
from diskwars_protocol.messages.closing import Closing
from diskwars_protocol.messages.handshake import Hello, Welcome
from diskwars_protocol.messages.opening import Opened, OpenMatch
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.watching import Unwatch, Unwatched, Watch, Watching

ActionReceived = Callable[["LoadMatch"], None]
_FROM_SERVER: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)
_RECORDS_PREFIX, _ACCEPTED_PREFIX = b'{"type":"records"', b'{"type":"accepted"'


class LoadFailed(Exception):
    """The server did something unexpected, so the measurement is void."""


class LoadMatch(Protocol):
    """A match that is being played."""

    def play_action(self, on_received: ActionReceived) -> None:
        """Send the next action; `on_received` is called when another player has received its result."""


# ---------------------------------------------------------------- the bare reference


class ReferenceMatchPlayer:
    """A match of two players on the reference server."""

    def __init__(self, connections: list[RawWebSocket]) -> None:
        self._number, self._connections = random.getrandbits(62), connections
        self._seq = 0
        self._on_received: ActionReceived | None = None

    async def start(self) -> None:
        for connection in self._connections:
            await request(connection, msgspec.json.encode({"type": "join", "game": self._number}))
        self._connections[1].on_text = self._receive

    def play_action(self, on_received: ActionReceived) -> None:
        self._on_received = on_received
        self._seq += 1
        # as long as one of our actions
        self._connections[0].send_text(b'{"type":"move","seq":%d,"text":"%s"}' % (self._seq, b"x" * 120))

    def _receive(self, text: bytes) -> None:
        if self._on_received is None or _integer_after(text, b'"seq":') != self._seq:
            raise LoadFailed(f"game {self._number} received {text[:80]!r} instead of move {self._seq}")
        self._on_received(self)


def _integer_after(text: bytes, name: bytes) -> int:
    first = text.index(name) + len(name)
    return int(text[first : text.index(b",", first)])


# ---------------------------------------------------------------- our server


def tick_actions(last: int, size: int) -> Iterator[RecordedAction]:
    """Yield endless answers to the only question of `nothing`, beginning after record `last`."""
    text = b',"text":"%s"' % (b"x" * size) if size else b""
    for n in count():
        yield RecordedAction(0, f"{last}.0", Raw(b'{"type":"tick","n":%d%s}' % (n, text)), last + 1)
        last += 1


def null_match_actions(size: int = 0) -> Iterator[RecordedAction]:
    """Yield the actions of an endless match of `nothing`, each with `size` extra bytes."""
    sit = [
        RecordedAction(
            seat, f"1.{seat}", Raw(b'{"type":"take_seat","chain_head":"%s","loadout":{}}' % (b"0" * 32)), 2 + seat
        )
        for seat in (0, 1)
    ]
    ready = [
        RecordedAction(0, "3.0", Raw(b'{"type":"ready"}'), 4),
        RecordedAction(1, "3.1", Raw(b'{"type":"ready"}'), 5),
    ]
    return chain(sit, ready, tick_actions(5, size))


class RecordedMatchPlayer:
    """A player of recorded matches on our server, one after another; without a trace, of one match of `nothing`.

    Actions of `nothing` have `size` extra bytes.
    """

    numbers = count()

    def __init__(self, connections: list[RawWebSocket], trace: Trace | None, size: int = 0) -> None:
        self.connections, self._trace, self._size = connections, trace, size
        self.match = MatchId("")
        self.tokens: list[str | None] = []
        """Of the players, by seat: with them another connection goes on."""
        self.last_seq = 0
        """Of the last action that was sent."""
        self.actions_played = 0
        self._actions: Iterator[RecordedAction] = iter(())
        self._awaited_seqs: dict[int, int] = {}
        self._on_received: ActionReceived | None = None
        self._frame: tuple[bytes, bytes, bytes] = (b"", b"", b"")
        self._opening: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Connect all players and open a match."""
        for connection in self.connections:
            welcome = await request(connection, encode(Hello((1,), client="bench")))
            self.tokens.append(welcome.token if isinstance(welcome, Welcome) else None)
        await self._open_match()

    async def reconnect(self, seat: int, connection: RawWebSocket) -> None:
        """Go on with another connection for a seat, after the last action that was sent. Raises LoadFailed."""
        await request(connection, encode(Hello((1,), client="bench", token=self.tokens[seat])))
        watch = Watch(f"r{seat}-{next(self.numbers)}", self.match, after=self.last_seq)
        await request(connection, encode(watch))
        self.connections[seat] = connection
        connection.on_text = self._receiver(seat)

    async def _open_match(self) -> None:
        trace = self._trace
        id = f"{trace.number if trace else 0}-{next(self.numbers)}"
        ruleset, settings = ("diskwars", msgspec.json.encode(TRACE_SETTINGS)) if trace else ("nothing", b"{}")
        asking = OpenMatch(id, ruleset, len(self.connections), Raw(settings))
        opened = await request(self.connections[0], encode(asking))
        if not isinstance(opened, Opened):
            raise LoadFailed(f"a match was not opened: {opened}")
        self.match = opened.match
        for connection in self.connections[1:]:
            await request(connection, encode(Watch(f"w{id}", self.match)))
        for seat, connection in enumerate(self.connections):
            connection.on_text = self._receiver(seat)
        self._actions = iter(trace.actions) if trace else null_match_actions(self._size)
        self.actions_played = 0
        match = self.match.encode()
        self._frame = (b'{"type":"act","id":"%s.' % id.encode(), b'","match":"%s","decision":"' % match, b'","action":')

    def play_action(self, on_received: ActionReceived) -> None:
        act = next(self._actions, None)
        if act is None:
            self._opening = asyncio.create_task(self._open_next_match(on_received))
            return
        self._on_received = on_received
        self._awaited_seqs = {(act.seat + 1) % len(self.connections): act.last_seq}
        self.actions_played += 1
        self.last_seq = act.last_seq
        begin, middle, end = self._frame
        decision = act.decision.encode()
        self.connections[act.seat].send_text(
            b"%s%d%s%s%s%s}" % (begin, self.actions_played, middle, decision, end, bytes(act.action))
        )

    async def _open_next_match(self, on_received: ActionReceived) -> None:
        """Open the next match with the same players after one has ended."""
        for number, connection in enumerate(self.connections):
            connection.on_text = _ignore_message
            connection.send_text(encode(Unwatch(f"u{number}-{self.match}", self.match)))
        await self._open_match()
        self.play_action(on_received)

    def _receiver(self, seat: int) -> Callable[[bytes], None]:
        def handle(text: bytes) -> None:
            if not text.startswith(_RECORDS_PREFIX):
                if not text.startswith(_ACCEPTED_PREFIX):
                    self._handle_unexpected(text)
                return
            last = self._awaited_seqs.get(seat)
            if last is None:
                return
            if _integer_after(text, b'"seq":') == last and self._on_received is not None:
                self._awaited_seqs = {}
                self._on_received(self)

        return handle

    def _handle_unexpected(self, text: bytes) -> None:
        message = _FROM_SERVER.decode(text)
        if not isinstance(message, Watching | Unwatched):
            raise LoadFailed(f"match {self.match}, action {self.actions_played}: {text[:400]!r}")


def _ignore_message(text: bytes) -> None:
    """Ignore the remaining messages of a match that has ended."""


async def request(connection: RawWebSocket, text: bytes) -> ServerMessage | None:
    """Send a message and return the answer, skipping records and answers to earlier messages. Raises LoadFailed."""
    answered: asyncio.Future[ServerMessage | None] = asyncio.get_running_loop().create_future()

    def handle(received: bytes) -> None:
        if answered.done():
            return
        if received == b'{"type":"joined"}':
            answered.set_result(None)
        elif isinstance(answer := _FROM_SERVER.decode(received), Refused | Closing):
            answered.set_exception(LoadFailed(f"{text[:200]!r} was answered by {answer}"))
        elif isinstance(answer, Welcome | Opened | Watching):
            answered.set_result(answer)

    connection.on_text = handle
    connection.send_text(text)
    return await answered
