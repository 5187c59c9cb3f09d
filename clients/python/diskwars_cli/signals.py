"""Stop signals for every verb: one orderly stop, wherever the program is.

A signal is first recorded and then delivered, so that one that falls into a moment in which Python discards exceptions
(an import lock, a finalizer) is seen at the next check. In asyncio code it cancels the running job; elsewhere it raises
`Interrupted`.
"""

import signal
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
"""A second signal within this time is the first one again: a terminal and a wrapper such as `make` both pass it on."""

T = TypeVar("T")


class Interrupted(KeyboardInterrupt):
    """A stop signal arrived."""


class _State:
    """Stop signals received by this process; there is one state, as there is one set of handlers."""

    def __init__(self) -> None:
        self.received_at: float | None = None
        self.deferrals = 0
        self.cancel: Callable[[], object] | None = None


_state = _State()


@contextmanager
def handle_stop_signals() -> Iterator[None]:
    """Install the handlers until the block ends. In a thread other than the main one nothing can be installed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # nohup asks for SIGHUP to be ignored; the others are always meant.
    is_ignored = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    numbers = [number for number in STOP_SIGNALS if not (is_ignored and number == signal.SIGHUP)]
    before = {number: signal.signal(number, _handle) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        _state.received_at = None


def is_stop_requested() -> bool:
    return _state.received_at is not None


def check_stop() -> None:
    """Raise `Interrupted` if a signal has arrived. Long loops call this once in every turn."""
    if is_stop_requested():
        raise Interrupted


def finish_stop() -> None:
    """Count the stop as done: for a verb whose ordinary end it is."""
    _state.received_at = None


@contextmanager
def deferred_stop() -> Iterator[None]:
    """Keep a block whole: a signal that arrives inside it raises `Interrupted` at its end."""
    _state.deferrals += 1
    try:
        yield
    finally:
        _state.deferrals -= 1
    if not _state.deferrals:
        check_stop()


def run_async(job: Coroutine[Any, Any, T], new_loop: "Callable[[], asyncio.AbstractEventLoop] | None" = None) -> T:
    """Run a job in an event loop of its own; a signal cancels it, also one that came before the loop started.

    Raises `Interrupted` when the job ended because of a signal.
    """
    import asyncio  # takes longer to load than most verbs take to answer `--help`

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
    # Handlers of the signal module run between two instructions of the main thread, and wake the loop by this.
    _state.cancel = lambda: loop.call_soon_threadsafe(task.cancel)
    if is_stop_requested():
        task.cancel()
    try:
        return await task
    finally:
        _state.cancel = None


def _handle(number: int, frame: FrameType | None) -> None:
    now, before = time.monotonic(), _state.received_at
    _state.received_at = now
    if before is not None and now - before < REPEAT_SECONDS:
        return
    if _state.cancel is not None:
        _state.cancel()
    elif not _state.deferrals:
        raise Interrupted
