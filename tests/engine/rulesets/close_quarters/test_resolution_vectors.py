"""The worked examples of close quarters: set-up, dice in the order in which they fall, and what follows."""

from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_engine.rulesets.close_quarters import combat
from diskwars_engine.rulesets.close_quarters.resolution import Resolution
from diskwars_protocol.rulesets.close_quarters import checks
from diskwars_protocol.rulesets.close_quarters.actions import (
    Consolidate,
    FireAt,
    HoldFire,
    ModelMove,
    PickCasualties,
)
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard
from tests.engine.rulesets.close_quarters.close_quarters_positions import (
    at_the_end,
    column,
    decide,
    fallen,
    find,
    finish,
    go_on,
    hits,
    in_cycle,
    kept_out,
    lay_out,
    options_of,
    outcome,
    question_of,
    refusal,
    squad,
    status,
    tags,
)
from tests.engine.rulesets.number_dice import NumberDice
from tests.engine.scripted_dice import BadScript


def test_vector_b1_comparative_test() -> None:
    """B-1: t(4,3), t(3,4), t(3,3), t(7,2), t(1,6)."""
    pairs = [(4, 3), (3, 4), (3, 3), (7, 2), (1, 6)]
    assert [checks.comparative(own, opposing) for own, opposing in pairs] == [4, 2, 3, 5, 1]


def brute_fight() -> CloseQuartersBoard:
    attacker = squad(0, (1000, 800), arms=("two-blades",), weapon_skill=4, strength=4)
    brute = squad(1, (1100, 800), weapon_skill=4, armour=3, toughness=2, markers=1)
    return in_cycle(lay_out(attacker, brute), step="melee")


def test_vector_b3_one_of_two_failed_saves_kills_a_brute() -> None:
    """B-2, B-4, B-5, B-12: hits need 3, saves 4; of the pairs 4, 4 and 4, 5 the first kills. Nothing is allocated."""
    resolution = go_on(brute_fight(), [1, 2, 5, 6, 4, 4, 4, 5])
    assert find(resolution.events, "melee_rolled").assaults[0].needed == 3
    assert find(resolution.events, "saves_rolled").needed == (4, 4)
    assert find(resolution.events, "kills_rolled").killing == (0,)
    assert (fallen(resolution.board), status(resolution.board, 1)) == ([1], (2, 2))
    assert "allocation_rolled" not in tags(resolution.events)


def test_vector_b4_more_casualties_than_models_in_contact() -> None:
    """B-4, B-5, B-13: 4 hits on a counter of 5, three failed saves, two models in contact: markers 0, 1, 2, 3."""
    raiders = squad(0, (1000, 700), (1000, 800), (1000, 900), (1000, 1000), weapon_skill=4)
    enemies = squad(
        1, (1100, 750), (1100, 950), (1300, 700), (1300, 900), weapon_skill=3, armour=4, toughness=0, hit_counter=5
    )
    board = in_cycle(lay_out(raiders, enemies), step="melee")
    # a base of 1 inch between two others touches both
    board = replace(
        board, models=tuple(replace(model, x=model.x - 14) if model.id in (4, 5) else model for model in board.models)
    )
    resolution = go_on(board, [2, 2, 2, 2, 6, 6, 6, 2])
    assert find(resolution.events, "hits_counted").markers == 1
    assert find(resolution.events, "kills_rolled").dice is None
    assert fallen(resolution.board) == [4, 5]
    assert status(resolution.board, 1) == (3, 3)
    assert "allocation_rolled" not in tags(resolution.events)


def after_test(dice: list[int], **figures: Any) -> Resolution:
    """Return what follows from the test of a defending unit, with exactly these dice."""
    board = lay_out(squad(0, (1000, 800)), squad(1, (1300, 800), (1420, 800), **figures))
    resolution = Resolution(at_the_end(board), NumberDice(dice))
    combat.check_defender(resolution, 1)
    finish(resolution)
    return resolution


def test_vector_b5_one_die_at_most_nerve_is_enough_and_markers_stay() -> None:
    """B-3, B-16: Ld 2, Nv 4 and 3 markers need 2."""
    resolution = after_test([3, 2], leadership=2, nerve=4, markers=3)
    assert find(resolution.events, "leadership_tested").needed == 2
    assert (tags(resolution.events), status(resolution.board, 1)) == (["leadership_tested"], (3, 0))


def test_vector_b7_unit_without_hope_routs() -> None:
    """B-3, B-16: Nv 3 and 4 markers need 0."""
    resolution = after_test([1, 1], nerve=3, markers=4)
    assert find(resolution.events, "models_removed").reason_kind == "routed"
    assert fallen(resolution.board) == [1, 2]


def test_vector_b8_every_sixth_hit_is_a_marker() -> None:
    """B-4: a counter of 4 and 9 hits: 2 markers, and the counter is 1."""
    enemies = squad(1, (1300, 800), armour=4, hit_counter=4)
    board = in_cycle(lay_out(squad(0, (1000, 800)), enemies), step="consolidate", source=0)
    assert board.combat is not None
    board = replace(board, combat=replace(board.combat, pending=(hits(1, 9, [1]),)))
    assert status(go_on(board, [1] * 9).board, 1) == (2, 1)


