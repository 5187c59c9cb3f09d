"""Live changes of the lists that connections follow.

Changes are gathered for a moment, read from the match index at once for all, and sent. A follower that is too slow gets
a mark to list again instead of a backlog.
"""

import asyncio
import logging
import time
from collections import OrderedDict
from typing import TypeAlias

import msgspec

from diskwars_protocol.connection import SharedFrame, share
from diskwars_protocol.match import MatchId, PlayerId
from diskwars_protocol.messages import FollowMatches, MatchesChanged
from diskwars_server.bus import LISTINGS_SUBJECT
from diskwars_server.game import Services
from diskwars_server.match_index import ListFilter, Listing, MatchIndex, fits, is_listed_for
from diskwars_server.match_summaries import filter_of, summary_of
from diskwars_server.outbox import Outbox
from diskwars_server.refusals import describe_fault
from diskwars_server.store_errors import StoreUnavailable

log = logging.getLogger(__name__)

GATHER_SECONDS = 0.25
"""Changes within this time come in one message."""
MAX_PENDING_MATCHES = 200
"""Matches that may change within that time; beyond that everybody lists again."""
MAX_BACKLOG_FRAMES = 32
"""Frames that may wait to be sent to a follower; one with more lists again once they are sent."""
MAX_KNOWN_LISTINGS = 2000
"""Listings that are remembered to know which lists a match was in before."""
PAUSE_FACTOR = 20
"""After a round comes a pause this many times as long, so that followers take a twentieth of the processor at most."""
FOLLOWERS_BETWEEN_YIELDS = 100

Change: TypeAlias = tuple[str, Listing | None, Listing | None]
"""A match, what is known of it from before, and what it is now; None if it was removed."""


class Follower(msgspec.Struct):
    """A connection that follows a list. It `is_behind` after changes that it was not sent."""

    viewer: PlayerId
    status: str | None
    wanted: ListFilter
    is_starting: bool = True
    is_behind: bool = False


class LobbyFeed:
    """The lists that the connections of one node follow. Made inside a running event loop; `close` ends it."""

    def __init__(self, services: Services, matches: MatchIndex, gather_seconds: float = GATHER_SECONDS) -> None:
        self._matches, self._gather_seconds = matches, gather_seconds
        self._followers: dict[Outbox, Follower] = {}
        self._pending: set[MatchId] = set()
        self._has_overflowed = False
        self._known: OrderedDict[str, Listing] = OrderedDict()
        self._wakeup = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._subscriptions = (
            services.bus.subscribe(LISTINGS_SUBJECT, self._on_listing_changed),
            services.listeners.add(LISTINGS_SUBJECT, self._on_listing_changed),
        )

    async def close(self) -> None:
        for unsubscribe in self._subscriptions:
            unsubscribe()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    # ---------------------------------------------------------------- followers

    def follow(self, outbox: Outbox, viewer: PlayerId, request: FollowMatches) -> None:
        """Gather changes for a connection from now on; `start` has to follow once its list is sent."""
        self._followers[outbox] = Follower(viewer, request.status, filter_of(request, viewer))
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="lobby feed")

    def start(self, outbox: Outbox) -> None:
        """Send changes to a connection from now on; one that was missed meanwhile makes it list again."""
        if follower := self._followers.get(outbox):
            follower.is_starting = False
            if follower.is_behind:
                self._wakeup.set()

    def unfollow(self, outbox: Outbox) -> None:
        self._followers.pop(outbox, None)

    def _on_listing_changed(self, message: bytes) -> None:
        if not self._followers:
            return
        match = MatchId(message.decode("ascii", "replace"))
        if len(self._pending) < MAX_PENDING_MATCHES:
            self._pending.add(match)
        else:
            self._has_overflowed = True
        self._wakeup.set()

    # ---------------------------------------------------------------- rounds

    async def _run(self) -> None:
        while True:
            await self._wakeup.wait()
            await asyncio.sleep(self._gather_seconds)
            self._wakeup.clear()
            began_at = time.monotonic()
            try:
                await self._publish_pending()
            except Exception as fault:
                # Following goes on; what was lost is listed again.
                if not isinstance(fault, StoreUnavailable):
                    log.error("changes of lists are not sent", extra=describe_fault(fault))
                self._mark_all_behind()
            if any(follower.is_behind for follower in self._followers.values()):
                self._wakeup.set()
            await asyncio.sleep(PAUSE_FACTOR * (time.monotonic() - began_at))

    async def _publish_pending(self) -> None:
        pending, has_overflowed = self._pending, self._has_overflowed
        self._pending, self._has_overflowed = set(), False
        if has_overflowed:
            self._mark_all_behind()
            pending = set()
        found = await self._matches.find_listings(sorted(pending)) if pending else []
        listings = {listing.match: listing for listing in found}
        changes: list[Change] = [(match, self._known.get(match), listings.get(match)) for match in sorted(pending)]
        await self._send_to_all(changes)
        for match, _, after in changes:
            self._known.pop(match, None)
            if after is not None:
                self._known[match] = after
        while len(self._known) > MAX_KNOWN_LISTINGS:
            self._known.popitem(last=False)

    def _mark_all_behind(self) -> None:
        for follower in self._followers.values():
            follower.is_behind = True

    async def _send_to_all(self, changes: list[Change]) -> None:
        """Send each follower what concerns it. Followers of the same list share a frame, where all may see the same."""
        frames: dict[tuple[str | None, ListFilter], SharedFrame | None] = {}
        insiders = {player for _, before, after in changes for player in _insiders(before) | _insiders(after)}
        for number, (outbox, follower) in enumerate(tuple(self._followers.items()), 1):
            if number % FOLLOWERS_BETWEEN_YIELDS == 0:
                await asyncio.sleep(0)
            if follower.is_starting or outbox.backlog > MAX_BACKLOG_FRAMES:
                follower.is_behind = follower.is_behind or bool(changes)
                continue
            if follower.is_behind:
                frame: SharedFrame | None = share(MatchesChanged(list_again=True))
            elif follower.viewer in insiders:
                frame = _frame_of(changes, follower, follower.viewer)
            else:
                key = follower.status, follower.wanted
                if key not in frames:
                    frames[key] = _frame_of(changes, follower, "")
                frame = frames[key]
            if frame is None:
                continue
            follower.is_behind = False
            if not outbox.send_shared(frame):
                self.unfollow(outbox)


def _insiders(listing: Listing | None) -> set[str]:
    """Return the players who alone see a match in lists; nobody where everybody does."""
    if listing is None or is_listed_for(listing, ""):
        return set()
    return {listing.opener, *(player for player in listing.seats if player is not None)}


def _frame_of(changes: list[Change], follower: Follower, viewer: str) -> SharedFrame | None:
    """Return what the changes mean for a list, as a viewer sees it; None where they mean nothing."""
    matches, gone = [], []
    for match, before, after in changes:
        if after is not None and is_listed_for(after, viewer) and fits(after, follower.status, follower.wanted):
            matches.append(summary_of(after))
            continue
        shown = before or after
        is_visible = shown is None or is_listed_for(shown, viewer)
        if is_visible and (before is None or fits(before, follower.status, follower.wanted)):
            gone.append(MatchId(match))
    return share(MatchesChanged(tuple(matches), tuple(gone))) if matches or gone else None
