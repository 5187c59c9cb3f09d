"""The bots that a server started by this command can seat: those of each ruleset, in processes of their own."""

import re
from typing import TYPE_CHECKING

from diskwars_bots.installed_bots import installed_bots
from diskwars_bots.rulesets.registry import BOTS, RulesetBots
from diskwars_cli.plugs.file_programs import module_command
from diskwars_protocol.match.bot_identity import BOT_NAME_PATTERN

if TYPE_CHECKING:
    from diskwars_server.processes.bot_processes import BotProgram

BOT_PROCESS_MODULE = "diskwars_bots.bot_process"


def bot_program() -> "BotProgram":
    """Return the program of the bots, for `start_server` and `serve`. The server has to be installed."""
    from diskwars_server.processes.bot_processes import BotProgram

    return BotProgram(
        module_command(BOT_PROCESS_MODULE), {ruleset: _seatable_names(ruleset, bots) for ruleset, bots in BOTS.items()}
    )


def _seatable_names(ruleset: str, bots: RulesetBots) -> tuple[str, ...]:
    """Return the bots whose names fit into a player id, the usual one first; those of installed packages as well."""
    others = sorted({*bots.choosers, *installed_bots(ruleset)} - {bots.default})
    return tuple(name for name in (bots.default, *others) if re.match(BOT_NAME_PATTERN, name))
