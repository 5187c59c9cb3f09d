"""One action crosses nine packages, each entered once on the way down and once on the way out.

The way down begins with `Session.receive` and ends when the record is stored; the way out ends when the author's outbox
has the answer. It is walked in memory, call by call:

- A hop is a call from one module of this project to another. What the event loop, a library or the test calls is no
  hop, and a coroutine that goes on counts as the call that it was.
- A package is entered by a call from another package of the server. Calls of engine and protocol do not count: they lie
  beneath all others. Calls that a package makes in a row to the same other one are one entry.

On a real socket with PostgreSQL the tasks of the reader, the match and the writer of the store take turns, so there
only the packages are counted. A root module such as `refusals` would count as a package of its own.
"""

import asyncio
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

import pytest
from msgspec import Raw, Struct
from msgspec.json import encode as as_json
from websockets.asyncio.client import connect

from diskwars_engine.match_log import MatchLog
from diskwars_protocol.connection.connection import encode
from diskwars_protocol.messages.decisions import Act
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
OURS = ("diskwars_server", "diskwars_engine", "diskwars_protocol")
BENEATH = {"engine", "protocol"}
MAX_PACKAGES, MAX_HOPS = 9, 60


class Call(Struct, frozen=True):
    """A call of one of our functions, with the nearest caller of this project, and the nearest one of the server."""

    module: str
    caller: str | None
    server_caller: str | None
    is_commit: bool


class CallTrace:
    """Records the calls of our modules."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self._entered: set[FrameType] = set()
        """Kept, so that a coroutine that goes on counts as the call that it was."""

    @contextmanager
    def run(self) -> Iterator[None]:
        sys.setprofile(self._on_event)
        try:
            yield
        finally:
            self.stop()

    def stop(self) -> None:
        sys.setprofile(None)

    def _on_event(self, frame: FrameType, event: str, argument: object) -> None:
        module = _own_module(frame, OURS)
        if event != "call" or module is None or frame in self._entered:
            return
        self._entered.add(frame)
        is_commit = frame.f_code is MatchLog.commit.__code__
        self.calls.append(Call(module, _caller(frame, OURS), _caller(frame, OURS[:1]), is_commit))

    @property
    def modules(self) -> set[str]:
        return {call.module for call in self.calls}

    @property
    def packages(self) -> set[str]:
        return set(map(package_of, self.modules))

    @property
    def hops(self) -> int:
        return sum(call.caller not in (None, call.module) for call in self.calls)

    def ways(self) -> tuple[list[Call], list[Call]]:
        """Return the calls on the way down, and those on the way out, which begins with the commit."""
        (stored,) = [number for number, call in enumerate(self.calls) if call.is_commit]
        return self.calls[:stored], self.calls[stored:]


def package_of(module: str) -> str:
    """Return `engine`, `protocol`, or the package of the server; for a root module of the server itself."""
    top, _, rest = module.partition(".")
    return rest.partition(".")[0] if top == "diskwars_server" else top.removeprefix("diskwars_")


def entries(calls: Sequence[Call]) -> Counter[str]:
    """Return how often each package of the server is entered."""
    counts, last = Counter[str](), dict[str, str]()
    for call in calls:
        callee = package_of(call.module)
        if call.server_caller is None or callee in BENEATH:
            continue
        caller = package_of(call.server_caller)
        if caller != callee:
            counts[callee] += last.get(caller) != callee
            last[caller] = callee
    return counts


def _own_module(frame: FrameType, packages: Sequence[str]) -> str | None:
    name = str(frame.f_globals.get("__name__", ""))
    return name if name.partition(".")[0] in packages else None


def _caller(frame: FrameType, packages: Sequence[str]) -> str | None:
    """Return the nearest module of these packages that a call comes from; None for one that the event loop makes."""
    outer = frame.f_back
    while outer is not None and _own_module(outer, packages) is None:
        outer = outer.f_back
    return outer and _own_module(outer, packages)


def one_action_section() -> str:
    text = PAGE.read_text(encoding="utf-8").split("## One action\n", 1)[1].split("\n## ", 1)[0]
    return " ".join(text.split())


async def is_healthy() -> HealthReport:
    return HealthReport("ok", "n1", "1.2.3", "ok", "0001")


async def trace_one_action(database: PostgresDatabase) -> CallTrace:
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
        trace = CallTrace()
        with trace.run():
            await socket.send(frame)
            async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
                while '"accepted"' not in (answer := str(await socket.recv())):
                    assert '"refused"' not in answer
    await node.matches.close()
    return trace


async def trace_one_action_in_memory() -> CallTrace:
    """Hand the first choice to the session of a player, without a socket and with a store in memory."""
    async with MemoryDatabase() as database:
        node = InMemoryServer(database)
        first, second = await node.connect_and_greet(), await node.connect_and_greet()
        match = await begin_match(first, second)
        frame = encode(first.act_message(match, await first.decision(match, 0), ChooseNumber(3))).decode()
        trace, answered = CallTrace(), asyncio.Event()

        def write(frame: bytes) -> bool:
            if b'"accepted"' in frame:
                trace.stop()
                answered.set()
            return True

        first.outbox.attach_writer(write)
        with trace.run():
            assert first.session.receive(frame) is None
            async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
                await answered.wait()
        await node.matches.close()
    return trace


async def test_one_action_on_a_socket_and_postgresql_crosses_nine_packages_that_the_page_names(
    migrated_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport_module, "choose_socket_class", lambda: FastGameSocket)
    async with PostgresDatabase(migrated_url) as database:
        trace = await trace_one_action(database)
    named = re.search(r"crosses \w+ packages: ([^.]*)\.", one_action_section())
    assert named is not None
    assert sorted(trace.packages) == sorted(re.findall(r"`(\w+)`", named[1]))
    assert len(trace.packages) <= MAX_PACKAGES


async def test_one_action_enters_each_package_once_on_the_way_down_and_once_on_the_way_out() -> None:
    trace = await trace_one_action_in_memory()
    down, out = map(entries, trace.ways())
    assert down == dict.fromkeys(("matches", "broadcast", "limits", "store"), 1)
    assert out == dict.fromkeys(("limits", "bus", "broadcast"), 1)


async def test_one_action_takes_the_hops_that_the_page_says_and_no_more_than_sixty() -> None:
    trace = await trace_one_action_in_memory()
    numbers = re.search(r"it is (\d+) modules in (\d+) hops", one_action_section())
    assert numbers is not None
    assert (len(trace.modules), trace.hops) == (int(numbers[1]), int(numbers[2]))
    assert trace.hops <= MAX_HOPS
