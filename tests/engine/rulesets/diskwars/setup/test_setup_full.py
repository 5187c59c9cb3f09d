"""Full setup: edges, scenario, objectives, deployment cards, terrain, deployment (R3)."""

import pytest
from msgspec.structs import replace

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import Diskwars, views, zones
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_protocol import geometry
from diskwars_protocol.match.ids import ALL, PUBLIC
from diskwars_protocol.records.sealed import HIDDEN
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import effective_stats, position
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars import setup_cards as s
from diskwars_protocol.rulesets.diskwars import setup_events as se
from tests.engine.played_match import QUICK_SETTINGS
from tests.engine.rulesets.diskwars.positions import ScriptedPosition, scripted_position, with_tasks
from tests.engine.rulesets.diskwars.setup_positions import (
    CARD_WIDTH,
    INCH,
    OVERLAPPING_ZONES_POSITION,
    SCENARIOS,
    TERRAIN,
    deciding_seat,
    deploy_from,
    example_action,
    make_terrain_card,
    setup_with_deployment_cards,
    setup_with_order,
    setup_with_terrain,
    setup_with_zones,
    small_catalogue,
    start_setup,
    with_two_regiments,
)
from tests.rows import each_row

# ---------------------------------------------------------------- edges and initiative


@each_row(
    ("drawn", "edges"),
    [
        ((1, 0), ("north", "south")),
        ((2, 0, 1), ("west", "east", "south")),
        ((3, 2, 0, 1), ("north", "west", "east", "south")),
    ],
)
def test_edges_are_drawn_before_the_initiative_roll(drawn: tuple[int, ...], edges: tuple[str, ...]) -> None:
    """R19.3, R18.2, R-64: the first drawn of three is the squeezed one in the south."""
    seats = len(drawn)
    table = start_setup([drawn, tuple(range(1, seats + 1))], seats)
    assert table.board.layout.edges == edges
    kinds = table.event_names(e.HandTaken)
    assert kinds == ["MatchStarted", "EdgesDrawn", "InitiativeRolled"]


def test_every_setup_card_is_in_the_first_event_in_its_own_order() -> None:
    """R3.3 to R3.5"""
    board = start_setup([(0, 1), (6, 1)]).board
    assert board.zones == ()
    assert [card.name for card in board.layout.scenarios] == [card.name for card in SCENARIOS]
    assert [card.name for card in board.layout.terrain] == [card.name for card in TERRAIN]


@pytest.mark.parametrize("seats", [3, 4])
def test_with_more_than_two_players_the_winner_of_the_roll_hands_out_the_whole_order(seats: int) -> None:
    """R18.1, R19.4: every order is offered."""
    table = start_setup([tuple(range(seats)), tuple(range(1, seats + 1))], seats)
    assert table.open_questions == ((seats - 1, a.InitiativeOrderQuestion()),)
    orders = [action.order for action in table.options().actions if isinstance(action, a.SetOrder)]
    assert len(set(orders)) == {3: 6, 4: 24}[seats]
    order = (1, *range(2, seats), 0)
    assert table.answer(a.SetOrder(order), 0, 0).board.order == order


# ---------------------------------------------------------------- scenario and objectives


def test_the_last_player_draws_two_scenarios_and_chooses_one() -> None:
    """R3.3.1: of seats 0 and 1, seat 1 is last; the second card is drawn from what the first left."""
    table = setup_with_order()
    assert table.open_questions == ((1, a.ScenarioQuestion()),)
    assert table.options().actions == (a.ChooseScenario("s0"), a.ChooseScenario("s1"))
    assert table.board.sides[1].drawn_scenarios == ("s0", "s1")
    after = table.answer(a.ChooseScenario("s1"), 0, 0, tuple(range(8)))
    assert after.board.layout.active_scenario == "s1"


def test_nobody_else_sees_the_two_scenarios_nor_later_the_refused_one() -> None:
    """R19.5, R19.26"""
    table = setup_with_deployment_cards()
    (drawn,) = setup_with_order().events_of_type(se.ScenariosDrawn)
    for viewer in (0, PUBLIC):
        assert b"s0" not in str(views.redact(drawn, viewer)).encode()
        assert views.view(table.board, viewer).sides[1].drawn_scenarios == HIDDEN
    assert views.view(table.board, 1).sides[1].drawn_scenarios == ("s0", "s1")
    assert views.redact(drawn, ALL) == drawn


