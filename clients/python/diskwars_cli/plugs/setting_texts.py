"""Settings of a ruleset as texts, the way `--option` takes them: `pins=contact`."""

from collections.abc import Sequence
from difflib import get_close_matches

from diskwars_cli.console.command import CommandError
from diskwars_protocol.match.ruleset_settings import RulesetSetting


def option_texts(option: RulesetSetting) -> list[str]:
    """Return the values of an option as the user types them, the default first; a range if they are not listed."""
    default = _value_text(option.default)
    if not option.values:
        return [default, _range_text(option)]
    return [default, *(text for text in map(_value_text, option.values) if text != default)]


def _range_text(option: RulesetSetting) -> str:
    if option.least is None or option.most is None:
        return "any number" if option.least is None else f"any number from {option.least}"
    return f"{option.least} to {option.most}"


def _value_text(value: object) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def parse_settings(options: Sequence[RulesetSetting], texts: Sequence[str]) -> dict[str, object]:
    """Parse texts such as `pins=contact` into settings by name. Raises CommandError with the valid values."""
    settings: dict[str, object] = {}
    for text in texts:
        name, _, value = (part.strip() for part in text.partition("="))
        named = [option for option in options if option.id == name.replace("-", "_")]
        parsed = _parse_value(named[0], value) if named else None
        near = [] if named else get_close_matches(name, [option.id for option in options], 1)
        if near:
            raise CommandError(f'--option {text}: there is no option "{name}"; did you mean "{near[0]}"?')
        if parsed is None:
            offers = "; ".join(f"{option.id} {' or '.join(option_texts(option))}" for option in named or options)
            problem = "expected" if named else "not set by --option, which sets"
            raise CommandError(f"--option {text}: {problem} {offers or 'nothing in this ruleset'}")
        settings[named[0].id] = parsed
    return settings


def _parse_value(option: RulesetSetting, text: str) -> object:
    """Return the value that a text means; None if the option has no such value."""
    if option.values:
        return {_value_text(value): value for value in option.values}.get(text)
    if not text.isdecimal():
        return None
    number = int(text)
    is_too_small = option.least is not None and number < option.least
    is_too_large = option.most is not None and number > option.most
    return None if is_too_small or is_too_large else number
