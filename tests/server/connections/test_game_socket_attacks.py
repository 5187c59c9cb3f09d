"""A connection that misbehaves is closed within its bounds, and the others do not notice."""

import asyncio
import contextlib
import gc
import itertools
import logging
import socket
import weakref
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest
from websockets.frames import CloseCode, Opcode
from websockets.utils import apply_mask

from bench.load.attackers import costly_act
from diskwars_protocol.connection.connection import ProtocolError, ServerConnection, check_client_frame, encode
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.messages.closing import CLOSE_CODES
from diskwars_protocol.messages.decisions import Act
from diskwars_protocol.messages.handshake import DEFAULT_CLIENT_LIMITS, ClientLimits, Hello, Welcome
from diskwars_protocol.messages.lists import ListMatches, MatchList
from diskwars_protocol.messages.watching import Watch
from diskwars_server.connections.fast_socket import FastGameSocket
from diskwars_server.connections.frame_meter import BYTES_PER_UNIT, CONTROL_FRAME_UNITS, is_costly, value_units
from diskwars_server.connections.game_socket import MAX_WAITING_FRAMES, PIECE_BYTES, GameSocket
from diskwars_server.connections.transport import ListenOptions, Transport
from diskwars_server.monitoring.health import HealthReport
from diskwars_server.session.session import MAX_QUERIES_AT_ONCE, Session, Waiting
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.in_memory_server import InMemoryServer, begin_match
from tests.server.raw_client import TIMEOUT_SECONDS, RawClient, masked, text

HELLO = text(encode(Hello((1,))))
LIST = encode(ListMatches("l")).decode()
BURST = DEFAULT_CLIENT_LIMITS.frame_burst
ALLOWED_PINGS = BURST // CONTROL_FRAME_UNITS
HARDLY_MORE_THAN_THE_BURST = msgspec.structs.replace(DEFAULT_CLIENT_LIMITS, frames_per_second=1)
"""Or a test would have to send faster than the burst grows back."""


@contextlib.asynccontextmanager
async def open_server(
    socket_class: type[GameSocket], limits: ClientLimits = DEFAULT_CLIENT_LIMITS, **options: Any
) -> AsyncIterator[tuple[InMemoryServer, Transport]]:
    async def health() -> HealthReport:
        return HealthReport("ok", "n1", "1", "ok", "1")

    async with MemoryDatabase() as database:
        server = InMemoryServer(database, limits=limits)
        listen = ListenOptions(**{"close_timeout_seconds": 0.2, **options})
        async with Transport(server.session_context, health, listen, socket_class) as transport:
            yield server, transport
        await server.matches.close()


async def wait_for_connections(transport: Transport, count: int) -> None:
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while transport.connections != count:
            await asyncio.sleep(0.01)


async def greet(client: RawClient) -> None:
    client.write(HELLO)
    assert (await client.read_message())["type"] == "welcome"


# ---------------------------------------------------------------- control frames


@pytest.mark.parametrize("opcode", [Opcode.PING, Opcode.PONG])
@pytest.mark.parametrize("is_greeted", [True, False], ids=["after hello", "before hello"])
async def test_control_frames_count_as_frames(socket_class: type[GameSocket], opcode: Opcode, is_greeted: bool) -> None:
    async with open_server(socket_class) as (_, transport), await RawClient.connect(transport.url) as client:
        if is_greeted:
            await greet(client)
        client.write(masked(opcode) * (20 * BURST))
        assert await client.read_to_end() == CLOSE_CODES["flood"]
        assert client.messages()[-1]["close_reason"] == "flood"
        assert client.count(Opcode.PONG) <= ALLOWED_PINGS


async def test_control_frames_in_one_piece_with_the_handshake_count_too(socket_class: type[GameSocket]) -> None:
    async with open_server(socket_class) as (_, transport):
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            async with await RawClient.connect(transport.url, behind=masked(Opcode.PING) * (4 * BURST)) as client:
                assert await client.read_to_end() in (None, CLOSE_CODES["flood"])
                assert client.count(Opcode.PONG) <= ALLOWED_PINGS
        await wait_for_connections(transport, 0)


