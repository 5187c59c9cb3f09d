"""Guests choose the name that others see: it proves nothing, and is never that of an account."""

from collections.abc import AsyncIterator

import pytest

from diskwars_protocol.messages.accounts import (
    AccountChanged,
    GetPlayers,
    NameGuest,
    PlayerList,
    PlayerSummary,
    Register,
    Rename,
)
from diskwars_server.players.guest_names import NAMES_PER_ADDRESS
from diskwars_server.store.accounts import RESERVED_NAME_MS
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.in_memory_server import InMemoryClient, InMemoryServer

PASSWORD = "the griffon flies at dawn"


@pytest.fixture
async def node() -> AsyncIterator[InMemoryServer]:
    async with MemoryDatabase() as database:
        server = InMemoryServer(database)
        yield server
        await server.matches.close()


async def summary_of(client: InMemoryClient, other: InMemoryClient) -> PlayerSummary:
    answer = await client.request(GetPlayers(client.id(), (other.player,)))
    assert isinstance(answer, PlayerList)
    return answer.players[0]


async def call(client: InMemoryClient, name: str) -> AccountChanged:
    answer = await client.request(NameGuest(client.id(), name))
    assert isinstance(answer, AccountChanged), answer
    return answer


async def test_others_see_the_name_that_a_guest_has_chosen(node: InMemoryServer) -> None:
    guest, other = [await node.connect_and_greet() for _ in range(2)]
    assert (await summary_of(other, guest)).name.startswith("Guest ")
    assert (await call(guest, "Marek")).account is None
    await call(guest, "Marek of Altdorf")
    shown = await summary_of(other, guest)
    assert (shown.name, shown.kind) == ("Marek of Altdorf", "guest")
    await call(other, "Marek of Altdorf")
    assert (await summary_of(guest, other)).name == "Marek of Altdorf", "nothing proves who a guest is"


async def test_guest_is_not_called_as_an_account_is_called(node: InMemoryServer) -> None:
    early, guest, other = [await node.connect_and_greet() for _ in range(3)]
    await call(early, "Marek")
    await other.request(Register(other.id(), "Marek", PASSWORD))
    assert (await guest.expect_refused(NameGuest("n", "MAREK"))).code == "name_taken"
    assert (await summary_of(guest, early)).name.startswith("Guest "), "the account came later, and has the name now"
    assert (await other.expect_refused(NameGuest("n", "Milan"))).code == "already_registered"


async def test_guest_is_not_called_as_an_account_was_called_while_that_name_is_reserved(node: InMemoryServer) -> None:
    early, other = [await node.connect_and_greet() for _ in range(2)]
    await call(early, "Marek")
    await other.request(Register(other.id(), "Marek", PASSWORD))
    await other.request(Rename(other.id(), "Milan"))
    assert (await summary_of(other, early)).name.startswith("Guest "), "searches for Marek find Milan"
    node.clock.now += RESERVED_NAME_MS
    assert (await summary_of(other, early)).name == "Marek"


async def test_guest_who_registers_leaves_the_name_behind(node: InMemoryServer) -> None:
    guest, other = [await node.connect_and_greet() for _ in range(2)]
    await call(guest, "Marek")
    await guest.request(Register(guest.id(), "Ilse", PASSWORD))
    assert (await summary_of(other, guest)).name == "Ilse"
    assert await node.database.accounts.find_guest_names([guest.player], node.clock.now) == {}


@pytest.mark.parametrize("name", ["x", "Guest 12", "Admin", "two  spaces", "zero\u200bwidth", "y" * 25])
async def test_name_that_no_account_may_have_is_refused(node: InMemoryServer, name: str) -> None:
    guest = await node.connect_and_greet()
    refused = await guest.expect_refused(NameGuest("n", name))
    assert (refused.code, refused.place) == ("bad_name", "$.name")


async def test_guests_of_an_address_choose_a_limited_number_of_names(node: InMemoryServer) -> None:
    guest = await node.connect_and_greet(address="192.0.2.9")
    for number in range(NAMES_PER_ADDRESS.units):
        await call(guest, f"Marek {number}")
        node.clock.now += 100  # requests of an address have a limit of their own
    refused = await guest.expect_refused(NameGuest("n", "Marek"))
    assert refused.code == "renamed_lately"
    assert refused.retry_after_ms
    node.clock.now += refused.retry_after_ms + 1
    await call(guest, "Marek")
