"""The forecast of close quarters: models that are touched cannot fire, and units that flee may leave the table."""

from typing import Any

import pytest

from diskwars_bots.rulesets.close_quarters.forecast import CombatForecast, moved
from diskwars_bots.rulesets.close_quarters.greedy_bot import chase
from diskwars_protocol.rulesets.close_quarters import odds, position
from diskwars_protocol.rulesets.close_quarters.actions import Consolidate, ConsolidateBy, ModelMove
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard
from tests.engine.rulesets.close_quarters.close_quarters_positions import column, in_cycle, lay_out, squad


def combat(board: CloseQuartersBoard, attacker: int = 0) -> float:
    return CombatForecast().combat(board, 0, attacker, initial=False)


def test_shot_is_that_of_the_exact_chances() -> None:
    board = in_cycle(lay_out(squad(0, (1000, 800), gun="carbine"), squad(1, (1300, 800), armour=2)))
    assert CombatForecast().shot(board, 0, 1).casualties == pytest.approx(float(odds.shot_casualties(board, 0, 1)))


def test_enemy_that_is_touched_does_not_fire() -> None:
    """B-9: only models that touch nobody fire."""
    enemies = squad(1, *column(1300, 600, 4), gun="repeater", weapon_skill=1, arms=("blade",))
    free = lay_out(squad(0, *column(900, 600, 4), armour=0, movement_inches=0), enemies)
    tied = lay_out(squad(0, *column(1198, 600, 4), armour=0, movement_inches=0), enemies)
    assert combat(tied, attacker=1) > combat(free, attacker=1)


def test_side_that_attacks_first_does_better() -> None:
    board = lay_out(squad(0, *column(900, 600, 4), gun="carbine"), squad(1, *column(1300, 600, 4), gun="carbine"))
    assert combat(board, attacker=0) > combat(board, attacker=1)


def test_unit_that_would_flee_from_the_table_is_worth_less() -> None:
    """B-17: a model that leaves the table is lost."""
    shooters: dict[str, Any] = {"gun": "repeater", "ballistic_skill": 6}
    far = lay_out(squad(0, *column(1000, 600, 4), markers=3), squad(1, *column(1400, 600, 4), **shooters))
    near = lay_out(squad(0, *column(200, 600, 4), markers=3), squad(1, *column(600, 600, 4), **shooters))
    assert combat(near, attacker=1) < combat(far, attacker=1)


def test_models_go_into_contact_as_far_as_they_reach() -> None:
    """B-15: the forecast finds contact wherever the rules do, though not the same places."""
    board = lay_out(squad(0, *column(1000, 600, 3)), squad(1, *column(1300, 600, 3)))
    there = CombatForecast().after_consolidation(board, 0)
    assert len(position.engaged_models(there, 0)) == 3
    taken = {(model.x, model.y) for model in position.standing(there)}
    assert len(taken) == 6


def test_winner_goes_after_those_that_fled() -> None:
    """B-19: every model within 6 inches of a winner is caught."""
    board = lay_out(squad(0, (1000, 800)), squad(1, (1800, 800), has_fallen_back=True))
    action = chase(board, 0)
    assert isinstance(action, Consolidate)
    caught = moved(board, action.moves)
    assert position.is_within(caught.models[0], caught.models[1], position.COMBAT_RANGE)
    caught_already = moved(board, [ModelMove(0, 1300, 800)])
    assert chase(caught_already, 0) == ConsolidateBy("hold")
