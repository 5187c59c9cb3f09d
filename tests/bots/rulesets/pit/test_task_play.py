"""The greedy bot of the pit goes where the task of a scenario wants it, and fights for it."""

from diskwars_bots.rulesets.pit import task_play
from diskwars_protocol.match.tasks import BattleTask, ScenarioArea
from tests.engine.rulesets.pit.pit_positions import fighter, lay_out

GOAL = ScenarioArea(11, 0, 11, 11)


def test_ways_lead_round_walls() -> None:
    """A-24: straight ahead is a wall with one gap."""
    walls = (ScenarioArea(6, 1, 6, 11),)
    ways = task_play.steps_to(12, 12, walls, GOAL)
    assert ways[5, 11] > task_play.steps_to(12, 12, (), GOAL)[5, 11]
    assert (6, 5) not in ways
    assert ways[11, 3] == 0


def test_runners_go_for_the_place_of_the_task_and_guards_come_between() -> None:
    """A-25: the runner at 4, 4 has seven steps to go."""
    task = BattleTask("break_through", zone=GOAL)
    board = lay_out(fighter(0, 4, 4), fighter(1, 8, 8), phase="move", task=task)
    runner, guard = board.fighters
    assert task_play.weigh_cells(board, task, runner, [(5, 4), (4, 5), (3, 4)]) == [1, 0, -1]
    gains = task_play.weigh_cells(board, task, guard, [(7, 6), (9, 9)])
    assert gains is not None
    assert gains[0] > gains[1]
    assert not task_play.may_charge(board, task, runner)
    assert task_play.least_gain(board, task, 0) > 0 > task_play.least_gain(board, task, 1)


def test_last_stand_stays_and_its_enemies_come() -> None:
    """A-25."""
    task = BattleTask("last_stand", side=0)
    board = lay_out(fighter(0, 4, 4), fighter(1, 8, 8), phase="move", task=task)
    assert task_play.weigh_cells(board, task, board.fighters[0], [(5, 5)]) == [0]
    assert task_play.weigh_cells(board, task, board.fighters[1], [(7, 7)]) is None


def test_value_of_a_position_grows_on_the_way_to_the_goal() -> None:
    """A-25: what one side gains the other loses."""
    task = BattleTask("break_through", zone=GOAL)
    near = lay_out(fighter(0, 9, 4), fighter(1, 8, 8), task=task)
    far = lay_out(fighter(0, 2, 4), fighter(1, 8, 8), task=task)
    assert task_play.progress(near, 0) > task_play.progress(far, 0)
    assert task_play.progress(near, 1) == -task_play.progress(near, 0)
