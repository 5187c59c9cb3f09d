"""The rules of close combat that the worked examples leave out: consolidation, and units that give way."""

from diskwars_engine.rulesets.close_quarters import combat
from diskwars_engine.rulesets.close_quarters.resolution import Resolution
from diskwars_protocol.rulesets.close_quarters import position
from diskwars_protocol.rulesets.close_quarters.actions import (
    Consolidate,
    ConsolidateBy,
    Hold,
    ModelMove,
)
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard
from tests.engine.rulesets.close_quarters.close_quarters_positions import (
    CLOSE_QUARTERS,
    Squad,
    at_the_end,
    column,
    decide,
    default_of,
    fallen,
    find,
    finish,
    go_on,
    in_cycle,
    kept_out,
    lay_out,
    options_of,
    outcome,
    question_of,
    refusal,
    rules_of,
    squad,
    status,
    tagged,
    tags,
)
from tests.engine.rulesets.number_dice import NumberDice

# ---------------------------------------------------------------- consolidation


def consolidating(*squads: Squad) -> CloseQuartersBoard:
    """Return a board on which unit 0 consolidates in a cycle."""
    return in_cycle(lay_out(*squads), step="consolidate")


def test_models_consolidate_half_their_movement_into_contact() -> None:
    """B-15: Mv 5 gives 2 inches."""
    board = consolidating(squad(0, (1000, 800), movement_inches=5), squad(1, (1300, 800)), squad(1, (800, 800)))
    assert decide(board, Consolidate((ModelMove(0, 1200, 800),))).models[0].x == 1200
    assert refusal(board, Consolidate((ModelMove(0, 1201, 800),))).numbers["allowed"] == 200
    assert refusal(board, Consolidate((ModelMove(0, 897, 800),))).text == "two bases would overlap"
    assert options_of(board).parametric[0].distance == 200
    assert default_of(board) == ConsolidateBy("hold")


def test_engaged_models_may_consolidate_away() -> None:
    """B-15."""
    board = consolidating(squad(0, (1000, 800)), squad(1, (1100, 800)))
    assert decide(board, Consolidate((ModelMove(0, 700, 800),))).models[0].x == 700


def test_unit_that_is_come_near_is_drawn_in() -> None:
    """B-15: 700 between centres are 6 inches; units that fell back are not drawn in (B-17)."""
    board = lay_out(
        squad(0, (1000, 800)),
        squad(1, (1300, 800)),
        squad(1, (1000, 1600)),
        squad(1, (1100, 1500), has_fallen_back=True),
    )
    board = in_cycle(board, step="consolidate", units=(0, 1))
    result = outcome(board, Consolidate((ModelMove(0, 1000, 900),)))
    assert find(result.events, "units_joined_combat").units == (2,)
    assert result.board.combat.units == (0, 1, 2)
    result = outcome(board, Consolidate((ModelMove(0, 1000, 899),)))
    assert "units_joined_combat" not in tags(result.events)


def test_order_to_engage_takes_models_to_the_nearest_free_contact() -> None:
    """B-15: by number, without overlaps, within the command radius."""
    board = consolidating(squad(0, *column(1000, 700, 3)), squad(1, *column(1250, 700, 3)))
    after = decide(board, ConsolidateBy("engage"), [6, 6, 6])
    assert all(position.is_engaged(after, model) for model in after.models[:3])
    assert CLOSE_QUARTERS.check(after) == []


def test_order_to_engage_goes_towards_an_enemy_out_of_reach() -> None:
    """B-15: 3 inches of 5."""
    board = consolidating(squad(0, (1000, 800)), squad(1, (1600, 800)))
    assert decide(board, ConsolidateBy("engage")).models[0].x == 1300


