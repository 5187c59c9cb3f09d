"""The table of tasks: one row for each kind of task, and every row complete."""

import pytest

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.task_rules import ask_nobody, no_options, refuse_answer
from diskwars_engine.rulesets.diskwars.task_table import TASKS
from diskwars_engine.rulesets.diskwars.tasks import CausedTask, Task
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.events import RangedAttack
from tests.engine.rulesets.diskwars.positions import ScriptedMatchDice, scripted_position
from tests.rows import each_row

ASKING_TASKS: tuple[Task, ...] = (
    t.FirstPlayerTask(0),
    t.ScenarioTask(0),
    t.DeploymentCardsTask((0,)),
    t.TerrainCardsTask((0,)),
    t.DeploymentTask((0,)),
    t.ScoutTask(0, (0,)),
    t.ActivationPhaseTask(),
    t.CommandCardTask(0, "press-on", 1, ability_available=False, begun=True),
    t.ActivationTask(0, 0, 1, ("move",)),
    t.RampageTask(0),
    t.EngageAbilityTask(a.Trigger(0, 1, 0)),
    t.ReinforcementTask(0, "short", None),
    t.TriggersTask(0, ()),
    t.ScatterTask(RangedAttack(0, 1, 0, 2, "physical", "medium"), 1, (0, 1), ()),
    t.MeleePhaseTask(),
    t.FightTask(0),
    t.MeleeStepTask(0, "normal"),
)


def test_every_kind_of_task_has_one_row() -> None:
    kinds = {*Task.__subclasses__(), *CausedTask.__subclasses__()} - {CausedTask}
    assert set(TASKS) == kinds


def test_a_task_that_asks_offers_options_and_judges_answers() -> None:
    """A new question that says neither what may be answered nor what an answer does is found here."""
    asking = {kind: rules for kind, rules in TASKS.items() if rules.questions is not ask_nobody}
    assert len(asking) > 10
    assert [kind for kind, rules in asking.items() if rules.options is no_options] == []
    assert [kind for kind, rules in asking.items() if rules.answer is refuse_answer] == []
    assert set(asking) == {type(task) for task in ASKING_TASKS}


@each_row("task", ASKING_TASKS, ids=lambda task: type(task).__name__)
def test_an_action_that_answers_another_question_is_refused_by_every_task(task: Task) -> None:
    board = scripted_position("A Orc Boyz (10, 10)\nB Sun Dragon (30, 30)").board
    resolution = Resolution(board, ScriptedMatchDice((), 1), ())
    action = a.EndScouting() if isinstance(task, t.CommandCardTask) else a.EndCard()
    with pytest.raises(Illegal) as refused:
        TASKS[type(task)].answer(resolution, 0, task, a.CommandCardQuestion(), action)
    assert (refused.value.code, refused.value.place) == ("wrong_action", "$.action")
    assert resolution.events == []
