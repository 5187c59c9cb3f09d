"""The acts of the `bot` verb with their options and help texts."""

from typing import TYPE_CHECKING

import click

from diskwars_cli.account.account_commands import server_options

if TYPE_CHECKING:
    from diskwars_cli.account.account import AccountServer

MAX_MATCHES = 40
"""At once; fewer than the seats whose secrets are kept."""


@click.group(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
def bot() -> None:
    """Keep a bot of yours online, with an account of its own."""


@bot.command("new")
@click.argument("folder", metavar="DIR")
@click.option("--ruleset", default="pit", metavar="NAME", help="Ruleset that the bot plays")
def new_bot(folder: str, ruleset: str) -> int:
    """Write a bot in a package into DIR: with its entry point, a test, and a page on how to run it."""
    from diskwars_cli.online_bots.bot_template import run_new

    return run_new(folder, ruleset)


@bot.command("serve")
@click.argument("chooser", metavar="BOT")
@click.option("--name", required=True, metavar="NAME", help="Name of the bot's account; the first start makes it")
@click.option(
    "--accept",
    "rules",
    metavar="RULE",
    multiple=True,
    required=True,
    help="What it plays (repeatable): RULESET or any, then :challenges (as if left out), :seats (free seats of public "
    "matches) or :both, then ,pace=live|days|no_clock and ,rated=yes|no",
)
@click.option(
    "--matches", "max_matches", type=click.IntRange(1, MAX_MATCHES), default=4, metavar="N", help="Matches at once"
)
@click.option(
    "--cpu", "cpu_percent", type=click.IntRange(1, 100), default=100, metavar="PERCENT", help="Share of one core"
)
@click.option("--army", metavar="NAME", help="Its army in Diskwars (default: a starter army)")
@click.option("--mark-account", is_flag=True, help="Mark an account that was there before as a bot's, for good")
@server_options
def serve_bot(
    chooser: str,
    name: str,
    rules: tuple[str, ...],
    max_matches: int,
    cpu_percent: int,
    army: str | None,
    mark_account: bool,
    server: "AccountServer",
) -> int:
    """Play what BOT accepts until Ctrl-C: challenges to its account, and free seats.

    BOT is my_bot.py:choose or the name of a bot. After a restart of this program, of the machine or of the server it
    goes on in its seats.
    """
    from diskwars_cli.online_bots.bot_service import BotServiceOptions, run_bot_service

    options = BotServiceOptions(chooser, name, rules, max_matches, cpu_percent, army, mark_account)
    return run_bot_service(server, options)
