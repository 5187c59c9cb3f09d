"""The rules of regiments about melee: contact, attacks, scores, breaks, flight, pursuit, morale."""

from collections import Counter
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from diskwars_content.rule_register import load_register
from diskwars_engine.rulesets.regiments import attacks, flight, melee, morale, rounds
from diskwars_protocol.rulesets.regiments import events, formation
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard
from diskwars_protocol.rulesets.regiments.formation import ModelPair
from tests.engine.rulesets.regiments.regiments_positions import (
    Placed,
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
from tests.rulesets.matches import played

FOOT = ("foot", 0, 0, 0, "east")
ENEMY = ("foot", 1, 0, 0, "west")


def touching(board: RegimentsBoard, one: int = 0, other: int = 1) -> list[ModelPair]:
    """Return which models of one unit touch which of another."""
    return [(t.model, t.enemy_model) for t in formation.all_touches(board) if (t.unit, t.enemy) == (one, other)]


def frozen(board: RegimentsBoard) -> melee.Melee:
    members = tuple(range(len(board.units)))
    return melee.Melee((members,), board.contacts, formation.all_touches(board), [])


# ---------------------------------------------------------------- formation and contact


def test_edges_are_counted_by_files_or_ranks() -> None:
    """C-3, C-18: eleven models in four files; the last rank has three."""
    block = lay_out(unit("foot", 0, 1, 1, "east", models=11, files=4), unit("foot", 1, 2, 1, "west")).units[0]
    assert formation.edge(block, "front") == [0, 1, 2, 3]
    assert formation.edge(block, "rear") == [8, 9, 10, 7]
    assert formation.edge(block, "left") == [0, 4, 8]
    assert formation.edge(block, "right") == [3, 7, 10]


def test_edges_of_equal_length_meet_model_by_model_mirrored() -> None:
    """C-3: the left file of one faces the right file of the other."""
    board = face_off(unit(*FOOT, models=4, files=4), unit(*ENEMY, models=4, files=4))
    assert touching(board) == [(0, 3), (1, 2), (2, 1), (3, 0)]


@each_row(
    ("longer", "pairs"),
    [
        (5, [(0, 3), (1, 3), (2, 2), (3, 1), (4, 0)]),
        (6, [(0, 3), (1, 3), (2, 2), (3, 1), (4, 0), (5, 0)]),
        (8, [(1, 3), (2, 3), (3, 2), (4, 1), (5, 0), (6, 0)]),
        (9, [(1, 3), (2, 3), (3, 2), (4, 1), (5, 0), (6, 0)]),
    ],
)
def test_longer_edge_wraps_round_by_two_models_and_is_centred(longer: int, pairs: list[ModelPair]) -> None:
    """C-3: against four; a single extra one is on the left, and of nine the block begins at 1."""
    board = face_off(unit(*FOOT, models=longer, files=longer), unit(*ENEMY, models=4, files=4))
    assert touching(board) == pairs
    turned = face_off(unit(*FOOT, models=4, files=4), unit(*ENEMY, models=longer, files=longer))
    assert Counter(touching(turned)) == Counter((short, long) for long, short in pairs)


def test_flanks_are_met_by_ranks() -> None:
    """C-3: the left flank is counted from the front like the edge that meets it, the right flank the other way."""
    above = lay_out(
        unit("foot", 0, 4, 5, "south", models=4, files=4),
        unit("foot", 1, 4, 4, "east", models=16, files=4),
        contacts=[(0, 1)],
    )
    # the unit above looks south: its file 0 is in the east, where the front of the other is
    assert touching(above) == [(0, 0), (1, 4), (2, 8), (3, 12)]
    below = lay_out(
        unit("foot", 0, 4, 3, "north", models=4, files=4),
        unit("foot", 1, 4, 4, "east", models=16, files=4),
        contacts=[(0, 1)],
    )
    assert touching(below) == [(0, 15), (1, 11), (2, 7), (3, 3)]


def test_rear_is_met_by_files_in_their_order() -> None:
    """C-3: both units face east, so file 0 of one is behind file 0 of the other."""
    board = lay_out(
        unit("foot", 0, 3, 4, "east", models=4, files=4),
        unit("foot", 1, 4, 4, "east", models=8, files=4),
        contacts=[(0, 1)],
    )
    assert touching(board) == [(0, 4), (1, 5), (2, 6), (3, 7)]


def surrounded(**changed: Any) -> RegimentsBoard:
    """Return a board on which a single model is charged in the front, on both flanks and in the rear."""
    placed: list[Placed] = [unit("foot", 1, 4, 4, "east", models=1, files=1)]
    placed += [
        unit("foot", 0, x, y, facing, models=3, files=3)
        for x, y, facing in ((5, 4, "west"), (4, 5, "south"), (4, 3, "north"), (3, 4, "east"))
    ]
    placed[0] = replace(placed[0][0], **changed), placed[0][1]
    return lay_out(*placed, contacts=[(n, 0) for n in range(1, 5)])


def test_model_touches_four_enemies_and_a_large_one_eight() -> None:
    """C-3: of twelve, those in the front stay first, then the left, the right and the rear."""
    assert [(t.enemy, t.enemy_model) for t in formation.all_touches(surrounded())] == [(1, 0), (1, 1), (1, 2), (2, 0)]
    large = Counter(t.enemy for t in formation.all_touches(surrounded(size="large")))
    assert large == {1: 3, 2: 3, 3: 2}


# ---------------------------------------------------------------- attacks


def test_attacks_are_made_by_models_in_contact_only() -> None:
    """C-4: five of twenty; Ghouls of one file and two models attack twice with the one in front."""
    board = face_off(unit("foot", 0, 0, 0, "east"), unit("ghouls", 1, 0, 0, "west", models=2, files=1))
    resolution = playing(board, [1, 1, 1, 1, 1])
    rolled = attacks.roll_attacks(resolution, 0, resolution.unit(0), formation.all_touches(board))
    assert len(rolled) == 3  # one in the middle, and two that wrap round
    resolution = playing(board, [3, 1, 1, 1])
    (first, second) = attacks.roll_attacks(resolution, 0, resolution.unit(1), formation.all_touches(board))
    finish(resolution)
    assert {first.model, second.model} == {0}
    assert (first.target_model, second.target_model) == (3, 1)


def test_model_that_died_in_an_earlier_step_neither_strikes_nor_is_struck() -> None:
    """C-4, C-5, C-17: I 5 kills two of four; a model behind does not step up, and two attacks of I 5 are lost later."""
    board = face_off(
        unit(*FOOT, models=4, files=4, initiative=5), unit(*ENEMY, models=8, files=4, armour=0, leadership=12)
    )
    resolution = playing(board, [6, 6, 6, 6, 1, 1, 1, 1])
    melee.strike(resolution, frozen(board))
    finish(resolution)
    first, second = found(resolution, events.AttacksRolled)
    assert (first.priority, second.priority) == (5, 3)
    assert [attack.model for attack in second.attacks] == [0, 1]
    assert resolution.unit(1).models == (1, 1, 0, 0, 1, 1, 1, 1)


def test_model_that_touches_a_dead_and_a_living_enemy_strikes_the_living_one_without_a_pick() -> None:
    """C-4: only the model that is alive is a target, so nothing is drawn to choose among two."""
    board = face_off(unit(*FOOT, models=4, files=4), unit(*ENEMY, models=4, files=4, armour=0))
    resolution = playing(board, [6, 6])
    enemy = replace(resolution.unit(1), models=(0, 1, 1, 1))
    resolution.board = replace(board, units=(board.units[0], enemy))
    attacker = attacks.UnitAttacks(resolution, resolution.unit(0), is_charging=False, is_hack=False, tag="attack")
    attacker.strike([(0, [(1, 0), (1, 1)])])
    finish(resolution)
    assert [(attack.target, attack.target_model) for attack in attacker.attacks] == [(1, 1)]
    assert attacker.lost == 0


def test_attacks_whose_targets_are_dead_are_lost() -> None:
    """C-4: the unit of I 5 kills what unit 2 would strike in the same combat."""
    board = lay_out(
        unit("foot", 0, 3, 4, "east", models=1, files=1, initiative=5),
        unit("foot", 1, 4, 4, "west", models=1, files=1, armour=0, initiative=0),
        unit("foot", 0, 4, 5, "south", models=1, files=1, attacks=2),
        contacts=[(0, 1), (2, 1)],
    )
    resolution = playing(board, [6, 6])
    melee.strike(resolution, frozen(board))
    finish(resolution)
    # the enemy is destroyed, and with it the contacts; its attackers find nobody
    lost = found(resolution, events.AttacksRolled)[-1]
    assert (lost.unit, lost.attacks, lost.attacks_lost, lost.units_hit) == (2, (), 2, ())


def test_initiative_0_never_strikes_but_charges() -> None:
    """C-5."""
    slow: dict[str, Any] = {"models": 1, "files": 1, "initiative": 0}
    board = face_off(unit(*FOOT, **slow), unit(*ENEMY, **slow))
    resolution = playing(board)
    assert melee.strike(resolution, frozen(board)) == {}
    assert tags(finish(resolution)) == []
    board = face_off(unit(*FOOT, has_charged=True, **slow), unit(*ENEMY, **slow))
    resolution = playing(board, [1])
    melee.strike(resolution, frozen(board))
    assert only(finish(resolution), events.AttacksRolled).priority == 11


def test_weapon_adds_to_the_strength() -> None:
    """C-7: a flail 2, on the charge 1 more; C-1."""
    board = face_off(unit(*FOOT, models=1, files=1, weapon="flail", has_charged=True), unit(*ENEMY, models=1, files=1))
    resolution = playing(board, [4, 2])
    (attack,) = attacks.roll_attacks(resolution, 0, resolution.unit(0), formation.all_touches(board))
    rolled = only(finish(resolution), events.AttacksRolled)
    assert (rolled.strength, rolled.needs[0].wound, rolled.needs[0].save, attack.wounded) == (6, 2, 0, True)
    assert [reason.rule for reason in rolled.reasons] == ["C-5", "C-1", "C-4"]


def test_wounds_beyond_death_are_lost_and_not_scored() -> None:
    """C-9: two attacks kill one model; the score is 1."""
    board = face_off(unit(*FOOT, models=1, files=1, attacks=2), unit(*ENEMY, models=2, files=1, armour=0, initiative=1))
    resolution = playing(board, [6, 6, 6, 6])
    assert melee.strike(resolution, frozen(board)) == {1: 1}
    assert only(finish(resolution), events.ModelsWounded).taken == 1


def test_hit_that_cannot_wound_needs_no_die_and_counts_as_a_hit() -> None:
    """C-7, C-16: S 3 against T 7."""
    board = face_off(unit(*FOOT, models=1, files=1), unit(*ENEMY, models=1, files=1, toughness=7, initiative=0))
    resolution = playing(board, [4])
    melee.strike(resolution, frozen(board))
    assert only(finish(resolution), events.AttacksRolled).units_hit == (1,)
    assert resolution.unit(1).hit
    resolution = playing(board, [3])
    melee.strike(resolution, frozen(board))
    assert not finish(resolution).unit(1).hit


# ---------------------------------------------------------------- scores


def score(board: RegimentsBoard, side: int, **wounds: int) -> events.SideScore:
    melee_now = frozen(board)
    dealt = {int(name[1:]): count for name, count in wounds.items()}
    return melee.score_side(board, melee_now, range(len(board.units)), side, dealt)


def test_score_is_wounds_ranks_of_the_best_unit_flank_and_rear() -> None:
    """C-10: both bonuses for one enemy; the ranks of two units do not add up."""
    board = lay_out(
        unit("foot", 0, 4, 5, "south", models=13),
        unit("foot", 0, 3, 4, "east", models=10),
        unit("foot", 1, 4, 4, "east", models=5),
        contacts=[(0, 2), (1, 2)],
    )
    scored = score(board, 0, _2=4)
    assert (scored.wounds, scored.ranks, scored.flanks, scored.rears, scored.total) == (4, 1, 1, 2, 8)
    assert score(board, 1, _0=1, _1=2).wounds == 3


def test_unit_of_less_than_four_models_takes_nobody_in_the_flank_unless_it_is_large() -> None:
    """C-10."""

    def flank(models: int, size: str) -> int:
        board = lay_out(
            unit("foot", 0, 4, 5, "south", models=models, files=4, size=size),
            unit("foot", 1, 4, 4, "east"),
            contacts=[(0, 1)],
        )
        return score(board, 0).flanks

    assert [flank(4, "regular"), flank(3, "regular"), flank(1, "large")] == [1, 0, 1]


def test_bonuses_are_counted_after_casualties_for_units_that_are_still_there() -> None:
    """C-10: ten models with two dead have one full rank only; a destroyed enemy has no flank."""
    ranked = unit("foot", 0, 4, 5, "south", models=(0, 0, *(1,) * 8))
    board = lay_out(ranked, unit("foot", 1, 4, 4, "east"), contacts=[(0, 1)])
    assert (score(board, 0).ranks, score(board, 0).flanks) == (0, 1)
    gone = replace(board, units=(board.units[0], replace(board.units[1], status="destroyed")))
    assert score(gone, 0).flanks == 0
    lost = replace(board, units=(replace(board.units[0], status="destroyed"), board.units[1]))
    assert (score(lost, 0).ranks, score(lost, 0).flanks) == (0, 0)


def test_combats_are_scored_alone() -> None:
    """C-10, C-13: two pairs; each loses its own combat by its own difference, the first test is of combat 0."""
    weak = {"models": 1, "files": 1, "initiative": 0}
    board = lay_out(
        unit("foot", 0, 1, 1, "east", models=13, initiative=0),
        unit("foot", 0, 1, 5, "east", **weak),
        unit("foot", 1, 2, 5, "west", models=20, initiative=0),
        unit("foot", 1, 2, 1, "west", **weak),
        contacts=[(0, 3), (1, 2)],
    )
    resolution = fight(board, [6, 4])
    first, second = found(resolution, events.CombatScored)
    assert (first.loser, first.difference, second.loser, second.difference) == (1, 1, 0, 3)
    assert [(test.unit, test.needed) for test in found(resolution, events.BreakTested)] == [(3, 6), (1, 4)]
    assert only(resolution, events.CombatsFixed).combats == ((0, 3), (1, 2))


@each_row(
    ("die", "rolls", "passed"),
    [("d12", [4], True), ("d12", [5], False), ("2d6", [3, 1], True), ("2d6", [1, 4], False)],
)
def test_break_test_passes_with_the_difference_to_leadership(die: str, rolls: list[int], passed: bool) -> None:
    """C-12: Ld 7, lost by 3."""
    board = face_off(unit(*FOOT), unit(*ENEMY), settings={"break_die": die})
    resolution = playing(board, rolls)
    assert melee.stands(resolution, resolution.unit(0), 3) == passed
    assert only(finish(resolution), events.BreakTested).needed == 4


def test_all_break_tests_are_rolled_before_anybody_runs() -> None:
    """C-13: both units of the losing side fail; only then the first is hacked."""
    poor = {"models": 4, "files": 4, "initiative": 0, "leadership": 1}
    board = lay_out(
        unit("foot", 0, 4, 4, "east", **poor),
        unit("foot", 0, 5, 5, "south", **poor),
        unit("foot", 1, 5, 4, "west", models=16, files=4, initiative=0),
        contacts=[(0, 2), (1, 2)],
    )
    resolution = fight(board, [12, 12, *[1] * 4, *[1] * 4, 1, 6])
    order = [
        tag for tag in tags(resolution) if tag in ("break_tested", "hacks_rolled", "flight_began", "pursuit_rolled")
    ]
    assert order == [
        "break_tested",
        "break_tested",
        "hacks_rolled",
        "flight_began",
        "hacks_rolled",
        "flight_began",
        "pursuit_rolled",
    ]
    assert only(resolution, events.PursuitRolled).target == 0


def test_side_without_a_unit_left_takes_no_test() -> None:
    """C-12: the last model dies, and nobody pursues."""
    board = face_off(unit(*FOOT), unit(*ENEMY, models=1, files=1, armour=0, initiative=0))
    resolution = fight(board, [6, 6, 1, 1])
    assert resolution.unit(1).status == "destroyed"
    assert not {"break_tested", "pursuit_rolled"} & set(tags(resolution))


# ---------------------------------------------------------------- flight


def runaway(*others: Placed, **fleer: Any) -> RegimentsBoard:
    return lay_out(unit("foot", 0, 4, 4, "east", **fleer), *others)


def flee(board: RegimentsBoard, *dice: int) -> RegimentsBoard:
    resolution = playing(board, dice)
    flight.flee(resolution, 0, "still_fleeing")
    return finish(resolution).board


def test_flight_leads_away_from_the_nearest_enemy() -> None:
    """C-14: of equally near ones the larger counts, then the lower number; x if both distances are equal."""
    near, far = unit("foot", 1, 6, 4, "west"), unit("foot", 1, 4, 1, "west")
    assert flee(runaway(near, far)).units[0].cell == (0, 4)
    small = unit("foot", 1, 6, 4, "west", models=3)
    large = unit("foot", 1, 4, 2, "west", models=4)
    assert flee(runaway(small, large)).units[0].facing == "north"
    equal = unit("foot", 1, 2, 4, "west"), unit("foot", 1, 4, 2, "west")
    assert flee(runaway(*equal)).units[0].facing == "east"
    assert flee(runaway(unit("foot", 1, 6, 2, "west"))).units[0].facing == "west"
    assert flee(runaway(unit("foot", 1, 5, 2, "west"))).units[0].facing == "north"
    assert flee(runaway(unit("foot", 1, 4, 6, "west"), movement=3)).units[0].cell == (4, 1)


def test_flight_ends_in_the_first_free_cell_at_or_beyond_the_movement() -> None:
    """C-14: over a friend at four cells to the fifth; and off the field if none is free."""
    enemy = unit("foot", 1, 5, 4, "west")
    over = flee(runaway(enemy, unit("foot", 0, 1, 4, "east"), movement=3))
    assert over.units[0].cell == (0, 4)
    off = flee(runaway(enemy, unit("foot", 0, 0, 4, "east")))
    assert off.units[0].status == "routed"
    assert flee(runaway(enemy, movement=5)).units[0].status == "routed"


def test_enemies_passed_hack_once_with_their_front() -> None:
    """C-14: a front of three against a rear edge of two; the third strikes the first again, and that hit counts."""
    chaser = unit("foot", 1, 5, 4, "west")
    passed = unit("foot", 1, 3, 4, "east", models=12, files=3)
    friend = unit("foot", 0, 2, 4, "east")
    board = runaway(chaser, passed, friend, models=4, files=2)
    resolution = playing(board, [4, 3, 1, 5, 3])
    flight.flee(resolution, 0, "still_fleeing")
    hacks = only(finish(resolution), events.HacksRolled)
    assert (hacks.unit, hacks.moment) == (2, "passing")
    assert [(attack.model, attack.target_model) for attack in hacks.attacks] == [(0, 2), (1, 3), (2, 2)]
    assert (resolution.unit(0).size, resolution.unit(0).hit, resolution.unit(0).cell) == (3, True, (0, 4))


@pytest.mark.parametrize("status", ["steady", "fleeing"])
def test_each_model_passed_makes_its_attacks_without_a_roll_to_hit(status: str) -> None:
    """C-14: two of A 2 make four hacks, fleeing or not; each has only to wound and to be saved."""
    passed = unit("foot", 1, 3, 4, "east", models=2, files=2, attacks=2, status=status)
    board = runaway(unit("foot", 1, 5, 4, "west"), passed, models=4, files=2)
    resolution = playing(board, [1, 1, 1, 1])
    flight.flee(resolution, 0, "still_fleeing")
    hacks = only(finish(resolution), events.HacksRolled)
    assert [(attack.model, attack.target_model, attack.hit) for attack in hacks.attacks] == [
        (0, 2, None),
        (0, 2, None),
        (1, 3, None),
        (1, 3, None),
    ]


def test_the_nearest_enemy_may_itself_flee() -> None:
    """C-14: one cell north of it a fleeing one, two cells east a steady one."""
    board = runaway(unit("foot", 1, 4, 5, "west", status="fleeing"), unit("foot", 1, 6, 4, "west"))
    assert flee(board).units[0].facing == "south"


def test_unit_that_dies_on_the_way_gets_nowhere_and_is_struck_no_more() -> None:
    """C-14: unit 2 hacks before unit 3, whatever their places; the second finds nobody."""
    chaser = unit("foot", 1, 6, 4, "west")
    first, second = unit("foot", 1, 2, 4, "east", models=1), unit("foot", 1, 1, 4, "east", models=1)
    board = runaway(chaser, first, second, models=1, files=1, armour=0)
    resolution = playing(board, [6])
    flight.flee(resolution, 0, "still_fleeing")
    assert finish(resolution).unit(0).status == "destroyed"
    assert only(resolution, events.HacksRolled).unit == 2
    assert "unit_fled" not in tags(resolution)


def test_nobody_flees_without_an_enemy_on_the_field() -> None:
    """C-14."""
    board = runaway(unit("foot", 1, 5, 4, "west", status="routed"), status="fleeing")
    assert flee(board).units[0].cell == (4, 4)


def test_hacks_come_from_living_models_that_touch_and_have_no_charge_bonus() -> None:
    """C-14: of four two are alive; S 3 although they charged, and in order of their numbers."""
    board = lay_out(
        unit("foot", 0, 4, 4, "east", models=4, files=4),
        unit("foot", 1, 4, 5, "south", models=4, files=4),
        unit("foot", 1, 5, 4, "west", models=(0, 1, 1, 0), files=4, has_charged=True),
        contacts=[(1, 0), (2, 0)],
    )
    whole = replace(board, units=(*board.units[:2], replace(board.units[2], models=(1,) * 4)))
    touches = formation.all_touches(whole)
    resolution = playing(board, [*[1] * 3, 4, 3, 1])
    flight.flee(resolution, 0, "broken", [2, 1], touches)
    first, second = found(finish(resolution), events.HacksRolled)
    assert (first.unit, second.unit) == (1, 2)
    assert [attack.model for attack in second.attacks] == [1, 2]
    assert second.strength == 3


# ---------------------------------------------------------------- pursuit


def pursuit(dice: list[int], winner: Placed, fleer: Placed, *others: Placed) -> RegimentsBoard:
    """Let unit 0 pursue unit 1."""
    resolution = playing(lay_out(winner, fleer, *others), dice)
    flight.pursue(resolution, 0, [1])
    return finish(resolution).board


WINNER = unit("foot", 0, 3, 4, "north")


@each_row(("dice", "hits"), [([3, 3, 1, 1], True), ([2, 3], False), ([4, 3, 1, 1], True)])
def test_pursuer_catches_with_as_much_and_advances_in_any_case(dice: list[int], hits: bool) -> None:
    """C-15: M 4 of both; the rear edge of two is hacked by two, and the pursuer goes two cells east."""
    board = pursuit(dice, WINNER, unit("foot", 1, 8, 4, "east", models=2, files=2, status="fleeing"))
    assert board.units[1].hit == hits
    assert (board.units[0].cell, board.units[0].facing) == ((5, 4), "east")


def test_pursuit_adds_the_movement_of_both() -> None:
    """C-15: 1 and 8 against 4 and 4 are enough, 1 and 3 against 1 and 4 are not."""
    fleer = unit("foot", 1, 8, 4, "east", models=1, files=1, status="fleeing")
    assert pursuit([1, 4, 1], unit("horse", 0, 1, 4, "east"), fleer).units[1].hit
    assert pursuit([1, 6], unit("horse", 0, 1, 4, "east", movement=3), fleer).units[1].hit is False
    assert pursuit([1, 1], unit("stout", 0, 1, 4, "east"), fleer).units[1].hit is False


def test_pursuer_stops_before_other_units_and_the_edge() -> None:
    """C-15."""
    fleer = unit("foot", 1, 8, 4, "east", status="fleeing")
    assert pursuit([1, 6], WINNER, fleer, unit("foot", 0, 5, 4, "east")).units[0].cell == (4, 4)
    north = unit("foot", 1, 3, 7, "north", status="fleeing")
    assert pursuit([1, 6], unit("horse", 0, 1, 6, "north"), north).units[0].cell == (1, 7)


def test_nobody_pursues_while_in_contact_or_what_is_gone() -> None:
    """C-15: the first that broke and is still there is pursued."""
    fleer = unit("foot", 1, 8, 4, "east", status="fleeing")
    gone = unit("foot", 1, 8, 5, "east", status="routed")
    held = playing(lay_out(WINNER, fleer, unit("foot", 1, 3, 5, "south"), contacts=[(2, 0)]))
    flight.pursue(held, 0, [1])
    assert finish(held).events == []
    resolution = playing(lay_out(WINNER, gone, fleer), [1, 6])
    flight.pursue(resolution, 0, [2, 1])
    assert only(finish(resolution), events.PursuitRolled).target == 2
    nobody = playing(lay_out(WINNER, gone))
    flight.pursue(nobody, 0, [1])
    assert finish(nobody).events == []


# ---------------------------------------------------------------- morale


def test_rout_tests_come_before_rally_tests_and_each_unit_takes_one_of_each() -> None:
    """C-16: unit 0 may rally, unit 1 was hit; the first die is the rout test of unit 1."""
    board = lay_out(
        unit("foot", 0, 1, 1, "west", status="fleeing"),
        unit("foot", 0, 1, 6, "west", status="fleeing", hit=True),
        unit("foot", 1, 8, 1, "west"),
    )
    resolution = playing(board, [8, 7])
    morale.check_fleeing(resolution)
    finish(resolution)
    assert [(unit.status, unit.facing) for unit in resolution.board.units[:2]] == [
        ("steady", "east"),
        ("routed", "west"),
    ]


@pytest.mark.parametrize(("models", "dice"), [(4, [7]), (5, [])])
def test_less_than_a_quarter_of_the_models_take_a_rout_test(models: int, dice: list[int]) -> None:
    """C-16: of twenty; an enemy within two cells prevents the rally test."""
    board = lay_out(
        unit("foot", 0, 1, 1, "west", models=models, started=20, status="fleeing"), unit("foot", 1, 2, 2, "west")
    )
    resolution = playing(board, dice)
    morale.check_fleeing(resolution)
    assert ("rout_tested" in tags(finish(resolution))) == bool(dice)
    assert "rally_tested" not in tags(resolution)


def test_rallied_unit_faces_the_nearest_enemy() -> None:
    """C-16: an enemy at a distance of three is far enough."""
    board = lay_out(unit("foot", 0, 4, 4, "west", status="fleeing"), unit("foot", 1, 4, 1, "west"))
    resolution = playing(board, [1])
    morale.check_fleeing(resolution)
    assert finish(resolution).unit(0).facing == "south"


# ---------------------------------------------------------------- a whole round, and reasons


def test_round_goes_through_all_phases_in_order() -> None:
    """C-0, C-5, C-13, C-17: everybody misses, and the ranks decide; the loser stands."""
    board = face_off(unit(*FOOT), unit(*ENEMY, models=10, started=10), waiting=())
    resolution = playing(board, [*[1] * 10, 5, 3, 4])
    rounds.play_on(resolution)
    finish(resolution)
    phases = [event.phase for event in found(resolution, events.PhaseBegan)]
    assert phases == ["melee", "score", "break", "morale", "redress", "orders"]
    assert only(resolution, events.BreakTested).needed == 5


@pytest.mark.parametrize("players", [2, 4])
def test_every_outcome_names_rules_of_the_register(players: int) -> None:
    """Announcements have no reasons; all others have some, and each of them is in docs/rules-regiments.md."""
    register = load_register().rules
    match = played("regiments", players, 1)
    announced = set()
    for body in match.bodies:
        for event in body.events:
            if not getattr(event, "reasons", ()):
                announced.add(str(event.__struct_config__.tag))
            for reason in getattr(event, "reasons", ()):
                assert reason.rule in register
    board_events = announced & {str(kind.__struct_config__.tag) for kind in get_args(events.RegimentsEvent)}
    assert board_events <= {"match_started", "round_began", "phase_began", "unit_acted"}
    assert match.bodies[-1].result is not None
    assert [reason.rule for reason in match.bodies[-1].result.reasons] == ["C-23"]
