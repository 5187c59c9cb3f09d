"""Stop signals for every verb: an orderly stop, wherever the program is.

A signal is first recorded, then delivered. If it arrives while Python discards exceptions (in an import lock or a
finalizer), the next check sees it. In asyncio code it cancels the running job; elsewhere it raises `Interrupted`.
"""

import signal
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import asyncio

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
EXIT_INTERRUPTED = 130
REPEAT_SECONDS = 1.0
"""A second signal within this time counts as a copy: a terminal and a wrapper such as `make` both send it."""

T = TypeVar("T")


class Interrupted(KeyboardInterrupt):
    """A stop signal arrived."""


class _State:
    """The stop signals of this process; a single state, because there is a single set of handlers."""

    def __init__(self) -> None:
        self.received_at: float | None = None
        self.deferrals = 0
        self.cancel: Callable[[], object] | None = None


_state = _State()


@contextmanager
def handle_stop_signals(*, ends_process: bool = False) -> Iterator[None]:
    """Install the handlers until the block ends; only in the main thread, as Python allows no others to.

    If the process `ends_process` after the block, a later signal ends it at once: Python's own handler would interrupt
    what runs at its exit, such as the shutdown of logging, and print where.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # nohup sets SIGHUP to be ignored, which is respected; the other signals are always handled.
    is_ignored = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    numbers = [number for number in STOP_SIGNALS if not (is_ignored and number == signal.SIGHUP)]
    previous_handlers = {number: signal.signal(number, _handle) for number in numbers}
    try:
        yield
    finally:
        for number, handler in previous_handlers.items():
            signal.signal(number, signal.SIG_DFL if ends_process else handler)
        _state.received_at = None


def is_stop_requested() -> bool:
    return _state.received_at is not None


def check_stop() -> None:
    """Raise `Interrupted` if a signal has arrived. Long loops call this in every iteration."""
    if is_stop_requested():
        raise Interrupted


def read_input() -> bytes:
    """Read standard input to its end.

    A signal that arrived during an import was only recorded, and would not end this wait: it is checked before.
    """
    check_stop()
    return sys.stdin.buffer.read()


def finish_stop() -> None:
    """Mark the stop as handled; for verbs that normally end by a signal."""
    _state.received_at = None


@contextmanager
def deferred_stop() -> Iterator[None]:
    """Defer signals until the end of the block, which then raises `Interrupted`."""
    _state.deferrals += 1
    try:
        yield
    finally:
        _state.deferrals -= 1
    if not _state.deferrals:
        check_stop()


@contextmanager
def blocked_stop_signals() -> Iterator[None]:
    """Block the stop signals while processes start, so that none of them runs the handlers of this one."""
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)


def leave_stopping_to_parent() -> None:
    """Ignore Ctrl-C, which a terminal sends to all processes; for those that their parent ends by another signal."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)


def run_async(job: Coroutine[Any, Any, T], new_loop: "Callable[[], asyncio.AbstractEventLoop] | None" = None) -> T:
    """Run a job in a new event loop; a signal cancels it, even one that came before the loop started.

    Raises `Interrupted` if the job ended because of a signal.
    """
    import asyncio  # imported here: loading it takes longer than most verbs take to print `--help`

    # Deferred around the loop: an exception raised from a handler inside its machinery would leave it half closed.
    _state.deferrals += 1
    try:
        with asyncio.Runner(loop_factory=new_loop) as runner:
            return runner.run(_run_cancellable(job))
    except asyncio.CancelledError:
        if is_stop_requested():
            raise Interrupted from None
        raise
    finally:
        _state.deferrals -= 1


async def _run_cancellable(job: Coroutine[Any, Any, T]) -> T:
    import asyncio

    loop = asyncio.get_running_loop()
    task = loop.create_task(job)
    # Python runs signal handlers between two instructions of the main thread; only this call wakes a waiting loop.
    _state.cancel = lambda: loop.call_soon_threadsafe(task.cancel)
    if is_stop_requested():
        task.cancel()
    try:
        return await task
    finally:
        _state.cancel = None


def _handle(number: int, frame: FrameType | None) -> None:
    now, previous = time.monotonic(), _state.received_at
    _state.received_at = now
    if previous is not None and now - previous < REPEAT_SECONDS:
        return
    if _state.cancel is not None:
        _state.cancel()
    elif not _state.deferrals and not _is_importing_or_forking(frame):
        raise Interrupted


def _is_importing_or_forking(frame: FrameType | None) -> bool:
    """Return whether this frame or one of its callers imports a module or starts a process.

    Python swallows an exception that is raised inside its import locks, or turns it into another one. In the hooks
    that run after a fork it prints and discards it; raised elsewhere in the start of a process, it would leave behind
    a child that nobody ends. A stop is checked for afterwards, by `run_async`, by every long loop, and by `main` at
    the end.
    """
    while frame is not None:
        code = frame.f_code
        if code.co_filename.startswith("<frozen importlib"):
            return True
        if code.co_name == "_execute_child" and code.co_filename.endswith("subprocess.py"):
            return True
        frame = frame.f_back
    return False
