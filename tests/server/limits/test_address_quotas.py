"""Strangers who hold many matches or connections keep nobody else out."""

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
from msgspec import Raw
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.frames import Opcode

from diskwars_protocol.connection.connection import encode
from diskwars_protocol.match.actions import TakeSeat
from diskwars_protocol.match.ids import DecisionId, MatchId, PlayerId
from diskwars_protocol.messages import Request
from diskwars_protocol.messages.accounts import GetPlayers, ListDevices, Register, Rename, RevokeDevice
from diskwars_protocol.messages.branches import BranchMatch
from diskwars_protocol.messages.catalogues import CheckArmy, GetCatalogue
from diskwars_protocol.messages.decisions import Act
from diskwars_protocol.messages.handshake import DEFAULT_CLIENT_LIMITS, ClientLimits, Hello
from diskwars_protocol.messages.lists import FollowMatches, ListMatches, SearchMatches
from diskwars_protocol.messages.lobby import CreateInvite, EnterMatch, ListInvites, RevokeInvite, UseInvite
from diskwars_protocol.messages.opening import CloseMatch, Opened
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.rematches import DeclineRematch, OfferRematch
from diskwars_protocol.messages.seats import KickPlayer, SeatBot
from diskwars_protocol.messages.watching import Unwatched, Watch
from diskwars_server.app import monotonic_ms, new_event_loop
from diskwars_server.connections.frame_meter import CONTROL_FRAME_UNITS
from diskwars_server.connections.game_socket import GameSocket
from diskwars_server.connections.listening import bind
from diskwars_server.connections.transport import ListenOptions, Transport
from diskwars_server.limits import address_quotas
from diskwars_server.limits.address_quotas import (
    FRAMES_PER_SECOND,
    FULL_BURSTS,
    HANDSHAKE_BURST,
    HANDSHAKE_PERIOD_MS,
    MIN_BURST,
    QUERIES_PER_SECOND,
    QUERY_BURST,
    AddressQuotas,
    QuotaLimits,
)
from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.limits.rate_limits import MS_PER_HOUR
from diskwars_server.matches.services import Clock
from diskwars_server.monitoring.health import HealthReport
from diskwars_server.store.match_index import Listing
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.counting_ruleset import CountingLoadout
from tests.server.in_memory_server import (
    HEAD,
    TEST_TIMEOUT_SECONDS,
    InMemoryClient,
    InMemoryServer,
    ManualClock,
    begin_match,
    open_request,
)
from tests.server.raw_client import RawClient, masked, text

LOOPBACK = "127.0.0.1"


@pytest.fixture
async def database() -> AsyncIterator[MemoryDatabase]:
    async with MemoryDatabase() as opened:
        yield opened


async def opened(client: InMemoryClient, count: int) -> list[MatchId]:
    """Open and watch this many matches."""
    return [await client.open_match() for _ in range(count)]


# ---------------------------------------------------------------- places in memory


async def test_player_who_holds_all_places_keeps_nobody_from_opening(database: MemoryDatabase) -> None:
    node = InMemoryServer(database, live=4)
    squatter, guest = await node.connect_and_greet(), await node.connect_and_greet()
    squatted = await opened(squatter, 4)
    assert isinstance(await guest.request(open_request()), Opened)
    assert (await squatter.expect(Unwatched)).match == squatted[0]
    assert (await squatter.expect_refused(Watch("again", squatted[0]))).code == "busy"
    await node.matches.close()


async def test_players_return_to_their_match_though_strangers_hold_all_places(database: MemoryDatabase) -> None:
    first_node = InMemoryServer(database)
    players = [await first_node.connect_and_greet() for _ in range(2)]
    match = await begin_match(players[0], players[1])
    await first_node.matches.close()
    node = InMemoryServer(database, live=4, clock=first_node.clock)
    squatters = [await node.connect_and_greet() for _ in range(4)]
    for squatter in squatters:
        await opened(squatter, 1)
    returned = [await node.connect_and_greet(player.token) for player in players]
    for seat, player in enumerate(returned):
        await player.watch(match)
        accepted = await player.choose_number(match, seat, 3)
        assert accepted.match == match
    await node.matches.close()


