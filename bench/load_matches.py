"""How does one game go, as a load generator plays it? One action at a time: sent by one player, received by another.

`Recorded` plays our server, `Plain` the bare reference. Must not know what is measured, nor processes.
"""

import asyncio
import random
from collections.abc import Callable, Iterator
from itertools import chain, count
from typing import Protocol

import msgspec
from msgspec import Raw

from bench.raw_websocket import Wire
from bench.traces import SETTINGS, Act, Trace
from diskwars_protocol import messages as m
from diskwars_protocol.connection import encode
from diskwars_protocol.match import MatchId

Heard = Callable[["Game"], None]
_FROM_SERVER: msgspec.json.Decoder[m.ServerMessage] = msgspec.json.Decoder(m.ServerMessage)
_RECORDS, _ACCEPTED = b'{"type":"records"', b'{"type":"accepted"'


class Failed(Exception):
    """The server did something that a load generator does not expect: what was measured means nothing."""


class Game(Protocol):
    """A game that is being played."""

    def step(self, heard: Heard) -> None:
        """Sends the next action; `heard` is called when another player has received what came of it."""


# ---------------------------------------------------------------- the bare reference


class Plain:
    """A game on the reference server, of two players."""

    def __init__(self, wires: list[Wire]) -> None:
        self._number, self._wires = random.getrandbits(62), wires
        self._seq = 0
        self._heard: Heard | None = None

    async def begin(self) -> None:
        for wire in self._wires:
            await asked(wire, msgspec.json.encode({"type": "join", "game": self._number}))
        self._wires[1].hear = self._hear

    def step(self, heard: Heard) -> None:
        self._heard = heard
        self._seq += 1
        # as long as an action of ours
        self._wires[0].say(b'{"type":"move","seq":%d,"text":"%s"}' % (self._seq, b"x" * 120))

    def _hear(self, text: bytes) -> None:
        if self._heard is None or _number_after(text, b'"seq":') != self._seq:
            raise Failed(f"game {self._number} heard {text[:80]!r} instead of move {self._seq}")
        self._heard(self)


def _number_after(text: bytes, name: bytes) -> int:
    first = text.index(name) + len(name)
    return int(text[first : text.index(b",", first)])


# ---------------------------------------------------------------- our server


def ticks(last: int, size: int) -> Iterator[Act]:
    """What `nothing` is answered for ever, after record `last`."""
    text = b',"text":"%s"' % (b"x" * size) if size else b""
    for n in count():
        yield Act(0, f"{last}.0", Raw(b'{"type":"tick","n":%d%s}' % (n, text)), last + 2)
        last += 2


def of_nothing(size: int = 0) -> Iterator[Act]:
    """A match of `nothing`, which never ends. Each action says so many bytes more than it has to."""
    sit = [
        Act(seat, f"2.{seat}", Raw(b'{"type":"take_seat","chain":"%s","entry":{}}' % (b"0" * 32)), 5 + 3 * seat)
        for seat in (0, 1)
    ]
    ready = [Act(0, "8.0", Raw(b'{"type":"ready"}'), 12), Act(1, "8.1", Raw(b'{"type":"ready"}'), 18)]
    return chain(sit, ready, ticks(18, size))


class Recorded:
    """Matches on our server, one after another, each as it was recorded. Without a trace, one of `nothing`.

    Its actions are `size` bytes longer than they have to be.
    """

    numbers = count()

    def __init__(self, wires: list[Wire], trace: Trace | None, size: int = 0) -> None:
        self.wires, self._trace, self._size = wires, trace, size
        self.match = MatchId("")
        self.played = 0
        self._acts: Iterator[Act] = iter(())
        self._awaited: dict[int, int] = {}
        self._heard: Heard | None = None
        self._frame: tuple[bytes, bytes, bytes] = (b"", b"", b"")
        self._opening: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Everybody says hello, and a match is opened."""
        for wire in self.wires:
            await asked(wire, encode(m.Hello(client="bench")))
        await self._open()

    async def _open(self) -> None:
        trace = self._trace
        id = f"{trace.number if trace else 0}-{next(self.numbers)}"
        ruleset, settings = ("diskwars", msgspec.json.encode(SETTINGS)) if trace else ("nothing", b"{}")
        asking = m.OpenMatch(id, ruleset, len(self.wires), Raw(settings))
        opened = await asked(self.wires[0], encode(asking))
        if not isinstance(opened, m.Opened):
            raise Failed(f"a match was not opened: {opened}")
        self.match = opened.match
        for wire in self.wires[1:]:
            await asked(wire, encode(m.Watch(f"w{id}", self.match)))
        for seat, wire in enumerate(self.wires):
            wire.hear = self._ear(seat)
        self._acts = iter(trace.acts) if trace else of_nothing(self._size)
        self.played = 0
        match = self.match.encode()
        self._frame = (b'{"type":"act","id":"%s.' % id.encode(), b'","match":"%s","decision":"' % match, b'","action":')

    def step(self, heard: Heard) -> None:
        act = next(self._acts, None)
        if act is None:
            self._opening = asyncio.create_task(self._anew(heard))
            return
        self._heard = heard
        self._awaited = {(act.seat + 1) % len(self.wires): act.last}
        self.played += 1
        begin, middle, end = self._frame
        decision = act.decision.encode()
        self.wires[act.seat].say(b"%s%d%s%s%s%s}" % (begin, self.played, middle, decision, end, bytes(act.action)))

    async def _anew(self, heard: Heard) -> None:
        """The match is over: on to the next one, with the same players."""
        for number, wire in enumerate(self.wires):
            wire.hear = _silence
            wire.say(encode(m.Unwatch(f"u{number}-{self.match}", self.match)))
        await self._open()
        self.step(heard)

    def _ear(self, seat: int) -> Callable[[bytes], None]:
        def hear(text: bytes) -> None:
            if not text.startswith(_RECORDS):
                if not text.startswith(_ACCEPTED):
                    self._stray(text)
                return
            last = self._awaited.get(seat)
            if last is None:
                return
            first = text.index(b'"last":') + 7
            if int(text[first : text.index(b",", first)]) == last and self._heard is not None:
                self._awaited = {}
                self._heard(self)

        return hear

    def _stray(self, text: bytes) -> None:
        message = _FROM_SERVER.decode(text)
        if not isinstance(message, m.Watching | m.Unwatched):
            raise Failed(f"match {self.match}, action {self.played}: {text[:400]!r}")


def _silence(text: bytes) -> None:
    """The rest of a match that is over."""


async def asked(wire: Wire, text: bytes) -> m.ServerMessage | None:
    """What the server answers to this: of our server the first message that is neither records nor an old answer."""
    answered: asyncio.Future[m.ServerMessage | None] = asyncio.get_running_loop().create_future()

    def hear(heard: bytes) -> None:
        if answered.done():
            return
        if heard == b'{"type":"joined"}':
            answered.set_result(None)
        elif isinstance(found := _FROM_SERVER.decode(heard), m.Refused | m.Closing):
            answered.set_exception(Failed(f"{text[:200]!r} was answered by {found}"))
        elif isinstance(found, m.Welcome | m.Opened | m.Watching):
            answered.set_result(found)

    wire.hear = hear
    wire.say(text)
    return await answered
