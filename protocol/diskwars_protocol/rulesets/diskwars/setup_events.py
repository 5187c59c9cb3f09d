"""Events around the field in a full setup: edges, scenarios, objectives, deployment cards, terrain.

They are facts like those of `events`. Lengths are micrometres.
"""

from typing import TypeAlias

from msgspec import Struct

from diskwars_protocol.fairness import Draw
from diskwars_protocol.match import Reason, Seat
from diskwars_protocol.rulesets.diskwars.setup_cards import Edge, TerrainPiece, Zone
from diskwars_protocol.sealed import Sealed


class EdgesDrawn(Struct, frozen=True, gc=False, tag="edges_drawn"):
    """R19.3: the edge of each seat."""

    edges: tuple[Edge, ...]
    dice: Draw
    reasons: tuple[Reason, ...]


class ScenariosDrawn(Struct, frozen=True, gc=False, tag="scenarios_drawn"):
    """The last player draws two scenario cards."""

    seat: Seat
    cards: tuple[str, ...] | Sealed
    reasons: tuple[Reason, ...]


class ScenarioChosen(Struct, frozen=True, gc=False, tag="scenario_chosen"):
    """The scenario of the match: its ability works for every player."""

    seat: Seat
    scenario: str
    reasons: tuple[Reason, ...]


class ObjectiveDealt(Struct, frozen=True, gc=False, tag="objective_dealt"):
    """A scenario card dealt face down: only its objective counts, for this seat."""

    seat: Seat
    scenario: str | Sealed
    reasons: tuple[Reason, ...]


class DeploymentCardsDealt(Struct, frozen=True, gc=False, tag="deployment_cards_dealt"):
    """Deployment cards dealt face up."""

    cards: tuple[str, ...]
    dice: Draw
    reasons: tuple[Reason, ...]


class DeploymentCardLaid(Struct, frozen=True, gc=False, tag="deployment_card_laid"):
    """A deployment card placed beside the field; `zones` are all zones of all seats after it."""

    seat: Seat
    card: str
    face: int
    offset: int
    zones: tuple[Zone, ...]
    reasons: tuple[Reason, ...]


class SetupCardDiscarded(Struct, frozen=True, gc=False, tag="setup_card_discarded"):
    """The seat has no room for any offered card: this one is discarded (R-28, R-56)."""

    seat: Seat
    card: str
    reasons: tuple[Reason, ...]


class TerrainCardsDealt(Struct, frozen=True, gc=False, tag="terrain_cards_dealt"):
    """Terrain cards dealt face up."""

    cards: tuple[str, ...]
    dice: Draw
    reasons: tuple[Reason, ...]


class TerrainPlaced(Struct, frozen=True, gc=False, tag="terrain_placed"):
    """A terrain piece placed with one face up, its middle at (x, y), turned by `turn` steps of 5°; `piece` is its
    outline on the field.
    """

    seat: Seat
    card: str
    face: int
    x: int
    y: int
    turn: int
    piece: TerrainPiece
    reasons: tuple[Reason, ...]


class ObjectivesRevealed(Struct, frozen=True, gc=False, tag="objectives_revealed"):
    """The scenario cards whose objectives count, by seat; empty for a seat that is out."""

    scenarios: tuple[str, ...]
    reasons: tuple[Reason, ...]


LayoutEvent: TypeAlias = (
    EdgesDrawn | DeploymentCardsDealt | DeploymentCardLaid | SetupCardDiscarded | TerrainCardsDealt | TerrainPlaced
)
ScenarioEvent: TypeAlias = ScenariosDrawn | ScenarioChosen | ObjectiveDealt | ObjectivesRevealed
