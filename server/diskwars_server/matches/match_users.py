"""A connected user with the matches that their connection watches."""

import logging

from msgspec import Raw

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.decisions import Act, GetOptions, OptionsResponse
from diskwars_server.broadcast.outbox import Outbox, OutboxClosed
from diskwars_server.limits.address_quotas import AddressQuotas
from diskwars_server.matches.game import Game, encode_open_decisions
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.players.users import User, too_many_requests
from diskwars_server.refusals import UNAVAILABLE_RETRY_AFTER_MS, Refusal, describe_fault
from diskwars_server.store.errors import StoreUnavailable

log = logging.getLogger(__name__)


class MatchUser(User):
    """The user of one connection, as handlers of requests about matches see them."""

    def __init__(self, outbox: Outbox, address: str, quotas: AddressQuotas) -> None:
        super().__init__(outbox, address, quotas)
        self.games: dict[MatchId, Game] = {}
        """The matches that are watched, and some that were until a moment ago."""

    @property
    def is_playing(self) -> bool:
        """Whether the user has a seat in an unfinished match that is watched here."""
        matches = (game.rights.facts for game in self.games.values())
        return any(facts.status != "ended" and self.player in facts.players for facts in matches)

    def watched_game(self, match: MatchId) -> Game:
        """Return a match that the connection watches. Raises Refusal for any other."""
        game = self.games.get(match)
        if game is None or match not in self.outbox.connection.watched:
            raise Refusal("not_watching", place="$.match")
        return game

    def submit_act(self, act: Act) -> None:
        """Send an action on its way to its match, which answers it."""
        self.watched_game(act.match).submit_act(act, self.player, self.outbox)

    def send_options(self, request: GetOptions) -> None:
        """Answer with the options of a decision of a match that is watched."""
        game = self.watched_game(request.match)
        options = game.get_options(self.player, request.decision, request.include_unavailable)
        if options.is_repeated:  # the first time is free, so that no player waits for what they need to act
            self.require_history_budget(is_resume=True)
            self.usage.add_history(len(options.json))
        self.outbox.send(OptionsResponse(request.match, request.decision, Raw(options.json), request.id))

    async def find_match(self, matches: MatchRepository, match: MatchId) -> Game:
        """Return a match. One that has to be read counts as a query, except a player's own match under way.

        After a restart players go on with such a match, whatever their neighbours load.
        """
        if matches.is_live(match):
            return await matches.find(match)
        if wait_ms := self.quotas.query_wait_ms(self.address):
            raise too_many_requests(wait_ms)
        is_own = False
        try:
            game = await matches.find(match)
            state = game.state
            is_own = state.status != "ended" and (
                self.player == game.opener or game.rules.seat_of(state, self.player) is not None
            )
            return game
        finally:
            if not is_own:
                self.quotas.admit_query(self.address)

    def refuse(self, id: str | None, fault: Exception, about: MatchId | None, *, is_act: bool = False) -> None:
        """Send the refusal that a fault leads to. An unforeseen one is logged, and is the server's fault.

        That of an act, or of options, names what is open: to other requests about a match it says nothing.
        """
        match fault:
            case OutboxClosed():
                raise fault
            case Refusal():
                refusal = fault
            case StoreUnavailable():
                refusal = Refusal("unavailable", retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS)
            case _:
                where = {"player": self.player, "match": about, "command": id}
                log.error("request not answered", extra={**where, **describe_fault(fault)})
                refusal = Refusal("fault", retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS)
        is_watched = is_act and about in self.outbox.connection.watched
        game = self.games.get(about) if about is not None and is_watched else None
        self.outbox.send(
            refusal.to_message(id, about, b"[]" if game is None else encode_open_decisions(game, self.player))
        )
