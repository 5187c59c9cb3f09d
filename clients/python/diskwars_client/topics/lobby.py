"""Lobby: list matches, enter those that are locked, and invite players."""

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct, structs
from msgspec.structs import replace

from diskwars_client.errors import ClientError
from diskwars_client.requester import Requester, new_command_id
from diskwars_client.topics.list_changes import ListChanges
from diskwars_protocol.match.ids import MatchId, PlayerId, Seat
from diskwars_protocol.match.match_options import DEFAULT_MATCH_OPTIONS, MatchOptions, Pace
from diskwars_protocol.match.ruleset_settings import SettingValue
from diskwars_protocol.match.state import MatchStatus
from diskwars_protocol.messages.branches import BranchMatch, BranchOpened
from diskwars_protocol.messages.decisions import Accepted
from diskwars_protocol.messages.lists import (
    MAX_LISTED_MATCHES,
    FollowMatches,
    ListMatches,
    MatchesChanged,
    MatchList,
    SearchMatches,
    Unfollowed,
    UnfollowMatches,
)
from diskwars_protocol.messages.lobby import (
    CreateInvite,
    Entered,
    EnterMatch,
    Invite,
    InviteCreated,
    InviteList,
    ListInvites,
    RevokeInvite,
    UseInvite,
)
from diskwars_protocol.messages.match_summary import MatchSummary
from diskwars_protocol.messages.opening import CloseMatch
from diskwars_protocol.messages.reviews import MatchReview, ReviewMatch
from diskwars_protocol.messages.seats import KickPlayer, SeatBot


class ListFilter(Struct, frozen=True):
    """Filter of a list of matches.

    A ruleset, a player in a seat, the own ones, those with a free seat, settings by their ids, and the pace. Those of a
    club, or of all clubs of this player, are listed and not followed.
    """

    ruleset: str | None = None
    player: PlayerId | None = None
    mine: bool = False
    has_free_seat: bool = False
    settings: Mapping[str, SettingValue] = {}
    pace: Pace | None = None
    club: str | None = None
    clubs: bool = False


NO_FILTER = ListFilter()


