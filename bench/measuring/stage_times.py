"""CPU time of one action by part of the server, measured by the server itself while it is under load.

`measured_server --stages` calls `instrument` before it serves. That wraps the entry functions of the stages, and CPU
time counts for the innermost stage in which it was spent. The rest belongs to the event loop, asyncio and asyncpg.
"""

import inspect
import time
import types
from collections.abc import Callable, Coroutine, Generator
from functools import wraps
from typing import Any

import msgspec
from msgspec import Struct
from websockets.asyncio.connection import Connection

from diskwars_engine.match import MatchRules
from diskwars_engine.match_log import MatchLog
from diskwars_engine.record_codec import RecordCodec
from diskwars_server.broadcast.feed import Feed
from diskwars_server.broadcast.outbox import Outbox
from diskwars_server.connections import connection
from diskwars_server.matches.game import Game
from diskwars_server.session.session import Session
from diskwars_server.store.postgres import group_commit

DECIDE_STAGE = "decide: the rules, and the state after them"
FRAMES_STAGE = "WebSocket frames in"
READER_STAGE = "transport: one reader"
STAGE_ENTRIES: tuple[tuple[str, object, str], ...] = (
    (FRAMES_STAGE, Connection, "data_received"),
    ("session: what a message means", Session, "receive"),
    (DECIDE_STAGE, MatchRules, "decide"),
    ("seal: canonical JSON, secrets, hashes", RecordCodec, "seal"),
    ("commit: the state is that now", MatchLog, "commit"),
    ("game: one command after another", Game, "_advance"),
    ("publish: encode once for each group", Feed, "publish"),
    ("transport: frames out", Outbox, "send_shared"),
    ("transport: frames out", Outbox, "send"),
    (READER_STAGE, connection.Connection, "_read_frames"),
    ("store: one statement for a batch", group_commit.GroupCommitWriter, "_run"),
)
OTHER_STAGE = "event loop, and asyncpg's answers"
ACTIONS_KEY = "actions"


class StageTimes(Struct, frozen=True):
    """Nanoseconds of CPU in each stage, and in all of them, between two marks."""

    stages: dict[str, int]
    total: int
    actions: int


class _StageClock:
    """A clock of CPU time per stage. Time counts for one stage at a time."""

    def __init__(self) -> None:
        self.time_by_stage: dict[str, int] = dict.fromkeys([OTHER_STAGE, *(stage for stage, _, _ in STAGE_ENTRIES)], 0)
        self.calls_by_stage: dict[str, int] = dict.fromkeys(self.time_by_stage, 0)
        self._stages = [OTHER_STAGE]
        self._since = time.thread_time_ns()
        self.marks: list[dict[str, int]] = []

    def enter(self, stage: str) -> None:
        self._add_elapsed()
        self._stages.append(stage)

    def leave(self) -> None:
        self._add_elapsed()
        self._stages.pop()

    def _add_elapsed(self) -> None:
        now = time.thread_time_ns()
        self.time_by_stage[self._stages[-1]] += now - self._since
        self._since = now


_clocks: list[_StageClock] = []


def instrument() -> None:
    """Measure the stages of this process from now on."""
    _clocks.append(clock := _StageClock())
    for stage, owner, name in STAGE_ENTRIES:
        setattr(owner, name, _instrumented(clock, stage, getattr(owner, name)))


def add_mark() -> None:
    """Mark the beginning or the end of a measurement."""
    for clock in _clocks:
        clock.enter(OTHER_STAGE)
        clock.leave()
        clock.marks.append(clock.time_by_stage | {ACTIONS_KEY: clock.calls_by_stage[DECIDE_STAGE]})


def report_times() -> str:
    """Return the times between the marks as JSON; empty if the process ended before the second mark."""
    if len(marked := _clocks[0].marks) < 2:
        return ""
    first, last = marked[:2]
    spent = {stage: last[stage] - first[stage] for stage in first}
    actions = spent.pop(ACTIONS_KEY)
    return msgspec.json.encode(StageTimes(spent, sum(spent.values()), actions)).decode()


def _instrumented(clock: _StageClock, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
    if inspect.iscoroutinefunction(function):

        @wraps(function)
        async def timed(*args: Any) -> Any:
            return await _timed_coroutine(clock, stage, function(*args))

        return timed

    @wraps(function)
    def timed_call(*args: Any) -> Any:
        clock.calls_by_stage[stage] += 1
        clock.enter(stage)
        try:
            return function(*args)
        finally:
            clock.leave()

    return timed_call


@types.coroutine
def _timed_coroutine(clock: _StageClock, stage: str, inner: Coroutine[Any, Any, Any]) -> Generator[Any, Any, Any]:
    """Run a coroutine, counting time only while it runs, not while it waits."""
    send, given = inner.send, None
    while True:
        clock.enter(stage)
        try:
            waits_for = send(given)
        except StopIteration as done:
            return done.value
        finally:
            clock.leave()
        try:
            given, send = (yield waits_for), inner.send
        except BaseException as fault:
            given, send = fault, inner.throw
