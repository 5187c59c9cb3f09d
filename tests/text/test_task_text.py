"""Tasks of scenarios as sentences, and as lines of positions, both ways."""

from diskwars_protocol.match.tasks import BattleTask, ScenarioArea
from diskwars_text.struct_lines import read_parts
from diskwars_text.task_text import cells_text, read_task, task_lines, task_sentence
from tests.rows import each_row

AREA = ScenarioArea(4, 3, 5, 4)
TASKS = [
    BattleTask("break_through", side=1, zone=AREA, count=3),
    BattleTask("rescue", side=0, zone=ScenarioArea(1, 1, 1, 1), piece=2),
    BattleTask("last_stand", side=1, count=2),
    BattleTask("hold", zone=AREA),
]
SENTENCES = [
    "seat B wins with 3 fighters in cells 4,3 to 5,4; otherwise seat A wins",
    "seat A wins when A Captain gets to cell 1,1, and loses when it falls; otherwise seat B wins",
    "seat B wins with 2 fighters left at the end; otherwise seat A wins",
    "with more of its fighters than the other side in cells 4,3 to 5,4 at the end a side wins",
]


@each_row(("task", "sentence"), list(zip(TASKS, SENTENCES, strict=True)))
def test_task_is_said_and_read_again(task: BattleTask, sentence: str) -> None:
    side, other = ("seat A", "seat B") if task.side == 0 else ("seat B", "seat A")
    assert task_sentence(task, side, other, "fighter", "A Captain", cells_text) == sentence
    assert read_parts("\n".join(task_lines(task)), {"task": read_task})["task"] == [task]


def test_match_without_a_task_has_no_line_of_it() -> None:
    assert task_lines(None) == []
