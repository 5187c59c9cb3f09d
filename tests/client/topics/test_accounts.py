"""The SDK registers, logs in and out, and ends with a reason when its device is logged out."""

import asyncio
from collections.abc import AsyncIterator

import msgspec
import pytest

from diskwars_client.client import Client, connect
from diskwars_client.errors import ClientError, CommandRefused, SessionEnded
from diskwars_protocol.messages.accounts import Account
from tests.client.local_server import running_server

PASSWORD = "the griffon flies"


@pytest.fixture
async def local() -> AsyncIterator[str]:
    async with running_server() as url:
        yield url


async def wait_for_end(client: Client) -> SessionEnded:
    """Return why a client has ended."""
    async with asyncio.timeout(40):
        while True:
            try:
                await client.lobby.list()
            except SessionEnded as ended:
                return ended
            except ClientError:
                pass
            await asyncio.sleep(0.01)


async def test_guest_registers_and_reconnects_on_two_devices(local: str) -> None:
    async with connect(local) as client:
        guest_token = client.token
        assert not client.accounts.current
        signed_in = await client.accounts.register("Ann", PASSWORD, "laptop")
        assert (client.token, client.accounts.current) == (signed_in.token, signed_in.account)
        async with connect(local) as stranger:
            elsewhere = await stranger.accounts.log_in("ann", PASSWORD, "phone")
            assert stranger.player != elsewhere.player == client.player
            assert stranger.token != elsewhere.token
            (shown,) = await stranger.accounts.players(client.player)
            assert (shown.name, shown.kind, shown.is_online) == ("Ann", "registered", False)  # that a stranger sees
            assert (await client.accounts.players(client.player))[0].is_online
        async with connect(local, token=elsewhere.token) as phone:
            assert (phone.player, phone.accounts.current) == (client.player, elsewhere.account)
            assert {device.name for device in await phone.accounts.devices()} == {"phone", "laptop"}
            assert await phone.accounts.rename("Anna") == Account("Anna", elsewhere.account.device)
            left = await client.accounts.revoke_device(elsewhere.account.device)
            assert [device.name for device in left] == ["laptop"]
            assert (await wait_for_end(phone)).close_reason == "token_revoked"
        with pytest.raises(SessionEnded, match="log in"):
            async with connect(local, token=guest_token):
                pass


async def test_token_for_http_is_made_and_revoked(local: str) -> None:
    async with connect(local) as client:
        await client.accounts.register("Ann", PASSWORD)
        made = await client.accounts.make_api_token("play", "watch", device_name="my bot")
        assert made.token.startswith("api_")
        assert {device.name: device.scopes for device in await client.accounts.devices()}["my bot"] == ("play", "watch")
        assert all(device.device != made.device for device in await client.accounts.revoke_device(made.device))
        with pytest.raises(SessionEnded):
            async with connect(local, token=made.token):
                pass


async def test_client_ends_with_its_device_or_its_account(local: str) -> None:
    async with connect(local) as client:
        signed_in = await client.accounts.register("Ann", PASSWORD)
        await client.accounts.log_out()
        assert (await wait_for_end(client)).close_reason == "token_revoked"
    with pytest.raises(SessionEnded):
        async with connect(local, token=signed_in.token):
            pass
    async with connect(local) as guest:
        token = (await guest.accounts.log_in("Ann", PASSWORD)).token
    async with connect(local, token=token) as client:
        await client.accounts.change_password(PASSWORD, "another good one", revoke_others=True)
        await client.accounts.delete("another good one")
        assert (await wait_for_end(client)).close_reason == "token_revoked"


async def test_client_does_not_wait_a_day_for_a_refused_command(local: str) -> None:
    async with connect(local) as client:
        await client.accounts.register("Ann", PASSWORD)
        await client.accounts.rename("Anna")
        async with asyncio.timeout(40):
            with pytest.raises(CommandRefused) as refused:
                await client.accounts.rename("Anne")
        assert refused.value.code == "renamed_lately"
        assert refused.value.retry_after_ms is None, "nobody waits a day; the numbers say how long it is"


async def test_many_players_are_asked_for_in_several_requests(local: str) -> None:
    async with connect(local) as client:
        wanted = [client.player] * 250
        assert [shown.player for shown in await client.accounts.players(*wanted)] == wanted


async def test_progress_of_the_first_match_is_that_of_the_player(local: str) -> None:
    async with connect(local) as client:
        await client.accounts.add_lesson_progress("turn", "land")
        assert (await client.accounts.add_lesson_progress("turn", "pit-1")).lessons == ("turn", "land", "pit-1")


async def test_client_follows_players_and_sees_those_who_show_their_presence() -> None:
    async with running_server(seed=None) as url, connect(url) as ann, connect(url) as ben:
        await ann.accounts.register("Ann", "the griffon flies at dawn")
        await ben.accounts.register("Ben", "the griffon flies at dawn")
        (followed,) = (await ann.accounts.follow("Ben")).players
        assert (followed.name, followed.is_online) == ("Ben", None)
        assert (await ben.accounts.show_presence()).shows_presence
        assert (await ann.accounts.followed()).players[0].is_online
        assert (await ann.accounts.unfollow(followed.player)).players == ()


async def test_own_data_are_collected_in_one_value() -> None:
    async with running_server(seed=None) as url, connect(url) as ann:
        await ann.accounts.register("Ann of Nuln", "the griffon flies at dawn", "laptop")
        club = (await ann.clubs.open("Thursday Club")).club
        data = await ann.accounts.export()
        assert (data["account"]["name"], data["account"]["player"]) == ("Ann of Nuln", str(ann.player))
        assert [device["name"] for device in data["devices"]["devices"]] == ["laptop"]
        assert [known["club"] for known in data["clubs"]] == [club]
        assert {name for name, known in data.items() if known == []} == {"messages", "tournaments", "matches"}
        assert ann.token not in msgspec.json.encode(data).decode()
