"""Printed figures of disks, command cards, the ruler and dice, as records contain them.

`MatchStarted` contains every figure that a match uses, so that folding needs no content files. Lengths are micrometres.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.identifiers import ContentId, DisplayName, IdText, ShortName
from diskwars_protocol.rulesets.diskwars.keyword_forms import KeywordId, KeywordKind
from diskwars_protocol.schema_types import AtLeastOne, AtLeastZero, WholeNumber

Size: TypeAlias = Literal["small", "medium", "large"]
Faction: TypeAlias = Literal["order", "destruction"]
Reach: TypeAlias = Literal["short", "medium", "long", "siege"]
DamageType: TypeAlias = Literal["physical", "arcane", "untyped", "true"]
Strategy: TypeAlias = Literal["bold", "steady", "devious", "slow"]
FaceNumber: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": 1})]
"""The face of a card that is up."""
Symbol: TypeAlias = Literal["hit", "critical", "miss", "scatter", "chaos"]

REACHES: tuple[Reach, ...] = ("short", "medium", "long", "siege")


class Amount(Struct, frozen=True, gc=False, omit_defaults=True):
    """`flat` plus the sum of `d6` six-sided dice, never below 0."""

    flat: WholeNumber = 0
    d6: AtLeastZero = 0


class Keyword(Struct, frozen=True, gc=False, omit_defaults=True):
    """A keyword of a disk, with its amount and its kind if it is printed with them: Impact 3, Immune (arcane)."""

    id: KeywordId
    amount: Amount | None = None
    kind: KeywordKind | None = None


class Shot(Struct, frozen=True, gc=False, omit_defaults=True):
    """A ranged attack: `dice` battle dice, `strength` per hit, up to `reach`.

    With `beyond`, a target within that range is too near.
    """

    dice: AtLeastZero
    strength: Amount
    damage_type: DamageType
    reach: Reach
    beyond: Reach | None = None


# ---------------------------------------------------------------- effects: a closed vocabulary


class DealDamage(Struct, frozen=True, gc=False, omit_defaults=True, tag="deal_damage"):
    """Damage to a chosen enemy within `reach` of the user and, with `around`, to each other disk within that of it."""

    amount: Amount
    damage_type: DamageType
    reach: Reach
    around: Reach | None = None


class DealDamageNear(Struct, frozen=True, gc=False, omit_defaults=True, tag="deal_damage_near"):
    """Damage to each enemy within `reach` of the user, without a target."""

    amount: Amount
    damage_type: DamageType
    reach: Reach


class RollWound(Struct, frozen=True, gc=False, tag="roll_wound"):
    """A wound for the enemy on a d6 roll of `minimum` or more."""

    minimum: AtLeastOne


class Empower(Struct, frozen=True, gc=False, omit_defaults=True, tag="empower"):
    """Empowerment of an own disk within `reach` of the user; with `selector`, one that it selects."""

    reach: Reach
    selector: ContentId | None = None


class Heal(Struct, frozen=True, gc=False, omit_defaults=True, tag="heal"):
    """Removal of `amount` damage from an own disk within `reach` of the user; with `selector`, one that it selects."""

    amount: Amount
    reach: Reach
    selector: ContentId | None = None


class AddActivationToken(Struct, frozen=True, gc=False, tag="add_activation_token"):
    """An activation token for a chosen enemy within `reach` of the user."""

    reach: Reach


class ReduceToughness(Struct, frozen=True, gc=False, tag="reduce_toughness"):
    """Reduction of the toughness of a chosen enemy within `reach` by `toughness`, until the end phase."""

    toughness: AtLeastZero
    reach: Reach


class RemoveActivationToken(Struct, frozen=True, gc=False, tag="remove_activation_token"):
    """Removal of the activation token from an own disk within `reach` whose id contains the word `id_word`."""

    id_word: Annotated[str, Meta(extra_json_schema={"pattern": "^[a-z0-9]{1,60}$"})]
    reach: Reach


class ReinforceNear(Struct, frozen=True, gc=False, omit_defaults=True, tag="reinforce_near"):
    """Reinforcement by up to `count` disks within `reach` of the user; with `selector`, those that it selects."""

    reach: Reach
    selector: ContentId | None = None
    count: AtLeastZero = 1


class FightEngagement(Struct, frozen=True, gc=False, tag="fight_engagement"):
    """An immediate fight of one engagement that the user is in."""


# Passive effects, of a card or of a disk. `selector` is the id of a trait, a race, a kind or a disk; absent = any. A
# card's work on its player's disks, a disk's on the other disks of its side within `reach` of it.


class IncreaseRange(Struct, frozen=True, gc=False, omit_defaults=True, tag="increase_range"):
    """A maximum range of own ranged attacks that is `steps` bands longer, up to siege."""

    steps: AtLeastZero
    selector: ContentId | None = None


class IncreaseMovement(Struct, frozen=True, gc=False, omit_defaults=True, tag="increase_movement"):
    """`flips` more flips in a move of own disks."""

    flips: AtLeastZero
    selector: ContentId | None = None


class IncreaseShotStrength(Struct, frozen=True, gc=False, omit_defaults=True, tag="increase_shot_strength"):
    """`strength` more strength for ranged attacks of own disks."""

    strength: AtLeastZero
    selector: ContentId | None = None


class IncreaseToughness(Struct, frozen=True, gc=False, omit_defaults=True, tag="increase_toughness"):
    """`toughness` more toughness for own disks."""

    toughness: AtLeastZero
    selector: ContentId | None = None
    reach: Reach | None = None


class IncreaseMeleeStrength(Struct, frozen=True, gc=False, omit_defaults=True, tag="increase_melee_strength"):
    """More strength and counter strength in melee for own disks."""

    strength: AtLeastZero
    counter_strength: AtLeastZero
    selector: ContentId | None = None
    reach: Reach | None = None


class RemoveEmpowerment(Struct, frozen=True, gc=False, tag="remove_empowerment"):
    """Loss of empowerment for any disk, friend or enemy, that lands within `reach` of this one during a move."""

    reach: Reach


class Rampage(Struct, frozen=True, gc=False, tag="rampage"):
    """A forced flip toward the nearest disk that it does not pin, after a ranged attack that shows chaos."""


class DamageAround(Struct, frozen=True, gc=False, tag="damage_around"):
    """`amount` damage to each other disk within `reach` of the target of a ranged attack that strikes."""

    amount: AtLeastZero
    damage_type: DamageType
    reach: Reach


Effect: TypeAlias = (
    DealDamage
    | DealDamageNear
    | RollWound
    | Empower
    | Heal
    | AddActivationToken
    | ReduceToughness
    | RemoveActivationToken
    | ReinforceNear
    | FightEngagement
    | IncreaseRange
    | IncreaseMovement
    | IncreaseShotStrength
    | IncreaseToughness
    | IncreaseMeleeStrength
    | RemoveEmpowerment
    | Rampage
    | DamageAround
)
"""R16.9, R16.10: everything that a disk or a card can do; its text is made from the figures."""

AbilityTiming: TypeAlias = Literal["engage", "focus", "battle", "passive"]


class Ability(Struct, frozen=True, gc=False, omit_defaults=True):
    """An effect and when it may or must happen.

    `user` is the id of the trait, race or kind that the user of a battle ability needs; absent = any disk. An
    `optional` engage ability need not be used.
    """

    timing: AbilityTiming
    effect: Effect
    user: ContentId | None = None
    unstable: bool = False
    optional: bool = False


class Profile(Struct, frozen=True, gc=False, omit_defaults=True):
    """A disk as printed (R1.1), by an `id` that never changes. Lists and boards show `short_name`, absent = the name.

    `race` and `traits` are ids from the closed lists of the packs. `cost` is a unit's, `points` (recruitment) and
    `command` are a hero's. `radius` in micrometres.
    """

    id: IdText
    name: DisplayName
    kind: Literal["hero", "unit"]
    faction: Faction
    size: Size
    radius: AtLeastOne
    movement: AtLeastZero
    strength: AtLeastZero
    counter_strength: AtLeastZero
    toughness: AtLeastZero
    race: IdText | None = None
    stamina: AtLeastZero = 0
    cost: AtLeastZero = 0
    points: AtLeastZero = 0
    command: AtLeastZero = 0
    unique: bool = False
    elite: bool = False
    traits: tuple[IdText, ...] = ()
    keywords: tuple[Keyword, ...] = ()
    shots: tuple[Shot, ...] = ()
    abilities: tuple[Ability, ...] = ()
    short_name: ShortName | None = None


class CommandCard(Struct, frozen=True, gc=False, omit_defaults=True):
    """`activations` is the card's activation value. `faction` absent = any army may hold it."""

    id: IdText
    name: DisplayName
    strategy: Strategy
    activations: AtLeastZero
    faction: Faction | None = None
    abilities: tuple[Ability, ...] = ()
    short_name: ShortName | None = None


class Field(Struct, frozen=True, gc=False):
    """The battlefield from (0, 0) to (width, height) and the ruler's three marks, each measured from its short end."""

    width: AtLeastOne
    height: AtLeastOne
    short: AtLeastOne
    medium: AtLeastOne
    long: AtLeastOne
