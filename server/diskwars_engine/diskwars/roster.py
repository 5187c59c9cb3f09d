"""What may be brought to the table: the catalogue of disks and cards, the keywords they may bear, and legal armies.

Must not know where a catalogue comes from, nor anything of a match under way.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from diskwars_protocol.diskwars.figures import CommandCard, Field, Pack, Profile, Size, Symbol
from diskwars_protocol.diskwars.scenery import DeploymentCard, Scenario, TerrainCard

Faction: TypeAlias = Literal["Order", "Destruction"]

COPIES: dict[Size, int] = {"small": 3, "medium": 2, "large": 1}
"""R2.4: how often a disk of each size may be in one regiment."""

ELITES = 1
"""R2.4: how many elite disks may be in one regiment."""


class Army(Struct, frozen=True):
    """One regiment: its disks by name, hero first, and the command hand. `unspent` recruitment points help at R3.2."""

    name: str
    faction: Faction
    disks: tuple[str, ...]
    hand: tuple[str, ...]
    unspent: int


class Catalogue(Struct, frozen=True):
    """All that content packs offer. `sizes` are diameters, `copies` how often a disk is in the box.

    `pack` is the one whose table is played on, `others` are those that are played with it.
    """

    pack: Pack
    field: Field
    sizes: Mapping[Size, int]
    battle_die: tuple[Symbol, ...]
    disks: Mapping[str, Profile]
    copies: Mapping[str, int]
    cards: Mapping[str, CommandCard]
    armies: Mapping[str, Army]
    scenarios: Mapping[str, Scenario] = {}
    deployments: Mapping[str, DeploymentCard] = {}
    terrain: Mapping[str, TerrainCard] = {}
    others: tuple[Pack, ...] = ()


# ---------------------------------------------------------------- keywords


class Shape(Struct, frozen=True):
    """How a keyword is printed: with an amount or without, and what it may be `of` (empty = nothing)."""

    amount: bool = False
    of: tuple[str, ...] = ()


SPEED_OF = ("strength", "counter", "both")
DAMAGE_OF = ("physical", "arcane")  # R13.1: untyped damage is matched by no typed keyword

KEYWORDS: dict[str, Shape] = {
    "Emplace": Shape(),
    "Flank": Shape(),
    "Flying": Shape(),
    "Frenzy": Shape(),
    "Guard": Shape(amount=True),
    "Immune": Shape(of=(*DAMAGE_OF, "ranged")),
    "Impact": Shape(amount=True),
    "Magic": Shape(amount=True),
    "Mobile": Shape(),
    "Poison": Shape(),
    "Relentless": Shape(),
    "Resistant": Shape(of=DAMAGE_OF),
    "Scout": Shape(),
    "Slow": Shape(of=SPEED_OF),
    "Stalwart": Shape(),
    "Strider": Shape(),
    "Swift": Shape(of=SPEED_OF),
}


GROUND: dict[str, Shape] = {
    "Blocks Sight": Shape(),
    "Cave": Shape(),
    "Cover": Shape(),
    "Dangerous": Shape(of=DAMAGE_OF),
    "Defensive": Shape(),
    "Fortified": Shape(),
    "High Ground": Shape(),
    "Rough": Shape(),
    "Windmill": Shape(),
}
"""The keywords of terrain (R10)."""


def words_of(profile: Profile) -> tuple[str, ...]:
    """What a text may call a disk by when it names whom it works on: traits, race, kind, name."""
    return (*profile.traits, profile.race, profile.kind, profile.name)


# ---------------------------------------------------------------- legal armies


def unspent(disks: tuple[str, ...], profiles: Mapping[str, Profile]) -> int:
    """R2.2: the hero's recruitment points less the costs of the units. Negative when they cost too much."""
    hero, *units = (profiles[name] for name in disks)
    return hero.points - sum(unit.cost for unit in units)


def army_faults(army: Army, profiles: Mapping[str, Profile], cards: Mapping[str, CommandCard]) -> tuple[str, ...]:
    """Everything that makes an army of one regiment illegal, in words; empty when it is legal."""
    unknown = [f'no disk is called "{name}"' for name in army.disks if name not in profiles]
    unknown += [f'no command card is called "{name}"' for name in army.hand if name not in cards]
    if unknown:
        return tuple(unknown)
    if not army.disks or profiles[army.disks[0]].kind != "hero":
        return ("the first disk has to be a hero",)
    hero, *units = (profiles[name] for name in army.disks)
    return (
        *_recruiting_faults(army, hero, units),
        *_size_faults(units),
        *_hand_faults(army, hero, [cards[name] for name in army.hand]),
    )


def _recruiting_faults(army: Army, hero: Profile, units: list[Profile]) -> Iterator[str]:
    if not hero.unique:  # R2.5
        yield f"{hero.name} is not a unique hero"
    cost = sum(unit.cost for unit in units)
    if cost > hero.points:  # R2.2
        yield f"its units cost {cost}, {hero.name} recruits for {hero.points}"
    if hero.points - cost != army.unspent:
        yield f"{army.unspent} points are called unspent, {hero.points - cost} are"
    if hero.faction != army.faction:  # R2.3
        yield f"{hero.name} is of {hero.faction}, the army of {army.faction}"
    for unit in units:
        if unit.kind != "unit":  # R2.1
            yield f"{unit.name} is a second hero"
        elif unit.faction != army.faction:  # R2.3
            yield f"{unit.name} is of {unit.faction}, the army of {army.faction}"
        elif unit.race not in (hero.race, ""):  # R2.3
            yield f"{unit.name} is of {unit.race}, {hero.name} recruits {hero.race}"


def _size_faults(units: list[Profile]) -> Iterator[str]:
    small = sum(unit.size == "small" for unit in units)
    if small < len(units) - small:  # R2.4
        yield f"{small} small disks are fewer than {len(units) - small} medium and large ones"
    for name, count in Counter(unit.name for unit in units).items():
        unit = next(unit for unit in units if unit.name == name)
        most = 1 if unit.unique else COPIES[unit.size]  # R2.4, R2.5
        if count > most:
            yield f"{count} copies of {name}, at most {most} of a {'unique' if unit.unique else unit.size} disk"
    elites = sum(unit.elite for unit in units)
    if elites > ELITES:  # R2.4
        yield f"{elites} elite disks, at most {ELITES}"


def _hand_faults(army: Army, hero: Profile, hand: list[CommandCard]) -> Iterator[str]:
    if len(hand) != hero.command:  # R2.6
        yield f"{len(hand)} command cards, {hero.name} has a command value of {hero.command}"
    for name, count in Counter(army.hand).items():
        if count > 1:  # R2.6
            yield f"{count} times the command card {name}, at most once"
    for card in hand:
        if card.faction not in (hero.faction, ""):  # R2.6
            yield f"the command card {card.name} is for {card.faction} only"
