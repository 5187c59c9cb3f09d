"""The rules of regiments about the field and about orders: arcs, sight, marching, charging, fleeing, the end."""

from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.regiments import rounds
from diskwars_protocol.match.decisions import Result
from diskwars_protocol.rulesets.regiments import events, position
from diskwars_protocol.rulesets.regiments.actions import (
    Charge,
    Fight,
    Hold,
    March,
    OrderQuestion,
    Reform,
    RegimentsLoadout,
    RegimentsSettings,
    Retreat,
)
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, fold
from diskwars_protocol.rulesets.regiments.events import RoundBegan
from tests.engine.rulesets.number_dice import NumberDice
from tests.engine.rulesets.regiments.regiments_positions import (
    REGIMENTS,
    decide,
    face_off,
    finish,
    found,
    lay_out,
    only,
    playing,
    tags,
    unit,
)
from tests.rows import each_row

NO_TIES = {"field-trial": [1, 2, 1, 2, 1, 2], "barrow-road": [2, 1, 2, 1]}
"""Dice for the order of the first round."""


def started(players: int = 2, **settings: Any) -> RegimentsBoard:
    dice = NumberDice(NO_TIES[settings.get("scenario", "field-trial")])
    board = REGIMENTS.start(RegimentsSettings(**settings), [RegimentsLoadout()] * players, dice).board
    dice.finish()
    return board


def refusal(board: RegimentsBoard, action: Any) -> Illegal:
    """Return why an order is refused."""
    ((seat, question),) = REGIMENTS.questions(board)
    with pytest.raises(Illegal) as refused:
        REGIMENTS.decide(board, seat, question, action, NumberDice())
    return refused.value


def offered(board: RegimentsBoard) -> Any:
    ((seat, question),) = REGIMENTS.questions(board)
    return REGIMENTS.options(board, seat, question)


def kept_out(board: RegimentsBoard) -> list[tuple[str, int | None, str]]:
    """Return what is not offered: the order, the target, and the rule with the reason."""
    ((seat, question),) = REGIMENTS.questions(board)
    entries = REGIMENTS.unavailable(board, seat, question)
    return [(entry.order, entry.target, f"{entry.rule} {entry.text}") for entry in entries]


# ---------------------------------------------------------------- the beginning


def test_sides_are_mirrored_and_led_by_one_player_or_two() -> None:
    """C-0."""
    board = started()
    placed = [(board.profile(unit).id, unit.seat, unit.cell, unit.facing, unit.size) for unit in board.units]
    assert placed == [
        ("foot", 0, (5, 3), "east", 20),
        ("horse", 0, (5, 1), "east", 10),
        ("stout", 0, (5, 5), "east", 12),
        ("foot", 1, (12, 4), "west", 20),
        ("horse", 1, (12, 6), "west", 10),
        ("stout", 1, (12, 2), "west", 12),
    ]
    shared = started(4)
    assert shared.sides == ((0, 2), (1, 3))
    assert [unit.seat for unit in shared.units] == [2, 0, 0, 3, 1, 1]


def test_second_scenario_has_the_dead_in_the_east() -> None:
    """C-0: Bones 20 in five files, Ghouls 16 in four, Wrapped 6 in three."""
    board = started(scenario="barrow-road")
    east = [(board.profile(unit).id, unit.cell, unit.size, unit.files) for unit in board.units[3:]]
    assert east == [("bones", (12, 4), 20, 5), ("ghouls", (12, 6), 16, 4), ("wrapped", (12, 2), 6, 3)]


def test_the_fastest_unit_acts_first_and_equal_ones_roll() -> None:
    """C-21: 8 + 4 before 4 + 3 before 3 + 2; the Horse roll twice."""
    dice = NumberDice([3, 3, 2, 5, 6, 1, 1, 4])
    outcome = REGIMENTS.start(RegimentsSettings(), [RegimentsLoadout()] * 2, dice)
    dice.finish()
    assert outcome.board.waiting == (4, 1, 0, 3, 5, 2)
    assert outcome.questions[0][0] == 1
    rolled = [event.units for event in outcome.events if isinstance(event, events.SpeedRolled)]
    assert rolled == [(1, 4), (1, 4), (0, 3), (2, 5)]


