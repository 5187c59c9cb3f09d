"""Points of objectives (R17, R4.12)."""

from msgspec.structs import replace

from diskwars_engine.rulesets.diskwars import scoring
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_protocol.rulesets.diskwars import effective_stats
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars import setup_cards as s
from diskwars_protocol.rulesets.diskwars import setup_events as se
from diskwars_protocol.rulesets.diskwars.setup_cards import Layout
from diskwars_protocol.rulesets.diskwars.stats import IncreaseMovement, IncreaseShotStrength
from diskwars_text.rulesets.diskwars.parser import terrain_under
from tests.engine.rulesets.diskwars.positions import ScriptedPosition, scripted_position
from tests.engine.rulesets.diskwars.rules.test_multiplayer import resign_seat
from tests.engine.rulesets.diskwars.setup_positions import INCH, make_scenario, square_outline
from tests.rows import each_row

FALLEN_POSITION = """
round 5 of 5
order A B C
zone A (6, 0) to (30, 6) for 5
zone B (6, 30) to (30, 36) for 5
A Tyrion  (18, 33)
A Maiden Guard  (18, 29)
A Swordmasters of Hoeth  (18, 18)
B Orc Boyz  (10, 20)
C Huntsmen  (26, 3)
A casualties: High Mage, Sun Dragon
B casualties: Archaon, Night Goblins x2, Rock Lobber, Trash
C casualties: Steam Tank
disk Trash: unit of Chaos (Destruction), small, M5 S4 C3 T4, cost 3
"""


def score_position(
    *objectives: tuple[s.Objective, ...], text: str = FALLEN_POSITION, terrain: tuple[s.TerrainPiece, ...] = ()
) -> ScriptedPosition:
    """The game is over, with these objectives by seat."""
    table = scripted_position(text)
    cards = tuple(make_scenario(f"S{seat}", *parts) for seat, parts in enumerate(objectives))
    sides = tuple(replace(side, objective=f"S{side.seat}") for side in table.board.sides)
    layout = Layout(scenarios=(make_scenario("Active"), *cards), active_scenario="active")
    board = replace(table.board, layout=layout, sides=sides, terrain=terrain)
    disks = tuple(replace(disk, terrain=terrain_under(board, disk)) for disk in board.disks)
    return ScriptedPosition(replace(board, disks=disks)).run_tasks(t.RoundTask(6))


def points_of(
    *objectives: tuple[s.Objective, ...], text: str = FALLEN_POSITION, terrain: tuple[s.TerrainPiece, ...] = ()
) -> list[int]:
    return [side.points for side in score_position(*objectives, text=text, terrain=terrain).board.sides]


@each_row(("cost", "expected"), [(1, 33), (5, 6), (9, 3), (40, 0)])
def test_destroyed_enemy_units_give_a_point_for_this_many_of_their_points(cost: int, expected: int) -> None:
    """R17.2, R17.3: 4 + 4 + 9 + 3 of B and 13 of C are 33, divided once and rounded down; heroes do not count."""
    assert points_of((s.SlayUnits(cost),), (s.Survive(1),), (s.Survive(1),))[0] == expected


def test_destroyed_enemy_heroes_and_elite_disks_give_points_each() -> None:
    """R17.2, R17.3: Archaon for A and C; for B the elite Sun Dragon and Steam Tank; a player's own do not count."""
    found = points_of((s.SlayHeroes(5),), (s.SlayElite(3),), (s.SlayHeroes(2), s.SlayElite(1)))
    assert found == [5, 6, 4]
    two = FALLEN_POSITION.replace("Archaon, ", "Archaon, Grimgor Ironhide, ")
    assert points_of((s.SlayHeroes(5),), (s.SlayElite(3),), (s.SlayHeroes(2),), text=two) == [10, 6, 4]


def test_disks_wholly_in_an_enemy_zone_give_points_each() -> None:
    """R17.2, R17.3: Tyrion is; the Maiden Guard is not wholly; the Huntsmen are in A's."""
    hold = (s.HoldZones(2),)
    assert points_of(hold, hold, hold) == [2, 0, 2]
    both = FALLEN_POSITION.replace("(18, 29)", "(12, 33)")
    assert points_of(hold, hold, hold, text=both) == [4, 0, 2]


