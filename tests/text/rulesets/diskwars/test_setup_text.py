"""Tests of the narration of a full setup."""

import pytest

from diskwars_client.rulesets.diskwars.setup_orders import SetupOrderError, find_setup_cards, parse_lay, parse_put
from diskwars_protocol.match.ids import seat_letter
from diskwars_protocol.records.fairness import Draw
from diskwars_protocol.records.sealed import HIDDEN
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import setup_cards as s
from diskwars_protocol.rulesets.diskwars import setup_events as se
from diskwars_protocol.rulesets.diskwars.effect_text import objective_part_text
from diskwars_text.rulesets.diskwars.setup_text import setup_event_text
from tests.engine.rulesets.diskwars.setup_positions import INCH, setup_with_deployment_cards
from tests.rows import each_row

DICE = Draw(1, 0, "shuffle", 2, "edges", (1, 0))


@each_row(
    ("event", "text"),
    [
        (se.EdgesDrawn((se.SeatEdge(0, "north"), se.SeatEdge(1, "south")), DICE, ()), "Edges: A north, B south"),
        (se.ScenariosDrawn(1, HIDDEN, ()), "B drew two scenario cards"),
        (se.ScenariosDrawn(1, ("s1", "s2"), ()), "B drew S1 and S2"),
        (se.ScenarioChosen(1, "s1", ()), "Scenario: S1 (for everybody: moves get 1 extra flip)"),
        (se.ObjectiveDealt(0, HIDDEN, ()), "A was dealt a secret objective"),
        (se.ObjectiveDealt(0, "s3", ()), "A was dealt S3 (1 point for each friendly disk on the field)"),
        (se.DeploymentCardsDealt(("d0", "d1"), DICE, ()), "Deployment cards on offer: D0, D1"),
        (
            se.DeploymentCardLaid(0, "d0", 1, 10 * INCH, (), ()),
            "A laid D0 (value 1, rendezvous) at 10 in along the south edge",
        ),
        (se.DeploymentCardLaid(0, "d0", 0, 0, (), ()), "A laid D0 (value 3) at 0 in along the south edge"),
        (se.SetupCardDiscarded(0, "t1", ()), "A has no room for any remaining card: T1 is discarded"),
        (se.TerrainCardsDealt(("t0", "t1"), DICE, ()), "Terrain on offer: T0, T1"),
        (
            se.TerrainPlaced(1, "t0", 1, 10 * INCH, 12 * INCH, 9, (), ()),
            "B placed T0 back at (10, 12), turned by 45°",
        ),
        (
            se.ObjectivesRevealed((se.RevealedObjective(0, "s3"),), ()),
            "Objectives:\n  A S3 (1 point for each friendly disk on the field)",
        ),
    ],
)
def test_an_event_around_the_field_reads_as_a_sentence(event: se.LayoutEvent | se.ScenarioEvent, text: str) -> None:
    assert setup_event_text(setup_with_deployment_cards().board, seat_letter, event) == text


@each_row(
    ("of", "text"),
    [
        (s.SlayUnits(4), "1 point for each 4 recruitment points of destroyed enemy units"),
        (s.SlayHeroes(5), "5 points for each destroyed enemy hero"),
        (s.SlayElite(3), "3 points for each destroyed enemy elite disk"),
        (s.HoldZones(2), "2 points for each friendly disk in an enemy zone"),
        (s.HoldTerrain(3), "3 points for each piece of terrain controlled"),
        (s.HoldMiddle(2), "2 points for each friendly disk near the middle"),
        (s.Survive(1), "1 point for each friendly disk on the field"),
    ],
)
def test_an_objective_reads_as_what_it_asks_for(of: s.Objective, text: str) -> None:
    assert objective_part_text(of) == text


@each_row(
    ("name", "shown"),
    [
        (
            "s1",
            [
                "S1: for everybody, moves get 1 extra flip; as a secret objective: 1 point for each friendly disk on "
                "the field"
            ],
        ),
        ("D0", ["D0, common side: 3 disks, 3.5 in wide; own side: 1 disk, 3.5 in wide, rendezvous"]),
        ("T0 BACK", ["T0 back: nothing is printed on it"]),
        ("press", ["Press On (bold, 3 activations)"]),
        ("nothing", []),
        ("D", []),
    ],
)
def test_whatever_lies_on_the_table_is_shown_by_its_name(name: str, shown: list[str]) -> None:
    assert find_setup_cards(setup_with_deployment_cards().board, name) == shown


# ---------------------------------------------------------------- how the choices are typed


CARDS = a.DeploymentCardQuestion(("d0", "d1"), (a.EdgeSpan(0, 36 * INCH),))
SCENARIO_FACES = a.TerrainQuestion(("t0", "t1"))


@each_row(("side", "face"), [("own", 1), ("common", 0), ("OWN", 1)])
def test_deployment_card_is_laid_with_the_named_side(side: str, face: int) -> None:
    assert parse_lay(f"d0 {side} at 12.5".split(), setup_with_deployment_cards().board, CARDS) == a.LayDeploymentCard(
        "d0", face, 317500
    )


@each_row(
    ("words", "said"),
    [
        ("", "which card? Say `lay D0 own at 12`: there are D0, D1"),
        ("D9 own at 12", "which card? "),
        ("D own at 12", "which card? "),
        ("D0 at 12", "which side of D0 is up? Say `lay D0 own at 12` or `lay D0 common at 12`"),
        ("D0 both at 12", "which card? "),
        ("D0 own", "where does D0 begin? Say `lay D0 own at 12`, inches along your edge"),
        ("D0 own at x", "where does D0 begin? "),
    ],
)
def test_missing_part_of_a_deployment_card_is_asked_for(words: str, said: str) -> None:
    with pytest.raises(SetupOrderError) as unreadable:
        parse_lay(words.split(), setup_with_deployment_cards().board, CARDS)
    assert str(unreadable.value).startswith(said)


@each_row(("turned", "turn"), [("", 0), (" turn 45", 9), (" turn 360", 0), (" turn -5", 71)])
def test_terrain_is_placed_with_the_named_face_and_turn(turned: str, turn: int) -> None:
    assert parse_put(
        f"t0 back at 10 12{turned}".split(), setup_with_deployment_cards().board, SCENARIO_FACES
    ) == a.PlaceTerrain("t0", 1, 254000, 304800, turn)


@each_row(
    ("words", "said"),
    [
        ("", "which face? Say `put T0 front at 18 12 turn 45`: there are T0 front, T0 back, T1 front, T1 back"),
        ("T0 at 10 12", "which face? "),
        ("T0 back", "where is the middle of T0 back? Say `put T0 back at 18 12`, inches from the lower left corner"),
        ("T0 back at 10", "where is the middle of T0 back? "),
        ("T0 back at a b turn 45", "where is the middle of T0 back? "),
        ("T0 back at 10 12 turn", "how is T0 back turned? Say `turn 45`: 0 to 360 degrees by fives"),
        ("T0 back at 10 12 turn x", "how is T0 back turned? "),
        ("T0 back at 10 12 turn 44", "how is T0 back turned? "),
        ("T0 back at 10 12 turn 400", "how is T0 back turned? "),
    ],
)
def test_missing_part_of_a_piece_of_terrain_is_asked_for(words: str, said: str) -> None:
    """Nothing that cannot be read is left out in silence."""
    with pytest.raises(SetupOrderError) as unreadable:
        parse_put(words.split(), setup_with_deployment_cards().board, SCENARIO_FACES)
    assert str(unreadable.value).startswith(said)
