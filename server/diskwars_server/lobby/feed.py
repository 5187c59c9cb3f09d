"""Live changes of the lists that connections follow.

Changes are gathered for a moment, read from the match index at once for all, and sent. A follower that is too slow gets
a mark to list again instead of a backlog.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeAlias

import msgspec

from diskwars_protocol.connection.connection import SharedFrame, share
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.messages.lists import FollowMatches, MatchesChanged
from diskwars_server.broadcast.outbox import Outbox
from diskwars_server.bus.bus import LISTINGS_SUBJECT, TURNS_SUBJECT, Listener
from diskwars_server.matches.services import Services
from diskwars_server.matches.summaries import filter_of
from diskwars_server.refusals import describe_fault
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.match_index import ListFilter, Listing, MatchIndex, fits, is_listed_for, shows_turns_to

log = logging.getLogger(__name__)

GATHER_SECONDS = 0.25
"""Changes within this time come in one message."""
MAX_PENDING_MATCHES = 200
"""Matches that may change within that time; beyond that everybody lists again."""
MAX_BACKLOG_FRAMES = 32
"""Frames that may wait to be sent to a follower; one with more lists again once they are sent."""
MAX_SHOWN_MATCHES = 1000
"""Matches of a follower's list that are remembered; with more it lists again."""
MAX_PAUSE_SECONDS = 1.0
PAUSE_FACTOR = 20
"""After a round comes a pause this many times as long, so that followers take a twentieth of the processor;
but none longer than `MAX_PAUSE_SECONDS`."""
FOLLOWERS_BETWEEN_YIELDS = 100

Change: TypeAlias = tuple[str, Listing | None]
"""A match, and what it is now; None if it was removed."""
TURN_SUBJECTS = {LISTINGS_SUBJECT: False, TURNS_SUBJECT: True}
"""Whether nothing but a turn has changed in the matches that are named under a subject."""


class Follower(msgspec.Struct):
    """A connection that follows a list. It `is_behind` after changes that it was not sent.

    `shown` are the matches in its list: of no other match is it told that it is gone, which would name hidden ones.
    """

    viewer: PlayerId
    status: str | None
    wanted: ListFilter
    request: FollowMatches
    shown: set[str] = msgspec.field(default_factory=set)
    is_starting: bool = True
    is_behind: bool = False


