"""Entry to locked matches by passwords and invites.

Nothing of it is part of a match's records. No text of an error quotes a password or a code.
"""

import hashlib
from collections.abc import Callable

from diskwars_protocol.match.bot_identity import bot_name
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.messages.lobby import (
    CreateInvite,
    Entered,
    EnterMatch,
    Invite,
    InviteCreated,
    InviteList,
    ListInvites,
    RevokeInvite,
    UseInvite,
)
from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.limits.rate_limits import MS_PER_HOUR, RateLimit, RateLimiter
from diskwars_server.matches.game import Game
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.players.attempts import DEFAULT_ATTEMPT_LIMITS, AttemptLimiter, AttemptLimits
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.passwords import BadPassword, Passwords, normalize_password
from diskwars_server.players.tokens import TokenIssuer
from diskwars_server.players.users import User
from diskwars_server.refusals import Refusal
from diskwars_server.store.admissions import (
    MAX_ADMITTED_PER_MATCH,
    MAX_INVITED_PER_MATCH,
    MAX_INVITES_PER_MATCH,
    Admissions,
    MatchLock,
    StoredInvite,
)
from diskwars_server.store.clubs import Clubs

INVITES_PER_ADDRESS = RateLimit(60, MS_PER_HOUR)
"""Invites that are made, and asked for again."""
REVOKED_TEXT = "this invite was revoked"


