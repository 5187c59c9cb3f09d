"""The rules of close quarters about tasks of scenarios: what decides a match beside the fight."""

from typing import Any

from msgspec.structs import replace

from diskwars_bots.rulesets.close_quarters.greedy_bot import ways
from diskwars_engine.rulesets.close_quarters.scenario import starting_event
from diskwars_protocol.match.tasks import BattleTask, ScenarioArea
from diskwars_protocol.rulesets.close_quarters.actions import Advance, CloseQuartersSettings, Double, ModelMove
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard
from tests.engine.rulesets.close_quarters.close_quarters_positions import (
    CLOSE_QUARTERS,
    kept_out,
    lay_out,
    options_of,
    refusal,
    squad,
)
from tests.rows import each_row

ZONE = ScenarioArea(0, 0, 600, 1600)
BREAK, HOLD = BattleTask("break_through", zone=ZONE, count=2), BattleTask("hold", zone=ZONE)
RESCUE, STAND = BattleTask("rescue", zone=ZONE, piece=1), BattleTask("last_stand", count=2)


def meeting(task: BattleTask, *points: tuple[int, int], **board: Any) -> CloseQuartersBoard:
    """Return a board with models of side 0 at these points, and one enemy in the place of the task."""
    return lay_out(squad(0, *points), squad(1, (300, 1500)), task=task, **board)


def fallen(board: CloseQuartersBoard, model: int) -> CloseQuartersBoard:
    models = (*board.models[:model], replace(board.models[model], status="killed"), *board.models[model + 1 :])
    return replace(board, models=models)


@each_row(
    ("board", "winners"),
    [
        (meeting(BREAK, (100, 100), (600, 400)), (0,)),
        (meeting(BREAK, (100, 100), (601, 400)), None),
        (meeting(BREAK, (100, 100), (400, 1500)), None),  # it touches the enemy
        (meeting(BREAK, (100, 100), (900, 400), phase="over"), (1,)),
        (meeting(RESCUE, (900, 100), (600, 400)), (0,)),
        (meeting(RESCUE, (100, 100), (900, 400)), None),
        (fallen(meeting(RESCUE, (100, 100), (900, 400)), 1), (1,)),
        (meeting(STAND, (900, 100), (900, 400)), None),
        (meeting(STAND, (900, 100), (900, 400), phase="over"), (0,)),
        (fallen(meeting(STAND, (900, 100), (900, 400)), 0), (1,)),
        (meeting(HOLD, (100, 100), (400, 1500), phase="over"), (0,)),
        (meeting(HOLD, (900, 100), (900, 400), phase="over"), (1,)),
        (meeting(HOLD, (100, 100), (400, 1500)), None),
    ],
)
def test_task_of_a_scenario_decides(board: CloseQuartersBoard, winners: Any) -> None:
    """B-29."""
    result = CLOSE_QUARTERS.result(board)
    if winners is None:
        assert result is None
        return
    assert result is not None
    assert result.winners == winners
    assert result.end_reason in ("task_done", "task_failed")
    assert [reason.rule for reason in result.reasons] == ["B-29"]


def test_models_of_a_unit_that_fell_back_hold_no_ground() -> None:
    """B-29."""
    board = meeting(BREAK, (100, 100), (300, 400))
    units = (replace(board.units[0], has_fallen_back=True), board.units[1])
    assert CLOSE_QUARTERS.result(replace(board, units=units)) is None


def test_nobody_moves_at_the_double_in_the_first_turn_of_a_slow_start() -> None:
    """B-30: from the second turn on they do, and without it at once."""
    board = lay_out(squad(0, (300, 300)), squad(1, (2000, 1500)), turn=1, slow_start=True, active_unit=0)
    double = Double((ModelMove(0, 1400, 300),))
    assert refusal(board, double).rule == "B-30"
    assert [type(limits.example) for limits in options_of(board).parametric] == [Advance]
    assert kept_out(board) == [(0, None, "B-30")]
    for later in (replace(board, turn=3), replace(board, slow_start=False)):
        assert Double in [type(limits.example) for limits in options_of(later).parametric]
        assert kept_out(later) == []
        assert not any(isinstance(action, Double) for action, _ in ways(board, 0))
        assert any(isinstance(action, Double) for action, _ in ways(later, 0))


def test_second_side_may_have_units_and_places_of_its_own() -> None:
    """B-0: points are those of the whole table."""
    event = starting_event(CLOSE_QUARTERS.content, CloseQuartersSettings("the-break-out"), 2)
    scenario = CLOSE_QUARTERS.content.scenarios["the-break-out"]
    leaders = [(model.x, model.y) for model in event.models if model.is_leader]
    assert leaders == [(one.x, one.y) for one in (*scenario.squads, *scenario.opposing)]
    assert [unit.side for unit in event.units] == [0] * len(scenario.squads) + [1] * len(scenario.opposing)
    assert event.task == scenario.task
