"""The table of tasks: one row for each kind of task, and every row complete."""

from typing import get_args

from diskwars_engine.rulesets.diskwars.phases import PHASES
from diskwars_engine.rulesets.diskwars.task_rules import ask_nobody, no_options, refuse_answer
from diskwars_engine.rulesets.diskwars.task_table import TASKS
from diskwars_protocol.rulesets.diskwars.tasks import PhaseTask, Task


def test_every_kind_of_task_has_one_row() -> None:
    """The phases of a round share a task, and have rows of their own."""
    assert {*TASKS, PhaseTask} == set(get_args(Task))
    assert set(PHASES) == {"activation", "melee", "end"}


def test_a_task_that_asks_offers_options_and_judges_answers() -> None:
    """A new question that says neither what may be answered nor what an answer does is found here."""
    asking = [rules for rules in (*TASKS.values(), *PHASES.values()) if rules.questions is not ask_nobody]
    assert len(asking) > 10
    assert [rules for rules in asking if rules.options is no_options] == []
    assert [rules for rules in asking if rules.answer is refuse_answer] == []
