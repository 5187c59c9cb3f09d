"""How does the set-up of a full table read?"""

import pytest

from diskwars_client.around import around, part
from diskwars_protocol.diskwars import events as e
from diskwars_protocol.diskwars import scenery as s
from diskwars_protocol.fairness import Draw
from diskwars_protocol.match import seat_letter
from diskwars_protocol.sealed import HIDDEN
from tests.engine.layouts import INCH, TERRAIN, dealt

DICE = Draw(1, 0, "shuffle", 2, "edges", (1, 0))
PIECE = s.Piece(TERRAIN[0].faces[1], ())


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (e.EdgesDrawn(("north", "south"), DICE, ()), "Edges: A north, B south"),
        (e.ScenariosDrawn(1, HIDDEN, ()), "B drew two scenario cards"),
        (e.ScenariosDrawn(1, ("S1", "S2"), ()), "B drew S1 and S2"),
        (e.ScenarioChosen(1, "S1", ()), "Scenario: S1 (for everybody: moves have 1 more flip)"),
        (e.ObjectiveDealt(0, HIDDEN, ()), "A got a secret objective"),
        (e.ObjectiveDealt(0, "S3", ()), "A got S3 (1 for each own disk on the field)"),
        (e.DeploymentsDealt(("D0", "D1"), DICE, ()), "Deployment cards to take: D0, D1"),
        (e.DeploymentLaid(0, "D0", 1, 10 * INCH, (), ()), "A laid D0 (value 1, rendezvous) at 10.0 in"),
        (e.DeploymentLaid(0, "D0", 0, 0, (), ()), "A laid D0 (value 3) at 0.0 in"),
        (e.CardLeft(0, "T1", ()), "nothing that is left fits for A: T1 is discarded"),
        (e.TerrainDealt(("T0", "T1"), DICE, ()), "Terrain to take: T0, T1"),
        (
            e.TerrainPlaced(1, "T0", 1, 10 * INCH, 12 * INCH, 9, PIECE, ()),
            "B placed T0 back at (10.0, 12.0), turned by 45°",
        ),
        (
            e.ObjectivesRevealed(("S3", ""), ()),
            "Objectives: A S3 (1 for each own disk on the field)",
        ),
    ],
)
def test_an_event_around_the_field_reads_as_a_sentence(event: e.LayoutEvent | e.ScenarioEvent, text: str) -> None:
    assert around(dealt().board, seat_letter, event) == text


@pytest.mark.parametrize(
    ("of", "text"),
    [
        (s.SlayUnits(4), "1 for each 4 recruitment points of enemy units destroyed"),
        (s.SlayHeroes(5), "5 for each enemy hero destroyed"),
        (s.SlayElite(3), "3 for each enemy elite disk destroyed"),
        (s.HoldZones(2), "2 for each own disk in an enemy zone"),
        (s.HoldTerrain(3), "3 for each piece of terrain controlled"),
        (s.HoldMiddle(2), "2 for each own disk near the middle"),
        (s.Survive(1), "1 for each own disk on the field"),
    ],
)
def test_an_objective_reads_as_what_it_asks_for(of: s.Objective, text: str) -> None:
    assert part(of) == text
