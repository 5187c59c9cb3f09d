"""Clubs: open, list, show and follow them, act in one, and come in by an invitation."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import msgspec

from diskwars_client.requester import Requester, new_command_id
from diskwars_protocol.clubs.options import ClubOptions, ClubRole
from diskwars_protocol.messages.clubs import (
    MAX_LISTED_CLUBS,
    AcceptClubInvitation,
    ActInClub,
    BeginSeasonAct,
    CloseClubAct,
    ClubAct,
    ClubChanged,
    ClubInvitationFound,
    ClubInvited,
    ClubLadder,
    ClubList,
    ClubSummary,
    ClubView,
    EditClubAct,
    EndSeasonAct,
    FindClubInvitation,
    GetClub,
    GetClubLadder,
    GiveRoleAct,
    InviteToClub,
    JoinClubAct,
    LeaveClubAct,
    ListClubs,
    OpenClub,
    RemoveMemberAct,
    RevokeInvitationAct,
)
from diskwars_protocol.messages.reports import ContentReported, ReportContent

POLL_SECONDS = 30.0
"""A followed club is asked for again after this time: a message about a change may get lost."""


class ClubTopic:
    """Requests about clubs, as `client.clubs`. Each raises CommandRefused."""

    def __init__(self, requester: Requester) -> None:
        self._requester = requester
        self._changed = asyncio.Event()

    async def open(self, name: str, options: ClubOptions | None = None) -> ClubView:
        """Open a club, which this player leads."""
        request = OpenClub(new_command_id(), name, _encode(options or ClubOptions()))
        return await self._requester.request(request, ClubView)

    async def list(self, *, mine: bool = False, page: str | None = None, limit: int = MAX_LISTED_CLUBS) -> ClubList:
        """Return one page of the public clubs and the own ones, or of the own ones only."""
        return await self._requester.request(ListClubs(new_command_id(), mine, page, limit), ClubList)

    async def get(self, club: str) -> ClubView:
        """Return a club as it is now."""
        return await self._requester.request(GetClub(new_command_id(), club), ClubView)

    async def ladder(self, club: str, season: int | None = None) -> ClubLadder:
        """Return the ladder of the season under way, or else of all time; with `season` its final standings."""
        return await self._requester.request(GetClubLadder(new_command_id(), club, season), ClubLadder)

    async def follow(self, club: str) -> AsyncIterator[ClubView]:
        """Yield a club as it is, and again after every change, until it is closed."""
        while True:
            self._changed.clear()
            shown = await self._requester.request(GetClub(new_command_id(), club, follow=True), ClubView)
            yield shown
            if shown.status == "closed":
                return
            with contextlib.suppress(TimeoutError):  # a connection that was lost follows nothing any more
                async with asyncio.timeout(POLL_SECONDS):
                    await self._changed.wait()

    # ------------------------------------------------------------ coming and going

    async def join(self, club: str) -> ClubView:
        """Become a member of a club that any player may join."""
        return await self.act(club, JoinClubAct())

    async def leave(self, club: str) -> ClubView:
        return await self.act(club, LeaveClubAct())

    async def find_invitation(self, code: str) -> ClubSummary:
        """Return the club that an invitation leads to."""
        found = await self._requester.request(FindClubInvitation(new_command_id(), code), ClubInvitationFound)
        return found.club

    async def accept(self, code: str) -> ClubView:
        """Become a member by an invitation."""
        return await self._requester.request(AcceptClubInvitation(new_command_id(), code), ClubView)

    async def report(self, club: str, text: str) -> None:
        """Report the name or the rules of a club to the operators."""
        await self._requester.request(ReportContent(new_command_id(), "club", club, text), ContentReported)

    # ------------------------------------------------------------ leader and officers

    async def edit(self, club: str, name: str, options: ClubOptions) -> ClubView:
        """Give the club a name and options."""
        return await self.act(club, EditClubAct(name, _encode(options)))

    async def remove(self, club: str, player: str) -> ClubView:
        """Remove a member."""
        return await self.act(club, RemoveMemberAct(player))

    async def give_role(self, club: str, player: str, role: ClubRole) -> ClubView:
        """Make a member an officer or a member again, or give the lead away."""
        return await self.act(club, GiveRoleAct(player, role))

    async def invite(self, club: str, expires_ms: int | None = None) -> ClubInvited:
        """Make an invitation. Its code is never shown again."""
        return await self._requester.request(InviteToClub(new_command_id(), club, expires_ms), ClubInvited)

    async def revoke(self, club: str, invitation: str) -> ClubView:
        """Let nobody in by an invitation any more."""
        return await self.act(club, RevokeInvitationAct(invitation))

    async def begin_season(self, club: str, name: str, ends_ms: int | None = None) -> ClubView:
        """Begin a season. It ends by itself at `ends_ms`, where that is given."""
        return await self.act(club, BeginSeasonAct(name, ends_ms))

    async def end_season(self, club: str) -> ClubView:
        """End the season under way, and keep its standings."""
        return await self.act(club, EndSeasonAct())

    async def close(self, club: str) -> ClubView:
        """Close the club for good."""
        return await self.act(club, CloseClubAct())

    async def act(self, club: str, act: ClubAct) -> ClubView:
        """Do something in a club; return what it is like then."""
        return await self._requester.request(ActInClub(new_command_id(), club, act), ClubView)

    def _on_changed(self, changed: ClubChanged) -> None:
        self._changed.set()


def _encode(options: ClubOptions) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(options))