def allocation(*dice: int) -> CloseQuartersBoard:
    """Return the board after two casualties among five models, with these two dice of allocation."""
    enemies = squad(1, *column(1300, 500, 5), armour=0, toughness=0)
    board = in_cycle(lay_out(squad(0, (1000, 800)), enemies), step="consolidate", source=0)
    assert board.combat is not None
    board = replace(board, combat=replace(board.combat, pending=(hits(1, 2, range(1, 6)),)))
    return go_on(board, dice).board


def test_vector_b9_one_six_lets_the_attacker_pick_one_that_is_no_leader() -> None:
    """B-14."""
    board = allocation(6, 2)
    assert question_of(board) == (0, "allocation")
    assert kept_out(board) == [(1, 1, "B-14")]
    assert refusal(board, PickCasualties((1,))).rule == "B-14"
    assert refusal(board, PickCasualties((2, 3))).place == "$.action.models"
    board = decide(board, PickCasualties((3,)))
    assert question_of(board) == (1, "casualties")
    assert fallen(decide(board, PickCasualties((5,)))) == [3, 5]


def test_vector_b10_two_sixes_give_the_leader_or_two_others() -> None:
    """B-14."""
    board = allocation(6, 6)
    limits = options_of(board).parametric[0]
    assert (limits.leader, limits.models, limits.least, limits.most) == (1, (2, 3, 4, 5), 1, 2)
    assert fallen(decide(board, PickCasualties((2, 4)))) == [2, 4]
    after = decide(board, PickCasualties((1,)))
    assert question_of(after) == (1, "casualties")
    assert fallen(decide(after, PickCasualties((2,)))) == [1, 2]
    assert refusal(board, PickCasualties((1, 2))).text == "the leader is picked alone"


def test_vector_b11_without_a_six_the_defender_picks_all() -> None:
    """B-14."""
    board = allocation(5, 1)
    assert question_of(board) == (1, "casualties")
    assert fallen(decide(board, PickCasualties((1, 2)))) == [1, 2]


def test_vector_b13_models_fall_back_along_the_line_from_the_enemy() -> None:
    """B-17: the vector 60, 80 is 100 long, so that 6 inches are 360, 480."""
    board = lay_out(squad(0, (1000, 1000)), squad(1, (1060, 1080), (1200, 1080), markers=1))
    resolution = Resolution(at_the_end(board), NumberDice())
    combat.fall_back(resolution, 1, "B-16")
    ends = [(model.x, model.y) for model in resolution.board.models[1:]]
    assert ends == [(1060 + 360, 1080 + 480), (1200 + 360, 1080 + 480)]


def test_vector_b15_attackers_that_all_leave_end_the_combat() -> None:
    """B-15: each defending unit loses a marker, and none has less than 0."""
    board = lay_out(squad(0, (600, 800), movement_inches=6), squad(1, (1290, 800), markers=2), squad(1, (1290, 1000)))
    board = go_on(replace(board, units=tuple(replace(unit, has_acted=unit.side == 0) for unit in board.units))).board
    assert question_of(board) == (0, "consolidation")
    result = outcome(board, Consolidate((ModelMove(0, 300, 800),)))
    assert find(result.events, "combat_ended").reason_kind == "broken_off"
    assert [status(result.board, unit) for unit in (1, 2)] == [(1, 0), (0, 0)]
    assert (result.board.turn, result.board.combat) == (4, None)


def defensive(**figures: Any) -> CloseQuartersBoard:
    """Return a board on which unit 1 may be asked for defensive fire against unit 0, which has acted."""
    return lay_out(squad(0, (1000, 800), has_acted=True), squad(1, (1300, 800), gun="carbine", **figures))


def test_vector_b16_suppressed_unit_may_fail_to_fire() -> None:
    """B-7: m 2, Ld 3, Nv 3 need 2: 6, 5, 3 fail, nobody shoots, and the markers stay."""
    board = go_on(defensive(markers=2, leadership=3, nerve=3)).board
    assert question_of(board) == (1, "defensive_fire")
    result = outcome(board, FireAt(0), [6, 5, 3])
    assert find(result.events, "leadership_tested").needed == 2
    assert "shots_fired" not in tags(result.events)
    assert status(result.board, 1) == (2, 0)
    assert question_of(result.board) == (0, "consolidation")


def test_vector_b17_unit_that_doubled_gives_no_defensive_fire() -> None:
    """B-7."""
    assert question_of(go_on(defensive()).board) == (1, "defensive_fire")
    assert question_of(go_on(defensive(is_doubled=True)).board) == (0, "consolidation")
    assert options_of(go_on(defensive()).board).actions == (FireAt(0), HoldFire())


def test_vector_b19_strain_from_the_seventh_cycle_on() -> None:
    """B-21: a unit without markers gets one before its test, and has to roll as many dice as Ld."""
    board = lay_out(squad(0, (1000, 800)), squad(1, (1300, 800), leadership=3, nerve=1))
    assert tags(go_on(at_the_end(board, cycle=6)).events) == ["cycle_began", "unit_chosen"]
    resolution = go_on(at_the_end(board, cycle=7), [6, 1, 6])
    assert tags(resolution.events) == ["markers_changed", "leadership_tested", "cycle_began", "unit_chosen"]
    assert status(resolution.board, 1) == (1, 0)


def test_dice_that_are_missing_or_left_over_fail() -> None:
    with pytest.raises(BadScript, match="2 dice with 6 sides for save"):
        go_on(brute_fight(), [1, 2])
    with pytest.raises(BadScript, match="never rolled"):
        go_on(brute_fight(), [6, 6, 1])