def test_next_round_begins_with_a_step_of_the_dice_and_a_new_order() -> None:
    """C-21: everybody holds; units that are gone have no turn."""
    board = lay_out(unit("foot", 0, 1, 1, "east"), unit("foot", 1, 8, 1, "west"), waiting=(1,))
    resolution = decide(board, Hold(), [1, 6])
    assert "step_began" in tags(resolution)
    assert (resolution.board.round, resolution.board.waiting) == (3, (1, 0))


# ---------------------------------------------------------------- arcs and sight


@each_row(
    ("cell", "arc"),
    [
        ((7, 4), "front"),
        ((6, 6), "front"),
        ((6, 2), "front"),
        ((5, 6), "left"),
        ((4, 5), "left"),
        ((4, 3), "right"),
        ((3, 6), "left"),
        ((2, 6), "rear"),
        ((2, 2), "rear"),
        ((1, 4), "rear"),
    ],
)
def test_diagonals_belong_to_the_front_then_to_the_rear(cell: tuple[int, int], arc: str) -> None:
    """C-19: of a unit in (4, 4) that faces east; the same turned for one that faces north."""
    board = lay_out(unit("foot", 0, 4, 4, "east"), unit("foot", 0, 4, 4, "north"))
    assert position.arc_of(board.units[0], cell) == arc
    turned = 4 - (cell[1] - 4), 4 + (cell[0] - 4)
    assert position.arc_of(board.units[1], turned) == arc


@each_row(
    ("between", "is_seen"),
    [((3, 1), False), ((2, 2), True), ((2, 1), False), ((3, 3), True), ((5, 1), True)],
)
def test_sight_is_blocked_by_the_inside_of_a_cell_only(between: tuple[int, int], is_seen: bool) -> None:
    """C-20: from (1, 1) to (5, 1), and to (3, 2), whose line crosses (2, 1) and (2, 2)."""
    board = lay_out(unit("foot", 0, 1, 1, "east"), unit("foot", 1, *between, "west"), unit("foot", 1, 5, 1, "west"))
    assert position.is_in_sight(board, (1, 1), (5, 1)) == is_seen


@each_row(("between", "is_seen"), [((2, 1), False), ((2, 2), False), ((1, 2), True), ((3, 1), True)])
def test_slanting_line_crosses_the_cells_on_its_way(between: tuple[int, int], is_seen: bool) -> None:
    """C-20: from (1, 1) to (3, 2)."""
    board = lay_out(unit("foot", 0, 1, 1, "east"), unit("foot", 1, *between, "west"))
    assert position.is_in_sight(board, (1, 1), (3, 2)) == is_seen


@pytest.mark.parametrize("between", [(1, 2), (2, 1)])
def test_diagonal_line_may_touch_corners(between: tuple[int, int]) -> None:
    """C-20: from (1, 1) to (2, 2)."""
    board = lay_out(unit("foot", 0, 1, 1, "east"), unit("foot", 1, *between, "west"))
    assert position.is_in_sight(board, (1, 1), (2, 2))


# ---------------------------------------------------------------- hold, march, reform


def test_free_unit_may_hold_and_does_so_without_an_answer() -> None:
    """C-24."""
    board = lay_out(unit("foot", 0, 4, 4, "east"), unit("foot", 1, 8, 4, "west"), waiting=(0, 1))
    ((seat, question),) = REGIMENTS.questions(board)
    assert REGIMENTS.default(board, seat, question, NumberDice()) == Hold()
    assert tags(decide(board, Hold())) == ["unit_acted"]


def test_march_is_half_the_movement_in_steps_and_wheels() -> None:
    """C-24: M 4 makes two points; M 3 makes one."""
    board = lay_out(unit("foot", 0, 4, 4, "east"), unit("foot", 1, 8, 0, "west"), waiting=(0, 1))
    moved = decide(board, March(("left", "forward"))).board.units[0]
    assert (moved.cell, moved.facing) == ((4, 5), "north")
    moved = decide(board, March(("forward", "right"))).board.units[0]
    assert (moved.cell, moved.facing) == ((5, 4), "south")
    refused = refusal(board, March(("forward",) * 3))
    assert (refused.rule, refused.place, refused.numbers["points"]) == ("C-24", "$.action.path", 2)
    slow = lay_out(unit("stout", 0, 4, 4, "east"), unit("foot", 1, 8, 0, "west"), waiting=(0, 1))
    (limits,) = offered(slow).parametric
    assert {(end.x, end.y, end.facing) for end in limits.ends} == {(5, 4, "east"), (4, 4, "north"), (4, 4, "south")}


