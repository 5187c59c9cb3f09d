"""Rules of army building (R2): every violation in an army, and what would fix it.

It judges lists of names by the figures of their disks and cards.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from diskwars_engine.rulesets.diskwars.catalogue import Army
from diskwars_protocol.canonical import JsonPath
from diskwars_protocol.identifiers import id_title as _title
from diskwars_protocol.identifiers import is_id
from diskwars_protocol.rulesets.diskwars.actions import Regiment
from diskwars_protocol.rulesets.diskwars.stats import CommandCard, Profile, Size
from diskwars_protocol.suggestions import json_quote, suggest

MAX_REGIMENTS = 3
"""R2.1: how many regiments a large game has."""
MAX_COPIES: dict[Size, int] = {"small": 3, "medium": 2, "large": 1}
"""R2.4: how often a disk of each size may be in one regiment."""
MAX_ELITES = 1
"""R2.4: how many elite disks may be in one regiment."""
MAX_SUGGESTIONS = 20
"""Number of unknown names for which a similar one is suggested; each search takes time."""

Profiles: TypeAlias = Mapping[str, Profile]
Cards: TypeAlias = Mapping[str, CommandCard]


ArmyFaultCode: TypeAlias = Literal[
    "ambiguous_name",
    "unknown_disk_type",
    "unknown_card",
    "wrong_number_of_regiments",
    "not_a_hero",
    "second_hero",
    "wrong_faction",
    "wrong_race",
    "too_many_points",
    "too_few_small_disks",
    "too_many_copies",
    "too_many_elites",
    "unique_disk_repeated",
    "no_unique_hero",
    "wrong_number_of_cards",
    "card_repeated",
]


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
    """Everything that makes an army illegal; empty when it is legal. `count` is the number of regiments agreed on.

    A name that nothing bears is a fault of its own; of what hangs on its figures nothing is said.
    """
    return (
        *_count_faults(army, count),
        *_name_faults(army, profiles, cards),
        *(fault for number, one in enumerate(army.regiments) for fault in _regiment_faults(number, one, profiles)),
        *_faction_faults(army, profiles),
        *_unique_faults(army, profiles),
        *_hand_faults(army, profiles, cards),
    )


# ---------------------------------------------------------------- small things


def _count(number: int, noun: str) -> str:
    return f"{number} {noun if number == 1 else noun + 's'}"


def _unit_place(number: int, step: int) -> JsonPath:
    return ("regiments", number, "units", step)


def _disk_names(army: Army) -> Iterator[tuple[JsonPath, str]]:
    """Yield every disk of the list with its place."""
    for number, regiment in enumerate(army.regiments):
        yield ("regiments", number, "hero"), regiment.hero
        for step, name in enumerate(regiment.units):
            yield _unit_place(number, step), name


def _hero_name(regiment: Regiment, profiles: Profiles) -> str:
    hero = profiles.get(regiment.hero)
    return json_quote(hero.name if hero else regiment.hero)


def _heroes(army: Army, profiles: Profiles) -> list[Profile]:
    """Return those who lead a regiment, as far as they are known to be heroes."""
    found = [profiles[one.hero] for one in army.regiments if one.hero in profiles]
    return [profile for profile in found if profile.kind == "hero"]


def _last_index(names: Collection[str], wanted: Callable[[str], bool]) -> int:
    """Return where the last one stands for which something holds: that is the one to be left out."""
    return max(step for step, name in enumerate(names) if wanted(name))


# ---------------------------------------------------------------- the army as a whole


def _count_faults(army: Army, agreed: int | None) -> Iterator[ArmyFault]:
    """R2.1"""
    found, least, most = len(army.regiments), agreed or 1, agreed or MAX_REGIMENTS
    if not least <= found <= most:
        wanted = f"the players agreed on {agreed}" if agreed else f"there have to be {least} to {most}"
        mend = f"add {least - found}" if found < least else f"leave out {found - most}"
        place: JsonPath = ("regiments", most) if found > most else ("regiments",)  # the first that is too many
        numbers = {"found": found, "least": least, "most": most}
        problem = f"{_count(found, 'regiment')}, {wanted}"
        yield ArmyFault("R2.1", problem, mend, place, "wrong_number_of_regiments", numbers)


def _name_faults(army: Army, profiles: Profiles, cards: Cards) -> Iterator[ArmyFault]:
    """Yield a fault for each unknown name, once per name."""
    yield from _unknown_names("R2.1", "disk", "unknown_disk_type", _disk_names(army), profiles)
    yield from _unknown_names(
        "R2.6", "command card", "unknown_card", ((("hand", step), name) for step, name in enumerate(army.hand)), cards
    )


def _unknown_names(
    rule: str, what: str, code: ArmyFaultCode, named: Iterable[tuple[JsonPath, str]], known: Profiles | Cards
) -> Iterator[ArmyFault]:
    told: set[str] = set()
    ids = {entry.name: id for id, entry in known.items()}
    for place, name in named:
        if name not in known and name not in told:
            told.add(name)
            near = [ids[name]] if name in ids else list(known if is_id(name) else ids)
            hint = suggest(name, near).removeprefix("; ") if len(told) <= MAX_SUGGESTIONS else ""
            yield ArmyFault(rule, f"no {what} is called {json_quote(name)}", hint, place, code)


def _faction_faults(army: Army, profiles: Profiles) -> Iterator[ArmyFault]:
    """R2.3: the first hero says of which faction the army is."""
    heroes = _heroes(army, profiles)
    if not heroes:
        return
    faction = heroes[0].faction
    for number, regiment in enumerate(army.regiments):
        hero = profiles.get(regiment.hero)
        if hero and hero.kind == "hero" and hero.faction != faction:
            first, own = json_quote(heroes[0].name), _title(hero.faction)
            wrong = f"{json_quote(hero.name)} is of {own}, {first} and so the army of {_title(faction)}"
            place: JsonPath = ("regiments", number, "hero")
            yield ArmyFault("R2.3", wrong, f"take a hero of {_title(faction)}", place, "wrong_faction")
        for step, name in enumerate(regiment.units):
            unit = profiles.get(name)
            if unit and not unit.race and unit.faction != faction:
                wrong = f"{json_quote(unit.name)} is of {_title(unit.faction)}, the army of {_title(faction)}"
                yield ArmyFault("R2.3", wrong, "leave it out", _unit_place(number, step), "wrong_faction")


def _unique_faults(army: Army, profiles: Profiles) -> Iterator[ArmyFault]:
    """R2.5"""
    entries = list(_disk_names(army))
    for name, count in Counter(name for _, name in entries).items():
        if count > 1 and name in profiles and profiles[name].unique:
            place = [place for place, one in entries if one == name][-1]
            wrong = f"{count} copies of {json_quote(profiles[name].name)}, which is unique, in one army"
            numbers = {"found": count, "most": 1}
            yield ArmyFault("R2.5", wrong, f"leave out {count - 1}", place, "unique_disk_repeated", numbers)
    heroes = _heroes(army, profiles)
    if heroes and not any(hero.unique for hero in heroes) and len(heroes) == len(army.regiments):
        named = " nor ".join(json_quote(hero.name) for hero in heroes)
        wrong = f"neither {named} is a unique hero" if len(heroes) > 1 else f"{named} is no unique hero"
        remedy = "let a unique hero lead a regiment"
        yield ArmyFault("R2.5", wrong, remedy, ("regiments", 0, "hero"), "no_unique_hero")


# ---------------------------------------------------------------- one regiment


def _regiment_faults(number: int, regiment: Regiment, profiles: Profiles) -> Iterator[ArmyFault]:
    hero = profiles.get(regiment.hero)
    if hero and hero.kind != "hero":
        known = [profile.name for profile in profiles.values() if profile.kind == "hero" and profile.race == hero.race]
        mend = f"begin the regiment with one, such as {', '.join(map(json_quote, sorted(known)))}"
        place: JsonPath = ("regiments", number, "hero")
        yield ArmyFault("R2.1", f"{json_quote(hero.name)} is no hero", mend, place, "not_a_hero")
        hero = None
    units = [profiles[name] for name in regiment.units if name in profiles]
    yield from _unit_faults(number, regiment, hero, profiles)
    if hero:
        yield from _point_faults(number, hero, units)
    yield from _balance_faults(number, regiment, units, profiles)
    yield from _copy_faults(number, regiment, profiles)


def _unit_faults(number: int, regiment: Regiment, hero: Profile | None, profiles: Profiles) -> Iterator[ArmyFault]:
    """R2.1, R2.3: what may be in a regiment at all."""
    led_by = f"the regiment of {_hero_name(regiment, profiles)}"
    told: set[str] = set()
    for step, name in enumerate(regiment.units):
        unit = profiles.get(name)
        if unit is None or name in told:
            continue
        told.add(name)
        if unit.kind == "hero":
            wrong = f"{json_quote(unit.name)} is a second hero in {led_by}"
            remedy = "begin a regiment with that hero, or leave it out"
            yield ArmyFault("R2.1", wrong, remedy, _unit_place(number, step), "second_hero")
        elif hero and unit.race not in (hero.race, ""):
            recruits = f"{json_quote(hero.name)} recruits {_title(hero.race)}"
            wrong = f"{json_quote(unit.name)} is of {_title(unit.race)}, {recruits}"
            mend = f"give it to a hero of {_title(unit.race)}" if unit.faction == hero.faction else "leave it out"
            yield ArmyFault("R2.3", wrong, mend, _unit_place(number, step), "wrong_race")


def _point_faults(number: int, hero: Profile, units: Iterable[Profile]) -> Iterator[ArmyFault]:
    """R2.2"""
    cost = sum(unit.cost for unit in units)
    if cost > hero.points:
        wrong = f"the units of {json_quote(hero.name)} cost {cost}, the hero has {hero.points} recruitment points"
        remedy, numbers = f"leave out {cost - hero.points} points of cost", {"cost": cost, "points": hero.points}
        yield ArmyFault("R2.2", wrong, remedy, ("regiments", number), "too_many_points", numbers)


def _balance_faults(number: int, regiment: Regiment, units: list[Profile], profiles: Profiles) -> Iterator[ArmyFault]:
    """R2.4: a disk that nobody knows is taken for a small one."""
    sizes = Counter(unit.size for unit in units if unit.kind == "unit")
    greater = sizes["medium"] + sizes["large"]
    small = sizes["small"] + len(regiment.units) - len(units)
    if small < greater:
        missing = greater - small
        wrong = (
            f"{_count(small, 'small disk')} and {greater} medium or large in the regiment of "
            f"{_hero_name(regiment, profiles)}, "
            "which has to have as many small ones"
        )
        mend = f"add {missing} small or leave out {missing} of the others"
        numbers = {"small": small, "others": greater}
        yield ArmyFault("R2.4", wrong, mend, ("regiments", number), "too_few_small_disks", numbers)


def _copy_faults(number: int, regiment: Regiment, profiles: Profiles) -> Iterator[ArmyFault]:
    """R2.4"""
    for name, count in Counter(regiment.units).items():
        unit = profiles.get(name)
        if unit and unit.kind == "unit" and count > MAX_COPIES[unit.size]:
            most = MAX_COPIES[unit.size]
            wrong = f"{count} copies of {json_quote(unit.name)}, at most {most} of a {unit.size} disk in one regiment"
            place = _unit_place(number, _last_index(regiment.units, name.__eq__))
            numbers = {"found": count, "most": most}
            yield ArmyFault("R2.4", wrong, f"leave out {count - most}", place, "too_many_copies", numbers)
    elite = [name for name in regiment.units if name in profiles and profiles[name].elite]
    if len(elite) > MAX_ELITES:
        named = ", ".join(json_quote(profiles[name].name) for name in dict.fromkeys(elite))
        led_by = f"the regiment of {_hero_name(regiment, profiles)}"
        wrong = f"{len(elite)} elite disks in {led_by} ({named}), at most {MAX_ELITES}"
        place = _unit_place(number, _last_index(regiment.units, elite.__contains__))
        numbers = {"found": len(elite), "most": MAX_ELITES}
        yield ArmyFault("R2.4", wrong, f"leave out {len(elite) - MAX_ELITES}", place, "too_many_elites", numbers)


# ---------------------------------------------------------------- the command hand


def _hand_faults(army: Army, profiles: Profiles, cards: Cards) -> Iterator[ArmyFault]:
    """R2.6, R-37: any hero of the faction that a card requires is enough."""
    heroes = _heroes(army, profiles)
    wanted = sum(hero.command for hero in heroes)
    found = len(army.hand)
    if found != wanted and heroes and len(heroes) == len(army.regiments):
        values = " and ".join(f"{json_quote(hero.name)} {hero.command}" for hero in heroes)
        wrong = f"{_count(found, 'command card')}, the command values together are {wanted} ({values})"
        mend = f"add {wanted - found}" if found < wanted else f"leave out {found - wanted}"
        numbers = {"found": found, "wanted": wanted}
        yield ArmyFault("R2.6", wrong, mend, ("hand",), "wrong_number_of_cards", numbers)
    for name, count in Counter(army.hand).items():
        if count > 1 and name in cards:
            place = ("hand", _last_index(army.hand, name.__eq__))
            problem, numbers = f"{count} cards {json_quote(cards[name].name)}, at most 1", {"found": count, "most": 1}
            yield ArmyFault("R2.6", problem, f"leave out {count - 1}", place, "card_repeated", numbers)
    factions = {hero.faction for hero in heroes}
    for step, name in enumerate(army.hand):
        card = cards.get(name)
        if card and card.faction and factions and card.faction not in factions and name not in army.hand[:step]:
            wrong = f"{json_quote(card.name)} asks for a hero of {_title(card.faction)}"
            yield ArmyFault("R2.6", wrong, "take another card", ("hand", step), "wrong_faction")
