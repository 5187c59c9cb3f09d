"""Challenges: a player asks another one for a match of two, which is opened once the other accepts.

Who comes first with an answer is decided by the row of the challenge. The match is named with the challenge, so any
node may open it, and opens the same one.
"""

import logging

import msgspec
from msgspec import Raw

from diskwars_protocol.match.ids import MatchId, PlayerId, Seat
from diskwars_protocol.match.match_options import (
    MAX_DECISION_SECONDS,
    BankClock,
    MatchOptions,
    absence_ms,
)
from diskwars_protocol.messages.accounts import MAX_NAME_LENGTH
from diskwars_protocol.messages.challenges import (
    CHALLENGE_SEATS,
    AcceptChallenge,
    AllowChallenges,
    Challenge,
    ChallengeChanged,
    ChallengeList,
    ChallengePlayer,
    ChallengeStatus,
    ChallengeView,
    DeclineChallenge,
    DeclineReason,
    ListChallenges,
    WithdrawChallenge,
)
from diskwars_protocol.messages.opening import OpenMatch
from diskwars_server.limits.rate_limits import MS_PER_HOUR, RateLimit, RateLimiter
from diskwars_server.matches.openings import Openings
from diskwars_server.matches.services import Services
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.name_search import find_by_any_name
from diskwars_server.players.pushed_messages import PushedMessages
from diskwars_server.players.tokens import TokenIssuer
from diskwars_server.players.users import User
from diskwars_server.refusals import Refusal
from diskwars_server.store.admissions import MAX_ADMITTED_PER_MATCH, MatchLock
from diskwars_server.store.challenges import (
    MAX_RECEIVED,
    MAX_SENT,
    ChallengeTerms,
    StoredChallenge,
    draw_seat,
)
from diskwars_server.store.database import Database

log = logging.getLogger(__name__)

MIN_LIFE_SECONDS = 3_600
"""A challenge to a match at one go: nobody sits at the page for longer."""
CHALLENGES_PER_PLAYER = RateLimit(30, MS_PER_HOUR)
"""Each may send a notice. Those that were taken back or declined count too."""
REOPENED_MS = MS_PER_HOUR
"""For which a list opens the match of a challenge whose node ended meanwhile. Later it may be gone for good."""
MAX_TERMS_LENGTH = 4_000
"""Characters of settings and options, as they are stored."""
COMMAND_ID = "challenge"


