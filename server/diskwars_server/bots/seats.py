"""Seats for bots of the server: checks of the requests for them, and the limits.

Bots take seats of a match that is there, or in the request that opens it: then they are checked before it is opened.
"""

import asyncio
from collections.abc import Callable, Sequence

from msgspec import Struct

from diskwars_protocol.match.actions import SeatQuestion, TakeSeat
from diskwars_protocol.match.bot_identity import bot_name, bot_player
from diskwars_protocol.match.ids import MAX_SEATS, DecisionId, MatchId, PlayerId, Seat, seat_letter
from diskwars_protocol.match.state import AnyMatch
from diskwars_protocol.messages.decisions import Accepted
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.seats import SeatBot
from diskwars_protocol.suggestions import json_quote, suggest
from diskwars_server.bots.secrets import BotSecrets
from diskwars_server.limits.usage import ConnectionUsage
from diskwars_server.matches.game import Game
from diskwars_server.matches.inbox import PendingCommand
from diskwars_server.matches.match_users import MatchUser
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.matches.ruleset_values import decode_or_refuse, digest_action, json_decoder
from diskwars_server.players.handlers import Handler, Handlers, match_of
from diskwars_server.processes.bot_processes import BotProgram
from diskwars_server.refusals import Refusal
from diskwars_server.store.match_index import MatchIndex

MAX_BOT_MATCHES_PER_PLAYER = 8
MAX_AT_ONCE = 4
"""Requests that are counted at the same time: as many matches more than allowed may be let in."""


FIRST_DECISIONS = tuple(DecisionId(f"1.{seat}") for seat in range(MAX_SEATS))
"""The first record of a match asks for every seat."""


class SeatCommand(Struct, frozen=True):
    """The command by which a bot takes its seat."""

    player: PlayerId
    decision: DecisionId
    action: TakeSeat[object]


class _BotAnswers:
    """Receiver of the answers to bots that take their seats unasked: a refused one leaves its seat free."""

    lag_ms = 0

    def __init__(self, usage: ConnectionUsage) -> None:
        self.usage = usage

    def send(self, message: Accepted | Refused) -> bool:
        return True


