"""The worked examples of regiments: set-up, dice in the order in which they fall, and what follows."""

from collections.abc import Iterable

import pytest

from diskwars_engine.rulesets.regiments import attacks, flight, melee, morale
from diskwars_engine.rulesets.regiments.resolution import Resolution
from diskwars_protocol.rulesets.regiments import checks, events, formation
from diskwars_protocol.rulesets.regiments.actions import Charge
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard
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
from tests.engine.scripted_dice import BadScript
from tests.rows import each_row


@each_row(
    ("attacker", "defender", "needed"),
    [(4, 3, 3), (4, 4, 4), (4, 8, 4), (4, 9, 5), (3, 6, 4), (3, 7, 5), (1, 2, 4), (1, 3, 5)],
)
def test_vector_c1_to_hit(attacker: int, defender: int, needed: int) -> None:
    """C-6."""
    assert checks.to_hit(attacker, defender) == needed


@each_row(("strength", "toughness", "needed"), [(4, 2, 2), (3, 3, 4), (3, 4, 5), (3, 5, 6), (3, 6, 6), (3, 7, None)])
def test_vector_c2_to_wound(strength: int, toughness: int, needed: int | None) -> None:
    """C-7."""
    assert checks.to_wound(strength, toughness) == needed


@each_row(
    ("armour", "strength", "highest"),
    [(2, 3, 2), (2, 4, 1), (2, 5, 0), (5, 3, 5), (7, 3, 5), (7, 5, 5), (7, 9, 1)],
)
def test_vector_c3_to_save(armour: int, strength: int, highest: int) -> None:
    """C-8: 0 means that no die is rolled."""
    assert checks.to_save(armour, strength) == highest


def test_vector_c7_horse_charges_foot() -> None:
    """C-1, C-5, C-6 to C-8: S 5 leaves no save, the dead do not strike back, and the two others miss."""
    board = face_off(unit("horse", 0, 0, 0, "east", models=10, has_charged=True), unit("foot", 1, 0, 0, "west"))
    resolution = finish(striking(board, [4, 2, 3, 6, 1, 5, 6, 4, 2, 1, 1]))
    charge, answer = found(resolution, events.AttacksRolled)
    assert (charge.priority, charge.strength, charge.needs[0].save) == (11, 5, 0)
    assert [attack.wounded for attack in charge.attacks] == [True, False, False, True, True]
    # edges of five that face each other are mirrored, so models 4, 1 and 0 of the Foot are dead
    assert resolution.unit(1).models == (0, 0, 1, 1, 0, *(1,) * 15)
    assert [attack.model for attack in answer.attacks] == [2, 3]


def striking(board: RegimentsBoard, dice: Iterable[int]) -> Resolution:
    """Carry out the steps of a melee on a board."""
    resolution = playing(board, dice)
    frozen = melee.Melee(((0, 1),), board.contacts, formation.all_touches(board), [])
    melee.strike(resolution, frozen)
    return resolution


def test_vector_c8_two_models_of_equal_initiative_kill_each_other() -> None:
    """C-5, C-9: both strike before either dies; the second attack of the Ghoul misses."""
    board = face_off(
        unit("foot", 0, 0, 0, "east", models=1, files=1), unit("ghouls", 1, 0, 0, "west", models=1, files=1)
    )
    resolution = finish(striking(board, [3, 5, 4, 6, 3, 1]))
    assert [unit.status for unit in resolution.board.units] == ["destroyed", "destroyed"]
    assert resolution.board.contacts == ()


def test_vector_c9_foot_on_wrapped() -> None:
    """C-7 to C-9: one wound of four, worth one point."""
    board = face_off(
        unit("foot", 0, 0, 0, "east", models=1, files=1), unit("wrapped", 1, 0, 0, "west", models=1, files=1, attacks=1)
    )
    resolution = finish(striking(board, [3, 6, 2, 1]))
    assert resolution.unit(1).models == (3,)
    assert only(resolution, events.ModelsWounded).taken == 1


@each_row(("models", "files", "bonus"), [(20, 5, 3), (13, 5, 1), (12, 4, 2), (12, 3, 0)])
def test_vector_c12_rank_bonus(models: int, files: int, bonus: int) -> None:
    """C-10."""
    assert formation.rank_bonus(models, files) == bonus


def test_vector_c14_both_flanks_of_an_enemy_count_once() -> None:
    """C-10, C-11: two units in the left and right flank of one enemy."""
    board = lay_out(
        unit("foot", 0, 5, 5, "south", models=4, files=4),
        unit("foot", 0, 5, 3, "north", models=4, files=4),
        unit("foot", 1, 5, 4, "west", models=4, files=4),
        contacts=[(0, 2), (1, 2)],
    )
    frozen = melee.Melee(((0, 1, 2),), board.contacts, formation.all_touches(board), [])
    score = melee.score_side(board, frozen, (0, 1, 2), 0, {})
    assert (score.flanks, score.rears, score.total) == (1, 0, 1)


