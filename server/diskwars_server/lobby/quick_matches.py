"""Quick matches: players who seek the same match are paired, and it is opened for them.

A player counts as seeking as long as they ask again every few seconds, so players who have left are not paired.
The match is named when its players are paired; any node may open it, and opens the same one.
"""

import secrets

import msgspec
from msgspec import Raw, Struct

from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.messages.opening import OpenMatch
from diskwars_protocol.messages.seeks import MatchFound, Seeking, SeekMatch, StopSeeking
from diskwars_server.matches.game import Game
from diskwars_server.matches.openings import Openings
from diskwars_server.matches.services import Clock
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.pushed_messages import PushedMessages
from diskwars_server.players.tokens import TokenIssuer
from diskwars_server.players.users import User
from diskwars_server.refusals import UNAVAILABLE_RETRY_AFTER_MS, Refusal
from diskwars_server.store.admissions import MAX_ADMITTED_PER_MATCH, MatchLock
from diskwars_server.store.database import Database
from diskwars_server.store.seeks import ALIVE_MS, RENEW_MS, StoredSeek

SEEK_LIFETIME_MS = 600_000
"""The time that a player can seek before they have to begin again."""
MAX_SOUGHT_LENGTH = 4_000
"""Characters of what is sought, as it is stored."""
COMMAND_ID = "quick match"


class SoughtMatch(Struct, frozen=True):
    """The match that a player seeks. Its JSON is the same for all who can be paired."""

    ruleset: str
    seat_count: int
    settings: Raw
    match_options: Raw


class QuickMatches:
    """Searches of players, and the matches that are found. Every method may raise Refusal and StoreUnavailable."""

    def __init__(
        self, openings: Openings, database: Database, pushed_messages: PushedMessages, tokens: TokenIssuer, clock: Clock
    ) -> None:
        self._openings, self._pushed_messages, self._tokens, self._clock = openings, pushed_messages, tokens, clock
        self._seeks, self._admissions = database.seeks, database.admissions

    def handlers(self) -> Handlers[User]:
        return (
            Handler(SeekMatch, self._seek),
            Handler(StopSeeking, self._stop),
        )

    async def _seek(self, user: User, request: SeekMatch) -> Seeking:
        """Begin or renew a search, and open the match as soon as there are enough players."""
        player = user.player
        now_ms = self._clock()
        known = await self._seeks.find(player, now_ms)
        if known is not None and known.match and known.command != request.id:
            if await self._is_expected(player, known):
                return await self._answer(request.id, known)
            await self._seeks.remove(player)
            known = None
        if known is not None and known.command == request.id:
            if known.match:
                return await self._answer(request.id, known)
            await self._require_time_left(player, known, now_ms)
            sought = known.sought
        else:
            sought = self._describe(request, player)
            await self._openings.require_open_match_quota(self._new_match_id(), player, user.admit_opening)
        seek = StoredSeek(player, request.id, sought, now_ms, now_ms + ALIVE_MS)
        seat_count = msgspec.json.decode(sought, type=SoughtMatch).seat_count
        seek_found = await self._seeks.seek(seek, seat_count, self._new_match_id(), now_ms)
        if seek_found is None:
            raise Refusal("busy", "too many players seek a match", retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS)
        answer = await self._answer(request.id, seek_found)
        if answer.found is not None:
            self._notify_others(player, seek_found)
        return answer

    async def _stop(self, user: User, request: StopSeeking) -> Seeking:
        """End a search. A match that was found already is named: the others wait in it."""
        known = await self._seeks.find(user.player, self._clock())
        answer = Seeking(request.id) if known is None or not known.match else await self._answer(request.id, known)
        await self._seeks.remove(user.player)
        return answer

    def _new_match_id(self) -> MatchId:
        # The empty player opens nothing else, so the id cannot be taken before.
        return MatchId(self._tokens.derive_match_id(PlayerId(""), f"{COMMAND_ID} {secrets.token_hex(16)}"))

    async def _require_time_left(self, player: PlayerId, known: StoredSeek, now_ms: int) -> None:
        if now_ms >= known.since_ms + SEEK_LIFETIME_MS:
            await self._seeks.remove(player)
            raise Refusal("nobody_found", numbers={"minutes": SEEK_LIFETIME_MS // 60_000})

    def _describe(self, request: SeekMatch, player: PlayerId) -> str:
        """Return what is sought, complete and checked, so that it compares."""
        opening = OpenMatch(request.id, request.ruleset, request.seat_count, request.settings, request.match_options)
        state = self._openings.check_opening(opening, player)
        settings, options = msgspec.json.encode(state.settings), msgspec.json.encode(state.match_options)
        sought = SoughtMatch(state.ruleset, len(state.seats), Raw(settings), Raw(options))
        text = msgspec.json.encode(sought).decode()
        if len(text) > MAX_SOUGHT_LENGTH:
            raise Refusal("bad_settings", "these settings are too long for a quick match", "$.settings")
        return text

    async def _is_expected(self, player: PlayerId, known: StoredSeek) -> bool:
        """Return whether the others still wait for a player in the match that was found."""
        try:
            state = (await self._open(known)).state
        except Refusal:
            return False
        return state.status == "open" and all(seat.player != player for seat in state.seats)

    async def _answer(self, id: str, seek: StoredSeek) -> Seeking:
        if not seek.match:
            return Seeking(id, seek.since_ms + SEEK_LIFETIME_MS, RENEW_MS)
        await self._open(seek)
        return Seeking(id, found=_found(seek, PlayerId(seek.player)))

    async def _open(self, seek: StoredSeek) -> Game:
        """Return the match of players who were paired, opened by whichever node comes first."""
        match, players = MatchId(seek.match), tuple(map(PlayerId, seek.players))
        for player in players:
            await self._admissions.admit(match, player, MAX_ADMITTED_PER_MATCH)
        sought = msgspec.json.decode(seek.sought, type=SoughtMatch)
        request = OpenMatch(COMMAND_ID, sought.ruleset, sought.seat_count, sought.settings, sought.match_options)

        async def make_lock() -> MatchLock:
            return MatchLock(invited_only=True)

        # The same opener on every node, so that all open the same match. Each was counted when they began to seek.
        return await self._openings.open(match, request, players[0], make_lock=make_lock)

    def _notify_others(self, player: PlayerId, seek: StoredSeek) -> None:
        for other in map(PlayerId, seek.players):
            if other != player:
                self._pushed_messages.send(other, _found(seek, other))


def _found(seek: StoredSeek, player: PlayerId) -> MatchFound:
    sought: SoughtMatch = msgspec.json.decode(seek.sought, type=SoughtMatch)
    players = tuple(map(PlayerId, seek.players))
    return MatchFound(MatchId(seek.match), sought.ruleset, players.index(player), players)
