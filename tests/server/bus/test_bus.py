"""Promises of every bus, in one process and over a real NATS server; and reconnection of the latter."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from typing import TypeAlias

import pytest
from nats.aio.client import Client

from diskwars_server.bus.bus import MAX_MESSAGE_BYTES, Bus, LocalBus, decode_head, encode_head
from diskwars_server.bus.nats import NatsBus, split_servers
from tests.nats_servers import NatsCluster, free_port, nats_server
from tests.rows import each_row

WAIT_SECONDS = 45
Seen: TypeAlias = list[bytes]


class LocalNetwork:
    def __init__(self) -> None:
        self._bus = LocalBus()

    async def join(self) -> Bus:
        return self._bus.join()

    async def settle(self, *nodes: Bus) -> None:
        """Everything is delivered at once."""


class NatsNetwork:
    def __init__(self, port: int, stack: contextlib.AsyncExitStack, prefix: str = "test") -> None:
        self._url, self._stack, self._prefix = f"nats://127.0.0.1:{port}", stack, prefix

    async def join(self) -> Bus:
        bus = await self._stack.enter_async_context(NatsBus(self._url, self._prefix))
        await bus.wait_connected()
        return bus

    async def settle(self, *nodes: Bus) -> None:
        """Wait until what was asked of each node has reached it and the others: it is delivered in order."""
        for node in nodes:
            for other in nodes:
                if other is not node:
                    await deliver(node, other)


async def deliver(sender: Bus, receiver: Bus) -> None:
    """Send until something arrives: the subscription reaches NATS some time after it was made."""
    arrived = asyncio.Event()
    subject = f"settle.{id(receiver)}"
    stop = receiver.subscribe(subject, lambda message: arrived.set())
    async with asyncio.timeout(WAIT_SECONDS):
        while not arrived.is_set():
            sender.publish(subject, b"")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(arrived.wait(), 0.02)
    stop()


@pytest.fixture(params=["local", "nats"])
async def network(request: pytest.FixtureRequest) -> AsyncIterator[LocalNetwork | NatsNetwork]:
    if request.param == "local":
        yield LocalNetwork()
        return
    port = free_port()
    async with nats_server(port), contextlib.AsyncExitStack() as stack:
        yield NatsNetwork(port, stack)


def listen(bus: Bus, subject: str) -> tuple[Seen, Callable[[], None]]:
    seen: Seen = []
    return seen, bus.subscribe(subject, seen.append)


async def test_listeners_get_what_other_nodes_publish_until_they_stop(network: LocalNetwork | NatsNetwork) -> None:
    nodes = publisher, second, third = await network.join(), await network.join(), await network.join()
    by_second, stop = listen(second, "head.m")
    by_third, _ = listen(third, "head.m")
    await network.settle(*nodes)
    publisher.publish("head.m", b"1")
    await network.settle(*nodes)
    stop()
    stop()
    await network.settle(*nodes)
    publisher.publish("head.m", b"2")
    await network.settle(*nodes)
    assert by_second == [b"1"]
    assert by_third == [b"1", b"2"]


async def test_a_node_gets_nothing_of_its_own_nor_of_other_subjects(network: LocalNetwork | NatsNetwork) -> None:
    nodes = one, other = await network.join(), await network.join()
    by_one, _ = listen(one, "head.m")
    by_other, _ = listen(other, "head.m")
    await network.settle(*nodes)
    one.publish("head.m", b"1")
    one.publish("head.n", b"9")
    other.publish("head.m", b"2")
    await network.settle(*nodes)
    assert (by_one, by_other) == ([b"2"], [b"1"])


async def test_two_listeners_of_one_node_share_a_subject(network: LocalNetwork | NatsNetwork) -> None:
    nodes = publisher, node = await network.join(), await network.join()
    first, stop_first = listen(node, "head.m")
    second, _ = listen(node, "head.m")
    await network.settle(*nodes)
    publisher.publish("head.m", b"1")
    await network.settle(*nodes)
    stop_first()
    await network.settle(*nodes)
    publisher.publish("head.m", b"2")
    await network.settle(*nodes)
    assert (first, second) == ([b"1"], [b"1", b"2"])


def test_listener_may_stop_while_it_is_notified() -> None:
    bus = LocalBus()
    publisher, node = bus.join(), bus.join()
    seen: Seen = []

    def once(message: bytes) -> None:
        seen.append(message)
        stop()

    stop = node.subscribe("head.m", once)
    node.subscribe("head.m", lambda message: seen.append(b"-" + message))
    publisher.publish("head.m", b"1")
    publisher.publish("head.m", b"2")
    assert seen == [b"1", b"-1", b"-2"]


@each_row("message", [b"", b"-1", b"1.0", b"x", b"9" * 16, "\u0663".encode()])
def test_what_is_no_head_is_news_to_nobody(message: bytes) -> None:
    assert decode_head(message) == 0


def test_a_head_is_read_as_it_was_written() -> None:
    assert decode_head(encode_head(1_234_567)) == 1_234_567


# ---------------------------------------------------------------- NATS alone


async def test_long_message_stays_at_home() -> None:
    port = free_port()
    async with asyncio.timeout(WAIT_SECONDS), nats_server(port), contextlib.AsyncExitStack() as stack:
        network = NatsNetwork(port, stack)
        nodes = one, other = await network.join(), await network.join()
        seen, _ = listen(other, "head.m")
        await network.settle(*nodes)
        one.publish("head.m", bytes(MAX_MESSAGE_BYTES + 1))
        one.publish("head.m", b"1")
        await network.settle(*nodes)
    assert seen == [b"1"]


async def test_servers_of_other_databases_get_nothing() -> None:
    port = free_port()
    async with asyncio.timeout(WAIT_SECONDS), nats_server(port), contextlib.AsyncExitStack() as stack:
        ours, theirs = NatsNetwork(port, stack), NatsNetwork(port, stack, "other")
        one, two, stranger = await ours.join(), await ours.join(), await theirs.join()
        seen, _ = listen(stranger, "head.m")
        await ours.settle(one, two)
        one.publish("head.m", b"1")
        await ours.settle(one, two)
    assert seen == []


async def test_nodes_connect_again_with_their_listeners_when_nats_is_back(caplog: pytest.LogCaptureFixture) -> None:
    port = free_port()
    caplog.set_level(logging.WARNING, "diskwars_server.bus.nats")
    async with asyncio.timeout(WAIT_SECONDS), contextlib.AsyncExitStack() as stack:
        one, other = [
            await stack.enter_async_context(NatsBus(f"nats://user:secret@127.0.0.1:{port}", "test")) for _ in range(2)
        ]
        seen, _ = listen(other, "head.m")
        one.publish("head.m", b"lost: there is no NATS yet")
        assert one.state == "unavailable"
        while len(caplog.records) < 2:  # both have tried before there is a server
            await asyncio.sleep(0.02)
        async with nats_server(port):
            await asyncio.gather(one.wait_connected(), other.wait_connected())
            await deliver(one, other)
            one.publish("head.m", b"1")
            await deliver(one, other)
        while "unavailable" not in (one.state, other.state) or one.state != other.state:
            await asyncio.sleep(0.02)
        one.publish("head.m", b"lost")
        later, _ = listen(other, "head.n")
        async with nats_server(port):
            await asyncio.gather(one.wait_connected(), other.wait_connected())
            await deliver(one, other)
            one.publish("head.m", b"2")
            one.publish("head.n", b"3")
            await deliver(one, other)
            logged = [record.message for record in caplog.records]
    assert (seen, later) == ([b"1", b"2"], [b"3"])
    assert logged == 2 * (["bus unavailable"] * 2 + ["bus available again"] * 2), "once for each node and outage"
    assert "secret" not in caplog.text


async def test_bus_goes_on_after_an_error_that_ends_no_connection(caplog: pytest.LogCaptureFixture) -> None:
    port = free_port()
    caplog.set_level(logging.WARNING, "diskwars_server.bus.nats")
    async with asyncio.timeout(WAIT_SECONDS), nats_server(port), contextlib.AsyncExitStack() as stack:
        network = NatsNetwork(port, stack)
        nodes = one, other = await network.join(), await network.join()
        failures = 0

        def fail(message: bytes) -> None:
            nonlocal failures
            failures += 1
            raise LookupError("secret")

        stop = other.subscribe("head.m", fail)
        await network.settle(*nodes)
        for _ in range(3):
            one.publish("head.m", b"1")
        await network.settle(*nodes)
        assert (failures, one.state, other.state) == (3, "ok", "ok")
        stop()
        seen, _ = listen(one, "head.n")
        await network.settle(*nodes)
        other.publish("head.n", b"2")
        await network.settle(*nodes)
        logged = [(record.message, record.__dict__["why"]) for record in caplog.records]
    assert seen == [b"2"]
    assert logged == [("bus error", "LookupError")], "once for each connection"
    assert "secret" not in caplog.text


async def test_bus_ends_though_its_cancellation_is_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `asyncio.wait_for` of Python 3.11 does when an attempt to connect fails at that moment."""
    swallowed = 0

    async def connect(self: Client, *_: object, **__: object) -> None:
        nonlocal swallowed
        try:
            await asyncio.sleep(WAIT_SECONDS)
        except asyncio.CancelledError:
            swallowed += 1
            if swallowed > 1:
                raise
            raise ConnectionRefusedError from None

    monkeypatch.setattr(Client, "connect", connect)
    async with asyncio.timeout(WAIT_SECONDS):
        async with NatsBus("nats://127.0.0.1:1", "test") as bus:
            await asyncio.sleep(0)
            assert bus.state == "unavailable"
    assert swallowed == 1, "the second cancellation meets the pause before the next attempt"


async def test_node_goes_on_with_another_server_of_a_cluster(caplog: pytest.LogCaptureFixture) -> None:
    async with NatsCluster() as cluster, contextlib.AsyncExitStack() as stack:
        one, other = [await stack.enter_async_context(NatsBus(cluster.url, "test")) for _ in range(2)]
        await asyncio.gather(one.wait_connected(), other.wait_connected())
        await deliver(one, other)
        # Whichever server a node is connected to, it is lost once.
        for number in range(len(cluster.ports)):
            await cluster.kill(number)
            async with asyncio.timeout(WAIT_SECONDS):
                await deliver(one, other)
                await deliver(other, one)
            await cluster.start(number)
    assert {record.message for record in caplog.records} <= {"bus unavailable", "bus available again"}
    assert any(record.message == "bus available again" for record in caplog.records)


def test_addresses_of_a_cluster_are_separated_by_commas() -> None:
    assert split_servers("nats://a:1, tls://u:p@b:2,") == ["nats://a:1", "tls://u:p@b:2"]
