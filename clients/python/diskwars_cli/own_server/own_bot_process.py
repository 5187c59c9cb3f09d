"""A process in which a bot thinks for `play` or `demo`: one decision after another from standard input."""

import os
import random
import signal
import sys

import msgspec

from diskwars_bots.bot_process import answer_tasks
from diskwars_bots.loader import BotError, load_chooser
from diskwars_cli.plugs.own_bots import DECISION_SECONDS, LOAD_SECONDS, limit_own_bot, own_bot_limits
from diskwars_protocol.messages.bot_tasks import BotChoice, BotTask
from diskwars_protocol.rulesets.registry import RULESETS

_JSON = msgspec.json.Encoder()


def choose_with_own_bot(task: BotTask) -> BotChoice:
    """Return what the bot of a task chooses; what a user's bot does wrong becomes a fault that names its file."""
    vocabulary = RULESETS[task.ruleset]
    (decision,) = vocabulary.decode_decisions(bytes(task.decisions))
    options, match = vocabulary.decode_options(bytes(task.options)), vocabulary.decode_match(bytes(task.match))
    try:
        with own_bot_limits(task.bot, "to be loaded", LOAD_SECONDS):
            chooser = load_chooser(task.bot, task.ruleset)  # from memory after the first time
        choose = limit_own_bot(chooser, task.bot, DECISION_SECONDS)
        action = choose(match, decision, options, random.Random(task.seed))
        return BotChoice(action=msgspec.Raw(_JSON.encode(action)))
    except BotError as fault:
        return BotChoice(fault=" ".join(str(fault).split()))
    except BaseException as fault:  # KeyboardInterrupt, and what cannot be written as JSON
        return BotChoice(fault=f"{task.bot}: {type(fault).__name__}: {fault}")


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in the terminal is for the player
    choices = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what programs print that a bot starts is no choice
    answer_tasks(sys.stdin.buffer, choices, choose_with_own_bot)


if __name__ == "__main__":
    main()
