"""In which tables does a pack write its disks, cards, armies and rulers, and where does each figure come from?

One struct per table. A struct with a `basis` says of each of its figures whether a source states it, whether it follows
from one, or whether we chose it. Must not know which figures are allowed, nor how files are read.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_engine.rulesets.diskwars.catalogue import Army
from diskwars_protocol.rulesets.diskwars.actions import Regiment
from diskwars_protocol.rulesets.diskwars.stats import (
    Ability,
    Amount,
    CommandCard,
    Damage,
    Effect,
    Field,
    Keyword,
    Profile,
    Reach,
    Shot,
    Size,
    Strategy,
    Symbol,
    When,
)

Word: TypeAlias = Literal["stated", "implied", "house", "own"]
Basis: TypeAlias = Word | dict[str, Word]
"""One word for all figures of a table, or a word for each.

`stated` or `implied` by a source, `house`, our choice, or `own`, that of a player who has the cardboard before him.
"""

Faction: TypeAlias = Literal["Order", "Destruction"]
Entries: TypeAlias = tuple[dict[str, object], ...]

Figure: TypeAlias = Annotated[int, Meta(ge=0, le=99)]
Count: TypeAlias = Annotated[int, Meta(ge=1, le=99)]
Few: TypeAlias = Annotated[int, Meta(ge=1, le=9)]
Offset: TypeAlias = Annotated[int, Meta(ge=-10_000_000, le=10_000_000)]
Length: TypeAlias = Annotated[int, Meta(ge=1, le=10_000_000)]
"""Micrometres, at most ten metres: squares of such lengths stay far below 2^53."""


class PrintedPack(Struct, frozen=True):
    """pack.toml. `needs` are packs whose disks and cards this one speaks of: it is played with them alone."""

    name: str
    version: str
    needs: tuple[str, ...] = ()


# ---------------------------------------------------------------- table.toml


class PrintedField(Struct, frozen=True):
    """Lengths in micrometres."""

    width: Length
    height: Length
    short: Length
    medium: Length
    long: Length
    basis: Basis


class PrintedSizes(Struct, frozen=True):
    """Diameters in micrometres."""

    small: Length
    medium: Length
    large: Length
    basis: Basis


class PrintedDie(Struct, frozen=True):
    faces: tuple[Symbol, ...]
    basis: Basis


class PrintedTable(Struct, frozen=True):
    """table.toml"""

    field: PrintedField
    sizes: PrintedSizes
    battle_die: PrintedDie


# ---------------------------------------------------------------- terrain.toml


class PrintedGround(Struct, frozen=True):
    """terrain.toml"""

    piece: Entries


class PrintedFace(Struct, frozen=True):
    """One side of a piece: its title and its keywords as they are printed."""

    name: str
    basis: Basis
    keywords: tuple[str, ...] = ()


class PrintedPiece(Struct, frozen=True):
    """A piece of terrain: its outline seen from the front, in micrometres about its middle, and its two sides."""

    corners: tuple[tuple[Offset, ...], ...]
    faces: tuple[PrintedFace, ...]
    basis: Basis


# ---------------------------------------------------------------- disks and cards


class PrintedShot(Struct, frozen=True):
    dice: Few
    strength: Amount
    damage: Damage
    reach: Reach
    basis: Basis
    least: Reach | Literal[""] = ""


class PrintedAbility(Struct, frozen=True):
    """Its basis speaks of the figures of the effect too."""

    when: When
    effect: Effect
    basis: Basis
    user: str = ""
    unstable: bool = False
    may: bool = False


class PrintedRace(Struct, frozen=True):
    """The file of a race: what all its disks have in common, and the disks as tables still to be read."""

    race: str
    faction: Faction
    disk: Entries


class PrintedDisk(Struct, frozen=True):
    name: str
    kind: Literal["hero", "unit"]
    size: Size
    copies: Count
    movement: Figure
    strength: Figure
    counter: Figure
    toughness: Count
    stamina: Figure
    basis: Basis
    cost: Count | None = None
    points: Count | None = None
    command: Few | None = None
    unique: bool = False
    elite: bool = False
    traits: tuple[str, ...] = ()
    keywords: tuple[Keyword, ...] = ()
    shots: tuple[PrintedShot, ...] = ()
    abilities: tuple[PrintedAbility, ...] = ()


class PrintedCards(Struct, frozen=True):
    """commands.toml"""

    card: Entries


class PrintedCard(Struct, frozen=True):
    name: str
    strategy: Strategy
    activations: Few
    basis: Basis
    faction: Faction | Literal[""] = ""
    abilities: tuple[PrintedAbility, ...] = ()


class PrintedArmies(Struct, frozen=True):
    """armies.toml"""

    army: Entries


class PrintedRegiment(Struct, frozen=True):
    hero: str
    units: tuple[str, ...]


class PrintedArmy(Struct, frozen=True):
    name: str
    regiments: tuple[PrintedRegiment, ...]
    hand: tuple[str, ...]


# ---------------------------------------------------------------- as the engine takes them


def army_of(army: PrintedArmy) -> Army:
    return Army(army.name, tuple(Regiment(one.hero, one.units) for one in army.regiments), army.hand)


def profile_of(disk: PrintedDisk, race: PrintedRace, diameter: int) -> Profile:
    return Profile(
        name=disk.name,
        kind=disk.kind,
        race=race.race,
        faction=race.faction,
        size=disk.size,
        radius=diameter // 2,
        movement=disk.movement,
        strength=disk.strength,
        counter=disk.counter,
        toughness=disk.toughness,
        stamina=disk.stamina,
        cost=disk.cost or 0,
        points=disk.points or 0,
        command=disk.command or 0,
        unique=disk.unique,
        elite=disk.elite,
        traits=disk.traits,
        keywords=disk.keywords,
        shots=tuple(Shot(shot.dice, shot.strength, shot.damage, shot.reach, shot.least) for shot in disk.shots),
        abilities=_abilities_of(disk.abilities),
    )


def card_of(card: PrintedCard) -> CommandCard:
    return CommandCard(card.name, card.strategy, card.activations, card.faction, _abilities_of(card.abilities))


def field_of(field: PrintedField) -> Field:
    return Field(field.width, field.height, field.short, field.medium, field.long)


def _abilities_of(printed: tuple[PrintedAbility, ...]) -> tuple[Ability, ...]:
    return tuple(Ability(each.when, each.effect, each.user, each.unstable, each.may) for each in printed)