async def test_empty_fragments_count_as_frames(socket_class: type[GameSocket]) -> None:
    async with open_server(socket_class) as (_, transport), await RawClient.connect(transport.url) as client:
        await greet(client)
        client.write(masked(Opcode.TEXT, fin=False) + masked(Opcode.CONT, fin=False) * (2 * BURST))
        assert await client.read_to_end() == CLOSE_CODES["flood"]


async def test_bytes_of_a_payload_are_no_frame(socket_class: type[GameSocket]) -> None:
    """Taken for an act, they would be executed before the message that they belong to, and count for nothing."""
    act = text(encode(Act("a", MatchId("m"), msgspec.Raw(b"{}"))))
    header = b"\x81\xfe" + (len(act) + 200).to_bytes(2, "big") + bytes(4)
    async with open_server(socket_class) as (_, transport), await RawClient.connect(transport.url) as client:
        await greet(client)
        client.write(text(LIST) + header)
        assert (await client.read_message())["type"] == "match_list"
        client.write(act)
        await asyncio.sleep(0.05)
        client.write(bytes(200))
        assert await client.read_to_end() == CloseCode.INVALID_DATA
        assert "refused" not in [message["type"] for message in client.messages()]


async def test_a_frame_of_endless_length_is_no_act(socket_class: type[GameSocket]) -> None:
    """Taken for an act, it would make the meter count all acts behind it as its payload."""
    act = encode(Act("a", MatchId("m"), msgspec.Raw(b"{}"))).ljust(127)
    mask = b"\x00\x00\x00\x01"
    async with open_server(socket_class) as (_, transport), await RawClient.connect(transport.url) as client:
        await greet(client)
        client.write(text(LIST))
        assert (await client.read_message())["type"] == "match_list"
        client.write(b"\x81\xff" + mask + apply_mask(act, mask))
        assert await client.read_to_end() == CloseCode.MESSAGE_TOO_BIG
        assert "refused" not in [message["type"] for message in client.messages()]


