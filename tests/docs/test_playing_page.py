"""The page for players quotes commands that exist and orders that the prompt understands, and leaves none out."""

import re
import shlex
from pathlib import Path

from diskwars_cli.commands.command_line import cli
from diskwars_client.rulesets.diskwars.terminal_ruleset import HELP_TEXT, DiskwarsTerminal
from tests.rows import each_row

PAGE = (Path(__file__).parents[2] / "docs" / "playing.md").read_text()
COMMANDS = sorted(set(re.findall(r"^\./dev [^#\n]*|`(\./dev [^`]*)`", PAGE, re.M)) - {""}) + re.findall(
    r"^\./dev [^#\n]*", PAGE, re.M
)
ORDERS = re.findall(r"^> (\S.*)$", PAGE, re.M)
ORDER_WORDS = {
    *(word for entry in DiskwarsTerminal.information_orders for word in entry.split()),
    *("move", "shoot", "focus", "use", "bring", "pass", "end", "place", "lay", "put", "default", "yes"),
}


def test_page_quotes_a_session() -> None:
    assert len(ORDERS) >= 8
    assert len(COMMANDS) >= 10


@each_row("command", COMMANDS)
def test_every_command_of_the_page_can_be_parsed(command: str) -> None:
    verb, *words = shlex.split(command)[1:]
    context = cli.commands[verb].make_context(verb, words)
    assert context.info_name == verb


@each_row("order", ORDERS)
def test_every_order_of_the_page_is_one_of_the_prompt(order: str) -> None:
    assert order.split()[0] in ORDER_WORDS


@each_row("word", sorted({*DiskwarsTerminal.information_orders} - {"options", "help", "quit"}))
def test_every_order_that_shows_something_is_explained(word: str) -> None:
    assert f"`{word}" in PAGE
    assert word.split()[0] in HELP_TEXT
