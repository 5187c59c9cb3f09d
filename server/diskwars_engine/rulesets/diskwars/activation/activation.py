"""Activations: the actions that a disk may take, and those that it has left (R8.1, R8.2).

Combines movement, shooting and focus abilities. The command card that grants the activation is in card_turns.py.
"""

from collections.abc import Iterator
from typing import TypeAlias

from msgspec.structs import replace

from diskwars_engine.ruleset import Dice, Illegal, listed_numbers
from diskwars_engine.rulesets.diskwars import effects
from diskwars_engine.rulesets.diskwars.activation import aiming, move_options, movement, shooting
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.task_rules import OpenQuestions, wrong_action
from diskwars_engine.rulesets.diskwars.tasks import ActivationTask
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import effective_stats, keywords, position, sight, terrain
from diskwars_protocol.rulesets.diskwars.actions import (
    Action,
    Continuation,
    ContinuationQuestion,
    Focus,
    MoveDisk,
    PassDisk,
    Shoot,
)
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import AbilityUsed, ActivationBegan, ActivationEnded
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions, DiskwarsUnavailable

DiskAction: TypeAlias = MoveDisk | Shoot | Focus | PassDisk
MOVE: Continuation = "move"
SHOOT: Continuation = "shoot"
FOCUS: Continuation = "focus"


def new_task(board: Board, seat: Seat, disk: int) -> ActivationTask:
    """Create the task of an activation in which the disk has not acted yet."""
    return ActivationTask(seat, disk, effective_stats.movement(board, disk), (MOVE, SHOOT, FOCUS))


def check_disk(board: Board, seat: Seat, disk: int, stays: bool = False) -> None:
    """Check that a seat may activate a disk: its own, fielded, not activated and not pinned (R7.11, R6.3).

    With `stays`, the action leaves the disk where it is, so a stalwart disk may be pinned (R16.3). Raises `Illegal`.
    """
    place = "$.action.disk"
    movement.check_disk_number(board, disk)
    if board.disks[disk].seat != seat:
        raise Illegal("not_your_disk", f"disk {disk} is another player's", "R7.11", place, numbers={"disk": disk})
    if not position.is_fielded(board, disk):
        raise Illegal("not_on_field", f"disk {disk} is not on the battlefield", "R7.11", place, numbers={"disk": disk})
    if board.disks[disk].activated:
        raise Illegal(
            "disk_activated", f"disk {disk} has been activated already", "R7.11", place, numbers={"disk": disk}
        )
    if position.is_pinned(board, disk) and not (stays and keywords.is_stalwart(board.profile(disk))):
        pinning = position.pinning_disks(board, disk)
        by = ", ".join(f"disk {top}" for top in pinning)
        numbers = {"disk": disk, **listed_numbers("by", pinning)}
        raise Illegal("disk_pinned", f"disk {disk} is pinned by {by}", "R6.3", place, numbers)


def start(resolution: Resolution, seat: Seat, action: DiskAction) -> None:
    """Activate a disk and carry out its first action. Raises `Illegal` before any event is recorded."""
    check_disk(resolution.board, seat, action.disk, isinstance(action, Shoot | Focus))
    task = new_task(resolution.board, seat, action.disk)
    _check(resolution.board, task, action)
    resolution.emit(ActivationBegan(seat, action.disk))
    _perform(resolution, task, action)


def start_scouting(resolution: Resolution, seat: Seat, action: MoveDisk) -> None:
    """Make the scout move of a disk that is not pinned, before round 1 (R8.9). Raises `Illegal`."""
    check_disk(resolution.board, seat, action.disk)
    task = ActivationTask(
        seat, action.disk, effective_stats.movement(resolution.board, action.disk), (MOVE,), scouting=True
    )
    _check(resolution.board, task, action)
    resolution.emit(ActivationBegan(seat, action.disk))
    _perform(resolution, task, action)