async def test_flood_is_read_in_small_pieces_until_its_client_knows_why_it_ends(
    socket_class: type[GameSocket], monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on_reading = list[bool]()
    receive = socket_class.data_received

    def receive_and_note(self: GameSocket, data: bytes) -> None:
        was_flooded = self._is_flooded
        receive(self, data)
        if was_flooded:
            goes_on_reading.append(self.transport.is_reading())

    monkeypatch.setattr(socket_class, "data_received", receive_and_note)
    async with open_server(socket_class, close_timeout_seconds=5) as (_, transport):
        async with await RawClient.connect(transport.url) as client:
            await greet(client)
            client.write(masked(Opcode.PING) * 200_000)
            assert await client.read_to_end() == CLOSE_CODES["flood"]
        await wait_for_connections(transport, 0)
    assert goes_on_reading
    assert not any(goes_on_reading)


async def test_a_client_at_the_allowed_rate_is_served(socket_class: type[GameSocket]) -> None:
    async with open_server(socket_class) as (_, transport), await RawClient.connect(transport.url) as client:
        await greet(client)
        for _ in range(ALLOWED_PINGS // 2):
            client.write(masked(Opcode.PING))
        fragments = [masked(Opcode.CONT, LIST[at : at + 1].encode(), fin=False) for at in range(1, len(LIST))]
        client.write(masked(Opcode.TEXT, LIST[:1].encode(), fin=False) + b"".join(fragments) + masked(Opcode.CONT))
        assert (await client.read_message())["type"] == "match_list"
        assert client.count(Opcode.PONG) == ALLOWED_PINGS // 2


async def test_pongs_that_nobody_reads_are_bounded(socket_class: type[GameSocket]) -> None:
    unlimited = msgspec.structs.replace(DEFAULT_CLIENT_LIMITS, frames_per_second=10**7, frame_burst=10**7)
    async with open_server(socket_class, unlimited, outbox_bytes=64 * 1024, stall_seconds=60) as (_, transport):
        async with await RawClient.connect(transport.url, receive_buffer=4096) as client:
            await greet(client)
            client.stop_reading()
            await client.write_until_closed(masked(Opcode.PING, b"x" * 125) * 200)
        await wait_for_connections(transport, 0)


# ---------------------------------------------------------------- clients that do not read


def shrink_send_buffers(transport: Transport) -> None:
    """Let little wait in the system, so that what is sent soon waits in the server."""
    (server,) = transport._servers
    for connection in server.connections:
        connection.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)


async def test_a_client_that_takes_nothing_of_what_waits_is_closed(socket_class: type[GameSocket]) -> None:
    roomy: dict[str, Any] = {"outbox_frames": 10**6, "outbox_bytes": 10**9}  # neither is what closes this client
    async with open_server(socket_class, stall_seconds=0.2, ping_interval_seconds=0.1, **roomy) as (server, transport):
        first, second = await server.connect_and_greet(), await server.connect_and_greet()
        match = await begin_match(first, second, rounds=400)
        async with await RawClient.connect(transport.url, receive_buffer=4096) as client:
            await greet(client)
            client.write(text(encode(Watch("w", match))))
            assert (await client.read_message())["type"] == "watching"
            shrink_send_buffers(transport)
            client.stop_reading()
            for _ in range(20):
                for seat, guest in enumerate((first, second)):
                    await guest.choose_number(match, seat, 1, note="x" * 8000)
            await wait_for_connections(transport, 0)


async def test_a_client_that_answers_no_ping_is_closed(socket_class: type[GameSocket]) -> None:
    async with (
        open_server(socket_class, ping_interval_seconds=0.1) as (_, transport),
        await RawClient.connect(transport.url) as client,
    ):
        await greet(client)
        client.stop_reading()
        await wait_for_connections(transport, 0)


# ---------------------------------------------------------------- frames that cost time


async def test_others_have_a_turn_between_frames_that_come_together(
    socket_class: type[GameSocket], monkeypatch: pytest.MonkeyPatch
) -> None:
    turns, handled_at = 0, list[int]()
    receive = Session.receive

    def count_turns() -> None:
        nonlocal turns
        turns += 1
        asyncio.get_running_loop().call_soon(count_turns)

    def receive_and_note(self: Session, frame: str | bytes) -> Waiting | None:
        handled_at.append(turns)
        return receive(self, frame)

    monkeypatch.setattr(Session, "receive", receive_and_note)
    act = text('{"type":"act","id":"1","match":"m","decision":"1.0","action":{}}')
    async with open_server(socket_class) as (_, transport), await RawClient.connect(transport.url) as client:
        await greet(client)
        asyncio.get_running_loop().call_soon(count_turns)
        handled_at.clear()
        client.write(act * 10)
        for _ in range(10):
            assert (await client.read_message())["code"] == "not_watching"
    assert len(handled_at) == 10
    assert all(before < after for before, after in itertools.pairwise(handled_at))


async def test_one_client_at_a_time_has_a_little_parsed_of_what_came_together(
    socket_class: type[GameSocket], monkeypatch: pytest.MonkeyPatch
) -> None:
    turns, parsed = 0, list[tuple[int, int]]()
    parse = socket_class._parse

    def count_turns() -> None:
        nonlocal turns
        turns += 1
        asyncio.get_running_loop().call_soon(count_turns)

    def parse_and_note(self: GameSocket, data: bytes) -> None:
        parsed.append((turns, len(data)))
        parse(self, data)

    async with open_server(socket_class) as (_, transport), contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(await RawClient.connect(transport.url)) for _ in range(4)]
        for client in clients:
            await greet(client)
        monkeypatch.setattr(socket_class, "_parse", parse_and_note)
        asyncio.get_running_loop().call_soon(count_turns)
        frames = text(LIST) * 100
        for client in clients:
            client.write(frames)
        for client in clients:
            for _ in range(100):
                assert (await client.read_message())["type"] in ("match_list", "refused")
    assert sum(size for _, size in parsed) == 4 * len(frames)
    together = [(turn, size) for turn, size in parsed if size > len(text(LIST))]
    assert max(size for _, size in together) == PIECE_BYTES
    assert len(together) >= 4
    assert len({turn for turn, _ in together}) == len(together)


