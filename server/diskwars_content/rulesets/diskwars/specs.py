"""TOML specs of disks, cards, armies and rulers, with the basis of each figure.

One struct per table. A struct with a `basis` records for each of its figures whether a source states it, a source
implies it, or we chose it.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_content.packs import PackText
from diskwars_engine.rulesets.diskwars.catalogue import Army
from diskwars_protocol.rulesets.diskwars.actions import Regiment
from diskwars_protocol.rulesets.diskwars.stats import (
    Ability,
    AbilityTiming,
    Amount,
    CommandCard,
    DamageType,
    Effect,
    Faction,
    Field,
    Keyword,
    Profile,
    Reach,
    Shot,
    Size,
    Strategy,
    Symbol,
)

BasisKind: TypeAlias = Literal["stated", "implied", "house", "own"]
Basis: TypeAlias = BasisKind | dict[str, BasisKind]
"""One basis for all figures of a table, or one for each.

A figure is `stated` or `implied` by a source, a `house` figure of our choice, or a player's `own`, read from the
cardboard.
"""

RawEntries: TypeAlias = tuple[dict[str, object], ...]

StatValue: TypeAlias = Annotated[int, Meta(ge=0, le=99)]
Count: TypeAlias = Annotated[int, Meta(ge=1, le=99)]
SmallCount: TypeAlias = Annotated[int, Meta(ge=1, le=9)]
Coordinate: TypeAlias = Annotated[int, Meta(ge=-10_000_000, le=10_000_000)]
Length: TypeAlias = Annotated[int, Meta(ge=1, le=10_000_000)]
"""Micrometres, at most ten metres: squares of such lengths stay far below 2^53."""


class DiskwarsPackFile(Struct, frozen=True):
    """pack.toml. `races` and `traits` are the closed lists of ids that its disks may have.

    `name` is what players call the pack; without one they see its id. `needs` are packs whose disks and cards this one
    refers to: it is played only together with them.
    """

    id: PackText
    version: PackText
    races: tuple[str, ...]
    traits: tuple[str, ...]
    name: str | None = None
    needs: tuple[str, ...] = ()


# ---------------------------------------------------------------- table.toml


class FieldSpec(Struct, frozen=True):
    """Size of the field and the three ranges of the ruler, in micrometres."""

    width: Length
    height: Length
    short: Length
    medium: Length
    long: Length
    basis: Basis


class SizesSpec(Struct, frozen=True):
    """Diameters of disks, in micrometres."""

    small: Length
    medium: Length
    large: Length
    basis: Basis


class BattleDieSpec(Struct, frozen=True):
    faces: tuple[Symbol, ...]
    basis: Basis


class TableFile(Struct, frozen=True):
    """table.toml"""

    field: FieldSpec
    sizes: SizesSpec
    battle_die: BattleDieSpec


# ---------------------------------------------------------------- terrain.toml


class TerrainFile(Struct, frozen=True):
    """terrain.toml"""

    piece: RawEntries


class TerrainFaceSpec(Struct, frozen=True):
    """One side of a terrain piece: its title and its keywords as they are printed."""

    id: str
    name: str
    basis: Basis
    keywords: tuple[str, ...] = ()
    short_name: str | None = None


class TerrainPieceSpec(Struct, frozen=True):
    """A terrain piece: its outline seen from the front, in micrometres around its centre, and its two sides."""

    id: str
    corners: tuple[tuple[Coordinate, ...], ...]
    faces: tuple[TerrainFaceSpec, ...]
    basis: Basis


# ---------------------------------------------------------------- disks and cards


class ShotSpec(Struct, frozen=True):
    dice: SmallCount
    strength: Amount
    damage_type: DamageType
    reach: Reach
    basis: Basis
    beyond: Reach | None = None


class AbilitySpec(Struct, frozen=True):
    """An ability; its basis also covers the figures of the effect."""

    timing: AbilityTiming
    effect: Effect
    basis: Basis
    user: str | None = None
    unstable: bool = False
    optional: bool = False


class RaceFile(Struct, frozen=True):
    """The file of a race: what all its disks have in common, and the disks as raw tables."""

    race: str
    faction: Faction
    disk: RawEntries


class DiskSpec(Struct, frozen=True):
    id: str
    name: str
    kind: Literal["hero", "unit"]
    size: Size
    copies: Count
    movement: StatValue
    strength: StatValue
    counter_strength: StatValue
    toughness: Count
    stamina: StatValue
    basis: Basis
    cost: Count | None = None
    points: Count | None = None
    command: SmallCount | None = None
    unique: bool = False
    elite: bool = False
    traits: tuple[str, ...] = ()
    keywords: tuple[Keyword, ...] = ()
    shots: tuple[ShotSpec, ...] = ()
    abilities: tuple[AbilitySpec, ...] = ()
    short_name: str | None = None


class CommandCardsFile(Struct, frozen=True):
    """commands.toml"""

    card: RawEntries


class CommandCardSpec(Struct, frozen=True):
    id: str
    name: str
    strategy: Strategy
    activations: SmallCount
    basis: Basis
    faction: Faction | None = None
    abilities: tuple[AbilitySpec, ...] = ()
    short_name: str | None = None


class ArmiesFile(Struct, frozen=True):
    """armies.toml"""

    army: RawEntries


class RegimentSpec(Struct, frozen=True):
    hero: str
    units: tuple[str, ...]


class ArmySpec(Struct, frozen=True):
    id: str
    name: str
    regiments: tuple[RegimentSpec, ...]
    hand: tuple[str, ...]
    short_name: str | None = None


# ---------------------------------------------------------------- conversion to engine structs


def build_army(army: ArmySpec) -> Army:
    regiments = tuple(Regiment(regiment.hero, regiment.units) for regiment in army.regiments)
    return Army(army.id, army.name, regiments, army.hand, army.short_name)


def build_profile(disk: DiskSpec, race: RaceFile, diameter: int) -> Profile:
    return Profile(
        id=disk.id,
        name=disk.name,
        kind=disk.kind,
        race=race.race or None,
        faction=race.faction,
        size=disk.size,
        radius=diameter // 2,
        movement=disk.movement,
        strength=disk.strength,
        counter_strength=disk.counter_strength,
        toughness=disk.toughness,
        stamina=disk.stamina,
        cost=disk.cost or 0,
        points=disk.points or 0,
        command=disk.command or 0,
        unique=disk.unique,
        elite=disk.elite,
        traits=disk.traits,
        keywords=disk.keywords,
        shots=tuple(Shot(shot.dice, shot.strength, shot.damage_type, shot.reach, shot.beyond) for shot in disk.shots),
        abilities=_build_abilities(disk.abilities),
        short_name=disk.short_name,
    )


def build_command_card(card: CommandCardSpec) -> CommandCard:
    abilities = _build_abilities(card.abilities)
    return CommandCard(card.id, card.name, card.strategy, card.activations, card.faction, abilities, card.short_name)


def build_field(field: FieldSpec) -> Field:
    return Field(field.width, field.height, field.short, field.medium, field.long)


def _build_abilities(specs: tuple[AbilitySpec, ...]) -> tuple[Ability, ...]:
    return tuple(Ability(spec.timing, spec.effect, spec.user, spec.unstable, spec.optional) for spec in specs)
