"""Figures of close quarters: units and their weapons. Every figure is better the higher it is."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.identifiers import DisplayName, IdText
from diskwars_protocol.match.tasks import BattleTask, ScenarioArea
from diskwars_protocol.schema_types import AtLeastOne, WholeNumber

# Only the schema states these ranges (`schema_types`); the loader of packs checks them.
Inches: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": 48})]
Movement: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": 12})]
Figure: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": 12})]
Bonus: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": -6, "maximum": 6})]
DiceCount: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": 12})]
LeadershipDice: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": 6})]
Nerve: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": 6})]
WeaponIds: TypeAlias = Annotated[tuple[IdText, ...], Meta(extra_json_schema={"minItems": 1, "maxItems": 4})]


class RangedWeapon(Struct, frozen=True, gc=False, omit_defaults=True):
    """A ranged weapon, with a strength of its own. `rate_of_fire` are its dice, halved here unless it is one-handed."""

    id: IdText
    name: DisplayName
    rate_of_fire: DiceCount
    strength: Figure
    armour_piercing: Figure
    one_handed: bool = False


class MeleeWeapon(Struct, frozen=True, gc=False, omit_defaults=True):
    """A melee weapon. `weapon_skill` and `strength` are added to those of the model; `attacks` are its dice."""

    id: IdText
    name: DisplayName
    attacks: DiceCount
    armour_piercing: Figure
    weapon_skill: Bonus = 0
    strength: Bonus = 0


class UnitProfile(Struct, frozen=True, gc=False, omit_defaults=True):
    """The card of a unit.

    `evasion` opposes ballistic skill, `armour` armour piercing; armour 0 saves nothing. Without `toughness` every
    failed save kills. `leadership` are the dice of a leadership test, `nerve` is the number to roll at or under.
    `leader_weapons` are the melee weapons of the leader, `weapons` those of every other model. All models carry the
    `ranged_weapon`.
    """

    id: IdText
    name: DisplayName
    movement_inches: Movement
    awareness_inches: Inches
    evasion: Figure
    armour: Figure
    toughness: Figure
    leadership: LeadershipDice
    nerve: Nerve
    ballistic_skill: Figure
    weapon_skill: Figure
    strength: Figure
    weapons: WeaponIds
    leader_weapons: WeaponIds
    ranged_weapon: IdText | None = None


class Squad(Struct, frozen=True, gc=False, omit_defaults=True):
    """A unit of the first side: its profile by id, the point of its leader, and those of the others from there."""

    profile: IdText
    x: WholeNumber
    y: WholeNumber
    formation: tuple[tuple[WholeNumber, WholeNumber], ...] = ()


class Barricade(Struct, frozen=True, gc=False):
    """A straight barricade without width from one point to another, in hundredths of an inch."""

    x0: WholeNumber
    y0: WholeNumber
    x1: WholeNumber
    y1: WholeNumber


class CloseQuartersScenario(Struct, frozen=True, gc=False, omit_defaults=True):
    """A table, the turns of each side, and the squads of the first side; those of the second are turned by 180°.

    With `opposing` the second side has these instead, at points of the whole table. Lengths are in hundredths of an
    inch. Only matches with the options of these names have the `barricade` and the `high_ground`. With `slow_start`
    nobody moves at the double in the first turn of the match (B-30).
    """

    id: IdText
    name: DisplayName
    width: AtLeastOne
    height: AtLeastOne
    turns: AtLeastOne
    squads: tuple[Squad, ...]
    barricade: Barricade | None = None
    high_ground: tuple[ScenarioArea, ...] = ()
    opposing: tuple[Squad, ...] = ()
    task: BattleTask | None = None
    slow_start: bool = False