@pytest.mark.parametrize("has_fragments", [False, True], ids=["messages", "fragments"])
async def test_nothing_more_is_parsed_while_frames_wait_to_be_taken(
    socket_class: type[GameSocket], has_fragments: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = masked(Opcode.TEXT, b"[", fin=False) if has_fragments else b""
    frame = masked(Opcode.CONT, fin=False) if has_fragments else text(LIST)
    is_free, sockets = asyncio.Event(), list[GameSocket]()
    receive, admit = Session.receive, socket_class.admit_in_turn

    async def wait() -> None:
        await is_free.wait()

    def receive_slowly(self: Session, frame: str | bytes) -> Waiting | None:
        return wait() if "slow" in str(frame) else receive(self, frame)

    async def admit_and_note(self: GameSocket, text: str | bytes) -> bool:
        sockets.append(self)
        return await admit(self, text)

    monkeypatch.setattr(Session, "receive", receive_slowly)
    monkeypatch.setattr(socket_class, "admit_in_turn", admit_and_note)
    async with open_server(socket_class) as (_, transport), await RawClient.connect(transport.url) as client:
        await greet(client)
        sockets.clear()
        client.write(text('{"type":"list_matches","id":"slow"}'))
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while not sockets:
                await asyncio.sleep(0.001)
            (stopped,) = sockets
            client.write(begin + frame * 300)
            while stopped.transport.is_reading():
                await asyncio.sleep(0.001)
            await asyncio.sleep(0.05)
            assert not stopped.transport.is_reading()
            assert len(stopped.recv_messages.frames) <= MAX_WAITING_FRAMES + PIECE_BYTES // len(frame)
            is_free.set()
            if has_fragments:
                client.write(masked(Opcode.CONT, b"]"))
                assert await client.read_to_end() == CLOSE_CODES["bad_frame"]
            else:
                for _ in range(300):
                    assert (await client.read_message())["type"] in ("match_list", "refused")


@pytest.mark.parametrize(
    "data",
    [b"", HELLO, HELLO + masked(Opcode.CLOSE), HELLO + text("{"), text(b"\xff"), masked(Opcode.PING) * 20 * BURST],
    ids=["nothing", "hello", "close", "bad message", "bad text", "flood"],
)
async def test_closed_connection_is_freed_without_a_search_for_garbage(
    data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    sockets = list["weakref.ref[FastGameSocket]"]()
    made = FastGameSocket.connection_made

    def note(self: FastGameSocket, transport: asyncio.BaseTransport) -> None:
        sockets.append(weakref.ref(self))
        made(self, transport)

    monkeypatch.setattr(FastGameSocket, "connection_made", note)
    gc.disable()
    try:
        async with open_server(FastGameSocket) as (_, transport):
            for _ in range(2):
                async with await RawClient.connect(transport.url) as client:
                    client.write(data)
                    await asyncio.sleep(0.01)
            await wait_for_connections(transport, 0)
            async with asyncio.timeout(TIMEOUT_SECONDS):
                while any(one() for one in sockets):
                    await asyncio.sleep(0.01)
    finally:
        gc.enable()
    assert len(sockets) == 2


async def test_large_frames_use_up_the_burst_sooner(socket_class: type[GameSocket]) -> None:
    act = '{"type":"act","id":"1","match":"m","decision":"1.0","action":{"note":"%s"}}' % ("x" * 15_000)
    async with (
        open_server(socket_class, HARDLY_MORE_THAN_THE_BURST) as (_, transport),
        await RawClient.connect(transport.url) as client,
    ):
        await greet(client)
        client.write(text(act) * (BURST // 10))
        assert await client.read_to_end() == CLOSE_CODES["flood"]
        assert sum(message["type"] == "refused" for message in client.messages()) <= BURST // 15


def test_costly_act_of_the_attack_suite_is_within_all_limits_of_a_frame() -> None:
    connection = ServerConnection()
    connection.receive('{"type":"hello","versions":[1]}')
    connection.send(Welcome(1, PlayerId("p"), "t", 0, (), DEFAULT_CLIENT_LIMITS))
    act = costly_act()
    assert isinstance(connection.receive(act.decode()), Act)
    assert is_costly(act)
    with pytest.raises(ProtocolError, match="512"):
        check_client_frame(act.replace(b"[{", b"[[],[],[],[],[],[],{", 1).decode(), DEFAULT_CLIENT_LIMITS)


async def test_frames_of_many_values_use_up_the_burst_sooner(socket_class: type[GameSocket]) -> None:
    act = costly_act()
    async with (
        open_server(socket_class, HARDLY_MORE_THAN_THE_BURST) as (_, transport),
        await RawClient.connect(transport.url) as client,
    ):
        await greet(client)
        for _ in range(BURST // 15):  # one after the other: a fast socket decodes what comes alone
            client.write(text(act))
            await asyncio.sleep(0)
        assert await client.read_to_end() == CLOSE_CODES["flood"]
        closing = client.messages()[-1]
        assert (closing["close_reason"], closing["retry_after_ms"] > 0) == ("flood", True)
        taken = sum(message["type"] == "refused" for message in client.messages())
        assert 0 < taken <= BURST // (value_units(act) + len(act) // BYTES_PER_UNIT)


async def test_one_client_at_a_time_is_served_what_is_no_act(
    socket_class: type[GameSocket], monkeypatch: pytest.MonkeyPatch
) -> None:
    turns, handled_at = 0, list[int]()
    receive = Session.receive

    def count_turns() -> None:
        nonlocal turns
        turns += 1
        asyncio.get_running_loop().call_soon(count_turns)

    def receive_and_note(self: Session, frame: str | bytes) -> Waiting | None:
        handled_at.append(turns)
        return receive(self, frame)

    async with open_server(socket_class) as (_, transport), contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(await RawClient.connect(transport.url)) for _ in range(8)]
        for client in clients:
            await greet(client)
        monkeypatch.setattr(Session, "receive", receive_and_note)
        asyncio.get_running_loop().call_soon(count_turns)
        for client in clients:
            client.write(text(LIST) * 3)
        for client in clients:
            for _ in range(3):
                assert (await client.read_message())["type"] == "match_list"
    assert len(handled_at) == 24
    assert all(before < after for before, after in itertools.pairwise(handled_at))


async def test_request_of_a_client_that_left_is_not_worked_on(
    socket_class: type[GameSocket], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_server(socket_class) as (server, transport):
        served, release, lists = asyncio.Semaphore(0), asyncio.Event(), list[str]()

        async def list_slowly(request: ListMatches, viewer: PlayerId) -> MatchList:
            lists.append(request.id)
            served.release()
            await release.wait()
            return MatchList(request.id, ())

        monkeypatch.setattr(server.session_context.requests.services.lists, "_read_page", list_slowly)
        async with contextlib.AsyncExitStack() as stack, asyncio.timeout(TIMEOUT_SECONDS):
            waiting = [
                await stack.enter_async_context(await RawClient.connect(transport.url))
                for _ in range(MAX_QUERIES_AT_ONCE)
            ]
            for client in waiting:
                await greet(client)
                client.write(text(LIST))
                await served.acquire()
            leaving = await stack.enter_async_context(await RawClient.connect(transport.url))
            await greet(leaving)
            leaving.write(text(encode(ListMatches("never"))))
            await asyncio.sleep(0.05)
            await leaving.abort()
            await asyncio.sleep(0.05)
            release.set()
            await wait_for_connections(transport, MAX_QUERIES_AT_ONCE)
            for client in waiting:
                assert (await client.read_message())["type"] == "match_list"
    assert lists == ["l"] * MAX_QUERIES_AT_ONCE, "and no more at the same time"


# ---------------------------------------------------------------- faults that are the client's


@pytest.mark.parametrize(
    "behind", [LIST, '{"type":"act","id":"1","match":"m","decision":"1.0","action":{}}', "nonsense"]
)
async def test_frames_behind_a_broken_one_are_passed_over_without_a_trace(
    socket_class: type[GameSocket], behind: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "diskwars_server")
    async with open_server(socket_class) as (_, transport), await RawClient.connect(transport.url) as client:
        await greet(client)
        client.write(text("nonsense") + text(behind) * 20)
        assert await client.read_to_end() == CLOSE_CODES["bad_frame"]
        assert [message["type"] for message in client.messages()] == ["welcome", "closing"]
    assert [record.message for record in caplog.records if record.name.startswith("diskwars_server.")] == []


@pytest.mark.parametrize("frame", ['{"a":1E400,"a":1}', '{"type":"hello","a":1E400,"a":1}', '{"a":' + "9" * 5000 + "}"])
async def test_numbers_that_no_decoder_takes_are_no_fault_of_the_server(
    socket_class: type[GameSocket], frame: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_server(socket_class) as (_, transport), await RawClient.connect(transport.url) as client:
        client.write(text(frame))
        assert await client.read_to_end() == CLOSE_CODES["bad_frame"]
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