class BotSeats:
    """Checks requests for bots, and makes the commands by which the bots take their seats."""

    def __init__(
        self,
        matches: MatchRepository,
        index: MatchIndex,
        program: BotProgram,
        secrets: BotSecrets,
        max_bot_matches_per_player: int = MAX_BOT_MATCHES_PER_PLAYER,
    ) -> None:
        """`max_bot_matches_per_player` limits the unfinished matches with bots of one opener; 0 means no limit."""
        self._matches, self._index, self._program, self._secrets = matches, index, program, secrets
        self._max_bot_matches_per_player = max_bot_matches_per_player
        self._counting = asyncio.Semaphore(MAX_AT_ONCE)

    def handlers(self) -> Handlers[MatchUser]:
        return (Handler(SeatBot, self._seat, refused_match=match_of, counts_query=False),)

    async def _seat(self, user: MatchUser, request: SeatBot) -> None:
        """Submit the command of the bot that takes a seat; the match answers to the outbox of the user."""
        await user.find_match(self._matches, request.match)
        game, command = await self._prepare(request, user.player, user.admit_bot)
        digest = digest_action(command.decision, command.action, game.rules.vocabulary.is_canonical)
        game.submit(PendingCommand(request.id, command.player, command.decision, command.action, digest, user.outbox))

    async def _prepare(self, request: SeatBot, opener: PlayerId, admit: Callable[[], int]) -> tuple[Game, SeatCommand]:
        """Return the match, and what the bot does in it. Raises Refusal and StoreUnavailable.

        `admit` counts a bot for the address that the opener comes from; it returns the milliseconds until that may have
        another, or 0. A request that was carried out before is not counted again.
        """
        game = await self._matches.find(request.match)
        if opener != game.opener:
            raise Refusal("not_opener", "only the player who opened a match may seat bots in it")
        self.require_known(request.bot, game.rules.name)
        loadout = decode_or_refuse(
            request.loadout, json_decoder(game.rules.vocabulary.loadout), "bad_action", "$.loadout"
        )
        seat = _seat_taken_before(game, request)
        if seat is not None:
            return game, self._repeat(game, request, seat, loadout)
        _find_seat(game.state, request.seat)  # what is refused anyway counts for no quota
        await self.require_quota(game.id, opener, admit)
        # Others may have sat down meanwhile.
        seat = _find_seat(game.state, request.seat)
        return game, self.make_command(game, request.bot, seat, loadout)

    def make_command(self, game: Game, bot: str, seat: Seat, loadout: object) -> SeatCommand:
        """Return the command by which a bot takes a seat that is free. Raises Refusal."""
        self.require_known(bot, game.rules.name)
        open_decisions = [decision.id for decision in game.state.decisions if decision.seat == seat]
        return self._make_command(game, bot, seat, (open_decisions or [FIRST_DECISIONS[seat]])[0], loadout)

    def _make_command(
        self, game: Game, bot: str, seat: Seat, decision: DecisionId, loadout: object, vacated_in: int | None = None
    ) -> SeatCommand:
        known = game.state.seats[seat].vacated_in or 0 if vacated_in is None else vacated_in
        head = self._secrets.chain_head(game.id, seat, known)
        return SeatCommand(bot_player(bot, seat), decision, TakeSeat(head, loadout))

    def _repeat(self, game: Game, request: SeatBot, seat: Seat, loadout: object) -> SeatCommand:
        """Return the command that the same request has made before, which the game compares with what was accepted.

        The seat was free from the start, or somebody has left it since: only the digest tells which decision it was.
        """
        first = self._make_command(game, request.bot, seat, FIRST_DECISIONS[seat], loadout, 0)
        accepted = game.accepted_digest(first.player, request.id)
        vacated_in = game.state.seats[seat].vacated_in or 0
        later = (
            self._make_command(game, request.bot, seat, DecisionId(f"{vacated_in}.{slot}"), loadout)
            for slot in range(len(game.state.seats))
        )
        is_plain = game.rules.vocabulary.is_canonical
        same = (command for command in later if digest_action(command.decision, command.action, is_plain) == accepted)
        return next(same, first)

    def require_known(self, bot: str, ruleset: str, place: str = "$.bot") -> None:
        """Raise Refusal for a bot that this server does not have."""
        known = self._program.bots.get(ruleset, ())
        if bot not in known:
            there = f"; there are {', '.join(known)}" if known else "; this server seats none"
            raise Refusal("unknown_bot", f"no bot {json_quote(bot)}{suggest(bot, known) or there}", place)

    def seat(self, game: Game, bot: str, seat: Seat, loadout: object, command_id: str, usage: ConnectionUsage) -> None:
        """Let a bot take a seat of a new match that nobody has taken or left. Sent again, it is done once."""
        is_free = any(open_.seat == seat and isinstance(open_.question, SeatQuestion) for open_ in game.state.decisions)
        if not is_free or game.state.seats[seat].vacated_in:
            return  # it sat there already, and was removed
        command = self.make_command(game, bot, seat, loadout)
        digest = digest_action(command.decision, command.action, game.rules.vocabulary.is_canonical)
        answers = _BotAnswers(usage)
        game.submit(PendingCommand(command_id, command.player, command.decision, command.action, digest, answers))

    async def require_quota(
        self, match: MatchId, opener: PlayerId, admit: Callable[[], int], count: int = 1, whose: str = "you"
    ) -> None:
        """Require that this many more bots may sit in a match of an opener. Raises Refusal and StoreUnavailable.

        `admit` is that of `_prepare`. `whose` names the opener to those who are refused.
        """
        limit = self._max_bot_matches_per_player
        async with self._counting:
            with_bots: Sequence[str] = await self._index.find_bot_matches(opener, limit) if limit else ()
        if limit and len(with_bots) >= limit and match not in with_bots:
            oldest = MatchId(with_bots[0])
            text = (
                f"{limit} matches with bots that {whose} opened have not ended; end one first: the oldest is {oldest}"
            )
            raise Refusal("too_many_bots", text, numbers={"matches": limit}, oldest_match=oldest)
        for _ in range(count):
            if wait_ms := admit():
                text = "too many bots were seated from your address: one more may be seated after a while"
                raise Refusal("too_many_bots", text, retry_after_ms=wait_ms)


def _seat_taken_before(game: Game, request: SeatBot) -> Seat | None:
    """Return the seat that the same request has taken before; the game compares the rest."""
    seats = (seat for seat in range(len(game.state.seats)) if request.seat in (None, seat))
    return next((seat for seat in seats if game.accepted_digest(bot_player(request.bot, seat), request.id)), None)


def _find_seat(state: AnyMatch, wanted: Seat | None) -> Seat:
    """Return the seat that a bot may take. Raises Refusal."""
    if state.status == "ended":
        raise Refusal("match_ended")
    free = [decision.seat for decision in state.decisions if isinstance(decision.question, SeatQuestion)]
    if not free:
        raise Refusal("seat_taken", "every seat of the match is taken")
    if wanted is not None and wanted not in free:
        letters = ", ".join(map(seat_letter, free))
        raise Refusal("seat_taken", f"this seat is not free; there are {letters}", "$.seat")
    if state.match_options.rated:
        raise Refusal("no_bot_seat", "a rated match is for people only")
    # Bots that play one another for nobody would be processor time that a stranger gets for one request.
    if sum(bot_name(seat_state.player) is None for seat_state in state.seats) == 1:
        raise Refusal("no_bot_seat", "the last seat without a bot is for a person")
    return free[0] if wanted is None else wanted
