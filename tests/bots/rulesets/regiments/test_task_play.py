"""The greedy bot of regiments goes where the task of a scenario wants its units."""

from msgspec.structs import replace

from diskwars_bots.rulesets.regiments import task_play
from diskwars_protocol.match.tasks import BattleTask, ScenarioArea
from tests.engine.rulesets.regiments.regiments_positions import lay_out, unit

GOAL = ScenarioArea(9, 0, 9, 7)


def test_runners_go_for_the_place_of_the_task_and_guards_for_the_runner() -> None:
    """C-32."""
    task = BattleTask("break_through", zone=GOAL)
    board = lay_out(unit("foot", 0, 2, 4, "east"), unit("bones", 1, 7, 4, "west"), task=task)
    own, guard = board.units

    def worth(one: object, x: int) -> float:
        return task_play.place_value(board, task, one, replace(one, x=x))  # type: ignore[arg-type, type-var]

    assert worth(own, 3) > worth(own, 2)
    assert worth(guard, 6) > worth(guard, 8)
    assert task_play.least_gain(board, task, own) > 0 > task_play.least_gain(board, task, guard)


def test_last_stand_does_not_leave_its_place() -> None:
    """C-32."""
    task = BattleTask("last_stand", side=0)
    board = lay_out(unit("foot", 0, 2, 4, "east"), unit("bones", 1, 7, 4, "west"), task=task)
    own = board.units[0]
    assert task_play.place_value(board, task, own, own) > task_play.place_value(board, task, own, replace(own, x=3))
