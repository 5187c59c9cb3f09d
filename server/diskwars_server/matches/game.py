"""One live match: its inbox, whose items are done one after another, and those who watch.

A command is decided and handed to the store in the step in which it comes, and answered in that of its outcome. Only
what reads the log first, and what the server does itself, has a task.

A dropped socket cancels nothing of it. Commands of players are executed by `player_commands`, what the server does
itself by `server_actions`, and both store through the `writer`. The feed decides what is sent to whom; the lobby finds
matches.
"""

import asyncio
import contextlib
import logging
from collections.abc import Coroutine, Sequence
from typing import Any

import msgspec

from diskwars_engine.match_dice import MatchSecrets
from diskwars_engine.match_log import MatchLog
from diskwars_engine.record_codec import Salts, SealedRecord
from diskwars_engine.ruleset import UnreadableCursor
from diskwars_engine.work_budget import WorkExceeded
from diskwars_protocol.match.actions import SeatQuestion
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import DecisionId, PlayerId, Seat, seat_letter
from diskwars_protocol.match.state import AnyMatch
from diskwars_protocol.messages.decisions import Accepted, Act
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.watching import Watch
from diskwars_server.broadcast.encoded_options import EncodedOptions
from diskwars_server.broadcast.exports import MatchExports
from diskwars_server.broadcast.feed import Feed
from diskwars_server.broadcast.history import MatchHistory
from diskwars_server.broadcast.outbox import Outbox, OutboxClosed
from diskwars_server.broadcast.watch_rights import WatchRights
from diskwars_server.bus.bus import decode_head, head_subject
from diskwars_server.limits.usage import OpenerUsage
from diskwars_server.matches.inbox import (
    RESERVED_ITEMS,
    AnswerReceiver,
    CatchUp,
    Ended,
    Expiry,
    Idleness,
    Inbox,
    InboxItem,
    OtherPacks,
    Overload,
    PendingCommand,
    ServerItem,
    TimeOut,
    busy_refusal,
)
from diskwars_server.matches.player_commands import PlayerCommands
from diskwars_server.matches.ruleset_values import json_decoder, read_action
from diskwars_server.matches.server_actions import ServerActions
from diskwars_server.matches.services import Services
from diskwars_server.matches.writer import MatchWriter
from diskwars_server.refusals import RETRY_AFTER_MS, UNAVAILABLE_RETRY_AFTER_MS, Refusal, describe_fault
from diskwars_server.store.admissions import OPEN, MatchLock
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.event_log import IMPORT_COMMAND_PREFIX

log = logging.getLogger(__name__)

_JSON = msgspec.json.Encoder()


