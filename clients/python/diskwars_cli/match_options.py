"""Options that `demo`, `simulate` and `play` share: house rules, bots, armies and packs."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Literal, TypeVar, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import FieldInfo, fields

from diskwars_bots.chooser import Chooser
from diskwars_bots.loader import BotError, load_chooser
from diskwars_cli.command import CommandError, program_name
from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars.catalogue import Catalogue
from diskwars_engine.rulesets.diskwars.loadout import complete_loadout, resolve_names
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings, Loadout
from diskwars_protocol.sealed import Sealed
from diskwars_server.settings import ServerSettings
from diskwars_text import army_text
from diskwars_text.lexer import NotationError

ItemT = TypeVar("ItemT")


class MatchFlags(Struct, frozen=True, kw_only=True):
    """Number of players and rules of a match. `house_rules` are texts such as `pins=contact`."""

    settings: ServerSettings
    players: int = 2
    setup: Literal["quick", "full"] = "full"
    house_rules: tuple[str, ...] = ()


class BotMatchFlags(MatchFlags, frozen=True, kw_only=True):
    """Bots and armies of a match. `bots` and `armies` are comma-separated names or files."""

    bots: str = "greedy"
    armies: str = ""
    regiments: int | None = None


@cache
def load_catalogue(packs: tuple[str, ...]) -> Catalogue:
    """Load the core set and these packs. Raises CommandError with every fault of a pack."""
    from diskwars_content import PackError, load_packs

    try:
        return load_packs(*packs).catalogue
    except PackError as fault:
        raise CommandError(str(fault)) from None


HOUSE_RULES = [field for field in fields(DiskwarsSettings) if field.name not in ("setup", "regiments")]
"""Settings of a match that have no option of their own."""


def house_rule_values(rule: FieldInfo) -> list[str]:
    """Return the values of a house rule as the user types them, the default first."""
    default = _value_text(rule.default)
    return [default, *(value for value in _values(rule) if value != default)]


def house_rule_rows() -> list[tuple[str, str]]:
    return [(rule.name, " or ".join(house_rule_values(rule))) for rule in HOUSE_RULES]


def _values(rule: FieldInfo) -> dict[str, object]:
    kind = get_args(rule.type)[0]  # Annotated, with its range and text
    return {"yes": True, "no": False} if kind is bool else {value: value for value in get_args(kind)}


def _value_text(value: object) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def parse_house_rules(texts: Sequence[str]) -> dict[str, object]:
    """Parse texts such as `pins=contact` into settings by name. Raises CommandError with the valid values."""
    settings: dict[str, object] = {}
    for text in texts:
        name, _, value = (part.strip() for part in text.partition("="))
        rules = [rule for rule in HOUSE_RULES if rule.name == name.replace("-", "_")]
        if not rules or value not in _values(rules[0]):
            offers = "; ".join(f"{rule.name} {' or '.join(house_rule_values(rule))}" for rule in rules or HOUSE_RULES)
            raise CommandError(f"--option {text}: expected {offers}")
        settings[rules[0].name] = _values(rules[0])[value]
    return settings


def match_settings(options: MatchFlags, regiments: int) -> DiskwarsSettings:
    """Return the settings of a match with `regiments` per army. Raises CommandError."""
    given = {"setup": options.setup, "regiments": regiments, **parse_house_rules(options.house_rules)}
    return msgspec.convert(given, DiskwarsSettings)


def parse_bot_names(text: str, players: int, ruleset: str = "diskwars") -> list[str]:
    """Return one bot name per seat; a single name is used for all seats. Raises CommandError."""
    names = [name.strip() for name in text.split(",")]
    for name in names:
        find_chooser(name, ruleset)
    return _one_per_seat(names, "bots", players)


def find_chooser(name: str, ruleset: str = "diskwars") -> Chooser:
    """Load a built-in bot or a function in the user's file. Raises CommandError."""
    try:
        return load_chooser(name, ruleset)
    except BotError as fault:
        raise CommandError(str(fault)) from None


class ArmySelection(Struct, frozen=True):
    """The armies of all seats and the settings. `starter_names` are what to draw armies from if none are named."""

    armies: list[Loadout]
    starter_names: list[str]
    settings: DiskwarsSettings


def select_armies(options: BotMatchFlags) -> ArmySelection:
    """Load the armies that the options name. Raises CommandError, also for an illegal army."""
    catalogue = load_catalogue(options.settings.pack)
    named = [name.strip() for name in options.armies.split(",")] if options.armies else []
    armies = [find_army(name, catalogue) for name in named]
    count = options.regiments or (regiment_count(armies[0], catalogue) if armies else 1)
    for name, army in zip(named, armies, strict=True):
        _check_army(name, army, count, catalogue)
    names = [army.id for army in catalogue.armies.values() if len(army.regiments) == count]
    if not armies and not names:
        raise CommandError(f"there is no starter army of {count} regiments; name files with --armies")
    settings = match_settings(options, count)
    return ArmySelection(_one_per_seat(armies, "armies", options.players) if armies else [], names, settings)


def find_army(text: str, catalogue: Catalogue) -> Loadout:
    """Find an army: a file, or a starter army by id, by name, or by the beginning of its name.

    Case does not matter. Raises CommandError if there is none or the name is ambiguous.
    """
    if Path(text).is_file():
        return _read_army_file(text, catalogue)
    starters = sorted(catalogue.armies.values(), key=lambda army: army.name)
    names = [army.name for army in starters]
    matching = [army for army in starters if text.lower() in (army.id, army.name.lower())]
    matching = matching or [army for army in starters if army.name.lower().startswith(text.lower())]
    labels = [army.name if names.count(army.name) == 1 else army.id for army in matching]
    if len(labels) > 1 and text:
        raise CommandError(f"army {text!r} is ambiguous: {' or '.join(labels)}")
    if not labels or not text:
        raise CommandError(f"there is no army {text!r}, and no such file; there are {', '.join(names)}")
    return Loadout(matching[0].id)


def regiment_count(army: Loadout, catalogue: Catalogue) -> int:
    """Return the number of regiments of an army, given by name or as a list."""
    listed = () if isinstance(army.regiments, Sealed) else army.regiments
    starter = catalogue.armies.get(str(army.army))
    return len(listed or (starter.regiments if starter else ()))


def _read_army_file(path: str, catalogue: Catalogue) -> Loadout:
    try:
        loadout, ambiguous = resolve_names(catalogue, army_text.parse_army(Path(path).read_text("utf-8")))
        if ambiguous:
            raise CommandError(f"{path}: {ambiguous[0]}")
        return loadout
    except NotationError as error:
        problem = f"{path}:{error.line}:{error.column}: {error.problem}"
        raise CommandError(f"{problem} (`{program_name()} army check {path}` lists every fault)") from None
    except (OSError, UnicodeDecodeError) as fault:
        raise CommandError(f"{path} cannot be read: {fault}") from None


def _check_army(name: str, army: Loadout, count: int, catalogue: Catalogue) -> None:
    """Check an army as the server would. Raises CommandError with the first fault."""
    try:
        complete_loadout(catalogue, DiskwarsSettings(regiments=count), army)
    except Illegal as illegal:
        first, *more = illegal.text.splitlines()
        raise CommandError(f"{name}: {first}" + f" (and {len(more)} more)" * bool(more)) from None


def _one_per_seat(names: list[ItemT], what: str, players: int) -> list[ItemT]:
    if len(names) == 1:
        return names * players
    if len(names) != players:
        raise CommandError(f"{len(names)} {what} for {players} seats")
    return names
