"""The rules of close quarters at their limits: exact distances at the barricade, and the end of a cycle."""

import pytest
from msgspec.structs import replace

from diskwars_engine.rulesets.close_quarters import offers, turns
from diskwars_engine.rulesets.close_quarters.resolution import Resolution
from diskwars_protocol.rulesets.close_quarters import barricade, plans, position
from diskwars_protocol.rulesets.close_quarters.actions import (
    CloseQuartersLoadout,
    CloseQuartersSettings,
    Consolidate,
    FireAt,
    ModelMove,
)
from diskwars_protocol.rulesets.close_quarters.board import CombatState, Loss
from diskwars_protocol.rulesets.close_quarters.stats import Barricade
from tests.engine.rulesets.close_quarters.close_quarters_positions import (
    CLOSE_QUARTERS,
    at_the_end,
    fallen,
    find,
    go_on,
    in_cycle,
    lay_out,
    outcome,
    question_of,
    refusal,
    rules_of,
    squad,
    tags,
)
from tests.engine.rulesets.number_dice import NumberDice

LINE = Barricade(1200, 400, 1200, 1200)

# ---------------------------------------------------------------- the barricade


def test_bases_exactly_an_inch_apart_reach_across() -> None:
    """B-26: 160 and 120 make 200 between the centres; a hundredth more is too far."""
    slanted = Barricade(1000, 500, 1250, 1100)
    assert barricade.reaches_across(slanted, (1205, 860), (1045, 740))
    assert not barricade.reaches_across(slanted, (1206, 860), (1045, 740))


def test_bases_that_just_touch_beside_the_barricade_are_in_contact_once() -> None:
    """B-26: both are at the barricade, on the same side of it, and 104 apart."""
    board = lay_out(squad(0, (1150, 800)), squad(1, (1150, 904)), barricade=LINE)
    one, other = board.models
    assert position.is_in_contact(board, one, other)
    assert position.contacts(board) == {0: [other], 1: [one]}
    assert position.touched(board, one) == [other]


def test_flight_stops_at_the_last_point_that_is_not_on_the_barricade() -> None:
    """B-26: 2 inches from 1001 end at 1201, and the base is clear of the barricade up to 1152."""
    board = lay_out(squad(0, (1001, 800), movement_inches=2), squad(1, (900, 800)), barricade=LINE)
    (move,) = plans.fall_back(board, 0).moves
    assert (move.x, move.y) == (1152, 800)


def test_way_along_the_line_of_the_barricade_beyond_its_end_does_not_cross_it() -> None:
    """B-27: a guard within two inches of its end does not matter."""
    assert not barricade.crosses_near(LINE, (1200, 1300), (1200, 1500), (1250, 1190))
    assert not barricade.crosses_near(LINE, (1200, 1300), (1100, 1300), (1250, 1190))


def test_place_of_crossing_is_on_the_way() -> None:
    """B-27: from (1100, 700) to (1300, 900) the barricade is crossed in (1200, 800), 206 from the guard."""
    assert barricade.crosses_near(LINE, (1100, 700), (1300, 900), (1250, 1000))
    assert not barricade.crosses_near(LINE, (1100, 700), (1300, 900), (1250, 600 - 50))


@pytest.mark.parametrize("has_barricade", [False, True])
def test_match_begins_with_the_barricade_of_its_settings(has_barricade: bool) -> None:
    """B-0, B-26"""
    settings = CloseQuartersSettings(barricade=has_barricade)
    board = CLOSE_QUARTERS.start(settings, [CloseQuartersLoadout()] * 2, NumberDice([1, 2])).board
    assert board.barricade == (LINE if has_barricade else None)


# ---------------------------------------------------------------- the first turn


def test_order_of_sides_is_rolled_and_everybody_sees_the_dice() -> None:
    """B-0: of three sides the highest is first, and the two that tie roll again."""
    resolution = Resolution(
        lay_out(squad(0, (100, 100)), squad(1, (900, 900)), squad(2, (2000, 100))), NumberDice([2, 5, 2, 6, 1])
    )
    assert turns._roll_order(resolution, [0, 1, 2]) == [1, 0, 2]
    rolled = [event for event in resolution.events if event.__struct_config__.tag == "turn_order_rolled"]
    assert [(event.sides, event.dice.results) for event in rolled] == [((0, 1, 2), (2, 5, 2)), ((0, 2), (6, 1))]


