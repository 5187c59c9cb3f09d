"""The rules of regiments at their limits: steps, edges, dice, scores and orders, one rule at a time."""

from fractions import Fraction
from typing import Any

import pytest

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.regiments import attacks, decisions, flight, melee, rounds
from diskwars_protocol.rulesets.regiments import events, formation, odds, position
from diskwars_protocol.rulesets.regiments.actions import BreakDie, Charge, Fight, Hold, March
from tests.engine.rulesets.regiments.regiments_positions import (
    decide,
    face_off,
    fight,
    finish,
    found,
    lay_out,
    only,
    playing,
    tags,
    unit,
)
from tests.rows import each_row

FOOT = ("foot", 0, 0, 0, "east")
ENEMY = ("foot", 1, 0, 0, "west")
ONE: dict[str, Any] = {"models": 1, "files": 1}


# ---------------------------------------------------------------- contact and combats


def test_unit_whose_models_are_all_dead_touches_nobody() -> None:
    """C-3: contacts are of living models."""
    board = face_off(unit(*FOOT, models=(0, 0), files=2), unit(*ENEMY))
    one, other = board.units
    assert formation.pair_units(one, other) == []
    assert formation.pair_units(other, one) == []


def test_melee_begins_with_its_combats_and_the_models_that_touch() -> None:
    """C-3: fixed before anybody strikes; on a field without contacts nothing is fixed."""
    still: dict[str, Any] = {"initiative": 0, **ONE}
    fixed = only(fight(face_off(unit(*FOOT, **still), unit(*ENEMY, **still)), []), events.CombatsFixed)
    assert fixed.combats == ((0, 1),)
    assert [(touch.unit, touch.model, touch.enemy, touch.enemy_model) for touch in fixed.touches] == [(0, 0, 1, 0)]
    apart = fight(lay_out(unit("foot", 0, 1, 1, "east"), unit("foot", 1, 8, 1, "west")), [])
    assert "combats_fixed" not in tags(apart)


def test_combat_holds_all_units_that_contacts_connect() -> None:
    """C-10: unit 0 meets unit 1, which meets unit 2, which meets unit 3; units 4 and 5 fight alone."""
    placed = [unit("foot", n % 2, 1 + n, 1, "east") for n in range(4)]
    placed += [unit("foot", n % 2, 1 + n, 6, "east") for n in range(2)]
    board = lay_out(*placed, contacts=[(0, 1), (2, 1), (2, 3), (4, 5)])
    assert position.combats(board) == [(0, 1, 2, 3), (4, 5)]


# ---------------------------------------------------------------- the steps of a melee


def test_steps_go_down_one_by_one_to_initiative_1() -> None:
    """C-5: unit 1 charges and misses; both its enemies wound it, in the steps 2 and 1."""
    board = lay_out(
        unit("foot", 0, 4, 4, "east", initiative=2, **ONE),
        unit("foot", 1, 5, 4, "west", models=(2,), files=1, initiative=0, has_charged=True, armour=0),
        unit("foot", 0, 5, 5, "south", initiative=1, **ONE),
        contacts=[(0, 1), (2, 1)],
    )
    touches = formation.all_touches(board)
    resolution = playing(board, [1, 1, *[6, 6], *[6, 6]])
    taken = melee.strike(resolution, melee.Melee(((0, 1, 2),), board.contacts, touches, []))
    finish(resolution)
    rolled = found(resolution, events.AttacksRolled)
    assert [(each.unit, each.priority) for each in rolled] == [(1, 11), (0, 2), (2, 1)]
    assert taken == {1: 2}


def test_attacks_that_are_lost_count_as_attacks() -> None:
    """C-4: the only enemy that two attacks could strike has died before."""
    board = face_off(unit(*FOOT, attacks=2, **ONE), unit(*ENEMY, models=(0,), files=1))
    resolution = playing(board)
    attacks.roll_attacks(resolution, 0, resolution.unit(0), [events.Touch(0, 0, 1, 0)])
    rolled = only(finish(resolution), events.AttacksRolled)
    assert (rolled.attacks, rolled.attacks_lost) == ((), 2)
    assert rolled.reasons[-1].numbers == {"attacks": 2}


def test_hacks_that_are_lost_count_as_attacks() -> None:
    """C-14: unit 2 finds the model dead that it touches; another of the unit that flees is alive."""
    board = lay_out(
        unit("foot", 0, 4, 4, "east", models=(0, 1), files=2),
        unit("foot", 1, 5, 4, "west", attacks=3, **ONE),
        contacts=[(1, 0)],
    )
    resolution = playing(board)
    attacks.hack(resolution, resolution.unit(1), resolution.unit(0), [(0, [(0, 0)])], "contact")
    hacked = only(finish(resolution), events.HacksRolled)
    assert (hacked.attacks, hacked.attacks_lost) == ((), 3)
    assert hacked.reasons[0].numbers == {"attacks": 3}


