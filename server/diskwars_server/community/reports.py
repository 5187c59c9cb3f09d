"""Reports of players about players, clubs and tournaments: checks, limits, and storage.

Operators read them with `diskwars admin`.
"""

import logging

from msgspec import Struct

from diskwars_protocol.messages.reports import (
    MAX_REPORT_TEXT_LENGTH,
    ContentReported,
    PlayerReported,
    ReportContent,
    ReportPlayer,
)
from diskwars_server.community.reported_content import ContentFinder
from diskwars_server.community.texts import check_text_or_refuse
from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.limits.rate_limits import MS_PER_DAY, RateLimit, RateLimiter
from diskwars_server.matches.match_users import MatchUser
from diskwars_server.matches.services import Clock
from diskwars_server.players.handlers import Handler, Handlers, match_of
from diskwars_server.players.users import User
from diskwars_server.refusals import Refusal
from diskwars_server.store.reports import Reports, StoredReport

log = logging.getLogger(__name__)


class ReportLimits(Struct, frozen=True):
    """Limits of the reports that a player, and an address, send."""

    player: RateLimit = RateLimit(10, MS_PER_DAY)
    address: RateLimit = RateLimit(30, MS_PER_DAY)


DEFAULT_REPORT_LIMITS = ReportLimits()
MAX_REPEATED_REPORTS = 10
"""Last reports of a player among which one that is sent again is looked for: as many as they may send a day."""


class ReportService:
    """Takes reports on one node."""

    def __init__(
        self,
        reports: Reports,
        content: ContentFinder,
        clock: Clock,
        monotonic: Clock,
        limits: ReportLimits = DEFAULT_REPORT_LIMITS,
    ) -> None:
        self._reports, self._content, self._clock = reports, content, clock
        self._by_player = RateLimiter[str](limits.player, monotonic)
        self._by_address = RateLimiter[str](limits.address, monotonic)

    def handlers(self) -> Handlers[MatchUser]:
        return (
            Handler(ReportPlayer, self.report, refused_match=match_of),
            Handler(ReportContent, self.report_content, waits_turn=True),
        )

    async def report(self, user: MatchUser, request: ReportPlayer) -> PlayerReported:
        """Store a report about a match that the user watches. Raises Refusal and StoreUnavailable."""
        game = user.watched_game(request.match)
        if user.outbox not in game.feed:
            raise Refusal("not_watching", place="$.match")
        if request.player == user.player:
            raise Refusal("bad_report", "you cannot report yourself", "$.player")
        if request.seq > (last := game.rights.last_shown(user.player)):
            text = f"you have been shown {last} records of this match"
            raise Refusal("bad_report", text, "$.seq", numbers={"records": last})
        text = check_text_or_refuse(request.text, MAX_REPORT_TEXT_LENGTH, "bad_text", "$.text")
        self._admit(user)
        report = StoredReport(
            game.id, request.seq, request.player, user.player, self._clock(), text, command=request.id
        )
        number = await self._reports.add(report)
        user.usage.add_record(len(text.encode()))
        # Not the text: the log holds nothing that players write.
        log.info("player reported", extra={"report": number, "match": game.id, "player": request.player})
        return PlayerReported(request.id, game.id)

    async def report_content(self, user: MatchUser, request: ReportContent) -> ContentReported:
        """Store a report about what a club or tournament shows. Raises Refusal and StoreUnavailable."""
        text = check_text_or_refuse(request.text, MAX_REPORT_TEXT_LENGTH, "bad_text", "$.text")
        sent = await self._reports.list_sent(user.player, MAX_REPEATED_REPORTS)
        if any((one.command, one.subject) == (request.id, request.subject) for one in sent):
            return ContentReported(request.id, request.kind, request.subject)
        # Counted before the subject is read: its stream may be long.
        self._admit(user)
        found = await self._content.find_seen(request.kind, request.subject, user.player)
        if found.player == user.player:
            raise Refusal("bad_report", f"this {request.kind} is your own: you can change it", "$.subject")
        report = StoredReport(
            request.subject,
            found.seq,
            found.player,
            user.player,
            self._clock(),
            text,
            command=request.id,
            kind=request.kind,
        )
        number = await self._reports.add(report)
        user.usage.add_record(len(text.encode()))
        log.info("content reported", extra={"report": number, "kind": request.kind, "subject": request.subject})
        return ContentReported(request.id, request.kind, request.subject)

    def _admit(self, user: User) -> None:
        """Count a report. Raises Refusal for one too many, also of guests whose address has written enough."""
        wait_ms = max(
            self._by_player.wait_ms(user.player),
            0 if user.address == UNKNOWN else self._by_address.wait_ms(user.address),
            user.usage.write_wait_ms(is_under_way=False),
        )
        if wait_ms:
            raise Refusal("too_many_reports", retry_after_ms=wait_ms)
        self._by_player.charge(user.player, 1)
        if user.address != UNKNOWN:
            self._by_address.charge(user.address, 1)