def test_each_player_is_dealt_an_objective_from_all_cards_but_the_active_one() -> None:
    """R3.3.2: the refused S1 is in the deck again, and may come to anybody."""
    table = setup_with_deployment_cards()
    assert [side.objective for side in table.board.sides] == ["s1", "s2"]
    events = table.events_of_type(se.ObjectiveDealt)
    assert [event.seat for event in events] == [0, 1]
    for event in events:
        assert views.redact(event, 1 - event.seat) != event
        assert views.redact(event, event.seat) == event


def test_an_objective_is_hidden_from_others_until_scoring() -> None:
    """R19.6"""
    board = setup_with_deployment_cards().board
    assert [side.objective for side in views.view(board, 0).sides] == ["s1", HIDDEN]
    assert [side.objective for side in views.view(board, PUBLIC).sides] == [HIDDEN, HIDDEN]
    shown = replace(board, sides=tuple(replace(side, objective_revealed=True) for side in board.sides))
    assert [side.objective for side in views.view(shown, PUBLIC).sides] == ["s1", "s2"]


def test_the_ability_of_the_active_scenario_works_for_everybody() -> None:
    """R3.3.1, R1.4: Faster by one flip; before it is chosen for nobody."""
    for table, more in ((setup_with_order(), 0), (setup_with_deployment_cards(), 1)):
        for disk in table.board.disks:
            assert effective_stats.movement(table.board, disk.id) == table.board.profile(disk.id).movement + more


# ---------------------------------------------------------------- deployment cards


@each_row("seats", [2, 3, 4])
def test_as_many_deployment_cards_are_dealt_as_there_are_regiments_and_taken_from_the_last_player_on(
    seats: int,
) -> None:
    """R3.4, R18.3"""
    table = setup_with_deployment_cards(seats, cards=(7, 6, 5, 4, 3, 2, 1, 0))
    assert table.board.layout.offered_cards == tuple(f"d{7 - n}" for n in range(seats))
    deciding = []
    for _ in range(seats):
        deciding.append(deciding_seat(table))
        action = table.options().actions[0]
        last = len(deciding) == seats
        table = table.answer(action, *([tuple(range(5))] if last else []))
    assert deciding == list(reversed(range(seats)))
    assert isinstance(table.open_questions[0][1], a.TerrainQuestion)


def test_with_too_few_deployment_cards_everybody_gets_the_same_number() -> None:
    """R-55: three cards for two regiments each are one each."""
    few = {name: card for name, card in small_catalogue().deployments.items() if name in ("d0", "d1", "d2")}
    table = setup_with_deployment_cards(2, (0, 1, 2), small_catalogue(deployments=few))
    assert table.board.layout.offered_cards == ("d0", "d1")


@pytest.mark.parametrize(("face", "value", "abilities"), [(0, 3, ()), (1, 1, ("rendezvous",))])
def test_a_card_lies_either_side_up_and_its_zone_is_as_wide_and_medium_range_deep(
    face: int, value: int, abilities: tuple[str, ...]
) -> None:
    """R3.4, R3.4.2, R3.4.3, R-23: the last player's edge is the northern one."""
    (zone,) = setup_with_deployment_cards().answer(a.LayDeploymentCard("d0", face, 10 * INCH)).board.zones
    assert (zone.x0, zone.y0, zone.x1, zone.y1) == (10 * INCH, 30 * INCH, 10 * INCH + CARD_WIDTH, 36 * INCH)
    assert (zone.seat, zone.value, zone.abilities, zone.edge) == (1, value, abilities, "north")


@each_row(("gap", "values"), [(0, [5]), (1, [3, 2]), (INCH, [3, 2])])
def test_cards_whose_ends_meet_make_one_zone_with_the_abilities_of_both(gap: int, values: list[int]) -> None:
    """R3.4.1, R3.4.4: a micrometre between them is enough to part them."""
    table = with_two_regiments(setup_with_deployment_cards())
    table = table.answer(a.LayDeploymentCard("d0", 0, 10 * INCH))
    table = table.answer(a.LayDeploymentCard("d3", 0, 0))
    table = table.answer(a.LayDeploymentCard("d1", 1, 10 * INCH + CARD_WIDTH + gap))
    own = [zone for zone in table.board.zones if zone.seat == 1]
    assert [zone.value for zone in own] == values
    assert own[-1].abilities == ("scouting",)
    assert (own[0].x0, own[-1].x1) == (10 * INCH, 10 * INCH + 2 * CARD_WIDTH + gap)


