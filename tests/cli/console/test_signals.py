"""Stop signals end a program in an orderly way, whatever it is doing when they arrive."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from diskwars_cli.console import signals
from diskwars_cli.console.signals import Interrupted, check_stop, deferred_stop, handle_stop_signals, run_async

BOTH = pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])


def expect_interrupt(block: Callable[[], object]) -> None:
    """Run a block and expect a signal to end it."""
    with pytest.raises(Interrupted), handle_stop_signals():
        block()


@BOTH
def test_signal_outside_a_loop_raises(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    expect_interrupt(lambda: signal.raise_signal(number))
    assert signal.getsignal(number) is before


@BOTH
def test_signal_in_a_loop_cancels_its_job_which_cleans_up(number: signal.Signals) -> None:
    cleaned: list[str] = []

    async def job() -> None:
        asyncio.get_running_loop().call_later(0.01, signal.raise_signal, number)
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.01)
            cleaned.append("all")

    expect_interrupt(lambda: run_async(job()))
    assert cleaned == ["all"]


def test_signal_from_outside_wakes_a_waiting_loop() -> None:
    async def job() -> None:
        killer = await asyncio.create_subprocess_exec("sh", "-c", f"sleep 0.05; kill -TERM {os.getpid()}")
        try:
            await asyncio.Event().wait()
        finally:
            await killer.wait()

    began = time.monotonic()
    expect_interrupt(lambda: run_async(job()))
    assert time.monotonic() - began < 30


def test_signal_before_the_loop_starts_is_not_lost() -> None:
    started: list[str] = []

    async def job() -> None:
        started.append("job")
        await asyncio.Event().wait()

    def block() -> None:
        with contextlib.suppress(Interrupted):
            signal.raise_signal(signal.SIGINT)
        run_async(job())

    expect_interrupt(block)
    assert started == []


def test_signal_that_python_discards_is_seen_at_the_next_check(monkeypatch: pytest.MonkeyPatch) -> None:
    class Finalizer:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)

    discarded: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda discard: discarded.append(discard.exc_type))

    def block() -> None:
        finalizer = Finalizer()
        del finalizer
        assert discarded == [Interrupted]
        check_stop()

    expect_interrupt(block)


def test_signal_while_a_process_starts_leaves_no_process_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    fork, started = vars(subprocess)["_fork_exec"], []

    def fork_and_signal(*arguments: object) -> object:
        pid = fork(*arguments)
        signal.raise_signal(signal.SIGTERM)
        return pid

    monkeypatch.setattr(subprocess, "_fork_exec", fork_and_signal)

    def block() -> None:
        started.append(subprocess.Popen(["true"]))
        check_stop()

    expect_interrupt(block)
    assert [process.wait(30) for process in started] == [0]


def test_deferred_signal_is_raised_at_the_end_of_its_block() -> None:
    reached: list[str] = []

    def block() -> None:
        with deferred_stop():
            signal.raise_signal(signal.SIGTERM)
            reached.append("end of block")
        reached.append("after it")

    expect_interrupt(block)
    assert reached == ["end of block"]


@pytest.mark.parametrize(("repeat_seconds", "is_cleaned"), [(60.0, True), (0.0, False)])
def test_repeated_signal_does_not_interrupt_cleaning_up_but_a_later_one_does(
    repeat_seconds: float, is_cleaned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    cleaned: list[str] = []
    monkeypatch.setattr(signals, "REPEAT_SECONDS", repeat_seconds)

    def block() -> None:
        try:
            signal.raise_signal(signal.SIGINT)
        finally:
            signal.raise_signal(signal.SIGINT)
            cleaned.append("all")

    expect_interrupt(block)
    assert bool(cleaned) is is_cleaned


def test_result_and_errors_of_a_job_pass_through() -> None:
    async def answer() -> int:
        return 42

    async def fail() -> None:
        raise ValueError("wrong")

    with handle_stop_signals():
        assert run_async(answer()) == 42
        with pytest.raises(ValueError, match="wrong"):
            run_async(fail())
