"""While the event loop is busy connections begin one after another, the addresses in turn."""

import asyncio
import contextlib
import json
import socket
import struct
from collections.abc import AsyncIterator
from typing import Any

import pytest

from diskwars_server.connections import entry_queue
from diskwars_server.connections.entry_queue import BUSY_LOAD, PAUSE_SECONDS, EntryQueue
from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.limits.rate_limits import RateLimit
from tests.server.in_memory_server import TEST_TIMEOUT_SECONDS

HOUR = 3600


class BusyLoop:
    """A loop that is always as busy."""

    def __init__(self, read_thread: object = None) -> None:
        self.share = 1.0

    def measure(self) -> float:
        return self.share

    def close(self) -> None: ...


@pytest.fixture(autouse=True)
def load(monkeypatch: pytest.MonkeyPatch) -> BusyLoop:
    """The loop is busy, one connection begins at once, and the others after an hour."""
    load = BusyLoop()
    monkeypatch.setattr(entry_queue, "LoopLoad", lambda read_thread: load)
    monkeypatch.setattr(entry_queue, "BUSY_BEGINNINGS", RateLimit(1, 1000 * HOUR))
    monkeypatch.setattr(entry_queue, "BUSY_PAUSE_SECONDS", HOUR)
    return load


class Connections:
    """Clients that are connected and have not begun; `begun` are the addresses of those that have."""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        self._stack = stack
        self.noted: list[str] = []
        self.queue = EntryQueue(self.noted.append)
        self.begun: list[str] = []
        self.refused: list[str] = []
        self.accepted: list[socket.socket] = []

    def enter(self, *addresses: str) -> list[socket.socket]:
        """Return the clients' ends."""
        return [self._enter(address) for address in addresses]

    def _enter(self, address: str) -> socket.socket:
        client, accepted = (self._stack.enter_context(end) for end in socket.socketpair())
        for end in (client, accepted):
            end.setblocking(False)
        self.accepted.append(accepted)
        refusal = self.queue.enter(address, accepted, lambda _: self.begun.append(address))
        if refusal is not None:
            self.refused.append(refusal.code)
        return client

    async def have_begun(self, count: int) -> list[str]:
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            while len(self.begun) < count:
                await asyncio.sleep(0.001)
        return self.begun


@pytest.fixture
async def connections() -> AsyncIterator[Connections]:
    with contextlib.ExitStack() as stack:
        connections = Connections(stack)
        yield connections
        connections.queue.close()


def code_of(answer: bytes) -> str:
    return str(json.loads(answer.partition(b"\r\n\r\n")[2])["code"])


async def test_connections_begin_at_once_while_the_loop_is_not_busy(connections: Connections, load: BusyLoop) -> None:
    load.share = BUSY_LOAD - 0.01
    connections.enter(*"aaa")
    assert connections.begun == ["a"] * 3
    load.share = BUSY_LOAD
    connections.enter(*"aaa")
    assert connections.begun == ["a"] * 4, "a busy one has a few at once"
    assert len(connections.queue) == 2


async def test_addresses_take_turns(connections: Connections, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry_queue, "BUSY_PAUSE_SECONDS", 0.001)
    connections.enter(*"faaaabc")
    assert await connections.have_begun(7) == [*"fabcaaa"]
    assert not connections.queue


