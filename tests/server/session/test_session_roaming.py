"""Clients of three nodes are cut off at any frame, with commands in flight, and go on at another node.

What each seat and the public receive in pieces equals an uninterrupted stream, byte for byte.
"""

import asyncio
import contextlib
import itertools
import random
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diskwars_protocol.match.actions import Ready, TakeSeat
from diskwars_protocol.match.ids import DecisionId, MatchId
from diskwars_protocol.messages import ServerMessage
from diskwars_protocol.messages.decisions import Accepted, Act
from diskwars_protocol.messages.handshake import Hello, ResumeRequest
from diskwars_protocol.messages.history import Records
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.watching import Watching
from diskwars_protocol.records.records import WireRecord
from diskwars_server.bus.bus import LocalBus, LocalNode
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.upkeep.head_polling import HeadPolling
from tests.server.counting_ruleset import ChooseNumber, CountingLoadout
from tests.server.in_memory_server import HEAD, TEST_TIMEOUT_SECONDS, InMemoryClient, InMemoryServer, ManualClock

NODES = 3
ROUNDS = 3
MAX_ACT_TRIES = 50
_DECODER: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)
_ENCODER = msgspec.json.Encoder()


class Cut(Exception):
    """The connection broke off."""


def as_bytes(records: Iterable[WireRecord]) -> list[bytes]:
    return [_ENCODER.encode(record) for record in records]


class RoamingClient:
    """A viewer whose connections break off, each after a number of frames; the last frame is lost or comes."""

    def __init__(
        self, nodes: list[InMemoryServer], token: str, match: MatchId, cuts: Iterable[tuple[int, bool, int]]
    ) -> None:
        """`cuts` are, for each connection, frames that come, whether the last of them is lost, and the node."""
        self._nodes, self._token, self._match, self._cuts = nodes, token, match, iter(cuts)
        self._client: InMemoryClient | None = None
        self._frames_left, self._is_last_lost = 0, False
        self.connections = 0
        self.records: list[WireRecord] = []

    @property
    def head(self) -> int:
        return self.records[-1].seq if self.records else 0

    def close(self) -> None:
        """Drop the connection: nothing that is still to come arrives."""
        if self._client is not None:
            self._client.outbox.abandon()
            self._client.session.close()
            self._client = None

    async def _connect(self) -> InMemoryClient:
        frames, self._is_last_lost, node = next(self._cuts, (10**9, False, self.connections))
        self._frames_left = frames
        self.connections += 1
        self._client = client = self._nodes[node % len(self._nodes)].connect()
        await client.send_message(Hello((1,), token=self._token, resume=(ResumeRequest(self._match, self.head),)))
        return client

    async def _next(self, client: InMemoryClient) -> ServerMessage:
        """Return the next message of a connection. Raises Cut."""
        if self._frames_left <= 0:
            raise Cut
        frame = await client.outbox.get()
        self._frames_left -= 1
        assert frame is not None, client.outbox.closing
        if self._is_last_lost and self._frames_left == 0:
            raise Cut
        message = _DECODER.decode(frame)
        if isinstance(message, Records):
            self.records += message.records
        return message

    async def read_up_to(self, head: int) -> None:
        """Read until this record has come, over as many connections as it takes."""
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            while self.head < head:
                with self._reconnecting():
                    await self._next(self._client or await self._connect())

    async def act(self, decision: DecisionId, action: Any, id: str) -> Accepted:
        """Send an action, and again on each new connection until it is answered."""
        act = Act(id, self._match, msgspec.Raw(_ENCODER.encode(action)), decision)
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            for _ in range(MAX_ACT_TRIES):
                with self._reconnecting():
                    client = self._client or await self._connect_watching()
                    await client.send_message(act)
                    answer = await self._answer_to(client, id)
                    if isinstance(answer, Accepted):
                        return answer
                    assert isinstance(answer, Refused)
                    assert answer.code in ("busy", "retry"), answer
        raise AssertionError("never answered")

    async def _connect_watching(self) -> InMemoryClient:
        client = await self._connect()
        while not isinstance(await self._next(client), Watching):
            pass
        return client

    async def _answer_to(self, client: InMemoryClient, id: str) -> ServerMessage:
        while getattr(message := await self._next(client), "id", None) != id:
            pass
        return message

    @contextlib.contextmanager
    def _reconnecting(self) -> Iterator[None]:
        try:
            yield
        except Cut:
            self.close()


class UnfaithfulBus(LocalBus):
    """Loses messages, repeats them, and delivers them late and in another order, as a bus may."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._rng = random.Random(seed)
        self._held: list[tuple[UnfaithfulNode, str, bytes]] = []
        self.lost = self.repeated = self.late = 0

    def join(self) -> LocalNode:
        node = UnfaithfulNode(self._nodes, self)
        self._nodes.append(node)
        return node

    def carry(self, sender: "UnfaithfulNode", subject: str, message: bytes) -> None:
        fate = self._rng.randrange(4)
        self.lost += fate == 0
        self.repeated += fate == 1
        self.late += fate == 2
        if fate == 2:
            self._held.append((sender, subject, message))
        for _ in range((0, 3, 0, 1)[fate]):
            sender.deliver(subject, message)
        if self._rng.randrange(2) and self._held:
            held_by, held_subject, held = self._held.pop(self._rng.randrange(len(self._held)))
            held_by.deliver(held_subject, held)


class UnfaithfulNode(LocalNode):
    """One node's end of an `UnfaithfulBus`."""

    def __init__(self, nodes: list[LocalNode], bus: UnfaithfulBus) -> None:
        super().__init__(nodes)
        self._bus = bus

    def publish(self, subject: str, message: bytes) -> None:
        self._bus.carry(self, subject, message)

    def deliver(self, subject: str, message: bytes) -> None:
        super().publish(subject, message)


