"""The loop that finds overdue decisions and hands them to their matches, which let the house answer."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from diskwars_protocol.match.ids import MatchId
from diskwars_server.matches.inbox import TimeOut
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.matches.services import Clock
from diskwars_server.refusals import Refusal, describe_fault
from diskwars_server.store.deadlines import Deadline, Deadlines
from diskwars_server.store.errors import StoreUnavailable

log = logging.getLogger(__name__)

POLL_SECONDS = 0.5
"""Between two looks for what is due: the longest that a deadline is late on an idle server."""
CLAIM_LIMIT = 32
"""Deadlines that are claimed at once: few enough that their matches are read within the lease."""
MATCHES_AT_ONCE = 8
"""Matches that are read from the log at the same time, so that one slow read does not use up the lease of the rest."""
LEASE_MS = 2_500
"""Milliseconds in which a node acts on a deadline before another one may try.

With the pause between two looks that is 3 s for what a node had claimed when it died; all others are found by the next
look of any node. A node that is slower than this does no harm: both try, and the log takes one record.
"""
SWEEP_MS = 2_000
"""Between two recorded sweeps of a node: each is a small write, for as long as there are deadlines."""
SILENCE_MS = 5_000
"""Without a sweep for longer than this, no node or no database was there: nobody could answer."""

MAX_BACKOFF_MS = 3_600_000
"""The longest that a deadline waits whose match could not be read."""
MAX_FAILED_DEADLINES = 1024
"""Deadlines that could not be kept of which this node knows; beyond that the oldest is tried and logged again."""


class _Failure(NamedTuple):
    """Attempts on a deadline that could not be kept, and the time of the next one."""

    attempts: int
    retry_ms: int


class TimeLimits:
    """Enforces the deadlines of all matches, also of those that no node has in memory."""

    def __init__(
        self,
        matches: MatchRepository,
        deadlines: Deadlines,
        clock: Clock,
        monotonic: Clock,
        record_lag: Callable[[int], None] = lambda lag_ms: None,
        allowance_ms: int = 0,
        return_grace_ms: int = 0,
    ) -> None:
        """`record_lag` gets how many milliseconds after its time a deadline was found for the first time.

        Deadlines are kept `allowance_ms` late, so that an answer that was sent in time still counts. After a time in
        which no node could keep them, none is due within `return_grace_ms`.
        """
        self._record_lag, self._allowance_ms = record_lag, allowance_ms
        self._return_grace_ms = return_grace_ms
        self._matches, self._deadlines = matches, deadlines
        self._clock, self._monotonic = clock, monotonic
        self._swept_ms: int | None = None
        self._is_failing = False
        self._failures: dict[Deadline, _Failure] = {}

    async def run(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Enforce deadlines until cancelled."""
        while True:
            try:
                is_more_due = await self.enforce_due()
            except StoreUnavailable:
                is_more_due = False  # the outage is logged once, by the database
            except Exception as fault:
                # Without this loop no time limit of any match is kept, so it outlives every fault.
                if not self._is_failing:
                    log.error("deadlines not read; they are tried again", extra=describe_fault(fault))
                self._is_failing, is_more_due = True, False
            else:
                self._is_failing = False
            if not is_more_due:
                await sleep(POLL_SECONDS)

    async def enforce_due(self) -> bool:
        """Hand over what is due now; return whether there may be more. Raises StoreUnavailable."""
        if self._return_grace_ms:
            await self._record_sweep()
        due = await self._deadlines.claim_due(self._clock() - self._allowance_ms, CLAIM_LIMIT, LEASE_MS)
        slots = asyncio.Semaphore(MATCHES_AT_ONCE)
        await asyncio.gather(*(self._enforce(deadline, slots) for deadline in due))
        return len(due) == CLAIM_LIMIT

    async def _record_sweep(self) -> None:
        """Record that deadlines are kept; put off those that fell due while nobody could, and those that are close."""
        now = self._clock()
        since_ms = None if self._swept_ms is None else now - self._swept_ms
        if since_ms is not None and 0 <= since_ms < SWEEP_MS:
            return
        has_swept = since_ms is not None and 0 <= since_ms <= SILENCE_MS
        silent_since = None if has_swept else now - SILENCE_MS
        count = await self._deadlines.record_sweep(now, silent_since, now + self._return_grace_ms)
        self._swept_ms = now
        if count:
            log.warning("deadlines put off: they could not be kept for a while", extra={"count": count})

    async def _enforce(self, deadline: Deadline, slots: asyncio.Semaphore) -> None:
        # A deadline that fails here is due again after the lease; one match that cannot be read holds up no other.
        failure = self._failures.get(deadline)
        if failure is not None and self._monotonic() < failure.retry_ms:
            return
        if failure is None:
            self._record_lag(self._clock() - self._allowance_ms - deadline.at)
        try:
            async with slots:
                game = await self._matches.find(MatchId(deadline.match))
            game.submit_own(TimeOut(deadline.limit))
        except StoreUnavailable:
            pass  # the outage is logged once, by the database
        except Refusal as busy:
            if busy.retry_after_ms is None:
                self._record_failure(deadline, busy)
        except Exception as fault:
            self._record_failure(deadline, fault)
        else:
            self._failures.pop(deadline, None)

    def _record_failure(self, deadline: Deadline, fault: Exception) -> None:
        """Wait twice as long each time: a match that can never be read would be read and logged at every lease."""
        failure = self._failures.pop(deadline, None)
        attempts = 1 if failure is None else failure.attempts + 1
        self._failures[deadline] = _Failure(attempts, self._monotonic() + min(LEASE_MS * 2**attempts, MAX_BACKOFF_MS))
        if len(self._failures) > MAX_FAILED_DEADLINES:
            del self._failures[next(iter(self._failures))]
        if failure is None:
            about = {"match": deadline.match, "decision": deadline.decision}
            log.error("deadline not kept", extra={**about, **describe_fault(fault)})
