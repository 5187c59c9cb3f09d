"""Reinforcement by abilities, which bring disks of the reserve in beside their user (R9.6, R19.16)."""

from collections.abc import Iterator

from diskwars_engine.ruleset import Dice, Illegal
from diskwars_engine.rulesets.diskwars.activation import move_options, movement, reinforcement_places
from diskwars_engine.rulesets.diskwars.activation.aiming import REINFORCE, explain, find_refusal
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.task_rules import MAX_SEARCH_STEPS, OpenQuestions, wrong_action
from diskwars_engine.rulesets.diskwars.tasks import ReinforcementTask, Task
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import position
from diskwars_protocol.rulesets.diskwars.actions import Action, PassDisk, Reinforce, ReinforcementQuestion
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions, DiskwarsUnavailable


def questions(board: Board, task: ReinforcementTask) -> OpenQuestions:
    """Ask the controller of the ability which disk to bring in and where, unless none can come in (R19.16)."""
    candidates = tuple(reinforcement_places.ability_places(board, task, WorkBudget(MAX_SEARCH_STEPS)))
    if not candidates:
        return ()
    return ((board.disks[task.source].seat, ReinforcementQuestion(task.source, task.reach, candidates)),)


def options(
    board: Board, seat: Seat, task: ReinforcementTask, question: ReinforcementQuestion, work: WorkBudget
) -> DiskwarsOptions:
    """Offer one legal place for each disk that can come in, and to bring in none."""
    places = reinforcement_places.ability_places(board, task, work)
    areas = (reinforcement_places.ability_area(board, task),)
    parametric = tuple(
        move_options.placement_option(board, Reinforce(disk, *place), areas) for disk, place in places.items()
    )
    return DiskwarsOptions((PassDisk(question.source),), parametric)


def unavailable(
    board: Board, seat: Seat, task: ReinforcementTask, question: ReinforcementQuestion, work: WorkBudget
) -> Iterator[DiskwarsUnavailable]:
    """Explain which disks of the reserve the ability does not name, and which have no legal place (R9.6)."""
    source = board.disks[question.source]
    for disk in [waiting.id for waiting in position.reserve_disks(board, seat)]:
        if disk not in question.candidates:
            refused = find_refusal(movement.check_ability_reinforcement, board, task, disk, source.x, source.y)
            if refused is not None:
                yield explain(refused, disk, REINFORCE)


def default(board: Board, seat: Seat, task: ReinforcementTask, question: ReinforcementQuestion, dice: Dice) -> Action:
    """Decline to bring in a disk."""
    return PassDisk(question.source)


def answer(
    resolution: Resolution, seat: Seat, task: ReinforcementTask, question: ReinforcementQuestion, action: Action
) -> None:
    """Place a disk of the reserve, or decline by passing the user of the ability."""
    match action:
        case Reinforce():
            movement.check_disk_number(resolution.board, action.disk)
            movement.check_ability_reinforcement(resolution.board, task, action.disk, action.x, action.y)
            movement.reinforce_by_ability(resolution, action)
        case PassDisk():
            if action.disk != question.source:
                text = f"to bring nobody in, pass disk {question.source}"
                raise Illegal("wrong_action", text, "R9.6", "$.action.disk", numbers={"disk": question.source})
            # An ability that brings in several disks has queued one task for each. Declining one declines the rest,
            # so that a player is not asked the same question again at once.
            del resolution.tasks[: _repetitions(resolution.tasks, task)]
        case _:
            raise wrong_action(question, action)


def _repetitions(tasks: list[Task], task: Task) -> int:
    """Count the consecutive copies of a task at the head of the list."""
    return next((number for number, other in enumerate(tasks) if other != task), len(tasks))
