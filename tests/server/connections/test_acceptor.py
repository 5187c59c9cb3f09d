"""Connections are accepted a few at a time, and those that have no place cost next to nothing."""

import asyncio
import contextlib
import errno
import gc
import json
import logging
import socket
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator

import pytest

from bench.servers.measured_server import make_certificate
from diskwars_server.app import new_event_loop
from diskwars_server.connections import acceptor, entry_queue
from diskwars_server.connections.acceptor import ACCEPTS_AT_ONCE, Acceptor
from diskwars_server.connections.entry_queue import BeginConnection, EntryQueue
from diskwars_server.connections.listening import RECEIVE_BYTES, bind
from diskwars_server.limits import address_quotas
from diskwars_server.limits.address_quotas import (
    HANDSHAKE_BURST,
    HANDSHAKE_PERIOD_MS,
    AddressQuotas,
    QuotaLimits,
)
from diskwars_server.limits.entry_refusals import SERVER_FULL, TOO_MANY_CONNECTIONS, EntryRefusal, encode_refusal
from diskwars_server.limits.rate_limits import RateLimit
from tests.server.connections.test_entry_queue import BusyLoop
from tests.server.in_memory_server import TEST_TIMEOUT_SECONDS, ManualClock

CLIENTS = 3 * ACCEPTS_AT_ONCE
HOUR = 3600
PEER = ("203.0.113.9", 50_000)


def host_of(peer: object) -> str:
    return str(peer[0]) if isinstance(peer, tuple) else ""