class MatchAccess:
    """Passwords and invites of matches. Every method that waits may raise Refusal and StoreUnavailable."""

    def __init__(
        self,
        matches: MatchRepository,
        admissions: Admissions,
        clubs: Clubs,
        tokens: TokenIssuer,
        clock: Callable[[], int],
        monotonic: Callable[[], int],
        passwords: Passwords | None = None,
        limits: AttemptLimits = DEFAULT_ATTEMPT_LIMITS,
    ) -> None:
        """`passwords` are its own: guesses at those of matches do not delay logins."""
        self._matches, self._admissions, self._tokens, self._clock = matches, admissions, tokens, clock
        self._clubs = clubs
        self._attempts = AttemptLimiter(passwords or Passwords(), limits, monotonic)
        self._invites = RateLimiter[str](INVITES_PER_ADDRESS, monotonic)

    def handlers(self) -> Handlers[User]:
        return (
            Handler(EnterMatch, self._enter),
            Handler(UseInvite, self._use_code),
            Handler(CreateInvite, self._create_invite),
            Handler(ListInvites, self._list_invites, history="lenient"),
            Handler(RevokeInvite, self._revoke_invite, history="lenient"),
        )

    def close(self) -> None:
        self._attempts.passwords.close()

    # ---------------------------------------------------------------- locks

    async def make_lock(self, password: str | None, invited_only: bool, address: str) -> MatchLock:
        """Return the lock of a match that is opened with these."""
        if password is None:
            return MatchLock(invited_only=invited_only)
        try:
            normalize_password(password)
        except BadPassword as fault:
            raise Refusal("bad_password", str(fault), "$.password") from None
        with self._attempts.admit(None, address):  # a hash costs as much as an attempt
            return MatchLock(await self._attempts.hash(address, password), invited_only)

    async def introduce(self, game: Game, player: PlayerId) -> None:
        """Let the feed of the match know a player who has entered it. It refuses all others but opener and players."""
        if not game.lock:
            return
        if await self._may_enter(game, player):
            game.rights.admit(player)
        else:
            game.rights.dismiss(player)  # a member who left the club

    async def _may_enter(self, game: Game, player: PlayerId) -> bool:
        is_own = player == game.opener or game.rules.seat_of(game.state, player) is not None
        if is_own or bot_name(player) is not None:
            return True
        club = game.rights.facts.match_options.club
        if club is not None and await self._clubs.is_member(club, player):
            return True
        return await self._admissions.is_admitted(game.id, player)

    async def _enter(self, user: User, request: EnterMatch) -> Entered:
        """Admit a player who knows the password."""
        player, address = user.player, user.address
        game = await self._matches.find(request.match)
        if game.lock and await self._may_enter(game, player):
            return Entered(request.id, request.match)
        if not game.lock.password_hash:
            raise game.rights.locked_refusal() if game.lock else Refusal("no_password", place="$.match")
        with self._attempts.admit(game.id, address) as attempt:
            if await self._admissions.count_admitted(game.id) >= MAX_ADMITTED_PER_MATCH:  # before a hash is made
                raise Refusal("match_full", place="$.match")
            if not await self._attempts.verify(address, game.lock.password_hash, request.password):
                raise Refusal("wrong_match_password", place="$.password")
            attempt.is_right = True
        if not await self._admissions.admit(game.id, player, MAX_ADMITTED_PER_MATCH):
            raise Refusal("match_full", place="$.match")
        return Entered(request.id, request.match)

    # ---------------------------------------------------------------- invites

    async def _use_code(self, user: User, request: UseInvite) -> Entered:
        """Admit a player who has the code of an invite."""
        player = user.player
        with self._attempts.admit(None, user.address) as attempt:
            code_hash = _hash_code(request.code)
            invite = await self._admissions.find_invite(code_hash)
            if invite is None:
                raise Refusal("bad_invite", "no invite has this code", "$.code")
            if invite.revoked:
                raise Refusal("bad_invite", REVOKED_TEXT, "$.code")
            if not await self._admissions.is_admitted(invite.match, player):
                await self._use_invite(invite, player)
            attempt.is_right = True
        return Entered(request.id, MatchId(invite.match), invite.army or None)

    async def _use_invite(self, invite: StoredInvite, player: PlayerId) -> None:
        # More than by the password: strangers who know that must not keep out those whom the opener invites.
        if await self._admissions.count_admitted(invite.match) >= MAX_INVITED_PER_MATCH:
            raise Refusal("match_full", place="$.code")
        if not await self._admissions.use_invite(invite.code_hash, player):
            raise Refusal("bad_invite", "this invite is used up", "$.code")

    async def _create_invite(self, user: User, request: CreateInvite) -> InviteCreated:
        """Make an invite, or find the one that the same request has made before."""
        player, address = user.player, user.address
        game = await self._find_own(player, request.match)
        if game.rights.facts.match_options.club is not None:
            raise Refusal("not_member", "this match is for members of its club, who need no invite", "$.match")
        if wait_ms := self._invites.take(player if address == UNKNOWN else address):
            raise Refusal("too_many_invites", "too many invites were made from your address", retry_after_ms=wait_ms)
        id, code = self._tokens.derive_invite(player, request.match, request.id)
        invite = StoredInvite(request.match, id, _hash_code(code), self._clock(), request.army or "", request.uses)
        before = await self._admissions.find_invite(invite.code_hash)
        if before is not None and before.revoked:
            raise Refusal("bad_invite", f"{REVOKED_TEXT}; for another one, send another id", "$.id")
        if not await self._admissions.add_invite(invite, MAX_INVITES_PER_MATCH):
            raise Refusal("too_many_invites", numbers={"invites": MAX_INVITES_PER_MATCH})
        return InviteCreated(request.id, id, code)

    async def _list_invites(self, user: User, request: ListInvites | RevokeInvite) -> InviteList:
        """Return the invites of a match of this opener."""
        await self._find_own(user.player, request.match)
        invites = await self._admissions.list_invites(request.match)
        return InviteList(request.id, tuple(map(_shown_invite, invites)))

    async def _revoke_invite(self, user: User, request: RevokeInvite) -> InviteList:
        """Remove an invite, and return those that are left."""
        await self._find_own(user.player, request.match)
        if not await self._admissions.revoke_invite(request.match, request.invite):
            raise Refusal("unknown_invite", place="$.invite")
        return await self._list_invites(user, request)

    async def _find_own(self, player: PlayerId, match: MatchId) -> Game:
        game = await self._matches.find(match)
        if game.opener != player:
            raise Refusal("not_opener", "only the player who opened a match deals with its invites", "$.match")
        return game


def _hash_code(code: str) -> bytes:
    """Return what is stored of a code: 80 unforeseeable bits need no salt and no slow hash."""
    return hashlib.sha256(code.strip().lower().encode("utf-8", "surrogatepass")).digest()


def _shown_invite(invite: StoredInvite) -> Invite:
    return Invite(invite.invite, invite.created_ms, invite.army or None, invite.uses_left)
