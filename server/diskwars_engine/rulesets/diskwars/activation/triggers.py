"""Engage abilities: the order of several that trigger together, and the use of each (R6.6, R19.19, R19.20)."""

from collections.abc import Iterable
from itertools import permutations

from msgspec.structs import replace

from diskwars_engine.ruleset import Dice, Illegal, listed_numbers
from diskwars_engine.rulesets.diskwars import effects
from diskwars_engine.rulesets.diskwars.activation import aiming
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.task_rules import MAX_SEARCH_STEPS, OpenQuestions, wrong_action
from diskwars_engine.rulesets.diskwars.tasks import EngageAbilityTask, TriggersTask
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import position, sight
from diskwars_protocol.rulesets.diskwars.actions import (
    Action,
    EngageAbilityQuestion,
    OrderTriggers,
    Trigger,
    TriggerOrderQuestion,
    UseEngageAbility,
)
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import TriggerResolved
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions, DiskwarsUnavailable
from diskwars_protocol.rulesets.diskwars.stats import Ability

MAX_PERMUTED_TRIGGERS = 4
"""Number of triggers up to which every order is offered; of more, only the order that they are in."""


def trigger_ability(board: Board, trigger: Trigger) -> Ability:
    return board.profile(trigger.disk).abilities[trigger.ability]


# ---------------------------------------------------------------- order


def order_questions(board: Board, task: TriggersTask) -> OpenQuestions:
    """Ask for the order of the triggers if several different abilities among them still have an effect (R19.19)."""
    effective = {(trigger.disk, trigger.ability) for trigger in task.triggers if is_effective(board, trigger)}
    if task.ordered or len(effective) < 2:
        return ()
    return ((task.seat, TriggerOrderQuestion(task.triggers)),)


def order_options(
    board: Board, seat: Seat, task: TriggersTask, question: TriggerOrderQuestion, work: WorkBudget
) -> DiskwarsOptions:
    """Offer every order of a few triggers, or the order that many triggers are in."""
    count = len(question.triggers)
    if count > MAX_PERMUTED_TRIGGERS:
        return DiskwarsOptions((OrderTriggers(tuple(range(count))),))
    return DiskwarsOptions(tuple(OrderTriggers(order) for order in permutations(range(count))))


def answer_order(
    resolution: Resolution, seat: Seat, task: TriggersTask, question: TriggerOrderQuestion, action: Action
) -> None:
    """Put the triggers in the order that the active player has chosen (R19.19)."""
    if not isinstance(action, OrderTriggers):
        raise wrong_action(question, action)
    if sorted(action.order) != list(range(len(task.triggers))):
        text = f"an order names each of 0 to {len(task.triggers) - 1} once"
        numbers = {"first": 0, "last": len(task.triggers) - 1}
        raise Illegal("not_legal", text, "R19.19", "$.action.order", numbers)
    resolution.push(replace(task, triggers=tuple(task.triggers[n] for n in action.order), ordered=True))


def resolve_next(resolution: Resolution, task: TriggersTask) -> None:
    """Queue the first trigger's ability, an instance of its own (R6.6, R-20).

    The others wait until its consequences are resolved (R-32).
    """
    first, rest = task.triggers[0], task.triggers[1:]
    if rest:
        resolution.push(replace(task, triggers=rest, ordered=True))
    resolution.push(EngageAbilityTask(first))


def is_effective(board: Board, trigger: Trigger) -> bool:
    """Return whether a triggered ability can still do something (R8.5.3).

    The disk that has it must be on the field. An effect on the engaged enemy needs that enemy too; any other effect
    needs a target, measured from the disk that has the ability, even if the enemy is dead.
    """
    if not position.is_fielded(board, trigger.disk):
        return False
    if effects.is_aimed_at_enemy(trigger_ability(board, trigger).effect):
        return position.is_fielded(board, trigger.enemy)
    candidates = _candidates(board, trigger)
    return candidates is None or bool(candidates)


