"""The worked examples of the pit: set-up, dice in the order in which they fall, and what follows."""

from typing import Any

import pytest

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.pit.resolution import Resolution
from diskwars_protocol.rulesets.pit import position
from diskwars_protocol.rulesets.pit.actions import Attack, DeclareAttacks, EndPhase
from diskwars_protocol.rulesets.pit.board import CombatState
from tests.engine.rulesets.number_dice import NumberDice
from tests.engine.rulesets.pit.pit_positions import (
    PIT,
    decide,
    duel,
    fighter,
    lay_out,
    strike,
    tags,
)
from tests.engine.scripted_dice import BadScript

GUARD_CARD = 5
"""Among the cards that do something for a hero: the skills are not drawn (A-17)."""


def status_of(resolution: Resolution, number: int = 1) -> str:
    return resolution.fighter(number).status


def test_vector_a1_sword_stuns() -> None:
    """A-3, A-4, A-6: hit with 16, the sword's pierce spoils the defence, injury value 16."""
    resolution = strike(duel("sword"), [16, 12])
    assert (status_of(resolution), resolution.fighter(1).wounds) == ("stunned", 1)


def test_vector_a2_spear_is_saved() -> None:
    """A-3, A-4: 12 and the spear's 2 make 14; a defence of 18 is enough."""
    resolution = strike(duel("spear"), [12, 18])
    assert status_of(resolution) == "ok"
    assert tags(resolution) == ["melee_rolled", "defence_rolled", "target_resolved"]


def test_vector_a3_melee_modifier_does_not_injure() -> None:
    """A-6: the pike's 7 helps to hit, its 3 to injure: 7 and 3 make 10, dazed."""
    resolution = strike(duel("pike"), [7, 5])
    assert status_of(resolution) == "dazed"
    assert resolution.events[2].value == 10


def test_vector_a4_critical_hit_needs_two_saves() -> None:
    """A-5: one of two Defence Checks fails; A-17: one card."""
    resolution = strike(duel("dagger"), [20, 19, 3])
    assert status_of(resolution) == "incapacitated"
    assert tags(resolution).count("improvement_drawn") == 1


def test_vector_a5a_one_of_two_hits_is_dropped() -> None:
    """A-16: two unsaved hits against two wounds; the second is dropped, so 15 is left: stunned."""
    resolution = strike(duel("sword", attacks=2, target={"wounds": 2}), [15, 19, 4, 9, 2], "sword", "sword")
    assert (status_of(resolution), resolution.fighter(1).wounds) == ("stunned", 1)


def test_vector_a6_dazed_target_is_taken_out_without_the_chart() -> None:
    """A-16: Advantage keeps 15, and the failed defence is enough."""
    resolution = strike(duel("dagger", target={"status": "dazed"}), [4, 15, 17])
    assert status_of(resolution) == "incapacitated"
    assert next(event for event in resolution.events if tags_of(event) == "fighter_injured").value is None


def tags_of(event: Any) -> str:
    return str(event.__struct_config__.tag)


def test_vector_a7_two_stunned_enemies_fall_without_dice() -> None:
    """A-16, A-17: one attack each and no dice: one card promotes a henchman, and then a d20 and a card for a hero."""
    board = lay_out(fighter(0, 4, 4, attacks=2), fighter(1, 5, 4, status="stunned"), fighter(1, 4, 5, status="stunned"))
    resolution = strike(board, [], target=1)
    resolution = strike(resolution.board, [1], target=2)
    assert (status_of(resolution, 1), status_of(resolution, 2)) == ("incapacitated", "incapacitated")
    assert sum(resolution.board.cards_left) == 18


def test_vector_a8_stunned_enemy_is_no_target_beside_one_that_stands() -> None:
    """A-15: a declaration on the stunned one is refused."""
    board = lay_out(
        fighter(0, 4, 4),
        fighter(1, 5, 4),
        fighter(1, 4, 5, status="stunned"),
        fighter(1, 3, 4),
        combats=((0, 1, 2, 3),),
        combat=CombatState(0, (), 0),
    )
    ((seat, question),) = PIT.questions(board)
    with pytest.raises(Illegal, match="no target while it touches another") as refused:
        PIT.decide(board, seat, question, DeclareAttacks((Attack(2, "dagger"),)), NumberDice())
    assert (refused.value.rule, refused.value.place) == ("A-15", "$.action.attacks[0].target")


def test_vector_a10_shield_gives_a_defence_to_one_without() -> None:
    """A-4: the first +1 makes 20, the other three lower it to 17."""
    resolution = strike(duel("dagger", target={"defence": None, "shield": "shield"}), [14, 17])
    assert status_of(resolution) == "ok"


def test_vector_a11_without_defence_no_die_is_rolled() -> None:
    """A-4: the hit is unsaved at once, and 14 dazes (A-6)."""
    assert status_of(strike(duel("dagger", target={"defence": None}), [14])) == "dazed"


def test_vector_a12_natural_20_saves_with_any_modifier() -> None:
    """A-1: 20 − 7 is less than 18, and saves all the same."""
    resolution = strike(duel("sword", pierce=4), [16, 20])
    assert status_of(resolution) == "ok"
    assert resolution.events[1].checks[0].modifier == -7


def test_vector_a14_staggered_attacker_keeps_the_lower_die() -> None:
    """A-2, A-8: of 18 and 9 the 9 counts, a miss."""
    resolution = strike(duel("dagger", status="staggered"), [18, 9])
    assert tags(resolution) == ["melee_rolled", "target_resolved"]
    assert resolution.events[0].checks[0].kept == 9


def test_vector_a19_combats_are_chains_of_touching_enemies() -> None:
    """A-11: a chain of four is one combat, a pair apart from it another."""
    board = lay_out(
        fighter(0, 1, 1), fighter(0, 3, 1), fighter(0, 8, 8), fighter(1, 2, 1), fighter(1, 4, 1), fighter(1, 9, 9)
    )
    assert position.combats(board) == [(0, 1, 3, 4), (2, 5)]


@pytest.mark.parametrize(("die", "defence"), [(17, 16), (18, 17)])
def test_vector_a20_target_number_falls_if_the_die_is_at_most_it(die: int, defence: int) -> None:
    """A-17: a hero with Def 17 draws a Def card."""
    board = duel("dagger", rank="hero", defence=17, target={"status": "stunned"})
    assert strike(board, [GUARD_CARD, die]).fighter(0).defence == defence


def test_vector_a21_stunned_fighter_is_well_after_two_turns_of_its_own() -> None:
    """A-8: dazed after the first upkeep, staggered after the second, well at the end of that turn."""
    board = lay_out(fighter(0, 1, 1, status="stunned"), fighter(1, 10, 10, movement=2), phase="move", active_seat=1)
    found = []
    for _ in range(4):
        board = decide(board, EndPhase())  # no enemy is in reach, so no seat is asked about engaging
        found.append((board.seat, board.fighters[0].status))
    assert found == [(0, "dazed"), (1, "dazed"), (0, "staggered"), (1, "ok")]


def test_dice_that_are_missing_or_left_over_fail() -> None:
    with pytest.raises(BadScript, match="1 dice with 20 sides for defence"):
        strike(duel("sword"), [16])
    with pytest.raises(BadScript, match="never rolled"):
        strike(duel("sword"), [16, 12, 1])
