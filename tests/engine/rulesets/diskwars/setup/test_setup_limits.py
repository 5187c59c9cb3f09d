"""Limits of the setup: decks, room along an edge, terrain that fits, zones of the quick setup (R3, R18)."""

import pytest
from msgspec.structs import replace

from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.rulesets.diskwars import Diskwars, rounds, zones
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_engine.rulesets.diskwars.setup import terrain_cards
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol import geometry
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars import setup_cards as s
from diskwars_protocol.rulesets.diskwars import setup_events as se
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.options import DiskwarsUnavailable
from tests.engine.played_match import QUICK_SETTINGS
from tests.engine.rulesets.diskwars.positions import ScriptedMatchDice, ScriptedPosition, scripted_position
from tests.engine.rulesets.diskwars.setup_positions import (
    CARD_WIDTH,
    DEPLOYMENTS,
    INCH,
    TERRAIN,
    make_terrain_card,
    setup_with_deployment_cards,
    setup_with_order,
    setup_with_terrain,
    small_catalogue,
    square_outline,
    start_setup,
    with_two_regiments,
)
from tests.rows import each_row

WIDE, NARROW = "d0", "d1"


def explanations(table: ScriptedPosition) -> tuple[DiskwarsUnavailable, ...]:
    seat, question = table.open_questions[0]
    return rounds.unavailable(table.board, seat, question)


# ---------------------------------------------------------------- what the match starts with


def test_the_start_names_the_armies_and_every_card_of_the_packs_but_no_hand() -> None:
    """R-25, R2.8: a list of the cards in play would reveal the hands."""
    catalogue = small_catalogue()
    started = start_setup([(0, 1), (6, 1)]).events[0]
    assert isinstance(started, e.MatchStarted)
    assert set(started.cards) == set(catalogue.cards.values())
    armies = [catalogue.armies[name] for name in ("chaos-patrol", "empire-patrol")]
    assert [(army.name, army.id) for army in started.armies] == [(army.name, army.id) for army in armies]
    assert started.zones == ()
    assert {card.id for card in started.deployments} == {card.id for card in DEPLOYMENTS}
    assert {card.id for card in started.terrain} == {card.id for card in TERRAIN}


def test_the_decks_of_the_setup_are_part_of_the_full_setup_only() -> None:
    """R-25, R-63"""
    outcome = Diskwars(core_pack()).start(
        QUICK_SETTINGS, [a.Loadout("chaos-patrol"), a.Loadout("empire-patrol")], ScriptedMatchDice([(6, 1)], 1)
    )
    started = outcome.events[0]
    assert isinstance(started, e.MatchStarted)
    assert (started.deployments, started.terrain, started.scenarios) == ((), (), ())
    assert [zone.seat for zone in started.zones] == [0, 1]


@each_row("regiments", [1, 2, 3])
def test_a_quick_zone_is_the_middle_two_thirds_of_its_edge_and_takes_four_more_for_each_regiment(
    regiments: int,
) -> None:
    """R-35, R-63, R18.2: with three players the squeezed one has the middle, the others their far corner."""
    field = core_pack().field
    value = {1: 5, 2: 9, 3: 13}[regiments]
    south, north = zones.quick_zones(field, 2, regiments)
    assert south == s.Zone(0, 6 * INCH, 0, 30 * INCH, 6 * INCH, value, "south")
    assert north == s.Zone(1, 6 * INCH, 30 * INCH, 30 * INCH, 36 * INCH, value, "north")
    squeezed, west, east = zones.quick_zones(field, 3, regiments)
    assert squeezed == south
    assert west == s.Zone(1, 0, 24 * INCH, 6 * INCH, 36 * INCH, value, "west")
    assert east == s.Zone(2, 30 * INCH, 24 * INCH, 36 * INCH, 36 * INCH, value, "east")


# ---------------------------------------------------------------- deployment cards


@each_row(("regiments", "deck", "dealt"), [(1, 8, 2), (1, 3, 2), (2, 3, 2), (2, 4, 4), (2, 5, 4)])
def test_a_card_for_each_regiment_is_dealt_or_fewer_of_which_everybody_gets_the_same_number(
    regiments: int, deck: int, dealt: int
) -> None:
    """R-55, R3.4"""
    reserves = {1: ("Archaon", "Tyrion"), 2: ("Archaon, Grom the Paunch", "Tyrion, Teclis")}[regiments]
    text = "phase setup\nA Orc Boyz (3, 3)\nB Sun Dragon (30, 30)\nA reserve: {}\nB reserve: {}".format(*reserves)
    board = scripted_position(text).board
    layout = replace(board.layout, deployments=tuple(DEPLOYMENTS[:deck]), edges=("south", "north"))
    board = replace(board, layout=layout)
    table = ScriptedPosition(board).run_tasks(t.SetupStepTask("deployment_cards"), dice=[tuple(range(deck))])
    (event,) = table.events_of_type(se.DeploymentCardsDealt)
    assert event.cards == tuple(f"d{n}" for n in range(dealt))


