"""Figures of the pit: fighters, weapons, and the cards of the improvement deck.

A figure that is a target number is better the lower it is; all others are better the higher they are.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.identifiers import DisplayName, IdText
from diskwars_protocol.match.tasks import BattleTask, ScenarioArea

Rank: TypeAlias = Literal["leader", "hero", "henchman"]
Shield: TypeAlias = Literal["shield", "tower_shield"]
Armour: TypeAlias = Literal["light", "heavy", "fine"]
ImprovedStat: TypeAlias = Literal["wounds", "attacks", "pierce", "injury", "defence", "melee", "agility", "morale"]
HeroImprovement: TypeAlias = ImprovedStat | Literal["skill"]
Promotion: TypeAlias = Literal["always", "victim_hero", "victim_leader"]

# Only the schema states these ranges (`schema_types`); the loader of packs checks them.
TargetNumber: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": 20})]
StatValue: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": 20})]
OneToTwenty: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": 20})]
OneToThree: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": 3})]
OneOrTwo: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": 2})]

FieldLength: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 4, "maximum": 36})]
RoundCount: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": 30})]
StartingColumn: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": 35})]
StartingRow: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": 35})]

SHIELD_BONUS: dict[Shield, int] = {"shield": 4, "tower_shield": 6}
ARMOUR_BONUS: dict[Armour, int] = {"light": 1, "heavy": 2, "fine": 3}


class Weapon(Struct, frozen=True, gc=False, omit_defaults=True):
    """A weapon. `melee` is added to Melee Checks, `injury` to the injury value, `pierce` lowers the enemy's defence.

    `slots` are those it takes of the two that a fighter has. A `single` weapon is never one of two.
    """

    id: IdText
    name: DisplayName
    melee: StatValue = 0
    injury: StatValue = 0
    pierce: StatValue = 0
    slots: OneOrTwo = 1
    single: bool = False


class FighterProfile(Struct, frozen=True, gc=False, omit_defaults=True):
    """Printed figures of a fighter.

    `melee`, `defence`, `agility` and `morale` are target numbers for d20 checks. Without `defence`, no check is made,
    and it always fails. `wounds` are the hits taken before an injury, `injury` is added to the injury value of its
    attacks, `pierce` is subtracted from the enemy's defence rolls. `movement` is in cells. `weapons` are ids.
    """

    id: IdText
    name: DisplayName
    rank: Rank
    movement: OneToTwenty
    melee: TargetNumber
    agility: TargetNumber
    morale: TargetNumber
    attacks: OneToThree
    wounds: OneToThree
    defence: TargetNumber | None = None
    injury: StatValue = 0
    pierce: StatValue = 0
    weapons: Annotated[tuple[IdText, ...], Meta(extra_json_schema={"maxItems": 2})] = ()
    shield: Shield | None = None
    armour: Armour | None = None
    natural_weapons: bool = False


class PitScenario(Struct, frozen=True, gc=False, omit_defaults=True):
    """`bands` are the fighters of each seat, by profile id; the seats after the last take the first again.

    `places` are the cells of these fighters, for each seat; without them two bands face each other, and more stand
    along the edges. With more seats than there are `places`, these, `walls` and `task` are left out (A-0).
    """

    id: IdText
    name: DisplayName
    bands: tuple[tuple[IdText, ...], ...]
    width: FieldLength = 12
    height: FieldLength = 12
    rounds: RoundCount = 12
    places: tuple[tuple[tuple[StartingColumn, StartingRow], ...], ...] = ()
    walls: tuple[ScenarioArea, ...] = ()
    task: BattleTask | None = None


class ImprovementCard(Struct, frozen=True, gc=False, omit_defaults=True):
    """A card of the improvement deck, with how many of it there are.

    A leader or hero takes the `hero` half: a higher figure, a lower target number, or a skill, which does nothing
    here. A henchman is promoted as `henchman` says; without it, the card does nothing for a henchman.
    """

    id: IdText
    copies: OneToTwenty
    hero: HeroImprovement
    henchman: Promotion | None = None
