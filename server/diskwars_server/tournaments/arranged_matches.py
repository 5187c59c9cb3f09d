"""The matches of a tournament: opened from its template, their seats kept for the entrants, and what became of them."""

import logging
from collections.abc import Sequence

import msgspec
from msgspec import Raw

from diskwars_protocol.match.actions import SeatQuestion
from diskwars_protocol.match.bot_identity import bot_player
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.messages.decisions import Accepted
from diskwars_protocol.messages.opening import OpenMatch
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.tournaments.options import MatchTemplate
from diskwars_protocol.tournaments.state import Tournament, TournamentBoard
from diskwars_server.bots.seats import BotSeats
from diskwars_server.limits.usage import ConnectionUsage
from diskwars_server.matches.game import Game
from diskwars_server.matches.inbox import Expiry, PendingCommand
from diskwars_server.matches.openings import MatchOrigin, Openings
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.matches.ruleset_values import digest_action
from diskwars_server.players.tokens import TokenIssuer
from diskwars_server.refusals import Refusal
from diskwars_server.store.admissions import MatchLock
from diskwars_server.store.errors import StoreError, StoreUnavailable
from diskwars_server.store.event_log import EventLog
from diskwars_server.store.match_index import NEVER_BEGUN_REASONS, Listing
from diskwars_server.tournaments.rules.progress import MatchFacts

log = logging.getLogger(__name__)

COMMAND_ID = "tournament"
SEAT_COUNT = 2
ARRANGED = MatchOrigin(is_unlisted=True, is_arranged=True)
"""Others than its players find the match by its tournament: in lists its seats would look free to everybody."""


class _SeatAnswers:
    """Receiver of the answers to bots that take their seats: a refused one leaves its seat free, and is tried again."""

    lag_ms = 0

    def __init__(self, usage: ConnectionUsage) -> None:
        self.usage = usage

    def send(self, message: Accepted | Refused) -> bool:
        return True


class ArrangedMatches:
    """Opens matches of tournaments. Every method that waits may raise Refusal and StoreUnavailable."""

    def __init__(
        self, matches: MatchRepository, openings: Openings, bot_seats: BotSeats, tokens: TokenIssuer, events: EventLog
    ) -> None:
        self._matches, self._openings, self._bot_seats = matches, openings, bot_seats
        self._tokens, self._events = tokens, events

    def derive_id(self, tournament: str, round_number: int, board: int, attempt: int) -> MatchId:
        """Return the id of a match: every node derives the same, so that it is opened once."""
        command = f"tournament {tournament} {round_number} {board} {attempt}"
        return MatchId(self._tokens.derive_match_id(PlayerId(""), command))

    def check_template(self, template: MatchTemplate) -> None:
        """Check that matches can be opened with a template. Raises Refusal with the place in it."""
        try:
            self._openings.check_opening(_opening_of(template), PlayerId(COMMAND_ID))
        except Refusal as refusal:
            place = refusal.place.replace("$", "$.options.template", 1) if refusal.place else ""
            raise Refusal(refusal.code, refusal.text, place, numbers=refusal.numbers) from None

    async def open_missing(self, state: Tournament, boards: Sequence[TournamentBoard]) -> None:
        """Open what is not there yet, and let bots take their seats. What fails is tried again at the next look."""
        there = await self._events.heads([board.match for board in boards])
        for board in boards:
            has_bot = any(state.entrant(number).bot for number in board.entrants)
            if board.match in there and not has_bot:
                continue
            try:
                await self._open(state, board)
            except Refusal as refusal:
                log.warning("match of a tournament not opened", extra={"match": board.match, "why": str(refusal)})

    async def _open(self, state: Tournament, board: TournamentBoard) -> None:
        seats = tuple(_player_of(state, number, seat) for seat, number in enumerate(board.entrants))

        async def make_lock() -> MatchLock:
            return MatchLock(seats=seats)

        # The tournament is the opener: no player can close the match, or remove the other from it.
        opener = PlayerId(state.tournament)
        request = _opening_of(state.options.template)
        game = await self._openings.open(board.match, request, opener, make_lock=make_lock, origin=ARRANGED)
        for seat, number in enumerate(board.entrants):
            bot = state.entrant(number).bot
            if bot is not None:
                self._seat_bot(game, bot, seat)

    def _seat_bot(self, game: Game, bot: str, seat: int) -> None:
        is_free = any(open_.seat == seat and isinstance(open_.question, SeatQuestion) for open_ in game.state.decisions)
        if not is_free:
            return
        loadout = msgspec.json.decode(b"{}", type=game.rules.vocabulary.loadout)
        command = self._bot_seats.make_command(game, bot, seat, loadout)
        digest = digest_action(command.decision, command.action, game.rules.vocabulary.is_canonical)
        answers = _SeatAnswers(game.opener_usage)
        id = f"{COMMAND_ID}:{seat}"
        game.submit(PendingCommand(id, command.player, command.decision, command.action, digest, answers))

    async def find_facts(
        self, boards: Sequence[TournamentBoard], due: Sequence[TournamentBoard]
    ) -> dict[str, MatchFacts]:
        """Return what is known of the matches of boards. Presence is looked up for those in `due` only."""
        listings = await self._matches.find_listings([board.match for board in boards])
        waiting = {board.match for board in due}
        facts = {}
        for listing in listings:
            came = await self._find_came(listing) if listing.match in waiting and listing.status == "open" else ()
            if came is not None:
                facts[listing.match] = _facts_of(listing, came)
        return facts

    async def _find_came(self, listing: Listing) -> tuple[bool, ...] | None:
        """Return which players are there, by seat; None where the match cannot be read now.

        Players are asked whether they are ready once all seats are taken: until then a seat is enough.
        """
        try:
            game = await self._matches.find(MatchId(listing.match))
        except Refusal:
            return None
        seats = game.state.seats
        is_complete = all(seat.player is not None for seat in seats)
        return tuple(seat.ready if is_complete else seat.player is not None for seat in seats)

    async def close(self, match: MatchId) -> None:
        """Close a match that counts no more and has not begun. If that fails it is closed when it is old."""
        try:
            game = await self._matches.find(match)
            game.submit_own(Expiry())
        except StoreUnavailable:
            raise
        except (Refusal, StoreError) as fault:
            log.warning("match of a tournament not closed", extra={"match": match, "why": str(fault)})


def _opening_of(template: MatchTemplate) -> OpenMatch:
    return OpenMatch(
        COMMAND_ID,
        template.ruleset,
        SEAT_COUNT,
        Raw(template.settings),
        Raw(template.match_options),
        packs=template.packs,
    )


def _player_of(state: Tournament, number: int, seat: int) -> str:
    entrant = state.entrant(number)
    return bot_player(entrant.bot, seat) if entrant.bot is not None else entrant.player or ""


def _facts_of(listing: Listing, came: tuple[bool, ...]) -> MatchFacts:
    result = listing.result
    has_begun = listing.status != "open" and (result is None or result.end_reason not in NEVER_BEGUN_REASONS)
    return MatchFacts(listing.status, has_begun, listing.seats, came, result)
