"""The sequence of play (R4, R7, R15): applies an answer, then runs tasks until a seat has to decide again."""

from typing import Any

from diskwars_engine.ruleset import Dice, Illegal, Outcome
from diskwars_engine.rulesets.diskwars import damage, melee, scoring
from diskwars_engine.rulesets.diskwars.cursor import CursorReader
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.task_rules import MAX_SEARCH_STEPS, OpenQuestions, TaskRules
from diskwars_engine.rulesets.diskwars.task_table import TASKS
from diskwars_engine.rulesets.diskwars.tasks import Task
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import position
from diskwars_protocol.rulesets.diskwars.actions import Action, BoardQuestion
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions, DiskwarsUnavailable

_CURSORS = CursorReader(TASKS)

# ---------------------------------------------------------------- the open question


def tasks_of(board: Board) -> tuple[Task, ...]:
    """Return the tasks that are still to do, next first. Raises `UnreadableCursor` for the cursor of other rules."""
    return _CURSORS.read(board.cursor)


def open_questions(board: Board) -> OpenQuestions:
    """Return the seats that have to decide before the first task can run, with their questions (R19.25)."""
    tasks = tasks_of(board)
    return _questions(board, tasks[0]) if tasks else ()


def _questions(board: Board, task: Task) -> OpenQuestions:
    questions = _rules(task).questions(board, task)
    # An eliminated seat may still control a disk that a queued task names; nobody would answer for it.
    return tuple((seat, question) for seat, question in questions if not position.is_eliminated(board, seat))


def options(board: Board, seat: Seat, question: BoardQuestion) -> DiskwarsOptions:
    """Return the options of an open question. Raises `WorkExceeded`."""
    task = tasks_of(board)[0]
    return _rules(task).options(board, seat, task, question, WorkBudget(MAX_SEARCH_STEPS))


def unavailable(board: Board, seat: Seat, question: BoardQuestion) -> tuple[DiskwarsUnavailable, ...]:
    """Explain what is not among the options of an open question. Raises `WorkExceeded`."""
    task, work = tasks_of(board)[0], WorkBudget(MAX_SEARCH_STEPS)
    return tuple(work.each(_rules(task).unavailable(board, seat, task, question, work)))


def default(board: Board, seat: Seat, question: BoardQuestion, dice: Dice) -> Action:
    """Return the answer given when a seat's time runs out: one that does little, or a card drawn at random (R19.11)."""
    task = tasks_of(board)[0]
    rules = _rules(task)
    if rules.default is None:
        return rules.options(board, seat, task, question, WorkBudget(MAX_SEARCH_STEPS)).actions[0]
    return rules.default(board, seat, task, question, dice)


def _rules(task: Task) -> TaskRules[Any, Any]:
    return TASKS[type(task)]


# ---------------------------------------------------------------- answers


def decide(
    board: Board, seat: Seat, question: BoardQuestion, action: Action, dice: Dice
) -> Outcome[Board, BoardQuestion]:
    """Carry out an answer and play on until the next question. Raises `Illegal`; the given board does not change."""
    resolution = Resolution(board, dice, tasks_of(board))
    task = resolution.tasks.pop(0)
    resolution.begin_task(task)
    _rules(task).answer(resolution, seat, task, question, action)
    return _play_on(resolution)


def resign(board: Board, seat: Seat, dice: Dice) -> Outcome[Board, BoardQuestion]:
    """Remove a player with their disks and cards from the game; the others play on (R-59)."""
    if board.sides[seat].eliminated:
        raise Illegal("not_legal", "you are out of the game already", "R18.5")
    resolution = Resolution(board, dice, tasks_of(board), first_event=1)  # after the match's own seat_resigned
    damage.withdraw(resolution, seat, (Reason("R-59"),))
    melee.drop_dead_engagements(resolution)  # engagements that have lost a side are not offered any more
    # A seat may leave at any question, so each kind of task says how it goes on without the seat and its disks.
    resolution.tasks = [
        left for task in resolution.tasks for left in _rules(task).without_seat(resolution.board, task, seat)
    ]
    return _play_on(resolution)


# ---------------------------------------------------------------- the loop


def _play_on(resolution: Resolution) -> Outcome[Board, BoardQuestion]:
    run(resolution)
    return resolution.finish()


def run(resolution: Resolution) -> None:
    """Run one task after another until a seat has to decide or the game is over."""
    # The answer itself may have lowered a toughness. From here on, R-45 holds after every task.
    damage.resolve_due_wounds(resolution)
    while resolution.tasks:
        resolution.work.spend()
        task = resolution.tasks[0]
        if scoring.result(resolution.board) is not None:
            resolution.tasks.clear()  # R4.7, R4.8: an elimination ends the game in the middle of a task list
        elif questions := _questions(resolution.board, task):
            resolution.questions = questions
            return
        else:
            # The task is removed before it runs: it pushes what is left of itself, below or above its consequences.
            del resolution.tasks[0]
            resolution.begin_task(task)
            _rules(task).run(resolution, task)
            damage.resolve_due_wounds(resolution)
