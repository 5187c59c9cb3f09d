"""How does one live match go: who asks, what is stored, and in which order?

One task per match takes one command at a time: decide, commit, apply, tell, answer. A socket that drops cancels none of
it. Must not know sockets, sessions or how a match is found; a watcher is an outbox.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from diskwars_engine.match import Command, Secrets
from diskwars_engine.match_log import AnyMatch, Book, Line, Page, Salts, pages
from diskwars_engine.ruleset import Illegal
from diskwars_protocol.connection import encode
from diskwars_protocol.match import AskSeat, Decision, DecisionId, MatchId, PlayerId, Rewind, Seat, seat_letter
from diskwars_protocol.messages import Accepted, Refused, Watching
from diskwars_server.bus import Bus
from diskwars_server.outbox import Outbox, OutboxClosed, Sign
from diskwars_server.recent_appends import Tail
from diskwars_server.refusals import LATER_MS, RETRY_MS, Refusal, decoder, described
from diskwars_server.store import (
    Append,
    CommandTaken,
    EventStore,
    Listing,
    OutcomeUnknown,
    StoreError,
    StoreUnavailable,
    WrongVersion,
)
from diskwars_server.subscribers import Audience

log = logging.getLogger(__name__)

Clock: TypeAlias = Callable[[], int]
"""Milliseconds since 1970."""

INBOX = 64
BACKLOG = 128
"""Records read at once for somebody who watches from further back."""
ATTEMPTS = 2

_JSON = msgspec.json.Encoder()


class House(Struct, frozen=True):
    """What every match of a server uses. `version` is that of the rules."""

    store: EventStore
    bus: Bus
    clock: Clock
    version: str


class Asked(Struct, frozen=True):
    """A command on its way to a match. `digest` is that of the engine: the same command again has the same."""

    id: str
    player: PlayerId
    decision: DecisionId
    action: Any
    digest: str
    outbox: Outbox


class Look:
    """Somebody knows of records up to `head`: read what is stored. `over` is set when that is done or given up."""

    def __init__(self, head: int) -> None:
        self.head = head
        self.over = asyncio.Event()


class Game:
    """One match while somebody touches it. Made inside a running event loop; `retire` ends it."""

    def __init__(self, book: Book, secrets: Secrets | None, salts: Salts, house: House, tail: Tail) -> None:
        """`secrets` may be missing only when the match has ended; `tail` is what is known of its last appends."""
        self._book, self._secrets, self._salts, self._house = book, secrets, salts, house
        self.rules = book.ledger.rules
        self.actions = decoder(self.rules.ruleset.words.action)
        self._inbox: deque[Asked | Look] = deque()
        self._called = Sign()
        self._audience, self._tail = Audience(book.ledger.rules, book.ledger.match), tail
        self._joining = 0
        self._is_busy = False
        self.is_retired = False
        self._task = asyncio.create_task(self._live(), name=f"match {self.id}")

    @property
    def id(self) -> MatchId:
        return self._book.ledger.match

    @property
    def head(self) -> int:
        """The seq of the last record."""
        return self._book.head

    @property
    def state(self) -> AnyMatch:
        return self._book.state

    @property
    def is_idle(self) -> bool:
        """Nobody watches and nothing is under way."""
        return not (self._audience or self._joining or self._is_busy or self._inbox)

    def retire(self) -> None:
        """From now on it takes nothing more; it answers what is in its inbox and ends."""
        self.is_retired = True
        self._called.give()

    async def ended(self) -> None:
        """Waits until a retired match has answered everything."""
        await asyncio.shield(self._task)

    # ---------------------------------------------------------------- asking

    def ask(self, asked: Asked) -> None:
        """Hands a command over; the answer comes to its outbox, after the records. Raises Refusal for want of room."""
        if self.is_retired:
            raise _busy()
        self._queue(asked)
        asked.outbox.expect()

    def hear(self, head: int) -> None:
        """Another node says that records up to `head` are stored."""
        if head > self.head and not self.is_retired and len(self._inbox) < INBOX:
            self._queue(Look(head))

    def _queue(self, item: Asked | Look) -> None:
        if len(self._inbox) >= INBOX:
            raise _busy()
        self._inbox.append(item)
        self._called.give()

    def options(self, player: PlayerId, decision: DecisionId) -> bytes:
        """What the player could answer to an open decision of his, as JSON. Raises Refusal."""
        if self.state.status == "ended":
            raise Refusal("match_ended")
        asked = next((open_ for open_ in self.state.decisions if open_.id == decision), None)
        seat = self.rules.seat_of(self.state, player)
        if asked is None:
            raise Refusal("stale_decision", f"decision {decision} is not open", place="$.decision")
        if not isinstance(asked.ask, AskSeat):
            _require_own(asked, seat)
        try:
            return _JSON.encode(self.rules.explained(self.state, asked))
        except Exception as fault:
            self._fail(fault, f"options {decision}", seat)
            raise Refusal("fault", retry_after_ms=LATER_MS) from None

    # ---------------------------------------------------------------- watching

    async def watch(self, outbox: Outbox, player: PlayerId, after: int, all: bool = False, id: str = "") -> None:
        """Puts what lies after record `after` into the outbox, and everything that follows; returns once that is live.

        `id` is that of the question, if there was one. Raises Refusal and OutboxClosed, and StoreUnavailable before
        anything was put. Cancelled, nothing follows.
        """
        await self._look(after)
        if self.is_retired:
            raise Refusal("busy", "the match is being read again", retry_after_ms=RETRY_MS)
        if all and self.state.status != "ended":
            raise Refusal("not_ended")
        if not 0 <= after <= self.head:
            raise Refusal("bad_resume", f"the last record is {self.head}", place="$.after")
        self._joining += 1
        try:
            previous = await self._hash_at(after)
            self.unwatch(outbox)
            outbox.put(encode(self._watching(player, after, previous, all, id)))
            if not await self._is_told(outbox, player, after, all) or self.is_retired:
                self._audience.send_off(outbox)
            else:
                self._audience.join(outbox, self.state, player, all)
        finally:
            self._joining -= 1

    def unwatch(self, outbox: Outbox) -> None:
        self._audience.leave(outbox)

    def is_watched_by(self, outbox: Outbox) -> bool:
        return outbox in self._audience

    async def _look(self, head: int) -> None:
        """Who was served by another node may have seen more than this one knows."""
        if head <= self.head or self.is_retired:
            return
        look = Look(head)
        self._queue(look)
        await look.over.wait()

    async def _hash_at(self, seq: int) -> bytes:
        if seq == 0:
            return self._book.ledger.genesis
        if seq == self.head:
            return self._book.hash
        if (found := self._tail.hash_at(seq)) is not None:
            return found
        return (await self._house.store.read(self.id, seq - 1, 1))[0].hash

    def _watching(self, player: PlayerId, after: int, previous: bytes, all: bool, id: str) -> Watching:
        return Watching(
            match=self.id,
            ruleset=self.rules.ruleset.name,
            after=after,
            head=self.head,
            header=msgspec.Raw(self._book.ledger.header),
            hash=previous.hex(),
            seat=self.rules.seat_of(self.state, player),
            id=id,
            all=all,
        )

    async def _is_told(self, outbox: Outbox, player: PlayerId, after: int, all: bool) -> bool:
        try:
            await self._tell_backlog(outbox, player, after, all)
        except OutboxClosed:
            raise
        except StoreUnavailable:
            return False
        except Exception as fault:
            self._fail(fault, "", None)
            return False
        return True

    async def _tell_backlog(self, outbox: Outbox, player: PlayerId, seen: int, all: bool) -> None:
        """Returns at a moment at which nothing is missing: no append can come between that and joining the audience."""
        lines: list[Line] = []
        while seen < self.head:
            if not lines and (page := next(iter(self._tail.after(seen)), None)):
                await outbox.room()
                outbox.put(self._audience.frame(page, self._audience.viewer(self.state, player, all)))
                seen = page[-1].record.seq
                continue
            for record in await self._house.store.read(self.id, seen, min(BACKLOG, self.head - seen)):
                lines.append(self._book.ledger.line(record))
                seen = record.seq
            *whole, last = pages(lines)
            if seen == self.head:  # nothing else makes sure that the last append is whole
                whole, last = [*whole, last], ()
            viewer = self._audience.viewer(self.state, player, all)
            for page in whole:
                await outbox.room()
                outbox.put(self._audience.frame(page, viewer))
            lines = list(last)

    # ---------------------------------------------------------------- one command after another

    async def _live(self) -> None:
        while await self._is_asked():
            item = self._inbox.popleft()
            self._is_busy = True
            try:
                if isinstance(item, Look):
                    await self._catch_up(item.head)
                    item.over.set()
                else:
                    item.outbox.answer(item.id, encode(await self._obey(item)))
            except Exception as fault:
                self._retire_after(fault, item)
                return
            if self.state.status == "ended":
                await self._forget_secrets()
            self._is_busy = False

    async def _is_asked(self) -> bool:
        """Waits until there is something to do; False when there will never be."""
        while not self._inbox and not self.is_retired:
            await self._called.wait()
        return bool(self._inbox)

    async def _obey(self, asked: Asked) -> Accepted | Refused:
        try:
            for _ in range(ATTEMPTS):
                if made := self._made(asked):
                    return made
                page = self._decided(asked)
                try:
                    await self._commit(page, asked.outbox)
                except (WrongVersion, CommandTaken, OutcomeUnknown) as unclear:
                    # Either others were quicker, or nobody knows: what is stored says it.
                    why = type(unclear).__name__
                    log.info("append not taken", extra={"match": self.id, "command": asked.id, "why": why})
                    await self._catch_up(page[-1].record.seq)
                else:
                    return Accepted(asked.id, self.id, page[0].record.seq, page[-1].record.seq)
            return self._made(asked) or self._refused(asked, Refusal("retry", retry_after_ms=RETRY_MS))
        except Refusal as refusal:
            return self._refused(asked, refusal)

    def _made(self, asked: Asked) -> Accepted | None:
        """The answer to a command that was accepted before. Raises Refusal for another command under its id."""
        made = self._book.made(asked.player, asked.id)
        if made is not None:
            if made.digest != asked.digest:
                raise Refusal("duplicate_differs", place="$.id")
            return Accepted(asked.id, self.id, made.first, made.last)
        if self._book.is_taken(asked.id):
            raise Refusal("not_your_command", place="$.id")
        return None

    def _decided(self, asked: Asked) -> Page:
        at = max(self._house.clock(), self.state.at)
        command = Command(asked.player, asked.decision, asked.action, at, asked.digest)
        if self._secrets is None:
            raise Refusal("match_ended")
        try:
            return self._book.decide(command, asked.id, self._secrets, self._house.version, self._salts)
        except Illegal as illegal:
            raise Refusal.of(illegal) from None

    def _refused(self, asked: Asked, refusal: Refusal) -> Refused:
        return refusal.answer(asked.id, self.id, _JSON.encode(self.state.decisions))

    async def _commit(self, page: Page, author: Outbox) -> None:
        """Stores the append, and only then is it the state, and only then is anybody told.

        From then on nothing waits until the author is answered. Raises WrongVersion, CommandTaken, OutcomeUnknown, and
        Refusal when the store cannot be reached.
        """
        before, after = self.state, self._book.fold(page)
        is_news = (
            before.chairs is not after.chairs or before.status != after.status or before.result is not after.result
        ) and _shown(before) != _shown(after)
        append = Append(
            match=self.id,
            expected=self.head,
            records=tuple(line.record for line in page),
            listing=listing(after, self._book.opened_at, page[0].record.at) if is_news else None,
        )
        try:
            await self._house.store.append(append)
        except StoreUnavailable:
            raise Refusal("unavailable", retry_after_ms=LATER_MS) from None
        author.hold()
        self._turn(page, after)
        self._house.bus.moved(self.id, self.head)

    def _turn(self, page: Page, after: AnyMatch) -> None:
        self._book.turn(page, after)
        self._tail.add(page)
        self._audience.tell(page, after)

    async def _catch_up(self, head: int) -> None:
        """Reads what others have stored, if it may reach `head`, and tells it. Raises StoreUnavailable."""
        if head <= self.head:
            return
        try:
            for page in self._book.read(await self._house.store.read(self.id, self.head)):
                self._turn(page, self._book.fold(page))
        except Rewind:
            told = self.head
            records = await self._house.store.read(self.id)
            self._book = Book.of(self.rules, self.id, records)
            for page in pages(self._book.ledger.line(record) for record in records[told:]):
                self._tail.add(page)
                self._audience.tell(page, self.state)

    async def _forget_secrets(self) -> None:
        if self._secrets is not None:
            self._secrets = None
            try:
                await self._house.store.forget_secrets(self.id)
            except StoreError:
                log.warning("secrets of an ended match not removed", extra={"match": self.id})

    # ---------------------------------------------------------------- failing

    def _fail(self, fault: Exception, command: str, seat: int | None) -> None:
        """Retires the match; it is read again from its records when it is touched next, and its watchers touch it."""
        extra = {"match": self.id, "seat": seat, "command": command, **described(fault)}
        log.error("match retired after a fault", extra=extra)
        self.retire()
        self._audience.dismiss()

    def _retire_after(self, fault: Exception, item: Asked | Look) -> None:
        refused = Refusal("fault", retry_after_ms=LATER_MS)
        waiting = [item, *self._inbox]
        self._inbox.clear()
        for left in waiting:
            if isinstance(left, Look):
                left.over.set()
            else:
                left.outbox.answer(left.id, encode(refused.answer(left.id, self.id)))
        if isinstance(item, Asked):
            self._fail(fault, item.id, self.rules.seat_of(self.state, item.player))
        else:
            self._fail(fault, "", None)


def _busy() -> Refusal:
    return Refusal("busy", "the match has too many commands waiting", retry_after_ms=RETRY_MS)


def _require_own(asked: Decision[Any], seat: Seat | None) -> None:
    if seat is None:
        raise Refusal("no_seat")
    if seat != asked.seat:
        belongs = f"belongs to seat {seat_letter(asked.seat)}; yours is {seat_letter(seat)}"
        raise Refusal("not_your_seat", f"decision {asked.id} {belongs}", "$.decision")


def listing(state: AnyMatch, created: int, updated: int) -> Listing:
    """What the lobby shows of a match."""
    status, seats, result = _shown(state)
    return Listing(state.id, state.ruleset, status, seats, created, updated, result)


def _shown(state: AnyMatch) -> tuple[str, tuple[str | None, ...], str]:
    result = ""
    if state.result is not None:
        who = "nobody" if state.result.winner is None else f"seat {seat_letter(state.result.winner)}"
        result = f"{who} ({state.result.why})"
    return state.status, tuple(chair.player or None for chair in state.chairs), result