def test_march_enters_neither_occupied_cells_nor_leaves_the_field() -> None:
    """C-24: and each refusal says where; a friend is in the way like an enemy."""
    board = lay_out(unit("foot", 0, 9, 0, "east"), unit("foot", 0, 9, 1, "east"), unit("foot", 1, 0, 7, "west"))
    refused = refusal(board, March(("forward",)))
    assert (refused.text, refused.place) == ("the march leaves the field", "$.action.path[0]")
    refused = refusal(board, March(("left", "forward")))
    assert (refused.text, refused.place) == ("another unit is in the way", "$.action.path[1]")
    (limits,) = offered(board).parametric
    assert {(end.x, end.y) for end in limits.ends} == {(9, 0)}
    assert ("march", None, "C-24 the march leaves the field") in kept_out(board)


def test_march_may_end_beside_an_enemy_without_contact() -> None:
    """C-24, C-26: enemies meet by charges only."""
    board = lay_out(unit("foot", 0, 4, 4, "east"), unit("foot", 1, 6, 4, "west"), waiting=(0, 1))
    assert decide(board, March(("forward",))).board.contacts == ()


def test_unit_of_movement_1_cannot_march() -> None:
    """C-24."""
    board = lay_out(unit("foot", 0, 4, 4, "east", movement=1), unit("foot", 1, 8, 4, "west"))
    assert offered(board).parametric == ()
    assert ("march", None, "C-24 half its movement is less than one step") in kept_out(board)


def test_unit_reforms_to_four_to_ten_files() -> None:
    """C-25: not to 3 or 11, and not to what it has."""
    board = lay_out(unit("foot", 0, 4, 4, "east"), unit("foot", 1, 8, 4, "west"), waiting=(0, 1))
    assert decide(board, Reform(10)).board.units[0].files == 10
    assert decide(board, Reform(4)).board.units[0].files == 4
    for files in (3, 11, 5):
        refused = refusal(board, Reform(files))
        assert (refused.rule, refused.place, refused.numbers["files"]) == ("C-25", "$.action.files", files)
    assert [action.files for action in offered(board).actions if isinstance(action, Reform)] == [4, 6, 7, 8, 9, 10]


def test_unit_of_less_than_four_models_reforms_to_all_of_them() -> None:
    """C-25."""
    board = lay_out(unit("foot", 0, 4, 4, "east", models=3, started=20), unit("foot", 1, 8, 4, "west"), waiting=(0, 1))
    assert [action.files for action in offered(board).actions if isinstance(action, Reform)] == [3]
    assert refusal(board, Reform(4)).text == "it can have 3 files"
    assert decide(board, Reform(3)).board.units[0].files == 3


# ---------------------------------------------------------------- charges


def test_charge_ends_on_the_side_where_it_starts_and_faces_the_target() -> None:
    """C-26: from the south-west, in the rear arc of a target that faces north; five steps with M 8."""
    board = lay_out(
        unit("horse", 0, 1, 1, "east"),
        unit("foot", 1, 4, 5, "north"),
        unit("foot", 1, 9, 0, "north"),
        waiting=(0, 2),
        settings={"flank_test": False},
    )
    resolution = decide(replace(board, units=(replace(board.units[0], facing="north"), *board.units[1:])), Charge(1))
    charged = only(resolution, events.UnitCharged)
    assert (charged.arc, charged.x, charged.y, charged.facing, len(charged.cells)) == ("rear", 4, 4, "north", 6)
    assert resolution.board.units[0].has_charged
    assert resolution.board.units[1].facing == "north"
    assert position.is_in_melee(resolution.board, resolution.board.units[1])


def test_charge_needs_a_free_cell_and_a_way_of_its_movement() -> None:
    """C-26: M 4 reaches the cell before a target five columns away, and not six; a taken cell stops it."""
    near = lay_out(unit("foot", 0, 1, 1, "east"), unit("foot", 1, 6, 1, "west"), waiting=(0, 1))
    assert decide(near, Charge(1)).board.units[0].cell == (5, 1)
    far = lay_out(unit("foot", 0, 1, 1, "east"), unit("foot", 1, 7, 1, "west"))
    assert refusal(far, Charge(1)).text == "no way of 4 steps leads to its front side"
    taken = lay_out(unit("horse", 0, 1, 1, "east"), unit("foot", 1, 4, 4, "west"), unit("foot", 0, 3, 4, "west"))
    assert refusal(taken, Charge(1)).text == "the cell at its front side is taken"
    free = replace(taken, units=taken.units[:2], waiting=(0, 1))
    assert decide(free, Charge(1)).board.units[0].cell == (3, 4)


