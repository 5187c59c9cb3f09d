"""Requests that open a match, alone or with the bots that sit in it."""

from functools import partial

from msgspec import Raw

from diskwars_engine.match import AnyRules
from diskwars_protocol.match.actions import TakeSeat
from diskwars_protocol.match.bot_identity import bot_player
from diskwars_protocol.match.ids import DecisionId, MatchId, PlayerId, seat_letter
from diskwars_protocol.messages.opening import Opened, OpenMatch
from diskwars_protocol.messages.watching import Watch
from diskwars_server.bots.seats import BotSeats
from diskwars_server.lobby.club_matches import ClubMatches
from diskwars_server.lobby.match_access import MatchAccess
from diskwars_server.lobby.watching import WatchService, require_watch_capacity
from diskwars_server.matches.match_users import MatchUser
from diskwars_server.matches.openings import MatchOrigin, Openings, WantedSeat
from diskwars_server.matches.ruleset_values import decode_or_refuse, digest_action, json_decoder
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.tokens import TokenIssuer
from diskwars_server.refusals import Refusal
from diskwars_server.store.event_log import EventLog


class OpeningService:
    """Opens matches, which their openers watch."""

    def __init__(
        self,
        openings: Openings,
        access: MatchAccess,
        watching: WatchService,
        tokens: TokenIssuer,
        bot_seats: BotSeats,
        events: EventLog,
        club_matches: ClubMatches,
    ) -> None:
        self._club_matches = club_matches
        self._openings, self._access, self._watching, self._tokens = openings, access, watching, tokens
        self._bot_seats, self._events = bot_seats, events

    def handlers(self) -> Handlers[MatchUser]:
        return (Handler(OpenMatch, self._open, opened_match=self._match_id, counts_query=False),)

    def _match_id(self, user: MatchUser, request: OpenMatch) -> MatchId:
        return MatchId(self._tokens.derive_match_id(user.player, request.id))

    async def _open(self, user: MatchUser, request: OpenMatch) -> None:
        require_watch_capacity(user)
        match = self._match_id(user, request)
        of_club = await self._club_matches.complete(request, user.player)
        request, origin = of_club or request, MatchOrigin(is_in_club=of_club is not None)
        wanted = self._find_wanted_seats(request, user.player, origin)
        if request.bots and not await self._events.heads([match]):
            # Before it is opened, so that no match is left without its bots.
            await self._bot_seats.require_quota(match, user.player, user.admit_bot, len(request.bots))
        # The members of a club are let in by their membership, and nobody else is.
        invited_only = request.invited_only or origin.is_in_club
        make_lock = partial(self._access.make_lock, request.password, invited_only, user.address)
        game = await self._openings.open(match, request, user.player, user.admit_opening, make_lock, origin)
        for bot, seat in zip(request.bots, wanted, strict=False):
            self._bot_seats.seat(game, bot.bot, seat.seat, seat.loadout, request.id, user.usage)
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

    def _find_wanted_seats(self, request: OpenMatch, player: PlayerId, origin: MatchOrigin) -> list[WantedSeat]:
        """Return the seats that are going to be taken, those of bots first. Raises Refusal if one could not be."""
        if not request.bots and not request.loadout:
            return []
        rules = self._openings.rules.choose(request.ruleset, request.packs)
        free, wanted = list(range(request.seat_count)), list[WantedSeat]()
        for number, bot in enumerate(request.bots):
            place = f"$.bots[{number}]"
            self._bot_seats.require_known(bot.bot, request.ruleset, f"{place}.bot")
            if bot.seat not in free:
                text = f"the match has no free seat {seat_letter(bot.seat)} for this bot"
                raise Refusal("seat_taken", text, f"{place}.seat")
            free.remove(bot.seat)
            loadout = _read_loadout(rules, bot.loadout, f"{place}.loadout")
            wanted.append(WantedSeat(bot.seat, bot_player(bot.bot, bot.seat), loadout, f"{place}.loadout"))
        if not free:
            raise Refusal("no_bot_seat", "the last seat without a bot is for a person", "$.bots")
        if request.loadout:
            wanted.append(WantedSeat(free[0], player, _read_loadout(rules, request.loadout, "$.loadout"), "$.loadout"))
        state = self._openings.check_opening(request, player, wanted, origin)
        if state.match_options.rated and request.bots:
            raise Refusal("no_bot_seat", "a rated match is for people only", "$.bots")
        return wanted


def _read_loadout(rules: AnyRules, raw: Raw, place: str) -> object:
    """Return a loadout as an action may hold it. Raises Refusal."""
    loadout: object = decode_or_refuse(raw, json_decoder(rules.vocabulary.loadout), "bad_action", place)
    try:
        digest_action(DecisionId("1.0"), TakeSeat("", loadout), rules.vocabulary.is_canonical)
    except Refusal as refusal:
        raise Refusal(refusal.code, refusal.text, place) from None
    return loadout
