"""The registry of what the client has of its own for each ruleset: secrets, checks of match files, the terminal.

The vocabularies themselves are registered in `diskwars_protocol.rulesets.registry`.
"""

from collections.abc import Callable
from importlib import import_module

from diskwars_client.plugs.terminal_ruleset import TerminalRuleset
from diskwars_client.rulesets.close_quarters.terminal_ruleset import CloseQuartersTerminal
from diskwars_client.rulesets.diskwars.card_promises import CardPromises
from diskwars_client.rulesets.diskwars.terminal_ruleset import DiskwarsTerminal
from diskwars_client.rulesets.pit.terminal_ruleset import PitTerminal
from diskwars_client.rulesets.regiments.order_promises import OrderPromises
from diskwars_client.rulesets.regiments.terminal_ruleset import RegimentsTerminal
from diskwars_client.seat_secrets import NoPromises, RulesetPromises
from diskwars_protocol.match.ids import MatchId

PROMISES: dict[str, Callable[[MatchId], RulesetPromises]] = {"diskwars": CardPromises, "regiments": OrderPromises}
"""By ruleset: what the secret actions of a seat bind the server to. A ruleset that is not named has no such secrets."""

FILE_CHECKS: dict[str, str] = {
    "diskwars": "diskwars_client.rulesets.diskwars.file_checks:DiskwarsFileChecks",
    "pit": "diskwars_client.rulesets.pit.file_checks:PitFileChecks",
    "close_quarters": "diskwars_client.rulesets.close_quarters.file_checks:CloseQuartersFileChecks",
    "regiments": "diskwars_client.rulesets.regiments.file_checks:RegimentsFileChecks",
}
"""By ruleset: the class that checks its match files, derived from `diskwars_client.plugs.file_checks.FileChecks`.

It is named and not imported, because a client that verifies nothing has to work without the engine.
"""

PICTURES: dict[str, str] = {
    name: f"diskwars_text.rulesets.{name}.picture:draw_board"
    for name in ("diskwars", "pit", "close_quarters", "regiments")
}
"""By ruleset: the function that draws its board as SVG, named, so that only those who draw load it."""

TERMINALS: dict[str, TerminalRuleset] = {
    "diskwars": DiskwarsTerminal(),
    "pit": PitTerminal(),
    "close_quarters": CloseQuartersTerminal(),
    "regiments": RegimentsTerminal(),
}
"""By ruleset: what a terminal shows and understands. Without an entry: numbered options, and structs as plain text."""


def find_terminal(ruleset: str) -> TerminalRuleset:
    """Return the texts and orders of a ruleset in a terminal."""
    return TERMINALS.get(ruleset) or TerminalRuleset()


def find_picture(ruleset: str) -> Callable[[object], str] | None:
    """Return what draws a board of a ruleset as SVG; None for one without pictures."""
    if ruleset not in PICTURES:
        return None
    module, _, name = PICTURES[ruleset].partition(":")
    draw: Callable[[object], str] = getattr(import_module(module), name)
    return draw


def new_promises(ruleset: str, match: MatchId) -> RulesetPromises:
    """Return the promises of one seat in a match of this ruleset."""
    return PROMISES.get(ruleset, NoPromises)(match)
