"""Frames that wait behind something slow are neither lost nor forgotten, and acts go before other messages."""

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator, Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
from msgspec.structs import replace
from websockets.frames import CloseCode, Opcode

from diskwars_protocol.connection.connection import encode
from diskwars_protocol.match.actions import LeaveSeat, TakeSeat
from diskwars_protocol.match.ids import DecisionId, MatchId
from diskwars_protocol.messages.decisions import Accepted, Act
from diskwars_protocol.messages.handshake import DEFAULT_CLIENT_LIMITS
from diskwars_server.broadcast import command_traffic
from diskwars_server.connections import entry_queue
from diskwars_server.connections.fast_socket import FastGameSocket
from diskwars_server.connections.game_socket import MAX_WAITING_BYTES, MAX_WAITING_FRAMES, PIECE_BYTES, GameSocket
from diskwars_server.connections.listening import bind
from diskwars_server.connections.parse_queue import ParseQueue
from diskwars_server.connections.transport import ListenOptions, Transport
from diskwars_server.limits.address_quotas import AddressQuotas, QuotaLimits
from diskwars_server.limits.rate_limits import RateLimit
from diskwars_server.limits.turns import AddressLock
from diskwars_server.matches.game import Game
from diskwars_server.matches.inbox import PendingCommand
from diskwars_server.monitoring.health import HealthReport
from diskwars_server.monitoring.metrics import Metrics
from diskwars_server.session.session import Session, Waiting
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.connections.test_entry_queue import BusyLoop
from tests.server.connections.test_game_socket_attacks import HELLO, LIST, greet, open_server, wait_for_connections
from tests.server.counting_ruleset import CountingLoadout
from tests.server.faulty_database import FaultyDatabase
from tests.server.in_memory_server import HEAD, InMemoryServer, ManualClock, begin_match, open_request
from tests.server.raw_client import TIMEOUT_SECONDS, RawClient, masked, text

ACT = encode(Act("a", MatchId("m"), msgspec.Raw(b"{}"))).decode()
NEVER = 1000.0


@pytest.fixture
def sockets(monkeypatch: pytest.MonkeyPatch) -> list[GameSocket]:
    """The server's ends of all connections."""
    sockets, made = list[GameSocket](), GameSocket.connection_made

    def note_socket(self: GameSocket, transport: asyncio.BaseTransport) -> None:
        sockets.append(self)
        made(self, transport)

    monkeypatch.setattr(GameSocket, "connection_made", note_socket)
    return sockets


class SlowRequest:
    """A request that is worked on until it `is_free`."""

    def __init__(self) -> None:
        self._is_received, self.is_free = asyncio.Event(), asyncio.Event()

    async def begin(self, client: RawClient) -> None:
        """Send it, and return once it is worked on."""
        client.write(text('{"type":"list_matches","id":"slow"}'))
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await self._is_received.wait()

    async def work(self) -> None:
        self._is_received.set()
        await self.is_free.wait()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> SlowRequest:
    slow, receive = SlowRequest(), Session.receive

    def receive_slowly(self: Session, frame: str | bytes) -> Waiting | None:
        return slow.work() if "slow" in str(frame) else receive(self, frame)

    monkeypatch.setattr(Session, "receive", receive_slowly)
    return slow


async def wait_until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while not is_so():
            await asyncio.sleep(0.001)


async def test_ping_is_answered_while_requests_wait(socket_class: type[GameSocket], slow: SlowRequest) -> None:
    """As pongs are read: or a page whose requests wait for a database would be cut off by the keepalive."""
    async with open_server(socket_class) as (_, transport), await RawClient.connect(transport.url) as client:
        await greet(client)
        await slow.begin(client)
        client.write(text(LIST.ljust(400)) * DEFAULT_CLIENT_LIMITS.commands_in_flight + masked(Opcode.PING, b"?"))
        assert await client.read_frame() == (Opcode.PONG, b"?")
        slow.is_free.set()
        for _ in range(DEFAULT_CLIENT_LIMITS.commands_in_flight):
            assert (await client.read_message())["type"] == "match_list"