async def test_newcomers_do_not_overtake_those_who_wait_and_all_have_one_timer(
    connections: Connections, load: BusyLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun_later = list[float]()
    call_later = connections.queue._loop.call_later

    def note(delay: float, *arguments: Any) -> asyncio.TimerHandle:
        begun_later.append(delay)
        return call_later(delay, *arguments)

    monkeypatch.setattr(connections.queue._loop, "call_later", note)
    connections.enter(*"abc")
    load.share = 0.0
    connections.enter("d")
    assert connections.begun == ["a"]
    assert begun_later == [HOUR], "a busy loop begins them slowly"


async def test_those_who_wait_begin_sooner_once_the_loop_is_not_busy(
    connections: Connections, load: BusyLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert PAUSE_SECONDS < 0.01
    monkeypatch.setattr(entry_queue, "BUSY_PAUSE_SECONDS", 0.001)
    connections.enter(*"abc")
    load.share = 0.0
    monkeypatch.setattr(entry_queue, "BUSY_PAUSE_SECONDS", HOUR)
    assert await connections.have_begun(3) == [*"abc"]


async def test_connection_that_has_hung_up_takes_no_turn(
    connections: Connections, load: BusyLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, *clients = connections.enter(*"abcd")
    clients[0].close()
    clients[1].send(b"GET")
    monkeypatch.setattr(entry_queue, "BUSY_PAUSE_SECONDS", 0.001)
    connections.queue._begin_next()
    assert connections.begun == [*"ac"]
    assert connections.accepted[1].fileno() == -1
    assert await connections.have_begun(3) == [*"acd"]


async def test_reset_connection_takes_no_turn(connections: Connections) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = socket.create_connection(listener.getsockname(), timeout=TEST_TIMEOUT_SECONDS)
        accepted, _ = listener.accept()
    accepted.setblocking(False)
    connections.enter("a")
    connections.queue.enter("b", accepted, lambda _: connections.begun.append("b"))
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()
    connections.queue._begin_next()
    assert (connections.begun, accepted.fileno(), len(connections.queue)) == (["a"], -1, 0)


async def test_few_that_have_hung_up_are_looked_at_in_one_turn(
    connections: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entry_queue, "LOOKS_AT_ONCE", 3)
    for client in connections.enter(*"abcdef")[1:]:
        client.close()
    connections.queue._begin_next()
    assert len(connections.queue) == 2
    monkeypatch.setattr(entry_queue, "BUSY_PAUSE_SECONDS", 0.001)
    connections.queue._begin_next()
    assert (len(connections.queue), connections.begun) == (0, ["a"])


async def test_clients_of_a_proxy_do_not_wait_for_one_another(connections: Connections) -> None:
    connections.enter(*"abb")
    connections.enter(*[UNKNOWN] * 3)
    assert connections.begun == ["a", *[UNKNOWN] * 3]


async def test_few_connections_of_an_address_wait(connections: Connections, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry_queue, "MAX_WAITING_OF_ADDRESS", 2)
    connections.enter(*"aaaaab")
    assert connections.refused == connections.noted == ["too_many_connections"] * 2
    assert len(connections.queue) == 3


async def test_address_with_most_that_wait_makes_room(
    connections: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entry_queue, "MAX_WAITING", 4)
    _, _, _, latest, _ = connections.enter(*"aaaab")
    connections.enter("b")
    assert code_of(latest.recv(10_000)) == "too_many_connections"
    assert (connections.refused, connections.noted) == ([], ["too_many_connections"])
    connections.enter("b")
    assert (connections.refused, connections.noted) == (["server_full"], ["too_many_connections", "server_full"])
    connections.enter("c")
    connections.enter("d")
    assert connections.noted[2:] == ["too_many_connections"] * 2
    connections.enter("e")
    assert connections.noted[4:] == ["server_full"], "where each has one, nobody makes room"
    assert len(connections.queue) == 4
    monkeypatch.setattr(entry_queue, "BUSY_PAUSE_SECONDS", 0.001)
    connections.queue._begin_next()
    assert sorted(await connections.have_begun(5)) == [*"aabcd"]


async def test_address_does_not_take_the_place_of_one_that_would_have_fewer(
    connections: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entry_queue, "MAX_WAITING", 3)
    connections.enter(*"aaabb")
    assert connections.refused == ["server_full"]


async def test_what_waits_is_closed_with_the_queue(connections: Connections) -> None:
    _, client = connections.enter(*"ab")
    connections.queue.close()
    assert client.recv(1) == b""
    assert not connections.queue
    await asyncio.sleep(0)
    assert connections.begun == ["a"]
