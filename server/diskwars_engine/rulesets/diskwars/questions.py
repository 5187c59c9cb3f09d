"""The open questions of a position, derived from the first task.

Forced answers are not asked for (R19.25), except a command card.
"""

from typing import TypeAlias

from diskwars_engine.rulesets.diskwars import (
    activation,
    command_cards,
    effects,
    melee,
    rampage,
    reinforcement_places,
    setup_sequence,
    shooting,
    triggers,
)
from diskwars_protocol.match import Seat
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars import position
from diskwars_protocol.rulesets.diskwars.board import Board

OpenQuestions: TypeAlias = tuple[tuple[Seat, a.BoardQuestion], ...]


def open_questions(board: Board, task: e.Task) -> OpenQuestions:
    """Return the questions that a task waits for; empty if it can continue (R19.25).

    Eliminated seats are not asked.
    """
    found = _task_questions(board, task)
    return tuple((seat, ask) for seat, ask in found if not position.is_eliminated(board, seat)) if found else found


def _task_questions(board: Board, task: e.Task) -> OpenQuestions:
    """Return the questions of a task. Frequent tasks come first: a `match` tests one type after another."""
    match task:
        case e.CommandCardTask():  # R19.12
            return _card_questions(board, task)
        case e.ActivationTask():  # R19.13, R19.14
            flips, may = activation.remaining_actions(board, task)
            return ((task.seat, a.ContinuationQuestion(task.disk, flips, may)),) if may else ()
        case e.PhaseTask():
            return _phase_questions(board, task)
        case e.TriggersTask():
            return _trigger_questions(board, task)
        case e.EngageAbilityTask():
            use = triggers.question(board, task.trigger)
            return (use,) if use else ()
        case e.RampageTask():
            flip = rampage.question(board, task)
            return ((board.disks[task.disk].seat, flip),) if flip else ()
        case e.ReinforcementTask():  # R19.16
            among = tuple(reinforcement_places.ability_places(board, task))
            ask = a.ReinforcementQuestion(task.source, task.reach, among)
            return ((board.disks[task.source].seat, ask),) if among else ()
        case e.FightTask():
            return _fight_questions(board, task)
        case e.ScatterTask():  # R19.17
            shooter = task.attack.shooter
            several = len(task.candidates) > 1
            return ((board.disks[shooter].seat, a.ScatterQuestion(shooter, task.candidates)),) if several else ()
        case e.MeleeStepTask():
            question = melee.question(board, task)
            return (question,) if question else ()
        case e.ImpactTask() | e.GuardTask() | e.DangerousTerrainTask() | e.RoughTerrainTask():
            return ()
        case e.RoundTask() | e.DiscardCardsTask() | e.CloseEngagementTask() | e.EndFightTask():
            return ()
        case _:
            return setup_sequence.open_questions(board, task)


def _phase_questions(board: Board, task: e.PhaseTask) -> OpenQuestions:
    if task.phase == "activation" and not command_cards.is_phase_over(board):
        # R7.4 compulsory; all seats decide at the same time
        return tuple(
            (side.seat, a.CommandCardQuestion()) for side in board.sides if command_cards.can_lock(board, side.seat)
        )
    if task.phase == "melee" and board.phase == "melee":
        legal = melee.legal_engagements(board)
        if len(legal) > 1:
            return ((position.seats_in_order(board)[0], a.EngagementQuestion(legal)),)  # R15.2.4, R19.21
    return ()


def _fight_questions(board: Board, task: e.FightTask) -> OpenQuestions:
    """R19.22: of an embattled disk the player of the card picks one of its two engagements."""
    legal = melee.engagements_of(board, task.disk) if task.frozen else ()
    return ((board.disks[task.disk].seat, a.EngagementQuestion(legal)),) if len(legal) > 1 else ()


def _card_questions(board: Board, task: e.CommandCardTask) -> OpenQuestions:
    if not task.begun or position.is_eliminated(board, task.seat):
        return ()
    ability = command_cards.can_use_ability(board, task)
    if ability or (task.activations_left > 0 and _can_activate(board, task.seat)):
        return ((task.seat, a.ActivationQuestion(task.card, task.activations_left, ability)),)
    return ()


def _can_activate(board: Board, seat: Seat) -> bool:
    """R7.11: an own disk that is neither activated nor pinned (R16.3), or one in reserve that can be placed."""
    own = [disk for disk in position.fielded_disks(board) if disk.seat == seat]
    if any(position.is_activatable(board, disk) or activation.can_act_pinned(board, disk.id) for disk in own):
        return True
    return any(
        reinforcement_places.reinforcement_place(board, seat, disk.id) for disk in position.reserve_disks(board, seat)
    )


def _trigger_questions(board: Board, task: e.TriggersTask) -> OpenQuestions:
    """R19.19: the order is asked for only if several abilities can still have an effect."""
    due = {(trigger.disk, trigger.ability) for trigger in task.triggers if triggers.is_effective(board, trigger)}
    if task.ordered or len(due) < 2:
        return ()
    return ((task.seat, a.TriggerOrderQuestion(task.triggers)),)


def legal_shots(board: Board, disk: int) -> list[a.Shoot]:
    """Return every legal ranged attack of a disk."""
    found: list[a.Shoot] = []
    for number, shot in enumerate(board.profile(disk).shots):
        found.extend(a.Shoot(disk, target, number) for target in shooting.targets(board, disk, shot))
    return found


def legal_focus_uses(board: Board, disk: int) -> list[a.Focus]:
    """Return every legal use of a focus ability of a disk."""
    found: list[a.Focus] = []
    for number, effect in enumerate(position.focus_abilities(board, disk)):
        aims = effects.targets(board, disk, effect)
        if aims is not None:
            found.extend(a.Focus(disk, aim, number) for aim in aims)
        elif effects.is_usable(board, disk, effect):
            found.append(a.Focus(disk, None, number))
    return found
