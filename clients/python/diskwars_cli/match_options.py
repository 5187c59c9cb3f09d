"""Options of bots and armies that `demo`, `simulate` and `play` share."""

import argparse
import os
from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from diskwars_bots.chooser import Chooser
from diskwars_bots.loader import BotError, load_chooser
from diskwars_cli.command import CommandError, Options, program_name
from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars.catalogue import Catalogue
from diskwars_engine.rulesets.diskwars.loadout import complete_loadout, resolve_names
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings, Loadout
from diskwars_protocol.sealed import Sealed
from diskwars_protocol.setting_options import SettingOption, setting_options
from diskwars_server.settings import add_options, parse_settings
from diskwars_text import army_text
from diskwars_text.lexer import NotationError

PLAYER_COUNTS = (2, 3, 4)
ItemT = TypeVar("ItemT")


def add_pack_options(parser: argparse.ArgumentParser) -> None:
    add_options(parser, "pack")


def selected_packs(options: Options) -> tuple[str, ...]:
    """Return what `--pack` or the environment names."""
    return parse_settings(options, os.environ).pack


def load_catalogue(options: Options) -> Catalogue:
    """Return what is played with: the core set, and what `--pack` or the environment name. Raises CommandError."""
    return load_catalogue_with(selected_packs(options))


@cache
def load_catalogue_with(packs: tuple[str, ...]) -> Catalogue:
    """Raise CommandError with every fault of a pack."""
    from diskwars_content import PackError, load_packs

    try:
        return load_packs(*packs).catalogue
    except PackError as fault:
        raise CommandError(str(fault)) from None


def add_bot_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--bots",
        metavar="A,B",
        default="greedy",
        help="who plays: random, greedy, or a function of yours as my_bot.py:choose, for each seat",
    )


def add_match_options(parser: argparse.ArgumentParser) -> None:
    """How many sit around it, and how it is set up."""
    parser.add_argument(
        "--players", type=int, choices=PLAYER_COUNTS, default=PLAYER_COUNTS[0], help="how many play (2)"
    )
    parser.add_argument(
        "--setup",
        choices=["quick", "full"],
        default="full",
        help="quick leaves out scenarios, deployment cards and terrain (full)",
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=f"override a house rule (repeatable): {'; '.join(_option_values_text())}",
    )


RULE_OPTIONS = [option for option in setting_options(DiskwarsSettings) if option.name not in ("setup", "regiments")]
"""Those that have no word of their own on the command line."""


def _option_values_text() -> list[str]:
    """`pins strict or contact`, the default first."""
    values = {option.name: [_option_value_text(value) for value in option.values] for option in RULE_OPTIONS}
    usual = {field.name: _option_value_text(field.default) for field in RULE_OPTIONS}
    return [
        f"{name} {' or '.join([usual[name], *(word for word in words if word != usual[name])])}"
        for name, words in values.items()
    ]


def _option_value_text(value: object) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def parse_rule_options(options: Options) -> dict[str, object]:
    """Return what `--option` says, by the names of `Settings`. Raises CommandError with what may be said."""
    found: dict[str, object] = {}
    for given in options.option:
        name, _, word = given.partition("=")
        field = next((field for field in RULE_OPTIONS if field.name == name.strip().replace("-", "_")), None)
        words = {} if field is None else _option_values(field)
        if field is None or word.strip() not in words:
            offers = [one for one in _option_values_text() if field is None or one.split()[0] == field.name]
            raise CommandError(f"--option {given}: there {'are' if len(offers) > 1 else 'is'} {'; '.join(offers)}")
        found[field.name] = words[word.strip()]
    return found


def _option_values(option: SettingOption) -> dict[str, object]:
    return {_option_value_text(value): value for value in option.values}


def match_settings(options: Options, count: int) -> DiskwarsSettings:
    """Return the settings from `--setup` and `--option` for this many regiments a side. Raises CommandError."""
    return msgspec.convert(
        {"setup": options.setup, "regiments": count, **parse_rule_options(options)}, DiskwarsSettings
    )


def add_army_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--armies",
        metavar="A,B",
        default="",
        help="the armies of all seats: starter armies, by name or its beginning, or files (see the verb army)",
    )
    parser.add_argument(
        "--regiments", type=int, choices=[1, 2, 3], help="how many each army has, when none is named (1)"
    )


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


def select_armies(options: Options) -> ArmySelection:
    """Return what `--armies`, `--regiments`, `--players` and `--setup` say.

    Raises CommandError, also for an army that is not legal.
    """
    catalogue = load_catalogue(options)
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
    known = sorted(catalogue.armies.values(), key=lambda army: army.name)
    found = [army for army in known if text.lower() in (army.id, army.name.lower())]
    found = found or [army for army in known if army.name.lower().startswith(text.lower()) or army.id.startswith(text)]
    if len(found) > 1 and text:
        same_name = len({army.name for army in found}) < len(found)
        raise CommandError(f"the army {text!r} may be {' or '.join(a.id if same_name else a.name for a in found)}")
    if not found or not text:
        raise CommandError(
            f"there is no army {text!r}, and no such file; there are {', '.join(army.name for army in known)}"
        )
    return Loadout(found[0].id)


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