def test_disks_within_short_range_of_the_middle_give_points_each() -> None:
    """R17.3: of the middle of the field, from the rim."""
    near = FALLEN_POSITION.replace("(10, 20)", "(18, 14.13)")
    hold = (s.HoldMiddle(2),)
    assert points_of(hold, hold, hold) == [2, 0, 0]
    assert points_of(hold, hold, hold, text=near) == [2, 2, 0]


def test_disks_on_the_field_give_points_each() -> None:
    """R17.3: 3, 1 and 1."""
    live = (s.Survive(2),)
    assert points_of(live, live, live) == [6, 2, 2]


def test_a_piece_of_terrain_gives_points_to_whom_controls_it() -> None:
    """R10.2, R17.3: alone on it; with an enemy there nobody does."""
    corners = [
        tuple((x + dx * INCH, y + dy * INCH) for dx, dy in ((0, 0),) for x, y in square_outline(INCH)) for _ in "ab"
    ]
    own = s.TerrainPiece(
        s.Terrain("hill", "Hill", square_outline(INCH)), tuple((x + 18 * INCH, y + 18 * INCH) for x, y in corners[0])
    )
    both = s.TerrainPiece(
        s.Terrain("wood", "Wood", square_outline(INCH)), tuple((x + 10 * INCH, y + 20 * INCH) for x, y in corners[1])
    )
    hold = (s.HoldTerrain(3),)
    assert points_of(hold, hold, hold, terrain=(own, both)) == [3, 3, 0]
    shared = FALLEN_POSITION.replace("C Huntsmen  (26, 3)", "C Huntsmen  (10.5, 20.5)")
    assert points_of(hold, hold, hold, terrain=(own, both), text=shared) == [3, 0, 0]
    alone = FALLEN_POSITION.replace("A Maiden Guard  (18, 29)", "A Maiden Guard  (10.5, 20.5)").replace(
        "B Orc Boyz  (10, 20)", "B Orc Boyz  (30, 20)"
    )
    assert points_of(hold, hold, hold, terrain=(own, both), text=alone) == [6, 0, 0]


def test_parts_of_an_objective_are_added_and_explained_to_each_seat() -> None:
    """R17.3, R4.12"""
    table = score_position((s.SlayHeroes(5), s.Survive(1)), (s.Survive(1),), (s.Survive(2),))
    (event,) = table.events_of_type(e.Scored)
    assert event.points == (8, 1, 2)
    assert [(reason.rule, reason.numbers) for reason in event.reasons] == [
        ("R4.12", {"seat": 0, "slay_heroes": 5, "survive": 3}),
        ("R4.12", {"seat": 1, "survive": 1}),
        ("R4.12", {"seat": 2, "survive": 2}),
    ]


def test_reserves_are_lost_before_objectives_are_shown_and_scored() -> None:
    """R4.11, R4.12, R19.24: the lost reserve counts for the others, and no question is asked."""
    table = score_position(
        (s.SlayUnits(1),), (s.Survive(1),), (s.SlayUnits(1),), text=FALLEN_POSITION + "B reserve: Orc Boyz"
    )
    assert table.event_names() == ["PhaseBegan", "ReservesLost", "ObjectivesRevealed", "Scored"]
    assert table.events_of_type(se.ObjectivesRevealed)[0].objectives == tuple(
        se.RevealedObjective(seat, f"S{seat}") for seat in range(3)
    )
    assert table.board.sides[0].points == 33 + 6
    assert table.open_questions == ()


def test_eliminated_player_scores_nothing_and_shows_nothing() -> None:
    """R18.5"""
    text = FALLEN_POSITION.replace("round 5 of 5", "round 5 of 5  out C").replace("C Huntsmen  (26, 3)\n", "")
    table = score_position((s.Survive(1),), (s.Survive(1),), (s.SlayHeroes(9),), text=text)
    assert table.events_of_type(se.ObjectivesRevealed)[0].objectives == (
        se.RevealedObjective(0, "S0"),
        se.RevealedObjective(1, "S1"),
    )
    assert table.events_of_type(e.Scored)[0].points == (3, 1, 0)
    assert not table.board.sides[2].objective_revealed


