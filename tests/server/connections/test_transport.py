"""Frames over real sockets, and sockets closed with the right reason."""

import asyncio
import contextlib
import http.client
import json
import socket
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from msgspec import Raw
from msgspec.json import encode as as_json
from websockets.asyncio.client import ClientConnection as Socket
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin

from diskwars_protocol.connection.client_connection import ClientConnection, ReceivedMessage
from diskwars_protocol.connection.connection import encode
from diskwars_protocol.match.actions import Ready, TakeSeat
from diskwars_protocol.match.ids import DecisionId, MatchId
from diskwars_protocol.messages.closing import CLOSE_CODES, Closing
from diskwars_protocol.messages.decisions import Accepted, Act
from diskwars_protocol.messages.handshake import DEFAULT_CLIENT_LIMITS, Hello, Welcome
from diskwars_protocol.messages.lists import ListMatches, MatchList
from diskwars_protocol.messages.opening import Opened, OpenMatch
from diskwars_protocol.messages.watching import Watch
from diskwars_server.connections import transport as transport_module
from diskwars_server.connections.fast_socket import FastGameSocket
from diskwars_server.connections.game_socket import GameSocket
from diskwars_server.connections.transport import ListenOptions, Transport
from diskwars_server.monitoring.health import HealthReport
from tests.rows import each_row
from tests.server.counting_ruleset import ChooseNumber, CountingLoadout
from tests.server.faulty_database import FaultyDatabase
from tests.server.in_memory_server import HEAD, TEST_TIMEOUT_SECONDS, InMemoryClient, InMemoryServer, begin_match

HELLO = encode(Hello((1,))).decode()