def test_a_card_between_two_makes_one_zone_of_all_three() -> None:
    """R3.4.1: values are added."""
    board = setup_with_deployment_cards().board
    laid = [s.LaidCard(1, name, 1, offset) for name, offset in (("d0", 0), ("d1", 2 * CARD_WIDTH), ("d2", CARD_WIDTH))]
    (zone,) = zones.merge_zones(board, laid)
    assert (zone.value, zone.x0, zone.x1) == (5, 0, 3 * CARD_WIDTH)
    assert zone.abilities == ("rendezvous", "ambush", "scouting")


@each_row(
    ("seat", "start", "end"),
    [(0, 0, 36 * INCH), (1, 24 * INCH, 36 * INCH), (2, 24 * INCH, 36 * INCH)],
)
def test_of_three_the_squeezed_player_has_his_whole_edge_and_the_others_their_far_corner(
    seat: int, start: int, end: int
) -> None:
    """R18.2.1: south is squeezed; the others lie within long range of the northern corners."""
    board = setup_with_deployment_cards(3).board
    assert zones.free_spans(board, seat) == ((start, end),)


def test_of_four_nobody_lays_a_card_within_medium_range_of_a_corner() -> None:
    """R18.2.2: not even touching that distance."""
    board = setup_with_deployment_cards(4).board
    for seat in range(4):
        assert zones.free_spans(board, seat) == ((6 * INCH + 1, 30 * INCH - 1),)


@pytest.mark.parametrize("seats", [3, 4])
def test_zones_of_neighbours_never_overlap(seats: int) -> None:
    """R-64: for any cards at the ends of the edges."""
    board = setup_with_deployment_cards(seats).board
    found = []
    for seat, edge in enumerate(board.layout.edges):
        start, end = zones.usable_span(board.field, edge, seats)
        found.append((seat, zones.edge_rectangle(board.field, edge, (start, end), board.field.medium)))
    for seat, (x0, y0, x1, y1) in found:
        for other, (u0, v0, u1, v1) in found:
            assert seat == other or x1 <= u0 or u1 <= x0 or y1 <= v0 or v1 <= y0


