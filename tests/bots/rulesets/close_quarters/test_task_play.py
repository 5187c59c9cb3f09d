"""The greedy bot of close quarters goes where the task of a scenario wants its units."""

from diskwars_bots.rulesets.close_quarters import task_play
from diskwars_bots.rulesets.close_quarters.greedy_bot import ways
from diskwars_protocol.match.tasks import BattleTask, ScenarioArea
from tests.engine.rulesets.close_quarters.close_quarters_positions import lay_out, squad

GOAL = ScenarioArea(2000, 0, 2400, 1600)


def test_runners_have_ways_to_the_place_of_the_task() -> None:
    """B-29: straight east, with an enemy in the north."""
    task = BattleTask("break_through", zone=GOAL)
    board = lay_out(squad(0, (400, 400)), squad(1, (400, 1400)), task=task)
    assert task_play.way_to_zone(board, 0) == (1700, 0)
    assert task_play.way_to_zone(board, 1) is None
    ends = {(move.x, move.y) for _, moves in ways(board, 0) for move in moves}
    assert {(1000, 400), (1600, 400)} <= ends


def test_each_model_nearer_to_the_place_is_worth_something() -> None:
    """B-29: for the other side it is the reverse."""
    task = BattleTask("break_through", zone=GOAL)
    near = lay_out(squad(0, (1900, 400)), squad(1, (400, 1400)), task=task)
    far = lay_out(squad(0, (400, 400)), squad(1, (400, 1400)), task=task)
    assert task_play.task_worth(near, 0) > task_play.task_worth(far, 0)
    assert task_play.task_worth(near, 1) == -task_play.task_worth(near, 0)