@pytest.fixture(params=[GameSocket, FastGameSocket], autouse=True)
def socket_class(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test of this file runs over the public API of the library, and over the short cuts."""
    monkeypatch.setattr(transport_module, "choose_socket_class", lambda: request.param)


async def has_no_errors() -> HealthReport:
    return HealthReport("ok", "n1", "1.2.3", "ok", "0001")


@contextlib.asynccontextmanager
async def serving(node: InMemoryServer, **doors: Any) -> AsyncIterator[Transport]:
    options = ListenOptions(**{"close_timeout_seconds": 1, **doors})
    async with Transport(node.session_context, has_no_errors, options) as transport:
        yield transport


@pytest.fixture
async def url(node: InMemoryServer) -> AsyncIterator[str]:
    async with serving(node) as transport:
        yield transport.url


class SocketClient:
    """A client on a real socket."""

    def __init__(self, socket: Socket) -> None:
        self.socket = socket
        self.connection = ClientConnection("test")
        self.heard: list[ReceivedMessage] = []
        self._ids = iter(range(10_000))

    async def next(self) -> ReceivedMessage:
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            heard = self.connection.receive(await self.socket.recv())
        assert heard is not None
        self.heard.append(heard)
        return heard

    async def greet(self) -> None:
        await self.socket.send(self.connection.send_hello(), text=True)
        assert isinstance(await self.next(), Welcome)
        for frame in self.connection.resend_unanswered():
            await self.socket.send(frame, text=True)

    async def ask(self, message: Any) -> ReceivedMessage:
        await self.socket.send(self.connection.send(message), text=True)
        while getattr(heard := await self.next(), "id", None) != message.id:
            pass
        return heard

    async def act(self, match: MatchId, decision: str, action: Any) -> ReceivedMessage:
        id = f"{next(self._ids)} {self.connection.player}"
        return await self.ask(Act(id, match, Raw(as_json(action)), DecisionId(decision)))


@contextlib.asynccontextmanager
async def open_client(url: str, **options: Any) -> AsyncIterator[SocketClient]:
    async with connect(url, compression=None, max_size=None, **options) as socket:
        caller = SocketClient(socket)
        await caller.greet()
        yield caller


async def close_code(socket: Socket) -> tuple[int | None, list[Closing]]:
    """Return the close code, and what was sent before it."""
    closings = []
    try:
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            while True:
                message = json.loads(await socket.recv())
                if message["type"] == "closing":
                    closings.append(Closing(message["code"], message["close_reason"], message["text"]))
    except ConnectionClosed:
        return socket.close_code, closings


# ---------------------------------------------------------------- playing


async def test_two_callers_play_a_whole_match_over_sockets(node: InMemoryServer, url: str) -> None:
    async with open_client(url) as first, open_client(url) as second:
        opened = await first.ask(OpenMatch("o", "counting", 2, Raw(b'{"rounds":3}')))
        assert isinstance(opened, Opened)
        match = opened.match
        await second.ask(Watch("w", match))
        for action in (
            TakeSeat(HEAD, CountingLoadout("me", 5)),
            Ready(),
            *(ChooseNumber(number) for number in (4, 1, 6)),
        ):
            for seat, caller in enumerate((first, second)):
                decisions = (await node.state(match)).decisions
                decision = next(decision.id for decision in decisions if decision.seat == seat)
                assert isinstance(await caller.act(match, decision, action), Accepted)
        assert (await node.state(match)).status == "ended"
        head = (await node.matches.find(match)).head
        for caller in (first, second):
            while (known := caller.connection.head(match)) is None or known.seq < head:
                await caller.next()
            stored = await node.database.events.read(match)
            assert known.hash == stored[-1].hash.hex()


def no_act(id: str, match: str) -> str:
    """Return an act that answers no decision, spelled as clients spell it."""
    return encode(Act(id, MatchId(match), Raw(b"{}"), DecisionId("0.0"))).decode()


async def answers(caller: SocketClient, ids: int) -> list[str]:
    return [getattr(await caller.next(), "id", "") for _ in range(ids)]


async def test_acts_and_questions_of_one_connection_are_answered_in_the_order_in_which_they_came(url: str) -> None:
    async with open_client(url) as caller:
        for number in range(0, 6, 2):
            caller.connection.send(request := ListMatches(str(number)))
            act = Act(str(number + 1), MatchId("x"), Raw(b"{}"), DecisionId("0.0"))
            await caller.socket.send(encode(request), text=True)
            await caller.socket.send(caller.connection.send(act), text=True)
        assert await answers(caller, 6) == ["0", "1", "2", "3", "4", "5"]


async def test_act_in_pieces_or_in_another_spelling_is_handled_in_its_turn(url: str) -> None:
    async with open_client(url) as caller:
        for id in "123":
            caller.connection.send(Act(id, MatchId("x"), Raw(b"{}"), DecisionId("0.0")))
        whole = no_act("1", "x")
        await caller.socket.send([whole[:20], whole[20:30], whole[30:]])
        await caller.socket.send(json.dumps(json.loads(no_act("2", "x"))))
        await caller.socket.send(no_act("3", "x"))
        assert await answers(caller, 3) == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (b'{"type":"act","id":"\xff"}', 1007),
        (b'{"type":"act",', CLOSE_CODES["bad_frame"]),
        (b'{"type":"act","id":1}', CLOSE_CODES["bad_frame"]),
    ],
)
async def test_frame_that_only_begins_like_an_act_is_closed_like_any_other(url: str, frame: bytes, code: int) -> None:
    async with open_client(url) as caller:
        await caller.socket.send(frame, text=True)
        await caller.socket.send(no_act("1", "x"))
        assert (await close_code(caller.socket))[0] == code


async def test_a_socket_that_drops_loses_nothing_that_was_asked(
    node: InMemoryServer, url: str, faulty_database: FaultyDatabase
) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    head = (await node.matches.find(match)).head
    caller = SocketClient(await connect(url, compression=None))
    caller.connection.token = first.token
    await caller.greet()
    await caller.ask(Watch("w", match))
    faulty_database.events.gate.clear()
    act = Act("mine", match, Raw(as_json(ChooseNumber(3))), await first.decision(match, 0))
    await caller.socket.send(caller.connection.send(act), text=True)
    await faulty_database.events.waiting.wait()
    caller.socket.transport.abort()
    await caller.socket.wait_closed()
    faulty_database.events.gate.set()
    caller.connection.connection_lost()
    async with connect(url, compression=None) as caller.socket:
        await caller.greet()
        while not isinstance(heard := await caller.next(), Accepted):
            pass
        assert (heard.id, heard.seq) == ("mine", head + 1)
        known = caller.connection.head(match)
        assert known is not None
        assert known.seq == heard.seq


# ---------------------------------------------------------------- what closes a socket


@pytest.mark.parametrize(
    ("frame", "code", "word"),
    [
        ("nonsense", 4001, "bad_frame"),
        (b"{}", 1003, "binary"),
        ("x" * (DEFAULT_CLIENT_LIMITS.frame_bytes + 1), 1009, "too_big"),
        (HELLO, 4000, "protocol"),
    ],
)
async def test_a_broken_conversation_is_closed_with_its_code(
    url: str, frame: str | bytes, code: int, word: str
) -> None:
    async with connect(url) as socket:
        await socket.send(HELLO)
        await socket.recv()
        await socket.send(frame)
        found, said = await close_code(socket)
        assert (found, [closing.close_reason for closing in said]) == (code, [word])
        assert said[0].code == code


async def test_a_frame_far_too_big_is_not_even_read(url: str) -> None:
    async with connect(url) as socket:
        await socket.send("x" * (2 * DEFAULT_CLIENT_LIMITS.frame_bytes + 1))
        assert (await close_code(socket))[0] == 1009


async def test_connection_without_hello_in_time_is_closed(node: InMemoryServer) -> None:
    async with serving(node, hello_timeout_seconds=0.05) as transport, connect(transport.url) as socket:
        code, said = await close_code(socket)
        assert (code, said[0].close_reason) == (4003, "hello_expected")


async def test_a_match_is_not_watched_any_more_when_the_socket_is_gone(node: InMemoryServer) -> None:
    first = await node.connect_and_greet()
    match = await first.open_match()
    first.session.close()
    async with serving(node) as transport, open_client(transport.url) as caller:
        await caller.ask(Watch("w", match))
        assert not (await node.matches.find(match)).is_idle
    assert (await node.matches.find(match)).is_idle


async def test_a_flood_is_closed(node: InMemoryServer, url: str) -> None:
    async with connect(url) as socket:
        await socket.send(HELLO)
        with contextlib.suppress(ConnectionClosed):
            for number in range(DEFAULT_CLIENT_LIMITS.frame_burst * 2):
                await socket.send(f'{{"type":"list_matches","id":"{number}"}}')
        code, said = await close_code(socket)
        assert (code, said[-1].close_reason) == (4006, "flood")
    async with open_client(url) as other:
        assert isinstance(await other.ask(ListMatches("l")), MatchList)


async def test_one_who_stops_reading_is_closed_and_nobody_else_notices(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second, rounds=1000)
    async with serving(node, outbox_frames=8, close_timeout_seconds=0.05) as transport:
        with socket.socket() as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            address = urlsplit(transport.url)
            deaf.connect((address.hostname, address.port))
            deaf.setblocking(False)
            # Nothing is read by this one once it watches.
            stuck = await connect(transport.url, sock=deaf, compression=None, max_queue=1)
            await stuck.send(HELLO)
            await stuck.send(encode(Watch("w", match, (await node.matches.find(match)).head)), text=True)
            stuck.transport.pause_reading()
            async with open_client(transport.url) as watcher:
                await watcher.ask(Watch("w", match, 0))
                await until_one_is_left(transport, first, second, match, watcher)
                assert isinstance(await watcher.ask(ListMatches("l")), MatchList)
            # It is cut off, not waited for: the server can end.
            async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
                await transport.close()
            assert transport.connections == 0
            stuck.transport.abort()
            await stuck.wait_closed()


async def until_one_is_left(
    transport: Transport, first: InMemoryClient, second: InMemoryClient, match: MatchId, watcher: SocketClient
) -> None:
    """Play on with long notes until the server has only one connection left."""
    game = await first.node.matches.find(match)
    for _ in range(900):
        for seat, guest in enumerate((first, second)):
            await guest.choose_number(match, seat, 1, note="x" * 8000)
            while (known := watcher.connection.head(match)) is None or known.seq < game.head:
                await watcher.next()
        if transport.connections == 1:
            return
    raise AssertionError("the deaf one is still watched for")


async def test_shutdown_notice_follows_everything_sent_before(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    async with serving(node) as transport:
        socket = await connect(transport.url)
        await socket.send(HELLO)
        await socket.recv()
        await socket.send(encode(Watch("w", match)), text=True)
        assert json.loads(await socket.recv())["type"] == "watching"
        await first.choose_number(match, 0, 3)
    sent = []
    with contextlib.suppress(ConnectionClosed):
        while True:
            sent.append(json.loads(await socket.recv()))
    assert socket.close_code == 1012
    assert (sent[-1]["type"], sent[-1]["close_reason"]) == ("closing", "restarting")
    assert sent[-1]["retry_after_ms"] > 0
    assert sent[-2]["records"][-1]["seq"] == (await node.matches.find(match)).head


async def test_draining_server_lets_nobody_in_and_opens_nothing_while_matches_go_on(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    async with serving(node) as transport:
        socket = await connect(transport.url)
        await socket.send(HELLO)
        await socket.recv()
        status, _, body = await asyncio.to_thread(fetch, transport.url, "/readyz")
        assert (status, json.loads(body)["status"]) == (200, "ok")
        transport.drain()
        status, _, body = await asyncio.to_thread(fetch, transport.url, "/readyz")
        assert (status, json.loads(body)["status"]) == (503, "draining")
        assert (await asyncio.to_thread(fetch, transport.url, "/healthz"))[0] == 200
        with pytest.raises(InvalidStatus, match="503") as refused_connection:
            await connect(transport.url)
        assert refused_connection.value.response.headers["Retry-After"] == "1"
        why = refused_connection.value.response.body
        assert json.loads(why or b"") == {"code": "restarting", "retry_after_ms": 1000}
        await socket.send(encode(OpenMatch("o", "counting", 2, Raw(b"{}"))), text=True)
        refused = json.loads(await socket.recv())
        assert (refused["code"], refused["retry_after_ms"]) == ("unavailable", 1000)
        await first.choose_number(match, 0, 3)


REFUSED_FRAMES = ('{"type":"x"}', '{"type":"hello","versions":[1],"token":"forged"}', '{"type":"hello","versions":[9]}')


@each_row("frame", REFUSED_FRAMES)
async def test_library_that_reconnects_by_itself_waits_for_its_refused_connection(
    node: InMemoryServer, frame: str
) -> None:
    """`websockets` goes on at once after each handshake that succeeded, as often as it is hung up on."""
    pause, clock, attempts = 0.2, asyncio.get_running_loop().time, 0
    async with serving(node, refusal_pause_seconds=pause) as transport:
        begun = clock()
        async for refused in connect(transport.url):  # its own loop
            attempts += 1
            await refused.send(frame)
            assert json.loads(await refused.recv())["type"] == "closing", "the reason comes at once"
            if attempts == 3:
                break
            await refused.wait_closed()
        assert clock() - begun >= 2 * pause


async def test_refused_client_that_closes_by_itself_is_not_held_up(node: InMemoryServer) -> None:
    async with (
        asyncio.timeout(TEST_TIMEOUT_SECONDS),
        serving(node, refusal_pause_seconds=1000 * TEST_TIMEOUT_SECONDS) as transport,
        connect(transport.url) as refused,
    ):
        await refused.send(REFUSED_FRAMES[0])
        assert json.loads(await refused.recv())["close_reason"] == "hello_expected"


async def test_clients_of_a_server_that_ends_reconnect_one_after_another(node: InMemoryServer) -> None:
    async with serving(node) as transport:
        sockets = [await connect(transport.url) for _ in range(3)]
        for one in sockets:
            await one.send(HELLO)
            await one.recv()
    waits = [json.loads(await one.recv())["retry_after_ms"] for one in sockets]
    assert len(set(waits)) == 3
    assert max(waits) <= transport_module.LAST_RETURN_MS


# ---------------------------------------------------------------- HTTP


def fetch(url: str, path: str, **headers: str) -> tuple[int, str | None, str]:
    address = urlsplit(url)
    asking = http.client.HTTPConnection(str(address.hostname), address.port, timeout=TEST_TIMEOUT_SECONDS)
    try:
        asking.request("GET", path, headers=headers)
        answer = asking.getresponse()
        return answer.status, answer.headers["Content-Type"], answer.read().decode()
    finally:
        asking.close()


async def test_health_says_that_the_server_is_up(url: str) -> None:
    status, kind, body = await asyncio.to_thread(fetch, url, "/healthz")
    assert (status, kind) == (200, "application/json")
    assert json.loads(body) == {
        "status": "ok",
        "node": "n1",
        "version": "1.2.3",
        "database": "ok",
        "schema": "0001",
        "bus": "none",
    }


async def test_health_says_that_the_store_is_out_of_reach(node: InMemoryServer) -> None:
    async def unavailable() -> HealthReport:
        return HealthReport("unavailable", "n1", "1.2.3", "unavailable", "0001")

    async with Transport(node.session_context, unavailable, ListenOptions()) as transport:
        status, _, body = await asyncio.to_thread(fetch, transport.url, "/healthz?now")
        assert (status, json.loads(body)["status"]) == (503, "unavailable")


async def test_nothing_else_is_found(url: str) -> None:
    status, _, body = await asyncio.to_thread(fetch, url, "/")
    assert (status, "/ws" in body) == (404, True)


async def test_plain_request_for_the_socket_is_asked_to_upgrade(url: str) -> None:
    assert (await asyncio.to_thread(fetch, url, "/ws"))[0] == 426


async def test_pages_of_other_origins_stay_out_when_origins_are_named(node: InMemoryServer) -> None:
    async with serving(node, origins=("https://good.example",)) as transport:
        async with open_client(transport.url, origin=Origin("https://good.example")):
            pass
        async with open_client(transport.url):
            pass
        with pytest.raises(InvalidStatus) as refused:
            await connect(transport.url, origin=Origin("https://evil.example"))
        assert refused.value.response.status_code == 403


async def test_number_of_connections_is_limited(node: InMemoryServer) -> None:
    async with serving(node, max_connections=2) as transport, open_client(transport.url), open_client(transport.url):
        with pytest.raises(InvalidStatus) as refused:
            await connect(transport.url)
        assert refused.value.response.status_code == 503
        assert refused.value.response.headers["Retry-After"] == "5"
        assert json.loads(refused.value.response.body or b"") == {"code": "server_full", "retry_after_ms": 5000}
        assert (await asyncio.to_thread(fetch, transport.url, "/healthz"))[0] == 200


async def test_a_port_that_is_taken_is_an_error_at_once(node: InMemoryServer, url: str) -> None:
    with pytest.raises(OSError, match="in use"):
        async with serving(node, port=urlsplit(url).port):
            pass
