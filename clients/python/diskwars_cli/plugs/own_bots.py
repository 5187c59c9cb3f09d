"""Bots outside a league, and the limits of those in files of the user: their time and what they print."""

import os
import random
import signal
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, redirect_stdout
from io import StringIO
from types import FrameType
from typing import Any

import msgspec
from msgspec import Raw, Struct

from diskwars_bots.chooser import Chooser
from diskwars_bots.loader import BotError, UserBot
from diskwars_bots.rulesets.registry import find_bots
from diskwars_cli.plugs.file_programs import module_command
from diskwars_protocol.match.decisions import Decision, Options
from diskwars_protocol.match.vocabulary import AnyVocabulary
from diskwars_protocol.messages.bot_tasks import BotTask

LOAD_SECONDS = 30.0
DECISION_SECONDS = 10
"""For one decision, as in a league."""
AGAIN_SECONDS = 1.0
"""Between two interruptions of a bot that catches the first one."""
MAX_INTERRUPTIONS = 5
"""After which the process of a bot that catches them all, as a bare `except:` does, ends."""
EXIT_UNSTOPPABLE = 2
MAX_SHOWN = 60
_JSON = msgspec.json.Encoder()


class _TimeIsUp(BaseException):
    """Interrupts a bot; no `except Exception` of its file catches it."""


@contextmanager
def own_bot_limits(name: str, what: str, seconds: float) -> Iterator[None]:
    """Let a bot run for this many seconds. Raises BotError, also if it prints or leaves the program.

    The limit holds in the main thread, and while Python runs: a bot that never returns from C code is not interrupted.
    """
    printed = StringIO()
    try:
        with redirect_stdout(printed), _alarm(seconds, f"{name} took longer than {seconds:g} s {what}"):
            yield
    except _TimeIsUp:
        raise BotError(f"{name} took longer than {seconds:g} s {what}") from None
    except SystemExit as left:
        raise BotError(f"{name}: SystemExit: {left}") from None
    if text := printed.getvalue():
        shown = text[:MAX_SHOWN] + "…" * (len(text) > MAX_SHOWN)
        raise BotError(f"{name} printed to standard output: {shown!r}; use standard error")


@contextmanager
def _alarm(seconds: float, complaint: str) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    rings = 0

    def ring(number: int, frame: FrameType | None) -> None:
        nonlocal rings
        rings += 1
        if rings > MAX_INTERRUPTIONS:  # Ctrl-C would not end it either
            os.write(2, f"diskwars: {complaint}, and catches what interrupts it\n".encode())
            os._exit(EXIT_UNSTOPPABLE)
        raise _TimeIsUp

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def limit_own_bot(choose: Chooser, name: str, seconds: float = DECISION_SECONDS) -> Chooser:
    """Return a chooser that keeps a function of the user within its limits; one of the program as it is."""
    if not isinstance(choose, UserBot):
        return choose

    return _LimitedBot(choose, name, seconds)


class _LimitedBot:
    """A function of the user within its limits. A refused answer is blamed on its file."""

    def __init__(self, choose: UserBot, name: str, seconds: float) -> None:
        self._choose, self._name, self._seconds = choose, name, seconds
        self.refused = choose.refused

    def __call__(self, match: Any, decision: Decision[Any], options: Options[Any, Any, Any], rng: random.Random) -> Any:
        with own_bot_limits(self._name, "for a decision", self._seconds):
            return self._choose(match, decision, options, rng)


class OwnBot:
    """A bot in a process of its own, so that the event loop of this one goes on while it thinks or hangs."""

    def __init__(self, name: str, vocabulary: AnyVocabulary, seconds: int = DECISION_SECONDS) -> None:
        from diskwars_server.processes.bot_processes import BotProcess  # late: few bots need it

        command = (*module_command("diskwars_cli.own_server.own_bot_process"), name, vocabulary.name)
        self._name, self._vocabulary, self._process = name, vocabulary, BotProcess(command, seconds)

    async def __call__(
        self, match: Any, decision: Decision[Any], options: Options[Any, Any, Any], rng: random.Random
    ) -> Any:
        """Return the action that the bot chooses. Raises BotError with one line."""
        from diskwars_server.processes.bot_processes import BotFailure

        seed, raw = str(rng.getrandbits(64)), [Raw(_JSON.encode(argument)) for argument in (match, [decision], options)]
        try:
            chosen = await self._process.choose(BotTask(self._vocabulary.name, self._name, seed, 0, 0, *raw))
            return msgspec.json.decode(chosen, type=self._vocabulary.action)
        except BotFailure as failure:
            text, place = str(failure), self._name.rpartition(":")[0] or self._name
            raise BotError(text if place in text else f"{self._name}: {text}") from None
        except (msgspec.DecodeError, TypeError) as fault:
            raise BotError(f"{self._name} returned no action of {self._vocabulary.name}: {fault}") from None

    def refused(self, action: Struct, refusal: str) -> BotError:
        """Return the error for a refused answer of this bot."""
        return BotError(f"{self._name} answered {action.__struct_config__.tag}, which is refused: {refusal}")

    async def stop(self) -> None:
        await self._process.stop()


@asynccontextmanager
async def run_chooser(name: str, vocabulary: AnyVocabulary) -> AsyncIterator[Chooser | OwnBot]:
    """Provide a bot by name. One that searches, or comes from a file, thinks in a process of its own.

    The others answer within milliseconds; what they choose depends on their generator alone.
    """
    bots = find_bots(vocabulary.name)
    if name in bots.choosers and name not in bots.searching:
        yield bots.choosers[name]
        return
    process = OwnBot(name, vocabulary)
    try:
        yield process
    finally:
        await process.stop()
