"""Feed of one match: its subscribers and what they are sent.

A record is encoded once for every group of viewers who see the same. A subscriber is an outbox: sockets, sessions and
commands are not known here.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from diskwars_engine.match import AnyRules
from diskwars_engine.record_codec import SealedRecord
from diskwars_engine.work_budget import WorkExceeded
from diskwars_protocol.connection.connection import SharedFrame, share
from diskwars_protocol.match.decisions import Decision, Options
from diskwars_protocol.match.ids import ALL, PUBLIC, MatchId, PlayerId, Viewer
from diskwars_protocol.match.state import AnyMatch, is_revealed
from diskwars_protocol.messages import MatchMessage
from diskwars_protocol.messages.decisions import OptionsResponse
from diskwars_protocol.messages.history import GetRecords, RecordRange
from diskwars_protocol.messages.watching import Unwatched, Watch, WatchersChanged, Watching
from diskwars_server.broadcast.delayed_spectators import DelayedSpectators
from diskwars_server.broadcast.encoded_options import EncodedOptionsCache, encode_options
from diskwars_server.broadcast.history import MatchHistory, show
from diskwars_server.broadcast.outbox import Outbox, OutboxClosed
from diskwars_server.broadcast.snapshots import MatchSnapshots
from diskwars_server.broadcast.watch_rights import WatchRights
from diskwars_server.refusals import Refusal, describe_fault
from diskwars_server.store.changes import Change
from diskwars_server.store.errors import StoreUnavailable

log = logging.getLogger(__name__)

_JSON = msgspec.json.Encoder()
_NO_OPTIONS: Options[Any, Any, Any] = Options()


class Subscription(Struct, frozen=True):
    """The watch of one connection: by whom, as which viewer, and what it gets beside the records."""

    player: PlayerId
    viewer: Viewer
    push_options: bool = False
    include_unavailable: bool = False
    push_openings: bool = False
    openings_after: int = 0


class Feed:
    """The subscribers of one match, and everything that they are sent."""

    def __init__(
        self,
        rules: AnyRules,
        header: bytes,
        history: MatchHistory,
        rights: WatchRights,
        on_overload: Callable[[WorkExceeded], None],
    ) -> None:
        """`header` is that of the match, as JSON; `rights` are those after the last record of the history.

        `on_overload` gets to know that a decision has too many options.
        """
        self._rules, self._header, self._history, self.rights = rules, header, history, rights
        self._on_overload = on_overload
        self.match: MatchId = history.match
        self._joining = 0
        self._subscribers: dict[Outbox, Subscription] = {}
        self.snapshots = MatchSnapshots(rules, history)
        self.requested_options = EncodedOptionsCache(rules)
        """Those of the open decisions that a client has requested; the ones that are pushed cost no request."""
        self._delayed = DelayedSpectators(
            history, lambda outbox: self._start_openings(outbox, self._subscribers[outbox]), self.end_watch
        )
        self._openings_tasks: set[asyncio.Task[None]] = set()
        self._sent_watchers: dict[Outbox, int] = {}
        self._watchers: int | None = 0

    def __bool__(self) -> bool:
        """Return whether anybody is subscribed, or is about to be."""
        return bool(self._subscribers or self._joining)

    def __contains__(self, outbox: Outbox) -> bool:
        return outbox in self._subscribers

    @property
    def is_sending_history(self) -> bool:
        """Whether a watcher is about to be subscribed, once earlier records are sent."""
        return self._joining > 0

    def is_watched_by(self, *players: str, in_view: bool = False) -> bool:
        """Return whether a connection of one of these players is subscribed.

        With `in_view` one that has said that it looks elsewhere does not count.
        """
        return any(
            subscription.player in players and (not in_view or outbox.looked_at in (None, self._history.match))
            for outbox, subscription in self._subscribers.items()
        )

    def count_watchers(self) -> int:
        """Return how many people without a seat watch the match here; one with two connections counts once."""
        if self._watchers is None:
            players = {subscription.player for subscription in self._subscribers.values()}
            self._watchers = sum(self._rules.seat_of(self.rights.state, player) is None for player in players)
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
        if request.reveal_secrets and not is_revealed(self.rights.state):
            raise Refusal("not_ended" if self.rights.state.status != "ended" else "never_began")
        self.rights.require_watchable(player)
        if request.snapshot and request.after:
            raise Refusal("bad_resume", "a snapshot stands for all records: `after` is then 0", place="$.after")
        self.rights.require_record(player, request.after)
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
        self.rights.require_watchable(player)
        self.unsubscribe(outbox)
        watching = self._watching(player, after, previous, request)
        if request.snapshot:
            viewer = self.rights.viewer_of(player, request.reveal_secrets)
            snapshot = snapshot or self.snapshots.encode(self.rights.state, viewer)
            watching = replace(watching, snapshot=msgspec.Raw(snapshot))
        outbox.usage.add_history(len(memoryview(watching.snapshot)))
        outbox.send(watching)
        try:
            is_sent = await self._send_history(outbox, player, after, request.reveal_secrets)
        except StoreUnavailable:
            is_sent = False
        if not is_sent:
            return self.notify_end(outbox)
        viewer = self.rights.viewer_of(player, request.reveal_secrets)
        subscription = Subscription(
            player,
            viewer,
            request.push_options,
            request.include_unavailable,
            request.push_openings,
            request.openings_after,
        )
        self._subscribers[outbox], self._watchers = subscription, None
        if self.rights.is_delayed(player):
            self._delayed.add(outbox, self.rights.last_shown(player))
        self._push_options({outbox: subscription})
        self._start_openings(outbox, subscription)

    async def _find_start(self, player: PlayerId, request: Watch) -> tuple[int, bytes, bytes | None]:
        """Return the record after which a watch begins, the hash there, and a snapshot if it is an earlier one."""
        while True:
            after = self.rights.last_shown(player) if request.snapshot else request.after
            previous = await self._history.hash_at(after)
            if not request.snapshot:
                return after, previous, None
            earlier = await self.snapshots.load_earlier(after) if self.rights.is_delayed(player) else None
            if after == self.rights.last_shown(player):  # Otherwise records came in while the hash was read.
                return after, previous, earlier

    def _watching(self, player: PlayerId, after: int, previous: bytes, request: Watch) -> Watching:
        return Watching(
            match=self.match,
            ruleset=self._rules.name,
            after=after,
            head=self.rights.last_shown(player),
            header=msgspec.Raw(self._header),
            hash=previous.hex(),
            seat=self._rules.seat_of(self.rights.state, player),
            id=request.id or None,
            reveal_secrets=request.reveal_secrets,
            is_delayed=self.rights.is_delayed(player),
            will_be_delayed=self.rights.will_be_delayed(player),
        )

    async def _send_history(self, outbox: Outbox, player: PlayerId, after: int, reveal_secrets: bool) -> bool:
        """Send the records after one; False when the player may no longer watch."""
        seen = after
        while seen < (last := self.rights.last_shown(player)):
            await outbox.wait_writable()
            viewer = self.rights.viewer_of(player, reveal_secrets)
            frame, seen = await self._history.frame_after(seen, viewer, self.rights.vacated_in(viewer), last)
            if not self.rights.may_watch(player):
                return False
            outbox.usage.add_history(len(frame.frame))
            outbox.send_shared(frame)
        return self.rights.may_watch(player)

    async def send_range(self, outbox: Outbox, request: GetRecords) -> None:
        """Send some earlier records, once the outbox has room for them.

        Raises Refusal, OutboxClosed and StoreUnavailable.
        """
        subscription = self._require_subscription(outbox)
        self.rights.require_record(subscription.player, request.after)
        await outbox.wait_writable()
        last = min(request.after + request.limit, self.rights.last_shown(subscription.player))
        previous = await self._history.hash_at(request.after)
        records = await self._history.read(request.after, last) if last > request.after else []
        # It may have ended while we waited, for example for spectators of a match that has begun.
        viewer = self._require_subscription(outbox).viewer
        shown = tuple([show(record, viewer, self.rights.vacated_in(viewer)) for record in records])
        outbox.usage.add_history(sum(len(memoryview(record.body)) for record in shown))
        outbox.send(RecordRange(request.id, self.match, request.after, previous.hex(), shown))

    def _require_subscription(self, outbox: Outbox) -> Subscription:
        subscription = self._subscribers.get(outbox)
        if subscription is None:
            raise Refusal("not_watching", place="$.match")
        return subscription

    def unsubscribe(self, outbox: Outbox) -> None:
        self._subscribers.pop(outbox, None)
        self._sent_watchers.pop(outbox, None)
        self._watchers = None
        self._delayed.remove(outbox)

    def close_all(self) -> None:
        """End the feed: every subscriber has to watch the match again."""
        self.broadcast(Unwatched(self.match))
        for outbox in tuple(self._subscribers):
            self.unsubscribe(outbox)

    def end_watch(self, outbox: Outbox) -> None:
        """Unsubscribe an outbox, and send that the watch has ended."""
        self.unsubscribe(outbox)
        self.notify_end(outbox)

    def notify_end(self, outbox: Outbox) -> None:
        """Send that the watch has ended, unless that was sent before: a join may fail in a match that is retired."""
        if self.match not in outbox.connection.watched:
            return
        outbox.send_shared(share(Unwatched(self.match)))

    # ---------------------------------------------------------------- what is new

    def publish(self, record: SealedRecord, change: Change, round_start: int) -> bool:
        """Send a record to every subscriber, to delayed ones once its round is over.

        `round_start` is that of the match's log. Return whether anybody is subscribed.
        """
        rights, before = self.rights, self.rights.head
        rights.state, rights.head, rights.round_start = change.after, record.record.seq, round_start
        if change.has_begun:
            self._begin(change.before, before)
        if change.has_new_players:
            self._update_viewers()
        self._send_record(record)
        self.requested_options.clear()
        self._push_options(dict(self._subscribers))
        if change.after.status == "ended":  # no secret is revealed before
            for outbox, subscription in self._live_subscribers():
                self._start_openings(outbox, subscription)
        self._release_rounds()
        return bool(self._subscribers)

    def _begin(self, opened: AnyMatch, last: int) -> None:
        """Let spectators wait or go where the options say so: the match begins, and they have seen record `last`."""
        match opened.match_options.watchers:
            case "after_end" | "none":
                for outbox, known in tuple(self._subscribers.items()):
                    if self._rules.seat_of(opened, known.player) is None:
                        self.end_watch(outbox)
            case "round_later":
                for outbox, known in self._subscribers.items():
                    if self.rights.is_delayed(known.player):
                        self._delayed.add(outbox, last)
            case "live":
                pass

    def _update_viewers(self) -> None:
        """Let a player who has taken a seat see more from now on."""
        self._watchers = None
        for outbox, known in self._subscribers.items():
            viewer = self.rights.viewer_of(known.player, known.viewer == ALL)
            self._subscribers[outbox] = replace(known, viewer=viewer)

    def _live_subscribers(self) -> list[tuple[Outbox, Subscription]]:
        """Return the subscribers who get records as they come: all but delayed spectators."""
        subscribers = self._subscribers.items()
        if self.rights.state.match_options.watchers != "round_later":
            return list(subscribers)
        return [(outbox, known) for outbox, known in subscribers if outbox not in self._delayed]

    def _send_record(self, record: SealedRecord) -> None:
        """Send a record to all live subscribers, encoded once for those who see the same."""
        groups = [(outbox, known.viewer if record.openings else PUBLIC) for outbox, known in self._live_subscribers()]
        frames = self._history.append(record, {viewer for _, viewer in groups})
        for outbox, viewer in groups:
            self._put(outbox, frames[viewer])

    def _release_rounds(self) -> None:
        """Send delayed spectators the rounds that are over."""
        state = self.rights.state
        if state.match_options.watchers == "round_later":
            has_ended = state.status == "ended"
            last = self.rights.head if has_ended else self.rights.round_start - 1
            self._delayed.release(last, has_ended=has_ended)

    def broadcast(self, message: MatchMessage) -> None:
        """Send a message that is no record of the match to every subscriber."""
        frame = share(message)
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
            if not subscription.push_options:
                continue
            for decision in self.rights.state.decisions:
                if decision.seat != subscription.viewer:
                    continue
                key = decision.id, subscription.include_unavailable
                if key not in frames:
                    frames[key] = self._options_frame(decision, subscription.include_unavailable)
                self._put(outbox, frames[key])

    def _options_frame(self, decision: Decision[Any], include_unavailable: bool) -> SharedFrame:
        match = self.match
        try:
            options = encode_options(self._rules, self.rights.state, decision, include_unavailable)
        except WorkExceeded as fault:
            self._on_overload(fault)
            options = _JSON.encode(_NO_OPTIONS)
        except Exception as fault:
            # Options are a hint. Retiring the match would make its watchers reconnect for the same options for ever.
            extra = {"match": match, "decision": decision.id, **describe_fault(fault)}
            log.error("options not pushed: empty ones are sent", extra=extra)
            options = _JSON.encode(_NO_OPTIONS)
        return share(OptionsResponse(match, decision.id, msgspec.Raw(options)))

    # ---------------------------------------------------------------- openings

    def _start_openings(self, outbox: Outbox, subscription: Subscription) -> None:
        """Begin to send the openings of all records where they are wanted, once everybody may see every secret."""
        # With `reveal_secrets` the records have brought them.
        if not subscription.push_openings or subscription.viewer == ALL or not is_revealed(self.rights.state):
            return
        task = asyncio.create_task(self._send_openings(outbox, subscription))
        self._openings_tasks.add(task)
        task.add_done_callback(self._openings_tasks.discard)

    async def _send_openings(self, outbox: Outbox, subscription: Subscription) -> None:
        """Send the openings, no faster than the outbox takes them, as long as this subscription lasts."""
        sent = self._history.last_before_openings(subscription.openings_after)
        try:
            while sent < self.rights.head:
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
                self.end_watch(outbox)