def test_order_to_break_off_leads_straight_away_from_the_enemy() -> None:
    """B-15: all by the same way; and off the table nobody goes."""
    board = consolidating(squad(0, (1000, 800), (1000, 1000)), squad(1, (1300, 800)))
    after = decide(board, ConsolidateBy("break_off"))
    assert [(model.x, model.y) for model in after.models[:2]] == [(700, 800), (700, 1000)]
    cornered = consolidating(squad(0, (0, 800)), squad(1, (300, 800)))
    assert refusal(cornered, ConsolidateBy("break_off")).rule == "B-15"
    assert kept_out(cornered) == [(0, None, "B-15")]
    assert ConsolidateBy("break_off") not in options_of(cornered).actions


def test_breaking_off_may_lead_past_other_enemies() -> None:
    """B-15: a consolidation may end within an inch of an enemy."""
    board = consolidating(squad(0, (1000, 800)), squad(1, (1100, 800)), squad(1, (700, 950)))
    assert decide(board, ConsolidateBy("break_off")).models[0].x == 700


def test_one_attacker_that_stays_keeps_the_combat_going() -> None:
    """B-15."""
    board = lay_out(squad(0, (600, 800)), squad(0, (600, 1000)), squad(1, (1290, 900)))
    board = in_cycle(board, step="consolidate")
    result = outcome(board, Consolidate((ModelMove(0, 300, 800),)))
    assert "combat_ended" not in tags(result.events)


def test_attackers_that_left_in_a_cycle_end_the_combat_before_the_tests() -> None:
    """B-15."""
    board = lay_out(squad(0, (600, 800)), squad(1, (1290, 800), markers=1))
    result = outcome(in_cycle(board, step="consolidate"), Consolidate((ModelMove(0, 300, 800),)))
    assert tags(result.events)[:3] == ["unit_consolidated", "markers_changed", "combat_ended"]


# ---------------------------------------------------------------- giving way


def test_defenders_test_by_number_and_those_that_pass_stay() -> None:
    """B-16: attackers do not test."""
    board = lay_out(
        squad(0, (1000, 800), markers=1), squad(1, (1300, 800), markers=1), squad(1, (1300, 950), markers=2)
    )
    resolution = go_on(at_the_end(board), [4, 6, 3, 6])
    assert [(event.unit, event.passed) for event in tagged(resolution.events, "leadership_tested")] == [
        (1, True),
        (2, True),
    ]
    assert [status(resolution.board, unit) for unit in (1, 2)] == [(1, 0), (2, 0)]


def test_defender_that_fails_falls_back_and_is_out_of_the_combat() -> None:
    """B-16, B-17."""
    board = lay_out(squad(0, (1000, 800)), squad(1, (1300, 800), markers=1), squad(1, (1300, 950)))
    resolution = go_on(at_the_end(board), [5, 6])
    assert resolution.board.models[1].x == 1900
    assert resolution.board.units[1].has_fallen_back
    assert resolution.board.combat is not None
    assert resolution.board.combat.units == (0, 2)
    assert rules_of(find(resolution.events, "unit_fell_back")) == ["B-16", "B-17"]


def flight(*squads: Squad, unit: int = 1) -> Resolution:
    resolution = Resolution(at_the_end(lay_out(*squads)), NumberDice())
    combat.fall_back(resolution, unit, "B-16")
    finish(resolution)
    return resolution


def test_falling_back_is_measured_from_the_nearest_enemy_to_the_leader() -> None:
    """B-17: all models take the way of the leader."""
    resolution = flight(squad(0, (100, 800), (1000, 1000)), squad(1, (1000, 1300), (1200, 1300), movement_inches=2))
    assert find(resolution.events, "unit_fell_back").enemy == 1
    assert [(model.x, model.y) for model in resolution.board.models[2:]] == [(1000, 1500), (1200, 1500)]


