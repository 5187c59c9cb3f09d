"""Scout moves before round 1 (R3.7, R8.9).

A scout move is an activation like any other, except that it ends without an activation token.
"""

from collections.abc import Iterator

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import zones
from diskwars_engine.rulesets.diskwars.activation import activation, move_options
from diskwars_engine.rulesets.diskwars.activation.aiming import MOVE
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.task_rules import OpenQuestions, wrong_action
from diskwars_engine.rulesets.diskwars.tasks import ScoutTask, Task
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import effective_stats, keywords, position
from diskwars_protocol.rulesets.diskwars.actions import Action, EndScouting, MoveDisk, ScoutQuestion
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions, DiskwarsUnavailable


def queue_scouting(resolution: Resolution) -> None:
    """Queue the scout moves of all players, in initiative order (R3.7)."""
    board = resolution.board
    turns = [ScoutTask(seat, scouting_disks(board, seat)) for seat in position.seats_in_order(board)]
    resolution.push(*(turn for turn in turns if turn.disks))


def scouting_disks(board: Board, seat: Seat) -> tuple[int, ...]:
    """List the disks of a seat that can scout, by their keyword or by the zone in which they were deployed."""
    return tuple(
        disk.id
        for disk in position.fielded_disks(board)
        if disk.seat == seat
        and (
            keywords.can_scout(board.profile(disk.id))
            or zones.has_ability(board, zones.deployment_zone(board, disk.id), "scouting")
        )
    )


def questions(board: Board, task: ScoutTask) -> OpenQuestions:
    """Ask for a scout move while a scout can make one (R19.10); a pinned disk cannot (R-58)."""
    able = tuple(disk for disk in task.disks if move_options.scout_example(board, disk) is not None)
    return ((task.seat, ScoutQuestion(able)),) if able else ()


def options(board: Board, seat: Seat, task: ScoutTask, question: ScoutQuestion, work: WorkBudget) -> DiskwarsOptions:
    """Offer a move of each scout, and to end scouting."""
    moves = [
        option
        for disk in work.each(question.disks)
        for option in move_options.scout_move_option(board, disk, effective_stats.movement(board, disk))
    ]
    return DiskwarsOptions((EndScouting(),), tuple(moves))


def unavailable(
    board: Board, seat: Seat, task: ScoutTask, question: ScoutQuestion, work: WorkBudget
) -> Iterator[DiskwarsUnavailable]:
    """Explain which disks are no scouts, have moved, are pinned (R-58) or have no legal landing (R8.9)."""
    able = scouting_disks(board, seat)
    own = [disk.id for disk in position.fielded_disks(board) if disk.seat == seat]
    for disk in [disk for disk in own if disk not in question.disks]:
        if disk not in able or disk not in task.disks:
            has = "has made its scout move" if disk in able else "has no scout move"
            yield DiskwarsUnavailable("not_legal", f"disk {disk} {has}", "R8.9", disk, action=MOVE)
        elif position.is_pinned(board, disk):
            yield DiskwarsUnavailable("disk_pinned", f"disk {disk} is pinned", "R-58", disk, action=MOVE)
        else:
            text = f"disk {disk} has no flip that a scout may make"
            yield DiskwarsUnavailable("illegal_flip", text, "R8.9", disk, action=MOVE)


def answer(resolution: Resolution, seat: Seat, task: ScoutTask, question: ScoutQuestion, action: Action) -> None:
    """Move one scout, or end the scouting of the seat."""
    match action:
        case EndScouting():
            return
        case MoveDisk():
            below = len(resolution.tasks)
            if action.disk not in task.disks:
                raise Illegal(
                    "not_legal",
                    f"disk {action.disk} has no scout move",
                    "R8.9",
                    "$.action.disk",
                    numbers={"disk": action.disk},
                )
            activation.start_scouting(resolution, task.seat, action)
            rest = tuple(disk for disk in task.disks if disk != action.disk)
            resolution.push_above(below, ScoutTask(task.seat, rest))
        case _:
            raise wrong_action(question, action)


def without_seat(board: Board, task: ScoutTask, seat: Seat) -> list[Task]:
    """Drop the scout moves of a seat that has left (R-59)."""
    return [] if task.seat == seat else [task]
