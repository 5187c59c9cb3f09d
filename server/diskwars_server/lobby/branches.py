"""Branches: a player opens a match that plays on from a moment of another match, as far as they may see that one."""

from functools import partial

import msgspec
from msgspec import Raw

from diskwars_engine.branches import branch_start
from diskwars_engine.match_log import LogError
from diskwars_protocol.match.ids import ALL, MatchId, PlayerId, Viewer
from diskwars_protocol.match.match_options import BranchPoint
from diskwars_protocol.match.state import AnyMatch, is_revealed
from diskwars_protocol.messages.branches import BranchMatch, BranchOpened
from diskwars_protocol.messages.opening import OpenMatch
from diskwars_server.limits.usage import ConnectionUsage
from diskwars_server.lobby.match_access import MatchAccess
from diskwars_server.matches.game import Game
from diskwars_server.matches.openings import MatchOrigin, Openings
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.tokens import TokenIssuer
from diskwars_server.players.users import User
from diskwars_server.refusals import Refusal
from diskwars_server.store.event_log import EventLog
from diskwars_server.store.match_loading import load_in_pieces

_JSON = msgspec.json.Encoder()


class Branches:
    """Opens branches of the matches of a server."""

    def __init__(
        self, matches: MatchRepository, openings: Openings, access: MatchAccess, events: EventLog, tokens: TokenIssuer
    ) -> None:
        self._matches, self._openings = matches, openings
        self._access, self._events, self._tokens = access, events, tokens

    def handlers(self) -> Handlers[User]:
        return (Handler(BranchMatch, self._open),)

    async def _open(self, user: User, request: BranchMatch) -> BranchOpened:
        """Open the match that plays on, or find the one that the same request opened before.

        The records that are read count as history that is sent: it costs the server as much. Raises Refusal and
        StoreUnavailable.
        """
        player = user.player
        parent = await self._matches.find(request.match)
        await self._access.introduce(parent, player)
        self._require_visible(parent, player, request.seq)
        await self._require_origin(parent)
        user.require_history_budget(is_resume=False)
        state = await self._state_after(parent, request.seq, user.usage)
        self._require_visible(parent, player, request.seq)  # The match may have begun meanwhile.
        viewer: Viewer = ALL if is_revealed(parent.state) else parent.rules.viewer_of(parent.state, player)
        point = BranchPoint(request.match, request.seq)
        # Its first record shows the moment, its options name the other match, and its end opens what the seat had.
        is_shown_to_all = viewer < 0 and parent.rights.is_shown_to_all(request.seq)
        make_branch = partial(branch_start, parent.rules.ruleset, state, viewer)
        origin = MatchOrigin(branch_of=point, make_branch=make_branch, is_unlisted=not is_shown_to_all)
        opening = OpenMatch(
            request.id,
            state.ruleset,
            len(state.seats),
            Raw(_JSON.encode(state.settings)),
            request.match_options,
        )
        match = MatchId(self._tokens.derive_match_id(player, request.id))
        # Its first record shows a position that only members of a club may see.
        invited_only = request.invited_only or parent.state.match_options.club is not None
        make_lock = partial(self._access.make_lock, request.password, invited_only, user.address)
        game = await self._openings.open(match, opening, player, user.admit_opening, make_lock, origin)
        position = game.state.position
        return BranchOpened(request.id, match, point, resampled=position is not None and position.resampled)

    def _require_visible(self, parent: Game, player: PlayerId, seq: int) -> None:
        """Raise Refusal for a record that does not exist, or that a player may not see."""
        parent.rights.require_watchable(player)
        last = parent.rights.last_shown(player)
        if not 1 <= seq <= last:
            text = f"the match has records 1 to {last}"
            raise Refusal("bad_branch", text, "$.seq", numbers={"requested": seq, "head": last})

    async def _require_origin(self, parent: Game) -> None:
        """Raise Refusal for a branch that came as a file, unless the match that it plays on from is here.

        Its position is what the file says. That a match can have come to it does not mean that one has.
        """
        origin = parent.state.match_options.branch_of
        if origin is None or not parent.is_imported:
            return
        if not await self._events.heads([origin.match]):
            text = "this match came as a file and is a branch itself: the match that it plays on from is not here"
            raise Refusal("bad_branch", text, "$.match")

    async def _state_after(self, parent: Game, seq: int, usage: ConnectionUsage) -> AnyMatch:
        """Return the whole state of a match after one of its records. Raises Refusal and StoreUnavailable."""
        if seq == parent.head:
            return parent.state
        records = await self._events.read(parent.id, 0, seq)
        usage.add_history(sum(len(record.body) for record in records))
        try:
            return (await load_in_pieces(parent.rules, parent.id, records)).state
        except LogError:
            raise Refusal("fault") from None
