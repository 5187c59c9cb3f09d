"""Rules of army building (R2): finds every violation in an army, and what would fix it.

An army is a list of ids; it is judged by the profiles of its disks and the figures of its cards.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct

from diskwars_engine.rulesets.diskwars.catalogue import Army
from diskwars_protocol.identifiers import id_title as _title
from diskwars_protocol.identifiers import is_id
from diskwars_protocol.records.canonical import JsonPath
from diskwars_protocol.rulesets.diskwars.actions import Regiment
from diskwars_protocol.rulesets.diskwars.refusals import ArmyFaultCode
from diskwars_protocol.rulesets.diskwars.stats import CommandCard, Profile, Size
from diskwars_protocol.suggestions import json_quote, suggest

MAX_REGIMENTS = 3
"""R2.1: number of regiments in a large game."""
MAX_COPIES: dict[Size, int] = {"small": 3, "medium": 2, "large": 1}
"""R2.4: copies of a disk, by size, that one regiment may have."""
MAX_ELITES = 1
"""R2.4: elite disks that one regiment may have."""
MAX_SUGGESTIONS = 8
"""Unknown names for which a similar one is suggested. Bounded, because each search compares all known names: 20 disks
and 20 cards took 5 ms, and anybody may have an army checked."""

Profiles: TypeAlias = Mapping[str, Profile]
Cards: TypeAlias = Mapping[str, CommandCard]


class ArmyFault(Struct, frozen=True):
    """One violation: the rule, what breaks it, what would fix it, and where in the list it is.

    `numbers` are those of `problem` and `remedy`, for pages that write their own sentences.
    """

    rule: str
    problem: str
    remedy: str
    place: JsonPath
    code: ArmyFaultCode
    numbers: Mapping[str, int] = {}

    def __str__(self) -> str:
        return f"{self.rule}: {self.problem}; {self.remedy}" if self.remedy else f"{self.rule}: {self.problem}"


def army_faults(army: Army, profiles: Profiles, cards: Cards, count: int | None = None) -> tuple[ArmyFault, ...]:
    """List everything that makes an army illegal; empty when it is legal. `count` is the agreed number of regiments.

    An unknown name is one fault. Rules that would need its figures are not applied, so that one misspelled name
    does not produce a list of further faults.
    """
    return (
        *_count_faults(army, count),
        *_name_faults(army, profiles, cards),
        *(
            fault
            for number, regiment in enumerate(army.regiments)
            for fault in _regiment_faults(number, regiment, profiles)
        ),
        *_faction_faults(army, profiles),
        *_unique_faults(army, profiles),
        *_hand_faults(army, profiles, cards),
    )


# ---------------------------------------------------------------- names and places


def _count(number: int, noun: str) -> str:
    return f"{number} {noun if number == 1 else noun + 's'}"


def _unit_place(number: int, step: int) -> JsonPath:
    return ("regiments", number, "units", step)


def _disk_names(army: Army) -> Iterator[tuple[JsonPath, str]]:
    """Yield the place and the id of every disk in an army."""
    for number, regiment in enumerate(army.regiments):
        yield ("regiments", number, "hero"), regiment.hero
        for step, name in enumerate(regiment.units):
            yield _unit_place(number, step), name


def _hero_name(regiment: Regiment, profiles: Profiles) -> str:
    hero = profiles.get(regiment.hero)
    return json_quote(hero.name if hero else regiment.hero)


def _heroes(army: Army, profiles: Profiles) -> list[Profile]:
    """List the profiles of the regiments' heroes, without unknown names and disks that are no heroes."""
    leaders = [profiles[regiment.hero] for regiment in army.regiments if regiment.hero in profiles]
    return [profile for profile in leaders if profile.kind == "hero"]


def _last_index(names: Collection[str], matches: Callable[[str], bool]) -> int:
    """Return the index of the last name that matches: the one to leave out."""
    return max(step for step, name in enumerate(names) if matches(name))


# ---------------------------------------------------------------- the army as a whole


def _count_faults(army: Army, agreed: int | None) -> Iterator[ArmyFault]:
    """Check the number of regiments (R2.1)."""
    count, least, most = len(army.regiments), agreed or 1, agreed or MAX_REGIMENTS
    if not least <= count <= most:
        expected = f"the players agreed on {agreed}" if agreed else f"there have to be {least} to {most}"
        remedy = f"add {least - count}" if count < least else f"leave out {count - most}"
        place: JsonPath = ("regiments", most) if count > most else ("regiments",)  # the first that is too many
        numbers = {"found": count, "least": least, "most": most}
        problem = f"{_count(count, 'regiment')}, {expected}"
        yield ArmyFault("R2.1", problem, remedy, place, "wrong_number_of_regiments", numbers)


def _name_faults(army: Army, profiles: Profiles, cards: Cards) -> Iterator[ArmyFault]:
    """Check that every disk and every card is known; an unknown name is reported once."""
    yield from _unknown_names("R2.1", "disk", "unknown_disk_type", _disk_names(army), profiles)
    yield from _unknown_names(
        "R2.6", "command card", "unknown_card", ((("hand", step), name) for step, name in enumerate(army.hand)), cards
    )


