"""Options that verbs of several sections share."""

from collections.abc import Callable
from typing import TypeAlias

import click

from diskwars_cli import completion
from diskwars_cli.options.ruleset_verb import RULESET_FLAG
from diskwars_protocol.match.match_options import DEFAULT_RULESET
from diskwars_protocol.rulesets.registry import RULESETS

Callback: TypeAlias = Callable[..., int]

DEFAULT_URL = "ws://127.0.0.1:8765/ws"
OUTPUT_HELP = "File to write; - is standard output"
BOARD_HELP = "Print the map at the start of each round"
RULESET_NAMES = " or ".join([", ".join(list(RULESETS)[:-1]), *list(RULESETS)[-1:]])


def ruleset_option(text: str, default: str | None = DEFAULT_RULESET) -> Callable[[Callback], Callback]:
    return click.option(
        RULESET_FLAG, metavar="NAME", default=default, help=text, shell_complete=completion.complete_rulesets
    )


def match_options(callback: Callback) -> Callback:
    """Add the options for ruleset, players and settings."""
    for option in (
        click.option(
            "--option",
            "house_rules",
            multiple=True,
            metavar="NAME=VALUE",
            help="Override an option of the match, listed below (repeatable)",
            shell_complete=completion.complete_house_rules,
        ),
        click.option("--players", type=click.IntRange(2, 4), default=2, metavar="N", help="Number of players"),
        ruleset_option(f"Ruleset to play: {RULESET_NAMES}"),
    ):
        callback = option(callback)
    return callback


bots_option = click.option(
    "--bots",
    "--bot",
    metavar="A,B",
    default="",
    show_default=False,
    help="Bot of each seat: one of those below, or my_bot.py:choose; one counts for all",
    shell_complete=completion.complete_bots,
)

url_option = click.option("--url", metavar="URL", default=DEFAULT_URL, help="Address of the server")


server_option = click.option("--url", metavar="URL", help="Ask this server, as a guest, instead of the own database")
