"""Loadouts of players (R2): a starter army by name, or a list of their own, completed and checked."""

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars.army_rules import army_faults
from diskwars_engine.rulesets.diskwars.catalogue import Army, Catalogue
from diskwars_protocol.canonical import format_path
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings, Loadout
from diskwars_protocol.sealed import Sealed
from diskwars_protocol.suggestions import json_quote, suggest

PLACE = "$.action.loadout"
MAX_LISTED_FAULTS = 40
"""Faults that are listed one by one."""
DEFAULT_ARMY_NAME = "Own army"


def complete_loadout(catalogue: Catalogue, settings: DiskwarsSettings, entry: Loadout) -> Loadout:
    """Return the loadout with every part filled in. Raises `Illegal` with every fault of an illegal army."""
    army = find_army(catalogue, entry)
    if not army.name.isprintable() or army.name != army.name.strip():
        raise Illegal("bad_action", "a name is printable, without spaces at its ends", place=f"{PLACE}.army")
    faults = army_faults(army, catalogue.disks, catalogue.cards, settings.regiments)
    if faults:
        told = [str(fault) for fault in faults[:MAX_LISTED_FAULTS]]
        told += [f"and {len(faults) - MAX_LISTED_FAULTS} more"] * (len(faults) > MAX_LISTED_FAULTS)
        place = format_path(("action", "loadout", *faults[0].place))
        raise Illegal("illegal_army", "\n".join(told), faults[0].rule, place)
    return Loadout(army.name, army.regiments, army.hand)


def find_army(catalogue: Catalogue, entry: Loadout) -> Army:
    """Return the army of a loadout, legal or not. Raises `Illegal` if it names none."""
    name, regiments, hand = entry.army, entry.regiments, entry.hand
    if isinstance(name, Sealed) or isinstance(regiments, Sealed) or isinstance(hand, Sealed):
        raise Illegal("bad_action", "an army has to be shown to the server", place=PLACE)
    known = catalogue.armies.get(name)
    if regiments:
        if known is not None and (regiments, hand) != (known.regiments, known.hand):
            problem = f"{json_quote(name)} is a starter army, and another one; call yours something else"
            raise Illegal("not_legal", problem, place=f"{PLACE}.army")
        return Army(name or DEFAULT_ARMY_NAME, regiments, hand)
    if known is None:
        problem = f"no starter army is called {json_quote(name)}{suggest(name, catalogue.armies)}"
        raise Illegal("unknown_army", problem, place=f"{PLACE}.army")
    if hand and hand != known.hand:
        raise Illegal("not_legal", "a starter army has its own hand", "R2.6", f"{PLACE}.hand")
    return known
