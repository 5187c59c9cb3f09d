"""Tokens for the HTTP interface: who makes them, what they prove, and what ends them."""

import pytest

from diskwars_protocol.messages.accounts import (
    ApiTokenMade,
    ChangePassword,
    DeleteAccount,
    DeviceList,
    ListDevices,
    MakeApiToken,
    Register,
    RevokeDevice,
    SignedIn,
)
from diskwars_protocol.messages.handshake import Hello
from diskwars_server.players.tokens import TokenExpired, TokenRevoked
from diskwars_server.store.accounts import MAX_DEVICES_PER_PLAYER
from tests.server.in_memory_server import InMemoryClient, InMemoryServer

PASSWORD = "the griffon flies at dawn"
HOME = "203.0.113.1"


async def registered(node: InMemoryServer, name: str = "Ann") -> tuple[InMemoryClient, SignedIn]:
    client = await node.connect_and_greet()
    signed_in = await client.request(Register(client.id(), name, PASSWORD))
    assert isinstance(signed_in, SignedIn)
    return client, signed_in


async def make_token(client: InMemoryClient) -> ApiTokenMade:
    made = await client.request(MakeApiToken(client.id(), ("play", "watch", "play"), "my bot"))
    assert isinstance(made, ApiTokenMade), made
    return made


async def test_token_proves_its_player_within_its_scopes(node: InMemoryServer) -> None:
    client, _ = await registered(node)
    made = await make_token(client)
    device, scopes = await node.accounts.find_api_device(made.token, HOME)
    assert (device.player, device.device, scopes) == (client.player, made.device, ("play", "watch"))
    listed = await client.request(ListDevices(client.id()))
    assert isinstance(listed, DeviceList)
    assert {shown.device: (shown.name, shown.scopes) for shown in listed.devices}[made.device] == (
        "my bot",
        ("play", "watch"),
    )


async def test_only_a_hash_of_a_token_is_stored(node: InMemoryServer) -> None:
    client, _ = await registered(node)
    made = await make_token(client)
    stored = repr(await node.database.accounts.list_devices(client.player))
    assert made.token not in stored
    assert made.token.removeprefix("api_") not in stored


async def test_guest_has_no_tokens(node: InMemoryServer) -> None:
    guest = await node.connect_and_greet()
    assert (await guest.expect_refused(MakeApiToken(guest.id(), ("play",)))).code == "not_registered"


async def test_token_opens_no_connection_and_that_of_a_device_is_none_for_http(node: InMemoryServer) -> None:
    client, signed_in = await registered(node)
    made = await make_token(client)
    stranger = node.connect()
    await stranger.send_message(Hello((1,), token=made.token))
    assert await stranger.next_message() is not None
    assert stranger.outbox.closing is not None
    assert stranger.outbox.closing.close_reason.startswith("token_")
    with pytest.raises(TokenRevoked, match="HTTP"):
        await node.accounts.find_device(made.token)
    with pytest.raises(TokenRevoked, match="HTTP"):
        await node.accounts.find_api_device(signed_in.token, HOME)


@pytest.mark.parametrize("end", ["revoke", "password", "delete"])
async def test_what_ends_devices_ends_tokens(node: InMemoryServer, end: str) -> None:
    client, _ = await registered(node)
    made = await make_token(client)
    if end == "revoke":
        await client.request(RevokeDevice(client.id(), made.device))
    elif end == "password":
        await client.request(ChangePassword(client.id(), PASSWORD, "the griffon sleeps", revoke_others=True))
    else:
        await client.request(DeleteAccount(client.id(), PASSWORD))
    with pytest.raises(TokenRevoked):
        await node.accounts.find_api_device(made.token, HOME)


async def test_token_of_no_form_proves_nothing(node: InMemoryServer) -> None:
    for token in ("", "api_", "api_" + "A" * 43, "\ud800", "x" * 10_000):
        with pytest.raises(TokenRevoked):
            await node.accounts.find_api_device(token, HOME)


async def test_token_that_is_not_used_ends_as_a_device_does(node: InMemoryServer) -> None:
    client, _ = await registered(node)
    made = await make_token(client)
    node.accounts._device_lifetime_ms = 1000
    node.clock.now += 1000
    with pytest.raises(TokenExpired):
        await node.accounts.find_api_device(made.token, HOME)


async def test_tokens_are_bounded_with_devices(node: InMemoryServer) -> None:
    client, _ = await registered(node)
    for _ in range(MAX_DEVICES_PER_PLAYER + 3):
        node.clock.now += 1
        await make_token(client)
    assert len(await node.database.accounts.list_devices(client.player)) == MAX_DEVICES_PER_PLAYER