def laid_along_one_edge(*offsets: int) -> ScriptedPosition:
    """Return the third question for seat 1, which has laid cards at these places."""
    table = with_two_regiments(setup_with_deployment_cards())
    laid = tuple(s.LaidCard(1, f"d{4 + n}", 0, offset) for n, offset in enumerate(offsets))
    return ScriptedPosition(replace(table.board, layout=replace(table.board.layout, laid_cards=laid)))


@each_row(
    ("offset", "free"),
    [
        (10 * INCH, [(0, 10 * INCH), (10 * INCH + CARD_WIDTH, 36 * INCH)]),
        (0, [(CARD_WIDTH, 36 * INCH)]),
        (36 * INCH - CARD_WIDTH, [(0, 36 * INCH - CARD_WIDTH)]),
    ],
)
def test_a_laid_card_takes_its_own_width_of_the_edge_and_leaves_no_empty_gap(
    offset: int, free: list[tuple[int, int]]
) -> None:
    """R3.4: not over another card of the same player."""
    question = laid_along_one_edge(offset).question(a.DeploymentCardQuestion)
    assert [(span.start, span.end) for span in question.free_spans] == free


def test_a_card_may_be_laid_in_any_gap_and_up_to_its_very_end() -> None:
    """R3.4"""
    table = laid_along_one_edge(10 * INCH)
    for offset in (0, 10 * INCH - CARD_WIDTH, 10 * INCH + CARD_WIDTH, 36 * INCH - CARD_WIDTH):
        laid = table.answer(a.LayDeploymentCard("d0", 0, offset)).board.layout.laid_cards
        assert laid[-1] == s.LaidCard(1, "d0", 0, offset)
    for offset in (10 * INCH - CARD_WIDTH + 1, 10 * INCH + CARD_WIDTH - 1):
        assert table.expect_illegal(a.LayDeploymentCard("d0", 0, offset)).rule == "R3.4"


def test_zones_lie_along_the_edge_of_the_player_who_laid_the_cards() -> None:
    """R3.4.1, R3.4.4: cards of two players never make one zone."""
    board = setup_with_deployment_cards().board
    laid = [s.LaidCard(0, "d0", 0, 0), s.LaidCard(1, "d1", 1, CARD_WIDTH)]
    south, north = zones.merge_zones(board, laid)
    assert south == s.Zone(0, 0, 0, CARD_WIDTH, 6 * INCH, 3, "south")
    assert north == s.Zone(1, CARD_WIDTH, 30 * INCH, 2 * CARD_WIDTH, 36 * INCH, 2, "north", ("scouting",))


def narrow_edge(width: int) -> ScriptedPosition:
    """Return the choice between a wide card and a narrow one, with a gap of this width between two smaller ones."""
    cards = {card.id: card for card in DEPLOYMENTS}
    filler = replace(cards["d7"], width=36 * INCH - width - 4 * INCH)
    catalogue = small_catalogue(
        deployments={**cards, WIDE: replace(cards[WIDE], width=10 * INCH), "d7": filler, "d6": filler}
    )
    table = with_two_regiments(setup_with_deployment_cards(catalogue=catalogue))
    layout = replace(table.board.layout, laid_cards=(s.LaidCard(1, "d7", 0, 4 * INCH),), offered_cards=(WIDE, NARROW))
    return ScriptedPosition(replace(table.board, layout=layout))


@pytest.mark.parametrize(("width", "cards"), [(10 * INCH - 1, (NARROW,)), (10 * INCH, (WIDE, NARROW))])
def test_a_card_is_offered_as_soon_as_the_longest_gap_is_as_wide_as_the_card(
    width: int, cards: tuple[str, ...]
) -> None:
    """R19.7: wherever along the edge that gap is."""
    assert narrow_edge(width).question(a.DeploymentCardQuestion).cards == cards


def test_a_dealt_card_without_room_is_explained_and_the_others_are_not() -> None:
    """R-56"""
    (entry,) = explanations(narrow_edge(9 * INCH))
    assert (entry.card, entry.code, entry.rule) == (WIDE, "not_legal", "R-56")
    assert '"D0"' in entry.text
    assert explanations(narrow_edge(10 * INCH)) == ()


# ---------------------------------------------------------------- terrain


GIANT = make_terrain_card("t0", 16 * INCH)
HALF = s.TerrainCard("t0", "T0", (GIANT.faces[0], s.Terrain("small", "Small", square_outline(INCH))))


