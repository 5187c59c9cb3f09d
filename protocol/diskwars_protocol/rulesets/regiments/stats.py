"""Figures of regiments: units and what they fight with."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.identifiers import IdText
from diskwars_protocol.sealed import always_written

Size: TypeAlias = Literal["regular", "large"]
StatValue: TypeAlias = Annotated[int, Meta(ge=0, le=20)]
PositiveStat: TypeAlias = Annotated[int, Meta(ge=1, le=20)]


class Weapon(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a unit fights with; `strength` is added to that of its models."""

    id: IdText
    name: str
    strength: StatValue = 0


class UnitProfile(Struct, frozen=True, gc=False, omit_defaults=True):
    """Printed figures of a unit, the same for all its models. The weapon is an id.

    `movement` is in cells, `wounds` are those of one model. A unit of `initiative` 0 strikes on the charge only.
    """

    id: IdText
    name: str
    movement: PositiveStat
    weapon_skill: PositiveStat
    strength: PositiveStat
    toughness: PositiveStat
    wounds: PositiveStat
    initiative: Annotated[int, Meta(ge=0, le=10)]
    attacks: PositiveStat
    leadership: Annotated[int, Meta(ge=1, le=12)]
    armour: StatValue
    weapon: IdText = always_written("hand")
    size: Size = "regular"