# ---------------------------------------------------------------- fire and casualties


def test_refusal_of_a_target_out_of_range_says_so_to_a_unit_in_the_combat() -> None:
    """B-7: unit 1 is an attacker in the same combat, more than 6 inches away."""
    board = lay_out(
        squad(0, (600, 800), has_acted=True),
        squad(0, (590, 100), has_acted=True),
        squad(1, (1300, 800), gun="long-gun"),
        squad(1, (1200, 100)),
    )
    resolution = go_on(board)
    assert question_of(resolution.board) == (1, "defensive_fire")
    refused = refusal(resolution.board, FireAt(1))
    assert (refused.rule, refused.text) == ("B-7", "no model of it is within range")


def test_refusal_of_a_casualty_names_how_the_hits_were_made() -> None:
    """B-13, B-9: in melee those in contact fall, of shots those that could be hit."""
    board = lay_out(squad(0, (1000, 800)), squad(1, (1100, 800), (1100, 950)))
    loss = Loss(unit=1, casualties=1, eligible=(1,), sixes=0)
    for is_melee, rule in ((True, "B-13"), (False, "B-9")):
        refused = offers.pick_refusal(in_cycle(board, source=0, is_melee=is_melee, loss=loss), loss, 2)
        assert refused is not None
        assert refused.rule == rule


def test_initial_consolidation_follows_the_fire_while_an_attacker_is_there() -> None:
    """B-20: the combat ends before it only if no attacker is left in it."""
    board = lay_out(squad(0, (1000, 800), has_acted=True), squad(1, (1300, 800)))
    board = replace(board, phase="defensive_fire", combat=CombatState(0, (0, 1)))
    resolution = go_on(board)
    assert (resolution.board.phase, question_of(resolution.board)) == ("initial_consolidation", (0, "consolidation"))


# ---------------------------------------------------------------- the end of a cycle


def test_combat_ends_when_the_defenders_that_stay_are_near_nobody() -> None:
    """B-19, B-20: unit 1 falls back, so nobody has won yet; unit 2 stays, more than 6 inches from the attacker."""
    board = lay_out(squad(0, (1000, 800)), squad(1, (1300, 800), markers=1), squad(1, (1000, 1550), markers=1))
    resolution = go_on(at_the_end(board), (5, 5, 1, 1))
    assert (find(resolution.events, "combat_ended").reason_kind, resolution.board.turn) == ("apart", 4)
    assert rules_of(find(resolution.events, "combat_ended")) == ["B-20"]


def test_attack_passes_to_the_next_side_while_enemies_are_near() -> None:
    """B-20, B-6: of three sides the second attacks after the first, and the third after it."""
    board = lay_out(squad(0, (1000, 800)), squad(1, (1300, 800)), squad(2, (1000, 1100)))
    for attacker, following in ((0, 1), (1, 2), (2, 0)):
        resolution = go_on(at_the_end(board, attacker=attacker))
        assert find(resolution.events, "cycle_began").attacker == following
        assert "combat_ended" not in tags(resolution.events)


def test_one_winner_near_a_model_that_fell_back_is_enough_to_catch_it() -> None:
    """B-19: one of two models of the winner is within 6 inches of it, the other far away."""
    board = lay_out(squad(0, (1000, 800), (1000, 920)), squad(1, (1190, 800), (1190, 1500), markers=1))
    resolution = go_on(at_the_end(board), (5, 5))
    assert resolution.board.phase == "winner_consolidation"
    near = resolution.board.models[2]
    result = outcome(resolution.board, Consolidate((ModelMove(0, 1200, 800),)), (1,))
    caught = find(result.events, "models_removed")
    assert (caught.reason_kind, rules_of(caught), fallen(result.board)) == ("caught", ["B-19"], [near.id])
