"""The loop that sends deliveries, tries again what failed, and gives up what nobody takes."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TypeAlias

from msgspec.structs import replace

from diskwars_protocol.match.bot_identity import bot_name
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.notices import ChannelKind, NoticePreferences
from diskwars_server.limits.rate_limits import MS_PER_DAY, MS_PER_HOUR, RateLimit, RateLimiter
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.matches.services import Clock
from diskwars_server.monitoring.tracing import MarkFailed, Tracing
from diskwars_server.notices.conduct import allowed_at_ms, is_usable
from diskwars_server.notices.links import NoticeLinks
from diskwars_server.notices.outcomes import Failed, Outcome, Rejected, SendMessage, Sent
from diskwars_server.notices.texts import MatchNames, Message, make_confirmation, make_message
from diskwars_server.players.guest_names import ShownPlayer, find_shown
from diskwars_server.refusals import describe_fault
from diskwars_server.store.accounts import Accounts
from diskwars_server.store.challenges import Challenges, StoredChallenge
from diskwars_server.store.match_index import Listing
from diskwars_server.store.notices import Delivery, Notices, NoticeText, StoredChannel, key_of, kind_of
from diskwars_server.upkeep.repeat import Sleep, repeat

log = logging.getLogger(__name__)

POLL_SECONDS = 1.0
CLAIM_LIMIT = 32
LEASE_MS = 120_000
"""Longer than any attempt takes. A node that dies while it sends is the one reason why a notice may come twice."""
RETRY_SECONDS = (60, 300, 1_800, 7_200, 21_600, 43_200)
"""Pauses after failed attempts; one more and the delivery is given up."""
MAX_REFUSALS = 3
"""Refusals in a row after which a channel rests."""
REST_MS = 7 * MS_PER_DAY
KEEP_DEAD_MS = 30 * MS_PER_DAY
REMOVAL_SECONDS = 3_600.0
PER_PLAYER = RateLimit(60, MS_PER_HOUR)
PER_TARGET = RateLimit(60, MS_PER_HOUR)
"""Of one address: several accounts may have the same."""
LIMITED_MS = 600_000
"""Before the next look at a delivery that a limit holds back: many of them must not be claimed again at once."""
PER_SERVER = RateLimit(5_000, MS_PER_HOUR)
"""Deliveries of one node."""


_Subject: TypeAlias = tuple[str, bool]
"""A match, and whether it is its challenge that is meant."""


class NoticeDeliverer:
    """Sends what is due, by all kinds of channels that the server has."""

    def __init__(
        self,
        notices: Notices,
        matches: MatchRepository,
        accounts: Accounts,
        challenges: Challenges,
        senders: Mapping[ChannelKind, SendMessage],
        links: NoticeLinks,
        clock: Clock,
        monotonic: Clock,
        tracing: Tracing | None = None,
    ) -> None:
        self._notices, self._matches, self._accounts = notices, matches, accounts
        self._challenges = challenges
        self._senders, self._links, self._clock = senders, links, clock
        self._tracing = tracing
        self._by_player = RateLimiter[str](PER_PLAYER, monotonic)
        self._by_target = RateLimiter[str](PER_TARGET, monotonic)
        self._of_server = RateLimiter[None](PER_SERVER, monotonic)

    async def run(self, sleep: Sleep = asyncio.sleep) -> None:
        """Send until cancelled."""
        await repeat(self.step, POLL_SECONDS, log, "deliveries not sent; they are tried again", sleep)

    async def step(self) -> None:
        """Send all that is due. Raises StoreUnavailable."""
        while not self._of_server.wait_ms(None):
            claimed = await self._notices.claim_deliveries(self._clock(), CLAIM_LIMIT, LEASE_MS)
            if not claimed:
                return
            players = tuple(dict.fromkeys(delivery.player for delivery in claimed))
            channels = await self._notices.find_channels(players)
            preferences = await self._notices.find_preferences(players)
            await asyncio.gather(
                *(
                    self._deliver(
                        delivery,
                        _find(channels.get(delivery.player, ()), delivery.channel),
                        preferences.get(delivery.player, NoticePreferences()),
                    )
                    for delivery in claimed
                )
            )

    async def run_removals(self, sleep: Sleep = asyncio.sleep) -> None:
        """Forget what was given up long ago, until cancelled."""
        await repeat(self.remove_dead, REMOVAL_SECONDS, log, "dead deliveries not removed", sleep)

    async def remove_dead(self) -> None:
        """Forget what was given up long ago."""
        await self._notices.remove_dead(self._clock() - KEEP_DEAD_MS)

    async def _deliver(self, delivery: Delivery, channel: StoredChannel | None, preferences: NoticePreferences) -> None:
        now, is_trial = self._clock(), not delivery.texts
        # A trial is how a player finds out whether a channel that rests works again, and how an address is confirmed.
        if channel is None or not (is_trial or is_usable(channel, now)):
            await self._notices.finish_delivery(delivery)
            return
        send = self._senders.get(kind_of(channel.target))
        if send is None:  # another node may have it, or this one after its operator has put it back
            await self._record(delivery, channel, Failed("this server has no such channel"))
            return
        if (later_ms := self._find_later_ms(delivery, channel, preferences)) is not None:
            await self._notices.retry_delivery(replace(delivery, due_ms=later_ms))
            return
        message = await self._compose(delivery, channel, preferences)
        if message is None:
            await self._notices.finish_delivery(delivery)
            return
        for limiter, key in self._limits_of(delivery, channel):
            limiter.charge(key, 1)
        self._of_server.charge(None, 1)
        try:
            with self._trace(channel, delivery) as mark_failed:
                outcome = await send(channel, delivery, message)
                if not isinstance(outcome, Sent):
                    mark_failed(type(outcome).__name__)
        except Exception as fault:
            log.error("delivery failed", extra={"delivery": delivery.delivery, **describe_fault(fault)})
            outcome = Failed("internal error")
        await self._record(delivery, channel, outcome)

    def _trace(self, channel: StoredChannel, delivery: Delivery) -> AbstractContextManager[MarkFailed]:
        if self._tracing is None:
            return nullcontext(lambda kind: None)
        return self._tracing.notice(kind_of(channel.target), tuple(text.match for text in delivery.texts))

    def _find_later_ms(self, delivery: Delivery, channel: StoredChannel, preferences: NoticePreferences) -> int | None:
        """Return when a delivery may be sent that may not be now: in quiet hours, or after too many others."""
        now = self._clock()
        if any(limiter.wait_ms(key) for limiter, key in self._limits_of(delivery, channel)):
            return now + LIMITED_MS
        if not delivery.texts:
            return None
        # What failed may be due again in quiet hours. A digest has been waited for already.
        awake = replace(preferences, digest_minute=None)
        at_ms = min(allowed_at_ms(text.kind, awake, now, now) for text in delivery.texts)
        return at_ms if at_ms > now else None

    def _limits_of(self, delivery: Delivery, channel: StoredChannel) -> tuple[tuple[RateLimiter[str], str], ...]:
        return (self._by_player, delivery.player), (self._by_target, key_of(channel.target))

    async def _compose(
        self, delivery: Delivery, channel: StoredChannel, preferences: NoticePreferences
    ) -> Message | None:
        """Return what to send; None where nothing of it holds any more."""
        if channel.state == "unconfirmed":
            account = await self._accounts.find_player(delivery.player)
            if account is None or account.is_deleted:
                return None
            return make_confirmation(account.name, self._links.make("confirm", channel), preferences.language)
        about = await self._find_subjects(delivery.texts)
        now = self._clock()
        texts = tuple(text for text in delivery.texts if _holds(text, about.get(_subject_of(text)), now))
        if delivery.texts and not texts:
            return None
        players = {player for subject in about.values() for player in _players_of(subject) if player}
        shown = await find_shown(self._accounts, tuple(players), now)
        names = {text.match: self._names(about[_subject_of(text)], delivery.player, shown) for text in texts}
        return make_message(texts, names, self._links.home, preferences)

    async def _find_subjects(self, texts: Sequence[NoticeText]) -> dict[_Subject, Listing | StoredChallenge]:
        """Return what texts are about: the listing of a match, or the challenge that its match followed."""
        matches = tuple(dict.fromkeys(MatchId(text.match) for text in texts))
        about: dict[_Subject, Listing | StoredChallenge] = {}
        if matches:
            about |= {(listing.match, False): listing for listing in await self._matches.find_listings(matches)}
        challenged = [text.match for text in texts if text.kind == "challenge"]
        if challenged:
            found = await self._challenges.find_by_match(challenged)
            about |= {(match, True): challenge for match, challenge in found.items()}
        return about

    def _names(self, subject: Listing | StoredChallenge, player: str, shown: Mapping[str, ShownPlayer]) -> MatchNames:
        others = tuple(_name_of(other, shown) for other in _players_of(subject) if other and other != player)
        if isinstance(subject, StoredChallenge):
            return MatchNames(subject.terms.ruleset, others, self._links.home)
        return MatchNames(subject.ruleset, others, self._links.to_match(subject.match))

    async def _record(self, delivery: Delivery, channel: StoredChannel, outcome: Outcome) -> None:
        """Store what became of an attempt, and what it says of the channel."""
        about = {"delivery": delivery.delivery, "channel": kind_of(channel.target)}
        match outcome:
            case Sent():
                await self._notices.finish_delivery(delivery)
                if channel.failures or channel.state == "resting":
                    await self._notices.change_channel(replace(channel, state="working", failures=0, rests_until_ms=0))
            case Failed():
                if delivery.attempts >= len(RETRY_SECONDS):
                    log.warning("delivery given up", extra={**about, "why": outcome.why})
                    await self._notices.bury_delivery(delivery, outcome.why)
                    return
                pause = max(RETRY_SECONDS[delivery.attempts], outcome.retry_after_seconds or 0)
                again = replace(delivery, attempts=delivery.attempts + 1, due_ms=self._clock() + 1000 * pause)
                await self._notices.retry_delivery(again)
            case Rejected():
                log.debug("delivery rejected", extra={**about, "why": outcome.why})
                await self._notices.bury_delivery(delivery, outcome.why)
                if outcome.is_gone:
                    await self._notices.remove_channel(channel.player, channel.channel)
                elif channel.state != "unconfirmed":
                    await self._rest_after_refusals(channel, outcome.why)

    async def _rest_after_refusals(self, channel: StoredChannel, why: str) -> None:
        refused = replace(channel, failures=channel.failures + 1)
        if refused.failures >= MAX_REFUSALS:
            log.warning("notice channel rests", extra={"channel": kind_of(channel.target), "why": why})
            refused = replace(refused, state="resting", rests_until_ms=self._clock() + REST_MS)
        await self._notices.change_channel(refused)


def _find(channels: Sequence[StoredChannel], id: str) -> StoredChannel | None:
    return next((channel for channel in channels if channel.channel == id), None)


def _players_of(subject: Listing | StoredChallenge) -> Sequence[str | None]:
    return subject.players if isinstance(subject, StoredChallenge) else subject.seats


def _subject_of(text: NoticeText) -> _Subject:
    return text.match, text.kind == "challenge"


def _holds(text: NoticeText, listing: Listing | StoredChallenge | None, now: int) -> bool:
    """Return whether what a delivery says is still so: it may have been tried for hours."""
    if isinstance(listing, StoredChallenge):
        return listing.is_open(now)
    if listing is None or (text.deadline_ms is not None and text.deadline_ms <= now):
        return False
    if text.kind in ("your_turn", "day_left", "hour_left"):
        return listing.status == "running" and text.seat in listing.deciding
    if text.kind == "pairing":
        return listing.status == "open" and listing.seats[text.seat] is None
    return True


def _name_of(player: str, shown: Mapping[str, ShownPlayer]) -> str:
    bot = bot_name(player)
    return bot if bot is not None else shown[player][0]