def _unknown_names(
    rule: str, what: str, code: ArmyFaultCode, named: Iterable[tuple[JsonPath, str]], known: Profiles | Cards
) -> Iterator[ArmyFault]:
    reported: set[str] = set()
    ids = {entry.name: id for id, entry in known.items()}
    for place, name in named:
        if name not in known and name not in reported:
            reported.add(name)
            # A display name in place of an id has only one id that can be meant.
            candidates = [ids[name]] if name in ids else list(known if is_id(name) else ids)
            hint = suggest(name, candidates).removeprefix("; ") if len(reported) <= MAX_SUGGESTIONS else ""
            yield ArmyFault(rule, f"no {what} is called {json_quote(name)}", hint, place, code)


def _faction_faults(army: Army, profiles: Profiles) -> Iterator[ArmyFault]:
    """Check that all disks are of one faction, that of the first hero (R2.3)."""
    heroes = _heroes(army, profiles)
    if not heroes:
        return
    faction = heroes[0].faction
    for number, regiment in enumerate(army.regiments):
        hero = profiles.get(regiment.hero)
        if hero and hero.kind == "hero" and hero.faction != faction:
            first, own = json_quote(heroes[0].name), _title(hero.faction)
            problem = f"{json_quote(hero.name)} is of {own}, {first} and so the army of {_title(faction)}"
            place: JsonPath = ("regiments", number, "hero")
            yield ArmyFault("R2.3", problem, f"take a hero of {_title(faction)}", place, "wrong_faction")
        for step, name in enumerate(regiment.units):
            unit = profiles.get(name)
            if unit and not unit.race and unit.faction != faction:
                problem = f"{json_quote(unit.name)} is of {_title(unit.faction)}, the army of {_title(faction)}"
                yield ArmyFault("R2.3", problem, "leave it out", _unit_place(number, step), "wrong_faction")


def _unique_faults(army: Army, profiles: Profiles) -> Iterator[ArmyFault]:
    """Check that unique disks occur once and that a unique hero leads the army (R2.5)."""
    disks = list(_disk_names(army))
    for name, count in Counter(name for _, name in disks).items():
        if count > 1 and name in profiles and profiles[name].unique:
            place = [place for place, disk in disks if disk == name][-1]
            problem = f"{count} copies of {json_quote(profiles[name].name)}, which is unique, in one army"
            numbers = {"found": count, "most": 1}
            yield ArmyFault("R2.5", problem, f"leave out {count - 1}", place, "unique_disk_repeated", numbers)
    heroes = _heroes(army, profiles)
    # A leader who is unknown or no hero is a fault already, and the one that replaces it may be unique.
    if heroes and not any(hero.unique for hero in heroes) and len(heroes) == len(army.regiments):
        names = " nor ".join(json_quote(hero.name) for hero in heroes)
        problem = f"neither {names} is a unique hero" if len(heroes) > 1 else f"{names} is no unique hero"
        remedy = "let a unique hero lead a regiment"
        yield ArmyFault("R2.5", problem, remedy, ("regiments", 0, "hero"), "no_unique_hero")


# ---------------------------------------------------------------- one regiment


def _regiment_faults(number: int, regiment: Regiment, profiles: Profiles) -> Iterator[ArmyFault]:
    hero = profiles.get(regiment.hero)
    if hero and hero.kind != "hero":
        heroes = [profile.name for profile in profiles.values() if profile.kind == "hero" and profile.race == hero.race]
        remedy = f"begin the regiment with one, such as {', '.join(map(json_quote, sorted(heroes)))}"
        place: JsonPath = ("regiments", number, "hero")
        yield ArmyFault("R2.1", f"{json_quote(hero.name)} is no hero", remedy, place, "not_a_hero")
        hero = None  # races and points cannot be checked without one
    units = [profiles[name] for name in regiment.units if name in profiles]
    yield from _unit_faults(number, regiment, hero, profiles)
    if hero:
        yield from _point_faults(number, hero, units)
    yield from _balance_faults(number, regiment, units, profiles)
    yield from _copy_faults(number, regiment, profiles)


def _unit_faults(number: int, regiment: Regiment, hero: Profile | None, profiles: Profiles) -> Iterator[ArmyFault]:
    """Check that a regiment has no second hero (R2.1) and only units that its hero may recruit (R2.3)."""
    led_by = f"the regiment of {_hero_name(regiment, profiles)}"
    checked: set[str] = set()
    for step, name in enumerate(regiment.units):
        unit = profiles.get(name)
        if unit is None or name in checked:
            continue
        checked.add(name)
        if unit.kind == "hero":
            problem = f"{json_quote(unit.name)} is a second hero in {led_by}"
            remedy = "begin a regiment with that hero, or leave it out"
            yield ArmyFault("R2.1", problem, remedy, _unit_place(number, step), "second_hero")
        elif hero and unit.race is not None and unit.race != hero.race:
            recruits = f"{json_quote(hero.name)} recruits {_title(hero.race or 'no race')}"
            problem = f"{json_quote(unit.name)} is of {_title(unit.race)}, {recruits}"
            remedy = f"give it to a hero of {_title(unit.race)}" if unit.faction == hero.faction else "leave it out"
            yield ArmyFault("R2.3", problem, remedy, _unit_place(number, step), "wrong_race")


