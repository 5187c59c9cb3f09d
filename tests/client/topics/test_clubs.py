"""Clubs through the SDK: opened, entered by an invitation, run and followed on a real server."""

import asyncio

import pytest

from diskwars_client.client import connect
from diskwars_client.errors import CommandRefused
from diskwars_client.topics.lobby import ListFilter
from diskwars_protocol.clubs.options import ClubOptions
from diskwars_protocol.match.match_options import MatchOptions
from tests.client.local_server import running_server

PASSWORD = "the griffon flies at dawn"


async def test_club_is_opened_entered_and_run() -> None:
    async with running_server(seed=None) as url, connect(url) as ann, connect(url) as ben:
        await ann.accounts.register("Ann", PASSWORD)
        await ben.accounts.register("Ben", PASSWORD)
        club = (await ann.clubs.open("Thursday Club", ClubOptions(visibility="private"))).club
        assert (await ben.clubs.list()).clubs == ()
        with pytest.raises(CommandRefused, match="unknown_club"):
            await ben.clubs.get(club)
        invited = await ann.clubs.invite(club)
        assert (await ben.clubs.find_invitation(invited.code)).name == "Thursday Club"
        joined = await ben.clubs.accept(invited.code)
        assert joined.role == "member"
        assert [shown.club for shown in (await ben.clubs.list(mine=True)).clubs] == [club]
        ben_id = joined.members[1].player
        assert (await ann.clubs.revoke(club, invited.invitation)).invitations == ()
        await ann.clubs.give_role(club, ben_id, "officer")
        await ben.clubs.report(club, "The name is an insult.")
        with pytest.raises(CommandRefused, match="bad_report"):
            await ann.clubs.report(club, "It is mine.")
        edited = await ben.clubs.edit(club, "Friday Club", ClubOptions(entry="open"))
        assert (edited.name, edited.options.entry) == ("Friday Club", "open")
        assert len((await ben.clubs.begin_season(club, "Autumn")).seasons) == 1
        assert [row.player for row in (await ann.clubs.ladder(club)).rows] == sorted(
            member.player for member in edited.members
        )
        assert (await ben.clubs.end_season(club)).seasons[0].ended_ms is not None
        assert len((await ben.clubs.leave(club)).members) == 1
        assert (await ben.clubs.join(club)).role == "member"
        await ann.clubs.remove(club, ben_id)
        with pytest.raises(CommandRefused, match="invitation_needed"):
            await ben.clubs.join(club)
        assert (await ann.clubs.close(club)).status == "closed"


async def test_follower_sees_every_change_until_the_end() -> None:
    async with running_server(seed=None) as url, connect(url) as ann, connect(url) as ben, asyncio.timeout(40):
        await ann.accounts.register("Ann", PASSWORD)
        club = (await ann.clubs.open("Thursday Club")).club
        seen = []
        async for shown in ben.clubs.follow(club):
            seen.append((shown.name, shown.status))
            if len(seen) == 1:
                await ann.clubs.edit(club, "Friday Club", ClubOptions())
            elif shown.status == "open":
                await ann.clubs.close(club)

        assert seen == [("Thursday Club", "open"), ("Friday Club", "open"), ("Friday Club", "closed")]


async def test_matches_of_clubs_are_listed_for_members() -> None:
    async with running_server(seed=None) as url, connect(url) as ann, connect(url) as ben:
        await ann.accounts.register("Ann", PASSWORD)
        await ben.accounts.register("Ben", PASSWORD)
        club = (await ann.clubs.open("Thursday Club", ClubOptions(entry="open"))).club
        match = await ann.open_match(ruleset="pit", match_options=MatchOptions(club=club))
        assert await ben.lobby.list(wanted=ListFilter(club=club)) == ()
        with pytest.raises(CommandRefused, match="locked"):
            await ben.watch(match.id)
        await ben.clubs.join(club)
        for wanted in (ListFilter(club=club), ListFilter(clubs=True)):
            assert [shown.match for shown in await ben.lobby.list(wanted=wanted)] == [match.id]
        await ben.watch(match.id)
