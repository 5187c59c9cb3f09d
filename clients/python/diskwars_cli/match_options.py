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
    """How many play, and by which rules. `house_rules` are texts such as `pins=contact`."""

    settings: ServerSettings
    players: int = 2
    setup: Literal["quick", "full"] = "full"
    house_rules: tuple[str, ...] = ()


class BotMatchFlags(MatchFlags, frozen=True, kw_only=True):
    """Which bots play with which armies: names, or files of armies, with commas between."""

    bots: str = "greedy"
    armies: str = ""
    regiments: int | None = None


@cache
def load_catalogue(packs: tuple[str, ...]) -> Catalogue:
    """Return the core set and these packs. Raises CommandError with every fault of a pack."""
    from diskwars_content import PackError, load_packs

    try:
        return load_packs(*packs).catalogue
    except PackError as fault:
        raise CommandError(str(fault)) from None


HOUSE_RULES = [field for field in fields(DiskwarsSettings) if field.name not in ("setup", "regiments")]
"""Settings of a match that have no option of their own."""


def house_rule_values(rule: FieldInfo) -> list[str]:
    """Return the values of a house rule as they are typed, the default first."""
    default = _value_text(rule.default)
    return [default, *(value for value in _values(rule) if value != default)]


def house_rule_rows() -> list[tuple[str, str]]:
    return [(rule.name, " or ".join(house_rule_values(rule))) for rule in HOUSE_RULES]


def _values(rule: FieldInfo) -> dict[str, object]:
    kind = get_args(rule.type)[0]  # Annotated, with its range and text
    return {"yes": True, "no": False} if kind is bool else {value: value for value in get_args(kind)}


def _value_text(value: object) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def parse_house_rules(given: Sequence[str]) -> dict[str, object]:
    """Values by the names of `DiskwarsSettings`. Raises CommandError with what is valid."""
    found: dict[str, object] = {}
    for text in given:
        name, _, value = (part.strip() for part in text.partition("="))
        rules = [rule for rule in HOUSE_RULES if rule.name == name.replace("-", "_")]
        if not rules or value not in _values(rules[0]):
            offers = "; ".join(f"{rule.name} {' or '.join(house_rule_values(rule))}" for rule in rules or HOUSE_RULES)
            raise CommandError(f"--option {text}: expected {offers}")
        found[rules[0].name] = _values(rules[0])[value]
    return found


def match_settings(options: MatchFlags, regiments: int) -> DiskwarsSettings:
    """Return the settings of a match with this many regiments a side. Raises CommandError."""
    given = {"setup": options.setup, "regiments": regiments, **parse_house_rules(options.house_rules)}
    return msgspec.convert(given, DiskwarsSettings)


def parse_bot_names(text: str, players: int) -> list[str]:
    """Return the bots of all seats; one name counts for all. Raises CommandError."""
    names = [name.strip() for name in text.split(",")]
    for name in names:
        find_chooser(name)
    return _one_per_seat(names, "bots", players)


def find_chooser(name: str) -> Chooser:
    """Return the bot of this name, or the function of the user's file. Raises CommandError."""
    try:
        return load_chooser(name)
    except BotError as fault:
        raise CommandError(str(fault)) from None


class ArmySelection(Struct, frozen=True):
    """The armies of all seats and what they play by; where none are named, `names` to draw some from."""

    armies: list[Loadout]
    starter_names: list[str]
    settings: DiskwarsSettings


def select_armies(options: BotMatchFlags) -> ArmySelection:
    """Return the armies that the options name. Raises CommandError, also for an army that is not legal."""
    catalogue = load_catalogue(options.settings.pack)
    named = [name.strip() for name in options.armies.split(",")] if options.armies else []
    found = [find_army(name, catalogue) for name in named]
    count = options.regiments or (regiment_count(found[0], catalogue) if found else 1)
    for name, army in zip(named, found, strict=True):
        _check_army(name, army, count, catalogue)
    names = [army.id for army in catalogue.armies.values() if len(army.regiments) == count]
    if not found and not names:
        raise CommandError(f"there is no starter army of {count} regiments; name files with --armies")
    settings = match_settings(options, count)
    return ArmySelection(_one_per_seat(found, "armies", options.players) if found else [], names, settings)


def find_army(text: str, catalogue: Catalogue) -> Loadout:
    """The army in the file of this name, or the starter army whose name this is, or begins with this in any case.

    Raises CommandError.
    """
    if Path(text).is_file():
        return _read_army_file(text, catalogue)
    starters = sorted(catalogue.armies.values(), key=lambda army: army.name)
    known = [army.name for army in starters]
    chosen = [army for army in starters if text.lower() in (army.id, army.name.lower())]
    chosen = chosen or [army for army in starters if army.name.lower().startswith(text.lower())]
    found = [army.name if known.count(army.name) == 1 else army.id for army in chosen]
    if len(found) > 1 and text:
        raise CommandError(f"the army {text!r} may be {' or '.join(found)}")
    if not found or not text:
        raise CommandError(f"there is no army {text!r}, and no such file; there are {', '.join(known)}")
    return Loadout(chosen[0].id)


def regiment_count(army: Loadout, catalogue: Catalogue) -> int:
    """Return how many an army has, named or listed."""
    listed = () if isinstance(army.regiments, Sealed) else army.regiments
    known = catalogue.armies.get(str(army.army))
    return len(listed or (known.regiments if known else ()))


def _read_army_file(path: str, catalogue: Catalogue) -> Loadout:
    try:
        loadout, ambiguous = resolve_names(catalogue, army_text.parse_army(Path(path).read_text("utf-8")))
        if ambiguous:
            raise CommandError(f"{path}: {ambiguous[0]}")
        return loadout
    except NotationError as error:
        problem = f"{path}:{error.line}:{error.column}: {error.problem}"
        raise CommandError(f"{problem} (`{program_name()} army check {path}` tells all)") from None
    except (OSError, UnicodeDecodeError) as fault:
        raise CommandError(f"{path} cannot be read: {fault}") from None


def _check_army(name: str, army: Loadout, count: int, catalogue: Catalogue) -> None:
    """What the server would say, said before it is asked."""
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
