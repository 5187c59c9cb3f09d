"""Who has to decide what now? Read off the first task of the work list.

Answers that are forced are not asked for (R19.25), a command card excepted. Must not know what an answer leads to.
"""

from typing import TypeAlias

from diskwars_engine.rulesets.diskwars import (
    activation,
    command_cards,
    effects,
    melee,
    position,
    rampage,
    reinforcement_places,
    setup_sequence,
    shooting,
    triggers,
)
from diskwars_protocol.match import Seat
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import Board

Asked: TypeAlias = tuple[tuple[Seat, a.BoardQuestion], ...]


def asked(board: Board, task: e.Work) -> Asked:
    """The questions that have to be answered before a task can go on; empty when it can (R19.25).

    Who is out is not asked.
    """
    found = _asked(board, task)
    return tuple((seat, ask) for seat, ask in found if not position.is_out(board, seat)) if found else found


def _asked(board: Board, task: e.Work) -> Asked:
    """What is met most comes first: a `match` asks for one kind after another."""
    match task:
        case e.CardTurn():  # R19.12
            return _turn(board, task)
        case e.Activation():  # R19.13, R19.14
            flips, may = activation.can_still(board, task)
            return ((task.seat, a.AskContinue(task.disk, flips, may)),) if may else ()
        case e.PhaseWork():
            return _phase(board, task)
        case e.TriggerWork():
            return _triggers(board, task)
        case e.UseWork():
            use = triggers.question(board, task.trigger)
            return (use,) if use else ()
        case e.RampageWork():
            flip = rampage.question(board, task)
            return ((board.disks[task.disk].seat, flip),) if flip else ()
        case e.ReinforceWork():  # R19.16
            among = tuple(reinforcement_places.arrivals(board, task))
            ask = a.AskReinforcement(task.by, task.reach, among)
            return ((board.disks[task.by].seat, ask),) if among else ()
        case e.FightWork():
            return _fight(board, task)
        case e.ScatterWork():  # R19.17
            shooter = task.attack.shooter
            several = len(task.among) > 1
            return ((board.disks[shooter].seat, a.AskScatter(shooter, task.among)),) if several else ()
        case e.MeleeStep():
            question = melee.question(board, task)
            return (question,) if question else ()
        case e.ImpactWork() | e.GuardWork() | e.DangerWork() | e.RoughWork():
            return ()
        case e.Rounds() | e.DiscardCards() | e.CloseEngagement() | e.EndFight():
            return ()
        case _:
            return setup_sequence.asked(board, task)


def _phase(board: Board, task: e.PhaseWork) -> Asked:
    if task.phase == "activation" and not command_cards.is_over(board):
        # R7.4 compulsory; decisions of all seats at once, each for itself
        return tuple((side.seat, a.AskCard()) for side in board.sides if command_cards.can_lock(board, side.seat))
    if task.phase == "melee" and board.phase == "melee":
        legal = melee.legal(board)
        if len(legal) > 1:
            return ((position.living_order(board)[0], a.AskEngagement(legal)),)  # R15.2.4, R19.21
    return ()


def _fight(board: Board, task: e.FightWork) -> Asked:
    """R19.22: of an embattled disk the player of the card picks one of its two engagements."""
    legal = melee.with_disk(board, task.disk) if task.frozen else ()
    return ((board.disks[task.disk].seat, a.AskEngagement(legal)),) if len(legal) > 1 else ()


def _turn(board: Board, task: e.CardTurn) -> Asked:
    if not task.begun or position.is_out(board, task.seat):
        return ()
    ability = command_cards.can_use_ability(board, task)
    if ability or (task.left > 0 and _can_activate(board, task.seat)):
        return ((task.seat, a.AskActivation(task.card, task.left, ability)),)
    return ()


def _can_activate(board: Board, seat: Seat) -> bool:
    """R7.11: an own disk that is neither activated nor pinned (R16.3), or one in reserve with a place to come to."""
    own = [disk for disk in position.fielded(board) if disk.seat == seat]
    if any(position.is_activatable(board, disk) or activation.can_act_pinned(board, disk.id) for disk in own):
        return True
    return any(reinforcement_places.entry(board, seat, disk.id) for disk in position.reserve(board, seat))


def _triggers(board: Board, task: e.TriggerWork) -> Asked:
    """R19.19: only an order that can matter is asked for: that of several abilities which can still go off."""
    due = {(trigger.disk, trigger.ability) for trigger in task.triggers if triggers.goes_off(board, trigger)}
    if task.ordered or len(due) < 2:
        return ()
    return ((task.seat, a.AskTriggers(task.triggers)),)


def shots(board: Board, disk: int) -> list[a.Shoot]:
    """Every legal ranged attack of a disk."""
    found: list[a.Shoot] = []
    for number, shot in enumerate(board.profile(disk).shots):
        found.extend(a.Shoot(disk, target, number) for target in shooting.targets(board, disk, shot))
    return found


def foci(board: Board, disk: int) -> list[a.Focus]:
    """Every legal use of a focus ability of a disk."""
    found: list[a.Focus] = []
    for number, effect in enumerate(effects.focus_abilities(board, disk)):
        aims = effects.targets(board, disk, effect)
        if aims is not None:
            found.extend(a.Focus(disk, aim, number) for aim in aims)
        elif effects.is_usable(board, disk, effect):
            found.append(a.Focus(disk, None, number))
    return found
