"""The process in which bots of a server think: it reads decisions from its standard input and writes their choices.

It knows the match as the seat may know it, and keeps nothing between two decisions. It ends when its input ends, when
its parent dies, and when a bot thinks longer than it may.
"""

import contextlib
import os
import random
import signal
import sys
import traceback
from collections.abc import Callable
from typing import BinaryIO

import msgspec

from diskwars_bots.chooser import Chooser
from diskwars_bots.installed_bots import installed_bots
from diskwars_bots.loader import load_installed
from diskwars_bots.process_limits import limit_process, take_standard_output
from diskwars_bots.rulesets.registry import find_bots, find_chooser_within
from diskwars_protocol.messages.bot_tasks import LENGTH_BYTES, MAX_TASK_BYTES, BotChoice, BotTask
from diskwars_protocol.rulesets.registry import RULESETS

_TASKS = msgspec.json.Decoder(BotTask)
_JSON = msgspec.json.Encoder()


def answer_tasks(tasks: BinaryIO, choices: BinaryIO, choose: Callable[[BotTask], BotChoice] | None = None) -> None:
    """Answer one decision after another until there are no more. An empty message comes first: it is ready."""
    _write_message(choices, b"")
    while (raw := _read_message(tasks)) is not None:
        task = _TASKS.decode(raw)
        # Without a handler the signal ends the process, also while a bot never returns to Python and no parent is left.
        signal.setitimer(signal.ITIMER_REAL, task.seconds)
        choice = (choose or choose_for)(task)
        signal.setitimer(signal.ITIMER_REAL, 0)
        _write_message(choices, _JSON.encode(choice))


def choose_for(task: BotTask) -> BotChoice:
    """Return what the bot of a task chooses. Whatever the bot raises becomes a fault."""
    try:
        vocabulary = RULESETS[task.ruleset]
        choose = _find_chooser(task)
        (decision,) = vocabulary.decode_decisions(bytes(task.decisions))
        options = vocabulary.decode_options(bytes(task.options))
        match = vocabulary.decode_match(bytes(task.match))
        action = choose(match, decision, options, random.Random(task.seed))
        return BotChoice(action=msgspec.Raw(_JSON.encode(action)))
    except Exception as fault:  # a bot may raise anything; its words may hold hidden cards
        frame = traceback.extract_tb(fault.__traceback__)[-1]
        return BotChoice(fault=f"{type(fault).__name__} at {os.path.basename(frame.filename)}:{frame.lineno}")


def _find_chooser(task: BotTask) -> Chooser:
    installed = installed_bots(task.ruleset)
    if task.bot in installed and task.bot not in find_bots(task.ruleset).choosers:
        return load_installed(installed[task.bot])
    return find_chooser_within(task.ruleset, task.bot, task.milliseconds)


def _read_message(source: BinaryIO) -> bytes | None:
    """Return the next message; None when the other end is gone or sends what no server sends."""
    length = int.from_bytes(source.read(LENGTH_BYTES), "big")
    if not 0 < length <= MAX_TASK_BYTES:
        return None
    raw = source.read(length)
    return raw if len(raw) == length else None


def _write_message(sink: BinaryIO, raw: bytes) -> None:
    sink.write(len(raw).to_bytes(LENGTH_BYTES, "big") + raw)
    sink.flush()


def main() -> None:
    limit_process()
    with take_standard_output() as choices, contextlib.suppress(BrokenPipeError):
        answer_tasks(sys.stdin.buffer, choices)


if __name__ == "__main__":
    main()
