"""Connections are handed over between workers: each frame is handled once, and each answer arrives once, in order."""

import asyncio
import contextlib
import itertools
import json
import socket
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Raw
from msgspec.json import encode as as_json
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from diskwars_protocol.connection.connection import encode
from diskwars_protocol.match.actions import Ready, TakeSeat
from diskwars_protocol.match.ids import DecisionId, MatchId, PlayerId
from diskwars_protocol.messages.catalogues import GetCatalogue
from diskwars_protocol.messages.closing import CLOSE_CODES
from diskwars_protocol.messages.decisions import Act, GetOptions
from diskwars_protocol.messages.handshake import Hello, ResumeRequest
from diskwars_protocol.messages.lists import FollowMatches, ListMatches
from diskwars_protocol.messages.opening import OpenMatch
from diskwars_protocol.messages.watching import Unwatch, Watch
from diskwars_server.app import make_runner
from diskwars_server.bus.bus import LocalBus
from diskwars_server.connections import placement
from diskwars_server.connections import transport as transport_module
from diskwars_server.connections.fast_socket import FastGameSocket
from diskwars_server.connections.game_socket import GameSocket
from diskwars_server.connections.handovers import MAX_MOVES
from diskwars_server.connections.placement import Placement, home_order
from diskwars_server.connections.tls import TlsCertificate
from diskwars_server.connections.transport import ListenOptions, Transport
from diskwars_server.monitoring.health import HealthReport
from diskwars_server.session.handover import HandoverState
from diskwars_server.session.session import Session
from diskwars_server.store.accounts import StoredAccount, StoredDevice
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.store.operator_acts import OperatorAct
from tests.server.connections.test_tls import Files
from tests.server.counting_ruleset import CountingLoadout
from tests.server.in_memory_server import HEAD, TEST_TIMEOUT_SECONDS, InMemoryServer, ManualClock
from tests.server.players.test_accounts import registered

OTHER_WORKER = 1


