"""Recovery of accounts: each code once, only with its name, limited as log-ins are, and nobody else stays in."""

import asyncio

import pytest

from diskwars_protocol.messages.accounts import (
    DeleteAccount,
    LogIn,
    MakeRecoveryCodes,
    RecoverAccount,
    RecoveryCodes,
    SignedIn,
)
from diskwars_server.community.operators import ActRefused, Operators
from diskwars_server.players.recovery import CODES, LINK_LIFETIME_MS, hash_code, make_code
from tests.server.in_memory_server import InMemoryClient, InMemoryServer
from tests.server.players.test_accounts import PASSWORD, registered

NEW = "the griffon sleeps at noon"


async def recover(client: InMemoryClient, code: str, name: str = "Ann", password: str = NEW, id: str = "") -> SignedIn:
    answer = await client.request(RecoverAccount(id or client.id(), name, code, password, "phone"))
    assert isinstance(answer, SignedIn), answer
    return answer


async def is_refused(client: InMemoryClient, code: str, name: str = "Ann") -> str:
    return (await client.expect_refused(RecoverAccount(client.id(), name, code, NEW))).code


async def test_new_account_gets_codes_of_which_each_lets_in_once(node: InMemoryServer) -> None:
    _, signed_in = await registered(node)
    codes = signed_in.recovery_codes
    assert codes is not None
    assert len(set(codes)) == CODES
    stranger = await node.connect_and_greet()
    recovered = await recover(stranger, codes[0])
    assert (recovered.player, recovered.account.name) == (signed_in.player, "Ann")
    others = recovered.recovery_codes
    assert others is not None
    assert [await is_refused(stranger, code) for code in codes[:2]] == ["wrong_recovery_code"] * 2
    assert (await recover(stranger, others[1])).player == signed_in.player


async def test_recovery_sets_the_password_and_logs_every_device_out(node: InMemoryServer) -> None:
    ann, signed_in = await registered(node)
    assert signed_in.recovery_codes is not None
    stranger = await node.connect_and_greet()
    recovered = await recover(stranger, signed_in.recovery_codes[0])
    assert ann.outbox.closing is not None
    assert ann.outbox.closing.close_reason == "token_revoked"
    assert await node.database.accounts.find_token(b"") is None
    devices = await node.database.accounts.list_devices(signed_in.player)
    assert [device.device for device in devices] == [recovered.account.device]
    assert (await stranger.expect_refused(LogIn(stranger.id(), "Ann", PASSWORD))).code == "wrong_password"
    assert isinstance(await stranger.request(LogIn(stranger.id(), "Ann", NEW)), SignedIn)
    known = await node.connect_and_greet(recovered.token)
    assert known.player == signed_in.player


async def test_code_is_taken_however_it_is_typed(node: InMemoryServer) -> None:
    _, signed_in = await registered(node)
    assert signed_in.recovery_codes is not None
    typed = f"  {signed_in.recovery_codes[0].upper().replace('-', ' ')} "
    assert (await recover(await node.connect_and_greet(), typed, "ann")).player == signed_in.player


@pytest.mark.parametrize("name", ["Ben", "Nobody", ""])
async def test_code_of_another_account_or_of_none_is_refused_alike(node: InMemoryServer, name: str) -> None:
    _, signed_in = await registered(node)
    await registered(node, "Ben")
    assert signed_in.recovery_codes is not None
    stranger = await node.connect_and_greet()
    refused = await stranger.expect_refused(RecoverAccount("r", name, signed_in.recovery_codes[0], NEW))
    unknown = await stranger.expect_refused(RecoverAccount("r2", "Ann", make_code(), NEW))
    assert (refused.code, refused.text, refused.place) == (unknown.code, unknown.text, unknown.place)
    assert refused.code == "wrong_recovery_code"


