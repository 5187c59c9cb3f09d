"""Events around the field in a full setup: edges, scenarios, objectives, deployment cards, terrain.

They are facts like those of `events`. Lengths are micrometres.
"""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.identifiers import ContentId, IdText
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.fairness import Draw
from diskwars_protocol.records.sealed import Sealed
from diskwars_protocol.rulesets.diskwars.setup_cards import Edge, Zone
from diskwars_protocol.rulesets.diskwars.stats import FaceNumber
from diskwars_protocol.schema_types import AtLeastZero, Micrometres


class SeatEdge(Struct, frozen=True, gc=False):
    """The side of the field that a seat plays from."""

    seat: Seat
    edge: Edge


class EdgesDrawn(Struct, frozen=True, gc=False, tag="edges_drawn"):
    """R19.3: the edge of each seat, in the order of the seats."""

    edges: tuple[SeatEdge, ...]
    dice: Draw
    reasons: tuple[Reason, ...]


class ScenariosDrawn(Struct, frozen=True, gc=False, tag="scenarios_drawn"):
    """The last player draws two scenario cards."""

    seat: Seat
    cards: tuple[IdText, ...] | Sealed
    reasons: tuple[Reason, ...]


class ScenarioChosen(Struct, frozen=True, gc=False, tag="scenario_chosen"):
    """The scenario of the match: its ability works for every player."""

    seat: Seat
    scenario: IdText
    reasons: tuple[Reason, ...]


class ObjectiveDealt(Struct, frozen=True, gc=False, tag="objective_dealt"):
    """A scenario card dealt face down: only its objective counts, for this seat."""

    seat: Seat
    scenario: IdText | Sealed
    reasons: tuple[Reason, ...]


class DeploymentCardsDealt(Struct, frozen=True, gc=False, tag="deployment_cards_dealt"):
    """Deployment cards dealt face up."""

    cards: tuple[IdText, ...]
    dice: Draw
    reasons: tuple[Reason, ...]


class DeploymentCardLaid(Struct, frozen=True, gc=False, tag="deployment_card_laid"):
    """A deployment card placed beside the field; `zones` are all zones of all seats after it."""

    seat: Seat
    card: IdText
    face: FaceNumber
    offset: AtLeastZero
    zones: tuple[Zone, ...]
    reasons: tuple[Reason, ...]


class SetupCardDiscarded(Struct, frozen=True, gc=False, tag="setup_card_discarded"):
    """The seat has no room for any offered card: this one is discarded (R-28, R-56)."""

    seat: Seat
    card: IdText
    reasons: tuple[Reason, ...]


class TerrainCardsDealt(Struct, frozen=True, gc=False, tag="terrain_cards_dealt"):
    """Terrain cards dealt face up."""

    cards: tuple[IdText, ...]
    dice: Draw
    reasons: tuple[Reason, ...]


class TerrainPlaced(Struct, frozen=True, gc=False, tag="terrain_placed"):
    """A terrain piece placed with one face up, its middle at (x, y), turned by `rotation_steps` of 5°.

    `corners` are where this puts the corners of the face, rounded; only they count from here on (R10.12).
    """

    seat: Seat
    card: IdText
    face: FaceNumber
    x: Micrometres
    y: Micrometres
    rotation_steps: Annotated[int, Meta(ge=0, le=71)]
    corners: tuple[tuple[Micrometres, Micrometres], ...]
    reasons: tuple[Reason, ...]


class RevealedObjective(Struct, frozen=True, gc=False):
    """The scenario card whose objective counts for a seat."""

    seat: Seat
    scenario: ContentId


class ObjectivesRevealed(Struct, frozen=True, gc=False, tag="objectives_revealed"):
    """The objectives of all seats that are still in the game."""

    objectives: tuple[RevealedObjective, ...]
    reasons: tuple[Reason, ...]


LayoutEvent: TypeAlias = (
    EdgesDrawn | DeploymentCardsDealt | DeploymentCardLaid | SetupCardDiscarded | TerrainCardsDealt | TerrainPlaced
)
ScenarioEvent: TypeAlias = ScenariosDrawn | ScenarioChosen | ObjectiveDealt | ObjectivesRevealed
