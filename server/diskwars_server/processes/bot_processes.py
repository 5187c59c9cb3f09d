"""Processes in which bots think, each started when it is first needed and replaced when it hangs or dies.

The program that they run is injected: the server itself needs no bots.
"""

import asyncio
import logging
import os
import sys
from collections.abc import Mapping, Sequence
from time import monotonic
from types import MappingProxyType

import msgspec
from msgspec import Struct

from diskwars_protocol.messages.bot_tasks import LENGTH_BYTES, MAX_CHOICE_BYTES, MAX_TASK_BYTES, BotChoice, BotTask
from diskwars_server.processes.children import WorkerChild, child_environment

log = logging.getLogger(__name__)

START_SECONDS = 30
"""After which a process that has not begun is given up."""
MAX_START_PAUSE_SECONDS = 60.0
"""The longest pause before the next attempt to start a process that does not start."""
KILL_GRACE_SECONDS = 2
"""Between the end of a bot's time, when the server kills its process, and when the process ends itself."""
SEARCHED_PACKS = frozenset({"expansion"})
"""Packs by which bots search beside the core set, whatever a server plays with."""
_JSON = msgspec.json.Encoder()
_CHOICES = msgspec.json.Decoder(BotChoice)


class BotProgram(Struct, frozen=True):
    """The program that thinks, as a command, and the names of its bots by ruleset, the usual one first."""

    command: tuple[str, ...] = ()
    bots: Mapping[str, tuple[str, ...]] = MappingProxyType({})


NO_BOTS = BotProgram()


class BotFailure(Exception):
    """A bot has given no answer. The text says why, for the log, and holds nothing of the match."""


def default_bot_process_count() -> int:
    """Return one less than the processors that this process may use, and at least one."""
    available = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return max(1, available - 1)


def log_unknown_packs(packs: Sequence[str]) -> None:
    """Say once that bots search without some packs of a server: they imagine other hands of its starter armies."""
    if unknown := [pack for pack in packs if pack not in SEARCHED_PACKS]:
        log.warning("bots search without packs of this server", extra={"packs": unknown})


class BotProcess:
    """One process, which answers one decision at a time."""

    def __init__(self, command: tuple[str, ...], seconds: int) -> None:
        """`seconds` are those that a bot may think about a decision."""
        self._command, self._seconds = command, seconds
        self._process: WorkerChild | None = None
        self._retry_at, self._pause = 0.0, 1.0

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    async def choose(self, task: BotTask) -> msgspec.Raw:
        """Return the action that a bot chooses, as JSON. Raises BotFailure.

        A process that gives none in time is killed, and so is one whose caller is cancelled.
        """
        process = await self._started()
        is_answered = False
        try:
            async with asyncio.timeout(self._seconds):
                await _write_message(process, _JSON.encode(_with_time(task, self._seconds + KILL_GRACE_SECONDS)))
                choice = _CHOICES.decode(await _read_message(process))
            is_answered = True
        except TimeoutError:
            raise BotFailure(f"it thought longer than {self._seconds} s") from None
        except (EOFError, OSError, msgspec.DecodeError) as fault:
            raise BotFailure(f"its process failed: {type(fault).__name__}") from None
        finally:
            if not is_answered:
                await self.stop()
        if choice.fault:
            raise BotFailure(choice.fault)
        return choice.action

    async def wait_startable(self) -> None:
        """Wait while the process pauses after it could not be started, during which each decision fails."""
        await asyncio.sleep(max(0.0, self._retry_at - monotonic()))

    async def _started(self) -> WorkerChild:
        if self._process is not None and not self._process.has_ended:
            return self._process
        await self.stop()
        if monotonic() < self._retry_at:
            raise BotFailure("its process does not start")
        try:
            # Two nodes that answer the same decision have to give the same answer.
            environment = {**child_environment(), "PYTHONHASHSEED": "0"}
            self._process = await WorkerChild.start(self._command, environment)
            async with asyncio.timeout(START_SECONDS):
                await _read_message(self._process)
        except (OSError, EOFError, TimeoutError) as fault:
            await self.stop()
            # A program that cannot start would otherwise be started for each decision of each bot.
            self._retry_at = monotonic() + self._pause
            self._pause = min(2 * self._pause, MAX_START_PAUSE_SECONDS)
            log.error("process of bots does not start", extra={"why": type(fault).__name__})
            raise BotFailure("its process does not start") from None
        except BaseException:
            await self.stop()
            raise
        self._pause = 1.0
        return self._process

    async def stop(self) -> None:
        """Kill the process, if there is one, and wait until it is gone."""
        process, self._process = self._process, None
        if process is not None:
            await process.kill()


def _with_time(task: BotTask, seconds: int) -> BotTask:
    return msgspec.structs.replace(task, seconds=seconds)


async def _write_message(process: WorkerChild, raw: bytes) -> None:
    if len(raw) > MAX_TASK_BYTES:
        raise OSError("the match is too large for a bot")
    process.stdin.write(len(raw).to_bytes(LENGTH_BYTES, "big") + raw)
    await process.stdin.drain()


async def _read_message(process: WorkerChild) -> bytes:
    """Return the next message of a process. Raises EOFError at its end, OSError for one that is too long."""
    length = int.from_bytes(await process.stdout.readexactly(LENGTH_BYTES), "big")
    if length > MAX_CHOICE_BYTES:
        raise OSError("the answer is too long")
    return await process.stdout.readexactly(length)