def test_hacks_name_the_rule_by_which_they_are_made() -> None:
    """C-14, C-15: in contact and in passing by the one, in pursuit by the other."""
    board = face_off(unit(*FOOT, **ONE), unit(*ENEMY, **ONE))
    moments: tuple[events.HackMoment, ...] = ("contact", "passing", "pursuit")
    rules = []
    for moment in moments:
        resolution = playing(board, [1])
        attacks.hack(resolution, resolution.unit(0), resolution.unit(1), [(0, [(1, 0)])], moment)
        rules.append(only(finish(resolution), events.HacksRolled).reasons[0].rule)
    assert rules == ["C-14", "C-14", "C-15"]


# ---------------------------------------------------------------- scores and tests


def test_only_the_ranks_of_the_best_unit_of_a_side_count() -> None:
    """C-10: eighteen models in five files have two full ranks behind the first, ten have one."""
    board = lay_out(
        unit("foot", 0, 4, 5, "south", models=18),
        unit("foot", 0, 3, 4, "east", models=10),
        unit("foot", 1, 4, 4, "east", models=5),
        contacts=[(0, 2), (1, 2)],
    )
    now = melee.Melee(((0, 1, 2),), board.contacts, formation.all_touches(board), [])
    assert melee.score_side(board, now, (0, 1, 2), 0, {}).ranks == 2


@pytest.mark.parametrize(("die", "dice", "sides"), [("d12", [12], 12), ("2d6", [6, 6], 6)])
def test_break_test_is_made_with_the_dice_of_the_setting(die: BreakDie, dice: list[int], sides: int) -> None:
    """C-12"""
    board = face_off(unit(*FOOT), unit(*ENEMY), settings={"break_die": die})
    resolution = playing(board, dice)
    melee.stands(resolution, resolution.unit(0), 0)
    drawn = only(finish(resolution), events.BreakTested).dice
    assert (drawn.size, drawn.results) == (sides, tuple(dice))


def test_pursuit_is_rolled_with_a_d6_for_each() -> None:
    """C-15"""
    fleer = unit("foot", 1, 8, 4, "east", status="fleeing", **ONE)
    resolution = playing(lay_out(unit("foot", 0, 3, 4, "north"), fleer), [2, 3])
    flight.pursue(resolution, 0, [1])
    drawn = only(finish(resolution), events.PursuitRolled).dice
    assert (drawn.size, drawn.results) == (6, (2, 3))


# ---------------------------------------------------------------- distances and directions


def test_distance_is_counted_in_columns_and_rows() -> None:
    """C-14: from (1, 2) to (5, 9) four columns and seven rows."""
    assert position.distance((1, 2), (5, 9)) == 11
    assert position.distance((5, 9), (1, 2)) == 11


@each_row(("end", "facing"), [((4, 5), "north"), ((5, 4), "east"), ((4, 3), "south"), ((3, 4), "west")])
def test_one_cell_away_is_a_direction(end: position.Cell, facing: events.Facing) -> None:
    """C-14: from (4, 4)"""
    assert position.facing_towards((4, 4), end) == facing


# ---------------------------------------------------------------- orders


def test_march_reaches_every_pose_of_half_the_movement() -> None:
    """C-24: M 4 makes two steps: ahead twice, or ahead and a wheel, in either order, or about."""
    board = lay_out(unit("foot", 0, 4, 4, "east"), unit("foot", 1, 8, 1, "west"))
    assert position.marches(board, board.units[0]) == {
        (5, 4, "east"): ("forward",),
        (4, 4, "north"): ("left",),
        (4, 4, "south"): ("right",),
        (6, 4, "east"): ("forward", "forward"),
        (5, 4, "north"): ("forward", "left"),
        (5, 4, "south"): ("forward", "right"),
        (4, 5, "north"): ("left", "forward"),
        (4, 4, "west"): ("left", "left"),
        (4, 3, "south"): ("right", "forward"),
    }


def test_refusal_of_a_march_names_the_cell() -> None:
    """C-24: from (9, 3) eastwards the field of ten columns ends."""
    board = lay_out(unit("foot", 0, 9, 3, "east"), unit("foot", 1, 1, 1, "west"))
    with pytest.raises(Illegal) as refused:
        decide(board, March(("forward",)))
    assert refused.value.numbers == {"unit": 0, "x": 10, "y": 3}
    assert refused.value.place == "$.action.path[0]"


def test_four_models_may_take_any_number_of_files() -> None:
    """C-25: four to ten; three models have one way to stand."""
    board = lay_out(unit("foot", 0, 1, 1, "east", models=4, files=4), unit("foot", 1, 8, 1, "west", models=3, files=3))
    assert decisions.file_counts(board.units[0]) == [4, 5, 6, 7, 8, 9, 10]
    assert decisions.file_counts(board.units[1]) == [3]


