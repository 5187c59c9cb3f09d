"""Reviews of ended matches, searched in a process of their own one after another, and kept for a while.

The program that searches is injected: the server itself knows no bots. It goes behind the players' processes, and each
review has a time after which it is given up.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable

import msgspec
from msgspec import Struct

from diskwars_protocol.match.ids import MatchId, PlayerId, Seat
from diskwars_protocol.match.state import is_revealed
from diskwars_protocol.messages.file_verdicts import MAX_REVIEW_BYTES, ReviewResult
from diskwars_protocol.messages.reviews import MatchReview, ReviewMatch
from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.limits.rate_limits import MS_PER_HOUR, MS_PER_SECOND, RateLimit, RateLimiter
from diskwars_server.matches.game import Game
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.users import User
from diskwars_server.processes.children import JobFault, JobTooSlow, run_job
from diskwars_server.refusals import Refusal

log = logging.getLogger(__name__)

FAILED_MS = MS_PER_HOUR
"""For which a review that failed is not tried again."""
_RESULTS = msgspec.json.Decoder(ReviewResult)


class ReviewLimits(Struct, frozen=True):
    """Bounds of reviews. `seconds` are those that one may take; with 0 there are none."""

    seconds: int = 300
    waiting: int = 4
    """Reviews that may wait for the process, the one that has it included."""
    per_hour: int = 12
    """Reviews that one address, or player, may have made within an hour; those that are kept cost nothing."""
    kept: int = 500


DEFAULT_REVIEW_LIMITS = ReviewLimits()


class MatchReviews:
    """Reviews by match and seat. Without a command there are none."""

    def __init__(
        self,
        matches: MatchRepository,
        command: tuple[str, ...],
        clock: Callable[[], int],
        limits: ReviewLimits = DEFAULT_REVIEW_LIMITS,
        *,
        introduce: Callable[[Game, PlayerId], Awaitable[None]],
    ) -> None:
        """`introduce` lets a match that was just restored know a player whom it has let in.

        `command` is the program, which gets the seat and the seconds as its last arguments. `clock` is
        monotonic, in milliseconds.
        """
        self._introduce = introduce
        self._matches, self._command, self._limits, self._clock = matches, command, limits, clock
        self._made = RateLimiter[str](RateLimit(limits.per_hour, MS_PER_HOUR), clock)
        self._kept: OrderedDict[tuple[MatchId, Seat, str], ReviewResult] = OrderedDict()
        self._turn = asyncio.Lock()
        self._payers: list[str] = []
        """Those whose reviews wait: none has more than half of the places."""
        self._failed: OrderedDict[tuple[MatchId, Seat, str], tuple[Refusal, int]] = OrderedDict()
        """Reviews that have failed, and until when they are not tried again: it would take as long."""

    def handlers(self) -> Handlers[User]:
        # A search takes up to minutes.
        return (Handler(ReviewMatch, self._answer, history="lenient", in_background=True),)

    async def _answer(self, user: User, request: ReviewMatch) -> MatchReview:
        """Return the review of an ended match. Raises Refusal and StoreUnavailable."""
        if not self._command or not self._limits.seconds:
            raise Refusal("review_off")
        game = await self._matches.find(request.match)
        await self._introduce(game, user.player)
        game.rights.require_watchable(user.player)
        self._require_ended(game, request.seat)
        key = request.match, request.seat, game.exports.version
        result = self._find_kept(key)
        if result is None:
            payer = user.player if user.address == UNKNOWN else user.address
            result = await self._review(user, game, key, payer)
        return MatchReview(request.id, request.match, request.seat, result.moments, result.play_outs)

    def _require_ended(self, game: Game, seat: Seat) -> None:
        """Raise Refusal for a match whose secrets are not revealed, and for a seat that it does not have.

        A review of a match under way would be advice from a machine, and could tell what its viewer may not know.
        """
        state = game.state
        if state.status != "ended":
            raise Refusal("not_ended")
        if not is_revealed(state):
            raise Refusal("never_began")
        if seat >= len(state.seats):
            raise Refusal("empty_seat", f"the match has {len(state.seats)} seats", "$.seat")

    async def _review(self, user: User, game: Game, key: tuple[MatchId, Seat, str], payer: str) -> ReviewResult:
        limits = self._limits
        failure, until_ms = self._failed.get(key, (None, 0))
        if failure is not None and self._clock() < until_ms:
            raise Refusal(failure.code, failure.text, retry_after_ms=until_ms - self._clock())
        if len(self._payers) >= limits.waiting or self._payers.count(payer) >= max(1, limits.waiting // 2):
            raise Refusal("too_many_reviews", retry_after_ms=limits.seconds * MS_PER_SECOND)
        if wait_ms := self._made.take(payer):
            raise Refusal("too_many_reviews", retry_after_ms=wait_ms)
        self._payers.append(payer)
        try:
            async with self._turn:
                result = self._find_kept(key)  # Somebody else may have asked for it meanwhile.
                if result is None:
                    raw = await game.exports.export(user.player)
                    user.usage.add_history(len(raw))
                    result = await self._run_once(raw, key)
                return result
        finally:
            self._payers.remove(payer)

    async def _run_once(self, raw: bytes, key: tuple[MatchId, Seat, str]) -> ReviewResult:
        """Review a match, and keep what came of it. Raises Refusal."""
        try:
            self._kept[key] = result = await self._run(raw, key[1])
        except Refusal as failure:
            self._failed[key] = failure, self._clock() + FAILED_MS
            raise
        finally:
            for kept in (self._kept, self._failed):
                if len(kept) > self._limits.kept:
                    kept.popitem(last=False)
        return result

    def _find_kept(self, key: tuple[MatchId, Seat, str]) -> ReviewResult | None:
        result = self._kept.get(key)
        if result is not None:
            self._kept.move_to_end(key)
        return result

    async def _run(self, raw: bytes, seat: Seat) -> ReviewResult:
        seconds = self._limits.seconds
        try:
            output = await run_job((*self._command, str(seat)), raw, seconds, MAX_REVIEW_BYTES)
            result = _RESULTS.decode(output)
        except JobTooSlow:
            raise Refusal("review_failed", f"the review took longer than {seconds} s") from None
        except (JobFault, msgspec.DecodeError) as fault:
            log.error("process that reviews matches failed", extra={"why": str(fault)})
            raise Refusal("review_failed", "the process that reviews matches failed at this one") from None
        if result.fault:
            log.error("a match could not be reviewed", extra={"why": result.fault})
            raise Refusal("review_failed", "this match cannot be reviewed")
        return result
