"""The rules of regiments about obstacles: who cannot be there, what they hide, and how one flees past them."""

from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.regiments import flight
from diskwars_engine.rulesets.regiments.scenario import starting_event
from diskwars_protocol.match.tasks import ScenarioArea
from diskwars_protocol.rulesets.regiments import position
from diskwars_protocol.rulesets.regiments.actions import Charge, March, RegimentsSettings
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard
from diskwars_protocol.rulesets.regiments.events import UnitFled, UnitPursued
from tests.engine.rulesets.number_dice import NumberDice
from tests.engine.rulesets.regiments.regiments_positions import (
    REGIMENTS,
    found,
    lay_out,
    only,
    playing,
    unit,
)

HOUSE = ScenarioArea(3, 4, 3, 4)


def meeting(*obstacles: ScenarioArea, **enemy: Any) -> RegimentsBoard:
    """Return a board with Foot at 2, 4 facing the enemy in the east, who is at 5, 4 if nothing else is said."""
    there = {"x": 5, "y": 4, "facing": "west", **enemy}
    return lay_out(
        unit("foot", 0, 2, 4, "east"),
        unit("bones", 1, there["x"], there["y"], there["facing"]),
        obstacles=obstacles,
    )


def refusal(board: RegimentsBoard, order: Any) -> Illegal:
    ((seat, question),) = REGIMENTS.questions(board)
    with pytest.raises(Illegal) as refused:
        REGIMENTS.decide(board, seat, question, order, NumberDice())
    return refused.value


def test_no_unit_marches_onto_an_obstacle() -> None:
    """C-31: the cell ahead is a house; the others are free."""
    board = meeting(HOUSE)
    ends = {pose[:2] for pose in position.marches(board, board.units[0])}
    assert (3, 4) not in ends
    assert (3, 4) in {pose[:2] for pose in position.marches(meeting(), board.units[0])}
    refused = refusal(board, March(("forward",)))
    assert (refused.rule, refused.numbers) == ("C-31", {"unit": 0, "x": 3, "y": 4})


def test_obstacle_hides_what_is_behind_it() -> None:
    """C-20, C-31: straight behind it, but not past its corner."""
    assert refusal(meeting(HOUSE), Charge(1)).rule == "C-20"
    assert not position.is_in_sight(meeting(HOUSE), (2, 4), (5, 4))
    assert position.is_in_sight(meeting(HOUSE), (2, 4), (5, 7))
    assert position.is_in_sight(meeting(), (2, 4), (5, 4))


def test_charge_goes_round_an_obstacle_if_the_way_is_short_enough() -> None:
    """C-26, C-31: the cell in front of the enemy is free, and four steps lead there round the rocks."""
    rocks = ScenarioArea(3, 3, 3, 3)
    board = meeting(rocks, x=4, y=2)
    path = position.charge_path(board, board.units[0], (3, 2))
    assert path is not None
    assert (3, 3) not in path
    wall = ScenarioArea(3, 0, 3, 7)
    assert position.charge_path(meeting(wall), board.units[0], (4, 4)) is None


def test_charge_needs_the_cell_beside_the_target() -> None:
    """C-31: the Horse sees the enemy over a corner, but rocks are where they would end."""
    horse, enemy = unit("horse", 0, 2, 4, "east"), unit("bones", 1, 5, 1, "north")
    board = lay_out(horse, enemy, obstacles=(ScenarioArea(5, 2, 5, 2),))
    assert refusal(board, Charge(1)).rule == "C-31"
    ((seat, question),) = REGIMENTS.questions(lay_out(horse, enemy))
    assert Charge(1) in REGIMENTS.options(lay_out(horse, enemy), seat, question).actions


def test_fleeing_unit_runs_past_an_obstacle_and_ends_behind_it() -> None:
    """C-14, C-31: four cells west of 8, 4 is a house, so that it ends in the next free cell."""
    board = lay_out(
        unit("foot", 0, 9, 4, "west"), unit("bones", 1, 8, 4, "west"), obstacles=(ScenarioArea(4, 4, 4, 4),)
    )
    resolution = playing(board)
    flight.flee(resolution, 1, "retreated")
    assert (only(resolution, UnitFled).x, only(resolution, UnitFled).y) == (3, 4)
    free = playing(replace(board, obstacles=()))
    flight.flee(free, 1, "retreated")
    assert only(free, UnitFled).x == 4


def test_pursuer_stops_before_an_obstacle() -> None:
    """C-15, C-31: two cells, of which the second is a house."""
    board = lay_out(
        unit("foot", 0, 6, 4, "west"),
        unit("bones", 1, 2, 4, "west", status="fleeing"),
        obstacles=(ScenarioArea(4, 4, 4, 4),),
    )
    resolution = playing(board, [1, 6])
    flight.pursue(resolution, 0, [1])
    assert [event.x for event in found(resolution, UnitPursued)] == [5]


def test_unit_on_an_obstacle_is_a_broken_invariant() -> None:
    """C-31."""
    assert REGIMENTS.check(meeting(ScenarioArea(2, 4, 2, 4))) == ["a unit is on an obstacle"]


def test_scenario_says_where_units_begin_and_how_they_face() -> None:
    """C-0: the east side is mirrored, and turned with it."""
    event = starting_event(REGIMENTS.content, RegimentsSettings("the-relief"), 2)
    scenario = REGIMENTS.content.scenarios["the-relief"]
    assert (event.width, event.height, event.rounds) == (scenario.width, scenario.height, scenario.rounds)
    assert (event.obstacles, event.task) == (scenario.obstacles, scenario.task)
    first, other = event.units[0], event.units[len(scenario.armies[0])]
    assert (first.x, first.y, first.facing) == (13, 3, "west")
    assert (other.x, other.y, other.facing) == (9, 2, "west")
    road = starting_event(REGIMENTS.content, RegimentsSettings("the-road"), 2)
    assert [one.facing for one in road.units[4:6]] == ["north", "south"]


def test_plain_has_nine_columns_behind_each_line() -> None:
    """C-0: there, units that break are rallied more often than on shorter fields."""
    event = starting_event(REGIMENTS.content, RegimentsSettings("the-plain"), 2)
    assert {one.x for one in event.units if one.seat == 0} == {9}
    assert {event.width - 1 - one.x for one in event.units if one.seat == 1} == {9}
