"""Who wins by the task of a scenario, and why the match ends."""

from typing import Any

from diskwars_protocol.match.tasks import BattleTask, ScenarioArea, Standing, end_reason, task_winner
from tests.rows import each_row

ZONE = ScenarioArea(0, 0, 1, 1)
BREAK, HOLD = BattleTask("break_through", side=0, zone=ZONE, count=2), BattleTask("hold", zone=ZONE)
STAND, RESCUE = BattleTask("last_stand", side=1, count=2), BattleTask("rescue", side=0, zone=ZONE, piece=0)

ROWS: list[Any] = [
    (BREAK, (Standing(3, 2), Standing(3, 0)), False, 0, "task_done"),
    (BREAK, (Standing(3, 1), Standing(3, 3)), False, None, ""),
    (BREAK, (Standing(3, 1), Standing(3, 3)), True, 1, "task_failed"),
    (RESCUE, (Standing(3, 1, is_piece_in_zone=True), Standing(3, 0)), False, 0, "task_done"),
    (RESCUE, (Standing(3, 1), Standing(3, 0)), False, None, ""),
    (RESCUE, (Standing(2, 2, is_piece_left=False), Standing(3, 0)), False, 1, "task_failed"),
    (RESCUE, (Standing(3, 1), Standing(3, 0)), True, 1, "task_failed"),
    (STAND, (Standing(3, 0), Standing(2, 0)), False, None, ""),
    (STAND, (Standing(3, 0), Standing(1, 0)), False, 0, "task_failed"),
    (STAND, (Standing(3, 0), Standing(2, 0)), True, 1, "task_done"),
    (HOLD, (Standing(3, 1), Standing(3, 2)), False, None, ""),
    (HOLD, (Standing(3, 1), Standing(3, 2)), True, 1, "task_done"),
    (HOLD, (Standing(3, 2), Standing(3, 1)), True, 0, "task_done"),
    (HOLD, (Standing(3, 1), Standing(3, 1)), True, None, ""),
]


@each_row(("task", "standings", "is_over", "winner", "reason"), ROWS)
def test_task_decides_for_a_side_or_leaves_the_match_open(
    task: BattleTask, standings: tuple[Standing, Standing], is_over: bool, winner: int | None, reason: str
) -> None:
    assert task_winner(task, standings, is_over) == winner
    if winner is not None:
        assert end_reason(task, winner) == reason


def test_area_has_its_edges_and_knows_how_far_off_it_is() -> None:
    area = ScenarioArea(2, 3, 4, 5)
    assert [area.contains(*cell) for cell in ((2, 3), (4, 5), (1, 3), (5, 5), (2, 6))] == [
        True,
        True,
        False,
        False,
        False,
    ]
    assert area.distance(0, 7) == (2, 2)
    assert area.distance(3, 4) == (0, 0)
