"""Strangers who hold many matches or connections keep nobody else out."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest
from msgspec import Raw
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.frames import Opcode

from diskwars_protocol import messages as m
from diskwars_protocol.match import MatchId
from diskwars_server import address_quotas
from diskwars_server.address_quotas import FULL_BURSTS, MIN_BURST, MS_PER_HOUR, UNKNOWN, AddressQuotas, QuotaLimits
from diskwars_server.frame_meter import CONTROL_FRAME_UNITS
from diskwars_server.game_socket import GameSocket
from diskwars_server.health import HealthReport
from diskwars_server.memory import MemoryDatabase
from diskwars_server.transport import ListenOptions, Transport
from tests.server.connections import TEST_TIMEOUT_SECONDS, InMemoryClient, InMemoryServer, ManualClock, begin_match
from tests.server.raw_client import RawClient, masked

LOOPBACK = "127.0.0.1"


@pytest.fixture
async def database() -> AsyncIterator[MemoryDatabase]:
    async with MemoryDatabase() as opened:
        yield opened


async def opened(client: InMemoryClient, count: int) -> list[MatchId]:
    """Open and watch this many matches."""
    return [await client.open_match() for _ in range(count)]


def open_request(id: str = "open") -> m.OpenMatch:
    return m.OpenMatch(id, "counting", 2, Raw(b'{"rounds":2}'))


# ---------------------------------------------------------------- places in memory


async def test_player_who_holds_all_places_keeps_nobody_from_opening(database: MemoryDatabase) -> None:
    node = InMemoryServer(database, live=4)
    squatter, guest = await node.connect_and_greet(), await node.connect_and_greet()
    squatted = await opened(squatter, 4)
    assert isinstance(await guest.request(open_request()), m.Opened)
    assert (await squatter.expect(m.Unwatched)).match == squatted[0]
    assert (await squatter.expect_refused(m.Watch("again", squatted[0]))).code == "busy"
    await node.lobby.close()


async def test_players_return_to_their_match_though_strangers_hold_all_places(database: MemoryDatabase) -> None:
    first_node = InMemoryServer(database)
    players = [await first_node.connect_and_greet() for _ in range(2)]
    match = await begin_match(players[0], players[1])
    await first_node.lobby.close()
    node = InMemoryServer(database, live=4, clock=first_node.clock)
    squatters = [await node.connect_and_greet() for _ in range(4)]
    for squatter in squatters:
        await opened(squatter, 1)
    returned = [await node.connect_and_greet(player.token) for player in players]
    for seat, player in enumerate(returned):
        await player.watch(match)
        accepted = await player.choose_number(match, seat, 3)
        assert accepted.match == match
    await node.lobby.close()


async def test_running_matches_are_loaded_beyond_the_limit_up_to_twice_its_number(database: MemoryDatabase) -> None:
    first_node = InMemoryServer(database)
    players = [await first_node.connect_and_greet() for _ in range(2)]
    matches = [await begin_match(players[0], players[1]) for _ in range(6)]
    await first_node.lobby.close()
    node = InMemoryServer(database, live=2, clock=first_node.clock)
    player = await node.connect_and_greet(players[0].token)
    for match in matches[:4]:
        await player.watch(match)
    for match in matches[4:]:
        answer = await player.request(m.Watch("w", match))
        if isinstance(answer, m.Refused):
            assert (answer.code, answer.retry_after_ms is not None) == ("busy", True)
    assert len(node.lobby._live) <= 5
    await node.lobby.close()


async def test_those_who_hold_one_match_each_push_nobody_out(database: MemoryDatabase) -> None:
    node = InMemoryServer(database, live=3)
    guests = [await node.connect_and_greet() for _ in range(4)]
    for guest in guests[:3]:
        await opened(guest, 1)
    assert (await guests[3].expect_refused(open_request())).code == "busy"
    await node.lobby.close()


# ---------------------------------------------------------------- addresses


def test_address_of_a_proxy_is_the_one_it_names() -> None:
    quotas = AddressQuotas(QuotaLimits(proxies=("127.0.0.1", "10.0.0.2")), lambda: 0)
    assert quotas.address_of(("10.0.0.2", 5)) == UNKNOWN
    assert quotas.address_of("") == UNKNOWN
    assert quotas.address_of(("203.0.113.9", 5)) == "203.0.113.9"
    assert quotas.forwarded_address([]) == UNKNOWN
    assert quotas.forwarded_address(["9.9.9.9, 203.0.113.9"]) == "203.0.113.9", "the rest is what the client claims"
    assert quotas.forwarded_address(["9.9.9.9", "203.0.113.9"]) == "203.0.113.9"


def test_addresses_of_one_ipv6_network_count_as_one() -> None:
    quotas = AddressQuotas(QuotaLimits(), lambda: 0)
    first, second = ("2001:db8:1:2::1", 5, 0, 0), ("2001:db8:1:2:ffff::9%eth0", 6, 0, 0)
    assert quotas.address_of(first) == quotas.address_of(second) == "2001:db8:1:2::/64"
    assert quotas.address_of(("::ffff:203.0.113.9", 5, 0, 0)) == "203.0.113.9"


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
    context = msgspec.structs.replace(node.session_context, quotas=quotas)
    guests = [await node.connect_and_greet() for _ in range(3)]
    for guest in guests:
        guest.session._context, guest.session._address = context, "203.0.113.9"
    first = await guests[0].request(open_request())
    assert isinstance(first, m.Opened)
    assert isinstance(await guests[1].request(open_request()), m.Opened)
    refused = await guests[2].expect_refused(open_request())
    assert (refused.code, "address" in refused.text) == ("too_many_open", True)
    assert await guests[0].request(open_request()) == first
    await node.lobby.close()


# ---------------------------------------------------------------- sockets


@contextlib.asynccontextmanager
async def open_server(
    database: MemoryDatabase, socket_class: type[GameSocket], limits: QuotaLimits
) -> AsyncIterator[tuple[Transport, AddressQuotas]]:
    async def health() -> HealthReport:
        return HealthReport("ok", "n1", "1", "ok", "1")

    node = InMemoryServer(database)
    quotas = AddressQuotas(limits, node.clock)
    context = msgspec.structs.replace(node.session_context, quotas=quotas)
    options = ListenOptions(close_timeout_seconds=0.2)
    async with Transport(context, health, options, socket_class) as transport:
        yield transport, quotas
    await node.lobby.close()


async def wait_for_sockets(quotas: AddressQuotas, count: int) -> None:
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
        while quotas._sockets != count:
            await asyncio.sleep(0.01)


async def test_connections_of_an_address_are_limited(database: MemoryDatabase, socket_class: type[GameSocket]) -> None:
    limits = QuotaLimits(connections=2, proxies=())
    async with open_server(database, socket_class, limits) as (transport, quotas):
        async with await RawClient.connect(transport.url), await RawClient.connect(transport.url):
            with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
                await RawClient.connect(transport.url)
        await wait_for_sockets(quotas, 0)
        async with await RawClient.connect(transport.url):
            pass
        await wait_for_sockets(quotas, 0)
        assert not quotas._connections


def test_an_address_that_keeps_connecting_has_no_new_burst_each_time() -> None:
    clock, limits = ManualClock(), m.ClientLimits(frames_per_second=100, frame_burst=500)
    quotas = AddressQuotas(QuotaLimits(), clock)
    bursts = [quotas.grant_burst("203.0.113.9", limits) for _ in range(FULL_BURSTS + 2)]
    assert bursts == [500] * FULL_BURSTS + [MIN_BURST] * 2
    assert quotas.grant_burst("203.0.113.10", limits) == 500
    assert [quotas.grant_burst(UNKNOWN, limits) for _ in range(6)] == [500] * 6
    clock.now += 1_000
    assert quotas.grant_burst("203.0.113.9", limits) == 100
    assert quotas.grant_burst("203.0.113.9", limits) == MIN_BURST


async def test_a_client_closed_for_flooding_gets_few_frames_when_it_connects_again(
    database: MemoryDatabase, socket_class: type[GameSocket]
) -> None:
    async with open_server(database, socket_class, QuotaLimits(proxies=())) as (transport, _):
        pongs = []
        for _ in range(FULL_BURSTS + 1):
            async with await RawClient.connect(transport.url) as client:
                client.write(masked(Opcode.PING) * 200)
                await client.read_to_end()
                pongs.append(client.count(Opcode.PONG))
        full, least = m.DEFAULT_CLIENT_LIMITS.frame_burst, MIN_BURST
        assert pongs == [full // CONTROL_FRAME_UNITS] * FULL_BURSTS + [least // CONTROL_FRAME_UNITS]


async def test_connections_behind_a_proxy_are_limited_by_the_address_that_it_names(
    database: MemoryDatabase, socket_class: type[GameSocket]
) -> None:
    limits = QuotaLimits(connections=1, proxies=(LOOPBACK,))
    async with open_server(database, socket_class, limits) as (transport, quotas):
        headers: Any = {"X-Forwarded-For": "203.0.113.9"}
        async with connect(transport.url, additional_headers=headers):
            with pytest.raises(InvalidStatus) as refused:
                await connect(transport.url, additional_headers=headers)
            assert refused.value.response.status_code == 429
            async with connect(transport.url, additional_headers={"X-Forwarded-For": "203.0.113.10"}):
                pass
            async with connect(transport.url), connect(transport.url):
                pass
        await wait_for_sockets(quotas, 0)
        assert not quotas._connections


async def test_half_open_connections_are_bounded(
    database: MemoryDatabase, socket_class: type[GameSocket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address_quotas, "SPARE_SOCKETS", 3)
    async with open_server(database, socket_class, QuotaLimits(max_sockets=2)) as (transport, quotas):
        address = transport.url.removeprefix("ws://").removesuffix("/ws").split(":")
        half_open = [await asyncio.open_connection(address[0], int(address[1])) for _ in range(8)]
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            ended = [await reader.read() for reader, _ in half_open[5:]]
        assert ended == [b"", b"", b""]
        assert quotas._sockets == 5
        for _, writer in half_open:
            writer.close()
        await wait_for_sockets(quotas, 0)
