"""Feed of one match: who watches it, as whom, and what they are sent.

A record is encoded once for every group of viewers who see the same. A subscriber is an outbox: sockets, sessions and
commands are not known here.
"""

import asyncio
import logging
from collections.abc import Callable, Collection
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from diskwars_engine.match import AnyRules
from diskwars_engine.record_codec import SealedRecord
from diskwars_protocol.connection.connection import SharedFrame, share
from diskwars_protocol.match.decisions import Decision, Options
from diskwars_protocol.match.ids import ALL, PUBLIC, MatchId, PlayerId, Viewer
from diskwars_protocol.match.state import AnyMatch, is_revealed
from diskwars_protocol.messages import MatchNotice
from diskwars_protocol.messages.decisions import OptionsResponse
from diskwars_protocol.messages.history import GetRecords, RecordRange
from diskwars_protocol.messages.watching import Unwatched, Watch, WatchersChanged, Watching
from diskwars_protocol.records.match_file import encode_file_line
from diskwars_server.broadcast.delayed_spectators import DelayedSpectators
from diskwars_server.broadcast.encoded_options import EncodedOptionsCache, encode_options
from diskwars_server.broadcast.history import MatchHistory, show
from diskwars_server.broadcast.outbox import Outbox, OutboxClosed
from diskwars_server.refusals import Refusal, describe_fault
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.match_loading import load_in_pieces

log = logging.getLogger(__name__)

EXPORT_BLOCK_RECORDS = 64
"""Records of a match file that are encoded before everybody else has a turn."""
MAX_REMEMBERED_PLAYERS = 1000
"""Players of whom a locked match remembers that they have entered it."""

NOBODY = PlayerId("")
"""Who names no player, as a request over HTTP: they may see what everybody may."""

_JSON = msgspec.json.Encoder()
_NO_OPTIONS: Options[Any, Any, Any] = Options()


class Subscription(Struct, frozen=True):
    """Who watches a match, as whom, and what they get beside its records."""

    player: PlayerId
    viewer: Viewer
    push_options: bool = False
    include_unavailable: bool = False
    push_openings: bool = False