class LobbyFeed:
    """The lists that the connections of one node follow. Made inside a running event loop; `close` ends it."""

    def __init__(self, services: Services, matches: MatchIndex, gather_seconds: float = GATHER_SECONDS) -> None:
        self._matches, self._gather_seconds = matches, gather_seconds
        self._services = services
        self._followers: dict[Outbox, Follower] = {}
        self._pending: set[MatchId] = set()
        self._news: set[MatchId] = set()
        """Those pending in which not only a turn has changed."""
        self._has_overflowed = False
        self._wakeup = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._subscriptions = self._listen(services.bus.subscribe)
        self._own_subscriptions: tuple[Callable[[], None], ...] = ()
        """To what this node publishes itself; none while there are no followers, so that acts cost nothing here."""

    def _listen(self, subscribe: Callable[[str, Listener], Callable[[], None]]) -> tuple[Callable[[], None], ...]:
        return tuple(
            subscribe(subject, partial(self._on_listing_changed, is_turn=is_turn))
            for subject, is_turn in TURN_SUBJECTS.items()
        )

    async def close(self) -> None:
        for unsubscribe in (*self._subscriptions, *self._own_subscriptions):
            unsubscribe()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    # ---------------------------------------------------------------- followers

    def follow(self, outbox: Outbox, viewer: PlayerId, request: FollowMatches) -> None:
        """Gather changes for a connection from now on; `start` has to follow once its list is sent."""
        self._followers[outbox] = Follower(viewer, request.status, filter_of(request, viewer), request)
        if not self._own_subscriptions:
            self._own_subscriptions = self._listen(self._services.listeners.add)
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="lobby feed")

    def start(self, outbox: Outbox, shown: Iterable[str]) -> None:
        """Send changes to a connection from now on, whose list holds the matches `shown`.

        One that was missed meanwhile makes it list again.
        """
        if follower := self._followers.get(outbox):
            follower.is_starting = False
            follower.shown.update(shown)
            if follower.is_behind:
                self._wakeup.set()

    def followed_by(self, outbox: Outbox) -> FollowMatches | None:
        """Return the request by which a connection follows a list; None where it follows none."""
        follower = self._followers.get(outbox)
        return None if follower is None else follower.request

    def restore(self, outbox: Outbox, viewer: PlayerId, request: FollowMatches) -> None:
        """Follow a list that another node has sent. The connection lists again: changes may be lost meanwhile."""
        self.follow(outbox, viewer, request)
        self._followers[outbox].is_behind = True
        self.start(outbox, ())

    def unfollow(self, outbox: Outbox) -> None:
        self._followers.pop(outbox, None)
        if not self._followers:
            for unsubscribe in self._own_subscriptions:
                unsubscribe()
            self._own_subscriptions = ()

    def _on_listing_changed(self, message: bytes, is_turn: bool) -> None:
        if not self._followers:
            return
        match = MatchId(message.decode("ascii", "replace"))
        if match in self._pending or len(self._pending) < MAX_PENDING_MATCHES:
            self._pending.add(match)
            if not is_turn:
                self._news.add(match)
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
            await asyncio.sleep(pause_after(time.monotonic() - began_at))

    async def _publish_pending(self) -> None:
        pending, news, has_overflowed = self._pending, self._news, self._has_overflowed
        self._pending, self._news, self._has_overflowed = set(), set(), False
        if has_overflowed:
            self._mark_all_behind()
            pending = set()
        stored = await self._matches.find_listings(sorted(pending)) if pending else []
        await self._services.known_bots.look_up(player for listing in stored for player in listing.seats)
        listings = {listing.match: listing for listing in stored}
        turns = {match for match in pending - news if match in listings}
        await self._send_to_all([(match, listings.get(match)) for match in sorted(pending)], turns)

    def _mark_all_behind(self) -> None:
        for follower in self._followers.values():
            follower.is_behind = True

    async def _send_to_all(self, changes: list[Change], turns: set[MatchId]) -> None:
        """Send each follower what concerns it. Followers of the same list share a frame, where all may see the same.

        Of the matches in `turns` nothing is sent to those who may not see the turn: the time alone would tell them that
        somebody has acted.
        """
        frames: dict[tuple[str | None, ListFilter, str, frozenset[str]], SharedFrame | None] = {}
        insiders = {player for _, listing in changes for player in _insiders(listing)}
        for number, (outbox, follower) in enumerate(tuple(self._followers.items()), 1):
            if number % FOLLOWERS_BETWEEN_YIELDS == 0:
                await asyncio.sleep(0)
            viewer = follower.viewer if follower.viewer in insiders else ""
            visible = _visible_changes(changes, turns, viewer) if turns else changes
            if follower.is_starting or outbox.backlog > MAX_BACKLOG_FRAMES:
                follower.is_behind = follower.is_behind or bool(visible)
                continue
            if follower.is_behind or len(follower.shown) > MAX_SHOWN_MATCHES:
                frame: SharedFrame | None = share(MatchesChanged(list_again=True))
                follower.shown.clear()
            else:
                present = follower.shown.intersection(match for match, _ in visible)
                key = follower.status, follower.wanted, viewer, frozenset(present)
                if key not in frames:
                    frames[key] = _frame_of(visible, follower, viewer, self._services)
                frame = frames[key]
                follower.shown -= present
                follower.shown.update(match for match, listing in visible if _is_in_list(listing, follower, viewer))
            if frame is None:
                continue
            follower.is_behind = False
            if not outbox.send_shared(frame):
                self.unfollow(outbox)


def _visible_changes(changes: list[Change], turns: set[MatchId], viewer: str) -> list[Change]:
    return [
        (match, listing)
        for match, listing in changes
        if match not in turns or listing is None or shows_turns_to(listing, viewer)
    ]


def pause_after(seconds: float) -> float:
    """Return the seconds to pause after a round that took so long."""
    return min(PAUSE_FACTOR * seconds, MAX_PAUSE_SECONDS)


def _insiders(listing: Listing | None) -> set[str]:
    """Return the players who see more of a match in lists than others; none where all see the same."""
    if listing is None or (is_listed_for(listing, "") and shows_turns_to(listing, "")):
        return set()
    return {listing.opener, *(player for player in listing.seats if player is not None)}


def _is_in_list(listing: Listing | None, follower: Follower, viewer: str) -> bool:
    return listing is not None and is_listed_for(listing, viewer) and fits(listing, follower.status, follower.wanted)


def _frame_of(changes: list[Change], follower: Follower, viewer: str, services: Services) -> SharedFrame | None:
    """Return what the changes mean for a list, as a viewer sees it; None where they mean nothing."""
    matches, gone = [], []
    for match, listing in changes:
        if listing is not None and _is_in_list(listing, follower, viewer):
            matches.append(services.summarize(listing, viewer))
        elif match in follower.shown:
            gone.append(MatchId(match))
    return share(MatchesChanged(tuple(matches), tuple(gone))) if matches or gone else None
