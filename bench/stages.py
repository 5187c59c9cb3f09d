"""Profile of one action by part of the server, measured by the server itself while it is under load.

    ./dev bench rooms

`house --rooms` calls `listen` before it serves. That wraps the entry functions of the parts, and each second of CPU
counts for the innermost part that it was spent in. The rest belongs to the event loop, asyncio and asyncpg.
"""

import inspect
import time
import types
from collections.abc import Callable, Coroutine, Generator, Iterator
from functools import wraps
from typing import Any

import msgspec
from msgspec import Struct
from websockets.asyncio.connection import Connection

from bench import load_runs, processes
from bench.load import LoadMeasurement, LoadPlan, LoadWindow
from bench.load_runs import OURS, plan_for_server
from bench.match import load_window
from bench.processes import ChildProcess, available_cores
from bench.tables import BenchEffort, ResultTable
from bench.traces import record_match
from diskwars_engine.match import MatchRules
from diskwars_engine.match_log import MatchLog
from diskwars_engine.record_codec import RecordCodec
from diskwars_server import group_commit
from diskwars_server.feed import Feed
from diskwars_server.game import Game
from diskwars_server.outbox import Outbox
from diskwars_server.session import Session
from diskwars_server.transport import Transport

DECIDE_STAGE = "decide: the rules, and the state after them"
READER_STAGE = "transport: one reader"
STAGE_ENTRIES: tuple[tuple[str, object, str], ...] = (
    ("WebSocket frames in", Connection, "data_received"),
    ("session: what a message means", Session, "receive"),
    (DECIDE_STAGE, MatchRules, "decide"),
    ("seal: canonical JSON, secrets, hashes", RecordCodec, "seal"),
    ("commit: the state is that now", MatchLog, "commit"),
    ("game: one command after another", Game, "_run"),
    ("publish: encode once for each group", Feed, "publish"),
    ("transport: frames out", Outbox, "send_shared"),
    ("transport: frames out", Outbox, "send"),
    (READER_STAGE, Transport, "_read_frames"),
    ("store: one statement for a batch", group_commit.GroupCommitWriter, "_run"),
)
OTHER_STAGE = "event loop, and asyncpg's answers"
MATCHES = 200
ACTIONS_KEY = "actions"


class StageTimes(Struct, frozen=True):
    """Nanoseconds of CPU in each room, and in all of them, between two marks."""

    stages: dict[str, int]
    total: int
    actions: int


class _StageClock:
    """The current part and its start. Time counts for one part at a time."""

    def __init__(self) -> None:
        self.time_by_stage: dict[str, int] = dict.fromkeys([OTHER_STAGE, *(room for room, _, _ in STAGE_ENTRIES)], 0)
        self.calls_by_stage: dict[str, int] = dict.fromkeys(self.time_by_stage, 0)
        self._stages = [OTHER_STAGE]
        self._since = time.thread_time_ns()
        self.marks: list[dict[str, int]] = []

    def enter(self, room: str) -> None:
        self._add_elapsed()
        self._stages.append(room)

    def leave(self) -> None:
        self._add_elapsed()
        self._stages.pop()

    def _add_elapsed(self) -> None:
        now = time.thread_time_ns()
        self.time_by_stage[self._stages[-1]] += now - self._since
        self._since = now


_clocks: list[_StageClock] = []


def instrument() -> None:
    """From now on this process takes its time."""
    _clocks.append(clock := _StageClock())
    for room, owner, name in STAGE_ENTRIES:
        setattr(owner, name, _instrumented(clock, room, getattr(owner, name)))


def add_mark() -> None:
    """Measuring begins, or ends."""
    for clock in _clocks:
        clock.enter(OTHER_STAGE)
        clock.leave()
        clock.marks.append(clock.time_by_stage | {ACTIONS_KEY: clock.calls_by_stage[DECIDE_STAGE]})


def report_times() -> str:
    """Return what it came to between the marks, as JSON; nothing if it was ended before them."""
    if len(marked := _clocks[0].marks) < 2:
        return ""
    first, last = marked[:2]
    spent = {room: last[room] - first[room] for room in first}
    actions = spent.pop(ACTIONS_KEY)
    return msgspec.json.encode(StageTimes(spent, sum(spent.values()), actions)).decode()


def _instrumented(clock: _StageClock, room: str, door: Callable[..., Any]) -> Callable[..., Any]:
    if inspect.iscoroutinefunction(door):

        @wraps(door)
        async def walked(*args: Any) -> Any:
            return await _timed_coroutine(clock, room, door(*args))

        return walked

    @wraps(door)
    def called(*args: Any) -> Any:
        clock.calls_by_stage[room] += 1
        clock.enter(room)
        try:
            return door(*args)
        finally:
            clock.leave()

    return called


@types.coroutine
def _timed_coroutine(clock: _StageClock, room: str, inner: Coroutine[Any, Any, Any]) -> Generator[Any, Any, Any]:
    """Count only while the coroutine runs, not while it waits."""
    send, given = inner.send, None
    while True:
        clock.enter(room)
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


# ---------------------------------------------------------------- the program


def tables(effort: BenchEffort) -> Iterator[ResultTable]:
    games = effort.sizes((MATCHES,), 3)[0]
    traces = tuple(record_match(number, 2) for number in range(4 if effort.full else 1))
    plans = {
        "a ruleset that does nothing": (LoadPlan(OURS, sends_marks=True), LoadWindow(games, effort.seconds)),
        "Diskwars": (LoadPlan(OURS, traces=traces, sends_marks=True), load_window(games, effort.seconds, traces)),
    }
    with processes.temporary_cluster() as base:
        for title, (plan, window) in plans.items():
            with ChildProcess("measured_server", base.new_database(), "--stages", core=available_cores()[0]) as server:
                with load_runs.start_generator(plan_for_server(plan, server, base)) as measure:
                    found = measure(window)
                spent = msgspec.json.decode(server.finish(), type=StageTimes)
            yield _result_table(f"{title}, {games} matches: where the time of one action goes", spent, found)


def _result_table(title: str, spent: StageTimes, found: LoadMeasurement) -> ResultTable:
    whole = spent.total / max(1, spent.actions) / 1000
    rows = tuple(
        (room, nanoseconds / max(1, spent.actions) / 1000, f"{100 * nanoseconds / spent.total:.0f} %")
        for room, nanoseconds in sorted(spent.stages.items(), key=lambda item: -item[1])
    )
    notes = (
        f"{spent.actions:,} actions, {whole:.0f} µs each, in one run; "
        f"{found.server_cpu_us_per_action:.0f} µs as the system counts them.",
    )
    return ResultTable(title, ("room", "µs/action", "share"), rows, notes=notes)
