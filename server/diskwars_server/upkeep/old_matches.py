"""The loops that end matches in which nothing happens, and remove old ones from the database."""

import asyncio
import logging
from collections.abc import Callable
from typing import TypeAlias

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.match_options import BankClock, MatchClock, PerDecisionClock
from diskwars_server.matches.inbox import Expiry, Idleness, OtherPacks, ServerItem
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.matches.services import Clock
from diskwars_server.refusals import Refusal, describe_fault
from diskwars_server.store.database import Database
from diskwars_server.store.errors import StoreError
from diskwars_server.store.event_log import EventLog
from diskwars_server.store.match_index import Listing, count_bot_seats
from diskwars_server.upkeep.repeat import Sleep, repeat

log = logging.getLogger(__name__)

PublishRemoval: TypeAlias = Callable[[MatchId], None]

POLL_SECONDS = 300.0
"""Between two looks for matches that have not begun."""
REMOVAL_DELAY_MS = 300_000
"""From the end of such a match to its removal: by then every node that had it in memory knows that it has ended."""
UNBEGUN_BOT_MATCH_MS = 3_600_000
"""For a match of one person and bots that has not begun: nobody is invited to it, so nobody else waits for it."""
PASS_SECONDS = 6 * 3600.0
"""Between two passes through all matches of guests: as much longer than its time one may stay."""
BATCH_MATCHES = 100
"""Matches that one statement looks at; as many may be removed, or read and ended, at most before the next one."""
BATCH_PAUSE_SECONDS = 0.1
"""Between two batches, so that a pass through a large database leaves room for matches that are played."""


class UnstartedMatches:
    """Closes and removes the matches that have not begun within the life of an invitation.

    That is `lifetime_ms` from their opening, or the time for one decision where that is longer: players who agree on a
    week for each move also have a week to come. A match of one person and bots has `UNBEGUN_BOT_MATCH_MS` from its last
    record.

    In two steps: a match is closed, which is a record like any other, and its rows are removed `REMOVAL_DELAY_MS`
    later. Nothing is appended to a match that has ended, so no node can still be writing to what is removed. A match
    that its opener has closed, or that all have left, stays until it is as old: those who sat in it can read why.
    """

    def __init__(
        self,
        matches: MatchRepository,
        database: Database,
        clock: Clock,
        lifetime_ms: int,
        publish_removal: PublishRemoval,
    ) -> None:
        """`publish_removal` is called with each match that was removed, for those who follow lists."""
        self._matches, self._database, self._clock, self._lifetime_ms = matches, database, clock, lifetime_ms
        self._publish_removal = publish_removal

    async def run(self, sleep: Sleep = asyncio.sleep) -> None:
        """Close and remove until cancelled."""
        await repeat(self.expire, POLL_SECONDS, log, "matches that have not begun are not removed", sleep)

    async def expire(self) -> None:
        """Close what is too old now, and remove what was closed long enough ago. Raises StoreUnavailable."""
        now = self._clock()
        before, after = now - min(self._lifetime_ms, UNBEGUN_BOT_MATCH_MS), ""
        while unstarted := await self._database.matches.find_unstarted(before, after, BATCH_MATCHES):
            for listing in await self._matches.find_listings([MatchId(match) for match in unstarted]):
                if self._is_too_old(listing, now):
                    await _end_match(
                        self._matches,
                        MatchId(listing.match),
                        Expiry(),
                        "match not closed",
                    )
            after = unstarted[-1]
        before = now - self._lifetime_ms
        while removed := await self._database.events.remove_unstarted(before, now - REMOVAL_DELAY_MS, BATCH_MATCHES):
            log.info("matches removed that never began", extra={"count": len(removed)})
            for match in removed:
                self._publish_removal(MatchId(match))

    def _is_too_old(self, listing: Listing, now: int) -> bool:
        if count_bot_seats(listing) == len(listing.seats) - 1 and listing.updated_ms + UNBEGUN_BOT_MATCH_MS < now:
            return True
        return listing.created_ms + self._invitation_ms(listing.match_options.clock) < now

    def _invitation_ms(self, clock: MatchClock | None) -> int:
        match clock:
            case None:
                return self._lifetime_ms
            case PerDecisionClock():
                return max(self._lifetime_ms, 1000 * clock.decision_seconds)
            case BankClock():
                return max(self._lifetime_ms, 1000 * clock.bank_seconds)


