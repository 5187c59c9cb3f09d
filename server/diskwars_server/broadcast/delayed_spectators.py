"""Spectators of one match who see it a round later: each is sent the records of a round once it is over."""

import asyncio
import logging
from collections.abc import Callable

from diskwars_protocol.connection.connection import SharedFrame
from diskwars_protocol.match.ids import PUBLIC
from diskwars_server.broadcast.history import MatchHistory
from diskwars_server.broadcast.outbox import Outbox, OutboxClosed
from diskwars_server.refusals import describe_fault
from diskwars_server.store.errors import StoreUnavailable

log = logging.getLogger(__name__)

MAX_KEPT_FRAMES = 8
"""Frames of a release that are kept while it lasts: nearly all spectators are sent the same ones."""


class _Position:
    """The last record that one spectator has been sent, and the task that sends more."""

    def __init__(self, seen: int) -> None:
        self.seen = seen
        self.task: asyncio.Task[None] | None = None


class DelayedSpectators:
    """The delayed spectators of one match. Made inside a running event loop."""

    def __init__(self, history: MatchHistory, finish: Callable[[Outbox], None], fail: Callable[[Outbox], None]) -> None:
        """`finish` gets a spectator who has all records of a match that has ended, and who is delayed no more.

        `fail` gets one who was not sent them: they are there again once they watch the match again.
        """
        self._history, self._finish, self._fail = history, finish, fail
        self._positions: dict[Outbox, _Position] = {}
        self._last = 0
        self._has_ended = False
        self._frames: dict[int, tuple[SharedFrame, int]] = {}

    def __contains__(self, outbox: Outbox) -> bool:
        return outbox in self._positions

    def add(self, outbox: Outbox, seen: int) -> None:
        """Add a spectator who has been sent the records up to `seen`."""
        self._positions[outbox] = _Position(seen)

    def remove(self, outbox: Outbox) -> None:
        self._positions.pop(outbox, None)

    def release(self, last: int, *, has_ended: bool) -> None:
        """Send everybody the records up to `last` as fast as they are taken; `has_ended` says that these are all."""
        if last <= self._last and not has_ended:
            return
        self._last, self._has_ended = last, has_ended
        self._frames.clear()
        for outbox, position in tuple(self._positions.items()):
            if position.task is None:
                position.task = asyncio.create_task(self._send(outbox, position), name=f"release {self._history.match}")

    async def _send(self, outbox: Outbox, position: _Position) -> None:
        try:
            while position.seen < self._last:
                await outbox.wait_writable()
                frame, end = await self._frame_after(position.seen)
                if self._positions.get(outbox) is not position:
                    return
                position.seen = end
                outbox.usage.add_history(len(frame.frame))
                if not outbox.send_shared(frame):
                    raise OutboxClosed
        except Exception as fault:
            if not isinstance(fault, OutboxClosed | StoreUnavailable):
                log.error("round not released", extra={"match": self._history.match, **describe_fault(fault)})
            if self._positions.get(outbox) is position:
                self.remove(outbox)
                self._fail(outbox)
            return
        position.task = None
        if self._has_ended and self._positions.get(outbox) is position:
            self.remove(outbox)
            self._finish(outbox)

    async def _frame_after(self, seen: int) -> tuple[SharedFrame, int]:
        last = self._last
        frame = self._frames.get(seen)
        if frame is None:
            frame = await self._history.frame_after(seen, PUBLIC, last=last)
            if last == self._last:  # otherwise more was released meanwhile
                if len(self._frames) >= MAX_KEPT_FRAMES:
                    self._frames.clear()
                self._frames[seen] = frame
        return frame
