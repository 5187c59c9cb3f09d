"""The players of the server's bots: they answer the decisions of their seats, as any player does.

A bot sees what a client in its seat would see. It thinks in another process, and what it answers is judged like the
answer of a client; where it gives none, it plays the default of the rules.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from diskwars_engine.work_budget import WorkExceeded
from diskwars_protocol.match.actions import AnswerOffer, DrawOffer, Ready, ReadyQuestion, SeatQuestion
from diskwars_protocol.match.bot_identity import bot_name
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import HOUSE, MatchId, PlayerId, Seat
from diskwars_protocol.match.state import OpenOffer, chain_head
from diskwars_protocol.messages.bot_tasks import BotTask
from diskwars_protocol.messages.decisions import Accepted
from diskwars_protocol.messages.refusals import Refused
from diskwars_server.bots.secrets import BotSecrets
from diskwars_server.broadcast.encoded_options import encode_options
from diskwars_server.broadcast.snapshots import encode_view
from diskwars_server.limits.usage import ConnectionUsage
from diskwars_server.matches.bot_turns import BotTurns, WaitingMatch
from diskwars_server.matches.game import Game
from diskwars_server.matches.inbox import PendingCommand
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.matches.rules_on_offer import RulesOnOffer
from diskwars_server.matches.ruleset_values import decode_or_refuse, digest_action
from diskwars_server.matches.writer import find_bot_owing_answer
from diskwars_server.processes.bot_processes import BotFailure, BotProcess
from diskwars_server.refusals import UNAVAILABLE_RETRY_AFTER_MS, Refusal, describe_fault
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.match_index import MatchIndex

log = logging.getLogger(__name__)

BATCH_MATCHES = 100
RESUME_SECONDS = 30.0
"""Between two looks for matches that had no place in the queue, and the pause after a database outage."""
OVERDUE_POLL_SECONDS = 0.25
MAX_ATTEMPTS = 3
"""After this many faults of the server itself a decision is left to its clock, or to the next start."""
MAX_REMEMBERED_FAULTS = 1024

TOO_LATE_CODES = frozenset({"stale_decision", "not_your_turn", "match_ended", "paused", "duplicate_differs"})
"""Refusals that say that the match has moved on, or that another node has answered."""

_JSON = msgspec.json.Encoder()


class _BotAnswer:
    """Receiver of the answer to a bot's command."""

    lag_ms = 0

    def __init__(self, usage: ConnectionUsage) -> None:
        self.future: asyncio.Future[Accepted | Refused] = asyncio.get_running_loop().create_future()
        self.usage = usage

    def send(self, message: Accepted | Refused) -> bool:
        if not self.future.done():
            self.future.set_result(message)
        return True


class BotTurn(Struct, frozen=True):
    """A decision of a bot, and who the bot is."""

    decision: Decision[Any]
    player: PlayerId
    bot: str