def test_a_card_of_which_one_side_fits_is_offered_and_one_of_which_none_fits_is_explained() -> None:
    """R-28, R-57, R19.8"""
    for card, cards in ((HALF, ("t0", "t1", "t2", "t3")), (GIANT, ("t1", "t2", "t3"))):
        table = setup_with_terrain(small_catalogue(terrain={**small_catalogue().terrain, "t0": card}))
        assert table.question(a.TerrainQuestion).cards == cards
        found = [
            (explanation.card, explanation.code, explanation.rule, explanation.text)
            for explanation in explanations(table)
        ]
        named = [("t0", "not_legal", "R-28", '"T0" has no room on the field')]
        assert found == ([] if card is HALF else named)


def test_after_a_piece_without_a_place_is_discarded_the_next_player_takes_a_card() -> None:
    """R3.5.2, R-28: one card is lost for each turn in which nothing fits."""
    table = setup_with_terrain(small_catalogue(terrain={"t0": GIANT, "t1": replace(GIANT, id="t1", name="T1")}), (0, 1))
    discarded = [(event.seat, event.card) for event in table.events_of_type(se.SetupCardDiscarded)]
    assert discarded == [(1, "t0"), (0, "t1")]
    assert isinstance(table.open_questions[0][1], a.DeploymentQuestion)


@each_row("steps", [0, 1, 71])
def test_a_piece_may_be_turned_by_any_number_of_steps_of_5_degrees_from_none_to_71(steps: int) -> None:
    """R10.12"""
    table = setup_with_terrain()
    (piece,) = table.answer(a.PlaceTerrain("t0", 0, 18 * INCH, 18 * INCH, steps)).board.terrain
    assert len(piece.corners) == 4
    assert table.expect_illegal(a.PlaceTerrain("t0", 0, 18 * INCH, 18 * INCH, steps + 72)).rule == "R10.12"
    assert table.expect_illegal(a.PlaceTerrain("t0", 0, 18 * INCH, 18 * INCH, steps - 72)).rule == "R10.12"


def test_the_reason_of_a_placed_piece_counts_the_pieces_on_the_field() -> None:
    """R3.5.1"""
    table = setup_with_terrain()
    for count, y in ((1, 8), (2, 28)):
        table = table.answer(a.PlaceTerrain(f"t{count}", 0, 18 * INCH, y * INCH, 0))
        (event,) = table.events_of_type(se.TerrainPlaced)
        assert [(reason.rule, reason.numbers) for reason in event.reasons] == [("R3.5.1", {"pieces": count})]


def test_the_search_tries_every_inch_of_the_field_turned_by_every_15_degrees() -> None:
    """R-57"""
    turned = [steps * terrain_cards.STEP_DEGREES for steps in terrain_cards.SEARCHED_ROTATIONS]
    assert turned == list(range(0, 360, 15))
    places = terrain_cards._grid_places(36 * INCH, 36 * INCH, 0)
    assert set(places) == {(x * INCH, y * INCH) for x in range(1, 36) for y in range(1, 36)}


ARROW = ((-4 * INCH, -4 * INCH), (8 * INCH, 4 * INCH), (8 * INCH, 9 * INCH), (4 * INCH, 9 * INCH))
"""Lies mostly to one side of the middle of its card."""


@each_row("where", [(24, 23), (21, 23), (16, 21), (20, 15)])
def test_the_search_misses_no_place_that_is_nearer_to_its_start(where: tuple[int, int]) -> None:
    """R-57: every place of the grid counts that keeps short range from the edges and from other pieces (R3.5.1)."""
    face = s.Terrain("arrow", "Arrow", ARROW)
    cards = {name: s.TerrainCard(name, name, (face, face)) for name in ("t0", "t1", "t2")}
    table = setup_with_terrain(small_catalogue(terrain=cards), (0, 1, 2))
    board = table.answer(a.PlaceTerrain("t0", 0, where[0] * INCH, where[1] * INCH, 0)).board
    assert board.layout.offered_cards == ("t1", "t2")
    found = terrain_cards._find_place(board, "t2", 0, WorkBudget())
    assert found is not None
    grid = terrain_cards._grid_places(36 * INCH, 36 * INCH, 2)
    legal = next(place for place in grid if is_free(board, geometry.rotate_polygon(ARROW, 0, *place)))
    assert (found.x, found.y, found.rotation_steps) == (*legal, 0)


def is_free(board: Board, corners: geometry.Polygon) -> bool:
    inside = geometry.is_polygon_inside_rectangle(corners, 0, 0, 36 * INCH, 36 * INCH, 3 * INCH + 1)
    return inside and not any(geometry.are_polygons_within(corners, piece.corners, 3 * INCH) for piece in board.terrain)


# ---------------------------------------------------------------- defaults


def test_a_time_out_takes_the_first_option_where_the_question_has_no_default_of_its_own() -> None:
    """R19.11"""
    table = setup_with_order()
    seat, question = table.open_questions[0]
    found = rounds.default(table.board, seat, question, ScriptedMatchDice((), 1))
    assert found == table.options().actions[0] == a.ChooseScenario("s0")