class MatchesOfOtherPacks:
    """Closes the matches that had not begun when this server started, and need packs to begin that it does not have.

    Only those: while nodes with other packs are replaced one after another, they would close each other's new matches.
    """

    def __init__(self, matches: MatchRepository, database: Database, clock: Clock) -> None:
        self._matches, self._database = matches, database
        self._start_ms = clock()
        self._after = ""

    async def run(self, sleep: Sleep = asyncio.sleep) -> None:
        """Close until cancelled; after an outage it goes on where it was. What is busy stays until the next start."""
        await repeat(lambda: self.close_all(sleep), POLL_SECONDS, log, "matches with other packs are not closed", sleep)

    async def close_all(self, sleep: Sleep = asyncio.sleep) -> None:
        """Look at each match once. Raises StoreUnavailable."""
        matches = self._database.matches
        while unstarted := await matches.find_unstarted(self._start_ms, self._after, BATCH_MATCHES):
            for match in unstarted:
                await _end_match(self._matches, MatchId(match), OtherPacks(), "match not closed")
                self._after = match
            await sleep(BATCH_PAUSE_SECONDS)


class IdleGuestMatches:
    """Stops matches under way that nobody with an account has opened or plays, `idle_ms` after their last record.

    A match ends by a record like any other, so its watchers see it, and several nodes may try: the log takes one. Ended
    matches are removed by `GuestMatches`. Matches of players with accounts wait for these for as long as they like.
    """

    def __init__(self, matches: MatchRepository, events: EventLog, clock: Clock, idle_ms: int) -> None:
        self._matches, self._events, self._clock, self._idle_ms = matches, events, clock, idle_ms

    async def run(self, sleep: Sleep = asyncio.sleep) -> None:
        """Stop idle matches until cancelled."""
        await repeat(lambda: self.stop_idle(sleep), PASS_SECONDS, log, "idle matches of guests are not stopped", sleep)

    async def stop_idle(self, sleep: Sleep = asyncio.sleep) -> None:
        """Go through all matches under way once, and stop those that are idle now. Raises StoreUnavailable."""
        before = self._clock() - self._idle_ms
        after: tuple[int, str] | None = (0, "")
        while after is not None:
            page = await self._events.find_idle_guest_matches(before, after, BATCH_MATCHES)
            for match in page.idle:
                await _end_match(
                    self._matches,
                    MatchId(match),
                    Idleness(before),
                    "idle match not stopped",
                )
            after = page.next
            if after is not None:
                await sleep(BATCH_PAUSE_SECONDS)


class GuestMatches:
    """Removes matches that nobody with an account has opened or played, `lifetime_ms` after they ended.

    Several nodes may do so at once: each match is removed by one of them, as a whole.
    """

    def __init__(self, events: EventLog, clock: Clock, lifetime_ms: int, publish_removal: PublishRemoval) -> None:
        """`publish_removal` is called with each match that was removed, for those who follow lists."""
        self._events, self._clock, self._lifetime_ms = events, clock, lifetime_ms
        self._publish_removal = publish_removal

    async def run(self, sleep: Sleep = asyncio.sleep) -> None:
        """Remove until cancelled."""
        await repeat(lambda: self.expire(sleep), PASS_SECONDS, log, "matches of guests are not removed", sleep)

    async def expire(self, sleep: Sleep = asyncio.sleep) -> None:
        """Go through all ended matches once, and remove what is old enough now. Raises StoreUnavailable."""
        before, count = self._clock() - self._lifetime_ms, 0
        after: tuple[int, str] | None = (0, "")
        while after is not None:
            page = await self._events.remove_guest_matches(before, after, BATCH_MATCHES)
            for match in page.removed:
                self._publish_removal(MatchId(match))
            count, after = count + len(page.removed), page.next
            if after is not None:
                await sleep(BATCH_PAUSE_SECONDS)
        if count:
            log.info("matches of guests removed", extra={"count": count})


async def _end_match(matches: MatchRepository, match: MatchId, act: ServerItem, failure: str) -> None:
    """End one match. If it cannot be read or is busy it holds up no other, and the next pass finds it again."""
    try:
        game = await matches.find(match)
        game.submit_own(act)
        await game.wait_idle()
    except (Refusal, StoreError) as fault:
        log.warning(failure, extra={"match": match, "why": str(fault)})
    except Exception as fault:
        log.error(failure, extra={"match": match, **describe_fault(fault)})
