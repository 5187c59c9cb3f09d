"""Rematches: the people of a match that has ended agree on another one, which is opened once.

A player who agrees is admitted to the match that would follow; its id follows from the match and the key of the server.
So nothing else is stored, any node may open it, and its id cannot be taken before.
"""

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from diskwars_protocol.match.bot_identity import bot_name
from diskwars_protocol.match.ids import MatchId, PlayerId, Seat
from diskwars_protocol.match.state import AnyMatch, is_revealed
from diskwars_protocol.messages.lists import MatchList
from diskwars_protocol.messages.opening import OpenMatch
from diskwars_protocol.messages.rematches import DeclineRematch, OfferRematch, Rematch, RematchChanged, turned_seat
from diskwars_server.bots.seats import BotSeats
from diskwars_server.matches.openings import MatchOrigin, Openings
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.matches.rules_on_offer import RulesOnOffer
from diskwars_server.matches.services import Clock
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.pushed_messages import PushedMessages
from diskwars_server.players.tokens import TokenIssuer
from diskwars_server.players.users import User
from diskwars_server.refusals import Refusal
from diskwars_server.store.admissions import MAX_ADMITTED_PER_MATCH, MatchLock
from diskwars_server.store.database import Database

OFFER_SECONDS = 3600
"""The time after the end of a match in which its players may agree on another."""
COMMAND_ID = "rematch"
_JSON = msgspec.json.Encoder()


