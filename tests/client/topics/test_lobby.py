"""The SDK and the terminal enter locked matches, deal with invites, and follow lists."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest

from diskwars_cli.console.command import CommandError
from diskwars_cli.play.match_entry import enter_match
from diskwars_client.client import connect
from diskwars_client.errors import ClientError, CommandRefused
from diskwars_client.topics.list_changes import MAX_CHANGES, ListChanges
from diskwars_client.topics.lobby import ListFilter
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.lists import MatchesChanged
from diskwars_protocol.rulesets.diskwars.actions import Loadout
from tests.cli.play.test_play import diskwars
from tests.client.local_server import QUICK_RETRY, TEST_TIMEOUT_SECONDS, LossyRelay, running_server
from tests.client.patrols import PATROLS

PASSWORD = "the griffon flies"


@pytest.fixture
async def local() -> AsyncIterator[str]:
    async with running_server() as url:
        yield url


async def test_match_is_entered_by_its_password(local: str) -> None:
    async with connect(local) as opener, connect(local) as other:
        match = (await opener.open_match(PATROLS, password=PASSWORD)).id
        assert [summary.is_locked for summary in await other.lobby.list()] == [True]
        with pytest.raises(CommandRefused, match="locked"):
            await other.watch(match)
        with pytest.raises(CommandRefused, match="wrong_match_password"):
            await other.lobby.enter(match, "something else")
        await other.lobby.enter(match, PASSWORD)
        assert await (await other.watch(match)).take_seat(Loadout("chaos-patrol")) == 0


async def test_invites_are_made_used_listed_and_revoked(local: str) -> None:
    async with connect(local) as opener, connect(local) as friend, connect(local) as late:
        match = (await opener.open_match(PATROLS, invited_only=True)).id
        created = await opener.lobby.create_invite(match, army="Chaos Patrol", uses=3)
        entered = await friend.lobby.use_invite(created.code)
        assert (entered.match, entered.army) == (match, "Chaos Patrol")
        await friend.watch(match)
        assert [(invite.invite, invite.uses_left) for invite in await opener.lobby.invites(match)] == [
            (created.invite, 2)
        ]
        assert await opener.lobby.revoke_invite(match, created.invite) == ()
        with pytest.raises(CommandRefused, match="bad_invite"):
            await late.lobby.use_invite(created.code)


async def test_command_enters_by_password_or_invite(local: str) -> None:
    async with connect(local) as opener, connect(local) as other:
        match = (await opener.open_match(PATROLS, password=PASSWORD)).id
        code = (await opener.lobby.create_invite(match)).code
        assert await enter_match(other, None, "", code) == match
        with pytest.raises(CommandError, match=f"the invite is for match {match}"):
            await enter_match(other, "another", "", code)
        plain = (await opener.open_match(PATROLS)).id
        assert await enter_match(other, plain, PASSWORD, None) == plain
        with pytest.raises(CommandError, match="no invite has this code"):
            await enter_match(other, None, "", "invite-none")


async def test_terminal_says_how_to_enter_a_locked_match(local: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with connect(local) as opener:
        handle = await opener.open_match(PATROLS, password=PASSWORD)
        code, _, errors = await diskwars("watch", handle.id, "--url", local)
        assert code == 2
        assert "--password asks for it, --invite CODE takes the code" in errors
        monkeypatch.setenv("DISKWARS_MATCH_PASSWORD", PASSWORD)
        await opener.lobby.close(handle.id)
        code, lines, errors = await diskwars("watch", handle.id, "--password", "--from-start", "--url", local)
        assert (code, errors) == (0, "")
        assert lines


# ---------------------------------------------------------------- lists


async def test_lists_are_narrowed(local: str) -> None:
    async with connect(local) as one, connect(local) as other:
        own = await one.open_match(PATROLS)
        await asyncio.sleep(0.002)  # lists are in the order of milliseconds
        foreign = await other.open_match(ruleset="pit")
        await own.take_seat(Loadout("empire-patrol"), 0)
        matches = [
            [summary.match for summary in await one.lobby.list(wanted=wanted)]
            for wanted in (
                ListFilter(mine=True),
                ListFilter(ruleset="pit"),
                ListFilter(player=one.player),
                ListFilter(settings={"regiments": 1}),
                ListFilter(settings={"regiments": 2}),
                ListFilter(pace="no_clock", mine=True),
                ListFilter(pace="live"),
            )
        ]
        assert matches == [[own.id], [foreign.id], [own.id], [own.id], [], [own.id], []]
        free = [
            summary.match async for summary in one.lobby.iterate(wanted=ListFilter(has_free_seat=True), page_size=1)
        ]
        assert free == [foreign.id, own.id]


async def test_list_is_followed_until_the_iterator_is_closed(local: str) -> None:
    async with connect(local) as follower, connect(local) as opener, asyncio.timeout(TEST_TIMEOUT_SECONDS):
        async with aclosing(follower.lobby.follow(wanted=ListFilter(has_free_seat=True))) as lists:
            assert await anext(lists) == ()
            match = await opener.open_match(PATROLS)
            assert [summary.match for summary in await anext(lists)] == [match.id]
            await opener.lobby.close(match.id)
            assert await anext(lists) == ()
        assert await follower.lobby.list("ended") != ()


async def test_list_is_requested_again_after_a_lost_connection(local: str) -> None:
    relay = LossyRelay(local, lambda number, frame, is_servers: "cut" if number == 1 and frame > 4 else "pass")
    async with (
        asyncio.timeout(TEST_TIMEOUT_SECONDS),
        relay.run(),
        connect(relay.url, retry_policy=QUICK_RETRY) as follower,
        connect(local) as opener,
        aclosing(follower.lobby.follow()) as lists,
    ):
        assert await anext(lists) == ()
        first = await opener.open_match(PATROLS)
        async for shown in lists:
            if [summary.match for summary in shown] == [first.id]:
                break
        assert relay.connections == 2


async def test_followed_list_ends_with_the_client(local: str) -> None:
    async with connect(local) as follower:
        lists = follower.lobby.follow()
        assert await anext(lists) == ()
        await follower.close()
        with pytest.raises(ClientError):
            await anext(lists)


async def test_terminal_lists_what_is_asked_for(local: str) -> None:
    async with connect(local) as opener:
        match, pit = await opener.open_match(PATROLS), await opener.open_match(ruleset="pit", password=PASSWORD)
        await match.take_seat(Loadout("empire-patrol"), 0)
        _, lines, _ = await diskwars("matches", "--url", local, "--ruleset", "pit", "--free-seat")
        assert [line.split()[0] for line in lines[1:]] == [pit.id]
        assert "locked" in lines[1]
        options = ("--free-seat", "--player-id", opener.player)
        _, lines, _ = await diskwars("matches", "--url", local, *options)
        assert [line.split()[0] for line in lines[1:]] == [match.id]
        code, _, errors = await diskwars("matches", "--url", local, "--free-seat", "--army", "empire-patrol")
        assert (code, "--free-seat, --mine, --follow, --option and --pace go with" in errors) == (2, True)
        _, lines, _ = await diskwars("matches", "--url", local, "--option", "setup=full", "--pace", "no_clock")
        assert [line.split()[0] for line in lines[1:]] == [match.id]
        _, lines, _ = await diskwars("matches", "--url", local, "--option", "regiments=3")
        assert lines == ["no matches"]
        code, _, errors = await diskwars("matches", "--url", local, "--option", "regiments=4")
        assert (code, "regiments 2 or 1 to 3" in errors) == (2, True)
        code, _, errors = await diskwars("matches", "--url", local, "--ruleset", "chess", "--option", "regiments=2")
        assert (code, "a ruleset that is installed, not chess" in errors) == (2, True)
        code, _, errors = await diskwars("matches", "--follow")
        assert (code, "--follow and --mine need --url" in errors) == (2, True)


def test_list_changes_are_bounded() -> None:
    changes = ListChanges()
    for number in range(MAX_CHANGES + 1):
        changes.add(MatchesChanged(gone=(MatchId(f"m{number}"),)))
    assert asyncio.run(changes.wait()) is False
    assert changes._changes == {}
