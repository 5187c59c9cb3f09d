"""The loop that turns planned notices into deliveries, once they are due and still hold."""

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.match.state import due_ms, opening_record
from diskwars_protocol.messages.notices import NoticePreferences
from diskwars_server.matches.game import Game
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.matches.services import Clock
from diskwars_server.notices.conduct import Drop, Postpone, Send, decide
from diskwars_server.players.tokens import opaque_id
from diskwars_server.refusals import Refusal, describe_fault
from diskwars_server.store.challenges import Challenges, StoredChallenge
from diskwars_server.store.deadlines import ABSENCE
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.event_log import EventLog
from diskwars_server.store.match_index import Listing
from diskwars_server.store.notices import (
    MS_PER_HOUR,
    PRESENCE_MS,
    Delivery,
    DueNotice,
    Notices,
    NoticeText,
    PlannedNotice,
    StoredChannel,
    is_slow,
)
from diskwars_server.upkeep.repeat import Sleep, repeat

log = logging.getLogger(__name__)

POLL_SECONDS = 5.0
"""Pause between two polls. A notice waits at least `PRESENCE_MS`, in which every node polls who looks at the match."""
CLAIM_LIMIT = 64
LEASE_MS = 60_000
SEEN_AT_ONCE = 1_000
"""Players at their matches that one statement withdraws notices for."""
DELIVERY_ID_BYTES = 24
UNREADABLE_MS = 6 * MS_PER_HOUR
"""Before the next try for a notice whose match cannot be read."""
NO_PREFERENCES = NoticePreferences()
IsOnline = Callable[[PlayerId], bool]


class _Sending(Struct, frozen=True):
    """A notice that is sent now, and the channels by which."""

    notice: PlannedNotice
    deadline_ms: int | None
    channels: tuple[StoredChannel, ...]


