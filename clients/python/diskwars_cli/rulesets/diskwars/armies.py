"""Armies of Diskwars in the `army` verb: checked with every fault, shown as text, listed."""

import sys
from pathlib import Path

from msgspec.structs import replace

from diskwars_cli.console.command import EXIT_FAULTS, CommandError
from diskwars_cli.console.output import print_table
from diskwars_cli.console.signals import read_input
from diskwars_cli.plugs.army_tools import ArmyFlags, ArmyTools
from diskwars_cli.rulesets.diskwars.match_options import find_army, load_catalogue
from diskwars_engine.rulesets.diskwars.catalogue import Army, Catalogue, unspent_points
from diskwars_engine.rulesets.diskwars.setup.army_rules import army_faults
from diskwars_engine.rulesets.diskwars.setup.loadout import find_army as complete_army
from diskwars_engine.rulesets.diskwars.setup.loadout import resolve_names, with_display_names
from diskwars_protocol.rulesets.diskwars.actions import Loadout
from diskwars_text.rulesets.diskwars import army_text
from diskwars_text.rulesets.diskwars.army_text import ArmyText
from diskwars_text.rulesets.diskwars.lexer import NotationError


def _check_armies(source: str, flags: ArmyFlags) -> int:
    return check_file(source, load_catalogue(flags.data.packs), flags.values.get("regiments"))


def _show_army(source: str, flags: ArmyFlags) -> int:
    catalogue = load_catalogue(flags.data.packs)
    army = complete_army(catalogue, find_army(source, catalogue))
    name = army.name or army_text.parse_army(_read_text(source)).name
    return print_army(replace(army, name=name), catalogue, bool(flags.values.get("in_one_line")))


def _list_armies(flags: ArmyFlags) -> int:
    return print_starter_armies(load_catalogue(flags.data.packs))


# ---------------------------------------------------------------- check


def check_file(file: str, catalogue: Catalogue, regiments: int | None) -> int:
    """Print every fault of every army in a file, with its place; return the exit code."""
    armies, errors = army_text.parse_armies(_read_text(file))
    if not armies and not errors:
        raise CommandError(f"{file}: no army here")
    faulty = 0
    for number, army in enumerate(armies):
        end = armies[number + 1].place(())[0] if number + 1 < len(armies) else sys.maxsize
        begin = army.place(())[0] if number else 0
        lines = _army_faults(army, [error for error in errors if begin <= error.line < end], catalogue, regiments)
        faulty += bool(lines)
        print("\n".join([_army_heading(army, lines, catalogue), *lines]))
    if not armies:
        print("\n".join([f"{file}: no army can be read", *map(_error_line, errors)]))
    else:
        print(f"{_count_text(len(armies), 'army')}, {faulty or 'none'} with faults")
    return EXIT_FAULTS if faulty or errors else 0


def _read_text(file: str) -> str:
    try:
        return read_input().decode("utf-8") if file == "-" else Path(file).read_text("utf-8")
    except OSError as fault:
        raise CommandError(f"{file} cannot be read: {fault.strerror}") from None
    except UnicodeDecodeError as fault:
        raise CommandError(f"{file} is not a text in UTF-8: byte {fault.start} is not valid") from None


def _army_faults(army: ArmyText, errors: list[NotationError], catalogue: Catalogue, regiments: int | None) -> list[str]:
    """Return the faults of an army, syntax errors first: they may have caused the others."""
    resolved, ambiguous = resolve_names(catalogue, army.loadout, army.name)
    faults = (*ambiguous, *army_faults(_open_army(resolved), catalogue.disks, catalogue.cards, regiments))
    return [*map(_error_line, errors), *(_fault_line(*army.place(fault.place), str(fault)) for fault in faults)]


def _fault_line(line: int, column: int, text: str) -> str:
    return f"  {line}:{column}: {text}"


def _error_line(error: NotationError) -> str:
    return _fault_line(error.line, error.column, error.problem)


def _army_heading(army: ArmyText, faults: list[str], catalogue: Catalogue) -> str:
    name = army.name or f"army of line {army.place(())[0]}"
    if faults:
        return f"{name}: {_count_text(len(faults), 'fault')}"
    return f"{name}: legal, {_army_totals(_open_army(resolve_names(catalogue, army.loadout, army.name)[0]), catalogue)}"


def _open_army(loadout: Loadout) -> Army:
    """Convert a loadout that was parsed from text; nothing in it is sealed."""
    assert isinstance(loadout.army, str)
    assert isinstance(loadout.regiments, tuple)
    assert isinstance(loadout.hand, tuple)
    return Army(loadout.army, "", loadout.regiments, loadout.hand)


# ---------------------------------------------------------------- show and list


def print_army(army: Army, catalogue: Catalogue, in_one_line: bool) -> int:
    print(army_text.format_army(with_display_names(catalogue, army), army.name, in_one_line).rstrip())
    return 0


def print_starter_armies(catalogue: Catalogue) -> int:
    rows = [
        (
            army.name,
            len(army.regiments),
            len(army.disks),
            unspent_points(army, catalogue.disks),
            " and ".join(catalogue.disks[regiment.hero].name for regiment in army.regiments),
        )
        for army in sorted(catalogue.armies.values(), key=lambda army: (len(army.regiments), army.name))
    ]
    print_table(("army", "regiments", "disks", "unspent", "heroes"), rows)
    return 0


def _army_totals(army: Army, catalogue: Catalogue) -> str:
    """Summarise an army: `2 regiments, 11 disks, 1 point unspent`."""
    unspent = unspent_points(army, catalogue.disks)
    parts = [(len(army.regiments), "regiment"), (len(army.disks), "disk"), (unspent, "point")]
    return ", ".join(_count_text(number, noun) for number, noun in parts) + " unspent"


def _count_text(number: int, noun: str) -> str:
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{number} {noun if number == 1 else plural}"


DISKWARS_ARMIES = ArmyTools(_check_armies, _show_army, _list_armies)
