"""Printed figures of disks, command cards, the ruler and dice, as records contain them.

`MatchStarted` contains every figure that a match uses, so that folding needs no content files. Lengths are micrometres.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

Size: TypeAlias = Literal["small", "medium", "large"]
Faction: TypeAlias = Literal["order", "destruction"]
Reach: TypeAlias = Literal["short", "medium", "long", "siege"]
Damage: TypeAlias = Literal["physical", "arcane", "untyped", "true"]
Strategy: TypeAlias = Literal["bold", "steady", "devious", "slow"]
Symbol: TypeAlias = Literal["hit", "critical", "miss", "scatter", "chaos"]

REACHES: tuple[Reach, ...] = ("short", "medium", "long", "siege")


class Amount(Struct, frozen=True, gc=False, omit_defaults=True):
    """`flat` plus the sum of `d6` six-sided dice, never below 0."""

    flat: int = 0
    d6: int = 0


class Keyword(Struct, frozen=True, gc=False, omit_defaults=True):
    """A keyword with its value, if it has one.

    `of` names what it is about: a damage type, `ranged`, `strength`, `counter`, `both`.
    """

    name: str
    amount: Amount = Amount()
    of: str = ""


class Shot(Struct, frozen=True, gc=False, omit_defaults=True):
    """A ranged attack: `dice` battle dice, `strength` per hit, beyond `least` (empty = no bound), up to `reach`."""

    dice: int
    strength: Amount
    damage: Damage
    reach: Reach
    least: Reach | Literal[""] = ""


# ---------------------------------------------------------------- effects: a closed vocabulary


class Harm(Struct, frozen=True, gc=False, omit_defaults=True, tag="harm"):
    """Damage to a chosen enemy within `reach` of the user and, with `around`, to each other disk within that of it."""

    amount: Amount
    damage: Damage
    reach: Reach
    around: Reach | Literal[""] = ""


class HarmNear(Struct, frozen=True, gc=False, omit_defaults=True, tag="harm_near"):
    """Damage to each enemy within `reach` of the user, without a target."""

    amount: Amount
    damage: Damage
    reach: Reach


class WoundOn(Struct, frozen=True, gc=False, tag="wound_on"):
    """A wound for the enemy on a d6 roll of `least` or more."""

    least: int


class Empower(Struct, frozen=True, gc=False, omit_defaults=True, tag="empower"):
    """Empowerment of an own disk within `reach` of the user; with `of`, one that this word selects."""

    reach: Reach
    of: str = ""


class Heal(Struct, frozen=True, gc=False, omit_defaults=True, tag="heal"):
    """Removal of `amount` damage from an own disk within `reach` of the user; with `of`, one that this word selects."""

    amount: Amount
    reach: Reach
    of: str = ""


class Exhaust(Struct, frozen=True, gc=False, tag="exhaust"):
    """An activation token for a chosen enemy within `reach` of the user."""

    reach: Reach


class Weaken(Struct, frozen=True, gc=False, tag="weaken"):
    """Reduction of the toughness of a chosen enemy within `reach` by `toughness`, until the end phase."""

    toughness: int
    reach: Reach


class Refresh(Struct, frozen=True, gc=False, tag="refresh"):
    """Removal of the activation token from an own disk within `reach` whose id contains the word `id_word`."""

    id_word: str
    reach: Reach


class ReinforceBy(Struct, frozen=True, gc=False, omit_defaults=True, tag="reinforce_by"):
    """Reinforcement by up to `count` disks within `reach` of the user; with `of`, those that this word selects."""

    reach: Reach
    of: str = ""
    count: int = 1


class Fight(Struct, frozen=True, gc=False, tag="fight"):
    """An immediate fight of one engagement that the user is in."""


# Passive effects, of a card or of a disk. `of` is the id of a trait, a race, a kind or a disk; empty = any. A card's
# work on its player's disks, a disk's on the other disks of its side within `reach` of it.


class LongerShots(Struct, frozen=True, gc=False, omit_defaults=True, tag="longer_shots"):
    """A maximum range of own ranged attacks that is `steps` bands longer, up to siege."""

    steps: int
    of: str = ""


class Faster(Struct, frozen=True, gc=False, omit_defaults=True, tag="faster"):
    """`flips` more flips in a move of own disks."""

    flips: int
    of: str = ""


class Stronger(Struct, frozen=True, gc=False, omit_defaults=True, tag="stronger"):
    """`strength` more strength for ranged attacks of own disks."""

    strength: int
    of: str = ""


class Tougher(Struct, frozen=True, gc=False, omit_defaults=True, tag="tougher"):
    """`toughness` more toughness for own disks."""

    toughness: int
    of: str = ""
    reach: Reach | Literal[""] = ""


class Fiercer(Struct, frozen=True, gc=False, omit_defaults=True, tag="fiercer"):
    """More strength and counter strength in melee for own disks."""

    strength: int
    counter: int
    of: str = ""
    reach: Reach | Literal[""] = ""


class StripEmpowerment(Struct, frozen=True, gc=False, tag="strip_empowerment"):
    """Loss of empowerment for any disk, friend or enemy, that lands within `reach` of this one during a move."""

    reach: Reach


class Rampage(Struct, frozen=True, gc=False, tag="rampage"):
    """A forced flip toward the nearest disk that it does not pin, after a ranged attack that shows chaos."""


class Splash(Struct, frozen=True, gc=False, tag="splash"):
    """`amount` damage to each other disk within `reach` of the target of a ranged attack that strikes."""

    amount: int
    damage: Damage
    reach: Reach


Effect: TypeAlias = (
    Harm
    | HarmNear
    | WoundOn
    | Empower
    | Heal
    | Exhaust
    | Weaken
    | Refresh
    | ReinforceBy
    | Fight
    | LongerShots
    | Faster
    | Stronger
    | Tougher
    | Fiercer
    | StripEmpowerment
    | Rampage
    | Splash
)
"""R16.9, R16.10: everything that a disk or a card can do; its text is made from the figures."""

AbilityTiming: TypeAlias = Literal["engage", "focus", "battle", "passive"]


class Ability(Struct, frozen=True, gc=False, omit_defaults=True):
    """An effect and when it may or must happen.

    `user` is the id of the trait, race or kind that the user of a battle ability needs; empty = any disk. An engage
    ability that `may` be used need not be.
    """

    when: AbilityTiming
    effect: Effect
    user: str = ""
    unstable: bool = False
    may: bool = False


class Profile(Struct, frozen=True, gc=False, omit_defaults=True):
    """A disk as printed (R1.1), by an `id` that never changes. Lists and boards show `short_name`, empty = the name.

    `race` and `traits` are ids from the closed lists of the packs. `cost` is a unit's, `points` (recruitment) and
    `command` are a hero's. `radius` in micrometres.
    """

    id: str
    name: str
    kind: Literal["hero", "unit"]
    race: str
    faction: Faction
    size: Size
    radius: int
    movement: int
    strength: int
    counter: int
    toughness: int
    stamina: int = 0
    cost: int = 0
    points: int = 0
    command: int = 0
    unique: bool = False
    elite: bool = False
    traits: tuple[str, ...] = ()
    keywords: tuple[Keyword, ...] = ()
    shots: tuple[Shot, ...] = ()
    abilities: tuple[Ability, ...] = ()
    short_name: str = ""


class CommandCard(Struct, frozen=True, gc=False, omit_defaults=True):
    """`activations` is the card's activation value. `faction` empty = any army may hold it."""

    id: str
    name: str
    strategy: Strategy
    activations: int
    faction: Faction | Literal[""] = ""
    abilities: tuple[Ability, ...] = ()
    short_name: str = ""


class Field(Struct, frozen=True, gc=False):
    """The battlefield from (0, 0) to (width, height) and the ruler's three marks, each measured from its short end."""

    width: int
    height: int
    short: int
    medium: int
    long: int
