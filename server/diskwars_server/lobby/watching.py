"""Requests to watch matches, and the matches that each connection watches."""

from diskwars_protocol.messages.handshake import ResumeRequest
from diskwars_protocol.messages.history import GetRecords
from diskwars_protocol.messages.watching import Unwatch, Unwatched, Watch
from diskwars_server.community.chat import ChatService
from diskwars_server.lobby.match_access import MatchAccess
from diskwars_server.matches.grace_times import GraceTimes
from diskwars_server.matches.match_users import MatchUser
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.monitoring.metrics import Metrics
from diskwars_server.players.handlers import Handler, Handlers, match_of
from diskwars_server.refusals import Refusal

MAX_RESUMED_RECORDS = 64
"""A watch that asks for no more goes on with a match; it waits less for what others at its address were sent."""


class WatchService:
    """Lets connections watch matches. Every method that waits may raise Refusal and StoreUnavailable."""

    def __init__(
        self, matches: MatchRepository, access: MatchAccess, chat: ChatService, graces: GraceTimes, metrics: Metrics
    ) -> None:
        self._matches, self._access, self._chat = matches, access, chat
        self.graces, self._metrics = graces, metrics

    async def close(self) -> None:
        await self.graces.close()

    def handlers(self) -> Handlers[MatchUser]:
        return (
            Handler(Watch, self.watch, refused_match=match_of, watched_match=match_of, counts_query=False),
            Handler(Unwatch, self._unwatch, refused_match=match_of, counts_query=False),
            Handler(
                GetRecords,
                self._send_records,
                refused_match=match_of,
                counts_query=False,
                history="strict",
            ),
        )

    async def watch(self, user: MatchUser, request: Watch) -> None:
        """Watch a match. On return it is followed live: everything sent later follows its backlog."""
        match, outbox = request.match, user.outbox
        if match not in outbox.connection.watched:
            require_watch_capacity(user)
        # A response must not come before its records, nor the records of one watch within those of the next.
        await outbox.wait_idle(allowed=1 if request.id else 0)
        game = await user.find_match(self._matches, match)
        await self._access.introduce(game, user.player)
        is_resume = not request.snapshot and game.rights.last_shown(user.player) - request.after <= MAX_RESUMED_RECORDS
        user.require_history_budget(is_resume)
        if request.after and request.id:
            self._metrics.count_resume()
        await game.watch(outbox, user.player, request)
        user.games[match] = game

    async def resume(self, user: MatchUser, resume: ResumeRequest) -> None:
        """Go on watching a match that another connection has watched before."""
        if resume.match in user.outbox.connection.watched:
            raise Refusal("bad_resume", "the match is taken up already")
        self._metrics.count_resume()
        await self.watch(
            user,
            Watch(
                "",
                resume.match,
                resume.after,
                resume.reveal_secrets,
                resume.snapshot,
                push_options=resume.push_options,
                include_unavailable=resume.include_unavailable,
                push_openings=resume.push_openings,
                openings_after=resume.openings_after,
            ),
        )

    def leave(self, user: MatchUser) -> None:
        """Detach a connection that has ended from every match; commands in flight are still executed."""
        for game in user.games.values():
            was_watching = user.outbox in game.feed
            game.feed.unsubscribe(user.outbox)
            if was_watching:
                self.graces.on_connection_lost(game, user.player)
        user.games.clear()

    async def _unwatch(self, user: MatchUser, request: Unwatch) -> Unwatched:
        game = user.watched_game(request.match)
        await user.outbox.wait_idle(allowed=1)
        game.feed.unsubscribe(user.outbox)
        # Otherwise the chat room pins the match in memory until disconnect.
        self._chat.leave_match(user.outbox, request.match)
        user.games.pop(request.match, None)
        return Unwatched(request.match, request.id)

    async def _send_records(self, user: MatchUser, request: GetRecords) -> None:
        await user.watched_game(request.match).feed.send_range(user.outbox, request)


def require_watch_capacity(user: MatchUser) -> None:
    """Raise Refusal where the connection watches as many matches as it may. Forget those it watches no more."""
    watched, limit = user.outbox.connection.watched, user.outbox.connection.limits.watched_matches
    user.games = {match: game for match, game in user.games.items() if match in watched}
    if len(watched) >= limit:
        raise Refusal("too_many_watched", f"{limit} matches are watched on this connection already")
