"""Requests that act in a match: the actions of its players, their options, and what its opener may do."""

from diskwars_protocol.match.actions import Kick
from diskwars_protocol.messages.decisions import Act, GetOptions
from diskwars_protocol.messages.opening import CloseMatch
from diskwars_protocol.messages.seats import KickPlayer
from diskwars_protocol.records.fairness import CLOSE_DIGEST
from diskwars_server.matches.inbox import PendingCommand
from diskwars_server.matches.match_users import MatchUser
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.matches.ruleset_values import digest_action
from diskwars_server.players.handlers import Handler, Handlers, ImmediateHandler, ImmediateHandlers, match_of

IMMEDIATE_HANDLERS: ImmediateHandlers[MatchUser] = (
    ImmediateHandler(Act, MatchUser.submit_act, refused_match=match_of),
    ImmediateHandler(GetOptions, MatchUser.send_options, refused_match=match_of),
)


class MatchCommands:
    """Commands that answer no decision. The match answers them, like actions."""

    def __init__(self, matches: MatchRepository) -> None:
        self._matches = matches

    def handlers(self) -> Handlers[MatchUser]:
        return (
            Handler(CloseMatch, self._close, refused_match=match_of, counts_query=False),
            Handler(KickPlayer, self._kick, refused_match=match_of, counts_query=False),
        )

    async def _close(self, user: MatchUser, request: CloseMatch) -> None:
        game = await user.find_match(self._matches, request.match)
        game.submit(PendingCommand(request.id, user.player, None, request, CLOSE_DIGEST, user.outbox))

    async def _kick(self, user: MatchUser, request: KickPlayer) -> None:
        game, action = await user.find_match(self._matches, request.match), Kick(request.seat)
        digest = digest_action(None, action, are_plain=True)
        game.submit(PendingCommand(request.id, user.player, None, action, digest, user.outbox))
