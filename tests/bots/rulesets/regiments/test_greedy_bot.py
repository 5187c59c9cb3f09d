"""The greedy bot of regiments keeps out of charges that would win, and reforms while nobody can reach it."""

from typing import Any

from diskwars_bots.rulesets.regiments.expectations import ChargeValues
from diskwars_bots.rulesets.regiments.greedy_bot import place_value
from diskwars_protocol.rulesets.regiments.actions import Reform
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard
from diskwars_protocol.rulesets.regiments.options import MarchEnd
from tests.bots.rulesets.regiments.test_bots import chosen
from tests.engine.rulesets.regiments.regiments_positions import lay_out, unit


def value_at(board: RegimentsBoard, x: int) -> float:
    """Return the value of a place in the row of the first unit."""
    return place_value(board, board.units[0], MarchEnd(x, 4, "east", ()), ChargeValues(board))


def test_place_in_reach_of_a_strong_charge_is_worth_less_than_one_step_behind_it() -> None:
    """C-1: who charges strikes first; the enemy has an order before the next one of the unit."""
    strong: dict[str, Any] = {"weapon_skill": 8, "strength": 6, "attacks": 3, "armour": 4}
    board = lay_out(unit("foot", 0, 1, 4, "east"), unit("foot", 1, 8, 4, "west", **strong))
    reach = board.profile(board.units[1]).movement + 1
    near, far = (value_at(board, 8 - away) for away in (reach, reach + 1))
    assert near < far


def test_place_from_which_it_can_charge_is_worth_more_than_the_step_alone() -> None:
    board = lay_out(unit("horse", 0, 1, 4, "east"), unit("bones", 1, 9, 4, "west", movement=1))
    values = [value_at(board, x) for x in (0, 1)]
    assert values[1] - values[0] >= 1


def test_unit_in_a_column_reforms_wider_before_anybody_can_charge_it() -> None:
    """C-25: a rank of two fights with two; a round is well spent on a wider one while the enemy is far away."""
    board = lay_out(
        unit("foot", 0, 0, 4, "east", files=4, models=20, attacks=2), unit("bones", 1, 9, 4, "west", files=10)
    )
    action = chosen(board)
    assert isinstance(action, Reform)
    assert action.files > 4
    near = lay_out(
        unit("foot", 0, 4, 4, "east", files=4, models=20, attacks=2), unit("bones", 1, 8, 4, "west", files=10)
    )
    assert not isinstance(chosen(near), Reform)
