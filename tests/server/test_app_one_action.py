"""One action on a real server crosses the modules that docs/architecture.md lists, and no others."""

import asyncio
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import pytest
from msgspec import Raw
from msgspec.json import encode as as_json
from websockets.asyncio.client import connect

from diskwars_protocol.connection.connection import encode
from diskwars_protocol.messages.decisions import Accepted, Act
from diskwars_protocol.messages.handshake import Hello
from diskwars_protocol.messages.watching import Watch
from diskwars_server.connections import transport as transport_module
from diskwars_server.connections.fast_socket import FastGameSocket
from diskwars_server.connections.transport import ListenOptions, Transport
from diskwars_server.monitoring.health import HealthReport
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.store.postgres.database import PostgresDatabase
from tests.code_sizes import ROOT
from tests.server.counting_ruleset import ChooseNumber
from tests.server.in_memory_server import TEST_TIMEOUT_SECONDS, InMemoryServer, begin_match

PAGE = ROOT / "docs" / "architecture.md"
PACKAGES = ("diskwars_server", "diskwars_engine", "diskwars_protocol")


class ModuleTrace:
    """Records which of our modules are entered, and how often a call leads from one of them to another."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self.hops = 0
        self._entered: set[FrameType] = set()
        """Kept, so that a coroutine that goes on counts as the call that it was."""

    @contextmanager
    def run(self) -> Iterator[None]:
        sys.setprofile(self._on_event)
        try:
            yield
        finally:
            sys.setprofile(None)

    def _on_event(self, frame: FrameType, event: str, argument: object) -> None:
        name = _own_module(frame)
        if event != "call" or name is None or frame in self._entered:
            return
        self._entered.add(frame)
        self.modules.add(name)
        self.hops += _caller(frame) not in (None, name)


def _own_module(frame: FrameType) -> str | None:
    name = str(frame.f_globals.get("__name__", ""))
    return name if name.partition(".")[0] in PACKAGES else None


def _caller(frame: FrameType) -> str | None:
    """Return the nearest of our modules that a call comes from; None for one that the event loop makes."""
    outer = frame.f_back
    while outer is not None and _own_module(outer) is None:
        outer = outer.f_back
    return outer and _own_module(outer)


def one_action_section() -> str:
    text = PAGE.read_text(encoding="utf-8").split("## One action\n", 1)[1].split("\n## ", 1)[0]
    return " ".join(text.split())


def listed_modules() -> set[str]:
    """Return the modules in the table under "One action" of the page, with their packages."""
    rows = re.findall(r"\| `(diskwars_\w+)` \| ([^|]*) \|", one_action_section())
    return {f"{package}.{module}" for package, modules in rows for module in re.findall(r"`([\w.]+)`", modules)}


async def is_healthy() -> HealthReport:
    return HealthReport("ok", "n1", "1.2.3", "ok", "0001")


async def trace_one_action(database: PostgresDatabase) -> ModuleTrace:
    """Play up to the first choice in memory, then send it over a socket, while the other player watches."""
    node = InMemoryServer(database)
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    options = ListenOptions(close_timeout_seconds=1)
    async with Transport(node.session_context, is_healthy, options) as transport, connect(transport.url) as socket:
        for message in (Hello((1,), token=first.token), Watch("watch", match, snapshot=True)):
            await socket.send(encode(message).decode())
            await socket.recv()
        decision = await first.decision(match, 0)
        action = Raw(as_json(ChooseNumber(3)))
        frame = encode(Act("traced", match, action, decision)).decode()
        trace = ModuleTrace()
        with trace.run():
            await socket.send(frame)
            async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
                while '"accepted"' not in (answer := str(await socket.recv())):
                    assert '"refused"' not in answer
    await node.lobby.close()
    return trace


async def trace_one_action_in_memory() -> ModuleTrace:
    """Hand the first choice to the session of a player, without a socket and with a store in memory."""
    async with MemoryDatabase() as database:
        node = InMemoryServer(database)
        first, second = await node.connect_and_greet(), await node.connect_and_greet()
        match = await begin_match(first, second)
        frame = encode(first.act_message(match, await first.decision(match, 0), ChooseNumber(3))).decode()
        trace = ModuleTrace()
        with trace.run():
            async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
                if (waiting := first.session.receive(frame)) is not None:
                    await waiting
                while first.outbox.connection.in_flight:
                    await asyncio.sleep(0)
        await first.expect(Accepted)
        await node.lobby.close()
    return trace


async def test_one_action_on_a_socket_and_postgresql_crosses_the_modules_that_the_page_lists(
    migrated_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport_module, "choose_socket_class", lambda: FastGameSocket)
    async with PostgresDatabase(migrated_url) as database:
        trace = await trace_one_action(database)
    assert sorted(trace.modules) == sorted(listed_modules())


async def test_one_action_in_memory_takes_the_modules_and_about_the_hops_that_the_page_says() -> None:
    trace = await trace_one_action_in_memory()
    numbers = re.search(r"it is (\d+) modules in about (\d+) hops", one_action_section())
    assert numbers is not None
    assert int(numbers[1]) == len(trace.modules)
    assert abs(int(numbers[2]) - trace.hops) <= 10, trace.hops
    assert trace.modules - listed_modules() == {
        "diskwars_server.store.memory.database",
        "diskwars_server.store.memory.deadlines",
        "diskwars_server.store.memory.event_log",
        "diskwars_server.store.memory.match_index",
    }
