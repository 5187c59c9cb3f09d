"""Openings of matches: each is opened once, however often its command comes, and within the limits of its opener."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from diskwars_engine.branches import BranchStart
from diskwars_engine.match import AnyRules, Command, MatchOpening
from diskwars_engine.match_dice import MatchSecrets
from diskwars_engine.match_log import MatchLog
from diskwars_engine.record_codec import RecordMeta, Salts, SealedRecord
from diskwars_engine.ruleset import Illegal, RandomSource
from diskwars_protocol.match.actions import TakeSeat
from diskwars_protocol.match.ids import DecisionId, MatchId, PlayerId, Seat
from diskwars_protocol.match.match_options import BranchPoint, MatchOptions, Visibility
from diskwars_protocol.match.state import AnyMatch
from diskwars_protocol.messages.opening import OpenMatch
from diskwars_server.matches.game import Game
from diskwars_server.matches.listings import make_listing
from diskwars_server.matches.repository import EntropyByPurpose, MatchRepository
from diskwars_server.matches.rules_on_offer import RulesOnOffer
from diskwars_server.matches.ruleset_values import decode_or_refuse, json_decoder
from diskwars_server.matches.salts import make_salt_source
from diskwars_server.matches.services import Services
from diskwars_server.refusals import UNAVAILABLE_RETRY_AFTER_MS, Refusal
from diskwars_server.store.admissions import OPEN, MatchLock
from diskwars_server.store.errors import DuplicateCommand, OutcomeUnknown, UnknownMatch, WrongVersion
from diskwars_server.store.event_log import AppendRequest
from diskwars_server.store.match_index import MatchIndex
from diskwars_server.store.notices import PlannedNotice, plan_pairings

log = logging.getLogger(__name__)

MAX_OPEN_MATCHES_PER_PLAYER = 50
"""Matches that one player may have opened and that have not ended."""
MAX_OPENINGS_AT_ONCE = 2
"""Matches that are opened at the same time. Others wait their turn, so that an action of a match under way waits for a
few of them and not for all that strangers ask for."""
CHECKED = "checked"
"""The id of a match, and of commands in it, that are made for a check alone."""
NO_CHAIN_HEAD = "0" * 32
SECRET_BYTES = 32
RANDOM_BYTES = 16


class MatchOrigin(Struct, frozen=True):
    """The match that a new one follows: as a rematch, or as a branch that plays on from a moment of it.

    `make_branch` returns the position of a branch; it draws what is hidden with what it is given. A match that
    `is_unlisted` is in nobody's lists but those of its opener and players, whatever its options say. One that
    `is_arranged` is opened by the server, for which no player's limit counts. One that `is_in_club` may be of a club:
    its opener is a member.
    """

    rematch_of: MatchId | None = None
    branch_of: BranchPoint | None = None
    make_branch: Callable[[RandomSource], BranchStart] | None = None
    is_unlisted: bool = False
    is_arranged: bool = False
    is_in_club: bool = False


NO_ORIGIN = MatchOrigin()


class WantedSeat(Struct, frozen=True):
    """A seat that a player is going to take in a match that is not open yet; `place` is where the request says so."""

    seat: Seat
    player: PlayerId
    loadout: object
    place: str


class _SecretRandom:
    """Random numbers from a source of secret bytes: nobody can foresee what a branch draws."""

    def __init__(self, stream: Callable[[int], bytes]) -> None:
        self._stream = stream

    def randrange(self, stop: int, /) -> int:
        return int.from_bytes(self._stream(RANDOM_BYTES)) % stop  # as even as anybody can tell


Admit: TypeAlias = Callable[[], Refusal | None]
MakeLock: TypeAlias = Callable[[], Awaitable[MatchLock]]


async def leave_open() -> MatchLock:
    """Let everybody enter the match."""
    return OPEN


class Openings:
    """Opening of matches, and the limits of how many a player may open."""

    def __init__(
        self,
        rules: RulesOnOffer,
        matches: MatchRepository,
        services: Services,
        index: MatchIndex,
        entropy: EntropyByPurpose,
        *,
        repeatable: bool = False,
        max_open_matches_per_player: int = MAX_OPEN_MATCHES_PER_PLAYER,
    ) -> None:
        """`repeatable` says that the entropy follows from a seed: the matches say so, for their dice prove nothing.

        `max_open_matches_per_player` limits the unfinished matches that a player has opened; 0 means no limit.
        """
        self.rules, self._matches, self._services = rules, matches, services
        self._index, self._entropy = index, entropy
        self._repeatable, self._max_open_matches_per_player = repeatable, max_open_matches_per_player
        self._turns = asyncio.Semaphore(MAX_OPENINGS_AT_ONCE)
        self._opened = 0
        self._is_stopped = False

    def stop(self) -> None:
        """Open no new match from now on: this server is about to end."""
        self._is_stopped = True

    async def open(
        self,
        match: MatchId,
        request: OpenMatch,
        opener: PlayerId,
        admit: Admit = lambda: None,
        make_lock: MakeLock = leave_open,
        origin: MatchOrigin = NO_ORIGIN,
    ) -> Game:
        """Return a new match, or the one that the same command opened before. Raises Refusal and StoreUnavailable.

        `admit` counts a new match for the address that the opener comes from, or returns why it may have no other.
        `make_lock` makes what others need to enter it, once nothing else is wrong. `origin` says which match it
        follows, if any.
        """
        async with self._turns:
            return await self._open(match, request, opener, admit, make_lock, origin)

    async def _open(
        self,
        match: MatchId,
        request: OpenMatch,
        opener: PlayerId,
        admit: Admit,
        make_lock: MakeLock,
        origin: MatchOrigin,
    ) -> Game:
        if self._is_stopped:
            text = "the server is about to restart: connect again, and open the match then"
            raise Refusal("unavailable", text, retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS)
        rules = self.rules.choose(request.ruleset, request.packs)
        settings = self.rules.read_settings(rules, request.settings)
        options = _read_options(request, origin)
        if not origin.is_arranged:
            await self.require_open_match_quota(match, opener, admit)
        self._opened += 1
        stream = self._entropy(f"match {self._opened}")
        secrets, salts = MatchSecrets(stream(SECRET_BYTES), stream(SECRET_BYTES)), make_salt_source(stream)
        try:
            branch = None if origin.make_branch is None else origin.make_branch(_SecretRandom(stream))
        except Illegal as illegal:
            raise Refusal.from_illegal(illegal) from None
        opening = MatchOpening(
            match, settings, request.seat_count, opener, self._services.clock(), self._repeatable, options, branch
        )
        begun, record = _begin(rules, opening, secrets, request.id, salts)

        wanted, lock = begun.state, await make_lock()
        try:
            notices: tuple[PlannedNotice, ...] = ()
            if origin.is_arranged and self._services.sends_notices:
                notices = plan_pairings(match, lock.seats, opening.at_ms)
            create = partial(self._create, begun, record, secrets, salts, lock, notices)
            game = await self._matches.load_new(match, opener, create)
        except UnknownMatch:
            text = "nobody knows whether the match was opened; ask again"
            raise Refusal("retry", text, retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS) from None
        # Passwords are not compared: that of the first command counts.
        if _opening_identity(game.state, game.lock) != _opening_identity(wanted, lock):
            raise Refusal("duplicate_differs", place="$.id")
        return game

    def check_opening(
        self,
        request: OpenMatch,
        opener: PlayerId,
        seats: Sequence[WantedSeat] = (),
        origin: MatchOrigin = NO_ORIGIN,
    ) -> AnyMatch:
        """Return a match as this request would open it, with these seats taken, and open none. Raises Refusal."""
        rules = self.rules.choose(request.ruleset, request.packs)
        settings, options = self.rules.read_settings(rules, request.settings), _read_options(request, origin)
        opening = MatchOpening(
            MatchId(CHECKED), settings, request.seat_count, opener, self._services.clock(), self._repeatable, options
        )
        secrets, salts = MatchSecrets(bytes(SECRET_BYTES), bytes(SECRET_BYTES)), make_salt_source(bytes)
        begun = _begin(rules, opening, secrets, request.id, salts)[0]
        for wanted in seats:
            try:
                action = TakeSeat(NO_CHAIN_HEAD, wanted.loadout)
                command = Command(wanted.player, DecisionId(f"1.{wanted.seat}"), action, opening.at_ms)
                begun.commit(begun.decide(command, CHECKED, secrets, salts))
            except Illegal as illegal:
                raise _refuse_at(wanted.place, illegal) from None
        return begun.state

    async def require_open_match_quota(self, match: MatchId, opener: PlayerId, admit: Admit) -> None:
        """Require that a player may open another match. Raises Refusal and StoreUnavailable.

        A match that is there already may always be asked for again. Of several at once a few more may be let in.
        """
        limit = self._max_open_matches_per_player
        if limit and await self._index.count_unfinished(opener) >= limit:
            text = f"{limit} matches that you opened have not ended; end one of them first"
            refusal: Refusal | None = Refusal("too_many_open", text)
        else:
            refusal = admit()
        if refusal is not None and match not in await self._services.events.heads([match]):
            raise refusal

    async def _create(
        self,
        begun: MatchLog,
        record: SealedRecord,
        secrets: MatchSecrets,
        salts: Salts,
        lock: MatchLock,
        notices: tuple[PlannedNotice, ...],
    ) -> Game:
        match = begun.codec.match
        append = AppendRequest(
            match=match,
            expected=0,
            record=record.record,
            secrets={"far_end": secrets.far_end, "deal": secrets.deal_secret, **lock.to_secrets()},
            listing=make_listing(begun.state, begun.opener, begun.opened_at_ms, begun.opened_at_ms),
            notices=notices,
        )
        try:
            await self._services.events.append(append)
        except (WrongVersion, DuplicateCommand, OutcomeUnknown):
            return await self._matches.restore(match)  # opened before, by the same command, or nobody knows
        self._services.pays_for(begun.opener).add_opening(record.record.size)
        self._services.publish_listing(match)
        log.info("match opened", extra={"match": match, "ruleset": begun.state.ruleset})
        return Game(begun, secrets, salts, self._services, [record], lock)


def _begin(
    rules: AnyRules, opening: MatchOpening, secrets: MatchSecrets, command_id: str, salts: Salts
) -> tuple[MatchLog, SealedRecord]:
    """Return the log of a new match, and its first record. Raises Refusal."""
    try:
        return MatchLog.open(rules, opening, secrets, RecordMeta(opening.opener, command_id), salts)
    except Illegal as illegal:
        raise Refusal.from_illegal(illegal) from None


def _refuse_at(place: str, illegal: Illegal) -> Refusal:
    """Return the refusal of a loadout, with its place in the request that opens the match."""
    within = illegal.place.removeprefix("$.action.loadout") if illegal.place.startswith("$.action.loadout") else ""
    return Refusal(illegal.code, illegal.text, place + within, illegal.rule, numbers=illegal.numbers)


def _read_options(request: OpenMatch, origin: MatchOrigin) -> MatchOptions:
    """Return the options of a match that is to be opened. Raises Refusal."""
    options: MatchOptions = decode_or_refuse(
        request.match_options, json_decoder(MatchOptions), "bad_match_options", "$.match_options"
    )
    if options.rematch_of is not None:
        text = "the players of a match agree on a rematch by `offer_rematch`"
        raise Refusal("bad_match_options", text, "$.match_options.rematch_of")
    if options.branch_of is not None:
        text = "a match plays on from a moment of another by `branch_match`"
        raise Refusal("bad_match_options", text, "$.match_options.branch_of")
    if options.club is not None and not origin.is_in_club:
        text = "a match of a club is opened by a member of it, with `open_match`"
        raise Refusal("bad_match_options", text, "$.match_options.club")
    # Clients and nodes of an earlier version take the match for one by link, and hide it too.
    is_hidden = origin.is_unlisted or options.club is not None
    visibility: Visibility = "link" if is_hidden else options.visibility
    return replace(options, visibility=visibility, rematch_of=origin.rematch_of, branch_of=origin.branch_of)


def _opening_identity(state: AnyMatch, lock: MatchLock) -> tuple[object, ...]:
    is_protected = bool(lock.password_hash), lock.invited_only
    packs, options = tuple(pack.id for pack in state.packs), state.match_options
    if options.branch_of is not None:
        # The other match may have ended since the first command: then the branch would be listed.
        options = replace(options, visibility="link")
    return state.ruleset, state.settings, len(state.seats), options, packs, is_protected
