"""Entry to locked matches by passwords and invites.

Nothing of it is part of a match's records. No text of an error quotes a password or a code.
"""

import hashlib
from collections.abc import Callable

from msgspec import Struct

from diskwars_protocol import lobby_messages as lm
from diskwars_protocol.bot_identity import bot_name
from diskwars_protocol.match import MatchId, PlayerId
from diskwars_server.address_quotas import UNKNOWN
from diskwars_server.admissions import (
    MAX_ADMITTED_PER_MATCH,
    MAX_INVITES_PER_MATCH,
    Admissions,
    MatchLock,
    StoredInvite,
)
from diskwars_server.game import Game
from diskwars_server.lobby import Lobby
from diskwars_server.passwords import BadPassword, Passwords, TooManyHashes, normalize_password
from diskwars_server.rate_limits import MS_PER_HOUR, MS_PER_MINUTE, RateLimit, RateLimiter
from diskwars_server.refusals import Refusal
from diskwars_server.tokens import TokenIssuer

BUSY_RETRY_AFTER_MS = 1000


class EntryLimits(Struct, frozen=True):
    """How often one may try to enter: a match from one address, a match from anywhere, and any from an address.

    The first is the tightest, so that a stranger who guesses keeps the others at the stranger's own address out only.
    """

    match_and_address: RateLimit = RateLimit(5, 5 * MS_PER_MINUTE)
    match: RateLimit = RateLimit(100, MS_PER_HOUR)
    address: RateLimit = RateLimit(30, 10 * MS_PER_MINUTE)


DEFAULT_ENTRY_LIMITS = EntryLimits()


