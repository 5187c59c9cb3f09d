"""How does a test play? Guests who speak to sessions in memory: what they say goes in, what they are sent is read.

Everything is real but the socket: session, lobby, games and store.
"""

import asyncio
import itertools
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import Raw

from diskwars_engine.match_log import AnyMatch
from diskwars_protocol import messages as m
from diskwars_protocol.connection import encode
from diskwars_protocol.fairness import seeded_entropy
from diskwars_protocol.match import DecisionId, MatchId, PlayerId, Ready, TakeSeat
from diskwars_protocol.messages import DEFAULT_CLIENT_LIMITS, ClientLimits, ClientMessage, ServerMessage
from diskwars_protocol.records import WireRecord
from diskwars_server.bus import Bus, LocalBus
from diskwars_server.game import Services
from diskwars_server.lobby import AnyRuleset, Lobby
from diskwars_server.outbox import MAX_OUTBOX_BYTES, MAX_OUTBOX_FRAMES, Outbox
from diskwars_server.session import Session, SessionContext
from diskwars_server.store import EventStore
from diskwars_server.tokens import TokenIssuer
from tests.server.counting_ruleset import Choose, Counting, Entry

PATIENCE = 5  # seconds after which a test that waits has failed
HEAD = "00" * 16

S = TypeVar("S", bound=ServerMessage)
_NUMBERS = itertools.count(1)
_DECODER: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)


class Clock:
    """A time that moves only when it is told to."""

    def __init__(self) -> None:
        self.now = 1_000_000_000_000

    def __call__(self) -> int:
        return self.now


class Node:
    """One server without sockets. Several may share a store, a bus and a key."""

    def __init__(
        self,
        store: EventStore,
        *,
        clock: Clock | None = None,
        bus: Bus | None = None,
        limits: ClientLimits = DEFAULT_CLIENT_LIMITS,
        live: int = 16,
        each: int = 0,
        rulesets: Mapping[str, AnyRuleset] | None = None,
        seed: int = 7,
    ) -> None:
        self.clock = clock or Clock()
        self.house = Services(store, bus or LocalBus(), self.clock, "1")
        rules: Mapping[str, AnyRuleset] = rulesets or {"counting": Counting()}
        self.lobby = Lobby(
            rules,
            self.house,
            lambda purpose: seeded_entropy(seed, purpose),
            repeatable=True,
            max_live_matches=live,
            max_open_matches_per_player=each,
        )
        self.tokens = TokenIssuer(b"k" * 32, 3600, self.clock)
        self.reception = SessionContext(self.lobby, self.tokens, self.clock, limits, "test")

    def guest(self, frames: int = MAX_OUTBOX_FRAMES, octets: int = MAX_OUTBOX_BYTES) -> "Guest":
        return Guest(self, Outbox(frames, octets))

    async def welcomed(self, token: str = "", **outbox: int) -> "Guest":
        guest = self.guest(**outbox)
        await guest.greet(token)
        return guest

    async def state(self, match: MatchId) -> AnyMatch:
        return (await self.lobby.find(match)).state


