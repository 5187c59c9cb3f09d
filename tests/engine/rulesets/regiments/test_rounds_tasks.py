"""The rules of regiments about tasks of scenarios: when a round decides the match, and for whom."""

from typing import Any

from msgspec.structs import replace

from diskwars_engine.rulesets.regiments import rounds
from diskwars_protocol.match.tasks import BattleTask, ScenarioArea
from tests.engine.rulesets.regiments.regiments_positions import REGIMENTS, lay_out, playing, unit
from tests.rows import each_row

ZONE = ScenarioArea(0, 0, 2, 7)
BREAK, HOLD = BattleTask("break_through", zone=ZONE, count=2), BattleTask("hold", zone=ZONE)
RESCUE, STAND = BattleTask("rescue", zone=ZONE, piece=1), BattleTask("last_stand", count=2)
GONE = {"status": "routed"}


@each_row(
    ("task", "states", "number", "winners"),
    [
        (BREAK, ({"x": 1}, {"x": 2}), 2, (0,)),
        (BREAK, ({"x": 1}, {"x": 5}), 2, None),
        (BREAK, ({"x": 1}, {"x": 2, "status": "fleeing"}), 2, None),
        (BREAK, ({"x": 1}, {"x": 5}), 15, (1,)),
        (RESCUE, ({"x": 5}, {"x": 2}), 2, (0,)),
        (RESCUE, ({"x": 2}, {"x": 5}), 2, None),
        (RESCUE, ({"x": 2}, {"x": 2, **GONE}), 2, (1,)),
        (STAND, ({"x": 5}, {"x": 6}), 2, None),
        (STAND, ({"x": 5}, {"x": 6}), 15, (0,)),
        (STAND, ({"x": 5}, {"x": 6, **GONE}), 2, (1,)),
        (HOLD, ({"x": 1}, {"x": 2}), 2, None),
        (HOLD, ({"x": 1}, {"x": 2}), 15, (0,)),
        (HOLD, ({"x": 1, "status": "fleeing"}, {"x": 6}), 15, (1,)),
    ],
)
def test_task_is_looked_at_after_redress(task: Any, states: Any, number: int, winners: Any) -> None:
    """C-32: one enemy is in the place of the task, and none in melee."""
    own = [
        unit("foot", 0, state["x"], 1 + place, "east", **{key: value for key, value in state.items() if key != "x"})
        for place, state in enumerate(states)
    ]
    board = lay_out(*own, unit("bones", 1, 2, 7, "west"), task=task, round=number, phase="redress", waiting=())
    rally = [12] if any("fleeing" in state.values() for state in states) else []  # it fails
    resolution = playing(board, [*rally, 1, 2])
    rounds._end_round(resolution)
    if winners is None:
        assert resolution.board.phase == "orders"
        assert REGIMENTS.result(resolution.board) is None
        return
    result = REGIMENTS.result(resolution.board)
    assert result is not None
    assert (resolution.board.phase, result.winners) == ("over", winners)
    assert result.end_reason in ("task_done", "task_failed")
    assert [reason.rule for reason in result.reasons] == ["C-32"]


def test_unit_in_melee_is_not_through() -> None:
    """C-32: an enemy charged it in the place of the task; to hold that it counts."""
    board = lay_out(
        unit("foot", 0, 1, 4, "east"),
        unit("bones", 1, 2, 4, "west"),
        contacts=[(1, 0)],
        task=BattleTask("break_through", zone=ZONE),
        phase="over",
    )
    assert rounds.result(replace(board, round=15)).winners == (1,)  # type: ignore[union-attr]
    held = replace(board, round=15, task=BattleTask("hold", zone=ScenarioArea(0, 0, 1, 7)))
    assert rounds.result(held).winners == (0,)  # type: ignore[union-attr]
