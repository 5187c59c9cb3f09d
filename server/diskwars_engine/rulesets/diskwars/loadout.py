"""Loadouts (R2): a starter army by its id, or a list of disks and cards, made complete and checked."""

from collections import Counter
from collections.abc import Mapping
from typing import TypeVar

from diskwars_engine.ruleset import Illegal, LoadoutCheck
from diskwars_engine.rulesets.diskwars.army_rules import ArmyFault, army_faults
from diskwars_engine.rulesets.diskwars.catalogue import Army, Catalogue
from diskwars_protocol.canonical import JsonPath, format_path
from diskwars_protocol.identifiers import Identified, NameIndex, NameNotFound
from diskwars_protocol.messages import LoadoutFault
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings, Loadout, Regiment
from diskwars_protocol.sealed import Sealed
from diskwars_protocol.suggestions import json_quote, suggest

PLACE = "$.action.loadout"
MAX_LISTED_FAULTS = 40
"""Faults that are listed one by one."""
DEFAULT_ARMY_NAME = "Own army"

T = TypeVar("T", bound=Identified)


def complete_loadout(catalogue: Catalogue, settings: DiskwarsSettings, entry: Loadout) -> Loadout:
    """Return the loadout with every part filled in. Raises `Illegal` with every fault of an illegal army."""
    army = find_army(catalogue, entry)
    if not army.name.isprintable() or army.name != army.name.strip():
        raise Illegal("bad_action", "a name is printable, without spaces at its ends", place=f"{PLACE}.name")
    faults = army_faults(army, catalogue.disks, catalogue.cards, settings.regiments)
    if faults:
        told = [str(fault) for fault in faults[:MAX_LISTED_FAULTS]]
        told += [f"and {len(faults) - MAX_LISTED_FAULTS} more"] * (len(faults) > MAX_LISTED_FAULTS)
        place = format_path(("action", "loadout", *faults[0].place))
        raise Illegal("illegal_army", "\n".join(told), faults[0].rule, place)
    return Loadout(army.id, army.regiments, army.hand, army.name)


def check_loadout(catalogue: Catalogue, settings: DiskwarsSettings, loadout: Loadout) -> LoadoutCheck:
    """Every fault of a loadout, each with its place in it; the complete loadout where there is none."""
    try:
        army = find_army(catalogue, loadout)
        faults = army_faults(army, catalogue.disks, catalogue.cards, settings.regiments)
        if not faults:
            return LoadoutCheck(complete_loadout(catalogue, settings, loadout))
    except Illegal as illegal:
        place = illegal.place.replace(PLACE, "$", 1)
        return LoadoutCheck(faults=(LoadoutFault(illegal.code, illegal.text, illegal.rule, place),))
    return LoadoutCheck(
        faults=tuple(
            LoadoutFault(
                fault.code, fault.problem, fault.rule, format_path(fault.place), fault.remedy, dict(fault.numbers)
            )
            for fault in faults
        )
    )


def find_army(catalogue: Catalogue, loadout: Loadout) -> Army:
    """The army of a loadout, legal or not. Raises `Illegal` where it names none."""
    id, regiments, hand, name = loadout.army, loadout.regiments, loadout.hand, loadout.name
    if isinstance(id, Sealed) or isinstance(name, Sealed):
        raise Illegal("bad_action", "an army has to be shown to the server", place=PLACE)
    if isinstance(regiments, Sealed) or isinstance(hand, Sealed):
        raise Illegal("bad_action", "an army has to be shown to the server", place=PLACE)
    if regiments:
        return _own_army(catalogue, Army(id, name or DEFAULT_ARMY_NAME, regiments, hand))
    known = catalogue.armies.get(id)
    if known is None:
        problem = f"there is no starter army {json_quote(id)}{suggest(id, catalogue.armies)}"
        raise Illegal("unknown_army", problem, place=f"{PLACE}.army")
    if hand and hand != known.hand:
        raise Illegal("not_legal", "a starter army has its own hand", "R2.6", f"{PLACE}.hand")
    return known


def _own_army(catalogue: Catalogue, army: Army) -> Army:
    """A list of disks and cards: an own army, or a starter army written out in full."""
    starter = [one for one in catalogue.armies.values() if one.id == army.id or one.name == army.name]
    if not starter and army.id:
        problem = f"there is no starter army {json_quote(army.id)}; leave the field out for an army of your own"
        raise Illegal("unknown_army", problem, place=f"{PLACE}.army")
    for one in starter:
        if (army.regiments, army.hand) != (one.regiments, one.hand):
            field = "army" if one.id == army.id else "name"
            problem = f"{json_quote(one.name)} is a starter army with other disks or cards; call yours something else"
            raise Illegal("not_legal", problem, place=f"{PLACE}.{field}")
        return one
    return army


def resolve_names(catalogue: Catalogue, typed: Loadout) -> tuple[Loadout, tuple[ArmyFault, ...]]:
    """The loadout with ids in place of display names, and a fault for each name that stands for several ids.

    What nobody knows stays as it was typed: `army_faults` names it, with its place.
    """
    if isinstance(typed.regiments, Sealed) or isinstance(typed.hand, Sealed) or isinstance(typed.name, Sealed):
        raise Illegal("bad_action", "an army has to be shown", place=PLACE)
    resolve = _Resolver()
    disks, cards = NameIndex("disk", catalogue.disks.values()), NameIndex("command card", catalogue.cards.values())
    regiments = tuple(
        Regiment(
            resolve(disks, regiment.hero, ("regiments", number, "hero")),
            tuple(
                resolve(disks, unit, ("regiments", number, "units", step)) for step, unit in enumerate(regiment.units)
            ),
        )
        for number, regiment in enumerate(typed.regiments)
    )
    hand = tuple(resolve(cards, card, ("hand", step)) for step, card in enumerate(typed.hand))
    army, name = typed.army, typed.name
    if not regiments and not army:
        army, name = resolve(NameIndex("starter army", catalogue.armies.values()), name, ("name",)), ""
    return Loadout(army, regiments, hand, name), tuple(resolve.faults)


def with_display_names(catalogue: Catalogue, army: Army) -> Loadout:
    """The army as people write it: display names, or ids where several entries have one name."""
    disks, cards = _display_names(catalogue.disks), _display_names(catalogue.cards)
    regiments = tuple(
        Regiment(disks.get(one.hero, one.hero), tuple(disks.get(unit, unit) for unit in one.units))
        for one in army.regiments
    )
    return Loadout(army.id, regiments, tuple(cards.get(card, card) for card in army.hand), army.name)


def _display_names(entries: Mapping[str, Identified]) -> dict[str, str]:
    copies = Counter(entry.name for entry in entries.values())
    return {id: entry.name if copies[entry.name] == 1 else id for id, entry in entries.items()}


class _Resolver:
    """Turns typed names into ids and gathers the ambiguous ones."""

    def __init__(self) -> None:
        self.faults: list[ArmyFault] = []

    def __call__(self, index: NameIndex[T], typed: str, place: JsonPath) -> str:
        try:
            return index.find(typed).id
        except NameNotFound as error:
            if error.candidates:
                text, _, remedy = error.problem.partition(": ")
                self.faults.append(
                    ArmyFault("R2.1", text, remedy, place, "ambiguous_name", {"found": len(error.candidates)})
                )
            return typed
