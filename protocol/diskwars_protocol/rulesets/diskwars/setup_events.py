"""What has happened around the field in a full set-up: edges, scenarios, objectives, deployment cards, terrain?

Facts like those of events.py, which gives them on under its own name. Must not know any rule. Lengths are micrometres.
"""

from typing import TypeAlias

from msgspec import Struct

from diskwars_protocol.fairness import Draw
from diskwars_protocol.match import Reason, Seat
from diskwars_protocol.rulesets.diskwars.setup_cards import Edge, Piece, Zone
from diskwars_protocol.sealed import Sealed


class EdgesDrawn(Struct, frozen=True, gc=False, tag="edges_drawn"):
    """R19.3: the edge of each seat."""

    edges: tuple[Edge, ...]
    dice: Draw
    because: tuple[Reason, ...]


class ScenariosDrawn(Struct, frozen=True, gc=False, tag="scenarios_drawn"):
    """The last player draws two scenario cards."""

    seat: Seat
    cards: tuple[str, ...] | Sealed
    because: tuple[Reason, ...]


class ScenarioChosen(Struct, frozen=True, gc=False, tag="scenario_chosen"):
    """From now on its ability works for everybody."""

    seat: Seat
    scenario: str
    because: tuple[Reason, ...]


class ObjectiveDealt(Struct, frozen=True, gc=False, tag="objective_dealt"):
    """A scenario card face down: of this one only the objective counts, for this seat."""

    seat: Seat
    scenario: str | Sealed
    because: tuple[Reason, ...]


class DeploymentsDealt(Struct, frozen=True, gc=False, tag="deployments_dealt"):
    """Deployment cards face up to be taken."""

    cards: tuple[str, ...]
    dice: Draw
    because: tuple[Reason, ...]


class DeploymentLaid(Struct, frozen=True, gc=False, tag="deployment_laid"):
    """A deployment card beside the field; `zones` are all zones of all seats after it."""

    seat: Seat
    card: str
    face: int
    offset: int
    zones: tuple[Zone, ...]
    because: tuple[Reason, ...]


class CardLeft(Struct, frozen=True, gc=False, tag="card_left"):
    """The seat has no room for any card that is offered: this one is discarded (R-28, R-56)."""

    seat: Seat
    card: str
    because: tuple[Reason, ...]


class TerrainDealt(Struct, frozen=True, gc=False, tag="terrain_dealt"):
    """Terrain cards face up to be taken."""

    cards: tuple[str, ...]
    dice: Draw
    because: tuple[Reason, ...]


class TerrainPlaced(Struct, frozen=True, gc=False, tag="terrain_placed"):
    """A terrain piece with one face up, its middle at (x, y), turned by `turn` steps of 5°, where `piece` lies."""

    seat: Seat
    card: str
    face: int
    x: int
    y: int
    turn: int
    piece: Piece
    because: tuple[Reason, ...]


class ObjectivesRevealed(Struct, frozen=True, gc=False, tag="objectives_revealed"):
    """By seat, the scenario cards whose objectives count; empty for a seat that is out."""

    scenarios: tuple[str, ...]
    because: tuple[Reason, ...]


LayoutEvent: TypeAlias = EdgesDrawn | DeploymentsDealt | DeploymentLaid | CardLeft | TerrainDealt | TerrainPlaced
ScenarioEvent: TypeAlias = ScenariosDrawn | ScenarioChosen | ObjectiveDealt | ObjectivesRevealed