def test_player_without_room_for_a_card_takes_none_and_it_is_discarded() -> None:
    """R-56: three cards of 3.5 inches fit into 12 only side by side."""
    table = setup_with_deployment_cards(3)
    layout = replace(table.board.layout, offered_cards=("d0", "d1", "d2", "d3", "d4"))
    work = (t.DeploymentCardsTask((2, 2, 2, 2, 0)), *table.tasks[1:])
    table = ScriptedPosition(with_tasks(replace(table.board, layout=layout), *work))
    table = table.answer(a.LayDeploymentCard("d0", 0, 24 * INCH + CARD_WIDTH // 2))
    table = table.answer(a.LayDeploymentCard("d1", 0, 36 * INCH - CARD_WIDTH))
    assert [(event.seat, event.card) for event in table.events_of_type(se.SetupCardDiscarded)] == [(2, "d2"), (2, "d3")]
    assert table.open_questions[0] == (0, a.DeploymentCardQuestion(("d4",), (a.EdgeSpan(0, 36 * INCH),)))


def test_a_card_wider_than_every_gap_is_not_offered() -> None:
    """R3.4: the narrow one is."""
    cards = small_catalogue().deployments
    table = setup_with_deployment_cards(
        3, catalogue=small_catalogue(deployments={**cards, "d0": replace(cards["d0"], width=13 * INCH)})
    )
    assert table.question(a.DeploymentCardQuestion).cards == ("d1", "d2")


# ---------------------------------------------------------------- terrain


def test_four_terrain_cards_are_dealt_and_taken_from_the_last_player_on() -> None:
    """R3.5"""
    table = setup_with_terrain(order=(4, 3, 2, 1, 0))
    assert table.question(a.TerrainQuestion).cards == ("t4", "t3", "t2", "t1")
    deciding = []
    for _ in range(4):
        deciding.append(deciding_seat(table))
        table = table.answer(example_action(table))
    assert deciding == [1, 0, 1, 0]
    assert len(table.board.terrain) == 4
    assert isinstance(table.open_questions[0][1], a.DeploymentQuestion)


def test_with_three_players_terrain_goes_last_second_first_last() -> None:
    """R18.3"""
    table = setup_with_deployment_cards(3)
    for n in range(3):
        table = table.answer(table.options().actions[0], *([tuple(range(5))] if n == 2 else []))
    work = table.tasks[0]
    assert isinstance(work, t.TerrainCardsTask)
    assert work.seats == (2, 1, 0, 2)


def test_a_piece_is_turned_about_its_middle_and_its_corners_are_rounded_once() -> None:
    """R10.12, R3.5: the back of the card, turned by 45 degrees."""
    table = setup_with_terrain().answer(a.PlaceTerrain("t0", 1, 18 * INCH, 20 * INCH, 9))
    (piece,) = table.board.terrain
    assert piece.terrain == TERRAIN[0].faces[1]
    assert piece.corners == geometry.rotate_polygon(piece.terrain.corners, 9, 18 * INCH, 20 * INCH)


@pytest.mark.parametrize("beyond", [0, 1])
def test_a_piece_lies_farther_than_short_range_from_every_edge(beyond: int) -> None:
    """R3.5.1, R5.5: at short range is within it."""
    table = setup_with_terrain()
    action = a.PlaceTerrain("t0", 0, 4 * INCH + beyond, 18 * INCH, 0)
    if beyond:
        assert len(table.answer(action).board.terrain) == 1
    else:
        assert table.expect_illegal(action).rule == "R3.5.1"


@pytest.mark.parametrize("beyond", [0, 1])
def test_a_piece_lies_farther_than_short_range_from_every_other(beyond: int) -> None:
    """R3.5.1"""
    table = setup_with_terrain().answer(a.PlaceTerrain("t0", 0, 18 * INCH, 18 * INCH, 0))
    action = a.PlaceTerrain("t1", 0, 18 * INCH, 23 * INCH + beyond, 0)
    if beyond:
        assert len(table.answer(action).board.terrain) == 2
    else:
        assert table.expect_illegal(action).rule == "R3.5.1"


def test_a_piece_that_fits_nowhere_is_discarded_and_one_that_fits_is_still_offered() -> None:
    """R-28, R-57, R3.5.2: too wide for a field less twice short range."""
    giant = make_terrain_card("t0", 16 * INCH)
    cards = {**small_catalogue().terrain, "t0": giant}
    table = setup_with_terrain(small_catalogue(terrain=cards))
    assert table.question(a.TerrainQuestion).cards == ("t1", "t2", "t3")
    for _ in range(3):
        table = table.answer(example_action(table))
    assert [(event.seat, event.card) for event in table.events_of_type(se.SetupCardDiscarded)] == [(0, "t0")]
    assert len(table.board.terrain) == 3
    assert isinstance(table.open_questions[0][1], a.DeploymentQuestion)


def test_a_piece_that_fits_only_when_turned_is_offered_turned() -> None:
    """R-57: a bar of 34 inches, longer than the field is wide between its rims of 3 inches."""
    bar = ((-17 * INCH, -INCH), (17 * INCH, -INCH), (17 * INCH, INCH), (-17 * INCH, INCH))
    cards = {"t0": s.TerrainCard("t0", "T0", (s.Terrain("bar", "Bar", bar), s.Terrain("bar", "Bar", bar)))}
    table = setup_with_terrain(small_catalogue(terrain=cards), (0,))
    action = example_action(table)
    assert isinstance(action, a.PlaceTerrain)
    assert action.rotation_steps % 18
    assert len(table.answer(action).board.terrain) == 1


def test_a_pack_without_terrain_is_set_up_without_it() -> None:
    """R3.5"""
    table = setup_with_zones(a.LayDeploymentCard("d0", 0, 0), a.LayDeploymentCard("d1", 0, 0))
    assert isinstance(table.open_questions[0][1], a.DeploymentQuestion)


def test_pieces_lie_where_the_search_found_a_place_also_when_the_table_fills() -> None:
    """R-57: each of the offered places is legal after the others were taken."""
    big = {card.name: make_terrain_card(card.name, 2 * INCH) for card in TERRAIN}
    table = setup_with_terrain(small_catalogue(terrain=big))
    while isinstance(table.open_questions[0][1], a.TerrainQuestion):
        examples = [plan.example for plan in table.options().parametric]
        answers = [table.answer(example) for example in examples]
        table = answers[-1]
    assert len(table.board.terrain) + len(table.board.layout.offered_cards) <= 4


# ---------------------------------------------------------------- deployment


def test_a_merged_zone_takes_the_sum_of_its_values() -> None:
    """R3.6: exactly as many, in each zone."""
    table = setup_with_zones(
        a.LayDeploymentCard("d4", 1, 10 * INCH),
        a.LayDeploymentCard("d0", 0, 10 * INCH),
        cards=(4, 0, *range(1, 4), 5, 6, 7),
    )
    assert table.question(a.DeploymentQuestion) == a.DeploymentQuestion((a.ZoneLimit(1, 5),), 5)
    placings = example_action(table)
    assert isinstance(placings, a.Deploy)
    assert len(placings.disks) == 5
    assert table.expect_illegal(a.Deploy(placings.disks[1:])).rule in ("R3.6", "R3.6.4")


TWO_ZONES = "zone A (0, 0) to (10, 6) for 3\nzone A (20, 0) to (30, 6) for 2\nA reserve: Tyrion, Orc Boyz, Big Boss"


@each_row("spread", [(3, 0), (1, 2), (2, 1)])
def test_too_few_disks_are_spread_as_their_player_likes(spread: tuple[int, int]) -> None:
    """R3.6.1: a zone may stay empty."""
    table = deploy_from(TWO_ZONES)
    assert table.question(a.DeploymentQuestion) == a.DeploymentQuestion((a.ZoneLimit(0, 3), a.ZoneLimit(1, 2)), 3)
    xs = [2 * INCH + 3 * INCH * n for n in range(spread[0])] + [22 * INCH + 3 * INCH * n for n in range(spread[1])]
    names = ("Tyrion", "Orc Boyz", "Big Boss")
    action = a.Deploy(tuple(a.Placement(table.number(n), x, 3 * INCH) for n, x in zip(names, xs, strict=True)))
    assert len(table.answer(action).events_of_type(e.DisksDeployed)) == 1


def test_also_of_too_few_disks_a_zone_takes_no_more_than_its_value() -> None:
    """R-62"""
    table = deploy_from(TWO_ZONES)
    names = ("Tyrion", "Orc Boyz", "Big Boss")
    action = a.Deploy(tuple(a.Placement(table.number(n), 25 * INCH, 3 * INCH) for n in names))
    assert table.expect_illegal(action).code == "wrong_count"


def test_of_more_heroes_than_room_as_many_are_deployed_as_fit() -> None:
    """R3.6.4: the other has to be reinforced in round 1."""
    table = deploy_from("zone A (0, 0) to (10, 6) for 1\nA reserve: Tyrion, Archaon, Orc Boyz")
    for name in ("Tyrion", "Archaon"):
        table.answer(a.Deploy((a.Placement(table.number(name), 4 * INCH, 3 * INCH),)))
    refusal = table.expect_illegal(a.Deploy((a.Placement(table.number("Orc Boyz"), 4 * INCH, 3 * INCH),)))
    assert refusal.rule == "R3.6.4"


def test_nobody_is_asked_who_has_nothing_to_deploy() -> None:
    """R19.25"""
    table = deploy_from("zone A (0, 0) to (10, 6) for 1\nzone B (0, 30) to (10, 36) for 1\nB reserve: Orc Boyz", 0, 1)
    assert deciding_seat(table) == 1


@pytest.mark.parametrize("edge", ["(10, 0) to (17, 6) for 6 at south", "(30, 10) to (36, 17) for 6 at east"])
def test_the_example_lays_no_disk_on_another_where_there_is_room(edge: str) -> None:
    """R3.6: six small disks in seven inches by six."""
    names = "Orc Boyz x2, Night Goblins, Big Boss, Arrer Boyz, Black Orcs"
    table = deploy_from(f"zone A {edge}\nA reserve: {names}")
    after = table.answer(example_action(table))
    assert len(position.fielded_disks(after.board)) == 6
    assert after.board.pins == ()


def test_a_disk_in_a_free_part_of_a_zone_is_deployed_beside_an_enemy_zone() -> None:
    """R3.6.3: touching a zone is not overlapping it."""
    table = deploy_from(OVERLAPPING_ZONES_POSITION)
    radius = table.board.profile(table.number("Orc Boyz")).radius
    action = a.Deploy((a.Placement(table.number("Orc Boyz"), 5 * INCH, 6 * INCH - radius),))
    assert table.answer(action).is_fielded("Orc Boyz")


# ---------------------------------------------------------------- abilities of zones


REINFORCING = """
zone A (10, 0) to (20, 6) for 5 at {edge} with {abilities}
A Tyrion  (30, 30)
B Sun Dragon  (5, 30)
A reserve: Orc Boyz
"""


@pytest.mark.parametrize(("abilities", "marked"), [("rendezvous", False), ("ambush", True)])
def test_a_disk_reinforced_at_a_rendezvous_gets_no_activation_token(abilities: str, marked: bool) -> None:
    """R3.4.5, R9.1"""
    table = scripted_position(REINFORCING.format(edge="south", abilities=abilities)).with_card_turn(0)
    table = table.answer(a.Reinforce(table.number("Orc Boyz"), 15 * INCH, 3 * INCH))
    assert table.disk("Orc Boyz").activated is marked


@each_row(
    ("abilities", "depth", "refused"),
    [("ambush", 12, False), ("ambush", 13, True), ("rendezvous", 6, False), ("rendezvous", 7, True)],
)
def test_an_ambush_reaches_to_long_range_for_reinforcing(abilities: str, depth: int, refused: bool) -> None:
    """R3.4.5: from the edge, whichever that is; its width stays."""
    table = scripted_position(REINFORCING.format(edge="south", abilities=abilities)).with_card_turn(0)
    radius = table.board.profile(table.number("Orc Boyz")).radius
    action = a.Reinforce(table.number("Orc Boyz"), 15 * INCH, depth * INCH - radius)
    if refused:
        assert table.expect_illegal(action).code == "outside_zone"
    else:
        assert table.answer(action).is_fielded("Orc Boyz")


@each_row(
    ("edge", "box"),
    [("south", (10, 0, 20, 12)), ("north", (10, 24, 20, 36)), ("west", (0, 10, 12, 20)), ("east", (24, 10, 36, 20))],
)
def test_an_ambush_reaches_from_its_own_edge(edge: s.Edge, box: tuple[int, int, int, int]) -> None:
    """R3.4.5"""
    board = scripted_position("A Orc Boyz (18, 18)").board
    area = zones.edge_rectangle(board.field, edge, (10 * INCH, 20 * INCH), board.field.medium)
    zone = s.Zone(0, *area, 3, edge, ("ambush",))
    assert zones.reinforcement_rectangle(board, zone) == tuple(side * INCH for side in box)


def test_an_ambush_reaches_no_farther_for_deploying() -> None:
    """R3.4.5"""
    table = deploy_from("zone A (10, 0) to (20, 6) for 1 at south with ambush\nA reserve: Orc Boyz")
    action = a.Deploy((a.Placement(table.number("Orc Boyz"), 15 * INCH, 8 * INCH),))
    assert table.expect_illegal(action).code == "outside_zone"


# ---------------------------------------------------------------- packs


@pytest.mark.parametrize(("kind", "rule"), [("scenarios", "R3.3"), ("deployments", "R3.4")])
def test_pack_with_too_few_cards_is_refused_before_seats_are_taken(kind: str, rule: str) -> None:
    """R3.3, R3.4: for any four players."""
    rules = Diskwars(small_catalogue(**{kind: {}}))
    with pytest.raises(Illegal) as refusal:
        rules.complete_loadout(a.DiskwarsSettings(setup="full", regiments=1), a.Loadout("chaos-patrol"))
    assert (refusal.value.code, refusal.value.rule, refusal.value.place) == ("bad_settings", rule, "$.settings.setup")
    assert rules.complete_loadout(QUICK_SETTINGS, a.Loadout("chaos-patrol")).army == "chaos-patrol"


@each_row(("scenarios", "deployments", "rule"), [(5, 4, ""), (6, 8, ""), (4, 4, "R3.3"), (5, 3, "R3.4")])
def test_a_pack_with_exactly_enough_cards_for_four_players_is_accepted(
    scenarios: int, deployments: int, rule: str
) -> None:
    """R3.3, R3.4, R-74: an active scenario and four objectives, and a deployment card each."""
    own = {card.id: card for card in SCENARIOS[:scenarios]}
    laid = dict(list(small_catalogue().deployments.items())[:deployments])
    rules = Diskwars(small_catalogue(scenarios=own, deployments=laid))
    chosen, loadout = a.DiskwarsSettings(setup="full", regiments=1), a.Loadout("chaos-patrol")
    if rule:
        with pytest.raises(Illegal) as refusal:
            rules.complete_loadout(chosen, loadout)
        assert refusal.value.rule == rule
    else:
        assert rules.complete_loadout(chosen, loadout).army == "chaos-patrol"
    if deployments >= 4:
        special = replace(chosen, special_scenario="strongholds")
        assert rules.complete_loadout(special, loadout).army == "chaos-patrol"
