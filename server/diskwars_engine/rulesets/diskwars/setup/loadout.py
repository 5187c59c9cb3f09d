"""Completion and checking of loadouts (R2): a starter army by its id, or a list of disks and cards."""

from collections import Counter
from collections.abc import Mapping
from typing import TypeVar

from diskwars_engine.ruleset import Illegal, LoadoutCheck
from diskwars_engine.rulesets.diskwars.catalogue import Army, Catalogue
from diskwars_engine.rulesets.diskwars.setup.army_rules import ArmyFault, army_faults
from diskwars_protocol.identifiers import Identified, NameIndex, NameNotFound
from diskwars_protocol.messages.catalogues import LoadoutFault
from diskwars_protocol.records.canonical import JsonPath, format_path
from diskwars_protocol.records.sealed import Sealed
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings, Loadout, Regiment
from diskwars_protocol.suggestions import json_quote, suggest

PLACE = "$.action.loadout"
MAX_LISTED_FAULTS = 40
"""Faults that a refusal lists one by one."""

T = TypeVar("T", bound=Identified)


def complete_loadout(catalogue: Catalogue, settings: DiskwarsSettings, loadout: Loadout) -> Loadout:
    """Fill in every part of a loadout. Raises `Illegal` with all faults of an illegal army."""
    army = find_army(catalogue, loadout)
    faults = army_faults(army, catalogue.disks, catalogue.cards, settings.regiments)
    if faults:
        lines = [str(fault) for fault in faults[:MAX_LISTED_FAULTS]]
        lines += [f"and {len(faults) - MAX_LISTED_FAULTS} more"] * (len(faults) > MAX_LISTED_FAULTS)
        place = format_path(("action", "loadout", *faults[0].place))
        raise Illegal("illegal_army", "\n".join(lines), faults[0].rule, place)
    return Loadout(army.id, army.regiments, army.hand)


def check_loadout(catalogue: Catalogue, settings: DiskwarsSettings, loadout: Loadout) -> LoadoutCheck:
    """Return the complete loadout, or every fault of it with its place in the loadout."""
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
    """Return the army of a loadout, legal or not. Raises `Illegal` if the loadout names none."""
    id, regiments, hand = loadout.army, loadout.regiments, loadout.hand
    if isinstance(id, Sealed) or isinstance(regiments, Sealed) or isinstance(hand, Sealed):
        raise Illegal("bad_action", "an army has to be shown to the server", place=PLACE)
    if regiments:
        return _own_army(catalogue, Army(id, "", regiments, hand))
    known = catalogue.armies.get(id)
    if known is None:
        problem = f"there is no starter army {json_quote(id)}{suggest(id, catalogue.armies)}"
        raise Illegal("unknown_army", problem, place=f"{PLACE}.army")
    if hand and hand != known.hand:
        raise Illegal("not_legal", "a starter army has its own hand", "R2.6", f"{PLACE}.hand")
    return known


def _own_army(catalogue: Catalogue, army: Army) -> Army:
    """Return a listed army, or the starter army that it spells out in full.

    An army of a player's own must not use the id of a starter army, because opponents take it for the printed list.
    Raises `Illegal`.
    """
    if not army.id:
        return army
    starter = catalogue.armies.get(army.id)
    if starter is None:
        problem = f"there is no starter army {json_quote(army.id)}; leave the field out for an army of your own"
        raise Illegal("unknown_army", problem, place=f"{PLACE}.army")
    if (army.regiments, army.hand) != (starter.regiments, starter.hand):
        problem = f"{json_quote(starter.name)} is a starter army with other disks or cards; leave out its id"
        raise Illegal("not_legal", problem, place=f"{PLACE}.army")
    return starter


def resolve_names(catalogue: Catalogue, typed: Loadout, name: str = "") -> tuple[Loadout, tuple[ArmyFault, ...]]:
    """Replace display names in a loadout by ids, and report each name that stands for several ids.

    A loadout without regiments is the starter army called `name`. Unknown names stay as typed, so that `army_faults`
    reports them with their places.
    """
    if isinstance(typed.regiments, Sealed) or isinstance(typed.hand, Sealed):
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
    army = typed.army
    if not regiments and not army:
        army = resolve(NameIndex("starter army", catalogue.armies.values()), name, ("name",))
    return Loadout(army, regiments, hand), tuple(resolve.faults)


def with_display_names(catalogue: Catalogue, army: Army) -> Loadout:
    """Return an army as people write it: with display names, or ids where several entries share a name."""
    disks, cards = _display_names(catalogue.disks), _display_names(catalogue.cards)
    regiments = tuple(
        Regiment(disks.get(regiment.hero, regiment.hero), tuple(disks.get(unit, unit) for unit in regiment.units))
        for regiment in army.regiments
    )
    return Loadout(army.id, regiments, tuple(cards.get(card, card) for card in army.hand))


def _display_names(entries: Mapping[str, Identified]) -> dict[str, str]:
    copies = Counter(entry.name for entry in entries.values())
    return {id: entry.name if copies[entry.name] == 1 else id for id, entry in entries.items()}


class _Resolver:
    """Lookup of typed names that collects a fault for each ambiguous one."""

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