class BotPlayers:
    """Takes matches from the queue, one for each process, and answers one decision at a time."""

    def __init__(
        self,
        matches: MatchRepository,
        rules: RulesOnOffer,
        index: MatchIndex,
        turns: BotTurns,
        secrets: BotSecrets,
        seconds: int,
    ) -> None:
        """`seconds` are those that a decision may wait for a process."""
        self._matches, self._rules, self._index = matches, rules, index
        self._turns, self._secrets = turns, secrets
        self._seconds = seconds
        self._faults: dict[tuple[MatchId, str], int] = {}
        self._process_count = 1

    async def run(self, processes: list[BotProcess]) -> None:
        """Play until cancelled; then every process is gone."""
        self._process_count = max(1, len(processes))
        try:
            async with asyncio.TaskGroup() as group:
                for process in processes:
                    group.create_task(self._serve_queue(process))
                group.create_task(self._serve_overdue())
                group.create_task(self.resume_matches())
        finally:
            for process in processes:
                await process.stop()

    # ---------------------------------------------------------------- loops, which outlive every fault

    async def _serve_queue(self, process: BotProcess) -> None:
        while True:
            # Meanwhile matches wait for another process, or for the default of the rules when their time is up.
            await process.wait_startable()
            await self._serve(await self._turns.take(), process)

    async def _serve_overdue(self) -> None:
        """Answer what has waited too long by the default of the rules: no match waits for the thinking of others."""
        while True:
            while (overdue := self._turns.take_overdue(self._seconds)) is not None:
                await self._serve(overdue, None)
            await asyncio.sleep(OVERDUE_POLL_SECONDS)

    async def resume_matches(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Look at every unfinished match with a bot: at the start, and whenever some had no place in the queue."""
        is_done = False
        while True:
            if not is_done or self._turns.was_full:
                self._turns.was_full = False
                is_done = await self._try_resume()
            await sleep(RESUME_SECONDS)

    async def _try_resume(self) -> bool:
        """Return whether all matches were looked at."""
        after = ""
        try:
            while matches := await self._index.find_with_bots(after, BATCH_MATCHES):
                for match in matches:
                    await self._look_at(MatchId(match))
                after = matches[-1]
        except StoreUnavailable:
            return False  # the outage is logged once, by the database
        except Exception as fault:
            log.error("matches with bots not found", extra=describe_fault(fault))
            return False
        return True

    async def _look_at(self, match: MatchId) -> None:
        """Let a match wait for its bot, if that has to decide. One that cannot be read holds up no other."""
        try:
            (await self._matches.find(match)).enqueue_bot_turn()
        except StoreUnavailable:
            raise
        except Refusal:
            self._turns.was_full = True  # no room in memory now
        except Exception as fault:
            log.error("match with a bot not read", extra={"match": match, **describe_fault(fault)})

    async def _serve(self, waiting: WaitingMatch, process: BotProcess | None) -> None:
        match = waiting.match
        try:
            retry_ms = await self._play(match, process)
        except StoreUnavailable:
            retry_ms = UNAVAILABLE_RETRY_AFTER_MS
        except Refusal as refusal:
            retry_ms = refusal.retry_after_ms or 0
        except Exception as fault:
            log.error("bot not served", extra={"match": match, **describe_fault(fault)})
            retry_ms = 0
        finally:
            self._turns.finish(match)
        if retry_ms:
            asyncio.get_running_loop().call_later(retry_ms / 1000, self._turns.add, match, waiting.owner)

    # ---------------------------------------------------------------- one decision

    async def _play(self, match: MatchId, process: BotProcess | None) -> int:
        """Answer the first open decision of a bot; return the milliseconds after which to try again, or 0."""
        game = await self._matches.find(match)
        try:
            return await self._play_in(game, process)
        except WorkExceeded as fault:
            game.stop_overloaded(str(fault))
            return 0

    async def _play_in(self, game: Game, process: BotProcess | None) -> int:
        """Do what `_play` does. Raises `WorkExceeded` where the rules cannot play the match on."""
        if waiting := find_bot_owing_answer(game.state):
            seat, offer = waiting
            return await self._answer_offer(game, seat, offer)
        turn = self._find_turn(game)
        if turn is None:
            return 0
        if not self._faults.get((game.id, turn.decision.id), 0):
            try:
                action = await self._choose(game, turn, process)
                refused = await self._submit(game, turn, action)
            except (BotFailure, Refusal) as failure:
                if isinstance(failure, Refusal) and failure.retry_after_ms is not None:
                    raise  # the match takes no commands just now, whatever the bot does
                self._log_failure(game, turn, failure.code if isinstance(failure, Refusal) else str(failure))
            else:
                if refused is None or refused.retry_after_ms is not None:
                    return self._retry_ms(game, turn, refused)
                if turn.decision not in game.state.decisions:
                    return 0  # somebody was quicker, as the player of a seat that a bot plays meanwhile
                self._log_failure(game, turn, refused.code)
        return await self._play_default(game, turn)

    def _find_turn(self, game: Game) -> BotTurn | None:
        """Return the first open decision of a bot that has not been given up."""
        turns = find_turns(game, self._rules.usual_bot(game.rules.name))
        return next((turn for turn in turns if self._faults.get((game.id, turn.decision.id), 0) < MAX_ATTEMPTS), None)

    async def _answer_offer(self, game: Game, seat: Seat, offer: OpenOffer) -> int:
        """Answer an offer of a person; return as `_play` does. A bot plays on, and takes its time as people like it."""
        agree = not isinstance(offer.offer, DrawOffer)
        refused = await self._send_answer(game, seat, offer, agree=agree)
        if agree and refused is not None and refused.retry_after_ms is None:
            # An offer that cannot be carried out, as a takeback to before the match began, would stay open for ever.
            refused = await self._send_answer(game, seat, offer, agree=False)
        return 0 if refused is None else refused.retry_after_ms or 0

    async def _send_answer(self, game: Game, seat: Seat, offer: OpenOffer, *, agree: bool) -> Refused | None:
        player, action = game.state.seats[seat].player or PlayerId(""), AnswerOffer(offer.id, agree)
        digest = digest_action(None, action, game.rules.vocabulary.is_canonical)
        answer, id = _BotAnswer(game.opener_usage), f"bot:offer:{offer.id}:{seat}:{'yes' if agree else 'no'}"
        game.submit(PendingCommand(id, player, None, action, digest, answer))
        sent = await answer.future
        return sent if isinstance(sent, Refused) else None

    async def _play_default(self, game: Game, turn: BotTurn) -> int:
        try:
            action = game.default_action(turn.decision)
        except WorkExceeded:
            raise
        except Exception as fault:
            self._count_fault(game, turn)
            extra = {"match": game.id, "decision": turn.decision.id, **describe_fault(fault)}
            log.error("the rules give a bot no default", extra=extra)
            return 0
        return self._retry_ms(game, turn, await self._submit(game, turn, action))

    def _retry_ms(self, game: Game, turn: BotTurn, refused: Refused | None) -> int:
        if refused is None:
            return 0
        if refused.code == "fault":
            self._count_fault(game, turn)
        return refused.retry_after_ms or 0

    async def _choose(self, game: Game, turn: BotTurn, process: BotProcess | None) -> Any:
        """Return what a bot chooses. Raises BotFailure, and Refusal for what is no action."""
        if isinstance(turn.decision.question, ReadyQuestion):
            return Ready()
        if process is None:
            raise BotFailure(f"it waited {self._seconds} s for a process")
        share = self._turns.share(game.opener)
        milliseconds = thinking_milliseconds(self._seconds, share, self._process_count)
        raw = await process.choose(make_task(game, turn, self._secrets, milliseconds))
        return decode_or_refuse(raw, game.actions, "bad_action", "$")

    async def _submit(self, game: Game, turn: BotTurn, action: Any) -> Refused | None:
        """Send the command of a bot; return the refusal, None when it was accepted or came too late. Raises Refusal."""
        seat, decision = turn.decision.seat, turn.decision.id

        def next_nonce() -> str:
            if turn.player == HOUSE:
                return ""  # the links of the chain are the player's
            state = game.state.seats[seat]
            return self._secrets.next_nonce(game.id, seat, chain_head(state), state.vacated_in or 0)

        if isinstance(action, Ready):
            action = Ready(next_nonce())
        else:
            salt = self._secrets.salt(game.id, seat, decision)
            action = game.rules.vocabulary.with_secrets(action, lambda: salt, next_nonce)
        digest = digest_action(decision, action, game.rules.vocabulary.is_canonical)
        answer = _BotAnswer(game.opener_usage)
        game.submit(PendingCommand(f"bot:{decision}", turn.player, decision, action, digest, answer))
        sent = await answer.future
        return sent if isinstance(sent, Refused) and sent.code not in TOO_LATE_CODES else None

    # ---------------------------------------------------------------- failing

    def _log_failure(self, game: Game, turn: BotTurn, why: str) -> None:
        about = {"match": game.id, "seat": turn.decision.seat, "decision": turn.decision.id, "bot": turn.bot}
        log.warning("bot plays the default of the rules", extra={**about, "why": why})

    def _count_fault(self, game: Game, turn: BotTurn) -> None:
        key = game.id, turn.decision.id
        self._faults[key] = self._faults.pop(key, 0) + 1
        if len(self._faults) > MAX_REMEMBERED_FAULTS:
            del self._faults[next(iter(self._faults))]


def find_turns(game: Game, substitute: str | None = None) -> Iterator[BotTurn]:
    """Yield the open decisions of the seats of bots, and of those that the house plays, by the bot `substitute`."""
    state = game.state
    for decision in () if state.paused else state.decisions:
        seat = state.seats[decision.seat]
        player, bot = (HOUSE, substitute) if seat.substitute else (seat.player, bot_name(seat.player))
        if player is not None and bot is not None and not isinstance(decision.question, SeatQuestion):
            yield BotTurn(decision, player, bot)


def thinking_milliseconds(seconds: int, share: float, processes: int) -> int:
    """Return how long a bot may search that has this share: all who wait together half of the time that one may wait.

    Otherwise five bots that search for two seconds on one process would overrun it, and those that waited too long
    would play defaults.
    """
    return max(1, int(500 * seconds * processes * share))


def make_task(game: Game, turn: BotTurn, secrets: BotSecrets, milliseconds: int) -> BotTask:
    """Return a decision as its bot gets it: the snapshot and the options that a client in its seat would get."""
    decision, state = turn.decision, game.state
    return BotTask(
        ruleset=game.rules.name,
        bot=turn.bot,
        seed=secrets.seed(game.id, decision.seat, decision.id),
        seconds=0,
        milliseconds=milliseconds,
        match=msgspec.Raw(encode_view(game.rules, state, decision.seat)),
        decisions=msgspec.Raw(_JSON.encode([decision])),
        options=msgspec.Raw(encode_options(game.rules, state, decision, include_unavailable=False)),
    )