async def test_running_matches_are_always_loaded_and_few_stay_in_memory(database: MemoryDatabase) -> None:
    first_node = InMemoryServer(database)
    players = [await first_node.connect_and_greet() for _ in range(2)]
    matches = [await begin_match(players[0], players[1]) for _ in range(6)]
    await first_node.matches.close()
    node = InMemoryServer(database, live=2, clock=first_node.clock)
    player = await node.connect_and_greet(players[0].token)
    for match in matches:
        await player.watch(match)
    assert len(node.matches) <= 5
    await node.matches.close()


async def test_strangers_who_watch_what_nobody_waits_for_hold_no_place(database: MemoryDatabase) -> None:
    node = InMemoryServer(database, live=3)
    squatter = await node.connect_and_greet()
    for _ in range(3):
        passing = await node.connect_and_greet()
        await squatter.watch(await passing.open_match())
        passing.session.close()
    honest = await node.connect_and_greet()
    match = await honest.open_match()
    await honest.watch(match)
    # Nor does the match go again whose opener waits.
    await (await node.connect_and_greet()).open_match()
    assert node.matches.is_live(match)
    await node.matches.close()


async def test_those_who_hold_one_match_each_push_nobody_out(database: MemoryDatabase) -> None:
    node = InMemoryServer(database, live=3)
    guests = [await node.connect_and_greet() for _ in range(4)]
    for guest in guests[:3]:
        await opened(guest, 1)
    assert (await guests[3].expect_refused(open_request())).code == "busy"
    await node.matches.close()


# ---------------------------------------------------------------- addresses


