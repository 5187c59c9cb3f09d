"""Printed values of terrain, deployment cards, scenarios and objectives.

The effects of scenarios are from the closed set in `stats.py`. Lengths are micrometres.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from diskwars_protocol.identifiers import ContentId, DisplayName, IdText, ShortName, find_by_id
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars.stats import DamageType, Effect, FaceNumber
from diskwars_protocol.schema_types import AtLeastOne, AtLeastZero, Micrometres

# ---------------------------------------------------------------- terrain (R10)


TerrainKeywordId: TypeAlias = Literal[
    "blocks_sight", "cave", "cover", "dangerous", "defensive", "fortified", "high_ground", "rough", "windmill"
]
"""`cave` and `windmill` are the abilities of single pieces."""


class TerrainKeyword(Struct, frozen=True, gc=False, omit_defaults=True):
    """A keyword of a terrain piece; Dangerous has the type of its damage."""

    id: TerrainKeywordId
    damage_type: DamageType | None = None


class Terrain(Struct, frozen=True, gc=False, omit_defaults=True):
    """One face of a terrain piece: its outline about (0, 0), counter-clockwise, and its keywords."""

    id: IdText
    name: DisplayName
    corners: tuple[tuple[Micrometres, Micrometres], ...]
    keywords: tuple[TerrainKeyword, ...] = ()
    short_name: ShortName | None = None


class TerrainCard(Struct, frozen=True, gc=False):
    """A terrain piece with its two faces."""

    id: IdText
    name: DisplayName
    faces: tuple[Terrain, Terrain]


class TerrainPiece(Struct, frozen=True, gc=False):
    """A piece on the battlefield. `corners` are where it lies, rounded once when it was placed."""

    terrain: Terrain
    corners: tuple[tuple[Micrometres, Micrometres], ...]


# ---------------------------------------------------------------- deployment cards (R3.4)

ZoneAbility: TypeAlias = Literal["rendezvous", "scouting", "ambush"]
"""`rendezvous`: a disk reinforced here gets no activation token. `scouting`: disks deployed here can scout. `ambush`:
the zone reaches to long range for reinforcing."""


class DeploymentFace(Struct, frozen=True, gc=False, omit_defaults=True):
    value: AtLeastZero
    abilities: tuple[ZoneAbility, ...] = ()


class DeploymentCard(Struct, frozen=True, gc=False, omit_defaults=True):
    """A deployment card with its two faces; the first is the common one of value 3. `width` along the edge."""

    id: IdText
    name: DisplayName
    width: AtLeastOne
    faces: tuple[DeploymentFace, DeploymentFace]
    short_name: ShortName | None = None


Edge: TypeAlias = Literal["south", "east", "north", "west"]
"""The sides of the battlefield: south is y = 0, west is x = 0."""


class LaidCard(Struct, frozen=True, gc=False):
    """A deployment card beside the field. `offset` is where it begins: x along the south and north, else y."""

    seat: Seat
    card: IdText
    face: FaceNumber
    offset: AtLeastZero


class Zone(Struct, frozen=True, gc=False, omit_defaults=True):
    """A deployment zone, the rectangle from (x0, y0) to (x1, y1). `value` is how many disks are deployed in it.

    `edge` is the side of the field that it lies at; `abilities` hold in the whole of it (R3.4.1).
    """

    seat: Seat
    x0: Micrometres
    y0: Micrometres
    x1: Micrometres
    y1: Micrometres
    value: AtLeastZero
    edge: Edge | None = None
    abilities: tuple[ZoneAbility, ...] = ()


# ---------------------------------------------------------------- scenarios (R3.3, R17)


class SlayUnits(Struct, frozen=True, gc=False, tag="slay_units"):
    """One point for every `cost` recruitment points of enemy units destroyed, rounded down in all."""

    cost: AtLeastOne


class SlayHeroes(Struct, frozen=True, gc=False, tag="slay_heroes"):
    """`points` for each enemy hero destroyed."""

    points: AtLeastZero


class SlayElite(Struct, frozen=True, gc=False, tag="slay_elite"):
    """`points` for each enemy elite disk destroyed."""

    points: AtLeastZero


class HoldZones(Struct, frozen=True, gc=False, tag="hold_zones"):
    """`points` for each own disk wholly inside an enemy deployment zone."""

    points: AtLeastZero


class HoldTerrain(Struct, frozen=True, gc=False, tag="hold_terrain"):
    """`points` for each terrain piece controlled (R10.1)."""

    points: AtLeastZero


class HoldMiddle(Struct, frozen=True, gc=False, tag="hold_middle"):
    """`points` for each own disk within short range of the middle of the battlefield."""

    points: AtLeastZero


class Survive(Struct, frozen=True, gc=False, tag="survive"):
    """`points` for each own disk on the battlefield."""

    points: AtLeastZero


Objective: TypeAlias = SlayUnits | SlayHeroes | SlayElite | HoldZones | HoldTerrain | HoldMiddle | Survive
"""R17.3: the parts that an objective can have."""


class Scenario(Struct, frozen=True, gc=False, omit_defaults=True):
    """R17.1: a scenario card: an ability that works for everybody while active, and an objective in several parts."""

    id: IdText
    name: DisplayName
    ability: Effect
    objective: tuple[Objective, ...]
    short_name: ShortName | None = None


# ---------------------------------------------------------------- the layout of a match


class Layout(Struct, frozen=True, gc=False, omit_defaults=True):
    """The cards of a full setup that this match uses, and what of them lies on the table.

    `edges` are by seat. `active_scenario` is the id of one of `scenarios`; `offered_cards` are the deployment or
    terrain cards that lie face up to be taken; `laid_cards` are the deployment cards beside the field.
    """

    scenarios: tuple[Scenario, ...] = ()
    deployments: tuple[DeploymentCard, ...] = ()
    terrain: tuple[TerrainCard, ...] = ()
    edges: tuple[Edge, ...] = ()
    active_scenario: ContentId | None = None
    offered_cards: tuple[IdText, ...] = ()
    laid_cards: tuple[LaidCard, ...] = ()

    def scenario_card(self, id: str) -> Scenario:
        """Return the scenario with this id. Raises `KeyError`, like the next two methods."""
        return find_by_id(self.scenarios, id)

    def deployment_card(self, id: str) -> DeploymentCard:
        return find_by_id(self.deployments, id)

    def terrain_card(self, id: str) -> TerrainCard:
        return find_by_id(self.terrain, id)
