"""Players register, log in on several devices and out again; what is wrong is refused and changes nothing."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator

import msgspec
import pytest

from diskwars_protocol.connection.connection import encode
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.messages.accounts import (
    Account,
    AccountChanged,
    AccountRequest,
    ChangePassword,
    DeleteAccount,
    Device,
    DeviceList,
    GetPlayers,
    ListDevices,
    LogIn,
    LogOut,
    PlayerList,
    Register,
    Rename,
    RevokeDevice,
    SignedIn,
)
from diskwars_protocol.messages.closing import CLOSE_CODES, Closing
from diskwars_protocol.messages.handshake import Hello, Welcome
from diskwars_protocol.messages.refusals import REFUSAL_CODES, Refused
from diskwars_server.app import now_ms, start_server
from diskwars_server.bus.bus import LocalBus
from diskwars_server.limits.rate_limits import MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, RateLimit
from diskwars_server.players.accounts import AccountService
from diskwars_server.players.attempts import AttemptLimits
from diskwars_server.players.devices import DEVICE_TOKEN_PREFIX
from diskwars_server.players.names import name_key
from diskwars_server.players.passwords import Passwords, make_hasher
from diskwars_server.players.users import LoggedInDevice
from diskwars_server.session.session import Session
from diskwars_server.settings import ServerSettings
from diskwars_server.store.accounts import StoredAccount, StoredDevice
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.upkeep.devices import ConnectedDevices
from tests.server.faulty_database import FaultyDatabase
from tests.server.in_memory_server import (
    QUICK_HASHER,
    TEST_TIMEOUT_SECONDS,
    InMemoryClient,
    InMemoryServer,
    begin_match,
)
from tests.server.raw_client import RawClient, text

PASSWORD = "the griffon flies"
OTHER_PASSWORD = "the griffon sleeps"


async def register(client: InMemoryClient, name: str = "Ann", password: str = PASSWORD) -> SignedIn:
    answer = await client.request(Register(client.id(), name, password, "laptop"))
    assert isinstance(answer, SignedIn), answer
    return answer


async def registered(node: InMemoryServer, name: str = "Ann") -> tuple[InMemoryClient, SignedIn]:
    client = await node.connect_and_greet()
    return client, await register(client, name)


async def log_in(node: InMemoryServer, name: str = "Ann", password: str = PASSWORD) -> SignedIn:
    client = await node.connect_and_greet()
    answer = await client.request(LogIn(client.id(), name, password, "phone"))
    assert isinstance(answer, SignedIn), answer
    return answer


async def devices(client: InMemoryClient) -> tuple[Device, ...]:
    answer = await client.request(ListDevices(client.id()))
    assert isinstance(answer, DeviceList), answer
    return answer.devices


async def closing_of(client: InMemoryClient) -> Closing:
    closing = await client.expect(Closing)
    assert await client.next_message() is None
    assert closing.code == CLOSE_CODES[closing.close_reason]
    return closing


async def refused_hello(node: InMemoryServer, token: str) -> Closing:
    client = node.connect()
    await client.send_message(Hello((1,), token=token))
    return await closing_of(client)


# ---------------------------------------------------------------- registering


async def test_registered_guest_keeps_their_id_and_their_matches(node: InMemoryServer) -> None:
    guest, other = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(guest, other)
    signed_in = await register(guest, "Ann of Altdorf")
    assert (signed_in.player, signed_in.account.name) == (guest.player, "Ann of Altdorf")
    assert signed_in.token.startswith(DEVICE_TOKEN_PREFIX)
    await guest.choose_number(match, 0, 3)
    back = node.connect()
    welcome = await back.greet(signed_in.token)
    assert (welcome.player, welcome.token, welcome.account) == (guest.player, signed_in.token, signed_in.account)
    await back.watch(match)
    await other.choose_number(match, 1, 2)
    await back.choose_number(match, 0, 4)


async def test_guest_has_no_account_in_the_welcome_and_costs_no_row(node: InMemoryServer) -> None:
    guest = node.connect()
    welcome = await guest.greet()
    assert welcome.account is None
    assert b"account" not in msgspec.json.encode(welcome)
    assert await node.database.accounts.find_player(guest.player) is None


async def test_guest_token_proves_nothing_after_the_registration(node: InMemoryServer) -> None:
    guest = await node.connect_and_greet()
    same = await node.connect_and_greet(guest.token)
    await register(guest)
    assert (await closing_of(same)).close_reason == "token_revoked"
    closing = await refused_hello(node, guest.token)
    assert (closing.close_reason, "log in" in closing.text) == ("token_revoked", True)
    node.clock.now += 10**9
    assert (await refused_hello(node, guest.token)).close_reason == "token_revoked"


@pytest.mark.parametrize(
    ("name", "password", "device", "code", "place"),
    [
        ("a", PASSWORD, None, "bad_name", "$.name"),
        ("x" * 25, PASSWORD, None, "bad_name", "$.name"),
        ("Guest 7F3K", PASSWORD, None, "bad_name", "$.name"),
        ("Аnn", PASSWORD, None, "bad_name", "$.name"),
        ("Ann\n", PASSWORD, None, "bad_name", "$.name"),
        ("Ann", "short", None, "bad_password", "$.password"),
        ("Ann", "", None, "bad_password", "$.password"),
        ("Ann", "x" * 1025, None, "bad_password", "$.password"),
        ("Ann", PASSWORD, "x" * 65, "bad_name", "$.device_name"),
        ("Ann", PASSWORD, "my\nphone", "bad_name", "$.device_name"),
        ("TAKEN", PASSWORD, None, "name_taken", "$.name"),
    ],
)
async def test_bad_registration_is_refused_and_leaves_a_guest(
    node: InMemoryServer, name: str, password: str, device: str | None, code: str, place: str
) -> None:
    await registered(node, "Taken")
    guest = await node.connect_and_greet()
    refused = await guest.expect_refused(Register("r", name, password, device))
    assert (refused.code, refused.place) == (code, place)
    assert not password or password not in refused.text
    assert (await node.connect_and_greet(guest.token)).player == guest.player


async def test_player_registers_once(node: InMemoryServer) -> None:
    client, _ = await registered(node)
    assert (await client.expect_refused(Register("r", "Other", PASSWORD))).code == "already_registered"


async def test_registrations_of_an_address_are_limited(node: InMemoryServer) -> None:
    node.accounts._registrations._limit = RateLimit(2, MS_PER_HOUR)
    guests = [await node.connect_and_greet() for _ in range(3)]
    for guest in guests:
        guest.session.user.address = "203.0.113.9"
    await register(guests[0], "Ann")
    await register(guests[1], "Ben")
    refused = await guests[2].expect_refused(Register("r", "Eve", PASSWORD))
    assert (refused.code, refused.retry_after_ms) == ("too_many_accounts", MS_PER_HOUR // 2)


async def test_registration_whose_name_another_took_meanwhile_is_not_counted(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    node.accounts._registrations._limit = RateLimit(1, MS_PER_HOUR)
    guest, late = [await node.connect_and_greet() for _ in range(2)]
    for client in (guest, late):
        client.session.user.address = "203.0.113.9"

    async def hash_slowly(address: str, password: str) -> str:
        other = StoredAccount("other", "Ben", name_key("Ben"), "hash", 0)
        await node.database.accounts.register(other, StoredDevice("other", "d", b"d", 0, 0))
        return "hash"

    with monkeypatch.context() as patch:
        patch.setattr(node.accounts._attempts, "hash", hash_slowly)
        assert (await guest.expect_refused(Register("r", "Ben", PASSWORD))).code == "name_taken"
    await register(guest, "Eve")
    assert (await late.expect_refused(Register("r", "Kit", PASSWORD))).code == "too_many_accounts"


async def test_reserved_name_is_refused_before_the_password_is_hashed(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ = await registered(node, "Ann of Nuln")
    await ann.request(Rename(ann.id(), "Anna"))
    guest = await node.connect_and_greet()
    monkeypatch.delattr(Passwords, "hash")
    assert (await guest.expect_refused(Register("r", "Ann of Nuln", PASSWORD))).code == "name_taken"


# ---------------------------------------------------------------- logging in


async def test_second_device_logs_in_and_both_play_as_one_player(node: InMemoryServer) -> None:
    first, signed_in = await registered(node)
    other = await node.connect_and_greet()
    match = await begin_match(first, other)
    second_token = (await log_in(node, "ann")).token
    assert second_token != signed_in.token
    second = await node.connect_and_greet(second_token)
    assert second.player == first.player
    await second.watch(match)
    await second.choose_number(match, 0, 3)
    await other.choose_number(match, 1, 3)
    await first.choose_number(match, 0, 4)
    assert (await second.catch_up(match))[-1].seq == (await first.catch_up(match))[-1].seq
    assert [(device.name, device.is_current) for device in await devices(second)] in (
        [("phone", True), ("laptop", False)],
        [("laptop", False), ("phone", True)],
    )


async def test_connection_that_logs_in_stays_who_it_is(node: InMemoryServer) -> None:
    await registered(node)
    guest = await node.connect_and_greet()
    answer = await guest.request(LogIn("l", "Ann", PASSWORD))
    assert isinstance(answer, SignedIn)
    assert answer.player != guest.player
    assert (await guest.expect_refused(ListDevices("d"))).code == "not_registered"


@pytest.mark.parametrize(
    ("name", "password"), [("Ann", OTHER_PASSWORD), ("Ann", ""), ("Nobody", PASSWORD), ("", PASSWORD), ("x" * 999, "x")]
)
async def test_wrong_name_and_wrong_password_are_refused_in_the_same_words(
    node: InMemoryServer, name: str, password: str
) -> None:
    await registered(node)
    guest = await node.connect_and_greet()
    refused = await guest.expect_refused(LogIn("l", name, password))
    expected = Refused("wrong_password", REFUSAL_CODES["wrong_password"], "l")
    assert refused == expected


async def test_flood_of_attempts_has_to_wait_and_the_player_elsewhere_is_not(node: InMemoryServer) -> None:
    await registered(node)
    stranger = await node.connect_and_greet()
    stranger.session.user.address = "203.0.113.9"
    codes = [(await stranger.expect_refused(LogIn(f"l{n}", "ANN", f"guess {n:03}"))).code for n in range(5)]
    assert codes == ["wrong_password"] * 5
    refused = await stranger.expect_refused(LogIn("l", "Ann", PASSWORD))
    assert (refused.code, refused.retry_after_ms) == ("too_many_attempts", MS_PER_MINUTE)
    assert (await log_in(node)).account.name == "Ann"
    node.clock.now += MS_PER_MINUTE
    answer = await stranger.request(LogIn("again", "Ann", PASSWORD))
    assert isinstance(answer, SignedIn), "the stranger was never banned"


async def test_attempts_from_an_address_and_at_a_name_are_limited_whatever_else_changes() -> None:
    async with MemoryDatabase() as database:
        limits = AttemptLimits(target=RateLimit(3, MS_PER_HOUR), address=RateLimit(4, MS_PER_HOUR))
        node = InMemoryServer(database)
        service = AccountService(database.accounts, node.clock, node.clock, Passwords(QUICK_HASHER), limits)

        async def attempt(name: str, address: str) -> str:
            with pytest.raises(Exception) as refused:
                await service.log_in(node.connect(address=address).session.user, LogIn("l", name, PASSWORD))
            return str(refused.value).partition(":")[0]

        at_a_name = [await attempt("Ann", f"203.0.113.{number}") for number in range(4)]
        assert at_a_name == ["wrong_password"] * 3 + ["too_many_attempts"]
        from_an_address = [await attempt(f"Name {letter}", "198.51.100.1") for letter in "abcde"]
        assert from_an_address == ["wrong_password"] * 4 + ["too_many_attempts"]
        service.close()
        await node.matches.close()


async def test_strangers_who_guess_from_many_addresses_do_not_lock_the_owner_out(node: InMemoryServer) -> None:
    home, strangers_at = "203.0.113.1", [f"192.0.2.{number}" for number in range(21)]
    owner = await node.connect_and_greet(address=home)
    signed_in = await owner.request(Register("r", "Ann", PASSWORD, "laptop"))
    assert isinstance(signed_in, SignedIn)
    travelling = await node.connect_and_greet(signed_in.token, address="203.0.113.99")
    codes = []
    for address in strangers_at:
        stranger = await node.connect_and_greet(address=address)
        codes += [(await stranger.expect_refused(LogIn(f"l{n}", "Ann", f"guess {n:03}"))).code for n in range(5)]
    assert codes == ["wrong_password"] * 100 + ["too_many_attempts"] * 5
    for address in (home, "203.0.113.99"):  # the account was made at one, a device of it was connected at the other
        phone = await node.connect_and_greet(address=address)
        assert isinstance(await phone.request(LogIn("l", "Ann", PASSWORD, "phone")), SignedIn)
    changed = await travelling.request(ChangePassword("p", PASSWORD, OTHER_PASSWORD))
    assert isinstance(changed, AccountChanged), "a device that is logged in is no stranger"


async def test_hashes_of_old_parameters_are_made_again_at_the_next_login(node: InMemoryServer) -> None:
    client, _ = await registered(node)
    before = await node.database.accounts.find_player(client.player)
    node.accounts._attempts.passwords.close()
    node.accounts._attempts.passwords = Passwords(make_hasher())
    await log_in(node)
    after = await node.database.accounts.find_player(client.player)
    assert before is not None
    assert after is not None
    assert after.password_hash != before.password_hash
    assert not node.accounts._attempts.passwords.is_outdated(after.password_hash)
    await log_in(node)


async def test_use_of_a_device_is_stored_once_an_hour(node: InMemoryServer) -> None:
    client, signed_in = await registered(node)
    created = node.clock.now
    node.clock.now += MS_PER_HOUR - 1
    await node.connect_and_greet(signed_in.token)
    assert (await devices(client))[0].last_used_ms == created
    node.clock.now += 1
    await node.connect_and_greet(signed_in.token)
    assert (await devices(client))[0].last_used_ms == node.clock.now


# ---------------------------------------------------------------- tokens


async def test_forged_revoked_and_foreign_device_tokens_are_refused_with_a_way_on(node: InMemoryServer) -> None:
    _, signed_in = await registered(node)
    changed = signed_in.token[:-1] + ("A" if signed_in.token[-1] != "A" else "B")
    for token in (changed, DEVICE_TOKEN_PREFIX, DEVICE_TOKEN_PREFIX + "x" * 500, DEVICE_TOKEN_PREFIX + "ä"):
        closing = await refused_hello(node, token)
        assert (closing.close_reason, "log in" in closing.text) == ("token_revoked", True)
        assert closing.retry_after_ms is None
    async with MemoryDatabase() as elsewhere:
        other = InMemoryServer(elsewhere)
        assert (await refused_hello(other, signed_in.token)).close_reason == "token_revoked"
        await other.matches.close()


async def test_device_that_was_not_used_for_too_long_has_to_log_in_again(node: InMemoryServer) -> None:
    node.accounts._device_lifetime_ms = 30 * MS_PER_DAY
    client, signed_in = await registered(node)
    node.clock.now += 29 * MS_PER_DAY
    await node.connect_and_greet(signed_in.token)
    node.clock.now += 30 * MS_PER_DAY - 1
    assert (await node.connect_and_greet(signed_in.token)).player == client.player, "every use renews it"
    node.clock.now += 30 * MS_PER_DAY
    for _ in range(2):
        closing = await refused_hello(node, signed_in.token)
        assert (closing.close_reason, closing.code, closing.retry_after_ms) == ("token_expired", 4004, None)
        assert "not used for 30 days: log in" in closing.text
    again = await log_in(node)
    assert (await node.connect_and_greet(again.token)).player == client.player


async def test_setting_says_for_how_long_devices_stay_logged_in() -> None:
    settings = ServerSettings(port=0, bot_workers=0, token_days=2)
    async with MemoryDatabase() as database, start_server(settings, database) as transport:
        async with await RawClient.connect(transport.url) as client:
            client.write(text('{"type":"hello","versions":[1]}'))
            player = (await client.read_message())["player"]
            client.write(text(encode(Register("r", "Ann", PASSWORD))))
            token = (await client.read_message())["token"]
        device = (await database.accounts.list_devices(player))[0]
        for days, message_type in ((1, "welcome"), (3, "closing")):
            await database.accounts.touch_device(player, device.device, now_ms() - days * MS_PER_DAY)
            async with await RawClient.connect(transport.url) as client:
                client.write(text(encode(Hello((1,), token=token))))
                assert (await client.read_message())["type"] == message_type


async def test_device_stays_logged_in_for_as_long_as_it_is_connected(node: InMemoryServer) -> None:
    node.accounts._device_lifetime_ms = 2 * MS_PER_DAY
    client, signed_in = await registered(node)
    guest = await node.connect_and_greet()
    in_use = ConnectedDevices(node.accounts.connected, node.database.accounts, node.clock)
    for _ in range(4):
        node.clock.now += MS_PER_DAY
        await in_use.touch()
    assert guest.player not in {player for player, _ in node.accounts.connected.devices()}
    assert (await node.connect_and_greet(signed_in.token)).player == client.player


async def test_outage_does_not_end_the_storing_of_devices_in_use(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, _ = await registered(node)
    failures = [ValueError("a mistake"), StoreUnavailable("told to")]
    touch = ConnectedDevices.touch
    touched = asyncio.Event()

    async def fail_first(loop: ConnectedDevices) -> None:
        if failures:
            raise failures.pop()
        await touch(loop)
        touched.set()

    monkeypatch.setattr(ConnectedDevices, "touch", fail_first)
    node.clock.now += MS_PER_DAY
    in_use = ConnectedDevices(node.accounts.connected, node.database.accounts, node.clock)
    task = asyncio.create_task(in_use.run(lambda _: asyncio.sleep(0)))
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
        await touched.wait()
    task.cancel()
    assert (await devices(client))[0].last_used_ms == node.clock.now


async def test_only_the_hash_of_a_token_is_stored(node: InMemoryServer) -> None:
    client, signed_in = await registered(node)
    stored = await node.database.accounts.list_devices(client.player)
    account = await node.database.accounts.find_player(client.player)
    assert signed_in.token not in repr(stored)
    assert len(stored[0].token_hash) == 32
    assert PASSWORD not in repr(account)


async def test_outage_logs_nobody_out(node: InMemoryServer, monkeypatch: pytest.MonkeyPatch) -> None:
    guest = await node.connect_and_greet()
    client, signed_in = await registered(node)

    async def fail(*_: object) -> None:
        raise StoreUnavailable("told to")

    accounts = type(node.database.accounts)
    with monkeypatch.context() as outage:
        for method in ("find_token", "find_player", "find_players", "find_name"):
            outage.setattr(accounts, method, fail)
        for token in (guest.token, signed_in.token):
            closing = await refused_hello(node, token)
            assert (closing.close_reason, closing.retry_after_ms) == ("going_away", 1000)
        assert (await node.connect_and_greet()).player, "a new guest needs no store"
        refused = await client.expect_refused(Rename("n", "Anna"))
        assert (refused.code, refused.retry_after_ms) == ("unavailable", 1000)
    assert (await node.connect_and_greet(signed_in.token)).player == client.player
    assert (await node.connect_and_greet(guest.token)).player == guest.player


# ---------------------------------------------------------------- devices


async def test_revoked_device_is_closed_and_stays_out(node: InMemoryServer) -> None:
    first, _ = await registered(node)
    signed_in = await log_in(node)
    second = [await node.connect_and_greet(signed_in.token) for _ in range(2)]
    answer = await first.request(RevokeDevice("v", signed_in.account.device))
    assert isinstance(answer, DeviceList)
    assert [device.name for device in answer.devices] == ["laptop"]
    for connection in second:
        assert (await closing_of(connection)).close_reason == "token_revoked"
    assert (await refused_hello(node, signed_in.token)).close_reason == "token_revoked"
    again = await first.expect_refused(RevokeDevice("w", signed_in.account.device))
    assert (again.code, again.place) == ("unknown_device", "$.device")
    assert await devices(first)


async def test_revoked_devices_are_closed_on_other_nodes_too() -> None:
    async with MemoryDatabase() as database:
        bus = LocalBus()
        here, elsewhere = [InMemoryServer(database, bus=bus) for _ in range(2)]
        first, own = await registered(here)
        phone, tablet = await log_in(here), await log_in(here)
        own_tab, *others = [await elsewhere.connect_and_greet(one.token) for one in (own, phone, tablet)]
        await first.request(RevokeDevice("v", phone.account.device))
        assert (await closing_of(others[0])).close_reason == "token_revoked"
        await first.request(ChangePassword("p", PASSWORD, OTHER_PASSWORD, revoke_others=True))
        assert (await closing_of(others[1])).close_reason == "token_revoked"
        assert await devices(own_tab)
        for node in (here, elsewhere):
            await node.matches.close()


async def test_devices_of_others_cannot_be_revoked(node: InMemoryServer) -> None:
    _, signed_in = await registered(node, "Ann")
    ben, _ = await registered(node, "Ben")
    refused = await ben.expect_refused(RevokeDevice("v", signed_in.account.device))
    assert refused.code == "unknown_device"
    await node.connect_and_greet(signed_in.token)


async def test_own_device_may_be_revoked_like_a_logout(node: InMemoryServer) -> None:
    client, signed_in = await registered(node)
    answer = await client.request(RevokeDevice("v", signed_in.account.device))
    assert isinstance(answer, DeviceList)
    assert (answer.devices, (await closing_of(client)).close_reason) == ((), "token_revoked")


async def test_logout_ends_every_connection_of_the_device_and_no_other(node: InMemoryServer) -> None:
    client, signed_in = await registered(node)
    tab, phone = await node.connect_and_greet(signed_in.token), await node.connect_and_greet((await log_in(node)).token)
    assert await client.request(LogOut("o")) == AccountChanged("o")
    assert (await closing_of(client)).close_reason == (await closing_of(tab)).close_reason == "token_revoked"
    assert (await refused_hello(node, signed_in.token)).close_reason == "token_revoked"
    assert [device.name for device in await devices(phone)] == ["phone"]


async def test_device_that_is_revoked_during_its_hello_is_not_let_in(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = await registered(node)
    signed_in = await log_in(node)
    looked_up, go_on = asyncio.Event(), asyncio.Event()
    find_device = AccountService.find_device

    async def find_slowly(service: AccountService, token: str, address: str = "") -> LoggedInDevice:
        try:
            return await find_device(service, token, address)
        finally:
            looked_up.set()
            await go_on.wait()

    monkeypatch.setattr(AccountService, "find_device", find_slowly)
    second = node.connect()
    greeting = asyncio.create_task(second.send_message(Hello((1,), token=signed_in.token)))
    await looked_up.wait()
    await first.request(RevokeDevice("v", signed_in.account.device))
    go_on.set()
    await greeting
    assert (await closing_of(second)).close_reason == "token_revoked"
    assert not any(isinstance(message, Welcome) for message in second.messages)


async def test_device_that_is_revoked_while_no_other_worker_takes_it_is_not_let_in(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = await registered(node)
    signed_in = await log_in(node)
    is_moving, go_on = asyncio.Event(), asyncio.Event()

    async def stay(session: Session, *matches: MatchId, is_new: bool = False) -> bool:
        is_moving.set()
        await go_on.wait()
        return False

    monkeypatch.setattr(Session, "_hand_over_to_home", stay)
    second = node.connect()
    greeting = asyncio.create_task(second.send_message(Hello((1,), token=signed_in.token)))
    await is_moving.wait()
    await first.request(RevokeDevice("v", signed_in.account.device))
    go_on.set()
    await greeting
    assert (await closing_of(second)).close_reason == "token_revoked"
    assert not any(isinstance(message, Welcome) for message in second.messages)


# ---------------------------------------------------------------- changes


async def test_new_password_counts_and_the_others_are_logged_out_if_that_is_wanted(node: InMemoryServer) -> None:
    client, signed_in = await registered(node)
    phone = await node.connect_and_greet((await log_in(node)).token)
    changed = await client.request(ChangePassword("p", PASSWORD, OTHER_PASSWORD))
    assert changed == AccountChanged("p", signed_in.account)
    assert len(await devices(phone)) == 2
    guest = await node.connect_and_greet()
    assert (await guest.expect_refused(LogIn("l", "Ann", PASSWORD))).code == "wrong_password"
    await log_in(node, password=OTHER_PASSWORD)
    renewed = await client.request(ChangePassword("q", OTHER_PASSWORD, PASSWORD, revoke_others=True))
    assert (await closing_of(phone)).close_reason == "token_revoked"
    assert [device.is_current for device in await devices(client)] == [True]
    assert isinstance(renewed, AccountChanged)
    assert renewed.recovery_codes
    assert not set(renewed.recovery_codes) & set(signed_in.recovery_codes or ())


async def test_password_is_changed_with_the_old_one_and_to_a_good_one_only(node: InMemoryServer) -> None:
    client, _ = await registered(node)
    wrong = await client.expect_refused(ChangePassword("p", OTHER_PASSWORD, OTHER_PASSWORD))
    assert (wrong.code, wrong.place) == ("wrong_password", "$.password")
    bad = await client.expect_refused(ChangePassword("p", PASSWORD, "short"))
    assert (bad.code, bad.place) == ("bad_password", "$.new_password")
    refusals = [await client.expect_refused(ChangePassword(f"p{n}", "x" * 9, PASSWORD)) for n in range(5)]
    assert refusals[-1].code == "too_many_attempts"


async def test_name_changes_once_a_day(node: InMemoryServer) -> None:
    client, signed_in = await registered(node)
    changed = await client.request(Rename("n", "Anna"))
    assert changed == AccountChanged("n", Account("Anna", signed_in.account.device))
    assert await client.request(Rename("n", "Anna")) == changed, "sent again it is done already"
    refused = await client.expect_refused(Rename("n", "Anne"))
    assert (refused.retry_after_ms, refused.numbers) == (None, {"wait_ms": MS_PER_DAY}), "no client waits for a day"
    node.clock.now += MS_PER_DAY - 5_000
    refused = await client.expect_refused(Rename("n", "Anne"))
    assert (refused.code, refused.retry_after_ms) == ("renamed_lately", 5_000)
    node.clock.now += 5_000
    assert isinstance(await client.request(Rename("n", "Anne")), AccountChanged)
    assert (await log_in(node, "anne")).player == client.player


async def test_name_of_another_or_out_of_bounds_is_refused(node: InMemoryServer) -> None:
    await registered(node, "Bill")
    client, _ = await registered(node)
    assert (await client.expect_refused(Rename("n", "B1LL"))).code == "name_taken"
    assert (await client.expect_refused(Rename("n", "x"))).code == "bad_name"
    assert isinstance(await client.request(Rename("n", "ANN")), AccountChanged), "none of these was the change"


async def test_deleted_account_is_gone_and_its_matches_stay(node: InMemoryServer) -> None:
    client, signed_in = await registered(node)
    phone = await node.connect_and_greet((await log_in(node)).token)
    other = await node.connect_and_greet()
    match = await begin_match(client, other)
    assert (await client.expect_refused(DeleteAccount("x", OTHER_PASSWORD))).code == "wrong_password"
    assert await client.request(DeleteAccount("x", PASSWORD)) == AccountChanged("x")
    for connection in (client, phone):
        assert (await closing_of(connection)).close_reason == "token_revoked"
    assert (await refused_hello(node, signed_in.token)).close_reason == "token_revoked"
    closing = await refused_hello(node, node.tokens.issue(client.player))
    assert (closing.close_reason, "deleted" in closing.text) == ("token_revoked", True)
    listed = await other.request(GetPlayers("g", (client.player,)))
    assert isinstance(listed, PlayerList)
    assert (listed.players[0].name, listed.players[0].kind) == ("deleted", "deleted")
    assert (await other.watch(match)).seat == 1
    guest = await node.connect_and_greet()
    assert (await guest.expect_refused(LogIn("l", "Ann", PASSWORD))).code == "wrong_password"
    await register(guest, "Ann")


@pytest.mark.parametrize(
    "request_",
    [
        LogOut("g"),
        ListDevices("g"),
        RevokeDevice("g", "d"),
        ChangePassword("g", PASSWORD, OTHER_PASSWORD),
        Rename("g", "Ann"),
        DeleteAccount("g", PASSWORD),
    ],
    ids=lambda request: type(request).__name__,
)
async def test_guest_has_no_account_to_change(node: InMemoryServer, request_: AccountRequest) -> None:
    guest = await node.connect_and_greet()
    assert (await guest.expect_refused(request_)).code == "not_registered"


# ---------------------------------------------------------------- who somebody is


async def test_players_are_shown_by_name_and_kind(node: InMemoryServer) -> None:
    client, _ = await registered(node, "Ann of Altdorf")
    guest = await node.connect_and_greet()
    gone = await node.connect_and_greet()
    gone.session.close()
    players = (client.player, guest.player, gone.player, client.player, PlayerId("nobody-at-all"))
    answer = await guest.request(GetPlayers("g", players))
    assert isinstance(answer, PlayerList)
    assert [player.player for player in answer.players] == list(players)
    assert [(player.name, player.kind) for player in answer.players] == [
        ("Ann of Altdorf", "registered"),
        (f"Guest {guest.player[-4:].upper()}", "guest"),
        (f"Guest {gone.player[-4:].upper()}", "guest"),
        ("Ann of Altdorf", "registered"),
        ("Guest -ALL", "guest"),
    ]
    assert len({player.avatar_seed for player in answer.players}) == 4


async def test_no_more_than_a_hundred_players_are_asked_for(node: InMemoryServer) -> None:
    guest = await node.connect_and_greet()
    full = tuple(PlayerId(f"p{number}") for number in range(100))
    answer = await guest.request(GetPlayers("g", full))
    assert isinstance(answer, PlayerList)
    assert len(answer.players) == 100
    refused = await guest.expect_refused(GetPlayers("h", (*full, PlayerId("one-more"))))
    assert (refused.code, refused.place) == ("wrong_shape", "$.players")
    assert await guest.request(GetPlayers("i", ())) == PlayerList("i", ())


# ---------------------------------------------------------------- the log


async def test_no_password_and_no_token_reaches_the_log(
    node: InMemoryServer, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    client, signed_in = await registered(node)
    await client.expect_refused(LogIn("l", "Ann", OTHER_PASSWORD))
    await client.expect_refused(ChangePassword("p", OTHER_PASSWORD, PASSWORD))
    await refused_hello(node, signed_in.token[:-1])

    async def fail(*_: object) -> None:
        raise RuntimeError(f"{PASSWORD} {signed_in.token}")

    monkeypatch.setattr(type(node.database.accounts), "find_player", fail)
    assert (await client.expect_refused(DeleteAccount("x", PASSWORD))).code == "fault"
    assert "request not answered" in caplog.text
    logged = caplog.text + json.dumps([vars(record) for record in caplog.records], default=repr)
    for secret in (PASSWORD, OTHER_PASSWORD, signed_in.token, signed_in.token[:-1]):
        assert secret not in logged


@pytest.fixture(autouse=True)
async def _close_threads(node: InMemoryServer) -> AsyncIterator[None]:
    yield
    node.accounts.close()


async def test_account_of_an_earlier_build_with_a_hidden_character_is_marked_and_logs_in(
    node: InMemoryServer, faulty_database: FaultyDatabase
) -> None:
    """A name that passed for another one is shown with a mark; its player is not shut out."""
    ann, other = await node.connect_and_greet(), await node.connect_and_greet()
    await register(ann, "Ann of Nuln")
    password_hash = await Passwords(QUICK_HASHER).hash(OTHER_PASSWORD)
    spoof = StoredAccount("spoofspoofspoof2", "Ann of Nuln\ufe0f", "ann of nuln\ufe0f", password_hash, 0)
    assert await faulty_database.accounts.register(spoof, StoredDevice(spoof.player, "d1", b"0" * 32, 0, 0))
    answer = await other.request(GetPlayers(other.id(), (PlayerId(spoof.player), ann.player)))
    assert isinstance(answer, PlayerList)
    assert [summary.name for summary in answer.players] == ["Ann of Nuln\ufffd", "Ann of Nuln"]
    logged_in = await other.request(LogIn(other.id(), "Ann of Nuln\ufe0f", OTHER_PASSWORD))
    assert isinstance(logged_in, SignedIn)
    assert logged_in.player == spoof.player