class MatchEntry:
    """Passwords and invites of matches. Every method that waits may raise Refusal and StoreUnavailable."""

    def __init__(
        self,
        lobby: Lobby,
        admissions: Admissions,
        tokens: TokenIssuer,
        clock: Callable[[], int],
        passwords: Passwords | None = None,
        limits: EntryLimits = DEFAULT_ENTRY_LIMITS,
    ) -> None:
        """`passwords` are its own: guesses at those of matches keep nobody waiting who logs in."""
        self._lobby, self._admissions, self._tokens, self._clock = lobby, admissions, tokens, clock
        self._passwords = passwords or Passwords()
        self._by_match_and_address = RateLimiter[tuple[str, str]](limits.match_and_address, clock)
        self._by_match = RateLimiter[str](limits.match, clock)
        self._by_address = RateLimiter[str](limits.address, clock)

    def close(self) -> None:
        self._passwords.close()

    # ---------------------------------------------------------------- locks

    async def make_lock(self, password: str | None, invited_only: bool, address: str) -> MatchLock:
        """Return the lock of a match that is opened with these."""
        if password is None:
            return MatchLock(invited_only=invited_only)
        try:
            normalize_password(password)
        except BadPassword as fault:
            raise Refusal("bad_password", str(fault), "$.password") from None
        self._admit_attempt("", address)  # a hash costs as much as an attempt
        try:
            return MatchLock(await self._passwords.hash(password), invited_only)
        except TooManyHashes:
            raise _busy() from None

    async def introduce(self, game: Game, player: PlayerId) -> None:
        """Let the feed of the match know a player who has entered it. It refuses all others but opener and players."""
        if game.lock and await self._may_enter(game, player):
            game.feed.admit(player)

    async def _may_enter(self, game: Game, player: PlayerId) -> bool:
        is_own = player == game.opener or game.rules.seat_of(game.state, player) is not None
        return is_own or bot_name(player) is not None or await self._admissions.is_admitted(game.id, player)

    async def enter(self, player: PlayerId, address: str, request: lm.EnterMatch) -> lm.Entered:
        """Admit a player who knows the password."""
        game = await self._lobby.find(request.match)
        if game.lock and await self._may_enter(game, player):
            return lm.Entered(request.id, request.match)
        if not game.lock.password_hash:
            raise Refusal("locked" if game.lock else "no_password", place="$.match")
        self._admit_attempt(game.id, address)
        try:
            is_right = await self._passwords.verify(game.lock.password_hash, request.password)
        except TooManyHashes:
            raise _busy() from None
        if not is_right:
            raise Refusal("wrong_match_password", place="$.password")
        self._charge_attempt(game.id, address, -1)
        if not await self._admissions.admit(game.id, player, MAX_ADMITTED_PER_MATCH):
            raise Refusal("match_full", place="$.match")
        return lm.Entered(request.id, request.match)

    # ---------------------------------------------------------------- invites

    async def use_invite(self, player: PlayerId, address: str, request: lm.UseInvite) -> lm.Entered:
        """Admit a player who has the code of an invite."""
        self._admit_attempt("", address)
        code_hash = _hash_code(request.code)
        invite = await self._admissions.find_invite(code_hash)
        if invite is None:
            raise Refusal("bad_invite", place="$.code")
        # Nobody can fill a match up whom its opener has not invited, so the limit of admitted players is not asked.
        is_known = await self._admissions.is_admitted(invite.match, player)
        if not is_known and not await self._admissions.use_invite(code_hash, player):
            raise Refusal("bad_invite", place="$.code")
        self._charge_attempt("", address, -1)
        return lm.Entered(request.id, MatchId(invite.match), invite.army or None)

    async def create_invite(self, player: PlayerId, request: lm.CreateInvite) -> lm.InviteCreated:
        """Make an invite, or find the one that the same request has made before."""
        await self._find_own(player, request.match)
        id, code = self._tokens.derive_invite(player, request.match, request.id)
        invite = StoredInvite(request.match, id, _hash_code(code), self._clock(), request.army or "", request.uses)
        if not await self._admissions.add_invite(invite, MAX_INVITES_PER_MATCH):
            raise Refusal("too_many_invites", numbers={"invites": MAX_INVITES_PER_MATCH})
        return lm.InviteCreated(request.id, id, code)

    async def list_invites(self, player: PlayerId, match: MatchId, id: str) -> lm.InviteList:
        """Return the invites of a match of this opener."""
        await self._find_own(player, match)
        invites = await self._admissions.list_invites(match)
        return lm.InviteList(id, tuple(map(_shown_invite, invites)))

    async def revoke_invite(self, player: PlayerId, request: lm.RevokeInvite) -> lm.InviteList:
        """Remove an invite, and return those that are left."""
        await self._find_own(player, request.match)
        if not await self._admissions.revoke_invite(request.match, request.invite):
            raise Refusal("unknown_invite", place="$.invite")
        return await self.list_invites(player, request.match, request.id)

    async def _find_own(self, player: PlayerId, match: MatchId) -> Game:
        game = await self._lobby.find(match)
        if game.opener != player:
            raise Refusal("not_opener", "only the player who opened a match deals with its invites", "$.match")
        return game

    # ---------------------------------------------------------------- attempts

    def _admit_attempt(self, match: str, address: str) -> None:
        """Count an attempt before it is made: many at once are no way round the limit. No match: only the address."""
        wait_ms = max(
            self._by_match_and_address.wait_ms((match, address)) if match else 0,
            self._by_match.wait_ms(match) if match else 0,
            0 if address == UNKNOWN else self._by_address.wait_ms(address),
        )
        if wait_ms:
            raise Refusal("too_many_attempts", retry_after_ms=wait_ms)
        self._charge_attempt(match, address, 1)

    def _charge_attempt(self, match: str, address: str, cost: int) -> None:
        if match:
            self._by_match_and_address.charge((match, address), cost)
            self._by_match.charge(match, cost)
        if address != UNKNOWN:
            self._by_address.charge(address, cost)


def _busy() -> Refusal:
    text = "too many passwords are being checked; try again in a moment"
    return Refusal("busy", text, retry_after_ms=BUSY_RETRY_AFTER_MS)


def _hash_code(code: str) -> bytes:
    """Return what is stored of a code: 80 unforeseeable bits need no salt and no slow hash."""
    return hashlib.sha256(code.strip().lower().encode("utf-8", "surrogatepass")).digest()


def _shown_invite(invite: StoredInvite) -> lm.Invite:
    return lm.Invite(invite.invite, invite.created_ms, invite.army or None, invite.uses_left)
