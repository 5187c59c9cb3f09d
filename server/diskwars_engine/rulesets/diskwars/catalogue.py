"""What may be brought to the table: the catalogue of disks, cards and starter armies, and the keywords they may bear.

Must not know where a catalogue comes from, which armies are legal, nor anything of a match under way.
"""

from collections.abc import Mapping

from msgspec import Struct

from diskwars_protocol.match import Pack
from diskwars_protocol.rulesets.diskwars.actions import Regiment
from diskwars_protocol.rulesets.diskwars.setup_cards import DeploymentCard, Scenario, TerrainCard
from diskwars_protocol.rulesets.diskwars.stats import CommandCard, Field, Profile, Size, Symbol


class Army(Struct, frozen=True):
    """R2.1, R2.6: regiments and a command hand, all by name."""

    name: str
    regiments: tuple[Regiment, ...]
    hand: tuple[str, ...]

    @property
    def disks(self) -> tuple[str, ...]:
        """All disks as they are numbered in a match: each hero, and behind him his units."""
        return tuple(name for regiment in self.regiments for name in (regiment.hero, *regiment.units))


def unspent(army: Army, profiles: Mapping[str, Profile]) -> int:
    """R2.2: what all heroes together have left of their recruitment points; below 0 when units cost too much."""
    return sum(profiles[name].points - profiles[name].cost for name in army.disks)


class Catalogue(Struct, frozen=True):
    """All that content packs offer. `sizes` are diameters, `copies` how often a disk is in the box,
    which no army is held against (R-36).

    `pack` is the one whose table is played on, `others` are those that are played with it. `special` are scenarios that
    are in no deck, by the word of the option that names them.
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
    special: Mapping[str, Scenario] = {}


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
