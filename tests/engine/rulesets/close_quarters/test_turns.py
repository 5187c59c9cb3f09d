"""The rules of close quarters that the worked examples leave out: the match, tests, movement, and the action phase."""

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_content.rule_register import load_register
from diskwars_engine.rulesets.close_quarters import combat, turns
from diskwars_engine.rulesets.close_quarters.resolution import Resolution
from diskwars_engine.rulesets.close_quarters.scenario import starting_event
from diskwars_protocol.rulesets.close_quarters import checks, odds, plans, position
from diskwars_protocol.rulesets.close_quarters.actions import (
    Advance,
    ChooseUnit,
    CloseQuartersLoadout,
    CloseQuartersSettings,
    Consolidate,
    Double,
    FireAt,
    Hold,
    ModelMove,
    Shoot,
)
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard
from diskwars_protocol.rulesets.close_quarters.events import TurnBegan
from tests.engine.rulesets.close_quarters.close_quarters_positions import (
    CLOSE_QUARTERS,
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
    tags,
)
from tests.engine.rulesets.number_dice import NumberDice
from tests.rows import each_row
from tests.rulesets.matches import played


def opened(seats: int, *dice: int, scenario: Any = "boarding-action") -> CloseQuartersBoard:
    """Return the board of a match that begins with these dice."""
    thrown = NumberDice(dice)
    loadouts = [CloseQuartersLoadout()] * seats
    board = CLOSE_QUARTERS.start(CloseQuartersSettings(scenario), loadouts, thrown).board
    thrown.finish()
    return board


def without(board: CloseQuartersBoard, *models: int) -> CloseQuartersBoard:
    """Return the board without some models."""
    return replace(
        board,
        models=tuple(replace(model, status="killed") if model.id in models else model for model in board.models),
    )


# ---------------------------------------------------------------- match and end


def test_highest_die_takes_the_first_turn_and_equal_dice_roll_again() -> None:
    """B-0: 4 and 4 roll again, 2 and 5."""
    board = opened(2, 4, 4, 2, 5)
    assert (board.order, board.side, board.turn) == ((1, 0), 1, 1)


def test_second_side_stands_like_the_first_turned_round() -> None:
    """B-0: leaders of the first side at 600, 500 and 600, 1100."""
    models = starting_event(CLOSE_QUARTERS.content, CloseQuartersSettings(), 2).models
    assert [(model.unit, model.x, model.y) for model in models if model.is_leader] == [
        (0, 600, 500),
        (1, 600, 1100),
        (2, 1800, 1100),
        (3, 1800, 500),
    ]
    assert len(models) == 24
    for model, other in zip(models[:12], models[12:], strict=True):
        assert (model.x + other.x, model.y + other.y) == (2400, 1600)


@each_row(("seats", "owners"), [(2, [0, 0, 1, 1]), (3, [0, 2, 1, 1]), (4, [0, 2, 1, 3])])
def test_units_of_a_side_are_shared_out_among_its_players(seats: int, owners: list[int]) -> None:
    """B-0."""
    assert [unit.seat for unit in opened(seats, 5, 1).units] == owners


def test_brutes_are_a_third_unit_of_each_side() -> None:
    """B-0."""
    board = opened(2, 5, 1, scenario="brutes")
    assert [board.profile(unit).id for unit in board.units] == ["raiders", "guards", "brute"] * 2
    assert CLOSE_QUARTERS.check(board) == []


def test_players_of_a_side_act_in_the_order_of_their_seats() -> None:
    """B-0: with one unit each no seat is asked which; with two, their owner is."""
    assert question_of(opened(4, 5, 1)) == (0, "unit_action")
    board = decide(opened(4, 5, 1), Hold())
    assert question_of(board) == (2, "unit_action")
    assert question_of(opened(3, 1, 5)) == (1, "activation")
    assert options_of(opened(3, 1, 5)).actions == (ChooseUnit(2), ChooseUnit(3))


def test_a_turn_begins_a_step_of_the_dice_and_three_turns_of_each_side_end_the_match() -> None:
    """B-23."""
    board, turns_seen = lay_out(squad(0, (100, 100)), squad(1, (2300, 1500)), turn=1), []
    board = go_on(board).board
    for _ in range(6):
        found = outcome(board, Hold())
        turns_seen += [event.turn for event in found.events if isinstance(event, TurnBegan)]
        board = found.board
    assert turns_seen == [2, 3, 4, 5, 6]
    assert board.phase == "over"
    result = CLOSE_QUARTERS.result(board)
    assert result is not None
    assert (result.end_reason, result.winners, result.scores) == ("turn_limit", (), (2, 2))