@pytest.fixture(params=[GameSocket, FastGameSocket], autouse=True)
def socket_class(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test of this file runs over the public API of the library, and over the short cuts."""
    monkeypatch.setattr(transport_module, "choose_socket_class", lambda: request.param)


async def has_no_errors() -> HealthReport:
    return HealthReport("ok", "n1", "1.2.3", "ok", "0001")


class Workers:
    """Two workers on one database. Clients connect to the first one."""

    def __init__(self, transports: list[Transport], nodes: list[InMemoryServer]) -> None:
        self.transports, self.nodes = transports, nodes
        self.url = transports[0].url

    @property
    def connections(self) -> list[int]:
        return [transport.connections for transport in self.transports]

    async def wait_for(self, *connections: int) -> None:
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            while self.connections != list(connections):
                await asyncio.sleep(0.005)


@contextlib.asynccontextmanager
async def workers(folder: Path | None, **options: Any) -> AsyncIterator[Workers]:
    """Run two workers; without a folder they hand nothing over."""
    bus, clock = LocalBus(), ManualClock()
    async with contextlib.AsyncExitStack() as stack:
        database = await stack.enter_async_context(MemoryDatabase())
        nodes = [InMemoryServer(database, bus=bus, clock=clock) for _ in range(2)]
        for node in nodes:
            stack.push_async_callback(node.matches.close)
        listen = ListenOptions(close_timeout_seconds=1, **options)
        transports = [
            await stack.enter_async_context(
                Transport(
                    node.session_context,
                    has_no_errors,
                    listen,
                    placement=Placement(folder, number, 2) if folder else None,
                )
            )
            for number, node in enumerate(nodes)
        ]
        yield Workers(transports, nodes)


def find_id(is_right: Callable[[str], bool]) -> str:
    return next(id for id in map("open {}".format, itertools.count()) if is_right(id))


def opening_id(node: InMemoryServer, player: PlayerId, worker: int = OTHER_WORKER) -> str:
    """Return the id of a request that opens a match whose home is this worker."""
    derive = node.tokens.derive_match_id
    return find_id(lambda id: home_order(derive(player, id), 2)[0] == worker)


class RawClient:
    """A client that sends bytes in any pieces, and keeps every frame that comes."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.texts: list[str] = []
        self.frames: list[dict[str, Any]] = []

    async def send(self, *messages: Any, cuts: tuple[int, ...] = ()) -> None:
        """Send messages as one stream of bytes that is cut at these places."""
        data = b"".join(Frame(Opcode.TEXT, encode(message)).serialize(mask=True) for message in messages)
        places = sorted({0, len(data), *(cut % len(data) for cut in cuts)})
        for begin, end in itertools.pairwise(places):
            self.socket.transport.write(data[begin:end])
            await asyncio.sleep(0.002)

    async def _read(self) -> None:
        self.texts.append(await self.socket.recv())
        self.frames.append(json.loads(self.texts[-1]))

    async def read_until(self, id: str) -> dict[str, Any]:
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            while not (self.frames and self.frames[-1].get("id") == id):
                await self._read()
        return self.frames[-1]

    async def read_kind(self, kind: str) -> dict[str, Any]:
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            while not (self.frames and self.frames[-1]["type"] == kind):
                await self._read()
        return self.frames[-1]


@contextlib.asynccontextmanager
async def raw_client(url: str, **options: Any) -> AsyncIterator[RawClient]:
    async with connect(url, compression=None, max_size=None, ping_interval=None, **options) as opened:
        yield RawClient(opened)


async def welcome(client: RawClient, token: str = "", *resume: ResumeRequest) -> dict[str, Any]:
    await client.send(Hello((1,), token=token, resume=resume))
    return await client.read_kind("welcome")


async def make_guest(running: Workers) -> tuple[PlayerId, str]:
    """Return player and token of a new guest."""
    async with raw_client(running.url) as client:
        greeted = await welcome(client)
    await running.wait_for(0, 0)
    return PlayerId(greeted["player"]), greeted["token"]


def open_message(id: str) -> OpenMatch:
    return OpenMatch(id, "counting", 2, Raw(b'{"rounds":2}'))


def script(match: MatchId, opening: str) -> list[Any]:
    """Return what a client sends in one go: queries, a match, acts in it, and more queries."""
    take, ready = as_json(TakeSeat(HEAD, CountingLoadout("me", 3))), as_json(Ready())
    return [
        ListMatches("list 1"),
        GetCatalogue("catalogue", "counting"),
        open_message(opening),
        Act("sit", match, Raw(take), DecisionId("1.0")),
        GetOptions("options", match, DecisionId("1.0")),
        Act("again", match, Raw(ready), DecisionId("1.0")),
        Watch("watch", MatchId("nothing")),
        ListMatches("list 2"),
    ]


async def play_script(running: Workers, cuts: tuple[int, ...] = ()) -> list[str]:
    """Return every byte that comes, for a player who is the same each time."""
    player = PlayerId("0123456789abcdef")
    opening = opening_id(running.nodes[0], player)
    match = MatchId(running.nodes[0].tokens.derive_match_id(player, opening))
    async with raw_client(running.url) as client:
        hello = Hello((1,), token=running.nodes[0].tokens.issue(player))
        await client.send(hello, *script(match, opening), cuts=cuts)
        await client.read_until("list 2")
    await running.wait_for(0, 0)
    return client.texts


def count_requests(monkeypatch: pytest.MonkeyPatch, moved: list[str]) -> None:
    """Note in `moved` each request that is handed over instead of handled."""
    original = Session._hand_over_to_home

    async def noted(self: Session, *matches: MatchId, is_new: bool = False) -> bool:
        has_moved = await original(self, *matches, is_new=is_new)
        if has_moved:
            moved.append(matches[0])
        return has_moved

    monkeypatch.setattr(Session, "_hand_over_to_home", noted)


async def test_opener_goes_on_at_the_home_of_the_match(tmp_path: Path) -> None:
    async with workers(tmp_path) as running:
        player, token = await make_guest(running)
        async with raw_client(running.url) as client:
            await welcome(client, token)
            assert running.connections == [1, 0]
            await client.send(open_message(opening_id(running.nodes[0], player)))
            opened = await client.read_kind("opened")
            await client.read_kind("watching")
            await running.wait_for(0, 1)
            assert [len(node.matches) for node in running.nodes] == [0, 1]
            assert (await running.nodes[1].state(opened["match"])).status == "open"
        await running.wait_for(0, 0)


async def test_player_who_was_banned_on_the_way_is_sent_away_by_the_home(tmp_path: Path) -> None:
    async with workers(tmp_path) as running:
        player, token = await make_guest(running)
        async with raw_client(running.url) as client:
            await welcome(client, token)
            # The home has carried the ban out already, and the first worker has not yet.
            await running.nodes[1].database.operator_acts.add(OperatorAct("ban", "olga", player, 1000, "threats"))
            await client.send(open_message(opening_id(running.nodes[0], player)))
            with pytest.raises(ConnectionClosed) as closed:
                await client.read_kind("opened")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == CLOSE_CODES["banned"]
            assert [len(node.matches) for node in running.nodes] == [0, 0]


@pytest.mark.parametrize("how", ["revoked", "registered"])
async def test_player_who_was_logged_out_on_the_way_is_sent_away_by_the_home(tmp_path: Path, how: str) -> None:
    async with workers(tmp_path) as running:
        first, home = running.nodes
        token = (await first.connect_and_greet()).token
        if how == "revoked":
            token = (await registered(first))[1].token
        async with raw_client(running.url) as client:
            greeted = await welcome(client, token)
            player = PlayerId(greeted["player"])
            # The home has carried the logout out already, and the first worker has not yet.
            if how == "revoked":
                assert await home.database.accounts.remove_device(player, greeted["account"]["device"])
            else:
                account = StoredAccount(player, "Ann", "ann", "hash", 0)
                assert await home.database.accounts.register(account, StoredDevice(player, "d", b"token", 0, 0))
            await client.send(open_message(opening_id(first, player)))
            with pytest.raises(ConnectionClosed) as closed:
                await client.read_kind("opened")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == CLOSE_CODES["token_revoked"]
            assert [len(node.matches) for node in running.nodes] == [0, 0]


async def test_match_of_this_worker_stays_here(tmp_path: Path) -> None:
    async with workers(tmp_path) as running:
        player, token = await make_guest(running)
        async with raw_client(running.url) as client:
            await welcome(client, token)
            await client.send(open_message(opening_id(running.nodes[0], player, worker=0)))
            await client.read_kind("watching")
            assert running.connections == [1, 0]


async def test_players_come_to_the_home_and_spectators_stay(tmp_path: Path) -> None:
    async with workers(tmp_path) as running, contextlib.AsyncExitStack() as stack:
        player, token = await make_guest(running)
        first, second, eve = [await stack.enter_async_context(raw_client(running.url)) for _ in range(3)]
        await welcome(first, token)
        await first.send(open_message(opening_id(running.nodes[0], player)))
        match = (await first.read_kind("opened"))["match"]
        token_of_second = (await welcome(second))["token"]
        await second.send(Watch("w", match))
        await second.read_until("w")
        await running.wait_for(0 + 1, 2)
        for action in (TakeSeat(HEAD, CountingLoadout("me", 3)), Ready()):
            for seat, client in enumerate((first, second)):
                state = await running.nodes[1].state(match)
                decision = next(found.id for found in state.decisions if found.seat == seat)
                await client.send(Act(f"{seat} {decision}", match, Raw(as_json(action)), decision))
                assert (await client.read_until(f"{seat} {decision}"))["type"] == "accepted"
        await welcome(eve)
        await eve.send(Watch("w", match))
        await eve.read_until("w")
        assert running.connections == [1, 2]
        await second.socket.close()
        await running.wait_for(1, 1)
        # A player who returns with a hello is at home before the welcome.
        back = await stack.enter_async_context(raw_client(running.url))
        await back.send(Hello((1,), token=token_of_second, resume=(ResumeRequest(match, 2),)))
        await back.read_kind("watching")
        await running.wait_for(1, 2)
        assert [frame["type"] for frame in back.frames].count("welcome") == 1


@pytest.mark.parametrize("is_followed", [False, True])
async def test_follower_of_a_list_lists_again(tmp_path: Path, is_followed: bool) -> None:
    async with workers(tmp_path) as running:
        player, token = await make_guest(running)
        async with raw_client(running.url) as client:
            await welcome(client, token)
            if is_followed:
                await client.send(FollowMatches("f"))
                await client.read_until("f")
            await client.send(open_message(opening_id(running.nodes[0], player)))
            await client.read_kind("watching")
            await running.wait_for(0, 1)
            if is_followed:
                # It may come before the match does.
                found = [frame for frame in client.frames if frame["type"] == "matches_changed"]
                changed = found[0] if found else await client.read_kind("matches_changed")
                assert changed["list_again"] is True
            assert len(running.nodes[1].matches) == 1


async def test_connection_stays_where_its_home_is_dead_full_or_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(placement, "HANDOVER_SECONDS", 0.2)
    for trouble in ("dead", "full", "silent"):
        async with workers(tmp_path, max_connections=1) as running, contextlib.AsyncExitStack() as stack:
            player, token = await make_guest(running)
            if trouble == "full":
                await stack.enter_async_context(raw_client(running.transports[1].url))
                await running.wait_for(0, 1)
            elif trouble == "dead":
                (tmp_path / "1").unlink()
            else:
                (tmp_path / "1").unlink()
                silent = stack.enter_context(socket.socket(socket.AF_UNIX))
                silent.bind(str(tmp_path / "1"))
                silent.listen()
            client = await stack.enter_async_context(raw_client(running.url))
            await welcome(client, token)
            await client.send(open_message(opening_id(running.nodes[0], player)))
            await client.read_kind("watching")
            assert running.connections[0] == 1, trouble


async def test_what_comes_while_a_connection_is_handed_over_is_left_to_the_other_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_offered, may_go_on = asyncio.Event(), asyncio.Event()
    hand_over = Placement.hand_over

    async def hand_over_slowly(self: Placement, *arguments: Any) -> bool:
        is_offered.set()
        await may_go_on.wait()
        return await hand_over(self, *arguments)

    monkeypatch.setattr(Placement, "hand_over", hand_over_slowly)
    async with workers(tmp_path) as running:
        player, token = await make_guest(running)
        async with raw_client(running.url) as client, asyncio.timeout(TEST_TIMEOUT_SECONDS):
            await welcome(client, token)
            await client.send(open_message(opening_id(running.nodes[0], player)))
            await is_offered.wait()
            await client.send(ListMatches("later"))
            await asyncio.sleep(0.05)
            may_go_on.set()
            await client.read_until("later")
            assert running.connections == [0, 1]


async def test_connection_with_tls_stays(tmp_path: Path) -> None:
    files = Files(tmp_path)
    files.renew()
    async with (
        workers(tmp_path, certificate=TlsCertificate(files.certificate, files.key)) as running,
        raw_client(running.url, ssl=files.trust) as client,
    ):
        player = (await welcome(client))["player"]
        await client.send(open_message(opening_id(running.nodes[0], player)))
        await client.read_kind("watching")
        assert running.connections == [1, 0]


async def test_client_that_changes_its_match_all_the_time_stays_in_the_end(tmp_path: Path) -> None:
    async with workers(tmp_path) as running:
        player, token = await make_guest(running)
        homes = []
        async with raw_client(running.url) as client:
            await welcome(client, token)
            matches = []
            for worker in (0, 1):
                await client.send(open_message(opening_id(running.nodes[0], player, worker=worker)))
                client.frames.clear()
                matches.append((await client.read_kind("watching"))["match"])
                await client.send(Unwatch(f"u{worker}", matches[-1]))
                await client.read_until(f"u{worker}")
            for number in range(MAX_MOVES + 4):
                await client.send(Watch(f"w{number}", matches[number % 2]))
                await client.read_until(f"w{number}")
                homes.append(running.connections.index(1))
                await client.send(Unwatch(f"x{number}", matches[number % 2]))
                await client.read_until(f"x{number}")
        assert set(homes[: MAX_MOVES - 1]) == {0, 1}
        assert len(set(homes[MAX_MOVES:])) == 1


async def test_bytes_on_the_socket_of_workers_that_are_no_hand_over_are_ignored(tmp_path: Path) -> None:
    async with workers(tmp_path) as running:
        for data in (b"", b"\x00", b"\xff\xff\xff\xff", b"\x00\x00\x00\x02{}"):
            with socket.socket(socket.AF_UNIX) as stranger, socket.socket() as passed:
                stranger.connect(str(tmp_path / "1"))
                if data:
                    socket.send_fds(stranger, [data[:4]], [passed.fileno()])
                    stranger.sendall(data[4:])
        player, token = await make_guest(running)
        async with raw_client(running.url) as client:
            await welcome(client, token)
            await client.send(open_message(opening_id(running.nodes[0], player)))
            await client.read_kind("watching")
            await running.wait_for(0, 1)
            assert running.connections == [0, 1]


async def test_end_of_a_worker_ends_what_was_handed_over_to_it(tmp_path: Path) -> None:
    async with workers(tmp_path) as running:
        player, token = await make_guest(running)
        async with raw_client(running.url) as client:
            await welcome(client, token)
            await client.send(open_message(opening_id(running.nodes[0], player)))
            await client.read_kind("watching")
            await running.wait_for(0, 1)
            await running.transports[1].close()
            assert (await client.read_kind("closing"))["close_reason"] == "restarting"
            with pytest.raises(ConnectionClosed):
                await client.socket.recv()
            assert client.socket.close_code == 1012


# ---------------------------------------------------------------- no frame is lost or doubled


async def test_script_is_answered_alike_with_and_without_hand_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with workers(None) as running:
        alone = await play_script(running)
    moved: list[str] = []
    count_requests(monkeypatch, moved)
    async with workers(tmp_path) as running:
        handed_over = await play_script(running)
    assert handed_over == alone
    assert len(moved) == 1
    answers = [json.loads(text).get("id") for text in alone]
    assert [answers.count(id) for id in ("list 1", "catalogue", "sit", "options", "again", "watch", "list 2")] == [
        1
    ] * 7


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cuts=st.lists(st.integers(0, 4000), max_size=6).map(tuple), moves=st.sets(st.integers(0, 9), max_size=6))
def test_frames_are_handled_once_wherever_they_are_cut_and_handed_over(
    tmp_path: Path, cuts: tuple[int, ...], moves: set[int]
) -> None:
    """Hand the connection over at any of its frames, back and forth, while the stream comes in any pieces."""
    original = Session._answer
    handled = itertools.count()

    async def moving(self: Session, handler: Any, request: Any) -> None:
        handover, number = self._handover, next(handled)
        assert handover is not None
        if number in moves and not self._connection.watched:
            for match in (MatchId("to 0"), MatchId("to 1"), MatchId("to 2"), MatchId("to 3")):
                if handover.can_hand_over(match) and await handover.hand_over(match, self.user.device, None):
                    return
        await original(self, handler, request)

    async def compare() -> None:
        with pytest.MonkeyPatch.context() as patch:
            async with workers(None) as running:
                alone = await play_script(running, cuts)
            patch.setattr(Session, "_answer", moving)
            async with workers(tmp_path) as running:
                assert await play_script(running, cuts) == alone

    with make_runner() as runner:
        runner.run(compare())


# ---------------------------------------------------------------- homes


def test_only_the_matches_of_a_dead_worker_have_another_home() -> None:
    matches = [f"match {number}" for number in range(200)]
    orders = {match: home_order(match, 4) for match in matches}
    assert all(sorted(order) == [0, 1, 2, 3] for order in orders.values())
    shares = [sum(order[0] == worker for order in orders.values()) for worker in range(4)]
    assert all(25 <= share <= 80 for share in shares)
    heirs = {order[1] for order in orders.values() if order[0] == 2}
    assert heirs == {0, 1, 3}


def test_state_of_a_connection_holds_no_token() -> None:
    assert not {"token", "secret"} & set(HandoverState.__struct_fields__)