class Game:
    """One match while it is used. Made inside a running event loop; `retire` ends it."""

    def __init__(
        self,
        log: MatchLog,
        secrets: MatchSecrets | None,
        salts: Salts,
        services: Services,
        recent: Sequence[SealedRecord] = (),
        lock: MatchLock = OPEN,
    ) -> None:
        """`secrets` may be missing only when the match has ended; `recent` are its last records, if at hand.

        `lock` is what others need to enter the match; sessions ask for it before they let anybody watch.
        """
        self.lock = lock
        codec = log.codec
        self.id, self.opener, self.rules = codec.match, log.opener, codec.rules
        self.actions = json_decoder(self.rules.vocabulary.action)
        self._inbox = Inbox(self._advance)
        self._history = history = MatchHistory(
            codec.match, log.head, log.hash, codec.genesis, services.events, services.frames, recent
        )
        entered = (PlayerId(log.opener),) if lock else None
        self.rights = WatchRights(self.rules, lambda: self.state, log.head, log.round_start, entered)
        self.feed = Feed(self.rules, codec.header, history, self.rights, self.stop_overloaded)
        self.exports = MatchExports(codec.header, history, self.rights)
        self._services, self._writer = services, MatchWriter(log, secrets, salts, services, self.feed)
        self._server_actions = ServerActions(self._writer)
        self._commands = PlayerCommands(self._writer, self.rights, self._answer, self._start_task, lock.seats)
        self._is_busy = self._is_advancing = False
        self._seen_by_rest = (-1, 0)
        self._task: asyncio.Task[None] | None = None
        self.is_retired = False
        self._ended = asyncio.Event()
        self._stop_listening = services.bus.subscribe(
            head_subject(self.id),
            lambda message: self.on_remote_append(decode_head(message)),
        )

    @property
    def opener_usage(self) -> OpenerUsage:
        """The budget that pays for records that no command of a player causes."""
        return self._services.pays_for(self.opener)

    @property
    def head(self) -> int:
        """The seq of the last record."""
        return self._writer.log.head

    @property
    def state(self) -> AnyMatch:
        return self._writer.log.state

    @property
    def is_imported(self) -> bool:
        """Whether the match came as a file. Its commands were never given here."""
        return (self.opener, f"{IMPORT_COMMAND_PREFIX}1") in self._writer.log.receipts

    @property
    def is_idle(self) -> bool:
        """Whether the match has no watchers and nothing is under way."""
        return not (self.feed or self._is_busy or self._inbox)

    @property
    def is_abandoned(self) -> bool:
        """Whether only strangers watch, neither a seated player nor a waiting opener, and nothing is under way."""
        facts = self.rights.facts
        opener = (self.opener,) if facts.status == "open" else ()
        seated = filter(None, facts.players)
        is_wanted = self.feed.is_sending_history or self.feed.is_watched_by(*opener, *seated)
        return not (is_wanted or self._is_busy or self._inbox)

    def rest(self) -> bool:
        """Pack what is only needed to go on, unless the match was used since the last call. Return whether it was.

        Nobody notices: the state is unpacked, and the last records are read, when they are used.
        """
        log = self._writer.log
        if log.is_packed or self._is_busy or self._inbox:
            return False
        seen, self._seen_by_rest = self._seen_by_rest, (log.head, log.unpacked_count)
        if seen != self._seen_by_rest:
            return False
        log.pack()
        if self._writer.secrets is not None:
            self._writer.secrets.chain.forget_links()
        self.rights.forget_state()
        self.feed.requested_options.clear()
        self.feed.snapshots.clear()
        self._history.forget_recent()
        return True

    def retire(self) -> None:
        """Stop taking commands, answer those in the inbox, and end."""
        self.is_retired = True
        self._stop_listening()
        self._inbox.close()

    async def wait_idle(self) -> None:
        """Wait until the inbox is empty and nothing is under way."""
        while not self._ended.is_set() and (self._inbox or self._is_busy):
            done = CatchUp(0)
            self._inbox.put(done, 2 * RESERVED_ITEMS)
            self._advance()
            await done.done.wait()

    async def wait_ended(self) -> None:
        """Wait until a retired match has answered everything."""
        await self._ended.wait()

    # ---------------------------------------------------------------- asking

    def submit_act(self, act: Act, player: PlayerId, outbox: AnswerReceiver) -> None:
        """Read an act and hand it over like `submit`. Raises Refusal, also for what is no action of the ruleset."""
        action, digest = read_action(act, self.actions, self.rules.vocabulary.is_canonical)
        self.submit(PendingCommand(act.id, player, act.decision, action, digest, outbox, act.chain_head))

    def submit(self, pending: PendingCommand) -> None:
        """Hand a command over; the answer comes to its outbox, after the records. Raises Refusal for want of room."""
        if self.is_retired:
            raise busy_refusal()
        try:
            self._inbox.put(pending)
        except Refusal:
            if self.rules.seat_of(self.state, pending.player) is None:
                raise
            self._inbox.put(pending, RESERVED_ITEMS)
        self._advance()

    def submit_own(self, item: ServerItem) -> None:
        """Hand over what the server does itself. Raises Refusal for want of room."""
        if self.is_retired:
            raise busy_refusal()
        self._inbox.put(item, 2 * RESERVED_ITEMS)
        self._advance()

    def stop_overloaded(self, fault: str | WorkExceeded) -> None:
        """Let the server stop a match that the rules cannot play on.

        Without room for that now, the next decision or request finds out again.
        """
        with contextlib.suppress(Refusal):
            self.submit_own(Overload(str(fault)))

    def accepted_digest(self, player: PlayerId, command: str) -> str | None:
        """Return the digest of a command of a player that was accepted before."""
        receipt = self._writer.log.receipts.find(player, command)
        return None if receipt is None else receipt.digest

    def default_action(self, decision: Decision[Any]) -> Any:
        """Return the answer of the rules to an open decision, for a bot that has none. Raises what they raise."""
        if self._writer.secrets is None:
            raise Refusal("match_ended")
        return self._writer.log.default(decision, self._writer.secrets)

    def enqueue_bot_turn(self) -> None:
        """Let the match wait for a bot of the server, if one has to decide."""
        self._writer.enqueue_bot_turn()

    def on_remote_append(self, head: int) -> None:
        """Read what another node has stored: records up to `head`."""
        if head <= self.head or self.is_retired:
            return
        self._inbox.ask_for_read(head)

    def get_options(self, player: PlayerId, decision: DecisionId, include_unavailable: bool) -> EncodedOptions:
        """Return the options of one of the player's open decisions. Raises Refusal."""
        if self.state.status == "ended":
            raise Refusal("match_ended")
        pending = next((open_ for open_ in self.state.decisions if open_.id == decision), None)
        seat = self.rules.seat_of(self.state, player)
        if self.rights.is_delayed(player):
            raise Refusal("no_seat")
        if pending is None:
            raise Refusal("stale_decision", f"decision {decision} is not open", place="$.decision")
        if not isinstance(pending.question, SeatQuestion):
            _require_own_decision(pending, seat)
        try:
            return self.feed.requested_options.get(self.state, pending, include_unavailable)
        except UnreadableCursor as illegal:
            raise Refusal.from_illegal(illegal) from None
        except WorkExceeded as fault:
            self.stop_overloaded(fault)
            raise Refusal("fault", "these options take too many steps; the match is stopped") from None
        except Exception as fault:
            self._retire_after_fault(fault, f"options {decision}", seat)
            raise Refusal("fault", retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS) from None

    # ---------------------------------------------------------------- watching

    async def watch(self, outbox: Outbox, player: PlayerId, request: Watch) -> None:
        """Let an outbox join the feed. Raises what `Feed.join` raises, and Refusal when the match is being read."""
        # What is released a round later is known from the record that follows it.
        await self._wait_for_head(request.after + self.rights.is_delayed(player))
        if self.is_retired:
            raise Refusal("busy", "the match is being read again", retry_after_ms=RETRY_AFTER_MS)
        try:
            await self.feed.join(outbox, player, request)
        except (Refusal, OutboxClosed, StoreUnavailable):
            raise
        except Exception as fault:
            connection = outbox.connection
            is_answered = request.id not in connection.in_flight if request.id else self.id in connection.watched
            self._retire_after_fault(fault, "", None)
            if not is_answered:
                self.feed.end_watch(outbox)
                raise Refusal("fault", retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS) from None
        _end_watch_if_retired(self, outbox)

    async def _wait_for_head(self, head: int) -> None:
        """Catch up: a client served by another node may have seen more than this node knows.

        Any client may claim so. After a read that found the claim wrong, the next one waits a little.
        """
        if head <= self.head or self.is_retired:
            return
        read = self._inbox.ask_for_read(head, is_certain=False)
        await read.done.wait()
        if read.fault is not None:
            raise read.fault

    # ---------------------------------------------------------------- one command after another

    def _advance(self) -> None:
        """Do what is in the inbox, one after another, until something has to wait. Raises nothing."""
        if self._is_advancing:
            return
        self._is_advancing = True
        try:
            while self._inbox.items and not self._is_busy:
                item = self._inbox.take()
                self._is_busy = True
                if isinstance(item, PendingCommand):
                    self._services.traffic.begin()
                    self._commands.execute(item)
                else:
                    self._start_task(self._act(item))
        finally:
            self._is_advancing = False
        if self.is_retired and not self._is_busy:
            self._ended.set()

    def _start_task(self, work: Coroutine[Any, Any, None]) -> None:
        """Run what reads the log, or is the server's own. There is one such task of a match at most."""
        self._task = asyncio.create_task(work, name=f"match {self.id}")

    def _finish(self) -> None:
        """Go on with the next item, once the secrets of a match that has ended are removed."""
        if self.state.status == "ended" and self._writer.secrets is not None:
            self._start_task(self._act(Ended()))
        else:
            self._is_busy = False
            self._advance()

    async def _act(self, item: ServerItem | CatchUp) -> None:
        """Do what the server does itself."""
        try:
            match item:
                case CatchUp():
                    await self._catch_up(item)
                case TimeOut():
                    await self._server_actions.answer_time_out(item)
                case Expiry():
                    await self._server_actions.close_unstarted()
                case OtherPacks():
                    await self._server_actions.close_without_packs()
                case Idleness():
                    await self._server_actions.stop_idle(item.before_ms)
                case Overload():
                    await self._server_actions.stop_overloaded(item.fault)
                case Ended():
                    await self._writer.forget_secrets()
        except Exception as fault:
            if isinstance(fault, WorkExceeded) and not isinstance(item, Overload):  # it would at every attempt
                self._start_task(self._act(Overload(str(fault))))
            else:
                self._fail(fault, item)
        else:
            self._finish()

    async def _catch_up(self, item: CatchUp) -> None:
        """Read what is stored. A database that does not answer now says nothing about the match, which goes on."""
        try:
            await self._writer.catch_up(item.head)
        except StoreUnavailable as fault:
            item.fault = fault
        if item.head > self.head:
            self._inbox.pause_reads()
        item.done.set()

    def _answer(self, pending: PendingCommand, answer: Accepted | Exception) -> None:
        """Send the answer to a command, or say why there is none, and go on."""
        fault: Exception | None = None
        try:
            pending.outbox.send(_answer_message(self, pending, answer))
        except Exception as raised:
            fault = raised
        self._services.traffic.finish()
        match answer:
            case _ if fault is not None:
                self._fail(fault, pending)
            case WorkExceeded():  # it would at every attempt
                self._start_task(self._act(Overload(str(answer))))
            case StoreUnavailable():
                # The record may be in the log. Watching again reads the match, and the author's next attempt is looked
                # up there.
                log.warning("match retired: its log cannot be read", extra={"match": self.id, "command": pending.id})
                self.retire()
                self.feed.close_all()
                self._finish()
            case _:
                self._finish()

    # ---------------------------------------------------------------- failing

    def _retire_after_fault(self, fault: Exception, command: str, seat: int | None) -> None:
        """Retire the match; it is read again from its records when it is touched next, and its watchers touch it."""
        extra = {"match": self.id, "seat": seat, "command": command, **describe_fault(fault)}
        log.error("match retired after a fault", extra=extra)
        self.retire()
        self.feed.close_all()

    def _fail(self, fault: Exception, item: InboxItem) -> None:
        """Refuse what waits, and retire the match."""
        refused = Refusal("fault", retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS)
        for left in (item, *self._inbox.clear()):
            match left:
                case CatchUp():
                    left.done.set()
                case PendingCommand():
                    left.outbox.send(refused.to_message(left.id, self.id))
                case TimeOut() | Expiry() | OtherPacks() | Idleness() | Overload() | Ended():
                    pass  # due again later
        match item:
            case PendingCommand():
                self._retire_after_fault(fault, item.id, self.rules.seat_of(self.state, item.player))
            case TimeOut():
                self._retire_after_fault(fault, item.id, None)
            case CatchUp() | Expiry() | OtherPacks() | Idleness() | Overload() | Ended():
                self._retire_after_fault(fault, "", None)
        self._is_busy = False
        self._advance()