@each_row(
    ("first", "second", "winners", "scores"),
    [((True, 3), (True, 2), (0,), (4, 3)), ((False, 3), (True, 2), (), (3, 3)), ((False, 3), (True, 3), (1,), (3, 4))],
)
def test_leader_counts_two_points_and_any_other_model_one(
    first: tuple[bool, int], second: tuple[bool, int], winners: tuple[int, ...], scores: tuple[int, int]
) -> None:
    """B-23."""
    board = lay_out(
        squad(0, *column(100, 100, first[1]), has_leader=first[0]),
        squad(1, *column(2300, 100, second[1]), has_leader=second[0]),
        phase="over",
    )
    result = CLOSE_QUARTERS.result(board)
    assert result is not None
    assert (result.winners, result.scores) == (winners, scores)


def test_side_without_models_loses_at_once() -> None:
    """B-23."""
    board = without(lay_out(squad(0, (100, 100)), squad(1, (2300, 1500))), 1)
    result = CLOSE_QUARTERS.result(board)
    assert result is not None
    assert (result.end_reason, result.winners) == ("last_side", (0,))
    assert CLOSE_QUARTERS.questions(board) == ()


def test_players_of_a_side_win_together() -> None:
    """B-23: but for one who has left."""
    board = lay_out(squad(0, (100, 100)), squad(0, (100, 300), seat=2), squad(1, (2300, 1500)))
    result = turns.result(without(board, 2))
    assert result is not None
    assert (result.winners, result.scores) == ((0, 2), (4, 0, 4))
    result = turns.result(replace(without(board, 2), withdrawn=(0,)))
    assert result is not None
    assert result.winners == (2,)


def test_partner_commands_the_units_of_a_player_who_resigns() -> None:
    """B-22: and the last player of a side takes them off the table."""
    board = opened(4, 5, 1)
    found = CLOSE_QUARTERS.resign(board, 0, NumberDice())
    assert tags(found.events) == ["seat_withdrew"]
    assert [unit.seat for unit in found.board.units] == [2, 2, 1, 3]
    assert question_of(found.board) == (2, "unit_action")
    with pytest.raises(Exception, match="you are out of the game already"):
        CLOSE_QUARTERS.resign(found.board, 0, NumberDice())
    last = CLOSE_QUARTERS.resign(found.board, 2, NumberDice())
    assert {model.status for model in last.board.models[:12]} == {"withdrawn"}
    result = CLOSE_QUARTERS.result(last.board)
    assert result is not None
    assert result.winners == (1, 3)


# ---------------------------------------------------------------- tests and markers


@each_row(("strength", "faces", "killing"), [(0, (1, 1), False), (6, (6, 6), True), (4, (4, 5), False)])
def test_all_dice_of_toughness_have_to_be_at_most_the_strength(
    strength: int, faces: tuple[int, ...], killing: bool
) -> None:
    """B-2: strength 0 never kills, 6 always does."""
    assert checks.is_killing(faces, strength) == killing
    assert checks.is_killing((), strength)


@each_row(
    ("has_leader", "leadership", "markers", "needed", "dice"),
    [(True, 3, 1, 4, 3), (False, 3, 1, 4, 2), (False, 1, 2, 3, 1), (True, 2, 5, 0, 2), (True, 2, 9, 0, 2)],
)
def test_leadership_test_has_a_die_less_without_the_leader_and_needs_less_for_markers(
    has_leader: bool, leadership: int, markers: int, needed: int, dice: int
) -> None:
    """B-3: Nv is 4."""
    board = lay_out(squad(0, (100, 100), has_leader=has_leader, leadership=leadership, markers=markers))
    resolution = Resolution(board, NumberDice([5] * dice))
    assert combat.roll_leadership(resolution, 0, "B-16") == 0
    finish(resolution)
    event = resolution.events[0]
    assert (event.needed, len(event.dice.results), event.passed) == (needed, dice, False)
    assert rules_of(event) == ["B-16", "B-3"]
    assert event.reasons[1].numbers == {"dice": dice, "markers": markers}