def test_vector_c15_hacks_hit_by_themselves() -> None:
    """C-14: a kill, no wound, a save, a kill; then the Bones run."""
    board = face_off(unit("foot", 0, 0, 0, "east", models=4, files=4), unit("bones", 1, 0, 0, "west", files=4))
    resolution = playing(board, [4, 3, 2, 5, 1, 6, 6])
    flight.flee(resolution, 1, "broken", [0], formation.all_touches(board))
    finish(resolution)
    hacks = only(resolution, events.HacksRolled)
    assert [(attack.hit, attack.wound, attack.save, attack.wounded) for attack in hacks.attacks] == [
        (None, 4, 3, True),
        (None, 2, None, False),
        (None, 5, 1, False),
        (None, 6, 6, True),
    ]
    assert (resolution.unit(1).size, resolution.unit(1).status, resolution.unit(1).cell) == (18, "fleeing", (9, 4))


@pytest.mark.parametrize(("die", "status"), [(6, "routed"), (5, "fleeing")])
def test_vector_c17_fleeing_unit_that_was_hit_tests_for_rout_only(die: int, status: str) -> None:
    """C-16: Ld 5, and no rally test, because it was hit."""
    board = lay_out(unit("bones", 0, 1, 1, "west", status="fleeing", hit=True), unit("foot", 1, 8, 1, "west"))
    resolution = playing(board, [die])
    morale.check_fleeing(resolution)
    assert finish(resolution).unit(0).status == status


def test_vector_c18_draw_is_not_tested() -> None:
    """C-11: two wounds and no ranks on either side."""
    board = face_off(unit("foot", 0, 0, 0, "east", models=4, files=4), unit("foot", 1, 0, 0, "west", models=4, files=4))
    resolution = fight(board, [4, 4, 3, 4, 4, 3, 1, 1, 4, 4, 3, 4, 4, 3, 1, 1])
    scored = only(resolution, events.CombatScored)
    assert ([score.total for score in scored.side_scores], scored.loser) == ([2, 2], None)
    assert "break_tested" not in tags(resolution)


@pytest.mark.parametrize(("die", "status"), [(8, "fleeing"), (7, "steady")])
def test_vector_c19_unit_charged_in_the_rear_tests_its_leadership(die: int, status: str) -> None:
    """C-2: Ld 7. The charger is too weak for its hacks to wound, so they need no dice."""
    board = lay_out(
        unit("foot", 0, 1, 4, "east", strength=1),
        unit("foot", 1, 4, 4, "east", toughness=5),
        unit("foot", 0, 0, 0, "east"),
        waiting=(0, 2),
    )
    resolution = decide(board, Charge(1), [die])
    assert resolution.unit(1).status == status
    assert (resolution.board.contacts == ()) == (status == "fleeing")


@pytest.mark.parametrize(("die", "status"), [(7, "steady"), (8, "fleeing")])
def test_vector_c21_fleeing_unit_that_nobody_harries_rallies(die: int, status: str) -> None:
    """C-16: no rout test; Ld 7."""
    board = lay_out(unit("foot", 0, 1, 1, "west", status="fleeing"), unit("foot", 1, 4, 1, "west"))
    resolution = playing(board, [die])
    morale.check_fleeing(resolution)
    assert finish(resolution).unit(0).status == status


def test_vector_c22_small_unit_tests_for_rout_and_then_rallies() -> None:
    """C-16: 4 of 20 are less than a quarter."""
    board = lay_out(
        unit("foot", 0, 1, 1, "west", models=4, started=20, status="fleeing"), unit("foot", 1, 4, 1, "west")
    )
    resolution = playing(board, [7, 7])
    morale.check_fleeing(resolution)
    assert tags(finish(resolution)) == ["phase_began", "rout_tested", "rally_tested", "unit_rallied"]


def test_dice_that_are_missing_or_left_over_fail() -> None:
    board = face_off(
        unit("foot", 0, 0, 0, "east", models=1, files=1), unit("ghouls", 1, 0, 0, "west", models=1, files=1)
    )
    with pytest.raises(BadScript, match="1 dice with 6 sides for attack"):
        striking(board, [3, 5, 4, 6, 3])
    with pytest.raises(BadScript, match="never rolled"):
        finish(striking(board, [3, 5, 4, 6, 3, 1, 1]))


def test_attacks_module_rolls_what_a_unit_strikes_with() -> None:
    """C-4: one attack for each model in contact, in their order."""
    board = face_off(unit("foot", 0, 0, 0, "east", models=8, files=4), unit("foot", 1, 0, 0, "west", models=4, files=4))
    resolution = playing(board, [1, 2, 3, 1])
    rolled = attacks.roll_attacks(resolution, 0, resolution.unit(0), formation.all_touches(board))
    assert [attack.model for attack in rolled] == [0, 1, 2, 3]
    assert finish(resolution).events[0].dice[0].results == (1, 2, 3, 1)
