"""Figures of close quarters: units and their weapons. Every figure is better the higher it is."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.identifiers import IdText
from diskwars_protocol.schema_types import WholeNumber

Inches: TypeAlias = Annotated[int, Meta(ge=0, le=48)]
Figure: TypeAlias = Annotated[int, Meta(ge=0, le=12)]
Bonus: TypeAlias = Annotated[int, Meta(ge=-6, le=6)]
DiceCount: TypeAlias = Annotated[int, Meta(ge=1, le=12)]


class RangedWeapon(Struct, frozen=True, gc=False, omit_defaults=True):
    """A ranged weapon, with a strength of its own. `rate_of_fire` are its dice, halved here unless it is one-handed."""

    id: IdText
    name: str
    rate_of_fire: DiceCount
    strength: Figure
    armour_piercing: Figure
    one_handed: bool = False


class MeleeWeapon(Struct, frozen=True, gc=False, omit_defaults=True):
    """A melee weapon. `weapon_skill` and `strength` are added to those of the model; `attacks` are its dice."""

    id: IdText
    name: str
    attacks: DiceCount
    armour_piercing: Figure
    weapon_skill: Bonus = 0
    strength: Bonus = 0


class UnitProfile(Struct, frozen=True, gc=False, omit_defaults=True):
    """The card of a unit.

    `movement` and `awareness` are inches. `evasion` opposes ballistic skill, `armour` armour piercing; armour 0 saves
    nothing. Without `toughness` every failed save kills. `leadership` are the dice of a leadership test, `nerve` is the
    number to roll at or under. `weapons` are the melee weapons of each model but the leader, who has `leader_weapons`;
    `ranged` is carried by all of them.
    """

    id: IdText
    name: str
    movement: Annotated[int, Meta(ge=1, le=12)]
    awareness: Inches
    evasion: Figure
    armour: Figure
    toughness: Figure
    leadership: Annotated[int, Meta(ge=1, le=6)]
    nerve: Annotated[int, Meta(ge=0, le=6)]
    ballistic_skill: Figure
    weapon_skill: Figure
    strength: Figure
    weapons: Annotated[tuple[IdText, ...], Meta(min_length=1, max_length=4)]
    leader_weapons: Annotated[tuple[IdText, ...], Meta(min_length=1, max_length=4)]
    ranged: IdText | None = None


class Barricade(Struct, frozen=True, gc=False):
    """A straight barricade without width from one point to another, in hundredths of an inch."""

    x0: WholeNumber
    y0: WholeNumber
    x1: WholeNumber
    y1: WholeNumber
