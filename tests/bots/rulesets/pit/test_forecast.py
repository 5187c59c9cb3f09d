"""The forecast of the fights of the pit: it agrees with exact chances, and knows who strikes first."""

from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_bots.rulesets.pit.forecast import PitForecast, results
from diskwars_protocol.rulesets.pit import odds
from diskwars_protocol.rulesets.pit.board import CombatState
from tests.engine.rulesets.pit.pit_positions import duel, fighter, lay_out
from tests.rows import each_row

STRONG: dict[str, Any] = {"attacks": 3, "melee": 5, "injury": 5}


@each_row("weapon", ["dagger", "sword", "spear", "hammer", "pike", "great-sword", "great-hammer"])
def test_results_of_attacks_are_those_of_the_exact_chances(weapon: str) -> None:
    board = duel(weapon)
    attacker, target = board.fighters
    found = results(board, attacker, target)
    exact = odds.removal_chance(board, attacker, target, odds.declaration_on(board, attacker, target.id))
    assert found.out == pytest.approx(float(exact))
    assert 0 < found.dazed + found.stunned + found.out < 1
    assert found.out_if_dazed > found.out


def test_who_engages_strikes_first_and_is_worth_more() -> None:
    """A-12: of two equals, the one that ran strikes before the other."""
    board = lay_out(fighter(0, 4, 4, **STRONG), fighter(1, 6, 4, **STRONG), phase="engage")
    forecast = PitForecast(board)
    assert forecast.value(0, {}) == 0
    assert forecast.value(0, {0: (5, 4)}) > 0.5
    assert forecast.value(1, {0: (5, 4)}) == pytest.approx(-forecast.value(0, {0: (5, 4)}))


def test_two_who_gang_up_win_more_than_twice_what_one_does() -> None:
    """A-16: the second strikes one that lies, and takes it out."""
    figures: dict[str, Any] = {"melee": 10, "attacks": 2}
    board = lay_out(
        fighter(0, 1, 4, **figures), fighter(0, 1, 6, **figures), fighter(1, 6, 5, **STRONG), phase="engage"
    )
    forecast = PitForecast(board)
    one, both = forecast.value(0, {0: (5, 4)}), forecast.value(0, {0: (5, 4), 1: (5, 6)})
    none = forecast.value(0, {})
    assert both - none > 2 * (one - none)


def test_attack_before_the_enemy_strikes_is_worth_more_than_the_same_on_one_that_has_struck() -> None:
    """A-14: a fighter that is down when its slot comes loses it."""
    board = lay_out(fighter(0, 4, 4), fighter(1, 5, 4, **STRONG), fighter(1, 3, 4, **STRONG), combats=((0, 1, 2),))
    waiting = replace(board, combat=CombatState(0, (2,), 0))
    values = [PitForecast(waiting).after_attack(0, waiting.fighters[0], waiting.fighters[id]) for id in (1, 2)]
    assert values[1] > values[0]


def test_side_near_to_rout_is_worth_less() -> None:
    """A-7: with half of them lost a side checks morale each turn."""
    board = lay_out(fighter(0, 0, 0), fighter(0, 2, 2), fighter(1, 11, 11))
    fresh = PitForecast(board).value(0, {})
    shaken = replace(board, seats=(replace(board.seats[0], losses=2), board.seats[1]))
    assert PitForecast(shaken).value(0, {}) < fresh
