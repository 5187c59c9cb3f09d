"""Options that `demo`, `simulate`, `league` and `play` share: ruleset, settings and bots."""

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec import Struct, field

from diskwars_bots.chooser import Chooser
from diskwars_bots.loader import BotError, load_chooser
from diskwars_bots.rulesets.registry import find_bots
from diskwars_cli.console.command import CommandError
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_cli.plugs.own_bots import LOAD_SECONDS, own_bot_limits
from diskwars_protocol.match.match_options import DEFAULT_RULESET

ItemT = TypeVar("ItemT")


class MatchFlags(Struct, frozen=True, kw_only=True):
    """Number of players and rules of a match.

    `house_rules` are texts such as `pins=contact`; `ruleset_values` are the options of the ruleset that were given.
    """

    data: DataOptions
    ruleset: str = DEFAULT_RULESET
    players: int = 2
    house_rules: tuple[str, ...] = ()
    ruleset_values: Mapping[str, Any] = field(default_factory=dict)


class BotMatchFlags(MatchFlags, frozen=True, kw_only=True):
    """Bots of a match: `bots` are comma-separated names or files."""

    bots: str = ""


def parse_bot_names(options: BotMatchFlags) -> list[str]:
    """Return one bot name per seat; one name, or the ruleset's default, is used for all. Raises CommandError."""
    names = [name.strip() for name in (options.bots or find_bots(options.ruleset).default).split(",")]
    for name in names:
        find_chooser(name, options.ruleset)
    return one_per_seat(names, "bots", options.players)


def find_chooser(name: str, ruleset: str) -> Chooser:
    """Load a built-in bot or a function in the user's file. Raises CommandError."""
    try:
        with own_bot_limits(name, "to be loaded", LOAD_SECONDS):
            return load_chooser(name, ruleset)
    except BotError as fault:
        raise CommandError(str(fault)) from None


def one_per_seat(names: list[ItemT], what: str, players: int) -> list[ItemT]:
    """Return the names if there is one for each seat, or the only one for all of them. Raises CommandError."""
    if len(names) == 1:
        return names * players
    if len(names) != players:
        raise CommandError(f"{len(names)} {what} for {players} seats")
    return names