def test_steps_are_rounded_half_away_from_zero() -> None:
    """B-17: 3 inches along (-8, -6) * 10 + ...: the length is rounded down."""
    resolution = flight(squad(0, (1000, 1000)), squad(1, (880, 895), movement_inches=1))
    # the vector is (-120, -105), its length 159.45 becomes 159: 100 * 120 / 159 = 75.47, 100 * 105 / 159 = 66.04
    assert (resolution.board.models[1].x, resolution.board.models[1].y) == (880 - 75, 895 - 66)
    resolution = flight(squad(0, (1000, 1000)), squad(1, (1200, 1001), movement_inches=1))
    # 100 * 1 / 200 = 0.5 becomes 1
    assert (resolution.board.models[1].x, resolution.board.models[1].y) == (1300, 1002)
    resolution = flight(squad(0, (1000, 1000)), squad(1, (1200, 999), movement_inches=1))
    assert (resolution.board.models[1].x, resolution.board.models[1].y) == (1300, 998)


def test_falling_back_stops_short_of_a_base() -> None:
    """B-17: 98 is as near as it comes."""
    resolution = flight(squad(0, (1000, 800)), squad(1, (1200, 800)), squad(1, (1500, 800)))
    assert resolution.board.models[1].x == 1402
    assert CLOSE_QUARTERS.check(resolution.board) == []


def test_a_unit_falls_back_from_the_nearest_enemy_even_if_that_one_fell_back_before() -> None:
    """B-17: it runs towards the enemy that is still fighting, and stops short of its base."""
    resolution = flight(
        squad(1, (850, 800), has_fallen_back=True), squad(0, (1000, 800)), squad(1, (1400, 800)), unit=1
    )
    event = find(resolution.events, "unit_fell_back")
    assert (event.enemy, [(move.x, move.y) for move in event.moves]) == (0, [(1302, 800)])


def test_a_flight_is_stopped_by_any_base_ahead_and_by_none_behind() -> None:
    """B-17: a friend, an enemy, and an enemy that fell back; the base that it flees from lies behind."""
    for blocking in (squad(1, (1500, 800)), squad(0, (1500, 800)), squad(0, (1500, 800), has_fallen_back=True)):
        resolution = flight(squad(0, (1098, 800)), squad(1, (1200, 800)), blocking)
        assert [(model.x, model.y) for model in resolution.board.models[1:2]] == [(1402, 800)]
    # a base beside the way stops from 97 on: 98 are passed
    assert flight(squad(0, (1098, 800)), squad(1, (1200, 800)), squad(1, (1500, 898))).board.models[1].x == 1800
    assert flight(squad(0, (1098, 800)), squad(1, (1200, 800)), squad(1, (1500, 897))).board.models[1].x < 1500


def test_foremost_models_run_first_so_that_the_others_find_room() -> None:
    """B-17: the leader is behind the others."""
    resolution = flight(squad(0, (1000, 800)), squad(1, (1200, 800), (1320, 800), (1440, 800), movement_inches=3))
    assert [model.x for model in resolution.board.models[1:]] == [1500, 1620, 1740]


def test_models_that_leave_the_table_are_lost() -> None:
    """B-17: and without models left the unit is gone."""
    resolution = flight(squad(0, (1500, 800)), squad(1, (1800, 800), (1700, 1000)), squad(1, (100, 100)))
    event = find(resolution.events, "unit_fell_back")
    assert (event.models_lost, [move.model for move in event.moves]) == ((), [1, 2])
    resolution = flight(squad(0, (1501, 800)), squad(1, (1801, 800), (1700, 1000)), squad(1, (100, 100)))
    assert find(resolution.events, "unit_fell_back").models_lost == (1,)
    assert resolution.board.models[1].status == "lost"
    resolution = flight(squad(0, (2000, 800)), squad(1, (2200, 800)), squad(1, (100, 100)))
    assert [unit.id for unit in position.fielded(resolution.board)] == [0, 2]
    assert resolution.board.combat is not None
    assert resolution.board.combat.units == (0, 2)


def test_units_that_fell_back_take_part_again_from_the_next_turn_on() -> None:
    """B-17."""
    board = lay_out(squad(0, (1000, 800)), squad(1, (1300, 800), has_fallen_back=True))
    board = go_on(board).board
    board = decide(board, Hold())
    assert (board.side, board.units[1].has_fallen_back) == (1, False)
    assert question_of(board) == (1, "unit_action")