class ChallengeService:
    """Answers requests about challenges. Every handler may raise Refusal and StoreUnavailable."""

    def __init__(
        self,
        openings: Openings,
        services: Services,
        database: Database,
        pushed_messages: PushedMessages,
        tokens: TokenIssuer,
    ) -> None:
        self._openings, self._pushed_messages, self._tokens = openings, pushed_messages, tokens
        self._events, self._clock, self._sends_notices = services.events, services.clock, services.sends_notices
        self._challenges, self._admissions = database.challenges, database.admissions
        self._accounts, self._chat = database.accounts, database.chat
        self._sent = RateLimiter[PlayerId](CHALLENGES_PER_PLAYER, services.monotonic)

    def handlers(self) -> Handlers[User]:
        return (
            Handler(ChallengePlayer, self._challenge),
            Handler(AcceptChallenge, self._accept),
            Handler(DeclineChallenge, self._decline),
            Handler(WithdrawChallenge, self._withdraw),
            Handler(ListChallenges, self._list),
            Handler(AllowChallenges, self._allow),
        )

    # ---------------------------------------------------------------- challenge

    async def _challenge(self, user: User, request: ChallengePlayer) -> ChallengeView:
        _require_account(user)
        id = self._tokens.derive_match_id(user.player, f"challenge {request.id}")
        known = await self._challenges.find(id)
        if known is not None:
            return _view(request.id, await self._require_same(known, request))
        terms, life_ms = self._describe(request, user.player)
        challenged = await self._find_challenged(user.player, request.name)
        match = MatchId(self._tokens.derive_match_id(PlayerId(""), f"challenge {id}"))
        if wait_ms := self._sent.take(user.player):
            raise Refusal("too_many_challenges", retry_after_ms=wait_ms)
        # The challenger is the opener, whose limits count now: at the acceptance they may be away.
        await self._openings.require_open_match_quota(match, user.player, user.admit_opening)
        now_ms = self._clock()
        challenge = StoredChallenge(
            id,
            user.player,
            challenged,
            match,
            terms,
            draw_seat(match) if request.seat is None else request.seat,
            request.seat is None,
            now_ms,
            now_ms + life_ms,
        )
        stored = await self._challenges.add(challenge, notifies=self._sends_notices)
        if isinstance(stored, str):
            numbers = {"too_many_challenges": MAX_SENT, "too_many_challengers": MAX_RECEIVED}
            limit = numbers.get(stored)
            raise Refusal(stored, place="$.name", numbers={} if limit is None else {"challenges": limit})
        self._push(stored)
        return _view(request.id, stored)

    async def _require_same(self, known: StoredChallenge, request: ChallengePlayer) -> StoredChallenge:
        """Return the challenge that a request has made before. Raises Refusal for another one under its id."""
        account = await find_by_any_name(self._accounts, request.name[: 2 * MAX_NAME_LENGTH], self._clock())
        is_same_player = account is None or account.player == known.challenged
        if not is_same_player or request.ruleset != known.terms.ruleset:
            raise Refusal("duplicate_differs", place="$.id")
        return known

    def _describe(self, request: ChallengePlayer, player: PlayerId) -> tuple[ChallengeTerms, int]:
        """Return the match that is asked for, complete and checked, and how long it may be accepted."""
        opening = _opening_of(request.ruleset, request.settings, request.match_options, request.packs)
        state = self._openings.check_opening(opening, player)
        settings, options = _to_json(state.settings), _to_json(state.match_options)
        if len(settings) + len(options) > MAX_TERMS_LENGTH:
            raise Refusal("bad_settings", "these settings are too long for a challenge", "$.settings")
        return ChallengeTerms(state.ruleset, settings, options, request.packs), life_ms_of(state.match_options)

    async def _find_challenged(self, player: PlayerId, name: str) -> PlayerId:
        """Return the player of a name who may be challenged."""
        account = await find_by_any_name(self._accounts, name[: 2 * MAX_NAME_LENGTH], self._clock())
        if account is None:
            raise Refusal("unknown_player", place="$.name")
        if account.player == player:
            raise Refusal("own_challenge", place="$.name")
        # The same words for both, so that nobody learns who has muted them.
        is_muted = player in await self._chat.list_muted(account.player)
        if is_muted or not await self._challenges.is_allowed(account.player):
            raise Refusal("takes_no_challenges", place="$.name")
        return PlayerId(account.player)

    # ---------------------------------------------------------------- answers

    async def _accept(self, user: User, request: AcceptChallenge) -> ChallengeView:
        """Accept a challenge, and open its match. Accepted again, it leads to the same match."""
        known = await self._find(user, request.challenge, is_challenger=False)
        if known.is_open(self._clock()):
            await self._require_openable(known)
        known, is_new = await self._settle(known, "accepted")
        try:
            await self._open(known)
        finally:
            # Also where the match has to wait for another node: who accepts there again is not the first.
            if is_new:
                self._push(known)
        return _view(request.id, known)

    async def _decline(self, user: User, request: DeclineChallenge) -> ChallengeView:
        known = await self._find(user, request.challenge, is_challenger=False)
        return await self._close(request.id, known, "declined", request.reason)

    async def _withdraw(self, user: User, request: WithdrawChallenge) -> ChallengeView:
        known = await self._find(user, request.challenge, is_challenger=True)
        return await self._close(request.id, known, "withdrawn")

    async def _close(
        self, id: str, challenge: StoredChallenge, status: ChallengeStatus, reason: DeclineReason | None = None
    ) -> ChallengeView:
        known, is_new = await self._settle(challenge, status, reason)
        if is_new:
            self._push(known)
        return _view(id, known)

    async def _find(self, user: User, challenge: str, *, is_challenger: bool) -> StoredChallenge:
        known = await self._challenges.find(challenge)
        if known is None or user.player not in known.players:
            raise Refusal("unknown_challenge", place="$.challenge")
        if (known.challenger == user.player) != is_challenger:
            own = "only the challenger takes a challenge back; decline it"
            text = own if is_challenger else "only the challenged player answers a challenge; take it back"
            raise Refusal("unknown_challenge", text, "$.challenge")
        return known

    async def _settle(
        self, challenge: StoredChallenge, status: ChallengeStatus, reason: DeclineReason | None = None
    ) -> tuple[StoredChallenge, bool]:
        """Return the challenge with this status, and whether it is new. Raises Refusal if another came first."""
        is_new = await self._challenges.settle(challenge.challenge, status, self._clock(), reason)
        known = await self._challenges.find(challenge.challenge)
        if known is None or known.status != status:
            raise Refusal("challenge_over", place="$.challenge")
        return known, is_new

    async def _require_openable(self, challenge: StoredChallenge) -> None:
        """Refuse a challenge whose match cannot be opened now: once accepted it could not be declined any more."""
        challenger, terms = PlayerId(challenge.challenger), challenge.terms
        settings, options = Raw(terms.settings.encode()), Raw(terms.match_options.encode())
        # Its pack may be gone since.
        self._openings.check_opening(_opening_of(terms.ruleset, settings, options, terms.packs), challenger)
        try:
            await self._openings.require_open_match_quota(MatchId(challenge.match), challenger, lambda: None)
        except Refusal as refusal:
            raise Refusal(refusal.code, "the challenger has to end another match first", "$.challenge") from None

    async def _open(self, challenge: StoredChallenge) -> None:
        """Open the match of a challenge that was accepted, unless it is there."""
        match, terms = MatchId(challenge.match), challenge.terms
        for player in challenge.players:
            await self._admissions.admit(match, player, MAX_ADMITTED_PER_MATCH)
        settings, options = Raw(terms.settings.encode()), Raw(terms.match_options.encode())

        async def make_lock() -> MatchLock:
            return MatchLock(invited_only=True, seats=challenge.players)

        # The same opener on every node, so that all open the same match.
        opening = _opening_of(terms.ruleset, settings, options, terms.packs)
        await self._openings.open(match, opening, PlayerId(challenge.challenger), make_lock=make_lock)

    # ---------------------------------------------------------------- lists

    async def _list(self, user: User, request: ListChallenges | AllowChallenges) -> ChallengeList:
        """Return the player's challenges, and open what was accepted on a node that ended then."""
        if not user.has_account:
            return ChallengeList(request.id)
        now_ms = self._clock()
        found = await self._challenges.list_of_player(user.player, now_ms)
        recent = [known for known in found if known.status == "accepted" and known.settled_ms > now_ms - REOPENED_MS]
        there = await self._events.heads([known.match for known in recent]) if recent else {}
        for known in recent:
            if known.match not in there:
                try:
                    await self._open(known)
                except Refusal as refusal:
                    log.warning("match of a challenge not opened", extra={"match": known.match, "why": str(refusal)})
        allowed = await self._challenges.is_allowed(user.player)
        return ChallengeList(request.id, tuple(map(_shown, found)), allowed)

    async def _allow(self, user: User, request: AllowChallenges) -> ChallengeList:
        _require_account(user)
        await self._challenges.allow(user.player, allowed=request.allowed)
        return await self._list(user, request)

    def _push(self, challenge: StoredChallenge) -> None:
        for player in challenge.players:
            self._pushed_messages.send(PlayerId(player), ChallengeChanged(_shown(challenge)))