class Rematches:
    """Offers of rematches, and the matches that follow from them."""

    def __init__(
        self,
        matches: MatchRepository,
        openings: Openings,
        rules: RulesOnOffer,
        database: Database,
        *,
        bot_seats: BotSeats,
        tokens: TokenIssuer,
        pushed_messages: PushedMessages,
        clock: Clock,
    ) -> None:
        self._matches, self._openings, self._rules = matches, openings, rules
        self._bot_seats, self._tokens, self._clock = bot_seats, tokens, clock
        self._pushed_messages = pushed_messages
        self._admissions, self._index, self._events = database.admissions, database.matches, database.events

    def handlers(self) -> Handlers[User]:
        return (
            Handler(OfferRematch, self.offer),
            Handler(DeclineRematch, self.decline),
        )

    def next_match(self, match: MatchId) -> MatchId:
        """Return the id of the match that follows a match: there is one at most."""
        return MatchId(self._tokens.derive_match_id(PlayerId(""), f"rematch {match}"))

    async def link(self, page: MatchList) -> MatchList:
        """Add to each match of a list the one that followed it; one statement looks them up."""
        followed = {shown.match: self.next_match(shown.match) for shown in page.matches if shown.status == "ended"}
        there = await self._events.heads(tuple(followed.values())) if followed else {}
        linked = tuple(
            replace(shown, rematch=followed[shown.match]) if followed.get(shown.match) in there else shown
            for shown in page.matches
        )
        return replace(page, matches=linked)

    async def offer(self, user: User, request: OfferRematch) -> Rematch:
        """Let a player agree, and open the match that follows when all have. Raises Refusal and StoreUnavailable.

        The agreement of a player counts even if a quota refuses the match. The next offer of any player opens it.
        """
        player = user.player
        state, seat = await self._find_ended(player, request.match)
        next_match = self.next_match(state.match)
        is_new = not await self._admissions.is_admitted(next_match, player)
        if is_new:
            if self._clock() > state.at_ms + 1000 * OFFER_SECONDS:
                raise Refusal("too_late", place="$.match")
            if await self._find_declined(state):
                raise Refusal("rematch_declined", place="$.match")
            await self._admissions.admit(next_match, player, MAX_ADMITTED_PER_MATCH)
        answer = await self._answer(request.id, state, seat)
        if len(answer.agreed) == len(_people(state)):
            await self._open(state, next_match, user)
            answer = replace(answer, next_match=next_match)
        if is_new:
            self._notify_others(state, answer, player)
        return answer

    async def decline(self, user: User, request: DeclineRematch) -> Rematch:
        """Let no match follow, unless all have agreed already. Raises Refusal and StoreUnavailable."""
        player = user.player
        state, seat = await self._find_ended(player, request.match)
        declined = self._declined_id(state.match)
        answer = await self._answer(request.id, state, seat)
        if len(answer.agreed) == len(_people(state)):
            return replace(answer, next_match=self.next_match(state.match))
        if await self._admissions.is_admitted(declined, player):
            return answer
        await self._admissions.admit(declined, player, MAX_ADMITTED_PER_MATCH)
        answer = await self._answer(request.id, state, seat)
        self._notify_others(state, answer, player)
        return answer

    async def _find_ended(self, player: PlayerId, match: MatchId) -> tuple[AnyMatch, Seat]:
        """Return a match that was played to its end, and the seat of a player in it. Raises Refusal."""
        game = await self._matches.find(match)
        state = game.state
        seat = game.rules.seat_of(state, player)
        # The players of a file that was imported are not asked: their ids prove nothing here.
        listed = await self._index.find_listings([state.match])
        if seat is None or not listed or player not in listed[0].seats:
            raise Refusal("no_seat")
        if not is_revealed(state):
            code = "never_began" if state.status == "ended" else "not_ended"
            raise Refusal(code, "only a match that was played to its end is followed by another", "$.match")
        return state, seat

    def _declined_id(self, match: MatchId) -> MatchId:
        """Return the id under which the players are kept who want no other match: none is ever opened under it."""
        return MatchId(self._tokens.derive_match_id(PlayerId(""), f"no rematch {match}"))

    async def _answer(self, id: str, state: AnyMatch, seat: Seat) -> Rematch:
        agreed, declined = (
            await self._find_agreed(state, self.next_match(state.match)),
            await self._find_declined(state),
        )
        return Rematch(id, state.match, agreed, turned_seat(seat, len(state.seats)), declined=declined)

    async def _find_declined(self, state: AnyMatch) -> tuple[Seat, ...]:
        return await self._find_agreed(state, self._declined_id(state.match))

    def _notify_others(self, state: AnyMatch, answer: Rematch, author: PlayerId) -> None:
        for seat, player in _people(state):
            if player != author:
                turned = turned_seat(seat, len(state.seats))
                changed = RematchChanged(state.match, answer.agreed, turned, answer.next_match, answer.declined)
                self._pushed_messages.send(player, changed)

    async def _find_agreed(self, state: AnyMatch, next_match: MatchId) -> tuple[Seat, ...]:
        people = _people(state)
        return tuple([seat for seat, player in people if await self._admissions.is_admitted(next_match, player)])

    async def _open(self, state: AnyMatch, next_match: MatchId, user: User) -> None:
        """Open the match that follows, unless it is there, and let the bots take their seats."""
        request = OpenMatch(
            COMMAND_ID,
            state.ruleset,
            len(state.seats),
            Raw(_JSON.encode(state.settings)),
            Raw(_JSON.encode(replace(state.match_options, rematch_of=None, branch_of=None))),
            packs=self._rules.packs_again(state),
        )

        async def make_lock() -> MatchLock:
            return MatchLock(invited_only=True)

        # The same opener on every node, so that both open the same match.
        opener = _people(state)[0][1]
        bots = [(seat, bot) for seat, seat_state in enumerate(state.seats) if (bot := bot_name(seat_state.player))]
        if bots and not await self._events.heads([next_match]):
            # Before it is opened, so that no match is left without its bots.
            whose = "you" if opener == user.player else "the player in the first seat"
            await self._bot_seats.require_quota(next_match, opener, user.admit_bot, len(bots), whose)
        origin = MatchOrigin(rematch_of=state.match, is_in_club=True)
        game = await self._openings.open(next_match, request, opener, user.admit_opening, make_lock, origin)
        for seat, bot in bots:
            turned = turned_seat(seat, len(state.seats))
            command_id = f"{COMMAND_ID}:{turned}"
            self._bot_seats.seat(game, bot, turned, state.seats[seat].loadout, command_id, user.usage)


def _people(state: AnyMatch) -> list[tuple[Seat, PlayerId]]:
    """Return the seats of people, with their players."""
    players = [(seat, seat_state.player) for seat, seat_state in enumerate(state.seats)]
    return [(seat, player) for seat, player in players if player is not None and bot_name(player) is None]