def check_action_kind(board: Board, task: ActivationTask, kind: Continuation) -> None:
    """Check that the activation still allows an action of this kind: R8.1 one action, R8.2 two if Mobile.

    Raises `Illegal`.
    """
    if kind not in task.allowed:
        text = f"disk {task.disk} cannot {kind} any more in this activation"
        rule = "R8.2" if keywords.is_mobile(board.profile(task.disk)) else "R8.1"
        raise Illegal("wrong_action", text, rule, "$.action", numbers={"disk": task.disk})
    if kind == MOVE and task.must_stop and keywords.is_flying(board.profile(task.disk)):
        text = f"disk {task.disk} has flown, and a flight is one path: its move is over"
        raise Illegal("wrong_action", text, "R8.7", "$.action", numbers={"disk": task.disk})
    if kind == MOVE and task.must_stop:
        # Only a Mobile disk gets here: its move is over, but it may still shoot or focus. An enemy under it is the
        # stronger reason and is named first, as the landing (R8.5.5) ends the move wherever it happens.
        if terrain.pieces_with_keyword(board, task.disk, terrain.ROUGH) and not position.pinned_enemies(
            board, task.disk
        ):
            text = f"disk {task.disk} came onto rough ground: its move is over"
            raise Illegal("wrong_action", text, "R10.9", "$.action", numbers={"disk": task.disk})
        raise Illegal(
            "wrong_action",
            f"disk {task.disk} landed on an enemy: its move is over",
            "R8.5.5",
            "$.action",
            numbers={"disk": task.disk},
        )


def _check(board: Board, task: ActivationTask, action: DiskAction) -> None:
    if not isinstance(action, PassDisk):
        check_action_kind(board, task, {MoveDisk: MOVE, Shoot: SHOOT, Focus: FOCUS}[type(action)])
    match action:
        case MoveDisk():
            movement.check_path(board, task.disk, action.path, task.flips_left)
            if task.scouting:
                movement.check_scout_path(board, task.disk, action.path)
        case Shoot():
            shooting.check_shot(board, action)
        case Focus():
            check_focus(board, action)
        case PassDisk():
            pass


def check_focus(board: Board, action: Focus) -> None:
    """Check that a disk has a focus ability and may aim it at the target (R8.3, R8.1.2). Raises `Illegal`."""
    abilities = position.focus_abilities(board, action.disk)
    if not 0 <= action.ability < len(abilities):
        text = f"disk {action.disk} has {len(abilities)} focus abilities"
        raise Illegal(
            "no_such_ability", text, "R8.1.2", "$.action.ability", {"disk": action.disk, "abilities": len(abilities)}
        )
    rule = effects.focus_rule(board, action.disk, action.ability)
    effects.check_target(board, action.disk, action.target, abilities[action.ability], rule)


def _perform(resolution: Resolution, task: ActivationTask, action: DiskAction) -> None:
    """Carry out a checked action, and queue the rest of the activation after its consequences."""
    rest = _remaining_task(resolution.board, task, action)
    below = len(resolution.tasks)
    match action:
        case MoveDisk():  # R8.1.1
            rest = movement.move(resolution, rest, action)
        case Shoot():  # R8.1.3
            shooting.shoot(resolution, action, resolution.board.profile(action.disk).shots[action.shot])
        case Focus():  # R8.1.2
            _focus(resolution, task.seat, action)
        case PassDisk():  # R8.1.4
            pass
    resolution.push_above(below, rest)


def _remaining_task(board: Board, task: ActivationTask, action: DiskAction) -> ActivationTask:
    """Return what an activation still allows after an action.

    R8.2, R19.14: Mobile adds one shot or focus ability, wholly before or wholly after the move.
    """
    mobile = keywords.is_mobile(board.profile(task.disk))
    match action:
        case MoveDisk():
            return task if mobile else replace(task, allowed=(MOVE,))
        case Shoot() | Focus():
            return replace(task, allowed=(MOVE,) if mobile and not task.has_moved else ())
        case PassDisk():  # R8.1.4
            return replace(task, allowed=())


def _focus(resolution: Resolution, seat: Seat, action: Focus) -> None:
    effect = position.focus_abilities(resolution.board, action.disk)[action.ability]
    amount, dice = resolution.roll_amount(effects.amount_of(effect), "focus")
    line = () if action.target is None else sight.sight_reasons(resolution.board, action.disk, action.target)
    rule = effects.focus_rule(resolution.board, action.disk, action.ability)
    reasons = (Reason(rule, effects.amount_numbers(effect, amount)), *line)
    used = AbilityUsed(
        seat=seat,
        disk=action.disk,
        reasons=reasons,
        target=action.target,
        ability=action.ability,
        amount=effects.rolled_amount(effect, amount),
        dice=dice,
        needed=effects.needed_faces(effect),
    )
    resolution.emit_cause(used, "focus_ability", action.disk)
    effects.apply(resolution, action.disk, action.target, effect, amount, reasons)


def can_act_pinned(board: Board, disk: int) -> bool:
    """Return whether a disk is pinned but stalwart, and has a shot or a focus ability to use (R16.3)."""
    now, profile = board.disks[disk], board.profile(disk)
    if now.activated or not keywords.is_stalwart(profile) or not position.is_fielded(board, disk):
        return False
    return position.is_pinned(board, disk) and bool(_stationary_actions(board, disk))


