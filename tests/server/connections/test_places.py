"""A few addresses that hold every place of a server keep nobody else out."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from diskwars_client.client import connect as connect_player
from diskwars_protocol.connection.connection import encode
from diskwars_protocol.messages.handshake import PROTOCOL_VERSION, Hello
from diskwars_protocol.rulesets.pit.actions import PitLoadout
from diskwars_server.app import start_server
from diskwars_server.settings import ServerSettings
from diskwars_server.store.memory.database import MemoryDatabase

WAIT_SECONDS = 45
HELLO = encode(Hello((PROTOCOL_VERSION,))).decode()
STRANGER, OTHER, PERSON = "203.0.113.9", "203.0.113.10", "198.51.100.1"


@pytest.fixture
async def url() -> AsyncIterator[str]:
    """A server with four places, which believes the addresses that a proxy on loopback names."""
    settings = ServerSettings(port=0, connections=4, proxies=("127.0.0.1",), bot_workers=0)
    async with (
        asyncio.timeout(WAIT_SECONDS),
        MemoryDatabase() as database,
        start_server(settings, database) as transport,
    ):
        yield transport.url


@contextlib.asynccontextmanager
async def guests(url: str, *addresses: str) -> AsyncIterator[list[ClientConnection]]:
    """Guests who were welcomed, one after the other."""
    async with contextlib.AsyncExitStack() as stack:
        found = []
        for address in addresses:
            headers = {"X-Forwarded-For": address} if address else {}
            guest = await stack.enter_async_context(connect(url, additional_headers=headers))
            await guest.send(HELLO)
            assert json.loads(await guest.recv())["type"] == "welcome"
            found.append(guest)
        yield found


async def closing(guest: ClientConnection) -> dict[str, object]:
    message: dict[str, object] = json.loads(await guest.recv())
    await guest.wait_closed()
    return message


async def test_newcomer_gets_the_place_of_the_address_with_the_most(url: str) -> None:
    async with guests(url, OTHER, STRANGER, STRANGER, STRANGER) as (_, silent, *_), guests(url, PERSON):
        closed = await closing(silent)
        assert (closed["close_reason"], closed["retry_after_ms"]) == ("going_away", 5000)


async def test_of_one_address_the_connection_that_is_silent_for_longest_goes(url: str) -> None:
    async with guests(url, STRANGER, STRANGER, STRANGER, STRANGER) as (talking, silent, *_):
        await talking.send(json.dumps({"type": "list_matches", "id": "list"}))
        assert json.loads(await talking.recv())["id"] == "list"
        async with guests(url, PERSON):
            await closing(silent)  # and not the first one


async def test_addresses_with_equal_parts_keep_their_places(url: str) -> None:
    async with guests(url, STRANGER, OTHER, STRANGER, OTHER), guests(url, PERSON):
        with pytest.raises(InvalidStatus) as refused:  # one more would leave an address with fewer than another
            async with guests(url, PERSON):
                pass
    assert refused.value.response.status_code == 503


async def test_player_in_a_match_stays_when_another_of_the_same_address_can_go(url: str) -> None:
    async with connect_player(url) as ann:  # the proxy names neither her nor the guests
        handle = await ann.open_match(ruleset="pit", seat_count=2)
        await handle.take_seat(PitLoadout())
        async with guests(url, "", "", "") as (silent, *_), guests(url, PERSON):
            await closing(silent)
            await handle.leave()
