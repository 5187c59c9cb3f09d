"""What waits behind something slow is neither lost nor forgotten, and acts go before what is no act."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator

import msgspec
import pytest
from msgspec.structs import replace
from websockets.frames import Opcode

from diskwars_protocol import messages as m
from diskwars_protocol.connection import encode
from diskwars_protocol.match import MatchId
from diskwars_server import command_traffic
from diskwars_server.address_quotas import AddressQuotas, QuotaLimits
from diskwars_server.address_turns import AddressLock
from diskwars_server.fast_socket import FastGameSocket
from diskwars_server.game import Game
from diskwars_server.game_socket import MAX_WAITING_FRAMES, GameSocket
from diskwars_server.memory import MemoryDatabase
from diskwars_server.parse_queue import ParseQueue
from diskwars_server.session import Session, Waiting
from diskwars_server.transport import Transport
from tests.server.connections import InMemoryServer, ManualClock, begin_match
from tests.server.raw_client import TIMEOUT_SECONDS, RawClient, masked, text
from tests.server.test_attacks import LIST, greet, open_server, wait_for_connections

ACT = encode(m.Act("a", MatchId("m"), msgspec.Raw(b"{}"))).decode()
NEVER = 1000.0


@pytest.fixture
def is_free(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """What a frame waits for that has "slow" in it."""
    is_free, receive = asyncio.Event(), Session.receive

    async def wait() -> None:
        await is_free.wait()

    def receive_slowly(self: Session, frame: str | bytes) -> Waiting | None:
        return wait() if "slow" in str(frame) else receive(self, frame)

    monkeypatch.setattr(Session, "receive", receive_slowly)
    return is_free


async def test_ping_is_answered_while_requests_wait(socket_class: type[GameSocket], is_free: asyncio.Event) -> None:
    """As pongs are read: or a page whose requests wait for a database would be cut off by the keepalive."""
    async with open_server(socket_class) as (_, transport), await RawClient.connect(transport.url) as client:
        await greet(client)
        client.write(text('{"type":"list_matches","id":"slow"}'))
        await asyncio.sleep(0.02)
        client.write(text(LIST) * (MAX_WAITING_FRAMES - 2) + masked(Opcode.PING, b"?"))
        assert await client.read_frame() == (Opcode.PONG, b"?")
        is_free.set()
        for _ in range(MAX_WAITING_FRAMES - 2):
            assert (await client.read_message())["type"] == "match_list"


@pytest.mark.parametrize("end", [masked(Opcode.CLOSE), text(b"\xff"), b"\xff"], ids=["close", "bad text", "bad frame"])
async def test_frames_behind_the_end_of_a_connection_do_not_keep_it(socket_class: type[GameSocket], end: bytes) -> None:
    async with open_server(socket_class, ping_interval_seconds=NEVER, close_timeout_seconds=NEVER) as (_, transport):
        async with await RawClient.connect(transport.url) as client:
            await greet(client)
            client.write(end + text(LIST) * (2 * MAX_WAITING_FRAMES))
            await client.read_to_end()
            client.write(masked(Opcode.CLOSE))
        await wait_for_connections(transport, 0)
        assert transport.connections == 0


async def test_frames_that_come_with_the_end_of_the_stream_are_handled(monkeypatch: pytest.MonkeyPatch) -> None:
    """TLS reports both in one go."""
    sockets, received = list[GameSocket](), list[str]()
    made, receive = FastGameSocket.connection_made, Session.receive

    def note_socket(self: FastGameSocket, transport: asyncio.BaseTransport) -> None:
        sockets.append(self)
        made(self, transport)

    def note_frame(self: Session, frame: str | bytes) -> Waiting | None:
        received.append(str(frame))
        return receive(self, frame)

    monkeypatch.setattr(FastGameSocket, "connection_made", note_socket)
    async with open_server(FastGameSocket) as (_, transport), await RawClient.connect(transport.url) as client:
        await greet(client)
        monkeypatch.setattr(Session, "receive", note_frame)
        (served,) = sockets
        served.data_received(text(ACT) * 3)
        served.eof_received()
        served.transport.close()
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while len(received) < 3:
                await asyncio.sleep(0.001)
    assert received == [ACT] * 3


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
    (line,) = [record for record in caplog.records if record.name == "diskwars_server.game_socket"]
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
        with server.lobby.traffic.carry():
            asking.write(text(LIST))
            await asyncio.sleep(0.02)
            acting.write(text(ACT))
            assert (await acting.read_message())["code"] == "not_watching"
            assert len(asking.messages()) == 1, "the welcome"
        assert (await asking.read_message())["type"] == "match_list"


async def test_command_is_under_way_until_it_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    commands, answer = list[int](), Game._answer

    async def answer_and_note(self: Game, pending: object) -> None:
        commands.append(server.lobby.traffic._commands)
        await answer(self, pending)  # type: ignore[arg-type]

    monkeypatch.setattr(Game, "_answer", answer_and_note)
    async with MemoryDatabase() as database:
        server = InMemoryServer(database)
        first, second = await server.connect_and_greet(), await server.connect_and_greet()
        await begin_match(first, second)
        assert server.lobby.traffic._commands == 0
        await server.lobby.close()
    assert set(commands) == {1}


@contextlib.asynccontextmanager
async def counting_addresses(socket_class: type[GameSocket]) -> AsyncIterator[Transport]:
    """Provide a server that knows the addresses of its clients."""
    async with open_server(socket_class) as (_, unlimited):
        quotas = AddressQuotas(QuotaLimits(), ManualClock())
        context = replace(unlimited._context, quotas=quotas)
        async with Transport(context, unlimited._health, unlimited._options, socket_class) as transport:
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
