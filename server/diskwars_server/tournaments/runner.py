"""The loop that runs tournaments: it starts them in time, opens matches, takes their results, and pairs rounds.

Nodes claim tournaments for a while, as they do deadlines. What a step does is decided from the records alone and
stored under the next number, so a node that dies, or two that work on one tournament, do no harm.
"""

import asyncio
import logging
import secrets
from collections.abc import Sequence
from functools import partial

from diskwars_protocol.match.ids import HOUSE
from diskwars_protocol.tournaments.events import BoardDecided, MatchReplaced, RoundPaired, TournamentEvent
from diskwars_protocol.tournaments.state import Tournament
from diskwars_server.matches.services import Clock
from diskwars_server.refusals import describe_fault
from diskwars_server.store.errors import DuplicateCommand, StoreUnavailable, WrongVersion
from diskwars_server.store.tournaments import Tournaments
from diskwars_server.tournaments.arranged_matches import ArrangedMatches
from diskwars_server.tournaments.pairing_messages import PairingMessages
from diskwars_server.tournaments.rules.progress import is_limit_over, next_limit_ms, open_boards, progress
from diskwars_server.tournaments.rules.rounds import MatchIdOf, begin_round, wants_round
from diskwars_server.tournaments.streams import TournamentStreams
from diskwars_server.upkeep.repeat import Sleep, repeat

log = logging.getLogger(__name__)

POLL_SECONDS = 1.0
CLAIM_LIMIT = 16
LEASE_MS = 60_000
LOOK_MS = 2_000
"""Between two looks at the matches of a tournament."""
FAULT_MS = 60_000
"""Before a tournament is looked at again that could not be worked on."""
MAX_STEPS = 8
"""Records that one claim may store; then it is another's turn."""


class TournamentRunner:
    """Works on the tournaments in which something is due."""

    def __init__(
        self,
        streams: TournamentStreams,
        store: Tournaments,
        matches: ArrangedMatches,
        messages: PairingMessages,
        clock: Clock,
    ) -> None:
        self._streams, self._store, self._matches = streams, store, matches
        self._messages, self._clock = messages, clock

    async def run(self, sleep: Sleep = asyncio.sleep) -> None:
        """Work until cancelled."""
        await repeat(self.step, POLL_SECONDS, log, "tournaments are not run", sleep)

    async def step(self) -> None:
        """Work on everything that is due now. Raises StoreUnavailable."""
        now = self._clock()
        for tournament in await self._store.claim_due(now, CLAIM_LIMIT, LEASE_MS):
            try:
                due_ms = await self.work_on(tournament)
            except StoreUnavailable:
                raise
            except Exception as fault:
                # One that cannot be worked on keeps no other back.
                log.error("tournament not run", extra={"tournament": tournament, **describe_fault(fault)})
                due_ms = self._clock() + FAULT_MS
            await self._store.settle(tournament, now + LEASE_MS, due_ms)

    async def work_on(self, tournament: str) -> int | None:
        """Do what is due in a tournament; return when to look at it again, if nothing else happens."""
        for _ in range(MAX_STEPS):
            state = await self._streams.load(tournament)
            events = await self._find_events(state)
            if not events:
                return self._next_look_ms(state)
            try:
                after = await self._streams.append(state, events, HOUSE, str(state.seq + 1))
            except (WrongVersion, DuplicateCommand):
                continue  # somebody else has acted meanwhile
            await self._follow_up(state, after, events)
        return self._clock()

    async def _find_events(self, state: Tournament) -> Sequence[TournamentEvent]:
        now = self._clock()
        boards = open_boards(state)
        matches = {}
        if boards:
            played = [board for _, board in boards]
            await self._matches.open_missing(state, played)
            due = [board for round_, board in boards if is_limit_over(state, round_, board, now)]
            matches = await self._matches.find_facts(played, due)
        events = progress(state, matches, now, self._derive_ids(state), draw_seeds)
        if not events and not state.options.pairs_by_hand and wants_round(state, now):
            return await self.pair(state)
        return events

    async def pair(self, state: Tournament) -> Sequence[TournamentEvent]:
        """Return the events of the next round. A matching of many takes a while, in which others are served."""
        return await asyncio.to_thread(begin_round, state, self._clock(), self._derive_ids(state))

    async def _follow_up(self, before: Tournament, after: Tournament, events: Sequence[TournamentEvent]) -> None:
        """Tell entrants about their matches, and close those that count no more."""
        for event in events:
            match event:
                case RoundPaired():
                    self._messages.send_round(after, after.rounds[event.round - 1].boards)
                case MatchReplaced():
                    self._messages.send_round(after, [after.rounds[event.round - 1].boards[event.board - 1]])
                case BoardDecided(decided_by="no_show"):
                    boards = before.rounds[event.round - 1].boards if event.round <= len(before.rounds) else ()
                    if boards:
                        await self._matches.close(boards[event.board - 1].match)
                case _:
                    pass

    def _derive_ids(self, state: Tournament) -> MatchIdOf:
        return partial(self._matches.derive_id, state.tournament)

    def _next_look_ms(self, state: Tournament) -> int | None:
        now, limit_ms = self._clock(), next_limit_ms(state)
        if not open_boards(state):
            return limit_ms
        # A limit may be over without a change: who sits at a match that has begun in time plays it to its end.
        return now + LOOK_MS if limit_ms is None or limit_ms <= now else min(limit_ms, now + LOOK_MS)


def draw_seeds(numbers: list[int]) -> list[int]:
    """Return seeds in an order by lot."""
    return sorted(numbers, key=lambda _: secrets.randbits(64))