def _stationary_actions(board: Board, disk: int) -> list[Continuation]:
    """List the kinds of action that a disk could take without moving."""
    shots = [SHOOT] if shooting.can_shoot(board, disk) else []
    abilities = position.focus_abilities(board, disk)
    return shots + ([FOCUS] if any(effects.is_usable(board, disk, effect) for effect in abilities) else [])


def remaining_actions(board: Board, task: ActivationTask) -> tuple[int, tuple[Continuation, ...]]:
    """Return the flips left and the kinds of action still possible in an activation; (0, ()) when it is over."""
    if not position.is_fielded(board, task.disk) or position.is_pinned(board, task.disk):
        return 0, ()
    flips = (
        0 if task.must_stop or MOVE not in task.allowed else task.flips_left
    )  # R8.5.5 a landing on an enemy ends the move
    kinds = [MOVE] if flips > 0 else []
    if {SHOOT, FOCUS} & set(task.allowed):
        kinds += [kind for kind in _stationary_actions(board, task.disk) if kind in task.allowed]
    return flips, tuple(kinds)


# ---------------------------------------------------------------- continuing


def questions(board: Board, task: ActivationTask) -> OpenQuestions:
    """Ask how to continue while the disk can still act (R19.13, R19.14)."""
    flips, allowed = remaining_actions(board, task)
    return ((task.seat, ContinuationQuestion(task.disk, flips, allowed)),) if allowed else ()


def options(
    board: Board, seat: Seat, task: ActivationTask, question: ContinuationQuestion, work: WorkBudget
) -> DiskwarsOptions:
    """Offer the actions that the disk has left, and to end its activation."""
    actions: list[Action] = [PassDisk(question.disk)]
    if SHOOT in question.allowed:
        actions.extend(aiming.legal_shots(board, question.disk, work))
    if FOCUS in question.allowed:
        actions.extend(aiming.legal_focus_uses(board, question.disk, work))
    if MOVE not in question.allowed:
        return DiskwarsOptions(tuple(actions))
    if task.scouting:
        return DiskwarsOptions(
            tuple(actions), move_options.scout_move_option(board, question.disk, question.flips_left)
        )
    return DiskwarsOptions(tuple(actions), (move_options.move_option(board, question.disk, question.flips_left),))


def unavailable(
    board: Board, seat: Seat, task: ActivationTask, question: ContinuationQuestion, work: WorkBudget
) -> Iterator[DiskwarsUnavailable]:
    """Explain the actions that this activation does not allow any more (R8.1, R8.2)."""
    kinds = {
        MOVE: aiming.MOVE,
        **({SHOOT: aiming.SHOOT} if board.profile(question.disk).shots else {}),
        **({FOCUS: aiming.FOCUS} if position.focus_abilities(board, question.disk) else {}),
    }
    for kind, action in kinds.items():
        if refused := aiming.find_refusal(check_action_kind, board, task, kind):
            yield aiming.explain(refused, question.disk, action)
    if MOVE in task.allowed and not task.must_stop and not question.flips_left:
        text = f"disk {question.disk} has no flips left"
        yield DiskwarsUnavailable("too_many_flips", text, "R8.4", question.disk, action=aiming.MOVE)
    if SHOOT in task.allowed:
        yield from aiming.unavailable_shots(board, question.disk, work)
    if FOCUS in task.allowed:
        yield from aiming.unavailable_focus(board, question.disk, work)


def default(board: Board, seat: Seat, task: ActivationTask, question: ContinuationQuestion, dice: Dice) -> Action:
    """End the activation."""
    return PassDisk(question.disk)


def answer(
    resolution: Resolution, seat: Seat, task: ActivationTask, question: ContinuationQuestion, action: Action
) -> None:
    """Carry out one more action of the activated disk."""
    if not isinstance(action, DiskAction):
        raise wrong_action(question, action)
    if action.disk != task.disk:
        raise Illegal(
            "wrong_action", f"disk {task.disk} is being activated", "R8.1", "$.action.disk", numbers={"disk": task.disk}
        )
    _check(resolution.board, task, action)
    _perform(resolution, task, action)


def finish(resolution: Resolution, task: ActivationTask) -> None:
    """End an activation. A disk still on the battlefield gets its token (R7.13), unless it was scouting (R8.9)."""
    reasons = (Reason("R8.9" if task.scouting else "R7.13"),)
    resolution.emit(
        ActivationEnded(task.disk, position.is_fielded(resolution.board, task.disk) and not task.scouting, reasons)
    )