@each_row(("order", "winner"), [("A B C", 1), ("C B A", 2), ("C A B", 2)])
def test_of_equal_points_the_earlier_in_initiative_order_wins(order: str, winner: int) -> None:
    """R4.13, R18.5"""
    table = score_position(
        (s.SlayElite(0),),
        (s.Survive(4),),
        (s.Survive(4),),
        text=FALLEN_POSITION.replace("order A B C", f"order {order}"),
    )
    result = scoring.result(table.board)
    assert result is not None
    assert (result.winners, result.end_reason) == ((winner,), "initiative")


def test_a_quick_set_up_scores_by_the_one_house_objective() -> None:
    """R20.2: cost of units, five a hero, one for each disk in an enemy zone."""
    table = scripted_position(FALLEN_POSITION).run_tasks(t.RoundTask(6))
    (event,) = table.events_of_type(e.Scored)
    assert event.points == (33 + 5 + 1, 7 + 15 + 13, 22 + 20 + 5 + 1)
    assert {reason.rule for reason in event.reasons} == {"R20.2"}


def test_of_the_active_card_the_ability_counts_and_of_a_dealt_one_the_objective() -> None:
    """R17.1, R3.3.1, R3.3.2: each card has both parts, and only one of them is used."""
    text = "phase activation\nround 5 of 5\nA Orc Boyz (10, 10)\nB Sun Dragon (30, 30)"
    active = s.Scenario("active", "Active", IncreaseMovement(2), (s.Survive(50),))
    dealt = s.Scenario("dealt", "Dealt", IncreaseShotStrength(3), (s.Survive(7),))
    table = scripted_position(text)
    sides = tuple(replace(side, objective="dealt" if side.seat == 0 else "active") for side in table.board.sides)
    layout = Layout(scenarios=(active, dealt), active_scenario="active")
    table = ScriptedPosition(replace(table.board, layout=layout, sides=sides))
    number = table.number("Orc Boyz")
    assert effective_stats.movement(table.board, number) == table.board.profile(number).movement + 2
    assert effective_stats.shot_bonus(table.board, number) == 0
    assert table.run_tasks(t.RoundTask(6)).board.sides[0].points == 7


def test_whatever_lies_in_a_casualty_pile_is_destroyed_for_each_of_its_enemies() -> None:
    """R-66: a hero who came too late, by nobody's hand, counts for both of the others and not for his own side."""
    text = FALLEN_POSITION.replace("round 5 of 5", "round 1 of 5").replace(
        "casualties: Archaon,", "reserve: Archaon\nB casualties:"
    )
    table = scripted_position(text).run_tasks(t.EndPhaseTask())
    (lost,) = table.events_of_type(e.ReservesLost)
    assert [table.name(disk) for disk in lost.disks] == ["Archaon"]
    cards = tuple(make_scenario(f"S{seat}", s.SlayHeroes(5)) for seat in range(3))
    sides = tuple(replace(side, objective=f"S{side.seat}") for side in table.board.sides)
    layout = Layout(scenarios=(make_scenario("Active"), *cards), active_scenario="active")
    over = ScriptedPosition(replace(table.board, layout=layout, sides=sides)).run_tasks(t.RoundTask(6))
    assert [side.points for side in over.board.sides] == [5, 0, 5]


def test_a_hero_who_left_with_a_seat_that_resigned_is_slain_for_nobody() -> None:
    """R-66, R4.10: of three players one resigns with a hero on the field, who is in no casualty pile."""
    text = "round 5 of 5\norder A B C\nA Orc Boyz  (18, 33)\nB Tyrion  (18, 18)\nC Huntsmen  (26, 3)\n"
    cards = tuple(make_scenario(f"S{seat}", s.SlayHeroes(5)) for seat in range(3))
    board = scripted_position(text).board
    sides = tuple(replace(side, objective=f"S{side.seat}") for side in board.sides)
    layout = Layout(scenarios=(make_scenario("Active"), *cards), active_scenario="active")
    table = resign_seat(ScriptedPosition(replace(board, layout=layout, sides=sides)).with_card_turn(0), 1)
    assert table.board.sides[1].eliminated
    assert ScriptedPosition(table.board).run_tasks(t.RoundTask(6)).board.sides[0].points == 0
