"""One row of the table of tasks: the functions that ask about, answer and run one kind of task."""

from collections.abc import Callable, Iterable
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct

from diskwars_engine.ruleset import Dice, Illegal
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.tasks import Task
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars.actions import Action, BoardQuestion
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions, DiskwarsUnavailable

MAX_SEARCH_STEPS = 50_000
"""Targets and places that one question looks at, about half a second; in random play the most is 580."""

OpenQuestions: TypeAlias = tuple[tuple[Seat, BoardQuestion], ...]

T = TypeVar("T", bound=Task)
Q = TypeVar("Q", bound=BoardQuestion)


def ask_nobody(board: Board, task: Task) -> OpenQuestions:
    """Ask nothing: the task runs as soon as it is first."""
    return ()


def no_options(board: Board, seat: Seat, task: Task, question: BoardQuestion, work: WorkBudget) -> DiskwarsOptions:
    """Offer nothing: for tasks that ask nothing."""
    return DiskwarsOptions()


def none_unavailable(
    board: Board, seat: Seat, task: Task, question: BoardQuestion, work: WorkBudget
) -> Iterable[DiskwarsUnavailable]:
    """Explain nothing: for questions whose options are complete."""
    return ()


def refuse_answer(resolution: Resolution, seat: Seat, task: Task, question: BoardQuestion, action: Action) -> None:
    """Refuse every action: for tasks that ask nothing."""
    raise wrong_action(question, action)


def run_nothing(resolution: Resolution, task: Task) -> None:
    """Do nothing, which drops the task: for tasks that only ask."""


def keep_task(board: Board, task: Task, seat: Seat) -> list[Task]:
    """Keep the task as it is: for tasks that name neither a seat nor its disks."""
    return [task]


class TaskRules(Struct, Generic[T, Q], frozen=True):
    """The functions of one kind of task.

    `questions` names the seats that have to decide before the task can run. `options` and `unavailable` describe the
    possible answers within a budget of work; `default` gives one of them, by default the first option. `answer` judges
    an answer: the task has been taken off the list by then, and what is left of it has to be pushed again. `run`
    carries the task out when there is nothing to ask. `without_seat` is what is left of the task after a seat has left
    the game (R-59).
    """

    questions: Callable[[Board, T], OpenQuestions] = ask_nobody
    options: Callable[[Board, Seat, T, Q, WorkBudget], DiskwarsOptions] = no_options
    unavailable: Callable[[Board, Seat, T, Q, WorkBudget], Iterable[DiskwarsUnavailable]] = none_unavailable
    default: Callable[[Board, Seat, T, Q, Dice], Action] | None = None
    answer: Callable[[Resolution, Seat, T, Q, Action], None] = refuse_answer
    run: Callable[[Resolution, T], None] = run_nothing
    without_seat: Callable[[Board, T, Seat], list[Task]] = keep_task


def wrong_action(question: Struct, action: Struct) -> Illegal:
    """Create the refusal of an action whose type does not answer this type of question."""
    question_tag, action_tag = question.__struct_config__.tag, action.__struct_config__.tag
    return Illegal("wrong_action", f"{action_tag} does not answer {question_tag}", place="$.action")