async def test_few_bytes_wait_to_be_taken(
    socket_class: type[GameSocket], slow: SlowRequest, sockets: list[GameSocket]
) -> None:
    padded = text(LIST + " " * 6000)
    async with open_server(socket_class) as (_, transport), await RawClient.connect(transport.url) as client:
        await greet(client)
        await slow.begin(client)
        client.write(padded * 20)
        (served,) = sockets
        await wait_until(lambda: served._unparsed and not (served._is_queued or served.transport.is_reading()))
        assert MAX_WAITING_BYTES <= served._meter.waiting_bytes <= MAX_WAITING_BYTES + len(padded)
        slow.is_free.set()
        for _ in range(20):
            assert (await client.read_message())["type"] in ("match_list", "refused")
        assert served._meter.waiting_bytes == 0


async def test_message_of_all_bytes_that_may_wait_is_read(socket_class: type[GameSocket]) -> None:
    assert DEFAULT_CLIENT_LIMITS.frame_bytes == MAX_WAITING_BYTES
    async with open_server(socket_class) as (_, transport), await RawClient.connect(transport.url) as client:
        await greet(client)
        client.write(text(LIST.ljust(MAX_WAITING_BYTES)))
        assert (await client.read_message())["type"] == "match_list"


async def test_long_message_in_fragments_is_read_to_its_end(
    socket_class: type[GameSocket], slow: SlowRequest, sockets: list[GameSocket]
) -> None:
    async with open_server(socket_class) as (_, transport), await RawClient.connect(transport.url) as client:
        await greet(client)
        await slow.begin(client)
        client.write(masked(Opcode.TEXT, LIST.encode() + b" " * 3000, fin=False))
        for is_last in (False, False, True):
            client.write(masked(Opcode.CONT, b" " * 4000, fin=is_last))
        await wait_until(lambda: sockets[0].is_between_messages and sockets[0]._meter.messages)
        slow.is_free.set()
        assert (await client.read_message())["type"] == "match_list"


