"""Two devices of one account in one match: both watch and act, one is in control of the seat's secrets."""

import contextlib
from collections.abc import AsyncIterator

from msgspec.structs import replace

from diskwars_protocol.match.actions import Ready, ReplaceChain, TakeSeat
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.state import newest_chain_link
from diskwars_protocol.messages.accounts import LogIn, Register, SignedIn
from diskwars_protocol.messages.decisions import GetOptions, OptionsResponse
from diskwars_protocol.records.fairness import SeatChain
from tests.server.counting_ruleset import ChooseNumber, CountingLoadout
from tests.server.in_memory_server import InMemoryClient, InMemoryServer

PASSWORD = "horse staple"
LAPTOP, PHONE = SeatChain(b"chain of laptop."), SeatChain(b"chain of a phone")


async def log_in(node: InMemoryServer, name: str, address: str) -> InMemoryClient:
    """Return a connection of another device of an account."""
    visitor = await node.connect_and_greet()
    signed_in = await visitor.request(LogIn(visitor.id(), name, PASSWORD, address))
    assert isinstance(signed_in, SignedIn), signed_in
    return await node.connect_and_greet(signed_in.token)


@contextlib.asynccontextmanager
async def match_on_two_devices(
    node: InMemoryServer,
) -> AsyncIterator[tuple[InMemoryClient, InMemoryClient, InMemoryClient, MatchId]]:
    """Provide a laptop that has taken seat 0, a phone of the same account, an opponent, and their match."""
    laptop, other = await node.connect_and_greet(), await node.connect_and_greet()
    registered = await laptop.request(Register(laptop.id(), "Ann", PASSWORD, "laptop"))
    assert isinstance(registered, SignedIn), registered
    match = await laptop.open_match(rounds=4)
    take = TakeSeat(LAPTOP.head.hex(), CountingLoadout("me"))
    await laptop.expect_accepted(laptop.act_message(match, await laptop.decision(match, 0), take))
    await other.watch(match)
    await other.take_seat(match, 1)
    phone = await log_in(node, "Ann", "phone")
    watching = await phone.watch(match)
    assert watching.seat == 0
    await laptop.expect_accepted(
        laptop.act_message(match, await laptop.decision(match, 0), Ready(LAPTOP.link(1).hex()))
    )
    await other.be_ready(match, 1)
    yield laptop, phone, other, match


async def test_second_control_device_is_refused_with_a_code_until_it_takes_over(node: InMemoryServer) -> None:
    async with match_on_two_devices(node) as (laptop, phone, other, match):
        decision = await phone.decision(match, 0)
        known = newest_chain_link((await node.state(match)).seats[0])
        choice = phone.act_message(match, decision, ChooseNumber(3))
        refused = await phone.expect_refused(replace(choice, chain_head="0" * 32))
        assert (refused.code, refused.place) == ("not_in_control", "$.chain_head")
        await phone.expect_accepted(phone.act_message(match, None, ReplaceChain(PHONE.head.hex())))
        # What the laptop has sent meanwhile is refused, and it can take back control in one step.
        late = replace(laptop.act_message(match, decision, ChooseNumber(1, LAPTOP.link(2).hex())), chain_head=known)
        refused = await laptop.expect_refused(late)
        assert (refused.code, refused.place) == ("not_in_control", "$.chain_head")
        await phone.expect_accepted(replace(choice, chain_head=PHONE.head.hex()))
        await other.choose_number(match, 1, 2)
        state = await node.state(match)
        assert state.seat_nonces[-1][0] == "0" * 32
        assert newest_chain_link(state.seats[0]) == PHONE.head.hex()
        assert [record.seq for record in await laptop.catch_up(match)] == [
            record.seq for record in await phone.catch_up(match)
        ], "both devices receive every record"


async def test_accepted_secret_is_answered_again_after_another_device_has_taken_over(node: InMemoryServer) -> None:
    async with match_on_two_devices(node) as (laptop, phone, _, match):
        known = newest_chain_link((await node.state(match)).seats[0])
        choice = laptop.act_message(match, await laptop.decision(match, 0), ChooseNumber(1, LAPTOP.link(2).hex()), "c1")
        accepted = await laptop.expect_accepted(replace(choice, chain_head=known))
        await phone.expect_accepted(phone.act_message(match, None, ReplaceChain(PHONE.head.hex())))
        again = await laptop.expect_accepted(replace(choice, chain_head=known))
        assert again.seq == accepted.seq


async def test_head_of_wrong_length_is_refused(node: InMemoryServer) -> None:
    async with match_on_two_devices(node) as (laptop, _, _, match):
        decision = await laptop.decision(match, 0)
        choice = laptop.act_message(match, decision, ChooseNumber(1))
        refused = await laptop.expect_refused(replace(choice, chain_head="zz"))
        assert (refused.code, refused.place) == ("wrong_shape", "$.chain_head")
        assert isinstance(await laptop.request(GetOptions("o", match, decision)), OptionsResponse)