class Greeter(asyncio.Protocol):
    """Says a word to whom it is connected with."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.write(b"welcome")
        transport.close()


class ExhaustedSocket(socket.socket):
    """Cannot accept for want of file descriptors, some times."""

    failures = 2

    def accept(self) -> tuple[socket.socket, object]:
        if self.failures:
            self.failures -= 1
            raise OSError(errno.EMFILE, "Too many open files")
        return super().accept()


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with ExhaustedSocket(socket.AF_INET, socket.SOCK_STREAM) as listening:
        listening.failures = 0
        listening.bind(("127.0.0.1", 0))
        yield listening


@pytest.fixture
async def clients(listener: socket.socket) -> AsyncIterator[Callable[[], "list[asyncio.Task[bytes]]"]]:
    """Begins connections that nobody has accepted yet, and reads each of them to its end."""
    tasks: list[asyncio.Task[bytes]] = []

    async def read(client: socket.socket) -> bytes:
        reader, writer = await asyncio.open_connection(sock=client)
        with contextlib.closing(writer):
            return await reader.read()

    def begin() -> list[asyncio.Task[bytes]]:
        for _ in range(CLIENTS):
            client = socket.create_connection(listener.getsockname(), timeout=TEST_TIMEOUT_SECONDS)
            client.setblocking(False)
            tasks.append(asyncio.create_task(read(client)))
        return tasks

    yield begin
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@contextlib.asynccontextmanager
async def serving(
    listener: socket.socket,
    find_refusal: Callable[[object], EntryRefusal | None] = lambda peer: None,
    connection: type[asyncio.Protocol] = Greeter,
    entry_queue: EntryQueue | None = None,
) -> AsyncIterator[Acceptor]:
    serving = Acceptor(
        listener,
        connection,
        host_of,
        find_refusal,
        lambda peer: None,
        certificate=None,
        tls_seconds=1,
        entry_queue=EntryQueue() if entry_queue is None else entry_queue,
    )
    await serving.start_serving()
    try:
        yield serving
    finally:
        serving.close()
        await serving.wait_closed()


async def turns(number: int) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


@pytest.mark.parametrize("refusal", [None, TOO_MANY_CONNECTIONS])
async def test_everything_else_has_a_turn_between_a_few_accepted_connections(
    refusal: EntryRefusal | None,
    listener: socket.socket,
    clients: Callable[[], "list[asyncio.Task[bytes]]"],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(acceptor, "REST_SECONDS", 0)
    turn, accepted = 0, Counter[int]()

    async def count_turns() -> None:
        nonlocal turn
        while True:
            turn += 1
            await asyncio.sleep(0)

    def find_refusal(peer: object) -> EntryRefusal | None:
        accepted[turn] += 1
        return refusal

    listener.listen(CLIENTS)
    answers = clients()
    counting = asyncio.create_task(count_turns())
    async with serving(listener, find_refusal), asyncio.timeout(TEST_TIMEOUT_SECONDS):
        bodies = set(await asyncio.gather(*answers))
    counting.cancel()
    assert len(bodies) == 1
    assert accepted.total() == CLIENTS
    assert max(accepted.values()) == ACCEPTS_AT_ONCE


async def test_acceptor_rests_after_it_has_turned_somebody_away(
    listener: socket.socket,
    clients: Callable[[], "list[asyncio.Task[bytes]]"],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(acceptor, "REST_SECONDS", HOUR)
    listener.listen(CLIENTS)
    answers = clients()
    async with serving(listener, lambda peer: SERVER_FULL) as resting:
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            while sum(answer.done() for answer in answers) < ACCEPTS_AT_ONCE:
                await asyncio.sleep(0.001)
        await turns(50)
        answered = [answer.result() for answer in answers if answer.done()]
        assert len(answered) == ACCEPTS_AT_ONCE
        head, _, body = answered[0].partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 503 ")
        assert json.loads(body)["code"] == "server_full"
        assert resting.is_serving()


class FullQueue(EntryQueue):
    """Has no room."""

    def enter(self, address: str, client: socket.socket, begin: BeginConnection) -> EntryRefusal | None:
        return SERVER_FULL if address == "127.0.0.1" else None


async def test_connection_for_which_there_is_no_room_to_wait_is_turned_away(
    listener: socket.socket, clients: Callable[[], "list[asyncio.Task[bytes]]"]
) -> None:
    listener.listen(CLIENTS)
    answers = clients()
    async with serving(listener, entry_queue=FullQueue()), asyncio.timeout(TEST_TIMEOUT_SECONDS):
        bodies = set(await asyncio.gather(*answers))
    assert bodies == {encode_refusal(SERVER_FULL)}


async def test_connections_that_wait_are_closed_with_the_acceptor(
    listener: socket.socket,
    clients: Callable[[], "list[asyncio.Task[bytes]]"],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(entry_queue, "LoopLoad", BusyLoop)
    monkeypatch.setattr(entry_queue, "BUSY_BEGINNINGS", RateLimit(1, 1000 * HOUR))
    monkeypatch.setattr(entry_queue, "BUSY_PAUSE_SECONDS", HOUR)
    listener.listen(CLIENTS)
    answers = clients()
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
        async with serving(listener, entry_queue=(waiting := EntryQueue())):
            while len(waiting) < CLIENTS - 1:
                await asyncio.sleep(0.001)
        assert Counter(await asyncio.gather(*answers)) == {b"welcome": 1, b"": CLIENTS - 1}


async def test_connections_wait_while_no_file_descriptor_is_left(
    listener: ExhaustedSocket,
    clients: Callable[[], "list[asyncio.Task[bytes]]"],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(acceptor, "EXHAUSTED_SECONDS", 0.001)
    listener.failures = 2
    listener.listen(CLIENTS)
    answers = clients()
    with caplog.at_level(logging.ERROR):
        async with serving(listener), asyncio.timeout(TEST_TIMEOUT_SECONDS):
            assert set(await asyncio.gather(*answers)) == {b"welcome"}
    lines = [one for one in caplog.records if one.name == "diskwars_server.connections.acceptor"]
    assert [(one.getMessage(), "Too many open files" in vars(one)["why"]) for one in lines] == [
        ("connections not accepted for a while", True)
    ] * 2


async def test_closed_acceptor_accepts_nobody_and_connections_that_have_begun_go_on(listener: socket.socket) -> None:
    place = listener.getsockname()
    async with serving(listener) as closing:
        assert closing.sockets == (listener,)
        reader, writer = await asyncio.open_connection(*place)
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            assert await reader.read() == b"welcome"
        writer.close()
        closing.close()
        assert not closing.is_serving()
        assert listener.fileno() == -1
        closing.close()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection(*place)


@pytest.mark.parametrize("make_loop", [asyncio.new_event_loop, new_event_loop])
def test_small_frames_are_sent_without_delay_and_little_is_kept_of_what_comes(
    make_loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    class Asking(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            sock = transport.get_extra_info("socket")
            answer.append(sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            kept.append(sock.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF))
            transport.close()

    answer: list[int] = []
    kept: list[int] = []

    async def run() -> None:
        (listening,) = bind("127.0.0.1", 0)
        async with serving(listening, connection=Asking), asyncio.timeout(TEST_TIMEOUT_SECONDS):
            reader, writer = await asyncio.open_connection(*listening.getsockname())
            await reader.read()
            writer.close()

    with asyncio.Runner(loop_factory=make_loop) as runner:
        runner.run(run())
    assert answer == [1]
    assert RECEIVE_BYTES <= kept[0] <= 2 * RECEIVE_BYTES, "Linux doubles it"


def test_connection_that_is_turned_away_counts_as_begun() -> None:
    """A client that goes on while its address is full would otherwise be answered for ever."""
    clock = ManualClock()
    quotas = AddressQuotas(QuotaLimits(connections=2), clock)
    for _ in range(2):
        assert quotas.find_refusal(PEER) is None
        assert quotas.admit_handshake(PEER[0])
        assert quotas.admit_connection(PEER[0])
    for _ in range(HANDSHAKE_BURST - 2):
        assert quotas.find_refusal(PEER) is TOO_MANY_CONNECTIONS
    quotas.release_connection(PEER[0])
    assert not quotas.is_full(PEER[0])
    assert quotas.find_refusal(PEER) is TOO_MANY_CONNECTIONS, "it has begun too many"
    assert quotas.find_refusal(("203.0.113.10", 1)) is None, "others have not"
    clock.now += HANDSHAKE_PERIOD_MS
    assert quotas.find_refusal(PEER) is None


def test_nobody_is_taken_when_all_sockets_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address_quotas, "SPARE_SOCKETS", 1)
    quotas = AddressQuotas(QuotaLimits(max_sockets=1), ManualClock())
    for _ in range(2):
        assert quotas.find_refusal(PEER) is None
        assert quotas.admit_socket()
    assert quotas.find_refusal(PEER) is SERVER_FULL
    quotas.release_socket()
    assert quotas.find_refusal(PEER) is None


def test_clients_of_a_proxy_are_counted_by_their_requests() -> None:
    quotas = AddressQuotas(QuotaLimits(connections=1, proxies=(PEER[0],)), ManualClock())
    assert quotas.admit_connection(PEER[0])
    assert quotas.find_refusal(PEER) is None


async def test_acceptor_rests_after_each_connection_that_agrees_on_tls(
    listener: socket.socket,
    clients: Callable[[], "list[asyncio.Task[bytes]]"],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(acceptor, "TLS_REST_SECONDS", HOUR)
    admitted: list[object] = []

    def admit_tls(peer: object) -> Callable[[], None]:
        admitted.append(peer)
        return lambda: None

    listener.listen(CLIENTS)
    clients()
    serving = Acceptor(listener, Greeter, host_of, lambda peer: None, admit_tls, make_certificate(), 0.01, EntryQueue())
    await serving.start_serving()
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
        while not admitted:
            await asyncio.sleep(0)
        await turns(100)
        assert len(admitted) == 1
        serving.close()
        await serving.wait_closed()


def test_address_agrees_on_tls_half_as_often_at_a_time_as_it_may_have_connections() -> None:
    quotas = AddressQuotas(QuotaLimits(connections=4), ManualClock())
    first, second = quotas.admit_tls(PEER), quotas.admit_tls(PEER)
    assert first is not None
    assert second is not None
    assert quotas.admit_tls(PEER) is None
    assert quotas.admit_tls(("203.0.113.10", 1)) is not None, "others may"
    first()
    assert quotas.admit_tls(PEER) is not None


def test_address_that_begins_too_many_does_not_get_to_agree_on_tls() -> None:
    """Agreeing takes the server a hundred times as long as closing at once."""
    clock = ManualClock()
    quotas = AddressQuotas(QuotaLimits(connections=2), clock)
    for _ in range(HANDSHAKE_BURST):
        end_tls = quotas.admit_tls(PEER)
        assert end_tls is not None
        end_tls()
        assert quotas.admit_handshake(PEER[0])
    assert quotas.admit_tls(PEER) is None
    clock.now += HANDSHAKE_PERIOD_MS
    assert quotas.admit_tls(PEER) is not None


def test_all_addresses_together_agree_on_tls_half_as_often_at_a_time_as_there_are_sockets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(address_quotas, "SPARE_SOCKETS", 1)
    quotas = AddressQuotas(QuotaLimits(max_sockets=5, connections=100), ManualClock())
    ends = [quotas.admit_tls((f"203.0.113.{number}", 1)) for number in range(4)]
    assert [end is None for end in ends] == [False, False, False, True]
    assert ends[0] is not None
    ends[0]()
    assert quotas.admit_tls(PEER) is not None


async def test_fault_in_a_connection_that_begins_does_not_keep_the_acceptor_open(listener: socket.socket) -> None:
    def fail() -> asyncio.Protocol:
        raise RuntimeError("no connection is made")

    faults: list[object] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: faults.append(context.get("exception")))
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
        failing = Acceptor(listener, fail, host_of, lambda peer: None, lambda peer: None, None, 1, EntryQueue())
        await failing.start_serving()
        with socket.create_connection(listener.getsockname(), timeout=TEST_TIMEOUT_SECONDS):
            while not failing._beginnings:
                await asyncio.sleep(0)
            failing.close()
            await failing.wait_closed()
    gc.collect()
    assert [type(fault) for fault in faults] == [RuntimeError]
