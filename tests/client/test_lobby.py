"""The SDK and the terminal enter locked matches and deal with invites."""

from collections.abc import AsyncIterator

import pytest

from diskwars_cli.command import CommandError
from diskwars_cli.match_entry import enter_match
from diskwars_client.client import connect
from diskwars_client.match_handle import CommandRefused
from diskwars_protocol.rulesets.diskwars.actions import Loadout
from tests.cli.test_table import diskwars
from tests.client.local_server import running_server

PASSWORD = "the griffon flies"


@pytest.fixture
async def local() -> AsyncIterator[str]:
    async with running_server() as url:
        yield url


async def test_match_is_entered_by_its_password(local: str) -> None:
    async with connect(local) as opener, connect(local) as other:
        match = (await opener.open_match(password=PASSWORD)).id
        assert [found.is_locked for found in await other.list_matches()] == [True]
        with pytest.raises(CommandRefused, match="locked"):
            await other.watch(match)
        with pytest.raises(CommandRefused, match="wrong_match_password"):
            await other.enter_match(match, "something else")
        await other.enter_match(match, PASSWORD)
        assert await (await other.watch(match)).take_seat(Loadout("chaos-patrol")) == 0


async def test_invites_are_made_used_listed_and_revoked(local: str) -> None:
    async with connect(local) as opener, connect(local) as friend, connect(local) as late:
        match = (await opener.open_match(invited_only=True)).id
        created = await opener.create_invite(match, army="Chaos Patrol", uses=3)
        entered = await friend.use_invite(created.code)
        assert (entered.match, entered.army) == (match, "Chaos Patrol")
        await friend.watch(match)
        assert [(found.invite, found.uses_left) for found in await opener.invites(match)] == [(created.invite, 2)]
        assert await opener.revoke_invite(match, created.invite) == ()
        with pytest.raises(CommandRefused, match="bad_invite"):
            await late.use_invite(created.code)


async def test_command_enters_by_password_or_invite(local: str) -> None:
    async with connect(local) as opener, connect(local) as other:
        match = (await opener.open_match(password=PASSWORD)).id
        code = (await opener.create_invite(match)).code
        assert await enter_match(other, None, "", code) == match
        with pytest.raises(CommandError, match=f"the invite is for match {match}"):
            await enter_match(other, "another", "", code)
        plain = (await opener.open_match()).id
        assert await enter_match(other, plain, PASSWORD, None) == plain
        with pytest.raises(CommandError, match="no invite has this code"):
            await enter_match(other, None, "", "invite-none")


async def test_terminal_says_how_to_enter_a_locked_match(local: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with connect(local) as opener:
        handle = await opener.open_match(password=PASSWORD)
        code, _, errors = await diskwars("watch", handle.id, "--url", local)
        assert code == 2
        assert "--password asks for it, --invite CODE takes the code" in errors
        monkeypatch.setenv("DISKWARS_MATCH_PASSWORD", PASSWORD)
        await opener.close_match(handle.id)
        code, lines, errors = await diskwars("watch", handle.id, "--password", "--from-start", "--url", local)
        assert (code, errors) == (0, "")
        assert lines