def test_charge_walks_round_units_in_its_way() -> None:
    """C-26: the straight way is closed, the way round takes two steps more."""
    board = lay_out(
        unit("horse", 0, 1, 1, "north"),
        unit("foot", 1, 4, 4, "south"),
        unit("foot", 0, 4, 2, "south"),
        unit("foot", 0, 3, 3, "south"),
        unit("foot", 0, 0, 0, "south"),
        waiting=(0, 4),
    )
    assert refusal(board, Charge(1)).rule == "C-20"
    opened = lay_out(
        unit("horse", 0, 3, 1, "north"),
        unit("foot", 1, 4, 4, "south"),
        unit("foot", 0, 4, 2, "south"),
        unit("foot", 0, 0, 0, "south"),
        waiting=(0, 3),
    )
    charged = only(decide(opened, Charge(1)), events.UnitCharged)
    assert [(cell.x, cell.y) for cell in charged.cells] == [(3, 2), (3, 3), (4, 3)]


def test_charge_is_refused_with_the_rule_that_forbids_it() -> None:
    """C-19, C-20, C-26: what flees, is behind, is hidden, is a friend, or does not exist."""
    board = lay_out(
        unit("foot", 0, 4, 4, "east"),
        unit("foot", 1, 6, 4, "west"),
        unit("foot", 1, 8, 4, "west"),
        unit("foot", 1, 2, 4, "west"),
        unit("foot", 1, 5, 5, "west", status="fleeing"),
        unit("foot", 0, 6, 5, "west"),
        unit("foot", 1, 5, 3, "west", status="routed"),
    )
    refusals = {target: refusal(board, Charge(target)) for target in (2, 3, 4, 5, 6, 7)}
    assert {target: (refusal.rule, refusal.text) for target, refusal in refusals.items()} == {
        2: ("C-20", "a unit or an obstacle hides the target"),
        3: ("C-19", "the target is not in the front arc"),
        4: ("C-26", "the target flees"),
        5: ("C-26", "the target is no enemy"),
        6: ("C-26", "there is no such unit on the field"),
        7: ("C-26", "there is no such unit on the field"),
    }
    assert {refusal.place for refusal in refusals.values()} == {"$.action.target"}
    assert [action for action in offered(board).actions if isinstance(action, Charge)] == [Charge(1)]
    assert [(order, target) for order, target, _ in kept_out(board) if target is not None] == [
        ("charge", 2),
        ("charge", 3),
        ("charge", 4),
    ]


def test_unit_beside_an_enemy_may_charge_it_without_a_step() -> None:
    """C-26."""
    board = lay_out(unit("foot", 0, 4, 4, "east"), unit("foot", 1, 5, 4, "west"), waiting=(0, 1))
    assert only(decide(board, Charge(1)), events.UnitCharged).cells == ()


def test_flank_test_follows_charges_in_flank_and_rear_unless_it_is_off() -> None:
    """C-2: not after a charge in the front."""
    for facing, settings, dice in (("west", {}, []), ("north", {}, [1]), ("north", {"flank_test": False}, [])):
        board = lay_out(
            unit("foot", 0, 4, 4, "east"), unit("foot", 1, 6, 4, facing), waiting=(0, 1), settings=dict(settings)
        )
        assert len(found(decide(board, Charge(1), dice), events.FlankTested)) == len(dice)


def test_after_a_failed_flank_test_the_charger_alone_hacks_and_nobody_pursues() -> None:
    """C-2, C-14: unit 2 holds the front of the target, and its hacks are not rolled."""
    board = lay_out(
        unit("foot", 0, 4, 6, "south", models=2, files=2),
        unit("foot", 1, 4, 4, "east", models=4, files=4),
        unit("foot", 0, 5, 4, "west"),
        unit("foot", 0, 0, 0, "west"),
        contacts=[(2, 1)],
        waiting=(0, 3),
    )
    resolution = decide(board, Charge(1), [12, 1, 1])
    assert [hack.unit for hack in found(resolution, events.HacksRolled)] == [0]
    assert resolution.board.contacts == ()
    assert not position.is_in_melee(resolution.board, resolution.board.units[2])
    assert "pursuit_rolled" not in tags(resolution)