def test_unit_without_markers_passes_without_dice() -> None:
    """B-3."""
    resolution = Resolution(lay_out(squad(0, (100, 100))), NumberDice())
    assert combat.roll_leadership(resolution, 0, "B-16") is None
    assert resolution.events == []


def test_only_the_first_failed_save_of_an_attack_is_a_marker_for_each_unit_hit() -> None:
    """B-5: two models fire at two units, with two failed saves in one of them."""
    board = lay_out(
        squad(0, *column(1000, 500, 3), gun="pistol", strength=1),
        squad(1, *column(1300, 500, 4), armour=1),
        squad(1, *column(1300, 1000, 4), armour=1),
    )
    board = in_cycle(board)
    shots = replace(options_of(board).actions[0])
    shots = Shoot(tuple(replace(shot, target=1 if shot.model < 2 else 2) for shot in shots.shots))
    after = outcome(board, shots, [1, 1, 1, 6, 6, 5, 5, 6, 5])
    assert [status(after.board, unit) for unit in (1, 2)] == [(1, 2), (1, 1)]
    assert [rules_of(event) for event in after.events if event.__struct_config__.tag == "markers_changed"] == [
        ["B-5"],
        ["B-5"],
    ]


# ---------------------------------------------------------------- the battlefield


@each_row(("gap", "inches", "within"), [(700, 6, True), (701, 6, False), (200, 1, True), (201, 1, False)])
def test_inches_are_measured_from_edge_to_edge(gap: int, inches: int, within: bool) -> None:
    """B-24: between centres, 100 for the bases are added."""
    one, other = lay_out(squad(0, (0, 0)), squad(1, (gap, 0))).models
    assert position.is_within(one, other, inches) == within


@each_row(("gap", "contact"), [(104, True), (105, False), (98, True)])
def test_bases_touch_up_to_a_tolerance(gap: int, contact: bool) -> None:
    """B-24."""
    board = lay_out(squad(0, (1000, 800)), squad(1, (1000 + gap, 800)))
    assert position.is_engaged(board, board.models[0]) == contact


def moving(*points: tuple[int, int], **figures: Any) -> CloseQuartersBoard:
    """Return a board on which unit 0 is asked what it does; an enemy is at 2000, 800."""
    board = lay_out(squad(0, *points, **figures), squad(1, (2000, 800)))
    board = go_on(board).board
    assert question_of(board) == (0, "unit_action")
    return board


def advance(*moves: tuple[int, int, int]) -> Advance:
    return Advance(tuple(ModelMove(*move) for move in moves))


def test_models_advance_up_to_their_movement_and_twice_that_at_the_double() -> None:
    """B-24, B-25: 6 inches are 600 hundredths, at 3, 4, 5 too."""
    board = moving((500, 300), movement_inches=6)
    assert decide(board, advance((0, 1100, 300))).models[0].x == 1100
    assert decide(board, advance((0, 860, 780))).models[0].y == 780
    refused = refusal(board, advance((0, 1101, 300)))
    assert (refused.rule, refused.place) == ("B-24", "$.action.moves[0]")
    assert refused.numbers == {"model": 0, "distance": 601, "allowed": 600}
    assert refusal(board, advance((0, 860, 781))).numbers["distance"] == 601
    doubled = decide(board, Double((ModelMove(0, 1700, 300),)))
    assert doubled.units[0].is_doubled
    assert refusal(board, Double((ModelMove(0, 1701, 300),))).numbers["allowed"] == 1200
    assert not decide(board, advance((0, 1100, 300))).units[0].is_doubled


@each_row(
    ("move", "text"),
    [
        ((0, -1, 300), "the point is off the table"),
        ((0, 100, -1), "the point is off the table"),
        ((1, 300, 300), "it is no model of this unit on the table"),
        ((7, 300, 300), "it is no model of this unit on the table"),
        ((-1, 300, 300), "it is no model of this unit on the table"),
    ],
)
def test_plan_with_an_impossible_move_is_refused(move: tuple[int, int, int], text: str) -> None:
    """B-24."""
    refused = refusal(moving((100, 300)), advance(move))
    assert (refused.code, refused.text, refused.place) == ("not_legal", text, "$.action.moves[0]")


