"""Messages between a server and the processes in which its bots think: one decision, and the answer to it.

They are no part of the wire protocol: server and process are always of the same version.
"""

from msgspec import Raw, Struct

from diskwars_protocol.schema_types import ABSENT

MAX_TASK_BYTES = 16 * 1024 * 1024
MAX_CHOICE_BYTES = 64 * 1024
LENGTH_BYTES = 4
"""Before each message: its length, the most significant byte first."""


class BotTask(Struct, frozen=True, gc=False):
    """One decision of a bot: all that its process ever learns of the match.

    `match` is the match as the seat may know it, like the snapshot that a client gets. `decisions` holds the decision
    alone. `seed` makes the random numbers of the bot, and nothing else. After `seconds`
    the process ends itself. A bot that searches does so for `milliseconds` at most, because others wait for the same
    process.
    """

    ruleset: str
    bot: str
    seed: str
    seconds: int
    milliseconds: int
    match: Raw
    decisions: Raw
    options: Raw


class BotChoice(Struct, frozen=True, gc=False, omit_defaults=True):
    """The action that a bot has chosen, or `fault`: the kind of error and where, never its own words."""

    action: Raw = ABSENT
    fault: str = ""