class Guest:
    """One connection. `wire` holds every record that was sent, by match; `heard` every other message."""

    def __init__(self, node: Node, outbox: Outbox) -> None:
        self.node, self.outbox = node, outbox
        self.session = Session(node.reception, outbox)
        self.wire: dict[MatchId, list[WireRecord]] = {}
        self.heard: list[ServerMessage] = []
        self.player = PlayerId("")
        self.token = ""

    def id(self) -> str:
        return f"command {next(_NUMBERS)}"

    async def greet(self, token: str = "", *resume: m.ResumeRequest) -> m.Welcome:
        await self.say(m.Hello(token=token, resume=resume))
        welcome = await self.hear(m.Welcome)
        self.player, self.token = welcome.player, welcome.token
        return welcome

    async def say(self, message: ClientMessage) -> None:
        await self.send(encode(message).decode())

    async def send(self, frame: str | bytes) -> None:
        async with asyncio.timeout(PATIENCE):
            await self.session.receive(frame)

    async def next(self) -> ServerMessage | None:
        async with asyncio.timeout(PATIENCE):
            frame = await self.outbox.get()
        if frame is None:
            return None
        message = _DECODER.decode(frame)
        if isinstance(message, m.Records):
            self.wire.setdefault(message.match, []).extend(message.records)
        else:
            self.heard.append(message)
        return message

    async def hear(self, kind: type[S]) -> S:
        """The next message of this kind; what comes before it is kept."""
        while not isinstance(message := await self.next(), kind):
            assert message is not None, f"closed before a {kind.__name__} came: {self.outbox.closing}"
        return message

    async def answer(self, id: str) -> ServerMessage:
        """What comes under this id."""
        while (message := await self.next()) is not None:
            if getattr(message, "id", None) == id:
                return message
        raise AssertionError(f"closed before {id} was answered: {self.outbox.closing}")

    async def ask(self, message: ClientMessage) -> ServerMessage:
        await self.say(message)
        assert not isinstance(message, m.Hello)
        return await self.answer(message.id)

    async def accepted(self, message: ClientMessage) -> m.Accepted:
        answer = await self.ask(message)
        assert isinstance(answer, m.Accepted), answer
        return answer

    async def refused(self, message: ClientMessage) -> m.Refused:
        answer = await self.ask(message)
        assert isinstance(answer, m.Refused), answer
        return answer

    # ---------------------------------------------------------------- a match of counting

    async def open(self, rounds: int = 2) -> MatchId:
        settings = Raw(msgspec.json.encode({"rounds": rounds}))
        answer = await self.ask(m.OpenMatch(self.id(), "counting", 2, settings))
        assert isinstance(answer, m.Opened), answer
        await self.hear(m.Watching)
        return answer.match

    async def watch(self, match: MatchId, after: int = 0, all: bool = False) -> m.Watching:
        answer = await self.ask(m.Watch(self.id(), match, after, all))
        assert isinstance(answer, m.Watching), answer
        return answer

    def act(self, match: MatchId, decision: str, action: Any, id: str = "") -> m.Act:
        return m.Act(id or self.id(), match, DecisionId(decision), Raw(msgspec.json.encode(action)))

    async def decision(self, match: MatchId, seat: int) -> DecisionId:
        """The open decision of a seat."""
        state = await self.node.state(match)
        return next(decision.id for decision in state.decisions if decision.seat == seat)

    async def sit(self, match: MatchId, seat: int, lucky: int = 3) -> m.Accepted:
        entry = Entry(f"player {seat}", lucky)
        return await self.accepted(self.act(match, await self.decision(match, seat), TakeSeat(HEAD, entry)))

    async def be_ready(self, match: MatchId, seat: int) -> m.Accepted:
        return await self.accepted(self.act(match, await self.decision(match, seat), Ready()))

    async def choose(self, match: MatchId, seat: int, number: int, note: str = "") -> m.Accepted:
        decision = await self.decision(match, seat)
        return await self.accepted(self.act(match, decision, Choose(number, note=note)))

    async def catch_up(self, match: MatchId) -> list[WireRecord]:
        """Everything of the match that was sent so far."""
        head = (await self.node.lobby.find(match)).head
        while not self.wire.get(match) or self.wire[match][-1].seq < head:
            assert await self.next() is not None
        return self.wire[match]


async def begun(first: Guest, second: Guest, rounds: int = 2) -> MatchId:
    """A match in which both sit, have got ready and are asked for a number."""
    match = await first.open(rounds)
    await second.watch(match)
    for seat, guest in enumerate((first, second)):
        await guest.sit(match, seat, lucky=3 + seat)
    for seat, guest in enumerate((first, second)):
        await guest.be_ready(match, seat)
    return match


async def played(first: Guest, second: Guest, match: MatchId, rounds: int = 2) -> None:
    for round in range(rounds):
        await first.choose(match, 0, 1 + round % 6)
        await second.choose(match, 1, 2 + round % 5)