class NoticeDispatcher:
    """Decides about planned notices of all matches, also of those that no node has in memory."""

    def __init__(
        self,
        matches: MatchRepository,
        notices: Notices,
        events: EventLog,
        challenges: Challenges,
        is_online: IsOnline,
        clock: Clock,
    ) -> None:
        """`is_online` returns whether a player is connected to any node."""
        self._matches, self._notices, self._events, self._clock = matches, notices, events, clock
        self._challenges, self._is_online = challenges, is_online

    async def run(self, sleep: Sleep = asyncio.sleep) -> None:
        """Look for due notices until cancelled."""
        await repeat(self.step, POLL_SECONDS, log, "notices not sent; they are tried again", sleep)

    async def step(self) -> None:
        """Postpone what players see for themselves, then decide about all that is due. Raises StoreUnavailable."""
        is_more_due = True
        while is_more_due:
            await self._postpone_seen()
            is_more_due = await self.dispatch_due()

    async def _postpone_seen(self) -> None:
        now = self._clock()
        soon = now + int(2 * 1000 * POLL_SECONDS)
        seen = list(_seen_by_players(self._matches.watched()))
        for first in range(0, len(seen), SEEN_AT_ONCE):
            await self._notices.postpone_seen(seen[first : first + SEEN_AT_ONCE], soon, now + PRESENCE_MS)

    async def dispatch_due(self) -> bool:
        """Decide about the next notices that are due; return whether there may be more."""
        now = self._clock()
        due = await self._notices.claim_due(now, CLAIM_LIMIT, LEASE_MS)
        if not due:
            return False
        matches = tuple(dict.fromkeys(MatchId(claimed.notice.match) for claimed in due))
        players = tuple(dict.fromkeys(claimed.notice.player for claimed in due))
        listings = {listing.match: listing for listing in await self._matches.find_listings(matches)}
        challenged = [claimed.notice.match for claimed in due if claimed.notice.kind == "challenge"]
        challenges = await self._challenges.find_by_match(challenged) if challenged else {}
        channels = await self._notices.find_channels(players)
        preferences = await self._notices.find_preferences(players)
        sending = []
        for claimed in due:
            try:
                # A match whose challenge was accepted has notices of its own.
                subjects = challenges if claimed.notice.kind == "challenge" else listings
                found = await self._decide(claimed, subjects.get(claimed.notice.match), channels, preferences, now)
            except StoreUnavailable:
                raise
            except Exception as fault:
                # A match that cannot be read keeps no other notice back, and is tried again seldom.
                about = {"match": claimed.notice.match, **describe_fault(fault)}
                log.error("notice postponed: its match cannot be read", extra=about)
                await self._notices.postpone(claimed.notice, now + UNREADABLE_MS)
                continue
            if found is not None:
                sending.append(found)
        for player in dict.fromkeys(each.notice.player for each in sending):
            own = [each for each in sending if each.notice.player == player]
            await self._notices.settle([each.notice for each in own], _make_deliveries(player, own, now))
        return len(due) == CLAIM_LIMIT

    async def _decide(
        self,
        claimed: DueNotice,
        found: Listing | StoredChallenge | None,
        channels: Mapping[str, Sequence[StoredChannel]],
        preferences: Mapping[str, NoticePreferences],
        now: int,
    ) -> _Sending | None:
        """Return what to send of a notice; postpone or drop it otherwise."""
        notice = claimed.notice
        deadline_ms = claimed.deadline_ms
        if isinstance(found, StoredChallenge):
            deadline_ms = found.expires_ms
            if found.is_open(now) and self._is_online(PlayerId(notice.player)):
                # The page shows it, on whichever device they are. It stays for when they have left.
                await self._notices.postpone(notice, now + PRESENCE_MS)
                return None
        elif notice.decision == ABSENCE.key and found is not None and notice.seat in found.deciding:
            try:
                deadline_ms = await self._find_absence_end(notice)
            except Refusal as busy:
                if busy.retry_after_ms is None:
                    raise
                await self._notices.postpone(notice, now + LEASE_MS)
                return None
        decided = decide(
            notice,
            found,
            deadline_ms,
            channels.get(notice.player, ()),
            preferences.get(notice.player, NO_PREFERENCES),
            now,
        )
        match decided:
            case Send():
                return _Sending(notice, deadline_ms, decided.channels)
            case Postpone():
                await self._notices.postpone(notice, decided.due_ms)
            case Drop():
                await self._notices.settle([notice], [])
        return None

    async def _find_absence_end(self, notice: PlannedNotice) -> int | None:
        """Return when the house leaves a match without a clock for a seat; None where it owes no answer.

        The one deadline of such a match may be earlier: it moves only when it is due.
        """
        state = (await self._matches.find(MatchId(notice.match))).state
        ends = []
        for decision in state.decisions:
            if decision.seat == notice.seat:
                (record,) = await self._events.read(notice.match, opening_record(decision.id) - 1, 1)
                ends.append(due_ms(state, decision, record.at_ms))
        return min((end for end in ends if end is not None), default=None)


def _seen_by_players(games: Iterator[Game]) -> Iterator[tuple[str, str]]:
    """Return each player who looks at their own match here, with the match, where notices are sent about it."""
    for game in games:
        facts = game.rights.facts
        if is_slow(facts.match_options):
            for player in facts.players:
                if player and game.feed.is_watched_by(player, in_view=True):
                    yield player, game.id


def _make_deliveries(player: str, sending: Sequence[_Sending], now: int) -> list[Delivery]:
    """Return one delivery for each channel, with all that is sent by it now."""
    texts: dict[str, list[NoticeText]] = {}
    for each in sending:
        notice = each.notice
        text = NoticeText(notice.kind, notice.match, notice.seat, each.deadline_ms)
        for channel in each.channels:
            texts.setdefault(channel.channel, []).append(text)
    return [make_delivery(player, channel, tuple(own), now) for channel, own in texts.items()]


def make_delivery(player: str, channel: str, texts: tuple[NoticeText, ...], now: int) -> Delivery:
    """Return a delivery that is due now, under a new id."""
    return Delivery(opaque_id(secrets.token_bytes(DELIVERY_ID_BYTES)), player, channel, texts, now, now)
