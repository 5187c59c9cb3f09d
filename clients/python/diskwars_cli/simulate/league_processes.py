"""Processes of a league: each plays one match at a time, and is replaced if a bot hangs or ends it."""

import ctypes
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeAlias

from msgspec import Struct

from diskwars_bots.loader import BotError
from diskwars_cli.console.signals import blocked_stop_signals, leave_stopping_to_parent
from diskwars_cli.simulate.league_match import (
    NOBODY,
    BotChanged,
    CapturedOutput,
    Fault,
    LeagueTask,
    PlayedMatch,
    load_bot,
    play_league_match,
    slow_text,
)
from diskwars_protocol.match.ids import Seat

POLL_SECONDS = 0.5
"""The longest wait between two looks at the clocks of the bots."""
GRACE_SECONDS = 0.25
"""Added to a time limit before a process is killed: one that is only a little late reports that itself."""
PARENT_CHECK_SECONDS = 1.0


class LoadTask(Struct, frozen=True):
    """The order to load a bot, and say what is wrong with it."""

    name: str
    ruleset: str
    load_seconds: float


Task: TypeAlias = LeagueTask | LoadTask


class SharedClock:
    """The seat whose bot is running and the end of its time, in memory that two processes share."""

    def __init__(self) -> None:
        self._values = multiprocessing.RawArray(ctypes.c_double, [NOBODY, 0.0])

    def start(self, seat: Seat, seconds: float) -> None:
        self._values[1] = time.monotonic() + seconds  # first: the seat makes it valid
        self._values[0] = seat

    def stop(self) -> None:
        self._values[0] = NOBODY

    @property
    def running(self) -> Seat:
        """The seat whose bot is running, or `NOBODY`."""
        return int(self._values[0])

    def overdue_seconds(self) -> float:
        """Return for how long the bot that runs should have answered; negative if it still has time or none runs."""
        running, ends_at = self.running, self._values[1]
        return -POLL_SECONDS if running == NOBODY else time.monotonic() - ends_at


class MatchProcess:
    """A process that does one task at a time."""

    def __init__(self) -> None:
        self.clock = SharedClock()
        self.task: Task | None = None
        with blocked_stop_signals():
            self.connection, far_end = multiprocessing.Pipe()
            self._process: BaseProcess = multiprocessing.Process(
                target=work, args=(far_end, self.clock, os.getpid()), daemon=True
            )
            self._process.start()
            far_end.close()  # so that the end of the process ends the connection

    def begin(self, task: Task) -> None:
        self.task = task
        with suppress(BrokenPipeError):  # it has ended already, which the next `result` finds
            self.connection.send(task)

    def result(self) -> Any:
        """Return the result of the task, or None if the process has ended."""
        try:
            return self.connection.recv()
        except (EOFError, OSError):
            return None

    def end(self, wait_seconds: float = 0.0) -> str:
        """Kill the process and everything that its bots have started; return how it has ended.

        One that is ending by itself gets `wait_seconds` to do so.
        """
        self._process.join(wait_seconds)
        exit_code = self._process.exitcode
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid or 0, signal.SIGKILL)
        self._process.kill()
        self._process.join()
        self.connection.close()
        if exit_code is None:
            return "it was killed"
        return f"exit code {exit_code}" if exit_code >= 0 else signal.Signals(-exit_code).name


def run_tasks(tasks: Iterator[Task], processes: int) -> Generator[tuple[Task, Any], None, None]:
    """Do tasks in several processes; yield each with its result, as they end.

    A match whose process is lost ends with a fault of the bot that was running. Closing the generator kills all.
    """
    idle: list[MatchProcess] = []
    busy: list[MatchProcess] = []
    try:
        while True:
            while len(busy) < processes and (task := next(tasks, None)) is not None:
                process = idle.pop() if idle else MatchProcess()
                busy.append(process)
                process.begin(task)
            if not busy:
                return
            for process in _ended(busy):
                busy.remove(process)
                task, result = process.task, process.result() if process.connection.poll() else None
                assert task is not None
                if result is None:
                    result = _lost_result(process, task)
                else:
                    idle.append(process)
                if isinstance(result, BotChanged):
                    raise result
                yield task, result
    finally:
        for process in (*idle, *busy):
            process.end()


def _ended(busy: list[MatchProcess]) -> list[MatchProcess]:
    """Wait until processes have a result, have ended, or have a bot that takes too long; return those."""
    left = min(GRACE_SECONDS - process.clock.overdue_seconds() for process in busy)
    ready = wait([process.connection for process in busy], max(0.01, min(POLL_SECONDS, left)))
    return [
        process for process in busy if process.connection in ready or process.clock.overdue_seconds() > GRACE_SECONDS
    ]


def _lost_result(process: MatchProcess, task: Task) -> Any:
    """End a process that hangs or has ended; return what this means for its task."""
    seat, is_late = process.clock.running, process.clock.overdue_seconds() > GRACE_SECONDS
    ending = process.end(0.0 if is_late else GRACE_SECONDS)
    if isinstance(task, LoadTask):
        if is_late:
            return f"{task.name} could not be loaded within {task.load_seconds:g} s"
        return f"{task.name} ended the process that loaded it ({ending})"
    if seat == NOBODY:
        return PlayedMatch(crash=f"a worker process ended between two decisions ({ending})")
    name = task.job.bots[seat]
    if is_late:
        return PlayedMatch(fault=Fault(seat, "slow", slow_text(name, task.decision_seconds), lost_process=True))
    return PlayedMatch(fault=Fault(seat, "died", f"{name} ended its process ({ending})", lost_process=True))


# ---------------------------------------------------------------- in the process of a match


def work(connection: "Connection[Any, Any]", clock: SharedClock, parent: int) -> None:
    """Do tasks until the connection ends."""
    os.setsid()  # a group of its own: Ctrl-C does not reach it, and what its bots start is killed with it
    leave_stopping_to_parent()
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, args=(parent,), daemon=True).start()
    output = CapturedOutput()
    with suppress(EOFError, OSError):
        while True:
            task = connection.recv()
            connection.send(_do(task, clock, output.read))


def _do(task: Task, clock: SharedClock, read_output: Callable[[], str]) -> Any:
    if isinstance(task, LeagueTask):
        try:
            return play_league_match(task, clock, read_output)
        except BotChanged as changed:
            return changed
    clock.start(0, task.load_seconds)
    try:
        load_bot(task.name, task.ruleset, read_output)
    except BotError as fault:
        return str(fault)
    finally:
        clock.stop()
    return ""


def _end_with_parent(parent: int) -> None:
    """End this process once its parent has gone, even in the middle of a match or while a bot hangs."""
    while os.getppid() == parent:
        time.sleep(PARENT_CHECK_SECONDS)
    os._exit(1)
