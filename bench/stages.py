"""Where does the time of one action go, room by room? A server that takes its own time while it is loaded.

    ./dev bench rooms

`house --rooms` calls `listen` before it serves: the doors of the rooms are wrapped, and each second of CPU is counted
in the innermost room that it was spent in. What lies in none is the event loop's, asyncio's and asyncpg's.
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
from bench.load import Measured, Plan, Window
from bench.load_runs import OURS, addressed
from bench.match import window_of
from bench.processes import Child, cores
from bench.tables import Effort, Table
from bench.traces import recorded
from diskwars_engine.match import MatchRules
from diskwars_engine.match_log import Book, Ledger
from diskwars_server import group_commit
from diskwars_server.game import Game
from diskwars_server.outbox import Outbox
from diskwars_server.session import Session
from diskwars_server.subscribers import Subscribers
from diskwars_server.transport import Transport

DECIDE = "decide: the rules, and the state after them"
READER = "transport: one reader"
DOORS: tuple[tuple[str, object, str], ...] = (
    ("WebSocket frames in", Connection, "data_received"),
    ("session: what a message means", Session, "hear"),
    ("session: what a message means", Session, "hear_act"),
    (DECIDE, MatchRules, "unfold"),
    ("seal: canonical JSON, secrets, hashes", Ledger, "seal"),
    ("turn: the state is that now", Book, "fold"),
    ("turn: the state is that now", Book, "turn"),
    ("game: one command after another", Game, "_live"),
    ("tell: encode once for each group", Subscribers, "tell"),
    ("transport: frames out", Outbox, "put"),
    ("transport: frames out", Outbox, "answer"),
    (READER, Transport, "_read"),
    ("store: one statement for a batch", group_commit.GroupCommitWriter, "_run"),
)
REST = "event loop, and asyncpg's answers"
GAMES = 200
ACTIONS = "actions"


class Spent(Struct, frozen=True):
    """Nanoseconds of CPU in each room, and in all of them, between two marks."""

    rooms: dict[str, int]
    all: int
    actions: int


class _Clock:
    """Which room is it in, and since when? Time is counted in one room at a time."""

    def __init__(self) -> None:
        self.spent: dict[str, int] = dict.fromkeys([REST, *(room for room, _, _ in DOORS)], 0)
        self.calls: dict[str, int] = dict.fromkeys(self.spent, 0)
        self._rooms = [REST]
        self._since = time.thread_time_ns()
        self.marked: list[dict[str, int]] = []

    def enter(self, room: str) -> None:
        self._count()
        self._rooms.append(room)

    def leave(self) -> None:
        self._count()
        self._rooms.pop()

    def _count(self) -> None:
        now = time.thread_time_ns()
        self.spent[self._rooms[-1]] += now - self._since
        self._since = now


_clock: list[_Clock] = []


def listen() -> None:
    """From now on this process takes its time."""
    _clock.append(clock := _Clock())
    for room, owner, name in DOORS:
        setattr(owner, name, _watched(clock, room, getattr(owner, name)))


def mark() -> None:
    """Measuring begins, or ends."""
    for clock in _clock:
        clock.enter(REST)
        clock.leave()
        clock.marked.append(clock.spent | {ACTIONS: clock.calls[DECIDE]})


def told() -> str:
    """What it came to between the marks, as JSON; nothing if it was ended before them."""
    if len(marked := _clock[0].marked) < 2:
        return ""
    first, last = marked[:2]
    spent = {room: last[room] - first[room] for room in first}
    actions = spent.pop(ACTIONS)
    return msgspec.json.encode(Spent(spent, sum(spent.values()), actions)).decode()


def _watched(clock: _Clock, room: str, door: Callable[..., Any]) -> Callable[..., Any]:
    if inspect.iscoroutinefunction(door):

        @wraps(door)
        async def walked(*args: Any) -> Any:
            return await _timed(clock, room, door(*args))

        return walked

    @wraps(door)
    def called(*args: Any) -> Any:
        clock.calls[room] += 1
        clock.enter(room)
        try:
            return door(*args)
        finally:
            clock.leave()

    return called


@types.coroutine
def _timed(clock: _Clock, room: str, inner: Coroutine[Any, Any, Any]) -> Generator[Any, Any, Any]:
    """Counts only while the coroutine runs, not while it waits."""
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


def tables(effort: Effort) -> Iterator[Table]:
    games = effort.upto((GAMES,), 3)[0]
    traces = tuple(recorded(number, 2) for number in range(4 if effort.full else 1))
    plans = {
        "a ruleset that does nothing": (Plan(OURS, is_marked=True), Window(games, effort.seconds)),
        "Diskwars": (Plan(OURS, traces=traces, is_marked=True), window_of(games, effort.seconds, traces)),
    }
    with processes.cluster() as base:
        for title, (plan, window) in plans.items():
            with Child("house", base.fresh(), "--rooms", core=cores()[0]) as server:
                with load_runs.generator(addressed(plan, server, base)) as measure:
                    found = measure(window)
                spent = msgspec.json.decode(server.last_words(), type=Spent)
            yield _table(f"{title}, {games} matches: where the time of one action goes", spent, found)


def _table(title: str, spent: Spent, found: Measured) -> Table:
    whole = spent.all / max(1, spent.actions) / 1000
    rows = tuple(
        (room, nanoseconds / max(1, spent.actions) / 1000, f"{100 * nanoseconds / spent.all:.0f} %")
        for room, nanoseconds in sorted(spent.rooms.items(), key=lambda item: -item[1])
    )
    notes = (
        f"{spent.actions:,} actions, {whole:.0f} µs each, in one run; {found.cost:.0f} µs as the system counts them.",
    )
    return Table(title, ("room", "µs/action", "share"), rows, notes=notes)