# ---------------------------------------------------------------- in melee, and fleeing


def test_unit_in_melee_fights_or_retreats_and_nothing_else() -> None:
    """C-27: and a unit that is free does neither."""
    board = face_off(unit("foot", 0, 0, 0, "east"), unit("foot", 1, 0, 0, "west"), waiting=(0, 1))
    ((seat, question),) = REGIMENTS.questions(board)
    assert offered(board).actions == (Fight(), Retreat())
    assert REGIMENTS.default(board, seat, question, NumberDice()) == Fight()
    assert tags(decide(board, Fight())) == ["unit_acted"]
    for action in (Hold(), March(("left",)), Reform(6), Charge(1)):
        assert refusal(board, action).rule == "C-27"
    assert [order for order, _, _ in kept_out(board)] == ["hold", "march", "reform", "charge"]
    free = lay_out(unit("foot", 0, 4, 4, "east"), unit("foot", 1, 8, 4, "west"), waiting=(0, 1))
    assert refusal(free, Fight()).rule == refusal(free, Retreat()).rule == "C-27"
    assert [order for order, _, _ in kept_out(free)][:2] == ["fight", "retreat"]


def test_unit_that_retreats_is_hacked_and_flees_at_once_without_pursuit() -> None:
    """C-14, C-27: two models hack; the opponent is steady again."""
    board = face_off(
        unit("foot", 0, 0, 0, "east", files=2),
        unit("foot", 1, 0, 0, "west", models=2, files=2),
        waiting=(0, 1),
    )
    resolution = decide(board, Retreat(), [4, 3, 1])
    assert (resolution.board.units[0].size, resolution.board.units[0].status, resolution.board.units[0].cell) == (
        19,
        "fleeing",
        (0, 4),
    )
    assert resolution.board.contacts == ()
    assert "pursuit_rolled" not in tags(resolution)
    assert only(resolution, events.FlightBegan).reason_kind == "retreated"


def test_fleeing_unit_takes_no_orders_and_runs_on_when_its_turn_comes() -> None:
    """C-28: unit 0 is skipped after it has run, and unit 2 is asked."""
    board = lay_out(
        unit("foot", 0, 7, 1, "west", status="fleeing"),
        unit("foot", 1, 9, 1, "west"),
        unit("foot", 0, 1, 6, "east"),
        waiting=(1, 0, 2),
    )
    resolution = decide(board, Hold())
    assert resolution.board.units[0].cell == (3, 1)
    assert only(resolution, events.FlightBegan).reason_kind == "still_fleeing"
    assert REGIMENTS.questions(resolution.board)[0][1] == OrderQuestion(2)


# ---------------------------------------------------------------- resignation and the end


def test_resignation_takes_the_units_of_one_seat_and_frees_their_opponents() -> None:
    """C-22: the other seat of the side plays on; a seat cannot leave twice."""
    board = lay_out(
        unit("foot", 0, 4, 4, "east"),
        unit("foot", 1, 5, 4, "west"),
        unit("foot", 2, 1, 1, "east"),
        contacts=[(0, 1)],
        waiting=(0, 1, 2),
    )
    dice = NumberDice()
    after = REGIMENTS.resign(board, 0, dice).board
    assert (after.units[0].status, after.contacts, after.withdrawn) == ("withdrawn", (), (0,))
    assert REGIMENTS.questions(after)[0][1] == OrderQuestion(1)
    assert REGIMENTS.result(after) is None
    with pytest.raises(Illegal, match="out of the game already"):
        REGIMENTS.resign(after, 0, dice)
    ended = REGIMENTS.result(REGIMENTS.resign(after, 2, dice).board)
    assert ended is not None
    assert (ended.winners, ended.end_reason) == ((1,), "last_side")


def test_seat_that_has_left_does_not_win_with_its_partner() -> None:
    """C-22, C-23: seats 1, 0 and 2 resign, so that 3 is left and wins alone."""
    board = lay_out(*(unit("foot", seat, 1 + 7 * (seat % 2), seat, "east") for seat in range(4)), waiting=(0, 1, 2, 3))
    dice = NumberDice()
    for seat in (1, 0, 2):
        assert REGIMENTS.result(board) is None
        board = REGIMENTS.resign(board, seat, dice).board
    result = REGIMENTS.result(board)
    assert result is not None
    assert (result.end_reason, result.winners, result.scores) == ("last_side", (3,), (0, 1000, 0, 1000))