class Feed:
    """What is sent of one match, and to whom."""

    def __init__(
        self,
        rules: AnyRules,
        state: AnyMatch,
        header: bytes,
        history: MatchHistory,
        entered: Collection[PlayerId] | None = None,
        note_published: Callable[[int], None] = lambda at_ms: None,
        round_start: int = 0,
    ) -> None:
        """`state` is the one after the last record of the history; `header` is that of the match, as JSON.

        `entered` are those who may watch a locked match beside its players; None for one that is not locked.
        `note_published` gets the time of each record that was sent to those who watch. `round_start` is that of the
        match's log.
        """
        self._entered = None if entered is None else set(entered)
        self.importer: PlayerId | None = None
        """The player who imported the match. None for a match that was played on this server."""
        self._rules, self._state, self._header, self._history = rules, state, header, history
        self.match: MatchId = state.match
        self._note_published = note_published
        self._joining = 0
        self._subscribers: dict[Outbox, Subscription] = {}
        self._public_snapshot: bytes | None = None
        self.requested_options = EncodedOptionsCache(rules)
        """Those of the open decisions that a client has requested; the ones that are pushed cost no request."""
        self._round_start = round_start
        self._delayed = DelayedSpectators(history, self._on_caught_up, self._on_not_released)
        self._delayed_snapshot: tuple[int, bytes] | None = None
        self._openings_tasks: set[asyncio.Task[None]] = set()
        self._sent_watchers: dict[Outbox, int] = {}
        self._watchers: int | None = 0

    @property
    def head(self) -> int:
        """The last record that was published."""
        return self._history.head

    def __bool__(self) -> bool:
        """Return whether anybody is subscribed, or is about to be."""
        return bool(self._subscribers or self._joining)

    def __contains__(self, outbox: Outbox) -> bool:
        return outbox in self._subscribers

    @property
    def is_sending_history(self) -> bool:
        """Whether somebody is about to be subscribed, once what came before is sent."""
        return self._joining > 0

    def is_watched_by(self, *players: str) -> bool:
        """Return whether a connection of one of these players is subscribed."""
        return any(subscription.player in players for subscription in self._subscribers.values())

    def count_watchers(self) -> int:
        """Return how many people without a seat watch the match here; one with two connections counts once."""
        if self._watchers is None:
            players = {subscription.player for subscription in self._subscribers.values()}
            self._watchers = sum(self._rules.seat_of(self._state, player) is None for player in players)
        return self._watchers

    def push_watchers(self, count: int) -> None:
        """Send how many people watch on all nodes to everybody here who was sent another number."""
        frame: SharedFrame | None = None
        for outbox in tuple(self._subscribers):
            if self._sent_watchers.get(outbox, 0) != count:
                self._sent_watchers[outbox] = count
                frame = frame or share(WatchersChanged(self.match, count))
                self._put(outbox, frame)

    # ---------------------------------------------------------------- subscribers

    async def join(self, outbox: Outbox, player: PlayerId, request: Watch) -> None:
        """Send the records that a watch is about, and subscribe the outbox to what follows.

        No record can come between the last one that is sent and the subscription. The id of the request is empty where
        it came with `Hello` or `OpenMatch`. Raises Refusal and OutboxClosed, and StoreUnavailable before anything was
        sent. When it is cancelled, nothing follows.
        """
        if request.reveal_secrets and not is_revealed(self._state):
            raise Refusal("not_ended" if self._state.status != "ended" else "never_began")
        self.require_watchable(player)
        if request.snapshot and request.after:
            raise Refusal("bad_resume", "a snapshot stands for all records: `after` is then 0", place="$.after")
        self.require_record(player, request.after)
        self._joining += 1
        try:
            await self._join(outbox, player, request)
        finally:
            self._joining -= 1

    async def _join(self, outbox: Outbox, player: PlayerId, request: Watch) -> None:
        if request.snapshot:
            await outbox.wait_writable()
        after, previous, snapshot = await self._find_start(player, request)
        # A match may begin during any wait, and then it may be closed to spectators: each frame is checked by itself.
        self.require_watchable(player)
        self.unsubscribe(outbox)
        watching = self._watching(player, after, previous, request)
        if request.snapshot:
            snapshot = snapshot or self._snapshot(self._viewer(player, request.reveal_secrets))
            watching = replace(watching, snapshot=msgspec.Raw(snapshot))
        outbox.usage.add_history(len(memoryview(watching.snapshot)))
        outbox.send(watching)
        try:
            is_sent = await self._send_history(outbox, player, after, request.reveal_secrets)
        except StoreUnavailable:
            is_sent = False
        if not is_sent:
            return self.notify_end(outbox)
        viewer = self._viewer(player, request.reveal_secrets)
        subscription = Subscription(
            player, viewer, request.push_options, request.include_unavailable, request.push_openings
        )
        self._subscribers[outbox], self._watchers = subscription, None
        if self.is_delayed(player):
            self._delayed.add(outbox, self.last_shown(player))
        self._push_options({outbox: subscription})
        self._start_openings(outbox, subscription)

    async def _find_start(self, player: PlayerId, request: Watch) -> tuple[int, bytes, bytes | None]:
        """Return the record after which a watch begins, the hash there, and a snapshot if it is an earlier one."""
        while True:
            after = self.last_shown(player) if request.snapshot else request.after
            previous = await self._history.hash_at(after)
            if not request.snapshot:
                return after, previous, None
            earlier = await self._load_public_snapshot(after) if self.is_delayed(player) else None
            if after == self.last_shown(player):  # Otherwise records came in while the hash was read.
                return after, previous, earlier

    def admit(self, player: PlayerId) -> None:
        """Let a player watch who has entered the match, if it is locked."""
        if self._entered is None:
            return
        if len(self._entered) >= MAX_REMEMBERED_PLAYERS:
            self._entered.clear()  # who watches goes on, and others are looked up again
        self._entered.add(player)

    def require_watchable(self, player: PlayerId) -> None:
        """Raise Refusal for a player who may not watch the match now."""
        if self._is_locked_for(player):
            raise Refusal("locked", place="$.match")
        if not self._may_watch(player):
            raise Refusal("not_watchable", place="$.match")

    def require_record(self, player: PlayerId, seq: int) -> None:
        """Raise Refusal for a record that does not exist yet, or not for this player."""
        last = self.last_shown(player)
        if seq > last:
            numbers = {"requested": seq, "head": last}
            raise Refusal("bad_resume", f"the last record is {last}", place="$.after", numbers=numbers)

    def is_delayed(self, player: PlayerId) -> bool:
        """Return whether a player sees each round of the match only once it is over."""
        state = self._state
        is_possible = state.match_options.watchers == "round_later" and state.status == "running"
        return is_possible and self._rules.seat_of(state, player) is None

    def sees_now(self, player: PlayerId) -> bool:
        """Return whether a player may see the match as it is now."""
        return self._may_watch(player) and not self.is_delayed(player)

    def last_shown(self, player: PlayerId) -> int:
        """Return the last record that a player may see who may watch the match."""
        return self._round_start - 1 if self.is_delayed(player) else self.head

    def is_shown_to_all(self, seq: int) -> bool:
        """Return whether lists name the match to everybody, and everybody may see it up to a record."""
        is_listed = self._state.match_options.visibility == "public"
        return is_listed and self._may_watch(NOBODY) and seq <= self.last_shown(NOBODY)

    def _may_watch(self, player: PlayerId) -> bool:
        """Return whether a player may watch: those with a seat, or the file, always; others as the options say.

        Before the match begins everybody may, because taking a seat needs watching.
        """
        if self._is_locked_for(player):
            return False
        if self._state.status == "open" or self._rules.seat_of(self._state, player) is not None:
            return True
        if self.importer is not None and player == self.importer:
            return True
        watchers = self._state.match_options.watchers
        return watchers in ("live", "round_later") or (watchers == "after_end" and self._state.status == "ended")

    def _is_locked_for(self, player: PlayerId) -> bool:
        is_outside = self._entered is not None and player not in self._entered
        return is_outside and self._rules.seat_of(self._state, player) is None

    def _watching(self, player: PlayerId, after: int, previous: bytes, request: Watch) -> Watching:
        return Watching(
            match=self.match,
            ruleset=self._rules.name,
            after=after,
            head=self.last_shown(player),
            header=msgspec.Raw(self._header),
            hash=previous.hex(),
            seat=self._rules.seat_of(self._state, player),
            id=request.id or None,
            reveal_secrets=request.reveal_secrets,
            is_delayed=self.is_delayed(player),
        )

    async def _send_history(self, outbox: Outbox, player: PlayerId, after: int, reveal_secrets: bool) -> bool:
        """Send the records after one; False when the player may no longer watch."""
        seen = after
        while seen < (last := self.last_shown(player)):
            await outbox.wait_writable()
            viewer = self._viewer(player, reveal_secrets)
            frame, seen = await self._history.frame_after(seen, viewer, self._vacated_in(viewer), last)
            if not self._may_watch(player):
                return False
            outbox.usage.add_history(len(frame.frame))
            outbox.send_shared(frame)
        return self._may_watch(player)

    async def send_range(self, outbox: Outbox, request: GetRecords) -> None:
        """Send some earlier records, once the outbox has room for them.

        Raises Refusal, OutboxClosed and StoreUnavailable.
        """
        subscription = self._require_subscription(outbox)
        self.require_record(subscription.player, request.after)
        await outbox.wait_writable()
        last = min(request.after + request.limit, self.last_shown(subscription.player))
        previous = await self._history.hash_at(request.after)
        records = await self._history.read(request.after, last) if last > request.after else []
        # It may have ended while we waited, for example for spectators of a match that has begun.
        viewer = self._require_subscription(outbox).viewer
        shown = tuple([show(record, viewer, self._vacated_in(viewer)) for record in records])
        outbox.usage.add_history(sum(len(memoryview(record.body)) for record in shown))
        outbox.send(RecordRange(request.id, self.match, request.after, previous.hex(), shown))

    def _require_subscription(self, outbox: Outbox) -> Subscription:
        subscription = self._subscribers.get(outbox)
        if subscription is None:
            raise Refusal("not_watching", place="$.match")
        return subscription

    async def export(self, player: PlayerId) -> bytes:
        """Return the match file as a player may see it now: with every secret once all of them may be revealed.

        Raises Refusal and StoreUnavailable.
        """
        self.require_watchable(player)
        viewer = self._viewer(player, is_revealed(self._state))
        lines, seen = [self._header + b"\n"], 0
        while seen < (end := self.last_shown(player)):
            records = await self._history.read(seen, min(seen + EXPORT_BLOCK_RECORDS, end))
            self.require_watchable(player)  # The match may have begun meanwhile.
            vacated_in = self._vacated_in(viewer)
            shown = [show(record, viewer, vacated_in) for record in records]
            lines += [
                encode_file_line(record.record, seen.openings) for record, seen in zip(records, shown, strict=True)
            ]
            seen = records[-1].seq
            await asyncio.sleep(0)
        return b"".join(lines)

    async def export_public(self, player: PlayerId, last: int) -> bytes:
        """Return the match file up to record `last` as the public sees it. Raises Refusal and StoreUnavailable."""
        self.require_record(player, last)
        lines, seen = [self._header + b"\n"], 0
        while seen < last:
            records = await self._history.read(seen, min(seen + EXPORT_BLOCK_RECORDS, last))
            self.require_watchable(player)  # The match may have begun meanwhile.
            lines += [encode_file_line(record.record, record.shown_to(PUBLIC).openings) for record in records]
            seen = records[-1].seq
            await asyncio.sleep(0)
        return b"".join(lines)

    def unsubscribe(self, outbox: Outbox) -> None:
        self._subscribers.pop(outbox, None)
        self._sent_watchers.pop(outbox, None)
        self._watchers = None
        self._delayed.remove(outbox)

    def close_all(self) -> None:
        """End the feed: every subscriber gets a notice to watch the match again."""
        self.broadcast(Unwatched(self.match))
        for outbox in tuple(self._subscribers):
            self.unsubscribe(outbox)

    def close_spectators(self, state: AnyMatch) -> None:
        """End the feed for everybody who has no seat in this state of the match."""
        for outbox, subscription in tuple(self._subscribers.items()):
            if self._rules.seat_of(state, subscription.player) is None:
                self.unsubscribe(outbox)
                self.notify_end(outbox)

    def notify_end(self, outbox: Outbox) -> None:
        """Send that the watch has ended, unless that was sent before: a join may fail in a match that is retired."""
        if self.match not in outbox.connection.watched:
            return
        outbox.send_shared(share(Unwatched(self.match)))

    def _viewer(self, player: PlayerId, reveal_secrets: bool) -> Viewer:
        """Return as whom a player sees the match now."""
        return ALL if reveal_secrets else self._rules.viewer_of(self._state, player)

    def _vacated_in(self, viewer: Viewer) -> int:
        """Return the last record that a player saw who had this viewer's seat before; 0 where there was none."""
        return self._state.seats[viewer].vacated_in or 0 if viewer >= 0 else 0

    # ---------------------------------------------------------------- what is new

    def publish(self, record: SealedRecord, state: AnyMatch, round_start: int = 0) -> None:
        """Every subscriber gets the record, delayed ones once its round is over; `state` is the one after it."""
        has_new_seats = state.seats is not self._state.seats
        is_later = state.match_options.watchers == "round_later"
        has_begun = self._state.status == "open" and state.status != "open"
        self._state, self._public_snapshot, self._round_start = state, None, round_start
        self.requested_options.clear()
        if is_later and has_begun:
            for outbox, known in self._subscribers.items():
                if self.is_delayed(known.player):
                    self._delayed.add(outbox, self.head)
        self._history.append(record)
        if has_new_seats:  # A player who takes a seat sees more from now on.
            self._watchers = None
            for outbox, known in self._subscribers.items():
                viewer = self._viewer(known.player, known.viewer == ALL)
                self._subscribers[outbox] = replace(known, viewer=viewer)
        frames: dict[Viewer, SharedFrame] = {}
        for outbox, subscription in tuple(self._subscribers.items()):
            if is_later and outbox in self._delayed:
                continue
            group = subscription.viewer if record.openings else PUBLIC
            frame = frames.get(group)
            if frame is None:
                frame = frames[group] = self._history.encode((record,), subscription.viewer)
            self._put(outbox, frame)
        self._push_options(dict(self._subscribers))
        for outbox, subscription in self._subscribers.items():
            if not (is_later and outbox in self._delayed):
                self._start_openings(outbox, subscription)
        if is_later:
            has_ended = state.status == "ended"
            self._delayed.release(self.head if has_ended else round_start - 1, has_ended=has_ended)
        if self._subscribers:
            self._note_published(state.at_ms)

    def _on_caught_up(self, outbox: Outbox) -> None:
        self._start_openings(outbox, self._subscribers[outbox])

    def _on_not_released(self, outbox: Outbox) -> None:
        self.unsubscribe(outbox)
        self.notify_end(outbox)

    def broadcast(self, notice: MatchNotice) -> None:
        """Send a message that is no record of the match to every subscriber."""
        frame = share(notice)
        for outbox in tuple(self._subscribers):
            self._put(outbox, frame)

    def _put(self, outbox: Outbox, frame: SharedFrame) -> None:
        if not outbox.send_shared(frame):
            self.unsubscribe(outbox)

    # ---------------------------------------------------------------- options

    def _push_options(self, subscribers: dict[Outbox, Subscription]) -> None:
        """Send the options of their own open decisions to those who want them."""
        frames: dict[tuple[str, bool], SharedFrame] = {}
        for outbox, subscription in subscribers.items():
            if not subscription.push_options or self._state.board is None:
                continue
            for decision in self._state.decisions:
                if decision.seat != subscription.viewer:
                    continue
                key = decision.id, subscription.include_unavailable
                if key not in frames:
                    frames[key] = self._options_frame(decision, subscription.include_unavailable)
                self._put(outbox, frames[key])

    def _options_frame(self, decision: Decision[Any], include_unavailable: bool) -> SharedFrame:
        try:
            options = encode_options(self._rules, self._state, decision, include_unavailable)
        except Exception as fault:
            # Options are a hint. Retiring the match would make its watchers reconnect for the same options for ever.
            extra = {"match": self.match, "decision": decision.id, **describe_fault(fault)}
            log.error("options not pushed: empty ones are sent", extra=extra)
            options = _JSON.encode(_NO_OPTIONS)
        return share(OptionsResponse(self.match, decision.id, msgspec.Raw(options)))

    # ---------------------------------------------------------------- openings

    def _start_openings(self, outbox: Outbox, subscription: Subscription) -> None:
        """Begin to send the openings of all records where they are wanted, once everybody may see every secret."""
        # With `reveal_secrets` the records have brought them.
        if not subscription.push_openings or subscription.viewer == ALL or not is_revealed(self._state):
            return
        task = asyncio.create_task(self._send_openings(outbox, subscription))
        self._openings_tasks.add(task)
        task.add_done_callback(self._openings_tasks.discard)

    async def _send_openings(self, outbox: Outbox, subscription: Subscription) -> None:
        """Send the openings, no faster than the outbox takes them, as long as this subscription lasts."""
        sent = 0
        try:
            while sent < self.head:
                await outbox.wait_writable()
                frame, sent = await self._history.openings_after(sent)
                if self._subscribers.get(outbox) is not subscription:
                    return
                outbox.usage.add_history(len(frame.frame))
                self._put(outbox, frame)
        except OutboxClosed:
            self.unsubscribe(outbox)
        except Exception as fault:
            # The client watches the match again, and gets them then.
            if not isinstance(fault, StoreUnavailable):
                log.error("openings not sent", extra={"match": self.match, **describe_fault(fault)})
            if self._subscribers.get(outbox) is subscription:
                self.unsubscribe(outbox)
                self.notify_end(outbox)

    # ---------------------------------------------------------------- snapshots

    async def _load_public_snapshot(self, seq: int) -> bytes:
        """Return the match after an earlier record as the public saw it then, as JSON. The last one is kept."""
        if self._delayed_snapshot is None or self._delayed_snapshot[0] != seq:
            records = [record.record for record in await self._history.read(0, seq)]
            earlier = await load_in_pieces(self._rules, self.match, records)
            self._delayed_snapshot = seq, encode_view(self._rules, earlier.state, PUBLIC)
        return self._delayed_snapshot[1]

    def _snapshot(self, viewer: Viewer) -> bytes:
        """Return the match after the last record as a viewer may see it, as JSON. The public one is kept."""
        if viewer != PUBLIC:
            return encode_view(self._rules, self._state, viewer)
        if self._public_snapshot is None:
            self._public_snapshot = encode_view(self._rules, self._state, PUBLIC)
        return self._public_snapshot


def encode_view(rules: AnyRules, state: AnyMatch, viewer: Viewer) -> bytes:
    """Return the match as a viewer may know it, as JSON: what snapshots and bots get."""
    return _JSON.encode(rules.view(state, viewer))
