"""Engage abilities: ordered and resolved one after another, each by its text (R6.6, R19.19, R19.20)."""

from msgspec.structs import replace

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import effects, sight
from diskwars_engine.rulesets.diskwars.play import Play
from diskwars_protocol.match import Reason, Seat
from diskwars_protocol.rulesets.diskwars import position
from diskwars_protocol.rulesets.diskwars.actions import EngageAbilityQuestion, OrderTriggers, Trigger, UseEngageAbility
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import EngageAbilityTask, TriggerResolved, TriggersTask
from diskwars_protocol.rulesets.diskwars.stats import Ability


def trigger_ability(board: Board, trigger: Trigger) -> Ability:
    return board.profile(trigger.disk).abilities[trigger.ability]


def order_triggers(play: Play, task: TriggersTask, action: OrderTriggers) -> None:
    """R19.19: apply the order that the active player has chosen."""
    if sorted(action.order) != list(range(len(task.triggers))):
        text = f"an order names each of 0 to {len(task.triggers) - 1} once"
        raise Illegal("not_legal", text, "R19.19", "$.action.order")
    play.push(replace(task, triggers=tuple(task.triggers[n] for n in action.order), ordered=True))


def resolve_next(play: Play, task: TriggersTask) -> None:
    """R6.6: trigger the first, an instance of its own (R-20); the others wait for its consequences (R-32)."""
    first, rest = task.triggers[0], task.triggers[1:]
    if rest:
        play.push(replace(task, triggers=rest, ordered=True))
    play.push(EngageAbilityTask(first))


def question(board: Board, trigger: Trigger) -> tuple[Seat, EngageAbilityQuestion] | None:
    """R19.20: the controller decides whether, and against which target; a single possible answer is not asked for."""
    if not is_effective(board, trigger):
        return None
    among, may = _candidates(board, trigger), trigger_ability(board, trigger).may
    if not may and (among is None or len(among) < 2):
        return None
    return board.disks[trigger.disk].seat, EngageAbilityQuestion(trigger, tuple(among or ()), may)


def is_effective(board: Board, trigger: Trigger) -> bool:
    """R8.5.3: the engaged enemy may be dead, but an ability is measured from the disk that has it.

    An effect on that enemy needs it alive; an effect on another disk needs a target.
    """
    if not position.is_fielded(board, trigger.disk):
        return False
    if effects.is_aimed_at_enemy(trigger_ability(board, trigger).effect):
        return position.is_fielded(board, trigger.enemy)
    among = _candidates(board, trigger)
    return among is None or bool(among)


def _candidates(board: Board, trigger: Trigger) -> list[int] | None:
    """Return the possible targets; None if there is nothing to choose."""
    effect = trigger_ability(board, trigger).effect
    return None if effects.is_aimed_at_enemy(effect) else effects.targets(board, trigger.disk, effect)


def run(play: Play, task: EngageAbilityTask) -> None:
    """Trigger an ability that needs no choice."""
    if is_effective(play.board, task.trigger):
        among = _candidates(play.board, task.trigger)
        _resolve(play, task.trigger, among[0] if among else None)


def choose_use(play: Play, task: EngageAbilityTask, ask: EngageAbilityQuestion, action: UseEngageAbility) -> None:
    if not action.use:
        if not ask.optional:
            raise Illegal("not_legal", "the ability has to be used", "R19.20", "$.action.use")
        return
    if (action.target not in ask.candidates) if ask.candidates else (action.target is not None):
        among = ", ".join(str(disk) for disk in ask.candidates) or "nobody"
        raise Illegal("bad_target", f"the ability can be aimed at {among}", "R19.20", "$.action.target")
    _resolve(play, task.trigger, action.target)


def _resolve(play: Play, trigger: Trigger, target: int | None) -> None:
    effect = trigger_ability(play.board, trigger).effect
    amount, dice = play.roll_amount(effects.amount_of(effect), "engage")
    seen = () if target is None else sight.sight_reasons(play.board, trigger.disk, target)
    because = (Reason("R6.6", {"amount": amount}), *seen)
    play.emit(TriggerResolved(trigger, dice, because, target))
    effects.apply(play, trigger.disk, trigger.enemy if target is None else target, effect, amount, because)