def result_of(*units: Any, **board: Any) -> Result:
    result = REGIMENTS.result(lay_out(*units, phase="over", **board))
    assert result is not None
    return result


def test_last_side_on_the_field_wins_and_its_seats_together() -> None:
    """C-23: a side of two seats; nobody wins on an empty field."""
    routed: dict[str, Any] = {"status": "routed"}
    result = result_of(
        unit("foot", 0, 1, 1, "east", **routed), unit("foot", 1, 8, 1, "west"), unit("foot", 3, 8, 3, "west")
    )
    # the score of a seat is that of its side
    assert (result.winners, result.end_reason, result.scores) == ((1, 3), "last_side", (0, 2000, 0, 2000))
    result = result_of(unit("foot", 0, 1, 1, "east", **routed), unit("foot", 1, 8, 1, "west", **routed))
    assert (result.winners, result.end_reason) == ((), "last_side")


def test_after_the_last_round_the_side_wins_of_which_more_is_left() -> None:
    """C-23: parts of units count, not models or wounds: 6 of 12 and 3 of 6 wounds against 11 of 12 alone."""
    half = unit("stout", 0, 1, 1, "east", models=6, started=12)
    wounded = unit("wrapped", 0, 1, 3, "east", models=(2, 1), started=6)
    most = unit("stout", 1, 8, 1, "west", models=7, started=12)
    result = result_of(half, wounded, most)
    assert (result.winners, result.end_reason, result.scores) == ((0,), "round_limit", (625, 583))
    gone = unit("stout", 0, 1, 5, "east", status="routed")
    assert result_of(half, gone, most).winners == (1,)
    assert result_of(half, unit("foot", 1, 8, 1, "west", models=10, started=20)).winners == ()


def test_match_ends_after_fifteen_rounds() -> None:
    """C-23: everybody holds to the end; a draw."""
    board, decisions = started(), 0
    while REGIMENTS.questions(board):
        needed = NO_TIES["field-trial"] if len(board.waiting) == 1 and board.round < 15 else []
        board, decisions = decide(board, Hold(), needed).board, decisions + 1
    assert (board.round, board.phase, decisions) == (15, "over", 90)
    result = REGIMENTS.result(board)
    assert result is not None
    assert (result.winners, result.scores) == ((), (3000, 3000))


def test_nobody_is_asked_while_a_side_has_no_unit_and_the_match_ends_after_redress() -> None:
    """C-23: the last enemy runs off the field, and the orders of the others are skipped."""
    board = lay_out(
        unit("foot", 0, 7, 1, "east"),
        unit("foot", 1, 8, 1, "east", status="fleeing"),
        unit("foot", 0, 1, 6, "east"),
        waiting=(0, 1, 2),
    )
    resolution = decide(board, Hold())
    assert resolution.board.units[1].status == "routed"
    assert tags(resolution)[-3:] == ["phase_began", "round_ended", "phase_began"]
    assert resolution.board.phase == "over"


# ---------------------------------------------------------------- bad input


def test_action_of_another_kind_is_refused_and_changes_nothing() -> None:
    board = started()
    refused = refusal(board, RoundBegan(1))
    assert (refused.code, refused.place) == ("wrong_action", "$.action")


def test_folding_needs_a_beginning_and_only_one() -> None:
    dice = NumberDice(NO_TIES["field-trial"])
    first = REGIMENTS.start(RegimentsSettings(), [RegimentsLoadout()] * 2, dice).events[0]
    with pytest.raises(ValueError, match="has begun already"):
        fold(fold(None, first), first)
    with pytest.raises(ValueError, match="begins with match_started"):
        fold(None, RoundBegan(1))


def test_redress_fills_gaps_from_the_rear_and_keeps_the_wounds_of_each_model() -> None:
    """C-17: the last living models fill the first gaps; wounds go with them, and the round is forgotten."""
    board = lay_out(
        unit("wrapped", 0, 1, 1, "east", models=(4, 0, 2, 0, 3, 1, 0), started=7, files=3, has_charged=True, hit=True),
        unit("foot", 1, 8, 1, "east"),
    )
    resolution = playing(board)
    rounds.redress(resolution)
    finish(resolution)
    assert resolution.unit(0).models == (4, 1, 2, 3)
    assert (resolution.unit(0).has_charged, resolution.unit(0).hit) == (False, False)
    assert len(found(resolution, events.UnitRedressed)) == 1