def life_ms_of(options: MatchOptions) -> int:
    """Return how long a challenge may be accepted: the time of its clock, an hour at least, two weeks at most."""
    clock = options.clock
    if clock is None:
        return min(absence_ms(options) or 1000 * MAX_DECISION_SECONDS, 1000 * MAX_DECISION_SECONDS)
    seconds = clock.bank_seconds if isinstance(clock, BankClock) else clock.decision_seconds
    return 1000 * max(MIN_LIFE_SECONDS, seconds)


def _opening_of(ruleset: str, settings: Raw, match_options: Raw, packs: tuple[str, ...] | None) -> OpenMatch:
    return OpenMatch(COMMAND_ID, ruleset, CHALLENGE_SEATS, settings, match_options, packs=packs)


def _shown(challenge: StoredChallenge) -> Challenge:
    terms, is_accepted = challenge.terms, challenge.status == "accepted"
    seat: Seat | None = challenge.seat if is_accepted or not challenge.is_by_lot else None
    return Challenge(
        challenge.challenge,
        PlayerId(challenge.challenger),
        PlayerId(challenge.challenged),
        challenge.status,
        terms.ruleset,
        Raw(terms.settings.encode()),
        Raw(terms.match_options.encode()),
        challenge.created_ms,
        challenge.expires_ms,
        terms.packs,
        seat,
        challenge.reason,
        MatchId(challenge.match) if is_accepted else None,
    )


def _view(id: str, challenge: StoredChallenge) -> ChallengeView:
    return ChallengeView(id, _shown(challenge))


def _require_account(user: User) -> None:
    if not user.has_account:
        raise Refusal("not_registered", "challenges are for players with an account")


def _to_json(value: object) -> str:
    return msgspec.json.encode(value).decode()