async def test_queries_are_limited_by_address(database: MemoryDatabase) -> None:
    node = InMemoryServer(database)
    clock = ManualClock()
    quotas = AddressQuotas(QuotaLimits(), clock)
    node.session_context = msgspec.structs.replace(node.session_context, quotas=quotas)
    first, neighbour = [await node.connect_and_greet(address="203.0.113.9") for _ in range(2)]
    other = await node.connect_and_greet(address="203.0.113.8")
    requests: list[Request] = [
        ListMatches("l"),
        FollowMatches("f"),
        SearchMatches("s"),
        GetCatalogue("g", "counting"),
        CheckArmy("c", "counting", Raw(b"{}")),
        GetPlayers("p", (PlayerId("somebody"),)),
    ]
    for number in range(QUERY_BURST):
        answer = await first.request(requests[number % len(requests)])
        assert not isinstance(answer, Refused)
    for request in (*requests, Register("r", "somebody", "a long password")):
        refused = await neighbour.expect_refused(request)
        assert (refused.code, refused.retry_after_ms) == ("busy", 1000 // QUERIES_PER_SECOND)
    assert not isinstance(await other.request(requests[0]), Refused)
    clock.now += 1000 // QUERIES_PER_SECOND
    assert not isinstance(await neighbour.request(requests[0]), Refused)
    await node.matches.close()


async def test_requests_about_matches_and_devices_are_limited_by_address(database: MemoryDatabase) -> None:
    node = InMemoryServer(database)
    node.session_context = msgspec.structs.replace(
        node.session_context, quotas=AddressQuotas(QuotaLimits(), ManualClock())
    )
    opener = await node.connect_and_greet(address="203.0.113.8")
    match = await opener.open_match()
    stranger = await node.connect_and_greet(address="203.0.113.9")
    for number in range(QUERY_BURST):
        unknown = await stranger.expect_refused(Watch("w", MatchId(f"unknown-{number}")))
        assert unknown.code == "unknown_match"
    requests: list[Request] = [
        Watch("w", MatchId("unknown")),
        CloseMatch("c", MatchId("unknown")),
        KickPlayer("k", MatchId("unknown"), 0),
        SeatBot("b", MatchId("unknown"), "steady"),
        EnterMatch("e", match, "a password"),
        UseInvite("u", "code"),
        CreateInvite("i", match),
        ListInvites("l", match),
        RevokeInvite("v", match, "invite"),
        OfferRematch("o", match),
        DeclineRematch("d", match),
        BranchMatch("p", match, 1),
        ListDevices("s"),
        RevokeDevice("x", "device"),
        Rename("n", "somebody"),
    ]
    for request in requests:
        refused = await stranger.expect_refused(request)
        assert (refused.code, bool(refused.retry_after_ms)) == ("busy", True), request
    await stranger.watch(match)
    await stranger.take_seat(match, 0)  # what is in memory costs no query
    await node.matches.close()


class CountingHandover:
    """Another worker that is the home of every match; `asked` are those that it was to take."""

    def __init__(self) -> None:
        self.asked: list[MatchId] = []

    def can_hand_over(self, match: MatchId) -> bool:
        return True

    async def hand_over(self, match: MatchId, user: object, follow: object) -> bool:
        self.asked.append(match)
        return False


async def test_looking_for_the_worker_of_a_match_reads_no_more_than_the_queries_of_an_address(
    database: MemoryDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = InMemoryServer(database)
    quotas = AddressQuotas(QuotaLimits(), ManualClock())
    node.session_context = msgspec.structs.replace(node.session_context, quotas=quotas)
    opener = await node.connect_and_greet(address="203.0.113.8")
    match = await opener.open_match()
    looked_up: list[Sequence[MatchId]] = []
    find_listings = node.matches.find_listings

    async def count_listings(matches: Sequence[MatchId]) -> list[Listing]:
        looked_up.append(matches)
        return await find_listings(matches)

    monkeypatch.setattr(node.matches, "find_listings", count_listings)
    stranger = await node.connect_and_greet(address="203.0.113.9")
    stranger.session._handover = handover = CountingHandover()
    for number in range(QUERY_BURST + 20):
        await stranger.expect_refused(Watch("w", MatchId(f"unknown-{number}")))
    assert len(looked_up) == QUERY_BURST
    await stranger.watch(match)
    assert handover.asked == []
    await node.matches.close()


async def test_players_return_to_their_match_after_a_restart_without_a_query(database: MemoryDatabase) -> None:
    before = InMemoryServer(database)
    players = [await before.connect_and_greet() for _ in range(2)]
    matches = [await begin_match(players[0], players[1]) for _ in range(3)]
    await before.matches.close()
    node = InMemoryServer(database, clock=before.clock)
    quotas = AddressQuotas(QuotaLimits(), ManualClock())
    node.session_context = msgspec.structs.replace(node.session_context, quotas=quotas)
    for player in players:
        returned = await node.connect_and_greet(player.token, "203.0.113.9")
        for match in matches:
            await returned.watch(match)
        returned.session.close()
    assert quotas._queries == {}, "a whole club returns at the same time"
    await node.matches.close()
    node = InMemoryServer(database, clock=before.clock)
    node.session_context = msgspec.structs.replace(node.session_context, quotas=quotas)
    spectator = await node.connect_and_greet(address="203.0.113.9")
    await spectator.watch(matches[0])
    assert quotas._queries["203.0.113.9"].units_left(0) == QUERY_BURST - 1, "others who load it are counted"
    await node.matches.close()


def test_openings_are_limited_by_the_hour() -> None:
    clock = ManualClock()
    quotas = AddressQuotas(QuotaLimits(openings_per_hour=3), clock)
    assert [quotas.admit_opening("a") for _ in range(4)] == [True, True, True, False]
    assert quotas.admit_opening("b")
    assert all(quotas.admit_opening(UNKNOWN) for _ in range(10))
    clock.now += MS_PER_HOUR // 3 + 4000
    assert [quotas.admit_opening("a") for _ in range(2)] == [True, False]


def test_few_addresses_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address_quotas, "MAX_REMEMBERED_ADDRESSES", 5)
    quotas = AddressQuotas(QuotaLimits(openings_per_hour=1), lambda: 0)
    for number in range(20):
        assert quotas.admit_opening(f"a{number}")
    assert not quotas.admit_opening("a19")
    assert len(quotas._openings) == 5


async def test_address_that_opened_too_many_matches_is_refused_and_may_repeat_itself(database: MemoryDatabase) -> None:
    node = InMemoryServer(database)
    quotas = AddressQuotas(QuotaLimits(openings_per_hour=2), node.clock)
    guests = [await node.connect_and_greet() for _ in range(3)]
    for guest in guests:
        guest.session.user.quotas, guest.session.user.address = quotas, "203.0.113.9"
    first = await guests[0].request(open_request())
    assert isinstance(first, Opened)
    assert isinstance(await guests[1].request(open_request()), Opened)
    refused = await guests[2].expect_refused(open_request())
    assert (refused.code, "address" in refused.text) == ("too_many_open", True)
    assert await guests[0].request(open_request()) == first
    await node.matches.close()


# ---------------------------------------------------------------- sockets


@contextlib.asynccontextmanager
async def open_server(
    database: MemoryDatabase, socket_class: type[GameSocket], limits: QuotaLimits, clock: Clock | None = None
) -> AsyncIterator[tuple[Transport, AddressQuotas]]:
    async def health() -> HealthReport:
        return HealthReport("ok", "n1", "1", "ok", "1")

    node = InMemoryServer(database)
    quotas = AddressQuotas(limits, clock or node.clock)
    context = msgspec.structs.replace(node.session_context, quotas=quotas)
    options = ListenOptions(close_timeout_seconds=0.2)
    async with Transport(context, health, options, socket_class) as transport:
        yield transport, quotas
    await node.matches.close()


async def wait_for_sockets(quotas: AddressQuotas, count: int) -> None:
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
        while quotas._sockets != count:
            await asyncio.sleep(0.01)


async def test_connections_of_an_address_are_limited(database: MemoryDatabase, socket_class: type[GameSocket]) -> None:
    limits = QuotaLimits(connections=2)
    async with open_server(database, socket_class, limits) as (transport, quotas):
        async with await RawClient.connect(transport.url), await RawClient.connect(transport.url):
            with pytest.raises(AssertionError, match="503"):
                await RawClient.connect(transport.url)
        await wait_for_sockets(quotas, 0)
        async with await RawClient.connect(transport.url):
            pass
        await wait_for_sockets(quotas, 0)
        assert not quotas._connections


async def test_address_that_keeps_connecting_has_to_wait(
    database: MemoryDatabase, socket_class: type[GameSocket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address_quotas, "HANDSHAKE_BURST", 5)
    async with open_server(database, socket_class, QuotaLimits(connections=2)) as (transport, quotas):
        for _ in range(5):
            async with await RawClient.connect(transport.url):
                pass
            await wait_for_sockets(quotas, 0)
        with pytest.raises(AssertionError, match="503"):
            await RawClient.connect(transport.url)
        await wait_for_sockets(quotas, 0)
        assert not quotas._connections


def test_connections_of_an_address_grow_back() -> None:
    clock = ManualClock()
    quotas = AddressQuotas(QuotaLimits(connections=200), clock)
    assert [quotas.admit_handshake(LOOPBACK) for _ in range(201)] == [True] * 200 + [False]
    assert quotas.admit_handshake("192.0.2.7")
    assert all(quotas.admit_handshake(UNKNOWN) for _ in range(300))
    clock.now += HANDSHAKE_PERIOD_MS // 100
    assert [quotas.admit_handshake(LOOPBACK) for _ in range(3)] == [True, True, False]


def test_requests_over_http_use_up_no_connections() -> None:
    quotas = AddressQuotas(QuotaLimits(connections=1), ManualClock())
    for _ in range(HANDSHAKE_BURST + 20):
        assert quotas.admit_handshake(LOOPBACK)
        assert quotas.admit_request(LOOPBACK) == 0


def test_frames_of_an_address_wait_for_one_another() -> None:
    clock = ManualClock()
    quotas = AddressQuotas(QuotaLimits(), clock)
    quotas.charge_frame(LOOPBACK, FRAMES_PER_SECOND)
    quotas.charge_frame(UNKNOWN, 10 * FRAMES_PER_SECOND)
    assert quotas.frame_wait_ms(LOOPBACK) == 1
    quotas.charge_frame(LOOPBACK, 33)
    assert quotas.frame_wait_ms(LOOPBACK) == 34, "the next one waits for a costly one"
    assert quotas.frame_wait_ms("192.0.2.7") == quotas.frame_wait_ms(UNKNOWN) == 0
    clock.now += 40
    assert quotas.frame_wait_ms(LOOPBACK) == 0


async def test_frames_beyond_those_of_an_address_are_handled_later(
    database: MemoryDatabase, socket_class: type[GameSocket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address_quotas, "FRAMES_PER_SECOND", 20)
    act = text(encode(Act("a", MatchId("m"), Raw(b"{}"))))
    async with (
        open_server(database, socket_class, QuotaLimits()) as (transport, _),
        await RawClient.connect(transport.url) as first,
        await RawClient.connect(transport.url) as second,
    ):
        for client in (first, second):
            client.write(text(encode(Hello((1,)))))
            assert (await client.read_message())["type"] == "welcome"
        first.write(act * 18)
        for _ in range(18):
            assert (await first.read_message())["type"] == "refused"
        began = asyncio.get_running_loop().time()
        for _ in range(4):
            second.write(act)
            assert (await second.read_message())["type"] == "refused"
        # The clock of the quotas stands still, so that each waits one more twentieth of a second.
        assert asyncio.get_running_loop().time() - began >= 0.05 + 0.1 + 0.15 + 0.2


def test_an_address_that_keeps_connecting_has_no_new_burst_each_time() -> None:
    clock, limits = ManualClock(), ClientLimits(frames_per_second=100, frame_burst=500)
    quotas = AddressQuotas(QuotaLimits(), clock)
    bursts = [quotas.grant_burst("203.0.113.9", limits) for _ in range(FULL_BURSTS + 2)]
    assert bursts == [500] * FULL_BURSTS + [MIN_BURST] * 2
    assert FULL_BURSTS > 3, "two players at one table, their spectator, and one more device"
    assert quotas.grant_burst("203.0.113.10", limits) == 500
    assert [quotas.grant_burst(UNKNOWN, limits) for _ in range(6)] == [500] * 6
    clock.now += 1_000
    assert quotas.grant_burst("203.0.113.9", limits) == 100
    assert quotas.grant_burst("203.0.113.9", limits) == MIN_BURST


async def test_a_client_closed_for_flooding_gets_few_frames_when_it_connects_again(
    database: MemoryDatabase, socket_class: type[GameSocket]
) -> None:
    async with open_server(database, socket_class, QuotaLimits()) as (transport, _):
        pongs = []
        for _ in range(FULL_BURSTS + 1):
            async with await RawClient.connect(transport.url) as client:
                client.write(masked(Opcode.PING) * 200)
                await client.read_to_end()
                pongs.append(client.count(Opcode.PONG))
        full, least = DEFAULT_CLIENT_LIMITS.frame_burst, MIN_BURST
        assert pongs == [full // CONTROL_FRAME_UNITS] * FULL_BURSTS + [least // CONTROL_FRAME_UNITS]


async def test_welcome_says_how_many_frames_this_connection_may_send_at_once(
    database: MemoryDatabase, socket_class: type[GameSocket]
) -> None:
    full = DEFAULT_CLIENT_LIMITS.frame_burst
    async with (
        open_server(database, socket_class, QuotaLimits()) as (transport, _),
        contextlib.AsyncExitStack() as stack,
    ):
        bursts = []
        for _ in range(FULL_BURSTS + 2):
            client = await stack.enter_async_context(connect(transport.url))
            await client.send(json.dumps({"type": "hello", "versions": [1]}))
            welcome = json.loads(await client.recv())
            bursts.append(welcome["limits"]["frame_burst"])
            if len(bursts) < FULL_BURSTS:
                continue  # meanwhile the address would get its frames back
            for _ in range(bursts[-1] - 1):
                await client.send(json.dumps({"type": "act", "id": "a", "match": "m", "action": {"type": "resign"}}))
            for _ in range(bursts[-1] - 1):
                assert json.loads(await client.recv())["code"] == "not_watching"
        assert bursts[:FULL_BURSTS] == [full] * FULL_BURSTS
        assert all(MIN_BURST <= burst < full for burst in bursts[FULL_BURSTS:])


async def test_players_and_spectator_of_one_address_may_each_send_what_welcome_says(
    database: MemoryDatabase, socket_class: type[GameSocket]
) -> None:
    """A local match has three connections of one address; frames that wait for those of the others are read too."""
    async with (
        open_server(database, socket_class, QuotaLimits(), monotonic_ms) as (transport, _),
        await RawClient.connect(transport.url) as opener,
        await RawClient.connect(transport.url) as other,
        await RawClient.connect(transport.url) as spectator,
    ):
        clients = (opener, other, spectator)
        for client in clients:
            client.write(text(encode(Hello((1,)))))
            limits = (await client.read_message())["limits"]
            assert limits["frame_burst"] == DEFAULT_CLIENT_LIMITS.frame_burst
        opener.write(text(encode(open_request())))
        while (message := await opener.read_message())["type"] != "watching":
            pass
        match = MatchId(message["match"])
        for client in (other, spectator):
            client.write(text(encode(Watch("w", match))))
            while (await client.read_message())["type"] != "watching":
                pass
        for seat, client in enumerate((opener, other)):
            action = TakeSeat(HEAD, CountingLoadout("me"))
            client.write(text(encode(Act("sit", match, Raw(msgspec.json.encode(action)), DecisionId(f"1.{seat}")))))
            while (message := await client.read_message()).get("id") != "sit":
                pass
            assert message["type"] == "accepted"
        # An act on a match that is not watched is answered without the work of a match.
        act = text(encode(Act("a", MatchId("m"), Raw(b"{}"))))
        for client, sent in zip(clients, (3, 3, 2), strict=True):
            client.write(act * (DEFAULT_CLIENT_LIMITS.frame_burst - sent))
        for client, sent in zip(clients, (3, 3, 2), strict=True):
            refused = 0
            while refused < DEFAULT_CLIENT_LIMITS.frame_burst - sent:
                message = await client.read_message()
                assert message["type"] in ("refused", "records", "options")
                refused += message["type"] == "refused"


async def test_connections_behind_a_proxy_are_limited_by_the_address_that_it_names(
    database: MemoryDatabase, socket_class: type[GameSocket]
) -> None:
    limits = QuotaLimits(connections=1, proxies=(LOOPBACK,))
    async with open_server(database, socket_class, limits) as (transport, quotas):
        headers: Any = {"X-Forwarded-For": "203.0.113.9"}
        async with connect(transport.url, additional_headers=headers):
            with pytest.raises(InvalidStatus) as refused:
                await connect(transport.url, additional_headers=headers)
            assert refused.value.response.status_code == 503
            assert refused.value.response.headers["Retry-After"] == "5"
            body = json.loads(refused.value.response.body or b"")
            assert body == {"code": "too_many_connections", "retry_after_ms": 5000}
            async with connect(transport.url, additional_headers={"X-Forwarded-For": "203.0.113.10"}):
                pass
            async with connect(transport.url):
                with pytest.raises(InvalidStatus) as refused:
                    await connect(transport.url)
                assert refused.value.response.status_code == 503, "those whom the proxy does not name count as one"
        await wait_for_sockets(quotas, 0)
        assert not quotas._connections


REFUSED = {"too_many_connections": (503, QuotaLimits(connections=2)), "server_full": (503, QuotaLimits(max_sockets=2))}


@pytest.mark.parametrize("make_loop", [asyncio.new_event_loop, new_event_loop])
@pytest.mark.parametrize("code", REFUSED)
def test_refused_connection_receives_its_wait_and_begins_nothing(
    code: str,
    make_loop: Callable[[], asyncio.AbstractEventLoop],
    socket_class: type[GameSocket],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(address_quotas, "SPARE_SOCKETS", 0)
    status, limits = REFUSED[code]

    async def run() -> None:
        async with (
            MemoryDatabase() as database,
            open_server(database, socket_class, limits) as (transport, quotas),
            asyncio.timeout(TEST_TIMEOUT_SECONDS),
        ):
            address = urlsplit(transport.url)
            held = []
            for number in range(1, 3):
                held.append(await asyncio.open_connection(address.hostname, address.port))
                await wait_for_sockets(quotas, number)
            refused = [await asyncio.open_connection(address.hostname, address.port) for _ in range(7)]
            answers = [await reader.read() for reader, _ in refused]
            head, _, body = answers[0].partition(b"\r\n\r\n")
            assert set(answers) == {answers[0]}
            assert head.startswith(f"HTTP/1.1 {status} ".encode())
            assert b"\r\nRetry-After: 5\r\n" in head
            assert f"\r\nContent-Length: {len(body)}\r\n".encode() in head
            assert json.loads(body) == {"code": code, "retry_after_ms": 5000}
            assert len(transport._servers[0].handler_tasks) == 2, "those that were refused have no task"
            counted = f'diskwars_connections_refused_total{{code="{code}"}} 7.0'
            assert counted in transport._context.metrics.render().decode()
            held.pop()[1].close()
            await wait_for_sockets(quotas, 1)
            async with await RawClient.connect(transport.url):
                pass
            for _, writer in (*held, *refused):
                writer.close()
            await wait_for_sockets(quotas, 0)

    with asyncio.Runner(loop_factory=make_loop) as runner:
        runner.run(run())


async def test_client_that_sends_its_request_at_once_reads_why_it_is_refused(
    database: MemoryDatabase, socket_class: type[GameSocket]
) -> None:
    """A socket that is closed with unread bytes is reset, and the answer must come first."""
    async with (
        open_server(database, socket_class, QuotaLimits(connections=1)) as (transport, _),
        connect(transport.url),
    ):
        for _ in range(20):
            with pytest.raises(InvalidStatus) as refused:
                await connect(transport.url)
            assert refused.value.response.status_code == 503
            assert refused.value.response.headers["Retry-After"] == "5"


def test_host_of_several_addresses_is_listened_on_at_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    places = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, 0)) for host in (LOOPBACK, "127.0.0.2", LOOPBACK)]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: places)
    with contextlib.ExitStack() as stack:
        bound = [stack.enter_context(one) for one in bind("two", 0)]
        port = bound[0].getsockname()[1]
        assert [one.getsockname() for one in bound] == [(LOOPBACK, port), ("127.0.0.2", port)]
        bound[0].listen()
        places[0] = (*places[0][:4], (LOOPBACK, port))
        with pytest.raises(OSError, match="in use"):
            bind("taken", port)


async def test_half_open_connections_are_bounded(
    database: MemoryDatabase, socket_class: type[GameSocket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address_quotas, "SPARE_SOCKETS", 3)
    async with open_server(database, socket_class, QuotaLimits(max_sockets=2)) as (transport, quotas):
        address = transport.url.removeprefix("ws://").removesuffix("/ws").split(":")
        half_open = [await asyncio.open_connection(address[0], int(address[1])) for _ in range(8)]
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            ended = [await reader.read() for reader, _ in half_open[5:]]
        assert all(answer.startswith(b"HTTP/1.1 503 ") for answer in ended)
        assert quotas._sockets == 5
        for _, writer in half_open:
            writer.close()
        await wait_for_sockets(quotas, 0)


# ---------------------------------------------------------------- proxies


async def test_only_the_chosen_header_of_a_proxy_counts(
    database: MemoryDatabase, socket_class: type[GameSocket]
) -> None:
    limits = QuotaLimits(connections=1, proxies=("127.0.0.0/8",), proxy_header="forwarded")
    async with open_server(database, socket_class, limits) as (transport, _):
        forged: Any = {"X-Forwarded-For": "203.0.113.77", "Forwarded": "for=203.0.113.9"}
        async with connect(transport.url, additional_headers=forged):
            with pytest.raises(InvalidStatus) as refused:
                await connect(transport.url, additional_headers=forged | {"X-Forwarded-For": "203.0.113.78"})
            assert refused.value.response.status_code == 503


async def test_header_of_a_stranger_counts_for_nothing(
    database: MemoryDatabase, socket_class: type[GameSocket]
) -> None:
    forged: Any = {"X-Forwarded-For": "203.0.113.9"}
    async with (
        open_server(database, socket_class, QuotaLimits(connections=1)) as (transport, quotas),
        connect(transport.url, additional_headers=forged),
    ):
        assert dict(quotas._connections) == {LOOPBACK: 1}