def test_model_is_named_once_and_bases_do_not_overlap() -> None:
    """B-24: 98 is as near as two centres come; the place that a model of the plan leaves is free."""
    board = moving((500, 300), (620, 300))
    assert refusal(board, advance((0, 510, 300), (0, 500, 300))).place == "$.action.moves[1]"
    refused = refusal(board, advance((0, 523, 300)))
    assert (refused.text, refused.numbers) == ("two bases would overlap", {"model": 0, "other": 1})
    assert decide(board, advance((0, 522, 300))).models[0].x == 522
    assert decide(board, advance((0, 620, 300), (1, 740, 300))).models[1].x == 740


def test_moved_models_keep_an_inch_away_from_enemies() -> None:
    """B-25: 200 between centres is within an inch; a model that stays may be nearer."""
    board = moving((1500, 800))
    assert refusal(board, advance((0, 1800, 800))).rule == "B-25"
    assert decide(board, advance((0, 1799, 800))).models[0].x == 1799
    board = lay_out(squad(0, (1900, 800), (1900, 950)), squad(1, (2000, 800)))
    after = decide(go_on(board).board, advance((1, 1700, 950)), [])
    assert (after.models[0].x, after.models[1].x) == (1900, 1700)


def test_models_end_within_the_command_radius_of_their_leader() -> None:
    """B-24: Ld 2 gives 400; a model that does not move counts, too."""
    board = moving((500, 300), (500, 450), leadership=2)
    assert decide(board, advance((0, 870, 300))).models[0].x == 870
    refused = refusal(board, advance((0, 871, 300)))
    assert refused.text == "a model would end outside the command radius"
    assert refused.numbers == {"model": 1, "distance": 401, "radius": 400}
    assert decide(board, advance((0, 900, 300), (1, 530, 450))).models[1].x == 530


def test_model_that_cannot_reach_the_command_radius_may_not_end_farther_off() -> None:
    """B-24: it is 1200 away and moves 600, the radius is 400."""
    board = moving((500, 300), (1700, 300), leadership=2)
    assert decide(board, advance((1, 1100, 300))).models[1].x == 1100
    assert decide(board, advance((0, 400, 300), (1, 1600, 300))).models[1].x == 1600
    assert refusal(board, advance((1, 1701, 300))).numbers["model"] == 1
    assert refusal(board, advance((0, 499, 300))).numbers["distance"] == 1201
    near = moving((500, 300), (1500, 300), leadership=2)
    assert refusal(near, advance((1, 910, 300))).text == "a model would end outside the command radius"
    assert decide(near, advance((1, 900, 300))).models[1].x == 900


def test_lowest_model_takes_the_place_of_a_dead_leader() -> None:
    """B-24: the unit may still move, with the printed Ld."""
    board = without(moving((500, 300), (620, 300), (740, 300), leadership=2), 0)
    assert position.reference(board, 0).id == 1
    assert refusal(board, advance((2, 1021, 300))).numbers["radius"] == 400
    assert decide(board, advance((2, 1020, 300))).models[2].x == 1020


# ---------------------------------------------------------------- the action phase


def acting(markers: int = 0, **figures: Any) -> CloseQuartersBoard:
    """Return a board on which seat 0 chooses which of its two units acts."""
    return lay_out(squad(0, (300, 300), markers=markers, **figures), squad(0, (300, 900)), squad(1, (2000, 800)))


def test_units_act_in_the_order_that_their_player_chooses() -> None:
    """B-25."""
    board = acting()
    assert question_of(board) == (0, "activation")
    after = decide(decide(board, ChooseUnit(1)), Hold())
    assert after.units[1].has_acted
    assert question_of(after) == (0, "unit_action")
    assert options_of(after).actions == (Hold(),)
    assert refusal(board, ChooseUnit(2)).place == "$.action.unit"
    assert refusal(board, ChooseUnit(9)).text == "it is no unit of yours"


def test_unit_that_has_acted_is_not_offered_again() -> None:
    """B-25."""
    board = lay_out(squad(0, (300, 300)), squad(0, (300, 600)), squad(0, (300, 900)), squad(1, (2000, 800)))
    board = decide(decide(board, ChooseUnit(1)), Hold())
    assert options_of(board).actions == (ChooseUnit(0), ChooseUnit(2))
    assert kept_out(board) == [(1, None, "B-25")]
    assert refusal(board, ChooseUnit(1)).rule == "B-25"


