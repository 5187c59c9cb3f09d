"""Options that `demo`, `simulate` and `play` share: ruleset, settings, bots and packs."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Literal, TypeVar

from msgspec import Struct

from diskwars_bots.chooser import Chooser
from diskwars_bots.loader import BotError, load_chooser
from diskwars_bots.rulesets.registry import find_bots
from diskwars_cli.command import CommandError
from diskwars_protocol.match_options import DEFAULT_RULESET
from diskwars_protocol.setting_options import SettingOption
from diskwars_server.settings import ServerSettings

ItemT = TypeVar("ItemT")


class MatchFlags(Struct, frozen=True, kw_only=True):
    """Number of players and rules of a match. `house_rules` are texts such as `pins=contact`."""

    settings: ServerSettings
    ruleset: str = DEFAULT_RULESET
    players: int = 2
    setup: Literal["quick", "full"] | None = None
    house_rules: tuple[str, ...] = ()


class BotMatchFlags(MatchFlags, frozen=True, kw_only=True):
    """Bots and armies of a match. `bots` and `armies` are comma-separated names or files."""

    bots: str = ""
    armies: str = ""
    regiments: int | None = None


def option_texts(option: SettingOption) -> list[str]:
    """Return the values of an option as the user types them, the default first; a range if they are not listed."""
    default = _value_text(option.default)
    if not option.values:
        return [default, _range_text(option)]
    return [default, *(text for text in map(_value_text, option.values) if text != default)]


def _range_text(option: SettingOption) -> str:
    if option.least is None or option.most is None:
        return "any number" if option.least is None else f"any number from {option.least}"
    return f"{option.least} to {option.most}"


def option_rows(options: Sequence[SettingOption]) -> list[tuple[str, str]]:
    """Return name and values of each option, for help."""
    return [(option.name, " or ".join(option_texts(option))) for option in options]


def _value_text(value: object) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def parse_settings(options: Sequence[SettingOption], texts: Sequence[str]) -> dict[str, object]:
    """Parse texts such as `pins=contact` into settings by name. Raises CommandError with the valid values."""
    settings: dict[str, object] = {}
    for text in texts:
        name, _, value = (part.strip() for part in text.partition("="))
        found = [option for option in options if option.name == name.replace("-", "_")]
        parsed = _parse_value(found[0], value) if found else None
        near = [] if found else get_close_matches(name, [option.name for option in options], 1)
        if near:
            raise CommandError(f'--option {text}: there is no option "{name}"; did you mean "{near[0]}"?')
        if parsed is None:
            offers = "; ".join(f"{option.name} {' or '.join(option_texts(option))}" for option in found or options)
            raise CommandError(f"--option {text}: expected {offers or 'no option: this ruleset has none'}")
        settings[found[0].name] = parsed
    return settings


def _parse_value(option: SettingOption, text: str) -> object:
    """Return the value that a text means; None if the option has no such value."""
    if option.values:
        return {_value_text(value): value for value in option.values}.get(text)
    if not text.isdecimal():
        return None
    number = int(text)
    is_too_small = option.least is not None and number < option.least
    is_too_large = option.most is not None and number > option.most
    return None if is_too_small or is_too_large else number


def parse_bot_names(options: BotMatchFlags) -> list[str]:
    """Return one bot name per seat; one name, or the ruleset's default, is used for all. Raises CommandError."""
    names = [name.strip() for name in (options.bots or find_bots(options.ruleset).default).split(",")]
    for name in names:
        find_chooser(name, options.ruleset)
    return one_per_seat(names, "bots", options.players)


def find_chooser(name: str, ruleset: str) -> Chooser:
    """Load a built-in bot or a function in the user's file. Raises CommandError."""
    try:
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
