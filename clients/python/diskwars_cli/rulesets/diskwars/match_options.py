"""Options of a Diskwars match: armies, house rules, packs."""

from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from diskwars_cli.console.command import CommandError, program_name
from diskwars_cli.plugs.match_options import BotMatchFlags, MatchFlags, one_per_seat
from diskwars_cli.plugs.setting_texts import parse_settings
from diskwars_cli.rulesets.diskwars.options import DISKWARS_OPTIONS
from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars.catalogue import Catalogue
from diskwars_engine.rulesets.diskwars.setup.loadout import complete_loadout, resolve_names
from diskwars_protocol.records.sealed import Sealed
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings, Loadout
from diskwars_text.rulesets.diskwars import army_text
from diskwars_text.rulesets.diskwars.lexer import NotationError

DEFAULT_REGIMENTS = DiskwarsSettings().regiments


@cache
def load_catalogue(packs: tuple[str, ...]) -> Catalogue:
    """Load the core set and these packs. Raises CommandError with every fault of a pack."""
    from diskwars_content.packs import PackError
    from diskwars_content.rulesets.diskwars import load_packs

    try:
        return load_packs(*packs).catalogue
    except PackError as fault:
        raise CommandError(str(fault)) from None


class DiskwarsFlags(Struct, frozen=True):
    """The options of Diskwars. `armies` are comma-separated names or files."""

    setup: Literal["quick", "full"] = "full"
    regiments: int | None = None
    armies: str = ""
    army: str = ""
    bot_army: str = ""
    pairings: bool = False


def diskwars_flags(options: MatchFlags) -> DiskwarsFlags:
    return msgspec.convert(dict(options.ruleset_values), DiskwarsFlags)


def match_settings(options: MatchFlags, regiments: int) -> DiskwarsSettings:
    """Return the settings of a match with `regiments` per army. Raises CommandError."""
    house_rules = parse_settings(DISKWARS_OPTIONS.free_settings(DiskwarsSettings), options.house_rules)
    settings = {"setup": diskwars_flags(options).setup, "regiments": regiments, **house_rules}
    return msgspec.convert(settings, DiskwarsSettings)


class ArmySelection(Struct, frozen=True):
    """The armies of all seats and the settings. `starter_names` are what to draw armies from if none are named."""

    armies: list[Loadout]
    starter_names: list[str]
    settings: DiskwarsSettings


def select_armies(options: BotMatchFlags) -> ArmySelection:
    """Load the armies that the options name. Raises CommandError, also for an illegal army."""
    catalogue, flags = load_catalogue(options.data.packs), diskwars_flags(options)
    named = [name.strip() for name in flags.armies.split(",")] if flags.armies else []
    armies = [find_army(name, catalogue) for name in named]
    count = flags.regiments or (regiment_count(armies[0], catalogue) if armies else DEFAULT_REGIMENTS)
    for name, army in zip(named, armies, strict=True):
        _check_army(name, army, count, catalogue)
    names = [army.id for army in catalogue.armies.values() if len(army.regiments) == count]
    if not armies and not names:
        raise CommandError(f"there is no starter army of {count} regiments; name files with --armies")
    settings = match_settings(options, count)
    return ArmySelection(one_per_seat(armies, "armies", options.players) if armies else [], names, settings)


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
        army = army_text.parse_army(Path(path).read_text("utf-8"))
        loadout, ambiguous = resolve_names(catalogue, army.loadout, army.name)
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
