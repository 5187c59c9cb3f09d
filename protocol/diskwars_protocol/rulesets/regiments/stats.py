"""Figures of regiments: units and what they fight with."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.identifiers import DisplayName, IdText
from diskwars_protocol.match.tasks import BattleTask, ScenarioArea
from diskwars_protocol.records.sealed import always_written

Size: TypeAlias = Literal["regular", "large"]
# Only the schema states these ranges (`schema_types`); the loader of packs checks them.
StatValue: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": 20})]
PositiveStat: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": 20})]
Initiative: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": 10})]
Leadership: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": 12})]
UnitSize: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": 40})]
UnitFiles: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": 10})]
StartingColumn: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": 35})]
StartingRow: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": 35})]
StartingFacing: TypeAlias = Literal["north", "east", "south", "west"]
FieldLength: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 4, "maximum": 36})]
RoundCount: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": 30})]
LeaderNumber: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": 1})]


class Weapon(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a unit fights with; `strength` is added to that of its models."""

    id: IdText
    name: DisplayName
    strength: StatValue = 0


class UnitProfile(Struct, frozen=True, gc=False, omit_defaults=True):
    """Printed figures of a unit, the same for all its models. The weapon is an id.

    `movement` is in cells, `wounds` are those of one model. A unit of `initiative` 0 strikes on the charge only.
    """

    id: IdText
    name: DisplayName
    movement: PositiveStat
    weapon_skill: PositiveStat
    strength: PositiveStat
    toughness: PositiveStat
    wounds: PositiveStat
    initiative: Initiative
    attacks: PositiveStat
    leadership: Leadership
    armour: StatValue
    weapon: IdText = always_written("hand")
    size: Size = "regular"


class ScenarioUnit(Struct, frozen=True, gc=False, omit_defaults=True):
    """A unit of a scenario: its profile by id, how its models stand, its row on the west side, and its column there.

    `leader` is who leads it where two players share a side: the first of them or the second. Places of the east side
    are mirrored. A unit faces the enemy's edge, or where `facing` says.
    """

    profile: IdText
    models: UnitSize
    files: UnitFiles
    row: StartingRow
    leader: LeaderNumber = 0
    column: StartingColumn = 1
    facing: StartingFacing | None = None


class RegimentsScenario(Struct, frozen=True, gc=False, omit_defaults=True):
    """`armies` are the units of the two sides; where there is one army, both sides have it.

    No unit can be on a cell of `obstacles`, and nobody sees through it (C-31).
    """

    id: IdText
    name: DisplayName
    armies: Annotated[tuple[tuple[ScenarioUnit, ...], ...], Meta(extra_json_schema={"minItems": 1, "maxItems": 2})]
    width: FieldLength = 10
    height: FieldLength = 8
    rounds: RoundCount = 15
    obstacles: tuple[ScenarioArea, ...] = ()
    task: BattleTask | None = None