def test_attackers_near_a_unit_that_gives_way_lose_a_marker() -> None:
    """B-18: 6 inches at that moment; another attacker, a friend of the unit, and one without markers lose none."""
    board = lay_out(
        squad(0, (1000, 800), markers=2),
        squad(1, (1700, 800), markers=1),
        squad(0, (999, 900), markers=2),
        squad(1, (1300, 1000)),
        squad(0, (1000, 700)),
    )
    resolution = go_on(at_the_end(board), [5, 5])
    assert [status(resolution.board, unit)[0] for unit in (0, 2, 3, 4)] == [1, 2, 0, 0]
    assert [rules_of(event) for event in tagged(resolution.events, "markers_changed")] == [["B-18"]]


def test_routed_unit_gives_markers_back_too() -> None:
    """B-16, B-18."""
    board = lay_out(squad(0, (1000, 800), markers=2), squad(1, (1300, 800), markers=5), squad(1, (1300, 1000)))
    resolution = go_on(at_the_end(board), [1, 1])
    assert status(resolution.board, 0) == (1, 0)
    assert fallen(resolution.board) == [1]


def beaten(x: int, *others: Squad, dice: tuple[int, ...] = (5, 5)) -> Resolution:
    """Return what follows when the only defender falls back to a column, with an attacker that may follow."""
    return go_on(
        at_the_end(lay_out(squad(0, (1000, 800)), squad(1, (x, 800), (x, 1000), markers=1), *others), units=(0, 1)),
        dice,
    )


def test_winners_consolidate_and_catch_those_near_them() -> None:
    """B-19: it falls back from 1090 to 1690; after 3 inches the winner at 1000 is within 6 inches of it."""
    resolution = beaten(1090 + 100)
    assert question_of(resolution.board) == (0, "consolidation")
    assert resolution.board.phase == "winner_consolidation"
    assert resolution.board.models[1].x == 1790
    result = outcome(resolution.board, Consolidate((ModelMove(0, 1095, 800),)), [1])
    assert fallen(result.board) == [1]
    assert find(result.events, "models_removed").reason_kind == "caught"
    assert rules_of(find(result.events, "models_removed")) == ["B-19"]
    assert find(result.events, "combat_ended").reason_kind == "won"
    result = outcome(resolution.board, Consolidate((ModelMove(0, 1089, 800),)), [1, 1])
    assert fallen(result.board) == []
    result = outcome(resolution.board, Consolidate((ModelMove(0, 1300, 800),)))
    assert fallen(result.board) == [1, 2]
    assert CLOSE_QUARTERS.result(result.board) is not None


def test_winners_draw_nobody_in() -> None:
    """B-19, B-15: the combat is decided."""
    resolution = beaten(1190, squad(1, (1000, 1600)))
    result = outcome(resolution.board, Consolidate((ModelMove(0, 1000, 1000),)))
    assert "units_joined_combat" not in tags(result.events)


def test_nobody_is_caught_while_a_defender_stays() -> None:
    """B-19."""
    board = lay_out(squad(0, (1000, 800)), squad(1, (1190, 800), markers=1), squad(1, (1300, 600)))
    resolution = go_on(at_the_end(board), [5, 5])
    assert resolution.board.phase == "cycle"
    assert resolution.board.combat is not None
    assert resolution.board.combat.attacker == 1


def test_combat_of_those_that_are_no_longer_near_ends() -> None:
    """B-20: the defender falls back, and the other one, drawn in before, is too far from everybody."""
    board = lay_out(
        squad(0, (1000, 800)), squad(1, (1300, 800), markers=1), squad(1, (1000, 1550), markers=1), squad(0, (600, 800))
    )
    resolution = go_on(at_the_end(board), [5, 5, 1, 1])
    ended = find(resolution.events, "combat_ended")
    assert (ended.reason_kind, rules_of(ended)) == ("apart", ["B-20"])
    assert status(resolution.board, 2) == (1, 0)
    assert resolution.board.turn == 4