@contextlib.asynccontextmanager
async def three_nodes(bus: LocalBus) -> AsyncIterator[list[InMemoryServer]]:
    clock = ManualClock()
    async with MemoryDatabase() as database:
        nodes = [InMemoryServer(database, bus=bus, clock=clock) for _ in range(NODES)]
        # Each asks for what the bus has lost, without the second's pause.
        polls = [
            asyncio.create_task(HeadPolling(node.matches.watched, database.events, lambda _: asyncio.sleep(0)).run())
            for node in nodes
            if isinstance(bus, UnfaithfulBus)
        ]
        try:
            yield nodes
        finally:
            for poll in polls:
                poll.cancel()
            for node in nodes:
                await node.matches.close()


async def open_decision(node: InMemoryServer, match: MatchId, seat: int, after: DecisionId | None) -> DecisionId:
    """Return the next decision of a seat, once this node knows it."""
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
        while True:
            state = await node.state(match)
            found = [decision.id for decision in state.decisions if decision.seat == seat and decision.id != after]
            if found:
                return found[0]
            await asyncio.sleep(0)


async def play_interrupted(cuts: list[list[tuple[int, bool, int]]], bus: LocalBus | None = None) -> list[RoamingClient]:
    """Play a match with two players and a spectator who are cut off; compare them with viewers who are not."""
    async with three_nodes(bus or LocalBus()) as nodes:
        unbroken = [await node.connect_and_greet() for node in nodes]
        match = await unbroken[0].open_match(ROUNDS)
        for viewer in unbroken[1:]:
            await viewer.watch(match)
        roaming = [RoamingClient(nodes, viewer.token, match, own) for viewer, own in zip(unbroken, cuts, strict=True)]

        async def play_seat(seat: int) -> None:
            decision: DecisionId | None = None
            loadout = CountingLoadout(f"player {seat}", 3 + seat)
            numbers = (ChooseNumber(1 + (seat + round) % 6, note="x") for round in range(ROUNDS))
            for number, action in enumerate([TakeSeat(HEAD, loadout), Ready(), *numbers]):
                decision = await open_decision(nodes[seat], match, seat, decision)
                # A player acts on what they have seen, and no node that they come to then knows less.
                await roaming[seat].read_up_to(int(decision.partition(".")[0]))
                await roaming[seat].act(decision, action, f"{seat}.{number}")

        await asyncio.gather(play_seat(0), play_seat(1))
        head = (await nodes[0].matches.find(match)).head
        for viewer, client in zip(unbroken, roaming, strict=True):
            await client.read_up_to(head)
            expected = await viewer.catch_up(match)
            assert as_bytes(client.records) == as_bytes(expected)
            assert [record.seq for record in expected] == list(range(1, head + 1))
            client.close()
        stored = await nodes[0].database.events.read(match)
        commands = [record.command_id for record in stored if record.command_id]
        assert len(commands) == len(set(commands)), "an action was stored twice"
        views = [as_bytes(client.records) for client in roaming]
        assert len({tuple(view) for view in views}) == NODES, "each viewer is shown something of their own"
        return roaming


def one_later_each_time(first: int, is_last_lost: bool, node: int) -> list[tuple[int, bool, int]]:
    """Return cuts that come a frame later on each connection, on one node after another."""
    return [(first + number, is_last_lost, node + number) for number in range(60)]


@pytest.mark.parametrize("is_last_lost", [False, True])
@pytest.mark.parametrize("first", range(6))
async def test_stream_is_whole_for_clients_that_are_cut_off_at_every_frame(first: int, is_last_lost: bool) -> None:
    clients = await play_interrupted([one_later_each_time(first, is_last_lost, place) for place in range(NODES)])
    assert min(client.connections for client in clients[:2]) >= 3


CUTS = st.lists(st.tuples(st.integers(0, 12), st.booleans(), st.integers(0, NODES - 1)), max_size=12)


@settings(max_examples=60, deadline=None)
@given(st.lists(CUTS, min_size=NODES, max_size=NODES))
def test_stream_is_whole_wherever_clients_are_cut_off(cuts: list[list[tuple[int, bool, int]]]) -> None:
    clients = asyncio.run(play_interrupted(cuts))
    assert sum(client.connections for client in clients) >= NODES


@pytest.mark.parametrize("seed", range(4))
async def test_stream_is_whole_though_the_bus_loses_repeats_and_reorders(seed: int) -> None:
    bus = UnfaithfulBus(seed)
    await play_interrupted([one_later_each_time(2, seed % 2 == 0, place) for place in range(NODES)], bus)
    assert min(bus.lost, bus.repeated, bus.late) > 0


async def test_clients_that_are_never_cut_off_need_one_connection() -> None:
    clients = await play_interrupted([[], [], []])
    assert [client.connections for client in clients] == [1, 1, 1]
    assert list(itertools.pairwise(client.head for client in clients)) == [(clients[0].head,) * 2] * 2