def _point_faults(number: int, hero: Profile, units: Iterable[Profile]) -> Iterator[ArmyFault]:
    """Check that the hero's recruitment points pay for the units (R2.2)."""
    cost = sum(unit.cost for unit in units)
    if cost > hero.points:
        problem = f"the units of {json_quote(hero.name)} cost {cost}, the hero has {hero.points} recruitment points"
        remedy, numbers = f"leave out {cost - hero.points} points of cost", {"cost": cost, "points": hero.points}
        yield ArmyFault("R2.2", problem, remedy, ("regiments", number), "too_many_points", numbers)


def _balance_faults(number: int, regiment: Regiment, units: list[Profile], profiles: Profiles) -> Iterator[ArmyFault]:
    """Check that a regiment has a small disk for each larger one (R2.4).

    Unknown disks count as small, so that a misspelled name is not reported twice.
    """
    sizes = Counter(unit.size for unit in units if unit.kind == "unit")
    greater = sizes["medium"] + sizes["large"]
    small = sizes["small"] + len(regiment.units) - len(units)
    if small < greater:
        missing = greater - small
        problem = (
            f"{_count(small, 'small disk')} and {greater} medium or large in the regiment of "
            f"{_hero_name(regiment, profiles)}, "
            "which needs at least one small disk for each larger one"
        )
        remedy = f"add {missing} small or leave out {missing} of the others"
        numbers = {"small": small, "others": greater}
        yield ArmyFault("R2.4", problem, remedy, ("regiments", number), "too_few_small_disks", numbers)


def _copy_faults(number: int, regiment: Regiment, profiles: Profiles) -> Iterator[ArmyFault]:
    """Check the copies of each disk and the number of elite disks in a regiment (R2.4)."""
    for name, count in Counter(regiment.units).items():
        unit = profiles.get(name)
        if unit and unit.kind == "unit" and count > MAX_COPIES[unit.size]:
            most = MAX_COPIES[unit.size]
            problem = f"{count} copies of {json_quote(unit.name)}, at most {most} of a {unit.size} disk in one regiment"
            place = _unit_place(number, _last_index(regiment.units, name.__eq__))
            numbers = {"found": count, "most": most}
            yield ArmyFault("R2.4", problem, f"leave out {count - most}", place, "too_many_copies", numbers)
    elite = [name for name in regiment.units if name in profiles and profiles[name].elite]
    if len(elite) > MAX_ELITES:
        names = ", ".join(json_quote(profiles[name].name) for name in dict.fromkeys(elite))
        led_by = f"the regiment of {_hero_name(regiment, profiles)}"
        problem = f"{len(elite)} elite disks in {led_by} ({names}), at most {MAX_ELITES}"
        place = _unit_place(number, _last_index(regiment.units, elite.__contains__))
        numbers = {"found": len(elite), "most": MAX_ELITES}
        yield ArmyFault("R2.4", problem, f"leave out {len(elite) - MAX_ELITES}", place, "too_many_elites", numbers)


# ---------------------------------------------------------------- the command hand


def _hand_faults(army: Army, profiles: Profiles, cards: Cards) -> Iterator[ArmyFault]:
    """Check the size of the command hand, repeated cards and the factions of the cards (R2.6).

    R-37: one hero of the faction that a card requires is enough.
    """
    heroes = _heroes(army, profiles)
    needed = sum(hero.command for hero in heroes)
    count = len(army.hand)
    # The number of cards is only known when every regiment has a hero.
    if count != needed and heroes and len(heroes) == len(army.regiments):
        values = " and ".join(f"{json_quote(hero.name)} {hero.command}" for hero in heroes)
        problem = f"{_count(count, 'command card')}, the command values together are {needed} ({values})"
        remedy = f"add {needed - count}" if count < needed else f"leave out {count - needed}"
        numbers = {"found": count, "wanted": needed}
        yield ArmyFault("R2.6", problem, remedy, ("hand",), "wrong_number_of_cards", numbers)
    for name, count in Counter(army.hand).items():
        if count > 1 and name in cards:
            place = ("hand", _last_index(army.hand, name.__eq__))
            problem, numbers = f"{count} cards {json_quote(cards[name].name)}, at most 1", {"found": count, "most": 1}
            yield ArmyFault("R2.6", problem, f"leave out {count - 1}", place, "card_repeated", numbers)
    factions = {hero.faction for hero in heroes}
    for step, name in enumerate(army.hand):
        card = cards.get(name)
        if card and card.faction and factions and card.faction not in factions and name not in army.hand[:step]:
            problem = f"{json_quote(card.name)} asks for a hero of {_title(card.faction)}"
            yield ArmyFault("R2.6", problem, "take another card", ("hand", step), "wrong_faction")