async def test_guesses_are_limited_as_log_ins_are(node: InMemoryServer) -> None:
    await registered(node)
    stranger = await node.connect_and_greet(address="203.0.113.5")
    answers = [await is_refused(stranger, make_code()) for _ in range(6)]
    assert answers == ["wrong_recovery_code"] * 5 + ["too_many_attempts"]
    assert (await stranger.expect_refused(LogIn("l", "Ann", PASSWORD))).code == "too_many_attempts"


async def test_bad_new_password_uses_no_code_up(node: InMemoryServer) -> None:
    _, signed_in = await registered(node)
    assert signed_in.recovery_codes is not None
    stranger = await node.connect_and_greet()
    request = RecoverAccount("r", "Ann", signed_in.recovery_codes[0], "short")
    refused = await stranger.expect_refused(request)
    assert (refused.code, refused.place) == ("bad_password", "$.new_password")
    await recover(stranger, signed_in.recovery_codes[0])


async def test_of_two_attempts_with_one_code_one_comes_in(node: InMemoryServer) -> None:
    _, signed_in = await registered(node)
    assert signed_in.recovery_codes is not None
    clients = [await node.connect_and_greet() for _ in range(2)]
    request = RecoverAccount("r", "Ann", signed_in.recovery_codes[0], NEW)
    answers = await asyncio.gather(*(client.request(request) for client in clients))
    assert sorted(type(answer).__name__ for answer in answers) == ["Refused", "SignedIn"]


async def test_new_codes_take_the_place_of_the_old_ones_and_need_the_password(node: InMemoryServer) -> None:
    ann, signed_in = await registered(node)
    assert signed_in.recovery_codes is not None
    assert (await ann.expect_refused(MakeRecoveryCodes("m", "wrong password"))).code == "wrong_password"
    made = await ann.request(MakeRecoveryCodes("n", PASSWORD))
    assert isinstance(made, RecoveryCodes)
    stranger = await node.connect_and_greet()
    assert await is_refused(stranger, signed_in.recovery_codes[0]) == "wrong_recovery_code"
    await recover(stranger, made.codes[-1])
    guest = await node.connect_and_greet()
    assert (await guest.expect_refused(MakeRecoveryCodes("m", PASSWORD))).code == "not_registered"


async def test_deleted_account_has_no_way_back(node: InMemoryServer) -> None:
    ann, signed_in = await registered(node)
    assert signed_in.recovery_codes is not None
    await ann.request(DeleteAccount("d", PASSWORD))
    assert await is_refused(await node.connect_and_greet(), signed_in.recovery_codes[0]) == "wrong_recovery_code"


async def test_link_of_an_operator_ends_after_an_hour_and_is_an_act(node: InMemoryServer) -> None:
    _, signed_in = await registered(node)
    host = Operators(node.database, node.clock)
    with pytest.raises(ActRefused, match="operator"):
        await host.make_login_link("Ann", "lost the password")
    _, boss = await registered(node, "Boss")
    await host.grant("Boss", "runs this server")
    operator = Operators(node.database, node.clock, "Boss")
    _, late = await operator.make_login_link("Ann", "lost the password")
    node.clock.now += LINK_LIFETIME_MS
    stranger = await node.connect_and_greet()
    assert await is_refused(stranger, late) == "wrong_recovery_code"
    _, code = await operator.make_login_link("Ann", "lost the password")
    node.clock.now += LINK_LIFETIME_MS - 1
    assert (await recover(stranger, code)).player == signed_in.player
    acts = [act for act in await node.database.operator_acts.read_back(9) if act.kind == "login_link"]
    assert [(act.operator, act.target, act.reason) for act in acts] == [
        (boss.player, signed_in.player, "lost the password")
    ] * 2
    assert all(code not in str(act) for act in acts)


def test_stored_hash_is_no_code() -> None:
    code = make_code()
    assert hash_code(code) == hash_code(code.replace("-", "").upper())
    assert hash_code(code) != hash_code(make_code())
    assert len(hash_code("")) == 32