def test_suppressed_unit_loses_a_marker_for_each_die_that_succeeds() -> None:
    """B-25: Nv 4 and 3 markers need 2: two of three dice do."""
    result = outcome(acting(markers=3, leadership=3), ChooseUnit(0), [2, 6, 1])
    assert status(result.board, 0) == (1, 0)
    assert question_of(result.board) == (0, "unit_action")
    assert rules_of(find(result.events, "markers_changed")) == ["B-25"]


def test_markers_never_fall_below_none() -> None:
    """B-25."""
    assert status(outcome(acting(markers=1, leadership=3), ChooseUnit(0), [1, 1, 1]).board, 0) == (0, 0)


def test_unit_that_fails_falls_back_instead_of_acting() -> None:
    """B-25, B-17: also one without hope, which routs in combat only (B-16)."""
    result = outcome(acting(markers=9, leadership=2), ChooseUnit(0), [1, 1])
    assert tags(result.events)[:3] == ["unit_activated", "leadership_tested", "unit_fell_back"]
    unit = result.board.units[0]
    assert (unit.has_acted, unit.has_fallen_back, unit.markers) == (True, True, 9)
    assert question_of(result.board) == (0, "unit_action")


def test_action_of_another_question_is_refused() -> None:
    """B-25."""
    board = moving((500, 300))
    for action in (Consolidate(()), FireAt(1), Shoot(())):
        assert (refusal(board, action).code, refusal(board, action).place) == ("wrong_action", "$.action")


def test_doubling_is_forgotten_at_the_next_turn_of_the_side_only() -> None:
    """B-7, B-25: it bars defensive fire in the turn of the others."""
    board = moving((100, 100))
    board = decide(board, Double((ModelMove(0, 200, 100),)))
    assert (board.side, board.units[0].is_doubled) == (1, True)
    board = decide(board, Hold())
    assert (board.side, board.units[0].is_doubled) == (0, False)


def test_default_of_an_action_is_to_hold_and_nobody_is_offered_less() -> None:
    """B-25."""
    board = moving((500, 300), movement_inches=5)
    assert default_of(board) == Hold()
    limits = options_of(board).parametric
    assert [(limit.distance, limit.radius) for limit in limits] == [(500, 400), (1000, 400)]
    assert [limit.example.moves[0].x > 900 for limit in limits] == [True, True]


# ---------------------------------------------------------------- chances that defaults rest on


@each_row(
    ("armour", "strength", "weapon", "casualties"),
    [(6, 3, "axe", Fraction(5, 54)), (0, 5, "two-blades", Fraction(5, 6)), (0, 3, "axe", Fraction(5, 9))],
)
def test_default_weapon_has_most_expected_casualties(
    armour: int, strength: int, weapon: str, casualties: Fraction
) -> None:
    """B-10."""
    arms = ("two-blades", "axe")
    board = lay_out(squad(0, (1000, 800), arms=arms, strength=strength), squad(1, (1100, 800), armour=armour))
    board = in_cycle(board, step="melee")
    assert default_of(board).weapon == weapon
    best = odds.best_weapon(board, board.models[0])
    assert odds.melee_casualties(board, board.models[0], best, [board.models[1]]) == casualties


# ---------------------------------------------------------------- the register


def test_every_rule_that_a_match_names_is_in_the_register() -> None:
    known = load_register().rules
    named = {
        reason.rule
        for players, seed in ((2, 1), (2, 2), (4, 1))
        for body in played("close_quarters", players, seed).bodies
        for event in body.events
        for reason in getattr(event, "reasons", ())
    }
    assert named <= set(known)
    assert len(named) > 15


def test_board_that_breaks_an_invariant_is_found() -> None:
    board = lay_out(squad(0, (100, 100), (150, 100)), squad(1, (2500, 800), hit_counter=6))
    assert CLOSE_QUARTERS.check(board) == [
        "models 0 and 1 overlap",
        "model 2 is off the table",
        "unit 1 has 6 hits and 0 markers",
    ]
    broken = at_the_end(lay_out(squad(0, (100, 100), has_fallen_back=True), squad(1, (500, 100))))
    assert CLOSE_QUARTERS.check(broken) == ["a unit is in the combat that has fallen back, or has left the table"]
    assert plans.command_radius(board, 0) == 400
    assert fallen(board) == []