class LobbyTopic:
    """Requests about matches from outside of them, as `client.lobby`."""

    def __init__(self, requester: Requester) -> None:
        self._requester = requester
        self._list_changes: ListChanges | None = None

    # ------------------------------------------------------------ matches that have not begun

    async def close(self, match: str) -> None:
        """End a match that this player opened and that has not begun. Raises CommandRefused."""
        await self._requester.request(CloseMatch(new_command_id(), MatchId(match)), Accepted)

    async def kick(self, match: str, seat: Seat) -> None:
        """Remove the player of a seat of a match that this player opened and that has not begun.

        Raises CommandRefused.
        """
        await self._requester.request(KickPlayer(new_command_id(), MatchId(match), seat), Accepted)

    async def seat_bot(self, match: str, bot: str, loadout: Struct | None = None, seat: Seat | None = None) -> Accepted:
        """Let a bot of the server take a seat of a match that this player opened, any free one if none is named.

        `rulesets` names the bots; a loadout is needed where players bring one. Raises CommandRefused.
        """
        brought = msgspec.Raw(b"{}" if loadout is None else msgspec.json.encode(loadout))
        return await self._requester.request(SeatBot(new_command_id(), MatchId(match), bot, seat, brought), Accepted)

    async def branch(
        self,
        match: str,
        seq: int,
        options: MatchOptions = DEFAULT_MATCH_OPTIONS,
        *,
        password: str | None = None,
        invited_only: bool = False,
    ) -> BranchOpened:
        """Open a match that plays on from the state of another one after its record `seq`.

        All its seats are free: watch it and take one, and seat bots, without a loadout. While the other match goes on,
        what this player may not see of it is drawn at random. Raises CommandRefused.
        """
        raw = msgspec.Raw(msgspec.json.encode(options))
        request = BranchMatch(new_command_id(), MatchId(match), seq, raw, password, invited_only)
        return await self._requester.request(request, BranchOpened)

    async def review(self, match: str, seat: Seat) -> MatchReview:
        """Return the moments of an ended match at which a search would have done something else than a seat.

        The server searches while it has nothing else to do: this may take minutes. Raises CommandRefused.
        """
        return await self._requester.request(ReviewMatch(new_command_id(), MatchId(match), seat), MatchReview)

    # ------------------------------------------------------------ lists

    async def list(self, status: MatchStatus | None = None, wanted: ListFilter = NO_FILTER) -> tuple[MatchSummary, ...]:
        """Return the newest matches, of this status or of any: the first page of `iterate`."""
        return (await self._requester.request(_list_request(status, wanted), MatchList)).matches

    async def iterate(
        self,
        status: MatchStatus | None = None,
        wanted: ListFilter = NO_FILTER,
        *,
        page_size: int = MAX_LISTED_MATCHES,
    ) -> AsyncIterator[MatchSummary]:
        """Yield all matches of this status or of any, the newest first; each request gets a page of them."""
        next_page: str | None = None
        is_last = False
        while not is_last:
            page = await self._requester.request(_list_request(status, wanted, next_page, page_size), MatchList)
            for summary in page.matches:
                yield summary
            next_page, is_last = page.next_page, page.next_page is None

    async def follow(
        self, status: MatchStatus | None = None, wanted: ListFilter = NO_FILTER, *, limit: int = MAX_LISTED_MATCHES
    ) -> AsyncGenerator[tuple[MatchSummary, ...], None]:
        """Yield the newest matches, and again after every change, until the client ends. One list at a time.

        Close the iterator (`contextlib.aclosing`) to stop following. Raises CommandRefused.
        """
        changes = self._list_changes = ListChanges()
        try:
            while True:
                request = FollowMatches(id=new_command_id(), status=status, limit=limit, **_filter_fields(wanted))
                page = await self._requester.request(request, MatchList)
                shown = {summary.match: summary for summary in page.matches}
                yield _newest(shown, limit)
                while await changes.wait():
                    changes.apply_to(shown)
                    yield _newest(shown, limit)
        finally:
            if self._list_changes is changes:
                self._list_changes = None
                with contextlib.suppress(ClientError):
                    await self._requester.request(UnfollowMatches(new_command_id()), Unfollowed)

    async def search(self, request: SearchMatches) -> AsyncIterator[MatchSummary]:
        """Yield the ended matches that fit a search, the newest first; the id and the page of `request` do not count.

        Raises CommandRefused.
        """
        next_page: str | None = None
        is_last = False
        while not is_last:
            page_request = replace(request, id=new_command_id(), page=next_page)
            page = await self._requester.request(page_request, MatchList)
            for summary in page.matches:
                yield summary
            next_page, is_last = page.next_page, page.next_page is None

    # ------------------------------------------------------------ locked matches

    async def enter(self, match: str, password: str) -> None:
        """Enter a locked match, which one may watch and play in from then on. Raises CommandRefused."""
        await self._requester.request(EnterMatch(new_command_id(), MatchId(match), password), Entered)

    async def use_invite(self, code: str) -> Entered:
        """Enter the match of an invite; the answer names it, and may hold an army. Raises CommandRefused."""
        return await self._requester.request(UseInvite(new_command_id(), code), Entered)

    async def create_invite(self, match: str, *, army: str | None = None, uses: int | None = None) -> InviteCreated:
        """Make an invite to an own match, for this many players or for any number. Raises CommandRefused."""
        return await self._requester.request(CreateInvite(new_command_id(), MatchId(match), army, uses), InviteCreated)

    async def invites(self, match: str) -> tuple[Invite, ...]:
        """Return the invites to an own match, the newest first. Raises CommandRefused."""
        return (await self._requester.request(ListInvites(new_command_id(), MatchId(match)), InviteList)).invites

    async def revoke_invite(self, match: str, invite: str) -> tuple[Invite, ...]:
        """Revoke an invite by its id, and return those that are left. Raises CommandRefused."""
        request = RevokeInvite(new_command_id(), MatchId(match), invite)
        return (await self._requester.request(request, InviteList)).invites

    # ------------------------------------------------------------ for the client

    def _on_changes(self, changed: MatchesChanged) -> None:
        if self._list_changes is not None:
            self._list_changes.add(changed)

    def _on_reconnect(self) -> None:
        """List again: changes were lost with the connection."""
        if self._list_changes is not None:
            self._list_changes.list_again()

    def _on_end(self, fault: ClientError) -> None:
        if self._list_changes is not None:
            self._list_changes.stop(fault)


def _list_request(
    status: MatchStatus | None, wanted: ListFilter, page: str | None = None, limit: int = MAX_LISTED_MATCHES
) -> ListMatches:
    fields = _filter_fields(wanted)
    return ListMatches(
        id=new_command_id(), status=status, page=page, limit=limit, club=wanted.club, clubs=wanted.clubs, **fields
    )


def _filter_fields(wanted: ListFilter) -> dict[str, Any]:
    fields = structs.asdict(wanted) | {"settings": dict(wanted.settings)}
    return {name: value for name, value in fields.items() if name not in ("club", "clubs")}


def _newest(shown: Mapping[MatchId, MatchSummary], limit: int) -> tuple[MatchSummary, ...]:
    newest = sorted(shown.values(), key=lambda summary: (summary.created_ms, summary.match), reverse=True)
    return tuple(newest[:limit])