def _candidates(board: Board, trigger: Trigger) -> list[int] | None:
    """List the possible targets; None if the ability takes none besides the engaged enemy."""
    effect = trigger_ability(board, trigger).effect
    return None if effects.is_aimed_at_enemy(effect) else effects.targets(board, trigger.disk, effect)


def _resolve(resolution: Resolution, trigger: Trigger, target: int | None) -> None:
    effect = trigger_ability(resolution.board, trigger).effect
    amount, dice = resolution.roll_amount(effects.amount_of(effect), "engage")
    line = () if target is None else sight.sight_reasons(resolution.board, trigger.disk, target)
    reasons = (Reason("R6.6", effects.amount_numbers(effect, amount)), *line)
    rolled = effects.rolled_amount(effect, amount)
    resolved = TriggerResolved(trigger, reasons, target, rolled, dice, effects.needed_faces(effect))
    resolution.emit_cause(resolved, "engage_ability", trigger.disk)
    effects.apply(resolution, trigger.disk, trigger.enemy if target is None else target, effect, amount, reasons)


# ---------------------------------------------------------------- one ability


def use_questions(board: Board, task: EngageAbilityTask) -> OpenQuestions:
    """Ask the controller whether to use the ability, and on which target, unless only one answer exists (R19.20)."""
    trigger = task.trigger
    if not is_effective(board, trigger):
        return ()
    candidates, optional = _candidates(board, trigger), trigger_ability(board, trigger).optional
    if not optional and (candidates is None or len(candidates) < 2):
        return ()
    return ((board.disks[trigger.disk].seat, EngageAbilityQuestion(trigger, tuple(candidates or ()), optional)),)


def use_options(
    board: Board, seat: Seat, task: EngageAbilityTask, question: EngageAbilityQuestion, work: WorkBudget
) -> DiskwarsOptions:
    """Offer each target and, if the ability is optional, to decline."""
    uses = [UseEngageAbility(disk) for disk in question.candidates] or [UseEngageAbility()]
    return DiskwarsOptions((*uses, *([UseEngageAbility(use=False)] if question.optional else [])))


def use_unavailable(
    board: Board, seat: Seat, task: EngageAbilityTask, question: EngageAbilityQuestion, work: WorkBudget
) -> Iterable[DiskwarsUnavailable]:
    """Explain the targets that the ability cannot be aimed at (R19.20)."""
    if not question.candidates:
        return ()
    trigger, effect = question.trigger, trigger_ability(board, question.trigger).effect
    numbers = {"ability": trigger.ability}
    return aiming.unavailable_effect(board, trigger.disk, "use_engage_ability", effect, "R19.20", numbers, work)


def default_use(
    board: Board, seat: Seat, task: EngageAbilityTask, question: EngageAbilityQuestion, dice: Dice
) -> Action:
    """Decline if the ability is optional, else take the last target."""
    return use_options(board, seat, task, question, WorkBudget(MAX_SEARCH_STEPS)).actions[-1]


def answer_use(
    resolution: Resolution, seat: Seat, task: EngageAbilityTask, question: EngageAbilityQuestion, action: Action
) -> None:
    """Use the ability on the chosen target, or decline it."""
    if not isinstance(action, UseEngageAbility):
        raise wrong_action(question, action)
    if not action.use:
        if not question.optional:
            raise Illegal("not_legal", "the ability has to be used", "R19.20", "$.action.use")
        return
    if (action.target not in question.candidates) if question.candidates else (action.target is not None):
        candidates = ", ".join(str(disk) for disk in question.candidates) or "nobody"
        numbers = listed_numbers("candidate", question.candidates)
        text = f"the ability can be aimed at {candidates}"
        raise Illegal("bad_target", text, "R19.20", "$.action.target", numbers)
    _resolve(resolution, task.trigger, action.target)


def run_use(resolution: Resolution, task: EngageAbilityTask) -> None:
    """Use an ability that leaves nothing to choose, if it still has an effect."""
    if is_effective(resolution.board, task.trigger):
        candidates = _candidates(resolution.board, task.trigger)
        _resolve(resolution, task.trigger, candidates[0] if candidates else None)
