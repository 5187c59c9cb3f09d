"""The table of tasks: one row for each kind of task, and every row complete."""

from diskwars_engine.rulesets.diskwars.task_rules import ask_nobody, no_options, refuse_answer
from diskwars_engine.rulesets.diskwars.task_table import TASKS
from diskwars_engine.rulesets.diskwars.tasks import CausedTask, Task


def test_every_kind_of_task_has_one_row() -> None:
    kinds = {*Task.__subclasses__(), *CausedTask.__subclasses__()} - {CausedTask}
    assert set(TASKS) == kinds


def test_a_task_that_asks_offers_options_and_judges_answers() -> None:
    """A new question that says neither what may be answered nor what an answer does is found here."""
    asking = {kind: rules for kind, rules in TASKS.items() if rules.questions is not ask_nobody}
    assert len(asking) > 10
    assert [kind for kind, rules in asking.items() if rules.options is no_options] == []
    assert [kind for kind, rules in asking.items() if rules.answer is refuse_answer] == []
