"""Requests that open a match."""

from functools import partial

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.opening import Opened, OpenMatch
from diskwars_protocol.messages.watching import Watch
from diskwars_server.lobby.match_access import MatchAccess
from diskwars_server.lobby.watching import WatchService, require_watch_capacity
from diskwars_server.matches.match_users import MatchUser
from diskwars_server.matches.openings import Openings
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.tokens import TokenIssuer


class OpeningService:
    """Opens matches, which their openers watch."""

    def __init__(self, openings: Openings, access: MatchAccess, watching: WatchService, tokens: TokenIssuer) -> None:
        self._openings, self._access, self._watching, self._tokens = openings, access, watching, tokens

    def handlers(self) -> Handlers[MatchUser]:
        return (Handler(OpenMatch, self._open, opened_match=self._match_id, counts_query=False),)

    def _match_id(self, user: MatchUser, request: OpenMatch) -> MatchId:
        return MatchId(self._tokens.derive_match_id(user.player, request.id))

    async def _open(self, user: MatchUser, request: OpenMatch) -> None:
        require_watch_capacity(user)
        match = self._match_id(user, request)
        make_lock = partial(self._access.make_lock, request.password, request.invited_only, user.address)
        await self._openings.open(match, request, user.player, user.admit_opening, make_lock)
        user.outbox.send(Opened(request.id, match))
        # The match exists now. A watch that fails is refused without an id, as `opened` has answered the request.
        try:
            await self._watching.watch(
                user,
                Watch(
                    "",
                    match,
                    push_options=request.push_options,
                    include_unavailable=request.include_unavailable,
                    push_openings=request.push_openings,
                ),
            )
        except Exception as fault:
            user.refuse(None, fault, match)