@pytest.mark.parametrize("behind", [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\x01\x00\x01\x00", b"\xff" * 20_000])
async def test_bytes_behind_a_request_do_not_spoil_its_answer(
    socket_class: type[GameSocket], behind: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_server(socket_class, ping_interval_seconds=NEVER, close_timeout_seconds=NEVER) as (_, transport):
        address = urlsplit(transport.url)
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        async with asyncio.timeout(TIMEOUT_SECONDS):
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" + behind)
            answer = await reader.read()
            writer.close()
            while transport._context.quotas._sockets:
                await asyncio.sleep(0.001)
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["status"] == "ok"
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_bytes_behind_a_handshake_are_frames(
    socket_class: type[GameSocket], caplog: pytest.LogCaptureFixture
) -> None:
    async with open_server(socket_class) as (_, transport):
        async with await RawClient.connect(transport.url, behind=HELLO + text(LIST)) as client:
            assert [(await client.read_message())["type"] for _ in range(2)] == ["welcome", "match_list"]
        async with await RawClient.connect(transport.url, behind=b"\xff" * 100) as client:
            assert await client.read_to_end() == CloseCode.PROTOCOL_ERROR
        await wait_for_connections(transport, 0)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.parametrize("end", [masked(Opcode.CLOSE), text(b"\xff"), b"\xff"], ids=["close", "bad text", "bad frame"])
async def test_frames_behind_the_end_of_a_connection_do_not_keep_it(socket_class: type[GameSocket], end: bytes) -> None:
    async with open_server(socket_class, ping_interval_seconds=NEVER, close_timeout_seconds=NEVER) as (_, transport):
        async with await RawClient.connect(transport.url) as client:
            await greet(client)
            client.write(end + text("") * (4 * MAX_WAITING_FRAMES))
            await client.read_to_end()
            client.write(masked(Opcode.CLOSE))
        await wait_for_connections(transport, 0)
        assert transport.connections == 0


async def test_frames_that_come_with_the_end_of_the_stream_are_handled(
    sockets: list[GameSocket], monkeypatch: pytest.MonkeyPatch
) -> None:
    """TLS reports both in one go. What is longer than a piece would take too long, and its rest is lost."""
    received, receive = list[str](), Session.receive

    def note_frame(self: Session, frame: str | bytes) -> Waiting | None:
        received.append(str(frame))
        return receive(self, frame)

    async with open_server(FastGameSocket) as (_, transport), await RawClient.connect(transport.url) as client:
        await greet(client)
        monkeypatch.setattr(Session, "receive", note_frame)
        (served,) = sockets
        acts = text(ACT) * 100
        served.data_received(acts)
        served.eof_received()
        served.transport.close()
        await wait_for_connections(transport, 0)
    assert received == [ACT] * (PIECE_BYTES // len(text(ACT)))


async def test_fault_in_what_is_parsed_in_turn_ends_the_connection(
    socket_class: type[GameSocket], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(self: GameSocket, data: bytes) -> None:
        raise RuntimeError("a fault of the parser")

    async with open_server(socket_class, ping_interval_seconds=NEVER) as (_, transport):
        async with await RawClient.connect(transport.url) as client:
            await greet(client)
            monkeypatch.setattr(socket_class, "_parse", fail)
            with caplog.at_level(logging.ERROR):
                client.write(text(LIST) * 2)
                assert await client.read_to_end() is None
        await wait_for_connections(transport, 0)
    (line,) = [record for record in caplog.records if record.name == "diskwars_server.connections.game_socket"]
    assert (line.getMessage(), vars(line)["why"]) == ("frames not parsed", "RuntimeError")


async def test_request_waits_for_commands_that_are_under_way(
    socket_class: type[GameSocket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_traffic, "LONGEST_WAIT_SECONDS", NEVER)
    async with (
        open_server(socket_class) as (server, transport),
        await RawClient.connect(transport.url) as asking,
        await RawClient.connect(transport.url) as acting,
    ):
        await greet(asking)
        await greet(acting)
        with server.matches.traffic.carry():
            asking.write(text(LIST))
            await wait_until(lambda: transport._slow_frames._is_held)
            acting.write(text(ACT))
            assert (await acting.read_message())["code"] == "not_watching"
            assert len(asking.messages()) == 1, "the welcome"
        assert (await asking.read_message())["type"] == "match_list"


async def test_request_of_a_client_that_left_while_it_waited_is_not_handled(
    socket_class: type[GameSocket], sockets: list[GameSocket], monkeypatch: pytest.MonkeyPatch
) -> None:
    received = list[str]()
    monkeypatch.setattr(command_traffic, "LONGEST_WAIT_SECONDS", NEVER)
    async with open_server(socket_class) as (server, transport):
        async with await RawClient.connect(transport.url) as client:
            await greet(client)
            monkeypatch.setattr(Session, "receive", lambda self, frame: received.append(str(frame)))
            with server.matches.traffic.carry():
                client.write(text(LIST))
                await wait_until(lambda: transport._slow_frames._is_held)
                await client.abort()
                await wait_until(lambda: sockets[0]._outbox is not None and sockets[0]._outbox.is_lost)
        await wait_for_connections(transport, 0)
    assert received == []


async def test_listeners_share_one_queue_and_its_refusals_count(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = list[str]()
    monkeypatch.setattr(entry_queue, "LoopLoad", BusyLoop)
    monkeypatch.setattr(entry_queue, "BUSY_BEGINNINGS", RateLimit(1, 3_600_000))
    monkeypatch.setattr(entry_queue, "MAX_WAITING_OF_ADDRESS", 0)
    monkeypatch.setattr(Metrics, "count_refused_connection", lambda self, code: counted.append(code))
    listeners = tuple(listener for _ in range(2) for listener in bind("127.0.0.1", 0))
    async with counting_addresses(FastGameSocket, listeners=listeners):
        async with asyncio.timeout(TIMEOUT_SECONDS):
            for listener, status in zip(listeners, (b"200", b"503"), strict=True):
                reader, writer = await asyncio.open_connection(*listener.getsockname())
                writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
                assert (await reader.read())[9:12] == status
                writer.close()
    assert counted == ["too_many_connections"]


async def test_command_is_under_way_until_it_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    commands, answer = list[int](), Game._answer

    def answer_and_note(self: Game, pending: PendingCommand, outcome: Accepted | Exception) -> None:
        commands.append(server.matches.traffic._commands)
        answer(self, pending, outcome)

    monkeypatch.setattr(Game, "_answer", answer_and_note)
    async with MemoryDatabase() as database:
        server = InMemoryServer(database)
        first, second = await server.connect_and_greet(), await server.connect_and_greet()
        await begin_match(first, second)
        assert server.matches.traffic._commands == 0
        await server.matches.close()
    assert set(commands) == {1}


@contextlib.asynccontextmanager
async def counting_addresses(socket_class: type[GameSocket], **options: Any) -> AsyncIterator[Transport]:
    """Provide a server that knows the addresses of its clients."""
    async with open_server(socket_class) as (_, unlimited):
        quotas = AddressQuotas(QuotaLimits(), ManualClock())
        context = replace(unlimited._context, quotas=quotas)
        listen = replace(unlimited._options, **options)
        async with Transport(context, unlimited._health, listen, socket_class) as transport:
            yield transport


async def test_addresses_wait_in_turn_for_what_is_no_act(
    socket_class: type[GameSocket], monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses, turn_of = list[str](), AddressLock.turn_of

    def note(self: AddressLock, address: str) -> contextlib.AbstractAsyncContextManager[None]:
        addresses.append(address)
        return turn_of(self, address)

    monkeypatch.setattr(AddressLock, "turn_of", note)
    async with counting_addresses(socket_class) as transport, await RawClient.connect(transport.url) as client:
        await greet(client)
        client.write(text(LIST))
        await client.read_message()
    assert addresses == ["127.0.0.1"] * 2


async def test_addresses_have_what_came_together_parsed_in_turn() -> None:
    queue, order = ParseQueue(), list[str]()

    class Parser:
        def __init__(self, address: str, pieces: int) -> None:
            self.address, self._pieces = address, pieces

        def parse_piece(self) -> None:
            order.append(self.address)
            self._pieces -= 1
            if self._pieces:
                queue.add(self)

    for parser in (Parser("flood", 2), Parser("flood", 1), Parser("flood", 1), Parser("player", 2)):
        queue.add(parser)
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while len(order) < 6:
            await asyncio.sleep(0)
    assert order == ["flood", "player", "flood", "player", "flood", "flood"]


# ---------------------------------------------------------------- more acts than may be unanswered


SENT_AT_ONCE = 24
"""As docs/protocol.md has it."""


def alternate_acts(match: MatchId) -> list[Act]:
    """Return acts of one player before the start, each of which is legal after those before it only."""
    # A seat that is left is asked for again, under the number of that record; record 1 opens the match.
    acts: list[Act] = []
    for number in range(1, SENT_AT_ONCE + 1):
        action = TakeSeat(HEAD, CountingLoadout("me")) if number % 2 else LeaveSeat()
        decision = DecisionId(f"{number}.0") if number % 2 else None
        acts.append(Act(f"act {number}", match, msgspec.Raw(msgspec.json.encode(action)), decision))
    return acts


async def test_acts_sent_at_once_are_taken_or_refused_as_busy_and_the_refused_are_taken_in_order_later(
    node: InMemoryServer, faulty_database: FaultyDatabase, socket_class: type[GameSocket]
) -> None:
    at_once = DEFAULT_CLIENT_LIMITS.commands_in_flight

    async def answers(client: RawClient, count: int) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        while len(found) < count:
            if (message := await client.read_message())["type"] in ("accepted", "refused"):
                found.append(message)
        return found

    async def health() -> HealthReport:
        return HealthReport("ok", "n1", "1", "ok", "1")

    async with (
        Transport(node.session_context, health, ListenOptions(close_timeout_seconds=0.2), socket_class) as transport,
        await RawClient.connect(transport.url) as client,
    ):
        await greet(client)
        client.write(text(encode(open_request())))
        while (message := await client.read_message())["type"] != "watching":
            pass
        acts = alternate_acts(MatchId(message["match"]))
        faulty_database.events.gate.clear()
        client.write(b"".join(text(encode(act)) for act in acts))
        refused = await answers(client, SENT_AT_ONCE - at_once)
        assert [(answer["type"], answer["code"], answer["id"]) for answer in refused] == [
            ("refused", "busy", act.id) for act in acts[at_once:]
        ]
        faulty_database.events.gate.set()
        accepted = await answers(client, at_once)
        assert [(answer["type"], answer["id"], answer["seq"]) for answer in accepted] == [
            ("accepted", act.id, seq) for seq, act in enumerate(acts[:at_once], 2)
        ]
        assert (await node.matches.find(acts[0].match)).head == 1 + at_once, "nothing was done of the others"
        await asyncio.sleep(max(answer["retry_after_ms"] for answer in refused) / 1000)
        client.write(b"".join(text(encode(act)) for act in acts[at_once:]))
        assert [(answer["type"], answer["id"], answer["seq"]) for answer in await answers(client, len(refused))] == [
            ("accepted", act.id, seq) for seq, act in enumerate(acts[at_once:], 2 + at_once)
        ]