def encode_open_decisions(game: Game, player: PlayerId) -> bytes:
    """Return the open decisions of a match as JSON, for those who may see it as it is now.

    None of a retired match, whose records may say something else.
    """
    is_shown = not game.is_retired and game.rights.sees_now(player)
    return _JSON.encode(game.state.decisions) if is_shown else b"[]"


def _answer_message(game: Game, pending: PendingCommand, answer: Accepted | Exception) -> Accepted | Refused:
    """Return what the author of a command reads. Raises a fault that says nothing to them."""
    match answer:
        case Accepted():
            return answer
        case Refusal():
            return answer.to_message(pending.id, game.id, encode_open_decisions(game, pending.player))
        case StoreUnavailable():
            refused = Refusal("unavailable", retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS)
            return refused.to_message(pending.id, game.id, encode_open_decisions(game, pending.player))
        case WorkExceeded():
            refused = Refusal("fault", "this decision takes too many steps; the match is stopped")
            return refused.to_message(pending.id, game.id)
        case _:
            raise answer


def _require_own_decision(pending: Decision[Any], seat: Seat | None) -> None:
    if seat is None:
        raise Refusal("no_seat")
    if seat != pending.seat:
        belongs = f"belongs to seat {seat_letter(pending.seat)}; yours is {seat_letter(seat)}"
        raise Refusal("not_your_seat", f"decision {pending.id} {belongs}", "$.decision")


def _end_watch_if_retired(game: Game, outbox: Outbox) -> None:
    # The match may have been retired while the join waited. Its subscribers were notified then; this outbox came too
    # late for that and would get no records ever after.
    if game.is_retired:
        game.feed.end_watch(outbox)