def test_unit_0_can_be_charged_like_any_other() -> None:
    """C-26: units are numbered from 0; -1 is none."""
    board = lay_out(unit("foot", 0, 2, 4, "east"), unit("foot", 1, 5, 4, "west"), waiting=(1,))
    assert decisions.charge_refusal(board, board.units[1], 0) is None
    refused = decisions.charge_refusal(board, board.units[1], -1)
    assert refused is not None
    assert refused.text == "there is no such unit on the field"


def test_orders_differ_in_melee_and_out_of_it() -> None:
    """C-24, C-27"""
    with pytest.raises(Illegal, match="a unit in melee fights or retreats"):
        decide(face_off(unit(*FOOT), unit(*ENEMY)), Hold())
    apart = lay_out(unit("foot", 0, 1, 1, "east"), unit("foot", 1, 8, 1, "west"))
    with pytest.raises(Illegal, match="the unit is not in melee"):
        decide(apart, Fight())


def test_charge_into_the_flank_runs_its_way_and_brings_a_flank_test() -> None:
    """C-2, C-26: from (5, 7) down to the northern side of a unit in (5, 4) that faces east."""
    board = lay_out(
        unit("foot", 0, 5, 7, "south"),
        unit("foot", 1, 5, 4, "east"),
        settings={"flank_test": True},
        waiting=(0, 1),
    )
    resolution = decide(board, Charge(1), [1])
    charged = only(resolution, events.UnitCharged)
    assert (charged.arc, [(cell.x, cell.y) for cell in charged.cells]) == ("left", [(5, 6), (5, 5)])
    assert charged.reasons[0].numbers == {"steps": 2}
    assert only(resolution, events.FlankTested).passed


# ---------------------------------------------------------------- a seat that leaves


def test_contacts_of_the_units_that_leave_end_and_no_others() -> None:
    """C-22: seat 1 leaves; its unit is the target of one contact, and seat 2 and seat 3 fight on."""
    board = lay_out(
        unit("foot", 0, 4, 4, "east"),
        unit("foot", 1, 5, 4, "west"),
        unit("foot", 2, 4, 6, "east"),
        unit("foot", 3, 5, 6, "west"),
        contacts=[(0, 1), (2, 3)],
    )
    resolution = playing(board)
    rounds.withdraw(resolution, 1)
    assert [(contact.charger, contact.target) for contact in only(resolution, events.ContactsEnded).contacts] == [
        (0, 1)
    ]
    assert resolution.board.contacts == board.contacts[1:]
    assert resolution.board.phase != "over"


def test_match_is_over_when_the_last_unit_of_a_side_leaves() -> None:
    """C-23, C-22"""
    resolution = playing(lay_out(unit("foot", 0, 1, 1, "east"), unit("foot", 1, 8, 1, "west")))
    rounds.withdraw(resolution, 1)
    assert resolution.board.phase == "over"
    assert only(resolution, events.PhaseBegan).reasons[0].rule == "C-23"


# ---------------------------------------------------------------- exact chances


def test_attack_that_cannot_wound_has_no_chance() -> None:
    """C-7: S 3 against T 7."""
    board = face_off(unit(*FOOT, **ONE), unit(*ENEMY, toughness=7, **ONE))
    one, other = board.units
    assert odds.attack_chance(board, one, other, is_charging=False) == 0


def test_attack_that_hits_by_itself_has_only_to_wound() -> None:
    """C-6, C-7, C-8: a hack of Foot on Foot without armour needs 4 of 6 to wound, an attack 4 of 6 to hit as well."""
    board = face_off(unit(*FOOT, **ONE), unit(*ENEMY, armour=0, **ONE))
    one, other = board.units
    assert odds.hack_chance(board, one, other) == Fraction(1, 2)
    assert odds.attack_chance(board, one, other, is_charging=False) == Fraction(1, 4)


def test_leadership_of_5_is_passed_with_five_faces_of_a_d12() -> None:
    """C-2, C-16: and with ten of the thirty-six pairs of two d6."""
    assert odds.pass_chance(5, "d12") == Fraction(5, 12)
    assert odds.pass_chance(5, "2d6") == Fraction(10, 36)


@each_row(("pursuer", "fleer", "chance"), [(4, 4, "7/12"), (5, 4, "13/18"), (3, 4, "5/12")])
def test_equal_movements_catch_in_seven_cases_of_twelve(pursuer: int, fleer: int, chance: str) -> None:
    """C-15: one cell more or less decides five of the thirty-six pairs."""
    assert odds.catch_chance(pursuer, fleer) == Fraction(chance)
